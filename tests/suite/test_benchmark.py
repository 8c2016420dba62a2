"""Runs of the suite: results that others can verify, and what they would notice."""

import functools
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from made_results import LEARNING, SUITE

import stardeck
from stardeck.benchmarks.results.citation import citation
from stardeck.benchmarks.suite import benchmark
from stardeck.benchmarks.suite.result_file import (
    level_row,
    outcomes_of_blocks,
    packed,
    read_result,
    unpacked,
    with_points,
)
from stardeck.benchmarks.suite.tasks import Level
from stardeck.benchmarks.suite.verify import verify
from stardeck.commands.cli import cli
from stardeck.training import best_response

TWO = ["nemesis-beast-2", "interstellar-empire-3"]
MEASURED = ("decisions_per_second",)
MINE = """
import numpy as np

class First:
    "Takes the first legal action, and remembers what it has seen."
    name = "first"
    identity = "1"

    def act(self, game, states, masks, seeds):
        return masks.argmax(axis=1)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a run of `rules` on two tasks."""
    out = tmp_path_factory.mktemp("suite") / "rules"
    benchmark("rules", out, 6, TWO)
    return out


@pytest.fixture
def file(folder, tmp_path):
    """Return a result file of its own, without the games."""
    return Path(shutil.copy(folder / "result.json", tmp_path / "mine.json"))


def run(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


def without_times(result):
    tasks = [{key: value for key, value in row.items() if key not in MEASURED} for row in result["tasks"]]
    return result | {"tasks": tasks, "origin": None}


def test_a_result_follows_from_its_games(folder, file):
    result = read_result(file)
    assert [row["task"] for row in result["tasks"]] == TWO and result["overall"] is None
    for row in result["tasks"]:
        rules = next((level for level in row["levels"] if level["level"] == "rules"), None)
        assert rules is None or (rules["opponent"] == "rules" and rules["games"] == 6)
    assert verify(file) == {"agent": "rules", "games": 4 * 4 + 4 * 6, "all_games": False, "asked": False}
    assert verify(folder, "rules") == {"agent": "rules", "games": 2 * 4 * 6, "all_games": True, "asked": True}


def test_an_agent_against_itself_has_half_of_the_points(tmp_path):
    result = benchmark("rules", tmp_path, 300, ["interstellar-empire-3"])
    level = result["tasks"][0]["levels"][1]
    assert level["win_rate"] == pytest.approx(1 / 3, abs=4 * (2 / 9 / 300) ** 0.5)  # not by counting: it plays


def test_points_rise_with_strength(folder, tmp_path):
    random = benchmark("random", tmp_path, 60, TWO)
    rules = read_result(folder / "result.json")
    for weak, strong in zip(random["tasks"], rules["tasks"], strict=True):
        assert weak["points"] < strong["points"]


def tampered(result, change):
    held = json.loads(json.dumps(result))
    change(held["tasks"][1], held["tasks"][1]["levels"][1])
    return held


def with_moves(change):
    def moved(_, level):
        games = unpacked(level["moves"])
        level["moves"] = packed(change(games))

    return moved


def other_move(games):
    games[0][0] = 10_000
    return games


def all_won(task, _):
    """Claim that every game was won, with all numbers that follow from it."""
    for level in task["levels"]:
        outcomes = outcomes_of_blocks([[3, 0, 2]], 3)
        level.update(level_row(Level(level["level"], None, {}, ""), level["opponent"], 3, outcomes))
    task.update(with_points([task], [3], [3])["tasks"][0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda task, level: task.update(points=99.0), "interstellar-empire-3: points: 99.0: the counts give"),
        (lambda task, level: level.update(points=99.0), "level rules: points: 99.0"),
        (lambda task, level: level.update(won=6), "level rules: won: 6: the counts give"),
        (lambda task, level: level.update(win_rate=0.9), "level rules: win_rate: 0.9"),
        (lambda task, level: level.update(games=9), "blocks: must have 6 games in all"),
        (lambda task, level: level.update(blocks=[[3, 1, 2]]), "blocks: 3 won and 1 undecided games in a block of 3"),
        (lambda task, level: level.update(opponent="random"), "opponent 'random': must be rules"),
        (lambda task, level: task.update(variant="interstellar_empire/2"), "must be interstellar_empire/3"),
        (all_won, "of the first blocks have"),
        (lambda task, level: level.update(level="simple"), "levels: must be simple, rules, network, search"),
        (lambda task, level: level.update(digest="xyz"), "tasks.1.levels.1.digest"),
        (lambda task, level: level.update(moves="!"), "moves cannot be read"),
        (lambda task, level: level.update(moves=level["moves"][:40]), "moves"),
        (lambda task, level: task.update(task="core-duel"), "tasks: nemesis-beast-2, core-duel: must be different"),
        (with_moves(other_move), "action 10000"),
        (with_moves(lambda games: games[:-1]), "moves: 5 games: must be 6"),
        (with_moves(lambda games: [games[0][:-1], *games[1:]]), "its moves end before the game does"),
        (with_moves(lambda games: [np.append(games[0], 0), *games[1:]]), "its moves go on after the game"),
        (with_moves(lambda games: [games[3], *games[1:]]), "decides otherwise|illegal|end before|go on after|legal"),
    ],
)
def test_a_result_that_was_changed_is_noticed(file, change, message):
    file.write_text(json.dumps(tampered(read_result(file), change)))
    answer = run("verify", file)
    assert answer.exit_code in (1, 2) and "Traceback" not in answer.output
    found = answer.output.strip().splitlines()[-1]
    assert any(part in found for part in message.split("|")), found


