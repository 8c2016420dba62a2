"""The campaign of Rise of Empire as tables: sides, stickers, scenarios (campaign.toml), and upgraded cards."""

import dataclasses
import functools
from collections import Counter
from dataclasses import dataclass

from stardeck.kernels.contract.card_tables import Row, TableError, named_rows
from stardeck.kernels.errors import shown
from stardeck.kernels.star_realms.cards.card import Box, Card, CardSet, Effect
from stardeck.kernels.star_realms.cards.rows import effects_of
from stardeck.kernels.star_realms.cards.vocabulary import KINDS
from stardeck.kernels.star_realms.rules import Kind, Op
from stardeck.kernels.star_realms.state import (
    BOX_LIMIT,
    MOST_VICTORY_POINTS,
    NO_CARD,
    ROWS,
    SCENARIOS,
    SHEETS,
    STICKERS,
)

KEYS = ("reconstructed", "upgrade_cost", "upgrades_in_all", "sides", "stickers", "blob", "scenarios")
MODES = ("and", "ally", "scrap")
CHANGES = (
    "authority", "upgrade_cost", "cost", "defense", "bonus_card", "bonus", "turn_start", "turn_start_bases",
    "acquired", "scrapped", "destroyed", "limit",
)  # fmt: skip
OF_BLOB = (
    "name", "points", "authority", "blob_authority_per_player", "combat_per_turn", "combat_per_cost", "base_combat",
)  # fmt: skip
LISTS = ("bonus", "turn_start", "acquired", "scrapped", "destroyed")
REACTIONS = ("acquired", "scrapped", "destroyed")
UNASKED = (Op.TRADE, Op.COMBAT, Op.AUTHORITY, Op.DRAW, Op.NEXT_SHIP_ON_TOP, Op.COST_REDUCTION)


@dataclass(frozen=True)
class Slot:
    """The row of a sticker sheet of one side; `forms` are the upgraded cards by the number of the printed card."""

    name: str
    side: int
    sheet: int  # from 0
    row: int  # from 0
    cost: int
    forms: dict[int, Card]


@dataclass(frozen=True)
class Change:
    """The changes that a scenario makes."""

    authority: int = 0
    upgrade_cost: dict[Kind, int] = dataclasses.field(default_factory=dict)
    cost: dict[Kind, int] = dataclasses.field(default_factory=dict)
    defense: int = 0
    bonus_card: int = NO_CARD
    turn_start_bases: int = 0
    limit: int = 0
    bonus: tuple[Effect, ...] = ()
    turn_start: tuple[Effect, ...] = ()
    acquired: tuple[Effect, ...] = ()
    scrapped: tuple[Effect, ...] = ()
    destroyed: tuple[Effect, ...] = ()

    def effects(self) -> list[Effect]:
        """Return all effects of the change."""
        return [inner for key in LISTS for effect in getattr(self, key) for inner in effect.effects()]


@dataclass(frozen=True)
class Scenario:
    """One game of the campaign, with a change for each choice of the first player or for each faction's side."""

    name: str
    points: int
    sheet: int  # the sheet whose five stickers win at once; 0: none
    asks: bool
    changes: tuple[Change, Change]


@dataclass(frozen=True)
class Blob:
    """The automated opponent of both players in the last scenario."""

    scenario: Scenario  # the scenario that replaces the duel
    authority: int
    per_turn: int  # combat for each of its turns so far
    per_cost: int  # combat for each trade that the most expensive card of the trade row costs
    base_combat: int  # combat that a player gains instead of destroying a base

    @property
    def name(self) -> str:
        """Name of the Blob and of its scenario."""
        return self.scenario.name


@dataclass(frozen=True)
class Campaign:
    """Sides, sticker sheets and scenarios."""

    sides: tuple[str, ...]
    upgrade_cost: dict[Kind, int]
    upgrades_in_all: int
    row_costs: tuple[tuple[int, ...], ...]  # by sheet
    scenarios: tuple[Scenario, ...]
    slots: tuple[Slot, ...]
    reconstructed: bool
    blob: Blob | None = None  # of the last scenario; None: it is a duel

    def against_blob(self) -> "Campaign":
        """Return the campaign with the fight against the Blob as its last scenario."""
        assert self.blob is not None, "the caller looks first"
        return dataclasses.replace(self, scenarios=(*self.scenarios[:-1], self.blob.scenario))


