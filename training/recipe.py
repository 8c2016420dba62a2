"""Recipes: every number of a training by method. recipes.toml has defaults by game."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.resources import files
from typing import Any

from stardeck.game.catalogue import GAMES
from stardeck.kernels.deprecation import attribute
from stardeck.kernels.errors import is_whole, number_from, shown
from stardeck.kernels.primitives.network import LAYER_LIMIT, UNIT_LIMIT
from stardeck.training.training_variant import without_settings

SEEDS = 2**32  # as many as NumPy's and torch's generators take
MOST = 10**12  # of anything that is only counted
MOST_SIMULATIONS = 1_000_000  # of a decision
VALUE_ROUNDS_ARE = "rounds of 20,000 games at the end, from which a value network for search learns; 0: none"
AGENTS_ARE = "your own as mine.py:NAME; a search as opponent or in the panel makes a training many times slower"
PANEL_IS = "agents for evaluations; none: those of rules, ppo-0.1, cheap-combat and same-faction that play the variant"
OWN, ALL = CRITICS = ("own", "all")
FLOAT32, TF32, BFLOAT16 = PRECISIONS = ("float32", "tf32", "bfloat16")
MOST_COLLECTED = 2**22  # decisions between two updates, whose observations have to fit into memory


def _number(default, meaning, low=None, high=None):
    return field(default=default, metadata={"meaning": meaning, "low": low, "high": high})


@dataclass(frozen=True)
class Numbers:
    """The numbers of a training besides the variant and the seed. Raises ValueError for impossible numbers."""

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
        """Return the recipe as JSON can hold it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def of_policy(self) -> dict:
        """Return what decides how the policy learns, as JSON can hold it: without what follows its training."""
        return {name: value for name, value in self.as_dict().items() if name != "value_rounds"}


