"""Options of a search beside its budget and its agents: names, types, defaults, and what is allowed."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict, cast

from stardeck.agents.former_names import FORMER_OF
from stardeck.kernels.errors import check_keywords
from stardeck.kernels.primitives.network import ACTION_LIMIT

MOST = 1_000_000  # simulations of a decision; more would fill the memory
REUSE = "reuse"
NUMBERS = {  # the options that are numbers: the least, the most, whether whole
    "rollout_turns": (0, MOST, True),
    "candidates": (1, ACTION_LIMIT, True),
    "certainty": (0, 1_000, False),
    "exploration": (0, 1_000, False),
    "first_play": (0, 1_000, False),
    "temperature": (0.001, 1_000, False),
    "trust": (0, 1, False),
}


class SearchOptions(TypedDict, total=False):
    """Keyword arguments of `SearchAgent` beside its budget and its agents."""

    rollout_turns: float | None
    """Rollout depth in turns, after which the value network is asked; 0: at the leaf, inf: never, None: one or more."""
    candidates: float
    """Actions that are compared at most; 8 by default."""
    certainty: float | None
    """Weight of mean returns beside the prior, if they are known exactly. None: 4, and 1 in teams."""
    exploration: float
    """How much below the root is given to actions that did worse so far; 1.0 by default."""
    first_play: float
    """How much less than the mean of the others an action counts before its first try; 0.2 by default."""
    temperature: float
    """Softmax temperature of a prior policy that is a network; 1.0 by default."""
    trust: float
    """Prior probability of the action of a prior policy that is no network, 0 to 1; 0.9 by default."""
    reuse: bool
    """Whether the tree below the action taken goes on in the next decision of the turn; False by default."""
    open_cards: bool
    """Whether the search knows what is hidden, for analysis alone; False by default."""
    name: str | None
    """Name of the agent. None: the budget, as `search:400`."""


DEFAULTS: SearchOptions = {
    "rollout_turns": None,
    "candidates": 8,
    "certainty": None,
    "exploration": 1.0,
    "first_play": 0.2,
    "temperature": 1.0,
    "trust": 0.9,
    "reuse": False,
    "open_cards": False,
    "name": None,
}


def settled(options: Mapping[str, Any]) -> SearchOptions:
    """Return all options, the given ones checked.

    Raises:
        TypeError: There is no such option.
        ValueError: A number is not allowed.
    """
    check_keywords("search", options, DEFAULTS)
    chosen = cast(SearchOptions, {**DEFAULTS, **options})
    for name, value in numbers_of(chosen).items():
        _check_number(name, value)
    return chosen


def numbers_of(options: SearchOptions) -> dict[str, float | None]:
    """Return the options that are numbers; None where the number depends on the game."""
    values: Mapping[str, Any] = options
    return {name: values[name] for name in NUMBERS}


def check_budget(simulations: int | None, milliseconds: int | None) -> None:
    """Check that there is one budget. Raises ValueError."""
    if (simulations is None) == (milliseconds is None):
        raise ValueError("search: must have a budget of simulations or of milliseconds")
    for unit, budget in (("simulations", simulations), ("milliseconds", milliseconds)):
        if budget is not None and not 1 <= budget <= MOST:
            raise ValueError(f"search: {unit}={budget}: must be from 1 to {MOST:,}")


def _check_number(name, value):
    least, most, whole = NUMBERS[name]
    if (name, value) in (("rollout_turns", None), ("rollout_turns", math.inf), ("certainty", None)):
        return
    if not least <= value <= most or whole and value != int(value):
        kind = "a whole number " if whole else ""
        raise ValueError(f"search: {name}={value}: must be {kind}from {least} to {most:,}")


def described(options: SearchOptions) -> Iterable[str]:
    """Give each number as identities have named it since version 0.1, then what else makes it another search."""
    yield from (f"{FORMER_OF.get(name, name)}={value}" for name, value in numbers_of(options).items())
    yield from ["open cards"] * options["open_cards"] + [REUSE] * options["reuse"]
