"""Screenshots of the pages for the manual, taken from a running server by Debian's Chromium: `make screenshots`.

Names on the command line choose some of them.
"""

import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import stardeck
from stardeck.benchmarks.league import league
from stardeck.benchmarks.recordings import record

PICTURES = Path(__file__).parent / "pictures"
SIZES = {"page": (1280, 800), "phone": (390, 844)}
COLOURS = 64  # of a picture; more cannot be told from these
AGENTS = ["rules", "cheap-combat", "same-faction", "simple", "random"]
RATED = "league"  # folder of the results


class Scene(NamedTuple):
    """A position at the table of a person: the first decision of seat 0 with several moves after some decisions."""

    game: str
    settings: dict[str, Any]
    players: int
    seed: int
    decisions: int
    least: int = 6  # moves to choose from


SCENES = {
    "star_realms": Scene("star_realms", {}, 2, 7, 120, least=9),
    "rise_of_empire": Scene("star_realms", {"set": "rise_of_empire", "scenario": 3}, 2, 4, 80),
    "interstellar_empire": Scene("interstellar_empire", {"players": 3}, 3, 5, 60),
    "empire_of_the_stars": Scene("empire_of_the_stars", {"players": 3}, 3, 4, 110),
}
REPLAY = Scene("star_realms", {}, 2, 4, 36)  # a decision that loses much value
SHORT = Scene("star_realms", {"authority": [20, 20]}, 2, 2, 0)  # for the end of a game


def kept(page: Page, name: str) -> None:
    """Save a screenshot with few colours."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURES / f"{name}.png", optimize=True)


def until(page: Page, holds: str) -> None:
    """Wait until an expression holds; the pages' policy forbids Playwright's own way of waiting."""
    while not page.evaluate(f"Boolean({holds})"):
        page.wait_for_timeout(20)


def moves_of(scene: Scene) -> list[str]:
    """Return the moves of a game in which `rules` plays all seats."""
    game = stardeck.make(scene.game, **scene.settings)
    return record.play(game, ["rules"] * scene.players, scene.seed)["moves"]


def at_table(page: Page, address: str, scene: Scene, to_the_end: bool = False) -> None:
    """Play a game as `rules` would, up to the position of a scene, or to the end."""
    moves = moves_of(scene)
    seats = ["person"] + ["rules"] * (scene.players - 1)
    new = {"game": scene.game, "settings": scene.settings, "seats": seats, "seed": scene.seed}
    begun = page.request.post(f"{address}/api/games", data=new, timeout=300_000).json()
    page.goto(address + begun["seats"][0]["page"])
    until(page, "globalThis.table && table.page.sight")
    page.evaluate("table.say({pace: 0})")
    while True:
        until(page, "table.page.sight.table.over || table.page.sight.table.to_act === 0")
        number, legal, over = page.evaluate(
            "[table.page.sight.number, table.page.sight.table.moves.length, Boolean(table.page.sight.table.over)]"
        )
        if over or (number >= scene.decisions and legal >= scene.least and not to_the_end):
            break
        page.evaluate("(move) => table.act({move})", moves[number])
        until(page, f"table.page.sight.number > {number}")
    page.evaluate("table.say({pace: 0.7})")
    page.wait_for_timeout(1_500)  # for the last animation


def take_tables(page: Page, address: str, size: str, wanted: set[str]) -> None:
    """Save the table of each game, and the end of one."""
    for name, scene in SCENES.items():
        if f"{name}_{size}" in wanted:
            at_table(page, address, scene)
            kept(page, f"{name}_{size}")
    if f"ending_{size}" in wanted:
        at_table(page, address, SHORT, to_the_end=True)
        kept(page, f"ending_{size}")


def take_replay(page: Page, address: str, name: str) -> None:
    """Save a replay with its analysis: of the whole game, and of one position."""
    game = json.dumps(record.play(stardeck.make(REPLAY.game), ["rules"] * REPLAY.players, REPLAY.seed))
    replay = page.request.post(f"{address}/api/replays", data={"text": game}).json()
    page.goto(f"{address}{replay['page']}#{REPLAY.decisions}")
    page.wait_for_selector(".board")
    page.keyboard.press("a")
    page.keyboard.press("g")
    until(page, "replay.page.thoughts && replay.page.course.length === replay.page.scene.of")
    page.wait_for_timeout(3_000)
    kept(page, name)


def take(address: str, wanted: set[str]) -> None:
    """Save the screenshots of all pages, at two sizes."""
    addresses = {"home": "", "learn": "/learn/star_realms", "results": f"/results/{RATED}"}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for size, (width, height) in SIZES.items():
            phone = size == "phone"
            page = browser.new_page(viewport={"width": width, "height": height}, has_touch=phone, is_mobile=phone)
            for name, path in addresses.items():
                if f"{name}_{size}" in wanted:
                    page.goto(address + path)
                    page.wait_for_selector({"home": "[data-game]", "results": ".plot svg"}.get(name, "main"))
                    if name == "learn":  # its first picture
                        page.locator("main figure").first.evaluate(
                            "(figure) => figure.scrollIntoView({block: 'center'})"
                        )
                    page.wait_for_timeout(1_000)
                    kept(page, f"{name}_{size}")
            take_tables(page, address, size, wanted)
            if (name := {"page": "analysis", "phone": "analysis_phone"}[size]) in wanted:
                take_replay(page, address, name)
            page.close()
        browser.close()


SHOTS = {
    *(f"{name}_{size}" for name in (*SCENES, "ending") for size in SIZES),
    *("home_page", "home_phone", "learn_page", "results_page", "analysis", "analysis_phone"),
}


def main(wanted: set[str]) -> None:
    """Start a server, and take the screenshots."""
    with tempfile.TemporaryDirectory() as folder:
        if "results_page" in wanted:
            league("star_realms", AGENTS, games=2_000, out=Path(folder) / "results" / RATED)
        results = Path(folder) / "results"
        results.mkdir(exist_ok=True)
        command = [Path(sys.executable).with_name("stardeck"), "serve", "--no-warm", "--port", "0"]
        command += ["--folder", folder, "--results", str(results)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            take(re.search(r"http://\S+:\d+", server.stdout.readline())[0], wanted)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main(set(sys.argv[1:]) or SHOTS)
