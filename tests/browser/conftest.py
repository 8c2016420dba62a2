"""Pages of a real browser, whose console must stay empty.

`make test-web` installs the requirements: Debian's Chromium, Playwright and axe.
"""

import pytest
from serving import Server, launched


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chromium():
    with launched() as browser:
        yield browser


@pytest.fixture
def open_page(chromium, server):
    """Open pages, each in a browser of its own; any message on a console fails the test."""
    contexts, complaints, forgiven = [], [], []

    def complain(text):
        if not any(part in text for part in forgiven):
            complaints.append(text)

    def open_one(path="/", width=1300, height=900, dark=False, touch=False, forgive=()):
        forgiven.extend(forgive)
        contexts.append(
            chromium.new_context(
                viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
                has_touch=touch, is_mobile=touch,
            )
        )  # fmt: skip
        page = contexts[-1].new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: complain(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complain(str(error)))
        page.goto(server.address + path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not complaints
