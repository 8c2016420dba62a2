"""Compiling ahead: each kind of use needs machine code of its own, which is kept on disk (kernels/compile/jit.py)."""

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
    """A kind of use: what people call it, and what compiles all that it needs of a game."""

    name: str
    compile: Callable[..., object]


class _Uncompiled:
    """An agent that is asked decision by decision, as one of somebody's own is."""

    def __init__(self, agent):
        self.name = agent.name
        self.act = agent.act


def _own(game):
    """The compiled agent of the game that plays best."""
    return default_agent(game.variant.game)


def _batches(game):
    """The batch face of `Game`, and agents asked for a batch."""
    states = game.deal(SEEDS)
    game.observe(game.resample_hidden(states, 0, SEEDS))
    masks = game.legal_actions(states)
    agents.get(_own(game)).act(game, states, masks, SEEDS)
    game.apply(game.copy(states), masks.argmax(axis=1))
    batch.pick_all(masks, SEEDS, np.empty(len(masks), np.int64))
    batch.pick_one(masks[0], SEEDS[0])


def _words(game):
    """Positions and single games."""
    with suppress(ValueError):  # of a game that reads no positions
        game.from_position(game.position(game.deal(1)[0]))
    play(game, ["random"], 1)


def _series(game):
    """Games played by compiled agents from deal to end."""
    Series(game, [_own(game)], seed=1).warm_up()


def _collected(game):
    """The same with every action noted."""
    Series(game, [_own(game)], seed=1, noting=True).warm_up()


def _lanes(game, opponents):
    for answer in ("raise", "lose"):
        many = Lanes(game, len(SEEDS), opponents, on_illegal=answer)
        many.reset(SEEDS)
        many.step(many.random_actions(SEEDS))
    many.step(np.full(len(SEEDS), -1))  # illegal, so that games end


def _stepped(game):
    """Games side by side, with compiled opponents."""
    _lanes(game, _own(game))


def _asked(game):
    """The same with opponents in Python."""
    _lanes(game, _Uncompiled(agents.get(_own(game))))


def _single(game):
    """Gymnasium's environment of one game."""
    env = gymnasium.make(GAMES[game.variant.game].id, **game.settings)
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))


def _aec(game):
    """PettingZoo's environment."""
    env = environments_of(game.variant.game).raw_env(**game.settings)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))


def _search(game):
    """Tree search, in a series too, whose agents are asked decision by decision."""
    Series(game, ["search:1"], seed=1).warm_up()


def _bench(game):
    """What `stardeck bench` measures beside all that."""
    states, blank = game.deal(SEEDS), game.deal(SEEDS[:1])
    masks = game.legal_actions(states)
    actions, observations = np.empty(len(states), np.int64), game.observe(states)
    legal = np.empty(game.words, np.uint64)
    batch.show_and_pick_all(game.rules, states, legal, masks, observations, SEEDS, actions)
    batch.deal_over(game.rules, states, blank, SEEDS)


USES = (
    Use("games in arrays", _batches),
    Use("watch, play, positions", _words),
    Use("advantage, league", _series),
    Use("collected moves", _collected),
    Use("vector environments, training", _stepped),
    Use("opponents in Python", _asked),
    Use("Gymnasium", _single),
    Use("PettingZoo", _aec),
    Use("search", _search),
    Use("bench", _bench),
)


def warm_up(game: Game, before: Callable[[Use], object] = lambda use: None, uses: Sequence[Use] | None = None) -> None:
    """Compile all that these kinds of use need of a game, and of all variants with the same type of state.

    before: called with each kind of use before it is compiled. uses: by default all.
    """
    for use in USES if uses is None else uses:
        before(use)
        use.compile(game)


def for_the_table() -> None:
    """Compile what games in the browser need, of all games, while others have the processor first."""
    if hasattr(os, "nice"):
        os.nice(10)
    for name in playable():
        warm_up(make(name), uses=[use for use in USES if use.compile in (_batches, _words, _search)])
