"""The command line: examples of every command, machine-readable output, and one clear line for every mistake."""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import types
from itertools import pairwise
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import stardeck
from helpers import ENTRIES, JIT, scaled, thorough
from stardeck.benchmarks import interrupt, plots, progress
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena import series, thread_executor
from stardeck.benchmarks.league import sprt
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.results.citation import citation
from stardeck.benchmarks.speed import measure as speed
from stardeck.benchmarks.speed import precompile
from stardeck.commands import cli, look_up
from stardeck.commands.shared import options
from stardeck.commands.shared.tables import print_league
from stardeck.game import registry
from stardeck.game.registry import GAMES
from stardeck.kernels.compile.jit import NOTICE
from stardeck.kernels.star_realms.cards.loading import PRINTED

ROOT = Path(__file__).parents[1]
SCENARIOS = sorted(str(path) for path in (ROOT / "tests" / "scenarios").rglob("t*.yaml"))  # all: test_scenarios.py
COMMANDS = (
    "list", "cards", "advantage", "league", "show", "cite", "watch", "replay", "play", "scenario", "train", "exploit",
    "train-value", "train-belief", "fair", "worth", "agreement", "report", "import-log", "bench", "warmup", "serve",
    "dataset", "benchmark", "verify", "leaderboard", "mcp", "llm",
)  # fmt: skip


@pytest.fixture(autouse=True)
def without_handlers(monkeypatch):
    """Leave the handling of Ctrl-C in this process to pytest; tests/test_interrupt.py has processes of its own."""
    monkeypatch.setattr(interrupt, "watch", lambda: None)
    monkeypatch.setattr(interrupt, "leave", sys.exit)


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run the command line in this process: (exit code, output, errors)."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["stardeck", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        return stop.value.code, captured.out, captured.err

    return call


def test_help_says_all_of_what_a_command_is_for(run):
    """Regression: ten descriptions ended in the middle, and a call without arguments put all on one error line."""
    for arguments in ([], ["--help"], ["-h"]):
        code, out, err = run(*arguments)
        told = " ".join(out.split())
        assert code == 0 and not err and "..." not in told.split("Options:")[1]
        assert max(map(len, out.splitlines())) <= 80
        for name in COMMANDS:
            first = " ".join(cli.cli.get_command(None, name).help.split("\n\n")[0].split()).split(". ")[0].rstrip(".")
            assert f"{name} {first}" in told
        assert re.findall(r"^(\S.*):$", out, re.M) == ["Options", *cli.GROUPS]


def test_groups_of_commands_hold_each_once():
    assert sorted(COMMANDS) == sorted(name for group in cli.GROUPS.values() for name in group)


@pytest.mark.parametrize("command", ["play", "watch"])
def test_a_game_is_dealt_from_a_drawn_seed_that_is_said(run, monkeypatch, command):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    arguments = [command, "star_realms", "--agents", "random", "--max-turns", "2"]
    seeds, texts = [], []
    for _ in range(3):
        code, out, _ = run(*arguments)
        said = re.match(r"seed (\d+); --seed (\d+) deals this game again\n", out)
        assert code == 0 and said[1] == said[2]
        seeds.append(said[1])
        texts.append(out[said.end() :])
    assert len(set(seeds)) > 1, "three draws of a million"
    code, out, _ = run(*arguments, "--seed", seeds[0])
    assert code == 0 and out == texts[0]
    code, out, err = run(*arguments, "--json")
    assert (f"seed {json.loads(out)['seed']};" in err) == (command == "play")  # a player reads it at the start


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0 and f"stardeck {command}" in out.split("Example")[1]


@pytest.mark.parametrize("command", ["advantage", "league", "train", "watch", "play"])
def test_help_shows_the_settings_of_the_game_that_is_named(run, command):
    _, out, _ = run(command, "--help")
    assert f"stardeck {command} star_realms --help shows them" in " ".join(out.split()) and "--powers" not in out
    _, out, _ = run(command, "empire_of_the_stars", "--seed", 1, "--help")
    assert "--powers" in out and "--gambits" not in out and "[default: 2]" in out
    code, _, err = run(command, "interstellar_empire", "--gambits", "2")
    assert code == 2 and "--gambits" in err


@pytest.mark.parametrize("command", ["advantage", "league", "train", "watch", "play"])
def test_help_says_how_own_agents_formats_and_tables_are_named(run, command):
    _, out, _ = run(command, "star_realms", "--help")
    told = " ".join(out.split())
    assert "mine.py:NAME" in told and "standard, free_for_all, hunter, hunter_first_blood, two_headed_hydra" in told
    assert "rise_of_empire, or the path of a file" in told and "package, or the path of a file" in told


@pytest.mark.parametrize("command", ["watch", "bench"])
@pytest.mark.parametrize("format", ["", "RAID", "standard,raid"])
def test_a_wrong_format_is_answered_by_those_there_are(run, command, format):
    """Regression: `bench --format ""` measured anyway."""
    code, out, err = run(command, *(["star_realms"] if command == "watch" else []), "--format", format)
    assert code == 2 and not out and err.count("\n") == 1
    assert f"{format}" in err and "must be one of" in err and "free_for_all" in err and "raid" in err


def test_a_setting_may_stand_before_the_game_and_have_the_name_of_one(run):
    code, out, err = run("watch", "--max-turns", 2, "--set=rise_of_empire", "star_realms", "--format", "standard", "-h")
    assert code == 0 and "--gambits" in out, err
    code, out, err = run("watch", "--set", "rise_of_empire", "--agents", "random", "--json", "star_realms", "--seed", 5)
    assert code == 0 and json.loads(out)["settings"]["set"] == "rise_of_empire", err


def test_list_names_every_variant_with_its_provenance(run):
    _, out, _ = run("list")
    assert all(name in out for name in ENTRIES)
    _, out, _ = run("list", "--json")
    listed = json.loads(out)
    assert [row["id"] for row in listed] == list(ENTRIES)
    assert all(row["provenance"] and 1 <= row["players"] <= 6 for row in listed)
    _, out, _ = run("list", "--settings", "star_realms")
    assert "forced_discards  (default immediate; immediate, next_turn)" in out
    _, out, _ = run("list", "--settings", "star_realms", "--json")
    assert {row["setting"] for row in json.loads(out)} >= {"set", "format", "players"}


def test_cards_say_what_they_do(run):
    code, out, _ = run("cards", "CUTTER")
    assert code == 0 and " ".join(out.split()).endswith("+4 authority, +2 trade. Ally: +4 combat")
    code, out, _ = run("cards", "star_realms", "blob", "--json")
    found = json.loads(out)
    assert {row["name"] for row in found} == {"Blob Fighter", "Blob Destroyer", "Battle Blob", "Blob Carrier",
                                              "Blob Wheel", "Blob World"}  # fmt: skip
    assert all(row["faction"] == "blob" and row["sets"] == ["core", "box"] and row["text"] for row in found)
    code, out, _ = run("cards", "interstellar_empire")
    assert code == 0 and "Surprise Attack (special, number 4, 2 copies, reconstructed). 4 more for your side" in out


def test_every_card_of_every_game_has_words(run):
    _, out, _ = run("cards", "--json")
    rows = json.loads(out)
    assert {row["game"] for row in rows} == set(GAMES) and len(rows) > 200
    for row in rows:
        assert row["text"] and not any(word in row["text"] for word in ("{", "_", " 0 ", ", ,", "1 cards", "None")), row


