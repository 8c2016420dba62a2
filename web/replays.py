"""Endpoints of replays: games shown step by step, with a search that analyses each position."""

import asyncio
import math
import time
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, WebSocket, WebSocketDisconnect
from pydantic import Field

from stardeck.agents.search.analysis import Analysis, Estimate, looked_back
from stardeck.game.catalogue import default_agent
from stardeck.kernels.errors import IllegalAction, cut
from stardeck.viewer import draw
from stardeck.web.api import (
    WIDTHS,
    Authorization,
    CreatedGame,
    Strict,
    begun,
    hub_of,
    message_of,
    seated,
    turn_away,
    watched,
)  # fmt: skip
from stardeck.web.choices import RequestError, agent_from
from stardeck.web.hub import Hub, NotFoundError, new_id
from stardeck.web.uploads import of_record, read

router = APIRouter(prefix="/api")
SEARCHES = 1_000  # of one position, at most
OFTEN = 0.3  # seconds between two reports of an analysis
CHECKED = 6  # searches of a suspected mistake after the first
DOUBTED = 0.03  # loss of win probability that makes a decision a suspected mistake


class ReplayRequest(Strict):
    """A game to replay."""

    text: str = Field(
        description="a line of `stardeck watch --save`, a log of the app, or a position in YAML", max_length=900_000
    )


class ReplayPage(Strict):
    """The page of a replay."""

    id: str
    page: str
    note: str = Field(default="", description="the point at which import of an app log stopped, and why")


class BranchRequest(Strict):
    """A request for a game that continues a replay."""

    number: int = Field(description="number of decisions to keep")
    seats: list[str] = Field(description='"person" or an agent for each seat', max_length=6)


class ViewRequest(Strict):
    """A request for a view of a replay."""

    at: int | None = Field(default=None, description="number of decisions before the position")
    seat: int | None = Field(default=None, description="seat whose view is shown; by default all cards are open")
    width: int | None = Field(default=None, ge=WIDTHS[0], le=WIDTHS[1])
    analyse: bool | None = Field(default=None, description="analyse the position while the page shows it")
    open: bool | None = Field(default=None, description="let the analysis see hidden cards")
    prior: str | None = Field(default=None, description="agent that is the prior policy", max_length=100)
    course: bool | None = Field(default=None, description="analyse every decision of the game")


@router.post("/replays", status_code=201)
async def bring(brought: ReplayRequest, request: Request) -> ReplayPage:
    """Take a recorded game or a position to replay."""
    hub = hub_of(request)
    saved, note = await hub.elsewhere(read, brought.text, new_id())
    return (await _kept(hub, saved)).model_copy(update={"note": note})


@router.post("/games/{game}/{seat}/replay", status_code=201)
async def look_back(game: str, seat: int, request: Request, authorization: Authorization = None) -> ReplayPage:
    """Replay a finished game with open cards."""
    hub, live, _ = await seated(request, game, seat, authorization)
    return await _kept(hub, _copy(live))


@router.post("/watch/{game}/replay", status_code=201)
async def look_back_at(game: str, request: Request) -> ReplayPage:
    """Replay a finished game between agents."""
    hub = hub_of(request)
    return await _kept(hub, _copy(await watched(hub, game)))


def _copy(live):
    if live.match.to_act is not None:
        raise RequestError("the game is not over: a replay would show what is hidden")
    names = [{"name": player.name} for player in live.match.players]
    return live.saved._replace(id=new_id(), players=names, actions=list(live.match.actions))


async def _kept(hub: Hub, saved: Any) -> ReplayPage:
    live = await hub.keep(saved)
    return ReplayPage(id=live.id, page=f"/replays/{live.id}")


async def keep_record(hub: Hub, record: dict[str, Any]) -> ReplayPage:
    """Keep a recorded game to replay. Raises RequestError."""
    return await _kept(hub, await hub.elsewhere(of_record, record, new_id()))


@router.post("/replays/{game}/branch", status_code=201)
async def branch(game: str, wanted: BranchRequest, request: Request) -> CreatedGame:
    """Continue from a position of a replay, with the same cards to come."""
    hub = hub_of(request)
    live, tokens = await hub.branch(await _replay(hub, game), wanted.number, wanted.seats)
    return begun(live, wanted.seats, tokens)


async def _replay(hub, game):
    live = await hub.find(game)
    if not live.is_replay:
        raise NotFoundError("there is no such replay")
    return live


@router.websocket("/replays/{game}/socket")
async def look(socket: WebSocket, game: str, width: Annotated[int, Query(ge=WIDTHS[0], le=WIDTHS[1])] = 1000) -> None:
    """Send the first view of a replay, then every view that a message of the form `ViewRequest` asks for."""
    hub = hub_of(socket)
    try:
        live = await _replay(hub, game)
    except (NotFoundError, RequestError) as error:
        await turn_away(socket, str(error))
        return
    await socket.accept()
    reader = _Reader(socket, hub, live, width)
    live.lookers += 1
    try:
        await reader.listen()
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        live.lookers -= 1
        await reader.stop()


