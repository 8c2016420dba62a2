"""The table as data (docs/notation/table.md): zones and cards as one seat sees them, and the place of each move."""

from stardeck.kernels.star_realms.play.effects.copies import targeted_copy, usable_copy
from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.spaces.actions import GAMBIT_ACTS
from stardeck.kernels.star_realms.state import NO_CARD, Ability, Face, Zone, pile_of
from stardeck.kernels.star_realms.text import visibility
from stardeck.kernels.star_realms.text.faces import boss_face, card_face, gambit_face
from stardeck.kernels.star_realms.text.render import (
    BLOB_ACTS,
    boss_acts,
    has_finished,
    has_move,
    notes,
    question,
    ranks,
    scenario_words,
    scrap_heap,
    seats_with_cards,
    side_name,
    side_words,
    upgraded,
    where_it_stands,
)
from stardeck.kernels.star_realms.text.words import describe
from stardeck.kernels.text.table_schema import (
    Contents,
    a_player,
    a_turn,
    a_zone,
    framed,
    named_things,
    numbered_things,
    pools_of,
    same_name,
)

BOSS = "boss"

# Zones and cards


class _Table:
    """The table as a viewer sees it: zones by id, and the cards seen by name."""

    def __init__(self, variant, states, viewer):
        self.variant, self.states, self.state, self.viewer = variant, states, states[0], viewer
        self.zones: dict[str, dict] = {}
        self.cards: dict[str, dict] = {}

    def lay(self, zone):
        """Put a zone onto the table."""
        self.zones[zone["id"]] = zone

    def name(self, card) -> str:
        """Return the name of a card and record its face."""
        if card.name not in self.cards:
            self.cards[card.name] = card_face(self.variant.card_set, card)
        return card.name

    def pile(self, place, name, kind, cards, owner=None, count=None):
        """Add a zone of cards in a row; cards=None hides them."""
        things = named_things(place, map(self.name, cards or ()))
        self.lay(a_zone(place, name, kind, things, owner, count))

    def open_pile(self, place, name, numbers, owner=None):
        """Add a face-up pile without an order."""
        self.pile(place, name, "pile", visibility.in_order(self.variant, self.state, numbers), owner)

    # Common

    def common(self):
        """Add the zones that belong to no player."""
        state, variant = self.state, self.variant
        row = [None if number == NO_CARD else self.name(variant.card(state, number)) for number in state["trade_row"]]
        self.lay(a_zone("trade_row", "trade row", "row", numbered_things("trade_row", row)))
        self.lay(a_zone("trade_deck", "trade deck", "deck", [], count=int(state["trade_deck_count"])))
        explorer = variant.card(state, variant.card_set.explorer)
        self.pile("explorers", "Explorers", "pile", [explorer] * int(state["explorers"]))
        self.open_pile("scrap_heap", "Scrap Heap", scrap_heap(state))
        if variant.format.boss and variant.format.boss.gathers:
            count = int(state["face_down_count"])
            self.lay(a_zone("boss/face_down", "gathered by the Boss", "deck", [], count=count))

    # Players

    def zones_of(self, seat):
        """Add the zones of a player."""
        variant, state, viewer = self.variant, self.state, self.viewer
        player, name = state["players"][seat], f"player_{seat}"
        self.in_play(seat, player)
        counts = {zone: int(player["count"][zone]) for zone in Zone}
        hand, deck = visibility.hand(variant, state, seat, viewer), visibility.deck(variant, state, seat, viewer)
        self.pile(f"{name}/hand", "hand", "hand", hand, seat, counts[Zone.HAND])
        self.pile(f"{name}/deck", "deck", "deck", deck, seat, counts[Zone.DECK])
        if top := visibility.on_top(variant, state, seat):
            self.zones[f"{name}/deck"]["top"] = list(map(self.name, top))
        self.discard_pile(seat, player)
        if variant.format.gambits:
            self.gambits(seat, player)

    def in_play(self, seat, player):
        """Add the cards in play, in the order in which they came."""
        place = f"player_{seat}/in_play"
        entries = player["in_play"][: player["in_play_count"]]
        cards = [self.variant.card(self.state, entry["card"]) for entry in entries]
        things = named_things(place, map(self.name, cards))
        for thing, card, entry in zip(things, cards, entries, strict=True):
            if marks := notes(self.variant, self.state, entry):
                thing["marks"] = marks
            if card.is_base:
                damage = {"damage": int(entry["damage"])} if entry["damage"] else {}
                thing["amounts"] = {"defense": card.defense} | damage
        self.lay(a_zone(place, "in play", "area", things, seat))

    def discard_pile(self, seat, player):
        """Add a discard pile, which is face up."""
        self.open_pile(f"player_{seat}/discard", "discard pile", pile_of(player, Zone.DISCARD_PILE), seat)

    def gambits(self, seat, player):
        """Add the gambits in front of a player, and those among which the player chooses."""
        own = visibility.is_own(seat, self.viewer)
        shown, hidden = visibility.gambits(self.variant, player, own)
        place = f"player_{seat}/gambits"
        things = self.gambit_things(place, [name for name, _ in shown])
        for thing, (_, face) in zip(things, shown, strict=True):
            if face == Face.HIDDEN:
                thing["marks"] = ["face down"]
        self.lay(a_zone(place, "gambits", "area", things, seat, len(things) + hidden))
        looked_at = self.state["looked_at"]
        if seat == self.state["to_act"] and looked_at.any():
            place = f"player_{seat}/looked_at"
            things = self.gambit_things(place, visibility.looked_at(self.variant, self.state, own))
            self.lay(a_zone(place, "gambits looked at", "hand", things, seat, int(looked_at.sum())))

    def gambit_things(self, place, names):
        """Return gambits by name and record their faces."""
        for gambit in self.variant.format.gambits:
            if gambit.name in names:
                self.cards[gambit.name] = gambit_face(gambit, self.variant.card_set.factions)
        return named_things(place, names)

    def player(self, seat):
        """Return a player with its pools and marks."""
        player, variant = self.state["players"][seat], self.variant
        out = player["authority"] <= 0
        amounts = {"authority": max(0, int(player["authority"]))}
        amounts |= {pool: int(player[pool]) for pool in ("trade", "combat")}
        marks = ranks(variant, seat)
        if variant.campaign and (side := side_name(variant, seat)):
            marks.append(side)
        if has_move(self.state, seat) and not out:
            marks.append("turn")
        if has_finished(variant, player):
            marks.append("finished")
        return a_player(seat, amounts, marks, out)

    def players(self):
        """Return all players and add their zones; a defeated player has at most a discard pile."""
        left = seats_with_cards(self.variant, self.state)
        for seat in left:
            player = self.state["players"][seat]
            if player["authority"] > 0:
                self.zones_of(seat)
            elif player["count"][Zone.DISCARD_PILE]:
                self.discard_pile(seat, player)
        if not left:
            return [a_player(seat, {}, [side_name(self.variant, seat)]) for seat in range(self.variant.players)]
        return [self.player(seat) for seat in left]

    # The Boss and the campaign

    def boss(self):
        """Return the automated Boss."""
        boss, blob = self.variant.format.boss, self.variant.blob(self.state)
        if blob:
            pools = pools_of(BOSS, {"authority": max(0, int(self.state["boss_authority"]))})
            return {"id": BOSS, "name": blob.name, "pools": pools, "words": f"acts {BLOB_ACTS}"}
        if not boss:
            return None
        self.cards[boss.name] = boss_face(boss)
        pools = pools_of(BOSS, {"authority": max(0, int(self.state["boss_authority"]))})
        return {"id": BOSS, "name": boss.name, "pools": pools, "words": f"acts {boss_acts(self.state)}"}

    def campaign(self):
        """Return the state of a campaign."""
        variant, state = self.variant, self.state
        if not variant.campaign:
            return None
        number, sides = int(state["scenario"]), [side_words(side) for side in variant.campaign.sides]
        return {
            "scenario": number or None,
            "name": variant.campaign.scenarios[number - 1].name if number else "",
            "modifier": int(state["modifier"]),
            "victory_points": dict(zip(sides, map(int, state["victory_points"]), strict=True)),
            "won_by": [sides[won - 1] if won else None for won in state["won_by"]],
            "upgraded": [self.name(variant.card(state, card)) for card in upgraded(variant, state)],
            "words": scenario_words(variant, state),
        }

    # Moves

    def card_name(self, action):
        """Return the name of the card or gambit that an action names."""
        if action.act in GAMBIT_ACTS:
            return self.variant.format.gambits[action.card].name
        return self.variant.card_name(self.state, action.card)

    def seat_of(self, action) -> int:
        """Return the seat that an action names."""
        return (int(self.state["to_act"]) + action.detail) % self.variant.players

    def own(self, zone, action):
        """Return the card of the seat to act in one of its zones."""
        return same_name(self.zones[f"player_{self.state['to_act']}/{zone}"], self.card_name(action))

    def on_offer(self, name):
        """Return a card of the trade row, or the Explorers."""
        return same_name(self.zones["trade_row"], name) or same_name(self.zones["explorers"], name)

    def used(self, ability, action):
        """Return a card in play that uses an ability."""
        seat = int(self.state["to_act"])
        place = int(usable_copy(self.variant.rules, self.states, seat, action.card, int(ability)))
        return [self.zones[f"player_{seat}/in_play"]["things"][place]["id"]]

    def target(self, seat, action):
        """Return the base of a seat that is attacked, damaged or destroyed."""
        place = int(targeted_copy(self.variant.rules, self.states, seat, action.card, int(action.act)))
        return [self.zones[f"player_{seat}/in_play"]["things"][place]["id"]]

    def pool(self, name):
        """Return a pool of the seat to act."""
        return [f"player_{self.state['to_act']}/{name}"]

    def player_named(self, action):
        """Return the player that an action names."""
        return [f"player_{self.seat_of(action)}"]

    def asked(self):
        """Return the subject of the question on top: a seat or a card."""
        return int(self.state["stack"][self.state["stack_count"] - 1]["detail"])

    def place(self, action) -> list[str]:
        """Return the ids that a move is about, first the one to click first."""
        found = PLACES.get(action.act)
        return found(self, action) if found else []


