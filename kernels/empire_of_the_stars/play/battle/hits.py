"""Hits: weapons that no shield deflects hit ships, starbases and colonies (rulebook: Warlord 2E)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Battle
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_ships, mark_tokens
from stardeck.kernels.empire_of_the_stars.play.battle.losses import take_losses
from stardeck.kernels.empire_of_the_stars.play.battle.sides import main_bonus, other_side, shields_of, side_of
from stardeck.kernels.empire_of_the_stars.play.effects import hits_needed
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, add_on, bit, clockwise, remaining, remaining_of_all
from stardeck.kernels.empire_of_the_stars.play.questions import forget_moves, put_question
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import CLASSES, REGIONS, Ask, Plan, Side, Step


@kernel
def hits_of(rules, state, side):
    """Return the number of weapons of a side that no shield deflects (rulebook: Warlord 2E)."""
    weapons = state.plans[side, Plan.WEAPONS] + main_bonus(rules, state, side, Battle.WEAPONS)
    against = other_side(side)
    return max(0, weapons - shields_of(state, against) - main_bonus(rules, state, against, Battle.SHIELDS))


@kernel
def begin_hits(rules, state):
    """Begin with the hits that the attacker assigns."""
    forget_moves(rules, state)
    state.tactics_left = 0
    state.step = Step.HITS
    state.hitting = Side.ATTACKER
    state.hits_left = hits_of(rules, state, Side.ATTACKER)


@kernel
def unhit_ships(rules, state, side):
    """Return the regions with ships of a side that have not taken all their hits."""
    regions = NONE
    for seat in range(rules.players):
        if side_of(state, seat) == side:
            regions |= remaining_of_all(state.players[seat], state.players[seat].hit)
    return regions


@kernel
def ship_targets(rules, state, owner, kind):
    """Return the regions of the sector where a ship of this owner, on the other side, can be hit."""
    if side_of(state, owner) != other_side(state.hitting):
        return NONE
    player = state.players[owner]
    waiting = remaining(player, player.hit, kind) & rules.sector_regions[state.sector]
    if waiting == NONE or hits_needed(rules, player, kind) > state.hits_left:
        return NONE
    return waiting


@kernel
def token_targets(rules, state):
    """Return the regions where a starbase can be flipped, or a colony destroyed that no ship protects."""
    if state.hits_left == 0:
        return NONE
    against = other_side(state.hitting)
    starbases = colonies = NONE
    for seat in range(rules.players):
        if side_of(state, seat) == against:
            starbases |= state.players[seat].starbases
            colonies |= state.players[seat].colonies
    colonies |= starbases & state.starbases_hit
    open_colonies = colonies & ~state.colonies_hit & ~unhit_ships(rules, state, against)
    return ((starbases & ~state.starbases_hit) | open_colonies) & rules.sector_regions[state.sector]


@kernel
def has_target(rules, state):
    """Return True if any hit can be assigned."""
    if state.hits_left == 0:
        return False
    for owner in range(rules.players):
        for kind in range(CLASSES):
            if ship_targets(rules, state, owner, kind) != NONE:
                return True
    return token_targets(rules, state) != NONE


@kernel
def advance_hits(rules, state):
    """Let the attacker, then the defender assign hits; then take all losses at once."""
    if has_target(rules, state):
        put_question(state, np.int64(state.mains[state.hitting]), Ask.STEP)
    else:
        end_hits(rules, state)


@kernel
def end_hits(rules, state):
    """Let the other side assign its hits, or take the losses."""
    if state.hitting == Side.ATTACKER:
        state.hitting = Side.DEFENDER
        state.hits_left = hits_of(rules, state, Side.DEFENDER)
    else:
        take_losses(rules, state)


@kernel
def hit_ship(rules, state, owner, kind, region):
    """Assign a ship all its hits."""
    state.hits_left -= hits_needed(rules, state.players[owner], kind)
    add_on(state.players[owner].hit, kind, region)


@kernel
def hit_token(state, region, is_starbase):
    """Assign one hit: a starbase becomes a colony, a colony is destroyed."""
    state.hits_left -= 1
    if is_starbase:
        state.starbases_hit |= bit(region)
    else:
        state.colonies_hit |= bit(region)


@kernel
def is_standing_starbase(rules, state, region):
    """Return True if a region still counts as a starbase for further hits."""
    here = bit(region)
    for seat in range(rules.players):
        if state.players[seat].starbases & here & ~state.starbases_hit != NONE:
            return True
    return False


@kernel
def mark_targets(rules, state, seat, legal):
    """Mark ships, starbases and colonies that can be hit, and stopping."""
    mark(rules, legal, Act.DONE, 0)
    for distance in range(rules.players):
        owner = clockwise(rules, seat, distance)
        for kind in range(CLASSES):
            mark_ships(rules, legal, distance, kind, ship_targets(rules, state, owner, kind))
    mark_tokens(rules, legal, token_targets(rules, state))


@kernel
def answer_hits(rules, state, seat, row):
    """Assign a hit, or stop."""
    what = np.int64(row.what)
    if row.act == Act.SHIP:
        owner = clockwise(rules, seat, np.int64(row.distance))
        hit_ship(rules, state, owner, what // REGIONS, what % REGIONS)
    elif row.act == Act.TOKEN:
        hit_token(state, what, is_standing_starbase(rules, state, what))
    else:
        end_hits(rules, state)
