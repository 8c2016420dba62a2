"""Breakdown of the time of a decision: games are replayed with and without one verb at every decision.

The time of a verb is the difference between a replay with it and one without it. Processors run instructions in
parallel, so the sum of the parts exceeds the whole.
"""

import time
from statistics import median
from typing import Any

import numpy as np

from stardeck import agents
from stardeck.benchmarks.arena.series import Series
from stardeck.game.game import Game
from stardeck.kernels.loops import playouts
from stardeck.kernels.loops.replay import CHOOSE, LEGAL, OBSERVE, PICK, SPREAD, WRITE, Scratch, replay

GAMES = 512  # replayed together
ROUNDS = 9  # the result is the median
PARTS = {  # the verbs of a replay, and of the replay that it is compared with
    "apply: the rules": (0, None),
    "legal: the set of legal actions": (LEGAL, 0),
    "one of them at random": (LEGAL | PICK, LEGAL),
    "the same as a mask": (LEGAL | SPREAD, LEGAL),
    "observe": (OBSERVE, 0),
    "as many bytes written, without a rule": (WRITE, 0),
}


def parts(game: Game, path: str = "rules") -> dict[str, float]:
    """Measure the nanoseconds of each verb at a decision.

    Args:
        game: The game.
        path: Name of the compiled agent whose games are replayed.
    """
    chunk = Series(game, [path], record_actions=True).play(0, GAMES)
    counts = chunk.decisions.astype(np.int64)
    actions = np.zeros((GAMES, counts.max()), np.uint16)
    actions[np.arange(counts.max()) < counts[:, None]] = chunk.actions
    dealt = game.deal(chunk.seeds)
    states, agent = game.copy(dealt), np.zeros(1, playouts.AGENT)
    mask, observation = np.zeros(game.num_actions, np.int8), np.zeros(game.observation_size, np.uint8)
    scratch = Scratch(np.zeros(game.words, np.uint64), mask, observation)

    def took(what, kind=0):
        states[:] = dealt
        began = time.perf_counter()
        replay(game.rules, states, actions, counts, what, agent, kind, scratch)
        return 1e9 * (time.perf_counter() - began) / counts.sum()

    players: dict[str, Any] = {name: agents.get(name, game) for name in ("simple", "rules")}
    choices = {f"`{name}` decides": (CHOOSE, player.kind) for name, player in players.items()}
    asked = {(what, 0) for what, _ in PARTS.values()} | set(choices.values())
    took(0)  # compiles
    times: dict[tuple[int, int], list[float]] = {case: [] for case in asked}
    for _ in range(ROUNDS):
        for case in asked:
            times[case].append(took(*case))
    alone = {case: median(found) for case, found in times.items()}
    found = {name: alone[what, 0] - (0 if other is None else alone[other, 0]) for name, (what, other) in PARTS.items()}
    return found | {name: alone[case] - alone[0, 0] for name, case in choices.items()}
