"""The panel: agents of different habits against which strength is measured.

An agent that beats a single yardstick may have overfitted to it.
"""

from stardeck import agents
from stardeck.game.game import Game

PANEL = ("rules", "ppo-0.1", "cheap-combat", "same-faction")


def panel(game: Game) -> list[str]:
    """Return the agents of the panel that play a game, `rules` first, or `random` if none does."""
    return [name for name in PANEL if _plays(name, game)] or ["random"]


def _plays(name, game):
    try:
        agents.get(name, game)
    except ValueError:
        return False
    return True
