"""Results as tidy data frames: names instead of numbers, values instead of places.

`stardeck.results.load` is the function for users.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.fairness.parameters import read_parameters
from stardeck.benchmarks.results.arrow import pa, pq
from stardeck.benchmarks.results.arrow_columns import array_of, members_of
from stardeck.benchmarks.results.compatibility import completed
from stardeck.benchmarks.results.filesystems import Place, open_file, place
from stardeck.benchmarks.results.kinds import kind_of
from stardeck.benchmarks.results.store import ResultsError, Store
from stardeck.benchmarks.results.summaries import read_summary
from stardeck.benchmarks.results.words import variant_in_words
from stardeck.game.game import Game

if TYPE_CHECKING:
    from pandas import DataFrame

INTERVAL = ("win_rate", "low", "high")
POINTS = ("points", "low", "high")
QUESTIONS = ("calls", "tokens_in", "tokens_out", "seconds", "illegal", "unreadable", "fallbacks", "forfeited")


def load(folder: "str | Path | Place") -> "Results":
    """Return the results in a folder as pandas data frames.

    Args:
        folder: Folder of `stardeck advantage`, `league`, `fair`, `worth`, `train`, `exploit`, `agreement`,
            `benchmark` or `llm`, or its URL.

    Returns:
        The results. A frame is read when it is first used.

    Raises:
        ResultsError: The folder holds no results of these kinds, or they are damaged.
    """
    held = place(folder)
    summary = read_summary(held)
    kind = kind_of(summary)
    if kind not in FRAMES:
        known = ", ".join(name for name in FRAMES)
        raise ResultsError(f"{folder}: holds no results with frames ({kind}); frames are of {known}")
    return Results(held, kind, summary)


class Results:
    """Results of a measurement as data frames, by name: `results.games` or `results["games"]`.

    Attributes:
        folder: Folder of the results.
        kind: Kind of the results, such as "league".
        summary: Summary of the results, as the command wrote it.
        names: Names of the frames.
    """

    def __init__(self, folder: "Path | Place", kind: str, summary: dict[str, Any]) -> None:
        self.folder, self.kind, self.summary = folder, kind, summary
        self._read: dict[str, DataFrame] = {}
        self.names = [name for name, (file, _) in FRAMES[kind].items() if not file or (folder / file).exists()]

    @property
    def variant(self) -> str:
        """Variant in words; the benchmark and its version, where the results are of several variants."""
        if "variant" in self.summary:
            return variant_in_words(self.summary["variant"])
        return f"{self.summary['benchmark']}, version {self.summary['version']}"

    @cached_property
    def game(self) -> Game:
        """The game with the settings of the results. Raises ResultsError if this version does not know it."""
        known = completed({key: self.summary.get(key) for key in ("variant", "settings")})
        try:
            return Game.named(known["variant"].split("/")[0], known["settings"])
        except (LookupError, TypeError, ValueError) as error:
            raise ResultsError(f"{self.folder}: is of a game that is not known here ({error})") from error

    def __getitem__(self, name: str) -> "DataFrame":
        """Return a frame. Raises KeyError for a name that these results do not have."""
        if name not in self.names:
            raise KeyError(f"{name}: {self.folder} has {', '.join(self.names)}")
        if name not in self._read:
            self._read[name] = FRAMES[self.kind][name][1](self)
        return self._read[name]

    def __getattr__(self, name: str) -> "DataFrame":
        """Return a frame by its name."""
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the frames."""
        return iter(self.names)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.names]

    def __repr__(self) -> str:
        return f"<results of {self.variant} ({self.kind}): {', '.join(self.names)}>"


def _frame(columns: "dict[str, Any] | list[dict[str, Any]]", names: "list[str] | None" = None) -> "DataFrame":
    import pandas

    return pandas.DataFrame(columns, columns=names)


def _table(results, name, columns=None):
    """Return the table of a file of results."""
    path = results.folder / name
    try:
        with open_file(path) as opened, pq.ParquetFile(opened, page_checksum_verification=True) as file:
            return file.read(columns=columns)
    except (pa.ArrowException, OSError, LookupError, ValueError) as error:
        raise ResultsError(f"{path}: is not a whole file of results") from error


def _texts(column):
    """Return texts as a categorical column."""
    combined = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    encoded = combined if pa.types.is_dictionary(combined.type) else combined.dictionary_encode()
    return encoded.to_pandas()


