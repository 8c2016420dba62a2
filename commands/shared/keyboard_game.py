"""A game with a person at the keyboard: prompts, commands, and the log of the other players' moves."""

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from stardeck import agents as players
from stardeck.agents.search.advice import advice
from stardeck.benchmarks.recordings import record
from stardeck.commands.shared.abbreviations import meant, named, with_amounts
from stardeck.commands.shared.card_words import described
from stardeck.game.agent import AgentLike
from stardeck.game.catalogue import default_agent
from stardeck.game.game import Game
from stardeck.kernels.errors import IllegalAction, reason, shown

YOU = "you"  # the name of a person in a record
LONGEST_NUMBER = 9  # digits in the number of a move
HELP = """a move, or the beginnings of its words in any case: `b cut` is `buy Cutter`
a number        the move of this number
(nothing)       the legal moves with their numbers
play all        play the cards of your hand, until another decision is pending
?               the table
? NAME          what a card does
hint            what an agent would do that knows only what you know
undo            take back your last move, and everything after it
save FILE       save the game: `stardeck play GAME --resume FILE` continues it, `stardeck replay FILE` prints its log
help            print this text
quit            leave"""
END_TURN = "end turn"


class _PersonalLog(record.Log):
    """The log for the person: the person's turns begin with the table."""

    has_shown_table = False

    def begin_turn(self, states):
        """Write the beginning of a turn; the first turn of the game begins as in any log, with sides and deal."""
        own = int(states[0]["to_act"]) == self._viewer
        if not own or states[0]["decisions"] == 0:
            super().begin_turn(states)
        if own:
            self.show_table(states)

    def show_table(self, states):
        """Show the part of the table that the person may see."""
        self.has_shown_table = True
        self._write("\n" + self.game.render(states, self._viewer))


class Quit(Exception):
    """The person quits, or the input ends."""