def _kinds(row, key) -> dict[Kind, int]:
    """Return numbers by type of card; outposts are bases."""
    given = row.get(key, {})
    if not isinstance(given, dict) or not set(given) <= {"ship", "base"}:
        row.complain(f"{key} = {shown(given)}: must give numbers for ship and base")
    numbers = {KINDS[name]: Row(given, f"{row.where}: {key}").number(name, -9, 9) for name in given}
    if Kind.BASE in numbers:
        numbers[Kind.OUTPOST] = numbers[Kind.BASE]
    return numbers


def _row(values, where) -> Row:
    if not isinstance(values, dict):
        raise TableError(f"{where}: {shown(values)}: must be a table of keys and values")
    return Row(values, where)


def _change(values, where, card_set) -> Change:
    row = _row(values, where)
    row.only(CHANGES)
    effects = {key: effects_of(row, key, card_set.factions) for key in LISTS}
    for key in REACTIONS:
        if any(effect.op not in UNASKED or effect.optional for effect in effects[key]):
            row.complain(f"{key} = {shown(row[key])}: an automatic effect must not ask for a choice")
    if "bonus_card" in row and row["bonus_card"] not in [*card_set.numbers]:
        row.complain(f"bonus_card = {shown(row['bonus_card'])} is not a card of this set")
    return Change(
        authority=row.number("authority", 1, 1000) if "authority" in row else 0,
        upgrade_cost=_kinds(row, "upgrade_cost"),
        cost=_kinds(row, "cost"),
        defense=row.number("defense", -9, 9, 0),
        bonus_card=card_set.numbers[row["bonus_card"]] if "bonus_card" in row else NO_CARD,
        turn_start_bases=row.number("turn_start_bases", 0, 9, 0),
        limit=row.number("limit", 0, 99, 0),
        **effects,
    )


def _scenario(row, card_set, sides) -> Scenario:
    row.only(("name", "points", "sheet", "choices", "sides"))
    choices = row.get("choices", [])
    by_side = row.get("sides", {})
    if not isinstance(by_side, dict):
        row.complain(f"sides = {shown(by_side)}: must name {' and '.join(sides)}")
    if choices and (by_side or not isinstance(choices, list) or len(choices) != 2):
        row.complain("choices: must be two changes, and sides then be left out")
    if by_side and set(by_side) != set(sides):
        row.complain(f"sides: must name {' and '.join(sides)}")
    given = choices or [by_side.get(side, {}) for side in sides]
    return Scenario(
        name=row["name"],
        points=row.number("points", 0, MOST_VICTORY_POINTS),
        sheet=row.number("sheet", 0, SHEETS, 0),
        asks=bool(choices),
        changes=tuple(_change(values, row.where, card_set) for values in given),
    )


def _blob(table) -> Blob | None:
    """Return the Blob of the last scenario, if the campaign has one."""
    if "blob" not in table:
        return None
    row = _row(table["blob"], f"{table.where}: blob")
    row.only(OF_BLOB)
    if not isinstance(row.get("name"), str) or not row["name"]:
        row.complain(f"name = {shown(row.get('name'))}: must be a text")
    change = Change(authority=row.number("authority", 1, 1000))
    return Blob(
        scenario=Scenario(row["name"], row.number("points", 0, MOST_VICTORY_POINTS), 0, False, (change, change)),
        authority=2 * row.number("blob_authority_per_player", 1, 1000),
        per_turn=row.number("combat_per_turn", 0, 99),
        per_cost=row.number("combat_per_cost", 0, 99),
        base_combat=row.number("base_combat", 0, 99),
    )


def _with_sticker(card, name, mode, effects, faction) -> Card:
    """Return the card with a sticker: of both factions, without its "when acquired" ability.

    (Rulebook: Upgrading Cards)
    """
    primary, ally, scrap = card.primary, card.ally, card.scrap
    if mode == "and":
        primary = tuple((*side, *effects) for side in primary or ((),))
    elif mode == "ally":
        ally = (*ally, Box(faction, effects))
    else:
        scrap = (*scrap, *effects)
    return dataclasses.replace(
        card,
        name=f"{card.name} ({name})",
        copies=1,
        factions=(*card.factions, faction),
        primary=primary,
        ally=ally,
        scrap=scrap,
        acquired=(),
    )