def _games(results):
    """Return a row for each game and seat."""
    path, game = results.folder / "games.parquet", results.game
    held = _table(results, "games.parquet")
    of_match = held.column_names[0] == "match"
    table = Store.checked(path, held.drop_columns(["match"]) if of_match else held, game.players)
    rows, seats = len(table), game.players
    won = np.zeros((rows, seats), bool)
    lengths, winners = members_of(table["winner"])
    won[np.repeat(np.arange(rows), lengths), winners] = True
    seat = np.tile(np.arange(seats), rows)

    def repeated(name):
        return np.repeat(array_of(table[name]), seats)

    sides = len(game.variant.sides)
    nobody = ~won.any(axis=1) & (sides > 1)
    score = np.where(nobody[:, None], 1 / sides, won)
    words = np.where(nobody[:, None], 0, np.where(won, 2, 1)).ravel()
    import pandas

    columns: dict[str, Any] = {}
    if of_match:
        columns["match"] = _texts(held["match"].combine_chunks().take(pa.array(np.repeat(np.arange(rows), seats))))
    return _frame(
        columns
        | {
            "game": repeated("index"),
            "seed": repeated("seed"),
            "seat": seat,
            "agent": _texts(pa.compute.list_flatten(table["agents"])),
            "side": np.tile(game.side_of, rows),
            "moves_first": repeated("first") == seat,
            "result": pandas.Categorical.from_codes(words, ["drawn", "lost", "won"]),
            "score": score.ravel(),
            "place": members_of(table["placements"])[1],
            "truncated": repeated("truncated"),
            "turns": repeated("turns"),
            "decisions": repeated("decisions"),
        }
    )


def _scenarios(results):
    """Return a row for each game and scenario that was played."""
    table = Store.checked(results.folder / "games.parquet", _table(results, "games.parquet"), results.game.players)
    lengths, winners = members_of(table["scenarios"])
    names = [row["name"] for row in results.summary.get("scenarios", [])]
    number = np.concatenate([np.arange(length) for length in lengths]) if len(lengths) else np.zeros(0, int)
    frame = _frame({
        "game": np.repeat(array_of(table["index"]), lengths),
        "scenario": number + 1,
        "name": [names[place] if place < len(names) else "" for place in number],
        "winner": winners,
    })  # fmt: skip
    return frame[frame["winner"] >= 0].reset_index(drop=True)


def _rows(key: str, columns: tuple[str, ...]) -> "Callable[[Results], DataFrame]":
    """Return a function for a frame of rows of the summary."""
    return lambda results: _frame([{name: row.get(name) for name in columns} for row in results.summary.get(key, [])],
                                  list(columns))  # fmt: skip


def _ratings(results):
    """Return a row for each agent of a league; ratings that the league does not have are NaN."""
    names = ["agent", "rating", "low", "high", "games", "win_rate"]
    more = {"nash": ("weight", "score", "low", "high"), "alpha_rank": ("mass", "low", "high")}
    rows = []
    for row in results.summary["agents"]:
        others = {key: row.get(key) or {} for key in more}
        flat = {f"{key}_{name}": others[key].get(name, np.nan) for key in more for name in more[key]}
        rows.append({name: row[name] for name in names} | flat)
    return _frame(rows, [*names, *(f"{key}_{name}" for key in more for name in more[key])])


def _matches(results):
    """Return a row for each pair of agents of a league."""
    names = ["agent", "opponent", "games", "score", "low", "high"]
    rows = [dict(zip(names, (*row["agents"], *(row[name] for name in names[2:])), strict=True))
            for row in results.summary["cross_table"]]  # fmt: skip
    return _frame(rows, names)


def _cards(results):
    """Return a row for each card and stage, with the values flat."""
    rows = []
    for row in results.summary["cards"]:
        points, authority = row["points"] or {}, row.get("authority") or {}
        rows.append({
            "card": row["card"], "stage": row["stage"], "trials": row["trials"],
            "points": points.get("value"), "low": points.get("low"), "high": points.get("high"),
            "authority": authority.get("value"), "authority_low": authority.get("low"),
            "authority_high": authority.get("high"), "q": row["q"],
        })  # fmt: skip
    names = "card stage trials points low high authority authority_low authority_high q".split()
    return _frame(rows, names)


def _trials(results):
    """Return a row for each game with a trial, with the names of the option and the stage."""
    import pandas

    table = _table(results, "trials.parquet")
    arm, stage = array_of(table["arm"]), array_of(table["stage"])
    tried = arm >= 0
    return _frame({
        "game": array_of(table["index"])[tried],
        "option": pandas.Categorical.from_codes(arm[tried], results.summary["options"]),
        "stage": pandas.Categorical.from_codes(stage[tried], results.summary["stages"]),
        "seat": array_of(table["seat"])[tried],
        "turn": array_of(table["turn"])[tried],
        "expected": array_of(table["expected"])[tried],
        "score": array_of(table["share"])[tried],
    })  # fmt: skip


