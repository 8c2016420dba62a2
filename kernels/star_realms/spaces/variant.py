"""Variants built from settings: rules record, action table and observation layout."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from stardeck.kernels.contract.card_tables import Row, TableError, as_given, name_of, whole_table
from stardeck.kernels.contract.settings import Setting, settle, variant_id
from stardeck.kernels.contract.variant import BaseVariant
from stardeck.kernels.errors import cut, shown
from stardeck.kernels.star_realms.cards.campaign import (
    Blob,
    Campaign,
    check_sheets,
    compile_campaign,
    load_campaign,
    upgrades,
    with_stickers,
    with_upgraded,
    write_blob,
)
from stardeck.kernels.star_realms.cards.card import Card, CardSet
from stardeck.kernels.star_realms.cards.compiling import compile_cards
from stardeck.kernels.star_realms.cards.decks import Deck, check_decks, listed, one_for_each, read_decks, written
from stardeck.kernels.star_realms.cards.formats import (
    FIRST_TURN_TRADE,
    FORMATS,
    MOST_AUTHORITY,
    MOST_IN_HAND,
    Format,
    by_seat,
    hands_from,
    knows_boss,
    make_format,
    players_of,
    row_of,
    seats_text,
    shares,
    write_format,
)
from stardeck.kernels.star_realms.cards.loading import PRINTED, load_cards, load_gambits, own_set
from stardeck.kernels.star_realms.cards.own_formats import load_formats
from stardeck.kernels.star_realms.rules import Act, AllyLatch, FirstTurn, ForcedDiscards
from stardeck.kernels.star_realms.spaces import observe
from stardeck.kernels.star_realms.spaces.actions import BLOCKS, Action, actions_of, choice_words, compile_actions
from stardeck.kernels.star_realms.spaces.events import EVENTS
from stardeck.kernels.star_realms.state import (
    LARGE_STATE,
    MAX_SEATS,
    NO_CARD,
    NOBODY,
    ROW_SIZE,
    ROWS,
    SCENARIOS,
    SMALL_TYPE_LIMIT,
    STATE,
    TRADE_DECK_LIMIT,
)

NAME = "star_realms"
MOST_TURNS = 100_000
MOST_BID = 20  # authority, for the first turn
ROUNDS = 250
DIFFICULTIES = ("veteran", "beginner", "intermediate", "expert")
NO_SIDE = "none"
OF_PACKAGE = "package"
OF_CAMPAIGNS = ("scenario", "sides", "upgraded", "trade_deck", "finale")
NO_TRADE_DECK = "none"
TRADE_DECKS = ("standard", "post_campaign", NO_TRADE_DECK)
REPLACED = "replaced"
DUEL = "duel"
FINALE = Setting("finale", "blob", ("blob", DUEL), "scenario 12: both against the Blob, or the earlier duel")
BY_SEAT = {  # values other than the defaults
    "authority": [40, 50],
    "opening_hands": [5, 5],
    "first_turn_trade": [-1, 2],
    "starting_deck": [["Scout x8", "Viper x5"], ["Scout x7", "Viper x2", "Explorer"]],
}
GAMBITS = sum(gambit.copies for gambit in load_gambits(False))

# Random players can play games that never end; see the README for the length of games.
SETTINGS = (
    Setting("set", "core", PRINTED, "card table: one of the package, or your own file", path=True),
    Setting("format", "standard", tuple(FORMATS), "format", more=True),
    Setting("players", None, (1, MAX_SEATS), "number of players; by default the format's minimum"),
    Setting("gambits", 0, (0, GAMBITS), f"gambits dealt to each player, {GAMBITS} in all"),
    Setting("difficulty", "veteran", DIFFICULTIES, "challenges only: player turns before the Boss acts"),
    Setting("forced_discards", "immediate", ("immediate", "next_turn"), "time of a forced discard"),
    Setting("max_turns", None, (1, MOST_TURNS), f"turns after which a game is truncated; by default {ROUNDS} rounds"),
    Setting("trade_deck", "standard", TRADE_DECKS, "cards of the trade deck; none: only Explorers are for sale"),
    Setting("trade_row", "kept", ("kept", REPLACED), "replaced: each turn after the first begins with a new row"),
    Setting("scenario", 0, (0, SCENARIOS), "number of the campaign's scenario to play; 0: a game outside the campaign"),
    Setting("sides", None, [], "side of each seat, or none; a side gives the seat its personal deck"),
    Setting("upgraded", [], [], "cards that a campaign has upgraded: Lifter (SE 1-3)"),
    Setting("authority", None, [1, MOST_AUTHORITY], "authority at the start by seat; by default the format's"),
    Setting("opening_hands", None, [0, MOST_IN_HAND], "sizes of the opening hands by seat; by default the format's"),
    Setting("first_player", 0, (0, MAX_SEATS - 1), "seat with the first turn; for a team, its first seat"),
    Setting("first_turn", "agreed", ("agreed", "bid", "pie"), "first_player begins, or a player who pays authority"),
    Setting("first_turn_trade", None, FIRST_TURN_TRADE, "extra trade by seat in the first turn; by default 0"),
    Setting("ally_latch", "card", ("card", "faction", "none"), "ally triggers kept when the partner leaves play"),
    Setting("needle_counts_for_blob_world", True, (True, False), "a Stealth Needle counts as the ship it copies"),
    Setting("copy_gone_ships", True, (True, False), "a Stealth Needle may copy a ship that has left play"),
    Setting("gambit_round", False, (False, True), "players may reveal gambits before the first turn too"),
    Setting("energy_shield_erratum", False, (False, True), "an Energy Shield may be scrapped to draw a card"),
    Setting("pirates_pool_combat", False, (False, True), "the Pirates' cards make one series of attacks on all"),
    Setting("errata", False, (False, True), "cards have their errata, as in the digital app"),
    FINALE,
    Setting("starting_deck", None, [[]], "starting deck of all seats, or of each: Scout x8; by default the set's"),
    Setting("formats", OF_PACKAGE, (OF_PACKAGE,), "formats: the package's, or also those of your own file", path=True),
)


@dataclass(frozen=True, kw_only=True)
class Variant(BaseVariant[Action]):
    """A game with all its settings fixed."""

    game: str = NAME
    version: str = f"{NAME}_v1"
    card_set: CardSet
    campaign: Campaign | None  # the campaign of which the game is a scenario, or the whole; or None
    format: Format
    words: tuple[str, ...]  # the words that `choose` takes

    blocks = BLOCKS
    fields = observe.FIELDS
    events = EVENTS
    later = (
        "first_turn_trade",
        "first_player",
        "first_turn",
        "most_bid",
        "blob_authority",
        "blob_per_turn",
        "blob_per_cost",
        "row_replaced",
        "padding_later",
    )
    later_blocks = len(Act) - Act.BID
    goes_on = False  # True: the game goes on with the next scenario

    def sizes(self) -> dict[str, int]:
        """Return the number of entries per seat for each kind of field."""
        return observe.sizes(self.card_set, self.format, bool(self.rules[0]["first_turn"]))

    def switches(self) -> dict[str, bool]:
        """Return for each optional group of fields whether the variant has it."""
        return _switches(self.card_set, self.format, self.rules[0])

    def hidden_scale(self) -> np.ndarray:
        """Return the factors that turn the numbers of `observe_hidden` into float32: float32[hidden_size]."""
        return np.full(2 * self.players * len(self.names), 0.5, np.float32)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side that wins or loses together."""
        return self.format.sides

    def card(self, state, number) -> Card:
        """Return the card of a number in a game, with its sticker. state: one record."""
        slot = int(number) - len(self.card_set.cards)
        if slot < 0:
            return self.card_set.cards[number]
        return self.card_set.slots[slot].forms[int(state["upgraded"][slot])]

    def is_there(self, state, number) -> bool:
        """Return whether a number stands for a card; a row of a sticker sheet does after its use."""
        slot = int(number) - len(self.card_set.cards)
        return slot < 0 or state["upgraded"][slot] != NO_CARD

    def card_name(self, state, number) -> str:
        """Return the name of a card: `Lifter`, `Lifter (SE 1-3)`; `SE 1-3` for an unused row."""
        return self.card(state, number).name if self.is_there(state, number) else self.names[number]

    def card_number(self, state, name) -> int:
        """Return the number of the card of this name in a game, or -1."""
        if name in self.card_set.numbers:
            return self.card_set.numbers[name]
        found = [n for n in range(len(self.card_set.cards), len(self.names)) if self.card_name(state, n) == name]
        return found[0] if found else -1

    def first_seats(self, states) -> np.ndarray:
        """Return the seat with the first turn of the game, or of a campaign's first game: int64[n]."""
        if self.rules[0]["first_turn"]:
            return super().first_seats(states)
        return np.full(len(states), self.rules[0]["first_player"], np.int64)

    def blob(self, state) -> Blob | None:
        """Return the Blob that both players fight in this game, or None. state: one record."""
        there = self.campaign and self.card_set.has_blob and state["scenario"] == SCENARIOS
        return self.campaign.blob if there else None

    @property
    def scrap_heap_returns(self) -> bool:
        """True if the Scrap Heap becomes the trade deck when the trade deck has run out."""
        return self.format.boss is not None or bool(self.rules[0]["row_replaced"])

    @property
    def seats_go_out(self) -> bool:
        """True if a seat can be out of the game while others play on."""
        return len(self.sides) > 2 or (self.format.has_teams and not self.format.shared_authority)

    def eliminated(self, states) -> np.ndarray:
        """Return the seats that are out of the game: bool[n, players]."""
        return states["players"]["authority"][:, : self.players] <= 0

    @property
    def reconstructed(self) -> bool:
        """True if results rest on reconstructions of cards that were never published as text."""
        return self.card_set.reconstructed or (self.campaign is not None and self.campaign.reconstructed)

    @property
    def provenance(self) -> str:
        """Short text on the source of the cards."""
        return self.card_set.title + (" (partly reconstructed)" if self.reconstructed else "")

    @cached_property
    def action_numbers(self) -> dict[Action, int]:
        """Number of each action."""
        return {action: number for number, action in enumerate(self.actions)}


