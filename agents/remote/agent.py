"""The agent that a program elsewhere plays, by the address that names it."""

import itertools
import os
import threading
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np

from stardeck.agents.remote import protocol
from stardeck.agents.remote.address import Address, address_of
from stardeck.agents.remote.http import HttpTransport
from stardeck.agents.remote.process import ProcessTransport
from stardeck.agents.remote.protocol import Greeting, Message
from stardeck.agents.remote.transport import RemoteError, Transport
from stardeck.game.agent import Actions, AgentError, IllegalAnswer, Masks, Seeds, States
from stardeck.game.game import Game
from stardeck.kernels.errors import IllegalAction, cut, shown
from stardeck.kernels.files import read_bytes

T = TypeVar("T")
MOST_HASHED = 2**24  # bytes of a file of a command line


class GameRefused(Exception):
    """Refusal of a program to play a variant."""


class Connection:
    """Connection to a program, which agents of one text share as long as one of them exists."""

    def __init__(self, address: Address) -> None:
        self.process = os.getpid()
        self._address = address
        self._transport: Transport = (
            ProcessTransport(address.command) if address.command else HttpTransport(address.target)
        )
        self._numbers = itertools.count(1)
        self._known: dict[tuple[str, str], int] = {}  # id and tables of a variant -> generation that knows it

    @property
    def generation(self) -> int:
        """Number of failures so far: after each of them another program may answer."""
        return self._transport.generation

    def greet(self, game: Game | None, timeout: float) -> Greeting:
        """Return what the program says of itself. Raises RemoteError, and GameRefused if it does not play the game."""
        number = next(self._numbers)
        message = self._exchange(protocol.hello(number, game), timeout)
        refused = protocol.refusal(message)
        if refused and game is not None:
            raise GameRefused(f"cannot play {game.id}: {refused}")
        if refused:
            raise RemoteError(refused)
        return self._in_step(lambda: protocol.greeting(message))

    def knows(self, game: Game) -> bool:
        """Return true if the program that runs now has agreed to play a variant."""
        return self._known.get((game.id, game.variant.tables)) == self.generation

    def note(self, game: Game) -> None:
        """Remember that the program that runs now has agreed to play a variant."""
        self._known[game.id, game.variant.tables] = self.generation

    def decide(self, game: Game, decisions: list[Message], timeout: float) -> dict[int, int | str]:
        """Return the answers to some decisions by their ids. Raises RemoteError."""
        number = next(self._numbers)
        message = self._exchange(protocol.decide(number, game, decisions), timeout)
        if refused := protocol.refusal(message):
            raise RemoteError(refused)
        asked = range(decisions[0]["id"], decisions[-1]["id"] + 1)
        return self._in_step(lambda: protocol.answers(message, asked))

    def _exchange(self, request, timeout):
        written = protocol.written(request)
        return self._in_step(lambda: protocol.read(self._transport.exchange(written, timeout), request["id"]))

    def _in_step(self, take: Callable[[], T]) -> T:
        """Return an answer or a part of it; begin again after one that is missing or wrong."""
        try:
            return take()
        except RemoteError:
            self._transport.reset()
            raise

    def close(self) -> None:
        """End the connection; the next request opens it again."""
        self._transport.close()


_OPEN: WeakValueDictionary[tuple[int, str, str], Connection] = WeakValueDictionary()
_OPENING = threading.Lock()


def connection_to(address: Address, files: str | None = None) -> Connection:
    """Return the connection to a program: one in each process for each target and digest of its files.

    Args:
        address: The address.
        files: The digest of the files that its command names; None computes it.
    """
    with _OPENING:
        key = os.getpid(), address.target, _digest(address.command) if files is None else files
        found = _OPEN.get(key)
        if found is None:
            found = _OPEN[key] = Connection(address)
        return found