class _Reader:
    """One open page of a replay. It analyses what its last message asked for, until the page closes."""

    def __init__(self, socket, hub, live, width):
        self._socket, self._hub, self._live = socket, hub, live
        self._wanted = {"at": live.match.number, "seat": None, "width": width, "analyse": False, "open": False,
                        "prior": default_agent(live.match.game.variant.game), "course": False}  # fmt: skip
        self._tasks: list[asyncio.Task[None]] = []

    async def listen(self):
        """Handle the messages of the page in order; an invalid one gets an error and changes nothing."""
        await self._socket.send_json(self._scene(with_log=True))
        while True:
            text = await self._socket.receive_text()
            try:
                await self._heard(text)
            except RequestError as error:
                await self._socket.send_json({"type": "error", "error": str(error)})

    async def stop(self):
        """Stop all analysis."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    async def _heard(self, text):
        wanted = message_of(ViewRequest, text)
        given = wanted.model_dump(include=wanted.model_fields_set)
        now = self._wanted | {key: value for key, value in given.items() if value is not None or key == "seat"}
        self._check(now)
        prior = await self._hub.elsewhere(agent_from, now["prior"], self._live.match.game, self._hub.offered)
        with_log, self._wanted = now["seat"] != self._wanted["seat"], now
        await self.stop()
        await self._socket.send_json(self._scene(with_log))
        self._tasks = [asyncio.create_task(self._possible(work)) for work in self._work(prior)]

    def _check(self, now):
        match = self._live.match
        if not 0 <= now["at"] <= match.number:
            raise RequestError(f"at={now['at']}: must be from 0 to {match.number}")
        if now["seat"] is not None and not 0 <= now["seat"] < match.game.players:
            raise RequestError(f"seat={now['seat']}: must be from 0 to {match.game.players - 1}")

    def _scene(self, with_log):
        match, wanted = self._live.match, self._wanted
        at, seat = wanted["at"], wanted["seat"]
        table = match.table(seat, at)
        scene = {
            "type": "scene",
            "at": at,
            "of": match.number,
            "picture": draw(table, width=wanted["width"]),
            "to_act": table["to_act"],
            "over": table["over"],
            "players": [player.name for player in match.players],
            "played": match.log(seat)[at]["words"] if at < match.number else None,
        }
        return scene | ({"log": match.log(seat), "sides": list(match.game.variant.sides)} if with_log else {})

    def _work(self, prior):
        match, at = self._live.match, self._wanted["at"]
        if self._wanted["analyse"] and not match.game.is_over(match.at(at))[0]:
            yield self._analyse(prior)
        if self._wanted["course"]:
            yield self._look_back(prior)

    async def _possible(self, work):
        """Run an analysis, and send the error if it fails."""
        try:
            await work
        except (ValueError, IllegalAction) as error:  # includes Busy
            await self._socket.send_json({"type": "error", "error": cut(str(error), 300)})

    async def _analyse(self, prior):
        """Search the position repeatedly, and send the estimates."""
        match, at = self._live.match, self._wanted["at"]
        states = match.game.copy(match.at(at))
        said = 0.0
        with self._hub.advice.place(self) as think:
            analysis = await think(Analysis, match.game, states, prior, self._wanted["open"])
            searches = SEARCHES if match.game.legal_actions(states)[0].sum() > 1 else 1  # a forced move
            for number in range(searches):
                await think(analysis.think_on)
                if time.monotonic() - said > OFTEN or number == searches - 1:
                    said = time.monotonic()
                    await self._socket.send_json(self._thoughts(analysis, states, at))

    def _thoughts(self, analysis, states, at):
        match = self._live.match
        played = match.actions[at] if at < match.number else None
        moves = [_estimate(match.game, states, row) | {"played": row.action == played} for row in analysis.estimates()]
        return {
            "type": "thoughts", "at": at, "tries": analysis.tries, "win": _number(analysis.win),
            "seat": int(states[0]["to_act"]), "moves": moves, "prior": self._wanted["prior"],
        }  # fmt: skip

    async def _look_back(self, prior):
        """Send the analysis of every decision, beginning with those that an earlier request computed."""
        match, course = self._live.match, self._live.courses.setdefault(self._wanted["prior"], [])
        said, last = 0, 0.0
        with self._hub.advice.place(self) as think:
            while said < match.number:
                async with self._live.looking_back:
                    if len(course) < match.number:
                        course.append(await think(self._turn, len(course), prior))
                if time.monotonic() - last > OFTEN or len(course) == match.number:
                    new, last = course[said:], time.monotonic()
                    turns = [self._told(turn) for turn in new]
                    await self._socket.send_json({"type": "course", "from": said, "of": match.number, "turns": turns})
                    said += len(new)

    def _turn(self, number, prior):
        match = self._live.match
        states, action = match.game.copy(match.at(number)), match.actions[number]
        turn = looked_back(match.game, states, action, prior)
        if turn.played and turn.better.win - turn.played.win > DOUBTED:
            turn = looked_back(match.game, states, action, prior, CHECKED)
        return turn._replace(number=number)

    def _told(self, turn):
        game, states = self._live.match.game, self._live.match.at(turn.number)
        found = {"number": turn.number, "seat": turn.seat, "win": _number(turn.win), "lost": 0.0}
        if turn.played is None:
            return found
        return found | {
            "lost": max(0.0, turn.better.win - turn.played.win),
            "played": game.describe(states, turn.played.action),
            "better": game.describe(states, turn.better.action),
        }


def _estimate(game, states, row: Estimate):
    numbers = {name: _number(value) for name, value in row._asdict().items()}
    return numbers | {"words": game.describe(states, row.action)}


def _number(value):
    """Return a number for JSON: rounded, null for NaN."""
    return value if isinstance(value, int) else None if math.isnan(value) else round(float(value), 4)
