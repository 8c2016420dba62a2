"""Moves in words: describing an action, and reading a move back. Names as printed; `player_N` is an absolute seat."""

from stardeck.kernels.interstellar_empire.rules import Act
from stardeck.kernels.interstellar_empire.spaces.actions import BLOCKS
from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask, Government
from stardeck.kernels.text.moves import check_number, find, legal_moves, refuse

_WORDS = {block.act: block.words for block in BLOCKS}


def government_name(government) -> str:
    """A government in words."""
    return Government(int(government)).name.lower().replace("_", " ")


def describe(variant, state, action: int) -> str:
    """The words for an action of the seat to act. state: one record."""
    check_number(variant, action)
    named = variant.actions[action]
    return _WORDS[named.act].format(
        card="" if named.card == NO_CARD else variant.card_set.cards[named.card].name,
        seat=f"player_{(int(state['to_act']) + named.detail) % variant.players}",
        government=government_name(named.detail) if named.act == Act.DECLARE else "",
    )


def is_secret(variant, state, action: int) -> bool:
    """Whether the other seats do not learn now what an action is: a bid, a card picked."""
    return variant.actions[action].act in (Act.BID, Act.KEEP) and state["ask"] != Ask.ARTIFACT


def moves(variant, states) -> list[str]:
    """The legal moves in words. states: array of one row."""
    return legal_moves(variant, states, describe)


def parse(variant, states, text: str) -> list[int]:
    """The action that a move in words stands for, as a list of one. IllegalAction lists what is legal."""
    return find(variant, states, describe, text) or refuse(text, moves(variant, states))