def test_warmup_says_what_is_ready(run, monkeypatch):
    monkeypatch.setattr(precompile, "USES", (precompile.Use("nothing", lambda game: None),))
    code, out, _ = run("warmup", "interstellar_empire", "rise_of_empire")
    assert code == 0 and "interstellar_empire: ready (" in out and "rise_of_empire: ready (" in out
    code, out, _ = run("warmup", "--json")
    assert code == 0 and set(json.loads(out)["seconds"]) == set(GAMES)


def compiles(game):
    """Send the notices of a compilation."""
    NOTICE.begin(precompile.warm_up, ())
    NOTICE.end()


def test_warmup_names_game_use_and_step(run, monkeypatch):
    monkeypatch.setattr(precompile, "USES", (precompile.Use("watching", compiles),))
    monkeypatch.setattr(progress, "LINE_EVERY", 0)
    code, _, err = run("warmup", "interstellar_empire")
    assert code == 0 and "0 of 1 kinds of use; interstellar_empire: watching: warm_up, " in err
    assert NOTICE.follow is None


def test_a_bar_names_what_is_compiled_meanwhile(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    with progress.progress_bar("games") as report:
        assert not NOTICE.follow("star_realms", "deal_all, 2 functions"), "the bar has not begun"
        report(1, 2)
        assert NOTICE.follow("star_realms", "deal_all, 3 functions")
    assert "compiling star_realms: deal_all, 3 functions" in capsys.readouterr().err
    assert NOTICE.follow is None


@pytest.mark.parametrize("place", ["/dev/null/cache", "file", "file/cache"])
def test_a_folder_that_cannot_be_warmed_is_refused(run, tmp_path, place):
    (tmp_path / "file").write_text("x")
    code, out, err = run("warmup", "interstellar_empire", "--to", place)
    assert_refused(code, out, err)
    assert (place in err or not JIT) and [path.name for path in tmp_path.iterdir()] == ["file"]


def test_advantage_writes_its_files_and_prints_them(run, tmp_path):
    arguments = ["advantage", "star_realms", "--agents", "simple", "--games", 20]
    code, out, _ = run(*arguments)
    folder = tmp_path / "results" / "star_realms-core-standard-2"
    assert code == 0 and "player_0" in out and "moving first" in out
    assert {path.name for path in folder.iterdir()} == {"games.parquet", "summary.json", "advantage.png"}
    code, out, _ = run(*arguments, "--json")
    assert json.loads(out) == json.loads((folder / "summary.json").read_text())


def test_who_measures_agents_in_mixed_teams_is_told_so(run):
    raid = ["advantage", "star_realms", "--set", "box", "--format", "raid", "--players", 3, "--games", 6]
    for agents, mixed in (("simple,random", True), ("simple", False)):
        code, out, _ = run(*raid, "--agents", agents, "--out", agents)
        assert code == 0 and ("stardeck league plays team against team" in out) == mixed


def test_the_picture_of_a_match_shows_who_won(run, monkeypatch):
    drawn = []
    monkeypatch.setattr(plots, "save", lambda figure, path: drawn.append(figure))
    for agents, panels in (("rules", 2), ("rules,random", 3)):
        run("advantage", "interstellar_empire", "--agents", agents, "--games", 20, "--out", agents)
        assert len(drawn[-1].axes) == panels
    who, seats, lengths = drawn[-1].axes
    assert [label.get_text() for label in who.get_yticklabels()] == ["rules", "random"]
    assert [label.get_text() for label in seats.get_yticklabels()][1] == "second seat"
    assert lengths.get_xlabel() == "turns of all players together"
    rules, random = (float(mark.get_text()) for mark in who.texts[:2])
    assert rules > 80 and rules + random == pytest.approx(100)


def test_an_agent_without_a_win_is_told_by_the_bound_that_there_is(run):
    _, out, _ = run("league", "star_realms", "--agents", "rules,random", "--games", scaled(60, 4), "--out", "o")
    (line,) = [line for line in out.splitlines() if "random" in line]
    assert re.search(r"│ at most -\d{3} ", line) and "[" not in line
    assert json.loads(Path("o/league.json").read_text())["agents"][1]["low"] is None


def test_league_writes_its_files_and_prints_them(run, tmp_path):
    arguments = ["league", "star_realms", "--agents", "rules,simple,random", "--games"]
    code, out, err = run(*arguments, scaled(20, 2))
    folder = tmp_path / "results" / "league-star_realms-core-standard-2"
    assert code == 0 and "Elo  [95 % interval]" in out and "score of row against column" in out and not err
    assert all(name in out for name in ("rules", "simple", "random"))
    assert {"games.parquet", "league.json", "league.png"} <= {path.name for path in folder.iterdir()}
    code, again, _ = run(*arguments, scaled(20, 2), "--json")
    assert json.loads(again) == json.loads((folder / "league.json").read_text())
    code, more, _ = run(*arguments, scaled(30, 4), "--json")
    assert code == 0 and json.loads(more)["games"] == 3 * scaled(30, 4)


@pytest.mark.parametrize(
    ("rating", "titles"),
    [("elo", ["Elo"]), ("nash", ["v Nash mixture", "weight"]), ("alpha-rank", ["alpha-rank"])],
)
def test_a_league_is_ordered_by_the_rating_that_is_asked_for(run, rating, titles):
    code, out, _ = run(
        "league", "star_realms", "--agents", "random,rules,simple", "--games", 4, "--rating", rating, "--out", "o"
    )
    header, *rest = out.splitlines()[2:]
    assert code == 0 and all(title in header for title in titles) and ("Elo" in header) == (rating == "elo")
    order = [name for line in rest for name in ("rules", "simple", "random") if re.match(rf"│ \d │ {name} ", line)]
    summary = json.loads(Path("o/league.json").read_text())
    strength = {
        "elo": lambda agent: agent["rating"],
        "nash": lambda agent: agent["nash"]["score"],
        "alpha-rank": lambda agent: agent["alpha_rank"]["mass"],
    }[rating]
    ranked = {agent["agent"]: strength(agent) for agent in summary["agents"]}
    assert len(order) == 3 and all(ranked[a] >= ranked[b] - 1e-6 for a, b in pairwise(order))


def test_a_league_says_if_elo_explains_it(capsys):
    agents = ["rock", "paper", "scissors"]
    cycle = {
        "variant": "star_realms/core/standard/2", "games": 300, "seed": 0, "sprt": None, "games_per_second": None,
        "agents": [
            {"agent": name, "games": 200, "rating": 0.0, "low": -20.0, "high": 20.0, "win_rate": 0.5,
             "nash": {"weight": 1 / 3, "weight_low": 0.3, "weight_high": 0.4, "score": 0.5, "low": 0.49, "high": 0.5},
             "alpha_rank": {"mass": 1 / 3, "low": 0.25, "high": 0.5}}
            for name in agents
        ],
        "cross_table": [{"agents": agents[::2], "games": 100, "score": 0.9, "low": 0.8, "high": 0.95}],
        "transitivity": {
            "elo_explains": False, "p": 1e-9, "chi2": 40.0, "freedom": 1,
            "cyclic": {"share": 0.98, "low": 0.9, "high": 1.0},
            "worst": {"agents": agents[::2], "score": 0.9, "score_by_elo": 0.5},
        },
    }  # fmt: skip
    print_league(cycle, "o")
    out = capsys.readouterr().out
    assert "Elo does not explain these results (p < 0.001; 98 % of the log odds are cyclic [90, 100])" in out
    assert "rock scores 90.0 % against scissors, by Elo 50.0 %" in out
    assert out.count("33 [30, 40]") == 3 and out.count("50.0 [49.0, 50.0]") == 3 and out.count("33 [25, 50]") == 3
    print_league(cycle | {"transitivity": cycle["transitivity"] | {"elo_explains": True, "p": 0.25}}, "o")
    out = capsys.readouterr().out
    assert "Elo explains these results (p = 0.25; " in out and "Nash" not in out and "alpha" not in out
    print_league(cycle | {"transitivity": None}, "o")
    assert "Elo only: Nash averaging and alpha-rank need a match of two sides" in capsys.readouterr().out


def test_a_league_meets_the_panel_that_plays_its_game(run):
    panel = ["rules", "ppo-0.1", "cheap-combat", "same-faction"]

    def players(*arguments):
        _, out, _ = run("league", *arguments, "--panel", "--games", 2, "--out", "-".join(arguments), "--json")
        return [row["agent"] for row in json.loads(out)["agents"]]

    assert players("interstellar_empire", "--agents", "simple,rules") == ["simple", "rules", "ppo-0.1"]
    assert players("star_realms", "--agents", "simple") == ["simple", *panel]


def test_league_tells_what_its_tests_have_shown(run, monkeypatch):
    monkeypatch.setattr(sprt, "FIRST_LOOK", 2)
    arguments = ["league", "star_realms", "--agents", "rules,random", "--games", scaled(40, 12), "--out", "o", "--sprt"]
    code, out, _ = run(*arguments, "-200,200")
    assert code == 0 and "rules vs random: H1, better by 200 rather than -200 normalised Elo  (LLR " in out
    code, _, err = run(*arguments, "0,10")
    assert code == 2 and "holds results with sprt[0] -200.0, not 0.0" in err


def test_an_interrupted_league_says_where_it_goes_on(run, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(thread_executor.ThreadExecutor, "run", interrupted)
        code, out, err = run("league", "star_realms", "--games", 2, "--out", "o")
    assert code == 130 and out == "" and "the finished part is in o; the same command continues" in err
    code, out, _ = run("league", "star_realms", "--games", 2, "--out", "o", "--json")
    assert code == 0 and json.loads(out)["games"] == 6


def test_settings_are_options(run, tmp_path):
    code, out, _ = run(
        *"advantage star_realms --agents simple,random --games 4 --json --out o --forced-discards next_turn".split(),
        *"--max-turns 30 --opening-hands 4,4 --copy-gone-ships false --seed 3 --workers 1".split(),
    )
    summary = json.loads(out)
    settings = summary["settings"]
    assert code == 0 and summary["seed"] == 3 and (tmp_path / "o" / "advantage.png").read_bytes()[:4] == b"\x89PNG"
    assert settings["forced_discards"] == "next_turn" and settings["max_turns"] == 30
    assert settings["opening_hands"] == [4, 4] and settings["copy_gone_ships"] is False


DECKS = "Scout x8,Viper x5; Scout x8, Viper x2"


@pytest.mark.parametrize(
    ("written", "decks"),
    [
        (DECKS, [["Scout x8", "Viper x5"], ["Scout x8", "Viper x2"]]),
        ("Scout x7,Viper x3", [["Scout x7", "Viper x3"]] * 2),
    ],
)
def test_starting_decks_are_an_option_and_replays_and_results_say_them_again(run, written, decks):
    short = ("--max-turns", "6")
    decked = ("--starting-deck", written, *short)
    code, told, _ = run("watch", "star_realms", "--agents", "rules", *decked, "--save", "g.jsonl")
    assert code == 0 and json.loads(Path("g.jsonl").read_text())["settings"]["starting_deck"] == decks
    code, again, _ = run("replay", "g.jsonl")
    assert code == 0 and again.splitlines()[-1] == told.splitlines()[-1]
    asked = ("advantage", "star_realms", "--agents", "random", "--games", "2", "--workers", "1")
    code, out, _ = run(*asked, *decked, "--out", "o", "--json")
    assert code == 0 and json.loads(out)["settings"]["starting_deck"] == decks
    command = shlex.split(citation("o")["reproduce"])
    made_again = command[command.index("--starting-deck") + 1]
    assert made_again == ";".join(map(",".join, decks))
    code, out, _ = run(*asked, "--starting-deck", made_again, *short, "--out", "again", "--json")
    assert code == 0 and json.loads(out)["settings"]["starting_deck"] == decks
    shown = run("list", "--settings", "star_realms")[1]
    assert "starting_deck  (default by format; names, or names by seat)" in shown


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("Scout x8;Viper x2;Scout", "names 3 of 2 decks: must name one for each seat, or one for all"),
        ("Skout", "'Skout' is not a card of this set"),
        ("", "'' is not a card of this set"),
        (";", "'' is not a card of this set"),
        ("Scout x17", "17 cards in the starting deck: from 1 to 16"),
    ],
)
def test_starting_decks_that_cannot_be_are_one_line(run, written, message):
    code, out, err = run("watch", "star_realms", "--agents", "random", "--starting-deck", written)
    assert_refused(code, out, err)
    assert message in err


