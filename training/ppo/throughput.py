"""Speed of a learner on a GPU: the row `gpu_train` of `stardeck bench`, computed for speed/gpu.py.

Each decision is played, with its opponents' decisions after it, stored, and learned from. It runs rollouts and updates
of learner.py against `rules`, with the units and the update of the game's recipe. There are no copies, evaluations or
checkpoints.
"""

import time
from collections.abc import Mapping
from typing import Any

from stardeck.envs.base.device_lanes import DeviceLanes
from stardeck.game.device import DeviceGame
from stardeck.training.policy import check_device
from stardeck.training.ppo.learner import PPOLearner
from stardeck.training.recipe import recipe_for

ROLLOUT = 16  # decisions in each game between two updates: with 262,144 games as many as a recipe may collect


def check() -> None:
    """Raise ValueError where torch finds no GPU."""
    check_device("cuda")


def play_train(
    game: DeviceGame, size: int, seconds: float, changes: Mapping[str, Any] | None = None
) -> tuple[int, int, float]:
    """Run rollouts with updates for many games side by side, and return (0, decisions, seconds).

    Games are not counted.

    Args:
        game: The game.
        size: Number of games.
        seconds: Time after which no further rollout begins.
        changes: Changes of the recipe, such as its precision or its batch.
    """
    numbers = {"num_envs": size, "rollout": ROLLOUT} | dict(changes or {})
    recipe = recipe_for(game.variant.game, numbers)
    lanes = DeviceLanes(game, size, "rules", team=True, skip_forced=True)
    learner = PPOLearner(lanes, recipe)
    learner.begin(0)
    rollout = learner.new_rollout()
    number = 0
    began = time.perf_counter()
    while number < 2 or time.perf_counter() - began < seconds:
        learner.collect(rollout)
        learner.update(rollout)  # its figures wait for the GPU
        number += 1
        if number == 1:  # the first round has compiled
            began = time.perf_counter()
    return 0, (number - 1) * rollout.size, time.perf_counter() - began
