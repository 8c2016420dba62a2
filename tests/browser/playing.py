"""Playing at the page of a seat: beginning a game, waiting for it, and deciding by clicks, taps or keys."""

import time

from axe_playwright_python.sync_playwright import Axe

QUICK = {"game": "star_realms", "settings": {"authority": [12, 12]}, "seats": ["person", "rules"]}
RESTARTING = "WebSocket connection to", "Failed to load resource"
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
OVER = "table.page.sight.table.over"


def host(page):
    return "/".join(page.url.split("/")[:3])


def begin(page, **new):
    """Begin a game and return the server's answer."""
    answer = page.request.post(f"{host(page)}/api/games", data=QUICK | new, timeout=300_000)
    assert answer.ok, answer.text()
    return answer.json()


def until(page, holds, seconds=60):
    """Wait until an expression holds in the page; the pages' policy forbids Playwright's own way of waiting."""
    end = time.monotonic() + seconds
    while not page.evaluate(f"Boolean({holds})"):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(5)


def seated(open_page, seat=0, **new):
    """Begin a game whose agents decide at once, and open the page of a seat."""
    page = open_page(**new.pop("page", {}))
    begun = begin(page, **new)
    page.goto(f"{host(page)}{begun['seats'][seat]['page']}")
    ready(page)
    page.evaluate("table.say({pace: 0})")
    return page, begun


def ready(page):
    page.wait_for_selector(".board")
    until(page, "globalThis.table && table.page.sight")


def window(size, dark=False):
    """Return the arguments of `open_page` for a size of `SIZES`."""
    width, height = SIZES[size]
    return {"width": width, "height": height, "dark": dark, "touch": size == "phone"}


def number(page):
    return page.evaluate("table.page.sight.number")


def my_turn(page):
    """Wait until this seat decides; return False if the game is over."""
    until(page, f"{OVER} || table.page.sight.table.to_act === table.seat")
    return not page.evaluate(f"Boolean({OVER})")


def moves(page):
    """Return the legal moves as [action, words]."""
    return page.evaluate("table.page.sight.table.moves.map((move) => [move.action, move.words])")


SETTLED = "document.getAnimations().every((each) => each.playState !== 'running')"


def axe(page, **options):
    """Return the faults that axe finds once nothing moves: the contrast of what fades is not that of the page."""
    until(page, SETTLED)
    return Axe().run(page, **options).response["violations"]


def decide(page, action):
    """Decide without the mouse, and wait for the answer."""
    before = number(page)
    page.evaluate(f"table.act({{action: {action}}})")
    until(page, f"table.page.sight.number !== {before}")


MIDDLE = """(where) => {  // of a place, in view; at one go, for the table may be drawn anew at any moment
    const all = where instanceof Element ? [where] : [...document.querySelectorAll(where)];
    const found = all.find((one) => one.checkVisibility());
    if (!found) return null;
    found.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = found.getBoundingClientRect();
    for (const part of [0.5, 0.12, 0.88])
        for (const point of [[box.x + box.width * part, box.y + box.height / 2], [box.x + box.width * part, box.y + 8]])
            if (found.contains(document.elementFromPoint(...point))) return point;
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def press(page, where, touch=False):
    """Click or tap the first visible element; return False if there is none."""
    point = page.evaluate(MIDDLE, where)
    if point:
        (page.touchscreen.tap if touch else page.mouse.click)(*point)
    return bool(point)


def click_a_move(page, chance, touch=False):
    """Make a move by clicks or taps on the table, on the action bar, or in the menus that they open."""
    before = number(page)
    action, _ = chance.choice(moves(page))
    for tab in ("", *page.locator(".board-tabs button:visible").all_inner_texts()):
        if tab:
            page.locator(".board-tabs button", has_text=tab).click()
        if page.evaluate(MIDDLE, f'.board [data-moves~="{action}"], .actions [data-action="{action}"]'):
            break
    found = press(page, f'.board [data-moves~="{action}"], .actions [data-action="{action}"]', touch)
    if not found:  # what has no place of its own, such as a part of an amount
        press(page, ".board [data-moves]:not([data-moves='']), .actions .move", touch)
    for _ in range(3):
        page.wait_for_timeout(1)
        if number(page) != before:
            return
        if page.locator("#keep-playing").is_visible():
            press(page, "#end-turn", touch)
        elif not press(page, f'#menu [data-action="{action}"]', touch):
            press(page, "#menu .move", touch)
        try:
            until(page, f"table.page.sight.number !== {before}", seconds=2)
        except AssertionError:
            continue
        return
    until(page, f"table.page.sight.number !== {before}", seconds=5)
