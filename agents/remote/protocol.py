"""Messages between Stardeck and remote agents: written as requests, and checked as answers.

docs/notation/remote_agents.md explains them, and protocol.schema.json describes them. Keys that an answer has beyond
them are ignored. No answer is repaired: whatever is wrong with it raises RemoteError, with the value and what is
allowed.
"""

import json
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from stardeck.agents.remote.transport import RemoteError
from stardeck.agents.user_agents import LONGEST_NAME
from stardeck.game.agent import Masks, Seeds, States
from stardeck.game.game import Game
from stardeck.kernels.errors import cut, shown

VERSION = 1
TABLE, MOVES, OBSERVATION = WANTS = ("table", "moves", "observation")
USUAL_BATCH = 64  # decisions in a request
MOST_BATCH = 1024
LONGEST_WORDS = 1000  # characters of a move

Message = dict[str, Any]


class Greeting(NamedTuple):
    """Answer of a program to `hello`.

    Attributes:
        name: Name in results.
        identity: Text that distinguishes versions of the program; empty: none was given.
        wants: Keys of the decisions that it reads, of WANTS.
        thread_safe: True if it takes several requests at once.
        batch: Largest number of decisions in a request.
    """

    name: str
    identity: str
    wants: tuple[str, ...]
    thread_safe: bool
    batch: int


def hello(number: int, game: Game | None) -> Message:
    """Return the request that begins a connection, or a game on it.

    Args:
        number: Number of the request.
        game: The variant, which the program may refuse; None: only the program is asked who it is.
    """
    return {"stardeck": VERSION, "id": number, "type": "hello", "game": None if game is None else _variant(game)}


def _variant(game):
    """Return what a program may want to know of a variant beforehand."""
    return {
        "id": game.id,
        "name": game.variant.game,
        "version": game.version,
        "players": game.players,
        "settings": game.settings,
        "actions": _layout(game.action_table(), ("name", "offset", "size", "meaning")),
        "observation": _layout(game.observation_table(), ("name", "offset", "size", "scale", "meaning")),
    }


def _layout(rows, keys):
    return [{key: row[key] for key in keys} for row in rows]


def decide(number: int, game: Game, decisions: list[Message]) -> Message:
    """Return the request for some decisions.

    Args:
        number: Number of the request.
        game: The variant.
        decisions: The decisions, as `decision` returns them.
    """
    return {"stardeck": VERSION, "id": number, "type": "decide", "game": game.id, "decisions": decisions}


class Batch(NamedTuple):
    """States in which an agent decides, none of them over, with the arguments of `Agent.act`.

    Attributes:
        start: Id of the first decision.
        states: One row a decision.
        masks: int8[n, num_actions], 1 where an action is legal.
        seeds: uint64[n], the randomness of each decision.
    """

    start: int
    states: States
    masks: Masks
    seeds: Seeds


def decisions_of(game: Game, batch: Batch, wants: tuple[str, ...]) -> list[Message]:
    """Return the decisions of some states as the seats that decide may see them.

    Args:
        game: The variant.
        batch: The states.
        wants: Keys of WANTS.

    Returns:
        A dict a decision. `seed` is a text, because JavaScript has no whole numbers of 64 bits.
    """
    start, states, masks, seeds = batch
    seats = game.to_act(states)
    views = game.observe(states, seats) if OBSERVATION in wants else None
    found = []
    for row, seat in enumerate(seats.tolist()):
        legal = np.flatnonzero(masks[row]).tolist()
        one: Message = {"id": start + row, "seat": seat, "seed": _seed(seeds[row]), "legal": legal}
        if TABLE in wants:
            one[TABLE] = game.table(states[row], seat)
        if MOVES in wants:
            one[MOVES] = [{"action": action, "words": game.describe(states[row], action)} for action in legal]
        if views is not None:
            one[OBSERVATION] = views[row].tolist()
        found.append(one)
    return found


def _seed(seed):
    """Return the seed of a decision as text: a one-way hash, so that no program works back to the deal."""
    return str(int.from_bytes(blake2b(seed.tobytes(), digest_size=8).digest(), "little"))


def written(message: Message) -> bytes:
    """Return a message as JSON on one line."""
    return json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()


