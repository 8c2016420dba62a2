"""Cards that a log has not named yet: the place of each, and the cards with which it may still change places.

A log names a card when it is played, not when it is drawn. Until then, any card from the same deck is possible. A card
that turns out to be needed changes places with an unnamed one, as if they had been dealt the other way round. All cards
of one `cycle`, which a player has or has not drawn between two shuffles, can change places.
"""

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from stardeck.kernels.star_realms.state import NO_CARD, Zone, pile_of

ZONES = {"deck": Zone.DECK, "hand": Zone.HAND, "discard": Zone.DISCARD_PILE}
NEVER = 1 << 60  # not drawn


class Slot:
    """A physical card, whose name may change until it is seen."""

    __slots__ = ("card", "cycle", "drawn", "seen", "source")

    def __init__(self, card: int, cycle: int = -1, seen: bool = False, source: "Slot | None" = None) -> None:
        self.card, self.cycle, self.seen, self.source = card, cycle, seen, source  # source: its slot before the shuffle
        self.drawn = NEVER

    def unseen(self) -> Iterator["Slot"]:
        """Yield the slots of the card in this deck and earlier ones, back to the last time it was seen."""
        slot: Slot | None = self
        while slot and not slot.seen:
            yield slot
            slot = slot.source


def _since_together(one, other, latest=NEVER):
    """Return the slots of two cards back to the last deck, up to `latest`, in which both lay.

    None if either was seen since.
    """
    back = list(other.unseen())
    for length, slot in enumerate(one.unseen(), 1):
        for depth, partner in enumerate(back, 1):
            if slot.cycle == partner.cycle <= latest:
                return list(itertools.islice(one.unseen(), length)), back[:depth]
    return None


def _links(slot, latest, decks, seen):
    """Yield the slots that shared a deck with this one, up to `latest`: (slot, cycle). seen: visited (cycle, card)."""
    for thing in slot.unseen():
        if thing.cycle > latest or (thing.cycle, slot.card) in seen:
            continue
        seen.add((thing.cycle, slot.card))
        for other in decks[thing.cycle]:
            if other is not slot:
                yield other, thing.cycle


class Shuffle(NamedTuple):
    """The cards of each pile after a shuffle."""

    decisions: int  # number of decisions before it
    seat: int
    hand: list[Slot]
    deck: list[Slot]
    ahead: bool = False  # True if it precedes the move that draws from it

    def in_order(self) -> list[Slot]:
        """Return the deck in the order of draws, the next card first."""
        return sorted(self.deck, key=lambda slot: slot.drawn)


class TrackingError(Exception):
    """The cards cannot be tracked any further."""


class Supply:
    """The trade row and the trade deck, whose order is not in the log. state: one record, which changes with it."""

    def __init__(self, state: np.void) -> None:
        self.row: list[Slot | None] = [Slot(int(card)) for card in state["trade_row"]]
        self.deck = [Slot(int(card)) for card in state["trade_deck"][: state["trade_deck_count"]]]
        self.start = [slot for slot in self.row if slot], self.deck[::-1]
        self._came = [0] * len(self.row)
        self._count = 0

    def ensure(self, state: np.void, card: int) -> bool:
        """Put a card into the row if that is possible, in the place that was filled last."""
        if any(slot and slot.card == card for slot in self.row):
            return True
        places = {place: slot for place, slot in enumerate(self.row) if slot}
        for depth, slot in enumerate(reversed(self.deck)):
            if slot.card == card and places:
                place = max(places, key=lambda place: self._came[place])
                other = places[place]
                slot.card, other.card = other.card, slot.card
                state["trade_row"][place] = card
                state["trade_deck"][len(self.deck) - 1 - depth] = slot.card
                return True
        return False

    def left_by_itself(self, state: np.void) -> list[int]:
        """Return cards that have left the row without being named, and update the row."""
        gone = [
            slot.card for place, slot in enumerate(self.row)
            if slot and len(self.deck) > state["trade_deck_count"] and slot.card != state["trade_row"][place]
        ]  # fmt: skip
        for card in gone:
            self.take(card)
        return gone

    def take(self, card: int) -> None:
        """Remove a card from the row, and refill its place from the deck."""
        place = next(place for place, slot in enumerate(self.row) if slot and slot.card == card)
        self._count += 1
        self._came[place] = self._count
        self.row[place] = self.deck.pop() if self.deck else None


