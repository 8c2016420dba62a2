"""Battles: allies, strength, plans, tactics, hits and what follows (rulebook: Warlord 2).

While a battle goes on, `mains` holds attacker and defender and `active` the seat at hand.
"""

import numpy as np

from stardeck.kernels.actionset import ONE, lowest, population
from stardeck.kernels.empire_of_the_stars.play.effects import (
    gain_credits,
    react,
    score_galaxy_tokens,
    summed,
    summed_for,
)
from stardeck.kernels.empire_of_the_stars.play.galaxy import (
    NONE,
    add_on,
    bit,
    clear_board,
    clockwise,
    has_flag,
    home_of,
    put_colony,
    remaining,
    remaining_of_all,
    take_ship,
    tokens_of,
)
from stardeck.kernels.empire_of_the_stars.play.movement import can_go
from stardeck.kernels.empire_of_the_stars.play.questions import (
    begin_step,
    forget_moves,
    next_by_power,
    put_question,
    rank_of,
)
from stardeck.kernels.empire_of_the_stars.play.roles.warlord import units_of
from stardeck.kernels.empire_of_the_stars.play.windows import pass_point
from stardeck.kernels.empire_of_the_stars.play.working import hits_needed
from stardeck.kernels.empire_of_the_stars.rules import (
    LARGEST_STRENGTH,
    BattleSide,
    Event,
    Flag,
    Op,
    Point,
    Unit,
)
from stardeck.kernels.empire_of_the_stars.state import CLASSES, NOBODY, NOTHING, Ask, Plan, Side, Stage, Step
from stardeck.kernels.jit import kernel

STRENGTH, TACTICS, WEAPONS, SHIELDS = range(1, 5)  # columns of a BATTLE effect


@kernel
def side_of(state, seat):
    """The side a seat fights on, or NOTHING."""
    if state.mains[Side.ATTACKER] == seat:
        return Side.ATTACKER
    if state.mains[Side.DEFENDER] == seat:
        return Side.DEFENDER
    return np.int64(state.players[seat].allied)


@kernel
def other_side(side):
    """The opposing side."""
    return 1 - side


# Declaring and calling for allies


@kernel
def declare(rules, state, defender, sector):
    """Declare a battle; the own movement is over. (Rulebook: Warlord 2A; ruling: TOLL)"""
    attacker = np.int64(state.active)
    toll = summed(rules, state.players[defender], Op.TOLL, 0)
    state.players[attacker].credits -= toll
    gain_credits(state.players[defender], toll)
    if (state.fought >> sector) & 1:
        state.fought_again |= 1 << sector
    state.fought |= 1 << sector
    state.sector = sector
    state.mains[Side.ATTACKER] = attacker
    state.mains[Side.DEFENDER] = defender
    for seat in range(rules.players):
        state.players[seat].allied = NOTHING
        state.players[seat].invited = 0
    begin_step(state, Step.INVITE, attacker)


@kernel
def can_be_invited(state, seat, side):
    """Whether a third player has not been invited by this side yet."""
    is_main = seat == state.mains[Side.ATTACKER] or seat == state.mains[Side.DEFENDER]
    return not is_main and (state.players[seat].invited >> side) & 1 == 0


@kernel
def advance_invite(rules, state):
    """Attacker, then defender invite third players one after the other."""
    side = side_of(state, np.int64(state.active))
    for seat in range(rules.players):
        if can_be_invited(state, seat, side):
            put_question(state, np.int64(state.active), Ask.STEP)
            return
    end_invite(rules, state)


@kernel
def end_invite(rules, state):
    """The defender invites after the attacker; then those invited answer, left of the attacker first."""
    if state.active == state.mains[Side.ATTACKER]:
        begin_step(state, Step.INVITE, np.int64(state.mains[Side.DEFENDER]))
    else:
        begin_step(state, Step.ANSWER, clockwise(rules, np.int64(state.mains[Side.ATTACKER]), 1))