def _in(zone):
    return lambda table, action: table.own(zone, action)


def _gives(pool):
    return lambda table, action: table.pool(pool) + table.player_named(action)


def _opponents_base(table, action):
    return table.target(table.seat_of(action), action)


def _on_offer(table, action):
    return table.on_offer(table.card_name(action))


def _bought(table, action):
    """Return the card that may be upgraded; it lies on offer until the player has answered."""
    return table.on_offer(table.variant.card_name(table.state, table.asked()))


def _player(table, action):
    return table.player_named(action)


def _boss(table, action):
    return [BOSS]


# The place of a move by its act. Other moves have none: they end a turn, decline, choose words or an amount.
PLACES = {
    Act.PLAY: _in("hand"),
    Act.SCRAP_FROM_HAND: _in("hand"),
    Act.DISCARD: _in("hand"),
    Act.SCRAP_FROM_DISCARD: _in("discard"),
    Act.PUT_ON_DECK: _in("discard"),
    Act.COPY: _in("in_play"),
    Act.REVEAL: _in("gambits"),
    Act.USE_GAMBIT: _in("gambits"),
    Act.KEEP: _in("looked_at"),
    Act.PASS: lambda table, action: table.own("discard", action) + table.player_named(action),
    Act.LEAVE: lambda table, action: [*table.own("discard", action), f"player_{table.asked()}"],
    Act.USE: lambda table, action: table.used(Ability.PRIMARY, action),
    Act.USE_ALLY: lambda table, action: table.used(
        Ability.SECOND_ALLY if action.detail else Ability.ALLY, action
    ),
    Act.USE_SCRAP: lambda table, action: table.used(Ability.SCRAP, action),
    Act.BUY: _on_offer,
    Act.BUY_TO_DECK: _on_offer,
    Act.ACQUIRE: _on_offer,
    Act.ACQUIRE_TO_DECK: _on_offer,
    Act.SCRAP_FROM_TRADE_ROW: _on_offer,
    Act.MULLIGAN: lambda table, action: ["trade_row"],
    Act.ATTACK_PLAYER: _player,
    Act.ATTACK_PART: _player,
    Act.TARGET: _player,
    Act.YIELD: _player,
    Act.ATTACK_BASE: _opponents_base,
    Act.DESTROY_BASE: _opponents_base,
    Act.DAMAGE_BASE: lambda table, action: table.target(table.variant.format.lasting_damage_seat, action),
    Act.ATTACK_BOSS: _boss,
    Act.ATTACK_BOSS_PART: _boss,
    Act.GIVE_TRADE: _gives("trade"),
    Act.GIVE_TRADE_PART: _gives("trade"),
    Act.GIVE_COMBAT: _gives("combat"),
    Act.GIVE_COMBAT_PART: _gives("combat"),
    Act.PAY: lambda table, action: table.pool("trade"),
    Act.DRAW: lambda table, action: [f"player_{table.state['to_act']}/deck"],
    Act.BID: lambda table, action: [f"player_{table.state['to_act']}"],
    Act.UPGRADE: _bought,
}  # fmt: skip


def table(variant, states, viewer=None) -> dict:
    """Return the table as `viewer` may see it; None shows everything. states: array of one row."""
    state = states[0]
    laid = _Table(variant, states, viewer)
    laid.common()
    players, boss, campaign = laid.players(), laid.boss(), laid.campaign()
    on_turn = state["to_act"] >= 0 and not state["boss_turn"]
    contents = Contents(
        turn=a_turn(state["turn"], int(state["active"]) if on_turn else None, where_it_stands(variant, state)),
        question=question(state),
        players=players,
        zones=list(laid.zones.values()),
        boss=boss,
        campaign=campaign,
        cards=laid.cards,
    )
    return framed(variant, states, viewer, contents, describe, laid.place)