Kind = TypeVar("Kind", bound=Variant)


def _is_challenge(settings):
    return "boss" in _row(settings)


def _row(settings):
    """Return the switches of the format."""
    return row_of(settings["format"], settings["formats"])


def _id(settings):
    parts = [NAME, name_of(settings["set"]), settings["format"], str(settings["players"])]
    parts += [settings["difficulty"]] if _is_challenge(settings) else []
    others = [s for s in SETTINGS if s.name not in ("set", "format", "formats", "players", "difficulty")]
    return variant_id(parts, others, settings, {s.name: _default(s, settings) for s in others})


def _default(setting, settings):
    if setting.name == "sides":
        card_set = load_cards(settings["set"]) if settings["scenario"] else None
        has_sides = card_set is not None and card_set.campaign
        return list(load_campaign(card_set).sides) if has_sides else [NO_SIDE] * settings["players"]
    if setting.name == "authority":
        return list(_format(settings).authority)
    if setting.name == "opening_hands":
        return hands_from(_format(settings), settings["first_player"])
    if setting.name == "first_turn_trade":
        return [0] * settings["players"]
    if setting.name == "starting_deck":
        card_set = _card_set(settings)
        return [written(deck, card_set.names) for deck in _usual_decks(settings, card_set)]
    if setting.name == "max_turns":
        return ROUNDS * _format(settings).turns_a_round
    return setting.default


