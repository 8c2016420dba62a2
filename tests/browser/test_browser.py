"""The table in a real browser: whole games by mouse and keys, shared games, restarts, replays, all pages."""

import random
import time

import pytest
from axe_playwright_python.sync_playwright import Axe

from stardeck.benchmarks.advantage.measure import advantage

GAMES = [
    ("star_realms", {"authority": [12, 12]}),
    ("star_realms", {"set": "rise_of_empire", "scenario": 1}),
    ("interstellar_empire", {}),
    ("empire_of_the_stars", {"max_turns": 12, "at_limit": "score"}),
]
QUICK = {"game": "star_realms", "settings": {"authority": [12, 12]}, "seats": ["person", "rules"]}
RESTARTING = "WebSocket connection to", "Failed to load resource"


def host(page):
    return "/".join(page.url.split("/")[:3])


def begin(page, **new):
    """Begin a game and return the page of the first seat."""
    answer = page.request.post(
        "/api/games".join(("http://" + page.url.split("/")[2], "")), data=QUICK | new, timeout=300_000
    )
    assert answer.ok, answer.text()
    return answer.json()


def until(page, holds, seconds=60):
    """Wait until an expression holds in the page; the pages' policy forbids Playwright's own way of waiting."""
    end = time.monotonic() + seconds
    while not page.evaluate(f"Boolean({holds})"):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(5)


def seated(open_page, seat=0, **new):
    page = open_page(**new.pop("page", {}))
    begun = begin(page, **new)
    page.goto(f"{host(page)}{begun['seats'][seat]['page']}")
    ready(page)
    page.evaluate("say({pace: 0})")
    return page, begun


def ready(page):
    page.wait_for_selector("#picture svg")
    until(page, "now && (now.over || now.moves)")


def number(page):
    return page.evaluate("now.number")


def my_turn(page):
    """Wait until this seat decides; return False if the game is over."""
    until(page, "now.over || now.to_act === Number(seat)")
    return not page.evaluate("Boolean(now.over)")


