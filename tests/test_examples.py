"""Programs of `examples/`, each run from its first line to its last, with smaller numbers."""

import re
from pathlib import Path

import pytest

from helpers import scaled
from stardeck.game.catalogue import GAMES

# They need a server, a client library or a game: tests/web, tests/clients, tests/language, tests/agents.
ELSEWHERE = ("web_bot", "minari_dataset", "scripted_model", "remote_bot")
EXAMPLES = sorted(path for path in (Path(__file__).parents[1] / "examples").glob("*.py") if path.stem not in ELSEWHERE)
# Budgets of the tests, compiled and not, instead of the written ones.
SPENT = {
    "GAMES": (20, 2),
    "LANES": (20, 2),
    "ROUNDS": (2, 1),
    "SIMULATIONS": (4, 1),
    "STEPS": (20, 2),
    "UPDATES": (2, 1),
}
BUDGET = re.compile(rf"^({'|'.join(SPENT)}) = \d+\b", re.M)


def test_there_are_examples():
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_example_runs(path, capsys, monkeypatch):
    monkeypatch.setattr(GAMES, "_entries", dict(GAMES._entries))  # a game that it registers is not there for others
    source = BUDGET.sub(lambda budget: f"{budget[1]} = {scaled(*SPENT[budget[1]])}", path.read_text(encoding="utf-8"))
    exec(compile(source, str(path), "exec"), {"__name__": "__main__", "__file__": str(path)})
    assert capsys.readouterr().out.strip()
