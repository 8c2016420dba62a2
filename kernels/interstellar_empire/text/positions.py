"""Positions as text: any state as a plain dict of names and numbers, and back.

People write the keys of the notation: `turn`, `phase`, `extra_draws`, `deck`, `discard_pile`, `bids`, `war`, `pending`,
and `players` with `hand`, `fleet`, `empire`, `government`, `out`. Piles list the top card first. The other keys
complete a state; `position` writes them only if they differ from their defaults.
"""

from collections import Counter

import numpy as np

from stardeck.kernels.errors import shown
from stardeck.kernels.interstellar_empire.play.war import ATTACKER, DEFENDER
from stardeck.kernels.interstellar_empire.rules import Family, Op
from stardeck.kernels.interstellar_empire.spaces.hidden import question_fits
from stardeck.kernels.interstellar_empire.state import (
    DECK_LIMIT,
    NO_CARD,
    NOBODY,
    PICK_LIMIT,
    SHIP_LIMIT,
    STATE,
    Ask,
    Government,
    How,
    Phase,
)
from stardeck.kernels.text.moves import legal_numbers
from stardeck.kernels.text.position_parser import MOST_COUNTED, MOST_RANDOM, Reader
from stardeck.kernels.text.position_parser import seat_name as _seat_name

STATE_KEYS = (
    "turn", "phase", "extra_draws", "deck", "discard_pile", "bids", "war", "pending", "players", "turn_number",
    "first", "decisions", "random", "placement",
)  # fmt: skip
PLAYER_KEYS = ("hand", "fleet", "empire", "government", "out")
WAR_KEYS = ("planet", "defender", "attackers", "defenders", "bonus", "attack_score")
# The keys that each question needs in addition to `ask`.
PENDING_KEYS = {
    Ask.SHIP: ("planet",),
    Ask.PAY: ("card", "paid"),
    Ask.ATTACKERS: (),
    Ask.DEFENDERS: (),
    Ask.SURPRISE: ("seat",),
    Ask.NUMBER: (),
    Ask.JUNGLE: (),
    Ask.RESISTANCE: ("seat", "planet", "how"),
    Ask.RESISTANCE_ANSWER: ("planet", "how"),
    Ask.SLAVERY: ("planet", "how"),
    Ask.KEEP: ("seat", "cards", "then"),
    Ask.ARTIFACT: ("caster", "seat", "cards"),
    Ask.PIRACY: ("seat", "ship"),
    Ask.UNREST: ("seat", "ship"),
    Ask.UNREST_ANSWER: ("ship",),
}
AT_WAR = (Ask.ATTACKERS, Ask.DEFENDERS, Ask.SURPRISE, Ask.NUMBER, Ask.JUNGLE)
OF_PLANET = (Ask.SHIP, Ask.RESISTANCE, Ask.RESISTANCE_ANSWER, Ask.SLAVERY)
OF_SHIP = (Ask.PIRACY, Ask.UNREST, Ask.UNREST_ANSWER)


def _word(member):
    return member.name.lower()


def _ask_word(ask):
    return ask.name.lower().replace("_", " ")


# Writing


def _listed(names, counts, mark=""):
    return [mark + name for name, count in zip(names, counts, strict=False) for _ in range(int(count))]


def _war_position(names, state):
    ships = state["defenders"][: state["sent_count"]]
    war = {
        "planet": names[state["subject"]],
        "defender": _seat_name(state["defender"]),
        "attackers": _listed(names, state["attackers"]),
        "defenders": [("tapped " if ship["tapped"] else "") + names[ship["card"]] for ship in ships],
        "bonus": {
            _seat_name(seat): int(state["bonus"][side])
            for side, seat in ((ATTACKER, state["active"]), (DEFENDER, state["defender"]))
            if state["bonus"][side]
        },
        "attack_score": int(state["attack_score"]),
    }
    return {key: value for key, value in war.items() if value or key in ("planet", "defender")}


def _pending_position(names, state):
    ask = Ask(int(state["ask"]))
    values = {
        "planet": names[state["subject"]],
        "card": names[state["subject"]],
        "ship": names[state["subject"]],
        "paid": int(state["paid"]),
        "seat": _seat_name(state["to_act"]),
        "how": _word(How(int(state["how"]))),
        "cards": [names[card] for card in state["looked_at"] if card != NO_CARD],
        "then": [_seat_name(seat) for seat in state["picks"][: state["picks_count"]]],
        "caster": _seat_name(state["active"]),
    }
    return {"ask": _ask_word(ask)} | {key: values[key] for key in PENDING_KEYS[ask]}


