"""Backend of a training by self-play: games and learner on the processor or on a GPU."""

import torch

from stardeck import agents
from stardeck.envs.base.device_lanes import DeviceLanes
from stardeck.envs.base.lanes import Lanes
from stardeck.game.agent_table import is_compiled
from stardeck.game.device import DeviceGame
from stardeck.game.game import Game
from stardeck.kernels.errors import number_from, shown
from stardeck.training.policy import check_device
from stardeck.training.ppo.learner import PPOLearner
from stardeck.training.ppo.process_group import ALONE, Group
from stardeck.training.ppo.sb3_learner import MaskablePPOLearner
from stardeck.training.ppo.selfplay import Learner
from stardeck.training.recipe import FLOAT32, Recipe

MOST_PROCESSES = 64


def learner_on(device: str, game: Game, recipe: Recipe, group: Group = ALONE) -> Learner:
    """Return a learner with its games on a device.

    Args:
        device: "cpu" or "cuda".
        game: The variant of the training games.
        recipe: The recipe.
        group: The processes that train together; each has its share of the games.

    Raises:
        ValueError: Something is missing there or not compiled; the message names it.
    """
    if device == "cpu":
        if recipe.precision != FLOAT32:
            raise ValueError(f"precision={recipe.precision!r}: must be {FLOAT32} on the processor")
        if recipe.graphs:
            raise ValueError("graphs=True: must be False on the processor")
        if group.size == 1 and recipe.is_plain:
            return MaskablePPOLearner(game, recipe)
        lanes = Lanes(game, recipe.num_envs // group.size, "random", team=True, skip_forced=True)
        return PPOLearner(lanes, recipe, group=group, dense=False)
    if device != "cuda":
        raise ValueError(f"device={shown(device)}: must be cpu or cuda for method 'ppo'")
    return PPOLearner(_lanes_on_gpu(game, recipe, group), recipe, group=group)


def check_shares(recipe: Recipe, processes: int) -> None:
    """Raise ValueError unless games and batches of a recipe can be shared among that many processes."""
    number_from(processes, "processes", 1, MOST_PROCESSES)
    for name in ("num_envs", "batch"):
        if getattr(recipe, name) % processes:
            raise ValueError(f"processes={processes}: must divide {name}={getattr(recipe, name)}")
    collected, batch = recipe.num_envs * recipe.rollout // processes, recipe.batch // processes
    if collected < 2 or collected % min(batch, collected) == 1:
        text = f"leave more than one of {recipe.num_envs} x {recipe.rollout} decisions for each step of an update"
        raise ValueError(f"processes={processes}: must {text}")


def _lanes_on_gpu(game, recipe, group):
    if recipe.graphs and group.size > 1:
        raise ValueError(f"graphs=True: must be False with processes={group.size}")
    if recipe.search_share:
        raise ValueError(f"search_share={recipe.search_share}: must be 0 on the GPU, where no tree search is compiled")
    others = [name for name in recipe.opponents if not is_compiled(agents.get(name, game))]
    if others:
        raise ValueError(f"opponents={shown(others)}: on the GPU all must be compiled: rules, simple, a network")
    try:
        device_game = DeviceGame(game)
    except RuntimeError as error:  # there is no GPU, or no compiler for it
        raise ValueError(str(error)) from error
    check_device(device_game.torch_device)
    if device_game.torch_device == "cuda" and group.leads and torch.cuda.device_count() < group.size:
        count = torch.cuda.device_count()
        raise ValueError(f"processes={group.size}: must be at most {count}, the number of GPUs of this machine")
    return DeviceLanes(device_game, recipe.num_envs // group.size, "random", team=True, skip_forced=True)
