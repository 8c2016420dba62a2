"""Attacking players and bases (rulebook: Attacking, Bases).

A base is destroyed by its full defense at once and goes to its owner's discard pile; what is left of the combat stays
in the pool. While an outpost stands, its owner and the owner's other bases can be neither attacked nor targeted.
"""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.elimination import eliminate
from stardeck.kernels.star_realms.rules import Kind
from stardeck.kernels.star_realms.state import Zone
from stardeck.kernels.star_realms.zones import put, take_out_of_play


@kernel
def has_outpost(rules, player):
    """Whether an outpost protects this player."""
    for i in range(player.in_play_count):
        if rules.cards[player.in_play[i].card].kind == Kind.OUTPOST:
            return True
    return False


@kernel
def is_base(rules, card):
    """Whether the card is a base; outposts are bases."""
    return rules.cards[card].kind != Kind.SHIP


@kernel
def is_opponent(state, seat, other):
    """Whether `other` is still in the game and not on the side of `seat`."""
    return other != seat and state.players[other].authority > 0


@kernel
def attack_player(rules, state, seat, target, amount):
    """Spend combat to lower a player's authority; at 0 or less the player is out."""
    state.players[seat].combat -= amount
    victim = state.players[target]
    victim.authority -= amount
    if victim.authority <= 0:
        eliminate(rules, state, target)


@kernel
def destroy_base(rules, state, owner, card):
    """A base is destroyed: it goes to its owner's discard pile."""
    player = state.players[owner]
    for i in range(player.in_play_count):
        if player.in_play[i].card == card:
            put(player, Zone.DISCARD_PILE, take_out_of_play(player, i))
            return


@kernel
def attack_base(rules, state, seat, owner, card):
    """Spend combat equal to the defense of a base to destroy it."""
    state.players[seat].combat -= rules.cards[card].defense
    destroy_base(rules, state, owner, card)


@kernel
def can_be_targeted(rules, protected, card):
    """Whether a base may be attacked or destroyed, given whether its owner has an outpost."""
    kind = rules.cards[card].kind
    return kind == Kind.OUTPOST or (kind == Kind.BASE and not protected)


@kernel
def opposing_base_in_play(rules, state, seat):
    """Whether any opponent has a base; if so, one can be targeted, for outposts always can."""
    for other in range(rules.players):
        if is_opponent(state, seat, other):
            player = state.players[other]
            for i in range(player.in_play_count):
                if is_base(rules, np.int64(player.in_play[i].card)):
                    return True
    return False
