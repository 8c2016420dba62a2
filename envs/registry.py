"""The games by name: `make`, `variants`, and their registration with PettingZoo and Gymnasium."""

import importlib
from typing import NamedTuple

from stardeck.envs.game import Game
from stardeck.kernels.errors import shown


class Entry(NamedTuple):
    """Where a game is: its kernel package, its compiled agents, its PettingZoo module and its Gymnasium name."""

    package: str
    agents: str
    module: str
    gymnasium_id: str


GAMES = {
    "star_realms": Entry(
        "stardeck.kernels.star_realms", "stardeck.agents.star_realms", "star_realms_v0", "StarRealms-v0"
    ),
    "rise_of_empire": Entry(
        "stardeck.kernels.rise_of_empire", "stardeck.agents.star_realms", "rise_of_empire_v0", "RiseOfEmpire-v0"
    ),
    "interstellar_empire": Entry(
        "stardeck.kernels.interstellar_empire",
        "stardeck.agents.interstellar_empire",
        "interstellar_empire_v0",
        "InterstellarEmpire-v0",
    ),
    "empire_of_the_stars": Entry(
        "stardeck.kernels.empire_of_the_stars",
        "stardeck.agents.empire_of_the_stars",
        "empire_of_the_stars_v0",
        "EmpireOfTheStars-v0",
    ),
}


def _package(name):
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"game={shown(name)}: must be one of {', '.join(GAMES)}")
    importlib.import_module(GAMES[name].agents)  # registers the verb `choose`
    return importlib.import_module(GAMES[name].package)


def make(name: str, /, **settings) -> Game:
    """The game with these settings: `stardeck.make("star_realms", players=2)`.

    Settings left out have their defaults. ValueError names the setting, the value and what is allowed.
    """
    package = _package(name)
    return Game(package, package.make_variant(**settings))


def settings_of(name: str):
    """The settings of a game: tuple of `kernels.settings.Setting`."""
    return _package(name).SETTINGS


def variants() -> list[dict]:
    """Every variant: {id, game, settings}; `make(v["game"], **v["settings"])` plays it."""
    listed = []
    for name in GAMES:
        package = _package(name)
        for settings in package.list_variants():
            listed.append({"id": package.make_variant(**settings).id, "game": name, "settings": settings})
    return listed


def register() -> None:
    """Register every game with Gymnasium and, where it has a registry (1.27 and later), with PettingZoo; once."""
    import gymnasium
    import pettingzoo

    for entry in GAMES.values():
        name = f"stardeck/{entry.gymnasium_id}"
        if name in gymnasium.registry:
            continue
        module = f"stardeck.envs.{entry.module}"
        gymnasium.register(name, f"{module}:SingleAgentEnv", vector_entry_point=f"{module}:VectorEnv")
        if hasattr(pettingzoo, "register"):
            for kind, function in (("aec", "env"), ("parallel", "parallel_env")):
                point = f"stardeck.envs.{entry.module}:{function}"
                pettingzoo.register(kind, id=f"stardeck/{entry.module}", entry_point=point)