def _round_position(variant, state, names):
    """Return counters, the first player and the bids, where they differ from their defaults."""
    result = {}
    first_turn = int(state["phase"] != Phase.BID)
    for key, field, default in (("turn_number", "turn", first_turn), ("decisions",) * 2 + (0,), ("random",) * 2 + (0,)):
        if state[field] != default:
            result[key] = int(state[field])
    if state["first"]:
        result["first"] = _seat_name(state["first"])
    players = enumerate(state["players"][: variant.players])
    bids = {_seat_name(seat): names[player["bid"]] for seat, player in players if player["bid"] != NO_CARD}
    return result | ({"bids": bids} if bids else {})


def position(variant, state) -> dict:
    """Return the position of one record."""
    names = [card.name for card in variant.card_set.cards]
    over = state["to_act"] == NOBODY
    result = {
        "turn": _seat_name(state["active"]),
        "phase": _word(Phase(int(state["phase"]))),
        "extra_draws": int(state["extra_draws"]),
        "deck": [names[card] for card in state["deck"][: state["deck_count"]][::-1]],
        "discard_pile": [names[card] for card in state["discard_pile"][: state["discard_count"]][::-1]],
        "players": {},
    }
    result |= _round_position(variant, state, names)
    players = state["players"][: variant.players]
    if not over and state["ask"] != Ask.MOVE:
        result["pending"] = _pending_position(names, state)
        if state["ask"] in AT_WAR:
            result["war"] = _war_position(names, state)
    placement = {_seat_name(seat): int(state["placement"][seat]) for seat in range(variant.players)}
    if any(placement.values()):
        result["placement"] = {name: place for name, place in placement.items() if place}
    for seat, player in enumerate(players):
        result["players"][_seat_name(seat)] = {
            "hand": _listed(names, player["hand"]),
            "fleet": _listed(names, player["untapped"]) + _listed(names, player["tapped"], "tapped "),
            "empire": _listed(names, player["empire"]),
            "government": _word(Government(int(player["government"]))),
        } | ({"out": True} if player["out"] else {})
    return result


# Reading


class _Reader(Reader):
    """A reader for the names of cards and questions."""

    def __init__(self, variant):
        super().__init__(variant.players)
        self.variant = variant
        self.cards = variant.card_set.cards
        self.numbers = variant.card_set.numbers

    def member(self, value, where, members, word=_word):
        """Return the member of an enumeration for its word."""
        return list(members)[self.one_of(value, where, [word(member) for member in members])]

    def card(self, value, where, family=None):
        """Return the number of a card for its name."""
        if not isinstance(value, str) or value not in self.numbers:
            raise ValueError(f"{where}: {shown(value)} is not a card of {self.variant.card_set.title}")
        if family is not None and self.cards[self.numbers[value]].family != family:
            raise ValueError(f"{where}: {shown(value)} is not a {family.name.lower()}")
        return self.numbers[value]

    def pile(self, value, where, family=None):
        """Return the card numbers of a list of names, with copies expanded."""
        return [self.card(name, where, family) for name in self.named_pile(value, where, DECK_LIMIT)]

    def fleet(self, value, where):
        """Return untapped and tapped ships, each in order."""
        listed = self.listed(value, where, "cards")
        tapped = [text for text in listed if isinstance(text, str) and text.startswith("tapped ")]
        untapped = [text for text in listed if text not in tapped]
        rested = self.pile(untapped, where, Family.SHIP)
        return rested, self.pile([text.removeprefix("tapped ") for text in tapped], where, Family.SHIP)


def _count(into, numbers):
    for number, count in Counter(numbers).items():
        into[number] = count


def _read_player(read, given, player, where):
    read.mapping(given, where, PLAYER_KEYS)
    _count(player["hand"], read.pile(given.get("hand", []), f"{where}: hand"))
    untapped, tapped = read.fleet(given.get("fleet", []), f"{where}: fleet")
    _count(player["untapped"], untapped)
    _count(player["tapped"], tapped)
    _count(player["empire"], read.pile(given.get("empire", []), f"{where}: empire", Family.PLANET))
    allowed = Government if read.variant.settings["governments"] else (Government.EMPEROR,)
    player["government"] = read.member(given.get("government", "emperor"), f"{where}: government", allowed)
    player["bid"] = NO_CARD
    player["out"] = read.truth(given.get("out", False), f"{where}: out")
    if player["out"] and not read.variant.settings["concede"]:
        raise ValueError(f"{where}: out: conceding is not offered in {read.variant.id}")
    if player["out"] and any(player[zone].any() for zone in ("hand", "untapped", "tapped", "empire")):
        raise ValueError(f"{where}: out: has cards left")


