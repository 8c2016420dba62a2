"""Moves in words: describing an action, and reading a move back. Names as printed; `player_N` is an absolute seat."""

import numpy as np

from stardeck.kernels import actionset, batch
from stardeck.kernels.errors import IllegalAction
from stardeck.kernels.interstellar_empire.actions import BLOCKS
from stardeck.kernels.interstellar_empire.rules import Act
from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask, Government

_WORDS = {block.act: block.words for block in BLOCKS}


def government_name(government) -> str:
    """A government in words."""
    return Government(int(government)).name.lower().replace("_", " ")


def describe(variant, state, action: int) -> str:
    """The words for an action of the seat to act. state: one record."""
    if not 0 <= action < len(variant.actions):
        raise IllegalAction(f"action {action}: must be from 0 to {len(variant.actions) - 1}")
    named = variant.actions[action]
    return _WORDS[named.act].format(
        card="" if named.card == NO_CARD else variant.card_set.cards[named.card].name,
        seat=f"player_{(int(state['to_act']) + named.detail) % variant.players}",
        government=government_name(named.detail) if named.act == Act.DECLARE else "",
    )


def is_secret(variant, state, action: int) -> bool:
    """Whether the other seats do not learn now what an action is: a bid, a card picked."""
    return variant.actions[action].act in (Act.BID, Act.KEEP) and state["ask"] != Ask.ARTIFACT


def legal_numbers(variant, states) -> list[int]:
    """The legal actions of one game in ascending order. states: array of one row."""
    mask = np.empty((1, len(variant.actions)), np.int8)
    batch.mask_all(variant.rules, states, np.empty(actionset.words_for(len(variant.actions)), np.uint64), mask)
    return np.flatnonzero(mask[0]).tolist()


def moves(variant, states) -> list[str]:
    """The legal moves in words. states: array of one row."""
    return [describe(variant, states[0], number) for number in legal_numbers(variant, states)]


def parse(variant, states, text: str) -> list[int]:
    """The action that a move in words stands for, as a list of one. IllegalAction lists what is legal."""
    wanted = " ".join(text.split())
    for number in legal_numbers(variant, states):
        if describe(variant, states[0], number) == wanted:
            return [number]
    what = "; ".join(moves(variant, states)) or "nothing, the game is over"
    raise IllegalAction(f"{text!r} is not legal here; legal: {what}")
