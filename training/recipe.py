"""How an agent is trained, by method: every number that the course depends on. recipes.toml has defaults by game."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.resources import files
from typing import Any

from stardeck.game.catalogue import GAMES
from stardeck.kernels.deprecation import attribute
from stardeck.kernels.errors import shown
from stardeck.kernels.primitives.network import LAYER_LIMIT, UNIT_LIMIT
from stardeck.training.training_variant import left_over

MOST = 10**12  # of anything that is only counted
MOST_SIMULATIONS = 1_000_000  # of a decision
PANEL_IS = "agents that it is measured against; none: those of rules, ppo-0.1, velocity and hare that play the variant"
MOST_COLLECTED = 2**22  # decisions between two updates: their observations have to fit into memory


def _number(default, meaning, low=None, high=None):
    return field(default=default, metadata={"meaning": meaning, "low": low, "high": high})


@dataclass(frozen=True)
class Numbers:
    """What decides the course of a training, beside the variant and the seed. Raises ValueError for what cannot be."""

    def __post_init__(self):
        for number in fields(self):
            self._check(number)
        if hasattr(self, "units"):
            _check_units(self)

    def _check(self, number):
        value, low, high = getattr(self, number.name), number.metadata["low"], number.metadata["high"]
        kinds = (int, float) if number.type is float else (number.type,)
        _demand(self, number.name, type(value) in kinds, f"a {number.type.__name__}")
        if low is not None:
            _demand(self, number.name, low <= value <= high, f"from {low} to {high}")

    def as_dict(self) -> dict:
        """The recipe as JSON can hold it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


@dataclass(frozen=True)
class Recipe(Numbers):
    """Of self-play by MaskablePPO (selfplay.py). Decisions are the learner's own."""

    steps: int = _number(8_000_000, "decisions of self-play", 1, MOST)
    imitation: int = _number(
        500_000, "decisions of the teacher that are imitated first; 0: begin from nothing", 0, MOST
    )
    teacher: str = _number("rules", "the agent that is imitated, one of your own as mine.py:NAME")
    start: str = _number("", "a trained agent, by name or file, to begin from in place of imitation")
    practice: tuple = _number((), "settings that its games have in place of the variant's, as name=value")
    opponents: tuple = _number(("rules",), "fixed agents beside the frozen copies, your own as mine.py:NAME")
    fixed_share: float = _number(0.5, "how often an opponent is one of them, in the early stage", 0, 1)
    late_fixed_share: float = _number(0.15, "the same after it", 0, 1)
    early: float = _number(0.25, "how much of the decisions is the early stage", 0, 1)
    search_share: float = _number(0.0, "how often a frozen opponent searches", 0, 1)
    search_simulations: int = _number(8, "simulations of each of its decisions", 2, MOST_SIMULATIONS)
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
    panel: tuple = _number((), PANEL_IS)
    evaluate_every: int = _number(5, "rollouts between two evaluations", 1, MOST)
    evaluation_games: int = _number(2_000, "games of an evaluation, against each of the panel", 1, MOST)
    checkpoint_every: int = _number(5, "rollouts between two of them", 1, MOST)

    def __post_init__(self):
        super().__post_init__()
        collected = self.num_envs * self.rollout
        text = f"such that with rollout={self.rollout} it makes at most {MOST_COLLECTED} decisions"
        _demand(self, "num_envs", collected <= MOST_COLLECTED, text)
        text = f"such that {self.num_envs} x {self.rollout} decisions leave more than one for each step of an update"
        _demand(self, "batch", collected > 1 and collected % min(self.batch, collected) != 1, text)
        alone = self.fixed_share == 0 and self.late_fixed_share == 0
        _demand(self, "opponents", self.opponents or alone, "at least one agent, or fixed_share and late_fixed_share 0")


@dataclass(frozen=True)
class ExpertRecipe(Numbers):
    """Of expert iteration (expert.py): rounds of games played by a search, each of which its network learns from."""

    rounds: int = _number(150, "rounds of games", 1, MOST)
    games: int = _number(3_072, "games of a round", 1, MOST_COLLECTED)
    simulations: int = _number(16, "simulations of a decision that is learned from", 2, MOST_SIMULATIONS)
    quick_simulations: int = _number(0, "of the other decisions; 0: the network decides alone", 0, MOST_SIMULATIONS)
    turns: int = _number(1, "rollout depth of a simulation in turns; 0: the leaf of the tree", 0, MOST_SIMULATIONS)
    certainty: float = _number(3.0, "how much what the search found counts beside the network", 0, 1_000)
    learned_share: float = _number(0.06, "of the decisions, those that are learned from", 1e-3, 1)
    pool_share: float = _number(0.2, "how often the other sides are an earlier network", 0, 1)
    opponents: tuple = _number((), "fixed agents beside the earlier networks, your own as mine.py:NAME")
    fixed_share: float = _number(0.0, "how often the other sides are one of them", 0, 1)
    imitation: int = _number(
        500_000, "decisions of the teacher that are imitated first; 0: begin from nothing", 0, MOST
    )
    teacher: str = _number("rules", "the agent that is imitated, one of your own as mine.py:NAME")
    start: str = _number("", "a trained agent, by name or file, to begin from in place of imitation")
    practice: tuple = _number((), "settings that its games have in place of the variant's, as name=value")
    units: tuple = _number((256, 128), "of the layers, each a multiple of 8")
    window: int = _number(30, "rounds that are learned from", 1, MOST)
    reuse: float = _number(4.0, "how often a decision is learned from while it is in the window", 0.01, 1_000)
    batch: int = _number(1024, "decisions in each step of an update", 2, MOST)
    learning_rate: float = _number(6e-4, "falls to a tenth on the way", 1e-12, 1)
    value_weight: float = _number(1.0, "weight of the value in the loss", 0, 1_000)
    root_share: float = _number(0.5, "of what the value learns: the search's own value, the rest is the result", 0, 1)
    closeness: float = _number(0.1, "weight of the distance from the average of the weights", 0, 1_000)
    averaging: float = _number(0.998, "how much of that average a step keeps; it is the average that plays", 0, 0.99999)
    promotion_games: int = _number(4_000, "games at most of the test that a network must pass to play", 64, MOST)
    promotion_elo: float = _number(20.0, "normalised Elo that the test looks for", 0.1, 200)
    panel: tuple = _number((), PANEL_IS)
    evaluate_every: int = _number(5, "rounds between two evaluations", 1, MOST)
    evaluation_games: int = _number(2_000, "games of an evaluation, against each of the panel", 1, MOST)

    def __post_init__(self):
        super().__post_init__()
        _demand(self, "opponents", self.opponents or self.fixed_share == 0, "at least one agent, or fixed_share 0")
        _demand(self, "fixed_share", self.fixed_share + self.pool_share <= 1, "at most 1 together with pool_share")


