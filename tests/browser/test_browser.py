"""All pages in a real browser: wrong links, broken files, accessibility, width."""

import pytest
from measures import LOOKS, faults
from playing import RESTARTING, SIZES, begin, host, until, window

from stardeck.benchmarks.advantage.measure import advantage


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


@pytest.mark.parametrize(("size", "dark"), LOOKS)
def test_every_page_fits_its_window_and_axe_finds_no_fault(open_page, places, size, dark):
    page = open_page(**window(size, dark), forgive=RESTARTING)
    for place in places(page):
        page.goto(place)
        page.wait_for_timeout(400)
        assert not faults(page), place
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0], place


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_all_that_the_list_of_results_says_lies_in_view(open_page, places, size):
    page = open_page("/results", width=size[0], height=size[1])
    cells = page.locator(".found td:not(:empty)")
    texts = cells.all_inner_texts()
    assert {"match", "first-player advantage", "interstellar_empire/2", "rules, simple"} <= set(texts)
    for box in (cell.bounding_box() for cell in cells.all()):
        assert 0 <= box["x"] and box["x"] + box["width"] <= size[0]
