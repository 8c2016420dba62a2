"""Games that models play over the server, by id. Both their number and their age are bounded.

A client plays one seat of a game; agents of the package play the others. A game belongs to the session that began it,
where the transport has sessions, and its id cannot be guessed.
"""

import secrets
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from stardeck.benchmarks.recordings import record
from stardeck.kernels.errors import shown
from stardeck.language.turn_moves import Applied, apply_moves, history, let_agents_play
from stardeck.web.choices import RequestError, agent_from, game_from
from stardeck.web.match import Match, Player

MOST_OF_SESSION = 16  # games of one session
MOST_GAMES = 256  # games of all sessions
LONGEST_IDLE = 6 * 3600.0  # seconds after which nobody is expected to come back to a game
MOST_MOVES = 200  # in one turn


class Wanted(NamedTuple):
    """The game that a client asks for.

    Attributes:
        game: Name of the game.
        settings: Its settings.
        opponents: Agents of the other seats, in the order of the seats; if there are too few, they are repeated.
        seat: Seat of the client.
        seed: Seed of the deal; None: random.
    """

    game: str
    settings: dict[str, Any]
    opponents: list[str]
    seat: int
    seed: int | None


class Table:
    """A game between a client and agents.

    Attributes:
        id: Id of the game.
        match: The game.
        seat: Seat of the client.
        lock: Lock of whoever reads or changes the game.
        used: Time of the last call.
    """

    def __init__(self, match: Match, seat: int, seed_is_known: bool) -> None:
        self.id = secrets.token_urlsafe(9)
        self.match, self.seat = match, seat
        self.lock = threading.Lock()
        self.used = 0.0
        self._seed_is_known = seed_is_known
        self._reported = 0  # decisions that the client has seen
        let_agents_play(match, (seat,))

    @property
    def is_over(self) -> bool:
        """True once the game has ended."""
        return self.match.to_act is None

    @property
    def seed(self) -> int | None:
        """Seed of the deal; None while it would tell the client what is hidden."""
        return self.match.seed if self._seed_is_known or self.is_over else None

    def play(self, moves: list[str]) -> Applied:
        """Apply moves of the client. Raises RequestError if the game is over, or the list is empty or too long."""
        if self.is_over:
            raise RequestError("the game is over: ask for its result, or start another game")
        if not 1 <= len(moves) <= MOST_MOVES:
            raise RequestError(f"moves: {len(moves)} given: must be 1 to {MOST_MOVES} moves")
        return apply_moves(self.match, (self.seat,), moves)

    def news(self) -> list[str]:
        """Return what has happened since the last call, as the client may know it."""
        lines = history(self.match, self.seat, self._reported)
        self._reported = self.match.number
        return lines


class Sessions:
    """The games of a server. `clock` gives the time in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tables: dict[tuple[str | None, str], Table] = {}  # the least recently used one first

    def begin(self, session: str | None, wanted: Wanted) -> Table:
        """Begin a game. It replaces the least recently used one where there are too many.

        Args:
            session: Id of the session, or None if the transport has none.
            wanted: The game.

        Raises:
            RequestError: A game, setting, agent, seat or seed is not allowed.
        """
        table = _table(wanted)
        with self._lock:
            self._tables[session, table.id] = table
            table.used = self._clock()
            self._forget(session)
        return table

    def find(self, session: str | None, game_id: str) -> Table:
        """Return a game of a session. Raises RequestError if there is none of this id."""
        with self._lock:
            self._forget(session)
            table = self._tables.pop((session, game_id), None)
            if table is None:
                wanted = "must be an id that start_game gave in this session"
                kept = f"which keeps its last {MOST_OF_SESSION} games, for {LONGEST_IDLE / 3600:.0f} idle hours"
                raise RequestError(f"game_id {shown(game_id)}: {wanted}, {kept}")
            self._tables[session, game_id] = table
            table.used = self._clock()
            return table

    def _forget(self, session: str | None) -> None:
        """Forget idle games, and the least recently used ones of a session and of all sessions that are too many."""
        old = [key for key, table in self._tables.items() if self._clock() - table.used > LONGEST_IDLE]
        kept = [key for key in self._tables if key not in old]
        own = [key for key in kept if key[0] == session and session is not None]  # without sessions: of all clients
        old += own[: max(0, len(own) - MOST_OF_SESSION)] + kept[: max(0, len(kept) - MOST_GAMES)]
        for key in dict.fromkeys(old):
            del self._tables[key]


def _table(wanted: Wanted) -> Table:
    game = game_from(wanted.game, wanted.settings)
    if not 0 <= wanted.seat < game.players:
        raise RequestError(f"seat={wanted.seat}: must be from 0 to {game.players - 1}")
    if wanted.seed is not None and not 0 <= wanted.seed < 2**63:
        raise RequestError(f"seed={wanted.seed}: must be from 0 to {2**63 - 1}")
    others = game.players - 1
    if not 1 <= len(wanted.opponents) <= max(1, others):
        raise RequestError(f"opponents: {len(wanted.opponents)} given: {game.id} takes 1 to {max(1, others)}")
    agents = [agent_from(text, game, {}) for text in wanted.opponents]
    players = [Player(agents[number % len(agents)], None) for number in range(others)]
    players.insert(wanted.seat, Player(None, None))
    record.warm_up(game, agents)
    seed = secrets.randbits(63) if wanted.seed is None else wanted.seed
    return Table(Match(game, seed, players, []), wanted.seat, wanted.seed is not None)