def _format(settings):
    return make_format(
        settings["format"],
        _row(settings),
        settings["players"],
        settings["difficulty"],
        settings["gambits"],
        settings["energy_shield_erratum"],
    )


def _formats_for(players, own) -> str:
    """Name the formats for this number of players. own: the user's formats, by name."""
    own = own if isinstance(own, Row) else {}
    ranges = {name: players_of(row_of(name, own)) for name in (*FORMATS, *own)}
    taking = [name for name, (fewest, most) in ranges.items() if fewest <= players <= most]
    return f"formats for {players}: {', '.join(taking)}"


def complete(given) -> dict:
    """Complete the settings with defaults and check them.

    The user's own tables are replaced by rows that hold their whole content.

    Raises:
        ValueError: names the setting, the value and the allowed values.
    """
    settings = _settle(given)
    settings["set"] = own_set(settings["set"])
    fewest, most = players_of(_row(settings))
    if settings["players"] is None:
        settings["players"] = fewest
    players = settings["players"]
    if not fewest <= players <= most:
        allowed = str(fewest) if fewest == most else f"{fewest} to {most}"
        others = _formats_for(players, settings["formats"])
        raise ValueError(f"players={players}: {settings['format']} takes {allowed}; {others}")
    if settings["gambits"] * players > GAMBITS:
        raise ValueError(f"gambits={settings['gambits']}: {players} players can have {GAMBITS // players} each at most")
    if settings["difficulty"] != "veteran" and not _is_challenge(settings):
        challenges = ", ".join(name for name, row in FORMATS.items() if "boss" in row)
        raise ValueError(f"difficulty={settings['difficulty']!r}: {settings['format']} has none, only {challenges}")
    _check_first_player(settings)
    for setting in SETTINGS:
        if settings[setting.name] is None:
            settings[setting.name] = _default(setting, settings)
    for name, what in (("opening_hands", "hands"), ("authority", "scores"), ("first_turn_trade", "amounts")):
        if len(settings[name]) != players:
            raise ValueError(f"{name}={shown(settings[name])}: must name {players} {what}, one for each seat")
    _check_authority(settings)
    _check_first_turn(settings)
    _settle_decks(settings)
    _check_trade(settings)
    return settings


