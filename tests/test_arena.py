"""Series of games: paired deals, the same results whatever the batch and the workers, and resumption after anything."""

import json
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow.parquet as pq
import pytest
from statsmodels.stats.proportion import proportion_confint

import stardeck
from helpers import VARIANTS, game_of, scaled, thorough
from stardeck import agents
from stardeck.benchmarks.advantage.aggregates import Tally
from stardeck.benchmarks.advantage.measure import advantage, summarize, summary_of, wilson
from stardeck.benchmarks.arena import series as arena
from stardeck.benchmarks.arena.executors import cut_ranges
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.arena.thread_executor import ThreadExecutor
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.results.store import ResultsError, Store, table_of
from stardeck.game.agent import AgentError

CORE = VARIANTS[0]
GAMES = scaled(300, 6)
TALLIED = [
    CORE,
    "star_realms/box/two_headed_hydra/4",
    "star_realms/box/nemesis_beast/3/veteran",
    "star_realms/box/hunter/3",
    next(variant for variant in VARIANTS if variant.startswith("rise_of_empire")),
]
WIN_RATE = "win_rate", "low", "high"


def rows(folder):
    return pq.read_table(folder / "games.parquet").to_pylist()


class Plain:
    """A compiled agent without its kind, so that the arena asks it decision by decision."""

    def __init__(self, name):
        self.name = name
        self._agent = agents.get(name)

    def act(self, game, states, masks, seeds):
        return self._agent.act(game, states, masks, seeds)


def same(one, two):
    for field in one._fields:
        assert np.array_equal(getattr(one, field), getattr(two, field)), field


@pytest.mark.parametrize(("old", "new"), [("noting", "record_actions"), ("telling", "record_events")])
def test_an_old_keyword_of_a_series_works_with_a_warning(old, new):
    with pytest.warns(DeprecationWarning, match=f"^{old} is deprecated; use {new}$") as caught:
        series = Series(game_of(CORE), ["rules"], 1, **{old: True})
    assert getattr(series, new) is True and caught[0].filename == __file__


@pytest.mark.parametrize("lineup", [["random"], ["simple", "rules"], ["random", "rules"]])
def test_agents_play_the_same_inside_and_outside_the_loop(lineup):
    game = game_of(CORE)
    inside = Series(game, lineup, seed=5).play(0, scaled(60, 4))
    outside = Series(game, [Plain(name) for name in lineup], seed=5).play(0, scaled(60, 4))
    mixed = Series(game, [lineup[0], *map(Plain, lineup[1:])], seed=5).play(0, scaled(60, 4))
    same(inside, outside)
    same(inside, mixed)


def test_results_do_not_depend_on_batches_or_workers(monkeypatch):
    game = game_of(CORE)
    whole = Series(game, ["simple", "rules"], seed=9).play(0, GAMES)
    for size, workers in ((7, 1), (scaled(64, 3), 2), (GAMES, 4)):
        monkeypatch.setattr(arena, "CHUNK", size)
        chunks = sorted(Series(game, ["simple", "rules"], seed=9).run([(0, GAMES)], workers), key=lambda c: c.start)
        for field in whole._fields[1:]:
            assert np.array_equal(np.concatenate([getattr(c, field) for c in chunks]), getattr(whole, field))


@pytest.mark.parametrize(
    ("games", "workers", "size", "chunks"),
    [(1, 4, 128, 1), (2_000, 1, 2_048, 1), (2_000, 2, 1_024, 2), (2_000, 16, 128, 16), (20_000, 2, 3_456, 6)],
)
def test_threads_play_equally_many_games(games, workers, size, chunks):
    """Regression: one thread played all 2,000 games of an evaluation, and the others waited."""
    executor = ThreadExecutor(workers)
    assert executor.equal_size(games, arena.BLOCK, arena.CHUNK) == size
    cut = list(cut_ranges(executor, Series(game_of(CORE), ["rules"]), [(0, games)], size))
    assert len(cut) == chunks and cut[0][1] == 0 and cut[-1][2] == games
    assert all(stop - start <= size for _, start, stop in cut)


