"""Compilation ahead of use: each kind of use needs other machine code, which is cached (kernels/compile/jit.py)."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

import gymnasium
import numpy as np

from stardeck import agents
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.recordings.record import play
from stardeck.envs.base.lanes import Lanes
from stardeck.game.catalogue import GAMES, default_agent, environments_of
from stardeck.game.game import Game
from stardeck.game.registry import make, playable
from stardeck.kernels.loops import batch

SEEDS = np.arange(2, dtype=np.uint64)


class Use(NamedTuple):
    """A kind of use: its name, and a function that compiles everything that it needs for a game."""

    name: str
    compile: Callable[..., object]


class _UncompiledAgent:
    """An agent that is called decision by decision, like an agent of a user."""

    def __init__(self, agent):
        self.name = agent.name
        self.act = agent.act


def _best_agent(game):
    """Return the name of the game's best compiled agent."""
    return default_agent(game.variant.game)


def _compile_batches(game):
    """Compile the batch API of `Game`, and agents that are called with a batch."""
    states = game.deal(SEEDS)
    game.observe(game.resample_hidden(states, 0, SEEDS))
    game.observe_hidden(states)
    masks = game.legal_actions(states)
    agents.get(_best_agent(game)).act(game, states, masks, SEEDS)
    game.apply(game.copy(states), masks.argmax(axis=1))
    batch.pick_all(masks, SEEDS, np.empty(len(masks), np.int64))
    batch.pick_one(masks[0], SEEDS[0])
    game.play_random(game.copy(states), SEEDS, 1)


def _compile_single_games(game):
    """Compile positions and single games."""
    with suppress(ValueError):  # a game may not read positions
        game.from_position(game.position(game.deal(1)[0]))
    play(game, ["random"], 1)


def _compile_series(game):
    """Compile games of compiled agents from deal to end."""
    Series(game, [_best_agent(game)], seed=1).warm_up()


def _compile_recorded_series(game):
    """Compile games of compiled agents with every action recorded."""
    Series(game, [_best_agent(game)], seed=1, record_actions=True).warm_up()


def _lanes(game, opponents):
    for answer in ("raise", "lose"):
        many = Lanes(game, len(SEEDS), opponents, on_illegal=answer)
        many.reset(SEEDS)
        many.step(many.random_actions(SEEDS))
    many.step(np.full(len(SEEDS), -1))  # illegal, which ends games


def _compile_vector(game):
    """Compile vector environments with compiled opponents."""
    _lanes(game, _best_agent(game))


def _compile_python_opponents(game):
    """Compile vector environments with opponents in Python."""
    _lanes(game, _UncompiledAgent(agents.get(_best_agent(game))))


def _compile_gymnasium(game):
    """Compile the Gymnasium environment of one game."""
    env = gymnasium.make(GAMES[game.variant.game].id, **game.settings)
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))


def _compile_pettingzoo(game):
    """Compile the PettingZoo environment."""
    env = environments_of(game.variant.game).raw_env(**game.settings)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    for agent in env.agents:  # one of them does not decide
        env.observe(agent)


def _compile_search(game):
    """Compile tree search, with the sum of several trees, and series whose agents are called decision by decision."""
    Series(game, ["search:2:threads=2"], seed=1).warm_up()


def _compile_bench(game):
    """Compile the rows of `stardeck bench` that no other use needs."""
    states, blank = game.deal(SEEDS), game.deal(SEEDS[:1])
    masks = game.legal_actions(states)
    actions, observations = np.empty(len(states), np.int64), game.observe(states)
    legal = np.empty(game.words, np.uint64)
    batch.show_and_pick_all(game.rules, states, legal, masks, observations, SEEDS, actions)
    batch.deal_over(game.rules, states, blank, SEEDS)


USES = (
    Use("games in arrays", _compile_batches),
    Use("watch, play, positions", _compile_single_games),
    Use("advantage, league", _compile_series),
    Use("collected moves", _compile_recorded_series),
    Use("vector environments, training", _compile_vector),
    Use("opponents in Python", _compile_python_opponents),
    Use("Gymnasium", _compile_gymnasium),
    Use("PettingZoo", _compile_pettingzoo),
    Use("search", _compile_search),
    Use("bench", _compile_bench),
)


def warm_up(game: Game, before: Callable[[Use], object] = lambda use: None, uses: Sequence[Use] | None = None) -> None:
    """Compile everything that kinds of use need for a game and for all variants with the same type of state.

    Args:
        game: The game.
        before: Function that is called with each kind of use before it is compiled.
        uses: Kinds of use, by default all.
    """
    for use in USES if uses is None else uses:
        before(use)
        use.compile(game)


def warm_up_for_browser() -> None:
    """Compile what the browser needs for all games, at a low priority."""
    if hasattr(os, "nice"):
        os.nice(10)
    for name in playable():
        warm_up(
            make(name),
            uses=[use for use in USES if use.compile in (_compile_batches, _compile_single_games, _compile_search)],
        )
