"""Endpoints for programs: HTTP and sockets, in JSON. A running server describes them at `/openapi.json`."""

import asyncio
import contextlib
import json
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Header, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from stardeck.benchmarks.results.atomic_files import parse_json
from stardeck.game.catalogue import default_agent
from stardeck.game.registry import playable, settings_of
from stardeck.kernels.contract.settings import Setting
from stardeck.kernels.errors import cut, shown
from stardeck.viewer import draw_map
from stardeck.web.choices import PERSON, SHIPPED, RequestError, game_from
from stardeck.web.hub import Decision, Hub, LiveGame, NotFoundError
from stardeck.web.page_view import decisions, ending, since, with_places

router = APIRouter(prefix="/api")
MOST_MESSAGE = 10_000  # characters in one message of a player
AT_ONCE = 10  # entries of a log that the server writes without a pause
REASON = 123  # bytes in the reason of a closed socket (RFC 6455)


class Strict(BaseModel):
    """A message with exactly these fields."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewGame(Strict):
    """A request for a new game."""

    game: str = Field(description="one of `/api/games`", max_length=40)
    settings: dict[str, Any] = Field(default_factory=dict, description="as in `stardeck.make`")
    seats: list[str] = Field(description='"person" or an agent by seat: rules, search:200:prior=ppo', max_length=6)
    seed: int | None = Field(default=None, description="seed of the deal; by default random and secret")


class Seat(BaseModel):
    """A seat of a new game."""

    seat: int
    player: str
    token: str | None = Field(description="secret token of a person's seat")
    page: str | None = Field(description="page on which a person plays the seat")


class CreatedGame(BaseModel):
    """A new game and its seats."""

    id: str
    variant: str
    seats: list[Seat]
    watch: str = Field(description="page for spectators: all cards if only agents play, else what all players know")


class PlayerMessage(Strict):
    """A message of a player.

    A decision carries `number`, the decisions that the player knows of, which lets the server refuse a late one.
    """

    number: int | None = None
    action: int | None = None
    actions: list[int] | None = Field(
        default=None, description="actions one after the other: all of them or none", min_length=1, max_length=200
    )
    move: str | None = Field(default=None, max_length=500)
    back: Literal[True] | None = Field(default=None, description="take the last choice back")
    resign: Literal[True] | None = None
    hint: str | None = Field(default=None, description="ask for the move that this agent would make", max_length=100)
    pace: float | int | None = Field(default=None, description="seconds between two decisions of agents")
    paused: bool | None = None
    step: Literal[True] | None = None


class Rematch(Strict):
    """A request for another game with the same players and settings."""

    swap: bool = Field(default=False, description="every player moves on by one seat")


class SeatView(BaseModel):
    """A seat's view: the table (see the schema of `Game.table`) and the log."""

    number: int = Field(description="decisions taken so far")
    table: dict[str, Any]
    log: list[dict[str, Any]]


def hub_of(request: Request | WebSocket) -> Hub:
    """Return the hub of the server that receives a request."""
    hub: Hub = request.app.state.hub
    return hub


@router.get("/games")
async def games(request: Request) -> dict[str, Any]:
    """Return the games with their settings and usual agents, and the agents that may play them."""
    games = playable()
    return {
        "games": {name: [setting_row(setting) for setting in settings_of(name)] for name in games},
        "usual": {name: default_agent(name) for name in games},
        "agents": [*hub_of(request).offered, *SHIPPED],
    }


def setting_row(setting: Setting) -> dict[str, Any]:
    """Return a setting for pages and programs."""
    return {
        "name": setting.name,
        "default": setting.default,
        "allowed": list(setting.allowed),
        "kind": _kind(setting),
        "meaning": setting.meaning,
    }


def _kind(setting):
    if setting.is_deck_list:
        return "decks"
    return "list" if setting.is_list else "number" if setting.is_number else "choice"


@router.get("/variant")
async def variant(game: str, settings: Annotated[str, Query(max_length=5_000)] = "{}") -> dict[str, Any]:
    """Return the name and number of players of a game with these settings (JSON)."""
    found = game_from(game, settings_from(settings))
    return {"variant": found.id, "players": found.players, "settings": found.settings}


