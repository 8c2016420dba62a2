"""A server in a process of its own, and pages of a real browser, whose console must stay empty.

`make test-web` installs the requirements: Debian's Chromium, Playwright and axe.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OWN_GAME = Path(__file__).parents[2] / "examples" / "new_game.py"


class Server:
    """A `stardeck serve` process in a folder, which tests can stop and restart. It knows a game of a user's own."""

    def __init__(self, folder):
        self._folder, self._process, self._port = folder, None, 0
        self.start()

    def start(self):
        command = [Path(sys.executable).with_name("stardeck"), "serve", "--port", str(self._port)]
        command += ["--folder", self._folder / "games", "--results", self._folder]
        environment = os.environ | {"STARDECK_GAMES": str(OWN_GAME)}
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.address = re.search(r"http://\S+:\d+", self._process.stdout.readline())[0]
        self._port = int(self.address.rpartition(":")[2])

    def stop(self):
        self._process.send_signal(signal.SIGINT)
        self._process.wait(20)
        self._process.stdout.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chromium():
    assert CHROMIUM, "there is no Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        sandbox = [] if os.geteuid() else ["--no-sandbox"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=sandbox)
        yield browser
        browser.close()


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
        page.set_default_timeout(15_000)
        page.on("console", lambda message: complain(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complain(str(error)))
        page.goto(server.address + path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not complaints
