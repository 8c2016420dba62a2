"""Attacks on players and bases (rulebook: Attacking, Bases).

Destroying a base takes its full defense at once. The base goes to its owner's discard pile, and the rest of the combat
stays in the pool. While an outpost stands, its owner and the owner's other bases can be neither attacked nor targeted.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.play.board.scenes import against_blob
from stardeck.kernels.star_realms.play.board.teams import change_authority, is_in_game, may_attack_bases
from stardeck.kernels.star_realms.play.board.zones import put_in_discard_pile, take_out_of_play
from stardeck.kernels.star_realms.play.effects.elimination import eliminate, end_game
from stardeck.kernels.star_realms.play.effects.gambits import shield
from stardeck.kernels.star_realms.play.effects.raid import defense_left, least_damaged, most_damaged
from stardeck.kernels.star_realms.rules import Kind


@kernel
def has_outpost(rules, state, player):
    """Return whether a player has an outpost in play."""
    for i in range(player.in_play_count):
        if face(rules, state, np.int64(player.in_play[i].card)).kind == Kind.OUTPOST:
            return True
    return False


@kernel
def is_protected(rules, state, seat):
    """Return whether an outpost protects this player: their own, or in a Hydra team any teammate's."""
    if rules.team_outposts == 0:
        return has_outpost(rules, state, state.players[seat])
    for mate in range(rules.players):
        if rules.side[mate] == rules.side[seat] and has_outpost(rules, state, state.players[mate]):
            return True
    return False


@kernel
def is_base(rules, state, card):
    """Return whether the card is a base; outposts are bases."""
    return face(rules, state, card).kind != Kind.SHIP


@kernel
def hit_player(rules, state, target, amount):
    """Make one attack on a player, less what Energy Shields absorb; at 0 authority or less the player is out."""
    damage = max(amount - shield(rules, state, target), 0)
    change_authority(rules, state, target, -damage)
    if not is_in_game(state, target):
        eliminate(rules, state, target)


@kernel
def attack_player(rules, state, seat, target, amount):
    """Spend combat to lower a player's authority."""
    state.players[seat].combat -= amount
    hit_player(rules, state, target, amount)


@kernel
def beat_blob(rules, state):
    """Place the player with more authority first; equal authority places both first (ruling: scenario 12)."""
    own = state.players[0].authority
    other = state.players[1].authority
    state.placement[0] = 2 if own < other else 1
    state.placement[1] = 2 if other < own else 1


@kernel
def attack_boss(rules, state, seat, amount):
    """Spend combat to lower the authority of an automated Boss; at 0 or less the players win (facts: win)."""
    state.players[seat].combat -= amount
    state.boss_authority -= amount
    if state.boss_authority <= 0:
        if against_blob(rules, state):
            beat_blob(rules, state)
        end_game(rules, state)


@kernel
def destroy_at(state, owner, place):
    """Destroy the base at this place: put it into its owner's discard pile."""
    player = state.players[owner]
    put_in_discard_pile(player, take_out_of_play(player, place))


@kernel
def destroy_base(rules, state, owner, card):
    """Destroy a base by an effect."""
    destroy_at(state, owner, least_damaged(rules, state.players[owner], card))


@kernel
def attack_base(rules, state, seat, owner, card):
    """Spend the combat needed to destroy a base."""
    place = most_damaged(rules, state.players[owner], card)
    state.players[seat].combat -= defense_left(rules, state, state.players[owner].in_play[place])
    destroy_at(state, owner, place)


@kernel
def can_be_targeted(rules, state, protected, card):
    """Return whether a base may be attacked or destroyed. protected: whether an outpost protects its owner."""
    kind = face(rules, state, card).kind
    return kind == Kind.OUTPOST or (kind == Kind.BASE and not protected)


@kernel
def opposing_base_in_play(rules, state, seat):
    """Return whether an opponent within reach has a base; if so, at least one can be targeted: outposts always can."""
    for other in range(rules.players):
        if may_attack_bases(rules, state, seat, other):
            player = state.players[other]
            for i in range(player.in_play_count):
                if is_base(rules, state, np.int64(player.in_play[i].card)):
                    return True
    return False