def settings_from(text: str) -> dict[str, Any]:
    """Return settings that a request gives as JSON. Raises RequestError."""
    try:
        found = parse_json(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise RequestError(f"settings: {shown(text)}: must be an object in JSON")
    return found


@router.post("/games", status_code=201)
async def begin(new: NewGame, request: Request) -> CreatedGame:
    """Begin a game. The caller passes the token of each seat on to its player."""
    live, tokens = await hub_of(request).begin(new.game, new.settings, new.seats, new.seed)
    return begun(live, new.seats, tokens)


def begun(live: LiveGame, players: list[str], tokens: list[str | None]) -> CreatedGame:
    """Return the answer to a request for a new game.

    Args:
        live: The game.
        players: "person" or the text of an agent for each seat.
        tokens: The token of each seat, None for agents.

    Returns:
        The game with a page for each person's seat, and one for spectators.
    """
    seats = [
        Seat(seat=seat, player=player, token=token, page=f"/games/{live.id}/{seat}#{token}" if token else None)
        for seat, (player, token) in enumerate(zip(players, tokens, strict=True))
    ]
    return CreatedGame(id=live.id, variant=live.match.game.id, seats=seats, watch=f"/games/{live.id}/watch")


async def seated(request: Request, game: str, seat: int, authorization: str | None) -> tuple[Hub, LiveGame, int]:
    """Return the hub, the game and the seat that a token belongs to.

    Args:
        request: The request.
        game: The id of the game.
        seat: The number of the seat.
        authorization: The header, `Bearer` and the token.

    Returns:
        The hub, the game and the seat.

    Raises:
        NotFoundError: There is no such game or seat, or the token is not the seat's.
    """
    hub = hub_of(request)
    live = await hub.find(game)
    kind, _, token = (authorization or "").partition(" ")
    return hub, live, hub.seat_of(live, seat, token.strip() if kind.lower() == "bearer" else "")


Authorization = Annotated[str | None, Header(description="`Bearer` and the token of the seat")]


@router.get("/games/{game}/{seat}")
async def look(game: str, seat: int, request: Request, authorization: Authorization = None) -> SeatView:
    """Return what a seat sees now."""
    _, live, seat = await seated(request, game, seat, authorization)
    return SeatView(number=live.match.number, table=live.match.table(seat), log=live.match.log(seat))


@router.post("/games/{game}/{seat}")
async def say(
    game: str, seat: int, said: PlayerMessage, request: Request, authorization: Authorization = None
) -> dict[str, Any]:
    """Decide, take back, resign, or ask for a hint. Return the number of decisions taken, or the hint."""
    hub, live, seat = await seated(request, game, seat, authorization)
    return await _answer(hub, live, seat, said)


@router.post("/games/{game}/{seat}/rematch", status_code=201)
async def rematch(
    game: str, seat: int, wanted: Rematch, request: Request, authorization: Authorization = None
) -> CreatedGame:
    """Begin another game with the same players and settings, once the game is over.

    The tokens stay valid for the new game: each person keeps their own. All persons who ask get the same game.
    """
    hub, live, seat = await seated(request, game, seat, authorization)
    new = await hub.rematch(live, wanted.swap)
    own = (seat + wanted.swap) % len(new.saved.players)
    tokens: list[str | None] = [None] * len(new.saved.players)
    tokens[own] = (authorization or "").partition(" ")[2].strip()
    return begun(new, [player.get("agent", PERSON) for player in new.saved.players], tokens)


@router.get("/games/{game}/{seat}/record")
async def game_record(game: str, seat: int, request: Request, authorization: Authorization = None) -> Response:
    """Return the record for `stardeck replay` once the game is over; earlier, it would show hidden information."""
    _, live, _ = await seated(request, game, seat, authorization)
    return _record(live)


@router.get("/watch/{game}/record")
async def watched_record(game: str, request: Request) -> Response:
    """Return the record of a game that is over, without the token of a seat."""
    return _record(await watched(hub_of(request), game))


async def watched(hub: Hub, game: str) -> LiveGame:
    """Return a game that spectators may see. Raises NotFoundError."""
    live = await hub.find(game)
    if live.is_replay:
        raise NotFoundError(f"this is a replay; its page is /replays/{live.id}")
    return live


def _record(live):
    if live.match.to_act is not None:
        raise RequestError("the game is not over: its record would show what is hidden")
    if live.match.position is not None:
        raise RequestError("the game began from a position; records are of games that were dealt")
    name = f"{live.match.game.id.replace('/', '-')}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(json.dumps(live.match.record()) + "\n", media_type="application/json", headers=headers)


async def _answer(hub: Hub, live: LiveGame, seat: int | None, said: PlayerMessage) -> dict[str, Any]:
    """Apply a message of a player.

    Without a seat (None), a message may only control the pace of a game that no people play. Raises RequestError.
    """
    if seat is None and live.persons:
        raise RequestError("spectators change nothing in a game that people play")
    if said.pace is not None or said.paused is not None:
        hub.control(live, said.pace, said.paused)
    if said.step:
        hub.step(live)
    if seat is None:
        return {"number": live.match.number}
    if said.hint is not None:
        action = await hub.hint(live, seat, said.hint)
        words = live.match.game.describe(live.match.states, action)
        return {"hint": {"agent": said.hint, "action": action, "words": words}}
    if said.action is not None or said.move is not None or said.actions is not None:
        decision = Decision(-1 if said.number is None else said.number, said.action, said.move, said.actions)
        hub.decide(live, seat, decision)
    elif said.back:
        hub.take_back(live, seat)
    elif said.resign:
        hub.resign(live, seat)
    return {"number": live.match.number}


# The socket


@router.websocket("/games/{game}/{seat}/socket")
async def play(
    socket: WebSocket, game: str, seat: int, token: Annotated[str, Query(max_length=100)] = "",
    view: Literal["table", "page"] = "table",
) -> None:  # fmt: skip
    """Send what a seat sees, at once and after each change, and answer messages of the form `PlayerMessage`."""

    async def seated(hub: Hub) -> tuple[LiveGame, int]:
        live = await hub.find(game)
        return live, hub.seat_of(live, seat, token)

    await _serve(socket, seated, view)


@router.websocket("/watch/{game}/socket")
async def watch(socket: WebSocket, game: str, view: Literal["table", "page"] = "table") -> None:
    """Send a game as spectators see it, at once and after each change.

    All cards are open if only agents play, and after the end. Otherwise a spectator sees what all players know. Only in
    games without people may a message of a spectator set the pace.
    """

    async def watching(hub: Hub) -> tuple[LiveGame, None]:
        return await watched(hub, game), None

    await _serve(socket, watching, view)


async def _serve(socket, find, view):
    hub = hub_of(socket)
    try:
        live, seat = await find(hub)
    except (NotFoundError, RequestError) as error:
        await turn_away(socket, str(error))
        return
    await socket.accept()
    looker = _ViewSocket(socket, hub, live, seat, view)
    live.lookers += 1
    hub.wake(live)
    showing = asyncio.create_task(looker.show())
    try:
        await looker.listen()
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        live.lookers -= 1
        showing.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await showing


async def turn_away(socket: WebSocket, reason: str, code: int = 4404) -> None:
    """Accept a socket and close it, because browsers see the code and reason of accepted sockets only.

    Args:
        socket: The socket.
        reason: The reason, cut to the length that a socket allows.
        code: The code of the closed socket.
    """
    await socket.accept()
    await socket.close(code, cut(reason, 100).encode()[:REASON].decode(errors="ignore"))


class _ViewSocket:
    """One open page or bot."""

    def __init__(self, socket, hub, live, seat, view):
        self._socket, self._hub, self._live, self._seat = socket, hub, live, seat
        self._view, self._told = view, 0  # entries of the log already sent
        self._viewer = seat

    def _viewer_now(self):
        return self._live.spectator if self._seat is None else self._seat

    async def show(self):
        """Send the view at once and after each change."""
        while True:
            changed = self._live.changed
            await self._catch_up()
            await self._socket.send_json(self._sight())
            await changed.wait()

    async def _catch_up(self):
        """Write a long log in parts, so that other games go on meanwhile."""
        match, viewer = self._live.match, self._viewer_now()
        for number in range(len(match.log(viewer, 0)) + AT_ONCE, match.number, AT_ONCE):
            match.log(viewer, number)
            await asyncio.sleep(0)

    def _sight(self):
        match, viewer = self._live.match, self._viewer_now()
        if viewer != self._viewer:  # the cards of the game are open now
            self._viewer, self._told = viewer, 0
        log = match.log(viewer)
        self._told = min(self._told, len(log))
        new = {"type": "sight", "number": match.number, "from": self._told, "log": log[self._told :]}
        new["trouble"] = self._live.trouble
        self._told = len(log)
        table = match.table(viewer)
        new["table"] = table
        if self._view == "table":
            return new
        new["log"] = with_places(match, viewer, new["log"])
        return (
            new
            | decisions(match, viewer)
            | {
                "galaxy": draw_map(table) if table["map"] else None,
                "players": match.names(),
                "seats": self._live.seats,
                "since": since(match, self._seat),
                "end": ending(match, viewer),
                "open": viewer is None,
                "controls": self._seat is not None or not self._live.persons,
                "paused": self._live.paused,
                "pace": self._live.pace,
            }
        )

    async def listen(self):
        """Handle the messages of the other end in order; an invalid one gets an error and changes nothing."""
        while True:
            text = await self._socket.receive_text()
            try:
                answer = await self._heard(text)
            except RequestError as error:
                answer = {"type": "error", "error": str(error)}
            if answer:
                await self._socket.send_json(answer)

    async def _heard(self, text):
        said = message_of(PlayerMessage, text)
        found = await _answer(self._hub, self._live, self._seat, said)
        return {"type": "hint", **found["hint"]} if "hint" in found else None


Message = TypeVar("Message", bound=Strict)


def message_of(kind: type[Message], text: str) -> Message:
    """Parse a message that arrived over a socket.

    Args:
        kind: The model of the message.
        text: The message in JSON.

    Returns:
        The message.

    Raises:
        RequestError: The message is too long or invalid.
    """
    if len(text) > MOST_MESSAGE:
        raise RequestError(f"a message has at most {MOST_MESSAGE:,} characters")
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise RequestError(in_words(error.errors())) from None


def in_words(errors: Any) -> str:
    """Describe the first validation error in one line."""
    error = errors[0]
    where = ".".join(str(part) for part in error["loc"] if part != "body")
    return cut(f"{where}: {error['msg']}" if where else str(error["msg"]), 300)
