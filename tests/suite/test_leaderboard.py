"""The leaderboard: pages are what the files give, and a sample of the games of each file is played again."""

import json
import shutil
from hashlib import blake2b
from pathlib import Path

import pytest
from click.testing import CliRunner

from helpers import thorough
from stardeck.benchmarks.suite import benchmark
from stardeck.benchmarks.suite.leaderboard import pages_of, put_into, read_entries
from stardeck.benchmarks.suite.tasks import TASKS
from stardeck.benchmarks.suite.verify import verify
from stardeck.commands.cli import cli

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "leaderboard").glob("*.json"))
SAMPLE = 2  # tasks of each file
PAGE = "# Board\n\n<!-- leaderboard: stardeck leaderboard -->\nold\n<!-- end of leaderboard -->\n\nAfter.\n"
OF_TASK = "<!-- task nemesis-beast-2: stardeck leaderboard -->\n<!-- end of task nemesis-beast-2 -->\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the results of two agents on two tasks."""
    made = tmp_path_factory.mktemp("board")
    for agent in ("random", "rules"):
        benchmark(agent, made / agent, 6, ["nemesis-beast-2", "interstellar-empire-3"])
        shutil.copy(made / agent / "result.json", made / f"{agent}.json")
        shutil.rmtree(made / agent)
    return made


def test_there_are_results_of_reference_agents():
    assert {"random", "simple", "rules"} <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_sample_of_the_games_is_played_again(path):
    """Other tasks for another file, and all of them in the long run of the tests."""
    played = [row["task"] for row in json.loads(path.read_text())["tasks"]]
    start = int.from_bytes(blake2b(path.read_bytes(), digest_size=2).digest())
    tasks = thorough(played, [played[(start + number) % len(played)] for number in range(min(SAMPLE, len(played)))])
    assert verify(path, tasks=tasks)["games"] >= 8 * len(tasks)


def test_the_pages_of_the_manual_are_those_that_the_files_give():
    entries = read_entries(ROOT / "leaderboard")
    pages = pages_of(ROOT / "docs")
    assert len(pages) == 1 + len(TASKS)
    for page in pages:
        text = page.read_text("utf-8")
        assert put_into(text, entries) == text, f"{page.name}: stardeck leaderboard leaderboard --put-into docs"


def test_the_best_stands_first_and_text_around_the_marks_stays(folder):
    text = put_into(PAGE, read_entries(folder))
    assert text.startswith("# Board\n\n<!-- leaderboard: stardeck leaderboard -->\n| agent |")
    assert text.endswith("<!-- end of leaderboard -->\n\nAfter.\n") and "old" not in text
    assert text.index("`rules`") < text.index("`random`")
    row = next(line for line in text.splitlines() if line.startswith("| `rules`"))
    assert row.count(" - |") == 7 and row.endswith("| 6 |")  # six tasks, and the mean of all
    assert put_into(text, read_entries(folder)) == text


def test_the_page_of_a_task_has_its_levels(folder):
    lines = put_into(OF_TASK, read_entries(folder)).splitlines()
    assert lines[1] == "| agent | points | beginner | intermediate | veteran | expert | decisions/s |"
    assert lines[3].startswith("| `rules` |") and lines[4].startswith("| `random` |") and len(lines) == 6


def test_the_command_fills_in_pages(folder, tmp_path):
    page = tmp_path / "docs" / "board.md"
    page.parent.mkdir()
    page.write_text(PAGE)
    (page.parent / "other.md").write_text("nothing")
    answer = CliRunner().invoke(cli, ["leaderboard", str(folder), "--put-into", str(page.parent)])
    assert answer.exit_code == 0 and "2 results are in" in answer.output
    assert page.read_text() == put_into(PAGE, read_entries(folder))
    assert (page.parent / "other.md").read_text() == "nothing"
    answer = CliRunner().invoke(cli, ["leaderboard", str(folder)])
    assert answer.output.startswith("| agent | all tasks |")
    answer = CliRunner().invoke(cli, ["leaderboard", str(folder), "--json"])
    assert [row["agent"] for row in json.loads(answer.stdout)] == ["rules", "random"]


def test_what_is_said_of_an_agent_is_shown_and_cannot_break_the_table(folder, tmp_path):
    held = json.loads((folder / "rules.json").read_text())
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(held | {"about": {"authors": "Ann and Bo", "url": "https://example.org/agent"}}))
    assert "| [rules](https://example.org/agent), Ann and Bo |" in put_into(PAGE, read_entries(tmp_path))
    path.write_text(json.dumps(held | {"about": {"name": "Azimuth", "authors": "Ann"}}))
    assert "| `Azimuth`, Ann |" in put_into(PAGE, read_entries(tmp_path))
    for about in (
        {"authors": "a | b"},
        {"name": "`a`"},
        {"authors": "<b>"},
        {"url": "javascript:x"},
        {"other": "x"},
        {"authors": "a\nb"},
    ):
        path.write_text(json.dumps(held | {"about": about}))
        answer = CliRunner().invoke(cli, ["leaderboard", str(tmp_path)])
        assert answer.exit_code == 2 and "is not a result of Stardeck-8 1: about" in answer.output
    path.write_text(json.dumps(held | {"agent": "a|b"}))
    assert CliRunner().invoke(cli, ["leaderboard", str(tmp_path)]).exit_code == 2


def test_pages_without_marks_and_unknown_tasks_are_refused(folder, tmp_path):
    (tmp_path / "page.md").write_text("text")
    answer = CliRunner().invoke(cli, ["leaderboard", str(folder), "--put-into", str(tmp_path)])
    assert answer.exit_code == 2 and "holds no marks" in answer.output
    with pytest.raises(ValueError, match="task chess: must be among core-duel"):
        put_into(OF_TASK.replace("nemesis-beast-2", "chess"), read_entries(folder))
