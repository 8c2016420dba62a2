"""First-player advantage and win rates of listed games, with figures worked out by hand."""

from itertools import count
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from statsmodels.stats.proportion import proportion_confint

from helpers import game_of
from stardeck import agents
from stardeck.benchmarks.advantage import measure
from stardeck.benchmarks.advantage.aggregates import Tally
from stardeck.benchmarks.advantage.measure import summarize, summary_of
from stardeck.benchmarks.arena import series as arena
from stardeck.benchmarks.arena.series import Series, win_share
from stardeck.benchmarks.arena.thread_executor import ThreadExecutor
from stardeck.benchmarks.results.store import SCHEMA

HYDRA, THREE_HEADS = "star_realms/box/two_headed_hydra/4", "star_realms/box/three_headed_hydra/6"
EMPEROR, RAID = "star_realms/box/emperor/6", "star_realms/box/raid/4"
TEAMS = {
    HYDRA: [[0, 1], [2, 3]],
    THREE_HEADS: [[0, 1, 2], [3, 4, 5]],
    EMPEROR: [[0, 1, 2], [3, 4, 5]],
    RAID: [[0], [1, 2, 3]],
}


def game(first, winner, index=0, **more):
    """Return a row: the seat that moved first, and the seats that won."""
    row = {"index": index, "seed": 7, "agents": [], "first": first, "winner": winner, "truncated": False}
    return row | {"turns": 20, "decisions": 50, "placements": [], "scenarios": []} | more


def summary(variant, agents, rows):
    """Return the summary of rows; an index follows the previous one unless the row has its own."""
    table = pa.Table.from_pylist(rows, SCHEMA)
    return summarize(Series(game_of(variant), agents), table, None)


def numbered(rows):
    return [row | {"index": index} for index, row in enumerate(rows)]


def rates(rows):
    return [row["win_rate"] for row in rows]


def advantage_of(found):
    return found["first_advantage"]["points"], found["first_advantage"]["elo"]


def interval(points, games):
    return proportion_confint(points, games, method="wilson")


@pytest.mark.parametrize("variant", TEAMS)
def test_the_fair_share_of_a_team_is_that_of_a_side(variant):
    """The side with the first turn wins 559 of 1,000 games: 5.9 points above one half, whatever its number of seats."""
    one, two = TEAMS[variant]
    rows = [game(one[0], one)] * 300 + [game(one[-1], one)] * 59 + [game(two[0], two)] * 150
    rows += [game(two[-1], two)] * 50 + [game(one[0], two)] * 341 + [game(two[-1], one)] * 100
    found = summary(variant, ["rules"], rows)
    low, high = interval(559, 1000)
    # 400 · log10(559 / 441) = 400 · 0.10297
    assert found["first_advantage"] == {
        "points": pytest.approx(5.9),
        "low": pytest.approx(100 * low - 50),
        "high": pytest.approx(100 * high - 50),
        "elo": pytest.approx(41.19, abs=0.005),
    }
    # Side 0 wins 300 + 59 + 100 games, side 1 wins 150 + 50 + 341.
    assert rates(found["teams"]) == [0.459, 0.541] and [team["seats"] for team in found["teams"]] == [one, two]
    assert rates(found["seats"]) == [0.459] * len(one) + [0.541] * len(two)
    assert rates(found["agents"]) == [0.5] and found["agents"][0]["games"] == 2000


@pytest.mark.parametrize("variant", TEAMS)
def test_an_undecided_game_counts_half_for_each_of_two_teams(variant):
    """40 games won by the side that begins, 36 lost, 10 drawn and 14 truncated: 40 + 24/2 of 100."""
    one, two = TEAMS[variant]
    rows = [game(one[0], one)] * 40 + [game(one[0], two)] * 36
    rows += [game(one[0], [])] * 10 + [game(one[0], [], truncated=True)] * 14
    found = summary(variant, ["rules"], rows)
    # 400 · log10(52 / 48) = 400 · 0.034762
    assert advantage_of(found) == pytest.approx((2.0, 13.905), abs=5e-4)
    assert rates(found["teams"]) == [0.52, 0.48] and found["truncated"] == 14
    assert (found["teams"][0]["low"], found["teams"][0]["high"]) == pytest.approx(interval(52, 100))


