"""Empire of the Stars.

The rulebook, chapter by chapter:

| chapter | module |
| --- | --- |
| Game Components: board, tiles, market, edicts, powers, technologies | `tables`, `vocabulary`, the `.toml` files |
| Set Up, Playing with 2 players, Set up for first time players | `dealing` |
| Gameplay: the Monolith, the scepter | `rondel`, `turn` |
| Player Powers: before, during and after a role; surge | `windows`, `effects`, `working` |
| The Emperor and ending the game | `emperor` |
| Explorer | `explorer`, `display` |
| Steward | `steward` |
| Merchant | `merchant` |
| Engineer | `engineer` |
| Scientist | `scientist` |
| Warlord: movement, the turn, battles | `movement`, `warlord`, `battle` |
| Regent | `regent` |

`state`, `rules` and `galaxy` say how a game, a variant and the board are stored; `questions` and `legal` hold the
questions and answers; `actions`, `observe`, `words`, `positions`, `reading` and `render` are what agents and people
see; `hidden` deals again what a seat cannot know. The rules are printed; board, powers, technologies, edicts and parts
of tiles and market were never published in a form that could be read: the tables are a labelled reconstruction.
"""

from stardeck.kernels import verbs
from stardeck.kernels.empire_of_the_stars import dealing, hidden, legal, observe, turn
from stardeck.kernels.empire_of_the_stars.positions import position
from stardeck.kernels.empire_of_the_stars.reading import from_position
from stardeck.kernels.empire_of_the_stars.render import headline, render
from stardeck.kernels.empire_of_the_stars.state import STATE
from stardeck.kernels.empire_of_the_stars.variant import SETTINGS, list_variants, make_variant
from stardeck.kernels.empire_of_the_stars.words import describe, is_secret, moves, parse

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
