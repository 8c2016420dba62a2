"""Positions in text: any state as a plain dict of names and numbers, and back.

The keys for people are those of the notation: `turn`, `trade_row`, `trade_deck`, `scrap_heap`, `explorers`, `players`
with `authority`, `trade`, `combat`, `hand`, `deck`, `discard`, `in_play`, `gambits`. Formats add `teams` (teams with
one score), `boss`, `mulligan_used` and `unclaimed_gambits`. A scenario of a campaign adds `upgraded`, `modifier`,
`scenario_used`, and `sheets` of players. Piles list the next card first; an omitted pile is empty. The other keys
complete a state in the middle of a turn; `position` writes them only if they differ from their defaults.
"""

import functools
from collections import Counter

import numpy as np

from stardeck.kernels.errors import shown
from stardeck.kernels.star_realms.cards.campaign import check_copies, check_sheets, upgrades
from stardeck.kernels.star_realms.play.effects.questions import OPENED_BY, QUESTIONS
from stardeck.kernels.star_realms.rules import EFFECT_LIMIT, FirstTurn, Kind
from stardeck.kernels.star_realms.state import (
    BOX_LIMIT,
    IN_PLAY_LIMIT,
    NAMED_SHIFT,
    NO_CARD,
    NOBODY,
    PILE_LIMIT,
    ROW_SIZE,
    ROWS,
    SECOND_TRIGGERED,
    STACK_LIMIT,
    TRADE_DECK_LIMIT,
    TRIGGERED,
    Ability,
    Decision,
    Face,
    Goal,
    Part,
    Purpose,
    Zone,
    pile_of,
)
from stardeck.kernels.text.moves import legal_numbers
from stardeck.kernels.text.position_parser import MOST_COUNTED, MOST_RANDOM
from stardeck.kernels.text.position_parser import Reader as ValueReader
from stardeck.kernels.text.position_parser import seat_name as _seat_name

MOST_AUTHORITY = 2_000_000_000
MOST_IN_POOL = 1_000_000  # far above what the cards of one turn can give
MOST_ALIKE = 255  # cards of one kind in a whole game; one byte counts them
PILES = {"hand": Zone.HAND, "deck": Zone.DECK, "discard": Zone.DISCARD_PILE}
POOLS = ("trade", "combat")
COUNTERS = ("next_ship_on_top", "discount", "discards_owed", "known_on_deck", "known_in_hand", "finished")
USED = {"primary": Ability.PRIMARY, "ally": Ability.ALLY, "triggered": TRIGGERED}
FACES = {"hidden": Face.HIDDEN, "revealed": Face.REVEALED}
PLAYER_KEYS = (
    "authority", *POOLS, *PILES, "in_play", "gambits", *COUNTERS, "played", "ships_played", "latched", "sheets",
)  # fmt: skip
STATE_KEYS = (
    "turn", "trade_row", "trade_deck", "scrap_heap", "explorers", "teams", "players", "boss", "mulligan_used",
    "unclaimed_gambits", "looked_at", "turn_number", "decisions", "random", "pending", "placement", "truncated",
    "upgraded", "modifier", "scenario_used", "first_player",
)  # fmt: skip
BOSS_TURN = ("effect", "end", "place", "first", "last", "seat")  # progress of the Boss's turn
BOSS_KEYS = ("authority", "face_down", "unseen", "waits", "combat", "turn")
FRAME_NUMBERS = (
    "rest", "end", "left", "done", "detail", "optional", "then_draw", "then_combat", "then_authority", "then_discard",
    "purpose",
)  # fmt: skip
FRAME_LIMITS = {
    "rest": EFFECT_LIMIT, "end": EFFECT_LIMIT, "optional": 1, "detail": 255, "then_draw": 99, "then_combat": 99,
    "then_authority": 99, "then_discard": 99,
    "purpose": len(Purpose) - 1,
}  # fmt: skip
FRAME_KEYS = ("decision", "seat", "owner", *FRAME_NUMBERS)


def _has_team_scores(variant) -> bool:
    """Return whether teams of several players have one score each, which is a key under `teams`."""
    return variant.format.shared_authority and variant.format.has_teams


def position(variant, state) -> dict:
    """Return a state as a dict that `from_position` reads back. state: one record."""
    names = [variant.card_name(state, number) for number in range(len(variant.names))]
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
    result |= _format_position(variant, state, names)
    if variant.campaign:
        result |= _campaign_position(variant, state)
    if variant.rules[0]["first_turn"]:
        result["first_player"] = _seat_name(state["first"])
    if state["stack_count"]:
        result["pending"] = [_frame_position(frame) for frame in state["stack"][: state["stack_count"]]]
    if state["placement"].any():
        result["placement"] = {_seat_name(s): int(state["placement"][s]) for s in range(variant.players)}
    if state["truncated"]:
        result["truncated"] = True
    return result


def _format_position(variant, state, names):
    """Return the keys that only some formats have: scores of teams, a Boss, gambits."""
    result = {}
    if _has_team_scores(variant):
        result["teams"] = {
            f"team_{number}": {
                "players": [_seat_name(seat) for seat in seats],
                "authority": int(state["players"][seats[0]]["authority"]),
            }
            for number, seats in enumerate(variant.sides)
        }
    if variant.format.boss:
        result["boss"] = _boss_position(state, names)
        result["mulligan_used"] = bool(state["mulligan_used"])
    if variant.blob(state):
        result["boss"] = {"authority": int(state["boss_authority"])}
    if variant.format.gambits:
        result["unclaimed_gambits"] = _gambit_names(variant, state["unclaimed_gambits"])
        if state["looked_at"].any():
            result["looked_at"] = _gambit_names(variant, state["looked_at"])
    return result


