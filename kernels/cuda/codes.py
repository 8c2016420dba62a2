"""Numbers that the GPU loops and the host share; importing them needs no GPU."""

from enum import IntEnum


class Legal(IntEnum):
    """Forms of legal actions: bits, so that a loop may write both."""

    MASKS = 1  # a byte for each action
    SETS = 2  # a bit for each action


class Mark(IntEnum):
    """Places in the numbers that a step of lanes leaves for the host: int64[MARKS]."""

    REFUSED = 0  # the first lane whose action is not legal; the number of lanes: there is none
    STUCK = 1  # lanes whose learner never decides
    ENDED = 2  # games that ended
    UNCLEAR = 3  # of these, games whose results the host computes
    CUT = 4  # of these, games that the limit on turns ended
    LISTED = 5  # lanes in which an opponent is to act, at the beginning; then after each `run_listed`


# Decisions of an opponent in each launch of `run_listed`; the last has no limit. A turn has about ten.
SHARES = (4, 4, 4, 4, 8, 1 << 40)
MARKS = len(Mark) + len(SHARES)
