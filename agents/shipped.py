"""The trained agents that come with the package: `ppo` is the one for the game at hand.

Files are named after the variant they were trained on; each says how it was made and how strong it was (`about`).
"""

from functools import cache
from pathlib import Path

from stardeck.agents.network import SUFFIX, Network, NetworkAgent, NetworkError, read_network
from stardeck.envs.game import Game

NAME = "ppo"
FOLDER = Path(__file__).parent / "trained"


@cache
def shipped() -> dict[str, Network]:
    """The networks that come with the package, by the id of the variant they were trained on."""
    networks = [read_network(path) for path in sorted(FOLDER.glob(f"*{SUFFIX}"))]
    return {network.about["variant"]: network for network in networks}


def agent_for(game: Game) -> NetworkAgent:
    """The agent trained on this variant, or on one with the same actions and observations. Raises NetworkError."""
    networks = shipped()
    alike = [network for network in networks.values() if network.spaces == game.spaces]
    if game.id in networks and networks[game.id] in alike:
        return NetworkAgent(networks[game.id], NAME)
    if alike:
        return NetworkAgent(alike[0], NAME)
    known = ", ".join(networks) or "no variant"
    raise NetworkError(f"agent {NAME!r}: none was trained for {game.id}; there is one for {known}")