def _campaign_position(variant, state):
    """Return the keys of a scenario; used sheet rows are keys of the players."""
    upgraded = np.flatnonzero(state["upgraded"] != NO_CARD) + len(variant.card_set.cards)
    result = {"upgraded": [variant.card_name(state, number) for number in upgraded]}
    if state["modifier"]:
        result["modifier"] = int(state["modifier"])
    if state["limit_used"]:
        result["scenario_used"] = int(state["limit_used"])
    return result


def _sheets(variant, state, seat):
    """Return the used rows of a player's sheets, by their costs."""
    used = int(state["rows_used"][variant.rules[0]["seat_side"][seat]])
    rows = variant.campaign.row_costs[: int(state["scenario"])]
    return {
        sheet + 1: [cost for row, cost in enumerate(costs) if used >> (ROWS * sheet + row) & 1]
        for sheet, costs in enumerate(rows)
    }


def _gambit_names(variant, counts):
    return [gambit.name for gambit, count in zip(variant.format.gambits, counts, strict=False) for _ in range(count)]


def _boss_position(state, names):
    result = {
        "authority": int(state["boss_authority"]),
        "face_down": [names[card] for card in state["face_down"][: state["face_down_count"]]],
        "waits": int(state["boss_waits"]),
    }
    if state["face_down_unseen"]:
        result["unseen"] = int(state["face_down_unseen"])
    if state["boss_turn"]:
        result["combat"] = int(state["boss_combat"])
        result["turn"] = {key: int(state[f"boss_{key}"]) for key in BOSS_TURN}
    return result


def _frame_position(frame):
    numbers = {key: int(frame[key]) for key in FRAME_NUMBERS}
    seats = {key: _seat_name(frame[key]) for key in ("seat", "owner")}
    return {"decision": Decision(int(frame["decision"])).name.lower()} | seats | numbers


def _player_position(variant, state, seat, names):
    player = state["players"][seat]
    result = {} if _has_team_scores(variant) else {"authority": int(player["authority"])}
    result |= {key: int(player[key]) for key in POOLS}
    for key, zone in PILES.items():
        cards = pile_of(player, zone)
        result[key] = [names[card] for card in (cards[::-1] if zone == Zone.DECK else cards)]
    shown = player["in_play"][: player["in_play_count"]]
    result["in_play"] = [_entry_position(variant, state, entry, names) for entry in shown]
    if variant.campaign:
        result["sheets"] = _sheets(variant, state, seat)
    if variant.format.gambits:
        result["gambits"] = {key: _gambit_names(variant, player["gambits"][face]) for key, face in FACES.items()}
    result |= {key: int(player[key]) for key in COUNTERS if player[key]}
    return result | _turn_position(variant, state, player, names)


def _turn_position(variant, state, player, names):
    """Return a player's plays of this turn that the cards in play do not show."""
    result = {}
    played, ships = _played_so_far(variant, functools.partial(variant.card, state), player)
    if list(player["played"]) != played:
        factions = variant.card_set.factions
        result["played"] = {name: int(n) for name, n in zip(factions, player["played"], strict=False) if n}
    if list(player["ships_played"]) != ships:
        result["ships_played"] = [name for card, name in enumerate(names) if _bit(player["ships_played"], card)]
    if player["latched"]:
        latched = int(player["latched"])
        result["latched"] = [name for bit, name in enumerate(variant.card_set.factions) if latched >> bit & 1]
    return result


def _used_words(variant, card):
    """Return the words for used abilities of a card in play; two ally abilities are named by faction."""
    if len(card.ally) < BOX_LIMIT:
        return USED
    first, second = (variant.card_set.factions[box.faction] for box in card.ally)
    return {
        "primary": Ability.PRIMARY,
        f"ally {first}": Ability.ALLY,
        f"ally {second}": Ability.SECOND_ALLY,
        f"triggered {first}": TRIGGERED,
        f"triggered {second}": SECOND_TRIGGERED,
    }


def _entry_position(variant, state, entry, names):
    result = {"card": names[entry["card"]]}
    words = _used_words(variant, variant.card(state, entry["card"]))
    used = [word for word, bit in words.items() if entry["used"] & bit]
    if used:
        result["used"] = used
    if entry["copying"] != NO_CARD:
        result["copying"] = names[entry["copying"]]
    if named := int(entry["used"]) >> NAMED_SHIFT:
        result["as"] = variant.card_set.factions[named - 1]
    if entry["damage"]:
        result["damage"] = int(entry["damage"])
    return result["card"] if len(result) == 1 else result


def _bit(words, card):
    return int(words[card >> 6]) >> (card & 63) & 1


def _played_so_far(variant, card_of, player):
    """Return the cards played this turn as far as ships in play show them; bases came on earlier turns."""
    played = [0] * len(player["played"])
    ships = [0] * len(player["ships_played"])
    for entry in player["in_play"][: player["in_play_count"]]:
        card = card_of(entry["card"])
        if card.kind != Kind.SHIP:
            continue
        counts = entry["copying"] == NO_CARD or variant.rules[0]["needle_counts_for_blob_world"]
        factions = [*card.factions]
        if entry["copying"] != NO_CARD and counts:
            factions += card_of(entry["copying"]).factions
        if counts and int(entry["used"]) >> NAMED_SHIFT:
            factions.append((int(entry["used"]) >> NAMED_SHIFT) - 1)
        for faction in factions:
            played[faction] += 1
        if not card.copies_a_ship:
            ships[entry["card"] >> 6] |= 1 << (int(entry["card"]) & 63)
    return played, ships