@kernel
def arrivals(rules, state, seat, kind):
    """Regions outside the sector from which ships of an ally come into it."""
    sector = rules.sector_regions[state.sector]
    player = state.players[seat]
    waiting = remaining(player, player.moved, kind) & ~sector
    return NONE if waiting == NONE else can_go(rules, state, seat, kind, waiting, NOTHING, sector)


@kernel
def can_arrive(rules, state, seat):
    """Whether any ship of an ally can come into the sector."""
    for kind in range(CLASSES):
        if arrivals(rules, state, seat, kind) != NONE:
            return True
    return False


@kernel
def is_in_sector(rules, state, seat):
    """Whether a player has a unit in the sector of the battle."""
    return units_of(state.players[seat]) & rules.sector_regions[state.sector] != NONE


@kernel
def next_third(rules, state):
    """The answer of the next third player, or all are ready."""
    seat = clockwise(rules, np.int64(state.active), 1)
    if seat == state.mains[Side.ATTACKER]:
        forget_moves(rules, state)
        begin_step(state, Step.READY, np.int64(state.order[0]))
    else:
        begin_step(state, Step.ANSWER, seat)


@kernel
def advance_answer(rules, state):
    """Ask an invited player who can join. (Ruling: battle: allies)"""
    seat = np.int64(state.active)
    if state.players[seat].invited != 0:
        forget_moves(rules, state)
        if is_in_sector(rules, state, seat) or can_arrive(rules, state, seat):
            put_question(state, seat, Ask.STEP)
            return
    next_third(rules, state)


@kernel
def join(state, side):
    """Become an ally; ships may follow."""
    state.players[state.active].allied = side
    state.step = Step.ALLY


@kernel
def advance_ally(rules, state):
    """Bring ships into the sector."""
    seat = np.int64(state.active)
    if can_arrive(rules, state, seat):
        put_question(state, seat, Ask.STEP)
    else:
        next_third(rules, state)


# Strength and plans


@kernel
def advance_ready(rules, state):
    """Powers and technologies before strength is counted, by power number."""
    seat = np.int64(state.active)
    if side_of(state, seat) >= 0:
        if not pass_point(rules, state, seat, Point.READY):
            return
        state.players[seat].fights = 1
        if state.players[seat].allied >= 0:
            react(rules, state, seat, Event.ALLY_IN_BATTLE, 1, -1, -1)
    following = next_by_power(rules, state, seat)
    if following >= 0:
        begin_step(state, Step.READY, following)
    else:
        begin_plans(rules, state)


@kernel
def unit_bonus(rules, player, unit):
    """What a unit of a class is stronger by effects; ALL are the ships."""
    everything = Unit.ALL if unit <= Unit.DREADNOUGHT else unit
    return summed_for(rules, player, Op.UNIT, unit, everything, 1)


@kernel
def strength_of(rules, player, sector):
    """The strength of all units of a player in some regions. (Rulebook: Warlord 2B)"""
    strength = 0
    for kind in range(CLASSES):
        ships = (
            population(player.fleet[kind, 0] & sector)
            + population(player.fleet[kind, 1] & sector)
            + population(player.fleet[kind, 2] & sector)
        )
        if ships > 0:
            strength += ships * (rules.ship_strength[kind] + unit_bonus(rules, player, kind))
    colonies = population(player.colonies & sector)
    if colonies > 0:
        strength += colonies * (1 + unit_bonus(rules, player, Unit.COLONY))
    starbases = population((player.starbases | home_of(player)) & sector)
    if starbases > 0:
        strength += starbases * (2 + unit_bonus(rules, player, Unit.STARBASE))
    return strength


@kernel
def main_bonus(rules, state, side, column):
    """What effects give to attacker or defender. column: STRENGTH, TACTICS, WEAPONS or SHIELDS."""
    player = state.players[state.mains[side]]
    return summed_for(rules, player, Op.BATTLE, side, BattleSide.ANY, column)


@kernel
def begin_plans(rules, state):
    """Count the strength of both sides; then the plans are set."""
    sector = rules.sector_regions[state.sector]
    for side in range(2):
        strength = main_bonus(rules, state, side, STRENGTH)
        for seat in range(rules.players):
            if side_of(state, seat) == side:
                strength += strength_of(rules, state.players[seat], sector)
        state.strength[side] = min(strength, LARGEST_STRENGTH)
        for part in range(2):
            state.plans[side, part] = NOTHING
    state.step = Step.PLAN
    state.active = state.mains[Side.ATTACKER]


