"""Pictures of tables: complete, true to the table, within their frame, and readable."""

import json
import re
import runpy
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import stardeck
from helpers import KINDS, game_of, random_steps, thorough
from stardeck.kernels.star_realms.play.effects.questions import QUESTIONS
from stardeck.viewer import draw
from stardeck.viewer.letters import cut, width, wrapped
from stardeck.viewer.palette import BANDS, NO_BAND, RULES, SEATS
from stardeck.viewer.palette import KINDS as KIND_BANDS

SVG = "{http://www.w3.org/2000/svg}"
LOOKS = thorough(8, 2)
STEPS = 150


def tables(variant, looks=LOOKS):
    """Yield tables from all stages of a random game: as the deciding seat sees it, and with all cards open."""
    game = game_of(variant)
    steps = [game.copy(states) for states in random_steps(game, 1, STEPS, seed=5)]
    for number in np.linspace(0, len(steps) - 1, looks).astype(int):
        states = steps[number]
        for seat in (int(states[0]["to_act"]), None):
            yield game.table(states, seat if seat != -1 else 0)


def places(root):
    """Return the drawn places, {id: numbers of its moves}; identical things are drawn together."""
    found = {}
    for element in root.iter():
        if not (first := element.get("data-id")):
            continue
        ids = [first, *(place.replace("%20", " ") for place in element.get("data-alike", "").split())]
        for place in ids:
            assert place not in found, f"{place} is drawn twice"
            found[place] = [int(number) for number in element.get("data-moves", "").split()]
    return found


def ids_of(value):
    """Return every id of a table."""
    if isinstance(value, dict):
        return ({value["id"]} if "id" in value else set()).union(*map(ids_of, value.values()))
    return set().union(*map(ids_of, value)) if isinstance(value, list) else set()


def boxes(element, x=0.0, y=0.0, scale=1.0):
    """Yield the corners of every rectangle and line of text: (left, top, right, bottom, what)."""
    for part in re.findall(r"(translate|scale)\(([^)]*)\)", element.get("transform", "")):
        numbers = [float(number) for number in part[1].split()]
        if part[0] == "scale":
            scale *= numbers[0]
        else:
            x, y = x + scale * numbers[0], y + scale * numbers[1]
    if element.tag in (f"{SVG}rect", f"{SVG}text"):
        left, top = (float(element.get(name, 0)) for name in "xy")
        if element.tag == f"{SVG}rect":
            wide, high = float(element.get("width")), float(element.get("height"))
        else:
            size = float(element.get("font-size"))
            wide, high = width(element.text or "", size, element.get("font-weight") == "700"), size
            top -= 0.8 * size
            left -= {"middle": wide / 2, "end": wide}.get(element.get("text-anchor"), 0)
        yield x + scale * left, y + scale * top, x + scale * (left + wide), y + scale * (top + high), element.text
    for child in element:
        yield from boxes(child, x, y, scale)


def check_inside(root):
    _, _, right, bottom = map(float, root.get("viewBox").split())
    for box in boxes(root):
        assert box[0] >= 0 and box[1] >= 0 and box[2] <= right and box[3] <= bottom, box


@pytest.mark.parametrize("variant", KINDS)
def test_pictures_are_true_to_the_table_and_lie_within_their_frame(variant):
    for table in tables(variant):
        for wide in (390, 1200):
            root = ET.fromstring(draw(table, width=wide))
            check_places(root, table)
            check_inside(root)


def check_places(root, table):
    """Check that only things on the table are drawn, and every move at its place."""
    drawn = places(root)
    assert set(drawn) <= ids_of(table)
    assert {player["id"] for player in table["players"]} <= set(drawn)
    for move in table["moves"]:
        for place in move["place"]:
            assert move["action"] in drawn[place], move
    for element in root.iter():
        if "can" in element.get("class", "").split():
            assert (element.get("role"), element.get("tabindex")) == ("button", "0")
            assert element.get("data-moves") and element.get("aria-label")


@pytest.mark.parametrize("wide", [320, 390, 1200])
def test_long_names_and_full_hands_fit(wide):
    game = stardeck.make("star_realms")
    table = json.loads(json.dumps(game.table(game.deal(1), 0)))
    name = "A Fleet of the Most Extraordinarily Long-Namedestroyers & <Company>"
    table["cards"][name] = table["cards"]["Scout"] | {"abilities": ["does " + "very " * 60 + "much"] * 3}
    hand = next(zone for zone in table["zones"] if zone["id"] == "player_0/hand")
    hand["things"] = [{"id": f"card/{number}", "name": name if number % 3 else "Scout"} for number in range(60)]
    hand["count"] = 60
    table["turn"]["words"] = "word " * 100
    svg = draw(table, width=wide)
    check_inside(ET.fromstring(svg))
    assert "&lt;Company" in svg and "<Company" not in svg