class Reader(ValueReader):
    """Reader of card names and their details."""

    def __init__(self, variant):
        super().__init__(variant.players)
        self.variant = variant
        self.numbers = dict(variant.card_set.numbers)
        self.upgraded = {}  # slot -> card, of all upgraded cards named
        for slot, place in enumerate(variant.card_set.slots):
            for form in place.forms.values():
                self.numbers[form.name] = len(variant.card_set.cards) + slot

    def shown(self, card):
        """Return the card of a number that was read."""
        slot = int(card) - len(self.variant.card_set.cards)
        return (
            self.variant.card_set.cards[card]
            if slot < 0
            else self.variant.card_set.slots[slot].forms[self.upgraded[slot]]
        )

    def note_upgraded(self, names, where):
        """Record the cards that have stickers; each sticker is on one card."""
        for name in names:
            slot = self.numbers.get(name, 0) - len(self.variant.card_set.cards)
            if slot >= 0:
                forms = self.variant.card_set.slots[slot].forms
                card = next(number for number, form in forms.items() if form.name == name)
                if self.upgraded.setdefault(slot, card) != card:
                    other = forms[self.upgraded[slot]].name
                    raise ValueError(f"{where}: {shown(name)}: its sticker is already that of {other}")

    def card(self, value, where):
        """Return the number of a card from its name."""
        if not isinstance(value, str) or value not in self.numbers:
            raise ValueError(f"{where}: {shown(value)} is not a card of {self.variant.card_set.title}")
        self.note_upgraded([value], where)
        return self.numbers[value]

    def trade_card(self, value, where):
        """Return the number of a card that belongs in the trade deck."""
        card = self.card(value, where)
        if not self.shown(card).copies:
            raise ValueError(f"{where}: {shown(value)} is not a card of the trade deck")
        return card

    def copied(self, card, value, where):
        """Return the number of the ship that a card in play copies."""
        copier, ship = self.shown(card), self.card(value, f"{where}: copying")
        shown = self.shown(ship)
        if not copier.copies_a_ship or shown.is_base or shown.copies_a_ship:
            raise ValueError(f"{where}: copying: {copier.name} cannot copy {value}")
        return ship

    def named(self, entry, card, where):
        """Return the bits of `used` for the faction named for a card in play."""
        if "as" not in entry:
            return 0
        factions = self.variant.card_set.factions
        named_for = self.shown(self.numbers[entry["copying"]] if "copying" in entry else card)
        if entry["as"] not in factions or not named_for.names_faction:
            raise ValueError(f"{where}: as: {self.shown(card).name} cannot be {shown(entry['as'])}")
        return (1 + factions.index(entry["as"])) << NAMED_SHIFT

    def damage(self, entry, card, seat, where):
        """Return the damage on a base of the Boss of a Raid."""
        base, value = self.shown(card), entry.get("damage", 0)
        if value and (seat != self.variant.format.lasting_damage_seat or not base.is_base):
            raise ValueError(f"{where}: damage: {shown(value)}: stays on bases of the Boss of a Raid alone")
        return self.number(value, f"{where}: damage", 0, max(base.defense - 1, 0))

    def gambits(self, value, where):
        """Return the number of gambits of each kind that a list names."""
        kinds = self.variant.format.gambits
        if value and not kinds:
            raise ValueError(f"{where}: {shown(value)}: {self.variant.id} is played without gambits")
        names = [gambit.name for gambit in kinds]
        most = sum(gambit.copies for gambit in kinds)
        counts = Counter(self.one_of(name, where, names) for name in self.named_pile(value, where, most, "gambits"))
        return [counts[number] for number in range(len(kinds))]

    def pile(self, value, where, limit=PILE_LIMIT):
        """Return the numbers of a list of cards, as written: uint8[n]."""
        names = self.named_pile(value, where, limit)
        for name in names:
            if not isinstance(name, str) or name not in self.numbers:
                raise ValueError(f"{where}: {shown(name)} is not a card of this set")
        self.note_upgraded(names, where)
        return np.array([self.numbers[name] for name in names], np.uint8)


def _check_frame(variant, state, frame):
    """Check that the cards of the set can ask a pending decision, and that its subject exists."""
    decision = Decision(int(frame["decision"]))
    name = decision.name.lower()
    first = variant.rules[0]["first"]
    if decision in QUESTIONS and first[QUESTIONS[decision].answered_by] < 0:
        raise ValueError(f"pending: {name}: is never asked in {variant.id}")
    if decision not in (Decision.AMOUNT, Decision.REST):
        _check_choices(state, frame)
    if decision == Decision.OPTION:
        _check_option(variant, int(frame["detail"]))
    if decision == Decision.FILL_UP or (decision == Decision.MODIFIER and (state["turn"] or state["modifier"])):
        raise ValueError(f"pending: {name}: is never asked while a game is being played")
    if decision == Decision.BID:
        _check_bid(variant, state, frame)
    if decision == Decision.UPGRADE:
        _check_upgrade(variant, state, frame)
    if decision == Decision.AMOUNT:
        _check_amount(variant, state, frame)
    if decision == Decision.LEAVE:
        _check_legacy(variant, state, frame)
    if decision == Decision.BOSS_FACTION:
        _check_boss_faction(variant, state, frame)


