"""Events of the games of a chunk, recorded while they are played in one buffer that grows when it is full."""

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.loops.event_log import EYE, Column, Log

Events = tuple[NDArray[np.int64], NDArray[np.int32]]  # int64[n]: games; int32[n, len(Column)]: events


class EventBuffer:
    """Events of a chunk of games.

    Loops get `log`: `eye` (EYE[1]) and `room`, which is int64[n] and int32[len(Column), n]. Files store events in the
    same way, column by column. Each loop continues where the last one ended.
    """

    def __init__(self, room: int) -> None:
        self.eye = np.zeros(1, EYE)
        self.room = _room(room)
        self._committed = 0  # events that loops do not write again

    @property
    def log(self) -> Log:
        """The record to which loops write events: `eye` and `room`."""
        return Log(self.eye, *self.room)

    @property
    def fits(self) -> bool:
        """True if the buffer had room for all events."""
        return bool(self.eye[0]["count"] <= len(self.room[0]))

    def commit(self) -> None:
        """Keep all events so far, even when a loop repeats its games."""
        self._committed = int(self.eye[0]["count"])

    def rewind(self) -> None:
        """Drop the events since the last call of `commit`, and make room for all of them."""
        if not self.fits:
            larger = _room(2 * int(self.eye[0]["count"]))
            for new, old in zip(larger, self.room, strict=True):
                new[..., : self._committed] = old[..., : self._committed]
            self.room = larger
        self.eye[0]["count"] = self._committed

    def events(self) -> Events:
        """Return the events that were kept, in the order in which loops wrote them."""
        games, events = self.room
        return games[: self._committed], events[:, : self._committed].T


def _room(events):
    return np.empty(events, np.int64), np.empty((len(Column), events), np.int32)


def no_events() -> Events:
    """Return no events."""
    return np.empty(0, np.int64), np.empty((0, len(Column)), np.int32)


def by_game(events: Events) -> Events:
    """Return events in the order of their games."""
    order = events[0].argsort(kind="stable")
    return events[0][order], events[1][order]
