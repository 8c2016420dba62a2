"""Examples of a figure: games of a folder of results that somebody won, or in which a card was bought."""

import random
from typing import Any

from stardeck.benchmarks.recordings.replay_result import folder_of_series
from stardeck.benchmarks.results.arrow import pa, pq
from stardeck.benchmarks.results.filesystems import open_file, place
from stardeck.benchmarks.results.store import ResultsError
from stardeck.kernels.errors import shown


def an_example(results: Any, match: str | None = None, of: str | None = None) -> int:
    """Return the number of a game, drawn among those that fit.

    Args:
        results: Folder of `advantage` or `league`, or its URL.
        match: Match of a league, as in the column `match`.
        of: `agent:NAME` or `seat:NUMBER` of a winner, or `card:NAME` of a card that was bought; None for any game.

    Raises:
        ResultsError: The folder is damaged, or no game fits.
    """
    folder = folder_of_series(place(results), match)
    kind, _, name = (of or "").partition(":")
    if kind not in ("", "agent", "seat", "card") or (kind == "seat" and not name.isdecimal()):
        raise ResultsError(f"of={shown(of)}: must be agent:NAME, seat:NUMBER or card:NAME")
    columns = {"card": ["index", "move", "card"]}.get(kind, ["index", "agents", "winner"])
    path = folder / ("cards.parquet" if kind == "card" else "games.parquet")
    found: list[int] = []
    try:
        with open_file(path) as opened, pq.ParquetFile(opened) as file:
            for batch in file.iter_batches(batch_size=20_000, columns=columns):
                found = [row["index"] for row in batch.to_pylist() if _fits(row, kind, name)]
                if found:
                    break
    except (pa.ArrowException, OSError, LookupError, TypeError, ValueError) as error:
        raise ResultsError(f"{path}: is not a whole file of results") from error
    if not found:
        raise ResultsError(f"{folder}: has no game of {shown(of)}")
    return random.choice(found)


def _fits(row, kind, name):
    if kind == "seat":
        return int(name) in row["winner"]
    if kind == "agent":
        return any(row["agents"][seat] == name for seat in row["winner"])
    return not kind or (row["card"] == name and row["move"].startswith("buy"))
