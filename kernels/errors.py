"""Errors that users of every face can catch, and how a value from outside is checked and named in them."""

import contextlib
import operator
import re
import reprlib
from collections.abc import Iterable
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

SHOWN = 100  # characters of a value in an error
MOST = 2**63 - 1


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class IllegalAction(ValueError):
    """An action, or a move in words, that is not legal in its state. The state has not changed."""


class GameError(ValueError):
    """A fault in the code of a game from outside, in one line: the game, the member and what is wanted."""


_SHORT = reprlib.Repr()
_SHORT.maxlevel = 3
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxarray = 12
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = SHOWN


def shown(value: Any, width: int = SHOWN) -> str:
    """A value as an error names it: its `repr` on one line, cut short where it is long or deep."""
    text = f"a {type(value).__name__}"
    with contextlib.suppress(Exception):  # whole numbers of more than 4,300 digits have no `repr`, others may have none
        text = _SHORT.repr(value)
    return cut(text, width)


def harmless(text: str) -> str:
    """A text in which no terminal finds a command: control characters and those that turn lines around are spelled."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def cut(text: str, width: int = SHOWN) -> str:
    """A text on one line, cut short beyond so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 20]}...{line[-17:]}"


def said(error: BaseException) -> str:
    """What an error of somebody else's code says, cut short; the name of its type where it says nothing."""
    text = ""
    with contextlib.suppress(Exception):
        text = str(error)
    return cut(text) or type(error).__name__


def check_keywords(owner: str, given: Iterable[str], allowed: Iterable[str]) -> None:
    """Check the names of keyword arguments.

    Raises:
        TypeError: There is no such argument; names it, and what is allowed.
    """
    names = list(allowed)
    for name in given:
        if name not in names:
            raise TypeError(f"{owner}: {cut(name)}: there is no such option; must be one of {', '.join(names)}")


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether a value stands for one whole number, as those of NumPy do; truth values do not."""
    try:
        operator.index(value)
    except Exception:  # whatever a stranger's type says
        return False
    return not isinstance(value, bool)


def whole_number(value: Any, name: str = "action") -> int:
    """A whole number, or an array of one, as an int; TypeError naming it for anything else."""
    if type(value) is int:  # as nearly all are
        return value
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.item()
    if not is_whole(value):
        raise TypeError(f"{name} {shown(value)}: must be a whole number")
    return operator.index(value)


def whole_numbers(values: Any, name: str, length: int, of_what: str) -> NDArray[np.int64]:
    """One whole number for each of `length` things: int64[length]; ValueError naming them for anything else."""
    try:
        array = np.asarray(values)
    except Exception:  # rows of different lengths, or whatever a stranger's type says
        array = np.empty(0)
    if array.dtype.kind not in "iu" or array.shape != (length,):
        raise ValueError(f"{name}: {shown(values)}: must be {length} whole numbers, one for each {of_what}")
    if array.dtype.kind == "u" and len(array) and array.max() > MOST:
        raise ValueError(f"{name}: {shown(values)}: must be at most {MOST}")
    return array.astype(np.int64)
