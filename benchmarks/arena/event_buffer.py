"""What has happened in the games of a stretch while they are played: events in one room, which grows where it must."""

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.loops.event_log import EYE, Column, Log

Events = tuple[NDArray[np.int64], NDArray[np.int32]]  # [n]: the number of the game; [n, len(Column)]: what is told


class Told:
    """Events of a stretch of games. room: how many of them there is room for at first.

    Loops are given `log`: `eye` (EYE[1]) and `room` (int64[n] and int32[len(Column), n]: as files have them, a column
    each). Each goes on where the last one has ended.
    """

    def __init__(self, room: int) -> None:
        self.eye = np.zeros(1, EYE)
        self.room = _room(room)
        self._kept = 0  # events that will not be told again

    @property
    def log(self) -> Log:
        """Where loops write events: `eye` and `room`."""
        return Log(self.eye, *self.room)

    @property
    def fits(self) -> bool:
        """Whether there was room for all that was told."""
        return bool(self.eye[0]["count"] <= len(self.room[0]))

    def keep(self) -> None:
        """What was told so far stays, whatever comes."""
        self._kept = int(self.eye[0]["count"])

    def again(self) -> None:
        """What was told since the last call of `keep` will be told once more, and there is room for it."""
        if not self.fits:
            larger = _room(2 * int(self.eye[0]["count"]))
            for new, old in zip(larger, self.room, strict=True):
                new[..., : self._kept] = old[..., : self._kept]
            self.room = larger
        self.eye[0]["count"] = self._kept

    def events(self) -> Events:
        """What stays, in the order in which it was told."""
        games, events = self.room
        return games[: self._kept], events[:, : self._kept].T


def _room(events):
    return np.empty(events, np.int64), np.empty((len(Column), events), np.int32)


def nothing() -> Events:
    """No events."""
    return np.empty(0, np.int64), np.empty((0, len(Column)), np.int32)


def by_game(events: Events) -> Events:
    """Events in the order of their games."""
    order = events[0].argsort(kind="stable")
    return events[0][order], events[1][order]
