"""Card abilities in words, generated from the tables."""

from stardeck.kernels.star_realms.cards.campaign import Change
from stardeck.kernels.star_realms.cards.card import Boss, Card, CardSet, Effect, Gambit
from stardeck.kernels.star_realms.rules import BossOp, Kind, Op

# Words for effects. N is the amount; {then} is the gain for each card chosen; {may} appears if the effect is optional.
EFFECTS = {
    Op.TRADE: "+{n} trade",
    Op.COMBAT: "+{n} combat",
    Op.AUTHORITY: "+{n} authority",
    Op.DRAW: "{may}draw {cards}{bases}",
    Op.DRAW_PER_PLAYED: "draw a card for each {faction} card that you have played this turn, this one included",
    Op.DRAW_THEN_DISCARD: "{may}draw {cards}, then discard {detail}",
    Op.OPPONENT_DISCARDS: "an opponent discards {cards}",
    Op.NEXT_SHIP_ON_TOP: "the next ship you acquire this turn may go on top of your deck",
    Op.SCRAP_FROM_HAND: "{may}scrap {cards} from your hand{then}",
    Op.SCRAP_FROM_HAND_OR_DISCARD: "{may}scrap {cards} from your hand or discard pile{then}",
    Op.SCRAP_FROM_TRADE_ROW: "{may}scrap {cards} from the trade row{then}",
    Op.DESTROY_BASE: "{may}destroy a base",
    Op.ACQUIRE_SHIP_TO_DECK: "acquire a ship for free, on top of your deck",
    Op.ACQUIRE_SHIP_FROM_ROW: "{may}acquire a ship of the trade row that costs up to {n} for free, on top of your deck",
    Op.DISCARD: "{may}discard {cards}{then}",
    Op.COST_REDUCTION: "cards of the trade row cost you {n} less this turn",
    Op.COPY_SHIP: "becomes a copy of another ship that you have played this turn",
    Op.NAME_FACTION: "name a faction: it is a card of that faction too",
    Op.PUT_ON_DECK: "put {cards} of your discard pile on top of your deck",
    Op.ACQUIRE_UP_TO: "acquire a card that costs up to {n} for free",
    Op.WILD_GAMBIT: "pay trade to look at as many unused gambits, and keep one",
}
BOSS_EFFECTS = {
    BossOp.DISCARD: "each player discards {cards}",
    BossOp.DESTROY_BASE: "each player loses a base, or {other} authority",
    BossOp.HAND_TO_DECK: "a card of each player's hand, at random, goes on top of the deck",
    BossOp.AUTHORITY: "it gains {n} authority",
    BossOp.ATTACK_PER_COST: "it attacks with {n} combat for each trade that the revealed card costs",
    BossOp.ATTACK_PER_HIGHEST_COST: "it attacks with {n} combat for each trade of the dearest card in the trade row",
    BossOp.AUTHORITY_PER_COST: "it gains {n} authority for each trade that the revealed card costs",
}


def _cards(count):
    return "a card" if count == 1 else f"{count} cards"


def _then(effect):
    """Return the gain for each card chosen."""
    gains = [("draw a card", effect.then_draw)]
    gains += [(f"+{effect.then_combat} combat", effect.then_combat)]
    gains += [(f"+{effect.then_authority} authority", effect.then_authority)]
    given = [words for words, amount in gains if amount]
    each = " for each" if effect.amount > 1 else ""
    return f", then {' and '.join(given)}{each}" if given else ""


def effect_words(effect: Effect, factions) -> str:
    """Return an effect in words. factions: the set's, by number."""
    if effect.op == Op.CHOOSE:
        return " OR ".join(effects_words(side, factions) for side in effect.sides)
    cards = _cards(effect.amount)
    up_to = effect.optional and effect.op in (
        Op.SCRAP_FROM_HAND_OR_DISCARD, Op.SCRAP_FROM_TRADE_ROW, Op.DISCARD
    ) and effect.amount > 1  # fmt: skip
    may = "you may " if effect.optional else ""
    return EFFECTS[effect.op].format(
        n=effect.amount,
        cards=f"up to {cards}" if up_to else cards,
        may=may,
        then=_then(effect),
        detail=_cards(effect.detail),
        bases=f" if you have {effect.bases} bases or more in play" if effect.bases else "",
        faction=factions[effect.detail].replace("_", " ") if effect.op == Op.DRAW_PER_PLAYED else "",
    )


def effects_words(effects, factions) -> str:
    """Return the effects of an ability in words."""
    return ", ".join(effect_words(effect, factions) for effect in effects)


