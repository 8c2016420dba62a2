"""A reading that takes back its guesses: turn by turn, with the likeliest guess first.

A log leaves things open: which pile a scrapped card lay in, how many copies `Play all` put down. `Guesses.pick` makes
such a choice. Where a turn does not come out as told, `follow` reads it again with other choices, those with the
fewest unlikely guesses first, and goes back some turns if no choice of the turn itself helps.
"""

import heapq
import pickle
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

MOST_TRIES = 40  # of one turn, before an earlier turn is read again
MOST_TURNS_BACK = 4
MOST_IN_ALL = 600  # of one log
T = TypeVar("T")


class Guesses:
    """Choices by number; those after the given ones are the first of their options."""

    def __init__(self, given: tuple[int, ...] = ()) -> None:
        self.given = given
        self.counts: list[int] = []  # of options, for each choice so far

    def pick(self, options: Sequence[T]) -> T:
        """Return the option that is chosen here."""
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
    """How reading a turn went; smaller is better."""

    ended: bool  # the game cannot go on
    final: bool  # nor would it with other choices
    not_reached: int  # lines of the turn that were not read
    notes: int  # numbers that do not add up


GOOD = Outcome(ended=False, final=False, not_reached=0, notes=0)


class _Turn:
    """A turn that is read again and again."""

    def __init__(self, begun: bytes) -> None:
        self.begun = begun
        self.untried: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
        self.tries = 0
        self.best: tuple[Outcome, tuple[int, ...]] | None = None

    def more(self) -> bool:
        return bool(self.untried) and self.tries < MOST_TRIES

    def next(self) -> tuple[int, ...]:
        self.tries += 1
        return heapq.heappop(self.untried)[2]

    def learn(self, outcome: Outcome, guesses: Guesses) -> None:
        for other in guesses.others():
            heapq.heappush(self.untried, (sum(map(bool, other)), -len(other), other))
        if self.best is None or outcome < self.best[0]:
            self.best = outcome, guesses.given


def follow(
    turns: int, save: Callable[[], Any], restore: Callable[[Any], None], read: Callable[[int, Guesses], Outcome]
) -> None:
    """Read all turns, or as many as go; what is left is the best reading that was found.

    Args:
        turns: How many there are.
        save: Returns all that reading changes; it must be picklable.
        restore: Takes back what `save` returned.
        read: Reads the turn of this number with these guesses.
    """
    begun: list[_Turn] = []
    number, tries, furthest = 0, 0, -1
    best: tuple[int, Outcome, bytes] | None = None  # of the furthest turn
    while number < turns:
        if len(begun) == number:
            begun.append(_Turn(pickle.dumps(save())))
            for old in begun[max(number - 2 * MOST_TURNS_BACK, 0) : max(number - MOST_TURNS_BACK, 0)]:
                old.begun = b""
        turn = begun[number]
        hopeless = best is not None and best[0] == number and best[1].final
        if not turn.tries or (turn.more() and tries < MOST_IN_ALL and not hopeless):
            guesses = Guesses(turn.next())
            if turn.tries > 1:
                restore(pickle.loads(turn.begun))
            outcome = read(number, guesses)
            tries += turn.tries > 1
            turn.learn(outcome, guesses)
            if number > furthest or (number == furthest and best and outcome < best[1]):
                furthest, best = number, (number, outcome, pickle.dumps(save()))
            if outcome == GOOD:
                number += 1
            continue
        if (
            not hopeless
            and number
            and begun[number - 1].begun
            and furthest - number < MOST_TURNS_BACK
            and tries < MOST_IN_ALL
        ):
            begun.pop()
            number -= 1
            continue
        assert best is not None
        restore(pickle.loads(best[2]))
        if best[1].ended:
            return
        number = best[0] + 1
        del begun[number:]
        while len(begun) < number:
            begun.append(_Turn(b""))
        furthest = number - 1