def _check_first_turn(settings):
    """Check that bidders have no teams, Boss or scenario, and that a price for both has two players."""
    first_turn, players = settings["first_turn"], settings["players"]
    if first_turn == "agreed":
        return
    settled = _format(settings)
    if settled.has_teams or settled.boss or settings["scenario"]:
        raise ValueError(f"first_turn={first_turn!r}: is for games without teams, a Boss or a scenario")
    if first_turn == "pie" and players != 2:
        raise ValueError(f"first_turn='pie': is for 2 players, not {players}; first_turn='bid' is for any number")
    hands = settings["opening_hands"]
    if hands != hands_from(settled, settings["first_player"]):
        raise ValueError(f"opening_hands={shown(hands)}: must be the format's where players bid for the first turn")


def _settle(given):
    """Return every setting as given or its default; of the user's formats, keep only the one played."""
    of_formats = next(setting for setting in SETTINGS if setting.name == "formats")
    table = whole_table(of_formats.check(given.get("formats", OF_PACKAGE)), "formats", (OF_PACKAGE,))
    own = load_formats(table) if isinstance(table, Row) else {}
    settings = tuple(s._replace(allowed=(*FORMATS, *own)) if s.name == "format" else s for s in SETTINGS)
    settled = settle(NAME, settings, {"format": next(iter((*own, "standard")))} | given)
    played = settled["format"]
    settled["formats"] = Row({played: own[played]}, table.where) if played in own else OF_PACKAGE
    return settled


def _check_first_player(settings):
    """Check that the first player is the first seat of a side.

    The seats of a side take their first turns in order or together.
    """
    first, allowed = settings["first_player"], [seats[0] for seats in _format(settings).sides]
    if first not in allowed:
        raise ValueError(f"first_player={first}: {settings['format']} begins with seat {_one_of(allowed)}")


def _one_of(seats):
    *others, last = map(str, seats)
    return f"{', '.join(others)} or {last}" if others else last


def _check_authority(settings):
    """Check that a team with one score has one authority, and that a scenario's authority is unchanged."""
    authority, settled = settings["authority"], _format(settings)
    if settled.shared_authority and not shares(authority, settled.sides):
        raise ValueError(
            f"authority={shown(authority)}: must be the same for those who share it: {seats_text(settled.sides)}"
        )
    if settings["scenario"] and authority != list(settled.authority):
        raise ValueError(f"authority={shown(authority)}: a scenario is played with its own")


def _usual_decks(settings, card_set) -> list[Deck]:
    """Return the deck of each seat: of its side, or of the format, or of the card table."""
    players, row = settings["players"], _row(settings)
    if "starting_deck" in row:
        where = f"format {settings['format']}: starting_deck"
        decks = by_seat(listed(read_decks(row["starting_deck"], card_set.numbers, where)), players)
    else:
        where = f"the set {shown(name_of(settings['set']))}: starting_deck"
        decks = one_for_each(card_set.starting_deck, players, where)
    for seat, side in enumerate(settings["sides"][:players]):
        decks[seat] = card_set.personal_decks.get(side, decks[seat])
    return decks


