"""Agreement of agents with the players of a folder of games: what counts, and figures that are known beforehand."""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from app_writer import NAMES
from click.testing import CliRunner
from test_app_log import FIGHTER, told

import stardeck
from stardeck import agents, plots
from stardeck.benchmarks.agreement import agreement, measure
from stardeck.benchmarks.agreement.games import LeftOut, choices_of, read_games
from stardeck.benchmarks.recordings import record
from stardeck.commands.cli import cli

EXAMPLES = Path(__file__).parents[1] / "examples"

GAMES = 12
AS_IN_THE_APP = {"errata": True, "forced_discards": "next_turn"}


@pytest.fixture(scope="module")
def game():
    return stardeck.make("star_realms")


def recorded(folder, game, names, games=GAMES):
    folder.mkdir(exist_ok=True)
    for seed in range(games):
        record.write(folder / f"{seed}.jsonl", record.play(game, names, seed))
    return folder


@pytest.fixture(scope="module")
def of_rules(game, tmp_path_factory):
    """Return a folder of games of `rules`."""
    return recorded(tmp_path_factory.mktemp("rules"), game, ["rules"])


@pytest.fixture
def few(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "fighter.txt").write_text(FIGHTER)
    return tmp_path / "logs"


def rows_of(summary, agent=0):
    return {row["kind"]: row for row in summary["agents"][agent]["kinds"]}


def test_an_agent_agrees_with_its_own_play_and_a_random_one_by_chance(of_rules):
    summary = agreement("star_realms", of_rules, ["rules", "random"])
    assert summary["games"] == GAMES and summary["left_out"] == summary["contradicted"] == []
    rules, random = rows_of(summary), rows_of(summary, 1)
    assert {row["agreement"] for row in rules.values()} == {1.0} and {"all", "play", "buy", "attack"} <= set(rules)
    assert sum(row["decisions"] for kind, row in rules.items() if kind != "all") == summary["decisions"]
    for row in random.values():
        assert row["perplexity"] == pytest.approx(row["perplexity_by_chance"])
    assert random["all"]["agreement"] == pytest.approx(random["all"]["by_chance"], abs=0.01)
    assert random["all"]["low"] < random["all"]["by_chance"] < random["all"]["high"]


def test_a_network_agrees_with_its_own_play_and_has_the_likelihood_of_its_softmax(game, tmp_path):
    """The likelihoods are computed here in NumPy, from the layers."""
    folder = recorded(tmp_path / "games", game, ["ppo"], 2)
    row = rows_of(agreement("star_realms", folder, "ppo"))["all"]
    assert row["agreement"] == row["low"] == row["high"] == 1
    likelihoods = []
    for path in folder.iterdir():
        (played,) = read_games(path, path.name, game)
        legal, same, real = choices_of(played)
        network = agents.get("ppo", game).network.arranged(game)
        hidden = game.observe(played.states).astype(np.float32)
        for matrix, biases in network.layers:
            hidden = np.maximum(hidden @ matrix + biases, 0)
        weights = np.exp(hidden @ network.policy[0] + network.policy[1]) * legal
        likelihoods.append(np.log((weights * same).sum(axis=1) / weights.sum(axis=1))[real])
    assert row["log_likelihood"] == pytest.approx(np.concatenate(likelihoods).mean(), abs=1e-3)


def test_the_likelihood_of_an_agent_without_a_policy_is_smoothed(game, few):
    """Ann can play one of three cards, which are one choice, or end the turn: worked by hand."""
    row = rows_of(agreement("star_realms", few, "rules", of=["Ann"]))["play"]
    assert (row["decisions"], row["games"], row["agreement"], row["low"]) == (1, 1, 1.0, None)
    assert row["log_likelihood"] == pytest.approx(math.log(0.9 + 0.1 * row["by_chance"]))


def test_cards_that_can_be_played_in_any_order_are_one_choice(game, tmp_path):
    """Two cards and `end turn` are legal at first; after the last card only `end turn` and the attack are."""
    players = {"player_0": {"authority": 50, "hand": ["Scout", "Viper"]}, "player_1": {"authority": 50}}
    states = game.from_position({"players": players})
    position, moves = game.position(states[0]), ["play Viper", "play Scout", "end turn"]
    for move in moves:
        game.play(states, move)
    written = record.written(game, states, 0, ["Ann", "Bo"], moves) | {"position": position}
    record.write(tmp_path / "game.jsonl", written)
    (played,) = read_games(tmp_path / "game.jsonl", "game", game)
    legal, same, real = choices_of(played)
    assert same.sum(axis=1).tolist() == [2, 1, 1] and legal.sum(axis=1)[0] == 3 and real.all()
    row = rows_of(agreement("star_realms", tmp_path, "random", asked=2_000))["play"]
    assert row["decisions"] == 2 and row["by_chance"] == pytest.approx((2 / 3 + 1 / legal[1].sum()) / 2)
    assert row["agreement"] == pytest.approx(row["by_chance"], abs=0.03)


