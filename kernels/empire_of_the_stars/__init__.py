"""Empire of the Stars."""

from stardeck.kernels import verbs
from stardeck.kernels.empire_of_the_stars import dealing, hidden, legal, observe, turn
from stardeck.kernels.empire_of_the_stars.positions import position
from stardeck.kernels.empire_of_the_stars.reading import from_position
from stardeck.kernels.empire_of_the_stars.render import headline, render
from stardeck.kernels.empire_of_the_stars.state import STATE
from stardeck.kernels.empire_of_the_stars.variant import SETTINGS, list_variants, make_variant
from stardeck.kernels.empire_of_the_stars.words import describe, moves, parse

verbs.implement(verbs.deal, STATE, dealing.deal)
verbs.implement(verbs.legal_actions, STATE, legal.legal_actions)
verbs.implement(verbs.apply, STATE, turn.apply)
verbs.implement(verbs.observe, STATE, observe.observe)
verbs.implement(verbs.resample_hidden, STATE, hidden.resample_hidden)

__all__ = [
    "SETTINGS",
    "describe",
    "from_position",
    "headline",
    "list_variants",
    "make_variant",
    "moves",
    "parse",
    "position",
    "render",
]
