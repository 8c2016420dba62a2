"""Import of logs of the digital Star Realms app: legal moves, and a deal that fits the whole log.

The log names a card when it is played, bought, discarded or scrapped, and reports every pool. `piles` tracks which
cards may still be others. If the log reports something in another order than the rules ask for it, an answer is
searched later in the turn. Numbers that contradict the log are noted, and the game continues with its own. An
impossible event ends it.
"""

import itertools
from typing import Any, NamedTuple

from stardeck.benchmarks.recordings.app_log.answers import ACTIONS, SAID, SCRAPS
from stardeck.benchmarks.recordings.app_log.backtracking import Outcome, follow
from stardeck.benchmarks.recordings.app_log.deduplicate import without_repeats
from stardeck.benchmarks.recordings.app_log.followed_game import POOLS, SEATS, Contradiction, ImpossibleEvent
from stardeck.benchmarks.recordings.app_log.lines import Event, events
from stardeck.benchmarks.recordings.app_log.piles import TrackingError
from stardeck.benchmarks.recordings.app_log.play_all import PlayAllResolver
from stardeck.game.registry import make
from stardeck.kernels.errors import cut
from stardeck.kernels.star_realms.state import Decision, Zone

APP: dict[str, Any] = {"forced_discards": "next_turn"}  # settings of the app
SETS: dict[str, dict[str, Any]] = {"core": {"errata": True}, "box": {}}
NAMING = (
    "played",
    "activating",
    "scrapping",
    "acquired",
    "scraps",
    "discards",
    "destroys",
    "copies",
    "gains",
    "must discard",
)  # kinds that name a card
FOREIGN = {"event": "events", "mission": "missions", "commander": "commanders", "": "cards of gambits or missions"}
SHOWN = 4  # names of unknown cards that a message lists


class ImportResult(NamedTuple):
    """The result of an import."""

    record: dict[str, Any]  # up to the last line that could be followed
    contradictions: list[Contradiction]
    guessed: int  # dealt cards that no line names
    turns: list[tuple[int, int]]  # authority by seat at the end of each turn
    turns_in_log: int  # turns that end in the log
    unknown: str  # cards and other elements of the log that are not in this game; may be empty


def import_log(text: str, card_set: str | None = None) -> ImportResult:
    """Follow the game of a log.

    Args:
        text: The log.
        card_set: `core` or `box`; by default the set that knows more cards of the log.

    Returns:
        The game up to the last line that could be followed, and the contradictions between log and rules.

    Raises:
        ValueError: The text is not a log.
    """
    log, another = _first_game(without_repeats(_without_remarks(events(text))))
    if not any(event.kind in ("play all", "played", "ends turn") for event in log):
        raise ValueError("this is not a log of the app: no card is played, and no turn ends")
    names = players_of(log)
    games = {name: make("star_realms", set=name, **SETS[name], **APP) for name in ([card_set] if card_set else SETS)}
    unknown = {name: _unknown(log, game) for name, game in games.items()}
    chosen = min(games, key=lambda name: len(unknown[name]))
    found = _LogReader(games[chosen], log, names).run()
    if another:
        found.contradictions.append(Contradiction(another.line, "another game begins", "one game in a log"))
    return found._replace(
        turns_in_log=sum(event.kind == "ends turn" for event in log), unknown=_listed(log, unknown[chosen])
    )


def _without_remarks(log):
    """Return the events of a log without foreign text before or after them."""
    known = [place for place, event in enumerate(log) if event.kind != "unread"]
    return log[known[0] : known[-1] + 1] if known else []


def _first_game(log):
    """Return the events up to the end of the first game, and the event that begins another, or None."""
    over = False
    for place, event in enumerate(log):
        if over and event.kind in ("play all", "played", "ends turn"):
            return log[:place], event
        over = over or event.kind in ("won", "conceded")
    return log, None


def _unknown(log, game):
    """Return the cards of a log that a game does not have, in the order of the log."""
    known = {card.name.lower() for card in game.variant.card_set.cards}
    named = dict.fromkeys(event.card for event in log if event.kind in NAMING)
    return [name for name in named if name.lower() not in known]


def _listed(log, unknown):
    """Return a text that lists the unknown cards and other elements of a log."""
    words = [f"cards: {', '.join(cut(name, 40) for name in unknown[:SHOWN])}"] if unknown else []
    if len(unknown) > SHOWN:
        words[0] += f" and {len(unknown) - SHOWN} more"
    return "; ".join(words + sorted({FOREIGN[event.what.lower()] for event in log if event.kind == "foreign"}))


