"""The words of card rows: `rows` reads a row by them, and `compiling` turns it into the arrays that kernels read.

| column | words |
| --- | --- |
| `primary`, `ally`, `scrap`, `acquired` | the texts of EFFECTS; "or" separates alternatives |
| `faction`, `ally_faction` | factions of the set; the ally ability's trigger is the card's faction or `ally_faction` |
| `acquired` | effects that happen when the card is acquired |
| `pack` | `post_campaign`: the card joins the trade deck if the setting `trade_deck` says so |
| `erratum` | columns of ERRATUM that a later printing changes; for tables and games with `errata = true` |
| `continuous` | the texts of CONTINUOUS; for gambits, those of GAMBIT_CONTINUOUS |
| `abilities` of a Boss | the texts of BOSS_EFFECTS |

A table with `like = "core"` (or another file's path) inherits that table; its own rows replace or extend the inherited
rows. Ids use the table's `name`, by default the name of its file. `errata = true`: all cards have their errata.
"""

import re

from stardeck.kernels.star_realms.rules import BossOp, Kind, Op

COLUMNS = (
    "name", "faction", "kind", "cost", "defense", "copies",
    "primary", "continuous", "ally", "ally_faction", "scrap", "acquired", "pack", "erratum", "source", "reconstructed",
)  # fmt: skip
ERRATUM = ("faction", "cost", "defense", "primary", "continuous", "ally", "ally_faction", "scrap", "acquired", "source")
PACKS = ("trade_deck", "post_campaign")
KINDS = {"ship": Kind.SHIP, "base": Kind.BASE, "outpost": Kind.OUTPOST}
# The meaning of a text: (pattern, operation, other fields of the effect). N is the amount.
EFFECTS = (
    ("trade N", Op.TRADE, {}),
    ("combat N", Op.COMBAT, {}),
    ("authority N", Op.AUTHORITY, {}),
    ("draw N", Op.DRAW, {}),
    ("draw N with B bases", Op.DRAW, {}),
    ("may draw N", Op.DRAW, {"optional": 1}),
    ("may draw N then discard D", Op.DRAW_THEN_DISCARD, {"optional": 1}),
    ("draw N per F played", Op.DRAW_PER_PLAYED, {}),
    ("opponent discards N", Op.OPPONENT_DISCARDS, {}),
    ("next ship on top", Op.NEXT_SHIP_ON_TOP, {}),
    ("scrap N from hand", Op.SCRAP_FROM_HAND, {}),
    ("may scrap N from hand", Op.SCRAP_FROM_HAND, {"optional": 1}),
    ("scrap N from hand or discard", Op.SCRAP_FROM_HAND_OR_DISCARD, {}),
    ("may scrap N from hand or discard", Op.SCRAP_FROM_HAND_OR_DISCARD, {"optional": 1}),
    ("scrap up to N from hand or discard then draw as many", Op.SCRAP_FROM_HAND_OR_DISCARD,
     {"optional": 1, "then_draw": 1}),
    ("scrap up to N from hand or discard", Op.SCRAP_FROM_HAND_OR_DISCARD, {"optional": 1}),
    ("scrap up to N from hand or discard then combat C each", Op.SCRAP_FROM_HAND_OR_DISCARD, {"optional": 1}),
    ("scrap N from trade row", Op.SCRAP_FROM_TRADE_ROW, {}),
    ("scrap up to N from trade row", Op.SCRAP_FROM_TRADE_ROW, {"optional": 1}),
    ("scrap up to N from trade row then combat C each", Op.SCRAP_FROM_TRADE_ROW, {"optional": 1}),
    ("scrap up to N from trade row then authority A each", Op.SCRAP_FROM_TRADE_ROW, {"optional": 1}),
    ("may scrap N from trade row", Op.SCRAP_FROM_TRADE_ROW, {"optional": 1}),
    ("destroy base", Op.DESTROY_BASE, {}),
    ("may destroy base", Op.DESTROY_BASE, {"optional": 1}),
    ("acquire ship to deck", Op.ACQUIRE_SHIP_TO_DECK, {}),
    ("may acquire ship of cost up to N from trade row to deck", Op.ACQUIRE_SHIP_FROM_ROW, {"optional": 1}),
    ("discard up to N then draw as many", Op.DISCARD, {"optional": 1, "then_draw": 1}),
    ("discard up to N then combat C each", Op.DISCARD, {"optional": 1}),
    ("trade row costs N less", Op.COST_REDUCTION, {}),
    ("copy ship", Op.COPY_SHIP, {}),
    ("name faction", Op.NAME_FACTION, {}),
    ("put N from discard on deck", Op.PUT_ON_DECK, {}),
    ("acquire card of cost up to N", Op.ACQUIRE_UP_TO, {}),
    ("pay trade to keep 1 of as many gambits", Op.WILD_GAMBIT, {}),
)  # fmt: skip
CONTINUOUS = {
    "combat N for every ship": {"ship_combat_at_once": 1},
    "combat N for every ship played": {"ship_combat_at_once": 0},
    "ally for every faction": {},
}
GAMBIT_CONTINUOUS = {"attacks on you N less": "shield", "combat N each turn": "combat"}
BOSS_EFFECTS = (
    ("discard N", BossOp.DISCARD),
    ("destroy base or combat C", BossOp.DESTROY_BASE),
    ("random card of hand to deck", BossOp.HAND_TO_DECK),
    ("authority N", BossOp.AUTHORITY),
    ("attack N per cost", BossOp.ATTACK_PER_COST),
    ("attack N per highest cost in trade row", BossOp.ATTACK_PER_HIGHEST_COST),
    ("authority N per cost", BossOp.AUTHORITY_PER_COST),
)
# The word that names an alternative in a move: `choose trade`, `use Barter World: authority`.
OPTION_WORDS = {
    Op.TRADE: "trade",
    Op.COMBAT: "combat",
    Op.AUTHORITY: "authority",
    Op.DRAW: "draw",
    Op.DRAW_PER_PLAYED: "draw",
    Op.DISCARD: "discard",
    Op.OPPONENT_DISCARDS: "discard",
    Op.SCRAP_FROM_HAND: "scrap",
    Op.SCRAP_FROM_HAND_OR_DISCARD: "scrap",
    Op.SCRAP_FROM_TRADE_ROW: "scrap",
    Op.DESTROY_BASE: "destroy",
    Op.ACQUIRE_SHIP_TO_DECK: "acquire",
    Op.NEXT_SHIP_ON_TOP: "top",
    Op.COPY_SHIP: "copy",
    Op.NAME_FACTION: "faction",
    Op.PUT_ON_DECK: "put",
    Op.ACQUIRE_UP_TO: "acquire",
    Op.WILD_GAMBIT: "gambit",
    Op.DRAW_THEN_DISCARD: "draw",
    Op.COST_REDUCTION: "cost",
    Op.ACQUIRE_SHIP_FROM_ROW: "acquire",
}
LETTERS = {"C": "then_combat", "A": "then_authority", "D": "detail", "B": "bases"}  # in texts of EFFECTS, besides N


def _pattern(text):
    for letter in "NABCD":
        text = re.sub(rf"\b{letter}\b", rf"(?P<{letter}>\\d+)", text)
    return re.compile(re.sub(r"\bF\b", r"(?P<F>\\w+)", text) + r"\Z")


EFFECT_PATTERNS = tuple((_pattern(text), op, fields) for text, op, fields in EFFECTS)
GAMBIT_PATTERNS = tuple((_pattern(text), field) for text, field in GAMBIT_CONTINUOUS.items())
BOSS_PATTERNS = tuple((_pattern(text), op) for text, op in BOSS_EFFECTS)
CONTINUOUS_PATTERNS = tuple((_pattern(text), fields) for text, fields in CONTINUOUS.items())
