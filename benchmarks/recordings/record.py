"""One game from deal to end: played by agents, logged, recorded and replayed.

A recorded game is one JSON object on a line: {variant, settings, tables, seed, agents, moves, returns}. `tables` is a
hash of the card tables and action numbers; a record with another hash is refused. A game that was not dealt from a
seed has a `position` from which it begins, and `draws`: the cards after a shuffle, as [[number of decisions before,
{player: {hand, deck}}], …]. The game has the same cards there; the record gives their order. An empty `discard` turns
the discard pile into the deck before the move that draws from it.
"""

import io
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stardeck import agents as players
from stardeck.agents.former_names import present
from stardeck.benchmarks.results.atomic_files import parse_json
from stardeck.game.agent import Agent, AgentLike, States, decisions
from stardeck.game.game import Game
from stardeck.kernels.errors import IllegalAction, reason, shown
from stardeck.kernels.files import read_text
from stardeck.kernels.loops import playouts
from stardeck.kernels.text.lines import folded

Tell = Callable[[States, int | None], None]  # called before each action, and with None at the end
Draws = dict[int, dict[str, dict[str, list[str]]]]  # by number of decisions before: player, pile, cards
PILES = ("hand", "deck", "discard")  # piles that draws may order
KINDS = {"variant": str, "settings": dict, "tables": str, "seed": int, "agents": list, "moves": list, "returns": list}
KEYS = tuple(KINDS)
JSON_TYPES = {str: "a text", dict: "an object", int: "an integer", list: "a list"}


class RecordError(ValueError):
    """A recorded game cannot be read or played back; the message says where and why."""


def seated(game: Game, agents: Sequence[AgentLike], honest: bool = False) -> list[Agent]:
    """Return the agents by seat; fewer agents than seats are dealt out in turn.

    Args:
        game: Game to play.
        agents: Names or objects with `act`.
        honest: As for `play`.

    Raises:
        ValueError: There are no agents or more than seats, or an agent is invalid.
    """
    agents = [players.honest(agent) for agent in agents] if honest else agents
    if not 1 <= len(agents) <= game.players:
        raise ValueError(f"agents: {len(agents)} given: {game.id} takes 1 to {game.players}")
    return [players.get(agents[seat % len(agents)], game) for seat in range(game.players)]


def ask(game: Game, states: States, agent: Agent, seed: int, series: int | None = None) -> int:
    """Return the action of an agent in one game.

    Args:
        game: Game to play.
        states: State of the game.
        agent: Agent to ask.
        seed: Seed of the deal.
        series: Seed of the series, from which the agent draws its chance; by default `seed`.
    """
    seat, decision = int(states[0]["to_act"]), int(states[0]["decisions"])
    chance = playouts.seed_one(np.uint64(seed if series is None else series), np.uint64(seed), seat, decision)
    return int(decisions(agent, game, states, np.array([chance], np.uint64))[0])


def warm_up(game: Game, agents: Iterable[Agent]) -> None:
    """Compile everything that a game between these agents needs, before the screen shows anything.

    Args:
        game: Game to play.
        agents: Agents that play it.
    """
    states = game.deal(0)
    for agent in agents:
        game.apply(game.copy(states), [ask(game, states, agent, 0)])
    game.render(states)


