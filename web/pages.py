"""Endpoints for people: pages that a small script fills."""

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.templating import Jinja2Templates

from stardeck.game.catalogue import default_agent
from stardeck.viewer.palette import css
from stardeck.viewer.signs import symbols
from stardeck.web.api import hub_of
from stardeck.web.choices import RequestError
from stardeck.web.exports import MOST_FRAMES, has_pixels
from stardeck.web.home.catalogue import tiles
from stardeck.web.hub import NotFoundError
from stardeck.web.results.folders import listed, measured, one_of, view_of_folder
from stardeck.web.results.kinds import PICTURES, REPORT, UNKNOWN

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
templates = Jinja2Templates(directory=Path(__file__).parent / "templates")


@router.get("/")
async def home(request: Request) -> HTMLResponse:
    """Return the page with a tile for each game, which a script makes alive."""
    return templates.TemplateResponse(request, "home.html", {"tiles": await hub_of(request).elsewhere(tiles)})


async def _agent(request: Request, game: str, usual: str) -> str:
    """Return the agent that a page suggests: the usual one, unless the game has no agents of its own."""
    try:
        live = await hub_of(request).find(game)
    except (NotFoundError, RequestError):  # which the socket of the page reports
        return usual
    usual_there = default_agent(live.match.game.variant.game)
    return usual if usual_there == "rules" else usual_there


@router.get("/games/{game}/watch")
async def watch(request: Request, game: str) -> HTMLResponse:
    """Return the page that shows a game between agents."""
    return templates.TemplateResponse(request, "table.html", {"game": game, "seat": None, "signs": symbols()})


@router.get("/games/{game}/{seat}")
async def play(request: Request, game: str, seat: int) -> HTMLResponse:
    """Return the page of a seat. The token stands after the #, and browsers therefore send it only to the socket."""
    shown = {"game": game, "seat": seat, "signs": symbols(), "adviser": await _agent(request, game, "rules")}
    return templates.TemplateResponse(request, "table.html", shown)


@router.get("/static/palette.css")
async def palette() -> Response:
    """Return the colours of the viewer as CSS variables and classes."""
    return Response(css(), media_type="text/css")


@router.get("/replays")
async def replays(request: Request) -> HTMLResponse:
    """Return the page that takes a game to replay."""
    return templates.TemplateResponse(request, "bring.html", {})


@router.get("/replays/{game}")
async def replay(request: Request, game: str) -> HTMLResponse:
    """Return the page of a replay."""
    shown = {"game": game, "signs": symbols(), "pixels": has_pixels(), "most_frames": MOST_FRAMES}
    return templates.TemplateResponse(request, "replay.html", shown)


@router.get("/results")
async def results(request: Request) -> HTMLResponse:
    """Return the list of results."""
    return templates.TemplateResponse(request, "results.html", {"found": listed(measured(request))})


@router.get("/results/{name:path}")
async def result(request: Request, name: str) -> HTMLResponse:
    """Return the page of a measurement, or of a report with its measurements. Raises NotFoundError and RequestError."""
    found = one_of(request, name)
    shown = {"found": found, "view": view_of_folder(found)}
    kinds = {"report": REPORT, "unknown": UNKNOWN, "album": PICTURES}
    return templates.TemplateResponse(request, "result.html", shown | {"kinds": kinds})


def refused(request: Request, error: Exception) -> Response:
    """Return the answer to a refused request: JSON for programs, a page for people."""
    code = getattr(error, "status_code", 404 if isinstance(error, NotFoundError) else 400)
    text = str(getattr(error, "detail", error))
    if request.url.path.startswith("/api"):
        return JSONResponse({"error": text}, code)
    return templates.TemplateResponse(request, "error.html", {"error": text, "code": code}, code)
