"""Endpoints of the pages that teach the rules, and of their data."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from stardeck.kernels.errors import shown
from stardeck.viewer.signs import symbols
from stardeck.web.hub import NotFoundError
from stardeck.web.learn.first_games import course_of, scripted
from stardeck.web.learn.texts import glossary_of, legend_of, page_for, rules_of, summary_of, taught, title_of
from stardeck.web.pages import templates

templates.env.globals["taught"] = taught  # the page of a table asks it
router = APIRouter()
people = APIRouter(prefix="/learn", include_in_schema=False, default_response_class=HTMLResponse)
Name = Annotated[str, Query(description="the name of a game, or the id of a variant", max_length=300)]


def _taught(name):
    """Return the game with a page of rules that a name stands for. Raises NotFoundError."""
    game = page_for(name)
    if game is None:
        raise NotFoundError(f"game {shown(name)}: there are rules of {', '.join(taught())}")
    return game


@router.get("/api/glossary")
async def glossary(game: Name) -> dict[str, Any]:
    """Return the words of a game: {term: {text, forms, rule, sign, plain}}."""
    return {"game": _taught(game), "terms": glossary_of(_taught(game))}


@router.get("/api/first_game")
async def first_game(game: Name, request: Request) -> dict[str, Any]:
    """Return the guided first game: the request that begins it, and the steps with their texts and moves."""
    name = _taught(game)
    if name not in scripted():
        raise NotFoundError(f"game {shown(game)}: has no guided first game")
    course = await request.app.state.hub.elsewhere(course_of, name)
    return dict(course._asdict())


@people.get("")
async def index(request: Request) -> HTMLResponse:
    """Return the list of games with their rules."""
    games = [(name, title_of(name), summary_of(name), name in scripted()) for name in taught()]
    return templates.TemplateResponse(request, "learn.html", {"games": games})


@people.get("/{game}")
async def rules(request: Request, game: str) -> HTMLResponse:
    """Return the rules of a game. Raises NotFoundError."""
    page = rules_of(_taught(game))
    return templates.TemplateResponse(request, "rules.html", {"page": page, "guided": page.game in scripted()})


@people.get("/{game}/icons")
async def icons(request: Request, game: str) -> HTMLResponse:
    """Return the legend of signs and the list of words. Raises NotFoundError."""
    name = _taught(game)
    terms = sorted(glossary_of(name).items(), key=lambda item: item[0].lower())
    page = {"game": name, "title": title_of(name), "legend": legend_of(name), "terms": terms, "signs": symbols()}
    return templates.TemplateResponse(request, "legend.html", page)


@people.get("/{game}/play")
async def play(request: Request, game: str) -> HTMLResponse:
    """Return the page that begins the guided first game. Raises NotFoundError."""
    name = _taught(game)
    if name not in scripted():
        raise NotFoundError(f"game {shown(game)}: has no guided first game")
    return templates.TemplateResponse(request, "first_game.html", {"game": name, "title": title_of(name)})


router.include_router(people)
