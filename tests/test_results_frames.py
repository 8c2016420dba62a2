"""Results as data frames: rows counted by hand, and the frames of real small measurements."""

import json

import numpy as np
import pytest
from made_results import ADVANTAGE, CYCLE, EVERY, LEAGUE, NAMES, ONLY_PAGES

from stardeck import make
from stardeck.benchmarks.advantage import advantage
from stardeck.benchmarks.card_values.measure import worth
from stardeck.benchmarks.fairness.search import fair
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.results.arrow import pa, pq
from stardeck.benchmarks.results.store import SCHEMA, ResultsError
from stardeck.results import load


def written(folder, summary):
    folder.mkdir(exist_ok=True)
    (folder / ("league.json" if "cross_table" in summary else "summary.json")).write_text(json.dumps(summary))
    return folder


def test_a_row_is_a_game_and_a_seat(tmp_path):
    """Three games by hand: seat 1 wins, nobody wins, both seats of the table swap agents."""
    settings = {"variant": "star_realms/core/standard/2", "settings": make("star_realms").settings}
    folder = written(tmp_path / "made", ADVANTAGE | settings)
    rows = {
        "index": [0, 1, 2], "seed": [7, 7, 8],
        "agents": [["rules", "simple"], ["simple", "rules"], ["rules", "simple"]],
        "first": [0, 1, 0], "winner": [[1], [], [0]], "truncated": [False, True, False], "turns": [20, 500, 31],
        "decisions": [200, 4000, 310], "placements": [[2, 1], [1, 1], [1, 2]], "scenarios": [[], [], []],
    }  # fmt: skip
    pq.write_table(pa.table(rows, schema=SCHEMA), folder / "games.parquet")
    games = load(folder).games
    assert list(games.columns) == [
        "game", "seed", "seat", "agent", "side", "moves_first", "result", "score", "place", "truncated", "turns",
        "decisions",
    ]  # fmt: skip
    told = games[["game", "seat", "agent", "moves_first", "result", "score", "place"]].to_numpy().tolist()
    assert told == [
        [0, 0, "rules", True, "lost", 0.0, 2],
        [0, 1, "simple", False, "won", 1.0, 1],
        [1, 0, "simple", False, "drawn", 0.5, 1],
        [1, 1, "rules", True, "drawn", 0.5, 1],
        [2, 0, "rules", True, "won", 1.0, 1],
        [2, 1, "simple", False, "lost", 0.0, 2],
    ]
    assert games["truncated"].tolist() == [False, False, True, True, False, False]
    assert games.groupby("agent", observed=True)["score"].mean().to_dict() == {"rules": 0.5, "simple": 0.5}


@pytest.mark.parametrize(
    ("name", "frame", "rows", "first"),
    [
        ("advantage", "agents", 2, {"agent": "rules", "win_rate": 0.7, "high": 0.73}),
        ("advantage", "seats", 2, {"seat": 0, "low": 0.48}),
        ("league", "ratings", 3, {"rating": 120.0, "low": 80.0, "win_rate": 0.8}),
        ("league", "matches", 2, {"opponent": "rules", "games": 100, "score": 0.6}),
        ("fair", "answers", 1, {"parameter": "authority.1", "value": 53.4}),
        ("fair", "points", 3, {"authority.1": 50, "games": 100, "points": 4.0, "curve": 4.0}),
        ("fair", "shares", 2, {"of": "first", "high": 0.3}),
        ("worth", "cards", 3, {"card": "Cutter", "stage": "early", "points": 2.0, "low": 1.5, "q": 0.01}),
        ("training", "evaluations", 6, {"decisions": 0, "opponent": "rules", "win_rate": 0.3}),
        ("agreement", "kinds", 2, {"agent": "rules", "kind": "all", "decisions": 300, "high": 0.7}),
        ("exploit", "responses", 1, {"response": "network", "games": 50, "win_rate": 0.58}),
    ],
)
def test_the_rows_of_a_summary_are_a_frame(name, frame, rows, first, tmp_path):
    found = load(written(tmp_path / name, EVERY[name]))[frame]
    assert len(found) == rows and {key: found.iloc[0][key] for key in first} == first


def test_ratings_of_the_meta_game_are_columns(tmp_path):
    ratings = load(written(tmp_path / "cycle", CYCLE))["ratings"]
    assert ratings["nash_weight"].tolist() == [0.25] * 3 and ratings["nash_high"].tolist() == [0.5] * 3
    assert ratings["alpha_rank_mass"].tolist() == [0.3] * 3
    assert load(written(tmp_path / "ladder", LEAGUE))["ratings"]["nash_score"].isna().all(), "version 0.1 had none"


