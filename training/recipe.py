"""How an agent is trained: every number that the course depends on, with defaults for each game in recipes.toml."""

import tomllib
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.resources import files


def _number(default, meaning):
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True)
class Recipe:
    """What decides the course of a training, beside the variant and the seed. Decisions are the learner's own."""

    steps: int = _number(8_000_000, "decisions of self-play")
    imitation: int = _number(500_000, "decisions of the teacher that are imitated first; 0: begin from nothing")
    teacher: str = _number("rules", "the agent that is imitated")
    opponents: tuple = _number(("rules",), "fixed agents beside the frozen copies")
    fixed_share: float = _number(0.5, "how often an opponent is one of them")
    freeze_every: int = _number(5, "rollouts between two frozen copies")
    newest_share: float = _number(0.5, "how often a frozen opponent is the newest one")
    units: tuple = _number((256, 128), "of the layers, each a multiple of 8")
    num_envs: int = _number(512, "games side by side")
    rollout: int = _number(128, "decisions in each of them between two updates")
    batch: int = _number(8192, "decisions in each step of an update")
    epochs: int = _number(3, "times that an update goes over what was collected")
    learning_rate: float = _number(8e-4, "falls to a tenth on the way")
    entropy: float = _number(0.01, "weight of the policy's entropy in the loss")
    gae_lambda: float = _number(0.99, "how far the future speaks through returns and not through values, 0 to 1")
    evaluate_every: int = _number(5, "rollouts between two of them")
    evaluation_games: int = _number(2_000, "games of an evaluation")
    checkpoint_every: int = _number(5, "rollouts between two of them")

    def __post_init__(self):
        for number in fields(self):
            wanted = (int, float) if number.type is float else number.type
            _demand(self, number.name, isinstance(getattr(self, number.name), wanted), f"a {number.type.__name__}")
        for name in ("steps", "freeze_every", "num_envs", "rollout", "batch", "epochs"):
            _demand(self, name, getattr(self, name) >= 1, "at least 1")
        for name in ("evaluate_every", "evaluation_games", "checkpoint_every"):
            _demand(self, name, getattr(self, name) >= 1, "at least 1")
        for name in ("fixed_share", "newest_share", "gae_lambda"):
            _demand(self, name, 0 <= getattr(self, name) <= 1, "from 0 to 1")
        _demand(self, "imitation", self.imitation >= 0, "at least 0")
        _demand(self, "learning_rate", self.learning_rate > 0, "above 0")
        _demand(self, "entropy", self.entropy >= 0, "at least 0")
        _demand(self, "units", 1 <= len(self.units) <= 4, "1 to 4 numbers")
        _demand(self, "units", all(units > 0 and units % 8 == 0 for units in self.units), "multiples of 8")
        collected = self.num_envs * self.rollout
        text = f"such that {self.num_envs} x {self.rollout} decisions leave more than one for each step of an update"
        _demand(self, "batch", collected > 1 and collected % min(self.batch, collected) != 1, text)
        _demand(self, "opponents", self.opponents or self.fixed_share == 0, "at least one agent, or fixed_share 0")

    def as_dict(self) -> dict:
        """The recipe as JSON can hold it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def _demand(recipe, name, holds, allowed):
    if not holds:
        raise ValueError(f"{name}={getattr(recipe, name)!r}: must be {allowed}")


def recipe_for(game: str, changes=None) -> Recipe:
    """The recipe of a game with some changes. ValueError names what is no part of a recipe, or impossible."""
    table = tomllib.loads(files(__package__).joinpath("recipes.toml").read_text(encoding="utf-8"))
    known = {field.name: field for field in fields(Recipe)}
    for name in changes or {}:
        if name not in known:
            raise ValueError(f"{name}: is no part of a recipe; known: {', '.join(known)}")
    given = table.get(game, {}) | dict(changes or {})
    return replace(Recipe(), **{name: tuple(v) if isinstance(v, list) else v for name, v in given.items()})
