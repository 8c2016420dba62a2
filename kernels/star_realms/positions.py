"""Positions in text: any state as a plain dict of names and numbers, and back.

The keys that a person writes are those of the notation: `turn`, `trade_row`, `trade_deck`, `scrap_heap`, `explorers`,
`players` with `authority`, `trade`, `combat`, `hand`, `deck`, `discard`, `in_play`. Piles list the next card first; a
pile left out is empty. The other keys complete a state in the middle of a turn; `position` writes them only where they
differ from their defaults.
"""

from collections import Counter

import numpy as np

from stardeck.kernels.star_realms.cards.vocabulary import pile
from stardeck.kernels.star_realms.rules import EFFECT_LIMIT, Act, Kind
from stardeck.kernels.star_realms.state import (
    IN_PLAY_LIMIT,
    NO_CARD,
    NOBODY,
    PILE_LIMIT,
    ROW_SIZE,
    STACK_LIMIT,
    STATE,
    TRADE_DECK_LIMIT,
    Decision,
    Used,
    Zone,
)
from stardeck.kernels.star_realms.words import legal_numbers

MOST_AUTHORITY = 2_000_000_000
MOST_IN_POOL = 1_000_000  # far above what the cards of one turn can give
PILES = {"hand": Zone.HAND, "deck": Zone.DECK, "discard": Zone.DISCARD_PILE}
POOLS = ("authority", "trade", "combat")
COUNTERS = ("next_ship_on_top", "discards_owed", "known_on_deck", "known_in_hand")
USED = {"primary": Used.PRIMARY, "ally": Used.ALLY, "triggered": Used.TRIGGERED}
PLAYER_KEYS = (*POOLS, *PILES, "in_play", *COUNTERS, "played", "ships_played", "latched")
STATE_KEYS = (
    "turn", "trade_row", "trade_deck", "scrap_heap", "explorers", "players",
    "turn_number", "decisions", "random", "pending", "placement", "truncated",
)  # fmt: skip
FRAME_NUMBERS = ("rest", "end", "left", "done", "detail", "optional", "then_draw")
ANSWERED_BY = {
    Decision.OPTION: Act.CHOOSE,
    Decision.SCRAP_FROM_HAND: Act.SCRAP_FROM_HAND,
    Decision.SCRAP_FROM_HAND_OR_DISCARD: Act.SCRAP_FROM_DISCARD,
    Decision.SCRAP_FROM_TRADE_ROW: Act.SCRAP_FROM_TRADE_ROW,
    Decision.DESTROY_BASE: Act.DESTROY_BASE,
    Decision.DISCARD: Act.DISCARD,
    Decision.ACQUIRE: Act.ACQUIRE,
    Decision.COPY: Act.COPY,
    Decision.TARGET: Act.TARGET,
}
FRAME_LIMITS = {"rest": EFFECT_LIMIT, "end": EFFECT_LIMIT, "optional": 1, "then_draw": 1, "detail": 255}
FRAME_KEYS = ("decision", "seat", "owner", *FRAME_NUMBERS)


def _seat_name(seat) -> str:
    return f"player_{int(seat)}"


def position(variant, state) -> dict:
    """A state as a dict that `from_position` reads back. state: one record."""
    names = [card.name for card in variant.card_set.cards]
    result = {
        "turn": _seat_name(state["active"]),
        "trade_row": [None if card == NO_CARD else names[card] for card in state["trade_row"]],
        "trade_deck": [names[card] for card in state["trade_deck"][: state["trade_deck_count"]][::-1]],
        "scrap_heap": [names[card] for card in range(len(names)) for _ in range(state["scrap_heap"][card])],
        "explorers": int(state["explorers"]),
        "players": {_seat_name(seat): _player_position(variant, state, seat, names) for seat in range(variant.players)},
        "turn_number": int(state["turn"]),
        "decisions": int(state["decisions"]),
        "random": int(state["random"]),
    }
    if state["stack_count"]:
        result["pending"] = [_frame_position(frame) for frame in state["stack"][: state["stack_count"]]]
    if state["to_act"] == NOBODY:
        result["placement"] = {_seat_name(s): int(state["placement"][s]) for s in range(variant.players)}
        result["truncated"] = bool(state["truncated"])
    return result