def _settle_decks(settings):
    """Settle a deck for each seat in one spelling for equal cards; a scenario's or a side's deck is fixed."""
    card_set, given = _card_set(settings), settings["starting_deck"]
    where = f"starting_deck={shown(given)}"
    usual = _usual_decks(settings, card_set)
    personal = [seat for seat, side in enumerate(settings["sides"]) if side in card_set.personal_decks]
    decks = one_for_each(read_decks(given, card_set.numbers, where), settings["players"], where)
    check_decks(tuple(decks), sum(card.copies for card in card_set.cards) + card_set.explorers, where)
    for seat, deck in enumerate(decks):
        same = sorted(deck) == sorted(usual[seat])
        decks[seat] = usual[seat] if same else tuple(sorted(deck))
        if settings["scenario"] and not same:
            raise ValueError(f"{where}: a scenario is played with its own")
        if seat in personal and not same:
            raise ValueError(f"{where}: seat {seat} has the personal deck of its side")
    settings["starting_deck"] = [written(deck, card_set.names) for deck in decks]


def _check_trade(settings):
    """Check that a Boss and a scenario keep the trade row that players had before them."""
    changed = [name for name in ("trade_deck", "trade_row") if settings[name] in (NO_TRADE_DECK, REPLACED)]
    for name in changed:
        value = f"{name}={settings[name]!r}"
        if _is_challenge(settings):
            raise ValueError(f"{value}: the Boss of {settings['format']} takes its turns from the trade row")
        if settings["scenario"]:
            raise ValueError(f"{value}: a scenario is played with its own trade row")
    if len(changed) > 1:
        raise ValueError(f"trade_row={REPLACED!r}: there is no trade row with trade_deck={NO_TRADE_DECK!r}")
    if settings["upgraded"] and settings["trade_deck"] == NO_TRADE_DECK:
        upgraded = shown(settings["upgraded"])
        raise ValueError(f"upgraded={upgraded}: changes cards of a trade deck, and trade_deck='none' has none")


def make_variant(**given) -> Variant:
    """Return the variant with these settings; the others have their defaults.

    Raises:
        ValueError: a setting is unknown, out of range, or does not fit the others.
    """
    settings = complete(given)
    if settings["finale"] == DUEL and settings["scenario"] != SCENARIOS:
        raise ValueError(f"finale={DUEL!r}: is a way to play scenario {SCENARIOS}, not {settings['scenario']}")
    return build(settings, Variant, _id(settings), settings)


def _write_settings(settings, players, first_turn, record):
    """Write the settings that rules ask for as they are. first_turn: how it is settled who has it."""
    for key in (
        "max_turns", "needle_counts_for_blob_world", "copy_gone_ships", "gambit_round", "scenario", "first_player",
    ):  # fmt: skip
        record[key] = settings[key]
    record["boss_strikes_together"] = settings["pirates_pool_combat"]
    record["first_turn"] = first_turn
    record["most_bid"] = MOST_BID if first_turn else 0
    record["forced_discards"] = ForcedDiscards[settings["forced_discards"].upper()]
    record["ally_latch"] = AllyLatch[settings["ally_latch"].upper()]
    for key in ("authority", "first_turn_trade"):
        record[key][:players] = settings[key]
    record["opening_hands"][:players] = np.roll(settings["opening_hands"], -settings["first_player"])


def build(settings, kind: type[Kind], name, shown) -> Kind:
    """Build a variant of class `kind` from complete settings. shown: the settings that the variant reports."""
    card_set, campaign = _cards_for(settings)
    settled = _format(settings)
    if settled.boss and not knows_boss(card_set, settled.boss.name):
        factions, called = ", ".join(settled.boss.abilities), cut(name_of(settings["set"]))
        raise ValueError(f"format={settings['format']!r}: the set {called!r} has none of the factions {factions}")
    rules, effects = compile_cards(card_set, settled.gambits, settled.boss)
    record = rules[0]
    if settings["trade_deck"] == NO_TRADE_DECK:
        record["trade_deck"], record["trade_deck_count"] = 0, 0
    else:
        _check_deck(card_set, settled)
    record["row_replaced"] = settings["trade_row"] == REPLACED
    comes_to_finale = kind.goes_on or settings["scenario"] == SCENARIOS
    if campaign and campaign.blob and comes_to_finale and settings["finale"] != DUEL:
        campaign, card_set = campaign.against_blob(), replace(card_set, has_blob=True)
    if campaign:
        compile_campaign(campaign, effects, record)
    effects.write(card_set.title, record)
    choices = [words for _, words in effects.choices]
    words = choice_words(card_set, settled, choices)
    first_turn = FirstTurn[settings["first_turn"].upper()]
    bids = range(first_turn == FirstTurn.BID, MOST_BID + 1) if first_turn else ()
    actions = actions_of(card_set, settled, words, bids)
    compile_actions(card_set, settled, actions, words, choices, record)
    write_format(settled, record)
    if card_set.has_blob:
        write_blob(campaign.blob, record)
    _write_sides(settings, card_set, campaign, record)
    _check_returning(card_set, record)
    _write_settings(settings, settled.players, first_turn, record)
    record["more_to_see"] = any(_switches(card_set, settled, record).values())
    record["campaign"] = kind.goes_on
    return kind(
        id=name,
        settings=as_given(shown),
        names=card_set.names,
        actions=actions,
        rules=rules,
        state_dtype=_state_dtype(card_set),
        card_set=card_set,
        campaign=campaign,
        format=settled,
        words=words,
    ).sealed()


