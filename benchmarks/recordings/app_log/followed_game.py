"""A game that follows a log: it makes moves, tracks cards, and reports contradictions.

It also records effects without a choice, which may be a choice with another deal.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from stardeck.benchmarks.recordings.app_log.backtracking import Guesses
from stardeck.benchmarks.recordings.app_log.lines import Event
from stardeck.benchmarks.recordings.app_log.piles import ZONES, Piles, Slot, Supply
from stardeck.game.agent import States
from stardeck.game.game import Game
from stardeck.kernels.errors import IllegalAction, cut
from stardeck.kernels.star_realms.state import NO_CARD, Zone, pile_of

POOLS = ("trade", "combat", "authority")
SEATS = 2
Gain = tuple[str, str, int]  # card, what, amount


def gains_of(effects: Iterable[Any]) -> list[tuple[str, int]]:
    """Return the gains of effects of a card: (what, amount) each."""
    return [(effect.op.name.lower(), effect.amount) for effect in effects]


def ally_gains(card: Any) -> list[tuple[str, int]]:
    """Return the gains of the ally abilities of a card: (what, amount) each."""
    return [gain for box in card.ally for gain in gains_of(box.effects)]


class Contradiction(NamedTuple):
    """A contradiction between the log and the rules."""

    line: int
    told: str
    expected: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.told}; expected {self.expected}"


class ImpossibleEvent(Exception):
    """The game cannot continue as logged. The argument is the Contradiction; final: no other guess would help."""

    def __init__(self, found: Contradiction, final: bool = False) -> None:
        super().__init__(found)
        self.final = final


class Step(NamedTuple):
    """A move. by_itself: it was an answer without a choice, and may be a choice with another deal."""

    text: str
    by_itself: bool


class FollowedGame:
    """A game that follows a log of these players."""

    def __init__(self, game: Game, log: list[Event], names: list[str]) -> None:
        self.game, self.log, self.names = game, log, names
        self.states: States = game.deal(0)
        self.start = self.states.copy()
        self.card_set: Any = game.variant.card_set  # type: ignore[attr-defined]  # variants of Star Realms have one
        self.cards = {card.name.lower(): number for number, card in enumerate(self.card_set.cards)}
        self.is_base = np.array([card.is_base for card in self.card_set.cards])
        self.supply = Supply(self.state)
        self.piles = [Piles(seat, self.state) for seat in range(SEATS)]
        self.steps: list[Step] = []
        self.found: list[Contradiction] = []
        self.turns: list[tuple[int, int]] = []
        self.used: set[int] = set()  # places of lines that have been used
        self.owed: list[Gain] = []  # (card, what, amount) that the log must still report
        self.off = Counter[tuple[int, str]]()  # difference between the numbers of the log and of the game
        self.by_itself: list[tuple[str, int]] = []  # (kind of line, card): automatic effects, not yet reported
        self.last = ""  # the last move
        self.clicked = ""  # the card whose ability was clicked last
        self.putting: list[int] = []  # cards that `Play all` must still play
        self.put_down_at: dict[int, int] = {}  # places of `Play all` that plays a card without naming it
        self.doubts = 0  # turns after which the size of the deck disagrees with the log
        self.at = 0
        self.guesses = Guesses()

    CHANGING = (
        "states", "supply", "piles", "steps", "found", "turns", "used", "owed", "off", "by_itself", "last", "clicked",
        "put_down_at", "doubts", "at",
    )  # fmt: skip

    def saved(self) -> dict[str, Any]:
        """Return all values that change while lines are read."""
        return {name: getattr(self, name) for name in self.CHANGING}

    def restore(self, saved: dict[str, Any]) -> None:
        """Go back to a result of `saved`."""
        self.__dict__.update(saved)

    @property
    def state(self) -> Any:
        """The record of the game."""
        return self.states[0]

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return int(self.state["active"])

    def do(self, text: str, event: Event) -> None:
        """Make a move, and track the cards. Raises ImpossibleEvent."""
        try:
            actions = self.game.parse(self.states, text)
        except IllegalAction as error:
            self.refuse(event, cut(str(error).split("legal here; ")[-1], 160), text)
        before, seat = self.state.copy(), int(self.state["to_act"])
        for action in actions:
            self.game.apply(self.states, [action])
        self.last = text
        self.steps.append(Step(text, by_itself=False))
        self.follow(text, before, seat)
        self.owed += self.gained(text, before, seat)

    def try_out(self, texts: Sequence[str]) -> list[Gain] | None:
        """Return the gains of these moves in sequence, or None if one is illegal."""
        trial, before = self.game.copy(self.states), self.state.copy()
        brought: list[Gain] = []
        for text in texts:
            try:
                self.game.play(trial, text)
            except IllegalAction:
                return None
            brought += _difference(text, before, trial[0], self.seat)
            before = trial[0].copy()
        return brought

    def gained(self, text: str, before: np.void, seat: int) -> list[Gain]:
        """Return the gains of a move that the log must still report."""
        if text.startswith(("attack", "buy")):
            return []
        found = _difference(text, before, self.state, seat)
        played = text.startswith("play ") and not self.is_base[self.cards[text[5:].lower()]]
        return self.paid_for_ships(found) if played else found

    def paid_for_ships(self, found: list[Gain]) -> list[Gain]:
        """Split combat into the part of the ship and the part of a Fleet HQ, which the log reports apart."""
        player, paid = self.state["players"][self.seat], []
        for entry in player["in_play"][: player["in_play_count"]]:
            card = self.card_set.cards[entry["card"]]
            if card.ship_combat:
                paid.append((card.name, "combat", card.ship_combat))
        own = [(name, what, n - sum(p[2] for p in paid) if what == "combat" else n) for name, what, n in found]
        return [pair for pair in own if pair[2] > 0] + paid

    def follow(self, text: str, before: np.void, seat: int) -> None:
        """Move the slots as the game has moved its cards."""
        piles, words = self.piles[seat], text.split()
        named = self.named_in(text)
        if text == "end turn":
            piles.end_turn(self.is_base)
        elif words[0] == "play":
            piles.move(named, "hand", "play")
        elif words[:2] == ["use", "scrap"]:
            piles.move(named, "play", None)
        elif words[0] == "discard":
            piles.move(named, "hand", "discard")
        elif words[0] == "scrap" and text.endswith("trade row"):
            self.supply.take(named)
        elif words[0] == "scrap":
            piles.move(named, words[-1], None)
        elif words[0] in ("buy", "acquire"):
            self.acquire(piles, named, text.endswith("to deck") or words[0] == "acquire")
        elif words[0] in ("attack", "destroy") and named != NO_CARD:
            self.piles[1 - seat].move(named, "play", "discard")
        number = len(self.steps)
        for other in range(SEATS):
            self.follow_by_itself(before, other)
            self.piles[other].follow(self.state, number)

    def follow_by_itself(self, before: np.void, seat: int) -> None:
        """Record the cards that an ability has discarded, scrapped, destroyed or acquired without a choice."""
        player, piles = self.state["players"][seat], self.piles[seat]
        in_play = Counter(player["in_play"]["card"][: player["in_play_count"]].tolist())
        for card in (Counter(slot.card for slot in piles["play"]) - in_play).elements():
            piles.move(card, "play", "discard")
            self.step_by_itself(f"destroy {self.printed(card)} of player_{seat}")
            self.by_itself.append(("destroys", card))
        scrapped = self.state["scrap_heap"].astype(int) - before["scrap_heap"]
        scrapped[self.card_set.explorer] = max(int(self.state["explorers"]) - int(before["explorers"]), 0)
        if seat == self.seat:
            self.acquired_by_itself(piles)
            lost = sum(len(piles[name]) for name in ZONES) - int(player["count"].sum())
            for card in np.flatnonzero(scrapped).tolist() if lost > 0 else ():
                source = "discard" if self.has_fewer(piles, card) else "hand"
                if source == "hand" and not any(slot.card == card for slot in piles["hand"]):
                    piles.draw(card)
                piles.move(card, source, None)
                self.step_by_itself(f"scrap {self.printed(card)} from {source}")
                self.by_itself.append(("scraps", card))
        discarded = Counter(pile_of(player, Zone.DISCARD_PILE).tolist())
        discarded -= Counter(slot.card for slot in piles["discard"])
        for card in discarded.elements():
            piles.move(card, "hand", "discard")
            self.step_by_itself(f"discard {self.printed(card)}")
            self.by_itself.append(("discards", card))

    def has_fewer(self, piles: Piles, card: int) -> bool:
        """Return whether a card has left the discard pile."""
        ours = sum(slot.card == card for slot in piles["discard"])
        return int((pile_of(self.state["players"][piles.seat], Zone.DISCARD_PILE) == card).sum()) < ours

    def step_by_itself(self, text: str) -> None:
        """Record an answer without a choice, which is a choice if other cards are possible."""
        self.steps.append(Step(text, by_itself=True))

    def printed(self, card: int) -> str:
        """Return the printed name of a card."""
        return self.card_set.cards[card].name

    def acquired_by_itself(self, piles: Piles) -> None:
        """Record a ship that was acquired, or a card of the row that was scrapped, as the only option."""
        gone = self.supply.left_by_itself(self.state)
        top = pile_of(self.state["players"][piles.seat], Zone.DECK)[-1:].tolist()
        grown = int(self.state["players"][piles.seat]["known_on_deck"]) > sum(slot.seen for slot in piles["deck"])
        for card in top if grown else ():
            piles.put_on_deck(Slot(card, -1, seen=True))
            self.step_by_itself(f"acquire {self.printed(card)}")
            self.by_itself.append(("acquired", card))
        self.by_itself += [("scraps", card) for card in gone if not grown]

    def acquire(self, piles: Piles, card: int, to_deck: bool) -> None:
        """Move a card of the supply to its new owner."""
        if card != self.card_set.explorer:
            self.supply.take(card)
        slot = Slot(card, -1, seen=True)
        if to_deck:
            piles.put_on_deck(slot)
        else:
            piles["discard"].append(slot)

    def named_in(self, text: str) -> int:
        """Return the number of the card that a move names, or NO_CARD."""
        text = text.split(": ")[0].lower()
        found = [name for name in self.cards if f" {name} " in f" {text} "]
        return self.cards[max(found, key=len)] if found else NO_CARD

    def words(self, event: Event) -> str:
        """Return a line in short."""
        given = {"amount": event.amount or None, "card": event.card or None, "total": event.total}
        return " ".join([event.kind, *(cut(str(value), 60) for value in given.values() if value is not None)])

    def note(self, event: Event, reported: str, expected: str) -> None:
        """Record a contradiction; the game continues."""
        self.found.append(Contradiction(event.line, reported, expected))

    def refuse(self, event: Event, expected: str, reported: str | None = None, final: bool = False) -> NoReturn:
        """Raise ImpossibleEvent for an event that cannot happen."""
        words = self.words(event)
        text = f"{words} ({reported})" if reported and reported not in words else words
        raise ImpossibleEvent(Contradiction(event.line, text, expected), final)

    def card(self, event: Event, name: str | None = None) -> int:
        """Return the number of a card. Raises ImpossibleEvent."""
        name = name or event.card
        if name.lower() not in self.cards:
            self.refuse(event, f"a card of {self.card_set.title}", f"unknown card {cut(name, 60)}", final=True)
        return self.cards[name.lower()]

    def name(self, event: Event, name: str | None = None) -> str:
        """Return the printed name of a card. Raises ImpossibleEvent."""
        return self.card_set.cards[self.card(event, name)].name

    def check(self, event: Event, what: str, seat: int, total: int | None) -> None:
        """Compare a pool with the log, and remember a difference."""
        if total is None or what not in POOLS:
            return
        waiting = sum(amount for _, kind, amount in self.owed if kind == what) if seat == self.seat else 0
        ours = int(self.state["players"][seat][what]) - waiting
        if total == ours:
            self.off[seat, what] = 0
        elif total != ours + self.off[seat, what]:
            self.note(event, f"{what} of {self.names[seat]} is {total}", f"{ours + self.off[seat, what]}")
            self.off[seat, what] = total - ours

    def seat_of(self, event: Event, name: str | None = None) -> int:
        """Return the seat of a player. Raises ImpossibleEvent."""
        name = name or event.player
        if name not in self.names:
            self.refuse(event, " or ".join(self.names), f"player {cut(name, 60)}", final=True)
        return self.names.index(name)


def _difference(text, before, after, seat):
    """Return the gains of a seat by a move: (card, what, amount) each."""
    card = text.split(":")[0]
    for words in ("use ally ", "use scrap ", "use ", "play ", "copy "):
        if card.startswith(words):
            card = card[len(words) :]
            break
    else:
        card = ""
    old, new = before["players"][seat], after["players"][seat]
    found = []
    if before["turn"] == after["turn"]:
        found = [(card, what, int(new[what] - old[what])) for what in POOLS]
    drawn = _drawn(text, old, new)
    found.append((card, "cards", drawn))
    other = 1 - seat
    owed = int(after["players"][other]["discards_owed"]) - int(before["players"][other]["discards_owed"])
    found.append((card, "discard", owed))
    return [pair for pair in found if pair[2] > 0]


def _drawn(text, old, new):
    """Return the number of cards that a move has drawn."""
    held = int(old["count"][1])
    if text == "end turn":
        return int(new["count"][1])
    if text.startswith("play ") or text.startswith("discard ") or text.endswith(" from hand"):
        held -= 1
    drawn = int(new["count"][1]) - held
    lost = int(old["count"].sum()) - int(new["count"].sum())
    if text.startswith("use ") and lost > 0 and new["count"][2] == old["count"][2]:
        drawn += lost  # scrapped from the hand without a choice
    return drawn