def _frame_position(frame):
    numbers = {key: int(frame[key]) for key in FRAME_NUMBERS}
    seats = {key: _seat_name(frame[key]) for key in ("seat", "owner")}
    return {"decision": Decision(int(frame["decision"])).name.lower()} | seats | numbers


def _player_position(variant, state, seat, names):
    player = state["players"][seat]
    result = {key: int(player[key]) for key in POOLS}
    for key, zone in PILES.items():
        cards = player["cards"][zone][: player["count"][zone]]
        result[key] = [names[card] for card in (cards[::-1] if zone == Zone.DECK else cards)]
    result["in_play"] = [_entry_position(entry, names) for entry in player["in_play"][: player["in_play_count"]]]
    result |= {key: int(player[key]) for key in COUNTERS if player[key]}
    played, ships = _played_so_far(variant, player)
    if list(player["played"]) != played:
        factions = variant.card_set.factions
        result["played"] = {name: int(n) for name, n in zip(factions, player["played"], strict=False) if n}
    if list(player["ships_played"]) != ships:
        result["ships_played"] = [name for card, name in enumerate(names) if _bit(player["ships_played"], card)]
    if player["latched"]:
        latched = int(player["latched"])
        result["latched"] = [name for bit, name in enumerate(variant.card_set.factions) if latched >> bit & 1]
    return result


def _entry_position(entry, names):
    name = names[entry["card"]]
    used = [word for word, bit in USED.items() if entry["used"] & bit]
    if not used and entry["copying"] == NO_CARD:
        return name
    result = {"card": name}
    if used:
        result["used"] = used
    if entry["copying"] != NO_CARD:
        result["copying"] = names[entry["copying"]]
    return result


def _bit(words, card):
    return int(words[card >> 6]) >> (card & 63) & 1


def _played_so_far(variant, player):
    """What a player has played this turn as far as the ships in play show it; bases came on earlier turns."""
    played = [0] * len(player["played"])
    ships = [0] * len(player["ships_played"])
    for entry in player["in_play"][: player["in_play_count"]]:
        card = variant.card_set.cards[entry["card"]]
        if card.kind != Kind.SHIP:
            continue
        counted = [card]
        if entry["copying"] != NO_CARD and variant.settings["needle_counts_for_blob_world"]:
            counted.append(variant.card_set.cards[entry["copying"]])
        for one in counted:
            if one.faction >= 0:
                played[one.faction] += 1
        if not card.copies_a_ship:
            ships[entry["card"] >> 6] |= 1 << (int(entry["card"]) & 63)
    return played, ships


class _Reader:
    """Reads a position into a state; ValueError names the place, the value and what is allowed."""

    def __init__(self, variant):
        self.variant = variant
        self.numbers = variant.card_set.numbers

    def seat(self, value, where):
        seats = [_seat_name(seat) for seat in range(self.variant.players)]
        if value not in seats:
            raise ValueError(f"{where}: {value!r}: must be one of {', '.join(seats)}")
        return seats.index(value)

    def number(self, value, where, low=0, high=32767):
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"{where}: {value!r}: must be a whole number from {low} to {high}")
        return value

    def card(self, value, where):
        if not isinstance(value, str) or value not in self.numbers:
            raise ValueError(f"{where}: {value!r} is not a card of {self.variant.card_set.title}")
        return self.numbers[value]

    def trade_card(self, value, where):
        card = self.card(value, where)
        if not self.variant.card_set.cards[card].copies:
            raise ValueError(f"{where}: {value!r} is not a card of the trade deck")
        return card

    def copied(self, card, value, where):
        copier, ship = self.variant.card_set.cards[card], self.card(value, f"{where}: copying")
        shown = self.variant.card_set.cards[ship]
        if not copier.copies_a_ship or shown.is_base or shown.copies_a_ship:
            raise ValueError(f"{where}: copying: {copier.name} cannot copy {value}")
        return ship

    def pile(self, value, where, limit=PILE_LIMIT):
        if not isinstance(value, list):
            raise ValueError(f"{where}: {value!r}: must be a list of cards")
        cards = pile(value, self.numbers, where)
        if len(cards) > limit:
            raise ValueError(f"{where}: {len(cards)} cards: at most {limit}")
        return np.array(cards, np.uint8)

    def mapping(self, value, where, allowed):
        if not isinstance(value, dict):
            raise ValueError(f"{where}: {value!r}: must be a mapping")
        for key in value:
            if key not in allowed:
                raise ValueError(f"{where}: {key!r} is not known; allowed: {', '.join(allowed)}")
        return value


