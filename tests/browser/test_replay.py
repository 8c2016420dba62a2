"""Replays in a real browser: controls, time line, analysis, comparison, pictures, links, and playing on."""

import io
import json
import re
import time
import zipfile

import pytest
from measures import LOOKS
from PIL import Image
from playing import SIZES, axe

import stardeck
from stardeck.benchmarks.recordings import record

PLAYED = {
    "star_realms": ({"authority": [15, 15]}, ["rules", "simple"]),
    "interstellar_empire": ({}, ["rules", "simple"]),
    "empire_of_the_stars": ({"max_turns": 4, "at_limit": "score"}, ["rules", "rules"]),
}
CONTROLS = (
    *("first", "turn-before", "before", "play", "next", "turn-next", "last"),
    *("slider", "speed", "chart", "count", "state"),
)
NO_CHOICE = "{turn: player_0, trade_deck: [Ram x9], players: {player_0: {authority: 50}, player_1: {authority: 50}}}"


@pytest.fixture(scope="module")
def recorded():
    """Return the text of a recorded game, each played once."""
    kept = {}

    def of(game):
        if game not in kept:
            settings, agents = PLAYED[game]
            kept[game] = json.dumps(record.play(stardeck.make(game, **settings), agents, 3))
        return kept[game]

    return of


def host(page):
    return "/".join(page.url.split("/")[:3])


def until(page, holds, seconds=60):
    """Wait until an expression holds in the page; the pages' policy forbids Playwright's own way of waiting."""
    end = time.monotonic() + seconds
    while not page.evaluate(f"Boolean({holds})"):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(5)


def shown(page, number):
    until(page, f"replay.page.scene.at === {number} && location.hash === '#{number}'")


def replayed(open_page, text, size="desktop", moment="", **options):
    """Open the replay of an upload."""
    width, height = SIZES[size]
    page = open_page("/replays", width=width, height=height, **options)
    kept = page.request.post(f"{host(page)}/api/replays", data={"text": text}, timeout=300_000)
    assert kept.ok, kept.text()
    page.goto(f"{host(page)}{kept.json()['page']}{moment}")
    until(page, "globalThis.replay && replay.page.scene", 120)
    return page


def test_buttons_keys_and_the_slider_step_through_a_game(open_page, recorded):
    text = recorded("star_realms")
    page = replayed(open_page, text)
    of = len(json.loads(text)["moves"])
    shown(page, of)
    turns = page.evaluate("[...document.querySelectorAll('#turn option')].map((option) => Number(option.value))")
    assert turns[0] == 0 and len(turns) > 5 and turns == sorted(set(turns))
    for by, number in [
        ("Home", 0), ("#next", 1), ("ArrowRight", 2), ("#before", 1), ("ArrowLeft", 0), ("ArrowLeft", 0),
        ("]", turns[1]), ("#turn-next", turns[2]), ("#next", turns[2] + 1), ("[", turns[2]), ("#turn-before", turns[1]),
        ("End", of), ("#first", 0), ("#last", of), ("ArrowRight", of), ("[", turns[-1]),
    ]:  # fmt: skip
        if by[0] == "#":
            page.click(by)
        else:
            page.keyboard.press(by)
        shown(page, number)
        assert page.inner_text("#count") == f"{number} of {of}"
        assert page.input_value("#slider") == str(number)
    page.select_option("#turn", index=3)
    shown(page, turns[3])
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    shown(page, turns[3] + 1)
    assert page.locator("#log .here").count() == 1 and page.locator("#log .here").is_visible()
    page.reload()
    until(page, "globalThis.replay && replay.page.scene")
    shown(page, turns[3] + 1)
    page.evaluate("location.hash = '#2'")
    shown(page, 2)
    page.locator("#log p[data-number='0']").evaluate("(line) => (line.closest('details').open = true)")
    page.locator("#log p[data-number='0']").click()
    shown(page, 0)