def play(
    game: Game, agents: Sequence[AgentLike], seed: int, tell: Tell | None = None, series: int | None = None,
    honest: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Play one game and return its record.

    Args:
        game: Game to play.
        agents: Names or objects with `act`.
        seed: Seed of the deal.
        tell: Function that is called as tell(states, action) before each action.
        series: Seed of the series of the game, from which agents draw their chance; by default `seed`.
        honest: True gives agents of your own states in which information hidden from their seats is drawn again.
    """
    by_seat = seated(game, agents, honest)
    warm_up(game, by_seat)
    states = game.deal(seed)
    moves = []
    while not game.is_over(states)[0]:
        action = ask(game, states, by_seat[int(states[0]["to_act"])], seed, series)
        if tell:
            tell(states, action)
        moves.append(game.describe(states, action))
        game.apply(states, [action])
    if tell:
        tell(states, None)
    return written(game, states, seed, [agent.name for agent in by_seat], moves)


def written(game: Game, states: States, seed: int, names: Sequence[str], moves: Sequence[str]) -> dict[str, Any]:
    """Return the record of a game.

    Args:
        game: Game that was played.
        states: Final state.
        seed: Seed of the deal.
        names: Names of the players by seat.
        moves: Moves in order.
    """
    return {
        "variant": game.id,
        "settings": game.settings,
        "tables": game.variant.tables,
        "seed": seed,
        "agents": list(names),
        "moves": list(moves),
        "returns": game.returns(states)[0].tolist(),
    }


def game_of(record: dict[str, Any]) -> Game:
    """Return the game of a record. Raises RecordError if its tables have changed, ValueError for invalid settings."""
    check(record)
    game = Game.named(record["variant"].split("/")[0], record["settings"])
    if game.variant.tables != record["tables"]:
        then = shown(record["tables"])
        raise RecordError(f"the tables of {game.id} have changed since: {then} then, {game.variant.tables!r} now")
    if len(record["agents"]) != game.players:
        raise RecordError(f"agents: {len(record['agents'])} named: {game.id} has {game.players}")
    return game


def replay(record: dict[str, Any], tell: Tell | None = None) -> tuple[Game, States]:
    """Replay a record.

    Args:
        record: Recorded game.
        tell: Function that is called as tell(states, action) before each action.

    Returns:
        The game and its final states.

    Raises:
        RecordError: The record is damaged, or its moves are illegal.
    """
    game = game_of(record)
    states = start(game, record)
    draws, decisions = draws_of(record), itertools.count(1)
    for number, move in enumerate(record["moves"], 1):
        try:
            actions = game.parse(states, move)
        except IllegalAction as error:
            raise RecordError(f"move {number}: {error}") from error
        for action in actions:
            if tell:
                tell(states, action)
            game.apply(states, [action])
            deal_again(game, states, draws.get(next(decisions), {}))
    if tell:
        tell(states, None)
    if game.returns(states)[0].tolist() != record["returns"]:
        ended = game.returns(states)[0].tolist()
        raise RecordError(f"returns {shown(record['returns'])} were recorded, but it ends with {ended}")
    return game, states


def start(game: Game, record: dict[str, Any]) -> States:
    """Return the states with which a recorded game begins.

    Args:
        game: Game of the record.
        record: Recorded game.

    Raises:
        ValueError: The position of the record is invalid.
    """
    if record.get("position") is None:
        return game.deal(record["seed"])
    return game.from_position(record["position"])


def draws_of(record: dict[str, Any]) -> Draws:
    """Return the draws after shuffles by number of decisions before. Raises RecordError."""
    given, draws = record.get("draws", []), Draws()
    if not isinstance(given, list):
        raise RecordError(f"draws: {shown(given)}: must be a list")
    for entry in given:
        if not (isinstance(entry, list) and len(entry) == 2 and type(entry[0]) is int and isinstance(entry[1], dict)):
            raise RecordError(f"draws: {shown(entry)}: must be [decisions before, piles by player]")
        for name, piles in entry[1].items():
            if not isinstance(piles, dict) or not all(_is_pile(key, cards) for key, cards in piles.items()):
                raise RecordError(f"draws: {shown(name)}: {shown(piles)}: must be {', '.join(PILES)}: lists of cards")
            dealt = draws.setdefault(entry[0], {})
            dealt[name] = dealt.get(name, {}) | piles  # a later entry overrides only the piles that it names
    return draws


def _is_pile(key, cards):
    return key in PILES and isinstance(cards, list) and all(isinstance(card, str) for card in cards)


def deal_again(game: Game, states: States, dealt: dict[str, dict[str, list[str]]]) -> None:
    """Order the cards of players' piles as a record says.

    Args:
        game: Game of the states.
        states: One state, which changes in place.
        dealt: Cards of piles by player.

    Raises:
        ValueError: They are other cards than the player has.
    """
    if not dealt:
        return
    position = game.position(states)
    for name, piles in dealt.items():
        if name not in position["players"]:
            raise RecordError(f"draws: {shown(name)}: must be one of {', '.join(position['players'])}")
        player = position["players"][name]
        there, drawn = (Counter(card for key in PILES for card in held[key]) for held in (player, player | piles))
        if there != drawn:
            raise RecordError(f"draws: {name}: {shown(list((drawn - there).elements()))} cannot be drawn there")
        player |= piles
    states[:] = game.from_position(position)


def check(record: Any) -> None:
    """Raise RecordError for a value without the structure of a recorded game."""
    missing = [key for key in KEYS if key not in record] if isinstance(record, dict) else KEYS
    if missing:
        raise RecordError(f"a recorded game needs {', '.join(missing)}")
    for key, kind in KINDS.items():
        if type(record[key]) is not kind:
            raise RecordError(f"{key} = {shown(record[key])}: must be {JSON_TYPES[kind]}")
    for key in ("agents", "moves"):
        for number, text in enumerate(record[key], 1):
            if not isinstance(text, str):
                raise RecordError(f"{key}: number {number} is {shown(text)}: must be a text")
    if "name" in record["settings"]:
        raise RecordError("settings: 'name' is not a setting")


def lines_of(text: str) -> list[str]:
    """Return the lines of a file of records, without a byte order mark; only a line feed ends a line."""
    return list(io.StringIO(text.removeprefix("\ufeff")))


def read(path: str | Path) -> list[dict[str, Any]]:
    """Return the recorded games of a file. Raises RecordError."""
    records = []
    try:
        lines = lines_of(read_text(path))
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be read ({reason(error)})") from error
    for number, line in enumerate(lines, 1):
        try:
            records.append(_respelled(parse_json(line)))
        except ValueError as error:
            raise RecordError(f"{path}: line {number}: is not JSON ({error})") from error
    if not records:
        raise RecordError(f"{path}: holds no recorded game")
    return records


def _respelled(record):
    """Return a record in which agents have their present names; what is no record stays as it is."""
    if isinstance(record, dict) and "agents" in record:
        return record | {"agents": present(record["agents"])}
    return record


def check_writable(path: str | Path) -> None:
    """Raise OSError for a file that cannot be written, before the game begins that it is to store."""
    path = Path(path)
    was_there = path.exists()
    with path.open("a"):
        pass
    if not was_there:  # leave no empty file behind if the game is stopped
        path.unlink()


def write(path: str | Path, record: dict[str, Any]) -> None:
    """Write a record as the only line of a file.

    Args:
        path: File to write.
        record: Recorded game.
    """
    Path(path).write_text(json.dumps(record) + "\n", encoding="utf-8")


class Log:
    """A log of a game as text, one paragraph a turn: the state of the players, the hand, and the moves.

    Args:
        game: Game to log.
        names: Names of the players by seat.
        write: Function that writes a line.
        viewer: Seat of the reader; the log leaves out information hidden from it. None shows everything.
        full: True also shows effects of moves and open cards; False shows moves alone, for records that are compared.
    """

    def __init__(
        self, game: Game, names: Sequence[str], write: Callable[[str], Any], viewer: int | None = None,
        full: bool = True,
    ) -> None:  # fmt: skip
        self.game = game
        self.names = names
        self._write = write
        self._viewer = viewer
        self._full = full
        self._paragraph: int | None = None
        self._line: list[str] = []
        self._seat: int | None = None
        self._has_begun = False
        self._last: tuple[States, int] | None = None  # the state before the last action, and the action

    def __call__(self, states: States, action: int | None) -> None:
        """Log one action before it is applied, or the end for None."""
        self.catch_up(states)
        if action is None:
            self._flush()
            self._say(self.game.headline(states, self.names, self._viewer), "")
            return
        self.open(states)
        if int(states[0]["to_act"]) != self._seat:
            self._flush()
            self._seat = int(states[0]["to_act"])
        self._has_begun = True
        self._line.append(self._move_text(states, action))
        self._last = self.game.copy(states), action

    def open(self, states: States) -> bool:
        """Log the beginning of a turn if it is a new one; return whether it is."""
        if self.game.paragraph(states) == self._paragraph:
            return False
        self._flush()
        self._paragraph = self.game.paragraph(states)
        self.begin_turn(states)
        return True

    def begin_turn(self, states: States) -> None:
        """Log the beginning of a turn."""
        begun = self._full and self._has_begun
        self._say(self.game.headline(states, self.names, self._viewer, begun), "")
        for line in self.game.board(states) if self._full else ():
            self._say(line, "  ")

    def catch_up(self, states: States) -> None:
        """Log the effects of the last action."""
        if not self._full or self._last is None:
            return
        before, action = self._last
        self._last = None
        if news := self.game.news(before, action, states, self._viewer):
            self._line[-1] += f" ({'; '.join(news)})"

    def pause(self, states: States) -> None:
        """Log everything so far, before a player is asked."""
        self.catch_up(states)
        self._flush()
        self._seat = None

    def forget(self) -> None:
        """Open the turn again after an undo."""
        self._paragraph, self._line, self._seat, self._last, self._has_begun = None, [], None, None, False

    def _move_text(self, states, action):
        if self._viewer not in (None, int(states[0]["to_act"])) and self.game.is_secret(states, action):
            return "decides in secret"
        return self.game.describe(states, action)

    def _say(self, text, indent):
        """Write a text; the full log folds it to the width of a terminal."""
        if not self._full:
            self._write(indent + text)
            return
        for line in text.splitlines():
            self._write("\n".join(folded(line, indent)))

    def _flush(self):
        if self._line:
            moves = _counted(self._line) if self._full else self._line
            self._say(f"player_{self._seat}: {'; '.join(moves)}", "    ")
        self._line = []


def _counted(moves):
    """Return moves with equal neighbours joined: `play Scout x3`."""
    grouped = [(move, len(list(same))) for move, same in itertools.groupby(moves)]
    return [move if count == 1 else f"{move} x{count}" for move, count in grouped]
