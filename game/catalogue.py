"""The games that come with the package: where the parts of each are."""

import importlib
from typing import Any, NamedTuple, cast

from stardeck.kernels.contract.variant import GamePackage
from stardeck.kernels.errors import shown

AGENTS = "stardeck.agents"  # by its name, for it stands above the games


class Entry(NamedTuple):
    """Where a game is: its kernel package, its compiled agents, its PettingZoo module and its Gymnasium name."""

    package: str
    agents: str
    module: str
    gymnasium_id: str

    def versions(self) -> list["Entry"]:
        """This entry as it is in every version of the environments, from 0 on."""
        module, _, newest = self.module.rpartition("_v")
        name = self.gymnasium_id.rpartition("-v")[0]
        return [
            self._replace(module=f"{module}_v{number}", gymnasium_id=f"{name}-v{number}")
            for number in range(int(newest) + 1)
        ]


GAMES = {
    "star_realms": Entry(
        "stardeck.kernels.star_realms", "stardeck.agents.star_realms", "star_realms_v1", "StarRealms-v1"
    ),
    "rise_of_empire": Entry(
        "stardeck.kernels.rise_of_empire", "stardeck.agents.star_realms", "rise_of_empire_v1", "RiseOfEmpire-v1"
    ),
    "interstellar_empire": Entry(
        "stardeck.kernels.interstellar_empire",
        "stardeck.agents.interstellar_empire",
        "interstellar_empire_v1",
        "InterstellarEmpire-v1",
    ),
    "empire_of_the_stars": Entry(
        "stardeck.kernels.empire_of_the_stars",
        "stardeck.agents.empire_of_the_stars",
        "empire_of_the_stars_v1",
        "EmpireOfTheStars-v1",
    ),
}


def load(name: str) -> GamePackage[Any]:
    """The kernel package of a game, with its compiled agents. ValueError names the games there are."""
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"game={shown(name)}: must be one of {', '.join(GAMES)}")
    for agents in (AGENTS, GAMES[name].agents):  # which register how names become agents, and the verb `choose`
        importlib.import_module(agents)
    return kernels_of(name)


def kernels_of(name: str) -> GamePackage[Any]:
    """The kernel package of one of GAMES, without agents."""
    return cast(GamePackage[Any], importlib.import_module(GAMES[name].package))
