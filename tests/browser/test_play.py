"""Playing in a real browser: whole games by mouse, keys and touch, shared games, restarts, watching."""

import random

import pytest
from measures import CUT, SMALL, Measures, faults
from playing import (
    MIDDLE,
    OVER,
    RESTARTING,
    begin,
    click_a_move,
    decide,
    host,
    moves,
    my_turn,
    number,
    ready,
    seated,
    until,
    window,
)

GAMES = [
    ("star_realms", {"authority": [12, 12]}),
    ("star_realms", {"set": "rise_of_empire", "scenario": 1}),
    ("interstellar_empire", {}),
    ("empire_of_the_stars", {"max_turns": 12, "at_limit": "score"}),
    ("beacons", {}),
]
STATE = "document.getElementById('state').textContent"


def is_over(page):
    return "The game is over" in page.inner_text("#state") and page.locator("#look-back").is_visible()


def play_to_the_end(page, game, seed, touch=False):
    """Play a game by clicks or taps, and measure the page at each decision."""
    measures, chance = Measures(page, phone=touch, with_map=game == "empire_of_the_stars"), random.Random(seed)
    while my_turn(page):
        measures.check()
        click_a_move(page, chance, touch)
    assert is_over(page)
    assert page.evaluate(CUT) and not page.evaluate(SMALL)
    assert not faults(page)


@pytest.mark.parametrize(("game", "settings"), GAMES, ids=lambda value: value if isinstance(value, str) else "")
def test_nothing_moves_in_a_whole_game_played_by_clicking(open_page, game, settings):
    opponent = "random" if game == "beacons" else "rules"
    page, _ = seated(open_page, game=game, settings=settings, seats=["person", opponent], page=window("desktop"))
    play_to_the_end(page, game, seed=1)
    assert page.locator("#log p").count() == number(page)


@pytest.mark.parametrize(("game", "settings"), GAMES, ids=lambda value: value if isinstance(value, str) else "")
def test_nothing_moves_in_a_whole_game_played_by_touch_alone(open_page, game, settings):
    opponent = "random" if game == "beacons" else "rules"
    if game == "empire_of_the_stars":
        settings = settings | {"max_turns": 4}
    look = window("phone", dark=True)
    page, _ = seated(open_page, game=game, settings=settings, seats=["person", opponent], page=look)
    play_to_the_end(page, game, seed=2, touch=True)


def test_a_click_is_not_lost_when_the_table_is_told_again_meanwhile(open_page):
    page, _ = seated(open_page, game="interstellar_empire", settings={})
    for place in ".board .can", ".actions .move":
        while my_turn(page) and not page.evaluate(MIDDLE, place):
            decide(page, moves(page)[0][0])
        before = number(page)
        page.mouse.move(*page.evaluate(MIDDLE, place))
        page.mouse.down()
        page.evaluate("told = table.page.sight; table.say({pace: 0})")
        until(page, "table.page.sight !== told")
        page.mouse.up()
        for button in "#menu .move", "#keep-playing + .end":
            if page.locator(button).first.is_visible():
                page.locator(button).first.click()
        until(page, f"table.page.sight.number !== {before}", seconds=5)


def test_a_whole_game_is_played_by_number_keys_alone(open_page):
    page, _ = seated(open_page, game="interstellar_empire", settings={})
    while my_turn(page):
        before = number(page)
        listed = page.evaluate("table.page.sight.table.moves.length")
        page.keyboard.press(str(min(9, listed)))
        if number(page) == before and page.locator("#keep-playing").is_visible():
            page.keyboard.press("e")
        until(page, f"table.page.sight.number !== {before}")
    assert is_over(page)


def test_cards_and_buttons_are_reached_and_pressed_by_keys(open_page):
    page, _ = seated(open_page)
    for _ in range(3):
        assert my_turn(page)
        before = number(page)
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('.own .card.can')"):
                break
        page.keyboard.press("Enter")
        until(page, f"table.page.sight.number === {before} + 1")
    page.keyboard.press("e")
    page.keyboard.press("e")  # for something is left
    until(page, f"table.page.sight.number > {before} + 1")