class Piles:
    """The piles of one seat."""

    def __init__(self, seat: int, state: np.void) -> None:
        self.seat = seat
        self.piles = {
            name: [Slot(int(card), 0) for card in pile_of(state["players"][seat], zone)] for name, zone in ZONES.items()
        }
        self.piles["play"] = []
        self.shuffles = [Shuffle(0, seat, list(self.piles["hand"]), list(self.piles["deck"]))]
        self._cycle, self._drawn = 0, itertools.count()

    def __getitem__(self, name: str) -> list[Slot]:
        return self.piles[name]

    # Cards that are needed

    def ensure(
        self, state: np.void, card: int, names: tuple[str, ...], keep: Counter | None = None, count: int = 1
    ) -> bool:  # fmt: skip
        """Put copies of a card into piles by exchanges with unnamed cards.

        Args:
            state: Record of the game, which changes with the piles.
            card: Number of the card.
            names: Names of the piles.
            keep: Cards that the hand needs.
            count: Number of copies in these piles.

        Returns:
            True if that is possible.
        """
        while sum(slot.card == card for name in names for slot in self[name]) < count:
            if not self._bring(state, card, names, keep or Counter()):
                return False
        return True

    def _bring(self, state, card, names, keep):
        """Put one more copy of a card into these piles; the hand keeps the cards that it needs."""
        kept = names
        if "hand" not in names and sum(slot.card == card for slot in self["hand"]) <= keep[card]:
            kept = (*names, "hand")
            for slot in self["hand"]:
                if slot.card == card:
                    self._relink(slot)
        if not any(slot.card == card and not slot.seen for name in ZONES if name not in kept for slot in self[name]):
            return False
        free = self._unseen_others(card, names, keep)
        return any(self._exchange(state, slot, card, kept) for slot in free) or any(
            self._exchange_by_way(state, slot, card, kept, keep) for slot in free
        )

    def _unseen_others(self, card, names, keep):
        """Return the unseen slots of other cards in these piles, those last that the hand needs."""
        held = Counter(slot.card for name in names for slot in self[name])
        others = [slot for name in names for slot in self[name] if not slot.seen and slot.card != card]
        return sorted(others, key=lambda slot: held[slot.card] <= keep[slot.card])

    def _exchange_by_way(self, state, slot, card, names, keep):
        """Exchange along a chain of cards; each shared a deck with the next, and the decks never become later."""
        held, decks = Counter(other.card for other in self["hand"]), self._decks()
        needed = {id(other) for other in self["hand"] if held[other.card] <= keep[other.card]}
        ends = {id(other) for name in ZONES if name not in names for other in self[name] if other.card == card}
        chains, seen = [[(slot, NEVER)]], set()
        for chain in chains:  # the list grows while it is read: the shortest chains come first
            last = chain[-1][0]
            for link in _links(*chain[-1], decks, seen):
                other = link[0]
                if id(other) not in needed or other.card == last.card:
                    chains.append([*chain, link])
                    if id(other) in ends and self._along(state, chains[-1]):
                        return True
        return False

    def _decks(self):
        """Return the cards that lay unseen in each deck."""
        decks = {}
        for slot in (slot for name in ZONES for slot in self[name]):
            for thing in slot.unseen():
                decks.setdefault(thing.cycle, []).append(slot)
        return decks

    def _along(self, state, chain):
        """Pass the card at the end of a chain to its beginning; return whether that worked."""
        pairs = [(slot, other, cycle) for (slot, _), (other, cycle) in itertools.pairwise(chain)]
        return all(self._swap(state, *pair) for pair in reversed(pairs))

    def _exchange(self, state, slot, card, names):
        """Exchange with a card of another pile, from the last deck in which both lay unseen."""
        return any(
            other.card == card and self._swap(state, slot, other)
            for name in ZONES if name not in names
            for other in self[name]
        )  # fmt: skip

    def _swap(self, state, slot, other, cycle=NEVER):
        """Exchange two cards from this or an earlier deck on, if they lay unseen in one deck."""
        if not (both := _since_together(slot, other, cycle)):
            return False
        cards = slot.card, other.card
        self._rename(state, self._pile_with(slot), *cards)
        self._rename(state, self._pile_with(other), *cards[::-1])
        first, last = both[0][-1], both[1][-1]
        first.source, last.source = last.source, first.source
        for things, card in zip(both, cards[::-1], strict=True):
            for thing in things:
                thing.card = card
        return True

    def _pile_with(self, slot):
        return next(name for name in ZONES if any(other is slot for other in self[name]))

    def _rename(self, state, name, card, other):
        """Replace a card of a pile in the state; known cards (top of the deck, front of the hand) are replaced last."""
        cards = pile_of(state["players"][self.seat], ZONES[name])
        places = np.flatnonzero(cards == card)
        if not len(places):
            raise TrackingError
        cards[places[0] if name == "deck" else places[-1]] = other

    def draw_next(self, state: np.void, card: int) -> None:
        """Put a card on top of the deck if that is possible and no known card lies there."""
        if self["deck"] and not any(slot.seen for slot in self["deck"]) and self.ensure(state, card, ("deck",)):
            cards = pile_of(state["players"][self.seat], Zone.DECK)
            place = np.flatnonzero(cards == card)[0]
            cards[place], cards[-1] = cards[-1], cards[place]

    # Moves of the game

    def move(self, card: int, source: str, target: str | None) -> None:
        """Move a named card from one pile to another, or out of the game."""
        places = [slot for slot in self[source] if slot.card == card]
        if not places:
            raise TrackingError
        slot = min(places, key=lambda slot: (not slot.seen, slot.cycle))  # unseen ones can still change
        self[source].remove(slot)
        self._relink(slot)
        slot.seen = True
        if target == "deck":
            self.put_on_deck(slot)
        elif target:
            self[target].append(slot)

    def _relink(self, slot):
        """Give a slot the history of an equal card that was seen later, so the seen card stays the same one."""
        alike = [
            other for name in ZONES for other in self[name]
            if other.card == slot.card and other.cycle == slot.cycle and not other.seen and other.source
        ]  # fmt: skip
        if slot.source and not slot.seen and alike:
            other = min(alike, key=lambda other: len(list(other.unseen())))
            if len(list(other.unseen())) < len(list(slot.unseen())):
                slot.source, other.source = other.source, slot.source

    def put_on_deck(self, slot: Slot) -> None:
        """Put a card on top of the deck, visible to both players."""
        slot.cycle = self._cycle
        self["deck"].append(slot)

    def end_turn(self, is_base: np.ndarray) -> None:
        """Move hand and ships to the discard pile."""
        self["discard"].extend(self["hand"] + [slot for slot in self["play"] if not is_base[slot.card]])
        self.piles["hand"] = []
        self.piles["play"] = [slot for slot in self["play"] if is_base[slot.card]]

    def follow(self, state: np.void, decisions: int) -> None:
        """Draw the cards that the game has drawn. decisions: their number so far. Raises TrackingError."""
        held = pile_of(state["players"][self.seat], Zone.HAND).tolist()
        deck = pile_of(state["players"][self.seat], Zone.DECK).tolist()
        discarded = pile_of(state["players"][self.seat], Zone.DISCARD_PILE).tolist()
        missing = len(held) - len(self["hand"])
        shuffled = missing > len(self["deck"])
        if shuffled:
            self._draw(Counter(slot.card for slot in self["deck"]))
            self._shuffle()
        self._draw(Counter(held) - Counter(slot.card for slot in self["hand"]))
        for name, cards in (("hand", held), ("deck", deck), ("discard", discarded)):
            if Counter(slot.card for slot in self[name]) != Counter(cards):
                raise TrackingError
        if shuffled:
            self.shuffles.append(Shuffle(decisions, self.seat, list(self["hand"]), list(self["deck"])))

    def shuffle_ahead(self, decisions: int) -> None:
        """Turn the discard pile into the deck before the move that draws from it; `follow` cannot detect such draws."""
        self._shuffle()
        self.shuffles.append(Shuffle(decisions, self.seat, list(self["hand"]), list(self["deck"]), ahead=True))

    def draw(self, card: int) -> None:
        """Draw a card that the game has drawn and moved elsewhere at once. Raises TrackingError."""
        self._draw(Counter([card]))

    def _draw(self, cards):
        for card in cards.elements():
            places = [slot for slot in self["deck"] if slot.card == card]
            if not places:
                raise TrackingError
            slot = max(places, key=lambda slot: slot.seen)
            self["deck"].remove(slot)
            slot.drawn = next(self._drawn)
            self["hand"].append(slot)

    def _shuffle(self):
        self._cycle += 1
        self.piles["deck"] = [Slot(slot.card, self._cycle, source=slot) for slot in self["discard"]]
        self.piles["discard"] = []


def row_of(supply: Supply) -> tuple[list[int], list[int]]:
    """Return the trade row and the trade deck at the beginning of the game, next card first."""
    row, deck = supply.start
    return [slot.card for slot in row], [slot.card for slot in deck if slot.card != NO_CARD]
