"""The automated Blob that both players fight in the last scenario (Rise of Empire: scenario 12).

It has a turn after both players. Its priority list is a fact; its combat is a reconstruction, made like the Bosses of
the Box Set. `cards/campaign.toml` says how sure each part is.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives.random import random_below
from stardeck.kernels.star_realms.play.bosses import highest_cost
from stardeck.kernels.star_realms.play.combat import destroy_at, has_outpost, hit_player
from stardeck.kernels.star_realms.play.faces import face
from stardeck.kernels.star_realms.play.raid import defense_left
from stardeck.kernels.star_realms.rules import Kind
from stardeck.kernels.star_realms.state import NOBODY


@kernel
def combat_of_blob(rules, state):
    """Combat for each of its turns so far, this one included, and by the dearest card of the trade row."""
    turns = np.int64(state.turn) // np.int64(rules.players)
    return rules.blob_per_turn * turns + rules.blob_per_cost * highest_cost(rules, state)


@kernel
def combat_to_kill(rules, state, seat):
    """The combat that it takes to destroy a player's outposts and then to kill the player."""
    player = state.players[seat]
    needed = np.int64(player.authority)
    for place in range(player.in_play_count):
        if face(rules, state, np.int64(player.in_play[place].card)).kind == Kind.OUTPOST:
            needed += defense_left(rules, state, player.in_play[place])
    return needed


@kernel
def player_to_kill(rules, state, combat):
    """The player whom so much combat kills, or -1; of several the one who takes least, a tie by chance."""
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
    """The place of the outpost or base of the highest cost that the combat destroys, or -1.

    A tie goes to the one played first.
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
    """Destroy outposts or bases one after the other, as far as the combat goes; returns what is left of it."""
    place = dearest_of_kind(rules, state, seat, kind, combat)
    while place >= 0:
        combat -= defense_left(rules, state, state.players[seat].in_play[place])
        destroy_at(state, seat, place)
        place = dearest_of_kind(rules, state, seat, kind, combat)
    return combat


@kernel
def attack_one(rules, state, seat, combat):
    """Attack a player's outposts, then bases, then the player; what an outpost stops is lost."""
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
    """The Blob kills a player if it can with all its combat; else it attacks each of them with half of it."""
    combat = combat_of_blob(rules, state)
    target = player_to_kill(rules, state, combat)
    if target >= 0:
        kill(rules, state, target, combat)
        return
    for seat in range(rules.players):
        attack_one(rules, state, seat, combat // 2)


@kernel
def blob_is_next(rules, state, seat):
    """Whether the Blob's turn follows that of a player: both have had theirs."""
    return state.to_act != NOBODY and seat != state.first