@kernel
def revealing_side(rules, state):
    """The side whose main player sees parts of the opposing plan first, or NOTHING. (Ruling: REVEAL)"""
    attacker = np.int64(state.mains[Side.ATTACKER])
    defender = np.int64(state.mains[Side.DEFENDER])
    attacker_sees = summed(rules, state.players[attacker], Op.REVEAL, 0) > 0
    defender_sees = summed(rules, state.players[defender], Op.REVEAL, 0) > 0
    if attacker_sees and defender_sees:
        first = rank_of(rules, state, attacker) < rank_of(rules, state, defender)
        return Side.ATTACKER if first else Side.DEFENDER
    if attacker_sees:
        return Side.ATTACKER
    return Side.DEFENDER if defender_sees else NOTHING


@kernel
def parts_shown(rules, state, side):
    """How many parts of the plan of a side lie open before the other plan is set: 0, 1 (tactics) or 2 (all)."""
    if revealing_side(rules, state) != other_side(side):
        return 0
    return min(summed(rules, state.players[state.mains[other_side(side)]], Op.REVEAL, 0), 2)


@kernel
def is_set(state, side, parts):
    """Whether the first parts of a plan are set."""
    return parts == 0 or state.plans[side, parts - 1] >= 0


@kernel
def planning_side(rules, state):
    """The side that sets a part of its plan now, or NOTHING when both plans are complete."""
    revealing = revealing_side(rules, state)
    first = Side.ATTACKER if revealing == NOTHING else other_side(revealing)
    parts = 2 if revealing == NOTHING else parts_shown(rules, state, first)
    if not is_set(state, first, parts):
        return first
    if not is_set(state, other_side(first), 2):
        return other_side(first)
    return NOTHING if is_set(state, first, 2) else first


@kernel
def advance_plan(rules, state):
    """Tactics and weapons of both sides, then they are compared. (Rulebook: Warlord 2C)"""
    side = planning_side(rules, state)
    if side >= 0:
        put_question(state, np.int64(state.mains[side]), Ask.STEP)
    else:
        compare_tactics(rules, state)


@kernel
def part_to_set(state, side):
    """The part of the plan that comes next."""
    return Plan.TACTICS if state.plans[side, Plan.TACTICS] < 0 else Plan.WEAPONS


@kernel
def set_part(state, seat, number):
    """Set a part of the plan of a main player."""
    side = side_of(state, seat)
    state.plans[side, part_to_set(state, side)] = number


@kernel
def shields_of(state, side):
    """What is left of the strength."""
    return state.strength[side] - state.plans[side, Plan.TACTICS] - state.plans[side, Plan.WEAPONS]


# Tactics


@kernel
def lead_in_tactics(rules, state):
    """By how much the attacker has more tactics."""
    attacking = state.plans[Side.ATTACKER, Plan.TACTICS] + main_bonus(rules, state, Side.ATTACKER, TACTICS)
    return attacking - state.plans[Side.DEFENDER, Plan.TACTICS] - main_bonus(rules, state, Side.DEFENDER, TACTICS)


@kernel
def compare_tactics(rules, state):
    """The winner and his allies score; he may move ships. (Rulebook: Warlord 2D)"""
    lead = lead_in_tactics(rules, state)
    state.step = Step.TACTICS
    state.tactics_left = abs(lead)
    if lead == 0:
        return
    side = Side.ATTACKER if lead > 0 else Side.DEFENDER
    winner = np.int64(state.mains[side])
    score_galaxy_tokens(state, winner, 1)
    for distance in range(rules.players):
        seat = clockwise(rules, np.int64(state.mains[Side.ATTACKER]), distance)
        if state.players[seat].allied == side:
            score_galaxy_tokens(state, seat, 1)
    react(rules, state, winner, Event.WON_TACTICS, 1, -1, -1)