def test_cards_and_formats_of_ones_own_are_played_and_replayed_without_their_files(run, tmp_path):
    Path("mine.toml").write_text('like = "core"\nstarting_deck = ["Viper x10"]')
    Path("formats.toml").write_text('[one]\nlike = "standard"\n[two]\nlike = "one"\nauthority = [3, 9]')
    own = ("--set", "mine.toml", "--formats", "formats.toml")
    code, told, _ = run("watch", "star_realms", "--agents", "rules", *own, "--format", "two", "--save", "game.jsonl")
    assert code == 0 and "[3 : 9]" in told and "Viper x3" in told
    for path in ("mine.toml", "formats.toml"):
        Path(path).rename(tmp_path / f"{path}.old")
    code, again, _ = run("replay", "game.jsonl")
    assert code == 0 and again.splitlines()[-1] == told.splitlines()[-1]
    code, _, err = run("watch", "star_realms", "--formats", "formats.toml.old", "--format", "three")
    assert code == 2 and "must be one of" in err
    Path("formats.toml").write_text('[one]\nlike = "standard"\nauthority = [3, 9000]')
    code, _, err = run("watch", "star_realms", "--formats", "formats.toml")
    assert code == 2 and "formats.toml: one: authority = [3, 9000]: must be a list of 1 to 6 whole numbers from" in err


def test_watch_tells_a_game_that_replay_tells_again(run):
    code, told, _ = run("watch", "star_realms", "--agents", "rules,simple", "--seed", 3, "--save", "game.jsonl")
    assert code == 0 and told.startswith("Turn 1  [50 : 50]  player_0 (rules)") and "won" in told.splitlines()[-1]
    code, again, _ = run("replay", "game.jsonl")
    assert code == 0 and again == told
    _, out, _ = run("watch", "star_realms", "--agents", "rules,simple", "--seed", 3, "--json")
    assert json.loads(out) == json.loads(Path("game.jsonl").read_text())
    _, out, _ = run("replay", "game.jsonl", "--json")
    assert json.loads(out)["returns"] == json.loads(Path("game.jsonl").read_text())["returns"]


