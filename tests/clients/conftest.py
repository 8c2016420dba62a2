"""How the tests of clients run: with warnings of the clients shown, not raised, and on one thread."""

import os


def pytest_configure(config):
    """Clients warn of their own future; only a warning that our code causes is an error here."""
    config.addinivalue_line("filterwarnings", "default")
    config.addinivalue_line("filterwarnings", "error:::stardeck")
    # networks as small as these learn faster on one thread than on several that wait for each other
    os.environ.setdefault("OMP_NUM_THREADS", "1")
