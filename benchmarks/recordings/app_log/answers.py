"""Answers to choices of the rules, found in lines of the same turn, at once or later.

The app lets its player choose when to use an ability that waits; the rules ask at once.
"""

from collections import Counter
from collections.abc import Iterator

from stardeck.benchmarks.recordings.app_log.deduplicate import ALONE
from stardeck.benchmarks.recordings.app_log.followed_game import POOLS, FollowedGame, Gain, ally_gains, gains_of
from stardeck.benchmarks.recordings.app_log.lines import EFFECTS, Event
from stardeck.kernels.errors import cut
from stardeck.kernels.star_realms.state import Decision

SCRAPS = (Decision.SCRAP_FROM_HAND, Decision.SCRAP_FROM_HAND_OR_DISCARD, Decision.SCRAP_FROM_TRADE_ROW)
MOST_LATER = 4  # later lines that may answer a question
ENDS = ("ends turn", "won", "conceded")
SAID = (("draw", "draw a card"), ("discard", "discard"))  # sides without a number, and their words in the app
BREAKS = ("begins turn", "resolving")  # may be the last lines of an incomplete log
Answer = tuple[int | None, str, Event]  # place of the line that answers, move, line
MOST_EFFECTS = 20  # lines after the last question
ACTIONS = frozenset(
    ("play all", "played", "activating", "scrapping", "chose", "attacked player", "attacked base", "begins turn", *ENDS)
)  # kinds that begin an action