def _check_boss_faction(variant, state, frame):
    """Check that the question is for an ability of the card that the Boss has revealed on its turn."""
    if not (state["boss_turn"] and 0 < frame["detail"] < 1 << variant.rules[0]["boss_abilities_count"]):
        raise ValueError(f"pending: boss_faction: detail: {frame['detail']} names no ability of the Boss on its turn")
    if not _has_revealed(state):
        raise ValueError(f"boss: turn: place: {state['boss_place']}: no card of the trade row lies there")


def _has_revealed(state):
    """Return whether the place of the trade row that decides what the Boss does holds a card."""
    return state["boss_place"] >= 0 and state["trade_row"][state["boss_place"]] != NO_CARD


def _check_choices(state, frame):
    """Check that the deciding player may still choose, and has chosen no more cards than there are.

    A player who has just been defeated may still leave cards.
    """
    if not 1 <= frame["left"] <= PILE_LIMIT or frame["done"] > PILE_LIMIT:
        wanted = f"left must be 1 to {PILE_LIMIT}, done at most {PILE_LIMIT}"
        raise ValueError(f"pending: {Decision(int(frame['decision'])).name.lower()}: {wanted}")
    if frame["decision"] != Decision.LEAVE and state["players"][frame["seat"]]["authority"] <= 0:
        raise ValueError(f"pending: seat: {_seat_name(frame['seat'])} is out of the game")


def _check_bid(variant, state, frame):
    """Check that bids come before the first turn, from seats that may still bid."""
    bidders, most = int(frame["left"]), int(variant.rules[0]["most_bid"])
    if state["turn"]:
        raise ValueError("pending: bid: is never asked while a game is being played")
    if bidders >> variant.players or not bidders >> int(frame["seat"]) & 1:
        raise ValueError(
            f"pending: bid: left: {bidders}: must be bits of seats, that of seat {frame['seat']} among them"
        )
    if frame["done"] > most or frame["optional"] != _may_decline(variant, state, frame):
        raise ValueError(f"pending: bid: done must be at most {most}, optional 1 where a seat may decline")


def _may_decline(variant, state, frame):
    """Return whether a seat may leave the first turn to another; only the seat that names a price for both may not."""
    return variant.rules[0]["first_turn"] == FirstTurn.BID or frame["seat"] != state["first"]


def _check_amount(variant, state, frame):
    if frame["seat"] != state["active"]:
        raise ValueError(f"pending: amount: seat: {_seat_name(frame['seat'])} does not have the move")
    seat, detail, purpose = int(frame["seat"]), int(frame["detail"]), Purpose(int(frame["purpose"]))
    player = state["players"][seat]
    if variant.rules[0]["first"][OPENED_BY[purpose]] < 0:
        raise ValueError(f"pending: amount: purpose: {purpose.name.lower()} is never asked in {variant.id}")
    if purpose == Purpose.DAMAGE_BASE:
        _check_damaged_base(variant, state, frame)
        return
    wants_mate = purpose in (Purpose.GIVE_TRADE, Purpose.GIVE_COMBAT)
    team_of = variant.format.team_of
    if purpose != Purpose.ATTACK_BOSS and (
        detail >= variant.players or detail == seat or (team_of[detail] == team_of[seat]) != wants_mate
    ):
        raise ValueError(f"pending: amount: detail: {detail} is no {'teammate' if wants_mate else 'opponent'}'s seat")
    pool = "trade" if purpose == Purpose.GIVE_TRADE else "combat"
    if frame["left"] != player[pool] or frame["done"] >= player[pool]:
        raise ValueError(f"pending: amount: left must be the {pool} pool, {player[pool]}, and done less")


def _check_damaged_base(variant, state, frame):
    boss = state["players"][variant.format.lasting_damage_seat]
    shown = boss["in_play"][: boss["in_play_count"]]
    missing = [
        variant.card(state, entry["card"]).defense - int(entry["damage"])
        for entry in shown
        if entry["card"] == frame["detail"]
    ]
    combat = int(state["players"][frame["seat"]]["combat"])
    missing = [left for left in missing if left > 1]
    if not missing or frame["left"] != min(combat + 1, min(missing)) or frame["done"] >= frame["left"]:
        raise ValueError("pending: amount: detail and left must fit a base of the Boss, its damage and the combat pool")


def _check_legacy(variant, state, frame):
    seat, heir = int(frame["seat"]), int(frame["detail"])
    mates = variant.sides[variant.format.team_of[seat]]
    if state["players"][seat]["authority"] > 0:
        raise ValueError(f"pending: leave: seat: {_seat_name(seat)} is still in the game")
    if heir == seat or heir not in mates or state["players"][heir]["authority"] <= 0:
        raise ValueError(f"pending: leave: detail: {heir} is no seat of a teammate in the game")


def _check_option(variant, choice):
    if choice >= len(variant.rules[0]["choices"]) or not variant.rules[0]["choices"][choice]["count"]:
        raise ValueError(f"pending: option: detail: {choice} is no choice of this set")


def _check_upgrade(variant, state, frame):
    card, seat = int(frame["detail"]), int(frame["seat"])
    if card not in state["trade_row"] or frame["purpose"] > max(Goal) or seat != state["active"]:
        raise ValueError(f"pending: upgrade: detail: {card} is no card of the trade row that player_{seat} acquires")


