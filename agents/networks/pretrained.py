"""The trained agents of the package, by method of training; each name has networks for some variants.

`expert` learned from tree search, some of them from self-play after that, and is the strongest. `ppo` learned by
self-play. `expert-0.1` and `ppo-0.1` are networks of version 0.1, kept as fixed yardsticks. Files are named after the
variant of their training; each records how it was trained and how strong it was (`about`). `ppo:any_table` also plays
with other cards than it was trained on, where actions and observations have the same layout.
"""

import json
import warnings
from functools import cache
from pathlib import Path

from stardeck.agents.networks.agent import SUFFIX, Network, NetworkAgent, NetworkError, read_network
from stardeck.agents.networks.input_layout import LayoutError
from stardeck.game.game import Game

FOLDERS = {  # by name, the newest first
    "expert": ("expert",),
    "ppo": ("ppo", "ppo_0_1"),
    "expert-0.1": ("expert_0_1",),
    "ppo-0.1": ("ppo_0_1",),
}
NAMES = tuple(FOLDERS)
BEST_FIRST = ("expert", "ppo")  # the names among which `best` chooses
ANY_TABLE = ":any_table"
FOLDER = Path(__file__).parents[1] / "trained"


def shipped(name: str) -> dict[str, Network]:
    """Return the networks of this name, by the id of the variant they were trained on."""
    found: dict[str, Network] = {}
    for folder in FOLDERS[name]:
        found = _those_in(folder) | found
    return found


@cache
def _those_in(folder):
    networks = [read_network(path) for path in sorted((FOLDER / folder).glob(f"*{SUFFIX}"))]
    return {network.about["variant"]: network for network in networks}


def is_shipped(name: str) -> bool:
    """Return true if an agent of this name comes with the package, for some game."""
    return name.removesuffix(ANY_TABLE) in FOLDERS


_best: dict[tuple[str, str], str | None] = {}  # by id and spaces of a game, since looking through files takes time


def best(game: Game) -> str | None:
    """Return the name of the strongest trained agent that plays this variant: `expert`, else `ppo`, else None."""
    key = game.id, game.spaces
    if key not in _best:
        _best[key] = next((name for name in BEST_FIRST if _network_for(game, name) is not None), None)
    return _best[key]


def agent_for(game: Game, name: str = "ppo") -> NetworkAgent:
    """Return the agent of this name for this variant, or for one with the same actions and observations.

    Args:
        game: The variant, of any version of the environments.
        name: One of NAMES. With `:any_table` after it, a network trained with other cards is taken where no other
            exists, if everything else is the same; a warning says so.

    Raises:
        NetworkError: No network plays the variant.
    """
    family, any_table = name.removesuffix(ANY_TABLE), name.endswith(ANY_TABLE)
    networks = shipped(family)
    if (own := _network_for(game, family)) is not None:
        return NetworkAgent(own, family)
    fitting = [variant for variant in networks if _fits(variant, networks[variant], game)]
    if any_table and fitting:
        warnings.warn(f"agent {name!r}: was trained on {fitting[0]}, not on {game.id}", stacklevel=2)
        return NetworkAgent(networks[fitting[0]].arranged(game, any_cards=True), name)
    known = ", ".join(networks) or "no variant"
    asked = f"; {family}{ANY_TABLE} plays it anyway" if fitting else ""
    raise NetworkError(f"agent {name!r}: no network was trained for {game.id}; there are networks for {known}{asked}")


def _network_for(game, family):
    """Return the network of this name for a variant, or None."""
    networks = shipped(family)
    own = [networks[game.id]] if game.id in networks else []
    return next((network for network in [*own, *networks.values()] if _plays(network, game)), None)


def _plays(network, game):
    try:
        network.arranged(game)
    except LayoutError:
        return False
    return True


def _fits(variant, network, game):
    """Return true if a game differs from a variant of training only in the names of cards, as a network sees it."""
    name = variant.partition("/")[0]
    return name == game.variant.game and _shape(_trained_on(name, network.about["settings"])) == _shape(game)


@cache
def _trained_on(name, settings):
    return Game.named(name, json.loads(settings))


def _shape(game):
    """Return the form of actions and observations, whatever the cards are called."""
    actions = [(action.act.name, *map(int, action[1:])) for action in game.variant.actions]
    layout = [[row[key] for key in ("name", "offset", "size", "scale")] for row in game.observation_table()]
    return game.variant.version, actions, layout
