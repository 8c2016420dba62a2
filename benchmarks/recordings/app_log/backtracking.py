"""Backtracking over the turns of a log, with the most probable guess first.

A log leaves things open: the pile of a scrapped card, or the number of copies that `Play all` played. `Guesses.pick`
makes such a choice. If a turn contradicts the log, `follow` reads it again with other choices, those with the fewest
improbable guesses first. If none helps, it changes one guess of an earlier turn and continues from there.
"""

import heapq
import pickle
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

MOST_TRIES = 150  # readings of one turn
FEW_TRIES = 5  # readings of a turn after one that is read again
MOST_TURNS_BACK = 30
MOST_AT_ONCE = 300  # turns read again because of one contradiction
MOST_IN_ALL = 800  # turns read again in one log
MOST_AFTERWARDS = 100  # turns read again after a turn that stays contradictory
T = TypeVar("T")


class Guesses:
    """Choices by number; after the given ones, the first option is chosen."""

    def __init__(self, given: tuple[int, ...] = ()) -> None:
        self.given = given
        self.counts: list[int] = []  # number of options of each choice so far

    def pick(self, options: Sequence[T]) -> T:
        """Return the chosen option."""
        if len(options) == 1:
            return options[0]
        at = len(self.counts)
        self.counts.append(len(options))
        return options[self.given[at] if at < len(self.given) and self.given[at] < len(options) else 0]

    def others(self) -> list[tuple[int, ...]]:
        """Return the choices that differ from these in one place after the given ones."""
        begun = len(self.given)
        return [
            (*self.given, *(0,) * (at - begun), number)
            for at in range(begun, len(self.counts))
            for number in range(1, self.counts[at])
        ]


class Outcome(NamedTuple):
    """The outcome of reading a turn; smaller is better."""

    ended: bool  # the game cannot go on
    final: bool  # nor could it with other choices
    not_reached: int  # lines of the turn that were not read
    notes: int  # numbers that contradict the log
    doubts: int = 0  # evidence against a guess that may still resolve


GOOD = Outcome(ended=False, final=False, not_reached=0, notes=0)


class _Turn(NamedTuple):
    """A turn that agrees with the log."""

    begun: bytes  # pickled result of `save` before it
    guesses: Guesses


def follow(
    turns: int, save: Callable[[], Any], restore: Callable[[Any], None], read: Callable[[int, Guesses], Outcome]
) -> None:
    """Read as many turns as possible; the final state is that of the best reading.

    Args:
        turns: Number of turns.
        save: Function that returns everything that reading changes; it must be picklable.
        restore: Function that takes the result of `save` and goes back to it.
        read: Function that reads the turn of this number with these guesses.
    """
    _Backtracker(turns, save, restore, read).run()


class _Backtracker:
    def __init__(self, turns, save, restore, read):
        self.turns, self.save, self.restore, self.read = turns, save, restore, read
        self.left_in_all, self.left = MOST_IN_ALL, 0
        self.done: list[_Turn] = []

    def run(self):
        while len(self.done) < self.turns:
            self.left = min(MOST_AT_ONCE, self.left_in_all)
            begun = pickle.dumps(self.save())
            found, best = self.turn(len(self.done), begun, (), MOST_TRIES)
            if found:
                self.done.append(found)
            elif best[0].final or not self.mend():
                self.restore(pickle.loads(best[1]))
                if best[0].ended:
                    return
                if best[0].notes:
                    self.left_in_all = min(self.left_in_all, MOST_AFTERWARDS)
                self.done.append(_Turn(b"", Guesses()))
            if len(self.done) > MOST_TURNS_BACK:
                old = len(self.done) - MOST_TURNS_BACK - 1
                self.done[old] = self.done[old]._replace(begun=b"")

    def turn(self, number, begun, given, tries):
        """Read a turn with these guesses or others; return the turn or None, and (outcome, saved state)."""
        untried, best = [(0, 0, given)], None
        while untried and tries and (best is None or self.left):
            guesses = Guesses(heapq.heappop(untried)[2])
            if best:
                self.restore(pickle.loads(begun))
                self.left, self.left_in_all = self.left - 1, self.left_in_all - 1
            outcome = self.read(number, guesses)
            if outcome == GOOD:
                return _Turn(begun, guesses), None
            if best is None or outcome < best[0]:
                best = outcome, pickle.dumps(self.save())
            if outcome.final:
                break
            for other in guesses.others():
                heapq.heappush(untried, (sum(map(bool, other)), -len(other), other))
            tries -= 1
        return None, best

    def mend(self):
        """Change one guess of an earlier turn to resolve this one; return whether that worked."""
        number = len(self.done)
        for back in range(number - 1, max(number - MOST_TURNS_BACK, 0) - 1, -1):
            earlier = self.done[back]
            if not earlier.begun:
                return False
            for other in earlier.guesses.others():
                if self.left <= 0:
                    return False
                if again := self.read_again(back, earlier.begun, other):
                    self.done[back:] = again
                    return True
        return False

    def read_again(self, back, begun, given):
        """Return the turns from an earlier one to the current one, read with this guess; None if one fails."""
        again = []
        for number in range(back, len(self.done) + 1):
            self.restore(pickle.loads(begun))
            self.left, self.left_in_all = self.left - 1, self.left_in_all - 1
            found, _ = self.turn(number, begun, given if number == back else (), 1 if number == back else FEW_TRIES)
            if not found:
                return None
            again.append(found)
            begun = pickle.dumps(self.save())
        return again
