"""The answer of a model: the last JSON object in its text."""

import json
from typing import Any

from stardeck.kernels.errors import cut

LONGEST = 100_000  # characters from the end that are searched
MOST_MOVES = 200
LONGEST_MOVE = 200  # characters


class Unreadable(ValueError):
    """An answer that holds no moves; the message tells the model why."""


def last_object(text: str) -> dict[str, Any] | None:
    """Return the last JSON object of a text that is not inside another one; None if there is none."""
    text = text[-LONGEST:]
    decoder, found, at = json.JSONDecoder(), None, text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)
    return found


def moves_in(text: str, whole_turn: bool) -> list[str]:
    """Return the moves of an answer.

    Args:
        text: The answer.
        whole_turn: True takes {"moves": [...]}, and one move as well; False only {"move": "..."}.

    Raises:
        Unreadable: The answer has no such object.
    """
    answer = last_object(text)
    if answer is None:
        raise Unreadable("The answer has no JSON object.")
    one, several = answer.get("move"), answer.get("moves")
    if several is None or not whole_turn:
        several = [one] if one is not None else several if isinstance(several, list) and len(several) == 1 else None
    if not isinstance(several, list) or not several or not all(isinstance(move, str) for move in several):
        wanted = '"moves", a list of texts' if whole_turn else '"move", a text'
        raise Unreadable(f"The last JSON object has no {wanted}: {cut(json.dumps(answer), 100)}.")
    return [move.strip()[:LONGEST_MOVE] for move in several[:MOST_MOVES]]
