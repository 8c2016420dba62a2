"""What was measured and kept in folders, to be looked at: found by name among those that are there, never by a path."""

import os
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse

from stardeck.benchmarks.disk import parse_json
from stardeck.web.api import hub_of
from stardeck.web.choices import Refused
from stardeck.web.hub import Unknown
from stardeck.web.replays import Kept, keep_record

router = APIRouter()
FILES = {"summary.json": "first-player advantage", "league.json": "league"}
TRAINING = "training"
DEEPEST = 3  # folders below the root
MOST = 500  # folders that are shown
Table = tuple[str, list[str], list[list[Any]]]  # what it is about, columns, rows


class Found(NamedTuple):
    """A folder of results."""

    name: str  # its path below the root, with slashes
    folder: Path
    kind: str
    summary: dict[str, Any]

    @property
    def pictures(self) -> list[str]:
        """Names of its pictures."""
        return sorted(path.name for path in self.folder.glob("*.png"))

    @property
    def agents(self) -> list[str]:
        """Who played."""
        return [str(row.get("agent")) for row in self.summary.get("agents", [])]


def measured(request: Request) -> dict[str, Found]:
    """The folders of results of a server, by name, the newest first."""
    root: Path | None = request.app.state.measured
    found = sorted(_folders(root), key=lambda found: str(_origin(found).get("date")), reverse=True) if root else []
    return {each.name: each for each in found[:MOST]}


def _folders(root):
    for folder, inner, names in os.walk(root):
        at = Path(folder)
        name = at.relative_to(root).as_posix()
        kept = next((file for file in FILES if file in names), None)
        if kept and (summary := _summary(at / kept)) is not None:
            yield Found(name, at, TRAINING if "recipe" in summary else FILES[kept], summary)
        if kept or name.count("/") >= DEEPEST - 1:
            inner.clear()


def _summary(path):
    try:
        summary = parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return summary if isinstance(summary, dict) and "variant" in summary else None


def _origin(found):
    origin = found.summary.get("origin")
    return origin if isinstance(origin, dict) else {}


def one_of(request: Request, name: str) -> Found:
    """A folder of results by name. Raises Unknown."""
    try:
        return measured(request)[name]
    except KeyError:
        raise Unknown("there are no such results") from None


def tables_of(found: Found) -> list[Table]:
    """What its page shows in numbers. Raises Refused for a summary that was changed by hand."""
    made = [("how it was made", ["", ""], [[key, value] for key, value in _origin(found).items()])]
    tables = {TRAINING: _of_training, FILES["league.json"]: _of_league}.get(found.kind, _of_advantage)
    try:
        return [*tables(found.summary), *made]
    except (LookupError, TypeError, ValueError) as error:
        raise Refused(f"{found.name}: its summary cannot be read ({type(error).__name__}: {error})") from error


def _of_training(summary):
    columns = ["decisions", "minutes", f"against {summary.get('opponent')}"]
    rows = [[f"{row['decisions']:,}", f"{row['seconds'] / 60:.1f}", _share(row)] for row in summary["evaluations"]]
    return [("evaluations", columns, rows)]


def _of_league(summary):
    rows = [[row["agent"], f"{row['games']:,}", _rating(row)] for row in summary["agents"]]
    matches = [[" v ".join(row["agents"]), f"{row['games']:,}", _share(row, "score")] for row in summary["cross_table"]]
    return [
        ("agents", ["agent", "games", "rating"], rows),
        ("matches", ["match", "games", "wins of the first"], matches),
    ]


def _of_advantage(summary):
    agents = [[row["agent"], f"{row['games']:,}", _share(row)] for row in summary["agents"]]
    seats = [[f"player_{row['seat']}", _share(row)] for row in summary["seats"]]
    return [("agents", ["agent", "games", "wins"], agents), ("seats", ["seat", "wins"], seats)]


def _share(row, key="win_rate"):
    return f"{100 * row[key]:.2f} % [{100 * row['low']:.2f}, {100 * row['high']:.2f}]"


def _rating(row):
    return f"{row['rating']:+.0f} [{row['low']:+.0f}, {row['high']:+.0f}]"


@router.get("/api/pictures/{name:path}", include_in_schema=False)
async def picture(request: Request, name: str) -> FileResponse:
    """A picture of some results. Raises Unknown."""
    folder, _, file = name.rpartition("/")
    found = one_of(request, folder or ".")
    if file not in found.pictures:
        raise Unknown("there is no such picture")
    return FileResponse(found.folder / file)


@router.post("/api/results", status_code=201)
async def show_game(
    request: Request, name: str, game: Annotated[int, Query(ge=0)], match: Annotated[str | None, Query()] = None
) -> Kept:
    """Deal a game of some results again, to look at it; match: of a league, `rules vs simple`."""
    from stardeck.benchmarks.again import game_of  # needs the extra `measure`

    found = one_of(request, name)
    hub = hub_of(request)
    try:
        record = await hub.elsewhere(game_of, found.folder, game, match)
    except (ValueError, OSError) as error:
        raise Refused(str(error)) from error
    return await keep_record(hub, record)
