"""Set-up of a game (rulebook: Set Up, Playing with 2 players, Set up for first time players)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.empire_of_the_stars.operations import Paid
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_regions
from stardeck.kernels.empire_of_the_stars.play.battle.sides import clear_battle
from stardeck.kernels.empire_of_the_stars.play.display import refill_display
from stardeck.kernels.empire_of_the_stars.play.galaxy import (
    clear_galaxy,
    free_regions,
    home_of,
    place_home,
    place_tile,
    put_ship,
    spread,
)
from stardeck.kernels.empire_of_the_stars.play.questions import next_by_power, put_question
from stardeck.kernels.empire_of_the_stars.play.rondel import forget_role
from stardeck.kernels.empire_of_the_stars.play.technologies import draw_from_deck, put_on_discards, take_card
from stardeck.kernels.empire_of_the_stars.rules import FIRST_HAND, FIRST_SHARE, POWER_LIMIT, Act
from stardeck.kernels.empire_of_the_stars.state import (
    CLASSES,
    COLONY_TOKENS,
    COSTS,
    GALAXY_TOKENS,
    MAX_SEATS,
    NO_TILE,
    NOBODY,
    NOTHING,
    RESOURCES,
    STACK_LIMIT,
    Ask,
    Ship,
    Stage,
    Step,
)
from stardeck.kernels.primitives.random import mix, shuffle


@kernel
def clear(rules, state):
    """Set an empty table. state: a record of zeros."""
    state.variant = rules.variant
    clear_galaxy(state)
    state.galaxy_supply = GALAXY_TOKENS
    state.work_side = NOTHING
    state.work_opponent = NOBODY
    state.monolith = NOTHING
    state.roles_left = 1
    state.market_tile = NOTHING
    state.tile_in_hand = NO_TILE
    state.last_placed = NOTHING
    state.ship = NOTHING
    state.ship_from = NOTHING
    state.ship_owner = NOTHING
    for seat in range(MAX_SEATS):
        player = state.players[seat]
        player.home = NOTHING
        player.power = NOTHING
        player.allied = NOTHING
        player.tokens = COLONY_TOKENS if seat < rules.players else 0
        for place in range(3):
            player.dealt[place] = NOTHING
        for slot in range(len(player.favoured)):
            player.favoured[slot] = NOTHING
        if seat < rules.players:
            for kind in range(CLASSES):
                player.supply[kind] = rules.ship_supply[kind]
    forget_role(rules, state)
    clear_battle(rules, state)


@kernel
def deal(rules, state, seed):
    """Set up a new game in a blank record, up to its first decision."""
    state.random = mix(np.uint64(seed))
    clear(rules, state)
    deal_technologies(rules, state)
    lay_stack(rules, state)
    refill_display(rules, state)
    if rules.with_powers:
        deal_powers(rules, state)
        state.step = Step.KEEP_POWER
    else:
        order_seats(rules, state)
        state.step = Step.HOME
        state.active = state.order[0]
    state.stage = Stage.OWN
    put_question(state, np.int64(state.active), Ask.STEP)


@kernel
def deal_technologies(rules, state):
    """Deal three decks by cost, three cost-1 cards to each player, and a face-up card next to each deck (Set Up 2)."""
    for card in range(rules.technology_count):
        cost = rules.technologies[card].cost - 1
        state.decks[cost, state.deck_count[cost]] = card
        state.deck_count[cost] += 1
    for cost in range(COSTS):
        shuffle(state, state.decks[cost], np.int64(state.deck_count[cost]))
    for _ in range(FIRST_HAND):
        for seat in range(rules.players):
            take_card(state.players[seat], draw_from_deck(state, 0))
    for cost in range(COSTS):
        put_on_discards(state, cost, draw_from_deck(state, cost))


@kernel
def lay_stack(rules, state):
    """Lay stacks on each other, with a wormhole in the middle of each (Set Up 5; ruling: uneven stacks).

    With two players some tiles lie face down on the blocked sectors.
    """
    tiles = stack_array(STACK_LIMIT, np.int64)
    count = np.int64(rules.deck_count)
    for place in range(count):
        tiles[place] = rules.deck[place]
    shuffle(state, tiles, count)
    for _ in range(rules.hidden_tiles):
        count -= 1
        state.buried[tiles[count]] += 1
    stacks = max(np.int64(rules.wormhole_count), 1)
    total = count + np.int64(rules.wormhole_count)
    state.stack_count = total
    place = total  # from the top down
    for stack in range(stacks):
        size = count // stacks + (stack < count % stacks)
        for tile in range(size):
            if tile == size // 2 and rules.wormhole_count > 0:
                place -= 1
                state.stack[place] = rules.wormhole_tile
            place -= 1
            state.stack[place] = tiles[place_of(stack, tile, count, stacks)]


@kernel
def place_of(stack, tile, count, stacks):
    """Return the index of the shuffled tile for a place of a stack."""
    return stack * (count // stacks) + min(stack, count % stacks) + tile


@kernel
def deal_powers(rules, state):
    """Deal three powers to each player (Set Up 7)."""
    powers = stack_array(POWER_LIMIT, np.int64)
    for power in range(rules.power_count):
        powers[power] = power
    shuffle(state, powers, np.int64(rules.power_count))
    for seat in range(rules.players):
        for place in range(3):
            state.players[seat].dealt[place] = powers[3 * seat + place]


@kernel
def order_seats(rules, state):
    """Order seats by power number, lowest first; without powers player_0 counts as the highest."""
    if not rules.with_powers:
        for place in range(rules.players):
            state.order[place] = (place + 1) % rules.players
        return
    for seat in range(rules.players):
        place = 0
        for other in range(rules.players):
            place += state.players[other].power < state.players[seat].power
        state.order[place] = seat


@kernel
def keep_power(rules, state, power):
    """Keep one of the powers dealt; reveal them when all players have chosen (Set Up 7)."""
    seat = np.int64(state.active)
    state.players[seat].power = power
    if seat + 1 < rules.players:
        state.active = seat + 1
        return
    for other in range(rules.players):
        for place in range(3):
            state.players[other].dealt[place] = NOTHING
    order_seats(rules, state)
    state.step = Step.HOME
    state.active = state.order[0]


@kernel
def home_targets(rules, state):
    """Return the free regions with a free neighbour (ruling: set-up: where may a home world go)."""
    free = free_regions(rules, state)
    return free & spread(rules, free)


@kernel
def settle_home(rules, state, region):
    """Place the home world with its first ships (Set Up 8)."""
    seat = np.int64(state.active)
    player = state.players[seat]
    place_home(rules, state, seat, region)
    for kind in range(CLASSES):
        count = np.int64(kind == Ship.FIGHTER)
        if player.power >= 0:
            count = np.int64(rules.powers[player.power].ships[kind])
        player.supply[kind] -= count
        for _ in range(count):
            put_ship(state, seat, kind, region)
    state.step = Step.FIRST_PLANET


@kernel
def first_planet_targets(rules, state):
    """Return the free neighbours of the home world just placed."""
    return spread(rules, home_of(state.players[state.active])) & free_regions(rules, state)


@kernel
def settle_first_planet(rules, state, region):
    """Place one's own 2-polymer tile, uncolonized; then the next player places, or the first round begins."""
    place_tile(rules, state, np.int64(rules.first_planet_tile), region)
    following = next_by_power(rules, state, np.int64(state.active))
    if following >= 0:
        state.step = Step.HOME
        state.active = following
    else:
        gather_resources(rules, state)
        crown(rules, state)


