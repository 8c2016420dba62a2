"""The server's app: endpoints, guard, and the games behind them."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from stardeck.web import api, exports, pages, replays
from stardeck.web.choices import RequestError
from stardeck.web.guard import Guard
from stardeck.web.home import catalogue
from stardeck.web.hub import Hub, NotFoundError
from stardeck.web.learn import pages as learn
from stardeck.web.results import folders
from stardeck.web.store import Store

HERE = Path(__file__).parent
LOCAL = ("127.0.0.1", "localhost", "::1")


def app_for(
    folder: str | Path, hosts: Iterable[str] = LOCAL, offered: dict[str, str] | None = None,
    measured: str | Path | None = None,
) -> FastAPI:  # fmt: skip
    """Return the app.

    Args:
        folder: Folder that keeps the games.
        hosts: Host names of the server.
        offered: Agents in addition to the shipped ones, {name: text}.
        measured: Folder with results of `stardeck advantage`, `league` and `train` to show.

    Raises:
        StoreError: The file of games cannot be used.
    """
    hub = Hub(Store(Path(folder) / "games.sqlite"), offered)

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        yield
        await hub.close()

    app = FastAPI(title="Stardeck", version="1", description=api.__doc__ or "", lifespan=living, docs_url=None,
                  redoc_url=None)  # fmt: skip
    app.state.hub = hub
    app.state.measured = Path(measured) if measured else None
    app.include_router(api.router)
    for router in (catalogue.router, replays.router, exports.router, folders.router, learn.router, pages.router):
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    for kind in (RequestError, NotFoundError, HTTPException):
        app.add_exception_handler(kind, pages.refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(WebSocketRequestValidationError, _invalid_socket)  # type: ignore[arg-type]
    app.add_middleware(Guard, hosts=hosts)
    return app


async def _invalid(request: Request, error: Exception) -> Response:
    text = api.in_words(error.errors())  # type: ignore[attr-defined]
    return pages.refused(request, HTTPException(422, text))


async def _invalid_socket(socket: WebSocket, error: Exception) -> None:
    await api.turn_away(socket, api.in_words(error.errors()), 4422)  # type: ignore[attr-defined]