def test_other_moves_of_the_entry_are_noticed_by_who_has_the_agent_or_the_games(file, folder, tmp_path):
    other = tmp_path / "other"
    benchmark("simple", other, 6, TWO)
    held = read_result(file)
    lied = read_result(other / "result.json") | {"agent": "rules"}
    file.write_text(json.dumps(lied))
    assert verify(file)["games"] == 40  # the games are possible
    answer = run("verify", file, "--agent", "rules")
    assert answer.exit_code == 1 and "rules decides otherwise" in answer.output
    shutil.copytree(folder, tmp_path / "copy")
    (tmp_path / "copy" / "result.json").write_text(json.dumps(lied))
    answer = run("verify", tmp_path / "copy")
    assert answer.exit_code == 1 and "the folder holds other games than the result" in answer.output
    held["tasks"][0]["levels"][0]["digest"] = "0" * 16
    (tmp_path / "copy" / "result.json").write_text(json.dumps(held))
    answer = run("verify", tmp_path / "copy")
    assert answer.exit_code == 1 and "digest 0000000000000000" in answer.output


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", "null", '{"benchmark": "Stardeck-8", "version": 2}', "\0", "{" * 9]
)
def test_other_files_are_refused_in_one_line(tmp_path, content):
    (tmp_path / "x.json").write_text(content)
    for words in (("verify", tmp_path / "x.json"), ("leaderboard", tmp_path)):
        answer = run(*words)
        assert answer.exit_code == 2 and "Traceback" not in answer.output, answer.output
        assert "x.json: is not " in answer.output.strip().splitlines()[-1], answer.output