def _read_war(read, given, state):
    read.mapping(given, "war", WAR_KEYS)
    state["subject"] = read.card(given.get("planet"), "war: planet", Family.PLANET)
    state["defender"] = read.seat(given.get("defender"), "war: defender")
    if state["defender"] == state["active"]:
        raise ValueError("war: defender: is the player whose turn it is")
    _count(state["attackers"], read.pile(given.get("attackers", []), "war: attackers", Family.SHIP))
    for text in read.listed(given.get("defenders", []), "war: defenders", "cards"):
        untapped, tapped = read.fleet([text], "war: defenders")
        for card in untapped + tapped:
            if state["sent_count"] >= SHIP_LIMIT:
                raise ValueError(f"war: defenders: more than {SHIP_LIMIT} ships")
            state["defenders"][state["sent_count"]] = (card, bool(tapped))
            state["sent_count"] += 1
    for name, value in read.mapping(given.get("bonus", {}), "war: bonus", read.seats).items():
        seat = read.seat(name, "war: bonus")
        if seat not in (state["active"], state["defender"]):
            raise ValueError(f"war: bonus: {name} takes no part")
        state["bonus"][ATTACKER if seat == state["active"] else DEFENDER] = read.number(value, "war: bonus", 0, 1000)
    state["attack_score"] = read.number(given.get("attack_score", 0), "war: attack_score", 0, 10_000)


def _who_is_asked(read, given, state, ask):
    """Return the seat that answers a question: the named one, else the defender or the active player."""
    if "seat" in PENDING_KEYS[ask]:
        return read.seat(given.get("seat"), "pending: seat")
    return state["defender"] if ask in (Ask.DEFENDERS, Ask.NUMBER) else state["active"]


def _read_pending(read, given, state):
    """Read the question in progress."""
    asks = {_ask_word(ask): ask for ask in PENDING_KEYS}
    word = given.get("ask") if isinstance(given, dict) else given
    ask = read.member(word, "pending: ask", PENDING_KEYS, _ask_word)
    read.mapping(given, "pending", ("ask", *PENDING_KEYS[asks[word]]))
    if ask in AT_WAR and state["defender"] == NOBODY:
        raise ValueError("pending: war is missing")
    state["ask"] = ask
    state["to_act"] = who = _who_is_asked(read, given, state, ask)
    for key, family in (("planet", Family.PLANET), ("ship", Family.SHIP), ("card", None)):
        if key in PENDING_KEYS[ask]:
            state["subject"] = read.card(given.get(key), f"pending: {key}", family)
    if ask == Ask.PAY:
        cost = read.cards[state["subject"]].number
        state["paid"] = read.number(given.get("paid", 0), "pending: paid", 0, cost - 1)
    if "how" in PENDING_KEYS[ask]:
        state["how"] = read.member(given.get("how"), "pending: how", How)
    if "cards" in PENDING_KEYS[ask]:
        cards = read.pile(given.get("cards", []), "pending: cards")
        if len(cards) != 2:
            raise ValueError(f"pending: cards: {shown(given.get('cards'))}: must be two cards")
        state["looked_at"] = cards
    if ask == Ask.KEEP:
        _read_picks(read, given, state)
    if ask == Ask.ARTIFACT and read.seat(given.get("caster"), "pending: caster") != state["active"]:
        raise ValueError("pending: caster: must be the player whose turn it is")
    _check_pending(read, state, ask, int(who))


def _read_picks(read, given, state):
    """Read the seats that pick a card after the present one."""
    then = read.listed(given.get("then", []), "pending: then", "seats", PICK_LIMIT - 1)
    state["picks"][: len(then)] = [read.seat(name, "pending: then") for name in then]
    state["picks_count"] = len(then)


def _check_pending(read, state, ask, who):
    """Check that a question fits the cards and seats of the position."""
    _check_who(state, ask, who)
    _check_subject(read, state, ask)
    if ask == Ask.JUNGLE:
        _check_jungle(read, state)
    for seat in (who, *state["picks"][: state["picks_count"]], *([state["defender"]] if ask in AT_WAR else [])):
        if state["players"][seat]["out"]:
            raise ValueError(f"pending: {_seat_name(seat)} has conceded")
    if ask in AT_WAR and ask != Ask.JUNGLE and not state["players"][state["defender"]]["empire"][state["subject"]]:
        name = read.cards[state["subject"]].name
        raise ValueError(f"war: planet: {name} is not in the empire of {_seat_name(state['defender'])}")
    if ask in (Ask.ATTACKERS, Ask.DEFENDERS) and not _has_ships(state["players"][who], ask):
        raise ValueError(f"pending: {_ask_word(ask)}: {_seat_name(who)} has no ship left to send")