def _check_frame(variant, state, frame):
    """A pending decision must be one that the cards of the set can ask, about what is there."""
    decision = Decision(int(frame["decision"]))
    name = decision.name.lower()
    if decision in ANSWERED_BY and variant.rules[0]["first"][ANSWERED_BY[decision]] < 0:
        raise ValueError(f"pending: {name}: is never asked in {variant.id}")
    if decision == Decision.OPTION:
        _check_option(variant, int(frame["detail"]))
    if decision == Decision.AMOUNT:
        seat, target, combat = int(frame["seat"]), int(frame["detail"]), state["players"][frame["seat"]]["combat"]
        if target >= variant.players or target == seat:
            raise ValueError(f"pending: amount: detail: {target} is no opponent's seat")
        if frame["left"] != combat or frame["done"] >= combat:
            raise ValueError(f"pending: amount: left must be the combat pool, {combat}, and done less")


def _check_option(variant, card):
    cards = variant.card_set.cards
    if card >= len(cards) or cards[card].kind != Kind.SHIP or not cards[card].option_words():
        raise ValueError(f"pending: option: detail: {card} is no ship with a choice")


def _check_room(variant, state):
    """No player may ever own more cards than a pile can hold: those owned now and all that can be acquired."""
    on_offer = int(state["trade_deck_count"]) + int((state["trade_row"] != NO_CARD).sum()) + int(state["explorers"])
    for seat in range(variant.players):
        player = state["players"][seat]
        total = int(player["count"].sum()) + int(player["in_play_count"]) + on_offer
        if total > PILE_LIMIT:
            raise ValueError(f"{_seat_name(seat)}: {total} cards of its own and to be acquired: at most {PILE_LIMIT}")


def _check_answerable(variant, states):
    """A position that asks must leave an answer."""
    if states[0]["stack_count"] and not legal_numbers(variant, states):
        asked = Decision(int(states[0]["stack"][states[0]["stack_count"] - 1]["decision"])).name.lower()
        raise ValueError(f"pending: {asked}: there is nothing to choose")


def from_position(variant, position: dict) -> np.ndarray:
    """The state that a position describes: array of one row. Raises ValueError."""
    read = _Reader(variant)
    read.mapping(position, "position", STATE_KEYS)
    states = np.zeros(1, STATE)
    state = states[0]
    state["active"] = state["to_act"] = read.seat(position.get("turn", "player_0"), "turn")
    _read_table(read, position, state)
    players = read.mapping(position.get("players", {}), "players", [_seat_name(s) for s in range(variant.players)])
    for seat in range(variant.players):
        _read_player(read, players.get(_seat_name(seat), {}), state["players"][seat], _seat_name(seat))
    _read_progress(read, position, state)
    _check_room(variant, state)
    _check_answerable(variant, states)
    return states


def _read_table(read, position, state):
    row = position.get("trade_row", [])
    if not isinstance(row, list) or len(row) > ROW_SIZE:
        raise ValueError(f"trade_row: {row!r}: must be a list of at most {ROW_SIZE} cards")
    state["trade_row"] = NO_CARD
    for place, name in enumerate(row):
        if name is not None:
            state["trade_row"][place] = read.trade_card(name, "trade_row")
    trade_deck = read.pile(position.get("trade_deck", []), "trade_deck", TRADE_DECK_LIMIT)
    for card in set(trade_deck.tolist()):
        read.trade_card(read.variant.card_set.cards[card].name, "trade_deck")
    state["trade_deck"][: len(trade_deck)] = trade_deck[::-1]
    state["trade_deck_count"] = len(trade_deck)
    for card, copies in Counter(read.pile(position.get("scrap_heap", []), "scrap_heap").tolist()).items():
        state["scrap_heap"][card] = copies
    state["explorers"] = read.number(position.get("explorers", 0), "explorers")
    state["turn"] = read.number(position.get("turn_number", 1), "turn_number", 1, 2**31 - 1)
    state["decisions"] = read.number(position.get("decisions", 0), "decisions", 0, 2**31 - 1)
    state["random"] = read.number(position.get("random", 0), "random", 0, 2**64 - 1)