class Together(Series):
    """A series whose chunks wait until two of them are played at once."""

    meeting = threading.Barrier(2, timeout=60)

    def play(self, start, stop):
        self.meeting.wait()
        return super().play(start, stop)


def test_a_short_series_is_played_on_all_threads(monkeypatch):
    monkeypatch.setattr(arena, "BLOCK", 2)
    chunks = list(Together(game_of(CORE), ["simple", "rules"], seed=9).run([(0, 8)], 2))
    assert sorted(chunk.start for chunk in chunks) == [0, 4]


def test_files_of_events_hold_whole_chunks(monkeypatch):
    monkeypatch.setattr(arena, "BLOCK", 2)
    series = Series(game_of(CORE), ["simple", "rules"], seed=9, record_events=True)
    assert len(list(series.run([(0, 8)], 2))) == 1


def test_shares_of_undecided_games_do_not_depend_on_threads(monkeypatch):
    monkeypatch.setattr(arena, "BLOCK", 2)
    game = stardeck.make("star_realms", set="box", format="free_for_all", players=3, max_turns=9)
    (share,) = {arena.win_share(game, "simple", "rules", 10, 9, workers) for workers in (1, 2, 5)}
    assert share == pytest.approx(1 / 3)


@pytest.mark.parametrize("recorded", [{}, {"record_actions": True, "record_events": True}])
def test_a_chunk_that_is_cut_is_joined_to_the_same(recorded):
    series = Series(game_of(CORE), ["simple", "rules"], seed=9, **recorded)
    whole = series.play(3, 10)
    parts = list(arena.cut_chunk(whole, 3))
    assert [part.start for part in parts] == [3, 6, 9]
    same(parts[1], series.play(6, 9))
    same(arena.join_chunks(parts), whole)


def test_a_series_is_the_same_after_a_journey():
    series = Series(game_of(CORE), ["rules", agents.get("random")], seed=9, record_actions=True)
    same(pickle.loads(pickle.dumps(series)).play(0, 8), series.play(0, 8))
    mirror = pickle.loads(pickle.dumps(Series(game_of(CORE), ["simple", "simple"])))
    assert len(mirror.lineups) == 1


def test_a_game_of_a_series_is_watched_with_the_same_chance():
    series = Series(game_of(CORE), ["random"], seed=9)
    chunk = series.play(0, 4)
    for seed, decisions in zip(chunk.seeds, chunk.decisions, strict=True):
        assert len(record.play(game_of(CORE), ["random"], int(seed), series=9)["moves"]) == decisions


class Forgetful(Plain):
    """An agent that fails at the eleventh decision of a game."""

    def act(self, game, states, masks, seeds):
        if (states["decisions"] > 10).any():
            raise RuntimeError("what now?")
        return super().act(game, states, masks, seeds)


def test_an_error_of_an_agent_names_the_game_that_plays_it_again():
    series = Series(game_of(CORE), [Forgetful("simple"), "rules"], seed=9)
    again = (
        r"what now\?; in game (\d+) \(deal seed \d+, decision 1\d, seat [01]\); Series\(.*\)\.play\(\1, \d+\) plays it"
    )
    with pytest.raises(AgentError, match=again) as raised:
        series.play(4, 8)
    number = int(raised.value.args[0].split("in game ")[1].split()[0])
    assert 4 <= number < 8
    with pytest.raises(AgentError, match=f"in game {number} "):
        series.play(number, number + 1)


def test_games_of_a_block_share_their_deal_and_rotate_the_seats():
    chunk = Series(game_of(CORE), ["simple", "rules"], seed=3).play(0, 8)
    assert (chunk.seeds[0::2] == chunk.seeds[1::2]).all() and len(set(chunk.seeds)) == 4
    assert chunk.rotations.tolist() == [0, 1] * 4
    mirror = Series(game_of(CORE), ["simple"], seed=3).play(0, 4)
    assert mirror.seeds.tolist() == chunk.seeds[::2].tolist() and not mirror.rotations.any()
    # splitmix64(S, b) is the b-th number of the stream that starts at S; the reference numbers are in test_random.py
    assert Series(game_of(CORE), ["simple"], seed=1234567).play(0, 2).seeds[0] == 6457827717110365317


