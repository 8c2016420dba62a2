"""The tasks stay as version 1 has them: results of others refer to them."""

from hashlib import blake2b
from pathlib import Path

import pytest

import stardeck
from stardeck.benchmarks.suite import levels, tasks
from stardeck.benchmarks.suite.levels import ChangedTask, check_frozen, series_of
from stardeck.benchmarks.suite.tasks import SUITE, TASKS, Level, tasks_named

FROZEN = {1: "4cfebc9e811078c6"}  # hash of tasks.toml, by version
SEEDS = {"core-duel": 0, "interstellar-empire-3": 0}


def test_the_file_of_tasks_is_that_of_its_version():
    content = Path(tasks.__file__).with_name("tasks.toml").read_bytes()
    assert blake2b(content, digest_size=8).hexdigest() == FROZEN[SUITE.version]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_level_is_played_as_the_suite_says(task):
    for level in task.levels:
        check_frozen(task, level)


def test_a_level_that_is_played_otherwise_is_refused():
    task = TASKS[0]
    changed = task.levels[0]._replace(digest="0" * 16)
    with pytest.raises(ChangedTask, match=r"core-duel, level simple: .* otherwise than Stardeck-8 1 does \(digest"):
        check_frozen(task, changed)


def test_another_opponent_other_settings_and_other_deals_have_other_digests(monkeypatch):
    task = next(task for task in TASKS if task.name == "interstellar-empire-3")
    simple = task.levels[0]

    def digest(level, game=None):
        series = series_of(task, level, stardeck.agents.get("rules"), game or task.played(level))
        return levels.digest_of(*levels.by_game(series.play(0, 6)))

    first = digest(simple)
    assert first == simple.digest
    assert digest(simple._replace(opponent="random")) != first
    assert digest(simple._replace(name="other")) != first
    assert digest(Level("simple", "simple", {"players": 3, "first_player": "bid"}, "")) != first


def test_all_deals_of_the_suite_are_different():
    seeds = {levels.seed_of(task, level) for task in TASKS for level in task.levels}
    assert len(seeds) == sum(len(task.levels) for task in TASKS) == 32


def test_the_opponent_takes_all_other_sides_and_the_entry_each_side_once_on_a_deal():
    for task in TASKS:
        series = series_of(task, task.levels[1], stardeck.agents.get("random"))
        sides = len(series.game.variant.sides)
        assert series.block == sides and len(series.orders) % sides == 0
        for order in series.orders:
            assert list(order).count(0) == 1
        assert {order.index(0) for order in series.orders[:sides]} == set(range(sides))


@pytest.mark.parametrize(("names", "message"), [(["core"], "tasks='core': must be among core-duel, "), ([], "tasks=")])
def test_unknown_tasks_are_refused(names, message):
    with pytest.raises(ValueError, match=message):
        tasks_named(names)
