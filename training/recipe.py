"""How an agent is trained: every number that the course depends on, with defaults for each game in recipes.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.resources import files
from typing import Any

from stardeck.kernels.errors import shown
from stardeck.kernels.network import LAYER_LIMIT, UNIT_LIMIT

MOST = 10**12  # of anything that is only counted
MOST_COLLECTED = 2**22  # decisions between two updates: their observations have to fit into memory


def _number(default, meaning, low=None, high=None):
    return field(default=default, metadata={"meaning": meaning, "low": low, "high": high})


@dataclass(frozen=True)
class Recipe:
    """What decides the course of a training, beside the variant and the seed. Decisions are the learner's own."""

    steps: int = _number(8_000_000, "decisions of self-play", 1, MOST)
    imitation: int = _number(
        500_000, "decisions of the teacher that are imitated first; 0: begin from nothing", 0, MOST
    )
    teacher: str = _number("rules", "the agent that is imitated, one of your own as mine.py:NAME")
    opponents: tuple = _number(("rules",), "fixed agents beside the frozen copies, your own as mine.py:NAME")
    fixed_share: float = _number(0.5, "how often an opponent is one of them", 0, 1)
    freeze_every: int = _number(5, "rollouts between two frozen copies", 1, MOST)
    newest_share: float = _number(0.5, "how often a frozen opponent is the newest one", 0, 1)
    units: tuple = _number((256, 128), "of the layers, each a multiple of 8")
    num_envs: int = _number(512, "games side by side", 1, MOST_COLLECTED)
    rollout: int = _number(128, "decisions in each of them between two updates", 1, MOST_COLLECTED)
    batch: int = _number(8192, "decisions in each step of an update", 1, MOST)
    epochs: int = _number(3, "times that an update goes over what was collected", 1, MOST)
    learning_rate: float = _number(8e-4, "falls to a tenth on the way", 1e-12, 1)
    entropy: float = _number(0.01, "weight of the policy's entropy in the loss", 0, 10)
    gae_lambda: float = _number(0.99, "how far the future speaks through returns and not through values, 0 to 1", 0, 1)
    evaluate_every: int = _number(5, "rollouts between two of them", 1, MOST)
    evaluation_games: int = _number(2_000, "games of an evaluation", 1, MOST)
    checkpoint_every: int = _number(5, "rollouts between two of them", 1, MOST)

    def __post_init__(self):
        for number in fields(self):
            self._check(number)
        _demand(self, "units", all(type(units) is int for units in self.units), "whole numbers")
        _demand(self, "units", 1 <= len(self.units) <= LAYER_LIMIT, f"1 to {LAYER_LIMIT} numbers")
        fitting = all(0 < units <= UNIT_LIMIT and units % 8 == 0 for units in self.units)
        _demand(self, "units", fitting, f"multiples of 8 up to {UNIT_LIMIT}")
        collected = self.num_envs * self.rollout
        text = f"such that with rollout={self.rollout} it makes at most {MOST_COLLECTED} decisions"
        _demand(self, "num_envs", collected <= MOST_COLLECTED, text)
        text = f"such that {self.num_envs} x {self.rollout} decisions leave more than one for each step of an update"
        _demand(self, "batch", collected > 1 and collected % min(self.batch, collected) != 1, text)
        _demand(self, "opponents", self.opponents or self.fixed_share == 0, "at least one agent, or fixed_share 0")

    def _check(self, number):
        """Raise ValueError if the value of a field is not of its type or out of its range."""
        value, low, high = getattr(self, number.name), number.metadata["low"], number.metadata["high"]
        kinds = (int, float) if number.type is float else (number.type,)
        _demand(self, number.name, type(value) in kinds, f"a {number.type.__name__}")
        if low is not None:
            _demand(self, number.name, low <= value <= high, f"from {low} to {high}")

    def as_dict(self) -> dict:
        """The recipe as JSON can hold it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def _demand(recipe, name, holds, allowed):
    if not holds:
        raise ValueError(f"{name}={shown(getattr(recipe, name))}: must be {allowed}")


def recipe_for(game: str, changes: Mapping[str, Any] | None = None) -> Recipe:
    """The recipe of a game with some changes. ValueError names what is no part of a recipe, or impossible."""
    table = tomllib.loads(files(__package__).joinpath("recipes.toml").read_text(encoding="utf-8"))
    known = {field.name: field for field in fields(Recipe)}
    for name in changes or {}:
        if name not in known:
            raise ValueError(f"{name}: is no part of a recipe; known: {', '.join(known)}")
    given: dict[str, Any] = table.get(game, {}) | dict(changes or {})
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    return replace(Recipe(), **values)