@dataclass(frozen=True)
class BesideRecipe(Numbers):
    """Of a network beside another one (beside.py): games of that one, which it learns from round by round."""

    rounds: int = _number(80, "rounds of games", 1, MOST)
    games: int = _number(20_000, "games of a round, whose positions have to fit into memory", 1, 100_000)
    astray: float = _number(0.15, "how many turns go astray", 0, 1)
    units: tuple = _number((256, 64), "of the layers, each a multiple of 8")
    passes: int = _number(2, "times that a round is learned from", 1, 1_000)
    batch: int = _number(2_048, "positions in each step", 2, MOST)
    learning_rate: float = _number(1e-3, "falls to a tenth on the way", 1e-12, 1)
    averaging: float = _number(0.999, "how much of the average of the weights a step keeps", 0, 0.99999)


@dataclass(frozen=True)
class ValueRecipe(BesideRecipe):
    """Of a value network (auxiliary/value.py)."""


@dataclass(frozen=True)
class BeliefRecipe(BesideRecipe):
    """Of an opponent-hand model (auxiliary/belief.py)."""

    rounds: int = _number(40, "rounds of games", 1, MOST)
    astray: float = _number(0.0, "how many turns go astray", 0, 1)
    units: tuple = _number((128, 64), "of the layers, each a multiple of 8")
    passes: int = _number(4, "times that a round is learned from", 1, 1_000)
    batch: int = _number(1_024, "positions in each step", 2, MOST)


def __getattr__(name):
    return attribute(__name__, name, {"JudgeRecipe": "ValueRecipe"})


METHODS = {"ppo": Recipe, "expert": ExpertRecipe}
UNITS = {"ppo": "decisions", "expert": "games"}  # in which a method counts its progress
# What a quick training changes of a recipe: some minutes on two cores.
QUICK: dict[str, dict[str, Any]] = {
    "ppo": {"steps": 1_000_000, "imitation": 500_000},
    "expert": {"rounds": 4, "imitation": 500_000},
}


def _check_units(recipe):
    _demand(recipe, "units", all(type(units) is int for units in recipe.units), "whole numbers")
    _demand(recipe, "units", 1 <= len(recipe.units) <= LAYER_LIMIT, f"1 to {LAYER_LIMIT} numbers")
    fitting = all(0 < units <= UNIT_LIMIT and units % 8 == 0 for units in recipe.units)
    _demand(recipe, "units", fitting, f"multiples of 8 up to {UNIT_LIMIT}")


def _demand(recipe, name, holds, allowed):
    if not holds:
        raise ValueError(f"{name}={shown(getattr(recipe, name))}: must be {allowed}")


def recipe_for(
    game: str, changes: Mapping[str, Any] | None = None, method: str = "ppo", settled: Iterable[str] = ()
) -> Any:
    """The recipe of a game by this method, with some changes.

    settled: settings that the usual practice of the game leaves as they are. Raises ValueError, which names what is no
    part of such a recipe, or impossible.
    """
    _check_method(method)
    table = tomllib.loads(files(__package__).joinpath("recipes.toml").read_text(encoding="utf-8"))
    usual = table[method].get(game) or _without_agents(game)
    usual["practice"] = left_over(usual.get("practice", ()), settled)
    return changed(METHODS[method](), usual | dict(changes or {}), method)


def _without_agents(game):
    """What differs for a game whose only agent is `random`: there is no teacher."""
    if game not in GAMES or GAMES[game].agents:
        return {}
    return {"teacher": "random", "imitation": 0, "opponents": ["random"]}


def quick_recipe(method: str) -> dict[str, Any]:
    """Return what a quick training by a method changes of its recipe. Raises ValueError for an unknown method."""
    _check_method(method)
    return QUICK[method]


def _check_method(method):
    if method not in METHODS:
        raise ValueError(f"method={shown(method)}: must be one of {', '.join(METHODS)}")


def changed(recipe: Any, changes: Mapping[str, Any], method: str) -> Any:
    """A recipe with some changes. Raises ValueError, which names what is no part of it or impossible."""
    known = [field.name for field in fields(recipe)]
    for name in changes:
        if name not in known:
            raise ValueError(f"{name}: is no part of a recipe of {method}; known: {', '.join(known)}")
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in changes.items()}
    return replace(recipe, **values)