@dataclass(frozen=True)
class Recipe(Numbers):
    """Numbers of self-play by MaskablePPO (selfplay.py). Decisions are the learner's own."""

    steps: int = _number(8_000_000, "decisions of self-play; 0: imitation alone", 0, MOST)
    imitation: int = _number(
        500_000, "decisions of the teacher that are imitated first; 0: begin from nothing", 0, MOST
    )
    teacher: str = _number(
        "rules", "the agent to imitate, your own as mine.py:NAME; or players of games, as logs:FOLDER"
    )
    start: str = _number("", "a trained agent, by name or file, to begin from instead of imitation")
    practice: tuple = _number((), "settings of the training games that differ from the variant's, as name=value")
    opponents: tuple = _number(("rules",), f"fixed agents besides the frozen copies, {AGENTS_ARE}")
    fixed_share: float = _number(0.5, "share of fixed agents among opponents, in the early stage", 0, 1)
    late_fixed_share: float = _number(0.15, "the same after the early stage", 0, 1)
    early: float = _number(0.25, "share of the decisions that form the early stage", 0, 1)
    search_share: float = _number(0.0, "share of frozen opponents that search", 0, 1)
    search_simulations: int = _number(8, "simulations of each of their decisions", 2, MOST_SIMULATIONS)
    freeze_every: int = _number(5, "rollouts between two frozen copies", 1, MOST)
    newest_share: float = _number(0.5, "share of frozen opponents that are the newest one", 0, 1)
    units: tuple = _number((256, 128), "units of the layers, each a multiple of 8")
    num_envs: int = _number(512, "games side by side", 1, MOST_COLLECTED)
    rollout: int = _number(128, "decisions in each of them between two updates", 1, MOST_COLLECTED)
    batch: int = _number(8192, "decisions in each step of an update", 1, MOST)
    epochs: int = _number(3, "passes of an update over the collected decisions", 1, MOST)
    learning_rate: float = _number(8e-4, "learning rate, which falls to a tenth during training", 1e-12, 1)
    entropy: float = _number(0.01, "weight of the policy's entropy in the loss", 0, 10)
    final_entropy: float = _number(1.0, "share of that weight at the end, to which it falls evenly; 1: it stays", 0, 1)
    critic: str = _number(OWN, "what the critic sees in training: own (what the player sees) or all (hidden cards too)")
    magnet: float = _number(0.0, "weight of the divergence from the magnet, an average of the policy's past", 0, 10)
    magnet_averaging: float = _number(0.998, "decay of that average, for each step of an update", 0, 0.99999)
    gae_lambda: float = _number(0.99, "lambda of the advantage estimates: 0 uses values only, 1 returns only", 0, 1)
    panel: tuple = _number((), PANEL_IS)
    evaluate_every: int = _number(5, "rollouts between two evaluations", 1, MOST)
    evaluation_games: int = _number(2_000, "games of an evaluation, against each agent of the panel", 1, MOST)
    checkpoint_every: int = _number(5, "rollouts between two checkpoints", 1, MOST)
    precision: str = _number(FLOAT32, f"precision of the network's products on a GPU: {', '.join(PRECISIONS)}")
    graphs: bool = _number(False, "true: record choices and steps of updates as CUDA graphs, on one GPU")
    value_rounds: int = _number(10, VALUE_ROUNDS_ARE, 0, MOST)

    def __post_init__(self):
        super().__post_init__()
        _demand(self, "precision", self.precision in PRECISIONS, f"one of {', '.join(PRECISIONS)}")
        _demand(self, "critic", self.critic in CRITICS, f"one of {', '.join(CRITICS)}")
        collected = self.num_envs * self.rollout
        text = f"such that with rollout={self.rollout} it makes at most {MOST_COLLECTED} decisions"
        _demand(self, "num_envs", collected <= MOST_COLLECTED, text)
        text = f"such that {self.num_envs} x {self.rollout} decisions leave more than one for each step of an update"
        _demand(self, "batch", collected > 1 and collected % min(self.batch, collected) != 1, text)
        alone = self.fixed_share == 0 and self.late_fixed_share == 0
        _demand(self, "opponents", self.opponents or alone, "at least one agent, or fixed_share and late_fixed_share 0")
        _demand(self, "steps", self.steps or self.imitation or self.start, "above 0 without imitation and start")

    @property
    def is_plain(self) -> bool:
        """True if MaskablePPO of sb3-contrib can follow the recipe."""
        return self.critic == OWN and self.magnet == 0 and self.final_entropy == 1


