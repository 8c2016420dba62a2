"""Legal moves of the kernel against those of the plain-Python oracle."""

import sys
from pathlib import Path

import numpy as np
import pytest

from helpers import game_of, random_steps, scaled, thorough
from stardeck import agents

sys.path.insert(0, str(Path(__file__).parent))
from oracle import legal_moves  # noqa: E402

VARIANTS = [
    "star_realms/core/standard/2",
    "star_realms/core/standard/2/ally_latch=faction",
    "star_realms/core/standard/2/ally_latch=none",
    "star_realms/core/standard/2/forced_discards=next_turn",
]


def agrees(game, state, seen):
    position = game.position(state)
    assert set(game.moves(state)) == legal_moves(position), position
    seen.add(position["pending"][-1]["decision"] if "pending" in position else "main phase")


@pytest.mark.parametrize("variant", VARIANTS)
def test_legal_moves_of_random_games_agree(variant):
    game = game_of(variant)
    seen = set()
    for step, states in enumerate(random_steps(game, scaled(thorough(40, 16), 2), scaled(700, 150), seed=11)):
        for row in range(step % 4, len(states), 4):
            agrees(game, states[row], seen)
    if scaled(True, False):
        assert seen >= {"main phase", "discard", "scrap_from_hand_or_discard", "destroy_base", "option", "amount"}


def test_legal_moves_of_games_between_agents_agree():
    """Agents that buy and use everything reach the rarer decisions."""
    game = game_of(VARIANTS[0])
    seen = set()
    player = agents.get("simple")
    states = game.deal(np.arange(scaled(120, 3)))
    for step in range(scaled(400, 250)):
        running = np.flatnonzero(~game.is_over(states))
        if not len(running):
            break
        some = game.copy(states[running])
        for row in range(step % 5, len(some), 5):
            agrees(game, some[row], seen)
        seeds = np.arange(len(some), dtype=np.uint64) + np.uint64(1000 * step)
        game.apply(some, player.act(game, some, game.legal_actions(some), seeds))
        states[running] = some
    if scaled(True, False):
        assert seen >= {"main phase", "acquire", "copy", "scrap_from_trade_row"}