def _read_player(read, given, player, where):
    read.mapping(given, where, PLAYER_KEYS)
    player["authority"] = read.number(given.get("authority", 0), f"{where}: authority", -MOST_AUTHORITY, MOST_AUTHORITY)
    for key in ("trade", "combat"):
        player[key] = read.number(given.get(key, 0), f"{where}: {key}", 0, MOST_IN_POOL)
    for key in COUNTERS:
        player[key] = read.number(given.get(key, 0), f"{where}: {key}", 0, PILE_LIMIT)
    for key, zone in PILES.items():
        cards = read.pile(given.get(key, []), f"{where}: {key}")
        player["cards"][zone][: len(cards)] = cards[::-1] if zone == Zone.DECK else cards
        player["count"][zone] = len(cards)
    for key, zone in (("known_on_deck", Zone.DECK), ("known_in_hand", Zone.HAND)):
        read.number(int(player[key]), f"{where}: {key}", 0, int(player["count"][zone]))
    _read_in_play(read, given.get("in_play", []), player, f"{where}: in_play")
    played, ships = _played_so_far(read.variant, player)
    factions = read.variant.card_set.factions
    if "played" in given:
        counts = read.mapping(given["played"], f"{where}: played", factions)
        played = [read.number(counts.get(name, 0), f"{where}: played", 0, 255) for name in factions]
    if "ships_played" in given:
        ships = [0] * len(ships)
        for card in read.pile(given["ships_played"], f"{where}: ships_played").tolist():
            ships[card >> 6] |= 1 << (card & 63)
    player["played"][: len(played)] = played
    player["ships_played"][:] = ships
    for name in given.get("latched", []):
        if name not in factions:
            raise ValueError(f"{where}: latched: {name!r}: must be one of {', '.join(factions)}")
        player["latched"] |= 1 << factions.index(name)


def _read_in_play(read, listed, player, where):
    if not isinstance(listed, list):
        raise ValueError(f"{where}: {listed!r}: must be a list")
    entries = []
    for item in listed:
        entry = item if isinstance(item, dict) else {}
        read.mapping(entry, where, ("card", "used", "copying"))
        for card in read.pile([entry.get("card")] if entry else [item], where).tolist():
            used = 0
            for word in entry.get("used", []):
                if word not in USED:
                    raise ValueError(f"{where}: used: {word!r}: must be one of {', '.join(USED)}")
                used |= USED[word]
            copying = read.copied(card, entry["copying"], where) if "copying" in entry else NO_CARD
            entries.append((card, copying, used))
    if len(entries) > IN_PLAY_LIMIT:
        raise ValueError(f"{where}: {len(entries)} cards: at most {IN_PLAY_LIMIT}")
    for place, values in enumerate(entries):
        player["in_play"][place] = values
    player["in_play_count"] = len(entries)


def _read_progress(read, position, state):
    """Pending decisions, and the end of the game."""
    pending = position.get("pending", [])
    if not isinstance(pending, list) or len(pending) > STACK_LIMIT:
        raise ValueError(f"pending: {pending!r}: must be a list of at most {STACK_LIMIT} decisions")
    kinds = {decision.name.lower(): decision for decision in Decision}
    for place, given in enumerate(pending):
        read.mapping(given, "pending", FRAME_KEYS)
        if given.get("decision") not in kinds:
            raise ValueError(f"pending: {given.get('decision')!r}: must be one of {', '.join(kinds)}")
        frame = state["stack"][place]
        frame["decision"] = kinds[given["decision"]]
        for key in ("seat", "owner"):
            frame[key] = read.seat(given.get(key), f"pending: {key}")
            state["to_act"] = frame["seat"]
        for key in FRAME_NUMBERS:
            frame[key] = read.number(given.get(key, 0), f"pending: {key}", 0, FRAME_LIMITS.get(key, MOST_IN_POOL))
        _check_frame(read.variant, state, frame)
    state["stack_count"] = len(pending)
    alive = [seat for seat in range(read.variant.players) if state["players"][seat]["authority"] > 0]
    seats = [_seat_name(seat) for seat in range(read.variant.players)]
    if "placement" in position:
        for name, place in read.mapping(position["placement"], "placement", seats).items():
            state["placement"][read.seat(name, "placement")] = read.number(place, "placement", 0, 6)
        state["truncated"] = bool(position.get("truncated", False))
        state["to_act"] = NOBODY
    elif len(alive) < 2:
        raise ValueError(f"players: authority: only {len(alive)} of the players has more than 0")
