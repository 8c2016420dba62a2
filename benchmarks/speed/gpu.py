"""Speed of games on a GPU, by batch size: rows of `stardeck bench` (measure.py).

| row | measurement |
| --- | --- |
| `gpu_random` | random play without observations: every decision drawn uniformly from the legal actions |
| `gpu_rules` | games dealt and played to their end by the agent `rules` |
| `gpu_batch` | `DeviceGame.step`: apply, deal where over, masks, observations, a random choice; steps are decisions |
| `gpu_train` | decisions of a learner, played against `rules` and learned from: training/ppo/throughput.py |

`gpu_train` needs `stardeck[train]`, and a torch that finds the GPU. Figures include kernel launches, but not
compilation.
"""

import importlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from stardeck.benchmarks.optional_dependencies import require
from stardeck.game.device import DeviceGame
from stardeck.game.game import Game

TRAINING = "stardeck.training.ppo.throughput"  # imported by name, because `training` stands above `benchmarks`
SIZES = (1_024, 8_192, 65_536, 262_144)
AHEAD = 16  # launches between two looks at the GPU


def seeds_of(number: int, size: int) -> Any:
    """Return the seeds of a batch: uint64[size].

    Args:
        number: Index of the batch.
        size: Number of games in each batch.
    """
    return np.arange(number * size, (number + 1) * size, dtype=np.uint64)


SHARE = 200  # random decisions in each launch: a few games of each row


def _timed(step: Callable[[int], int], seconds: float, wait: Callable[[], Any]) -> tuple[int, int, float]:
    """Call `step` with numbers from 0 and add up what it returns; return (sum, calls, seconds) after the first call.

    The first call compiles. `wait` waits for the GPU.
    """
    step(0)
    wait()
    total, number = 0, 1
    began = time.perf_counter()
    while number < 2 or time.perf_counter() - began < seconds:
        total += step(number)
        number += 1
        if number % AHEAD == 0:
            wait()  # launches are queued far ahead of the GPU
    wait()
    return total, number - 1, time.perf_counter() - began


def play_random(game: DeviceGame, size: int, seconds: float) -> tuple[int, int, float]:
    """Play at random; return (games dealt anew, decisions, seconds).

    Args:
        game: The game on the GPU.
        size: Number of games side by side.
        seconds: Time to measure for.
    """
    seeds = game.seeds(seeds_of(0, size))
    states = game.deal(seeds)
    games, calls, took = _timed(
        lambda number: game.play_random(states, seeds, SHARE, SHARE * number), seconds, game.check_errors
    )
    return games, calls * size * SHARE, took


def play_rules(game: DeviceGame, size: int, seconds: float) -> tuple[int, int, float]:
    """Play whole games; return (games, decisions, seconds).

    Args:
        game: The game on the GPU.
        size: Number of games side by side.
        seconds: Time to measure for.
    """
    decisions = []

    def play(number: int) -> int:
        over, made = game.counts(game.playout(game.deal(seeds_of(number, size)), "rules", number))
        decisions.append(made)
        return over

    games, _, took = _timed(play, seconds, game.check_errors)
    return games, sum(decisions[1:]), took


def play_batch(game: DeviceGame, size: int, seconds: float) -> tuple[int, int, float]:
    """Play batches of decisions; return (0, decisions, seconds): nobody counts the games.

    Args:
        game: The game on the GPU.
        size: Number of games side by side.
        seconds: Time to measure for.
    """
    seeds = game.seeds(seeds_of(0, size))
    states = game.deal(seeds)
    actions = game.show_and_pick(states, seeds)[2]

    def step(number: int) -> int:
        nonlocal actions
        actions = game.step(states, actions, seeds, number)[2]
        return 0

    _, calls, took = _timed(step, seconds, game.check_errors)
    return 0, calls * size, took


def play_train(game: DeviceGame, size: int, seconds: float) -> tuple[int, int, float]:
    """Run rollouts and updates of a learner; return (0, decisions, seconds).

    Args:
        game: The game on the GPU.
        size: Number of games side by side.
        seconds: Time to measure for.
    """
    return importlib.import_module(TRAINING).play_train(game, size, seconds)


Play = Callable[[DeviceGame, int, float], tuple[int, int, float]]
ROWS: dict[str, Play] = {
    "gpu_random": play_random,
    "gpu_rules": play_rules,
    "gpu_batch": play_batch,
    "gpu_train": play_train,
}


def measure(game: Game, row: str, seconds: float) -> Iterator[tuple[int, int, int, float]]:
    """Measure a row of the table; yield (batch size, games, decisions, seconds) for every batch size.

    Args:
        game: The game.
        row: Name of the row.
        seconds: Time for each figure.
    """
    device = DeviceGame(game)
    play = ROWS[row]
    for size in SIZES:
        yield size, *play(device, size, seconds)


def check_training() -> None:
    """Check that training can run.

    Raises:
        MissingExtra: `stardeck[train]` is not installed.
        ValueError: torch finds no GPU.
    """
    require("train")
    importlib.import_module(TRAINING).check()


def name() -> str:
    """Return the name of the GPU and its compute capability."""
    from stardeck.kernels.cuda import compiler

    compiler.check_device()
    found = compiler.cuda.get_current_device()
    text = found.name.decode() if isinstance(found.name, bytes) else found.name
    return f"{text}, compute capability {'.'.join(map(str, found.compute_capability))}"
