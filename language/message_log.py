"""The messages of one game in a file, from which an interrupted game goes on without asking again.

Each line of the file is a call: the last message, the answer, tokens and seconds. A finished game has its result in the
last line. Games are deterministic, so the recorded answers lead to the position at which the game was interrupted.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from stardeck.benchmarks.results.atomic_files import parse_json, write_whole
from stardeck.kernels.files import read_text
from stardeck.language.endpoint import Message, Reply

RESULT = "result"


class MessageLog:
    """The log of one game.

    Args:
        path: The file.
        writing: Function whose context surrounds each write; it raises an error when the folder must not change.

    Attributes:
        result: The result of the game; None until it is finished.
        calls: Replies of the game so far, in order.
    """

    def __init__(self, path: Path, writing: Callable[[], AbstractContextManager[Any]] = nullcontext) -> None:
        self._path, self._writing = path, writing
        with writing():
            lines = _lines_of(path)
        self.result: dict[str, Any] | None = lines[-1][RESULT] if lines and RESULT in lines[-1] else None
        self._recorded = [line for line in lines if RESULT not in line]
        self.calls: list[Reply] = []

    def ask(self, messages: Sequence[Message], ask: Callable[[Sequence[Message]], Reply]) -> Reply:
        """Return the recorded answer to a conversation, or ask for it and record it.

        Args:
            messages: The conversation.
            ask: Function that asks the model.
        """
        digest = hashlib.sha256(json.dumps(list(messages)).encode()).hexdigest()[:16]
        number = len(self.calls)
        if number < len(self._recorded) and self._recorded[number]["digest"] == digest:
            reply = Reply(*(self._recorded[number][name] for name in Reply._fields))
        else:
            reply = ask(messages)
            self._keep(number, {"digest": digest, "message": messages[-1]["content"], **reply._asdict()})
        self.calls.append(reply)
        return reply

    def finish(self, result: dict[str, Any]) -> None:
        """Record the result of the game."""
        with self._writing():
            self._append({RESULT: result})
        self.result = result

    def _keep(self, number: int, line: dict[str, Any]) -> None:
        """Record a call. Calls recorded after another course of the game are dropped."""
        with self._writing():
            if number < len(self._recorded):
                del self._recorded[number:]
                write_whole(self._path, "".join(json.dumps(each) + "\n" for each in self._recorded))
            self._recorded.append(line)
            self._append(line)

    def _append(self, line: dict[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def _lines_of(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a log; a line that was being written when the program was killed is removed."""
    if not path.exists():
        return []
    text = read_text(path)
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        write_whole(path, whole)
    return [parse_json(line) for line in whole.splitlines()]