def test_an_agent_of_ones_own_is_named_by_its_file(run, tmp_path):
    code = "class Mine:\n    name = 'mine'\n    def act(self, game, states, masks, seeds):\n        return "
    for file in ("mine.py", "of_mine.py"):
        (tmp_path / file).write_text(code + "masks.argmax(axis=1)\n")
    for command, named in (
        ("watch", "mine.py:Mine"),
        ("watch", "search:2:prior=mine.py:Mine,random"),
        ("advantage", "mine.py:Mine,random"),
        ("league", "random,of_mine:Mine"),
    ):
        games = [] if command == "watch" else ["--games", 2]
        code, out, err = run(command, "interstellar_empire", "--agents", named, *games, "--json")
        assert code == 0 and "mine" in out and not err, (command, err)
    code, _, err = run("watch", "interstellar_empire", "--agents", "mine.py:Yours")
    assert code == 2 and err == "stardeck: agent 'mine.py:Yours': has no 'Yours'; agents in it: Mine\n"
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    name = 'mine'\n    def act(self, *given):\n        return 1 / 0\n"
    )
    code, _, err = run("advantage", "interstellar_empire", "--agents", "mine.py:Mine", "--games", 2, "--out", "new")
    assert code == 2 and "agent 'mine': ZeroDivisionError in act, line 4 of mine.py: division by zero" in err


def test_scenario_prints_failures_and_exits_1(run, tmp_path):
    code, out, _ = run("scenario", *SCENARIOS)
    assert code == 0 and len(out.splitlines()) == 1
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("- {name: hands, game: star_realms, seed: 1, expect: {players: {player_0: {hand: 4}}}}")
    code, out, _ = run("scenario", wrong)
    assert code == 1 and "hands: players.player_0.hand: expected 4, actual 3" in out
    code, out, _ = run("scenario", wrong, "--json")
    (result,) = json.loads(out)
    assert code == 1 and set(result) == {"file", "name", "ok", "differences"} and result["ok"] is False