def _check_who(state, ask, who):
    """Check that the seat may be asked: some questions are for opponents or for the sides of a war."""
    opponents_only = (Ask.RESISTANCE, Ask.ARTIFACT, Ask.PIRACY, Ask.UNREST)
    if ask in opponents_only and who == state["active"]:
        raise ValueError(f"pending: seat: {_seat_name(who)}: must be an opponent of the player whose turn it is")
    if ask == Ask.SURPRISE and who not in (state["active"], state["defender"]):
        raise ValueError(f"pending: seat: {_seat_name(who)} takes no part in the war")


def _check_subject(read, state, ask):
    """Check that the active player has the planet or ship of the question."""
    active, subject = state["players"][state["active"]], int(state["subject"])
    family, name = read.cards[subject].family, read.cards[subject].name
    if (ask in OF_PLANET or (ask == Ask.PAY and family == Family.PLANET)) and not active["empire"][subject]:
        raise ValueError(f"pending: {name} is not in the empire of {_seat_name(state['active'])}")
    if (ask in OF_SHIP or (ask == Ask.PAY and family == Family.SHIP)) and not active["untapped"][subject]:
        raise ValueError(f"pending: {name} is not untapped in the fleet of {_seat_name(state['active'])}")
    if ask == Ask.PAY and family == Family.SPECIAL:
        raise ValueError(f"pending: card: {name} is neither planet nor ship")


def _check_jungle(read, state):
    """Check that a question of a jungle comes after the war, for a planet with a price."""
    planet = read.cards[state["subject"]]
    if planet.op != Op.PRICE_OF_CONQUEST:
        raise ValueError(f"war: planet: {planet.name} has no price of conquest")
    if state["attackers"].any() or state["sent_count"]:
        raise ValueError("war: ships return to their fleets before the question of a jungle")


def _has_ships(player, ask):
    """Return whether a player has a ship to send: the attacker an untapped one, the defender any."""
    return player["untapped"].any() or (ask == Ask.DEFENDERS and player["tapped"].any())


def _earliest_phase(read, state):
    """Return the phase that the question belongs to."""
    ask = Ask(int(state["ask"]))
    if ask == Ask.PAY:
        return Phase.BUILD if read.cards[state["subject"]].family == Family.SHIP else Phase.EXPLORE
    if ask in AT_WAR or (ask in OF_PLANET and ask != Ask.SHIP and state["how"] == How.CONQUERED):
        return Phase.WAR
    if ask in OF_SHIP:
        return Phase.BUILD
    return Phase.EXPLORE if ask in (Ask.SHIP, Ask.ARTIFACT) else Phase.DRAW


def _read_bids(read, position, state):
    if state["phase"] != Phase.BID:
        if "bids" in position:
            raise ValueError("bids: only in phase bid")
        return
    if not read.variant.rules[0]["bid"]:
        raise ValueError(f"phase: bid: {read.variant.id} has no bid for the first turn")
    bids = read.mapping(position.get("bids", {}), "bids", read.seats[:-1])
    if list(bids) != read.seats[: len(bids)]:
        raise ValueError(f"bids: {', '.join(bids)}: cards are laid down in the order of the seats")
    for name, card in bids.items():
        state["players"][read.seat(name, "bids")]["bid"] = read.card(card, f"bids: {name}")
    state["to_act"] = len(bids)
    for seat in range(len(bids), read.variant.players):
        if not state["players"][seat]["hand"].any():
            raise ValueError(f"bids: {_seat_name(seat)} has no card to lay down")


def _check_totals(read, state):
    players = state["players"][: read.variant.players]
    ships = int(players["untapped"].sum()) + int(players["tapped"].sum()) + int(state["attackers"].sum())
    ships += int(state["sent_count"])
    total = ships + int(players["hand"].sum()) + int(players["empire"].sum()) + int((players["bid"] != NO_CARD).sum())
    total += int(state["deck_count"]) + int(state["discard_count"]) + int((state["looked_at"] != NO_CARD).sum())
    total += int(state["ask"] == Ask.JUNGLE)  # the planet is in no other zone
    loose = np.concatenate([state["looked_at"], players["bid"]])
    piles = (state["deck"][: state["deck_count"]], state["discard_pile"][: state["discard_count"]])
    is_ship = np.array([card.family == Family.SHIP for card in read.cards])
    ships += sum(int(is_ship[cards].sum()) for cards in (*piles, loose[loose != NO_CARD]))
    ships += int(players["hand"][:, : len(is_ship)][:, is_ship].sum())
    if total > DECK_LIMIT:
        raise ValueError(f"position: {total} cards: at most {DECK_LIMIT}")
    if ships > SHIP_LIMIT:
        raise ValueError(f"position: {ships} ships: at most {SHIP_LIMIT}")