def test_two_equal_agents_are_a_mirror_match():
    assert len(Series(game_of(CORE), ["rules", "rules"]).lineups) == 1
    one = agents.get("rules")
    assert len(Series(game_of(CORE), [one, one]).lineups) == 1


def seating(lineups):
    return [" ".join(agent.name for agent in lineup) for lineup in lineups]


@pytest.mark.parametrize(
    ("variant", "lineup", "expected"),
    [
        ("star_realms/box/two_headed_hydra/4", ["rules", "simple"], ["rules rules simple simple"]),
        ("star_realms/box/raid/4", ["rules", "simple"], ["rules simple simple simple"]),
        ("star_realms/box/nemesis_beast/3/veteran", ["rules"], ["rules rules rules"]),
        ("star_realms/box/hunter/3", ["random", "simple", "rules"], ["random simple rules", "random rules simple"]),
        ("star_realms/box/hunter/3", ["rules", "simple"], ["rules rules simple", "rules simple simple"]),
        ("star_realms/box/hunter/4", ["rules", "simple"], ["rules simple rules simple"]),
    ],
)
def test_agents_lined_up_by_side_play_all_its_seats(variant, lineup, expected):
    series = Series(game_of(variant), lineup, seed=3, by_side=True)
    sides = series.game.variant.sides
    assert all(lineup[seats[0]] is lineup[seat] for lineup in series.lineups for seats in sides for seat in seats)
    circles = seating(series.lineups[:: series.block])
    assert sorted(circles) == sorted(expected)
    assert len(set(seating(series.lineups))) == len(series.lineups) == series.block * len(circles)


def test_circular_orders_take_turns_by_deal():
    series = Series(game_of("star_realms/box/hunter/4"), list(map(Plain, ["random", "simple", "rules"])), 1, True)
    assert series.block == 4
    four = Series(game_of("star_realms/box/hunter/4"), [*series.agents, agents.get("rules")], 1, by_side=True)
    assert four.block == 4 and len(four.lineups) == 4 * 6, "six circular orders of four agents"
    assert [four.orders[i % 24] for i in (0, 4)] == [(0, 1, 2, 3), (0, 1, 3, 2)]
    chunk = Series(game_of("star_realms/box/hunter/3"), ["random", "simple", "rules"], 1, True).play(0, scaled(12, 4))
    assert (chunk.seeds[:3] == chunk.seeds[0]).all() and chunk.seeds[3] != chunk.seeds[0]
    assert chunk.rotations.tolist() == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5][: len(chunk.rotations)]


@pytest.mark.parametrize("variant", ["star_realms/box/free_for_all/3", "interstellar_empire/3"])
def test_full_placements_are_kept(variant, tmp_path):
    game = game_of(variant)
    chunk = Series(game, ["random", "rules"], seed=5).play(0, scaled(100, 3))
    assert (chunk.placements.min(axis=1) == 1).all() and (chunk.placements.max(axis=1) <= 3).all()
    alone = (chunk.placements == 1).sum(axis=1) == 1
    assert np.array_equal(chunk.winners[alone], chunk.placements[alone] == 1)
    advantage(game.variant.game, ["random", "rules"], scaled(100, 3), 5, tmp_path, **game.settings)
    assert [row["placements"] for row in rows(tmp_path)] == chunk.placements.tolist()


def test_files_of_one_name_are_told_apart(tmp_path):
    def trained(identity):
        agent = Plain("simple")
        agent.identity = identity
        return agent

    advantage("star_realms", [trained("simple:1a2b")], 2, out=tmp_path)
    advantage("star_realms", [trained("simple:1a2b")], 3, out=tmp_path)
    with pytest.raises(ResultsError, match=r"agents\[0\] 'simple \(simple:1a2b\)', not 'simple \(simple:3c4d\)'"):
        advantage("star_realms", [trained("simple:3c4d")], 4, out=tmp_path)
    with pytest.raises(ResultsError, match="not 'simple';"):
        advantage("star_realms", "simple", 4, out=tmp_path)


