"""Options of a search besides its budget and its agents: names, types, defaults and bounds."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict, cast

from stardeck.agents.former_names import FORMER_OF
from stardeck.kernels.errors import check_keywords, is_whole, shown
from stardeck.kernels.primitives.network import ACTION_LIMIT

MOST = 1_000_000  # simulations of a decision; more would exhaust the memory
MOST_THREADS = 64
REUSE, THREADS = "reuse", "threads"
NUMBERS = {  # the numeric options: minimum, maximum, and true for whole numbers
    "rollout_turns": (0, MOST, True),
    "candidates": (1, ACTION_LIMIT, True),
    "certainty": (0, 1_000, False),
    "exploration": (0, 1_000, False),
    "first_play": (0, 1_000, False),
    "temperature": (0.001, 1_000, False),
    "trust": (0, 1, False),
}


class SearchOptions(TypedDict, total=False):
    """Keyword arguments of `SearchAgent` besides its budget and its agents."""

    rollout_turns: float | None
    """Rollout depth in turns before evaluation; 0: at the leaf, inf: to the end, None: by game (`SearchAgent`)."""
    candidates: float
    """Maximum number of actions that are compared; 8 by default."""
    certainty: float | None
    """Weight of exactly known mean returns relative to the prior. None: 4, and 1 in teams."""
    exploration: float
    """Weight of exploration below the root; 1.0 by default."""
    first_play: float
    """Reduction of an action's value below the mean of the others before its first try; 0.2 by default."""
    temperature: float
    """Temperature of the prior policy of a network; 1.0 by default."""
    trust: float
    """Prior of the action of a prior policy that is not a network, 0 to 1; 0.9 by default."""
    reuse: bool
    """True if the tree below the chosen action continues in the next decision of the turn; False by default."""
    open_cards: bool
    """True if the search knows what is hidden, for analysis only; False by default."""
    threads: int | None
    """Number of trees that share a decision's budget, one thread each. None: 1, with a time limit one per idle core."""
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
    "threads": None,
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
    check_threads(chosen["threads"])
    return chosen


def numbers_of(options: SearchOptions) -> dict[str, float | None]:
    """Return the numeric options; None where the number depends on the game."""
    values: Mapping[str, Any] = options
    return {name: values[name] for name in NUMBERS}


def check_budget(simulations: int | None, milliseconds: int | None) -> None:
    """Check that exactly one budget is given. Raises ValueError."""
    if (simulations is None) == (milliseconds is None):
        raise ValueError("search: must have a budget of simulations or of milliseconds")
    for unit, budget in (("simulations", simulations), ("milliseconds", milliseconds)):
        if budget is not None and not 1 <= budget <= MOST:
            raise ValueError(f"search: {unit}={budget}: must be from 1 to {MOST:,}")


def check_threads(threads: int | None) -> None:
    """Check the number of trees. Raises ValueError."""
    if threads is not None and (not is_whole(threads) or not 1 <= threads <= MOST_THREADS):
        raise ValueError(f"search: {THREADS}={shown(threads)}: must be a whole number from 1 to {MOST_THREADS}")


def _check_number(name, value):
    least, most, whole = NUMBERS[name]
    if (name, value) in (("rollout_turns", None), ("rollout_turns", math.inf), ("certainty", None)):
        return
    if not least <= value <= most or whole and value != int(value):
        kind = "a whole number " if whole else ""
        raise ValueError(f"search: {name}={value}: must be {kind}from {least} to {most:,}")


def described(options: SearchOptions) -> Iterable[str]:
    """Return each number as identities have named it since version 0.1, then the other options."""
    yield from (f"{FORMER_OF.get(name, name)}={value}" for name, value in numbers_of(options).items())
    yield from ["open cards"] * options["open_cards"] + [REUSE] * options["reuse"]
    if options["threads"] is not None:
        yield f"{THREADS}={options['threads']}"
