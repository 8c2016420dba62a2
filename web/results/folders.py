"""Results kept in folders, found by name among the folders that exist, never by a path.

The server reads or sends a file only if it lies in its folder of results, links resolved.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse

from stardeck.benchmarks.results.atomic_files import parse_json
from stardeck.benchmarks.results.summaries import FILES
from stardeck.kernels.errors import cut, reason
from stardeck.kernels.files import read_text
from stardeck.web.api import hub_of
from stardeck.web.choices import RequestError
from stardeck.web.hub import NotFoundError
from stardeck.web.replays import ReplayPage, keep_record
from stardeck.web.results.kinds import KINDS, PICTURES, REPORT, UNREADABLE, Table, View, kind_of, view_of

router = APIRouter()
PAGE, ALBUM = "report.html", "000000.svg"
DEEPEST = 3  # folders below the root
DEEPEST_IN_REPORT = 2  # folders below a report: table and measurement
MOST = 500  # folders on the page
MOST_BYTES = 50_000_000  # in a summary
MOST_PICTURES = 500  # in a folder
SHOWN = 3  # variants that the row of a report names
# Somebody else may have written a file: it may run nothing and load nothing.
INERT = {"content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"}


class ResultFolder(NamedTuple):
    """A folder of results."""

    name: str  # path below the root, with slashes; "." is the root
    folder: Path
    kind: str
    summary: dict[str, Any]
    problem: str = ""  # the reason why the summary cannot be read
    report: str | None = None  # the report that this measurement belongs to
    parts: tuple["ResultFolder", ...] = ()  # the measurements of a report

    @property
    def title(self) -> str:
        """Name for people."""
        return self.folder.name if self.name == "." else self.name

    @property
    def pictures(self) -> list[str]:
        """Names of the pictures in the folder."""
        kind = "*.svg" if self.kind == PICTURES else "*.png"
        return sorted(path.name for path in self.folder.glob(kind) if inside(self.folder, path.name))[:MOST_PICTURES]

    @property
    def variant(self) -> str:
        """Variants that were played, if the summary names them."""
        return _some([part.variant for part in self.parts] or [_word(self.summary.get("variant", ""))], "variants")

    @property
    def agents(self) -> list[str]:
        """Agents that played, if the summary names them."""
        if self.parts:
            return list(dict.fromkeys(agent for part in self.parts for agent in part.agents))
        rows = self.summary.get("agents")
        rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        return [_word(name) for name in [self.summary.get("agent"), *(row.get("agent") for row in rows[:20])] if name]

    @property
    def origin(self) -> dict[str, str]:
        """Provenance: versions, machine and date, if the summary has them."""
        origin = self.summary.get("origin")
        return {_word(key): _word(value) for key, value in origin.items()} if isinstance(origin, dict) else {}

    @property
    def date(self) -> str:
        """Date of the measurement, or of the last one of a report, if known."""
        return max((part.date for part in self.parts), default=self.origin.get("date", ""))


def _some(texts, called):
    """Return the different texts, or their number."""
    different = [text for text in dict.fromkeys(texts) if text]
    return ", ".join(different) if len(different) <= SHOWN else f"{len(different)} {called}"


def _word(value):
    return cut(value, 300) if isinstance(value, str) else ""


def inside(folder: Path, name: str) -> Path | None:
    """Return a regular file of a folder, links resolved; None for anything else, and for files outside the folder."""
    try:
        path = (folder / name).resolve(strict=True)
        return path if path.is_relative_to(folder.resolve()) and path.is_file() else None
    except (OSError, RuntimeError, ValueError):  # RuntimeError: circular links
        return None


def measured(request: Request) -> dict[str, ResultFolder]:
    """Return the server's folders of results by name, the newest first."""
    root: Path | None = request.app.state.measured
    found = [*_folders(root.resolve())] if root else []
    parts: dict[str | None, list[ResultFolder]] = {}
    for each in found:
        parts.setdefault(each.report, []).append(each)
    found = [
        each._replace(parts=tuple(sorted(parts.get(each.name, ())))) if each.kind == REPORT else each for each in found
    ]
    found.sort(key=lambda each: each.date, reverse=True)
    alone = [each for each in found if each.report is None]
    return {each.name: each for each in [*alone[:MOST], *(each for each in found if each.report is not None)]}


def listed(found: dict[str, ResultFolder]) -> list[ResultFolder]:
    """Return the folders for the list of results, where a report stands for its measurements."""
    return [each for each in found.values() if each.report is None]


def _folders(root: Path) -> Iterator[ResultFolder]:
    reports: list[str] = []
    for folder, inner, names in os.walk(root):
        inner.sort()
        at = Path(folder)
        name = at.relative_to(root).as_posix()
        if not name.isprintable():  # bytes that do not decode to text cannot stand in an address
            inner.clear()
            continue
        report = next((one for one in reports if one == "." or name.startswith(f"{one}/")), None)
        found = _found(name, at, names, report)
        if found is not None:
            yield found
        if found is not None and found.kind == REPORT:
            report = name
            reports.append(name)
        deepest = DEEPEST if report is None else _depth(report) + DEEPEST_IN_REPORT
        if _is_kept(names) or ALBUM in names or _depth(name) >= deepest:
            inner.clear()


