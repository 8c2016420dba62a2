"""Star Realms: one engine for every set and format.

The rulebook, chapter by chapter:

| chapter | module |
| --- | --- |
| Setup | `play/dealing`, `play/opening`, `cards/` |
| Play, Discard Phase, Draw Phase | `play/turn` |
| Main Phase: legal actions, questions, answers | `play/legal`, `play/questions`, `play/answers` |
| Using Abilities, Ally Abilities, Scrap Abilities | `play/abilities`, `play/effects` |
| Acquiring Cards, Scrapping Cards | `play/acquiring`, `play/trade_row`, `play/zones` |
| Attacking, Bases | `play/combat`, `play/elimination` |
| Gambits | `play/gambits`, `cards/gambits.toml` |
| Formats, Hydra, Emperor, Raid | `cards/formats`, `play/teams`, `play/raid`, `play/elimination` |
| Challenge Cards | `play/bosses`, `cards/bosses.toml` |
| Rise of Empire: "When Acquired" Abilities, Upgrading Cards | `play/acquiring`, `play/upgrades`, `play/faces` |
| Rise of Empire: Campaign Setup, Between Games, After the Campaign | `play/scenarios`, `play/scenes`, `play/campaign` |

`state` and `rules` define the records of a game and of a variant. `cards/` holds and reads the card tables. `spaces/`
(variant, actions, observe, hidden, events) is the interface for agents. `text/` (words, sentences, play_all,
positions, visibility, render, table) is the interface for people and front ends.
"""

from stardeck.kernels import verbs
from stardeck.kernels.star_realms.play import dealing, legal, turn
from stardeck.kernels.star_realms.spaces import events, hidden, observe
from stardeck.kernels.star_realms.spaces.variant import SETTINGS, list_variants, make_variant
from stardeck.kernels.star_realms.state import LARGE_STATE, STATE
from stardeck.kernels.star_realms.text.cards import cards
from stardeck.kernels.star_realms.text.log_annotations import board, news, paragraph
from stardeck.kernels.star_realms.text.play_all import grouped, play_all, progress
from stardeck.kernels.star_realms.text.positions import from_position, position
from stardeck.kernels.star_realms.text.render import headline, render
from stardeck.kernels.star_realms.text.sentences import kind, sentence
from stardeck.kernels.star_realms.text.table import table
from stardeck.kernels.star_realms.text.words import describe, is_secret, moves, parse

for dtype in (STATE, LARGE_STATE):
    verbs.implement_from(dtype, dealing, legal, turn, observe, hidden, events)

# Settings, or `setting=value`, that came after version 0: the signature of play leaves out the variants that have them.
LATER_SETTINGS = frozenset({
    "authority", "errata", "finale", "first_player", "first_turn", "first_turn_trade", "starting_deck",
    "trade_deck=none", "trade_row",
})  # fmt: skip
# Settings of games that together have every card: those of each set, and what is played by option alone.
EVERY_CARD = (
    {"set": "core"}, {"set": "box", "gambits": 2}, {"set": "box", "format": "nemesis_beast"},
    {"set": "box", "format": "pirates_of_the_dark_star"},
)  # fmt: skip

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