def test_two_browsers_play_against_each_other(open_page):
    first, begun = seated(open_page, settings={"authority": [9, 9]}, seats=["person", "person"])
    second = open_page(begun["seats"][1]["page"])
    ready(second)
    chance = random.Random(2)
    pages = [first, second]
    while not first.evaluate(f"Boolean({OVER})"):
        seat = first.evaluate("table.page.sight.table.to_act")
        assert my_turn(pages[seat])
        click_a_move(pages[seat], chance)
        for page in pages:
            until(page, f"table.page.sight.number >= {number(pages[seat])}")
    assert second.evaluate(f"Boolean({OVER})")
    assert first.inner_text("#log") != second.inner_text("#log"), "each knows its own cards"


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
    until(page, f"{STATE}.startsWith('not connected')")
    server.start()
    until(page, f"!{STATE}.startsWith('not connected')")
    assert number(page) == before
    page.evaluate("table.say({pace: 0})")
    while my_turn(page):
        click_a_move(page, chance)


def test_amounts_hints_taking_back_and_giving_up(open_page):
    page, _ = seated(open_page, seed=32, settings={})  # two Vipers in the first hand
    page.click("#hint")
    until(page, f"{STATE}.startsWith('rules would')")
    before = number(page)
    words = [words for _, words in moves(page)]
    page.keyboard.press(str(words.index("play Viper") + 1))
    until(page, f"table.page.sight.number !== {before}")
    page.keyboard.press("b")
    until(page, f"table.page.sight.number === {before}")
    while my_turn(page) and not page.locator(".actions .part input").count():
        plays = [action for action, words in moves(page) if words.startswith("play ")]
        decide(page, plays[0])
    assert page.locator(".actions .part input").count(), page.inner_text("#log")
    page.locator(".actions .part input").first.fill("1")
    page.locator(".actions .part .some").first.click()
    until(page, "table.page.sight.table.players[1].pools[0].amount === 49")
    given_up = page.url
    page.click("#resign")
    page.click("#really")
    until(page, OVER)
    page.click("#rematch")  # also for who has given up
    page.wait_for_url(lambda url: url != given_up)
    ready(page)


def test_the_end_of_a_turn_is_confirmed_while_something_is_left(open_page):
    page, _ = seated(open_page)
    assert my_turn(page)
    before = number(page)
    page.click("#end-turn")
    assert "3 cards in hand" in page.inner_text(".asking")
    page.click("#keep-playing")
    assert number(page) == before
    page.keyboard.press("e")
    page.keyboard.press("e")
    until(page, f"table.page.sight.number > {before}")


def test_the_summary_of_the_others_stays_during_the_own_turn(open_page):
    page, _ = seated(open_page, settings={}, seed=4)
    assert my_turn(page)
    assert "Nothing yet" in page.inner_text(".since")
    decide(page, dict((words, action) for action, words in moves(page))["end turn"])
    assert my_turn(page)
    told = page.inner_text(".since")
    assert "rules" in told and page.locator(".since li").count() > 2
    decide(page, next(action for action, words in moves(page) if words.startswith("play ")))
    assert page.inner_text(".since") == told
    assert page.locator(".board .recent").count(), "what the last moves concerned is marked"
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.inner_text(".since-line").startswith("Since your last turn")
    page.click(".since-line")
    assert page.locator("#side .since").is_visible()


def test_every_decision_of_an_opponent_is_shown_for_the_chosen_time(open_page):
    page = open_page()
    shown = page.evaluate("""async () => {
        const { paced } = await import("/static/board/queue.js");
        let clock = 0;
        const timers = [];
        performance.now = () => clock;
        globalThis.setTimeout = (work, wait) => timers.push([work, wait]);
        const shown = [];
        const add = paced((sight) => shown.push([sight.number, clock]), 0);
        const sight = (number, seat, pace) => ({ number, pace, log: [{ seat }] });
        for (let number = 0; number < 5; number++) add(sight(number, 1, 0.1));
        while (timers.length) {
            const [work, wait] = timers.shift();
            clock += wait;
            work();
        }
        clock += 100;
        add(sight(5, 0, 0.1));
        add(sight(6, 1, 0.1));  // after an own decision: at once
        add(sight(7, 1, 0.1));  // waits
        add(sight(3, 1, 0));  // taken back
        return shown;
    }""")
    assert shown == [[0, 0], [1, 0], [2, 100], [3, 200], [4, 300], [5, 400], [6, 400], [3, 400]]


