"""A league: every agent against every other, in any variant, with ratings, a cross table and sequential tests.

- Two sides: each two agents play a match, in pairs of games: same deal, swapped sides.
- Three or more sides: each combination of as many agents as there are sides plays a match; fewer agents than sides
  are dealt out in turn. The games of a deal rotate the agents over the sides. The deals take the circular orders in
  turn, for neighbours matter.
- One side (the challenges): each agent plays alone against the automated opponent, which is rated too, as `Boss`.

One agent plays all seats of a side.

The folder gets `games.parquet` (all games, with a column `match`), `league.json` (the summary), `league.png`, and the
collected `moves.parquet` and `cards.parquet`. `matches/` keeps the results match by match. The same command continues
a stopped league. With more agents it plays the missing matches; with more games it extends all matches. Agents that a
later call leaves out stay in the folder and do not appear in the tables.

The summary: `variant`, `settings`, `seed`, `games` (in all), `games_per_match`, `sprt` (the test, or null), and

- `agents`: {agent, games, rating, low, high, win_rate}, in the given order. `games` counts the sides played. `rating`
  is in Elo, with its 95 % interval and the first agent at 0; null where no games lead to the first agent. `low` is null
  if an agent has won nothing that would bound its weakness, and `high` if it has lost nothing. The other end is then
  all that the games show. In `win_rate` a draw or truncation counts 1/n to each of n sides, including the Boss.
  `nash` and `alpha_rank` do not need transitive results. They are null unless three or more agents have all met in
  matches of two sides. `nash` is {weight, weight_low, weight_high, score, low, high}: the weight of the agent in the
  Nash equilibrium of the choice of an agent, and its score against that mixture; the best have 0.5. `alpha_rank` is
  {mass, low, high}: its share of an evolving population. All intervals have 95 % (meta_game.py).
- `cross_table`: {agents, games, points, score, low, high, llr, sprt} for each two agents that met. `games` counts their
  games. The first agent gets one of `points` for each better place and half for the same; `score` is their share.
  `sprt` is H1, H0 or undecided, and `llr` the log-likelihood ratio; both are null without a test. A test stops where a
  difference looks large, so ratings and scores overstate it a little.
- `transitivity`: {elo_explains, p, chi2, freedom, cyclic, worst}, or null where `nash` is. `p` is the chance of results
  that differ as much from a fit of ratings if Elo is right, by a chi-square test with `freedom` degrees of freedom.
  `elo_explains` is false below 0.05. `cyclic` is {share, low, high}: the share of the log odds that no rating explains.
  `worst` is {agents, score, score_by_elo}: the pair that exceeds its score by Elo the most (transitivity.py).
- `games_per_second`, `tables` (their hash), `identities` (of the agents), and `origin`: {version, command, date,
  machine}.
"""

import json
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, nullcontext
from itertools import combinations
from pathlib import Path
from typing import Any, Unpack, overload

from stardeck import agents as players
from stardeck.agents.identity import identity_of
from stardeck.benchmarks.arena import series as arena
from stardeck.benchmarks.arena.device_player import check_device, require_gpu
from stardeck.benchmarks.arena.executors import executor_for, next_multiple
from stardeck.benchmarks.arena.options import MeasureOptions, measure_options, silent
from stardeck.benchmarks.league.matches import BOSS, Match, Plan
from stardeck.benchmarks.league.sprt import Sprt
from stardeck.benchmarks.league.standings import result_of, standings
from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.arrow_columns import texts
from stardeck.benchmarks.results.artifacts import CARDS, MOVES, cards_of, check_collect, recordings_for, rows_in
from stardeck.benchmarks.results.atomic_files import parse_json, write_whole
from stardeck.benchmarks.results.compatibility import completed, difference
from stardeck.benchmarks.results.event_store import EVENTS, EventsStore
from stardeck.benchmarks.results.filesystems import place, read_file
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.store import (
    KEY,
    ORIGIN,
    SCHEMA,
    ResultsError,
    last_speed,
    last_summary,
    write_tables,
)
from stardeck.game.agent import AgentLike
from stardeck.game.game import Game
from stardeck.kernels.errors import MOST_SEED, number_from, shown

MATCH = ("match", pa.string())  # first column of the files of a league


