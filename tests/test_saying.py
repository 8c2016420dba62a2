"""Text from files reaches no terminal as a command."""

import ast
import io
import json
from pathlib import Path

import pytest

import stardeck
from helpers import game_of
from stardeck.benchmarks import record
from stardeck.commands import cli, terminal
from stardeck.kernels.errors import harmless

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"
FOLDER = Path(stardeck.__file__).parent / "commands"


def told(monkeypatch, capsys, *arguments):
    """What a command prints."""
    monkeypatch.setattr("sys.argv", ["stardeck", *map(str, arguments)])
    with pytest.raises(SystemExit):
        cli.main()
    return "".join(capsys.readouterr())


@pytest.fixture(autouse=True)
def _stays(monkeypatch):
    monkeypatch.setattr("stardeck.benchmarks.interrupt.leave", lambda code: (_ for _ in ()).throw(SystemExit(code)))


def test_control_characters_are_spelled_and_words_stay():
    assert harmless("a\tb\nc é 星") == "a\tb\nc é 星"
    assert harmless("\x1b[2J\x9b\x07\r") == r"\x1b[2J\x9b\x07\x0d"


def test_names_in_a_record_are_harmless(monkeypatch, capsys, tmp_path):
    game = game_of("interstellar_empire/2")
    record.write(tmp_path / "a.jsonl", record.play(game, ["random"], 1) | {"agents": [EVIL, "random"]})
    printed = told(monkeypatch, capsys, "replay", tmp_path / "a.jsonl")
    assert r"\x1b]0;owned" in printed and not set(printed) & set("\x1b\x07\x9b\u202e")


def test_names_of_scenarios_and_errors_are_harmless(monkeypatch, capsys, tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(json.dumps([{"name": EVIL, "game": EVIL}]))
    printed = told(monkeypatch, capsys, "scenario", path)
    assert r"\x1b]0;owned" in printed and not set(printed) & set("\x1b\x07\x9b\u202e")


def test_tables_are_harmless(monkeypatch):
    console = terminal._console()
    console.file = io.StringIO()
    from rich.table import Table

    table = Table(EVIL, title=EVIL)
    table.add_row(EVIL)
    console.print(table)
    console.print(EVIL)
    assert not set(console.file.getvalue()) & set("\x1b\x07\x9b\u202e")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_commands_print_by_that_function_alone(path):
    names = {ast.unparse(node.func) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)}
    assert path.stem == "saying" or not names & {"click.echo", "click.secho", "print"}