def _check_running(read, states):
    """Check that a running game has a deck or a war, a player to decide, and a legal action."""
    state = states[0]
    players = state["players"][: read.variant.players]
    if players["out"][state["active"]]:
        raise ValueError(f"turn: {_seat_name(state['active'])} has conceded")
    if len(players) - int(players["out"].sum()) < 2:
        raise ValueError("players: out: at least two players must be left")
    goes_on = _earliest_phase(read, state) == Phase.WAR or state["ask"] == Ask.KEEP or state["phase"] == Phase.BID
    if state["deck_count"] == 0 and not goes_on:
        raise ValueError("deck: is empty: the game is over, except during a war or a pick")
    if state["phase"] == Phase.DECLARE and players["government"][state["active"]] != Government.UNDECIDED:
        raise ValueError(f"phase: declare: {_seat_name(state['active'])} has declared already")
    if not legal_numbers(read.variant, states) or not question_fits(read.variant.rules, states):
        word = _ask_word(Ask(int(state["ask"])))
        raise ValueError(f"pending: {word}: {_seat_name(state['to_act'])} cannot be asked this")
    if state["extra_draws"] and state["phase"] != Phase.DRAW:
        raise ValueError(f"extra_draws: {state['extra_draws']}: only in phase draw")
    if state["placement"][: len(players)][players["out"] == 0].any():
        raise ValueError("placement: a seat with a place is still in the game")


def _place_who_conceded(variant, state):
    """Give the last places to seats that have conceded; unless the position gives an order, later seats left first."""
    free = [place for place in range(1, variant.players + 1) if place not in state["placement"][: variant.players]]
    for seat in range(variant.players - 1, -1, -1):
        if state["players"][seat]["out"] and not state["placement"][seat]:
            state["placement"][seat] = free.pop()


def from_position(variant, position: dict) -> np.ndarray:
    """Return the state that a position describes: array of one row.

    Raises:
        ValueError: The position is invalid. The message names the key and the value.
    """
    read = _Reader(variant)
    read.mapping(position, "position", STATE_KEYS)
    states = np.zeros(1, STATE)
    state = states[0]
    state["variant"] = variant.rules[0]["variant"]
    state["looked_at"] = NO_CARD
    state["defender"] = NOBODY
    state["players"]["bid"] = NO_CARD
    state["active"] = state["to_act"] = read.seat(position.get("turn", "player_0"), "turn")
    state["phase"] = read.member(position.get("phase", "explore"), "phase", Phase)
    state["extra_draws"] = read.number(position.get("extra_draws", 0), "extra_draws", 0, 100)
    first_turn = int(state["phase"] != Phase.BID)
    state["turn"] = read.number(position.get("turn_number", first_turn), "turn_number", 0, MOST_COUNTED)
    state["decisions"] = read.number(position.get("decisions", 0), "decisions", 0, MOST_COUNTED)
    state["first"] = read.seat(position.get("first", "player_0"), "first")
    state["random"] = read.number(position.get("random", 0), "random", 0, MOST_RANDOM)
    for key, count in (("deck", "deck_count"), ("discard_pile", "discard_count")):
        cards = read.pile(position.get(key, []), key)
        state[key][: len(cards)] = cards[::-1]
        state[count] = len(cards)
    players = read.mapping(position.get("players", {}), "players", read.seats)
    for seat, name in enumerate(read.seats):
        _read_player(read, players.get(name, {}), state["players"][seat], name)
    _read_bids(read, position, state)
    if "war" in position:
        _read_war(read, position["war"], state)
    if "pending" in position:
        _read_pending(read, position["pending"], state)
    elif "war" in position:
        raise ValueError("war: a war needs a pending question")
    state["phase"] = max(int(state["phase"]), _earliest_phase(read, state)) if state["ask"] else state["phase"]
    _check_totals(read, state)
    for name, place in read.mapping(position.get("placement", {}), "placement", read.seats).items():
        state["placement"][read.seat(name, "placement")] = read.number(place, "placement", 1, variant.players)
    _place_who_conceded(variant, state)
    if state["placement"][: variant.players].all():
        state["to_act"] = NOBODY
    else:
        _check_running(read, states)
    return states
