"""Empire of the Stars.

The rulebook, chapter by chapter:

| chapter | module |
| --- | --- |
| Game Components: board, tiles, market, edicts, powers, technologies | `cards/tables`, the `.toml` files |
| Set Up, Playing with 2 players, Set up for first time players | `play/dealing` |
| Gameplay: the Monolith, the scepter | `play/rondel`, `play/turn` |
| Player Powers: before, during, after a role; surge | `play/windows`, `play/effects`, `play/working`, `play/choices/` |
| The Emperor and ending the game | `play/emperor` |
| Explorer | `play/roles/explorer`, `play/display` |
| Steward | `play/roles/steward` |
| Merchant | `play/roles/merchant` |
| Engineer | `play/roles/engineer` |
| Scientist | `play/roles/scientist`, `play/technologies` |
| Warlord: movement, the turn, battles | `play/movement`, `play/roles/warlord`, `play/battle/` |
| Regent | `play/roles/regent` |

Each role is one module: its questions, the legal answers and their results. `play/turn` calls the module of the present
role. `state`, `rules`, `operations` and `play/galaxy` define the records of a game, a variant, effects and the board.
`cards/` reads the tables. `spaces/` (variant, actions, observe, hidden, events) is the interface for agents. `text/`
(words, sentences, positions, position_reader, visibility, render, table) is the interface for people and front ends.
Imports run from `text` to `spaces`, `play` and `rules`; `cards` is on the same level as `play`.

A new sentence on a card is an operation. Add its member, values and row in `operations`. Apply it in the module of its
rule. If it asks a question, add a module or function in `play/choices/`, its lines in `play/working` and its question
in `text/words`.

The rules are printed. Board, powers, technologies, edicts, and parts of tiles and market were never published in a
readable form: these tables are a labelled reconstruction.
"""

from stardeck.kernels import verbs
from stardeck.kernels.empire_of_the_stars.play import dealing, turn
from stardeck.kernels.empire_of_the_stars.spaces import events, hidden, observe
from stardeck.kernels.empire_of_the_stars.spaces.variant import SETTINGS, list_variants, make_variant
from stardeck.kernels.empire_of_the_stars.state import STATE
from stardeck.kernels.empire_of_the_stars.text.cards import cards
from stardeck.kernels.empire_of_the_stars.text.log_annotations import board, news, paragraph
from stardeck.kernels.empire_of_the_stars.text.position_reader import from_position
from stardeck.kernels.empire_of_the_stars.text.positions import position
from stardeck.kernels.empire_of_the_stars.text.render import headline, render
from stardeck.kernels.empire_of_the_stars.text.sentences import grouped, kind, play_all, progress, sentence
from stardeck.kernels.empire_of_the_stars.text.table import table
from stardeck.kernels.empire_of_the_stars.text.words import describe, is_secret, moves, parse

verbs.implement_from(STATE, dealing, turn, observe, hidden, events)

# Settings that came after version 0: the signature of play leaves out the variants that have them.
LATER_SETTINGS = frozenset({"at_limit", "bonus_points"})

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