@kernel
def shiftable(rules, state, owner, kind):
    """Regions of the sector from which ships of a player in the battle can be moved by tactics."""
    if side_of(state, owner) < 0:
        return NONE
    player = state.players[owner]
    waiting = remaining(player, player.moved, kind) & rules.sector_regions[state.sector]
    return NONE if waiting == NONE else can_go(rules, state, owner, kind, waiting, NOTHING, rules.open)


@kernel
def can_shift(rules, state):
    """Whether any ship can still be moved by tactics."""
    for owner in range(rules.players):
        for kind in range(CLASSES):
            if shiftable(rules, state, owner, kind) != NONE:
                return True
    return False


@kernel
def advance_tactics(rules, state):
    """The winner of tactics moves ships of either side."""
    if state.tactics_left > 0 and can_shift(rules, state):
        side = Side.ATTACKER if lead_in_tactics(rules, state) > 0 else Side.DEFENDER
        put_question(state, np.int64(state.mains[side]), Ask.STEP)
    else:
        begin_hits(rules, state)


# Hits


@kernel
def hits_of(rules, state, side):
    """Weapons of a side that no shield deflects. (Rulebook: Warlord 2E)"""
    weapons = state.plans[side, Plan.WEAPONS] + main_bonus(rules, state, side, WEAPONS)
    against = other_side(side)
    return max(0, weapons - shields_of(state, against) - main_bonus(rules, state, against, SHIELDS))


@kernel
def begin_hits(rules, state):
    """The attacker assigns his hits first."""
    forget_moves(rules, state)
    state.tactics_left = 0
    state.step = Step.HITS
    state.hitting = Side.ATTACKER
    state.hits_left = hits_of(rules, state, Side.ATTACKER)


@kernel
def unhit_ships(rules, state, side):
    """Regions with ships of a side that have not got all their hits."""
    regions = NONE
    for seat in range(rules.players):
        if side_of(state, seat) == side:
            regions |= remaining_of_all(state.players[seat], state.players[seat].hit)
    return regions


@kernel
def ship_targets(rules, state, owner, kind):
    """Regions of the sector where a ship of a player of the other side can be hit."""
    if side_of(state, owner) != other_side(state.hitting):
        return NONE
    player = state.players[owner]
    waiting = remaining(player, player.hit, kind) & rules.sector_regions[state.sector]
    if waiting == NONE or hits_needed(rules, player, kind) > state.hits_left:
        return NONE
    return waiting


@kernel
def token_targets(rules, state):
    """Regions where a starbase can be flipped, or a colony destroyed that no ship protects."""
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
    """Whether any hit can be assigned."""
    if state.hits_left == 0:
        return False
    for owner in range(rules.players):
        for kind in range(CLASSES):
            if ship_targets(rules, state, owner, kind) != NONE:
                return True
    return token_targets(rules, state) != NONE


@kernel
def advance_hits(rules, state):
    """Attacker, then defender assign hits; then all losses at once."""
    if has_target(rules, state):
        put_question(state, np.int64(state.mains[state.hitting]), Ask.STEP)
    else:
        end_hits(rules, state)


@kernel
def end_hits(rules, state):
    """The other side assigns its hits, or losses are taken."""
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
    """One hit: a starbase becomes a colony, a colony is destroyed."""
    state.hits_left -= 1
    if is_starbase:
        state.starbases_hit |= bit(region)
    else:
        state.colonies_hit |= bit(region)


@kernel
def is_standing_starbase(rules, state, region):
    """Whether a region still counts as a starbase for further hits."""
    here = bit(region)
    for seat in range(rules.players):
        if state.players[seat].starbases & here & ~state.starbases_hit != NONE:
            return True
    return False


# Losses


@kernel
def lose_ships(rules, state, seat):
    """Ships that were hit go to the staging area. (Rulebook: Warlord 2F)"""
    player = state.players[seat]
    side = side_of(state, seat)
    for kind in range(CLASSES):
        for level in range(player.hit.shape[1]):
            regions = player.hit[kind, level]
            while regions != NONE:
                take_ship(state, seat, kind, lowest(regions))
                player.staging[kind] += 1
                player.ships_lost += 1
                state.ships_destroyed[other_side(side)] += 1
                regions &= regions - ONE
    clear_board(player.hit)