def test_bench_prints_a_row_for_every_figure(run, monkeypatch):
    monkeypatch.setattr(series, "CHUNK", 64)
    monkeypatch.setattr(speed, "BATCH", 64)
    monkeypatch.setattr(speed, "LANES", 64)
    monkeypatch.setattr(speed, "SIMULATIONS", 10)
    code, out, _ = run("bench", "--format", "standard", "--seconds", 0.05, "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert {row["name"].rpartition("/")[2] for row in found} == set(speed.ROWS)
    for row in found:
        assert (
            row["name"].startswith(tuple(f"star_realms/{name}/standard/2/" for name in PRINTED))
            and row["state_bytes"] <= 3072
        )
        keys = "name processes games_per_s steps_per_s state_bytes compile_cold_s compile_warm_s"
        assert list(row) == keys.split()
        assert row["steps_per_s"] > 0


TINY = "--units 16,8 --num-envs 4 --rollout 8 --steps 64 --imitation 0 --evaluation-games 2 --freeze-every 1".split()
TINY += ["--value-rounds", "0"]


def test_train_makes_an_agent_that_other_commands_take(run, tmp_path):
    code, out, _ = run("train", "star_realms", "--seed", 2, *TINY)
    folder = tmp_path / "results" / "train-star_realms-core-standard-2"
    assert (
        code == 0
        and "games won against rules, ppo-0.1, cheap-combat, same-faction, and its own previous version" in out
        and "agent.safe" in out
    )
    agent = str(folder / "agent.safetensors")
    code, out, _ = run("train", "star_realms", "--seed", 2, *TINY, "--json")
    assert code == 0 and json.loads(out)["recipe"]["units"] == [16, 8] and json.loads(out)["decisions"] == 64
    code, out, _ = run("watch", "star_realms", "--agents", f"{agent},random", "--max-turns", 4)
    assert code == 0 and "(train-star_realms-core-standard-2)" in out
    code, _, err = run("watch", "interstellar_empire", "--agents", agent)
    assert code == 2 and "agent 'train-star_realms-core-standard-2': was trained on star_realms/core/standard/2" in err


def test_a_quick_training_is_short_and_says_that_it_is_weak(run, monkeypatch):
    import stardeck.training

    asked = []
    train = lambda *_, **given: asked.append((given["recipe"], given["quick"])) or {}  # noqa: E731
    monkeypatch.setattr(stardeck.training, "train", train, raising=False)
    code, out, err = run("train", "star_realms", "--quick", "--imitation", 7, "--json")
    assert code == 0 and json.loads(out) == {} and "weaker than the agents of the package" in err
    run("train", "star_realms", "--json")
    assert asked == [({"imitation": 7}, True), ({}, False)]


def test_a_quick_training_in_python_is_that_of_the_command(monkeypatch, tmp_path):
    from stardeck.training import methods

    made = []
    ended = types.SimpleNamespace(run=lambda limit: {"finished": True})
    for begin in ("_self_play", "_expert"):
        monkeypatch.setattr(methods, begin, lambda game, numbers, *_: made.append(numbers) or ended)
    for method, recipe in (("ppo", {"imitation": 7}), ("expert", None)):
        methods.train("star_realms", tmp_path, 0, recipe, method=method, quick=True)
    assert (made[0].steps, made[0].imitation, made[1].rounds) == (1_000_000, 7, 4)
    with pytest.raises(ValueError, match="method='x': must be one of ppo, expert"):
        methods.train("star_realms", tmp_path, method="x", quick=True)


def test_train_value_says_how_much_it_explains(run, tmp_path):
    words = ("train-value", "interstellar_empire", "ppo", "--rounds", 1, "--games", 200, "--units", "16,8")
    code, out, _ = run(*words)
    assert code == 0 and "interstellar_empire/2: a value network for ppo, from 200 games" in out
    assert "explained variance of results at starts of turns" in out
    agent = str(tmp_path / "results" / "value-interstellar_empire-2" / "agent.safetensors")
    code, out, _ = run(*words, "--json")
    assert code == 0 and json.loads(out)["recipe"]["units"] == [16, 8]
    code, out, _ = run("watch", "interstellar_empire", "--agents", f"search:4:prior={agent},random")
    assert code == 0 and "(search:4:prior=" in out


def test_train_belief_says_how_well_it_guesses(run, tmp_path):
    words = ("train-belief", "interstellar_empire", "ppo", "--rounds", 1, "--games", 200, "--units", "16,8")
    code, out, _ = run(*words)
    assert code == 0 and "interstellar_empire/2: an opponent-hand model for ppo, from 200 games" in out
    assert "perplexity of a card in another hand:" in out
    agent = str(tmp_path / "results" / "belief-interstellar_empire-2" / "agent.safetensors")
    code, out, _ = run(*words, "--json")
    assert code == 0 and json.loads(out)["recipe"]["units"] == [16, 8]
    code, out, _ = run("watch", "interstellar_empire", "--agents", f"search:4:prior=ppo:opponents={agent},random")
    assert code == 0 and f"search:4:prior=ppo:opponents={agent}"[:20] in out


def test_exploit_says_what_it_has_found(run, monkeypatch):
    told = {}

    def found(game, agent, out, seed, recipe, games, simulations, progress, honest, **settings):
        told.update(agent=agent, recipe=recipe, games=games, simulations=simulations, settings=settings)
        rate = {"games": 200, "win_rate": 0.6, "low": 0.55, "high": 0.65}
        return {
            "variant": "v", "decisions": 2_000, "agent": agent, "fair_share": 50.0, "at_least": 5.0, "best": "network",
            "responses": [{"response": "network"} | rate], **rate,
        }  # fmt: skip

    monkeypatch.setattr("stardeck.training.best_response.exploit", found)
    agent = "a:100:[b]"  # printed verbatim, although rich would read an emoji and a colour
    words = ("exploit", "star_realms", agent, "--steps", 2_000, "--games", 200, "--simulations", 0)
    code, out, _ = run(*words, "--max-turns", 9)
    assert code == 0 and f"{agent} can be exploited by at least 5.0 points above the fair share of 50.0 %" in out
    assert "60.00 %  [55.00, 65.00]" in out and "network, on new deals" in out
    assert told == {
        "agent": agent, "recipe": {"steps": 2_000}, "games": 200, "simulations": 0, "settings": {"max_turns": 9},
    }  # fmt: skip


def test_train_writes_lines_where_there_is_no_terminal(run, monkeypatch):
    monkeypatch.setattr(progress, "LINE_EVERY", 0.0)
    drawn = []
    monkeypatch.setattr(plots, "save", lambda figure, path: drawn.append(figure))
    code, out, err = run("train", "star_realms", "--out", "o", *TINY)
    told = [line for line in err.splitlines() if " decisions; against rules " in line]
    assert code == 0 and len(told) >= 2 and re.match(r"\d\d:\d\d:\d\d  0 of 64 decisions; ", told[0]), err
    assert "64 of 64 decisions" in told[-1] and "decisions" in out
    (figure,) = drawn
    assert figure.axes[0].get_xlabel() == "decisions of self-play, millions"
    assert re.search(r"in\s[0-9]+\sminutes?\b", figure.get_suptitle())
    assert figure.axes[0].lines[0].get_xdata()[-1] == 64 / 1e6


def test_train_says_how_it_was_interrupted_and_what_is_missing(run, monkeypatch, tmp_path):
    monkeypatch.setattr(progress, "progress_bar", lambda unit: contextlib.nullcontext(broken_off))
    code, _, err = run("train", "star_realms", *TINY)
    assert code == 130 and "the same command continues" in err
    monkeypatch.undo()
    monkeypatch.setattr(interrupt, "watch", lambda: None)
    monkeypatch.setattr(interrupt, "leave", sys.exit)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    monkeypatch.setattr(sys, "argv", ["stardeck", "train", "star_realms", *TINY])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2


def broken_off(done, total, note):
    raise KeyboardInterrupt


def test_bench_measures_every_format_with_few_and_many_players(run, monkeypatch):
    monkeypatch.setattr(speed, "measure", lambda *_: (1, 1, 1.0))
    code, out, _ = run("bench", "--all", "--rows", "random", "--json")
    measured = [ENTRIES[json.loads(line)["name"].rpartition("/")[0]] for line in out.splitlines()]
    assert code == 0

    def players(listed):
        found = {}
        for entry in listed:
            kind = entry["game"], entry["settings"].get("format")
            found.setdefault(kind, set()).add(entry["settings"].get("players", 0))
        return found

    few_and_many = {kind: {min(counts), max(counts)} for kind, counts in players(ENTRIES.values()).items()}
    assert players(measured) == few_and_many


def test_bench_tells_the_parts_of_a_decision(run, monkeypatch):
    monkeypatch.setattr("stardeck.benchmarks.speed.breakdown.GAMES", 20)
    monkeypatch.setattr("stardeck.benchmarks.speed.breakdown.ROUNDS", 1)
    code, out, _ = run("bench", "--parts", "--game", "interstellar_empire")  # compiles fastest
    assert code == 0 and out.startswith("interstellar_empire/2, ") and "`rules` decides" in out
    monkeypatch.setattr(speed, "parts_of", lambda game: {"observe": float(game.players)})
    code, out, _ = run("bench", "--parts")
    assert code == 0 and out.startswith("star_realms/core/standard/2, ") and "observe" in out
    code, out, _ = run("bench", "--parts", "--format", "standard", "--json")
    told = json.loads(out.splitlines()[0])
    assert code == 0 and told["state_bytes"] > 0 and told["nanoseconds"] == {"observe": 2}


def test_bench_begins_with_the_core_set(run, monkeypatch):
    monkeypatch.setattr(speed, "measure", lambda *_: (1, 1, 1.0))
    monkeypatch.setattr(speed, "compile_times", lambda *_: (2.0, 1.0))
    code, out, _ = run("bench", "--rows", "random")
    machine, _, *measured, more = out.splitlines()
    assert code == 0 and all(line.startswith("star_realms/core/standard/2/random") for line in measured)
    assert 1 <= len(measured) <= 2 and measured[0].split()[-1] == "-" and "--all everything" in more
    _, out, _ = run("bench", "--rows", "random", "--compile-times")
    assert out.splitlines()[2].split()[-2:] == ["2.0", "1.0"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("advantage chess", "'chess' is not one of 'star_realms', 'rise_of_empire', 'interstellar_empire'"),
        ("advantage star_realms --players 7", "players=7: must be a whole number from 1 to 6"),
        ("watch star_realms --players 3", "players=3: standard takes 2; formats for 3: free_for_all, hunter"),
        ("advantage star_realms --format hunters", "format='hunters': must be one of standard"),
        ("advantage star_realms --agents nobody", "agent 'nobody': must be one of random, simple, rules"),
        ("advantage star_realms --games 0", "0 is not in the range"),
        ("advantage star_realms --games many", "'many' is not a valid integer"),
        ("advantage star_realms --opening-hands a,b", "--opening-hands a,b: must be whole numbers"),
        ("advantage star_realms --set none.toml", "none.toml: cannot be read"),
        ("advantage", "Missing argument"),
        (
            "league star_realms --agents rules",
            "agents: 1 given: a league of star_realms/core/standard/2 takes 2 or more",
        ),
        ("league star_realms --agents rules,rules", "agents: 'rules' is given twice"),
        ("league star_realms --agents rules,nobody", "agent 'nobody': must be one of random, simple, rules"),
        ("league star_realms --sprt 5", "--sprt 5: must be two numbers with a comma"),
        ("league star_realms --sprt a,b", "--sprt a,b: must be two numbers with a comma"),
        ("league star_realms --sprt 10,0", "sprt=10,0: LOW must be below HIGH"),
        ("league star_realms --set box --format hunter --sprt 0,10", "sprt: tests pairs of games between two sides"),
        (
            "league star_realms --set box --format hunter --players 3 --rating nash",
            "--rating nash: needs two sides, and star_realms/box/hunter/3 has 3",
        ),
        ("league star_realms --agents rules,simple --rating alpha-rank", "needs 3 agents or more, and there are 2"),
        ("train star_realms --seeds 0", "0 is not in the range x>=1"),
        ("train star_realms --seeds -2", "-2 is not in the range x>=1"),
        ("train star_realms --seeds two", "'two' is not a valid integer"),
        ("league star_realms --rating glicko", "'glicko' is not one of 'elo', 'nash', 'alpha-rank'"),
        ("league star_realms --games 0", "0 is not in the range"),
        ("league star_realms --out /dev/null/x", "/dev/null/x"),
        ("fair star_realms", "Missing option '--knob'"),
        ("fair star_realms --knob authority", "knob 'authority': write NAME=LOW:HIGH"),
        ("fair star_realms --knob cards=1:2", "'cards' is no parameter of star_realms; it has set, format"),
        ("fair star_realms --knob players=2:3", "'players' is no parameter of star_realms"),
        ("fair star_realms --knob authority.2=40:60", "seat 2: must be from 0 to 1"),
        ("fair star_realms --knob max-turns.1=40:60", "max_turns is not by seat; leave '.1' out"),
        ("fair empire_of_the_stars --knob block=1:3", "block is a list, but not by seat"),
        ("fair star_realms --knob authority=60:40", "must be whole numbers from 1 to 1000, the lower one first"),
        ("fair star_realms --knob authority=40:6000", "must be whole numbers from 1 to 1000"),
        ("fair star_realms --knob errata=true:maybe", "must be two of false, true"),
        ("fair star_realms --knob format=standard:raid", "knob 'format=standard:raid': changes the sides"),
        ("fair star_realms --knob authority=40:60 --knob authority.1=9:12", "changes what another --knob changes too"),
        (
            "fair star_realms --knob authority.0=40:60 --knob authority.1=9:12",
            "2 given: star_realms/core/standard/2 takes one",
        ),
        ("fair star_realms --knob authority=40:60 --within 0", "within=0.0: must be from 0.01 to 50 percentage points"),
        ("fair star_realms --knob authority=40:60 --within nan", "within=nan: must be from 0.01 to 50"),
        ("fair star_realms --set box --format nemesis_beast --knob max-turns=9:12", "all players are one side"),
        ("worth interstellar_empire", "interstellar_empire has no treatments: its agents package must define"),
        (
            "worth star_realms --what powers",
            "what='powers': of star_realms it must be one of purchases, openings",
        ),
        ("worth star_realms --agents search:4", "agent 'search:4': trials are made in compiled loops, and it is not"),
        ("watch star_realms --agents a,b,c", "agents: 3 given"),
        ("watch star_realms --save /nowhere/x.jsonl", "No such file or directory"),
        ("watch star_realms --seed -1", "-1 is not in the range"),
        ("play star_realms --seat 5", "seat=5: must be from 0 to 1"),
        ("play star_realms --resume none.jsonl", "does not exist"),
        ("cards nothing", "no card is called 'nothing': must be a game (star_realms,"),
        ("warmup chess", "'chess' is not one of 'star_realms'"),
        ("scenario none.yaml", "does not exist"),
        ("replay none.jsonl", "does not exist"),
        ("train star_realms --units 12", "units=(12,): must be multiples of 8"),
        ("train star_realms --units many", "--units many: must be whole numbers with commas"),
        ("train star_realms --teacher nobody", "agent 'nobody': must be one of"),
        ("exploit star_realms nobody", "agent 'nobody': must be one of"),
        ("exploit star_realms rules --set box --format nemesis_beast", "there is no agent to exploit"),
        ("train-value star_realms rules", "agent 'rules': must be a network, by name or file"),
        ("train-value star_realms nobody", "agent 'nobody': must be one of"),
        ("train-value star_realms ppo --games 0", "games=0: must be from 1 to 100000"),
        ("train-value star_realms ppo --units 12", "units=(12,): must be multiples of 8"),
        ("train-belief interstellar_empire rules", "others have no opponent-hand model"),
        ("train-belief star_realms ppo", "the play of others says nothing about their hands"),
        ("exploit star_realms rules --simulations 1", "simulations=1: must be 0 or a whole number from 2"),
        ("train star_realms --players 3", "players=3: standard takes 2"),
        ("watch star_realms --agents search:0", "simulations=0: must be from 1"),
        ("watch star_realms --agents none.safetensors", "none.safetensors: there is no such file"),
        ("bench --rows speed", "--rows speed: must be among random"),
        ("bench --game interstellar_empire --format standard", "--format standard: interstellar_empire has no formats"),
        ("bench --format hunters --no-compile-times", "--format hunters: must be one of emperor, free_for_all"),
        ("bench --seconds nan", "nan is not in the range"),
        ("bench --seconds inf", "inf is not in the range"),
        ("train star_realms --entropy inf", "entropy=inf: must be from 0 to 10"),
        ("train star_realms --learning-rate nan", "learning_rate=nan: must be from 1e-12 to 1"),
        ("train star_realms --num-envs 999999999", "num_envs=999999999: must be from 1 to 4194304"),
        ("play star_realms --agents rules,rules", "agents: 2 given: star_realms/core/standard/2 has 1 other players"),
        ("advantage star_realms --workers 1000000", "1000000 is not in the range"),
        ("fly", "No such command 'fly'"),
        ("list --colour", "No such option"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(run, arguments, message):
    code, _, err = run(*arguments.split())
    assert code == 2
    assert len(err.strip().splitlines()) == 1, err
    assert message in err


# Every option of every command with invalid values. Paths may have any name, and have invalid values of their own.
JUNK = ["nan", "-inf", "-1", "1e999", "\0", "x" * 10_000, "9" * 5_000, ",,", "[]", "\u2028\udcff"]
NO_PLACES = ["\0", "x" * 5_000, "file/x", "/dev/null/x", "/proc/nothing/x"]
TRIED = {
    "list": [],
    "cards": ["cutter"],
    "warmup": ["interstellar_empire"],
    "advantage": ["interstellar_empire", "--agents", "random", "--games", "2"],
    "league": ["interstellar_empire", "--agents", "random,simple", "--games", "2"],
    "fair": ["interstellar_empire", "--knob", "first_player=agreed:bid", "--agents", "random"],
    "worth": ["star_realms", "--games", "2"],
    "agreement": ["star_realms", "file"],
    "dataset": ["interstellar_empire", "--agents", "random", "--games", "2"],
    "report": ["file"],
    "report design": ["interstellar_empire", "--only", "skill", "--games", "2", "--ladder", "random,simple"],
    "benchmark": ["random", "--games", "2", "--tasks", "nemesis-beast-2"],
    "verify": ["file"],
    "leaderboard": ["."],
    "watch": ["interstellar_empire", "--agents", "random"],
    "import-log": ["file"],
    "replay": ["file"],
    "play": ["interstellar_empire", "--agents", "random"],
    "scenario": ["file"],
    "train": ["interstellar_empire", *TINY],
    "exploit": ["interstellar_empire", "random", "--steps", "64", "--games", "2"],
    "train-value": ["interstellar_empire", "ppo", "--rounds", "1", "--games", "2"],
    "train-belief": ["interstellar_empire", "ppo", "--rounds", "1", "--games", "2"],
    "bench": ["--rows", "random", "--no-compile-times", "--seconds", "0.01", "--game", "interstellar_empire"],
    "serve": ["--port", "0"],
    "mcp": ["--http", "0"],
    "llm": ["interstellar_empire", "--endpoint", "nowhere", "--model", "m"],
    "show": ["MEASURED"],
    "cite": ["MEASURED"],
}


COMPILING = "stardeck: compiling the kernels, once for this version and machine ...\n"


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Return a folder of results."""
    folder = tmp_path_factory.mktemp("measured")
    advantage("interstellar_empire", "random", 2, out=folder)
    return str(folder)


def assert_refused(code, out, err):
    assert code == 2 and not out
    assert len(err.strip().splitlines()) == 1 and len(err) < 3_000, err
    assert "Traceback" not in err and "Errno" not in err, err


@pytest.mark.parametrize("command", TRIED)
def test_junk_in_any_option_is_one_line_and_changes_nothing(run, monkeypatch, tmp_path, measured, command):
    (tmp_path / "file").write_text("x")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(speed, "variants", lambda: list(ENTRIES.values()))  # a list makes the tables of all variants
    tried = 0
    name, *words = command.split()
    tried_with = [measured if word == "MEASURED" else word for word in TRIED[command]]
    known = cli.cli.get_command(None, name).make_context(name, [*words, *tried_with], resilient_parsing=True)
    for option in known.command.get_params(known):
        is_path = isinstance(option.type, click.Path)
        for junk in () if getattr(option, "is_flag", False) else NO_PLACES if is_path else JUNK:
            given = tried_with
            given = [junk, *given[1:]] if isinstance(option, click.Argument) else [*given, option.opts[0], junk]
            code, out, err = run(*command.split(), *given)
            if not (option.name == "seat" and junk == "-1"):
                assert_refused(code, out, err)
            tried += 1
    assert tried >= len(NO_PLACES) and {name for name, *_ in map(str.split, TRIED)} == set(COMMANDS)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["out", "a:b", "s3:bucket", "search:5", "é\u2028", "--x", " "])
def test_a_folder_may_have_any_name(run, tmp_path, name):
    code, _, err = run("advantage", "star_realms", "--max-turns", 2, "--games", 2, f"--out={name}")
    assert code == 0, err
    code, out, err = run("advantage", "star_realms", "--max-turns", 2, "--games", 4, f"--out={name}", "--json")
    assert code == 0 and json.loads(out)["games"] == 4, err


@pytest.fixture(scope="module")
def recorded():
    import stardeck

    return record.play(stardeck.make("star_realms", max_turns=2), ["simple"], 1)


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    "change",
    [
        {"moves": [5]}, {"moves": [None]}, {"moves": [[]]}, {"moves": "play Scout"}, {"moves": ["x" * 10_000]},
        {"moves": ["\0"]}, {"agents": []}, {"agents": ["simple"]}, {"agents": [1, 2]}, {"agents": ["a"] * 9},
        {"settings": {"name": "x"}}, {"settings": {"players": "x" * 10_000}}, {"settings": {"set": "x" * 5_000}},
        {"settings": {"set": "\0.toml"}}, {"settings": {"set": "x" * 5_000 + ".toml"}}, {"settings": []},
        {"seed": -1}, {"seed": True}, {"seed": 2**64}, {"seed": 1.0}, {"variant": "chess"}, {"variant": ""},
        {"tables": 5}, {"tables": "x" * 10_000}, {"returns": []}, {"returns": [[[]]]}, {"returns": ["x" * 10_000]},
    ],
)  # fmt: skip
def test_an_edited_record_is_one_line(run, tmp_path, recorded, change):
    (tmp_path / "edited.jsonl").write_text(json.dumps(recorded | change) + "\n")
    code, out, err = run("replay", "edited.jsonl")
    assert code == 2 and "edited.jsonl: line 1: " in err and len(err.strip().splitlines()) == 1 and len(err) < 6_000


@pytest.mark.parametrize("content", ["{}", "5", "null", '"x"', "[]", DEEP, '{"a":' * 100_000, "{", "9" * 5_000, "\0"])
def test_a_file_of_no_records_is_one_line(run, tmp_path, content):
    (tmp_path / "bad.jsonl").write_text(content)
    code, out, err = run("replay", "bad.jsonl")
    assert_refused(code, out, err)
    assert "bad.jsonl: line 1: " in err


@pytest.mark.parametrize("game", GAMES)
def test_junk_in_any_setting_is_one_line(run, game):
    command = cli.cli.get_command(None, "watch")
    known = command.make_context("watch", [game], resilient_parsing=True).meta[options.SETTINGS]
    assert len(known) == len(registry.settings_of(game)) >= 2
    for _, option in known.values():
        for junk in JUNK:
            code, out, err = run("watch", game, "--agents", "random", option.opts[0], junk)
            assert_refused(code, out, err)


HANDS = "name: hands, game: star_realms, seed: 1"


@pytest.mark.parametrize(
    "content",
    [
        "", "5", "{}", "[5]", "[{}]", "[{name: 5}]", "[[]]", DEEP, "{" * 100_000, "- " * 100_000, "!!python/none x",
        "- &a [*a]", f"- {{{HANDS}, expect: &a {{}}, settings: *a}}", "[2001-99-99]", "[" + "9" * 5_000 + "]", "\0",
        "[{[]: 5}]", "[{{}: 5}]", "? [a]\n: 5", "- {name: hands}", f"- {{{HANDS}}}", f"- {{{HANDS}, expect: 5}}",
        f"- {{{HANDS}, expect: {{legal: 5}}}}", f"- {{{HANDS}, expect: {{legal: [5]}}}}",
        f"- {{{HANDS}, expect: {{illegal: {{a: 5}}}}}}", f"- {{{HANDS}, expect: {{illegal: null}}}}",
        f"- {{{HANDS}, expect: {{}}, moves: 5}}", f"- {{{HANDS}, expect: {{}}, moves: [5]}}",
        f"- {{{HANDS}, expect: {{}}, moves: {{player_0: end turn}}}}", f"- {{{HANDS}, expect: {{}}, moves: null}}",
        f"- {{{HANDS}, expect: {{}}, moves: [{{player_0: 5}}]}}", f"- {{{HANDS}, expect: {{}}, settings: 5}}",
        f"- {{{HANDS}, expect: {{}}, settings: {{name: x}}}}", f"- {{{HANDS}, expect: {{}}, settings: {{5: 5}}}}",
        f"- {{{HANDS}, expect: {{}}, settings: {{players: {'x' * 10_000}}}}}", f"- {{{HANDS}, expect: {{}}, 5: 5}}",
        "- {name: a, game: 5, seed: 1, expect: {}}", "- {name: a, game: chess, seed: 1, expect: {}}",
        "- {name: a, game: star_realms, seed: true, expect: {}}", "- {name: a, game: star_realms, seed: x, expect: {}}",
        "- {name: a, game: star_realms, seed: -1, expect: {}}", "- {name: a, game: star_realms, seed: 1.0, expect: {}}",
        "- {name: a, game: star_realms, position: 5, expect: {}}", "- {name: a, game: star_realms, expect: {}}",
        "- {name: a, game: star_realms, campaign: 5, expect: {}}",
        "- {name: a, game: star_realms, campaign: {scenario: x}, expect: {}}",
    ],
)  # fmt: skip
def test_a_file_of_no_scenarios_is_one_line(run, tmp_path, content):
    (tmp_path / "bad.yaml").write_text(content)
    code, out, err = run("scenario", "bad.yaml")
    assert_refused(code, out, err)
    assert "bad.yaml" in err


@pytest.mark.parametrize(
    "expect",
    [
        "{5: 5}", "{players: 5}", "{players: [5]}", "{players: {player_0: {hand: [Scout x99999999999]}}}",
        "{players: {player_0: {hand: [[Scout], 5, {}]}}}", "{players: {player_0: {hand: [{used: [[]]}, {}, {}]}}}",
        "{players: {player_0: {hand: [{card: [{}]}, {card: {}}, {}]}}}", "{legal: [x], illegal: [end turn]}",
        "{players_order: 5}", "{over: [5]}", "{to_act: {}}", "{players: {player_0: {hand: -1}}}",
    ],
)  # fmt: skip
def test_an_expectation_of_another_kind_is_a_difference(run, tmp_path, expect):
    (tmp_path / "wrong.yaml").write_text(f"- {{{HANDS}, expect: {expect}}}")
    code, out, _ = run("scenario", "wrong.yaml")
    assert code == 1 and "wrong.yaml: hands: " in out


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(28, "No space left on device", "results/x/games.parquet"), "results/x/games.parquet: No space left"),
        (PermissionError(13, "Permission denied", "results"), "results: Permission denied"),
        (OSError("out of order"), "the disk: out of order"),
        (MemoryError("10 TB"), "there is not enough memory for this (10 TB)"),
    ],
)
def test_errors_of_the_disk_are_one_line_in_every_command(run, monkeypatch, error, message):
    def fail(*_):
        raise error

    monkeypatch.setattr(options, "make", fail)
    monkeypatch.setattr(look_up, "_list_settings", fail)
    for arguments in ("advantage star_realms", "league star_realms", "train star_realms", "watch star_realms",
                      "play star_realms", "list --settings star_realms"):  # fmt: skip
        code, out, err = run(*arguments.split())
        assert_refused(code, out, err)
        assert message in err


def test_a_full_disk_is_one_line_and_keeps_what_is_finished(tmp_path):
    code = (
        "import resource, sys; from stardeck.commands import cli\n"
        "sys.argv[1:] = 'advantage star_realms --agents simple --games 40 --max-turns 4 --out o'.split()\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000)) if SMALL else None\n"
        "cli.main()"
    )
    full = [sys.executable, "-c", code.replace("SMALL", "True")]
    done = subprocess.run(full, cwd=tmp_path, capture_output=True, text=True)
    (line,) = [line for line in done.stderr.splitlines() if "compil" not in line]
    assert done.returncode == 2 and "parquet: " in line and not list(tmp_path.rglob("*.tmp"))
    done = subprocess.run([*full[:2], code.replace("SMALL", "False")], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_unexpected_errors_are_not_hidden(run, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(look_up, "variants_with_tables", fail)
    monkeypatch.setattr(sys, "argv", ["stardeck", "list"])
    with pytest.raises(ZeroDivisionError):
        cli.main()


PRINTING = [
    "list", "cards --json", "watch interstellar_empire --agents random", "play interstellar_empire",
    "replay game.jsonl", "watch --help", "", "advantage interstellar_empire --agents random --games 4 --out a",
]  # fmt: skip
# Further commands of the same kinds.
PRINTING_ALIKE = [
    "list --json", "cards cutter", "replay game.jsonl --json", "--help",
    "league interstellar_empire --agents random,simple --games 4 --out l",
    f"scenario {ROOT}/tests/scenarios/interstellar_empire/draw.yaml",
]  # fmt: skip


@pytest.mark.parametrize("command", PRINTING + thorough(PRINTING_ALIKE, []))
def test_who_stops_reading_gets_no_complaint(tmp_path, command):
    if "replay" in command:
        import stardeck

        record.write(tmp_path / "game.jsonl", record.play(stardeck.make("interstellar_empire"), ["random"], 1))
    reader, writer = os.pipe()
    os.close(reader)  # nobody reads, from the start
    arguments = [sys.executable, "-m", "stardeck.commands.cli", *command.split()]
    done = subprocess.run(
        arguments, stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE, cwd=tmp_path, text=True
    )
    os.close(writer)
    assert (done.returncode, done.stderr.replace(COMPILING, "")) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "games"),
    [("advantage star_realms --agents simple", 6), ("league star_realms --agents rules,simple", 6)],
)
def test_nothing_but_results_goes_to_a_pipe(tmp_path, arguments, games):
    command = [sys.executable, "-m", "stardeck.commands.cli", *arguments.split(), "--games", str(games), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert json.loads(done.stdout)["games"] == games
    assert "━" not in done.stderr


def test_the_progress_bar_counts_on_a_terminal(monkeypatch):
    screen = Screen(True)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with progress.progress_bar("games") as report:
        report(1, 3)
        report(3, 3)
    assert "3/3" in screen.getvalue() and "games" in screen.getvalue()


class Screen(io.StringIO):
    """A standard error that is or is not a terminal."""

    def __init__(self, is_terminal):
        super().__init__()
        self.isatty = lambda: is_terminal


@pytest.mark.parametrize(
    ("wanted", "is_terminal", "shows"),
    [(None, True, True), (None, False, False), (True, False, True), (False, True, False)],
)
def test_a_call_from_python_shows_progress_to_whoever_looks(monkeypatch, wanted, is_terminal, shows):
    screen = Screen(is_terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "LINE_EVERY", 0)
    with progress.progress_of_call(wanted, "decisions") as report:
        report(1, 2, "half")
    assert ("decisions" in screen.getvalue()) == shows and bool(screen.getvalue()) == shows


def test_a_call_from_python_reports_to_a_function(capsys):
    reports = []
    with progress.progress_of_call(lambda *given: reports.append(given), "games") as report:
        report(1, 2, "half")
    assert reports == [(1, 2, "half")] and not capsys.readouterr().err


@pytest.mark.parametrize(("game", "imitation"), [("empire_of_the_stars", "4000000"), ("star_realms", "500000")])
def test_the_help_of_train_has_the_defaults_of_the_game(run, game, imitation):
    code, out, _ = run("train", game, "--help")
    text = " ".join(out.split())
    assert code == 0 and f"0: begin from nothing. [default: {imitation}]" in text
    assert "or the game's" not in text and text.count("Hyperparameters of ") == 3


RESULT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "leaderboard", "rules.json")


def files_of_commands():
    """Yield the arguments of a command for each argument and option that takes a file to read."""
    agents = "pipe.py:a", "pipe.safetensors", "rules:values=pipe"
    needed = {"report": ["--only", "core", "--games", "1"], "fair": ["--knob", "authority.1=40:80"],
              "exploit": ["rules"], "train-value": ["expert"], "train-belief": ["expert"],
              "agreement": ["."], "leaderboard": [os.path.dirname(RESULT)],
              "llm": ["--endpoint", "http://localhost:9", "--model", "m"]}  # fmt: skip
    for name in COMMANDS:
        command = cli.cli.get_command(None, name)
        game = ["star_realms"] if any(param.name == "game" for param in command.params) else []
        others = {"import-log": ["log.txt"], "verify": [RESULT]}.get(name, [])
        for param in command.params:
            kind = param.type
            if isinstance(kind, options.File) and kind.exists and kind.file_okay:
                given = [param.opts[0]] if isinstance(param, click.Option) else []
                yield [name, *game, *(others if given else []), *needed.get(name, []), *given, "pipe"]
        if isinstance(command, options.GameCommand):
            for setting in registry.settings_of("star_realms"):
                if setting.path:
                    yield [name, *game, *needed.get(name, []), f"--{setting.name.replace('_', '-')}", "pipe.toml"]
        options_of = {opt for param in command.params for opt in param.opts}
        if "agent" in options_of and name != "train-belief":  # it reads it like train-value, but not for this game
            yield from ([name, *game, agent] for agent in agents)
        for option in {"--agents", "--agent", "--against"} & options_of if name != "serve" else ():
            yield from ([name, *game, *others, *needed.get(name, []), option, agent] for agent in agents)


@pytest.mark.parametrize("arguments", [*files_of_commands()], ids=" ".join)
def test_no_command_waits_for_a_pipe(run, arguments, tmp_path):
    names = ["pipe", "pipe.py", "pipe.safetensors", "pipe.toml"]
    for name in names:
        os.mkfifo(tmp_path / name)
    code, out, err = run(*arguments)
    assert code == 2 and "is not a regular file" in err and not out, err
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_the_version_is_that_of_the_code():
    """An editable install keeps the version of the day that it was made."""
    found = CliRunner().invoke(cli.cli, ["--version"])
    assert found.exit_code == 0 and found.output.split()[-1] == stardeck.__version__
