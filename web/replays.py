"""Endpoints of replays: games shown step by step, with a search that analyses each position."""

import asyncio
import math
import time
from typing import Annotated, Any

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import Field

from stardeck.agents.networks.pretrained import best
from stardeck.agents.search.advice import Choice, choice
from stardeck.agents.search.analysis import Analysis, Estimate, looked_back
from stardeck.game.agent import Agent
from stardeck.game.catalogue import default_agent
from stardeck.kernels.errors import IllegalAction, cut
from stardeck.viewer import draw_map
from stardeck.web.api import (
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
from stardeck.web.choices import SHIPPED, RequestError, agent_from
from stardeck.web.hub import Hub, LiveGame, NotFoundError, new_id
from stardeck.web.match import Match
from stardeck.web.uploads import of_record, read

router = APIRouter(prefix="/api")
SEARCHES = 1_000  # of one position, at most
OFTEN = 0.3  # seconds between two reports of an analysis
CHECKED = 6  # searches of a suspected mistake after the first
DOUBTED = 0.03  # loss of win probability that makes a decision a suspected mistake
RARE = 0.005  # probability below which a choice of an agent is not shown
AgentText = Annotated[str, Field(max_length=100)]


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
    analyse: bool | None = Field(default=None, description="analyse the position while the page shows it")
    open: bool | None = Field(default=None, description="let the analysis see hidden cards")
    prior: str | None = Field(default=None, description="agent that is the prior policy", max_length=100)
    course: bool | None = Field(default=None, description="analyse every decision of the game")
    compare: list[AgentText] | None = Field(default=None, description="two agents whose choices are compared, or none")


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
    return await _kept_once(hub, live)


@router.post("/watch/{game}/replay", status_code=201)
async def look_back_at(game: str, request: Request) -> ReplayPage:
    """Replay a finished game, without the token of a seat."""
    hub = hub_of(request)
    return await _kept_once(hub, await watched(hub, game))


def _copy(live):
    if live.match.to_act is not None:
        raise RequestError("the game is not over: a replay would show what is hidden")
    names = [{"name": player.name} for player in live.match.players]
    return live.saved._replace(id=new_id(), players=names, actions=list(live.match.actions))


async def _kept_once(hub: Hub, live: LiveGame) -> ReplayPage:
    """Keep a finished game to replay, once while it stays in memory. Raises RequestError."""
    saved = _copy(live)
    async with live.looking_back:
        if live.replay is None or not await _is_kept(hub, live.replay):
            live.replay = (await _kept(hub, saved)).id
    return ReplayPage(id=live.replay, page=f"/replays/{live.replay}")


async def _is_kept(hub, game):
    try:
        await replay_of(hub, game)
    except (NotFoundError, RequestError):
        return False
    return True


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
    live, tokens = await hub.branch(await replay_of(hub, game), wanted.number, wanted.seats)
    return begun(live, wanted.seats, tokens)


async def replay_of(hub: Hub, game: str) -> LiveGame:
    """Return a replay. Raises NotFoundError."""
    live = await hub.find(game)
    if not live.is_replay:
        raise NotFoundError("there is no such replay")
    return live


def check_place(match: Match, at: int, seat: int | None) -> None:
    """Check a number of decisions, and the seat whose view is shown. Raises RequestError."""
    if not 0 <= at <= match.number:
        raise RequestError(f"at={at}: must be from 0 to {match.number}")
    if seat is not None and not 0 <= seat < match.game.players:
        raise RequestError(f"seat={seat}: must be from 0 to {match.game.players - 1}")


@router.websocket("/replays/{game}/socket")
async def look(socket: WebSocket, game: str) -> None:
    """Send the first view of a replay, then every view that a message of the form `ViewRequest` asks for."""
    hub = hub_of(socket)
    try:
        live = await replay_of(hub, game)
    except (NotFoundError, RequestError) as error:
        await turn_away(socket, str(error))
        return
    await socket.accept()
    reader = _Reader(socket, hub, live)
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

    def __init__(self, socket, hub, live):
        self._socket, self._hub, self._live = socket, hub, live
        prior = default_agent(live.match.game.variant.game)
        self._wanted = {"at": live.match.number, "seat": None, "analyse": False, "open": False, "prior": prior}
        self._wanted |= {"course": False, "compare": []}
        self._sent = {"course": 0, "compare": 0}  # parts of these answers that the page has
        self._tasks: list[asyncio.Task[None]] = []

    async def listen(self):
        """Handle the messages of the page in order; an invalid one gets an error and changes nothing."""
        agents = await self._hub.elsewhere(self._agents)
        prior = best(self._live.match.game) or self._wanted["prior"]
        about = {"sides": list(self._live.match.game.variant.sides), "agents": agents, "prior": prior}
        await self._socket.send_json(self._scene(with_log=True) | about)
        while True:
            text = await self._socket.receive_text()
            try:
                await self._heard(text)
            except RequestError as error:
                await self._socket.send_json({"type": "error", "error": str(error), "refused": True})

    async def stop(self):
        """Stop all analysis."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    def _agents(self):
        """Return the agents that can play this game."""
        return [text for text in (*self._hub.offered, *SHIPPED) if _plays(text, self._live.match.game, self._hub)]

    async def _heard(self, text):
        wanted = message_of(ViewRequest, text)
        given = wanted.model_dump(include=wanted.model_fields_set)
        now = self._wanted | {key: value for key, value in given.items() if value is not None or key == "seat"}
        check_place(self._live.match, now["at"], now["seat"])
        if len(now["compare"]) not in (0, 2):
            raise RequestError(f"compare: {len(now['compare'])} given: must be two agents, or none")
        prior = await self._agent(now["prior"])
        compared = [(text, await self._agent(text)) for text in now["compare"]]
        before, self._wanted = self._wanted, now
        await self.stop()
        if not before["course"] or before["prior"] != now["prior"]:
            self._sent["course"] = 0
        if before["compare"] != now["compare"]:
            self._sent["compare"] = 0
        await self._socket.send_json(self._scene(now["seat"] != before["seat"]))
        self._tasks = [asyncio.create_task(self._possible(work)) for work in self._work(prior, compared)]

    async def _agent(self, text):
        return await self._hub.elsewhere(agent_from, text, self._live.match.game, self._hub.offered)

    def _scene(self, with_log):
        match, wanted = self._live.match, self._wanted
        at, seat = wanted["at"], wanted["seat"]
        table = match.table(seat, at)
        scene = {
            "type": "scene",
            "at": at,
            "of": match.number,
            "seat": seat,
            "table": table,
            "galaxy": draw_map(table) if table["map"] else None,
            "to_act": table["to_act"],
            "over": table["over"],
            "players": [player.name for player in match.players],
            "played": match.log(seat)[at]["words"] if at < match.number else None,
            "places": self._places(),
        }
        return scene | ({"log": match.log(seat)} if with_log else {})

    def _places(self):
        """Return the ids of the things that the next decision concerns, as far as the viewer may know it."""
        match, at, seat = self._live.match, self._wanted["at"], self._wanted["seat"]
        if at == match.number:
            return []
        states, action = match.at(at), match.actions[at]
        if seat not in (None, int(states[0]["to_act"])) and match.game.is_secret(states, action):
            return []
        moves = match.table(None, at)["moves"]
        return next((move["place"] for move in moves if move["action"] == action), [])

    def _work(self, prior, compared):
        match, at = self._live.match, self._wanted["at"]
        if self._wanted["analyse"] and not match.game.is_over(match.at(at))[0]:
            yield self._analyse(prior)
        if self._wanted["course"]:
            yield self._look_back(prior)
        if compared:
            yield self._compare(compared)

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
        last = 0.0
        with self._hub.advice.place(self) as think:
            while (said := self._sent["course"]) < match.number:
                async with self._live.looking_back:
                    if len(course) < match.number:
                        course.append(await think(self._turn, len(course), prior))
                if time.monotonic() - last > OFTEN or len(course) == match.number:
                    new, last = course[said:], time.monotonic()
                    turns = [self._loss(turn) for turn in new]
                    await self._socket.send_json({"type": "course", "from": said, "of": match.number, "turns": turns})
                    self._sent["course"] = said + len(new)

    def _turn(self, number, prior):
        match = self._live.match
        states, action = match.game.copy(match.at(number)), match.actions[number]
        turn = looked_back(match.game, states, action, prior)
        if turn.played and turn.better.win - turn.played.win > DOUBTED:
            turn = looked_back(match.game, states, action, prior, CHECKED)
        return turn._replace(number=number)

    async def _compare(self, agents):
        """Send what two agents would do here, then the decisions of the whole game in which they had a choice."""
        match, at = self._live.match, self._wanted["at"]
        with self._hub.advice.place(self) as think:
            if not match.game.is_over(match.at(at))[0]:
                here = await think(self._choices, at, agents)
                choices = [self._choice(at, text, chosen) for (text, _), chosen in zip(agents, here, strict=True)]
                await self._socket.send_json({"type": "choices", "at": at, "agents": choices})
            new, last = [], time.monotonic()
            for number in range(self._sent["compare"], match.number):
                if match.game.legal_actions(match.at(number))[0].sum() > 1:
                    new.append(self._difference(number, await think(self._choices, number, agents)))
                if time.monotonic() - last > OFTEN or number == match.number - 1:
                    message = {"type": "differences", "from": self._sent["compare"], "to": number + 1, "turns": new}
                    about = {"of": match.number, "agents": [text for text, _ in agents]}
                    await self._socket.send_json(message | about)
                    self._sent["compare"] = number + 1
                    new, last = [], time.monotonic()

    def _choices(self, number, agents: list[tuple[str, Agent]]) -> list[Choice]:
        """Return the choice of each agent before a decision, from the acting seat's knowledge, and keep it."""
        match = self._live.match
        states = match.at(number)
        found = []
        for text, agent in agents:
            kept = self._live.choices.setdefault(text, {})
            if number not in kept:
                kept[number] = choice(match.game, match.game.copy(states), agent, int(states[0]["to_act"]))
            found.append(kept[number])
        return found

    def _choice(self, number, name, chosen: Choice):
        game, states = self._live.match.game, self._live.match.at(number)
        shares = sorted(chosen.policy.items(), key=lambda share: (-share[1], share[0]))
        moves = [{"action": action, "words": game.describe(states, action), "share": _number(share)}
                 for action, share in shares if share >= RARE]  # fmt: skip
        return {"agent": name, "action": chosen.action, "moves": moves}

    def _difference(self, number, choices: list[Choice]):
        match = self._live.match
        game, states, actions = match.game, match.at(number), [chosen.action for chosen in choices]
        sent = {"number": number, "seat": int(states[0]["to_act"]), "actions": actions, "played": match.actions[number]}
        if len(set(actions)) == 1:
            return sent
        return sent | {"words": [game.describe(states, action) for action in (*actions, match.actions[number])]}

    def _loss(self, turn):
        match = self._live.match
        game, states, names = match.game, match.at(turn.number), match.names(None)
        found = {"number": turn.number, "seat": turn.seat, "win": _number(turn.win), "lost": 0.0}
        if turn.played is None:
            return found
        return found | {
            "lost": max(0.0, turn.better.win - turn.played.win),
            "played": game.sentence(states, turn.played.action, names),
            "better": game.sentence(states, turn.better.action, names),
        }


def _plays(text, game, hub):
    try:
        agent_from(text, game, hub.offered)
    except RequestError:
        return False
    return True


def _estimate(game, states, row: Estimate):
    numbers = {name: _number(value) for name, value in row._asdict().items()}
    return numbers | {"words": game.describe(states, row.action)}


def _number(value):
    """Return a number for JSON: rounded, null for NaN."""
    return value if isinstance(value, int) else None if math.isnan(value) else round(float(value), 4)