def scenario_change(change: Change, card_set: CardSet) -> str:
    """Return the rule changes of a scenario in words, or an empty text."""
    factions = card_set.factions
    costs = (("upgrading", change.upgrade_cost), ("buying", change.cost))
    parts = [
        f"{verb} a {Kind(kind).name.lower()} costs {abs(amount)} {'less' if amount < 0 else 'more'}"
        for verb, by_kind in costs for kind, amount in by_kind.items() if amount
    ]  # fmt: skip
    parts += [f"all begin with {change.authority} authority"] * bool(change.authority)
    parts += [f"bases have {change.defense} more defense"] * bool(change.defense)
    if change.bonus:
        parts.append(f"{card_set.names[change.bonus_card]}: {effects_words(change.bonus, factions)}")
    if change.turn_start:
        parts.append(f"at the start of a turn: {effects_words(change.turn_start, factions)}")
    return "; ".join(parts)


def faction_words(card: Card, factions) -> str:
    """Return the factions of a card: `trade federation`, or `unaligned`."""
    return " and ".join(factions[number].replace("_", " ") for number in card.factions) or "unaligned"


def abilities(card: Card, factions) -> list[str]:
    """Return a sentence for each ability of a card, in the order of its face."""
    parts = []
    if card.primary:
        parts.append(" OR ".join(effects_words(side, factions) for side in card.primary))
    if card.ship_combat:
        when = "in play this turn" if card.ship_combat_at_once else "that you play from now on"
        parts.append(f"every ship {when} gives +{card.ship_combat} combat")
    if card.ally_for_every_faction:
        parts.append("counts as an ally for every faction")
    for box in card.ally:
        by = factions[box.faction].replace("_", " ")
        other = "" if card.factions == (box.faction,) else f" ({by})"
        parts.append(f"ally{other}: {effects_words(box.effects, factions)}")
    if card.scrap:
        parts.append(f"scrap it: {effects_words(card.scrap, factions)}")
    if card.acquired:
        parts.append(f"when you acquire it: {effects_words(card.acquired, factions)}")
    return [part[0].upper() + part[1:] for part in parts]


def text(card: Card, factions) -> str:
    """Return the abilities of a card as one text, in the order of its face."""
    return ". ".join(abilities(card, factions))


def _card(card, factions):
    kind = Kind(card.kind).name.lower()
    return {
        "name": card.name,
        "kind": kind,
        "faction": faction_words(card, factions),
        "cost": card.cost,
        "defense": None if kind == "ship" else card.defense,
        "copies": card.copies,
        "text": text(card, factions),
        "reconstructed": card.reconstructed,
    }


def gambit_abilities(gambit: Gambit, factions) -> list[str]:
    """Return a sentence for each ability of a gambit."""
    parts = []
    if gambit.shield:
        parts.append(f"Every attack on you is {gambit.shield} less")
    if gambit.combat:
        parts.append(f"+{gambit.combat} combat in each of your turns")
    if gambit.scrap:
        parts.append(f"Scrap it: {effects_words(gambit.scrap, factions)}")
    return parts


def _gambit(gambit: Gambit, factions):
    row = {"name": gambit.name, "kind": "gambit", "faction": "", "cost": None, "defense": None}
    words = ". ".join(gambit_abilities(gambit, factions))
    return row | {"copies": gambit.copies, "text": words, "reconstructed": False}


def _boss_words(effects):
    return ", ".join(
        BOSS_EFFECTS[effect.op].format(n=effect.amount, cards=_cards(effect.amount), other=effect.else_combat)
        for effect in effects
    )


def boss_abilities(boss: Boss) -> list[str]:
    """Return a sentence for each ability of a Boss."""
    by_faction = [f"{name.replace('_', ' ')}: {_boss_words(effects)}" for name, effects in boss.abilities.items()]
    gathers = ["Each card that it has gathered gives it 1 combat a turn"] if boss.gathers else []
    return [*gathers, f"By the faction of the card it reveals: {'; '.join(by_faction)}"]


def _boss(boss: Boss):
    words = ". ".join(boss_abilities(boss))
    row = {"name": boss.name, "kind": "boss", "faction": "", "cost": None, "defense": None}
    return row | {"copies": 1, "text": words, "reconstructed": False}


def cards(variant) -> list[dict]:
    """Return the cards of a variant, its gambits and its Boss: name, kind, faction, cost, defense, copies, text."""
    factions = variant.card_set.factions
    rows = [_card(card, factions) for card in variant.card_set.cards]
    rows += [_gambit(gambit, factions) for gambit in variant.format.gambits]
    if variant.format.boss:
        rows.append(_boss(variant.format.boss))
    return rows
