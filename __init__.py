"""Stardeck: space card and board games as fast reinforcement-learning environments.

game = stardeck.make("star_realms", players=2)   # batches of games on NumPy arrays
from stardeck.envs import star_realms_v1         # PettingZoo; Gymnasium: gymnasium.make("stardeck/StarRealms-v1")
"""

from stardeck.game.agent import Agent
from stardeck.game.catalogue import register_game
from stardeck.game.check_game import check_game
from stardeck.game.game import Game
from stardeck.game.registry import make, register, variants
from stardeck.kernels.errors import IllegalAction
from stardeck.moved import install

__version__ = "0.2.0.dev0"
__all__ = ["Agent", "Game", "IllegalAction", "check_game", "make", "register_game", "variants"]

install()
register()
