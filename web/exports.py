"""Endpoints for pictures of a replay: one position as SVG or PNG, a range of positions as an animated picture."""

import io
import zipfile
from importlib.util import find_spec
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from stardeck.viewer import draw
from stardeck.web.api import hub_of
from stardeck.web.choices import RequestError
from stardeck.web.hub import LiveGame
from stardeck.web.replays import check_place, replay_of

router = APIRouter(prefix="/api/replays")
WIDTHS = 320, 2_000  # of a picture
MOST_FRAMES = 120  # of an animated picture
TYPES = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif", "zip": "application/zip"}
Theme = Literal["light", "dark"]
Seat = Annotated[int | None, Query(description="seat whose view is drawn; by default all cards are open")]


def has_pixels() -> bool:
    """Return whether the extra `picture` is installed, which PNG and animated pictures need."""
    return all(find_spec(module) for module in ("matplotlib", "resvg_py", "PIL"))


@router.get("/{game}/picture.{kind}")
async def picture(
    game: str, kind: Literal["svg", "png"], request: Request, at: int | None = None, seat: Seat = None,
    theme: Theme = "light", width: Annotated[int, Query(ge=WIDTHS[0], le=WIDTHS[1])] = 1200,
) -> Response:  # fmt: skip
    """Draw the position after `at` decisions, by default the last one."""
    hub = hub_of(request)
    live = await replay_of(hub, game)
    at = live.match.number if at is None else at
    check_place(live.match, at, seat)
    svg = await hub.elsewhere(lambda: draw(live.match.table(seat, at), theme=theme, width=width))
    content = svg.encode() if kind == "svg" else await hub.elsewhere(lambda: _pixels().png(svg))
    return _file(live, f"{at}.{kind}", kind, content)


@router.get("/{game}/animation.{kind}")
async def animation(
    game: str, kind: Literal["gif", "png", "zip"], request: Request, first: int, last: int,
    seconds: Annotated[float, Query(ge=0.05, le=10)] = 1.0, seat: Seat = None,
) -> Response:  # fmt: skip
    """Draw the positions from `first` to `last` as an animated picture, or as a ZIP archive of SVG files."""
    hub = hub_of(request)
    live = await replay_of(hub, game)
    if not 0 <= last - first < MOST_FRAMES:
        raise RequestError(f"first={first}, last={last}: must be a range of at most {MOST_FRAMES} positions")
    for at in (first, last):
        check_place(live.match, at, seat)
    pixels = None if kind == "zip" else await hub.elsewhere(_pixels)
    with hub.advice.place(request) as think:  # one position at a time, so that hints need not wait
        numbers = range(first, last + 1)
        if pixels is None:
            drawn = [(number, await think(lambda at: draw(live.match.table(seat, at)), number)) for number in numbers]
            content = _archive(drawn)
        else:
            frames = [await think(lambda at: pixels.reduced(live.match.table(seat, at)), at) for at in numbers]
            content = await think(pixels.animated, frames, kind, seconds)
    return _file(live, f"{first}-{last}.{kind}", kind, content)


def _pixels() -> Any:
    try:
        from stardeck.viewer import png
    except ModuleNotFoundError as error:
        raise RequestError(str(error)) from error
    return png


def _archive(drawn):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, svg in drawn:
            archive.writestr(f"{number:06}.svg", svg)
    return file.getvalue()


def _file(live: LiveGame, end: str, kind: str, content: bytes) -> Response:
    name = f"{live.match.game.variant.game}-{end}"
    return Response(content, media_type=TYPES[kind], headers={"content-disposition": f'attachment; filename="{name}"'})
