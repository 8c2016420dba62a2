"""Speed of games on a GPU, by batch size: rows of `stardeck bench` (measure.py).

| row | measurement |
| --- | --- |
| `gpu_random` | games dealt and played to their end, every decision drawn uniformly from the legal actions |
| `gpu_batch` | the batch API: masks, observations, a random choice made in a kernel, applied; steps are decisions |
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


def seeds_of(number: int, size: int) -> Any:
    """Return the seeds of a batch: uint64[size].

    Args:
        number: Index of the batch.
        size: Number of games in each batch.
    """
    return np.arange(number * size, (number + 1) * size, dtype=np.uint64)


def play_random(game: DeviceGame, size: int, seconds: float) -> tuple[int, int, float]:
    """Play whole games; return (games, decisions, seconds).

    Args:
        game: The game on the GPU.
        size: Number of games side by side.
        seconds: Time to measure for.
    """
    games = steps = number = 0
    began = time.perf_counter()
    while number < 2 or time.perf_counter() - began < seconds:
        over, decisions = game.counts(game.playout(game.deal(seeds_of(number, size)), "random", number))
        number += 1
        if number == 1:  # it compiled the kernels
            began = time.perf_counter()
        else:
            games, steps = games + over, steps + decisions
    return games, steps, time.perf_counter() - began


def play_batch(game: DeviceGame, size: int, seconds: float) -> tuple[int, int, float]:
    """Play batches of decisions; return (games, decisions, seconds).

    Args:
        game: The game on the GPU.
        size: Number of games side by side.
        seconds: Time to measure for.
    """
    states = game.deal(seeds_of(0, size))
    games = number = 0
    began = time.perf_counter()
    while number < 2 or time.perf_counter() - began < seconds:
        seeds = seeds_of(number, size)
        _, _, actions = game.show_and_pick(states, seeds)
        game.apply(states, actions, check=False)
        dealt = game.deal_over(states, seeds)
        number += 1
        if number == 1:
            began = time.perf_counter()
        else:
            games += dealt
    return games, (number - 1) * size, time.perf_counter() - began


def play_train(game: DeviceGame, size: int, seconds: float) -> tuple[int, int, float]:
    """Run rollouts and updates of a learner; return (0, decisions, seconds).

    Args:
        game: The game on the GPU.
        size: Number of games side by side.
        seconds: Time to measure for.
    """
    return importlib.import_module(TRAINING).play_train(game, size, seconds)


Play = Callable[[DeviceGame, int, float], tuple[int, int, float]]
ROWS: dict[str, Play] = {"gpu_random": play_random, "gpu_batch": play_batch, "gpu_train": play_train}


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
