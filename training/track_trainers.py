"""Trainers of the learning track: the two methods of this package, and functions of your own.

A trainer is a function `train(game, decisions, seed, checkpoint)`. It calls `checkpoint(agent, made)` whenever it
likes, with an agent to play for it and the decisions made so far, and at the end. `decisions` bounds everything that it
learns from: decisions of its own training games, and of a teacher that it imitates.

An agent may share its weights with the training and so go on learning. So it is measured inside `checkpoint`.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from stardeck.agents.networks.agent import SUFFIX, NetworkAgent, read_network
from stardeck.game.agent import Agent
from stardeck.game.game import Game
from stardeck.game.user_code import CannotImport, error_report, module_named, module_of
from stardeck.kernels.errors import is_whole, shown
from stardeck.kernels.files import in_order_of_numbers
from stardeck.training.imitation import LANES, LENGTH
from stardeck.training.methods import train

T = TypeVar("T")

CHECKPOINTS = 8  # of the methods of this package, besides the first one
APART = 10  # checkpoints of a function are measured once a tenth of the budget has passed since the one before
IMITATED = 4  # at most one in so many decisions is imitated from `rules`
ROUNDS = 16  # of expert iteration, at most
LEAST_GAMES = 64  # of a round, if the budget has that many
PROBE = 64  # games that measure how many decisions a game has

Checkpoint = Callable[[Agent, int], None]
Trainer = Callable[[Game, int, int, Checkpoint], Any]


class Budget(NamedTuple):
    """What a trainer of this package gets: the game, the decisions, the seed, and a folder to continue in."""

    game: Game
    decisions: int
    seed: int
    folder: Path


def trainer_named(text: str) -> Trainer | str:
    """Return a trainer: the name of a method of this package, or the function at `mine.py:NAME` or `package.mine:NAME`.

    Raises:
        ValueError: There is no such trainer.
    """
    if text in OWN:
        return text
    place, _, name = text.rpartition(":")
    if not place:
        raise ValueError(f"trainer {shown(text)}: must be {', '.join(OWN)}, or a function as mine.py:NAME")
    try:
        found = vars(module_of(Path(place)) if place.endswith(".py") else module_named(place)).get(name)
    except CannotImport as error:
        raise ValueError(f"trainer {shown(text)}: {error}") from error
    if not callable(found):
        raise ValueError(f"trainer {shown(text)}: has no function {shown(name)}")
    return found


def measured(trainer: Trainer | str, budget: Budget, measure: Callable[[Agent, int], T]) -> list[T]:
    """Train, and return what `measure(agent, made)` gives in the course of the training and at its end.

    Raises:
        ValueError: The trainer failed, or made more decisions than it may.
    """
    if isinstance(trainer, str):
        return [measure(agent, made) for agent, made in _spread(checkpoints(trainer, budget))]
    course = _Course(budget.decisions, measure)
    try:
        trainer(budget.game, budget.decisions, budget.seed, course.checkpoint)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise course.fault or ValueError(f"the trainer has failed ({error_report(error, None)})") from error
    return course.ended()


class _Course(Generic[T]):
    """The training by a function: measures agents when they are handed over."""

    def __init__(self, decisions: int, measure: Callable[[Agent, int], T]) -> None:
        self.decisions = decisions
        self.measure = measure
        self.found: list[T] = []
        self.fault: Exception | None = None  # of a measurement, not of the trainer
        self._made = 0
        self._waiting: tuple[Agent, int] | None = None
        self._measured_at: int | None = None

    def checkpoint(self, agent: Agent, made: int) -> None:
        """Measure an agent if the one before is long ago; the last agent of a training is measured at its end."""
        if not is_whole(made) or not self._made <= made <= self.decisions:
            allowed = f"a whole number from {self._made:,} to {self.decisions:,}, and no less than before"
            self.fault = ValueError(f"checkpoint(agent, {shown(made)}): the decisions made must be {allowed}")
            raise self.fault
        self._made = int(made)
        self._waiting = agent, self._made
        if self._measured_at is None or self._made - self._measured_at >= self.decisions / APART:
            self._measure(*self._waiting)

    def ended(self) -> list[T]:
        """Return what has been found, with the last agent."""
        if self.fault:
            raise self.fault
        if self._waiting:
            if self._waiting[1] == self._measured_at:  # another agent of the same time: the last one counts
                self.found.pop()
            self._measure(*self._waiting)
        if not self.found:
            raise ValueError("the trainer has made no checkpoint")
        return self.found

    def _measure(self, agent: Agent, made: int) -> None:
        try:
            self.found.append(self.measure(agent, made))
        except Exception as error:
            self.fault = error
            raise
        self._measured_at, self._waiting = made, None


def checkpoints(method: str, budget: Budget) -> list[tuple[Agent, int]]:
    """Train by a method of this package, and return the agent after each part, with the decisions made until then."""
    return list(OWN[method](budget))


def _spread(made: Sequence[tuple[Agent, int]]) -> list[tuple[Agent, int]]:
    """Return some checkpoints, spread evenly: the first and the last one among them."""
    if len(made) <= CHECKPOINTS + 1:
        return list(made)
    numbers = np.linspace(0, len(made) - 1, CHECKPOINTS + 1).round().astype(int)
    return [made[number] for number in numbers]


def _ppo(budget: Budget) -> Iterator[tuple[Agent, int]]:
    imitated = _imitated(budget.decisions)
    part = max(1, (budget.decisions - imitated) // CHECKPOINTS)
    envs = max(2, min(512, part // 64) // 2 * 2)  # even, so that no step of an update gets a single decision
    rollout = max(1, part // envs)
    recipe = {
        "imitation": imitated,
        "steps": envs * rollout * CHECKPOINTS,
        "num_envs": envs,
        "rollout": rollout,
        "batch": min(8192, envs * rollout // 2),
        "freeze_every": 1,
        "evaluate_every": 10**6,
        "checkpoint_every": 1,
        "value_rounds": 0,
        "panel": ("rules",),
        "evaluation_games": 2,
    }
    summary = _trained(budget, recipe, "ppo")
    pool = in_order_of_numbers((budget.folder / "pool").glob(f"*{SUFFIX}"))
    for number, path in enumerate(pool):
        yield _agent(path), imitated + number * envs * rollout
    yield _agent(budget.folder / f"agent{SUFFIX}"), imitated + summary["decisions"]


def _expert(budget: Budget) -> Iterator[tuple[Agent, int]]:
    imitated = _imitated(budget.decisions)
    games = max(1, (budget.decisions - imitated) // _decisions_of_a_game(budget.game))
    of_round = min(games, max(LEAST_GAMES, games // ROUNDS))
    rounds = min(ROUNDS, games // of_round)
    recipe = {
        "imitation": imitated,
        "rounds": rounds,
        "games": of_round,
        "learned_share": 1.0,
        "reuse": 1.0,
        "evaluate_every": max(1, rounds // CHECKPOINTS),
        "promotion_games": 400,
        "value_rounds": 0,
        "panel": ("rules",),
        "evaluation_games": 2,
    }
    summary = _trained(budget, recipe, "expert")
    pool = in_order_of_numbers((budget.folder / "pool").glob(f"*{SUFFIX}"))
    for entry in summary["evaluations"]:
        made = imitated + entry["decisions"]
        if made <= budget.decisions:  # games of the search may be longer than those of `rules`
            yield _agent(pool[entry["copies"] - 1]), made


def _imitated(decisions: int) -> int:
    """Return the decisions to imitate: whole chunks, which is what imitation learns from."""
    return decisions // IMITATED // (LANES * LENGTH) * LANES * LENGTH


def _trained(budget: Budget, recipe: dict[str, Any], method: str) -> dict[str, Any]:
    game = budget.game
    return train(game.variant.game, budget.folder, budget.seed, recipe, progress=False, method=method, **game.settings)


def _agent(path: Path) -> Agent:
    return NetworkAgent(read_network(path), path.stem)


def _decisions_of_a_game(game: Game) -> int:
    from stardeck.benchmarks.arena.series import Series

    return int(Series(game, ["rules"]).play(0, PROBE).decisions.mean())


OWN: dict[str, Callable[[Budget], Iterator[tuple[Agent, int]]]] = {"ppo": _ppo, "expert": _expert}
