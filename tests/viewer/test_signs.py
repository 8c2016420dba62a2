"""Signs: one for each thing of a legend, with shapes that differ within a game."""

import io
import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from stardeck.viewer.png import png
from stardeck.viewer.signs import SIGNS, in_words, sign, symbol_id, symbols, yields

CARDS = {"ship", "base", "outpost", "gambit", "trade", "combat", "authority", "ally", "scrap", "unaligned"}
GALAXY = {
    "home world", "colony", "starbase", "fighter", "cruiser", "dreadnought", "galaxy token", "wormhole", "asteroid",
    "polymer", "metal", "energy", "credits", "tokens", "throne", "influence", "score", "technology", "edict", "power",
    "planet", "Monolith", "scepter", "Emperor",
}  # fmt: skip
LEGENDS = {
    "core": CARDS | {"blob", "trade federation", "star empire", "machine cult"},
    "rise of empire": CARDS | {"consortium", "kingdom", "scavengers", "trade federation", "star empire"},
    "interstellar empire": {"ship", "planet", "special", "tapped"},
    "empire of the stars": GALAXY,
}


@cache
def pixels(name):
    """Return the pixels that a sign covers in a box of 28 x 28."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="14" height="14">{sign(name, "#000000")}</svg>'
    image = Image.open(io.BytesIO(png(svg, 2.0)))
    return np.asarray(image)[..., 3] > 127


@pytest.mark.parametrize("legend", LEGENDS)
def test_the_signs_of_a_game_differ_in_shape(legend):
    for one, other in combinations(sorted(LEGENDS[legend]), 2):
        both, either = (pixels(one) & pixels(other)).sum(), (pixels(one) | pixels(other)).sum()
        assert both / either < 0.8, f"{one} and {other} look alike: {both / either:.2f}"


@pytest.mark.parametrize("name", SIGNS)
def test_a_sign_fills_its_box_and_stays_inside(name):
    numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", SIGNS[name])]
    assert numbers and pixels(name).sum() > 60 and pixels(name).shape == (28, 28)


def test_letters_for_resources_are_told_by_signs_and_words():
    assert yields("planet PPM") == ["polymer", "polymer", "metal"] and yields("PME") == ["polymer", "metal", "energy"]
    for other in ("Scout", "planet", "asteroid", "PMEP", "E1", None):
        assert not yields(other), other
    assert in_words("planet PPM") == "planet: 2 polymer, 1 metal" and in_words("wormhole") == "wormhole"
    assert in_words("PE") == "tile: 1 polymer, 1 energy"


def test_the_symbols_of_a_page_are_every_sign_once():
    ids = [symbol.get("id") for symbol in ET.fromstring(symbols())]
    assert ids == [symbol_id(name) for name in SIGNS] and len(set(ids)) == len(ids)
