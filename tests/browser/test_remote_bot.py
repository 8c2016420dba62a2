"""The bot of examples/ in JavaScript plays whole games, as its twin in Python does. Playwright brings Node."""

import shutil
import subprocess
import sys
from pathlib import Path

import playwright
import pytest

from helpers import PROGRAMS, game_of
from stardeck import agents
from stardeck.benchmarks.advantage.measure import advantage

EXAMPLES = Path(__file__).parents[2] / "examples"
NODE = shutil.which("node") or Path(playwright.__file__).parent / "driver" / "node"
OUTCOME = ("games", "seats", "decisions_mean", "turns", "truncated")


def played(text, variant):
    """Return the summary of two games against `rules`, and the name of the agent."""
    game = game_of(variant)
    summary = advantage(game.variant.game, [text, "rules"], 2, seed=3, **game.settings)
    return {key: summary[key] for key in OUTCOME}, summary["agents"][0]["agent"]


def test_there_is_node():
    assert Path(NODE).is_file(), (
        "there is no Node: install it, or Playwright with its driver (make .venv/installed-browser)"
    )


@pytest.mark.parametrize("variant", PROGRAMS)
def test_it_plays_whole_games_of_every_game_either_way(variant):
    bot = EXAMPLES / "remote_bot.js"
    by_pipe = played(f"exec:{NODE} {bot}", variant)
    server = subprocess.Popen([NODE, bot, "0"], stdout=subprocess.PIPE, text=True)
    try:
        by_http = played(server.stdout.readline().strip(), variant)
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
    assert by_pipe == by_http and by_pipe[1] == "remote-bot-js" and by_pipe[0]["games"] == 2
    twin = played(f"exec:{sys.executable} {EXAMPLES / 'remote_bot.py'}", variant)
    assert twin == (by_pipe[0], "remote-bot")


def test_what_is_no_node_program_is_said_with_its_last_words(tmp_path):
    (tmp_path / "broken.js").write_text("console.error('loading weights'); require('no-such-package');")
    with pytest.raises(ValueError, match="the program has ended with exit code 1; on standard error: .*Node.js"):
        agents.get(f"exec:{NODE} {tmp_path / 'broken.js'}")
