"""How many games a part of the report plays with an agent: slower agents play fewer."""

from stardeck import agents as players
from stardeck.agents.networks.agent import NetworkAgent
from stardeck.game.agent_table import is_compiled
from stardeck.game.game import Game

NETWORK, SEARCH = 20, 2_000  # a game costs about this many games of a rule-based agent
FEWEST = 200


def games_of(agent: str, game: Game, games: int) -> int:
    """Return the number of games of an agent within a budget.

    Args:
        agent: Text of the agent.
        game: Variant.
        games: Budget, in games of a rule-based agent.
    """
    player = players.get(agent, game)
    cost = NETWORK if isinstance(player, NetworkAgent) else 1 if is_compiled(player) else SEARCH
    return max(min(games, FEWEST), games // cost)
