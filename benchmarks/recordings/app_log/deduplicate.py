"""Removal of lines that report the same effect twice.

The app names the card of a choice when its player picks it, and again when the effect happens. This module drops the
second line. Information that only the second line holds becomes an event of the first kind, marked `ALONE`.
"""

from collections.abc import Iterator

from stardeck.benchmarks.recordings.app_log.lines import Event

ALONE = "alone"  # Event.what: no line named the card before the effect did
ECHOES = {"scrapped": "scraps", "discarded": "discards", "destroyed": "destroys"}
TOLD_BY = {
    "scrapped": ("scraps", "selects"),
    "discarded": ("discards", "selects"),
    "destroyed": ("destroys", "attacked base", "selects"),
}  # kinds of lines that such a line repeats
LATE = frozenset(("scraps", "discards", "destroys", "selects", "declined", "resolving", "none left"))
BETWEEN = frozenset(("nothing", "changed"))  # kinds between the two lines of a card that scraps itself


def without_repeats(log: list[Event]) -> list[Event]:
    """Return the events of a log without those that repeat an earlier one of the same turn."""
    return [event for turn in _turns(log) for event in _merged(turn)]


def _turns(log: list[Event]) -> Iterator[list[Event]]:
    """Yield the events of each turn; a turn begins with the line that announces it."""
    turn: list[Event] = []
    for event in log:
        if event.kind == "begins turn" and turn:
            yield turn
            turn = []
        turn.append(event)
    yield turn


def _merged(turn: list[Event]) -> list[Event]:
    """Return the events of a turn without repetitions."""
    found: list[Event | None] = []
    waiting: list[int] = []  # places of events that a later line may repeat
    for event in turn:
        if event.kind == "acquired" and event.what and (place := _bought(found, event)) is not None:
            found[place] = found[place]._replace(what=event.what)  # type: ignore[union-attr]
        elif event.kind == "scrapped" and (place := _scraps_itself(found)) is not None:
            found[place] = found[place]._replace(card=event.card, what="told")  # type: ignore[union-attr]
        elif event.kind in ECHOES:
            place = _repeated(found, waiting, event)
            if place is None:
                found.append(event._replace(kind=ECHOES[event.kind], what=ALONE))
                continue
            waiting.remove(place)
            if found[place].kind == "selects":  # type: ignore[union-attr]
                found[place] = found[place]._replace(kind=ECHOES[event.kind])  # type: ignore[union-attr]
        else:
            waiting += [len(found)] if any(event.kind in kinds for kinds in TOLD_BY.values()) else []
            found.append(event)
    return _ended_last([event for event in found if event is not None])


def _repeated(found, waiting, event):
    """Return the place of the event that an effect repeats, or None."""
    places = [place for place in waiting if _repeats(found[place], event)]
    named = [place for place in places if found[place].kind != "selects"]
    return next(iter(named + places), None)  # `selects` comes last, for a Stealth Needle selects cards too


def _ended_last(turn):
    """Move actions that a player takes after the end of the turn before the line that ends it."""
    at = next((place for place, event in enumerate(turn) if event.kind == "ends turn"), None)
    if at is None:
        return turn
    late = [event for event in turn[at:] if event.kind in LATE]
    return [*turn[:at], *late, *(event for event in turn[at:] if event.kind not in LATE)]


def _repeats(event, echo):
    return event.kind in TOLD_BY[echo.kind] and event.card.lower() == echo.card.lower()


def _bought(found, event):
    """Return the place of the purchase that this line repeats, or None."""
    for place in range(len(found) - 1, max(len(found) - 4, -1), -1):
        earlier = found[place]
        if earlier.kind == "acquired":
            return place if earlier.card.lower() == event.card.lower() and not earlier.what else None
        if earlier.kind not in ("spends", "gains", "nothing"):
            return None
    return None


def _scraps_itself(found):
    """Return the place of the line `Scrapping C` right before, or None."""
    for place in range(len(found) - 1, -1, -1):
        if found[place].kind == "scrapping":
            return place if not found[place].what else None
        if found[place].kind not in BETWEEN:
            return None
    return None