def _switches(card_set, settled, record):
    """Return for each optional group of fields whether an observation has it."""
    missing = bool((record["first_turn_trade"] < 0).any())
    return observe.switches(card_set, settled) | {
        "blob": card_set.has_blob,
        "missing trade": missing,
        "bids": bool(record["first_turn"]),
    }


def _state_dtype(card_set):
    two_boxes = any(len(card.ally) > 1 for card in card_set.cards)
    return LARGE_STATE if two_boxes or len(card_set.names) > SMALL_TYPE_LIMIT else STATE


def _card_set(settings) -> CardSet:
    """Return the cards of the set that the settings name, as they are printed."""
    packs = ("trade_deck", "post_campaign") if settings["trade_deck"] == "post_campaign" else ("trade_deck",)
    return load_cards(settings["set"], packs, settings["errata"])


def _cards_for(settings) -> tuple[CardSet, Campaign | None]:
    """Return the cards of a game, and the campaign to which it belongs."""
    card_set = _card_set(settings)
    if not card_set.campaign:
        for setting in SETTINGS:
            value = settings[setting.name]
            if setting.name in OF_CAMPAIGNS and value != _default(setting, settings) and value != NO_TRADE_DECK:
                raise ValueError(
                    f"{setting.name}={shown(value)}: the set {shown(name_of(settings['set']))} has no campaign"
                )
        return card_set, None
    campaign = load_campaign(card_set)
    _check_scenario(settings)
    _check_sides(settings, campaign)
    if settings["scenario"]:
        check_sheets(campaign, upgrades(card_set, campaign, settings["upgraded"]), settings["scenario"])
        return with_stickers(card_set), campaign
    return with_upgraded(card_set, campaign, settings["upgraded"]), None


def _check_scenario(settings):
    """Check that a scenario has two players and only the cards of its own box (rulebook: Campaign Rules)."""
    scenario = settings["scenario"]
    if scenario and settings["format"] != "standard":
        raise ValueError(f"scenario={scenario}: is played in the format standard, not {settings['format']}")
    if scenario and settings["gambits"]:
        raise ValueError(f"gambits={settings['gambits']}: a scenario is played without")
    if scenario and settings["trade_deck"] != "standard":
        raise ValueError(f"trade_deck={settings['trade_deck']!r}: comes after the campaign, without a scenario")


def _check_sides(settings, campaign):
    """Check that each seat has a side, and that the format allows personal decks.

    Personal decks are for two players, Emperors, and the Boss of a Raid. (Rulebook: Non-Campaign Formats)
    """
    sides, scenario = settings["sides"], settings["scenario"]
    if len(sides) != settings["players"] or not set(sides) <= {NO_SIDE, *campaign.sides}:
        allowed = ", ".join((NO_SIDE, *campaign.sides))
        raise ValueError(f"sides={shown(sides)}: must name {settings['players']} of {allowed}, one for each seat")
    if scenario and sorted(sides) != sorted(campaign.sides):
        raise ValueError(f"sides={shown(sides)}: a scenario is played by {' and '.join(campaign.sides)}")
    settled = _format(settings)
    may = settled.leaders or (range(2) if settled.players == 2 else ())
    own = {seat: side for seat, side in enumerate(sides) if side != NO_SIDE}
    if own and (set(own) != set(may) or len(set(own.values())) < len(own)):
        whose = f"seats {', '.join(map(str, may))}, each another" if may else "nobody"
        raise ValueError(
            f"sides={shown(sides)}: in {settled.name} with {settled.players} personal decks are for {whose}"
        )


