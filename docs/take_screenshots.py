"""Screenshot of the analysis for the manual, taken from a running server by Debian's Chromium: `make screenshots`."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import stardeck
from stardeck.benchmarks.recordings import record

PICTURES = Path(__file__).parent / "pictures"
SEED = 4
AT = 36  # a decision that loses much value


def main():
    """Replay a game of `rules`, and analyse it."""
    game = json.dumps(record.play(stardeck.make("star_realms"), ["rules", "rules"], SEED))
    with tempfile.TemporaryDirectory() as folder:
        command = [Path(sys.executable).with_name("stardeck"), "serve", "--port", "0", "--folder", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            take(re.search(r"http://\S+:\d+", server.stdout.readline())[0], game)
        finally:
            server.terminate()
            server.wait()


def take(address, game):
    """Open the page, analyse the whole game and one position of it, and save a screenshot."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.goto(address)
        kept = page.request.post(f"{address}/api/replays", data={"text": game}).json()
        page.goto(address + kept["page"])
        page.wait_for_selector("#picture svg")
        page.evaluate(f"go({AT})")
        page.click("#analyse")
        page.click("#course")
        while not page.evaluate("of > 0 && turns.length === of"):
            page.wait_for_timeout(200)
        page.wait_for_timeout(3_000)
        page.screenshot(path=PICTURES / "analysis.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    main()
