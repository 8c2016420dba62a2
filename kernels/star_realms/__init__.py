"""Star Realms: one engine for every set and format.

The rulebook, chapter by chapter:

| chapter | module |
| --- | --- |
| Setup | `dealing`, `opening`, `formats.toml`, `cards/` |
| Play, Discard Phase, Draw Phase | `turn` |
| Using Abilities, Ally Abilities, Scrap Abilities | `abilities`, `effects` |
| Acquiring Cards, Scrapping Cards | `acquiring`, `trade_row`, `zones` |
| Attacking, Bases | `combat`, `elimination` |
| Gambits | `gambits`, `cards/gambits.toml` |
| Formats, Hydra, Emperor, Raid | `formats`, `formats.toml`, `teams`, `raid`, `elimination` |
| Challenge Cards | `bosses`, `cards/bosses.toml` |
| Rise of Empire: "When Acquired" Abilities, Upgrading Cards | `acquiring`, `upgrades`, `faces`, `cards/campaign` |
| Rise of Empire: Campaign Setup, Between Games, After the Campaign | `scenarios`, `scenes`, `campaign` |

`state` and `rules` say how a game and a variant are stored; `questions`, `answers` and `legal` hold the choices;
`actions`, `observe` and `words` are what agents and people see; `hidden` deals again what a seat cannot know.
"""

from stardeck.kernels import verbs
from stardeck.kernels.star_realms import dealing, hidden, legal, observe, turn
from stardeck.kernels.star_realms.positions import from_position, position
from stardeck.kernels.star_realms.render import headline, render
from stardeck.kernels.star_realms.state import LARGE_STATE, STATE
from stardeck.kernels.star_realms.variant import SETTINGS, list_variants, make_variant
from stardeck.kernels.star_realms.words import describe, is_secret, moves, parse

for dtype in (STATE, LARGE_STATE):
    verbs.implement(verbs.deal, dtype, dealing.deal)
    verbs.implement(verbs.legal_actions, dtype, legal.legal_actions)
    verbs.implement(verbs.apply, dtype, turn.apply)
    verbs.implement(verbs.observe, dtype, observe.observe)
    verbs.implement(verbs.resample_hidden, dtype, hidden.resample_hidden)

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