def test_files_that_cannot_be_read_are_named(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(folder, "run")
    Path("run/games/nemesis-beast-2/veteran/moves.parquet").write_bytes(b"x" * 100)
    answer = run("verify", "run")
    assert answer.exit_code == 2 and "veteran/moves.parquet: is not a whole file of results" in answer.output
    Path("page.md").write_bytes(b"\xff\xfe")
    shutil.copy(folder / "result.json", "mine.json")
    answer = run("leaderboard", ".", "--put-into", "page.md")
    assert answer.exit_code == 2 and "page.md: is not text in UTF-8" in answer.output
    Path("mine.json").write_text(json.dumps(read_result("mine.json") | {"agent": "\x1b[2Jx"}))
    answer = run("verify", "mine.json")
    assert answer.exit_code == 2 and "agent: " in answer.output and "\x1b" not in answer.output


def test_an_interrupted_run_continues_to_the_same_result(folder, tmp_path):
    def stop(done, games):
        if done >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        benchmark("rules", tmp_path, 6, TWO, progress=stop)
    assert not (tmp_path / "result.json").exists()
    found = benchmark("rules", tmp_path, 6, TWO)
    assert without_times(found) == without_times(read_result(folder / "result.json"))


def test_more_games_extend_a_run_and_fewer_are_refused(tmp_path):
    few = benchmark("random", tmp_path, 2, ["nemesis-beast-2"])
    more = benchmark("random", tmp_path, 5, ["nemesis-beast-2"])
    assert [level["games"] for level in few["tasks"][0]["levels"]] == [2] * 4
    assert [level["games"] for level in more["tasks"][0]["levels"]] == [5] * 4
    whole = benchmark("random", tmp_path / "whole", 5, ["nemesis-beast-2"])
    assert without_times(whole) == without_times(more)
    with pytest.raises(ValueError, match="games=2: .* already holds 5 games"):
        benchmark("random", tmp_path, 2, ["nemesis-beast-2"])
    with pytest.raises(ValueError, match="holds results with"):
        benchmark("simple", tmp_path, 5, ["nemesis-beast-2"])


def test_an_agent_of_your_own_sees_no_hidden_cards(tmp_path):
    seen = []

    class Looks:
        name, identity = "looks", "1"

        def act(self, game, states, masks, seeds):
            seen.append(game.copy(states))
            return masks.argmax(axis=1)

    result = benchmark(Looks(), tmp_path, 2, ["nemesis-beast-2"])
    assert result["agent"] == "looks" and verify(tmp_path)["games"] == 8
    task = next(task for task in stardeck.benchmarks.suite.TASKS if task.name == "nemesis-beast-2")
    game = task.played(task.levels[0])
    hidden = game.deal(np.arange(2))  # the first call of each level sees the deals, redrawn
    assert any(len(states) == len(hidden) for states in seen)
    first = next(states for states in seen if (states["decisions"] == 0).all())
    again = game.resample_hidden(first, game.to_act(first), np.arange(len(first), dtype=np.uint64))
    assert np.array_equal(game.observe(first), game.observe(again))
    assert (first["random"] != again["random"]).all()


def test_an_agent_from_a_file_and_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE)
    answer = run("benchmark", "mine.py:First", "--games", 2, "--tasks", "nemesis-beast-2")
    assert answer.exit_code == 0 and "points" in answer.output and "nemesis-beast-2" in answer.output
    out = Path("results/benchmark-mine.py-First")
    assert read_result(out / "result.json")["tasks"][0]["agent"] == "first (1)"
    answer = run("verify", out, "--agent", "mine.py:First", "--json")
    assert answer.exit_code == 0 and json.loads(answer.stdout)["games"] == 8
    answer = run("benchmark", "mine.py:First", "--games", 2, "--tasks", "nemesis-beast-2", "--json")
    assert answer.exit_code == 0 and json.loads(answer.stdout)["agent"] == "mine.py:First"


def test_tasks_that_an_agent_cannot_play_are_left_out_with_the_reason(tmp_path):
    result = benchmark("expert", tmp_path, 2)
    assert [row["task"] for row in result["tasks"]] == ["core-duel", "interstellar-empire-3"]
    assert len(result["not_played"]) == 6 and result["overall"] is None
    assert "no network was trained for star_realms/box/raid/3" in result["not_played"]["raid-3"]
    with pytest.raises(ValueError, match="no network was trained for star_realms/box/raid/3"):
        benchmark("expert", tmp_path / "other", 1, ["raid-3"])


