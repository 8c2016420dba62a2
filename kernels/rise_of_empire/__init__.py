"""The campaign of Star Realms: Rise of Empire as one game of twelve scenarios whose trade deck keeps its stickers.

The kernels of Star Realms play it; `kernels/star_realms/play/campaign.py` moves from game to game. This package holds
its variant and its positions. Each seat is one side: player_0 is the Star Empire, player_1 the Trade Federation.
"""

from stardeck.kernels.rise_of_empire.positions import from_position, position
from stardeck.kernels.rise_of_empire.variant import SETTINGS, list_variants, make_variant
from stardeck.kernels.star_realms.text.cards import cards
from stardeck.kernels.star_realms.text.log_annotations import board, news, paragraph
from stardeck.kernels.star_realms.text.play_all import grouped, play_all, progress
from stardeck.kernels.star_realms.text.render import headline, render
from stardeck.kernels.star_realms.text.sentences import kind, sentence
from stardeck.kernels.star_realms.text.table import table
from stardeck.kernels.star_realms.text.words import describe, is_secret, moves, parse

# Settings that came after version 0: the signature of play leaves out the variants that have them.
LATER_SETTINGS = frozenset({"finale"})

__all__ = [
    "SETTINGS",
    "board",
    "cards",
    "describe",
    "from_position",
    "grouped",
    "headline",
    "is_secret",
    "kind",
    "list_variants",
    "make_variant",
    "moves",
    "news",
    "paragraph",
    "parse",
    "play_all",
    "position",
    "progress",
    "render",
    "sentence",
    "table",
]