class AnswerFinder(FollowedGame):
    """A followed game whose choices are answered by its log."""

    def ahead(self, *kinds: str) -> Iterator[tuple[int, Event]]:
        """Yield lines of this turn that have not been used: (place, event)."""
        for place in range(self.at, len(self.log)):
            event = self.log[place]
            if place > self.at and event.kind in ENDS:
                return
            if event.kind in kinds and (place not in self.used or place == self.at):
                yield place, event

    def near(self, *kinds: str) -> Iterator[tuple[int, Event]]:
        """Yield lines of these kinds that belong to the current action: (place, event)."""
        for place in range(self.at, len(self.log)):
            event = self.log[place]
            if place > self.at and event.kind in ACTIONS:
                return
            if event.kind in kinds and (place not in self.used or place == self.at):
                yield place, event

    def later(self, decision: Decision, *kinds: str) -> Iterator[tuple[int, Event]]:
        """Yield lines of this turn that may answer a question but belong to a later action: (place, event)."""
        close = {place for place, _ in self.near(*kinds)}
        for place, event in self.ahead(*kinds):
            if place not in close and not self.has_own_question(place, decision):
                if not self.unlikely(decision, event):
                    yield place, event

    def has_own_question(self, place: int, decision: Decision) -> bool:
        """Return whether the action of a line asks such a question itself."""
        for before in range(place - 1, self.at, -1):
            head = self.log[before]
            if head.kind in ACTIONS:
                card = self.cards.get(head.card.lower())
                return card is not None and any(
                    effect.op.name == decision.name for effect in self.card_set.cards[card].effects()
                )
        return False

    def block(self) -> Iterator[tuple[int, Event]]:
        """Yield the lines after this one that are its effects: (place, event)."""
        for place in range(self.at + 1, len(self.log)):
            if self.log[place].kind not in EFFECTS:
                return
            yield place, self.log[place]

    def needed(self) -> Counter[int]:
        """Return the cards that will still be played this turn."""
        copies = [event.card for _, event in self.ahead("changed") if self.is_copy(event)]
        played = [event.card for _, event in self.ahead("played") if not self.is_needle(event)]
        together = Counter(self.played_together(self.at, *ENDS))
        if self.log[self.at].kind == "play all":
            together -= Counter(self.played_together(self.at, "play all", "played", *ENDS))
        known = [self.cards[card.lower()] for card in played + copies if card.lower() in self.cards]
        return Counter(known) + together + Counter(self.putting)

    def played_together(self, at: int, *until: str) -> Iterator[int]:
        """Yield the cards that `Play all` plays after this place, before a line of these kinds."""
        together = self.log[at].kind == "play all"
        for event in self.log[at + 1 :]:
            if event.kind in until:
                return
            if event.kind in ACTIONS:
                together = event.kind == "play all"
            if together and event.kind == "gains" and (card := self.put_down_by(event)) is not None:
                yield card

    def put_down_by(self, event: Event) -> int | None:
        """Return the ship that a gain shows to be played, unless the gain is of an ally ability."""
        card = self.cards.get(event.card.lower())
        if card is None or self.is_base[card]:
            return None
        shown = self.card_set.cards[card]
        own, allies = [gain for side in shown.primary[:1] for gain in gains_of(side)], ally_gains(shown)
        first = next((pair for pair in own if pair[0] in POOLS and pair not in allies), None)
        return card if first == (event.what, event.amount) else None

    def is_copy(self, event: Event) -> bool:
        """Return whether a line names the ship that a Stealth Needle copies."""
        return self.is_needle(event) and event.what.lower() in self.cards

    def is_needle(self, event: Event) -> bool:
        """Return whether a line names a card that copies a ship."""
        card = self.cards.get(event.card.lower())
        return card is not None and self.card_set.cards[card].copies_a_ship

    def prepare(self, seat: int) -> None:
        """Put the cards into a hand that it plays and discards before the next draw; choices may depend on them."""
        ends = ("drew", "shuffled", *ENDS)
        begun = next(
            (place for place in range(self.at + 1, len(self.log)) if self.log[place].kind == "begins turn"), None
        )
        if begun is None:
            return
        wanted = Counter(self.played_together(begun, *ends))
        for line in self.log[begun + 1 :]:
            if line.kind in ends:
                break
            if line.kind in ("played", "discards") and line.card.lower() in self.cards:
                wanted[self.cards[line.card.lower()]] += 1
        for _ in range(len(wanted)):  # one exchange may undo another
            if all([self.piles[seat].ensure(self.state, card, ("hand",), wanted, n) for card, n in wanted.items()]):
                held = Counter(slot.card for slot in self.piles[seat]["hand"])
                if not wanted - held:
                    return

    def answer_what_is_asked(self, event: Event) -> None:
        """Answer until no choice is left. Raises ImpossibleEvent."""
        while self.state["stack_count"] and self.state["to_act"] >= 0:
            if self.breaks_off():
                return
            frame = self.state["stack"][self.state["stack_count"] - 1]
            self.answer(Decision(int(frame["decision"])), bool(frame["optional"]), event)

    def breaks_off(self) -> bool:
        """Return whether the log ends here without an answer to the choice."""
        after = self.log[self.at : self.at + MOST_EFFECTS]
        return len(after) < MOST_EFFECTS and all(
            line.kind in EFFECTS or line.kind in BREAKS for line in after[self.log[self.at].kind in ENDS :]
        )

    def answer(self, decision: Decision, optional: bool, event: Event) -> None:
        """Answer with a line of this turn, or decline if no line answers. Raises ImpossibleEvent."""
        if decision == Decision.OPTION or decision == Decision.FACTION:
            return self.do(f"choose {self.side(event)}", event)
        kinds = {
            Decision.DISCARD: ("discards",),
            Decision.DESTROY_BASE: ("destroys", "selects"),
            Decision.ACQUIRE: ("acquired",),
            Decision.COPY: ("copies", "selects", "changed"),
        }.get(decision, ("scraps", "selects"))
        kinds = (*kinds, "declined") if optional else kinds
        found: list[Answer] = []
        for place, line in sorted(self.near(*kinds), key=lambda one: self.unlikely(decision, one[1])):
            if found := self.tries(decision, place, line):
                break
        if not found:
            found = [one for place, line in self.later(decision, *kinds) for one in self.tries(decision, place, line)]
            found = found[:MOST_LATER] + ([(None, "decline", event)] if optional else [])
        if not found:
            asked = decision.name.lower().replace("_", " ")
            can = cut("; ".join(self.game.moves(self.states)), 120)
            self.refuse(event, f"a line that answers: {asked} (legal: {can})")
        while found:
            chosen = self.guesses.pick(found)
            if self.can_be(decision, chosen[1]):
                return self.take(*chosen)
            found.remove(chosen)
        self.refuse(event, "a card that can be there")

    def unlikely(self, decision: Decision, line: Event) -> bool:
        """Return whether a line more probably answers another kind of question."""
        return line.kind == "scraps" and (line.what == ALONE) != (decision == Decision.SCRAP_FROM_TRADE_ROW)

    def tries(self, decision: Decision, place: int, line: Event) -> list[Answer]:
        """Return the possible answers of a line: (place, words, line) each."""
        if line.kind == "declined":
            return [(place, "decline", line)]
        words = self.scrapped(decision, line) if decision in SCRAPS else [self.answered(decision, line, place)]
        return [(place, text, line) for text in words if text]

    def can_be(self, decision: Decision, text: str) -> bool:
        """Put a card where an answer needs it; return whether that is possible."""
        if decision not in SCRAPS or text == "decline":
            return True
        card, seat = self.named_in(text), int(self.state["to_act"])
        if decision == Decision.SCRAP_FROM_TRADE_ROW:
            return self.supply.ensure(self.state, card)
        pile = text.split()[-1]
        return self.piles[seat].ensure(self.state, card, (pile,), self.needed())

    def take(self, place: int | None, text: str, line: Event) -> None:
        """Give an answer. place: place of its line, or None."""
        if place is not None:
            self.used.add(place)
        self.do(text, line)

    def scrapped(self, decision: Decision, line: Event) -> list[str]:
        """Return the moves that scrap the card of a line, the most probable first."""
        card = self.cards.get(line.card.lower())
        if card is None:
            return []
        name = self.card_set.cards[card].name
        if decision == Decision.SCRAP_FROM_TRADE_ROW:
            return [f"scrap {name} from trade row"]
        hand = f"scrap {name} from hand"
        if decision == Decision.SCRAP_FROM_HAND:
            return [hand]
        discard = f"scrap {name} from discard"
        lies = any(slot.card == card for slot in self.piles[int(self.state["to_act"])]["discard"])
        return [discard, hand] if lies else [hand, discard]

    def answered(self, decision: Decision, line: Event, place: int) -> str | None:
        """Return the move that answers with the card of a line, or None if it is illegal."""
        target = line.what if line.kind == "changed" else line.card
        card = self.cards.get(target.lower())
        if card is None or (line.kind == "changed" and "stealth" not in line.card.lower()):
            return None
        name = self.card_set.cards[card].name
        seat = int(self.state["to_act"])
        if decision == Decision.DISCARD:
            self.piles[seat].ensure(self.state, card, ("hand",), self.needed())
            text = f"discard {name}"
        elif decision == Decision.DESTROY_BASE:
            text = f"destroy {name} of player_{1 - seat}"
        elif decision == Decision.ACQUIRE:
            if self.price_of(place) is not None:
                return None
            if card != self.card_set.explorer:
                self.supply.ensure(self.state, card)
            text = f"acquire {name}"
        else:
            text = f"copy {name}"
        return text if text in self.game.moves(self.states) else None

    def side(self, event: Event) -> str:
        """Return the chosen side of an "or": the side that a line names, or the side whose gain comes first."""
        sides = {text: self.try_out([text]) for text in self.game.moves(self.states) if text.startswith("choose ")}
        card = self.last.partition(" ")[2].split(":")[0]
        for place, line in self.ahead("chose", "gains", "changed"):
            if text := self.side_of_line(line, card, sides):
                if line.kind == "chose":
                    self.used.add(place)
                return text[7:]
        self.refuse(event, f"a line that names the chosen side: {', '.join(text[7:] for text in sides)}")

    def side_of_line(self, line: Event, card: str, sides: dict[str, list[Gain] | None]) -> str | None:
        """Return the side of an "or" that a line shows to be chosen, or None. sides: gains of each move."""
        if line.kind == "chose":
            return next((text for text in sides if text.split()[1].split("_")[0] in line.card.lower()), None)
        if line.kind == "changed":
            same = [text for text in sides if text[7:].replace("_", " ") == line.what.lower()]
            if same and line.card == card:
                return same[0]
        if line.card not in (card, "Stealth Needle") and not self.last.startswith("copy"):
            return None
        wanted = line.what, line.amount
        return next((text for text, gains in sides.items() if any(gain[1:] == wanted for gain in gains or ())), None)

    def price_of(self, place: int) -> int | None:
        """Return the price in the line after a purchase, or None."""
        after = self.log[place + 1] if place + 1 < len(self.log) else None
        return after.amount if after and after.kind == "spends" and after.what == "trade" else None

    def was_by_itself(self, kind: str, event: Event) -> bool:
        """Return whether a line reports an automatic effect, and mark it as used."""
        pair = (kind, self.cards.get(event.card.lower()))
        if pair not in self.by_itself:
            return False
        self.by_itself.remove(pair)
        return True