@pytest.mark.parametrize(
    ("players", "points", "seats"),
    [
        # (24 + 12/3) / 60 - 1/3 = 0.13333
        (3, 13.3333, [4 / 60, 28 / 60, 28 / 60]),
        # (24 + 12/4) / 60 - 1/4 = 0.2
        (4, 20.0, [3 / 60, 27 / 60, 27 / 60, 3 / 60]),
        # (24 + 12/5) / 60 - 1/5 = 0.24
        (5, 24.0, [2.4 / 60, 26.4 / 60, 26.4 / 60, 2.4 / 60, 2.4 / 60]),
        # (24 + 12/6) / 60 - 1/6 = 0.26667
        (6, 26.6667, [2 / 60, 26 / 60, 26 / 60, 2 / 60, 2 / 60, 2 / 60]),
    ],
)
def test_three_to_six_players_have_a_fair_share_each(players, points, seats):
    """Of 60 games, 24 are won by the seat that begins (1), 24 by seat 2 while 0 begins, and 12 by no one."""
    rows = [game(1, [1])] * 24 + [game(0, [2])] * 24 + [game(2, [])] * 7 + [game(0, [], truncated=True)] * 5
    found = summary(f"star_realms/box/free_for_all/{players}", ["rules"], rows)
    assert found["first_advantage"]["points"] == pytest.approx(points, abs=1e-4)
    assert found["first_advantage"]["elo"] is None, "Elo compares two sides"
    assert rates(found["seats"]) == pytest.approx(seats) and sum(rates(found["seats"])) == pytest.approx(1)
    assert found["agents"] == [found["agents"][0] | {"agent": "rules", "games": 60 * players}]
    assert rates(found["agents"]) == pytest.approx([1 / players])


def test_players_who_are_one_side_have_no_first_player_advantage():
    """Against a Boss a game without a winner is lost: 4 of 10."""
    rows = [game(0, [0, 1, 2])] * 4 + [game(1, [])] * 5 + [game(0, [], truncated=True)]
    found = summary("star_realms/box/nemesis_beast/3/veteran", ["rules"], rows)
    assert set(found["first_advantage"].values()) == {None}
    assert rates(found["teams"]) == [0.4] and rates(found["seats"]) == [0.4] * 3 and rates(found["agents"]) == [0.4]
    assert found["agents"][0]["games"] == 10


def test_agents_are_counted_by_the_seats_that_they_had():
    """Two games of each deal with the seats swapped: rules has seat 0 in games of even number."""
    winners = [[0], [0], [1], [1], [0], [1], [], [1]]
    rows = numbered([game(0, winner) for winner in winners])
    found = summary("star_realms/core/standard/2", ["rules", "simple"], rows)
    # rules wins games 0, 3, 4, 5 and 7, simple 1 and 2; game 6 is half a point for each.
    assert [(row["agent"], row["games"]) for row in found["agents"]] == [("rules", 8), ("simple", 8)]
    assert rates(found["agents"]) == [5.5 / 8, 2.5 / 8]
    # Seat 0 wins games 0, 1 and 4, seat 1 wins 2, 3, 5 and 7.
    assert rates(found["seats"]) == [3.5 / 8, 4.5 / 8]
    # 3.5 / 8 - 1/2, and 400 · log10(3.5 / 4.5) = 400 · -0.109144
    assert advantage_of(found) == pytest.approx((-6.25, -43.658), abs=5e-4)
    odd = summary("star_realms/core/standard/2", ["rules", "simple"], rows[1::2])
    assert rates(odd["agents"]) == [3 / 4, 1 / 4], "a stretch may begin anywhere"


def test_an_agent_with_seats_of_both_teams_wins_and_loses_the_same_game():
    """Three agents take the four seats of a Hydra in turn: r s | x r, then s x | r r, x r | r s and r r | s x."""
    rows = numbered([game(0, [0, 1]), game(2, [2, 3]), game(0, [0, 1]), game(2, [])])
    found = summary(HYDRA, ["rules", "simple", "random"], rows)
    by_name = {row["agent"]: (row["games"], row["win_rate"]) for row in found["agents"]}
    # rules: one of two sides, won, one of two sides, half of one; simple: won, lost, lost, half; random: lost, lost,
    # won, half.
    assert by_name == {"rules": (6, 3.5 / 6), "simple": (4, 1.5 / 4), "random": (4, 1.5 / 4)}
    # The side of seat 0 began and won twice, that of seat 2 began and won once, and one game had no winner: 3.5 of 4.
    assert found["first_advantage"]["points"] == 37.5


def test_a_certain_win_has_no_elo():
    for winner in (0, 1):
        found = summary("star_realms/core/standard/2", ["rules"], [game(0, [winner])] * 5)
        assert found["first_advantage"]["points"] == (50 if winner == 0 else -50)
        assert found["first_advantage"]["elo"] is None


def test_lengths_are_those_of_the_games():
    rows = [game(0, [0], turns=turns, decisions=3 * turns) for turns in (40, 10, 30, 20)]
    found = summary("star_realms/core/standard/2", ["rules"], rows)
    # At 5 % and 95 % of the way from the first of four to the last: 0.15 and 2.85.
    assert found["turns"] == {"mean": 25, "median": 25, "p5": pytest.approx(11.5), "p95": pytest.approx(38.5)}
    assert found["decisions_mean"] == 75


