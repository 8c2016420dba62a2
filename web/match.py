"""One game on the server: its states, its actions, and the log that a viewer may read.

A viewer is a seat, PUBLIC, who knows what all seats know, or None, who sees everything.
"""

from collections import Counter
from typing import Any, NamedTuple

from stardeck.benchmarks.recordings import record
from stardeck.game.agent import Agent, States
from stardeck.game.game import Game
from stardeck.kernels.text.sentences import READER, YOU, told
from stardeck.web.public_view import PUBLIC, public_lines, public_table

Entry = dict[str, Any]
PERSON = "person"
MOST_TABLES = 8  # recent tables that a game keeps: a change is shown to every seat


class Player(NamedTuple):
    """The player of a seat: an agent, a person whose token has this hash, or only a name, in a replay."""

    agent: Agent | None
    token: str | None
    called: str = PERSON

    @property
    def name(self) -> str:
        """Name of the player in logs and records."""
        return self.agent.name if self.agent else self.called


class Match:
    """A game dealt from `seed`, or begun from a position, and the actions since."""

    def __init__(
        self, game: Game, seed: int, players: list[Player], actions: list[int],
        position: dict[str, Any] | None = None, draws: record.Draws | None = None,
    ) -> None:  # fmt: skip
        self.game, self.seed, self.players, self.position = game, seed, players, position
        self._draws = draws or {}  # cards drawn after shuffles, where a record has them
        start = game.deal(seed) if position is None else game.from_position(position)
        self._courses: list[States] = [start]  # the state before each action, and the last one
        self.actions: list[int] = []
        self._logs: dict[int | None, list[Entry]] = {}
        self._tables: dict[tuple[int, int | None], dict[str, Any]] = {}
        for action in actions:
            self.apply(action)

    @property
    def states(self) -> States:
        """Current state, one row."""
        return self._courses[-1]

    @property
    def number(self) -> int:
        """Number of decisions taken."""
        return len(self.actions)

    @property
    def to_act(self) -> int | None:
        """The seat that decides; None: the game is over."""
        seat = int(self.states[0]["to_act"])
        return seat if seat >= 0 else None

    def apply(self, action: int) -> None:
        """Apply a decision. Raises IllegalAction."""
        after = self.game.copy(self.states)
        self.game.apply(after, [action])
        record.deal_again(self.game, after, self._draws.get(self.number + 1, {}))
        self._courses.append(after)
        self.actions.append(int(action))

    def ask(self) -> int:
        """Return the action of the agent that decides now, with the random stream it would have in a series."""
        seat = self.to_act
        agent = None if seat is None else self.players[seat].agent
        if agent is None:
            raise ValueError("no agent decides now")
        return record.ask(self.game, self.states, agent, self.seed)

    def names(self, viewer: int | None = None, own: str = YOU) -> list[str]:
        """Return the names of the players for a viewer, numbered from 1. own: the name of the viewer's seat."""
        names = [player.name for player in self.players]
        names = [f"player {seat + 1}" if name == PERSON else name for seat, name in enumerate(names)]
        counts = Counter(names)
        names = [name if counts[name] == 1 else f"{name} ({seat + 1})" for seat, name in enumerate(names)]
        return [own if seat == viewer else name for seat, name in enumerate(names)]

    def table(self, viewer: int | None, number: int | None = None) -> dict[str, Any]:
        """Return the table as a viewer sees it, now or after `number` decisions. Callers leave it unchanged."""
        key = self.number if number is None else number, viewer
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = self._seen(*key)
            for old in list(self._tables)[:-MOST_TABLES]:
                self._tables.pop(old, None)
        return found

    def _seen(self, number, viewer):
        if viewer != PUBLIC:
            return self.game.table(self._courses[number], viewer, self.names(viewer))
        return public_table([self._tables.get((number, seat)) or self._seen(number, seat) for seat in self._seats])

    @property
    def _seats(self):
        return range(len(self.players))

    def at(self, number: int) -> States:
        """Return the state after `number` decisions."""
        return self._courses[number]

    # The log

    def log(self, viewer: int | None, number: int | None = None) -> list[Entry]:
        """Return the log as far as a viewer may know it. number: write no more than this many entries.

        Each entry has number, seat, words, `sentence` (what the player did, for people), news, `turn_number`, and
        `turn`: the headline of a turn that begins there, else null.
        """
        entries = self._logs.setdefault(viewer, [])
        while len(entries) < (self.number if number is None else min(number, self.number)):
            entries.append(self._entry(len(entries), viewer))
        return entries

    def _entry(self, number, viewer):
        game = self.game
        before, action, after = self._courses[number], self.actions[number], self._courses[number + 1]
        seat = int(before[0]["to_act"])
        secret = self.is_secret(number, viewer)
        name = self.names(viewer)[seat]
        sentence = "Decide in secret" if secret else game.sentence(before, action, self.names(viewer, READER))
        new = number == 0 or game.paragraph(before) != game.paragraph(self._courses[number - 1])
        names = [f"{player.name}" for player in self.players]

        def headline(reader):
            return game.headline(before, names, reader, True).split("\n")

        return {
            "number": number,
            "seat": seat,
            "words": "decides in secret" if secret else game.describe(before, action),
            "sentence": told(sentence, name),
            "turn_number": game.paragraph(before),
            "news": self._lines(viewer, lambda reader: game.news(before, action, after, reader), before, after),
            "turn": "\n".join(self._lines(viewer, headline, before)) if new else None,
        }

    def _lines(self, viewer, lines_of, *states):
        """Return the lines for a viewer. lines_of: those of a seat; states: those in which the players act."""
        if viewer != PUBLIC:
            return lines_of(viewer)
        actors = [int(each[0]["to_act"]) for each in states]
        return public_lines([lines_of(seat) for seat in self._seats], actors, self.game.variant.sides)

    def is_secret(self, number: int, viewer: int | None) -> bool:
        """Return whether a decision is hidden from a viewer for now."""
        before = self._courses[number]
        other = viewer is not None and viewer != int(before[0]["to_act"])
        return other and self.game.is_secret(before, self.actions[number])

    # Going back

    def own_decision_before(self, seat: int) -> int | None:
        """Return the number of the last decision of a seat with more than one legal action; None: there is none."""
        for number in range(self.number - 1, -1, -1):
            states = self._courses[number]
            if int(states[0]["to_act"]) == seat and self.game.legal_actions(states)[0].sum() > 1:
                return number
        return None

    def go_back(self, number: int) -> None:
        """Take back all decisions from this number on."""
        del self.actions[number:]
        del self._courses[number + 1 :]
        for entries in self._logs.values():
            del entries[number:]
        for key in [key for key in self._tables if key[0] > number]:
            del self._tables[key]

    def record(self) -> dict[str, Any]:
        """Return the game as a record for `stardeck replay`."""
        moves = [
            self.game.describe(states, action) for states, action in zip(self._courses, self.actions, strict=False)
        ]
        return record.written(self.game, self.states, self.seed, [player.name for player in self.players], moves)
