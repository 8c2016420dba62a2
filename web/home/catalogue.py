"""The home page's list of games: formats and settings in words, agents by strength, and the games of a browser."""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from stardeck.agents.strengths import STRENGTHS, by_strength
from stardeck.game.registry import playable, settings_of
from stardeck.kernels.contract.settings import Setting
from stardeck.web.api import Strict, hub_of, setting_row, settings_from, watched
from stardeck.web.choices import SHIPPED, RequestError, game_from
from stardeck.web.hub import NotFoundError

router = APIRouter(prefix="/api")
SHORT = 16  # values of a number that are tried one by one
MOST_GAMES = 50  # of one browser
TILES = "/static/tile_"


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class Format(BaseModel):
    """A format of a game."""

    title: str
    line: str
    game: str = Field(description="game to begin, with these settings")
    settings: dict[str, Any]
    players: list[int] = Field(description="fewest and most")
    needs: str = Field(default="", description="what it takes, besides the number of players")
    option: str | None = Field(default=None, description="setting to choose before any other")


class Tile(BaseModel):
    """A game of the home page."""

    name: str
    title: str
    line: str
    players: str
    minutes: str
    picture: str
    formats: list[Format]


def tiles() -> list[Tile]:
    """Return the games that can be played, those of the package first."""
    known = {row["name"]: row for row in _texts()["games"]}
    return [_tile(known[name]) if name in known else _tile_of_outside_game(name) for name in playable()]


def _tile(row):
    formats = [Format(**{"game": row["name"]} | each) for each in row["formats"]]
    return Tile(**row | {"formats": formats, "picture": f"{TILES}{row['name']}.svg"})


def _tile_of_outside_game(name):
    limits = next((list(s.allowed) for s in settings_of(name) if s.name == "players" and s.is_number), None)
    fewest, most = limits or [game_from(name, {}).players] * 2
    one = Format(
        title="As it is", line="With the settings of its author.", game=name, settings={}, players=[fewest, most]
    )
    title = name.replace("_", " ").capitalize()
    players = str(fewest) if fewest == most else f"{fewest} to {most}"
    line = "A game that this server has in addition."
    return Tile(
        name=name, title=title, line=line, players=players, minutes="", picture=f"{TILES}other.svg", formats=[one]
    )


@router.get("/catalogue")
async def catalogue(request: Request) -> dict[str, Any]:
    """Return the games with their formats, words for settings and values, the agents by name, and the strengths."""
    hub = hub_of(request)
    texts = _texts()
    return {
        "games": await hub.elsewhere(tiles),
        "labels": texts["labels"],
        "values": texts["values"],
        "options": texts["options"],
        "help": texts["help"],
        "agents": [*hub.offered, *SHIPPED],
        "strengths": STRENGTHS,
    }


@router.get("/setup")
async def setup(
    game: str, request: Request, settings: Annotated[str, Query(max_length=5_000)] = "{}"
) -> dict[str, Any]:
    """Return the seats of a game with these settings (JSON), its sides, and the agent of each strength."""
    return await hub_of(request).elsewhere(_setup, game, settings_from(settings))


def _setup(name, settings):
    game = game_from(name, settings)
    return {
        "variant": game.id,
        "players": game.players,
        "sides": [list(seats) for seats in game.variant.sides],
        "strengths": by_strength(game),
        "reconstructed": game.variant.reconstructed,
    }


@router.get("/choices")
async def choices(
    game: str, request: Request, settings: Annotated[str, Query(max_length=5_000)] = "{}"
) -> list[dict[str, Any]]:
    """Return the settings that can be changed beside these settings (JSON), with the values that fit them."""
    return await hub_of(request).elsewhere(fitting, game, settings_from(settings))


def fitting(name: str, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the settings of a game that leave a choice.

    Args:
        name: The name of the game.
        settings: The settings chosen so far.

    Returns:
        The rows of `/api/games`, where `allowed` holds only what the game accepts beside the other settings.

    Raises:
        RequestError: There is no such game, or the settings do not fit each other.
    """
    usual = game_from(name, settings).settings
    rows = []
    for setting in settings_of(name):
        row = setting_row(setting) | {"value": _json(usual.get(setting.name))}
        if _can_be_tried(setting):
            row["allowed"] = [value for value in _values(setting) if _fits(name, settings, setting.name, value)]
            if len(row["allowed"]) < 2:
                continue
            if row["kind"] == "number":
                row["kind"] = "choice"
        rows.append(row)
    return rows


def _json(value: Any) -> Any:
    """Return a value, or None for a table of the user's own."""
    try:
        json.dumps(value)
    except TypeError:
        return None
    return value


def _can_be_tried(setting: Setting) -> bool:
    return not setting.is_list and (not setting.is_number or setting.allowed[-1] - setting.allowed[0] < SHORT)


def _values(setting: Setting) -> list[Any]:
    if setting.is_number:
        return list(range(setting.allowed[0], setting.allowed[-1] + 1))
    return list(setting.allowed)


def _fits(name, settings, key, value):
    try:
        game_from(name, settings | {key: value})
    except RequestError:
        return False
    return True


# The games of a browser


class SeatOfBrowser(Strict):
    """A seat that a browser remembers; without a seat, a game between agents."""

    id: str = Field(max_length=40)
    seat: int | None = None
    token: str = Field(default="", max_length=100)


class StateOfSeat(BaseModel):
    """The state of a remembered game."""

    id: str
    seat: int | None
    state: Literal["gone", "your turn", "waiting", "over"]


@router.post("/continue")
async def remembered(seats: list[SeatOfBrowser], request: Request) -> list[StateOfSeat]:
    """Return how each game of a browser stands, in the order given."""
    if len(seats) > MOST_GAMES:
        raise RequestError(f"{len(seats)} games: at most {MOST_GAMES}")
    return [StateOfSeat(id=each.id, seat=each.seat, state=await _state(request, each)) for each in seats]


async def _state(request, seat):
    hub = hub_of(request)
    try:
        if seat.seat is None:
            live = await watched(hub, seat.id)
        else:
            live = await hub.find(seat.id)
            hub.seat_of(live, seat.seat, seat.token)
    except (NotFoundError, RequestError):
        return "gone"
    if live.match.to_act is None:
        return "over"
    return "your turn" if live.match.to_act == seat.seat else "waiting"