def test_a_log_of_the_app_counts_with_its_choices(few):
    summary = agreement("star_realms", few, "rules")
    assert {kind: row["decisions"] for kind, row in rows_of(summary).items()} == {
        "all": 3, "play": 1, "buy": 1, "end_turn": 1
    }  # fmt: skip
    assert summary["guessed"] == 1 and summary["variant"] == "star_realms/core/standard/2"


def test_a_game_that_is_logged_agrees_with_the_agent_that_played_it(tmp_path):
    """The app's log drops the trade row and the order of cards, so that some decisions of the import are others."""
    (tmp_path / "log.txt").write_text(told(0)[1].text)
    rows = rows_of(agreement("star_realms", tmp_path, "rules"))
    assert rows["all"]["agreement"] > 0.8 > 0.5 > rows["all"]["by_chance"]


def test_the_unit_of_intervals_is_the_game():
    """All decisions of one game agree, and none of the other: the mean of resampled games is from 0 to 1."""
    values, games = np.repeat([1.0, 0.0], 500), np.repeat([0, 1], 500)
    assert measure._estimate(values, games) == (0.5, 0.0, 1.0)
    assert measure._estimate(values[:500], games[:500]) == (1.0, None, None)
    low, high = measure._estimate(np.tile([1.0, 0.0], 5_000), np.repeat(np.arange(100), 100))[1:]
    assert low == high == 0.5


def test_files_that_do_not_count_are_named_with_the_reason_and_the_others_count(few, game):
    (few / "again.txt").write_text(FIGHTER)
    (few / "other.txt").write_text(FIGHTER.replace("Blob Fighter", "Solar Skiff"))
    (few / "bytes.txt").write_bytes(b"Play all\n\xff\xfe")
    (few / "README.md").write_text("These are my games.")
    (few / "empty.txt").write_text("")
    (few / "damaged.jsonl").write_text("{")
    (few / "wrong.jsonl").write_text(FIGHTER.replace("\n", " "))
    (few / "deeper").mkdir()
    record.write(few / "deeper" / "box.jsonl", record.play(stardeck.make("star_realms", set="box"), ["random"], 1))
    record.write(few / "deeper" / "empire.jsonl", record.play(stardeck.make("interstellar_empire"), ["random"], 1))
    late = FIGHTER.replace("for 1", "for 1") + "It is now Bo's turn 2\nAttacked Ann for 9 (New Authority:41)\n"
    (few / "wrong.txt").write_text(late)
    (few / ".hidden").write_text("not a log")
    summary = agreement("star_realms", few, "rules")
    reasons = {one["file"]: one["reason"] for one in summary["left_out"]}
    assert reasons.keys() == {
        "fighter.txt", "other.txt", "bytes.txt", "README.md", "empty.txt", "damaged.jsonl", "wrong.jsonl",
        "deeper/box.jsonl: line 1", "deeper/empire.jsonl: line 1",
    }  # fmt: skip
    assert reasons["fighter.txt"] == "is the game of again.txt again"
    assert "unknown cards: Solar Skiff" in reasons["other.txt"] and "UTF-8" in reasons["bytes.txt"]
    assert "with other observations and actions than star_realms/core" in reasons["deeper/box.jsonl: line 1"]
    (remark,) = summary["contradicted"]
    assert remark["file"] == "wrong.txt" and remark["reason"].startswith("line ") and summary["games"] == 2


def test_decisions_of_some_players_count(few):
    log = told(0)[1].text
    (few / "log.txt").write_text(log)
    both = agreement("star_realms", few, "rules")["decisions"]
    parts = [agreement("star_realms", few, "rules", of=[name])["decisions"] for name in NAMES]
    assert sum(parts) == both
    assert agreement("star_realms", few, "rules", exclude=["Ann"])["decisions"] == parts[1]
    with pytest.raises(ValueError, match="no game counts, 2 are left out: fighter.txt: has no decisions of these pl"):
        agreement("star_realms", few, "rules", of=["Nobody"])
    with pytest.raises(ValueError, match="exclude='Ann': must be a list of names"):
        agreement("star_realms", few, "rules", exclude="Ann")


class Peeping:
    """An agent that knows the deck of its opponent: it must not see that of a log, which knows the future."""

    name = "peeping"
    seen: list[bytes] = []

    def act(self, game, states, masks, seeds):
        self.seen.append(states["players"][:, 1]["cards"].tobytes())
        return masks.argmax(axis=1)