def _check_room(variant, state):
    """Check that no player can ever own more cards than a pile holds, counting cards owned now and later."""
    numbers = range(len(variant.names))
    in_trade_deck = np.array([any(card.copies for card in variant.card_set.faces(number)) for number in numbers])
    everywhere = state["scrap_heap"][: len(in_trade_deck)].astype(np.int64)
    on_offer = int(state["trade_deck_count"]) + int((state["trade_row"] != NO_CARD).sum()) + int(state["explorers"])
    if variant.scrap_heap_returns:
        on_offer += int(everywhere[in_trade_deck].sum())
    owned = []
    returning = []  # cards that others can own once their owner scraps them
    for seat in range(variant.players):
        player = state["players"][seat]
        cards = np.concatenate([pile_of(player, zone) for zone in Zone])
        in_play = player["in_play"]["card"][: player["in_play_count"]]
        owned.append(len(cards) + len(in_play))
        mine = np.concatenate([cards, in_play])
        returning.append(int((mine == variant.card_set.explorer).sum()))
        if variant.scrap_heap_returns:
            returning[-1] += int(in_trade_deck[mine].sum())
        np.add.at(everywhere, mine, 1)
    for seat in range(variant.players):
        mates = [mate for mate in variant.sides[variant.format.team_of[seat]] if mate != seat]
        total = owned[seat] + on_offer + sum(returning) - returning[seat]
        if variant.format.pass_card_cost:  # all that teammates own
            total += sum(owned[mate] - returning[mate] for mate in mates)
        elif variant.format.legacy:  # a card of each
            total += len(mates)
        if total > PILE_LIMIT:
            raise ValueError(f"{_seat_name(seat)}: {total} cards of its own and to be acquired: at most {PILE_LIMIT}")
    _check_alike(variant, state, everywhere, in_trade_deck)


def _check_alike(variant, state, everywhere, in_trade_deck):
    """There may be no more copies of a card than are counted. everywhere: copies that players own or have scrapped."""
    np.add.at(everywhere, state["trade_deck"][: state["trade_deck_count"]], 1)
    np.add.at(everywhere, state["trade_row"][state["trade_row"] != NO_CARD], 1)
    np.add.at(everywhere, state["face_down"][: state["face_down_count"]], 1)
    if variant.scrap_heap_returns and everywhere[in_trade_deck].sum() > TRADE_DECK_LIMIT:
        raise ValueError(f"{everywhere[in_trade_deck].sum()} cards of the trade deck: at most {TRADE_DECK_LIMIT}")
    if everywhere.max() > MOST_ALIKE:
        name = variant.card_name(state, int(everywhere.argmax()))
        raise ValueError(f"{everywhere.max()} cards {name}: at most {MOST_ALIKE}")


def _check_answerable(variant, states):
    """Check that a position with a question has an answer."""
    if states[0]["stack_count"] and not legal_numbers(variant, states):
        asked = Decision(int(states[0]["stack"][states[0]["stack_count"] - 1]["decision"])).name.lower()
        raise ValueError(f"pending: {asked}: there is nothing to choose")


def from_position(variant, position: dict) -> np.ndarray:
    """Return the state that a position describes: array of one row.

    Raises:
        ValueError: the position is not valid; the message names the key and the value.
    """
    return read_position(variant, position, int(variant.rules[0]["scenario"]))


def read_position(variant, position: dict, scenario: int) -> np.ndarray:
    """Return the state that a position of a scenario describes: array of one row.

    Args:
        variant: The variant.
        position: The dict.
        scenario: From 1; 0 for a game outside a campaign.

    Raises:
        ValueError: the position is not valid; the message names the key and the value.
    """
    read = Reader(variant)
    read.mapping(position, "position", STATE_KEYS)
    states = blank(read, scenario, position.get("upgraded", []))
    state = states[0]
    state["active"] = state["to_act"] = read.seat(position.get("turn", "player_0"), "turn")
    _read_first_player(read, position, state)
    _read_table(read, position, state)
    _read_scenario(read, position, state)
    players = read.mapping(position.get("players", {}), "players", [_seat_name(s) for s in range(variant.players)])
    for seat in range(variant.players):
        _read_player(read, players.get(_seat_name(seat), {}), state, seat)
    _write_upgraded(read, state)
    _read_sheets(read, players, state)
    _read_teams(read, position, state)
    _read_boss(read, position, state)
    state["unclaimed_gambits"][: len(variant.format.gambits)] = read.gambits(
        position.get("unclaimed_gambits", []), "unclaimed_gambits"
    )
    state["looked_at"][: len(variant.format.gambits)] = read.gambits(position.get("looked_at", []), "looked_at")
    _check_gambits(variant, state)
    _read_progress(read, position, state)
    _check_room(variant, state)
    _check_answerable(variant, states)
    return states


def blank(read, scenario: int, upgraded: list) -> np.ndarray:
    """Return an empty state of a scenario (0: of none), with the cards that are upgraded: array of one row."""
    states = np.zeros(1, read.variant.state_dtype)
    states["variant"] = read.variant.rules["variant"]
    states["scenario"] = scenario
    states["first"] = read.variant.rules[0]["first_player"]
    states["trade_row"] = NO_CARD
    if read.variant.campaign:
        given = list(read.variant.settings.get("upgraded", []))
        given += [name for name in read.listed(upgraded, "upgraded", "cards") if name not in given]
        read.upgraded |= upgrades(read.variant.card_set, read.variant.campaign, given)
    _write_upgraded(read, states[0])
    return states


