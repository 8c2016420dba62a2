"""Errors that users can catch, and checks of values that come from outside."""

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
MOST_SEED = 2**64 - 1


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class IllegalAction(ValueError):
    """Action, or move in words, that is not legal in its state. The state has not changed."""


class GameError(ValueError):
    """A fault in the code of a game from outside, in one line: the game, the member and what is wanted."""


_SHORT = reprlib.Repr()
_SHORT.maxlevel = 3
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxarray = 12
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = SHOWN


def shown(value: Any, width: int = SHOWN) -> str:
    """Return a value as errors name it: its `repr` on one line, shortened where it is long or deep."""
    text = f"a {type(value).__name__}"
    with contextlib.suppress(Exception):  # a `repr` may fail: whole numbers of more than 4,300 digits have none
        text = _SHORT.repr(value)
    return cut(text, width)


def harmless(text: str) -> str:
    r"""Return a text without terminal commands: control and bidirectional characters are written as `\x..`."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def cut(text: str, width: int = SHOWN) -> str:
    """Return a text on one line that any encoding can hold, shortened to `width` characters."""
    line = " ".join(text.split()).encode("utf-8", "backslashreplace").decode()  # halves of characters, as in JSON
    return line if len(line) <= width else f"{line[: width - 20]}...{line[-17:]}"


def said(error: BaseException) -> str:
    """Return the message of an error from foreign code, shortened; the name of its type if it has no message."""
    text = ""
    with contextlib.suppress(Exception):
        text = str(error)
    return cut(text) or type(error).__name__


def reason(error: BaseException) -> str:
    """Return why a file, place or program cannot be used; of the system's errors, without their number and path."""
    return getattr(error, "strerror", None) or said(error)


def check_keywords(owner: str, given: Iterable[str], allowed: Iterable[str]) -> None:
    """Check the names of keyword arguments.

    Args:
        owner: The name of the function, for errors.
        given: The names that were given.
        allowed: The names that exist.

    Raises:
        TypeError: There is no such argument; the message lists the allowed ones.
    """
    names = list(allowed)
    for name in given:
        if name not in names:
            raise TypeError(f"{owner}: {cut(name)}: there is no such option; must be one of {', '.join(names)}")


def is_whole(value: Any) -> TypeGuard[int]:
    """Return whether a value stands for one whole number, as NumPy's integers do; truth values do not."""
    try:
        operator.index(value)
    except Exception:  # a foreign type may raise anything
        return False
    return not isinstance(value, bool)


def whole_number(value: Any, name: str = "action") -> int:
    """Return a whole number, or an array of one, as an int; TypeError names any other value."""
    if type(value) is int:  # the usual case, without further calls
        return value
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.item()
    if not is_whole(value):
        raise TypeError(f"{name} {shown(value)}: must be a whole number")
    return operator.index(value)


def number_from(value: Any, name: str, low: int, high: int | None = None) -> int:
    """Return an option that is a whole number.

    Args:
        value: The option.
        name: Its name, for errors.
        low: The least that is allowed.
        high: The most that is allowed; None: no limit.

    Raises:
        ValueError: The value is something else; the message names it and what is allowed.
    """
    if not is_whole(value) or value < low or (high is not None and value > high):
        end = "on" if high is None else f"to {high}"
        raise ValueError(f"{name}={shown(value)}: must be a whole number from {low} {end}")
    return operator.index(value)


def whole_numbers(values: Any, name: str, length: int, of_what: str) -> NDArray[np.int64]:
    """Return one whole number for each of `length` things: int64[length].

    Args:
        values: The numbers.
        name: Their name, for errors.
        length: How many there must be.
        of_what: One of the things in words, for errors.

    Raises:
        ValueError: The values are something else; the message names them.
    """
    try:
        array = np.asarray(values)
    except Exception:  # rows of different lengths, or a foreign type that raises anything
        array = np.empty(0)
    if array.dtype.kind not in "iu" or array.shape != (length,):
        raise ValueError(f"{name}: {shown(values)}: must be {length} whole numbers, one for each {of_what}")
    if array.dtype.kind == "u" and len(array) and array.max() > MOST:
        raise ValueError(f"{name}: {shown(values)}: must be at most {MOST}")
    return array.astype(np.int64)
