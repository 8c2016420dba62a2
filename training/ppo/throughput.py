"""How fast a learner is on a GPU: the row `gpu_train` of `stardeck bench`, which speed/gpu.py asks for.

A decision is played, with its opponents' after it, kept, and learned from: rollouts and updates of ppo.py, with the
units and the update of the game's recipe, against `rules`. There are no copies, evaluations or checkpoints.
"""

import time

from stardeck.envs.base.device_lanes import DeviceLanes
from stardeck.game.device import DeviceGame
from stardeck.training.policy import check_device
from stardeck.training.ppo.learner import Ppo
from stardeck.training.ppo.rollout import Rollout
from stardeck.training.recipe import recipe_for

ROLLOUT = 16  # decisions in each game between two updates: of 262,144 games as many as a recipe may collect


def check() -> None:
    """ValueError where torch finds no GPU."""
    check_device("cuda")


def play_train(game: DeviceGame, size: int, seconds: float) -> tuple[int, int, float]:
    """Rollouts with their updates, for so many games side by side: (0, decisions, seconds).

    Games are not counted.
    """
    numbers = {"num_envs": size, "rollout": ROLLOUT}
    recipe = recipe_for(game.variant.game, numbers)
    lanes = DeviceLanes(game, size, "rules", team=True, skip_forced=True)
    learner = Ppo(lanes, recipe)
    learner.begin(0)
    rollout = Rollout(ROLLOUT, size, game.observation_size, game.num_actions, lanes.device)
    number = 0
    began = time.perf_counter()
    while number < 2 or time.perf_counter() - began < seconds:
        learner.collect(rollout)
        learner.update(rollout)  # whose figures wait for the GPU
        number += 1
        if number == 1:  # which has compiled
            began = time.perf_counter()
    return 0, (number - 1) * rollout.size, time.perf_counter() - began