def _write_upgraded(read, state):
    """Write the upgraded cards named so far, and the sheet rows that they use up."""
    check_copies(read.variant.card_set, read.upgraded)
    check_sheets(read.variant.campaign, read.upgraded, int(state["scenario"]))
    state["upgraded"] = NO_CARD
    for slot, card in read.upgraded.items():
        place = read.variant.campaign.slots[slot]
        state["upgraded"][slot] = card
        state["rows_used"][place.side] |= 1 << (ROWS * place.sheet + place.row)


def _read_first_player(read, position, state):
    """Read the first player if players bid for the first turn; otherwise the variant defines it."""
    if "first_player" not in position:
        return
    first = read.seat(position["first_player"], "first_player")
    if first != state["first"] and not read.variant.rules[0]["first_turn"]:
        raise ValueError(f"first_player: {_seat_name(first)}: {_seat_name(state['first'])} has the first turn")
    state["first"] = first


def _read_scenario(read, position, state):
    """Read the first player's choice for the scenario, and how often its limited effect was used."""
    if not read.variant.campaign:
        for key in ("upgraded", "modifier", "scenario_used"):
            if key in position:
                raise ValueError(f"{key}: {read.variant.id} belongs to no campaign")
        return
    asks = read.variant.campaign.scenarios[int(state["scenario"]) - 1].asks
    state["modifier"] = read.number(position.get("modifier", 0), "modifier", 0, 2 if asks else 0)
    state["limit_used"] = read.number(position.get("scenario_used", 0), "scenario_used", 0, 99)
    if asks and not state["modifier"] and state["turn"] > 0:
        raise ValueError("modifier: must be 1 or 2 once the first player has chosen")


def _read_sheets(read, players, state):
    """Read the used rows of each player's sheets, in addition to those of the upgraded cards."""
    variant = read.variant
    for seat in range(variant.players):
        where = f"{_seat_name(seat)}: sheets"
        given = players.get(_seat_name(seat), {}).get("sheets", {})
        rows = variant.campaign.row_costs[: int(state["scenario"])] if variant.campaign else ()
        for number, costs in read.numbered(given, where, 1, len(rows)):
            sheet = number - 1
            for cost in read.listed(costs, where, f"rows of sheet {number}"):
                if isinstance(cost, bool) or cost not in rows[sheet]:
                    known = ", ".join(map(str, rows[sheet]))
                    raise ValueError(f"{where}: {shown(cost)}: sheet {number} has rows {known}")
                side = variant.rules[0]["seat_side"][seat]
                state["rows_used"][side] |= 1 << (ROWS * sheet + rows[sheet].index(cost))


def _check_gambits(variant, state):
    dealt = variant.players * variant.format.gambits_each
    most = sum(gambit.copies for gambit in variant.format.gambits) - dealt
    everywhere = state["unclaimed_gambits"].astype(int) + state["looked_at"]
    everywhere += state["players"]["gambits"].sum(axis=(0, 1), dtype=int)
    for gambit, count in zip(variant.format.gambits, everywhere, strict=False):
        if count > gambit.copies:
            raise ValueError(f"players: gambits: {count} of {gambit.name}: at most {gambit.copies}")
    free = int(state["unclaimed_gambits"].sum()) + int(state["looked_at"].sum())
    if variant.format.gambits and free > most:
        raise ValueError(f"unclaimed_gambits: {free} of them: {most} remain when {dealt} are dealt")


def _read_teams(read, position, state):
    """Read the scores of teams that have one each."""
    variant = read.variant
    names = [f"team_{number}" for number in range(len(variant.sides))] if _has_team_scores(variant) else []
    teams = read.mapping(position.get("teams", {}), "teams", names)
    for number, name in enumerate(names):
        given = read.mapping(teams.get(name, {}), f"teams: {name}", ("players", "authority"))
        seats = [_seat_name(seat) for seat in variant.sides[number]]
        if given.get("players", seats) != seats:
            raise ValueError(f"teams: {name}: players: {shown(given['players'])}: must be {', '.join(seats)}")
        authority = given.get("authority", 0)
        read.number(authority, f"teams: {name}: authority", -MOST_AUTHORITY, MOST_AUTHORITY)
        for seat in variant.sides[number]:
            state["players"][seat]["authority"] = authority


def _read_boss(read, position, state):
    """Read the automated Boss and the other values of its challenge."""
    blob = read.variant.blob(state)
    if blob:
        given = read.mapping(position.get("boss", {}), "boss", ("authority",))
        authority = given.get("authority", blob.authority)
        state["boss_authority"] = read.number(authority, "boss: authority", -MOST_AUTHORITY, MOST_AUTHORITY)
    if not read.variant.format.boss:
        for key in ("mulligan_used",) if blob else ("boss", "mulligan_used"):
            if key in position:
                raise ValueError(f"{key}: {read.variant.id} has no automated Boss")
        return
    given = read.mapping(position.get("boss", {}), "boss", BOSS_KEYS)
    state["boss_authority"] = read.number(given.get("authority", 0), "boss: authority", -MOST_AUTHORITY, MOST_AUTHORITY)
    cards = read.pile(given.get("face_down", []), "boss: face_down", TRADE_DECK_LIMIT)
    for card in set(cards.tolist()):
        read.trade_card(read.shown(card).name, "boss: face_down")
    state["face_down"][: len(cards)] = cards
    state["face_down_count"] = len(cards)
    state["face_down_unseen"] = read.number(given.get("unseen", 0), "boss: unseen", 0, len(cards))
    first = -1 if state["turn"] == 0 else 0  # the Boss goes before the first turn
    state["boss_waits"] = read.number(given.get("waits", 0), "boss: waits", first, 100)
    state["boss_combat"] = read.number(given.get("combat", 0), "boss: combat", 0, MOST_IN_POOL)
    state["mulligan_used"] = read.truth(position.get("mulligan_used", False), "mulligan_used")
    if "turn" in given:
        _read_boss_turn(read, read.mapping(given["turn"], "boss: turn", BOSS_TURN), state)


