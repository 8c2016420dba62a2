"""One game from deal to end: played by agents, told as a log, written down and played back.

A recorded game is one JSON object on a line: {variant, settings, tables, seed, agents, moves, returns}. `tables` is a
hash of the card tables and action numbers; a record made with other tables is refused.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stardeck import agents as players
from stardeck.benchmarks.disk import parse_json
from stardeck.envs.agent import Agent, AgentLike, States, decisions
from stardeck.envs.game import Game
from stardeck.envs.registry import make
from stardeck.kernels import playing
from stardeck.kernels.errors import IllegalAction, shown

Tell = Callable[[States, int | None], None]  # called before each action, and with None at the end
KINDS = {"variant": str, "settings": dict, "tables": str, "seed": int, "agents": list, "moves": list, "returns": list}
KEYS = tuple(KINDS)


class RecordError(ValueError):
    """A recorded game cannot be read or played back; the message says where and why."""


def seated(game: Game, agents: Sequence[AgentLike]) -> list[Agent]:
    """Agents by seat; fewer than seats are dealt out in turn. Raises ValueError."""
    if not 1 <= len(agents) <= game.players:
        raise ValueError(f"agents: {len(agents)} given: {game.id} takes 1 to {game.players}")
    return [players.get(agents[seat % len(agents)], game) for seat in range(game.players)]


def ask(game: Game, states: States, agent: Agent, seed: int) -> int:
    """The action of an agent in one game dealt from `seed`, with the chance it would draw on in a series."""
    seat, decision = int(states[0]["to_act"]), int(states[0]["decisions"])
    chance = playing.seed_one(np.uint64(seed), np.uint64(seed), seat, decision)
    return int(decisions(agent, game, states, np.array([chance], np.uint64))[0])


def warm_up(game: Game, agents: Iterable[Agent]) -> None:
    """Compile what a game between these agents needs, before anything is on the screen."""
    states = game.deal(0)
    for agent in agents:
        game.apply(game.copy(states), [ask(game, states, agent, 0)])
    game.render(states)


def play(game: Game, agents: Sequence[AgentLike], seed: int, tell: Tell | None = None) -> dict[str, Any]:
    """Play one game and return its record. tell: called as tell(states, action) before each action."""
    by_seat = seated(game, agents)
    warm_up(game, by_seat)
    states = game.deal(seed)
    moves = []
    while not game.is_over(states)[0]:
        action = ask(game, states, by_seat[int(states[0]["to_act"])], seed)
        if tell:
            tell(states, action)
        moves.append(game.describe(states, action))
        game.apply(states, [action])
    if tell:
        tell(states, None)
    return {
        "variant": game.id,
        "settings": game.settings,
        "tables": game.variant.tables,
        "seed": seed,
        "agents": [agent.name for agent in by_seat],
        "moves": moves,
        "returns": game.returns(states)[0].tolist(),
    }


def replay(record: dict[str, Any], tell: Tell | None = None) -> tuple[Game, States]:
    """Play a record back; returns the game and its final states. Raises RecordError."""
    _check(record)
    game = make(record["variant"].split("/")[0], **record["settings"])
    if game.variant.tables != record["tables"]:
        then = shown(record["tables"])
        raise RecordError(f"the tables of {game.id} have changed since: {then} then, {game.variant.tables!r} now")
    if len(record["agents"]) != game.players:
        raise RecordError(f"agents: {len(record['agents'])} named: {game.id} has {game.players}")
    states = game.deal(record["seed"])
    for number, move in enumerate(record["moves"], 1):
        try:
            actions = game.parse(states, move)
        except IllegalAction as error:
            raise RecordError(f"move {number}: {error}") from error
        for action in actions:
            if tell:
                tell(states, action)
            game.apply(states, [action])
    if tell:
        tell(states, None)
    if game.returns(states)[0].tolist() != record["returns"]:
        ended = game.returns(states)[0].tolist()
        raise RecordError(f"returns {shown(record['returns'])} were recorded, but it ends with {ended}")
    return game, states


def _check(record):
    """Raise RecordError for what has not the shape of a recorded game."""
    missing = [key for key in KEYS if key not in record] if isinstance(record, dict) else KEYS
    if missing:
        raise RecordError(f"a recorded game needs {', '.join(missing)}")
    for key, kind in KINDS.items():
        if type(record[key]) is not kind:
            raise RecordError(f"{key} = {shown(record[key])}: is not what a recorded game has there")
    for key in ("agents", "moves"):
        for number, text in enumerate(record[key], 1):
            if not isinstance(text, str):
                raise RecordError(f"{key}: number {number} is {shown(text)}: must be a text")
    if "name" in record["settings"]:
        raise RecordError("settings: 'name' is none")


def read(path: str | Path) -> list[dict[str, Any]]:
    """The recorded games of a file. Raises RecordError."""
    records = []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be read ({error})") from error
    for number, line in enumerate(lines, 1):
        try:
            records.append(parse_json(line))
        except ValueError as error:
            raise RecordError(f"{path}: line {number}: is not JSON ({error})") from error
    return records


def check_writable(path: str | Path) -> None:
    """Raise OSError for a file that cannot be written, before a game is told that is to be kept in it."""
    with Path(path).open("a"):
        pass


def write(path: str | Path, record: dict[str, Any]) -> None:
    """Write a record as the one line of a file."""
    Path(path).write_text(json.dumps(record) + "\n", encoding="utf-8")


class Log:
    """Tells a game as text, a paragraph a turn: who is how strong, what is in hand, and what is done."""

    def __init__(self, game: Game, names: Sequence[str], write: Callable[[str], Any]) -> None:
        self.game = game
        self.names = names
        self._write = write
        self._turn: int | None = None
        self._line: list[str] = []
        self._seat: int | None = None

    def __call__(self, states: States, action: int | None) -> None:
        """Tell one action, or with None the end."""
        state = states[0]
        if action is None or int(state["turn"]) != self._turn:
            self._flush()
            self._turn = int(state["turn"])
            self._write(self.game.headline(states, self.names))
        if action is None:
            return
        if int(state["to_act"]) != self._seat:
            self._flush()
            self._seat = int(state["to_act"])
        self._line.append(self.game.describe(states, action))

    def _flush(self):
        if self._line:
            self._write(f"    player_{self._seat}: {'; '.join(self._line)}")
        self._line = []