@kernel
def highest_share(rules, state, seat, goods):
    """Return the highest amount of a resource among the opponents; the number after the resources means credits."""
    most = 0
    for other in range(rules.players):
        if other != seat:
            player = state.players[other]
            amount = player.credits if goods == Paid.CREDITS else player.resources[goods]
            most = max(most, np.int64(amount))
    return most


@kernel
def take_share(rules, state, seat, follows):
    """Give one player the starting resources and credits (Set Up 9)."""
    player = state.players[seat]
    for goods in range(RESOURCES + 1):
        if follows:
            amount = highest_share(rules, state, seat, goods)
        elif player.power >= 0:
            amount = np.int64(rules.powers[player.power].start[goods])
        else:
            amount = FIRST_SHARE[goods]
        if goods == Paid.CREDITS:
            player.credits = amount
        else:
            player.resources[goods] = amount


@kernel
def gather_resources(rules, state):
    """Give all players their share; those who copy the highest amount come last."""
    for late in range(2):
        for place in range(rules.players):
            seat = np.int64(state.order[place])
            power = state.players[seat].power
            follows = power >= 0 and rules.powers[power].follows == 1
            if follows == (late == 1):
                take_share(rules, state, seat, follows)


@kernel
def crown(rules, state):
    """Make the highest power number Emperor, with scepter and Monolith (Set Up 10)."""
    seat = np.int64(state.order[rules.players - 1])
    state.first = seat
    state.emperor = seat
    state.scepter = seat
    state.edict = 0
    state.step = Step.CHOOSE_ROLE


@kernel
def mark_answers(rules, state, seat, legal):
    """Mark the powers dealt, or the regions for the home world and the first planet."""
    if state.step == Step.KEEP_POWER:
        for place in range(3):
            if state.players[seat].dealt[place] >= 0:
                mark(rules, legal, Act.NAME, np.int64(state.players[seat].dealt[place]))
    elif state.step == Step.HOME:
        mark_regions(rules, legal, home_targets(rules, state))
    else:
        mark_regions(rules, legal, first_planet_targets(rules, state))


@kernel
def answer(rules, state, row):
    """Carry out an answer during the set-up."""
    what = np.int64(row.what)
    if state.step == Step.KEEP_POWER:
        keep_power(rules, state, what)
    elif state.step == Step.HOME:
        settle_home(rules, state, what)
    else:
        settle_first_planet(rules, state, what)
