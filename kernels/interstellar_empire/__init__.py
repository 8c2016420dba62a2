"""Interstellar Empire.

The rulebook, chapter by chapter:

| chapter | module |
| --- | --- |
| 60 Card Deck, Ship, Planet and Special Cards | `cards/table`, `cards/cards.toml` |
| Set Up | `play/dealing` |
| Sequence Of Play: untap, draw, build, next player; Optional Rules | `play/turn` |
| Explore, Build: payment and reactions to it | `play/planets` |
| War | `play/war` |
| Special Cards: picks, Ancient Artifact | `play/picks` |
| Victory | `play/ending` |

`state` and `rules` define the records of a game and of a variant. `play/asking` and `play/legal` hold the questions and
the legal answers. `spaces/` (variant, actions, observe, hidden, believed, events) is the interface for agents. `text/`
(words, sentences, positions, visibility, render, table) is the interface for people and front ends. The card list was
never published as readable text: `cards/cards.toml` is a labelled reconstruction.
"""

from stardeck.kernels import verbs
from stardeck.kernels.interstellar_empire.play import dealing, legal, turn
from stardeck.kernels.interstellar_empire.spaces import believed, events, hidden, observe
from stardeck.kernels.interstellar_empire.spaces.variant import SETTINGS, list_variants, make_variant
from stardeck.kernels.interstellar_empire.state import STATE
from stardeck.kernels.interstellar_empire.text.cards import cards
from stardeck.kernels.interstellar_empire.text.log_annotations import board, news, paragraph
from stardeck.kernels.interstellar_empire.text.positions import from_position, position
from stardeck.kernels.interstellar_empire.text.render import headline, render
from stardeck.kernels.interstellar_empire.text.sentences import grouped, kind, play_all, progress, sentence
from stardeck.kernels.interstellar_empire.text.table import table
from stardeck.kernels.interstellar_empire.text.words import describe, is_secret, moves, parse

verbs.implement_from(STATE, dealing, legal, turn, observe, hidden, believed, events)

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
