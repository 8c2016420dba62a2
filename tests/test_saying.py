"""Text from files, which never reaches a terminal as a command."""

import ast
import io
import json

import pytest

from architecture import FOLDERS, ROOT
from helpers import game_of
from stardeck.benchmarks.progress import console_for
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.speed import measure as speed
from stardeck.commands import cli
from stardeck.envs.base.rendering import render_table
from stardeck.kernels.errors import harmless

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


def told(monkeypatch, capsys, *arguments):
    """Return the output of a command."""
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
    console = console_for()
    console.file = io.StringIO()
    from rich.table import Table

    table = Table(EVIL, title=EVIL)
    table.add_row(EVIL)
    console.print(table)
    console.print(EVIL)
    assert not set(console.file.getvalue()) & set("\x1b\x07\x9b\u202e")


WRITERS = "click.echo", "click.secho", "print", "sys.stderr.write", "sys.stdout.write", "console.print"
# Writers without `harmless` around the whole text, and the reason why no raw text of a file gets in.
OTHERS = {
    "commands/shared/tables.py": "tables, by a console that spells what it prints",
    "commands/shared/suite_tables.py": "tables, by a console that spells what it prints",
    "benchmarks/conformance/play_signature.py": "a hash",
    "benchmarks/speed/server_load.py": "numbers",
    "benchmarks/speed/measure.py": "spelled between its own returns to the begin of a line",
    "training/ppo/process_group.py": "a word that the starting process waits for",
    "kernels/compile/messages.py": "spelled between the control characters of its own line",
}


def writes(path):
    """Yield the calls that write to the terminal without escaping their text."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in WRITERS:
            spelled = node.args and isinstance(node.args[0], ast.Call)
            if not (spelled and ast.unparse(node.args[0].func) == "harmless"):
                yield node


def test_all_that_reaches_a_terminal_is_spelled():
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    found = {path.relative_to(ROOT).as_posix() for path in paths if any(writes(path))}
    assert found == set(OTHERS)


def test_tables_of_environments_are_harmless(capsys, monkeypatch):
    game = game_of("interstellar_empire/2")
    monkeypatch.setattr(type(game), "render", lambda self, states, seat=None: EVIL)
    render_table(game, game.deal(0), None, "human")
    assert r"\x1b]0;owned" in capsys.readouterr().out


@pytest.mark.parametrize("as_json", [True, False])
def test_figures_of_speed_are_harmless(monkeypatch, capsys, as_json):
    monkeypatch.setattr(speed, "parts_of", lambda game: {EVIL: 1.0})
    speed._print_parts([{"game": "interstellar_empire", "settings": {}}], as_json)
    assert not set(capsys.readouterr().out) & set("\x1b\x07\x9b\u202e")