def read(answer: bytes, number: int) -> Message:
    """Return the answer to a request, checked as far as all answers are alike.

    Args:
        answer: JSON.
        number: Number of the request.

    Raises:
        RemoteError: It is not JSON of this version, or answers another request.
    """
    try:
        message = json.loads(answer.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        text = cut(answer.decode("utf-8", "replace"))
        raise RemoteError(f"answer {text!r}: must be one JSON object ({cut(str(error))})") from None
    if not isinstance(message, dict):
        raise RemoteError(f"answer {shown(message)}: must be a JSON object")
    for key, wanted in (("stardeck", VERSION), ("id", number)):
        given = message.get(key)
        if not _is_number(given) or given != wanted:
            raise RemoteError(f"answer: {key}={shown(given)}: must be {wanted}, as in the request")
    return message


def refusal(message: Message) -> str:
    """Return the error that an answer reports, or an empty text. Raises RemoteError."""
    error = message.get("error")
    if error is None:
        return ""
    if not isinstance(error, str):
        raise RemoteError(f"answer: error={shown(error)}: must be a text")
    return cut(error, 300) or "an error without words"


def greeting(message: Message) -> Greeting:
    """Return what a program says of itself. Raises RemoteError."""
    name, identity = message.get("name"), message.get("identity", "")
    wants, batch = message.get("wants", [TABLE]), message.get("batch", USUAL_BATCH)
    if not _is_label(name) or not name:
        raise RemoteError(f"answer: name={shown(name)}: {_LABEL}, the name in results")
    if not _is_label(identity):
        raise RemoteError(f"answer: identity={shown(identity)}: {_LABEL}, such as a version")
    if not isinstance(wants, list) or not all(isinstance(key, str) and key in WANTS for key in wants):
        raise RemoteError(f"answer: wants={shown(wants)}: must be a list of {', '.join(WANTS)}")
    if not _is_number(batch) or not 1 <= batch <= MOST_BATCH:
        raise RemoteError(f"answer: batch={shown(batch)}: must be a whole number from 1 to {MOST_BATCH}")
    thread_safe = message.get("thread_safe", False)
    if not isinstance(thread_safe, bool):
        raise RemoteError(f"answer: thread_safe={shown(thread_safe)}: must be true or false")
    return Greeting(name, identity, tuple(dict.fromkeys(wants)), thread_safe, batch)


_LABEL = f"must be a text of up to {LONGEST_NAME} printable characters"


def _is_label(text):
    return isinstance(text, str) and text.isprintable() and len(text) <= LONGEST_NAME


def answers(message: Message, asked: range) -> dict[int, int | str]:
    """Return the answers by decision: the number of an action, or a move in words.

    Args:
        message: The answer to `decide`.
        asked: Ids of the decisions of the request.

    Raises:
        RemoteError: They are not one answer for each decision.
    """
    listed = message.get("actions")
    if not isinstance(listed, list):
        raise RemoteError(f"answer: actions={shown(listed)}: must be a list of {{id, action}}, one for each decision")
    found: dict[int, int | str] = {}
    for each in listed:
        row, action = _answer(each, asked)
        if row in found:
            raise RemoteError(f"answer: actions: id {row} is answered twice")
        found[row] = action
    if len(found) != len(asked):
        missing = next(row for row in asked if row not in found)
        raise RemoteError(f"answer: actions: {len(found)} given: must be {len(asked)}; id {missing} is missing")
    return found


def _answer(given, asked):
    """Return the id and the action of one answer, checked."""
    if not isinstance(given, dict):
        raise RemoteError(f"answer: actions: {shown(given)}: must be an object with id and action")
    row, action = given.get("id"), given.get("action")
    if not _is_number(row) or row not in asked:
        raise RemoteError(f"answer: actions: id {shown(row)}: must be from {asked.start} to {asked.stop - 1}")
    if isinstance(action, str) and len(action) <= LONGEST_WORDS:
        return row, action
    if not _is_number(action) or not -(2**63) <= action < 2**63:
        raise RemoteError(
            f"answer: actions: id {row}: action {shown(action)}: must be the number of a legal action, or its words"
        )
    return row, action


def _is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _no_number(text):
    raise ValueError(f"{text} is not JSON")