def test_a_summary_adds_up(tmp_path):
    summary = advantage("star_realms", agents=["rules", "simple"], games=GAMES, seed=2, out=tmp_path)
    played = rows(tmp_path)
    assert [row["index"] for row in played] == list(range(GAMES))
    assert played[0]["agents"] == ["rules", "simple"] and played[1]["agents"] == ["simple", "rules"]
    wins = [sum(row["winner"] == [seat] for row in played) for seat in (0, 1)]
    draws = sum(not row["winner"] for row in played)
    assert [seat["win_rate"] for seat in summary["seats"]] == [(n + draws / 2) / GAMES for n in wins]
    by_rules = sum(row["agents"][row["winner"][0]] == "rules" for row in played if row["winner"])
    assert summary["agents"][0] == {"agent": "rules", "games": GAMES} | {
        key: summary["agents"][0][key] for key in WIN_RATE
    }
    assert summary["agents"][0]["win_rate"] == (by_rules + draws / 2) / GAMES
    assert summary["first_advantage"]["points"] == pytest.approx(100 * (summary["seats"][0]["win_rate"] - 0.5))
    assert summary["truncated"] == sum(row["truncated"] for row in played)
    assert summary["turns"]["mean"] == pytest.approx(np.mean([row["turns"] for row in played]))
    assert {path.name for path in tmp_path.iterdir()} == {"games.parquet", "summary.json", "advantage.png"}
    assert json.loads((tmp_path / "summary.json").read_text()) == summary
    keys = (
        "variant settings tables identities seed games seats teams agents first_advantage turns decisions_mean"
        " truncated games_per_second origin"
    )
    assert list(summary) == keys.split()


@pytest.mark.parametrize(("variant", "sides"), [(TALLIED[1], 2), (TALLIED[2], 1), (TALLIED[3], 3)])
def test_an_agent_wins_once_with_all_its_seats_of_a_side(variant, sides):
    series = Series(game_of(variant), ["rules"], seed=4)
    summary = summarize(series, table_of(series.play(0, GAMES), series.names), None)
    (agent,) = summary["agents"]
    assert agent["games"] == sides * GAMES
    if sides == 1:
        assert agent == {"agent": "rules", "games": GAMES} | {key: summary["teams"][0][key] for key in WIN_RATE}


@pytest.mark.parametrize("variant", TALLIED)
def test_games_are_counted_alike_in_whatever_stretches_they_come(variant):
    game = game_of(variant)
    series = Series(game, ["random", "simple"][: len(game.variant.sides)], seed=4)
    table = table_of(series.play(0, GAMES), series.names)
    whole, parts = summarize(series, table, None), Tally(series)
    for start in range(0, GAMES, 5):
        parts.add(table.slice(start, 5))
    assert summary_of(series, parts, None) == whole
    turns = np.array(table["turns"].to_pylist())
    p5, median, p95 = np.percentile(turns, [5, 50, 95]).tolist()
    assert whole["turns"] == {"mean": turns.mean(), "median": median, "p5": p5, "p95": p95}
    assert whole["decisions_mean"] == np.mean(table["decisions"].to_pylist())
    won = [game.variant.sides[0][0] in winners for winners in table["winner"].to_pylist()]
    nobody = sum(not winners for winners in table["winner"].to_pylist()) if len(game.variant.sides) > 1 else 0
    assert whole["teams"][0]["win_rate"] == (sum(won) + nobody / len(game.variant.sides)) / GAMES


def test_intervals_are_wilsons():
    """Worked example: 8 of 10 gives 0.490 to 0.943 (Brown, Cai and DasGupta 2001, and any table)."""
    from stardeck.benchmarks.advantage.measure import win_rate

    rate = win_rate(8, 10)
    assert (round(rate["low"], 3), round(rate["high"], 3)) == (0.490, 0.943)
    assert win_rate(0, 0) == {"win_rate": None, "low": None, "high": None}


