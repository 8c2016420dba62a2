"""Running games, their viewers, and the agents that play in them.

The hub lives in the thread of the server's event loop. Only agents run elsewhere, in one thread for each core. Each
game runs one agent at a time, and so no player can block the others. Agents that search have half as many threads, and
hints and analyses have one. A fast agent waits for none of them.
"""

import asyncio
import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from stardeck import agents
from stardeck.agents.former_names import present
from stardeck.agents.search.advice import Choice, advice
from stardeck.agents.search.analysis import Turn
from stardeck.agents.strengths import by_strength
from stardeck.benchmarks.recordings import record
from stardeck.game.agent import AgentError
from stardeck.game.agent_table import is_compiled
from stardeck.game.catalogue import default_agent
from stardeck.game.cores import available_cores
from stardeck.kernels.errors import IllegalAction, cut
from stardeck.web.choices import PERSON, RequestError, agent_from, game_from
from stardeck.web.fair_queue import SearchQueue
from stardeck.web.match import Match, Player
from stardeck.web.public_view import PUBLIC
from stardeck.web.store import Store, StoredGame

Result = TypeVar("Result")
PACE = 0.7  # seconds for which a decision of an agent stays visible before the next
MOST_PACE = 10.0
MOST_LIVE = 2_000  # games in memory; the least recently used ones are read again from disk


class NotFoundError(LookupError):
    """Error for a game or seat that does not exist, or a token that is not the seat's."""


class Decision(NamedTuple):
    """A decision of a person: an action, a move in words, or actions one after the other."""

    number: int  # decisions that the player knows of
    action: int | None = None
    words: str | None = None
    actions: list[int] | None = None


class LiveGame:
    """A running game. Each change replaces `changed`; waiting tasks then look again."""

    def __init__(self, saved: StoredGame, match: Match) -> None:
        self.id, self.saved, self.match = saved.id, saved, match
        self.changed = asyncio.Event()
        self.lookers = 0
        self.pace = PACE
        self.paused = False
        self.step = False  # one decision of an agent while paused
        self.trouble = ""  # why an agent stopped
        self.task: asyncio.Task[None] | None = None
        self.stirred = asyncio.Event()  # set when a waiting agent may be able to go on
        self.courses: dict[str, list[Turn]] = {}  # analyses of a replay's decisions, by prior policy
        self.choices: dict[str, dict[int, Choice]] = {}  # of agents at a replay's decisions, by agent
        self.looking_back = asyncio.Lock()
        self.replay: str | None = None  # the replay of this game, once it is over and somebody has asked

    @property
    def is_replay(self) -> bool:
        """True for a game that has no players any more."""
        return all("name" in player for player in self.saved.players)

    @property
    def seats(self) -> list[dict[str, Any]]:
        """Who plays, by seat: `kind` (person or agent), `agent` as it was asked for, and its `strength` if known."""
        return [
            {
                "kind": "agent" if "agent" in player else "person",
                "agent": player.get("agent"),
                "strength": player.get("strength"),
            }
            for player in self.saved.players
        ]

    @property
    def persons(self) -> list[int]:
        """Seats of people."""
        return [seat for seat, player in enumerate(self.match.players) if player.agent is None]

    @property
    def spectator(self) -> int | None:
        """What a spectator is as a viewer of the match: all cards are open after its end and if only agents play."""
        agents_alone = all("agent" in player and "resigned" not in player for player in self.saved.players)
        return None if agents_alone or self.match.to_act is None else PUBLIC

    def tell(self) -> None:
        """Wake all tasks that wait for a change."""
        self.changed.set()
        self.changed = asyncio.Event()
        self.stirred.set()


