"""Which actions are legal: the answers to what is asked, as a set of bits."""

import numpy as np

from stardeck.kernels import actionset
from stardeck.kernels.actionset import ONE, lowest
from stardeck.kernels.empire_of_the_stars.play.battle import (
    arrivals,
    can_be_invited,
    invasion_targets,
    is_in_sector,
    part_to_set,
    shiftable,
    ship_targets,
    side_of,
    token_targets,
)
from stardeck.kernels.empire_of_the_stars.play.dealing import first_planet_targets, home_targets
from stardeck.kernels.empire_of_the_stars.play.effects import technology_side, track_end
from stardeck.kernels.empire_of_the_stars.play.galaxy import (
    NONE,
    active_side,
    bit,
    clockwise,
    free_regions,
    tokens_of,
)
from stardeck.kernels.empire_of_the_stars.play.movement import destinations
from stardeck.kernels.empire_of_the_stars.play.roles.engineer import can_build, can_build_free, docks
from stardeck.kernels.empire_of_the_stars.play.roles.explorer import has_privilege
from stardeck.kernels.empire_of_the_stars.play.roles.merchant import can_buy, can_invest, can_sell
from stardeck.kernels.empire_of_the_stars.play.roles.regent import influence_targets
from stardeck.kernels.empire_of_the_stars.play.roles.scientist import affordable, can_draw_from_deck
from stardeck.kernels.empire_of_the_stars.play.roles.warlord import battlefields, colonizable_by_ships, movable
from stardeck.kernels.empire_of_the_stars.play.rondel import farthest, passed_over
from stardeck.kernels.empire_of_the_stars.play.windows import (
    flip_matters,
    point_at_hand,
    surge_matters,
    usable_effect,
)
from stardeck.kernels.empire_of_the_stars.play.working import (
    can_match,
    can_swap,
    can_take,
    colony_targets,
    convert_targets,
    destroyable_ships,
    movable_enemies,
    reinforcements,
    upgrade_targets,
    work_in_progress,
)
from stardeck.kernels.empire_of_the_stars.rules import Act, Op, Point
from stardeck.kernels.empire_of_the_stars.state import (
    CLASSES,
    COSTS,
    FAR_SPACE,
    MARKET_TILES,
    NOBODY,
    NOTHING,
    REGIONS,
    RESOURCES,
    ROLES,
    SECTORS,
    Ask,
    Plan,
    Step,
)
from stardeck.kernels.jit import kernel


@kernel
def mark(rules, legal, act, what):
    """One action of a block."""
    actionset.mark(legal, rules.first[act] + what)


@kernel
def mark_regions(rules, legal, regions):
    """Regions as answers."""
    if regions != NONE:
        actionset.mark_all(legal, np.int64(rules.first[Act.REGION]), regions)


@kernel
def mark_ships(rules, legal, distance, kind, regions):
    """Ships of a class of the player so many seats on, by region."""
    if regions != NONE:
        first = rules.first[Act.SHIP] + (distance * CLASSES + kind) * REGIONS
        actionset.mark_all(legal, np.int64(first), regions)


@kernel
def mark_first(rules, legal, act, count):
    """The first actions of a block."""
    actionset.mark_all(legal, np.int64(rules.first[act]), (ONE << np.uint64(count)) - ONE)


@kernel
def mark_roles(rules, state, legal):
    """Any role for the first choice, then those within reach. (Rulebook: Gameplay; ruling: choosing a role)"""
    if state.monolith < 0:
        mark_first(rules, legal, Act.CHOOSE_ROLE, ROLES)
        return
    most = farthest(rules, state)
    for role in range(ROLES):
        if role != state.monolith:
            if passed_over(rules, state, role, 1) <= most:
                mark(rules, legal, Act.FORWARD, role)
            if passed_over(rules, state, role, -1) <= most:
                mark(rules, legal, Act.BACK, role)


@kernel
def mark_usable(rules, state, seat, point, legal):
    """Powers and technologies that can be used by choice at a point."""
    player = state.players[seat]
    side = active_side(rules, player)
    if side >= 0 and usable_effect(rules, state, seat, side, point) >= 0:
        mark(rules, legal, Act.NAME, np.int64(player.power))
    for word in range(len(player.technologies)):
        owned = player.technologies[word] & rules.at_point[point, word] & ~player.used[word]
        while owned != NONE:
            number = 64 * word + lowest(owned)
            if usable_effect(rules, state, seat, technology_side(rules, number), point) >= 0:
                mark(rules, legal, Act.NAME, rules.names_from + number)
            owned &= owned - ONE


