"""Evaluation of an agent in training: against a panel, and against itself at the previous evaluation."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from stardeck import agents
from stardeck.agents.identity import check_names
from stardeck.benchmarks.advantage.measure import win_rate
from stardeck.benchmarks.arena.series import win_share
from stardeck.benchmarks.league.panel import panel
from stardeck.game.agent import Agent
from stardeck.game.cores import available_cores
from stardeck.game.game import Game
from stardeck.training.promotion import EVALUATION_SEED

Rate = dict[str, float | None]  # win_rate, low, high
BOSS = "the Boss"


class Panel:
    """The agents of a recipe's panel, by default the members of the usual panel that play the game."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self._game = game
        self._stopped = threading.Event()
        self._workers: int | None = None  # threads; None: one for each core
        self.agents = [agents.get(name, game) for name in names or panel(game)]
        check_names(self.agents)
        self._alone = len(game.variant.sides) == 1
        self.yardstick = BOSS if self._alone else self.agents[0].name

    def measure(self, learner: Agent, before: Agent | None, games: int, seed: int) -> dict:
        """Return the win rates of a side of `learner`: {win_rate, low, high, panel: {name: rate}, before}.

        The first three are against the first agent of the panel, or the Boss. `before` is the rate against that agent,
        or None without one. Each rate is {win_rate, low, high}.

        Raises:
            EvaluationStoppedError: `stop` was called.
        """
        seed += EVALUATION_SEED
        others = {BOSS: learner} if self._alone else {agent.name: agent for agent in self.agents}
        rates = {name: self._rate(learner, agent, games, seed) for name, agent in others.items()}
        met = None if self._alone or before is None else self._rate(learner, before, games, seed)
        return rates[self.yardstick] | {"panel": rates, "before": met}

    def leave_cores(self) -> None:
        """Play later evaluations on half of the cores: a training that goes on needs the others."""
        self._workers = max(1, available_cores() // 2)

    def stop(self) -> None:
        """Let an evaluation in another thread end before its next agent."""
        self._stopped.set()

    def _rate(self, learner, other, games, seed) -> Rate:
        if self._stopped.is_set():
            raise EvaluationStoppedError
        return win_rate(games * win_share(self._game, learner, other, games, seed, self._workers), games)


class EvaluationStoppedError(Exception):
    """An evaluation that nobody waits for any more."""


class Evaluations:
    """Evaluations of a training, one at a time: at once, or on a thread while the training goes on.

    `begin` starts one, and `result` gives what came of it. A training calls `result` at fixed points, so that its files
    do not depend on how long an evaluation takes.

    Args:
        panel: The panel that plays them.
        beside: True plays them on a thread.
    """

    def __init__(self, panel: Panel, beside: bool) -> None:
        self.beside = beside
        self._panel = panel
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="stardeck-evaluation") if beside else None
        self._pending: Future[dict] | None = None
        if beside:
            panel.leave_cores()

    @property
    def pending(self) -> bool:
        """True while there is an evaluation whose result was not taken."""
        return self._pending is not None

    def begin(self, measure: Callable[[], dict[str, Any]]) -> None:
        """Begin an evaluation. measure: function that plays it, and returns what `result` returns."""
        if self._pool is not None:
            self._pending = self._pool.submit(measure)
        else:
            self._pending = Future()
            self._pending.set_result(measure())

    def result(self) -> dict[str, Any] | None:
        """Wait for the evaluation and return its result; None if none was begun since the last call."""
        pending, self._pending = self._pending, None
        return None if pending is None else pending.result()

    def close(self) -> None:
        """Stop an evaluation that still runs, before the next agent of the panel, without waiting for it."""
        if self._pool is not None:
            self._panel.stop()
            self._pool.shutdown(wait=False, cancel_futures=True)


def evaluation_text(entry: dict) -> str:
    """Return an evaluation in one line."""
    return ", ".join(f"{name} {100 * rate['win_rate']:.1f} %" for name, rate in entry["panel"].items())