@overload
def league(
    game: str, agents: AgentLike | Sequence[AgentLike], games: int = 1_000, seed: int = 0,
    out: str | Path | None = None, *, sprt: tuple[float, float] | None = None, **options: Unpack[MeasureOptions],
) -> dict[str, Any]: ...  # fmt: skip
@overload
def league(
    game: str, agents: AgentLike | Sequence[AgentLike], games: int = 1_000, seed: int = 0,
    out: str | Path | None = None, *, sprt: tuple[float, float] | None = None, **options: Any,
) -> dict[str, Any]: ...  # fmt: skip
def league(
    game: str, agents: AgentLike | Sequence[AgentLike], games: int = 1_000, seed: int = 0,
    out: str | Path | None = None, *, sprt: tuple[float, float] | None = None, **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Play a league: every agent against every other, with ratings.

    Args:
        game: Name of the game.
        agents: List of names, files, or objects with `act`. The first one has the rating 0.
        games: Games of each match, rounded up to whole blocks of games that share a deal.
        seed: Seed of all chance.
        out: Folder of the league, or its URL. None stores nothing.
        sprt: Pair (low, high) in normalised Elo. A match then stops when it is clear whether the agent listed first is
            better by `low` (H0) or by `high` (H1).
        **options: Options of `MeasureOptions`, and settings of the game.

    Returns:
        The summary, which the head of this file describes.

    Raises:
        ValueError: An option, a setting or an agent is invalid, or the folder holds other results.
        KeyboardInterrupt: The league was stopped. The folder holds all finished chunks.
    """
    chosen, settings = measure_options("league", game, options, MeasureOptions.__optional_keys__)
    played = Game.named(game, settings)
    listed: list[Any] = list(agents) if isinstance(agents, list | tuple) else [agents]
    rated = [players.get(players.honest(agent) if chosen["honest"] else agent, played) for agent in listed]
    test = None if sprt is None else Sprt.of(sprt)
    collected = check_collect(chosen["collect"])
    if collected and out is None:
        raise ValueError(f"collect={collected[0]}: needs a folder (out) to be kept in")
    executor, device = executor_for(chosen["on"], chosen["workers"]), chosen["device"]
    _check(played, rated, listed, games, seed, test)
    check_device(device, rated, record_events="events" in collected)
    require_gpu(device, executor.away)
    plan = Plan(games, seed, test, collected, origin(), device, chosen["picture"] and out is not None)
    with tempfile.TemporaryDirectory() if out is None else nullcontext(out) as folder, only_writer(folder):
        return _League(place(folder), played, rated, plan).play(executor, chosen["progress"] or silent)


def _check(game, agents, given, games, seed, test):
    names = [agent.name for agent in agents]
    sides = len(game.variant.sides)
    fewest = min(sides, 2)
    if len(names) < fewest:
        raise ValueError(f"agents: {len(names)} given: a league of {game.id} takes {fewest} or more")
    for name in names:
        if names.count(name) > 1:
            own = "each agent of a league needs a name of its own; a trained agent has the name of its file"
            texts = [one for one, agent in zip(given, agents, strict=True) if agent.name == name and one != name]
            also = f", as {shown(texts[0])}" if texts and isinstance(texts[0], str) else ""
            raise ValueError(f"agents: {name!r} is given twice{also}; {own}")
    if sides == 1 and BOSS in names:
        raise ValueError(f"agents: {BOSS!r} is the name of the automated opponent")
    number_from(games, "games", 1)
    number_from(seed, "seed", 0, MOST_SEED)
    if test and sides != 2:
        raise ValueError(f"sprt: tests pairs of games between two sides, and {game.id} has {sides}")


class _League:
    """A league in a folder: its matches and their results."""

    def __init__(self, folder, game, agents, plan):
        self.folder, self.game, self._plan = folder, game, plan
        sides = len(game.variant.sides)
        self.names = [agent.name for agent in agents] + ([BOSS] if sides == 1 else [])
        self.pool = _pool(folder, game, agents, plan.seed)
        lineups = combinations(agents, min(len(agents), sides))
        self.matches = [Match(folder, game, lineup, plan) for lineup in lineups]
        write_whole(folder / "pool.json", json.dumps(self.pool, indent=2) + "\n")

    def play(self, executor, progress) -> dict:
        """Play the missing games and return the summary. It writes all files, also when interrupted."""
        by_series = {match.series: match for match in self.matches}
        unfinished = [match for match in self.matches if match.missing()]
        if unfinished:
            executor.warm_up(unfinished[0].series)
        played = 0
        began = time.perf_counter()
        try:
            self._tell(progress)
            with closing(executor.run(_stretches(unfinished, executor, self._plan))) as finished:
                for series, chunk in finished:
                    by_series[series].add(chunk)
                    played += len(chunk.seeds)
                    self._tell(progress)
        finally:
            path = self.folder / "league.json"
            speed = played / (time.perf_counter() - began) if played else last_speed(path)
            made = self._plan.origin if played else last_summary(path).get("origin", self._plan.origin)
            summary = self._write(speed, made)
        return summary

    def _tell(self, progress):
        """Report the progress; a match that its test has stopped counts as played."""
        done = sum(match.done if match.end is None else match.games for match in self.matches)
        progress(done, sum(match.games for match in self.matches))

    def _write(self, speed, made) -> dict:
        results = self._join(made)
        summary = {
            "variant": self.game.id,
            "settings": self.game.settings,
            "tables": self.game.variant.tables,
            "identities": list(self.pool["agents"].values()),
            "seed": int(self._plan.seed),
            "games": sum(result.games for result in results),
            "games_per_match": self._plan.games,
            "sprt": self._plan.test and self._plan.test._asdict(),
            **standings(self.names, results, self._plan.test, self._plan.seed),
            "games_per_second": speed,
            "origin": made,
        }
        write_whole(self.folder / "league.json", json.dumps(summary, indent=2) + "\n")
        if summary["games"] and self._plan.picture:
            from stardeck.benchmarks import plots

            plots.save(plots.league(summary), self.folder / "league.png")
        return summary

    def _join(self, made):
        """Join the games and the collected data of the matches into one file each; return the results."""
        results = []

        def games():
            for match in self.matches:
                table = match.join()
                results.append(result_of(match, table, self.names, self._plan.test))
                yield match, table

        self._write_file("games.parquet", SCHEMA, games(), made)
        record_actions, record_events = recordings_for(self._plan.collected)
        if record_actions:
            self._write_file("moves.parquet", MOVES, self._moves(), made)
        if "cards" in self._plan.collected:
            cards = ((match, cards_of(self.game, match.series.names, some)) for match, some in self._moves())
            self._write_file("cards.parquet", CARDS, cards, made)
        if record_events:
            self._write_events(made)
        return results

    def _moves(self):
        """Yield the moves of every match: (match, table)."""
        return ((match, some) for match in self.matches for some in rows_in(match.folder / "moves.parquet"))

    def _write_events(self, made):
        """Write the events of every match into a file of its own."""
        folder = self.folder / EventsStore.parts
        folder.mkdir(parents=True, exist_ok=True)
        files = {f"{match.folder.name}.parquet": match for match in self.matches}
        for path in folder.glob("*.parquet"):
            if path.name not in files:
                path.unlink()
        for name, match in files.items():
            rows = ((match, some) for some in match.events())
            self._write_file(f"{EventsStore.parts}/{name}", EVENTS, rows, made, **EventsStore.options)

    def _write_file(self, name, schema, rows, made, **options):
        """Write rows of matches, (match, table), into one file of the league."""
        metadata = {KEY: json.dumps(self.pool, sort_keys=True).encode(), ORIGIN: json.dumps(made).encode()}
        tables = (table.add_column(0, pa.field(*MATCH), texts([str(match)], [0] * len(table))) for match, table in rows)
        write_tables(tables, self.folder / name, pa.schema([MATCH, *schema], metadata), **options)


def _stretches(matches, executor, plan):
    """Yield the missing games in growing chunks, so a test can stop a match early."""
    for match in matches:
        size = _first_size(match, executor, plan)
        for start, stop in match.missing():
            while start < stop and match.end is None:
                end = min(next_multiple(start, size), stop)
                yield match.series, start, end
                start = end
                size = min(2 * size, executor.size(match.series, stop - start))


def _first_size(match, executor, plan):
    """Return the number of games in the first chunk of a match; on a GPU, a few games take as long as thousands."""
    if plan.device == "cpu":
        return arena.SLOW_CHUNK
    return arena.CHUNK if plan.test else executor.size(match.series, match.games)


def _pool(folder, game, agents, seed) -> dict:
    """Return the identity of a league, with all agents that have ever played in its folder.

    These are the given agents and the agents of `pool.json`. Raises ResultsError if the folder holds anything else.
    """
    held = completed(_read_pool(folder))
    pool = {
        "variant": game.id,
        "settings": game.settings,
        "tables": game.variant.tables,
        "seed": int(seed),
        "agents": held.get("agents", {}) | {agent.name: identity_of(agent) for agent in agents},
    }
    compared = [(key, held.get(key), pool[key]) for key in pool if held and key != "agents"]
    compared += [(f"agent {name}", before, pool["agents"][name]) for name, before in held.get("agents", {}).items()]
    for key, before, now in compared:
        if other := difference(before, now, key):
            raise ResultsError(f"{folder}: holds a league with {other}; choose another folder (--out)")
    return pool


def _read_pool(folder):
    path = folder / "pool.json"
    try:
        pool = dict(parse_json(read_file(path)))
        return pool | {"agents": dict(pool["agents"])}
    except FileNotFoundError:
        if any((folder / name).exists() for name in ("games.parquet", "parts")):
            other = "holds other results, not a league; choose another folder (--out)"
            raise ResultsError(f"{folder}: {other}") from None
        return {}
    except (OSError, LookupError, TypeError, ValueError) as error:
        raise ResultsError(f"{path}: cannot be read ({error}); choose another folder (--out)") from error