@kernel
def mark_set_up(rules, state, seat, legal):
    """The set-up."""
    if state.step == Step.KEEP_POWER:
        for place in range(3):
            if state.players[seat].dealt[place] >= 0:
                mark(rules, legal, Act.NAME, np.int64(state.players[seat].dealt[place]))
    elif state.step == Step.HOME:
        mark_regions(rules, legal, home_targets(rules, state))
    else:
        mark_regions(rules, legal, first_planet_targets(rules, state))


@kernel
def mark_explorer(rules, state, seat, legal):
    """EXPLORER."""
    if state.step == Step.TILE:
        for tile in range(rules.tile_kinds):
            if state.display[tile] > 0:
                mark(rules, legal, Act.TILE, tile)
    elif state.step == Step.REGION:
        mark_regions(rules, legal, free_regions(rules, state))
    else:
        mark(rules, legal, Act.PASS, 0)
        if has_privilege(rules, state):
            mark_regions(rules, legal, bit(state.last_placed))
        mark_usable(rules, state, seat, Point.PLACED, legal)


@kernel
def mark_merchant(rules, state, seat, legal):
    """MERCHANT."""
    mark(rules, legal, Act.DONE, 0)
    player = state.players[seat]
    if state.step == Step.TRADE:
        for resource in range(RESOURCES):
            if can_sell(player, resource):
                mark(rules, legal, Act.SELL, resource)
            if can_buy(rules, state, player, resource):
                mark(rules, legal, Act.BUY, resource)
    else:
        for location in range(FAR_SPACE):
            if can_invest(rules, state, seat, location):
                mark(rules, legal, Act.INVEST, location)


@kernel
def mark_engineer(rules, state, seat, legal):
    """ENGINEER."""
    player = state.players[seat]
    if state.step == Step.BUILD:
        mark(rules, legal, Act.DONE, 0)
    regions = docks(rules, state, player)
    for kind in range(CLASSES):
        if state.step == Step.BUILD:
            if can_build(rules, player, kind):
                mark(rules, legal, Act.BUILD, kind)
            if can_build_free(state, player, kind):
                mark(rules, legal, Act.BUILD_FREE, kind)
        elif player.staging[kind] > 0:
            mark_ships(rules, legal, 0, kind, regions)


@kernel
def mark_cards(rules, legal, first_word, second_word):
    """Technologies of two words of bits."""
    first = np.int64(rules.first[Act.NAME] + rules.names_from)
    if first_word != NONE:
        actionset.mark_all(legal, first, first_word)
    if second_word != NONE:
        actionset.mark_all(legal, first + 64, second_word)


@kernel
def mark_scientist(rules, state, seat, legal):
    """SCIENTIST."""
    if state.step == Step.DISCARD:
        mark_cards(rules, legal, state.players[seat].hand[0], state.players[seat].hand[1])
        return
    mark(rules, legal, Act.PASS, 0)
    if state.step == Step.BUY:
        mark_cards(rules, legal, affordable(rules, state, seat, 0), affordable(rules, state, seat, 1))
        return
    for cost in range(COSTS):
        if can_draw_from_deck(state, cost):
            mark(rules, legal, Act.DRAW_DECK, cost)
        if state.discard_count[cost] > 0:
            mark(rules, legal, Act.DRAW_DISCARD, cost)


@kernel
def mark_turn(rules, state, seat, legal):
    """The own turn of WARLORD."""
    mark(rules, legal, Act.DONE, 0)
    if state.step == Step.MOVE:
        for kind in range(CLASSES):
            mark_ships(rules, legal, 0, kind, movable(rules, state, seat, kind))
    if state.step != Step.COLONIZE:
        for distance in range(1, rules.players):
            sectors = battlefields(rules, state, seat, clockwise(rules, seat, distance))
            if sectors != 0:
                first = rules.first[Act.BATTLE] + (distance - 1) * SECTORS
                actionset.mark_all(legal, np.int64(first), np.uint64(sectors))
    mark_regions(rules, legal, colonizable_by_ships(rules, state, seat))