def test_a_truncated_game_counts_half_for_each_side(tmp_path):
    summary = advantage("star_realms", agents="simple", games=4, out=tmp_path, max_turns=2)
    assert summary["truncated"] == 4
    assert [seat["win_rate"] for seat in summary["seats"]] == [0.5, 0.5]
    assert summary["first_advantage"]["points"] == 0 and summary["first_advantage"]["elo"] == 0
    assert all(row["winner"] == [] and row["truncated"] for row in rows(tmp_path))


def test_more_games_extend_what_is_there(tmp_path):
    advantage("star_realms", agents=["simple", "rules"], games=GAMES, out=tmp_path / "once")
    advantage("star_realms", agents=["simple", "rules"], games=GAMES // 3, out=tmp_path / "twice")
    summary = advantage("star_realms", agents=["simple", "rules"], games=GAMES, out=tmp_path / "twice", workers=1)
    assert rows(tmp_path / "once") == rows(tmp_path / "twice")
    again = advantage("star_realms", agents=["simple", "rules"], games=GAMES, out=tmp_path / "twice")
    assert again == summary, "nothing is left to play"


def test_an_interrupted_series_keeps_what_is_finished_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(arena, "CHUNK", scaled(10, 1))

    def stop(done, games):
        if done >= GAMES // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        advantage("star_realms", agents="simple", games=GAMES, out=tmp_path / "cut", progress=stop)
    kept = len(rows(tmp_path / "cut"))
    assert 0 < kept < GAMES
    assert json.loads((tmp_path / "cut" / "summary.json").read_text())["games"] == kept
    advantage("star_realms", agents="simple", games=GAMES, out=tmp_path / "cut")
    advantage("star_realms", agents="simple", games=GAMES, out=tmp_path / "whole")
    assert rows(tmp_path / "cut") == rows(tmp_path / "whole")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"agents": "rules"}, r"holds results with agents\[0\] 'simple', not 'rules'"),
        ({"seed": 1}, "holds results with seed 0, not 1"),
        ({"max_turns": 9}, "holds results with variant"),
        ({"games": 2}, "games=2: .* already holds 4 games"),
    ],
)
def test_a_folder_of_something_else_is_refused(tmp_path, change, message):
    start = {"agents": "simple", "games": 4, "out": tmp_path}
    advantage("star_realms", **start)
    before = rows(tmp_path)
    with pytest.raises(ValueError, match=message):
        advantage("star_realms", **start | change)
    assert rows(tmp_path) == before


def test_broken_files_are_named(tmp_path):
    advantage("star_realms", agents="simple", games=4, out=tmp_path)
    path = tmp_path / "games.parquet"
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ResultsError, match="games.parquet: is not a whole file of results; delete it"):
        advantage("star_realms", agents="simple", games=8, out=tmp_path)


def test_results_of_an_older_version_are_named(tmp_path):
    advantage("star_realms", agents="simple", games=4, out=tmp_path)
    path = tmp_path / "games.parquet"
    pq.write_table(pq.read_table(path).drop_columns("placements"), path)
    with pytest.raises(ResultsError, match="games.parquet: has no column placements, for an older version wrote it"):
        advantage("star_realms", agents="simple", games=8, out=tmp_path)


def test_games_beyond_a_limit_are_thrown_away(tmp_path):
    series = Series(game_of(CORE), ["simple"], seed=1)
    table = table_of(series.play(0, 6), series.names)
    for stretches in ([(0, 2), (2, 6)], [(0, 6)], [(0, 3), (4, 6)]):
        store = Store(tmp_path, {"seed": 1})
        for start, stop in stretches:
            store.add(table.slice(start, stop - start), start)
        assert store.join(3).equals(table.slice(0, 3))
        again = Store(tmp_path, {"seed": 1})
        assert again.join().equals(table.slice(0, 3)) and again.longest == 3
        shutil.rmtree(tmp_path)