def _read_boss_turn(read, given, state):
    effects = int(read.variant.rules[0]["boss_abilities"].max())
    limits = {"effect": effects, "end": effects, "place": ROW_SIZE - 1}
    for key in BOSS_TURN:
        low = -1 if key == "place" else 0
        limit = limits.get(key, read.variant.players)
        state[f"boss_{key}"] = read.number(given.get(key, 0), f"boss: turn: {key}", low, limit)
    if not state["boss_first"] <= state["boss_seat"] <= state["boss_last"]:
        raise ValueError(f"boss: turn: seat: {state['boss_seat']}: must be from first to last")
    if state["boss_effect"] >= state["boss_end"] and state["boss_seat"] < state["boss_last"]:
        raise ValueError(f"boss: turn: effect: {state['boss_effect']}: must come before end while a player is left")
    if state["boss_effect"] < state["boss_end"] and not _has_revealed(state):
        raise ValueError(f"boss: turn: place: {state['boss_place']}: no card of the trade row lies there")
    state["boss_turn"] = 1


def _read_table(read, position, state):
    row = read.listed(position.get("trade_row", []), "trade_row", "cards", ROW_SIZE)
    state["trade_row"] = NO_CARD
    for place, name in enumerate(row):
        if name is not None:
            state["trade_row"][place] = read.trade_card(name, "trade_row")
    trade_deck = read.pile(position.get("trade_deck", []), "trade_deck", TRADE_DECK_LIMIT)
    for card in set(trade_deck.tolist()):
        read.trade_card(read.shown(card).name, "trade_deck")
    state["trade_deck"][: len(trade_deck)] = trade_deck[::-1]
    state["trade_deck_count"] = len(trade_deck)
    scrapped = read.pile(position.get("scrap_heap", []), "scrap_heap", MOST_ALIKE)
    for card, copies in Counter(scrapped.tolist()).items():
        state["scrap_heap"][card] = copies
    state["explorers"] = read.number(position.get("explorers", 0), "explorers")
    state["turn"] = read.number(position.get("turn_number", 1), "turn_number", 0, MOST_COUNTED)
    state["decisions"] = read.number(position.get("decisions", 0), "decisions", 0, MOST_COUNTED)
    state["random"] = read.number(position.get("random", 0), "random", 0, MOST_RANDOM)


def _read_player(read, given, state, seat):
    player = state["players"][seat]
    where = _seat_name(seat)
    read.mapping(given, where, PLAYER_KEYS)
    if _has_team_scores(read.variant) and "authority" in given:
        raise ValueError(f"{where}: authority: a team has one score; give it under teams")
    player["authority"] = read.number(given.get("authority", 0), f"{where}: authority", -MOST_AUTHORITY, MOST_AUTHORITY)
    least = min(int(read.variant.rules[0]["first_turn_trade"][seat]), 0)
    for key in POOLS:
        player[key] = read.number(given.get(key, 0), f"{where}: {key}", least if key == "trade" else 0, MOST_IN_POOL)
    for key in COUNTERS:
        most = max(Part) if key == "finished" else PILE_LIMIT
        player[key] = read.number(given.get(key, 0), f"{where}: {key}", 0, most)
    _read_piles(read, given, player, where)
    gambits = read.mapping(given.get("gambits", {}), f"{where}: gambits", FACES)
    for key, face in FACES.items():
        counts = read.gambits(gambits.get(key, []), f"{where}: gambits: {key}")
        player["gambits"][face][: len(counts)] = counts
    for key, zone in (("known_on_deck", Zone.DECK), ("known_in_hand", Zone.HAND)):
        read.number(int(player[key]), f"{where}: {key}", 0, int(player["count"][zone]))
    _read_in_play(read, given.get("in_play", []), player, seat, f"{where}: in_play")
    _read_played(read, given, player, where)


def _read_piles(read, given, player, where):
    piles = {zone: read.pile(given.get(key, []), f"{where}: {key}") for key, zone in PILES.items()}
    if sum(map(len, piles.values())) > PILE_LIMIT:
        raise ValueError(f"{where}: {sum(map(len, piles.values()))} cards of its own: at most {PILE_LIMIT}")
    for zone, cards in piles.items():
        player["count"][zone] = len(cards)
    for zone, cards in piles.items():
        pile_of(player, zone)[:] = cards[::-1] if zone == Zone.DECK else cards


def _read_played(read, given, player, where):
    """Read a player's plays of this turn, as given or as the cards in play show them."""
    played, ships = _played_so_far(read.variant, read.shown, player)
    factions = read.variant.card_set.factions
    if "played" in given:
        counts = read.mapping(given["played"], f"{where}: played", factions)
        played = [read.number(counts.get(name, 0), f"{where}: played", 0, PILE_LIMIT) for name in factions]
    if "ships_played" in given:
        ships = [0] * len(ships)
        for card in read.pile(given["ships_played"], f"{where}: ships_played").tolist():
            ships[card >> 6] |= 1 << (card & 63)
    player["played"][: len(played)] = played
    player["ships_played"][:] = ships
    for name in read.listed(given.get("latched", []), f"{where}: latched", "factions"):
        player["latched"] |= 1 << read.one_of(name, f"{where}: latched", factions)


