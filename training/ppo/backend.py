"""Backend of a training by self-play: games and learner on the processor or on a GPU."""

from stardeck import agents
from stardeck.envs.base.device_lanes import DeviceLanes
from stardeck.game.agent_table import is_compiled
from stardeck.game.device import DeviceGame
from stardeck.game.game import Game
from stardeck.kernels.errors import shown
from stardeck.training.policy import check_device
from stardeck.training.ppo.learner import PPOLearner
from stardeck.training.ppo.sb3_learner import MaskablePPOLearner
from stardeck.training.ppo.selfplay import Learner
from stardeck.training.recipe import FLOAT32, Recipe


def learner_on(device: str, game: Game, recipe: Recipe) -> Learner:
    """Return a learner with its games on a device.

    Args:
        device: "cpu" or "cuda".
        game: The variant of the training games.
        recipe: The recipe.

    Raises:
        ValueError: Something is missing there or not compiled; the message names it.
    """
    if device == "cpu":
        if recipe.precision != FLOAT32:
            raise ValueError(f"precision={recipe.precision!r}: must be {FLOAT32} on the processor")
        return MaskablePPOLearner(game, recipe)
    if device != "cuda":
        raise ValueError(f"device={shown(device)}: must be cpu or cuda for method 'ppo'")
    return PPOLearner(_lanes_on_gpu(game, recipe), recipe)


def _lanes_on_gpu(game, recipe):
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
    return DeviceLanes(device_game, recipe.num_envs, "random", team=True, skip_forced=True)