def test_an_agent_of_your_own_sees_nothing_hidden(few):
    (few / "log.txt").write_text(told(0)[1].text)
    summary = agreement("star_realms", few, Peeping(), asked=2)
    assert summary["agents"][0]["agent"] == "honest:peeping"
    assert len(set(Peeping.seen)) == len(Peeping.seen)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"asked": 0}, "asked=0: must be from 1 to 10,000"),
        ({"agents": []}, "agents: none given"),
        ({"agents": "nobody"}, "agent 'nobody': must be one of"),
        ({"set": "box"}, "no game counts, 1 are left out: fighter.txt: is a game of star_realms/core"),
        ({"colour": 1}, "star_realms has no such setting and agreement no such option"),
    ],
)
def test_what_is_impossible_is_refused_in_one_line(few, options, message):
    with pytest.raises(ValueError, match=message):
        agreement("star_realms", few, **options)


def test_a_folder_must_hold_files(tmp_path):
    with pytest.raises(ValueError, match="must be a folder of logs"):
        agreement("star_realms", tmp_path / "none")
    with pytest.raises(ValueError, match="has no files; it must hold logs of the app, or recorded games"):
        agreement("star_realms", tmp_path)
    with pytest.raises(ValueError, match="must be a folder of this machine"):
        agreement("star_realms", "s3://somewhere/logs")


def interrupted(monkeypatch, after):
    """Press Ctrl-C after some files."""
    files = iter(range(after))

    def read(*given):
        if next(files, None) is None:
            raise KeyboardInterrupt
        yield from read_games(*given)

    monkeypatch.setattr(measure, "read_games", read)


def test_an_interrupted_run_reports_the_files_before_it(of_rules, tmp_path, monkeypatch):
    interrupted(monkeypatch, 5)
    words = ["agreement", "star_realms", str(of_rules), "--agents", "rules", "--out", str(tmp_path / "out")]
    found = CliRunner().invoke(cli, words)
    assert found.exit_code == 130 and found.stdout == ""
    assert found.stderr == f"interrupted; {tmp_path / 'out'} has the report on the files before it\n"
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["games"] == 5 and len(summary["left_out"]) == GAMES - 5
    assert {one["reason"] for one in summary["left_out"]} == {"interrupted"}
    assert LeftOut(**summary["left_out"][0]).file.endswith(".jsonl")
    interrupted(monkeypatch, 0)
    found = CliRunner().invoke(cli, [*words[:-1], str(tmp_path / "none")])
    assert found.exit_code == 130 and found.stderr == "interrupted; no file was finished\n"


def test_the_command_prints_tables_or_json_and_draws_a_figure(of_rules, tmp_path):
    words = ["agreement", "star_realms", str(of_rules), "--agents", "rules,random", "--out", str(tmp_path / "out")]
    found = CliRunner().invoke(cli, [*words, "--figure", "svg,png"])
    assert found.exit_code == 0 and "rules:\n" in found.stdout and "100.0 [100.0, 100.0]" in found.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"summary.json", "agreement.svg", "agreement.png"}
    as_json = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)
    assert as_json == json.loads((tmp_path / "out" / "summary.json").read_text())
    assert len(plots.agreement(as_json).axes) == 2
    again = CliRunner().invoke(cli, ["show", str(tmp_path / "out"), "--figure", str(tmp_path / "again.png")])
    assert again.exit_code == 0 and (tmp_path / "again.png").exists()


def test_files_with_one_reason_are_one_line_of_the_command(tmp_path, monkeypatch):
    """As in a folder that holds other files besides logs."""
    monkeypatch.chdir(tmp_path)
    copy = shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    found = CliRunner().invoke(cli, ["agreement", "star_realms", "examples", "--agents", "random"])
    assert found.exit_code == 0, found.output
    lines = [line for line in found.output.splitlines() if "left out" in line]
    others = len([path for path in copy.rglob("*") if path.is_file() and not path.name.startswith(".")]) - 1
    assert 1 <= len(lines) <= 3 and f"{others:,} files (" in lines[0], lines


def test_a_mistake_is_one_line(tmp_path):
    run = subprocess.run(
        [sys.executable, "-m", "stardeck.commands.cli", "agreement", "star_realms", str(tmp_path)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 2 and run.stderr.count("\n") == 1 and "has no files" in run.stderr


def test_a_folder_of_other_results_is_refused(few, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "summary.json").write_text(json.dumps({"evaluations": []}))
    with pytest.raises(ValueError, match=r"out: holds results of another kind \(training\); choose another folder"):
        agreement("star_realms", few, "rules", tmp_path / "out")
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_one_game_is_not_called_games(tmp_path, game):
    shown = CliRunner().invoke(
        cli, ["agreement", "star_realms", str(recorded(tmp_path / "one", game, ["rules"] * 2, 1))]
    )
    assert shown.exit_code == 0 and " of 1 game, " in shown.output
    summary = agreement("star_realms", tmp_path / "one", ["rules"])
    figure = plots.agreement(summary)
    assert "1 game" in figure._suptitle.get_text().split(", ")
