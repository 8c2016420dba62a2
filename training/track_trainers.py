"""Trainers of the learning track: the two methods of this package, and functions of your own.

A trainer is a function `train(game, decisions, seed, checkpoint)`. It calls `checkpoint(agent, made)` whenever it
likes, with an agent to play for it and the decisions made so far, and at the end. `decisions` bounds everything that it
learns from: decisions of its own training games, and of a teacher that it imitates.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from stardeck.agents.networks.agent import SUFFIX, NetworkAgent, read_network
from stardeck.game.agent import Agent
from stardeck.game.game import Game
from stardeck.game.user_code import CannotImport, error_report, module_named, module_of
from stardeck.kernels.errors import shown
from stardeck.training.imitation import LANES, LENGTH
from stardeck.training.methods import train

CHECKPOINTS = 8  # of the methods of this package, besides the first one
IMITATED = 4  # at most one in so many decisions is imitated from `rules`
ROUNDS = 16  # of expert iteration
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


def checkpoints(trainer: Trainer | str, budget: Budget) -> Iterator[tuple[Agent, int]]:
    """Train, and yield the agent after each part of the training, with the decisions made until then.

    Raises:
        ValueError: The trainer failed, or made more decisions than it may.
    """
    if isinstance(trainer, str):
        yield from OWN[trainer](budget)
        return
    kept: list[tuple[Agent, int]] = []
    try:
        trainer(budget.game, budget.decisions, budget.seed, lambda agent, made: kept.append((agent, int(made))))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise ValueError(f"the trainer has failed ({error_report(error, None)})") from error
    if not kept:
        raise ValueError("the trainer has made no checkpoint")
    yield from kept


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
    pool = sorted((budget.folder / "pool").glob(f"*{SUFFIX}"))
    for number, path in enumerate(pool):
        yield _agent(path), imitated + number * envs * rollout
    yield _agent(budget.folder / f"agent{SUFFIX}"), imitated + summary["decisions"]


def _expert(budget: Budget) -> Iterator[tuple[Agent, int]]:
    imitated = _imitated(budget.decisions)
    games = max(64, (budget.decisions - imitated) // ROUNDS // _decisions_of_a_game(budget.game))
    recipe = {
        "imitation": imitated,
        "rounds": ROUNDS,
        "games": games,
        "learned_share": 1.0,
        "reuse": 1.0,
        "evaluate_every": max(1, ROUNDS // CHECKPOINTS),
        "promotion_games": 400,
        "value_rounds": 0,
        "panel": ("rules",),
        "evaluation_games": 2,
    }
    summary = _trained(budget, recipe, "expert")
    pool = sorted((budget.folder / "pool").glob(f"*{SUFFIX}"))
    for entry in summary["evaluations"]:
        yield _agent(pool[entry["copies"] - 1]), min(budget.decisions, imitated + entry["decisions"])


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