def _write_sides(settings, card_set, campaign, record):
    """Write starting decks by seat and, in a scenario, the sides and the upgraded cards at the start."""
    record["seat_side"] = NOBODY
    sides = settings["sides"]
    for seat, deck in enumerate(read_decks(settings["starting_deck"], card_set.numbers, "starting_deck")):
        record["starting_deck"][seat][: len(deck)] = deck
        record["starting_deck_count"][seat] = len(deck)
    record["upgraded"] = NO_CARD
    if campaign:
        record["seat_side"][: len(sides)] = [campaign.sides.index(side) for side in sides]
        record["side_faction"] = [1 << card_set.factions.index(side) for side in campaign.sides]
        for slot, card in upgrades(card_set, campaign, settings["upgraded"]).items():
            place = campaign.slots[slot]
            record["upgraded"][slot] = card
            record["rows_used"][place.side] |= 1 << (ROWS * place.sheet + place.row)


def _check_deck(card_set, settled):
    """Check that a trade deck fills the trade row and the cards face down before a Boss."""
    needed = ROW_SIZE + settled.boss_face_down
    held = sum(card.copies for card in card_set.cards)
    if held < needed:
        raise TableError(f"{card_set.title}: {held} cards in the trade deck: {settled.name} needs {needed}")


def _check_returning(card_set, record):
    """Check that the trade deck has room for the trade cards of starting decks, if the Scrap Heap returns."""
    if not (record["challenge"] or record["row_replaced"]):
        return
    of_trade_deck = np.array([card.copies > 0 for card in card_set.cards])
    decks = zip(record["starting_deck"], record["starting_deck_count"], strict=True)
    held = int(record["trade_deck_count"]) + sum(int(of_trade_deck[deck[:count]].sum()) for deck, count in decks)
    if held > TRADE_DECK_LIMIT:
        where = f"starting_deck: with those of starting decks there are {held} trade cards"
        raise ValueError(f"{where}: at most {TRADE_DECK_LIMIT} where the Scrap Heap becomes the trade deck")


def list_variants() -> list[dict]:
    """Return the settings of the variants to list.

    The list has each set, format, number of players and difficulty; then two gambits, and each other setting away from
    its default.
    """
    plain = [
        {"set": name, "format": row, "players": players} | difficulty
        for name in PRINTED
        for row, switches in FORMATS.items()
        if "boss" not in switches or knows_boss(load_cards(name), switches["boss"])
        for players in range(switches["players"][0], switches["players"][1] + 1)
        for difficulty in ([{"difficulty": d} for d in DIFFICULTIES] if "boss" in switches else [{}])
    ]
    first = plain[0]
    away = [
        first | _where_it_matters(setting, value) | {setting.name: value}
        for setting in SETTINGS
        if setting.name not in ("set", "format", "players", "difficulty")
        for value in _values_away_from_default(setting)
    ]
    return plain + away


def _where_it_matters(setting, value):
    """Return the other settings with which a value of a setting makes a difference."""
    if setting.name in ("gambits", "gambit_round", "energy_shield_erratum"):
        return {"set": "box"} | ({} if setting.name == "gambits" else {"gambits": 2})
    if setting is FINALE:
        return {"set": "rise_of_empire", "scenario": SCENARIOS}
    if setting.name in OF_CAMPAIGNS and value != NO_TRADE_DECK:
        after = {"trade_deck": "post_campaign"} if setting.name == "upgraded" else {}
        return {"set": "rise_of_empire"} | after
    if setting.name == "pirates_pool_combat":
        return {"set": "box", "format": "pirates_of_the_dark_star", "players": 3, "difficulty": "veteran"}
    return {}


def _values_away_from_default(setting):
    if setting.name in BY_SEAT:
        return [BY_SEAT[setting.name]]
    if setting.name == "first_player":
        return [1]
    if setting.name == "max_turns":
        return [100]
    if setting.name == "gambits":
        return [2]
    if setting.name == "scenario":
        return range(1, SCENARIOS + 1)
    if setting.name == "sides":
        return [["star_empire", "trade_federation"]]
    if setting.name == "upgraded":
        return [["Hunter (SE 1-3)", "Watchtower (TF 1-3)", "Lancer Wing (SE 2-3)"]]
    return [value for value in setting.allowed if value != setting.default]
