"""Answers to what the rules ask, as lines of the same turn give them, at once or later.

The app lets its player choose when an ability that waits is used; the rules ask at once.
"""

from collections import Counter

from stardeck.benchmarks.app_log.course import Course
from stardeck.benchmarks.app_log.lines import EFFECTS
from stardeck.kernels.errors import cut
from stardeck.kernels.star_realms.state import Decision

SCRAPS = (Decision.SCRAP_FROM_HAND, Decision.SCRAP_FROM_HAND_OR_DISCARD, Decision.SCRAP_FROM_TRADE_ROW)
ENDS = ("ends turn", "won", "conceded")


class Answering(Course):
    """A game whose questions are answered by its log."""

    def ahead(self, *kinds):
        """Lines of this turn that have not been dealt with: (place, event)."""
        for place in range(self.at, len(self.told)):
            event = self.told[place]
            if place > self.at and event.kind in ENDS:
                return
            if event.kind in kinds and (place not in self.used or place == self.at):
                yield place, event

    def block(self):
        """The lines that follow this one and are its effects: (place, event)."""
        for place in range(self.at + 1, len(self.told)):
            if self.told[place].kind not in EFFECTS:
                return
            yield place, self.told[place]

    def needed(self):
        """Cards that are still to be played this turn."""
        return Counter(self.cards.get(event.card.lower()) for _, event in self.ahead("played"))

    def prepare(self, seat):
        """Have in a hand what its player plays and discards before drawing anything: what is asked may go by that."""
        wanted = Counter()
        for place in range(self.at + 1, len(self.told)):
            line = self.told[place]
            if wanted and line.kind in ("drew", "shuffled", *ENDS):
                break
            if line.kind in ("played", "discarded", "discards") and line.card.lower() in self.cards:
                wanted[self.cards[line.card.lower()]] += 1
        for card, count in wanted.items():
            self.piles[seat].ensure(self.state, card, ("hand",), wanted, count)

    def answer_what_is_asked(self, event):
        """Answer until nothing is asked any more. Raises Impossible."""
        while self.state["stack_count"] and self.state["to_act"] >= 0:
            frame = self.state["stack"][self.state["stack_count"] - 1]
            self.answer(Decision(int(frame["decision"])), bool(frame["optional"]), event)

    def answer(self, decision, optional, event):
        """Answer as a line of this turn tells; where none does, decline. Raises Impossible."""
        if decision == Decision.OPTION or decision == Decision.FACTION:
            return self.do(f"choose {self.side(event)}", event)
        if decision in SCRAPS:
            for place, line in self.ahead("scraps", "declined", "selects"):
                if line.kind == "declined" and optional:
                    return self.decline(place, event)
                if line.kind != "declined" and (text := self.scrapped(decision, line)):
                    return self.take(place, text, line)
        kinds = {
            Decision.DISCARD: ("discarded", "discards"),
            Decision.DESTROY_BASE: ("destroys", "selects", "destroyed"),
            Decision.ACQUIRE: ("acquired",),
            Decision.COPY: ("copies", "selects", "changed"),
        }.get(decision, ())
        for place, line in self.ahead(*kinds):
            if text := self.answered(decision, line, place):
                return self.take(place, text, line)
        if optional:
            return self.do("decline", event)
        asked = decision.name.lower().replace("_", " ")
        self.refuse(event, f"a line that answers: {asked} (legal: {cut('; '.join(self.game.moves(self.states)), 120)})")

    def take(self, place, text, line):
        """An answer that a later line gives."""
        self.used.add(place)
        self.do(text, line)

    def decline(self, place, event):
        """A later line refuses an optional effect."""
        self.used.add(place)
        self.do("decline", event)

    def scrapped(self, decision, line):
        """The words for scrapping the card of a line, where it can be there."""
        card = self.cards.get(line.card.lower())
        if card is None:
            return None
        name = self.card_set.cards[card].name
        if decision == Decision.SCRAP_FROM_TRADE_ROW:
            return f"scrap {name} from trade row" if self.supply.ensure(self.state, card) else None
        piles = self.piles[int(self.state["to_act"])]
        if decision == Decision.SCRAP_FROM_HAND_OR_DISCARD and any(slot.card == card for slot in piles["discard"]):
            return f"scrap {name} from discard"
        if piles.ensure(self.state, card, ("hand",), self.needed()):
            return f"scrap {name} from hand"
        if decision == Decision.SCRAP_FROM_HAND_OR_DISCARD and piles.ensure(self.state, card, ("discard",)):
            return f"scrap {name} from discard"
        return None

    def answered(self, decision, line, place):
        """The words of an answer that names a card, where it is legal."""
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
            if line.kind == "destroyed" and self.told[place - 1].kind in ("attacked base", "spends"):
                return None
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

    def side(self, event):
        """The side of an "or" that is taken: by what is chosen, or the first gain that one of them brings."""
        sides = {text: self.try_out([text]) for text in self.game.moves(self.states) if text.startswith("choose ")}
        card = self.last.partition(" ")[2].split(":")[0]
        for place, line in self.ahead("chose", "gains", "changed"):
            if line.kind == "chose":
                for text in sides:
                    if text.split()[1].split("_")[0] in line.card.lower():
                        self.used.add(place)
                        return text[7:]
            if line.kind == "changed" and line.card == card:
                for text in sides:
                    if text[7:].replace("_", " ") == line.what.lower():
                        return text[7:]
            for text, brought in sides.items():
                if any(what == line.what and amount == line.amount for _, what, amount in brought or ()):
                    if line.card in (card, "Stealth Needle") or self.last.startswith("copy"):
                        return text[7:]
        self.refuse(event, f"a line that tells which side is taken: {', '.join(text[7:] for text in sides)}")

    def price_of(self, place):
        """The price that the line after a purchase tells, or None."""
        after = self.told[place + 1] if place + 1 < len(self.told) else None
        return after.amount if after and after.kind == "spends" and after.what == "trade" else None

    def was_by_itself(self, kind, event):
        """Whether a line tells what has happened by itself."""
        pair = (kind, self.cards.get(event.card.lower()))
        if pair not in self.by_itself:
            return False
        self.by_itself.remove(pair)
        return True
