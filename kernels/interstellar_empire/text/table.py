"""The table as data (docs/notation/table.md): zones and cards as one seat sees them, and the place of each move."""

from stardeck.kernels.interstellar_empire.rules import Act, Family
from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask, Phase
from stardeck.kernels.interstellar_empire.text import visibility
from stardeck.kernels.interstellar_empire.text.cards import abilities
from stardeck.kernels.interstellar_empire.text.render import has_turn, is_war, question, ranks, where_it_stands
from stardeck.kernels.interstellar_empire.text.words import describe
from stardeck.kernels.text.table_schema import Contents, a_player, a_turn, a_zone, framed, named_things, same_name

TAPPED = "tapped"


def _face(card):
    """Return the data of a card; a special has no cost."""
    return {
        "kind": card.family.name.lower(),
        "cost": None if card.family == Family.SPECIAL else card.number,
        "defense": None,
        "number": card.number,
        "factions": [],
        "abilities": abilities(card),
        "reconstructed": bool(card.reconstructed),
    }


def _ships(place, untapped, tapped):
    """Return ships by name; tapped ones carry a mark."""
    resting = named_things(f"{place}/{TAPPED}", tapped)
    return named_things(place, untapped) + [thing | {"marks": [TAPPED]} for thing in resting]


class _Table:
    """The open zones of the table for a viewer, by id."""

    def __init__(self, variant, state, viewer):
        self.variant, self.state, self.viewer = variant, state, viewer
        self.me = f"player_{state['to_act']}"
        self.zones: dict[str, dict] = {}

    def lay(self, place, name, kind, things, owner=None, count=None):
        """Put a zone onto the table."""
        self.zones[place] = a_zone(place, name, kind, things, owner, count)

    def pile(self, place, name, kind, names, owner=None, count=None):
        """Put a zone of cards onto the table, by name; names: None if the viewer sees no card of it."""
        self.lay(place, name, kind, named_things(place, names or ()), owner, count)

    # Zones

    def common(self):
        """Lay out deck and discard pile, ships in a war, and cards in question."""
        variant, state = self.variant, self.state
        self.pile("deck", "deck", "deck", None, count=int(state["deck_count"]))
        top = visibility.top_of_discard_pile(variant, state)
        self.pile("discard", "discard pile", "pile", top, count=int(state["discard_count"]))
        if is_war(state):
            self.war()
        if state["to_act"] >= 0 and state["ask"] in (Ask.KEEP, Ask.ARTIFACT):
            cards = visibility.looked_at(variant, state, self.viewer)
            self.pile("looked_at", "cards of which one is kept", "hand", cards, int(state["to_act"]), 2)

    def war(self):
        """Lay out the ships sent to a war."""
        variant, state = self.variant, self.state
        attackers = visibility.cards_of(variant, state["attackers"])
        self.pile("war/attackers", "attacking ships", "area", attackers, int(state["active"]))
        sent = [
            (visibility.name_of(variant, s["card"]), s["tapped"]) for s in state["defenders"][: state["sent_count"]]
        ]
        ships = _ships("war/defenders", *([name for name, tapped in sent if tapped == way] for way in (0, 1)))
        self.lay("war/defenders", "defending ships", "area", ships, int(state["defender"]))

    def zones_of(self, seat):
        """Lay out the zones of a player."""
        variant, place = self.variant, f"player_{seat}"
        player = self.state["players"][seat]
        fleet = [visibility.cards_of(variant, player[zone]) for zone in ("untapped", "tapped")]
        self.lay(f"{place}/fleet", "fleet", "area", _ships(f"{place}/fleet", *fleet), seat)
        self.pile(f"{place}/empire", "empire", "area", visibility.cards_of(variant, player["empire"]), seat)
        hand = visibility.hand(variant, player, seat, self.viewer)
        self.pile(f"{place}/hand", "hand", "hand", hand, seat, int(player["hand"].sum()))
        if player["bid"] != NO_CARD:
            bid = visibility.bid(variant, player, seat, self.viewer)
            self.pile(f"{place}/bid", "bid", "area", [bid] if bid else None, seat, 1)

    def players(self):
        """Return all players; one who has conceded has no zones."""
        players = []
        for seat in range(self.variant.players):
            player = self.state["players"][seat]
            if not player["out"]:
                self.zones_of(seat)
            marks = ["has conceded"] if player["out"] else ranks(self.variant, player)
            marks += ["turn"] * has_turn(self.state, seat)
            players.append(a_player(seat, {}, marks, player["out"]))
        return players

    def cards(self):
        """Return the data of all visible cards."""
        names = {thing["name"] for zone in self.zones.values() for thing in zone["things"]}
        return {card.name: _face(card) for card in self.variant.card_set.cards if card.name in names}

    def battle(self):
        """Return the war: the planet and the players in it."""
        if not is_war(self.state):
            return None
        planet = visibility.name_of(self.variant, self.state["subject"])
        attacker, defender = int(self.state["active"]), int(self.state["defender"])
        return {
            "name": "war",
            "words": f"over {planet} of player_{defender}",
            "place": same_name(self.zones[f"player_{defender}/empire"], planet),
            "sides": [
                {"name": "attacker", "seats": [attacker], "amounts": {}},
                {"name": "defender", "seats": [defender], "amounts": {}},
            ],
        }

    # Moves

    def card(self, zone, action, tapped=False):
        """Return the first card in a zone of the kind that an action names, as a list of at most one id."""
        name = self.variant.card_set.cards[action.card].name
        things = self.zones[zone]["things"]
        found = [
            thing["id"] for thing in things if thing["name"] == name and (TAPPED in thing.get("marks", ())) == tapped
        ]
        return found[:1]

    def player_named(self, action):
        """Return the player that an action names."""
        return f"player_{(int(self.state['to_act']) + action.detail) % self.variant.players}"

    def place(self, action) -> list[str]:
        """Return the ids of the things that a move is about, in the order to click them."""
        found = PLACES.get(action.act)
        return found(self, action) if found else []


