"""Search for the setting at which the first player wins no more often than others.

A parameter is a setting that the search varies (benchmarks/fairness/parameters.py). The answer is seldom a whole
number, so it is a mixture of two neighbours. For example, authority is 53 in 40 of 100 games and 54 in the others. With
several parameters the mixture has one setting more than there are parameters. benchmarks/fairness/adaptive_sampling.py
decides where games are played; benchmarks/fairness/response_curve.py gives the standard errors.

Each setting has its own deals. Common deals would estimate the difference between settings better, but their mixture
worse: the results of neighbours on the same deals are strongly correlated.
"""

import json
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Unpack, overload

import numpy as np

from stardeck import agents as players
from stardeck.agents.identity import identity_of
from stardeck.benchmarks.advantage.measure import wilson
from stardeck.benchmarks.arena.device_player import require_gpu
from stardeck.benchmarks.arena.executors import Executor, executor_for
from stardeck.benchmarks.arena.options import HonestOptions, Progress, measure_options, silent
from stardeck.benchmarks.arena.series import Series, cut_chunk
from stardeck.benchmarks.fairness.adaptive_sampling import Estimate, Places, seek
from stardeck.benchmarks.fairness.aggregates import ChunkTally, TallyStore, combine, tally
from stardeck.benchmarks.fairness.parameters import (
    Parameter,
    changes_first_seat,
    independent_settings,
    read_parameters,
    settings_at,
)
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.store import ResultsError, last_speed, last_summary
from stardeck.benchmarks.results.words import is_by_turn
from stardeck.game.agent import AgentLike
from stardeck.game.game import Game
from stardeck.kernels.errors import number_from

MOST_GAMES = 4_000_000


