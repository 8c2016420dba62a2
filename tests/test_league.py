"""Leagues: the games of each format, the summary, and the same rows after growth and resumption."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter

import numpy as np
import pyarrow.parquet as pq
import pytest

from helpers import Plain, a_network, game_of, scaled, thorough
from stardeck import agents
from stardeck.agents.networks.agent import write_network
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena import series
from stardeck.benchmarks.league import sprt
from stardeck.benchmarks.league.matches import BOSS
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.results.store import ResultsError

GAMES = scaled(60, 2)
THREE = ["rules", "simple", "random"]


def rows(folder):
    return pq.read_table(folder / "games.parquet").to_pylist()


def plain(summary):
    """Return a summary without the entries that may differ between two runs."""
    return {key: value for key, value in summary.items() if key not in ("games_per_second", "origin")}


class Asked(Plain):
    """An agent of any name that the arena asks decision by decision, perhaps from a file with an identity."""

    def __init__(self, plays, name=None, identity=None):
        super().__init__(agents.get(plays))
        self.name = name or plays
        if identity:
            self.identity = identity


# Games played


def test_two_sides_play_each_deal_twice(tmp_path):
    summary = league("star_realms", THREE, GAMES, seed=3, out=tmp_path)
    played = rows(tmp_path)
    assert Counter(row["match"] for row in played) == dict.fromkeys(
        ("rules vs simple", "random vs rules", "random vs simple"), GAMES
    )
    assert [row["index"] for row in played] == [*range(GAMES)] * 3
    for first, second in zip(played[::2], played[1::2], strict=True):
        assert first["seed"] == second["seed"] and first["agents"] == second["agents"][::-1]
    assert played[0]["seed"] != played[GAMES]["seed"], "every match has its own deals"
    assert {path.name for path in tmp_path.iterdir()} == {
        "games.parquet", "league.json", "league.png", "pool.json", "matches",
    }  # fmt: skip
    assert json.loads((tmp_path / "league.json").read_text()) == summary
    assert (tmp_path / "league.png").read_bytes()[:4] == b"\x89PNG"


def test_a_summary_adds_up(tmp_path):
    summary = league("star_realms", THREE, GAMES, seed=3, out=tmp_path)
    keys = (
        "variant settings tables identities seed games games_per_match sprt agents cross_table transitivity",
        "games_per_second origin",
    )
    assert list(summary) == " ".join(keys).split()
    assert summary["games"] == 3 * GAMES and summary["games_per_match"] == GAMES and summary["sprt"] is None
    assert [agent["agent"] for agent in summary["agents"]] == THREE
    assert list(summary["agents"][0]) == ["agent", "games", "rating", "low", "high", "win_rate", "nash", "alpha_rank"]
    assert [pair["agents"] for pair in summary["cross_table"]] == [THREE[:2], THREE[::2], THREE[1:]]
    played = rows(tmp_path)
    for agent in summary["agents"]:
        own = [row for row in played if agent["agent"] in row["agents"]]
        won = sum(agent["agent"] in [row["agents"][seat] for seat in row["winner"]] for row in own)
        drawn = sum(not row["winner"] for row in own)
        assert agent["games"] == len(own) and agent["win_rate"] == pytest.approx((won + drawn / 2) / len(own))
        assert (agent["low"] is None) == (agent["win_rate"] == 0) and agent["high"] is not None
        assert (agent["low"] or -np.inf) <= agent["rating"] <= agent["high"]
    for pair in summary["cross_table"]:
        own = [row for row in played if set(row["agents"]) == set(pair["agents"])]
        better = [row["placements"][row["agents"].index(pair["agents"][0])] for row in own]
        assert pair["games"] == GAMES and pair["points"] == better.count(1) - sum(not row["winner"] for row in own) / 2
        assert pair["score"] == pair["points"] / GAMES and pair["low"] <= pair["score"] <= pair["high"]
        assert pair["llr"] is None and pair["sprt"] is None
    ratings = [agent["rating"] for agent in summary["agents"]]
    assert ratings[0] == 0 and summary["agents"][0]["low"] == 0 == summary["agents"][0]["high"]
    if GAMES > 10:
        assert ratings[0] > ratings[1] > ratings[2]
    assert sum(agent["nash"]["weight"] for agent in summary["agents"]) == pytest.approx(1)
    assert sum(agent["alpha_rank"]["mass"] for agent in summary["agents"]) == pytest.approx(1)
    assert set(summary["transitivity"]["worst"]["agents"]) < set(THREE)


def test_three_sides_play_every_combination_in_both_circular_orders(tmp_path):
    four = [*THREE, Asked("simple", "other")]
    summary = league("star_realms", four, scaled(12, 6), out=tmp_path, set="box", format="hunter", players=3)
    played = rows(tmp_path)
    combinations = {"random vs rules vs simple", "other vs rules vs simple", "other vs random vs rules"}
    assert {row["match"] for row in played} == {*combinations, "other vs random vs simple"}
    for match in combinations:
        seated = [row["agents"] for row in played if row["match"] == match]
        a, b, c = match.split(" vs ")
        assert seated[:6] == [[a, b, c], [b, c, a], [c, a, b], [a, c, b], [c, b, a], [b, a, c]]
    assert [pair["games"] for pair in summary["cross_table"]] == [2 * scaled(12, 6)] * 6, "each two meet in two of four"
    assert [agent["games"] for agent in summary["agents"]] == [3 * scaled(12, 6)] * 4
    assert summary["transitivity"] is None and summary["agents"][0]["nash"] is None, "they need matches of two sides"


def test_too_few_agents_are_dealt_out_in_turn():
    summary = league("interstellar_empire", ["rules", "random"], scaled(12, 6), players=3)
    assert summary["games"] == scaled(12, 6)
    assert [agent["games"] for agent in summary["agents"]] == [3 * scaled(6, 3)] * 2, "as many sides for each"
    assert summary["cross_table"][0]["games"] == 2 * scaled(12, 6), "the one meets the other two in every game"


def test_a_campaign_is_one_game_of_a_league():
    summary = league("rise_of_empire", ["rules", "random"], scaled(20, 2))
    rules, random = summary["agents"]
    assert summary["games"] == scaled(20, 2)
    assert rules["win_rate"] + random["win_rate"] == pytest.approx(1) and rules["win_rate"] > random["win_rate"]


@pytest.mark.parametrize(("format", "players"), [("two_headed_hydra", 4), ("raid", 4)])
def test_a_side_is_one_player(format, players, tmp_path):
    summary = league("star_realms", ["rules", "random"], 4, out=tmp_path, set="box", format=format, players=players)
    sides = [[0, 1], [2, 3]] if format == "two_headed_hydra" else [[0], [1, 2, 3]]
    for number, row in enumerate(rows(tmp_path)):
        for side, seats in enumerate(sides):
            assert {row["agents"][seat] for seat in seats} == {["random", "rules"][(side + number) % 2]}
    assert [agent["games"] for agent in summary["agents"]] == [4, 4] and summary["cross_table"][0]["games"] == 4


def test_in_a_challenge_each_agent_plays_the_boss(tmp_path):
    settings = {"set": "box", "format": "nemesis_beast", "players": 2, "difficulty": "beginner"}
    summary = league("star_realms", ["rules", "simple"], GAMES, out=tmp_path, **settings)
    played = rows(tmp_path)
    assert [agent["agent"] for agent in summary["agents"]] == ["rules", "simple", BOSS]
    assert [pair["agents"] for pair in summary["cross_table"]] == [["rules", BOSS], ["simple", BOSS]]
    for name, pair in zip(("rules", "simple"), summary["cross_table"], strict=True):
        own = [row for row in played if row["match"] == f"{name} vs {BOSS}"]
        assert all(row["agents"] == [name, name] for row in own) and len(own) == GAMES
        assert pair["score"] == sum(row["winner"] == [0, 1] for row in own) / GAMES
    shares = [agent["win_rate"] for agent in summary["agents"]]
    assert shares[2] == pytest.approx(1 - np.mean(shares[:2]))
    alone = league("star_realms", "rules", GAMES, **settings)
    assert alone["cross_table"] == [
        summary["cross_table"][0] | {key: alone["cross_table"][0][key] for key in ("low", "high")}
    ]


def test_what_is_truncated_is_drawn():
    two = league("star_realms", ["simple", "random"], 4, max_turns=2)
    challenge = league(
        "star_realms", ["simple"], 4, set="box", format="nemesis_beast", players=1, difficulty="beginner", max_turns=1
    )
    # the score at its limit is no result
    scored = league("empire_of_the_stars", ["simple", "random"], 4, max_turns=4)
    for summary in (two, challenge, scored):
        assert summary["cross_table"][0]["score"] == 0.5 and summary["agents"][1]["rating"] == pytest.approx(0)
        assert [agent["win_rate"] for agent in summary["agents"]] == [0.5, 0.5]


# The same rows, whatever the way


def test_results_depend_neither_on_batches_nor_on_workers_nor_on_the_order_of_agents(tmp_path, monkeypatch):
    one = league("star_realms", THREE, GAMES, out=tmp_path / "one")
    monkeypatch.setattr(series, "SLOW_CHUNK", scaled(7, 1))
    monkeypatch.setattr(series, "CHUNK", scaled(9, 1))
    two = league("star_realms", THREE, GAMES, out=tmp_path / "two", workers=3)
    assert rows(tmp_path / "one") == rows(tmp_path / "two") and plain(one) == plain(two)
    asked = league("star_realms", [Asked(name) for name in THREE], GAMES, workers=2)
    assert plain(asked) | {"identities": one["identities"]} == plain(one)
    turned = league("star_realms", THREE[::-1], GAMES, out=tmp_path / "two")
    by_match = {key: [row for row in rows(tmp_path / "one") if row["match"] == key] for key in ("random vs rules",)}
    assert [row for row in rows(tmp_path / "two") if row["match"] == "random vs rules"] == by_match["random vs rules"]
    assert [agent["agent"] for agent in turned["agents"]] == THREE[::-1] and turned["agents"][0]["rating"] == 0


def test_a_pool_grows(tmp_path):
    league("star_realms", THREE[:2], GAMES, out=tmp_path / "grown")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("grown/matches/*/games.parquet")}
    asked = []
    grown = league("star_realms", THREE, GAMES, out=tmp_path / "grown", progress=lambda *done: asked.append(done))
    assert asked[0] == (GAMES, 3 * GAMES) and asked[-1] == (3 * GAMES, 3 * GAMES), "only what is missing is played"
    assert {path: path.stat().st_mtime_ns for path in before} == before
    more = league("star_realms", THREE, 2 * GAMES, out=tmp_path / "grown")
    whole = league("star_realms", THREE, 2 * GAMES, out=tmp_path / "whole")
    assert rows(tmp_path / "grown") == rows(tmp_path / "whole") and plain(more) == plain(whole)
    assert league("star_realms", THREE, 2 * GAMES, out=tmp_path / "grown") == more, "nothing is left to play"
    fewer = league("star_realms", THREE[1:], 2 * GAMES, out=tmp_path / "grown")
    assert fewer["games"] == 2 * GAMES and len(rows(tmp_path / "grown")) == 2 * GAMES
    assert plain(league("star_realms", THREE, 2 * GAMES, out=tmp_path / "grown")) == plain(whole)
    assert grown["games"] == 3 * GAMES


def test_games_are_rounded_up_to_whole_deals():
    assert league("star_realms", ["rules", "random"], 3)["games"] == 4
    assert league("interstellar_empire", THREE, 4, players=3)["games"] == 6


def test_an_interrupted_league_keeps_what_is_finished_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(series, "SLOW_CHUNK", scaled(10, 1))

    def stop(done, games):
        if done >= games // 2:
            raise KeyboardInterrupt

    for cut in (stop, lambda done, games: stop(1, 1)):
        with pytest.raises(KeyboardInterrupt):
            league("star_realms", THREE, GAMES, out=tmp_path / "cut", progress=cut)
        kept = json.loads((tmp_path / "cut" / "league.json").read_text())
        assert kept["games"] == len(rows(tmp_path / "cut")) and GAMES <= kept["games"] < 3 * GAMES
    league("star_realms", THREE, GAMES, out=tmp_path / "cut")
    league("star_realms", THREE, GAMES, out=tmp_path / "whole")
    assert rows(tmp_path / "cut") == rows(tmp_path / "whole")


def test_a_league_interrupted_at_once_has_no_ratings_yet(tmp_path):
    def stop(done, games):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        league("star_realms", THREE, GAMES, out=tmp_path, progress=stop)
    summary = json.loads((tmp_path / "league.json").read_text())
    assert [agent["rating"] for agent in summary["agents"]] == [0, None, None] and summary["cross_table"] == []
    assert summary["games"] == 0 and rows(tmp_path) == []


def command(folder, games, *more):
    line = [sys.executable, "-m", "stardeck.commands.cli", "league", "star_realms", "--agents", "rules,simple,random"]
    return [*line, "--games", str(games), "--seed", "4", "--out", str(folder), *more]


KILLED = thorough(25_000, 15_000)  # games of each pair: enough to be killed in their midst
QUIET = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the folder of an uninterrupted command."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run(command(folder, KILLED, "--workers", "3"), **QUIET)
    return folder


# By Ctrl-C an arena stops the same way: test_arena.py.
@pytest.mark.parametrize(
    ("how", "code"), thorough([(signal.SIGKILL, -9), (signal.SIGINT, 130)], [(signal.SIGKILL, -9)])
)
def test_a_killed_command_resumes_to_exactly_the_unbroken_result(tmp_path, whole, how, code):
    process = subprocess.Popen(command(tmp_path / "cut", KILLED), stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 240
    while len(list(tmp_path.glob("cut/matches/*/parts/*.parquet"))) < 10:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(how)
    assert process.wait(timeout=120) == code
    subprocess.run(command(tmp_path / "cut", KILLED, "--workers", "1"), **QUIET)
    assert rows(tmp_path / "cut") == rows(whole)
    summaries = [json.loads((folder / "league.json").read_text()) for folder in (tmp_path / "cut", whole)]
    assert plain(summaries[0]) == plain(summaries[1])


def test_searches_and_trained_agents_from_files_take_part(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = game_of("interstellar_empire/2")
    write_network("net.safetensors", a_network(game, seed=1))
    pool = ["rules", "net.safetensors", "search:2"]
    summary = league("interstellar_empire", pool, scaled(10, 2), out="league", players=2)
    assert [agent["agent"] for agent in summary["agents"]] == ["rules", "net", "search:2"]
    assert len(rows(tmp_path / "league")) == 3 * scaled(10, 2)
    write_network("net.safetensors", a_network(game, seed=2))
    with pytest.raises(ResultsError, match=r"league: holds a league with agent net 'net \(.*, not 'net \("):
        league("interstellar_empire", pool, scaled(10, 2), out="league", players=2)


# Sequential tests


@pytest.fixture
def early(monkeypatch):
    """Make tests look after every pair of games."""
    monkeypatch.setattr(sprt, "FIRST_LOOK", 2)


TESTED = {"sprt": (-200, 200), "games": scaled(200, 20)}


def test_a_match_stops_when_its_test_is_clear(early, tmp_path):
    told = []
    summary = league("star_realms", ["rules", "random"], **TESTED, out=tmp_path, progress=lambda *p: told.append(p))
    assert told == sorted(told) and told[-1] == (TESTED["games"], TESTED["games"])
    (pair,) = summary["cross_table"]
    assert pair["sprt"] == "H1" and pair["llr"] > 2.944 and 4 <= pair["games"] < TESTED["games"]
    assert len(rows(tmp_path)) == pair["games"] == summary["games"] and pair["games"] % 2 == 0
    assert summary["sprt"] == {"low": -200, "high": 200, "alpha": 0.05, "beta": 0.05}
    (turned,) = league("star_realms", ["random", "rules"], **TESTED)["cross_table"]
    assert turned["sprt"] == "H0" and turned["llr"] == pytest.approx(-pair["llr"]) and turned["games"] == pair["games"]


def test_where_a_match_stops_does_not_depend_on_how_it_is_played(early, tmp_path, monkeypatch):
    one = league("star_realms", THREE, **TESTED, out=tmp_path / "one")
    monkeypatch.setattr(series, "SLOW_CHUNK", 3)
    monkeypatch.setattr(series, "CHUNK", 5)

    def stop(done, games):
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        league("star_realms", THREE, **TESTED, out=tmp_path / "two", workers=3, progress=stop)
    two = league("star_realms", THREE, **TESTED, out=tmp_path / "two", workers=2)
    assert rows(tmp_path / "one") == rows(tmp_path / "two") and plain(one) == plain(two)
    more = league("star_realms", THREE, **TESTED | {"games": 2 * TESTED["games"]}, out=tmp_path / "two")
    assert more["games"] == one["games"], "what has stopped stays so"


def test_a_match_without_a_clear_difference_is_undecided(early):
    (pair,) = league("star_realms", ["simple", Asked("simple", "other")], 4, sprt=(0, 5))["cross_table"]
    assert pair["sprt"] == "undecided" and pair["games"] == 4


def test_looks_come_at_fixed_numbers_of_games():
    looks = list(sprt.looks(100_000))
    assert looks[:3] == [64, 128, 192] and all(look % 2 == 0 for look in looks)
    gaps = np.diff(looks)
    assert (gaps >= 64).all() and (gaps <= np.maximum(64, np.array(looks[:-1]) / 32)).all()


# Mistakes


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 1}, "holds a league with seed 0, not 1"),
        ({"max_turns": 9}, "holds a league with variant 'star_realms/core/standard/2', not "),
        ({"games": 2}, "games=2: .* already holds 4 games of random vs simple; ask for at least as many"),
        ({"sprt": (0, 10)}, r"holds results with sprt None, not \[0, 10, 0.05, 0.05, 'random'\]"),
        ({"agents": ["random", Asked("rules", "simple", "simple:2")]}, "agent simple 'simple', not 'simple .simple:2"),
        ({"agents": ["random", Asked("rules", "file", "file:2")]}, r"agent file 'file \(file:1\)', not 'file \(file:2"),
    ],
)
def test_a_folder_of_another_league_is_refused(tmp_path, change, message):
    start = {"agents": ["random", "simple"], "games": 4, "out": tmp_path}
    league("star_realms", **start | {"agents": ["random", Asked("simple", "file", "file:1")]})
    league("star_realms", **start)
    before = rows(tmp_path), (tmp_path / "pool.json").read_text()
    with pytest.raises(ResultsError, match=message):
        league("star_realms", **start | change)
    assert (rows(tmp_path), (tmp_path / "pool.json").read_text()) == before


def test_results_of_something_else_are_kept(tmp_path):
    advantage("star_realms", "simple", 2, out=tmp_path / "advantage")
    with pytest.raises(ResultsError, match="advantage: holds other results, not a league"):
        league("star_realms", THREE, 2, out=tmp_path / "advantage")
    league("star_realms", THREE[1:], 2, out=tmp_path / "league")
    with pytest.raises(ResultsError, match="league: holds results with"):
        advantage("star_realms", "simple", 2, out=tmp_path / "league")
    for broken in ("{", "3"):
        (tmp_path / "league" / "pool.json").write_text(broken)
        with pytest.raises(ResultsError, match="pool.json: cannot be read"):
            league("star_realms", THREE[1:], 2, out=tmp_path / "league")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"agents": ["rules"]}, "agents: 1 given: a league of star_realms/core/standard/2 takes 2 or more"),
        ({"agents": ["rules", "simple", "rules"]}, "agents: 'rules' is given twice; each agent .* a name of its own"),
        ({"agents": ["rules", Asked("simple", "rules")]}, "agents: 'rules' is given twice"),
        ({"agents": ["rules", "nobody"]}, "agent 'nobody': must be one of"),
        ({"agents": [], "set": "box", "format": "nemesis_beast", "players": 1}, "agents: 0 given: .* takes 1 or more"),
        (
            {"agents": [Asked("simple", "Boss")], "set": "box", "format": "nemesis_beast", "players": 1},
            "agents: 'Boss' is the name of the automated opponent",
        ),
        ({"games": 0}, "games=0: must be a whole number from 1 on"),
        ({"seed": -1}, "seed=-1: must be a whole number from 0"),
        ({"workers": 0}, "workers=0: must be a whole number from 1 on"),
        ({"games": 10.0}, "games=10.0: must be a whole number from 1 on"),
        ({"games": "10"}, "games='10': must be a whole number from 1 on"),
        ({"games": float("nan")}, "games=nan: must be a whole number from 1 on"),
        ({"seed": 1.5}, "seed=1.5: must be a whole number from 0 to"),
        ({"workers": 1.5}, "workers=1.5: must be a whole number from 1 on"),
        ({"sprt": (10, 0)}, "sprt=10,0: LOW must be below HIGH"),
        ({"sprt": 5}, r"sprt=5: must be two numbers, \(low, high\)"),
        ({"sprt": (0, 5, 3)}, r"sprt=\(0, 5, 3\): must be two numbers"),
        (
            {"sprt": (0, 10), "set": "box", "format": "hunter", "players": 3},
            "sprt: tests pairs of games between two sides, and star_realms/box/hunter/3 has 3",
        ),
    ],
)
def test_impossible_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        league("star_realms", **{"agents": THREE, "games": 2} | arguments)