@kernel
def lose_tokens(rules, state, seat):
    """Starbases that were hit become colonies; colonies that were hit are scored by the other main player."""
    player = state.players[seat]
    destroyed = tokens_of(player) & state.colonies_hit
    flipped = player.starbases & state.starbases_hit
    player.colonies = (player.colonies | flipped) & ~destroyed
    player.starbases &= ~flipped
    winner = other_side(side_of(state, seat))
    state.scored[winner] |= destroyed
    state.players[state.mains[winner]].throne += population(destroyed)


@kernel
def take_losses(rules, state):
    """All losses at once, then tokens for allies, then events by power number. (Ruling: order of what follows)"""
    for seat in range(rules.players):
        if side_of(state, seat) >= 0:
            lose_ships(rules, state, seat)
            lose_tokens(rules, state, seat)
    state.starbases_hit = NONE
    state.colonies_hit = NONE
    for distance in range(rules.players):
        seat = clockwise(rules, np.int64(state.mains[Side.ATTACKER]), distance)
        if state.players[seat].allied >= 0:
            score_galaxy_tokens(state, seat, population(state.scored[state.players[seat].allied]))
    for place in range(rules.players):
        seat = np.int64(state.order[place])
        player = state.players[seat]
        react(rules, state, seat, Event.OWN_SHIP_DESTROYED, np.int64(player.ships_lost), -1, -1)
        player.ships_lost = 0
        if state.mains[0] == seat or state.mains[1] == seat:
            side = side_of(state, seat)
            react(rules, state, seat, Event.SHIP_DESTROYED_BY_ME, np.int64(state.ships_destroyed[side]), -1, -1)
            react(rules, state, seat, Event.COLONY_SCORED, population(state.scored[side]), -1, -1)
    for side in range(2):
        state.ships_destroyed[side] = 0
    state.hitting = NOTHING
    state.hits_left = 0
    state.step = Step.INVADE
    state.active = state.mains[Side.ATTACKER]


@kernel
def invasion_targets(rules, state, side):
    """Planets where a main player may put an own colony for one just scored. (Ruling: FLAG replace_colony)"""
    player = state.players[state.mains[side]]
    targets = state.scored[side] & (state.planets | state.asteroids)
    if targets == NONE or player.tokens == 0 or not has_flag(rules, player, Flag.REPLACE_COLONY):
        return NONE
    for seat in range(rules.players):
        targets &= ~tokens_of(state.players[seat])
    return targets


@kernel
def advance_invade(rules, state):
    """Attacker, then defender may replace a colony just scored."""
    side = side_of(state, np.int64(state.active))
    if invasion_targets(rules, state, side) != NONE:
        put_question(state, np.int64(state.active), Ask.STEP)
    else:
        end_invade(rules, state)


@kernel
def invade(rules, state, region):
    """Put the colony."""
    put_colony(state, np.int64(state.active), region)
    end_invade(rules, state)


@kernel
def end_invade(rules, state):
    """The defender after the attacker; then the battle is over."""
    if state.active == state.mains[Side.ATTACKER]:
        state.active = state.mains[Side.DEFENDER]
    else:
        end_battle(rules, state)


@kernel
def end_battle(rules, state):
    """The attacker goes on with his turn."""
    state.active = state.mains[Side.ATTACKER]
    state.step = Step.BATTLE
    state.stage = Stage.OWN
    clear_battle(rules, state)


@kernel
def clear_battle(rules, state):
    """No battle is going on."""
    state.sector = NOTHING
    for side in range(2):
        state.mains[side] = NOBODY
        state.strength[side] = 0
        state.scored[side] = NONE
        for part in range(2):
            state.plans[side, part] = NOTHING
    state.tactics_left = 0
    state.hitting = NOTHING
    state.hits_left = 0
    for seat in range(rules.players):
        state.players[seat].allied = NOTHING
        state.players[seat].invited = 0