@overload
def fair(
    game: str, knobs: str | Sequence[str], agents: AgentLike | Sequence[AgentLike] = "rules", within: float = 0.3,
    games: int = MOST_GAMES, seed: int = 0, out: str | Path | None = None, **options: Unpack[HonestOptions],
) -> dict[str, Any]: ...  # fmt: skip
@overload
def fair(
    game: str, knobs: str | Sequence[str], agents: AgentLike | Sequence[AgentLike] = "rules", within: float = 0.3,
    games: int = MOST_GAMES, seed: int = 0, out: str | Path | None = None, **options: Any,
) -> dict[str, Any]: ...  # fmt: skip
def fair(
    game: str, knobs: str | Sequence[str], agents: AgentLike | Sequence[AgentLike] = "rules", within: float = 0.3,
    games: int = MOST_GAMES, seed: int = 0, out: str | Path | None = None, **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Find the setting at which the first player has no advantage.

    Args:
        game: Name of the game.
        knobs: One parameter, such as `"authority.1=40:80"`: the side that moves first gets its fair share. Or one
            parameter fewer than there are sides: every side gets its fair share. If their setting is in the order of
            turns, a side is the one that moves first, second and so on.
        agents: One agent, for mirror matches, or a list, whose agents take turns on the seats.
        within: Percentage points that the share of a side may be off, at 95 % confidence.
        games: Number of games after which the search ends as it is.
        seed: Seed of all chance.
        out: Folder for `stretches.parquet`, `summary.json` and `fair.png`. An interrupted search continues there, and
            so does one with a smaller `within`. None writes nothing.
        **options: Options of `HonestOptions`, and settings of the game.

    Returns:
        The summary.

    Raises:
        ValueError: An option, a setting, a parameter or an agent is impossible, or the folder holds results of
            something else.
        KeyboardInterrupt: The search was stopped. The folder holds what is finished.
    """
    if not 0.01 <= within <= 50:
        raise ValueError(f"within={within}: must be from 0.01 to 50 percentage points")
    games = number_from(games, "games", 1)
    chosen, settings = measure_options("fair", game, options, HonestOptions.__optional_keys__)
    executor = executor_for(chosen["on"], chosen["workers"])
    listed: list[Any] = list(agents) if isinstance(agents, list | tuple) else [agents]
    listed = [players.honest(agent) for agent in listed] if chosen["honest"] else listed
    search = Search(game, settings, [knobs] if isinstance(knobs, str) else knobs, listed, seed, chosen["device"])
    require_gpu(chosen["device"], executor.away)
    search.limits(within, games, executor, chosen["progress"] or silent)
    if out is None:
        return search.run(None)
    out = folder_here(out)
    with only_writer(out):
        return search.run(out, chosen["picture"])


class Search:
    """A search for a fair setting: the games that it plays and their results so far."""

    def __init__(
        self, game: str, settings: dict[str, Any], parameters: Sequence[str], agents: list[Any], seed: int,
        device: str = "cpu",
    ) -> None:  # fmt: skip
        self.game = Game.named(game, settings)
        sides = len(self.game.variant.sides)
        if sides < 2:
            raise ValueError(f"{self.game.id}: all players are one side, so no side has an advantage")
        self.parameters: list[Parameter] = read_parameters(parameters, self.game)
        self._settings = independent_settings(self.game, self.parameters)
        self.agents = agents
        self.seed, self._device = seed, device
        self.series: dict[Places, Series] = {}
        self._middle = self._series_at(tuple((len(parameter.values) - 1) // 2 for parameter in self.parameters))
        self.by_side = len(self.parameters) > 1 or changes_first_seat(self.parameters[0], self.game)
        self.by_turn = len(self.parameters) > 1 and all(is_by_turn(one.name, game) for one in self.parameters)
        self.fair = np.full(sides, 1 / sides) if self.by_side else np.array([1 / sides, 1 - 1 / sides])
        self._held: list[ChunkTally] = []  # the results so far, chunk by chunk
        self._store: TallyStore | None = None
        self._kept: dict[int, ChunkTally] = {}  # chunks of an earlier run
        self._played, self._seconds = 0, 0.0

    def limits(self, within: float, games: int, executor: Executor, progress: Progress) -> None:
        """Set where the search ends and where its games are played.

        Args:
            within: Percentage points that the share of a side may be off.
            games: Number of games after which the search ends.
            executor: Executor that plays the games.
            progress: Function that reports progress.
        """
        self.within, self._most, self._executor, self._progress = within, games, executor, progress

    def _series_at(self, places):
        """Return the series of games with the parameters at these places; each series has its own deals."""
        if places not in self.series:
            at = Game.named(self.game.variant.game, settings_at(self.parameters, self._settings, places))
            values = [parameter.values[place] for parameter, place in zip(self.parameters, places, strict=True)]
            key = values if _whole(values) else places
            deals = np.random.SeedSequence([int(self.seed), *(int(value) % 2**32 for value in key)])
            seed = int(deals.generate_state(1, np.uint64)[0])
            self.series[places] = Series(at, self.agents, seed, device=self._device)
        return self.series[places]

    def identity(self) -> dict[str, Any]:
        """Return what identifies a search: two searches with the same identity play the same games."""
        return {
            "variant": self.game.id,
            "settings": self.game.settings,
            "tables": self.game.variant.tables,
            "agents": [identity_of(agent) for agent in self._middle.agents],
            "seed": int(self.seed),
            "knobs": list(map(str, self.parameters)),
        } | ({"groups": "sides in the order of turns"} if self.by_turn else {})

    def described(self) -> dict[str, Any]:
        """Return the identity for a summary, with the names of the agents."""
        agents = self._middle.agents
        names = {"agents": [{"agent": agent.name} for agent in agents], "identities": list(map(identity_of, agents))}
        return self.identity() | names

    def run(self, folder: Path | None, picture: bool = True) -> dict[str, Any]:
        """Search, and write the results to a folder.

        Args:
            folder: Folder of the results. None writes nothing.
            picture: False leaves out the picture.
        """
        made = origin()
        if folder is not None:
            self._store = TallyStore(folder, self.identity(), made)
            self._kept = self._store.chunks()
        self._executor.warm_up(self._middle)
        lengths = [len(parameter.values) for parameter in self.parameters]
        try:
            with self._executor.connected():
                found, _ = seek(self._play, lengths, self.fair, self.within / 100, self._most)
        finally:
            if self._store is not None:
                self._store.join()
        summary = self._summary(found, folder, made)
        if folder is not None:
            write_whole(folder / "summary.json", json.dumps(summary, indent=2) + "\n")
            if picture:
                _draw(folder, summary)
        return summary

    def _summary(self, found, folder, made):
        before = {} if folder is None else last_summary(folder / "summary.json")
        speed = self._played / self._seconds if self._played else last_speed(folder / "summary.json")
        summary = summarize(self, found, combine(self._held, self.by_side))
        return summary | {
            "games_per_second": speed,
            "origin": made if self._played else before.get("origin", made),
        }

    def _play(self, more):
        """Play more games at each point, unless an earlier run has played them; return the results of all games."""
        planned = self._planned(more)
        first = len(self._held)
        held = self._left(planned, first)
        missing = [number for number in range(len(planned)) if number not in held]
        done = sum(chunk.games for chunk in [*self._held, *held.values()])
        began = time.perf_counter()
        for number, chunk in self._play_chunks(planned, missing):
            held[number] = chunk
            if self._store is not None:
                self._store.keep(first + number, chunk)
            self._played += chunk.games
            done += chunk.games
            self._progress(done, self._most)
        self._seconds += time.perf_counter() - began if missing else 0.0
        self._held += [held[number] for number in range(len(planned))]
        return combine(self._held, self.by_side)

    def _left(self, planned, first):
        """Return the chunks of a round that an earlier run has played, by number. Raise ResultsError if they differ."""
        held = {number: self._kept[first + number] for number in range(len(planned)) if first + number in self._kept}
        for number, chunk in held.items():
            places, start, stop = planned[number]
            if (chunk.places, chunk.games) != (places, stop - start):
                why = "holds other chunks than this search plays, because another version of NumPy or SciPy made them"
                raise ResultsError(f"{self._store.path}: {why}; choose another folder (--out)")
        return held

    def _planned(self, more):
        """Return the places, start and stop of each chunk of a round."""
        planned = []
        for places, games in more.items():
            series = self._series_at(places)
            start = sum(chunk.games for chunk in self._held if chunk.places == places)
            stop = start + -(-games // len(series.lineups)) * len(series.lineups)
            planned += [(places, at, min(at + series.cpu_chunk, stop)) for at in range(start, stop, series.cpu_chunk)]
        return planned

    def _play_chunks(self, planned, missing):
        """Play the chunks with these numbers; yield (number, chunk) as each is finished."""
        wanted = {(planned[number][0], planned[number][1]): number for number in missing}
        places_of = {id(self._series_at(planned[number][0])): planned[number][0] for number in missing}
        with closing(self._executor.run(self._joined(planned[number] for number in missing))) as finished:
            for series, played in finished:
                places = places_of[id(series)]
                for chunk in cut_chunk(played, series.cpu_chunk):
                    yield wanted[places, chunk.start], tally(places, series.game.variant.sides, chunk, self.by_turn)

    def _joined(self, chunks):
        """Yield chunks (series, start, stop), joined up to the size that the device plays at once."""
        waiting = None
        for places, start, stop in chunks:
            series = self._series_at(places)
            if waiting and waiting[0] is series and waiting[2] == start and stop - waiting[1] <= series.chunk:
                waiting = series, waiting[1], stop
                continue
            if waiting:
                yield waiting
            waiting = series, start, stop
        if waiting:
            yield waiting


def _whole(values):
    return all(type(value) is int for value in values)


def summarize(search: Search, found: Estimate, seen: Any) -> dict[str, Any]:
    """Return the summary of a search that has ended.

    Args:
        search: The search.
        found: Its estimate.
        seen: Results of all its games.
    """
    sides = search.game.variant.sides
    group = "place" if search.by_turn else "side"
    names = [f"{group} {number}" for number in range(len(sides))] if search.by_side else ["first", "others"]
    known = found.error.max() <= search.within / 100
    return search.described() | {
        "within": search.within,
        "games": int(seen.games.sum()),
        "found": bool(found.inside and known),
        "why": "out of range" if not found.inside else "found" if known else "limit of games",
        "answer": [_answer(parameter, found, number) for number, parameter in enumerate(search.parameters)],
        "mixture": _mixture(search.parameters, found),
        "shares": [_share(name, found, group, search.fair[group]) for group, name in enumerate(names)],
        "seen": _seen(search.parameters, found, seen, search.fair),
    }


def _answer(parameter, found, number):
    """Return the value of a parameter at the answer, with its 95 % interval."""
    base = parameter.values[0] if _whole(parameter.values) else 0
    places = {"value": found.answer, "low": found.low, "high": found.high}
    return {"knob": parameter.label} | {name: float(base + place[number]) for name, place in places.items()}


def _share(name, found, group, fair):
    """Return how far a group's share at the answer is from its fair share, in points, with the interval."""
    share, error = found.shares[group], found.error[group]
    rates = {"points": share, "low": share - error, "high": share + error}
    return {"of": name, "fair": 100 * float(fair)} | {key: _points(rate, fair) for key, rate in rates.items()}


def _mixture(parameters, found):
    """Return the settings of the mixture, each with its fraction of the games."""
    parts = zip(found.vertices.tolist(), found.weights.tolist(), strict=True)
    return [{"part": part, "knobs": _values_of(parameters, places)} for places, part in parts if part > 1e-9]


def _values_of(parameters, places):
    return {parameter.label: parameter.values[int(place)] for parameter, place in zip(parameters, places, strict=True)}


def _seen(parameters, found, seen, fair):
    """Return a row for each point: the games, the first group's distance from its fair share, and the curve's."""
    rows = []
    for point, games, sums, near in zip(seen.points, seen.games, seen.sums, found.window, strict=True):
        low, high = wilson(sums[0] / games, int(games))
        rates = {"points": sums[0] / games, "low": low, "high": high}
        if near:
            rates["curve"] = found.curve.shares(point[None])[0, 0]
        points = {name: _points(rate, fair[0]) for name, rate in rates.items()}
        rows.append({"knobs": _values_of(parameters, point), "games": int(games)} | points)
    return rows


def _points(share, fair):
    return float(100 * (share - fair))


def _draw(folder, summary):
    from stardeck.benchmarks import plots

    plots.save(plots.fair(summary), folder / "fair.png")