def test_parts_that_do_not_hold_what_they_say_are_named(tmp_path):
    store = Store(tmp_path, {"seed": 1})
    (tmp_path / "parts" / "surprise.parquet").write_bytes(b"")
    with pytest.raises(ResultsError, match="surprise.parquet: is not a file of results"):
        Store(tmp_path, {"seed": 1})
    assert store.missing(10) == [(0, 10)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games=0: must be a whole number from 1 on"),
        ({"workers": 0}, "workers=0: must be a whole number from 1 on"),
        ({"on": "cloud"}, "on='cloud': must be local, ray, or ray://host:port"),
        ({"on": "ray://host"}, "on='ray://host': must be local, ray, or ray://host:port"),
        ({"seed": -1}, "seed=-1: must be a whole number from 0"),
        ({"agents": ["rules"] * 3}, "agents: 3 given: star_realms/core/standard/2 takes 1 to 2"),
        ({"agents": "nobody"}, "agent 'nobody': must be one of random, simple, rules"),
    ],
)
def test_impossible_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        advantage("star_realms", **{"games": 2} | arguments)


def command(folder, games, *more):
    line = [sys.executable, "-m", "stardeck.commands.cli", "advantage", "star_realms", "--agents", "simple"]
    return [*line, "--games", str(games), "--seed", "4", "--out", str(folder), *more]


def finished_games(folder):
    return sum(int(path.stem.split("-")[1]) - int(path.stem.split("-")[0]) for path in folder.glob("parts/*.parquet"))


KILLED = thorough(80_000, 50_000)  # games: enough to be killed in their midst
QUIET = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the folder of an uninterrupted command."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run(command(folder, KILLED, "--workers", "3"), **QUIET)
    return folder


# How a process ends: Windows knows one way only.
ENDS = [(signal.SIGTERM, 1)] if sys.platform == "win32" else [(signal.SIGKILL, -9), (signal.SIGINT, 130)]


@pytest.mark.once
@pytest.mark.parametrize(("how", "code"), ENDS)
def test_a_killed_command_resumes_to_exactly_the_unbroken_result(tmp_path, whole, how, code):
    """What the command has finished before a kill is kept, whatever the number of workers before and after."""
    process = subprocess.Popen(command(tmp_path / "cut", KILLED), stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 240
    while finished_games(tmp_path / "cut") < thorough(20_000, 10_000):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(how)
    assert process.wait(timeout=120) == code
    kept = finished_games(tmp_path / "cut") if how != signal.SIGINT else len(rows(tmp_path / "cut"))
    assert 0 < kept < KILLED
    subprocess.run(command(tmp_path / "cut", KILLED, "--workers", "1"), **QUIET)
    assert rows(tmp_path / "cut") == rows(whole)
    summaries = [json.loads((folder / "summary.json").read_text()) for folder in (tmp_path / "cut", whole)]
    for summary in summaries:
        del summary["games_per_second"], summary["origin"]
    assert summaries[0] == summaries[1]


@pytest.mark.parametrize("points, games", [(0, 1), (1, 1), (0.5, 1), (1042.5, 2000), (0, 100), (100, 100), (3, 10**9)])
def test_intervals_are_those_of_statsmodels(points, games):
    low, high = proportion_confint(points, games, alpha=0.05, method="wilson")
    assert wilson(points / games, games) == pytest.approx((low, high), rel=1e-12, abs=1e-15)


LIGHT = """
import sys
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.league.tournament import league
advantage("interstellar_empire", "random", games=1)
print(*sorted({"matplotlib"} & set(sys.modules)))
advantage("interstellar_empire", "random", games=1, out=sys.argv[1] + "/advantage", collect="events")
league("interstellar_empire", ["random", "simple"], games=2, out=sys.argv[1] + "/league")
heavy = {"choix", "matplotlib.pyplot", "pandas", "pyarrow.compute", "pyarrow.dataset", "scipy.stats", "torch"}
print(*sorted(heavy & set(sys.modules)))
"""


def test_measuring_imports_no_library_that_takes_longer_than_playing(tmp_path):
    command = [sys.executable, "-c", LIGHT, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == []
