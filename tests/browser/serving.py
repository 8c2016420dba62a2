"""A server in a process of its own, and Debian's Chromium."""

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OWN_GAME = Path(__file__).parents[2] / "examples" / "new_game.py"


class Server:
    """A `stardeck serve` process in a folder, which tests can stop and restart. It knows a game of a user's own."""

    def __init__(self, folder, command=None, options=()):
        self._command, self._options = command or Path(sys.executable).with_name("stardeck"), options
        self._folder, self._process, self._port = folder, None, 0
        self.start()

    def start(self):
        command = [self._command, "serve", "--port", str(self._port), *self._options]
        command += ["--folder", self._folder / "games", "--results", self._folder]
        environment = os.environ | {"STARDECK_GAMES": str(OWN_GAME)}
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.address = re.search(r"http://\S+:\d+", self._process.stdout.readline())[0]
        self._port = int(self.address.rpartition(":")[2])

    def stop(self):
        self._process.send_signal(signal.SIGINT)
        self._process.wait(20)
        self._process.stdout.close()


@contextmanager
def launched():
    """Start Chromium, and close it in the end."""
    assert CHROMIUM, "there is no Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        sandbox = [] if os.geteuid() else ["--no-sandbox"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=sandbox)
        yield browser
        browser.close()
