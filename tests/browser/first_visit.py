"""A first visit, scripted: clicks and seconds from the home page to the first decision, printed for each game.

`python tests/browser/first_visit.py` starts a server of its own; with an address it visits that server. A person needs
time to read besides; the script shows what the pages and the server take.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from conftest import CHROMIUM, Server
from playwright.sync_api import sync_playwright

SIZES = {"1280x800": (1280, 800), "390x844": (390, 844)}
GAMES = ("star_realms", "rise_of_empire", "interstellar_empire", "empire_of_the_stars")
DECIDES = "globalThis.table && table.page.sight && table.page.sight.table.to_act === 0"


def visit(browser, address, game, size):
    """Return the number of clicks and the seconds until a person who knows nothing of the page can decide."""
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 800)
    page = context.new_page()
    began, clicks = time.perf_counter(), 0
    page.goto(address)
    for place in f".tile[data-game={game}]", "#play:not([disabled])":
        page.click(place, timeout=60_000)
        clicks += 1
    page.wait_for_url("**/games/**", timeout=300_000)
    while not page.evaluate(f"Boolean({DECIDES})"):
        page.wait_for_timeout(10)
    seconds = time.perf_counter() - began
    context.close()
    return clicks, seconds


def main(address):
    """Visit each game at both sizes, and print a line for each visit."""
    with sync_playwright() as playwright:
        sandbox = [] if os.geteuid() else ["--no-sandbox"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=sandbox)
        for size in SIZES:
            for game in GAMES:
                clicks, seconds = visit(browser, address, game, size)
                print(f"{size}  {game:20}  {clicks} clicks  {seconds:5.2f} seconds", flush=True)
        browser.close()


if __name__ == "__main__":
    if sys.argv[1:]:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder))
            try:
                main(server.address)
            finally:
                server.stop()