class Table:
    """A game of a person against agents.

    Args:
        game: The game.
        agents: The other players; they are repeated if there are too few.
        seat: Seat of the person.
        seed: Seed of the deal.
        echo: Function that prints a text.
    """

    def __init__(
        self, game: Game, agents: Sequence[AgentLike], seat: int, seed: int, echo: Callable[[str], Any]
    ) -> None:
        if not 0 <= seat < game.players:
            raise ValueError(f"seat={seat}: must be from 0 to {game.players - 1}")
        if not 1 <= len(agents) <= max(1, game.players - 1):
            raise ValueError(f"agents: {len(agents)} given: {game.id} has {game.players - 1} other players")
        others = [players.get(agents[number % len(agents)], game) for number in range(game.players - 1)]
        self.game, self.seat, self.seed, self.echo = game, seat, seed, echo
        self.by_seat: list[Any] = [*others[:seat], None, *others[seat:]]
        self.names = [agent.name if agent else YOU for agent in self.by_seat]
        self.log = _PersonalLog(game, self.names, echo, seat)
        self.moves: list[str] = []
        self.asked_after = -1  # number of moves at the last prompt
        self.before: list[tuple[Any, int]] = []  # the person's decisions: the states, and the number of earlier moves
        record.warm_up(game, others)
        self.states = game.deal(seed)

    # The course of the game

    def play(self) -> dict[str, Any]:
        """Play to the end, or until the person quits; return the result."""
        with contextlib.suppress(Quit):
            while not self.over():
                if int(self.states[0]["to_act"]) == self.seat:
                    self._ask()
                else:
                    agent = self.by_seat[int(self.states[0]["to_act"])]
                    self._apply(record.ask(self.game, self.states, agent, self.seed))
            self.log(self.states, None)
        result = {"variant": self.game.id, "seed": self.seed, "over": self.over()}
        return result | {"returns": self.game.returns(self.states)[0].tolist()}

    def over(self) -> bool:
        """Return True if the game is over."""
        return bool(self.game.is_over(self.states)[0])

    def go_on_with(self, moves: list[str]) -> None:
        """Play recorded moves. Raise IllegalAction naming the first that is not legal."""
        for move in moves:
            for action in self.game.parse(self.states, move):
                if int(self.states[0]["to_act"]) == self.seat:
                    self.before.append((self.game.copy(self.states), len(self.moves)))
                self.moves.append(self.game.describe(self.states, action))
                self.game.apply(self.states, [action])

    def _apply(self, action):
        self.log(self.states, action)
        self.moves.append(self.game.describe(self.states, action))
        self.game.apply(self.states, [action])

    def _move(self, text):
        """Play a move that is given in words."""
        self.before.append((self.game.copy(self.states), len(self.moves)))
        for action in self.game.parse(self.states, text):
            self._apply(action)

    # Input

    def _ask(self):
        """Read one line from the person and act on it."""
        self.log.pause(self.states)
        if not self.log.open(self.states) and self.asked_after != len(self.moves):
            self._say_what_is_asked()
        self.asked_after = len(self.moves)
        typed = self._read()
        word, _, rest = typed.partition(" ")
        commands = {"help": self._help, "?": self._look, "hint": self._hint, "undo": self._undo, "save": self._save,
                    "quit": self._quit, "exit": self._quit}  # fmt: skip
        if word.startswith("?") and word != "?":
            word, rest = "?", typed[1:]
        if not typed:
            self.echo(listed(self.game.moves(self.states)))
        elif typed.casefold().split() == ["play", "all"]:
            self._play_all()
        elif word.casefold() in commands:
            commands[word.casefold()](rest.strip())
        else:
            self._try(typed)

    def _say_what_is_asked(self):
        """Print the pending question and its answers, which end the table; print nothing if any move is allowed."""
        if not self.log.has_shown_table:
            self.log.show_table(self.states)
            return
        lines = self.game.render(self.states, self.seat).splitlines()
        asked = [number for number, line in enumerate(lines) if line.startswith(f"player_{self.seat} to move (")]
        if asked:
            self.echo("\n".join(lines[asked[-1] :]))

    def _read(self):
        prompt = f"player_{self.seat}> " if sys.stdin is not None and sys.stdin.isatty() else ""
        with completing(lambda: [*self.game.moves(self.states), *HELP_WORDS]):
            try:
                return input(prompt).strip()
            except EOFError:
                raise Quit from None

    def _try(self, typed):
        moves = self.game.moves(self.states)
        if typed.isdecimal():
            if len(typed) <= LONGEST_NUMBER and 1 <= int(typed) <= len(moves):
                self._move(moves[int(typed) - 1])
                return
            self.echo(f"{shown(typed)}: there are moves 1 to {len(moves)}; an empty line lists them")
            return
        found = self._possible(typed, moves)
        if len(found) > 1:
            self.echo(f"{shown(typed)} may be: {'; '.join(found)}")
            return
        try:
            self._move(found[0] if found else typed)
        except IllegalAction as error:
            self.before.pop()
            self.echo(f"{error}\n(`help` says what else may be typed)")

    def _possible(self, typed, moves):
        """Return the moves that the typed words may mean; with an amount, the legal ones."""
        found = meant(typed, moves)
        if found or not any(word.isdigit() for word in typed.split()):
            return found
        return [move for move in meant(typed, with_amounts(typed, moves)) if self._is_legal(move)]

    def _is_legal(self, move):
        try:
            return bool(self.game.parse(self.states, move))
        except IllegalAction:
            return False

    # Commands

    def _help(self, rest):
        self.echo(HELP)

    def _quit(self, rest):
        raise Quit

    def _look(self, rest):
        """Print the table, or what a card does."""
        if not rest:
            self.echo(self.game.render(self.states, self.seat))
            return
        rows = self.game.cards()
        names = named(rest, [row["name"] for row in rows])
        for name in names:
            self.echo(described(next(row for row in rows if row["name"] == name)))
        if not names:
            self.echo(f"no card is called {shown(rest)}; `stardeck cards {self.game.variant.game}` lists them")

    def _hint(self, rest):
        adviser = players.get(default_agent(self.game.variant.game), self.game)
        action = advice(self.game, self.states, adviser, self.seat)
        self.echo(f"{adviser.name} would: {self.game.describe(self.states, action)}")

    def _undo(self, rest):
        if not self.before:
            self.echo("nothing to take back: this is your first move")
            return
        states, count = self.before.pop()
        self.states = states
        taken = self.moves[count]
        del self.moves[count:]
        self.log.forget()
        self.echo(f"taken back: {taken}, and what came after it")

    def _save(self, rest):
        if not rest:
            self.echo("save FILE: the name of a file is missing")
            return
        try:
            record.write(rest, record.written(self.game, self.states, self.seed, self.names, self.moves))
        except (OSError, ValueError) as error:
            self.echo(f"{rest}: cannot be written ({reason(error)})")
            return
        self.echo(f"saved: stardeck play {self.game.variant.game} --resume {rest}")

    def _play_all(self):
        """Play cards of the hand while no other decision is pending."""
        played = False
        while not self.over() and int(self.states[0]["to_act"]) == self.seat:
            moves = self.game.moves(self.states)
            cards = [move for move in moves if move.startswith("play ") and " on player_" not in move]
            if END_TURN not in moves or not cards:
                break
            self._move(cards[0])
            played = True
        if not played:
            self.echo("there is nothing to play now")


HELP_WORDS = ("help", "hint", "play all", "quit", "save", "undo")


def listed(moves: Iterable[str]) -> str:
    """Return moves with their numbers, one on each line."""
    return "\n".join(f"{number:3d}  {move}" for number, move in enumerate(moves, 1))


@contextlib.contextmanager
def completing(options: Callable[[], list[str]]) -> Iterator[None]:
    """Enable line editing, history and Tab completion, if Python has readline and a person types."""
    if sys.stdin is not None and sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # Windows
            _complete_with(importlib.import_module("readline"), options)
    yield


def _complete_with(readline, options):
    def complete(text, number):
        line = readline.get_line_buffer().lstrip().casefold()
        found = [option for option in options() if option.casefold().startswith(line)]
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims("")
    readline.parse_and_bind("tab: complete")


def resumed(saved: dict[str, Any], agents: Sequence[AgentLike] | None, echo: Callable[[str], Any]) -> Table:
    """Return the table of a saved game.

    Args:
        saved: Record of the game.
        agents: Agents in place of the recorded ones.
        echo: Function that prints a text.

    Raises:
        RecordError: The record is not a game of a person, or has an illegal move.
    """
    game = record.game_of(saved)
    if YOU not in saved["agents"]:
        raise record.RecordError("no person played it at the keyboard")
    seat = saved["agents"].index(YOU)
    table = Table(game, agents or [name for name in saved["agents"] if name != YOU], seat, saved["seed"], echo)
    try:
        table.go_on_with(saved["moves"])
    except IllegalAction as error:
        raise record.RecordError(f"move {len(table.moves) + 1}: {error}") from error
    return table
