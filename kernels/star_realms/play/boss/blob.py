"""The automated Blob that both players fight in the last scenario (Rise of Empire: scenario 12).

The Blob has a turn after both players. Its priority list is a fact; its combat is a reconstruction, modelled on the
Bosses of the Box Set. `cards/campaign.toml` states how certain each part is.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives.random import random_below
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.play.boss.bosses import highest_cost
from stardeck.kernels.star_realms.play.effects.combat import destroy_at, has_outpost, hit_player
from stardeck.kernels.star_realms.play.effects.raid import defense_left
from stardeck.kernels.star_realms.rules import Kind
from stardeck.kernels.star_realms.state import NOBODY


@kernel
def combat_of_blob(rules, state):
    """Return the Blob's combat, from its turns including this one and the trade row's highest cost."""
    turns = np.int64(state.turn) // np.int64(rules.players)
    return rules.blob_per_turn * turns + rules.blob_per_cost * highest_cost(rules, state)


@kernel
def combat_to_kill(rules, state, seat):
    """Return the combat needed to destroy a player's outposts and then defeat the player."""
    player = state.players[seat]
    needed = np.int64(player.authority)
    for place in range(player.in_play_count):
        if face(rules, state, np.int64(player.in_play[place].card)).kind == Kind.OUTPOST:
            needed += defense_left(rules, state, player.in_play[place])
    return needed


@kernel
def player_to_kill(rules, state, combat):
    """Return the player whom this combat can defeat at the least expense, or -1; ties are random."""
    best = -1
    least = combat
    ties = 0
    for seat in range(rules.players):
        needed = combat_to_kill(rules, state, seat)
        if needed > least:
            continue
        ties = ties + 1 if best >= 0 and needed == least else 1
        if ties == 1 or random_below(state, ties) == 0:
            best = seat
        least = needed
    return best


@kernel
def dearest_of_kind(rules, state, seat, kind, combat):
    """Return the place of the most expensive outpost or base that the combat can destroy, or -1.

    A tie goes to the card played first.
    """
    player = state.players[seat]
    best = -1
    highest = -1
    for place in range(player.in_play_count):
        card = face(rules, state, np.int64(player.in_play[place].card))
        if card.kind == kind and card.cost > highest and defense_left(rules, state, player.in_play[place]) <= combat:
            best = place
            highest = np.int64(card.cost)
    return best


@kernel
def destroy_for_blob(rules, state, seat, kind, combat):
    """Destroy outposts or bases one after another while the combat lasts; return the combat left."""
    place = dearest_of_kind(rules, state, seat, kind, combat)
    while place >= 0:
        combat -= defense_left(rules, state, state.players[seat].in_play[place])
        destroy_at(state, seat, place)
        place = dearest_of_kind(rules, state, seat, kind, combat)
    return combat


@kernel
def attack_one(rules, state, seat, combat):
    """Attack a player's outposts, then bases, then the player; combat that an outpost stops is lost."""
    combat = destroy_for_blob(rules, state, seat, Kind.OUTPOST, combat)
    if has_outpost(rules, state, state.players[seat]):
        return
    combat = destroy_for_blob(rules, state, seat, Kind.BASE, combat)
    if combat > 0:
        hit_player(rules, state, seat, combat)


@kernel
def kill(rules, state, seat, combat):
    """Destroy all outposts of a player and spend the rest on the player."""
    combat = destroy_for_blob(rules, state, seat, Kind.OUTPOST, combat)
    hit_player(rules, state, seat, combat)


@kernel
def blob_turn(rules, state):
    """Defeat a player with the Blob's whole combat if possible; otherwise attack each player with half of it."""
    combat = combat_of_blob(rules, state)
    target = player_to_kill(rules, state, combat)
    if target >= 0:
        kill(rules, state, target, combat)
        return
    for seat in range(rules.players):
        attack_one(rules, state, seat, combat // 2)


@kernel
def blob_is_next(rules, state, seat):
    """Return whether the Blob's turn follows this player's: both players have had theirs."""
    return state.to_act != NOBODY and seat != state.first