def _read_in_play(read, listed, player, seat, where):
    entries = []
    for item in read.listed(listed, where):
        entry = item if isinstance(item, dict) else {}
        read.mapping(entry, where, ("card", "used", "copying", "as", "damage"))
        for card in read.pile([entry.get("card")] if entry else [item], where, IN_PLAY_LIMIT).tolist():
            used = 0
            words = _used_words(read.variant, read.shown(card))
            for word in read.listed(entry.get("used", []), f"{where}: used"):
                read.one_of(word, f"{where}: used", words)
                used |= words[word]
            copying = read.copied(card, entry["copying"], where) if "copying" in entry else NO_CARD
            used |= read.named(entry, card, where)
            damage = read.damage(entry, card, seat, where)
            entries.append((card, copying, used, _allies(read, card, copying, used), damage))
    if len(entries) > IN_PLAY_LIMIT:
        raise ValueError(f"{where}: {len(entries)} cards: at most {IN_PLAY_LIMIT}")
    for place, values in enumerate(entries):
        player["in_play"][place] = values
    player["in_play_count"] = len(entries)


def _allies(read, card, copying, used):
    """Return bits of the factions for which a card in play is an ally."""
    factions = [faction for number in (card, copying) if number != NO_CARD for faction in _ally_for(read, number)]
    return sum(1 << faction for faction in set(factions)) | 1 << (used >> NAMED_SHIFT) >> 1


def _ally_for(read, number):
    card = read.shown(number)
    return range(len(read.variant.card_set.factions)) if card.ally_for_every_faction else card.factions


def _read_frame(read, given, state, kinds, place):
    """Read one decision that waits. kinds: decisions by their words."""
    read.mapping(given, "pending", FRAME_KEYS)
    read.one_of(given.get("decision"), "pending", kinds)
    frame = state["stack"][place]
    frame["decision"] = decision = kinds[given["decision"]]
    for key in ("seat", "owner"):
        frame[key] = read.seat(given.get(key), f"pending: {key}")
        state["to_act"] = frame["seat"]
    for key in FRAME_NUMBERS:
        usual = int(key == "left")
        frame[key] = read.number(given.get(key, usual), f"pending: {key}", 0, FRAME_LIMITS.get(key, MOST_IN_POOL))
    _check_frame(read.variant, state, frame)
    return decision


def _read_progress(read, position, state):
    """Read pending decisions, and the end of the game."""
    pending = position.get("pending", [])
    read.listed(pending, "pending", "decisions", STACK_LIMIT - 1)  # the answer may push one more question
    kinds = {decision.name.lower(): decision for decision in Decision}
    for place, given in enumerate(pending):
        decision = _read_frame(read, given, state, kinds, place)
        if decision == Decision.AMOUNT and place > 0:
            raise ValueError("pending: amount: is asked alone")
        if place < len(pending) - 1 and decision != Decision.REST:
            raise ValueError(f"pending: {given['decision']}: only `rest` waits below the decision that is asked")
    state["stack_count"] = len(pending)
    if _read_end(read, position, state):
        if pending:
            raise ValueError("pending: the game is over by placement")
        state["to_act"] = NOBODY
        return
    _place_the_defeated(read.variant, state)
    if (state["turn"] == 0 or state["boss_turn"]) and not pending:
        raise ValueError("pending: must hold a decision before the first turn and on the Boss's turn")
    if state["players"][state["active"]]["authority"] <= 0 and not state["boss_turn"]:
        raise ValueError(f"turn: {_seat_name(state['active'])} is out of the game")


def _read_end(read, position, state):
    """Read who has which place; returns whether all have one, so that the game is over."""
    seats = [_seat_name(seat) for seat in range(read.variant.players)]
    for name, place in read.mapping(position.get("placement", {}), "placement", seats).items():
        state["placement"][read.seat(name, "placement")] = read.number(place, "placement", 0, 6)
    state["truncated"] = read.truth(position.get("truncated", False), "truncated")
    return bool(state["placement"][: read.variant.players].all())


def _is_lost(settled, seats, alive):
    """Whether a side is out: its leader, or all of its players."""
    leaders = [seat for seat in seats if seat in settled.leaders]
    return not alive[leaders[0]] if leaders else not any(alive[seat] for seat in seats)


def _place_the_defeated(variant, state):
    """Write the placements of defeated sides; refuse a game that would be over, because no player could decide."""
    alive = [bool(state["players"][seat]["authority"] > 0) for seat in range(variant.players)]
    settled = variant.format
    lost = [_is_lost(settled, seats, alive) for seats in variant.sides]
    left = lost.count(False)
    if left < min(2, len(variant.sides)) or (settled.first_blood and True in lost):
        raise ValueError(f"players: authority: only {sum(alive)} of the players has more than 0")
    if (settled.boss or variant.blob(state)) and state["boss_authority"] <= 0:
        raise ValueError(f"boss: authority: {state['boss_authority']}: must be more than 0")
    for number, seats in enumerate(variant.sides):
        for seat in seats:
            if not lost[number] and state["placement"][seat]:
                raise ValueError(f"placement: {_seat_name(seat)} is still in the game")
            if lost[number] and not state["placement"][seat]:
                state["placement"][seat] = left + 1