def test_the_exploitability_of_tasks_of_two_sides_is_added(tmp_path, monkeypatch):
    tiny = {
        "steps": 64,
        "imitation": 0,
        "num_envs": 4,
        "rollout": 16,
        "batch": 32,
        "units": (8,),
        "evaluation_games": 2,
    }
    small = functools.partial(best_response.exploit, recipe=tiny, games=20, simulations=0)
    monkeypatch.setattr(best_response, "exploit", small)
    words = ["benchmark", "random", "--games", 2, "--tasks", "core-duel,nemesis-beast-2", "--out", tmp_path]
    answer = run(*words, "--exploitability")
    assert answer.exit_code == 0, answer.output
    duel, beast = read_result(tmp_path / "result.json")["tasks"]
    assert set(duel["exploitability"]) == {"win_rate", "low", "high", "decisions"} and "exploitability" not in beast
    assert json.loads((tmp_path / "exploitability/core-duel/summary.json").read_text())["agent"] == "random"
    assert verify(tmp_path)["games"] == 4 * 4 + 4 * 2  # two blocks of each level
    before, about = duel["exploitability"], {"authors": "Ann"}
    held = json.loads((tmp_path / "result.json").read_text()) | {"about": about}
    (tmp_path / "result.json").write_text(json.dumps(held))
    assert run(*words).exit_code == 0
    kept = read_result(tmp_path / "result.json")
    assert kept["tasks"][0]["exploitability"] == before and kept["about"] == about, "a later run keeps them"
    (tmp_path / "result.json").write_text('{"tasks": 3}')
    assert run(*words).exit_code == 0
    assert "exploitability" not in read_result(tmp_path / "result.json")["tasks"][0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("rules --games 0", "0 is not in the range"),
        ("rules --games 100001", "100001 is not in the range"),
        ("rules --tasks core", "tasks='core': must be among core-duel, box-gambits"),
        ("rules --tasks=", "tasks='': must be among"),
        ("rules --quick --games 3", "--quick --games 3: must be one of them"),
        ("nobody", "agent 'nobody': must be one of"),
        ("a|b", "agent 'a|b': its name must have 1 to 200 printable characters, none of them | < > `"),
        ("ppo --train-budget 1000 --quick", "--quick: --train-budget does not use it"),
        ("ppo --train-budget 1000 --games 3", "--games: --train-budget does not use it"),
        ("ppo --train-budget 1000 --workers 2", "--workers: --train-budget does not use it"),
        ("ppo --train-budget 1000 --on ray", "--on: --train-budget does not use it"),
        ("ppo --train-budget 1000 --exploitability", "--exploitability: --train-budget does not use it"),
        ("rules --workers 0", "0 is not in the range"),
    ],
)
def test_mistakes_are_one_line(words, message, tmp_path):
    answer = run("benchmark", *words.split(), "--out", tmp_path / "out")
    assert answer.exit_code == 2 and message in answer.output and "Traceback" not in answer.output
    assert not (tmp_path / "out" / "games").exists()


def test_moves_of_any_games_are_packed_and_unpacked():
    games = [np.array([1, 2, 65535]), np.array([], np.int64), np.arange(300)]
    assert all(map(np.array_equal, unpacked(packed(games)), games))
    with pytest.raises(ValueError, match="moves"):
        unpacked(packed(games)[:-8])


@pytest.mark.parametrize(
    ("summary", "what"),
    [(SUITE, "Stardeck-8, version 1: rules, 40 games of each level."),
     (LEARNING, "Stardeck-8, version 1, task core-duel: ppo, 5 seeds of 1,000,000 decisions.")],
)  # fmt: skip
def test_a_result_can_be_cited(summary, what, tmp_path):
    (tmp_path / ("learning.json" if "curve" in summary else "result.json")).write_text(json.dumps(summary))
    cited = citation(tmp_path)
    assert what in cited["text"] and cited["reproduce"] == summary["origin"]["command"]
    assert cited["version"] == "0.1.0" and "year = {2026}" in cited["bibtex"]