def _stickers(table, path, card_set, sides):
    """Return the stickers: (side, sheet, cost, kind) -> (mode, effects)."""
    stickers = {}
    listed = table.get("stickers")
    if not isinstance(listed, list):
        raise TableError(f"{path}: stickers must be a list of rows")
    for number, values in enumerate(listed, 1):
        row = _row(values, f"{path}: sticker {number}")
        row.only(("sheet", "cost", "kind", "side", *MODES))
        modes = [mode for mode in MODES if mode in row]
        if len(modes) != 1:
            row.complain(f"must have one of {', '.join(MODES)}")
        place = (
            sides.index(row.one_of("side", sides)),
            row.number("sheet", 1, SHEETS) - 1,
            row.number("cost", 1, 99),
            row.one_of("kind", ("ship", "base")),
        )
        if place in stickers:
            row.complain("the same sticker is listed twice")
        stickers[place] = (modes[0], effects_of(row, modes[0], card_set.factions))
    return stickers


def _row_costs(stickers, path):
    costs = []
    for sheet in range(SHEETS):
        rows = sorted({cost for _, number, cost, _ in stickers if number == sheet})
        if len(rows) != ROWS:
            raise TableError(f"{path}: sheet {sheet + 1} has rows for costs {rows}: must be {ROWS} rows")
        costs.append(tuple(rows))
    return tuple(costs)


def _slots(stickers, row_costs, card_set, sides, shorts):
    """Return every row of every sheet of each side, with the cards that it fits."""
    slots = []
    for side, faction in enumerate(sides):
        bit = card_set.factions.index(faction)
        for sheet, costs in enumerate(row_costs):
            for row, cost in enumerate(costs):
                name = f"{shorts[side]} {sheet + 1}-{cost}"
                forms = {}
                for number, card in enumerate(card_set.cards):
                    sticker = stickers.get((side, sheet, cost, "base" if card.is_base else "ship"))
                    fits = card.copies and card.pack == "trade_deck" and card.factions and bit not in card.factions
                    if sticker and fits and card.cost == cost and len(card.ally) < BOX_LIMIT:
                        forms[number] = _with_sticker(card, name, *sticker, bit)
                slots.append(Slot(name, side, sheet, row, cost, forms))
    return tuple(slots)


def _sides(table, path, card_set):
    """Return the factions of the two sides, each with a personal deck, and the short names for their stickers."""
    listed = named_rows(table, "sides", path)
    for row in listed:
        row.only(("name", "short"))
    sides = tuple(row["name"] for row in listed)
    if len(sides) != 2 or not set(sides) <= set(card_set.factions):
        raise TableError(f"{path}: sides: must be two factions of {', '.join(card_set.factions)}")
    if set(card_set.personal_decks) != set(sides):
        decks = ", ".join(card_set.personal_decks) or "none"
        raise TableError(f"{path}: sides: {' and '.join(sides)} need a personal deck each; the set has {decks}")
    return sides, tuple(str(row.get("short", row["name"])) for row in listed)


@functools.lru_cache(maxsize=8)
def load_campaign(card_set: CardSet) -> Campaign:
    """Read and check the campaign of a card set that has one; the result is cached.

    Raises:
        TableError: names the file, row and word at fault.
    """
    table = card_set.campaign
    assert table is not None, "the caller looks first"
    path = table.where
    table.only(KEYS)
    sides, shorts = _sides(table, path, card_set)
    upgrade_cost = _kinds(table, "upgrade_cost")
    if set(upgrade_cost) != set(Kind):
        table.complain(f"upgrade_cost = {shown(table.get('upgrade_cost'))}: must give numbers for ship and base")
    stickers = _stickers(table, path, card_set, sides)
    row_costs = _row_costs(stickers, path)
    scenarios = tuple(_scenario(row, card_set, sides) for row in named_rows(table, "scenarios", path))
    if len(scenarios) != SCENARIOS:
        raise TableError(f"{path}: {len(scenarios)} scenarios: must be {SCENARIOS}")
    blob = _blob(table)
    last = max(scenarios[-1].points, blob.scenario.points if blob else 0)
    if (points := sum(scenario.points for scenario in scenarios[:-1]) + last) > MOST_VICTORY_POINTS:
        raise TableError(f"{path}: {points} victory points in all: at most {MOST_VICTORY_POINTS}")
    return Campaign(
        sides=sides,
        upgrade_cost=upgrade_cost,
        upgrades_in_all=table.number("upgrades_in_all", 0, STICKERS),
        row_costs=row_costs,
        scenarios=scenarios,
        slots=_slots(stickers, row_costs, card_set, sides, shorts),
        reconstructed=bool(table.get("reconstructed", False)),
        blob=blob,
    )


