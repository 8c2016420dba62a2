"""`rules:values=FILE`: the rule-based player of Star Realms, buying by a table of card values.

The file is the TOML output of `stardeck worth`: three numbers for each card, for the early, middle and late game. Among
the cards it can pay for, the player buys the one with the highest value, if that is positive. A card that is not in the
file has the value 0. In everything else the player is `rules`.
"""

import math
import tomllib
from hashlib import blake2b
from pathlib import Path

import numpy as np

from stardeck.agents.kinds import AgentKind
from stardeck.game.agent import Actions, Masks, Seeds, States
from stardeck.game.game import Game
from stardeck.kernels.errors import cut, reason, shown
from stardeck.kernels.files import read_text
from stardeck.kernels.loops import playouts
from stardeck.kernels.primitives.network import SHAPE_SIZE, Networks
from stardeck.kernels.star_realms.state import TYPE_LIMIT

PREFIX = "rules:values="
STAGES = 3
GAMES = ("star_realms", "rise_of_empire")
NO_SHAPE = np.zeros((1, SHAPE_SIZE), np.int64)


class WorthAgent:
    """A player that buys by a table. `worth` maps the name of a card to three numbers; see `read_worth`."""

    kind = int(AgentKind.WORTH)

    def __init__(self, name: str, worth: dict[str, tuple[float, ...]]) -> None:
        self.name = name
        self.worth = worth
        self.identity = blake2b(repr(sorted(worth.items())).encode(), digest_size=8).hexdigest()
        self.table = np.zeros(playouts.TABLE_LIMIT, np.float32)

    def check(self, game: Game) -> None:
        """Lay out the table for a game. Raises ValueError for another kind of game, or one with none of the cards."""
        if game.variant.game not in GAMES:
            raise ValueError(f"agent {shown(self.name)}: plays {' and '.join(GAMES)}, not {game.id}")
        numbers = {card["name"]: number for number, card in enumerate(game.cards())}
        known = {numbers[name]: values for name, values in self.worth.items() if name in numbers}
        if not known:
            raise ValueError(f"agent {shown(self.name)}: has none of the cards of {game.id}")
        table = np.zeros((STAGES, TYPE_LIMIT), np.float32)
        for number, values in known.items():
            table[:, number] = values
        self.table = table.ravel()

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """Return an action for each game: int64[n]. Arguments as in `CompiledAgent.act`."""
        self.check(game)
        seeds = game.check_decisions(states, seeds)
        actions = np.empty(len(states), np.int64)
        scratch = np.zeros(1, playouts.AGENT)
        tables = Networks(self.table[None], NO_SHAPE)
        playouts.choose_all(game.rules, states, scratch, playouts.TABLE, tables, seeds, actions)
        return actions


def worth_agent(text: str) -> WorthAgent:
    """Return the agent of `rules:values=FILE`. Raises ValueError that names the file and its error."""
    path = Path(text.removeprefix(PREFIX))
    called = path.resolve().parent.name if path.stem == "worth" else path.stem  # worth.toml is the default name
    return WorthAgent(f"{PREFIX}{called}", read_worth(path))


def read_worth(path: Path) -> dict[str, tuple[float, ...]]:
    """Return the table of a file: three numbers for each card. Raises ValueError."""
    try:
        held = tomllib.loads(read_text(path)).get("worth")
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{cut(str(path))}: cannot be read ({reason(error)})") from error
    if not isinstance(held, dict) or not held:
        raise ValueError(f"{cut(str(path))}: needs a section [worth] with three numbers for each card")
    return {name: _three(path, name, values) for name, values in held.items()}


def _three(path, name, values):
    """Return three numbers, or raise ValueError."""
    right = isinstance(values, list) and len(values) == STAGES and all(type(value) in (int, float) for value in values)
    if not right or not all(math.isfinite(value) and abs(value) <= 1_000 for value in values):
        raise ValueError(f"{cut(str(path))}: {shown(name)} = {shown(values)}: must be three numbers from -1000 to 1000")
    return tuple(map(float, values))
