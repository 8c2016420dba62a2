"""The home page in a real browser: tiles, set-up, links for friends, games to continue, and the end of a game."""

import time

import pytest
from measures import LOOKS
from playing import SIZES, axe

GAMES = ["star_realms", "rise_of_empire", "interstellar_empire", "empire_of_the_stars"]
A_GAME_THAT_IS_GONE = """localStorage.setItem("games", JSON.stringify([
    { id: "none", seat: 0, token: "x", game: "star_realms", last: 1 },
]))"""
AT_THE_TABLE = "globalThis.table && table.page.sight"


def until(page, holds, seconds=60):
    """Wait until an expression holds in the page; the pages' policy forbids Playwright's own way of waiting."""
    end = time.monotonic() + seconds
    while not page.evaluate(f"Boolean({holds})"):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(20)


def open_setup(page, name):
    page.click(f".tile[data-game={name}]")
    page.wait_for_selector("#play:not([disabled])")


def play(page):
    page.click("#play:not([disabled])")
    page.wait_for_url("**/games/**", timeout=300_000)
    until(page, AT_THE_TABLE, seconds=300)


@pytest.mark.parametrize("game", GAMES)
def test_two_clicks_lead_from_the_home_page_to_a_game(open_page, game):
    page = open_page()
    pictures = page.locator(".tile img").evaluate_all(
        "images => Promise.all(images.map(image => image.decode().then(() => true)))"
    )
    assert pictures == [True] * (len(GAMES) + 1), "the server also knows a game of a user's own"
    open_setup(page, game)
    play(page)
    assert page.evaluate("table.page.sight.seats[0].kind") == "person"


def test_the_agent_behind_each_strength_is_named_and_plays(open_page):
    page = open_page()
    open_setup(page, "star_realms")
    named = page.locator("input[name=strength] ~ small").all_inner_texts()
    assert named == ["simple", "rules", "expert", "search:400:prior=expert"]
    page.check("input[name=strength][value=hard]", force=True)
    play(page)
    assert page.evaluate("table.page.sight.players")[1].startswith("expert")
    assert page.inner_text(".opponent .strength") == "hard"


def test_what_is_typed_stays_while_the_page_is_drawn_again(open_page):
    """Regression: the answer to a changed setting undid what was being typed into another field."""
    page = open_page()
    open_setup(page, "star_realms")
    page.click("#advanced summary")
    page.wait_for_selector("#setting-max_turns")
    held = []
    page.route("**/api/choices?*", lambda route: held.append(route))
    page.fill("#setting-max_turns", "90")
    page.press("#setting-max_turns", "Tab")
    page.type("#setting-authority", "40, 4")
    for route in held:
        route.continue_()
    page.wait_for_load_state("networkidle")
    page.type("#setting-authority", "5")
    assert held and page.input_value("#setting-authority") == "40, 45"
    assert page.input_value("#setting-max_turns") == "90"


def test_formats_allow_only_what_they_take(open_page):
    page = open_page()
    open_setup(page, "star_realms")
    assert not page.locator("input[name=players]").count(), "a duel has no choice"
    page.click("text=Hunter: first blood")
    until(page, "document.querySelectorAll('input[name=players]').length === 4")
    page.check("input[name=players][value='6']", force=True)
    until(page, "document.querySelectorAll('#seats select').length === 5")
    page.click("text=Two-Headed Hydra")
    until(page, "document.querySelectorAll('#seats select').length === 3")
    labels = page.locator("#seats label").all_inner_texts()
    assert labels[0].startswith("Partner") and all(label.startswith("Opponent") for label in labels[1:])
    page.click("text=Nemesis Beast")
    until(page, "document.getElementById('option')")
    assert page.locator("#option option").all_inner_texts() == ["veteran", "beginner", "intermediate", "expert"]
    page.goto(page.url.replace("#star_realms", "#rise_of_empire"))
    until(page, "document.getElementById('setup-title').textContent === 'Rise of Empire'")
    page.select_option("#option", "7")
    until(page, "document.getElementById('variant').textContent.endsWith('scenario=7')")


