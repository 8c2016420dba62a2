"""Environments of a registered game that has no environment module: the same classes as for the built-in games."""

import importlib
from types import ModuleType
from typing import Any

from stardeck.envs.base.aec import AECGame, environments
from stardeck.envs.base.rendering import RENDER_MODES
from stardeck.envs.base.single_agent import SingleAgentGame
from stardeck.envs.base.vector import VectorGame
from stardeck.game.catalogue import GAMES, default_agent


def fill(module: ModuleType, name: str) -> None:
    """Put the environments of a registered game into a module.

    Args:
        module: An empty module, `stardeck.envs.<game>_v<number>`.
        name: The name of the game.
    """
    opponent, version = default_agent(name), GAMES[name].version
    title = "".join(part.capitalize() for part in name.split("_"))
    package = GAMES[name].package
    package = importlib.import_module(package) if isinstance(package, str) else package

    class Game(AECGame):
        game_name = name
        metadata = {"name": version, "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 1}

    class SingleAgentEnv(SingleAgentGame):
        game_name = name

        def __init__(self, seat: int | str = 0, opponents: Any = opponent, **options: Any) -> None:
            super().__init__(seat, opponents, **options)

    class VectorEnv(VectorGame):
        game_name = name

        def __init__(
            self, num_envs: int = 1, seat: int | str = 0, opponents: Any = opponent, team: bool = False, **options: Any
        ) -> None:
            super().__init__(num_envs, seat, opponents, team, **options)

    for made, known in ((Game, title), (SingleAgentEnv, "SingleAgentEnv"), (VectorEnv, "VectorEnv")):
        made.__module__, made.__name__, made.__qualname__ = module.__name__, known, known
        made.__doc__ = f"{name} as an environment; see the module's manual."
        setattr(module, known, made)
    module.__doc__ = f"{name} as environments, made from the game.\n\n{getattr(package, '__doc__', None) or ''}"
    module.__dict__.update(zip(("env", "raw_env", "parallel_env"), environments(Game), strict=True))
