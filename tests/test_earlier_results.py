"""A command that finds its results complete says so, and one that plays games does not."""

import json
import time

import pytest
from click.testing import CliRunner

from stardeck.commands.cli import cli

COMMANDS = {
    "advantage": ["interstellar_empire", "--agents", "random", "--games", "4"],
    "league": ["interstellar_empire", "--agents", "random,simple", "--games", "4"],
    "dataset": ["interstellar_empire", "--agents", "random", "--games", "4"],
    "fair": ["interstellar_empire", "--agents", "random", "--games", "64", "--knob", "first-player=agreed:bid"],
    "worth": ["empire_of_the_stars", "--agents", "random", "--games", "8"],
}


def run(command, out, *more):
    """Return what a command prints on standard error."""
    result = CliRunner().invoke(cli, [command, *COMMANDS[command], "--workers", "1", "--out", str(out), *more])
    assert result.exit_code in (0, 1) and not result.exception or isinstance(result.exception, SystemExit)
    return result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_over_finished_results_says_that_it_played_nothing(command, tmp_path):
    assert "nothing was played" not in run(command, tmp_path / "out")
    time.sleep(1.1)  # dates have seconds
    assert f"nothing was played: {tmp_path}/out holds these results since 20" in run(command, tmp_path / "out")
    if command != "fair":
        assert "nothing was played" not in run(command, tmp_path / "out", "--games", "12")


def test_an_edited_date_is_no_reason_to_fail(tmp_path):
    run("advantage", tmp_path / "out")
    path = tmp_path / "out" / "summary.json"
    for date in (7, "yesterday", "2020-01-01"):
        summary = json.loads(path.read_text())
        summary["origin"]["date"] = date
        path.write_text(json.dumps(summary))
        assert "nothing was played" not in run("advantage", tmp_path / "out")