@kernel
def mark_call(rules, state, seat, legal):
    """Calling for allies, and what they do."""
    if state.step == Step.INVITE:
        mark(rules, legal, Act.DONE, 0)
        for distance in range(1, rules.players):
            if can_be_invited(state, clockwise(rules, seat, distance), side_of(state, seat)):
                mark(rules, legal, Act.INVITE, distance - 1)
    elif state.step == Step.ANSWER:
        mark(rules, legal, Act.DECLINE, 0)
        for side in range(2):
            if (state.players[seat].invited >> side) & 1:
                mark(rules, legal, Act.JOIN, side)
    else:
        if is_in_sector(rules, state, seat):
            mark(rules, legal, Act.DONE, 0)
        for kind in range(CLASSES):
            mark_ships(rules, legal, 0, kind, arrivals(rules, state, seat, kind))


@kernel
def mark_plan(rules, state, seat, legal):
    """A part of a battle plan: up to the strength that is left."""
    side = side_of(state, seat)
    most = np.int64(state.strength[side])
    if part_to_set(state, side) == Plan.WEAPONS:
        most -= state.plans[side, Plan.TACTICS]
    for number in range(most + 1):
        mark(rules, legal, Act.NUMBER, number)


@kernel
def mark_battle(rules, state, seat, legal):
    """A battle after the allies have come."""
    step = state.step
    if step == Step.PLAN:
        mark_plan(rules, state, seat, legal)
        return
    if step == Step.INVADE:
        mark(rules, legal, Act.PASS, 0)
        mark_regions(rules, legal, invasion_targets(rules, state, side_of(state, seat)))
        return
    mark(rules, legal, Act.DONE, 0)
    for distance in range(rules.players):
        owner = clockwise(rules, seat, distance)
        for kind in range(CLASSES):
            if step == Step.TACTICS:
                mark_ships(rules, legal, distance, kind, shiftable(rules, state, owner, kind))
            else:
                mark_ships(rules, legal, distance, kind, ship_targets(rules, state, owner, kind))
    if step == Step.HITS:
        actionset.mark_all(legal, np.int64(rules.first[Act.TOKEN]), token_targets(rules, state))


@kernel
def mark_regent(rules, state, seat, legal):
    """REGENT."""
    if state.step == Step.BUY_INFLUENCE:
        mark(rules, legal, Act.BUY_INFLUENCE, 0)
        mark(rules, legal, Act.PASS, 0)
    elif state.step == Step.PLACE:
        mark(rules, legal, Act.INFLUENCE_THRONE, 0)
        mark_regions(rules, legal, influence_targets(rules, state, seat))
    else:
        mark_first(rules, legal, Act.EDICT, np.int64(rules.edict_count))


@kernel
def mark_step(rules, state, seat, legal):
    """What the step is about."""
    step = state.step
    if Step.MOVE <= step <= Step.COLONIZE:
        mark_turn(rules, state, seat, legal)
    elif Step.INVITE <= step <= Step.ALLY:
        mark_call(rules, state, seat, legal)
    elif Step.READY <= step <= Step.INVADE:
        mark_battle(rules, state, seat, legal)
    elif step <= Step.FIRST_PLANET:
        mark_set_up(rules, state, seat, legal)
    elif step == Step.CHOOSE_ROLE:
        mark_roles(rules, state, legal)
    elif step <= Step.EXTRA:
        mark_explorer(rules, state, seat, legal)
    elif step == Step.MARKET_TILE:
        for tile in range(MARKET_TILES):
            if (state.flipped >> tile) & 1 == 0:
                mark(rules, legal, Act.MARKET_TILE, tile)
    elif step <= Step.INVEST:
        mark_merchant(rules, state, seat, legal)
    elif step <= Step.DEPLOY:
        mark_engineer(rules, state, seat, legal)
    elif step <= Step.DISCARD:
        mark_scientist(rules, state, seat, legal)
    else:
        mark_regent(rules, state, seat, legal)


@kernel
def destinations_at_hand(rules, state):
    """Where the ship picked may go, as the step or effect has it."""
    steps = NOTHING
    into = rules.open
    if state.work_side >= 0:
        effect = work_in_progress(rules, state)
        steps = np.int64(effect.values[1])
        if effect.op == Op.REINFORCE:
            into = rules.sector_regions[state.sector]
    elif state.step == Step.ALLY:
        into = rules.sector_regions[state.sector]
    owner = np.int64(state.ship_owner)
    return destinations(rules, state, owner, np.int64(state.ship), np.int64(state.ship_from), steps) & into