def test_a_frame_that_there_is_not_is_named_with_those_that_there_are(tmp_path):
    results = load(written(tmp_path / "ladder", LEAGUE))
    assert list(results) == ["ratings", "matches"] and "ratings" in dir(results)
    assert repr(results) == (
        "<results of Star Realms: core, standard, 2 players, custom starting deck (league): ratings, matches>"
    )
    with pytest.raises(KeyError, match="games: .* has ratings, matches"):
        results["games"]
    with pytest.raises(AttributeError, match="has ratings, matches"):
        results.nothing  # noqa: B018


@pytest.mark.parametrize(
    ("name", "frame", "row"),
    [
        ("benchmark", "tasks", {"task": "core-duel", "points": 46.0, "low": 43.0, "decisions_per_second": 1500.0}),
        ("benchmark", "levels", {"task": "core-duel", "level": "simple", "games": 40, "points": 97.5}),
        ("learning", "curve", {"decisions": 1_000_000, "points": 42.0, "high": 44.0}),
        ("llm", "ladder", {"agent": "mine", "rating": -190.0, "low": -400.0}),
        ("llm", "opponents", {"agent": "rules", "calls": 48, "win_rate": 0.25, "illegal": 3}),
    ],
)
def test_results_of_the_suite_and_of_a_model_have_frames(name, frame, row, tmp_path):
    (tmp_path / NAMES.get(name, "summary.json")).write_text(json.dumps((EVERY | ONLY_PAGES)[name]))
    results = load(tmp_path)
    assert results[frame].iloc[-1][list(row)].to_dict() == row
    assert ("Stardeck-8, version 1" in repr(results)) == (name != "llm")


def test_a_folder_without_results_or_of_another_kind_is_refused(tmp_path):
    with pytest.raises(
        ResultsError, match="holds no results: it has neither league.json, summary.json, result.json nor learning.json"
    ):
        load(tmp_path)
    with pytest.raises(ResultsError, match="holds no results with frames .unknown kind.; frames are of"):
        load(written(tmp_path / "later", {"variant": "x", "tournaments": []}))
    (tmp_path / "summary.json").write_text("[1]")
    with pytest.raises(ResultsError, match="holds no summary of results"):
        load(tmp_path)


def test_a_damaged_file_is_refused(tmp_path):
    summary = ADVANTAGE | {"variant": "star_realms/core/standard/2", "settings": make("star_realms").settings}
    folder = written(tmp_path / "bad", summary)
    (folder / "games.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(ResultsError, match="is not a whole file of results"):
        load(folder).games  # noqa: B018


def test_frames_of_a_measurement_give_its_summary_again(tmp_path):
    summary = advantage("star_realms", ["random", "simple"], games=6, out=tmp_path / "match", collect="cards")
    results = load(tmp_path / "match")
    games = results.games
    assert len(games) == 12 and games["game"].nunique() == 6
    for row in summary["agents"]:
        assert games.loc[games["agent"] == row["agent"], "score"].mean() == pytest.approx(row["win_rate"])
    for row in summary["seats"]:
        assert games.loc[games["seat"] == row["seat"], "score"].mean() == pytest.approx(row["win_rate"])
    assert set(results.cards_played["agent"]) == {"random", "simple"} and not len(results.scenarios)


def test_frames_of_a_league_name_the_match(tmp_path):
    summary = league("star_realms", ["random", "simple"], games=4, out=tmp_path)
    results = load(tmp_path)
    (match,) = results.games["match"].unique()
    assert match == "random vs simple" and len(results.games) == 2 * summary["games"]
    score = results.matches.set_index("agent").loc["random", "score"]
    assert results.games.query("agent == 'random'")["score"].mean() == pytest.approx(score)


@pytest.mark.once
def test_chunks_of_a_search_have_values_of_parameters(tmp_path):
    summary = fair("star_realms", "authority.1=4:8", "simple", within=40, games=20, out=tmp_path, authority=[5, 5])
    results = load(tmp_path)
    chunks = results.chunks
    assert set(chunks["authority.1"]) <= {4, 5, 6, 7, 8} and chunks["games"].sum() == summary["games"]
    assert set(results.points["authority.1"]) == set(chunks["authority.1"])


@pytest.mark.once
def test_trials_have_names(tmp_path):
    worth("star_realms", "simple", games=20, out=tmp_path, authority=[12, 12])
    results = load(tmp_path)
    assert len(results.trials) and set(results.trials["stage"]) <= set(results.summary["stages"])
    assert set(results.trials["option"]) <= set(results.summary["options"])
    assert np.isin(results.trials["score"], [0, 0.5, 1]).all()