def _points(results):
    """Return a row for each point of a search, with a column for each parameter."""
    rows = [{**row["knobs"], **{name: row.get(name) for name in ("games", "points", "low", "high", "curve")}}
            for row in results.summary["seen"]]  # fmt: skip
    return _frame(rows)


def _answers(results):
    names = ["parameter", "value", "low", "high"]
    return _frame([{"parameter": row["knob"], **{name: row[name] for name in names[1:]}}
                   for row in results.summary["answer"]], names)  # fmt: skip


def _chunks(results):
    """Return a row for each chunk of games of a search, with the values of the parameters."""
    table = _table(results, "stretches.parquet")
    parameters = read_parameters(results.summary["knobs"], results.game)
    places = members_of(table["places"])[1].reshape(len(table), len(parameters))
    columns: dict[str, Any] = {"chunk": array_of(table["index"])}
    for number, parameter in enumerate(parameters):
        columns[parameter.label] = [parameter.values[place] for place in places[:, number]]
    columns |= {"games": array_of(table["games"]), "first": array_of(table["first"])}
    wins = members_of(table["sides"])[1].reshape(len(table), -1)
    group = "place" if "groups" in results.summary else "side"
    return _frame(columns | {f"{group}_{number}": wins[:, number] for number in range(wins.shape[1])})


def _evaluations(results):
    """Return a row for each evaluation and opponent."""
    rows = []
    for point in results.summary["evaluations"]:
        others = point.get("panel") or {results.summary["opponent"]: point}
        for name, rate in {**others, "its previous version": point.get("before")}.items():
            if rate is not None:
                rows.append({"decisions": point["decisions"], "seconds": point["seconds"], "opponent": name}
                            | {key: rate.get(key) for key in INTERVAL})  # fmt: skip
    return _frame(rows, ["decisions", "seconds", "opponent", *INTERVAL])


def _kinds(results):
    """Return a row for each agent and kind of decision."""
    return _frame([{"agent": agent["agent"]} | row for agent in results.summary["agents"] for row in agent["kinds"]])


def _levels(results):
    """Return a row for each level of each task."""
    names = ("level", "opponent", "games", *INTERVAL, "points")
    rows = [{"task": task["task"]} | {name: row[name] for name in names}
            for task in results.summary["tasks"] for row in task["levels"]]  # fmt: skip
    return _frame(rows, ["task", *names])


def _file(name: str) -> "Callable[[Results], DataFrame]":
    """Return a function for a frame of a tidy file as it is."""
    return lambda results: _table(results, name).to_pandas()


Frames = dict[str, tuple[str, "Callable[[Results], DataFrame]"]]  # file that a frame needs, and its function, by name
GAMES: Frames = {"games": ("games.parquet", _games), "cards_played": ("cards.parquet", _file("cards.parquet"))}
FRAMES: dict[str, Frames] = {
    "first-player advantage": GAMES
    | {
        "agents": ("", _rows("agents", ("agent", "games", *INTERVAL))),
        "seats": ("", _rows("seats", ("seat", *INTERVAL))),
        "scenarios": ("games.parquet", _scenarios),
    },
    "league": GAMES
    | {
        "ratings": ("", _ratings),
        "matches": ("", _matches),
    },
    "fair settings": {
        "answers": ("", _answers),
        "points": ("", _points),
        "shares": ("", _rows("shares", ("of", "points", "low", "high"))),
        "chunks": ("stretches.parquet", _chunks),
    },
    "worth of cards": {
        "cards": ("", _cards),
        "pairs": ("pairs.parquet", _file("pairs.parquet")),
        "trials": ("trials.parquet", _trials),
    },
    "training": {"evaluations": ("", _evaluations)},
    "Stardeck-8": {
        "tasks": ("", _rows("tasks", ("task", "agent", *POINTS, "decisions_per_second"))),
        "levels": ("", _levels),
    },
    "learning track": {"curve": ("", _rows("curve", ("decisions", *POINTS)))},
    "language model": {
        "ladder": ("", _rows("agents", ("agent", "rating", "low", "high"))),
        "opponents": ("", _rows("opponents", ("agent", "games", *INTERVAL, *QUESTIONS))),
    },
    "agreement with players": {"kinds": ("", _kinds)},
    "exploitability": {"responses": ("", _rows("responses", ("response", "games", *INTERVAL)))},
}