@kernel
def mark_destroy(rules, state, seat, legal):
    """Ships, then colonies and starbases of the opponent at hand."""
    owner = np.int64(state.work_opponent)
    opponent = state.players[owner]
    if state.work_colonies:
        actionset.mark_all(legal, np.int64(rules.first[Act.TOKEN]), tokens_of(opponent))
        return
    most = work_in_progress(rules, state).values[1]
    distance = (owner - seat) % rules.players
    for kind in range(CLASSES):
        mark_ships(rules, legal, distance, kind, destroyable_ships(rules, opponent, kind, most))


@kernel
def mark_take(rules, state, seat, legal):
    """Resources of the opponent at hand, or of all of them."""
    for distance in range(1, rules.players):
        other = clockwise(rules, seat, distance)
        if state.work_opponent == NOBODY or state.work_opponent == other:
            for resource in range(RESOURCES):
                if can_take(rules, state, seat, other, resource):
                    mark(rules, legal, Act.TAKE, (distance - 1) * RESOURCES + resource)


@kernel
def mark_ships_for_work(rules, state, seat, legal):
    """Ships that MOVE_ENEMY or REINFORCE can move."""
    steps = work_in_progress(rules, state).values[1]
    for kind in range(CLASSES):
        if state.ask == Ask.REINFORCE:
            mark_ships(rules, legal, 0, kind, reinforcements(rules, state, seat, kind, steps))
            continue
        for distance in range(1, rules.players):
            owner = clockwise(rules, seat, distance)
            mark_ships(rules, legal, distance, kind, movable_enemies(rules, state, owner, kind, steps))


@kernel
def mark_work(rules, state, seat, legal):
    """The choices of the effect in progress."""
    ask = state.ask
    player = state.players[seat]
    if ask == Ask.FAVOUR:
        mark_first(rules, legal, Act.RESOURCE, RESOURCES)
        return
    mark(rules, legal, Act.PASS, 0)
    if ask == Ask.SWAP:
        place = 0
        for given in range(RESOURCES):
            for taken in range(RESOURCES):
                if given != taken:
                    if can_swap(rules, player, given, taken):
                        mark(rules, legal, Act.SWAP, place)
                    place += 1
    elif ask == Ask.REPLACE:
        for tile in range(rules.tile_kinds):
            if state.display[tile] > 0:
                mark(rules, legal, Act.TILE, tile)
    elif ask == Ask.PLACE_COLONY:
        mark_regions(rules, legal, colony_targets(rules, state, seat))
    elif ask == Ask.UPGRADE:
        mark_regions(rules, legal, upgrade_targets(player, work_in_progress(rules, state).values))
    elif ask == Ask.MOVE_ENEMY or ask == Ask.REINFORCE:
        mark_ships_for_work(rules, state, seat, legal)
    elif ask == Ask.DESTROY:
        mark_destroy(rules, state, seat, legal)
    elif ask == Ask.TAKE:
        mark_take(rules, state, seat, legal)
    elif ask == Ask.CONVERT:
        mark_regions(rules, legal, convert_targets(rules, state, seat))
    else:
        for resource in range(RESOURCES):
            if can_match(rules, state, seat, resource):
                mark(rules, legal, Act.RESOURCE, resource)


@kernel
def legal_actions(rules, state, legal):
    """The set of legal actions of the seat to act; empty when the game is over. legal: uint64[words]."""
    actionset.clear(legal)
    seat = np.int64(state.to_act)
    if seat < 0:
        return
    ask = state.ask
    if ask == Ask.STEP:
        mark_step(rules, state, seat, legal)
    elif ask == Ask.DESTINATION:
        mark_regions(rules, legal, destinations_at_hand(rules, state))
    elif ask == Ask.SURGE:
        mark(rules, legal, Act.PASS, 0)
        if surge_matters(rules, state, seat):
            mark(rules, legal, Act.SURGE, 0)
        if flip_matters(rules, state, seat):
            mark(rules, legal, Act.FLIP, 0)
    elif ask == Ask.USE:
        mark(rules, legal, Act.PASS, 0)
        mark_usable(rules, state, seat, point_at_hand(state), legal)
    elif ask == Ask.GAIN:
        mark(rules, legal, Act.PASS, 0)
        player = state.players[seat]
        for resource in range(RESOURCES):
            if player.resources[resource] < track_end(rules, player):
                mark(rules, legal, Act.RESOURCE, resource)
    else:
        mark_work(rules, state, seat, legal)
