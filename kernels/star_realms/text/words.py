"""Moves in words: describing an action, and parsing a move into actions.

Names are spelled as printed; `player_N` is an absolute seat. One move may be several actions: an attack with part of
the combat is a sum of pieces, because an action space cannot name every amount.
"""

import re

import numpy as np

from stardeck.kernels.loops import batch
from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.spaces.actions import BLOCKS, GAMBIT_ACTS, PIECES, Action
from stardeck.kernels.star_realms.state import NO_CARD, Decision
from stardeck.kernels.text.moves import check_number, find, legal_numbers, refuse

_WORDS = {block.act: block.words for block in BLOCKS}
# Moves with an amount: (pattern, act for the whole amount, act that begins a part). The amount is N, a seat S.
_AMOUNTS = tuple(
    (re.compile(pattern + r"\Z"), whole, part)
    for pattern, whole, part in (
        (r"attack player_(?P<S>[0-9]{1,9}) with (?P<N>[0-9]{1,9})", Act.ATTACK_PLAYER, Act.ATTACK_PART),
        (r"attack boss with (?P<N>[0-9]{1,9})", Act.ATTACK_BOSS, Act.ATTACK_BOSS_PART),
        (r"attack (?P<C>.+) of player_(?P<S>[0-9]{1,9}) with (?P<N>[0-9]{1,9})", Act.ATTACK_BASE, Act.DAMAGE_BASE),
        (r"give (?P<N>[0-9]{1,9}) trade to player_(?P<S>[0-9]{1,9})", Act.GIVE_TRADE, Act.GIVE_TRADE_PART),
        (r"give (?P<N>[0-9]{1,9}) combat to player_(?P<S>[0-9]{1,9})", Act.GIVE_COMBAT, Act.GIVE_COMBAT_PART),
    )
)
PARTS = tuple(part for _, _, part in _AMOUNTS)


def _name(variant, state, action):
    """Return the card or gambit that an action names."""
    if action.card == NO_CARD:
        return ""
    if action.act in GAMBIT_ACTS:
        return variant.format.gambits[action.card].name
    return variant.card_name(state, action.card)


def _option(variant, state, action):
    if action.act == Act.CHOOSE:
        return variant.words[action.detail]
    if action.act not in (Act.USE, Act.USE_ALLY) or not variant.is_there(state, action.card):
        return ""
    card = variant.card(state, action.card)
    if action.act == Act.USE:
        words = card.option_words()
    else:
        words = [variant.card_set.factions[box.faction] for box in card.ally] if len(card.ally) > 1 else []
    return f": {words[action.detail]}" if action.detail < len(words) else ""


def _sticker(variant, action):
    """Return the row of a sticker sheet that an action names; both sides' sheets have the same rows."""
    if action.act not in (Act.UPGRADE, Act.FILL_UP):
        return ""
    slot = variant.card_set.slots[action.detail]
    return f"sheet {slot.sheet + 1} row {slot.cost}"


def _seat(variant, state, action):
    """Return the absolute seat that an action names, if any."""
    if action.act == Act.DAMAGE_BASE:
        return variant.format.lasting_damage_seat
    if action.act == Act.LEAVE:
        asked = state["stack_count"] and state["stack"][state["stack_count"] - 1]
        return asked["detail"] if asked and asked["decision"] == Decision.LEAVE else "N"
    return (int(state["to_act"]) + action.detail) % variant.players


def describe(variant, state, action: int) -> str:
    """Return the words for an action of the seat to act. state: one record."""
    check_number(variant, action)
    named = variant.actions[action]
    name = _name(variant, state, named)
    return _WORDS[named.act].format(
        card=name,
        gambit=name,
        option=_option(variant, state, named),
        sticker=_sticker(variant, named),
        seat=f"player_{_seat(variant, state, named)}",
        amount=named.detail,
    )


def is_secret(variant, state, action: int) -> bool:
    """Return False: all players see every move."""
    return False


def moves(variant, states) -> list[str]:
    """Return the legal moves in words, with amounts as "… with all" or "give all …". states: array of one row.

    Partial damage to a base is listed as "… with part", because it has no move for the whole amount.
    """
    legal = [number for number in legal_numbers(variant, states) if _has_no_whole(variant.actions[number].act)]
    return [describe(variant, states[0], number) for number in legal]


def _has_no_whole(act):
    return act not in PARTS or act == Act.DAMAGE_BASE


def parse(variant, states, text: str) -> list[int]:
    """Return the actions of a move in words; IllegalAction lists the legal moves. states: array of one row."""
    if found := find(variant, states, describe, text):
        return found
    wanted = " ".join(text.split())
    legal = legal_numbers(variant, states)
    for pattern, whole, part in _AMOUNTS:
        if found := pattern.match(wanted):
            numbers = _with_amount(variant, states, found.groupdict(), whole, part, legal)
            if numbers:
                return numbers
    return refuse(text, moves(variant, states))


def _with_amount(variant, states, given, whole, part, legal):
    """Return the actions for a part of a pool, or for all of it given as a number; [] if that is not legal."""
    amount = int(given["N"])
    card = variant.card_number(states[0], given["C"]) if "C" in given else NO_CARD
    detail = 0
    if "S" in given:
        if int(given["S"]) >= variant.players:
            return []
        detail = (int(given["S"]) - int(states[0]["active"])) % variant.players
    if part == Act.DAMAGE_BASE:
        if int(given["S"]) != variant.format.lasting_damage_seat:
            return []
        first = variant.action_numbers.get(Action(part, card))
        all_of_it = variant.action_numbers.get(Action(whole, card, detail))
        if all_of_it in legal and amount == _missing(variant, states[0], card):
            return [all_of_it]
        return _put_together(variant, states, first, amount) if first in legal else []
    all_of_it = variant.action_numbers.get(Action(whole, card, detail))
    first = variant.action_numbers.get(Action(part, card, detail))
    if all_of_it not in legal or states[0]["stack_count"]:
        return []
    pool = "trade" if whole == Act.GIVE_TRADE else "combat"
    if amount == int(states[0]["players"][int(states[0]["active"])][pool]):
        return [all_of_it]
    return _put_together(variant, states, first, amount) if first in legal else []


def _missing(variant, state, card):
    """Return the combat that destroys the most damaged copy of a base of the Boss."""
    boss = state["players"][variant.format.lasting_damage_seat]
    shown = boss["in_play"][: boss["in_play_count"]]
    return variant.card(state, card).defense - max(int(entry["damage"]) for entry in shown[shown["card"] == card])


def _put_together(variant, states, first, amount):
    """Return the actions that begin, sum up and end an amount, as far as needed; [] if the amount is too large."""
    trial = np.empty_like(states)
    batch.copy_states(trial, states)
    numbers = [first]
    batch.apply_all(variant.rules, trial, np.array([first]))
    asked = 0
    while trial[0]["stack_count"] and trial[0]["stack"][trial[0]["stack_count"] - 1]["decision"] == Decision.AMOUNT:
        frame = trial[0]["stack"][trial[0]["stack_count"] - 1]
        missing = amount - int(frame["done"])
        if not 0 < amount < int(frame["left"]) or missing < 0:
            return []
        asked += 1
        piece = max((piece for piece in PIECES if piece <= missing), default=0)
        action = Action(Act.ADD, detail=piece) if piece else Action(Act.DONE)
        numbers.append(variant.action_numbers[action])
        batch.apply_all(variant.rules, trial, np.array(numbers[-1:]))
    return numbers if asked or amount == 1 else []
