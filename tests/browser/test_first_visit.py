"""A first visit: whoever clicks only what is in view gets from the home page through a game to a rematch."""

import subprocess
import sys
from pathlib import Path

import pytest
from first_visit import visit
from playing import SIZES, host


def test_a_visitor_taps_from_the_home_page_through_a_game_to_a_rematch(open_page):
    width, height = SIZES["phone"]
    page = open_page(width=width, height=height, touch=True)
    made = visit(page, host(page), "Interstellar Empire", "Medium", touch=True, pace="at once")
    assert made.first_clicks == 3, "a tile, a strength, Play"
    assert made.clicks > 20
    assert made.ending in ("You won", "Rules won", "The game is a draw")


@pytest.mark.parametrize("script", ["first_visit", "decision_to_picture"])
def test_a_script_starts_without_the_modules_of_the_tests(script):
    subprocess.run([sys.executable, "-c", f"import {script}"], cwd=Path(__file__).parent, check=True)