class RemoteAgent:
    """An agent elsewhere: a program that answers over HTTP, or on standard input and output.

    It gets what the deciding seat may see, never a state, so `honest` leaves it as it is. Pickled, it is its text: the
    process that reads it opens a connection of its own, and so starts the program of `exec:` there. That program must
    give the same name and identity.
    """

    def __init__(self, address: Address, greeting: Greeting | None = None, files: str | None = None) -> None:
        """Make the agent of an address.

        Args:
            address: The address.
            greeting: What the program has said of itself before; None asks it.
            files: The digest of the files that its command names; None computes it.

        Raises:
            AgentError: The program does not answer as it should.
        """
        self.address = address
        self._files = _digest(address.command) if files is None else files
        self._connection = connection_to(address, self._files)
        self._hashed = self._connection.generation if files is None else None  # whose program the digest stands for
        self._called = f"agent {shown(str(address))}"  # in errors
        self._greeting = greeting or self._ask(Connection.greet, None, address.timeout)
        self._called = f"agent {shown(self._greeting.name)} ({address})"

    def __repr__(self) -> str:
        return f"RemoteAgent({self.address.text!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.address.text, self._greeting, self._files)

    @property
    def name(self) -> str:
        """Name that the program gives itself."""
        return self._greeting.name

    @property
    def identity(self) -> str:
        """Text of the agent, the digest of the files that its command names, and what the program gives."""
        parts = self.address.target, self._files and f"files {self._files}", self._greeting.identity
        return ", ".join(filter(None, parts))

    @property
    def thread_safe(self) -> bool:
        """True if the program says that it takes several requests at once."""
        return self._greeting.thread_safe

    def check(self, game: Game) -> None:
        """Raise AgentError, a ValueError, for a variant that the program refuses."""
        self._ask(self._introduce, game)

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """Return an action for each game: int64[n]. Arguments as in `Agent.act`.

        Raises:
            IllegalAnswer: The program answered with words that are not a legal move.
            AgentError: It did not answer as it should.
        """
        seeds = game.check_decisions(states, seeds)
        self.check(game)
        size = self._greeting.batch
        actions = np.empty(len(states), np.int64)
        for start in range(0, len(states), size):
            rows = slice(start, start + size)
            batch = protocol.Batch(start, states[rows], masks[rows], seeds[rows])
            decisions = protocol.decisions_of(game, batch, self._greeting.wants)
            found = self._ask(Connection.decide, game, decisions, self.address.timeout)
            for row, answer in found.items():
                actions[row] = answer if isinstance(answer, int) else self._action(game, states[row], row, answer)
        return actions

    def close(self) -> None:
        """End the connection; a program that Stardeck has started ends too. The next decision opens it again."""
        self._connection.close()

    def _introduce(self, connection, game):
        """Ask the program to play a variant, unless it has agreed already. Raises RemoteError or GameRefused."""
        if connection.knows(game):
            return
        said = connection.greet(game, self.address.timeout)
        if said != self._greeting:
            then, now = (shown(tuple(each)) for each in (self._greeting, said))
            raise RemoteError(f"says {now} of itself: must always say the same; it said {then} before")
        if connection.generation != self._hashed:
            if (files := _digest(self.address.command)) != self._files:
                raise RemoteError(f"files of its command have changed (digest {self._files}, now {files})")
            self._hashed = connection.generation
        connection.note(game)

    def _ask(self, ask: Callable[..., T], *given: Any) -> T:
        """Return what a function of the connection returns. Raises AgentError, which names the agent."""
        if self._connection.process != os.getpid():  # this process is a copy of the one that opened it
            self._connection = connection_to(self.address, self._files)
        try:
            return ask(self._connection, *given)
        except (RemoteError, GameRefused) as error:
            raise AgentError(f"{self._called}: {error}") from error

    def _action(self, game, state, row, words):
        """Return the action that words stand for. Raises IllegalAnswer."""
        try:
            found = game.parse(state, words)
        except IllegalAction as error:
            raise IllegalAnswer(f"{self._called}: row {row}: {cut(str(error), 1000)}") from error
        if len(found) != 1:
            raise IllegalAnswer(f"{self._called}: row {row}: {shown(words)}: must be one action, not {len(found)}")
        return found[0]


def remote_agent(text: str) -> RemoteAgent:
    """Return the agent of a text such as `http://localhost:9000` or `exec:node bot.js`.

    Raises:
        ValueError: The text is wrong, or the program does not answer as it should.
    """
    return RemoteAgent(address_of(text))


def _again(text, greeting, files):
    return RemoteAgent(address_of(text), greeting, files)


def _digest(command):
    """Return a digest of the files that a command line names; empty if there are none."""
    found = blake2b(digest_size=6)
    files = 0
    for word in command:
        path = Path(word)
        try:
            if not path.is_file() or path.stat().st_size > MOST_HASHED:
                continue
            content = read_bytes(path)
        except (OSError, ValueError):
            continue
        files += 1
        found.update(len(content).to_bytes(8, "little") + content)
    return found.hexdigest() if files else ""
