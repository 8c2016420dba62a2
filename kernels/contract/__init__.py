"""Contract of a game: settings, variants and tables of cards."""

from stardeck.kernels.contract.variant import GamePackage, Variant

__all__ = ["GamePackage", "Variant"]