def test_settings_have_labels_in_words_and_values_that_fit(open_page):
    page = open_page(forgive=["Failed to load resource"])
    open_setup(page, "star_realms")
    page.click("#advanced summary")
    page.wait_for_selector("#settings select")
    labels = page.locator("#settings label").all_inner_texts()
    assert "Cards in the first hand, by seat" in labels and not any("_" in label for label in labels)
    assert "Difficulty of the Boss" not in labels, "a duel has no Boss"
    page.fill("[name=authority]", "9,9,9")
    page.press("[name=authority]", "Tab")
    until(page, "document.getElementById('setup-error').textContent.includes('must name 2 scores')")
    page.fill("[name=authority]", "9, 8")
    page.press("[name=authority]", "Tab")
    until(page, "document.getElementById('setup-error').hidden")
    page.select_option("#seat-1", "own")
    page.fill(".agent", "cheap-combat")
    play(page)
    assert page.evaluate("table.page.sight.players")[1] == "cheap-combat"
    amounts = page.evaluate(
        "table.page.sight.table.players.map((player) => player.pools.find((pool) => pool.name === 'authority').amount)"
    )
    assert amounts == [9, 8]


def test_a_friend_gets_a_link_to_copy_and_to_share(open_page):
    page = open_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.share = (what) => Promise.resolve((globalThis.shared = what))")
    open_setup(page, "star_realms")
    page.select_option("#seat-1", "person")
    page.click("#play")
    page.wait_for_selector("#links", timeout=300_000)
    assert not axe(page)
    link, watch = (page.locator("#links input").nth(place).input_value() for place in (0, 1))
    page.click("#links button:has-text('Copy')")
    until(page, "document.querySelector('#links button').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.click("#links button:has-text('Share')")
    assert page.evaluate("shared.url") == link
    page.click("#links .go")
    until(page, AT_THE_TABLE)
    friend = open_page()
    friend.goto(link)
    until(friend, AT_THE_TABLE)
    spectator = open_page()
    spectator.goto(watch)
    until(spectator, AT_THE_TABLE)
    seats = [each.evaluate("table.page.sight.table.seat") for each in (page, friend, spectator)]
    assert seats == [0, 1, None]


def test_a_game_goes_on_after_its_tab_was_closed(open_page):
    page = open_page()
    open_setup(page, "interstellar_empire")
    play(page)
    address = page.url
    again = page.context.new_page()
    page.close()
    again.goto("/".join(address.split("/")[:3]))
    again.wait_for_selector(".kept a:has-text('Continue')")
    assert "Interstellar Empire" in again.inner_text(".kept") and "simple" in again.inner_text(".kept")
    again.click(".kept a:has-text('Continue')")
    until(again, AT_THE_TABLE)
    assert again.url == address
    again.go_back()
    again.wait_for_selector(".kept")
    again.click(".kept .remove")
    until(again, "!document.querySelector('.kept')")


def test_a_game_that_is_gone_says_so(open_page):
    page = open_page()
    page.evaluate(A_GAME_THAT_IS_GONE)
    page.reload()
    page.wait_for_selector(".kept.gone")
    assert "No longer on this server" in page.inner_text(".kept") and not page.locator(".kept a").count()


def test_two_agents_are_watched_and_the_link_is_for_spectators(open_page):
    page = open_page()
    page.click(".researchers a:has-text('Interstellar Empire')")
    page.wait_for_selector("#play:not([disabled])")
    assert page.locator("#seats select").count() == 2
    play(page)
    assert page.evaluate("table.page.sight.table.seat") is None
    page.go_back()
    page.wait_for_url("**/#watch*")
    page.click("text=All games")
    page.wait_for_selector(".kept button:has-text('Copy link for spectators')")


def test_a_game_begins_by_keys_alone(open_page):
    page = open_page()
    page.wait_for_selector(".tile[data-game]")
    for wanted in (
        "document.activeElement.dataset.game === 'interstellar_empire'",
        "document.activeElement.id === 'play'",
    ):
        for _ in range(60):
            if page.evaluate(wanted):
                break
            page.keyboard.press("Tab")
        assert page.evaluate(wanted)
        page.keyboard.press("Enter")
        if "dataset" in wanted:
            page.wait_for_selector("#play:not([disabled])")
            assert page.evaluate("document.activeElement.id") == "setup-title"
    page.wait_for_url("**/games/**", timeout=300_000)


@pytest.mark.parametrize(("size", "dark"), LOOKS)
def test_the_home_page_is_accessible_and_fits_its_window(open_page, size, dark):
    width, height = SIZES[size]
    page = open_page(width=width, height=height, dark=dark)
    page.evaluate(A_GAME_THAT_IS_GONE)
    page.reload()
    page.wait_for_selector(".kept.gone")
    for step in "", *GAMES, "watch:star_realms", "advanced":
        if step == "advanced":
            page.click("#advanced summary")
            page.wait_for_selector("#settings select")
        elif step:
            page.evaluate(f"location.hash = '{step}'")
            page.wait_for_selector("#play:not([disabled])")
        found = axe(page)
        assert not [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in found], step
        assert page.evaluate("document.documentElement.scrollWidth") <= width, step
        assert smallest_text(page) >= 12, step
        if step:
            box = page.locator("#play").bounding_box()
            assert 0 <= box["y"] and box["y"] + box["height"] <= height, "the button is always in view"


SMALLEST = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let least = Infinity;
    while (walk.nextNode()) {
        const { parentElement, data } = walk.currentNode;
        const size = parseFloat(getComputedStyle(parentElement).fontSize);
        if (data.trim() && parentElement.checkVisibility()) least = Math.min(least, size);
    }
    return least;
}"""


def smallest_text(page):
    """Return the size of the smallest text that is shown, in pixels."""
    return page.evaluate(SMALLEST)


# The end of a game


def finish(page):
    """Play to the end: always the last legal move, which attacks and buys before it ends a turn."""
    page.evaluate("table.say({ pace: 0 })")
    for _ in range(500):
        until(page, "table.page.sight.table.over || table.page.sight.table.to_act === 0")
        if page.evaluate("Boolean(table.page.sight.table.over)"):
            return
        number = page.evaluate("table.page.sight.number")
        page.evaluate("table.act({ action: table.page.sight.table.moves.at(-1).action })")
        until(page, f"table.page.sight.number !== {number}")
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("size", SIZES)
def test_the_end_says_who_won_and_offers_what_comes_next(open_page, size):
    width, height = SIZES[size]
    page = open_page(width=width, height=height)
    host = "/".join(page.url.split("/")[:3])
    body = {"game": "star_realms", "settings": {"authority": [4, 4]}, "seats": ["person", "simple"], "seed": 3}
    begun = page.request.post(f"{host}/api/games", data=body, timeout=300_000).json()
    page.goto(host + begun["seats"][0]["page"])
    until(page, AT_THE_TABLE)
    finish(page)
    page.wait_for_selector(".ending")
    won = page.evaluate("table.page.sight.table.over.winners[0] === 0")
    assert page.inner_text("#ending-title") == ("You won" if won else "Simple won")
    buttons = page.locator(".ending .buttons > *").all_inner_texts()
    assert buttons == ["Rematch", "Swap seats", "Analyse", "Save record", "New game", "Look at the table"]
    for tool in "#hint", "#resign", "#pause":
        assert not page.locator(tool).count()
    box = page.locator(".ending").bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    until(page, "!/analys/i.test(document.querySelector('.mistakes').innerText)", 120)
    assert page.locator(".ending").bounding_box() == box, "what is found needs no more room"
    links = page.locator(".mistakes a").evaluate_all("(all) => all.map((link) => link.pathname)")
    assert links or "No decision lost" in page.inner_text(".mistakes")
    page.click("text=chance of winning")
    assert page.locator(".course path.side").count() == 2, "a line and its key"
    assert page.locator(".course svg[role=img]").get_attribute("aria-label").startswith("chance of winning by decision")
    assert not axe(page, context=".ending")
    with page.expect_download() as download:
        page.click("#fetch")
    assert download.value.suggested_filename.endswith(".jsonl")
    page.click("text=Look at the table")
    page.click(".reopen")
    page.click("#look-back")
    page.wait_for_url("**/replays/**")
    assert set(links) <= {page.evaluate("location.pathname")}, "one replay, however often it is asked for"
    page.goto(host)
    page.wait_for_selector(".kept a:has-text('Look')")


ENDING = """async (end) => {
    const { html, render } = await import("/static/board/html.js");
    const { Ending } = await import("/static/board/ending.js");
    const over = { words: "Turn 8: game over, player_1 won", winners: [1], truncated: false };
    const table = { over, game: "star_realms" };
    const given = { sight: { players: ["person", "rules", "rules"], table, end }, seat: 0, token: "x" };
    const place = document.body.appendChild(document.createElement("div"));
    const names = ["you", "rules (1)", "rules (2)"];
    render(html`<${Ending} ...${given} names=${names} base="/api/games/none/0" />`, place);
}"""
END = {
    "words": "player_1 won",
    "winners": [1],
    "standings": [
        {"seat": 0, "name": "person", "place": 2, "result": -1},
        {"seat": 1, "name": "rules", "place": 1, "result": 1},
        {"seat": 2, "name": "rules", "place": 3, "result": -1},
    ],
    "pools": {
        "authority": {"0": [50, 44, 40, 0], "1": [50, 50, 47, 47], "2": [50, 30, 0, 0]},
        "trade": {"0": [0, 2, 3, 0], "1": [0, 0, 0, 5], "2": [0, 0, 0, 0]},
    },
}


@pytest.mark.parametrize("size", SIZES)
def test_the_end_shows_the_course_and_the_places_if_the_server_tells_them(open_page, size):
    width, height = SIZES[size]
    page = open_page("/games/none/0", width=width, height=height, forgive=["Failed to load resource"])
    page.evaluate(ENDING, END)
    page.wait_for_selector(".ending")
    assert page.inner_text("#ending-title") == "Rules (1) won"
    assert page.inner_text(".how") == "In turn 8. Authority: you 0, rules (1) 47, rules (2) 0."
    places = page.locator(".standings li").all_inner_texts()
    assert [text.strip() for text in places] == ["rules (1) won", "you lost", "rules (2) lost"]
    graph = page.locator(".course > svg")
    said = "authority by decision: you from 50 to 0, rules (1) from 50 to 47, rules (2) from 50 to 0"
    assert graph.get_attribute("aria-label") == said and graph.locator("path").count() == 3
    drawn, shown = graph.evaluate("graph => [graph.viewBox.baseVal.width, graph.getBoundingClientRect().width]")
    assert abs(drawn - shown) < 0.1 * shown, "the text of the graph keeps its size"
    assert smallest_text(page) >= 12
    page.click(".ending .tabs button:has-text('trade')")
    assert page.locator(".course > svg").get_attribute("aria-label").startswith("trade by decision")
    page.click("#rematch")
    page.wait_for_selector(".ending .error:visible")


def test_the_end_needs_no_more_than_the_table(open_page):
    page = open_page(forgive=["Failed to load resource"])
    page.evaluate(ENDING, None)
    page.wait_for_selector(".ending")
    assert page.inner_text("#ending-title") == "Rules (1) won" and page.inner_text(".how") == "In turn 8."
