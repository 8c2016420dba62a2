"""Settings for tests of client libraries: their warnings do not raise, and they use one thread."""

import os


def pytest_configure(config):
    """Allow warnings that clients give about their own future; only a warning caused by our code is an error."""
    config.addinivalue_line("filterwarnings", "default")
    config.addinivalue_line("filterwarnings", "error:::stardeck")
    # small networks learn faster on one thread than on several that synchronise
    os.environ.setdefault("OMP_NUM_THREADS", "1")