def upgrades(card_set: CardSet, campaign: Campaign, names) -> dict[int, int]:
    """Return the slots of upgraded cards by name, each with the card number.

    Raises:
        ValueError: a name is unknown, or a sticker is used twice.
    """
    known = {form.name: (slot, card) for slot, place in enumerate(campaign.slots) for card, form in place.forms.items()}
    found = {}
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise ValueError(
                f"upgraded: {shown(name)}: must be a card with a sticker that fits it, like Lifter (SE 1-3)"
            )
        slot, card = known[name]
        if slot in found:
            raise ValueError(f"upgraded: {shown(name)}: the sticker {campaign.slots[slot].name} is used twice")
        found[slot] = card
    check_copies(card_set, found)
    return found


def check_sheets(campaign: Campaign, upgraded: dict[int, int], scenario: int) -> None:
    """Check that no sticker's sheet comes later than the scenario (0: no scenario).

    Args:
        campaign: The campaign of the sheets.
        upgraded: See `upgrades`.
        scenario: From 1, or 0.

    Raises:
        ValueError: a scenario comes before the sheet of a sticker.
    """
    for slot in upgraded:
        place = campaign.slots[slot]
        if 0 < scenario <= place.sheet:
            raise ValueError(f"upgraded: {place.name}: scenario {scenario} comes before sheet {place.sheet + 1}")


def check_copies(card_set: CardSet, upgraded: dict[int, int]) -> None:
    """Check that no more copies of a card have stickers than there are copies.

    Args:
        card_set: The cards.
        upgraded: Slots, each with a card number.

    Raises:
        ValueError: there are too many stickers on a card.
    """
    for number, count in Counter(upgraded.values()).items():
        if count > card_set.cards[number].copies:
            card = card_set.cards[number]
            raise ValueError(f"upgraded: {count} times {card.name}: there are {card.copies} copies of it")


@functools.lru_cache(maxsize=8)
def with_stickers(card_set: CardSet) -> CardSet:
    """Return the cards of a scenario: those of the set, and the rows of its campaign's sticker sheets."""
    campaign = load_campaign(card_set)
    changes = tuple(change for scenario in campaign.scenarios for change in scenario.changes)
    return dataclasses.replace(card_set, slots=campaign.slots, changes=changes)


def with_upgraded(card_set: CardSet, campaign: Campaign, names) -> CardSet:
    """Return the cards after a campaign; each upgraded card replaces its plain copy (rulebook: After the Campaign)."""
    upgraded = upgrades(card_set, campaign, names)
    if not upgraded:
        return card_set
    cards = list(card_set.cards)
    for slot, number in upgraded.items():
        cards[number] = dataclasses.replace(cards[number], copies=cards[number].copies - 1)
        cards.append(campaign.slots[slot].forms[number])
    numbers = {card.name: number for number, card in enumerate(cards)}
    return dataclasses.replace(card_set, cards=tuple(cards), numbers=numbers)


def write_blob(blob: Blob, rules) -> None:
    """Write the Blob of the last scenario into a rules record (np.void)."""
    rules["blob_authority"] = blob.authority
    rules["blob_per_turn"], rules["blob_per_cost"] = blob.per_turn, blob.per_cost
    rules["base_combat"] = blob.base_combat
    rules["more_to_do"] = 1


def compile_campaign(campaign: Campaign, effects, rules) -> None:
    """Write sides, prices, rows and scenarios into a rules record (np.void)."""
    for kind, cost in campaign.upgrade_cost.items():
        rules["upgrade_cost"][kind] = cost
    rules["upgrades_in_all"] = campaign.upgrades_in_all
    rules["costs_change"] |= any(change.cost for scenario in campaign.scenarios for change in scenario.changes)
    for number, scenario in enumerate(campaign.scenarios, 1):
        for record, change in zip(rules["scenarios"][number], scenario.changes, strict=True):
            for key in LISTS:
                record[key] = effects.place(getattr(change, key))
            for key in ("upgrade_cost", "cost"):
                for kind, value in getattr(change, key).items():
                    record[key][kind] = value
            for key in ("authority", "defense", "bonus_card", "turn_start_bases", "limit"):
                record[key] = getattr(change, key)
            record["by_side"] = not scenario.asks and scenario.changes[0] != scenario.changes[1]
            record["asks"], record["points"], record["sheet"] = scenario.asks, scenario.points, scenario.sheet