class Hub:
    """The games of a server. `offered` holds agents in addition to the shipped ones, {name: text}."""

    def __init__(self, store: Store, offered: dict[str, str] | None = None) -> None:
        self._store = store
        self.offered = offered or {}
        self._live: dict[str, LiveGame] = {}
        self._pool = ThreadPoolExecutor(available_cores(), thread_name_prefix="stardeck-agent")
        self._searching = SearchQueue("stardeck-search", max(1, available_cores() // 2))  # agents in games
        self.advice = SearchQueue("stardeck-advice", 1)  # hints and analyses: no decision waits for them

    # Games

    async def begin(
        self, name: str, settings: dict[str, Any], seats: list[str], seed: int | None
    ) -> tuple[LiveGame, list[str | None]]:
        """Begin a new game.

        Args:
            name: The name of the game.
            settings: Its settings.
            seats: "person" or an agent for each seat.
            seed: The seed of the deal; None: random.

        Returns:
            The game, and the token of each seat, None for agents.

        Raises:
            RequestError: The game, a setting, an agent or the seed is not allowed.
        """
        game = await self.elsewhere(game_from, name, settings)
        if seed is not None and not 0 <= seed < 2**63:
            raise RequestError(f"seed={seed}: must be from 0 to {2**63 - 1}")
        drawn = secrets.randbits(63) if seed is None else seed
        players, tokens = await self.elsewhere(_seated, game, seats)
        saved = StoredGame(new_id(), name, game.settings, game.variant.tables, drawn, players, [])
        return await self.keep(saved), tokens

    async def branch(self, live: LiveGame, number: int, seats: list[str]) -> tuple[LiveGame, list[str | None]]:
        """Begin a game that continues a replay, with the same cards to come.

        Args:
            live: The replay.
            number: The number of decisions that stay.
            seats: "person" or an agent for each seat.

        Returns:
            The game, and the token of each seat, None for agents.

        Raises:
            RequestError: The replay has no such decision, or an agent is not allowed.
        """
        match = live.match
        if not 0 <= number <= match.number or match.game.is_over(match.at(number))[0]:
            raise RequestError(f"number={number}: is no decision of this game, which has {match.number}")
        players, tokens = await self.elsewhere(_seated, match.game, seats)
        saved = live.saved._replace(id=new_id(), players=players, actions=match.actions[:number])
        return await self.keep(saved), tokens

    async def rematch(self, live: LiveGame, swap: bool) -> LiveGame:
        """Return another game with the same players and settings; the first request begins it.

        Args:
            live: The game, which is over.
            swap: True: every player moves on by one seat.

        Raises:
            RequestError: The game is not over.
        """
        if live.match.to_act is not None:
            raise RequestError("the game is not over; a rematch follows its end")
        players = [_again(player) for player in live.saved.players]
        players = players[-1:] + players[:-1] if swap else players
        digest = hashlib.sha256(f"rematch {live.id} {swap}".encode()).digest()  # the same for all who ask
        again = base64.urlsafe_b64encode(digest[:9]).decode()
        with suppress(NotFoundError):
            return await self.find(again)
        game = live.match.game
        seed = secrets.randbits(63)
        saved = StoredGame(again, live.saved.name, game.settings, game.variant.tables, seed, players, [])
        return await self.keep(saved)

    async def keep(self, saved: StoredGame) -> LiveGame:
        """Store a game and return it running. Raises RequestError."""
        live = await self._enlivened(saved, admitted=False)
        if saved.id not in self._live:  # else two requests for one rematch
            self._store.add(saved)
        return self._keep(live)

    async def find(self, game: str) -> LiveGame:
        """Return a game from memory or disk.

        Raises:
            NotFoundError: There is no such game.
            RequestError: Its card tables have changed since it began.
        """
        if live := self._live.get(game):
            return live
        saved = self._store.get(game)
        if saved is None:
            raise NotFoundError("there is no such game")
        return self._keep(await self._enlivened(saved, admitted=True))

    def seat_of(self, live: LiveGame, seat: int, token: str) -> int:
        """Return the seat, if the token belongs to it.

        Args:
            live: The game.
            seat: The number of the seat.
            token: The token.

        Returns:
            The seat.

        Raises:
            NotFoundError: There is no such seat, or the token is another.
        """
        if not 0 <= seat < len(live.match.players):
            raise NotFoundError("there is no such seat")
        own = live.match.players[seat].token
        if own is None or not hmac.compare_digest(own, _hash(token)):
            raise NotFoundError("the token is not this seat's")
        return seat

    def _searches(self, saved):
        """Check for an agent that may take long: one that is not compiled."""
        game = game_from(saved.name, saved.settings)
        texts = (present(player["agent"]) for player in saved.players if "agent" in player)
        return not all(is_compiled(agent_from(text, game, self.offered)) for text in texts)

    async def _enlivened(self, saved, admitted):
        if await self.elsewhere(self._searches, saved):
            with self._searching.place(saved.id, admitted) as think:  # asks each agent once
                return await think(self._enliven, saved)
        return await self.elsewhere(self._enliven, saved)

    def _enliven(self, saved):
        game = game_from(saved.name, saved.settings)
        if game.variant.tables != saved.tables:
            raise RequestError(f"the tables of {game.id} have changed since this game began")
        players = [self._player(player, game) for player in saved.players]
        with suppress(AgentError):  # an agent that fails says so at the table, when it decides
            record.warm_up(game, [player.agent for player in players if player.agent])
        draws = record.draws_of({"draws": saved.draws or []})
        return LiveGame(saved, Match(game, saved.seed, players, saved.actions, saved.position, draws))

    def _player(self, player, game):
        if "agent" in player:
            return Player(agent_from(present(player["agent"]), game, self.offered), _token_of(player))
        return Player(None, player["person"]) if "person" in player else Player(None, None, player["name"])

    async def elsewhere(self, work: Callable[..., Result], *given: Any) -> Result:
        """Run work that may take long, such as compiling, in a thread of the agents."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *given)

    def _keep(self, live):
        if other := self._live.get(live.id):  # another request was faster
            return other
        self._live[live.id] = live
        idle = [old for old in self._live.values() if old is not live and _is_idle(old)]
        for old in idle[: max(0, len(self._live) - MOST_LIVE)]:
            self._stop(old)  # its agents wait for a viewer
            del self._live[old.id]
        self.wake(live)
        return live

    # Playing

    def decide(self, live: LiveGame, seat: int, decision: Decision) -> None:
        """Apply a decision of a person: an action, a move in words, or several actions.

        Args:
            live: The game.
            seat: The seat that decides.
            decision: The decision.

        Raises:
            RequestError: The decision is late or illegal, or another seat decides; the game has not changed.
        """
        match, number = live.match, decision.number
        _check_person(live, seat)
        if number != match.number:
            raise RequestError(f"number={number}: {match.number} decisions have been taken; look again")
        if match.to_act != seat:
            raise RequestError(f"seat {seat}: does not decide now")
        if sum(given is not None for given in decision[1:]) != 1:
            raise RequestError("a decision is either an action or a move in words, or a list of actions")
        try:
            for each in _actions(match.game, match.states, decision):
                if match.to_act != seat:
                    raise RequestError(f"action {each}: seat {seat} does not decide any more; nothing has changed")
                match.apply(each)
        except (IllegalAction, ValueError, TypeError) as error:
            match.go_back(number)
            raise RequestError(str(error)) from error
        self._store.append(live.id, number, match.actions[number:])
        self._changed(live)

    def take_back(self, live: LiveGame, seat: int) -> None:
        """Take back the last choice of a seat and everything after it. Raises RequestError if other people play."""
        if live.persons != [seat]:
            raise RequestError("moves can be taken back in games against agents alone")
        number = live.match.own_decision_before(seat)
        if number is None:
            raise RequestError("nothing to take back: this is your first choice")
        self._stop(live)
        live.match.go_back(number)
        self._store.cut(live.id, number)
        self._changed(live)

    def resign(self, live: LiveGame, seat: int) -> None:
        """Replace a player who resigns with an agent, and the others can finish their game. Raises RequestError."""
        if live.match.to_act is None:
            raise RequestError("the game is over")
        _check_person(live, seat)
        players = list(live.saved.players)
        successor = default_agent(live.match.game.variant.game)  # the agent that plays on
        token = live.match.players[seat].token  # the person still sees the seat, its end and a rematch
        players[seat] = {"agent": successor, "resigned": token}
        live.match.players[seat] = Player(agents.get(successor, live.match.game), token)
        live.saved = live.saved._replace(players=players)
        self._store.set_players(live.id, players)
        self._changed(live)

    async def hint(self, live: LiveGame, seat: int, text: str) -> int:
        """Return the action that an agent would take in a seat's place, with the knowledge of that seat.

        Args:
            live: The game.
            seat: The seat, which decides now.
            text: The agent.

        Returns:
            The action.

        Raises:
            RequestError: Another seat decides, the game has gone on, or the agent is not allowed.
        """
        match = live.match
        _check_person(live, seat)
        if match.to_act != seat:
            raise RequestError(f"seat {seat}: does not decide now")
        agent = agent_from(text, match.game, self.offered)
        number, states = match.number, match.game.copy(match.states)

        def advised():
            if match.number != number:
                raise RequestError("the game has gone on; ask again")
            return advice(match.game, states, agent, seat)

        with self.advice.place((live.id, seat)) as think:
            action: int = await think(advised)
            return action

    def control(self, live: LiveGame, pace: float | None, paused: bool | None) -> None:
        """Set the pace of agents, and pause or continue the game. Raises RequestError."""
        if pace is not None:
            if not 0 <= pace <= MOST_PACE:
                raise RequestError(f"pace={pace}: must be from 0 to {MOST_PACE} seconds")
            live.pace = pace
        if paused is not None:
            live.paused = paused
        self._changed(live)

    def step(self, live: LiveGame) -> None:
        """Let an agent take one decision while the game is paused."""
        live.step = live.paused
        self.wake(live)

    # Agents

    def wake(self, live: LiveGame) -> None:
        """Start the agents if one of them decides now."""
        if self._agent_decides(live) and (live.task is None or live.task.done()):
            live.task = asyncio.create_task(self._play_on(live))
        live.stirred.set()

    def _agent_decides(self, live):
        seat = live.match.to_act
        return seat is not None and live.match.players[seat].agent is not None

    def _changed(self, live):
        live.tell()
        self.wake(live)

    def _stop(self, live):
        if live.task:
            live.task.cancel()
            live.task = None

    async def _play_on(self, live):
        """Let agents decide in turn while there is a viewer or a person waits."""
        try:
            while self._agent_decides(live):
                while not _goes_on(live):
                    await _stir(live)
                live.step = False
                await self._one(live)
                if live.pace and not live.paused and self._agent_decides(live):
                    with suppress(TimeoutError):
                        await asyncio.wait_for(_stir(live), live.pace)
        except Exception as error:  # an agent of the server's owner failed: show the error to all viewers
            live.trouble = f"an agent failed: {cut(str(error) or type(error).__name__, 200)}"
            live.tell()

    async def _one(self, live):
        match = live.match
        number = match.number
        if is_compiled(match.players[match.to_act].agent):
            action = await self.elsewhere(match.ask)
        else:
            with self._searching.place(live.id, admitted=True) as think:
                action = await think(match.ask)
        if match.number != number:
            return
        match.apply(action)
        self._store.append(live.id, number, match.actions[number:])
        live.tell()

    async def close(self) -> None:
        """Stop all agents and close the store."""
        for live in self._live.values():
            if live.task:
                live.task.cancel()
                with suppress(asyncio.CancelledError):
                    await live.task
        self._pool.shutdown(wait=True, cancel_futures=True)
        for turns in (self._searching, self.advice):
            turns.close()
        self._store.close()


def _is_idle(live):
    """Check that nobody looks at a game and that no agent of it is at work: all of it is on disk."""
    return not live.lookers and (live.task is None or live.task.done() or not _goes_on(live))


def new_id() -> str:
    """Return an id for a game that cannot be guessed."""
    return secrets.token_urlsafe(9)


def _seated(game, seats):
    """Return the players as the store keeps them, and the tokens of people."""
    if len(seats) != game.players:
        raise RequestError(f"seats: {len(seats)} given: {game.id} has {game.players}")
    tokens = [secrets.token_urlsafe(24) if seat == PERSON else None for seat in seats]
    players = [
        {"person": _hash(token)} if token else _agent(game, seat) for seat, token in zip(seats, tokens, strict=True)
    ]
    return players, tokens


def _agent(game, text):
    """Return an agent as the store keeps it, by its own name, with its strength if it has one in this variant."""
    listed = by_strength(game)
    agent = listed.get(text, text)
    strength = text if text in listed else next((name for name, each in listed.items() if each == text), None)
    return {"agent": agent} | ({"strength": strength} if strength else {})


def _check_person(live, seat):
    if live.match.players[seat].agent is not None:
        raise RequestError(f"seat {seat}: an agent plays on for its player, who has given up")


def _token_of(player):
    """Return the hash of the token of a person who has given up; None for other agents."""
    token = player.get("resigned")
    return token if isinstance(token, str) else None  # True in games that were stored before


def _again(player):
    """Return a player as the store keeps it for the next game, in which who gave up plays again."""
    token = _token_of(player)
    return {"person": token} if token else {key: value for key, value in player.items() if key != "resigned"}


def _actions(game, states, decision):
    """Return the actions of a decision, in order."""
    if decision.words is not None:
        return game.parse(states, decision.words)
    return [decision.action] if decision.actions is None else decision.actions


def _goes_on(live):
    """Check that agents play on: there is a viewer or a person, and the game is not paused."""
    return bool(live.lookers or live.persons) and (not live.paused or live.step)


async def _stir(live):
    """Wait for a change that can let an agent go on."""
    live.stirred.clear()
    await live.stirred.wait()


def _hash(token):
    return hashlib.sha256(token.encode()).hexdigest()