def players_of(log: list[Event]) -> list[str]:
    """Return the names of the two players, the first player first. Raises ValueError."""
    naming = ("ends turn", "begins turn", "gains", "spends", "won", "conceded")
    names = list(dict.fromkeys(event.player for event in log if event.kind in naming))
    first = next((event.player for event in log if event.kind in ("ends turn", "gains")), None)
    names += [event.card for event in log if event.kind == "attacked player" and event.card not in names][:1]
    names = sorted(dict.fromkeys(names), key=lambda name: name != first)
    if not 1 <= len(names) <= SEATS:
        raise ValueError(f"players: {cut(', '.join(names), 100)}: must be two")
    return (names + ["opponent"])[:SEATS]


class _LogReader(PlayAllResolver):
    """A game that is read from the lines of a log."""

    def run(self):
        """Read as many turns as possible."""
        begins = [place for place, event in enumerate(self.log) if event.kind == "begins turn"]
        self.turns_at = list(itertools.pairwise([0, *begins, len(self.log)]))
        follow(len(self.turns_at), self.saved, self.restore, self.read_turn)
        return self.imported()

    def read_turn(self, number, guesses):
        """Read the lines of a turn with these guesses, and return the outcome."""
        self.guesses, noted, doubted = guesses, len(self.found), self.doubts
        begin, end = self.turns_at[number]
        ended = final = False
        try:
            for place in range(begin, end):
                self.at = place
                if place not in self.used:
                    event = self.log[place]
                    self.used.add(place)
                    self.answer_what_is_asked(event)
                    getattr(self, "on_" + event.kind.replace(" ", "_"), self.nothing)(event)
        except ImpossibleEvent as error:
            self.found.append(error.args[0])
            ended, final = True, error.final
        except TrackingError:
            event = self.log[self.at]
            self.found.append(Contradiction(event.line, self.words(event), "cards that can be distinguished here"))
            ended = True
        return Outcome(ended, final, end - self.at - 1 if ended else 0, len(self.found) - noted, self.doubts - doubted)

    def imported(self):
        guessed = sum(not slot.seen for piles in self.piles for slot in self.drawn(piles))
        written, problem = self.written()
        if problem and not self.found:
            self.found.append(problem)
        written["dealt"] = "partly guessed" if guessed or any(self.supply.row) else "as logged"
        return ImportResult(written, self.found, guessed, self.turns, 0, "")

    def drawn(self, piles):
        """Return the cards of a seat that were drawn and not shuffled again, also in earlier hands."""
        return [slot for name in ("hand", "discard") for slot in piles[name]]

    def nothing(self, event):
        """Ignore a line without a meaning for the game."""

    def on_unread(self, event):
        self.note(event, f"{cut(event.card, 60)!r} is not understood", "a line of the app's log")

    def on_foreign(self, event):
        self.refuse(
            event, "no events, missions, gambits or commanders, which this game does not have", event.card, final=True
        )

    def on_played(self, event):
        card = self.card(event)
        if not (self.card_set.cards[card].copies_a_ship and self.copied_later()):
            self.play(card, event)

    def copied_later(self):
        """Return whether a later line of this turn names the copy of a Stealth Needle, which is played there."""
        return any(self.is_copy(line) for _, line in self.ahead("changed"))

    def on_changed(self, event):
        """Play a Stealth Needle as the copy that this line names."""
        if self.is_copy(event):
            self.used.discard(self.at)  # the line answers the choice
            self.play(self.card(event), event)
            self.used.add(self.at)

    def on_gains(self, event):
        """Match a gain with an earlier ability, or use an ability that brings it now."""
        seat = self.seat_of(event)
        name = self.name(event)
        wanted = (event.what, event.amount)
        found = self.owing(name, *wanted)
        if found is None and seat == self.seat:
            fitting = [text for text in self.plans(name) if any(p[1:] == wanted for p in self.try_out([text]) or ())]
            if fitting:
                chosen = self.at > 0 and self.log[self.at - 1].kind == "chose"
                fitting.sort(key=lambda text: (": " in text) != chosen)
                self.do(self.guesses.pick(fitting), event)
                self.answer_what_is_asked(event)
                found = self.owing(name, *wanted)
        if found is None:
            can = ", ".join(f"{card} +{n} {what}" for card, what, n in self.owed if what in POOLS)
            self.note(event, f"{name} gives {event.amount} {event.what}", can or "no gain here")
            self.off[seat, event.what] += event.amount
        else:
            self.owed.remove(found)
        self.check(event, event.what, seat, event.total)

    def plans(self, name):
        """Return the moves that use an ability of a card."""
        legal = self.game.moves(self.states)
        uses = [text for text in legal if text.split(":")[0] in (f"use {name}", f"use ally {name}")]
        uses.sort(key=lambda text: text.startswith("use ally"))
        copies = [text for text in legal if text.startswith("use ally Stealth Needle")]
        return uses + copies

    def owing(self, name, what, amount):
        """Return a gain that the log has not reported yet, or None; a copy has either name."""
        fitting = [pair for pair in self.owed if pair[1:] == (what, amount)]
        same = [pair for pair in fitting if pair[0] == name]
        copied = [pair for pair in fitting if "Stealth Needle" in (pair[0], name) or pair[0] in ("", "copy")]
        return (same or copied or [None])[0]

    def on_must_discard(self, event):
        self.match_or_use(self.name(event), ("discard", event.amount), event)

    def match_or_use(self, name, wanted, event):
        """Match an effect with an earlier ability, or use an ability of this card that brings it now."""
        found = self.owing(name, *wanted)
        if found is None:
            for text in self.plans(name):
                if any(pair[1:] == wanted for pair in self.try_out([text]) or ()):
                    self.do(text, event)
                    self.answer_what_is_asked(event)
                    found = self.owing(name, *wanted)
                    break
        if found is None:
            return self.note(event, f"{name} brings {wanted[1]} {wanted[0]}", "no such effect")
        self.owed.remove(found)

    def on_drew(self, event):
        """Match drawn cards with abilities and the end of the turn."""
        left = event.amount
        for pair in [pair for pair in self.owed if pair[1] == "cards"]:
            if left >= pair[2]:
                self.owed.remove(pair)
                left -= pair[2]
            elif left:
                self.owed[self.owed.index(pair)] = (pair[0], pair[1], pair[2] - left)
                left = 0
        if left and not self.draw(left, event):
            self.note(event, f"{event.amount} cards drawn", f"{event.amount - left}")

    def draw(self, count, event):
        """Use an ability that draws this number of cards, if there is one, also with the rest after a shuffle."""
        self.hold_what_is_scrapped()
        fitting = self.drawing_moves(count)
        if not fitting:
            return False
        text, drawn = self.guesses.pick(fitting)
        self.do(text, event)
        self.answer_what_is_asked(event)
        self.owed.remove(next(pair for pair in self.owed if pair[1] == "cards"))
        if drawn > count:
            self.owed.append(("", "cards", drawn - count))
        return True

    def drawing_moves(self, count):
        """Return the abilities that draw this number of cards, or also the next ones, the most probable first.

        Each is (move, cards that it draws).
        """
        follows = [line.amount for _, line in self.block() if line.kind == "drew"][:1]
        counts, head = (count, count + sum(follows)), self.head()
        fitting = []
        for text in self.game.moves(self.states):
            if text.startswith("use ") and not text.startswith("use scrap"):
                drawn = sum(amount for _, what, amount in self.try_out([text]) or () if what == "cards")
                if drawn and drawn in counts:
                    unlike = (": " in text) != (head.kind == "chose") or self.question(text) is not None
                    fitting.append(((head.card not in text, unlike), text, drawn))
        return [(text, drawn) for _, text, drawn in sorted(fitting, key=lambda one: one[0])]

    def head(self):
        """Return the line that began the current action."""
        return next(self.log[place] for place in range(self.at, -1, -1) if self.log[place].kind in ACTIONS or not place)

    def offer_what_is_acquired(self):
        """Put the card into the trade row that this ability acquires next; otherwise the game acquires another one."""
        place = self.at + 1
        if place < len(self.log) and self.log[place].kind == "acquired" and self.price_of(place) is None:
            card = self.cards.get(self.log[place].card.lower())
            if card is not None and card != self.card_set.explorer:
                self.supply.ensure(self.state, card)

    def on_activating(self, event):
        """Use a clicked ability without a number; abilities with numbers are found by their gains."""
        name = self.clicked = self.name(event)
        self.offer_what_is_acquired()
        if any(line.kind in ("gains", "must discard", "drew") for _, line in self.block()):
            return
        chosen = self.plans(name)
        asks = [text for text in chosen if self.asks(text)]
        silent = [text for text in chosen if self.does_nothing(text)]
        if choice := (asks or (silent if not self.options(chosen) else [])):
            self.do(choice[0], event)
            self.answer_what_is_asked(event)

    def on_chose(self, event):
        """Take the chosen side of an "or" without a number; sides with numbers are found by their gains."""
        word = next((word for word, said in SAID if said in event.card.lower()), None)
        uses = [text for text in self.game.moves(self.states) if text.startswith("use ") and ": " in text]
        uses = [text for text in uses if word and text.split(": ")[1].startswith(word)]
        if uses and not self.state["stack_count"]:
            self.do(self.guesses.pick(sorted(uses, key=lambda text: self.clicked not in text)), event)
            self.answer_what_is_asked(event)

    def options(self, chosen):
        return any(": " in text for text in chosen)

    def question(self, text):
        """Return the first choice of a move and whether it may be declined, or None."""
        return next(self.questions(text), None)

    def questions(self, text):
        """Yield the choices of a move as (decision, may be declined), each after the one before is declined."""
        trial = self.game.copy(self.states)
        self.game.play(trial, text)
        while trial[0]["stack_count"]:
            frame = trial[0]["stack"][trial[0]["stack_count"] - 1]
            yield Decision(int(frame["decision"])), bool(frame["optional"])
            if not frame["optional"]:
                return
            self.game.play(trial, "decline")

    def does_nothing(self, text):
        """Return whether a move has no gain, moves only logged cards, and has no mandatory choice."""
        if self.try_out([text]) or ((asked := self.question(text)) is not None and not asked[1]):
            return False
        if any(True for _ in self.near("scraps", "selects", "destroys", "discards", "acquired")):
            return True
        trial = self.game.copy(self.states)
        self.game.play(trial, text)
        same = ("count", "in_play_count")
        players = [state["players"][list(same)] for state in (self.state, trial[0])]
        return bool((players[0] == players[1]).all()) and bool((self.state["trade_row"] == trial[0]["trade_row"]).all())

    def asks(self, text):
        """Return whether a line of this action answers a choice of a move."""
        kinds = {Decision.DISCARD: ("discards",), Decision.DESTROY_BASE: ("destroys", "selects"),
                 Decision.ACQUIRE: ("acquired",)}  # fmt: skip
        log = [kinds.get(decision, ("scraps", "selects")) for decision, _ in self.questions(text)]
        return any(any(True for _ in self.near(*kinds)) for kinds in log)

    def on_scraps(self, event):
        """Match a scrapped card with an ability whose use was not logged."""
        if not self.was_by_itself("scraps", event):
            self.use_what_asks(event, SCRAPS)

    def on_discards(self, event):
        if not self.was_by_itself("discards", event):
            self.use_what_asks(event, (Decision.DISCARD,))

    def on_destroys(self, event):
        if not self.was_by_itself("destroys", event):
            self.use_what_asks(event, (Decision.DESTROY_BASE,))

    def use_what_asks(self, event, decisions):
        """Use the first ability whose choice this line answers. Raises ImpossibleEvent."""
        self.card(event)
        self.used.discard(self.at)
        for text in self.game.moves(self.states):
            if not text.startswith("use ") or text.startswith("use scrap"):
                continue
            if self.destroys(text, event) or any(decision in decisions for decision, _ in self.questions(text)):
                self.do(text, event)
                self.answer_what_is_asked(event)
                if self.at in self.used or self.was_by_itself(event.kind, event):
                    self.used.add(self.at)
                    return
        self.used.add(self.at)
        self.refuse(event, "an ability that asks for it")

    def destroys(self, text, event):
        """Return whether a move destroys the base of a line without a choice."""
        if event.kind != "destroys":
            return False
        trial, card = self.game.copy(self.states), self.card(event)
        self.game.play(trial, text)
        players = [state["players"][1 - self.seat] for state in (trial[0], self.state)]
        left, there = ((player["in_play"]["card"][: player["in_play_count"]] == card).sum() for player in players)
        return left < there

    def on_scrapping(self, event):
        """Scrap a card in play for its ability; after a copy, the next line names the card itself."""
        name = self.name(event)
        self.do(f"use scrap {name}", event)
        self.answer_what_is_asked(event)

    def on_acquired(self, event):
        """Buy a card, or acquire it for free if no price follows."""
        card, name = self.card(event), self.name(event)
        if self.was_by_itself("acquired", event):
            return None
        on_deck = bool(event.what)
        if card != self.card_set.explorer and not self.supply.ensure(self.state, card):
            self.refuse(event, "a card that can still be in the trade row", f"all of {name} are taken")
        breaks_off = self.at + 1 == len(self.log)
        if self.price_of(self.at) is None and not breaks_off:
            return self.acquire_free(name, event)
        text = f"buy {name}" + (" to deck" if on_deck else "")
        if text not in self.game.moves(self.states):
            self.make_possible(text, event)
        cost = int(self.state["players"][self.seat]["trade"])
        self.do(text, event)
        cost -= int(self.state["players"][self.seat]["trade"])
        if self.price_of(self.at) != cost and not breaks_off:
            line = self.log[self.at + 1]
            self.note(line, f"{name} for {line.amount} trade", f"{cost}")
            self.off[self.seat, "trade"] += cost - line.amount

    def make_possible(self, text, event):
        """Use an ability whose use was not logged if it makes this move legal."""
        for use in self.game.moves(self.states):
            if use.startswith("use ") and not use.startswith("use scrap"):
                if not self.try_out([use]) and self.try_out([use, text]) is not None:
                    return self.do(use, event)
        return None

    def acquire_free(self, name, event):
        """Use an ability that acquires a card."""
        for use in self.game.moves(self.states):
            if use.startswith("use ") and self.try_out([use, f"acquire {name}"]) is not None:
                self.do(use, event)
                return self.do(f"acquire {name}", event)
        self.refuse(event, "a line with its price, or an ability that acquires it")

    def on_attacked_player(self, event):
        seat = self.seat_of(event, event.card)
        self.do(f"attack player_{seat} with {event.amount}", event)
        self.check(event, "authority", seat, event.total)

    def on_attacked_base(self, event):
        self.do(f"attack {self.name(event)} of player_{1 - self.seat}", event)

    def on_spends(self, event):
        """Check the pool after a payment; a player who concedes loses all authority."""
        if event.what == "authority" and any(line.kind == "conceded" for line in self.log[: self.at]):
            return
        self.check(event, event.what, self.seat_of(event), event.total)

    def on_ends_turn(self, event):
        if self.state["to_act"] < 0:
            return self.refuse(event, "no further turn: the game is over")
        if self.seat_of(event) != self.seat or event.amount != int(self.state["turn"]):
            self.refuse(event, f"turn {int(self.state['turn'])} of {self.names[self.seat]}")
        for card, what, amount in self.owed:
            self.note(event, f"{card} +{amount} {what} is not reported", "a line that reports it")
            if what in POOLS:
                self.off.clear()
        self.owed.clear()
        for kind, card in self.by_itself:
            self.note(event, f"no line reports that {self.printed(card)} leaves ({kind})", "a line that names it")
        self.by_itself.clear()
        self.check_deck(event)
        self.prepare(1 - self.seat)
        self.do("end turn", event)
        for seat in range(SEATS):
            self.off[seat, "trade"] = self.off[seat, "combat"] = 0
        self.turns.append(tuple(int(self.state["players"][seat]["authority"]) for seat in range(SEATS)))

    def check_deck(self, event):
        """Count a doubt if the next hand empties the deck and the log disagrees; a card was then played elsewhere."""
        lines = [line for _, line in self.block()]
        places = [place for place, line in enumerate(lines) if line.kind == "shuffled"]
        drawn = sum(line.amount for line in lines[: places[0] if places else None] if line.kind == "drew")
        deck = int(self.state["players"][self.seat]["count"][Zone.DECK])
        self.doubts += deck != drawn if places else deck < drawn

    def on_begins_turn(self, event):
        for _, what, amount in self.owed:
            if what == "cards":
                self.note(event, f"{amount} cards fewer are drawn", "a full hand")
        self.owed.clear()
        if self.seat_of(event) != self.seat or event.amount != int(self.state["turn"]):
            self.refuse(event, f"turn {int(self.state['turn'])} of {self.names[self.seat]}")

    def on_won(self, event):
        if self.state["to_act"] >= 0 and not any(line.kind == "conceded" for line in self.log):
            left = int(self.state["players"][1 - self.seat_of(event)]["authority"])
            self.note(event, f"{event.player} has won", f"the game to go on: {left} authority are left")
        elif self.state["to_act"] < 0 and int(self.state["placement"][self.seat_of(event)]) != 1:
            self.note(event, f"{event.player} has won", "the other player")