def test_a_game_plays_by_itself_until_it_is_paused_or_over(open_page, recorded):
    page = replayed(open_page, recorded("star_realms"), moment="#0")
    shown(page, 0)
    page.select_option("#speed", "4")
    page.keyboard.press("Space")
    until(page, "replay.page.scene.at > 2")
    page.keyboard.press("Space")
    until(page, "!replay.page.playing && replay.page.scene.at === replay.wanted.at")
    stopped = page.evaluate("replay.page.scene.at")
    page.wait_for_timeout(600)
    assert page.evaluate("replay.page.scene.at") == stopped
    page.evaluate("replay.go(replay.page.scene.of - 2)")
    page.click("#play")
    until(page, "!replay.page.playing && replay.page.scene.at === replay.page.scene.of")
    assert "The game is over" in page.inner_text("#state")


BOXES = """(ids) => ids.map((id) => {
    const box = document.getElementById(id).getBoundingClientRect();
    return [id, box.x, box.y, box.width, box.height];
})"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", PLAYED)
def test_no_control_moves_in_forty_steps(open_page, recorded, game, size):
    page = replayed(open_page, recorded(game), size, "#0", touch=size == "phone")
    shown(page, 0)
    controls = [*CONTROLS, *(["drawer"] if size == "phone" else ["panel", "log", "tab-analysis"])]
    before = page.evaluate(BOXES, controls)
    width, height = SIZES[size]
    for _, left, top, wide, high in before:
        assert 0 <= left and left + wide <= width and 0 <= top and top + high <= height
    steps = min(40, page.evaluate("replay.page.scene.of"))
    for number in range(1, steps + 1):
        page.click("#next")
        shown(page, number)
        assert page.evaluate(BOXES, controls) == before
        assert page.evaluate("[scrollX, scrollY, document.documentElement.scrollWidth]") == [0, 0, width]
    assert steps >= 30


def test_what_is_about_to_be_played_is_marked_on_the_table(open_page, recorded):
    text = recorded("star_realms")
    page = replayed(open_page, text, moment="#0")
    moves, seen = json.loads(text)["moves"], 0
    for number, words in enumerate(moves[:25]):
        page.evaluate(f"replay.go({number})")
        shown(page, number)
        if words.startswith("play "):
            outlined = page.evaluate(
                "[...document.querySelectorAll('.board .card')]"
                ".filter((card) => getComputedStyle(card).outlineStyle === 'solid').map((card) => card.innerText)"
            )
            assert len(outlined) == 1 and words.removeprefix("play ") in outlined[0]
            seen += 1
    assert seen > 5


def test_the_time_line_shows_who_was_ahead_and_the_mistakes(open_page, recorded):
    page = replayed(open_page, recorded("star_realms"), moment="#0")
    assert page.locator("#chart polyline").count() <= 1 and page.locator(".mistake").count() == 0
    page.click(".work-out")
    until(page, "replay.page.course.length === replay.page.scene.of", 240)
    assert page.locator("#chart polyline").count() == 1
    assert re.fullmatch(r".* \d+\.\d %", page.inner_text("#chance"))
    worst = page.evaluate("Math.max(...replay.page.course.map((turn) => turn.lost))")
    assert worst >= 0.03 and page.locator(".mistake").count() == page.locator("#drops button").count() > 0
    mistake = page.locator(".mistake").first
    at = int(re.search(r"decision (\d+)", mistake.get_attribute("aria-label"))[1])
    slider, spot = page.locator("#slider").bounding_box(), mistake.bounding_box()
    assert spot["width"] >= 24 and spot["height"] >= 24
    there = slider["x"] + 8 + (slider["width"] - 16) * at / page.evaluate("replay.page.scene.of")
    assert abs(spot["x"] + spot["width"] / 2 - there) < 2  # above its place on the slider
    mistake.focus()
    page.keyboard.press("Enter")
    shown(page, at)
    page.locator("#drops button").last.click()
    last = int(page.locator("#drops button").last.inner_text().split(",")[0])
    shown(page, last)
    box = page.locator("#chart").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + 3)
    page.mouse.down()
    page.evaluate("replay.draw()")  # as for each new part of the analysis
    page.mouse.up()
    until(page, "replay.wanted.at > 0.9 * replay.page.scene.of")
    page.keyboard.press("g")
    until(page, "document.querySelectorAll('.mistake').length === 0")


def test_a_position_is_analysed_with_intervals(open_page, recorded):
    page = replayed(open_page, recorded("star_realms"), moment="#0")
    shown(page, 0)
    page.keyboard.press("a")
    until(page, "replay.page.thoughts && replay.page.thoughts.tries > 1000", 180)
    rows = page.locator("#considered tbody tr")
    assert rows.count() == page.evaluate("replay.page.scene.table.moves.length")
    assert page.locator("#considered .played").count() >= 1 and "simulations" in page.inner_text("#thought")
    assert " ± " in rows.first.inner_text() and page.locator("#considered .interval .reach").count() >= 1
    page.check("#open")
    page.select_option("#sight", "1")
    until(page, "replay.page.scene.seat === 1")
    assert page.locator(".seat.own").count() == 1
    page.fill("#prior", "nobody")
    page.evaluate("replay.draw()")  # as for each answer of the search
    page.press("#prior", "Enter")
    page.wait_for_selector("#error:visible")
    assert "'nobody'" in page.inner_text("#error")
    page.click("#next")  # a refused wish does not stay
    shown(page, 1)
    assert page.evaluate("replay.wanted.prior") != "nobody" and not page.locator("#error").is_visible()


def test_two_agents_are_compared(open_page, recorded):
    text = recorded("star_realms")
    page = replayed(open_page, text, moment="#1")
    shown(page, 1)
    page.click("#tab-compare")
    page.fill("#agent-a", "rules")
    page.fill("#agent-b", "random")
    page.click("#compare button[type=submit]")
    until(page, "replay.page.differences.to === replay.page.scene.of", 240)
    assert page.locator("#choices section").count() == 2
    differing = page.locator("#differences button")
    assert differing.count() > 3 and "rules would have played" in page.inner_text("#agreement")
    number = int(differing.nth(2).inner_text().split(",")[0])
    differing.nth(2).click()
    shown(page, number)
    until(page, f"replay.page.choices && replay.page.choices.at === {number}")
    bold = [page.locator("#choices section").nth(k).locator("b").inner_text() for k in (0, 1)]
    assert bold[0] != bold[1] and page.locator("#differences .here").count() == 1
    page.fill("#agent-b", "rules")
    page.click("#compare button[type=submit]")
    until(page, "replay.page.differences.agents[1] === 'rules'")
    until(page, "replay.page.differences.to === replay.page.scene.of", 240)
    assert page.locator("#differences button").count() == 0
    page.click("#compare-off")
    until(page, "!document.getElementById('choices')")


def test_a_link_leads_to_a_moment(open_page, recorded):
    page = replayed(open_page, recorded("star_realms"), moment="#7")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown(page, 7)
    page.click("#tab-share")
    page.click("#copy")
    until(page, "document.getElementById('copy').textContent === 'Copied'")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.input_value("#link") and link.endswith("#7")
    page.click("#next")
    shown(page, 8)
    assert page.input_value("#link").endswith("#8") and page.inner_text("#copy") == "Copy"
    page.goto("about:blank")
    page.goto(link)
    until(page, "globalThis.replay && replay.page.scene")
    shown(page, 7)


def test_pictures_are_downloaded(open_page, recorded):
    page = replayed(open_page, recorded("star_realms"), moment="#4")
    shown(page, 4)
    page.click("#tab-share")

    def downloaded(button):
        with page.expect_download(timeout=120_000) as loaded:
            page.click(button)
        return loaded.value.suggested_filename, loaded.value.path().read_bytes()

    name, content = downloaded("#svg")
    assert name == "star_realms-4.svg" and content.startswith(b"<svg")
    name, content = downloaded("#png")
    assert name.endswith("-4.png") and Image.open(io.BytesIO(content)).format == "PNG"
    page.fill("#range-first", "2")
    page.fill("#range-last", "5")
    name, content = downloaded("#animation button[type=submit]")
    picture = Image.open(io.BytesIO(content))
    assert name == "star_realms-2-5.gif" and picture.format == "GIF" and picture.n_frames == 4
    page.select_option("#kind", "zip")
    _, content = downloaded("#animation button[type=submit]")
    assert len(zipfile.ZipFile(io.BytesIO(content)).namelist()) == 4


def test_a_game_is_played_on_from_a_decision(open_page, recorded):
    page = replayed(open_page, recorded("star_realms"), moment="#5")
    shown(page, 5)
    page.click("#tab-onward")
    page.click("#branch button")
    page.wait_for_url("**/games/**")
    page.wait_for_selector(".board")


def test_a_decision_without_a_choice_is_not_analysed(open_page):
    page = replayed(open_page, f"game: star_realms\nposition: {NO_CHOICE}")
    page.click("#analyse")
    until(page, "document.getElementById('thought').textContent === 'player_0 has no choice here.'", seconds=180)
    assert page.locator("#considered").count() == 0


def test_a_file_is_dropped_on_the_page(open_page, recorded):
    page = open_page("/replays")
    dropped = f"data.items.add(new File([{json.dumps(recorded('star_realms'))}], 'game.jsonl'))"
    drop = "document.dispatchEvent(new DragEvent('drop', {dataTransfer: data}))"
    page.evaluate(f"{{const data = new DataTransfer(); {dropped}; {drop}}}")
    until(page, "document.getElementById('text').value.startsWith('{')")
    page.click("button.main")
    page.wait_for_url("**/replays/*")
    until(page, "globalThis.replay && replay.page.scene", 120)


def test_hands_are_open_and_a_tap_shows_a_card_in_large(chromium, server, recorded):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{server.address}/replays")
    kept = page.request.post(f"{server.address}/api/replays", data={"text": recorded("star_realms")}).json()
    page.goto(f"{server.address}{kept['page']}#0")
    page.wait_for_selector(".board")
    shown(page, 0)
    hands = page.evaluate(
        "replay.page.scene.table.zones.filter((zone) => zone.kind === 'hand').map((zone) => zone.things)"
    )
    assert len(hands) == 2 and all(hands)
    for things in hands:
        card = page.locator(f".board .card[data-id='{things[0]['id']}']")
        card.tap()
        page.wait_for_selector("#menu .large-face")
        assert things[0]["name"] in page.inner_text("#menu")
        size = page.locator("#menu p:not(.kind)").first.evaluate(
            "(line) => parseFloat(getComputedStyle(line).fontSize)"
        )
        assert size >= 16
        page.locator("#menu .shut").tap()
    page.locator("#drawer").tap()
    page.wait_for_selector("#panel:visible")
    page.locator("#next").tap()  # the controls stay in reach under the drawer
    shown(page, 1)
    assert page.locator("#panel").is_visible()
    page.locator("#drawer").tap()
    assert not page.locator("#panel").is_visible()
    context.close()


SMALL = """() => {
    const found = [];
    const walk = document.createTreeWalker(document.querySelector("#stage"), NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const holder = node.parentElement;
        if (!node.data.trim() || holder.closest("svg, style, datalist, .unseen") || !holder.checkVisibility()) continue;
        if (parseFloat(getComputedStyle(holder).fontSize) < 12) found.push(node.data);
    }
    return found;
}"""


@pytest.mark.parametrize(("size", "dark"), LOOKS)
def test_axe_finds_no_fault_in_any_part_and_no_text_is_small(open_page, recorded, size, dark):
    page = replayed(open_page, recorded("star_realms"), size, "#3", dark=dark)
    shown(page, 3)
    if size == "phone":
        page.click("#drawer")
    page.keyboard.press("a")
    page.keyboard.press("g")
    until(page, "replay.page.thoughts && replay.page.course.length === replay.page.scene.of", 240)
    page.evaluate("replay.page.scene && replay.draw()")
    for tab in "analysis", "compare", "share", "onward":
        page.click(f"#tab-{tab}")
        if tab == "compare":
            page.click("#compare button[type=submit]")
            until(page, "replay.page.choices")
        page.wait_for_timeout(400)
        found = axe(page)
        assert not [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in found], tab
        assert not page.evaluate(SMALL)
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
