"""Moves in words: describing an action, and reading a move back into actions.

Names are spelled as printed; `player_N` is an absolute seat. One move may be several actions: an attack with part of
the combat is put together from pieces, for an action space cannot name every amount.
"""

import re

import numpy as np

from stardeck.kernels import actionset, batch
from stardeck.kernels.errors import IllegalAction
from stardeck.kernels.star_realms.actions import BLOCKS, PIECES, Action, choice_words
from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.state import Decision

_WORDS = {block.act: block.words for block in BLOCKS}
_PART_ATTACK = re.compile(r"attack player_(\d+) with (\d+)\Z")


def describe(variant, state, action: int) -> str:
    """The words for an action of the seat to act. state: one record."""
    if not 0 <= action < len(variant.actions):
        raise IllegalAction(f"action {action}: must be from 0 to {len(variant.actions) - 1}")
    number = variant.actions[action]
    words = _WORDS[number.act]
    card = variant.card_set.cards[number.card] if "{card}" in words else None
    option = ""
    if number.act == Act.CHOOSE:
        option = choice_words(variant.card_set)[number.detail]
    elif number.act == Act.USE and card.option_words():
        option = f": {card.option_words()[number.detail]}"
    return words.format(
        card=card.name if card else "",
        option=option,
        seat=f"player_{(int(state['to_act']) + number.detail) % variant.players}",
        amount=number.detail,
    )


def legal_numbers(variant, states) -> list[int]:
    """The legal actions of one game in ascending order. states: array of one row."""
    mask = np.empty((1, len(variant.actions)), np.int8)
    batch.mask_all(variant.rules, states, np.empty(actionset.words_for(len(variant.actions)), np.uint64), mask)
    return np.flatnonzero(mask[0]).tolist()


def moves(variant, states) -> list[str]:
    """The legal moves in words; an attack of some amount stands as "… with all". states: array of one row."""
    legal = [number for number in legal_numbers(variant, states) if variant.actions[number].act != Act.ATTACK_PART]
    return [describe(variant, states[0], number) for number in legal]


def parse(variant, states, text: str) -> list[int]:
    """The actions that a move in words stands for. IllegalAction lists what is legal. states: array of one row."""
    wanted = " ".join(text.split())
    legal = legal_numbers(variant, states)
    for number in legal:
        if describe(variant, states[0], number) == wanted:
            return [number]
    numbers = _part_attack(variant, states, wanted, legal)
    if numbers:
        return numbers
    what = "; ".join(moves(variant, states)) if legal else "nothing, the game is over"
    raise IllegalAction(f"{text!r} is not legal here; legal: {what}")


def _part_attack(variant, states, text, legal):
    """An attack with less than the whole pool, or with all of it spelled as a number."""
    found = _PART_ATTACK.match(text)
    if not found or not legal or states[0]["stack_count"]:
        return []
    distance = (int(found[1]) - int(states[0]["active"])) % variant.players
    amount = int(found[2])
    combat = int(states[0]["players"][int(states[0]["active"])]["combat"])
    whole = variant.action_numbers.get(Action(Act.ATTACK_PLAYER, detail=distance))
    if whole not in legal or int(found[1]) >= variant.players or not 0 < amount <= combat:
        return []
    if amount == combat:
        return [whole]
    return _put_together(variant, states, variant.action_numbers[Action(Act.ATTACK_PART, detail=distance)], amount)


def _put_together(variant, states, first, amount):
    """The actions that open a part attack, add up its amount and close it, as far as each is asked."""
    trial = np.empty_like(states)
    batch.copy_states(trial, states)
    numbers = [first]
    batch.apply_all(variant.rules, trial, np.array([first]))
    while trial[0]["stack_count"] and trial[0]["stack"][trial[0]["stack_count"] - 1]["decision"] == Decision.AMOUNT:
        missing = amount - int(trial[0]["stack"][trial[0]["stack_count"] - 1]["done"])
        piece = max((piece for piece in PIECES if piece <= missing), default=0)
        action = Action(Act.ADD, detail=piece) if piece else Action(Act.DONE)
        numbers.append(variant.action_numbers[action])
        batch.apply_all(variant.rules, trial, np.array(numbers[-1:]))
    return numbers