MIDDLE = """(where) => {  // of a place, in view; at one go, for the picture may be drawn anew at any moment
    const found = document.querySelector(where);
    if (!found) return null;
    found.scrollIntoView({ block: "center", inline: "center" });
    const box = found.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def click_a_move(page, chance):
    """Make a move by a click on the table, or on its button."""
    before = number(page)
    moves = page.evaluate("now.moves.map((move) => [move.action, move.words])")
    action, words = chance.choice(moves)
    place = page.evaluate(MIDDLE, f'#picture [data-moves~="{action}"]')
    if place:
        page.mouse.click(*place)
        if page.locator("#menu").is_visible():  # of the topmost element there
            page.locator("#menu .move").first.click()
    else:
        page.locator("#moves .move", has_text=words).first.click()
    until(page, f"now.number !== {before}")


@pytest.mark.parametrize(("game", "settings"), GAMES)
def test_a_whole_game_is_played_by_clicking(open_page, game, settings):
    page, _ = seated(open_page, game=game, settings=settings)
    chance = random.Random(1)
    while my_turn(page):
        click_a_move(page, chance)
    assert "The game is over" in page.inner_text("#state") and page.locator("#look-back").is_visible()
    assert page.locator("#log p").count() == number(page)


def test_a_click_is_not_lost_when_the_table_is_told_again_meanwhile(open_page):
    page, _ = seated(open_page, game="interstellar_empire", settings={})
    for place in "#moves .move", "#picture .can":
        assert my_turn(page)
        before = number(page)
        page.mouse.move(*page.evaluate(MIDDLE, place))
        page.mouse.down()
        page.evaluate("told = now; say({pace: 0})")
        until(page, "now !== told")
        page.mouse.up()
        if page.locator("#menu").is_visible():
            page.locator("#menu .move").first.click()
        until(page, f"now.number !== {before}", seconds=5)


def test_a_whole_game_is_played_by_keys_alone(open_page):
    page = open_page()
    page.wait_for_selector("#seats input")
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.value") != "star_realms":
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    while page.evaluate("document.activeElement.value") != "interstellar_empire":
        page.keyboard.press("ArrowDown")
    until(page, "document.getElementById('variant').textContent === 'interstellar_empire/2'")
    while page.evaluate("document.activeElement.textContent") != "Begin":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/**")
    ready(page)
    page.evaluate("say({pace: 0})")
    while my_turn(page):
        before = number(page)
        page.keyboard.press(str(min(9, page.evaluate("now.moves.length"))))
        until(page, f"now.number !== {before}")
    assert "The game is over" in page.inner_text("#state")


def test_two_browsers_play_against_each_other(open_page):
    first = open_page()
    first.wait_for_selector("#seats input")
    first.locator("#seats input").nth(1).fill("person")
    first.click("summary")
    first.fill("#settings [name=authority]", "9,9")
    first.press("#settings [name=authority]", "Tab")
    first.click("button.main")
    first.wait_for_selector("#links a")
    links = first.locator("#links a").evaluate_all("links => links.map((link) => link.href)")
    assert len(links) == 2
    second = open_page()
    chance = random.Random(2)
    pages = [first, second]
    for page, link in zip(pages, links, strict=True):
        page.goto(link)
        ready(page)
    while not pages[0].evaluate("Boolean(now.over)"):
        seat = pages[0].evaluate("now.to_act")
        assert my_turn(pages[seat])
        click_a_move(pages[seat], chance)
        for page in pages:
            until(page, f"now.number >= {number(pages[seat])}")
    assert pages[1].evaluate("Boolean(now.over)")
    assert pages[0].inner_text("#log") != pages[1].inner_text("#log"), "each knows its own cards"


def test_a_game_outlives_a_reload_and_a_restart_of_the_server(open_page, server):
    page, _ = seated(open_page, page={"forgive": RESTARTING}, seed=7)  # a game of more than five moves
    chance = random.Random(3)
    for _ in range(5):
        assert my_turn(page)
        click_a_move(page, chance)
    assert my_turn(page)
    before = number(page)
    page.reload()
    ready(page)
    assert number(page) == before
    server.stop()
    until(page, "document.getElementById('state').textContent.startsWith('not connected')")
    server.start()
    until(page, "!document.getElementById('state').textContent.startsWith('not connected')")
    assert number(page) == before
    page.evaluate("say({pace: 0})")
    while my_turn(page):
        click_a_move(page, chance)


def test_amounts_hints_taking_back_and_giving_up(open_page):
    page, _ = seated(open_page, seed=32, settings={})  # two Vipers in the first hand
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#hint")
    until(page, "document.getElementById('state').textContent.startsWith('rules would')")
    before = number(page)
    page.keyboard.press("1")
    until(page, f"now.number !== {before}")
    page.keyboard.press("b")
    until(page, f"now.number === {before}")
    while my_turn(page) and not page.locator(".part input").count():
        before = number(page)
        words = page.locator("#moves .move").all_inner_texts()
        page.locator("#moves .move").nth(max(range(len(words)), key=lambda k: "play " in words[k])).click()
        until(page, f"now.number !== {before}")
    assert page.locator(".part input").count(), page.inner_text("#log")
    page.locator(".part input").first.fill("1")
    page.locator(".part button").first.click()
    until(page, "now.pools['player_0/combat'] === 1 && now.pools['player_1/authority'] === 49")
    page.click("#resign")
    until(page, "Boolean(now.over)")


def test_agents_are_watched(open_page):
    page = open_page()
    begun = begin(page, seats=["rules", "simple"])
    page.goto(f"{host(page)}{begun['watch']}")
    ready(page)
    page.click("#pause")
    page.wait_for_selector("#step:visible")
    before = number(page)
    page.click("#step")
    until(page, f"now.number > {before}")
    page.click("#pause")
    page.evaluate("say({pace: 0})")
    until(page, "Boolean(now.over)")


SIZES = {"desktop": (1280, 800), "phone": (390, 844)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["star_realms", "interstellar_empire", "empire_of_the_stars"])
def test_every_control_can_be_clicked_after_an_error(open_page, game, size):
    width, height = SIZES[size]
    page, _ = seated(open_page, game=game, settings={}, page={"width": width, "height": height})
    assert my_turn(page)
    page.fill("#words", "fly to the moon, and come back with " + "a very long list of wares, " * 6)
    page.press("#words", "Enter")
    page.wait_for_selector("#error:visible")
    for control in "#moves .move", "#words", "#hint", "#adviser", "#back", "#resign", "#pause", "#pace", "#log":
        page.locator(control).first.click(trial=True, timeout=3_000)  # fails if something covers it
    boxes = [page.locator(part).bounding_box() for part in ("#error", "#asked", "aside section:last-child")]
    for upper, lower in zip(boxes, boxes[1:], strict=False):
        assert upper["y"] + upper["height"] <= lower["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_moves_of_a_table_lie_below_each_other_and_fill_their_width(open_page):
    page, _ = seated(open_page, page={"width": 1280, "height": 800})
    assert my_turn(page)
    wide = page.locator("#moves").bounding_box()["width"]
    boxes = [button.bounding_box() for button in page.locator("#moves .move").all()]
    assert len(boxes) > 1 and all(box["width"] > 0.9 * wide for box in boxes)
    assert all(upper["y"] + upper["height"] < lower["y"] for upper, lower in zip(boxes, boxes[1:], strict=False))


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/games/none/0", "There is no such game."),
        ("/games/none/0#" + "x" * 101, "String should have at most 100 characters"),
        ("/games/none/watch", "There is no such game."),
        ("/replays/none", "There is no such game."),
        ("/replays/OWN", "There is no such replay."),
        ("/games/OWN/0#wrong", "The token is not this seat's."),
        ("/games/OWN/7", "There is no such seat."),
        ("/games/OWN/watch", "Persons play this game"),
    ],
)
def test_a_wrong_link_says_what_is_wrong_and_where_to_go(open_page, path, why):
    page = open_page()
    begun = begin(page, seats=["person", "person"])
    page.goto(host(page) + path.replace("OWN", begun["id"]))
    page.wait_for_selector("main.page [role=alert]")
    assert why in page.inner_text("main.page [role=alert]") and "cannot be opened" in page.inner_text("h1:visible")
    assert not page.locator("#stage").is_visible()
    page.keyboard.press("p")  # no effect, and no message
    page.click("main.page a")
    page.wait_for_url("**/replays" if path.startswith("/replays") else "**/")


def test_an_address_that_is_no_seat_is_a_page_for_people(open_page):
    page = open_page("/games/none/first", forgive=("422",))
    assert "seat" in page.inner_text("[role=alert]") and page.locator("main a").count() == 1


def test_a_broken_file_is_refused_in_one_line(open_page, tmp_path):
    (tmp_path / "broken.jsonl").write_bytes(b"\xff\x00{[" * 50)
    page = open_page("/replays", forgive=("400 (Bad Request)",))
    page.set_input_files("#file", tmp_path / "broken.jsonl")
    until(page, "document.getElementById('text').value.length > 0")
    page.click("button.main")
    page.wait_for_selector("#error:visible")
    assert "neither a recorded game nor YAML" in page.inner_text("#error")
    assert page.url.endswith("/replays")


@pytest.fixture(scope="module")
def places(server):
    """Return a page of every kind."""
    advantage("interstellar_empire", ["rules", "simple"], games=20, out=server._folder / "match")

    def of(page):
        begun = begin(page, game="empire_of_the_stars", settings={})
        players = "{player_0: {authority: 50, hand: [Scout]}, player_1: {authority: 50, deck: [Viper]}}"
        brought = f"game: star_realms\nposition: {{turn: player_0, trade_deck: [Ram x9], players: {players}}}"
        kept = page.request.post(f"{host(page)}/api/replays", data={"text": brought}).json()
        paths = "/", "/replays", "/results", "/results/match", kept["page"], begun["seats"][0]["page"], "/games/none/0"
        return [host(page) + path for path in paths]

    return of


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_fault(open_page, places, dark):
    page = open_page(dark=dark, forgive=RESTARTING)
    for place in places(page):
        page.goto(place)
        page.wait_for_timeout(400)
        found = Axe().run(page).response["violations"]
        serious = [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in found
                   if fault["impact"] in ("serious", "critical")]  # fmt: skip
        assert not serious, place


def test_nothing_is_wider_than_a_phone(open_page, places):
    page = open_page(width=390, height=844, forgive=RESTARTING)
    for place in places(page):
        page.goto(place)
        page.wait_for_timeout(400)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, place


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_all_that_the_list_of_results_says_lies_in_view(open_page, places, size):
    page = open_page("/results", width=size[0], height=size[1])
    cells = page.locator(".found td:not(:empty)")
    texts = cells.all_inner_texts()
    assert {"match", "first-player advantage", "interstellar_empire/2", "rules, simple"} <= set(texts)
    for box in (cell.bounding_box() for cell in cells.all()):
        assert 0 <= box["x"] and box["x"] + box["width"] <= size[0]
