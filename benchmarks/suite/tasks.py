"""The tasks of the suite: what each plays, and against whom. `tasks.toml` freezes them."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from stardeck.game.game import Game
from stardeck.kernels.errors import shown
from stardeck.kernels.files import read_text


class Level(NamedTuple):
    """A level of a task.

    Attributes:
        name: Name of the level, unique in its task.
        opponent: Agent on all other sides; None where an automated Boss opposes.
        settings: Settings of the game, besides the settings of the task.
        digest: Hash of some games of `rules` on the deals of the level.
    """

    name: str
    opponent: str | None
    settings: dict[str, Any]
    digest: str


class Task(NamedTuple):
    """A task: one variant, with levels from the weakest opponent to the strongest.

    Attributes:
        name: Name of the task, unique in the suite.
        title: What is played, in words.
        game: Name of the game.
        settings: Settings of the game.
        levels: The levels.
    """

    name: str
    title: str
    game: str
    settings: dict[str, Any]
    levels: tuple[Level, ...]

    def played(self, level: Level) -> Game:
        """Return the game of a level."""
        return Game.named(self.game, self.settings | level.settings)


class Suite(NamedTuple):
    """A suite of tasks, with the games of each level in a full run and in a quick one."""

    name: str
    version: int
    games: int
    quick: int
    tasks: tuple[Task, ...]


def _read(path: Path) -> Suite:
    held = tomllib.loads(read_text(path))
    tasks = []
    for task in held["tasks"]:
        levels = (
            Level(one["name"], one.get("opponent"), one.get("settings", {}), one["digest"]) for one in task["levels"]
        )
        tasks.append(Task(task["name"], task["title"], task["game"], task.get("settings", {}), tuple(levels)))
    return Suite(held["name"], held["version"], held["games"], held["quick"], tuple(tasks))


SUITE = _read(Path(__file__).with_name("tasks.toml"))
TASKS = SUITE.tasks


def tasks_named(names: Iterable[str] | None) -> tuple[Task, ...]:
    """Return the tasks of these names, in the order of the suite; all of them for None.

    Raises:
        ValueError: A name is unknown, or there is none.
    """
    if names is None:
        return TASKS
    wanted = list(names)
    known = [task.name for task in TASKS]
    for name in wanted:
        if name not in known:
            raise ValueError(f"tasks={shown(name)}: must be among {', '.join(known)}")
    if not wanted:
        raise ValueError(f"tasks=[]: must name one of {', '.join(known)}, or more")
    return tuple(task for task in TASKS if task.name in wanted)