def _is_kept(names):
    """Return the file of a measurement among these names, or None."""
    return next((file for file in FILES if file in names), None)


def _found(name, at, names, report):
    """Return what a folder holds, or None. names: of its files; report: that it lies in."""
    if kept := _is_kept(names):
        return _read(name, at, kept, report)
    if report is None and PAGE in names and inside(at, PAGE):
        return ResultFolder(name, at, REPORT, {})
    return ResultFolder(name, at, PICTURES, {}, report=report) if ALBUM in names else None


def _depth(name):
    return 0 if name == "." else name.count("/") + 1


def _read(name, folder, file, report):
    try:
        summary = _summary(folder, file)
    except ValueError as error:
        return ResultFolder(name, folder, UNREADABLE, {}, f"{file} {error}", report)
    return ResultFolder(name, folder, kind_of(summary), summary, "", report)


def _summary(folder, file):
    path = inside(folder, file)
    if path is None:
        raise ValueError("is no file of this folder")
    try:
        summary = parse_json(read_text(path, MOST_BYTES))
        json.dumps(summary, ensure_ascii=False).encode()  # a lone surrogate cannot be sent
    except OSError as error:
        raise ValueError(f"cannot be opened ({reason(error)})") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    except UnicodeError:
        raise ValueError("is no UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON ({cut(str(error), 100)})") from None
    if not isinstance(summary, dict):
        raise ValueError("holds no object")
    return summary


def one_of(request: Request, name: str) -> ResultFolder:
    """Return a folder of results by name. Raises NotFoundError."""
    try:
        return measured(request)[name or "."]
    except KeyError:
        raise NotFoundError("there are no such results") from None


def view_of_folder(found: ResultFolder) -> View:
    """Return the page of a folder. Raises RequestError for a summary that cannot be read."""
    if found.problem:
        raise RequestError(f"{found.title}: {found.problem}")
    try:
        view = view_of(found.kind, found.summary) if found.kind in KINDS else View([])
    except ValueError as error:
        raise RequestError(f"{found.title}: its summary cannot be read: {error}") from error
    made: list[Table] = [("how it was made", ["", ""], [[key, value] for key, value in found.origin.items()])]
    games = view.games and inside(found.folder, "games.parquet") is not None
    return view._replace(tables=[*view.tables, *(made if found.origin else [])], games=games)


@router.get("/api/reports/{name:path}", include_in_schema=False)
async def report(request: Request, name: str) -> FileResponse:
    """Return the page of a report. Raises NotFoundError."""
    found = one_of(request, name)
    page = inside(found.folder, PAGE)
    if found.kind != REPORT or page is None:
        raise NotFoundError("there is no such report")
    return FileResponse(page, media_type="text/html", headers=INERT)


@router.get("/api/pictures/{name:path}", include_in_schema=False)
async def picture(request: Request, name: str) -> FileResponse:
    """Return a picture of some results. Raises NotFoundError."""
    folder, _, file = name.rpartition("/")
    found = one_of(request, folder or ".")
    path = inside(found.folder, file) if file in found.pictures else None
    if path is None:
        raise NotFoundError("there is no such picture")
    return FileResponse(path, headers=INERT)


def _with_cards(request, found):
    """Return results of the same variant that count the cards of each game: the folder itself, or another one."""
    each = [found, *measured(request).values()]
    same = (one for one in each if one.summary.get("variant") == found.summary.get("variant"))
    fitting = next((one for one in same if one.kind == "first-player advantage" and
                    inside(one.folder, "cards.parquet")), None)  # fmt: skip
    if fitting is None:
        hint = "stardeck advantage --collect cards writes them"
        raise RequestError(f"no results of {found.variant} say which cards were bought; {hint}")
    return fitting


@router.post("/api/results", status_code=201)
async def show_game(
    request: Request, name: str, game: Annotated[int | None, Query(ge=0)] = None,
    match: Annotated[str | None, Query()] = None, of: Annotated[str | None, Query(max_length=300)] = None,
) -> ReplayPage:  # fmt: skip
    """Replay a game of some results: number `game`, or any one that fits.

    `match` names one of a league, as `rules vs simple`. `of` is `agent:NAME` or `seat:NUMBER` for a game that it won,
    or `card:NAME` for a game in which the card was bought.
    """
    from stardeck.benchmarks.recordings.examples import an_example  # needs the extra `measure`
    from stardeck.benchmarks.recordings.replay_result import game_of

    found = one_of(request, name)
    if of is not None and of.startswith("card:"):
        found = _with_cards(request, found)
    if any(path.is_symlink() for path in found.folder.rglob("*")):
        raise RequestError(f"{found.title}: holds links to files elsewhere, which the server does not follow")
    hub = hub_of(request)
    try:
        if game is None:
            game = await hub.elsewhere(an_example, found.folder, match, of)
        record = await hub.elsewhere(game_of, found.folder, game, match)
    except (ValueError, OSError) as error:
        text = str(error).replace(str(found.folder), found.title)  # a browser needs no path of the server's disk
        raise RequestError(text) from error
    return await keep_record(hub, record)