def test_who_won_the_last_scenario_begins_the_next():
    """Seat 0 begins the first scenario. In one campaign 0, 1, 1 and 0 win four of them, in another 1 and 1 win two."""
    scenarios = [[0, 1, 1, 0] + [-1] * 8, [1, 1] + [-1] * 10]
    rows = [game(0, [0], scenarios=won) for won in scenarios]
    found = summary("rise_of_empire/2", ["rules"], rows)
    seats = [rates(row["seats"]) for row in found["scenarios"]]
    assert seats[:5] == [[0.5, 0.5], [0, 1], [0, 1], [1, 0], [None, None]]
    # They begin 0, 0, 1, 1 and 0, 1; so the first turn wins scenarios 1 and 3, and scenario 2 of the other campaign.
    assert [row["first"]["win_rate"] for row in found["scenarios"]][:5] == [0.5, 0.5, 1, 0, None]
    assert found["first_of_scenarios"]["win_rate"] == 3 / 6
    assert [row["scenario"] for row in found["scenarios"]] == list(range(1, 13))


def test_stretches_add_up():
    one, two = TEAMS[HYDRA]
    series = Series(game_of(HYDRA), ["rules", "simple"])
    rows = numbered([game(0, one), game(2, one, turns=30), game(3, []), game(1, two, truncated=True)])
    tally = Tally(series)
    for start in (0, 1, 3):
        tally.add(pa.Table.from_pylist(rows[start : {0: 1, 1: 3, 3: 4}[start]], SCHEMA))
    tally.add(pa.Table.from_pylist([], SCHEMA))
    assert (tally.games, tally.undecided, tally.of_first, tally.truncated, tally.decisions) == (4, 1, 1, 1, 200)
    assert tally.sides.tolist() == [2, 1] and tally.turns.tolist() == [0] * 20 + [3] + [0] * 9 + [1]
    assert summary_of(series, tally, 2.5)["games_per_second"] == 2.5


def test_nothing_played_is_nothing_known():
    found = summary(HYDRA, ["rules"], [])
    assert found["games"] == 0 and found["decisions_mean"] is None and set(found["turns"].values()) == {None}
    assert set(found["first_advantage"].values()) == {None} and rates(found["teams"]) == [None, None]


def test_speed_is_the_games_played_in_a_second(monkeypatch, tmp_path):
    """The clock advances two seconds at each call: one before the games and one after them."""
    clock = count(0, 2)
    monkeypatch.setattr(measure, "time", SimpleNamespace(perf_counter=lambda: next(clock)))

    def speed(games, out):
        return measure.advantage("interstellar_empire", "random", games, out=out)["games_per_second"]

    assert speed(6, None) == 3 and speed(6, tmp_path) == 3
    assert speed(10, tmp_path) == 2, "four of the ten games are new"
    assert speed(10, tmp_path) == 2, "that of the last games played"
    assert [row["index"] for row in pq.read_table(tmp_path / "games.parquet").to_pylist()] == list(range(10))


def test_kernels_compile_before_the_clock_starts(monkeypatch, tmp_path):
    """Compiling takes no part of the speed, and nothing compiles where no game is missing."""
    called = []
    monkeypatch.setattr(ThreadExecutor, "warm_up", lambda executor, series: called.append("warm up"))
    monkeypatch.setattr(measure, "time", SimpleNamespace(perf_counter=lambda: called.append("clock") or len(called)))
    for out, wanted in ((None, "warm up"), (tmp_path, "warm up"), (tmp_path, "clock")):
        called.clear()
        assert measure.advantage("interstellar_empire", "random", 1, out=out)["games"] == 1
        assert called[0] == wanted and called.count("warm up") == (wanted == "warm up")


@pytest.mark.parametrize(
    ("variant", "winners", "share"),
    [
        # Sides rotate: the agent has side 0, then side 1. Won, lost, won, drawn: 2.5 of 4.
        (HYDRA, [[0, 1], [0, 1], [0, 1], []], 2.5 / 4),
        # One side of three: its seats are 0, 2, 1, and again. Won, won, lost, drawn, drawn, won: 3 + 2/3 of 6.
        ("star_realms/box/free_for_all/3", [[0], [2], [0], [], [], [1]], (3 + 2 / 3) / 6),
        # Against the Boss a game without a winner is a loss: 1 of 2.
        ("star_realms/box/nemesis_beast/3/veteran", [[0, 1, 2], []], 1 / 2),
    ],
)
def test_a_best_response_is_measured_by_the_share_of_its_side(variant, winners, share, monkeypatch):
    seats = game_of(variant).players
    won = np.array([[seat in row for seat in range(seats)] for row in winners])

    def run(series, ranges, workers):
        numbers = np.arange(*ranges[0])
        yield SimpleNamespace(winners=won[numbers], rotations=numbers % len(series.lineups))

    monkeypatch.setattr(arena.Series, "run", run)
    found = [
        win_share(game_of(variant), *pair, len(winners), 3)
        for pair in (("rules", "simple"), map(agents.get, ("rules", "simple")))
    ]
    assert found == pytest.approx([share] * 2), "by name and as objects"


@pytest.mark.parametrize(("variant", "sides"), [(HYDRA, 2), ("star_realms/box/free_for_all/3", 3)])
def test_an_agent_wins_its_share_against_itself(variant, sides):
    rules = agents.get("rules")
    assert win_share(game_of(variant), rules, rules, 2, 3) == pytest.approx(1 / sides)
