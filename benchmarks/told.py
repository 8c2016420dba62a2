"""What has happened in the games of a stretch while they are played: events in one room, which grows where it must."""

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.telling import EVENT, EYE


class Told:
    """Events of a stretch of games. room: how many of them there is room for at first.

    Loops are given `eye` (EYE[1]) and `room` (EVENT[n]); each goes on where the last one has ended.
    """

    def __init__(self, room: int) -> None:
        self.eye = np.zeros(1, EYE)
        self.room = np.empty(room, EVENT)
        self._kept = 0  # events that will not be told again

    @property
    def fits(self) -> bool:
        """Whether there was room for all that was told."""
        return bool(self.eye[0]["count"] <= len(self.room))

    def keep(self) -> None:
        """What was told so far stays, whatever comes."""
        self._kept = int(self.eye[0]["count"])

    def again(self) -> None:
        """What was told since the last call of `keep` will be told once more, and there is room for it."""
        if not self.fits:
            room = np.empty(2 * int(self.eye[0]["count"]), EVENT)
            room[: self._kept] = self.room[: self._kept]
            self.room = room
        self.eye[0]["count"] = self._kept

    def events(self) -> NDArray[np.void]:
        """What stays: EVENT[n], in the order in which it was told."""
        return self.room[: self._kept]