@dataclass(frozen=True)
class ExpertRecipe(Numbers):
    """Numbers of expert iteration (expert.py): rounds of games of a search that its network learns from."""

    rounds: int = _number(150, "rounds of games", 1, MOST)
    games: int = _number(3_072, "games of a round", 1, MOST_COLLECTED)
    simulations: int = _number(16, "simulations of a training decision", 2, MOST_SIMULATIONS)
    quick_simulations: int = _number(0, "simulations of the others; 0: the network decides alone", 0, MOST_SIMULATIONS)
    turns: int = _number(1, "rollout depth of a simulation in turns; 0: evaluation at the leaf", 0, MOST_SIMULATIONS)
    certainty: float = _number(3.0, "weight of the search's returns relative to the prior policy", 0, 1_000)
    learned_share: float = _number(0.06, "share of the decisions that are training data", 1e-3, 1)
    pool_share: float = _number(0.2, "share of games with an earlier network on the other sides", 0, 1)
    opponents: tuple = _number((), f"fixed agents besides the earlier networks, {AGENTS_ARE}")
    fixed_share: float = _number(0.0, "share of games with a fixed agent on the other sides", 0, 1)
    imitation: int = _number(
        500_000, "decisions of the teacher that are imitated first; 0: begin from nothing", 0, MOST
    )
    teacher: str = _number(
        "rules", "the agent to imitate, your own as mine.py:NAME; or players of games, as logs:FOLDER"
    )
    start: str = _number("", "a trained agent, by name or file, to begin from instead of imitation")
    practice: tuple = _number((), "settings of the training games that differ from the variant's, as name=value")
    units: tuple = _number((256, 128), "units of the layers, each a multiple of 8")
    window: int = _number(30, "rounds in the training data", 1, MOST)
    reuse: float = _number(4.0, "times that a decision is learned from while it is in the window", 0.01, 1_000)
    batch: int = _number(1024, "decisions in each step of an update", 2, MOST)
    learning_rate: float = _number(6e-4, "learning rate, which falls to a tenth during training", 1e-12, 1)
    value_weight: float = _number(1.0, "weight of the value in the loss", 0, 1_000)
    root_share: float = _number(0.5, "share of the search's own value in the target of the value", 0, 1)
    closeness: float = _number(0.1, "weight of the distance from the average of the weights", 0, 1_000)
    averaging: float = _number(0.998, "decay of that average; the averaged network plays", 0, 0.99999)
    promotion_games: int = _number(4_000, "maximum number of games in the test for promotion", 64, MOST)
    promotion_elo: float = _number(20.0, "normalised Elo that the test looks for", 0.1, 200)
    panel: tuple = _number((), PANEL_IS)
    evaluate_every: int = _number(5, "rounds between two evaluations", 1, MOST)
    evaluation_games: int = _number(2_000, "games of an evaluation, against each agent of the panel", 1, MOST)
    value_rounds: int = _number(10, VALUE_ROUNDS_ARE, 0, MOST)

    def __post_init__(self):
        super().__post_init__()
        _demand(self, "opponents", self.opponents or self.fixed_share == 0, "at least one agent, or fixed_share 0")
        _demand(self, "fixed_share", self.fixed_share + self.pool_share <= 1, "at most 1 together with pool_share")


@dataclass(frozen=True)
class AuxiliaryRecipe(Numbers):
    """Numbers of an auxiliary network (auxiliary/network.py): rounds of the main network's games to learn from."""

    rounds: int = _number(80, "rounds of games", 1, MOST)
    games: int = _number(20_000, "games of a round, whose positions have to fit into memory", 1, 100_000)
    astray: float = _number(0.15, "share of the turns that are perturbed", 0, 1)
    units: tuple = _number((256, 64), "units of the layers, each a multiple of 8")
    passes: int = _number(2, "passes over the games of a round", 1, 1_000)
    batch: int = _number(2_048, "positions in each step", 2, MOST)
    learning_rate: float = _number(1e-3, "learning rate, which falls to a tenth during training", 1e-12, 1)
    averaging: float = _number(0.999, "decay of the average of the weights", 0, 0.99999)


@dataclass(frozen=True)
class ValueRecipe(AuxiliaryRecipe):
    """Numbers of a value network (auxiliary/value.py)."""


@dataclass(frozen=True)
class BeliefRecipe(AuxiliaryRecipe):
    """Numbers of an opponent-hand model (auxiliary/belief.py)."""

    rounds: int = _number(40, "rounds of games", 1, MOST)
    astray: float = _number(0.0, "share of the turns that are perturbed", 0, 1)
    units: tuple = _number((128, 64), "units of the layers, each a multiple of 8")
    passes: int = _number(4, "passes over the games of a round", 1, 1_000)
    batch: int = _number(1_024, "positions in each step", 2, MOST)


METHODS = {"ppo": Recipe, "expert": ExpertRecipe}
UNITS = {"ppo": "decisions", "expert": "games"}  # units of a method's progress
# Changes of a recipe for a quick training: some minutes on two cores.
QUICK: dict[str, dict[str, Any]] = {
    "ppo": {"steps": 1_000_000, "imitation": 500_000, "value_rounds": 0},
    "expert": {"rounds": 4, "imitation": 500_000, "value_rounds": 0},
}
# Changes of a recipe for a long training on a GPU: 1 G decisions.
LARGE: dict[str, dict[str, Any]] = {
    "ppo": {
        "steps": 1_000_000_000, "num_envs": 16_384, "rollout": 32, "batch": 65_536, "learning_rate": 5e-4,
        "early": 0.05, "freeze_every": 20, "evaluate_every": 60, "checkpoint_every": 60, "evaluation_games": 1_000,
        "value_rounds": 80,
    },
    "expert": {"rounds": 600, "value_rounds": 80},
}  # fmt: skip


