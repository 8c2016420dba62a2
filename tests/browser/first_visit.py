"""Scripted first visits: from the home page to the end of a game and a rematch, by clicks or taps alone.

`make first-visits` starts a server of its own and prints clicks and seconds of three visits. With an address the script
visits that server. Like a newcomer, a visit uses only what is in view: controls are found by role and text, and cards
by the frame that marks them as clickable. A person needs time to read besides.
"""

import random
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from playing import MIDDLE, SIZES
from serving import Server, launched

VISITS = (
    ("Star Realms", "Easy", "desktop"),
    ("Interstellar Empire", "Medium", "phone"),
    ("Empire of the Stars", "Easy", "desktop"),
)
MOST = 1_500  # tries to decide in a game: one that goes on longer does not end by clicking
PATIENCE = 300  # seconds for a page or a player
SHOWN = """() => [document.getElementById("state")?.textContent, document.querySelectorAll("#log p").length,
    document.querySelectorAll("#menu button, [role=alertdialog], .move, .can, #record").length].join()"""


class Visit(NamedTuple):
    """Clicks and seconds of a visit, to the first decision and to the end of the game."""

    first_clicks: int
    first_seconds: float
    clicks: int
    seconds: float
    ending: str  # its headline


class Newcomer:
    """A person who clicks what is in view, or taps it."""

    def __init__(self, page, touch, seed=1):
        self.page, self.touch, self.clicks = page, touch, 0
        self._chance = random.Random(seed)

    def press(self, control):
        """Wait for a control, and click or tap it."""
        self.press_now(control.element_handle(timeout=1_000 * PATIENCE))

    def press_now(self, element):
        """Click or tap an element where nothing covers it, unless it has gone meanwhile."""
        if point := element.evaluate(MIDDLE):
            (self.page.touchscreen.tap if self.touch else self.page.mouse.click)(*point)
            self.clicks += 1

    def in_view(self, controls):
        """Return one of the visible controls, or None."""
        found = [element for element in controls.element_handles() if element.is_visible()]
        return self._chance.choice(found) if found else None

    def offered(self):
        """Return the control to press next: an open question, cards to play, what else can be done, the end."""
        page, bar = self.page, self.page.get_by_role("group", name="actions")
        button = page.get_by_role("button")
        menu = page.get_by_role("dialog").filter(has_not=button.filter(has_text="Rematch"))
        framed = button.and_(page.locator(".can, [data-moves]:not([data-moves=''])"))
        for controls in (
            menu.get_by_role("button").filter(has_not_text=re.compile("^(Cancel|Close)$")),
            page.get_by_role("alertdialog").get_by_role("button", name=re.compile("End anyway")),
            bar.get_by_role("button", name=re.compile("Play all")),
            page.get_by_role("group", name=re.compile("hand")).get_by_role("button").and_(framed),
            bar.get_by_role("button", name=re.compile("Attack .* with all")),
            framed,
            bar.get_by_role("button").and_(page.locator(".move")).filter(has_not_text=re.compile("End (turn|phase)")),
            bar.get_by_role("button", name=re.compile("End (turn|phase)")),
        ):
            if control := self.in_view(controls):
                return control
        return None


def at_the_end(page):
    return page.get_by_role("button", name="Rematch").is_visible()


def waits(page):
    """Return True while others decide, or the page is not there yet."""
    state = page.locator("#state")
    return not state.count() or state.inner_text().startswith(("Waiting", "connecting"))


def decide(newcomer):
    """Press something, and wait until the page shows an effect."""
    page = newcomer.page
    before, end = page.evaluate(SHOWN), time.monotonic() + 2
    if control := newcomer.offered():
        newcomer.press_now(control)
    while page.evaluate(SHOWN) == before and time.monotonic() < end:
        page.wait_for_timeout(5)


def at_my_turn(page):
    """Wait until there is something to decide; return False once the game is over."""
    end = time.monotonic() + PATIENCE
    while waits(page) and not at_the_end(page):
        assert time.monotonic() < end, page.locator("#state").inner_text()
        page.wait_for_timeout(10)
    return not at_the_end(page)


def visit(page, address, game, strength, touch, pace=None):
    """Visit a server for the first time, play a game to its end, and begin a rematch.

    Args:
        page: An empty page.
        address: The home page.
        game: The title of the game.
        strength: The strength of its opponents, such as "Easy".
        touch: True if the visitor taps.
        pace: The pace to choose at the table, such as "at once"; None leaves it.
    """
    newcomer, began = Newcomer(page, touch), time.perf_counter()
    page.goto(address)
    page.get_by_role("heading", name="Watch two agents").wait_for()  # the page is complete
    newcomer.press(page.get_by_role("navigation", name="games").get_by_role("link", name=re.compile(f"^{game}")))
    newcomer.press(page.get_by_role("group", name="How strong are the others?").get_by_text(strength, exact=True))
    newcomer.press(page.get_by_role("button", name="Play", exact=True).and_(page.locator(":enabled")))
    page.wait_for_url("**/games/**", timeout=1_000 * PATIENCE)
    at_my_turn(page)
    first = newcomer.clicks, time.perf_counter() - began
    if pace:
        choose_pace(newcomer, pace)
    for _ in range(MOST):
        if not at_my_turn(page):
            break
        decide(newcomer)
    else:
        raise AssertionError(f"{game}: no end after {newcomer.clicks} clicks")
    ended = newcomer.clicks, time.perf_counter() - began
    ending = page.get_by_role("dialog").get_by_role("heading", level=2).inner_text()
    table = page.url
    newcomer.press(page.get_by_role("button", name="Rematch"))
    page.wait_for_url(lambda url: "/games/" in url and url != table, timeout=1_000 * PATIENCE)
    assert at_my_turn(page), "the rematch is over before it has begun"
    return Visit(*first, *ended, ending)


def choose_pace(newcomer, pace):
    """Choose a pace among the tools, which a phone keeps in a drawer."""
    page = newcomer.page
    drawer = page.get_by_role("button", name="Log, tools")
    if drawer.is_visible():
        newcomer.press(drawer)
    page.get_by_role("combobox", name="Pace").select_option(label=pace)
    if (shut := page.get_by_role("button", name="Close", exact=True)).is_visible():
        newcomer.press(shut)


def main(address):
    """Make the visits, and print a line for each."""
    with launched() as browser:
        for game, strength, size in VISITS:
            width, height = SIZES[size]
            phone = size == "phone"
            viewport = {"width": width, "height": height}
            context = browser.new_context(viewport=viewport, has_touch=phone, is_mobile=phone)
            made = visit(context.new_page(), address, game, strength, phone)
            print(
                f"{game} ({strength}), {size}: first decision after {made.first_clicks} clicks and"
                f" {made.first_seconds:.1f} s, end after {made.clicks} clicks and {made.seconds:.1f} s: {made.ending}",
                flush=True,
            )
            context.close()


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
