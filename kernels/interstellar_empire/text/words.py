"""Moves in words, written and read. Names are as printed; `player_N` is an absolute seat."""

from stardeck.kernels.interstellar_empire.rules import Act
from stardeck.kernels.interstellar_empire.spaces.actions import BLOCKS
from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask, Government
from stardeck.kernels.text.moves import check_number, find, legal_moves, refuse

_WORDS = {block.act: block.words for block in BLOCKS}


def government_name(government) -> str:
    """Return a government in words."""
    return Government(int(government)).name.lower().replace("_", " ")


def describe(variant, state, action: int) -> str:
    """Return the words for an action of the seat to act. state: one record."""
    check_number(variant, action)
    named = variant.actions[action]
    return _WORDS[named.act].format(
        card="" if named.card == NO_CARD else variant.card_set.cards[named.card].name,
        seat=f"player_{(int(state['to_act']) + named.detail) % variant.players}",
        government=government_name(named.detail) if named.act == Act.DECLARE else "",
    )


def is_secret(variant, state, action: int) -> bool:
    """Return True if the other seats do not learn the action now: a bid, a card picked."""
    return variant.actions[action].act in (Act.BID, Act.KEEP) and state["ask"] != Ask.ARTIFACT


def moves(variant, states) -> list[str]:
    """Return the legal moves in words. states: array of one row."""
    return legal_moves(variant, states, describe)


def parse(variant, states, text: str) -> list[int]:
    """Return the action that a move in words names, as a list of one.

    Raises:
        IllegalAction: No legal move has these words. The message lists the legal ones.
    """
    return find(variant, states, describe, text) or refuse(text, moves(variant, states))
