"""Screenshots of the analysis for the manual, taken from a running server by Debian's Chromium: `make screenshots`."""

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
SIZES = {"analysis": (1280, 800), "analysis_phone": (390, 844)}


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
    """Open the page, analyse the whole game and one position of it, and save screenshots of two sizes."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (width, height) in SIZES.items():
            phone = name == "analysis_phone"
            page = browser.new_page(viewport={"width": width, "height": height}, has_touch=phone, is_mobile=phone)
            page.goto(address)
            kept = page.request.post(f"{address}/api/replays", data={"text": game}).json()
            page.goto(f"{address}{kept['page']}#{AT}")
            page.wait_for_selector(".board")
            page.keyboard.press("a")
            page.keyboard.press("g")
            while not page.evaluate("replay.page.thoughts && replay.page.course.length === replay.page.scene.of"):
                page.wait_for_timeout(200)
            page.wait_for_timeout(3_000)
            page.screenshot(path=PICTURES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
