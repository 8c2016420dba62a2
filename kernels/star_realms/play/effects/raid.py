"""Damage that stays on the Boss's bases until the Boss's next turn (rulebook: Raid)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.faces import face, is_large
from stardeck.kernels.star_realms.play.board.scenes import scene
from stardeck.kernels.star_realms.state import NOBODY


@kernel
def defense_left(rules, state, entry):
    """Return the combat still needed to destroy a base in play."""
    defense = np.int64(face(rules, state, np.int64(entry.card)).defense)
    if is_large(state):
        defense += scene(rules, state).defense
    return defense - np.int64(entry.damage)


@kernel
def most_damaged(rules, player, card):
    """Return the place of the most damaged copy of a base."""
    best = -1
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        if entry.card == card and (best < 0 or entry.damage > player.in_play[best].damage):
            best = i
    return best


@kernel
def to_wear_down(rules, state, player, card):
    """Return the place of the most damaged copy of a base that needs more than 1 combat, or -1."""
    best = -1
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        if entry.card == card and defense_left(rules, state, entry) > 1:
            if best < 0 or entry.damage > player.in_play[best].damage:
                best = i
    return best


@kernel
def least_damaged(rules, player, card):
    """Return the place of the least damaged copy of a base, the one that an effect destroys."""
    best = -1
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        if entry.card == card and (best < 0 or entry.damage < player.in_play[best].damage):
            best = i
    return best


@kernel
def damage_base(rules, state, seat, card, amount):
    """Spend combat on a base of the Boss without destroying it."""
    state.players[seat].combat -= amount
    boss = state.players[rules.lasting_damage_seat]
    boss.in_play[to_wear_down(rules, state, boss, card)].damage += amount


@kernel
def repair_bases(rules, state, seat):
    """Repair the Boss's bases at the start of the Boss's turn."""
    if rules.lasting_damage_seat == NOBODY or seat != rules.lasting_damage_seat:
        return
    player = state.players[seat]
    for i in range(player.in_play_count):
        player.in_play[i].damage = 0
