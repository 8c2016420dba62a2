"""Interstellar Empire.

The rulebook, chapter by chapter:

| chapter | module |
| --- | --- |
| 60 Card Deck, Ship, Planet and Special Cards | `cards`, `cards.toml` |
| Set Up | `dealing` |
| Sequence Of Play: untap, draw, build, next player; Optional Rules | `turn` |
| Explore, Build: payment and what others may do about it | `planets` |
| War | `war` |
| Special Cards: picks, Ancient Artifact | `picks` |
| Victory | `ending` |

`state` and `rules` say how a game and a variant are stored; `asking` and `legal` hold the questions and answers;
`actions`, `observe` and `words` are what agents and people see; `hidden` deals again what a seat cannot know. The card
list was never published in a text that could be reached: `cards.toml` is a labelled reconstruction.
"""

from stardeck.kernels import verbs
from stardeck.kernels.interstellar_empire import dealing, hidden, legal, observe, turn
from stardeck.kernels.interstellar_empire.positions import from_position, position
from stardeck.kernels.interstellar_empire.render import headline, render
from stardeck.kernels.interstellar_empire.state import STATE
from stardeck.kernels.interstellar_empire.variant import SETTINGS, list_variants, make_variant
from stardeck.kernels.interstellar_empire.words import describe, is_secret, moves, parse

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
    "is_secret",
    "list_variants",
    "make_variant",
    "moves",
    "parse",
    "position",
    "render",
]
