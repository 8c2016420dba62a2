"""A limit on the time of one call: a training stops between two of its steps, and the next call goes on."""

import time

from stardeck.kernels.errors import shown

MOST_MINUTES = 60 * 24 * 365


class OutOfTime(Exception):  # noqa: N818  # not an error: the training has stopped as asked
    """The time limit is reached, and what is finished is on disk."""


class TimeLimit:
    """Time that a training may take in this process.

    Args:
        minutes: The time from now on; None: no limit.

    Raises:
        ValueError: It is no number, or not above 0.
    """

    def __init__(self, minutes: float | None = None) -> None:
        if minutes is not None and (type(minutes) not in (int, float) or not 0 < minutes <= MOST_MINUTES):
            raise ValueError(f"minutes={shown(minutes)}: must be a number above 0, up to {MOST_MINUTES}")
        self.minutes = minutes
        self._ends = None if minutes is None else time.monotonic() + 60 * minutes
        self._last: float | None = None  # the last call; what came before is the beginning of the training
        self._longest = 0.0  # seconds of a step

    def skip(self) -> None:
        """Let what came since the last answer count as no step, such as a first evaluation."""
        if self._last is not None:
            self._last = time.monotonic()

    def is_up(self) -> bool:
        """Return whether a further step would pass the limit, if it takes as long as the longest so far.

        A training asks before each step. The first answer is always False, so that every call makes progress.
        """
        now = time.monotonic()
        before, self._last = self._last, now
        if before is None:
            return False
        self._longest = max(self._longest, now - before)
        return self._ends is not None and now + self._longest > self._ends


NO_LIMIT = TimeLimit()
