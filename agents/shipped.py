"""The trained agents that come with the package: `ppo` is the one for the game at hand.

Files are named after the variant they were trained on; each says how it was made and how strong it was (`about`).
`ppo:any_table` plays also with other cards than it was trained on, where actions and observations are laid out alike.
"""

import json
import warnings
from functools import cache
from pathlib import Path

from stardeck.agents.layout import LayoutError
from stardeck.agents.network import SUFFIX, Network, NetworkAgent, NetworkError, read_network
from stardeck.envs.game import Game

NAME = "ppo"
ANY_TABLE = f"{NAME}:any_table"
FOLDER = Path(__file__).parent / "trained"


@cache
def shipped() -> dict[str, Network]:
    """The networks that come with the package, by the id of the variant they were trained on."""
    networks = [read_network(path) for path in sorted(FOLDER.glob(f"*{SUFFIX}"))]
    return {network.about["variant"]: network for network in networks}


def agent_for(game: Game, any_table: bool = False) -> NetworkAgent:
    """The agent trained on this variant, or one with the same actions and observations, of whatever version.

    Raises NetworkError.

    any_table: where there is none, one that was trained with other cards, if all else is the same; it warns of that.
    """
    networks = shipped()
    own = [networks[game.id]] if game.id in networks else []
    for network in [*own, *networks.values()]:
        if _plays(network, game):
            return NetworkAgent(network, NAME)
    fitting = [variant for variant in networks if _fits(variant, game)]
    if any_table and fitting:
        warnings.warn(f"agent {ANY_TABLE!r}: was trained on {fitting[0]}, not on {game.id}", stacklevel=2)
        return NetworkAgent(networks[fitting[0]].arranged(game, any_cards=True), ANY_TABLE)
    known = ", ".join(networks) or "no variant"
    asked = f"; {ANY_TABLE} plays it all the same" if fitting else ""
    name = ANY_TABLE if any_table else NAME
    raise NetworkError(f"agent {name!r}: none was trained for {game.id}; there is one for {known}{asked}")


def _plays(network, game):
    try:
        network.arranged(game)
    except LayoutError:
        return False
    return True


def _fits(variant, game):
    """Whether a game differs from a variant that was trained on by nothing that a network meets but cards."""
    name = variant.partition("/")[0]
    return name == game.variant.game and _shape(_trained_on(variant)) == _shape(game)


@cache
def _trained_on(variant):
    return Game.named(variant.partition("/")[0], json.loads(shipped()[variant].about["settings"]))


def _shape(game):
    """What actions and observations are, whatever the cards are called."""
    actions = [(action.act.name, *map(int, action[1:])) for action in game.variant.actions]
    layout = [[row[key] for key in ("name", "offset", "size", "scale")] for row in game.observation_table()]
    return game.variant.version, actions, layout
