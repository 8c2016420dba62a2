"""The panel: agents of unlike habits that strength is measured against. What beats one yardstick may have learned it by
heart."""

from stardeck import agents
from stardeck.game.game import Game

PANEL = ("rules", "ppo-0.1", "velocity", "hare")


def panel(game: Game) -> list[str]:
    """Return those of the panel that play a game, `rules` first; `random` where none does."""
    return [name for name in PANEL if _plays(name, game)] or ["random"]


def _plays(name, game):
    try:
        agents.get(name, game)
    except ValueError:
        return False
    return True
