"""Restrictions: what an agent may not do, as sets of actions of one variant."""

from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.restricted.kernels import Limits
from stardeck.game.game import Game
from stardeck.kernels.errors import shown
from stardeck.kernels.primitives.action_set import words_for

CALM = 1_000  # rank of actions that end or decline something: taken where an agent names no other
FORCED = 2_000  # rank of actions that a restriction demands
CALM_WORDS = ("end turn", "done", "pass", "decline")


class Restriction(NamedTuple):
    """Actions that an agent may not take.

    Attributes:
        name: Name in snake case, one of its kind in a variant.
        label: In words, after the name of an agent: "never buys Ram".
        group: "card", "faction", "action" or "manner".
        forbidden: Numbers of the forbidden actions.
        condition: If there are any, they are forbidden only while one of these actions is legal.
        wanted: Ranks of actions by number, for decisions at which the agent names no allowed action.
    """

    name: str
    label: str
    group: str
    forbidden: tuple[int, ...]
    condition: tuple[int, ...] = ()
    wanted: tuple[tuple[int, int], ...] = ()

    @property
    def identity(self) -> str:
        """Hash of everything that the restriction does."""
        return blake2b(repr(self).encode(), digest_size=8).hexdigest()

    def check(self, game: Game) -> None:
        """Raise ValueError if the variant lacks one of the actions, or if nothing is forbidden."""
        numbers = (*self.forbidden, *self.condition, *(action for action, _ in self.wanted))
        strange = [number for number in numbers if not 0 <= number < game.num_actions]
        if strange:
            raise ValueError(f"restriction {shown(self.name)}: action {strange[0]}: {game.id} has {game.num_actions}")
        if not self.forbidden:
            raise ValueError(f"restriction {shown(self.name)}: forbids nothing; name one action or more of {game.id}")

    def rank(self, game: Game) -> NDArray[np.int16]:
        """Return the rank of each action, for decisions at which an agent names no allowed one: int16[num_actions]."""
        rank = np.zeros(game.num_actions, np.int16)
        rank[calm_actions(game)] = CALM
        for action, wanted in self.wanted:
            rank[action] = wanted
        return rank

    def limits(self, game: Game) -> Limits:
        """Return the restriction for compiled code, as the row after a blank one."""
        rank = self.rank(game)
        return Limits(
            np.stack([_set(game, ()), _set(game, self.forbidden)]),
            np.stack([_set(game, ()), _set(game, self.condition)]),
            np.array([False, not self.condition]),
            np.stack([np.zeros_like(rank), rank]),
        )

    def allowed(self, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return masks without forbidden actions, or unchanged where nothing else is legal: int8[n, num_actions]."""
        holds: NDArray[np.bool_] = np.ones(len(masks), bool)
        if self.condition:
            holds = np.asarray(masks[:, np.array(self.condition)].any(axis=1))
        fewer = masks.copy()
        fewer[np.ix_(holds, np.array(self.forbidden, np.int64))] = 0
        possible = np.asarray(fewer.any(axis=1))
        return np.where(possible[:, None], fewer, masks)


def _set(game, actions):
    """Return a set of actions: uint64[words]."""
    found = np.zeros(words_for(game.num_actions), np.uint64)
    for action in actions:
        found[action >> 6] |= np.uint64(1) << np.uint64(action & 63)
    return found


def calm_actions(game: Game) -> list[int]:
    """Return the actions that end or decline something, by the words of their block."""
    calm = [row for row in game.action_table() if row["name"] in CALM_WORDS]
    return [number for row in calm for number in range(row["offset"], row["offset"] + row["size"])]


def actions_where(game: Game, fits: Callable[[Any], bool]) -> tuple[int, ...]:
    """Return the numbers of the actions of a variant that fit. fits: function of an action."""
    return tuple(number for number, action in enumerate(game.variant.actions) if fits(action))


def actions_of(game: Game, acts: Iterable[Any]) -> tuple[int, ...]:
    """Return the numbers of the actions of some blocks. acts: members of the game's enumeration of acts."""
    chosen = set(acts)
    return actions_where(game, lambda action: action.act in chosen)


def slug(text: str) -> str:
    """Return a text as a name in snake case."""
    letters = "".join(letter if letter.isalnum() else "_" for letter in text.lower())
    return "_".join(filter(None, letters.split("_")))