def _check_units(recipe):
    _demand(recipe, "units", all(type(units) is int for units in recipe.units), "whole numbers")
    _demand(recipe, "units", 1 <= len(recipe.units) <= LAYER_LIMIT, f"1 to {LAYER_LIMIT} numbers")
    fitting = all(0 < units <= UNIT_LIMIT and units % 8 == 0 for units in recipe.units)
    _demand(recipe, "units", fitting, f"multiples of 8 up to {UNIT_LIMIT}")


def _demand(recipe, name, holds, allowed):
    if not holds:
        raise ValueError(f"{name}={shown(getattr(recipe, name))}: must be {allowed}")


def recipe_for(
    game: str,
    changes: Mapping[str, Any] | None = None,
    method: str = "ppo",
    settled: Iterable[str] = (),
    quick: bool = False,
    large: bool = False,
) -> Any:
    """Return the recipe of a game for a method, with some changes.

    Args:
        game: Name of the game.
        changes: Changes of the numbers, {name: value}.
        method: Name of the method.
        settled: Settings that the game's usual `practice` leaves as they are.
        quick: True for a short training.
        large: True for a long training on a GPU.

    Raises:
        ValueError: A change is not part of the recipe, or is impossible; the message names it.
    """
    _check_method(method)
    table = tomllib.loads(files(__package__).joinpath("recipes.toml").read_text(encoding="utf-8"))
    given = dict(changes or {})
    if quick and large:
        raise ValueError("large=True: must be False with quick=True")
    size = QUICK[method] if quick else LARGE[method] if large else {}
    usual = table[method].get(game, {}) | size | _without_agents(game, given)
    usual["practice"] = without_settings(usual.get("practice", ()), settled)
    return with_changes(METHODS[method](), usual | given, method)


def _without_agents(game, given):
    """Return the changes for a game whose only agent is `random`: it imitates only a teacher that is given."""
    if game not in GAMES or GAMES[game].agents:
        return {}
    alone = {"teacher": "random", "opponents": ["random"]}
    return alone | ({"imitation": 0} if given.get("teacher", "random") == "random" else {})


def _check_method(method):
    if method not in METHODS:
        raise ValueError(f"method={shown(method)}: must be one of {', '.join(METHODS)}")


def check_seed(seed: int, count: int = 1) -> None:
    """Raise ValueError unless NumPy's and torch's generators take a seed and those that follow it, `count` in all."""
    for one in (seed, seed + count - 1) if is_whole(seed) else (seed,):
        number_from(one, "seed", 0, SEEDS - 1)


def first_deal(seed: int) -> int:
    """Return the seed of the deal of a training's first game; the others count on from it.

    The trainings of two seeds have no deal in common, so an interval over seeds includes the chance of the deals.
    """
    return seed * SEEDS


def with_changes(recipe: Any, changes: Mapping[str, Any], method: str) -> Any:
    """Return a recipe with some changes. Raises ValueError, which names an unknown or impossible one."""
    known = [field.name for field in fields(recipe)]
    for name in changes:
        if name not in known:
            others = [other for other, its in METHODS.items() if name in (field.name for field in fields(its))]
            if method in METHODS and others:
                given = f"{name}={shown(changes[name])}"
                raise ValueError(f"{given}: must be left out with method {method}; {others[0]} has it")
            raise ValueError(f"{name}: is not part of a recipe of {method}; known: {', '.join(known)}")
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in changes.items()}
    return replace(recipe, **values)


def __getattr__(name: str) -> Any:
    return attribute(__name__, name, {"BesideRecipe": "AuxiliaryRecipe", "JudgeRecipe": "ValueRecipe"})