def test_sound_is_off_until_it_is_switched_on(open_page):
    page, _ = seated(open_page)
    assert page.inner_text("#sound") == "Sound off"
    page.click("#sound")
    assert page.inner_text("#sound") == "Sound on"
    page.reload()
    ready(page)
    assert page.inner_text("#sound") == "Sound on"
    tones = page.evaluate("""async () => {
        const { toneFor } = await import("/static/board/sound.js");
        const of = (authority) => [{ seat: 0, pools: [{ name: "authority", amount: authority }] }];
        const sight = (number, to_act, authority, over = null) =>
            ({ number, table: { to_act, over, players: of(authority) } });
        const begin = sight(1, 1, 50);
        const after = [sight(2, 1, 50), sight(2, 0, 50), sight(2, 1, 44), sight(2, null, 50, {}), begin];
        return after.map((next) => toneFor(begin, next, 0));
    }""")
    assert tones == ["move", "turn", "hit", "over", None]


def test_agents_are_watched(open_page):
    page = open_page()
    begun = begin(page, seats=["rules", "simple"])
    page.goto(f"{host(page)}{begun['watch']}")
    ready(page)
    page.click("#pause")
    page.wait_for_selector("#step:visible")
    before = number(page)
    page.click("#step")
    until(page, f"table.page.sight.number > {before}")
    page.click("#pause")
    page.evaluate("table.say({pace: 0})")
    until(page, OVER)


def test_play_all_sends_all_actions_at_once(open_page):
    page, _ = seated(open_page)
    assert my_turn(page)
    plays = [action for action, words in moves(page) if words.startswith("play ")]
    actions = (2 * plays)[:3]
    page.evaluate("""(actions) => {
        sent = [];
        WebSocket.prototype.send = (text) => sent.push(JSON.parse(text));
        table.heard({ ...table.page.sight, play_all: actions });
    }""", actions)  # fmt: skip
    page.wait_for_selector("#play-all")
    page.keyboard.press("l")
    until(page, "sent.length")
    sent = page.evaluate("sent[0]")
    assert sent | {"actions": sorted(sent["actions"])} == {"number": number(page), "actions": sorted(actions)}


def test_play_all_plays_the_hand_in_its_order(open_page):
    page, _ = seated(open_page)
    ordered = page.evaluate("""async () => {
        const { inHandOrder } = await import("/static/board/data.js");
        const things = ["Viper", "Scout", "Cutter", "Scout"].map((name, k) => ({ id: `hand-${k}`, name }));
        const place = { 4: ["hand-1"], 7: ["hand-0"], 9: ["hand-2"], 3: ["base-0"] };
        const moves = Object.entries(place).map(([action, place]) => ({ action: Number(action), place }));
        const zones = [{ owner: 0, kind: "hand", things }];
        return inHandOrder([3, 4, 4, 7, 9], { to_act: 0, zones, moves });
    }""")
    assert ordered == [3, 7, 4, 9, 4]


def test_headings_of_the_table_skip_no_level(open_page):
    page, _ = seated(open_page, settings={})
    assert my_turn(page)
    page.hover(".own .card.can")
    page.wait_for_selector(".large h2")
    page.click(".counter.deck")
    page.wait_for_selector("#menu h2")
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((one) => Number(one.tagName[1]))")
    assert levels[0] == 1 and all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


def test_an_empty_hand_is_a_quiet_note(open_page):
    page, _ = seated(open_page)
    while my_turn(page) and (plays := [action for action, words in moves(page) if words.startswith("play ")]):
        decide(page, plays[0])
    assert page.inner_text(".own .hand .quiet") == "No cards left"
    style = "getComputedStyle(document.querySelector('.own .hand .cards')).borderStyle"
    assert page.evaluate(style) == "none"


def test_the_question_of_the_bar_fits_one_line_where_there_is_room(open_page):
    page, _ = seated(open_page, page={"width": 1280, "height": 800})
    assert my_turn(page)
    lines = "((one) => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight))"
    assert page.evaluate(f"{lines}(document.querySelector('#state span'))") < 1.5