@pytest.mark.parametrize("wide", [320, 390, 1200])
def test_questions_stay_inside_their_bar(wide):
    game = stardeck.make("star_realms", first_turn="bid")
    states = game.deal(1)
    game.apply(states, game.parse(states, "bid 12"))
    table = json.loads(json.dumps(game.table(states, 1)))
    assert table["question"]["words"] == "bid for the first turn (player_0 has it for 12)"
    for words in (table["question"]["words"], *(question.words for question in QUESTIONS.values()), "word " * 60):
        table["question"]["words"] = words
        root = ET.fromstring(draw(table, width=wide))
        bar = next(element for element in root.iter() if any(part.get("class") == "sd-ask" for part in element))
        frame, *lines = boxes(bar)
        assert lines and all(line[2] <= frame[2] - 10 for line in lines)


def luminance(color):
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [1, 2], ids=["light", "dark"])
def test_text_can_be_read(theme):
    def color(name):
        return dict((row[0], row[theme]) for row in RULES[name])["fill"]

    grounds = ["sd-board", "sd-panel", "sd-mine", "sd-card", "sd-base"]
    pairs = [("sd-ink", ground) for ground in [*grounds, "sd-pill", "sd-ask", "sd-planet", "sd-home"]]
    pairs += [("sd-soft", ground) for ground in [*grounds, "sd-under", "sd-space", "sd-unknown", "sd-rock", "sd-gate"]]
    pairs += [("sd-bar-ink", "sd-bar"), ("sd-bar-soft", "sd-bar"), ("sd-back-ink", "sd-back"), ("sd-gem-ink", "sd-gem")]
    pairs += [("sd-outpost-ink", "sd-outpost"), ("sd-ink", "sd-shield")]
    for ink, ground in pairs:
        assert contrast(color(ink), color(ground)) >= 4.5, (ink, ground)


def test_bands_can_be_read_and_told_apart():
    for band, ink in [*BANDS.values(), *KIND_BANDS.values(), NO_BAND, *SEATS]:
        assert contrast(band, ink) >= 4.5, band
    assert len({band for band, _ in BANDS.values()}) == len(BANDS) and len({band for band, _ in SEATS}) == len(SEATS)


def test_a_picture_follows_the_page_or_has_one_theme():
    game = stardeck.make("interstellar_empire")
    table = game.table(game.deal(1), 0)
    light, dark, auto = (draw(table, theme=theme) for theme in ("light", "dark", "auto"))
    assert light != dark and "prefers-color-scheme" in auto and "prefers-color-scheme" not in light + dark
    for svg in (light, dark, auto):
        assert "script" not in svg and "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    for options in ({"theme": "blue"}, {"width": 100}, {"width": 800.0}, {"width": True}):
        with pytest.raises(ValueError, match=next(iter(options))):
            draw(table, **options)


def test_a_seat_sees_the_same_picture_of_what_it_cannot_tell_apart():
    game = stardeck.make("star_realms")
    for states in list(random_steps(game, 1, 60, seed=2))[::20]:
        other = game.copy(states)
        game.resample_hidden(other, 0, np.array([9], np.uint64))
        assert draw(game.table(states, 0)) == draw(game.table(other, 0))


def test_the_pictures_of_the_manual_are_those_of_now():
    path = Path(__file__).parents[2] / "docs" / "draw_pictures.py"
    drawn = runpy.run_path(str(path))["pictures"]()
    assert len(drawn) >= 3
    for name, svg in drawn.items():
        assert (path.parent / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == svg, "make pictures"


def test_lines_are_broken_and_cut():
    lines = wrapped("play a card that nobody has ever seen before", 10, 80)
    assert len(lines) > 2 and all(width(line, 10) <= 80 for line in lines)
    assert " ".join(lines) == "play a card that nobody has ever seen before"
    assert len(wrapped("play a card that nobody has ever seen before", 10, 80, 2)) == 2
    assert cut("Cutter", 10, 100) == "Cutter" and cut("Battlecruiser", 10, 40).endswith("…")
    assert width(cut("Battlecruiser", 10, 40), 10) <= 40 and width("aa", 10, True) > width("aa", 10)