def _from_hand(table, action):
    return table.card(f"{table.me}/hand", action)


def _untapped(table, action):
    return table.card(f"{table.me}/fleet", action)


# The place of a move by its act. Other moves have none: they end a turn, pass, decline or declare.
PLACES = {
    Act.BID: _from_hand,
    Act.PAY: _from_hand,
    Act.DISCARD: _from_hand,
    Act.EXPLORE: _from_hand,
    Act.BUILD: _from_hand,
    Act.PLAY: _from_hand,
    Act.PLAY_ON: lambda table, action: [*_from_hand(table, action), table.player_named(action)],
    Act.WITH: _untapped,
    Act.SEND: _untapped,
    Act.SEND_TAPPED: lambda table, action: table.card(f"{table.me}/fleet", action, tapped=True),
    Act.ATTACK: lambda table, action: table.card(f"{table.player_named(action)}/empire", action),
    Act.KEEP: lambda table, action: table.card("looked_at", action),
    Act.DRAW: lambda table, action: ["deck"],
}


def table(variant, states, viewer=None) -> dict:
    """Return the table as `viewer` may see it; None sees everything. states: array of one row."""
    state = states[0]
    laid = _Table(variant, state, viewer)
    laid.common()
    players = laid.players()
    runs = state["to_act"] >= 0
    phase = Phase(int(state["phase"])).name.lower() if runs else None
    on_turn = int(state["active"]) if runs and state["phase"] != Phase.BID else None
    contents = Contents(
        turn=a_turn(state["turn"], on_turn, where_it_stands(variant, state), phase),
        question=question(variant, state, viewer) if runs else "",
        players=players,
        zones=list(laid.zones.values()),
        battle=laid.battle(),
        cards=laid.cards(),
    )
    return framed(variant, states, viewer, contents, describe, laid.place)
