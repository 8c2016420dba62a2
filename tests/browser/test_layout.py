"""The page of a seat measured in a real browser: every kind of table fits its window, and nothing is too small."""

import random

import pytest
from measures import CODES, CUT, FLAT, SMALL, faults
from playing import OVER, SIZES, begin, decide, host, moves, my_turn, ready, seated, until, window

GAMES = ["star_realms", "interstellar_empire", "empire_of_the_stars"]
VARIANTS = {
    "three opponents": ("star_realms", {"format": "free_for_all", "players": 4}, 4),
    "six players": ("star_realms", {"format": "free_for_all", "players": 6}, 6),
    "teams": ("star_realms", {"format": "two_headed_hydra", "players": 4}, 4),
    "boss": ("star_realms", {"format": "nemesis_beast"}, 1),
    "campaign": ("star_realms", {"set": "rise_of_empire", "scenario": 3}, 2),
    "three galaxies": ("empire_of_the_stars", {"players": 3}, 3),
    "four empires": ("interstellar_empire", {"players": 4}, 4),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_kind_of_table_fits_its_window(open_page, variant, size):
    game, settings, players = VARIANTS[variant]
    seats = ["person"] + ["rules"] * (players - 1)
    page, _ = seated(open_page, game=game, settings=settings, seed=5, seats=seats, page=window(size))
    chance = random.Random(2)
    for _ in range(12):
        if not my_turn(page):
            break
        assert page.evaluate(CUT) and not page.evaluate(SMALL) and not page.evaluate(FLAT) and not page.evaluate(CODES)
        decide(page, chance.choice(moves(page))[0])
    for button in page.locator(".fold:visible").all()[:1]:
        button.click()
        assert page.locator(".opponent.opened .zone").first.is_visible()
    assert not faults(page)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_between_agents_fits_its_window(open_page, game, size):
    page = open_page(**window(size))
    begun = begin(page, game=game, settings={}, seats=["rules", "rules"])
    page.goto(f"{host(page)}{begun['watch']}")
    ready(page)
    page.evaluate("table.say({pace: 0})")
    until(page, f"table.page.sight.number > 40 || {OVER}")
    page.evaluate("table.say({paused: true})")
    assert page.evaluate(CUT) and not page.evaluate(SMALL)
    for tab in page.locator(".board-tabs button:visible").all():
        tab.click()
        middle = page.locator(".middle").bounding_box()["height"]
        assert middle > 0.6 * page.locator(".board").bounding_box()["height"]


def test_all_grows_with_the_window(open_page):
    page, _ = seated(open_page, page=window("desktop"))
    assert my_turn(page)
    parts = [".own .card", "#state", ".log", ".pool", "#side"]
    measured = f"""{parts}.map((where) => document.querySelector(where)).map((one) =>
        [parseFloat(getComputedStyle(one).fontSize), one.getBoundingClientRect().width])"""
    before = page.evaluate(measured)
    for width, height in (1920, 1080), (2560, 1440):
        page.set_viewport_size({"width": width, "height": height})
        after = page.evaluate(measured)
        for (text, wide), (larger, wider) in zip(before, after, strict=True):
            assert larger >= 1.15 * text and wider >= 1.15 * wide
        before = after


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_every_control_can_be_clicked_after_an_error(open_page, game, size):
    width, height = SIZES[size]
    page, _ = seated(open_page, game=game, settings={}, page={"width": width, "height": height})
    assert my_turn(page)
    if size == "phone":
        page.click(".drawer-button")
    page.fill("#words", "fly to the moon, and come back with " + "a very long list of wares, " * 6)
    page.press("#words", "Enter")
    page.wait_for_selector("#error:visible")
    page.click("#side .tabs button:last-child")
    for control in "#moves .move", "#words", "#hint", "#adviser", "#back", "#resign", "#pause", "#pace", "#sound":
        page.locator(control).first.click(trial=True, timeout=3_000)  # fails if something covers it
    page.click("#side .tabs button:first-child")
    page.locator("#log").click(trial=True, timeout=3_000)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_all_moves_lie_below_each_other_and_fill_their_width(open_page):
    page, _ = seated(open_page, page={"width": 1280, "height": 800})
    assert my_turn(page)
    page.keyboard.press("m")
    wide = page.locator("#moves").bounding_box()["width"]
    boxes = [button.bounding_box() for button in page.locator("#moves .move").all()]
    assert len(boxes) > 1 and all(box["width"] > 0.9 * wide for box in boxes)
    assert all(upper["y"] + upper["height"] < lower["y"] for upper, lower in zip(boxes, boxes[1:], strict=False))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_middle_without_cards_leaves_its_room_to_the_players(open_page, players, size):
    seats = ["person"] + ["rules"] * (players - 1)
    settings = {"players": players}
    page, _ = seated(open_page, page=window(size), game="interstellar_empire", settings=settings, seats=seats)
    middle, own = (page.locator(f".{area}").first.bounding_box()["height"] for area in ("middle", "own"))
    assert middle < 60 < 5 * middle < own
