"""Collected moves and cards: they are those of the games played, however and whenever they are collected."""

import json
from collections import Counter
from pathlib import Path

import click
import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

from helpers import Plain, game_of
from stardeck import agents
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena import series as arena
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.league import sprt
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.recordings.replay_result import game_of as game_again
from stardeck.benchmarks.results.citation import AUTHORS, TITLE, citation, minimal_settings
from stardeck.benchmarks.results.store import ResultsError
from stardeck.commands.cli import cli
from stardeck.game.registry import make

GAME = "interstellar_empire"
MATCH = ["rules", "simple"]
GAMES = 30
ROOT = Path(__file__).parents[1]


def rows(folder, name):
    """Return the rows of a file of results as dicts."""
    return pq.read_table(Path(folder, f"{name}.parquet")).to_pylist()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a match with collected moves and cards."""
    folder = tmp_path_factory.mktemp("collected")
    advantage(GAME, MATCH, GAMES, seed=3, out=folder, collect=["moves", "cards"])
    return folder


def test_collected_moves_lead_to_the_results(folder):
    game = game_of("interstellar_empire/2")
    games, moves = rows(folder, "games"), rows(folder, "moves")
    assert [row["index"] for row in moves] == list(range(GAMES))
    for row, collected in zip(games, moves, strict=True):
        assert len(collected["actions"]) == row["decisions"]
        states = game.deal(row["seed"])
        for action, seat in zip(collected["actions"], collected["seats"], strict=True):
            assert states[0]["to_act"] == seat
            game.apply(states, [action])
        assert game.is_over(states)[0] and np.flatnonzero(game.winners(states)[0]).tolist() == row["winner"]


def test_collecting_changes_no_game(folder, tmp_path):
    advantage(GAME, MATCH, GAMES, seed=3, out=tmp_path)
    assert rows(tmp_path, "games") == rows(folder, "games") and not (tmp_path / "moves.parquet").exists()


def test_what_was_not_collected_is_played_again(folder, tmp_path, monkeypatch):
    advantage(GAME, MATCH, 10, seed=3, out=tmp_path)
    advantage(GAME, MATCH, 20, seed=3, out=tmp_path, collect="moves")
    played = []
    play = Series.play
    monkeypatch.setattr(Series, "play", lambda *args: played.append(args[1:]) or play(*args))
    advantage(GAME, MATCH, GAMES, seed=3, out=tmp_path, collect="cards")
    assert played == [(0, 1), (20, GAMES)], "one to warm up, then what is missing"
    for name in ("games", "moves", "cards"):
        assert rows(tmp_path, name) == rows(folder, name)


def test_moves_survive_an_interruption(folder, tmp_path, monkeypatch):
    def break_off(done, total):
        if done:
            raise KeyboardInterrupt

    monkeypatch.setattr(arena, "LONE_CHUNK", 40)
    lineup = [Plain(agents.get(name)) for name in MATCH]  # called from Python, in shorter chunks
    with pytest.raises(KeyboardInterrupt):
        advantage(GAME, lineup, 100, seed=3, out=tmp_path, collect="moves", workers=1, progress=break_off)
    held = rows(tmp_path, "moves")
    assert 0 < len(held) < 100 and held[:GAMES] == rows(folder, "moves")


def test_long_games_are_noted_to_their_end(folder):
    series = Series(game_of("interstellar_empire/2"), MATCH, 3, record_actions=True)
    series._longest = 5
    chunk = series.play(0, GAMES)
    assert chunk.actions.tolist() == [action for row in rows(folder, "moves") for action in row["actions"]]


def test_cards_are_counted_as_the_moves_name_them(folder):
    counted = Counter()
    for number in range(GAMES):
        told = game_again(folder, number)
        seats = rows(folder, "moves")[number]["seats"]
        for seat, move in zip(seats, told["moves"], strict=True):
            if move.startswith("build "):
                counted[number, seat, told["agents"][seat], move.removeprefix("build ")] += 1
    cards = [row for row in rows(folder, "cards") if row["move"] == "build {card}"]
    assert counted and {(c["index"], c["seat"], c["agent"], c["card"]): c["count"] for c in cards} == counted


def test_gambits_are_no_cards(tmp_path):
    advantage("star_realms", "random", 2, out=tmp_path, collect="cards", set="box", gambits=2, max_turns=4)
    moves = {row["move"] for row in rows(tmp_path, "cards")}
    assert "play {card}" in moves and not any("gambit" in move for move in moves)


def test_a_league_collects_match_by_match(tmp_path, monkeypatch):
    monkeypatch.setattr(sprt, "FIRST_LOOK", 2)
    league(GAME, ["rules", "random"], 40, out=tmp_path, collect="cards", sprt=(-200, 200))
    games, moves = rows(tmp_path, "games"), rows(tmp_path, "moves")
    assert 0 < len(games) < 40, "the test has stopped it"
    assert [(row["match"], row["index"]) for row in games] == [(row["match"], row["index"]) for row in moves]
    assert {row["match"] for row in rows(tmp_path, "cards")} == {"random vs rules"}
    assert len(game_again(tmp_path, 1, "rules vs random")["moves"]) == games[1]["decisions"]
    with pytest.raises(ResultsError, match="match='x': must name one of .*, such as 'random vs rules'"):
        game_again(tmp_path, 1, "x")


def test_what_cannot_be_collected_is_named(tmp_path):
    with pytest.raises(ValueError, match="collect='hands': must be among moves, cards"):
        advantage(GAME, MATCH, 2, out=tmp_path, collect=["hands"])
    for measure in (advantage, league):
        with pytest.raises(ValueError, match=r"collect=moves: needs a folder \(out\)"):
            measure(GAME, MATCH, 2, collect="moves")


# Repeated games


def test_a_game_is_told_alike_whether_collected_or_played_again(folder, tmp_path):
    advantage(GAME, MATCH, GAMES, seed=3, out=tmp_path)
    for number in (0, 17):
        told = game_again(tmp_path, number)
        assert told == game_again(folder, number)
        assert record.replay(told)[0].id == "interstellar_empire/2"
    with pytest.raises(ResultsError, match="game=30: .* has games 0 to 29"):
        game_again(folder, GAMES)


def test_the_seed_of_a_row_is_the_very_game_to_watch(tmp_path):
    """Without chance in the agents; otherwise play also depends on the seed of the series."""
    advantage(GAME, "rules", 5, seed=9, out=tmp_path)
    row = rows(tmp_path, "games")[3]
    watched = record.play(make(GAME), row["agents"], row["seed"])
    assert watched == game_again(tmp_path, 3) and len(watched["moves"]) == row["decisions"]


def test_a_game_of_agents_that_are_gone_needs_its_moves(tmp_path):
    mine = Plain(agents.get("rules"))
    mine.name = "mine"
    advantage(GAME, mine, 2, out=tmp_path / "without")
    with pytest.raises(ResultsError, match="no moves of game 1, and mine .* by name; .* --collect moves"):
        game_again(tmp_path / "without", 1)
    advantage(GAME, mine, 2, out=tmp_path / "with", collect="moves")
    assert game_again(tmp_path / "with", 1)["agents"] == ["mine", "mine"]


def test_moves_of_other_results_are_refused(folder, tmp_path):
    advantage(GAME, MATCH, 2, seed=4, out=tmp_path)
    (tmp_path / "moves.parquet").write_bytes((folder / "moves.parquet").read_bytes())
    with pytest.raises(ResultsError, match="holds results with seed 3, not 4"):
        advantage(GAME, MATCH, 2, seed=4, out=tmp_path, collect="moves")
    with pytest.raises(ResultsError, match="moves.parquet: holds another series"):
        game_again(tmp_path, 0)


# Provenance


def test_summaries_and_files_say_by_what_they_were_made(folder):
    summary = json.loads((folder / "summary.json").read_text())
    game = game_of("interstellar_empire/2")
    assert set(summary["origin"]) == {"version", "command", "date", "machine"}
    assert summary["tables"] == game.variant.tables and summary["identities"] == MATCH
    for name in ("games", "moves", "cards"):
        metadata = pq.read_schema(folder / f"{name}.parquet").metadata
        assert json.loads(metadata[b"stardeck"])["tables"] == game.variant.tables
        assert json.loads(metadata[b"stardeck.origin"]) == summary["origin"]


def test_a_run_that_plays_nothing_leaves_the_origin(folder):
    before = json.loads((folder / "summary.json").read_text())["origin"]
    assert advantage(GAME, MATCH, GAMES, seed=3, out=folder)["origin"] == before


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("star_realms", {}),
        ("star_realms", {"set": "box", "format": "hunter", "players": 4, "opening_hands": [3, 3, 3, 4]}),
        ("empire_of_the_stars", {"powers": False, "max_turns": 7}),
    ],
)
def test_own_settings_make_the_variant(name, settings):
    game = make(name, **settings)
    kept = minimal_settings(game)
    assert make(name, **kept).settings == game.settings and set(kept) <= set(settings)


def test_what_is_cited_makes_the_same_results(folder, tmp_path):
    cited = citation(folder)
    words = cited["reproduce"].split()
    assert words[:2] == ["stardeck", "advantage"] and cited["identities"] == MATCH and cited["games"] == GAMES
    cli.main([*words[1:], "--json", "--out", str(tmp_path)], standalone_mode=False)
    assert rows(tmp_path, "games") == rows(folder, "games")
    assert cited["reproduce"] in cited["text"] and "about a reconstruction" in cited["text"]
    assert cited["version"] in cited["bibtex"]


def test_a_citation_names_whom_the_package_names():
    citing = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert [author["name"] for author in citing["authors"]] == [AUTHORS] and citing["title"] == TITLE


@pytest.mark.parametrize("content", ["", "5", "{}", '{"origin": 5, "variant": "star_realms/x", "settings": {}}'])
def test_what_says_nothing_is_not_cited(tmp_path, content):
    (tmp_path / "summary.json").write_text(content)
    with pytest.raises(ResultsError, match="holds no results with their provenance"):
        citation(tmp_path)


def test_show_and_cite_print_what_they_find(folder, tmp_path, capsys):
    cli.main(["show", str(folder), "--game", "17", "--save", str(tmp_path / "g.jsonl")], standalone_mode=False)
    out = capsys.readouterr().out
    assert out.startswith(f"Game 17 of {folder}: interstellar_empire/2, seed ") and "won" in out.splitlines()[-1]
    assert record.read(tmp_path / "g.jsonl") == [game_again(folder, 17)]
    cli.main(["cite", str(folder)], standalone_mode=False)
    assert "@software{stardeck," in capsys.readouterr().out
    for command in (["show", str(tmp_path)], ["cite", str(tmp_path)], ["show", str(folder), "--match", "a vs b"]):
        with pytest.raises(click.UsageError):
            cli.main(command, standalone_mode=False)
