"""What the rule-based player of Empire of the Stars thinks that an answer is worth.

It counts in tenths of a point of the final score: a colony, an investment and a galaxy token are ten each, credits and
resources what they buy of these. Refusing is worth nothing, so that what is worth less is refused. The figures come
from games against the player's own variations, against `ppo` and against earlier rules, of two, three and four players.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Counted
from stardeck.kernels.empire_of_the_stars.play.battle.plans import strength_of
from stardeck.kernels.empire_of_the_stars.play.battle.sides import side_of
from stardeck.kernels.empire_of_the_stars.play.display import planet_on_display
from stardeck.kernels.empire_of_the_stars.play.effects import flipped_tiles
from stardeck.kernels.empire_of_the_stars.play.emperor import count_for_edict, is_at_end, rank
from stardeck.kernels.empire_of_the_stars.play.galaxy import (
    NONE,
    bit,
    clockwise,
    colonizable,
    free_regions,
    has,
    home_of,
    ships_of,
    ships_of_others,
    spread,
    tokens_of,
    total_on,
    units_of,
)
from stardeck.kernels.empire_of_the_stars.play.movement import destinations
from stardeck.kernels.empire_of_the_stars.play.roles.engineer import docks, staged
from stardeck.kernels.empire_of_the_stars.play.roles.merchant import cost_of, selling_price
from stardeck.kernels.empire_of_the_stars.play.roles.regent import influence_on
from stardeck.kernels.empire_of_the_stars.play.roles.steward import tile_yields
from stardeck.kernels.empire_of_the_stars.play.roles.warlord import in_battle
from stardeck.kernels.empire_of_the_stars.play.rondel import passed_over
from stardeck.kernels.empire_of_the_stars.rules import Act, TileKind
from stardeck.kernels.empire_of_the_stars.state import (
    CLASSES,
    FAR_SPACE,
    MARKET_TILES,
    NOTHING,
    REGIONS,
    RESOURCES,
    SECTORS,
    SHIPS_IN_REGION,
    THRONE,
    Ask,
    FarSpace,
    Plan,
    Resource,
    Role,
    Ship,
    Step,
)
from stardeck.kernels.primitives.action_set import ONE, lowest, population

POINT = 10
NEVER = -1_000
CREDIT = 2  # an investment costs five to ten credits
# A unit of each resource: polymers are cheap, energy is dear.
RESOURCE = (2, 4, 5)
TECHNOLOGY = 4  # for each step of its cost
CREDIT_ON_THE_WAY = 4  # a credit dropped while roles are chosen: it also goes to whoever comes there next
SETTLING = 13  # EXPLORER: a planet at once, and the pick of the tiles
PRODUCTION = 7  # tenths of what is produced that count: a part of it is never spent
TRADE = -4  # MERCHANT serves all, and the others come with what they have saved
FREE_FIGHTER = 8
PAID_SHIP = 5
FIRST_SHIPS = 4  # more as long as there are few
RESEARCH = 6
FIRMLY_HELD = 6  # a sector where the own units are stronger: tactics there are sure to win a galaxy token
COURT = 3  # REGENT as Emperor
USURPATION = 12  # and as anybody else: whoever places last can match what others lay on the throne
INFLUENCE = 5  # a token that can be placed
LAST_CHANCE = 10 * POINT  # of staying in a game that is about to be lost
# The Emperor's edict brings him a galaxy token when it is set and again when the scepter comes, and others theirs no
# longer: more than any planet does.
EMPEROR = 3 * POINT
FEW_SHIPS = 4  # beyond them it builds larger ones
SPENDING = 4  # it sells until it has so many times the price of the cheapest investment


@kernel
def resource_worth(resource):
    """A unit of a resource."""
    return RESOURCE[0] if resource == 0 else RESOURCE[1] if resource == 1 else RESOURCE[2]


@kernel
def tile_worth(rules, tile):
    """What a planet yields in all, from 1; nothing for other tiles."""
    if rules.tiles[tile].kind != TileKind.PLANET:
        return 0
    worth = 1
    for resource in range(RESOURCES):
        worth += rules.tiles[tile].yields[resource] * resource_worth(resource)
    return worth


@kernel
def yield_worth(rules, state, region):
    """What the planet in a region yields in all."""
    tile = state.tiles[region]
    return tile_worth(rules, tile) if tile < rules.tile_kinds else 0


# Where things are


@kernel
def nearness(rules, units, region):
    """How near a region is to some units: 2 next to them, 1 a step further."""
    here = bit(region)
    near = spread(rules, units) | units
    if near & here != NONE:
        return 2
    return 1 if spread(rules, near) & here != NONE else 0


@kernel
def units_of_others(rules, state, seat):
    """Regions with units of anybody else."""
    regions = NONE
    for other in range(rules.players):
        if other != seat:
            regions |= units_of(state.players[other])
    return regions


@kernel
def empty_planets(rules, state, seat):
    """Planets that a ship could colonize: no token, no ships of others."""
    if state.players[seat].tokens == 0:
        return NONE
    return colonizable(rules, state, seat) & ~ships_of_others(rules, state, seat)


# Choosing a role


@kernel
def production(rules, state, seat, tile):
    """What a player would produce with a market tile, in tenths."""
    player = state.players[seat]
    worth = 0
    for resource in range(RESOURCES):
        if rules.market[tile].resources[resource] == 0:
            continue
        amount = np.int64(player.home >= 0)
        planets = tokens_of(player)
        while planets != NONE:
            amount += tile_yields(rules, np.int64(state.tiles[lowest(planets)]), resource, False)
            planets &= planets - ONE
        room = rules.track - np.int64(player.resources[resource])
        worth += max(0, min(amount, room)) * resource_worth(resource)
    return worth


@kernel
def market_worth(rules, state, seat, tile):
    """Own production and privilege against the average of the others."""
    worth = production(rules, state, seat, tile)
    for resource in range(RESOURCES):
        worth += rules.market[tile].resources[resource] * resource_worth(resource)
    others = 0
    for other in range(rules.players):
        if other != seat:
            others += production(rules, state, other, tile)
    return worth - others // (rules.players - 1)


@kernel
def best_market(rules, state, seat):
    """The worth of the best market tile."""
    best = 0
    for tile in range(MARKET_TILES):
        if (state.flipped >> tile) & 1 == 0:
            best = max(best, market_worth(rules, state, seat, tile))
    return best


@kernel
def wealth(rules, state, seat):
    """Credits, and what all resources would bring."""
    player = state.players[seat]
    credits = np.int64(player.credits)
    for resource in range(RESOURCES):
        credits += player.resources[resource] * rules.prices[flipped_tiles(state), resource]
    return credits


@kernel
def cheapest_investment(rules, state, seat):
    """The least that an investment costs, or a number out of reach."""
    least = 1_000
    player = state.players[seat]
    for location in range(FAR_SPACE):
        there = state.far_space[location]
        mine = there == FarSpace.COLONY + 2 * seat
        if there == FarSpace.GALAXY or mine or (there == FarSpace.EMPTY and player.tokens > 0):
            least = min(least, cost_of(rules, player, location))
    return least


@kernel
def investments(rules, state, seat, credits):
    """How many investments so many credits pay for."""
    return min(credits // cheapest_investment(rules, state, seat), 2)


@kernel
def merchant_worth(rules, state, seat):
    """The credits shown, and investments beyond those of the others."""
    shown = 0
    for tile in range(MARKET_TILES):
        if (state.flipped >> tile) & 1:
            shown += np.int64(rules.market[tile].credits)
    worth = TRADE + shown * CREDIT + POINT * investments(rules, state, seat, wealth(rules, state, seat) + shown)
    others = 0
    for other in range(rules.players):
        if other != seat:
            others += investments(rules, state, other, wealth(rules, state, other))
    return worth - POINT * others // rules.players


@kernel
def colonies_in_reach(rules, state, seat):
    """How many empty planets own ships come to in one movement, at most one for each ship."""
    player = state.players[seat]
    empty = empty_planets(rules, state, seat)
    if empty == NONE:
        return 0
    reached = empty & ships_of(player)
    ships = 0
    for kind in range(CLASSES):
        ships += total_on(player.fleet, kind)
        origins = player.fleet[kind, 0]
        while origins != NONE:
            reached |= destinations(rules, state, seat, kind, lowest(origins), NOTHING) & empty
            origins &= origins - ONE
    return min(population(reached), ships, np.int64(player.tokens))


@kernel
def sectors_held(rules, state, seat, other):
    """In how many sectors with units of both a player is stronger than another, less those where he is weaker."""
    own = units_of(state.players[seat])
    theirs = units_of(state.players[other])
    held = 0
    for sector in range(SECTORS):
        regions = rules.sector_regions[sector]
        if own & regions != NONE and theirs & regions != NONE:
            lead = strength_of(rules, state.players[seat], regions) - strength_of(rules, state.players[other], regions)
            held += np.int64(lead > 0) - np.int64(lead < 0)
    return held


@kernel
def warlord_worth(rules, state, seat):
    """Planets to colonize, beyond those of the others, who come first; battles that are sure to win tactics."""
    worth = POINT * colonies_in_reach(rules, state, seat)
    others = 0
    for other in range(rules.players):
        if other != seat:
            others += colonies_in_reach(rules, state, other)
            worth += FIRMLY_HELD * sectors_held(rules, state, seat, other)
    return worth - 6 * others // (rules.players - 1)


@kernel
def free_berths(rules, state, player):
    """How many more ships can be deployed than wait on the staging area: what finds no room is built for nothing."""
    regions = docks(rules, state, player)
    berths = 0
    for ships in range(SHIPS_IN_REGION):
        berths += population(regions & ~state.crowd[ships])
    return berths - staged(player)


@kernel
def engineer_worth(rules, state, seat):
    """A free fighter, and ships that can be paid for, as far as there is room."""
    player = state.players[seat]
    if player.supply[Ship.FIGHTER] == 0:
        return 2
    if free_berths(rules, state, player) <= 0:
        return 0
    ships = total_on(player.fleet, 0) + total_on(player.fleet, 1) + total_on(player.fleet, 2)
    can_pay = player.resources[Resource.POLYMER] > 0 and player.resources[Resource.METAL] > 0
    return FREE_FIGHTER + PAID_SHIP * np.int64(can_pay) + FIRST_SHIPS * np.int64(ships < FEW_SHIPS)


@kernel
def scientist_worth(rules, state, seat):
    """A technology for one resource less."""
    player = state.players[seat]
    most = max(player.resources[0], player.resources[1], player.resources[2])
    return RESEARCH if most > 0 else 2


@kernel
def leads(rules, state, seat):
    """Whether a player would win if the game ended now."""
    for other in range(rules.players):
        if other != seat and rank(rules, state, other) > rank(rules, state, seat):
            return False
    return True


@kernel
def regent_worth(rules, state, seat):
    """Planets to influence after all others, the throne, and the edict of one's own.

    Near the end it decides the game, which is over as soon as the Emperor has the scepter: whoever leads leaves the
    throne alone; whoever is behind takes it to put the end off, as long as there are galaxy tokens left to score.
    """
    player = state.players[seat]
    if is_at_end(rules, state):
        if leads(rules, state, seat):
            return NEVER
        if state.emperor != seat:
            return LAST_CHANCE if state.galaxy_supply > 0 else 0
    worth = COURT if state.emperor == seat else USURPATION
    return worth + INFLUENCE * min(np.int64(player.tokens), 2)


@kernel
def role_worth(rules, state, seat, role):
    """What choosing a role is worth, apart from credits."""
    if role == Role.EXPLORER:
        can_settle = state.players[seat].tokens > 0 and free_regions(rules, state) != NONE
        return SETTLING if can_settle and planet_on_display(rules, state) else 0
    if role == Role.STEWARD:
        return PRODUCTION * best_market(rules, state, seat) // 10
    if role == Role.MERCHANT:
        return merchant_worth(rules, state, seat)
    if role == Role.ENGINEER:
        return engineer_worth(rules, state, seat)
    if role == Role.SCIENTIST:
        return scientist_worth(rules, state, seat)
    if role == Role.WARLORD:
        return warlord_worth(rules, state, seat)
    return regent_worth(rules, state, seat)


@kernel
def choice_worth(rules, state, seat, act, role):
    """A role, less the credits dropped on the way, more those that wait on it."""
    worth = role_worth(rules, state, seat, role)
    if act != Act.CHOOSE_ROLE:
        worth -= CREDIT_ON_THE_WAY * passed_over(rules, state, role, 1 if act == Act.FORWARD else -1)
        worth += CREDIT_ON_THE_WAY * np.int64(state.role_credits[role])
    return worth


# The peaceful roles


@kernel
def place_worth(rules, state, seat, region):
    """Where a tile goes: planets near one's own units, everything else near the others."""
    own = nearness(rules, units_of(state.players[seat]), region)
    others = nearness(rules, units_of_others(rules, state, seat), region)
    return (own - others) * (3 if tile_worth(rules, np.int64(state.tile_in_hand)) > 0 else -1)


@kernel
def trade_worth(rules, state, seat, act, resource):
    """Sell what pays for an investment, or what is dear; buy nothing."""
    if act != Act.SELL:
        return NEVER
    player = state.players[seat]
    least = cheapest_investment(rules, state, seat)
    if wealth(rules, state, seat) >= least and player.credits < SPENDING * least:
        return POINT + resource_worth(resource)
    dear = selling_price(rules, state, player, resource) >= 3
    return 1 if dear and player.resources[resource] > 2 else NEVER


@kernel
def build_worth(rules, state, seat, act, kind):
    """Free ships, fighters at first, later the largest; none that would find no room."""
    if act == Act.BUILD_FREE:
        return 5 * POINT
    player = state.players[seat]
    if free_berths(rules, state, player) <= 0:
        return NEVER
    fighters = total_on(player.fleet, Ship.FIGHTER) + player.staging[Ship.FIGHTER]
    if kind == Ship.FIGHTER:
        return POINT if fighters < FEW_SHIPS else 1
    return 5 + kind if fighters >= 2 else 1


@kernel
def deploy_worth(rules, state, seat, region):
    """Near empty planets."""
    return 2 * nearness(rules, empty_planets(rules, state, seat), region)


@kernel
def technology_worth(rules, state, seat, technology):
    """What a technology costs is what it is worth, more so of a type that is owned."""
    row = rules.technologies[technology]
    player = state.players[seat]
    owned = population(player.technologies[0] & rules.of_type[row.type, 0])
    owned += population(player.technologies[1] & rules.of_type[row.type, 1])
    return TECHNOLOGY * row.cost + min(owned, 3)


@kernel
def draw_worth(rules, state, seat, act, cost):
    """A card that can be paid for soon, rather unseen."""
    player = state.players[seat]
    most = max(player.resources[0], player.resources[1], player.resources[2])
    return 2 + 2 * min(cost, np.int64(most)) - np.int64(act == Act.DRAW_DISCARD)


# REGENT


@kernel
def influence_worth(rules, state, seat, region):
    """A planet gained, a starbase made, an enemy kept down; what others influence more is left alone."""
    player = state.players[seat]
    own = influence_on(player, region)
    most = 0
    enemy_token = False
    for other in range(rules.players):
        if other != seat:
            most = max(most, influence_on(state.players[other], region))
            enemy_token = enemy_token or has(tokens_of(state.players[other]), region)
    worth = yield_worth(rules, state, region) // 4
    if own >= most + 2:
        return 1
    if own == most + 1 or (own == most and own == 0):
        return worth + POINT + (2 if own == 1 and has(player.colonies, region) else 0)
    if own == most:
        return worth + POINT + 2
    if enemy_token and own + np.int64(player.influence) >= most:
        return worth + 8
    return 0


@kernel
def throne_worth(rules, state, seat):
    """Become Emperor by more tokens than any other; the chooser, who places last, by as many. (Rulebook: Regent 4)"""
    most = 0
    for other in range(rules.players):
        if other != seat:
            most = max(most, np.int64(state.players[other].placed[THRONE]))
    needed = most - np.int64(state.players[seat].placed[THRONE]) + np.int64(state.scepter != seat)
    return EMPEROR if 0 < needed <= state.players[seat].influence else 0


@kernel
def edict_worth(rules, state, seat, counted):
    """The lead over the others in what an edict counts."""
    if counted == Counted.NOBODY:
        return 0
    most = 0
    for other in range(rules.players):
        if other != seat:
            most = max(most, count_for_edict(rules, state, other, counted))
    own = count_for_edict(rules, state, seat, counted)
    if own == most:
        return -1
    steady = 3 if counted >= Counted.TECHNOLOGIES else 0
    return POINT + min(own - most, 3) + steady if own > most else -POINT


# WARLORD


@kernel
def enemy_strength(rules, state, seat, sector):
    """The strength of the strongest other player in a sector, and whether it is worth a battle."""
    strength = 0
    prize = False
    for other in range(rules.players):
        if other != seat:
            here = strength_of(rules, state.players[other], sector)
            if here > strength:
                strength = here
            prize = prize or tokens_of(state.players[other]) & sector != NONE
    return strength, prize


@kernel
def stand_worth(rules, state, seat, kind, region):
    """What a ship is worth in a region: on an empty planet, or where it makes a battle good."""
    empty = empty_planets(rules, state, seat)
    if has(empty, region):
        return POINT + 2 + yield_worth(rules, state, region) // 4
    sector = rules.sector_regions[rules.sector_of[region]]
    against, prize = enemy_strength(rules, state, seat, sector)
    own = strength_of(rules, state.players[seat], sector) + rules.ship_strength[kind]
    if against > 0 and prize and own >= against:
        return 6
    return nearness(rules, empty, region)


@kernel
def stays_for(rules, state, seat, kind, region):
    """What a ship is worth where it stands: nothing on a planet where another one stands too."""
    player = state.players[seat]
    if kind > Ship.FIGHTER and has(player.fleet[0, 0], region):
        return 0
    if has(player.fleet[kind, 1], region):
        return 0
    return stand_worth(rules, state, seat, kind, region)


@kernel
def move_worth(rules, state, seat, kind, origin):
    """The best that a ship can gain by moving; empty planets where own ships stand already are taken."""
    own = ships_of(state.players[seat])
    open_regions = destinations(rules, state, seat, kind, origin, NOTHING)
    best = 0
    while open_regions != NONE:
        region = lowest(open_regions)
        open_regions &= open_regions - ONE
        best = max(best, arrival_worth(rules, state, seat, kind, region, own))
    return best - stays_for(rules, state, seat, kind, origin)


@kernel
def arrival_worth(rules, state, seat, kind, region, own):
    """What a ship gains in a region; own: regions with own ships."""
    if has(own, region) and has(state.planets, region):
        return 1
    return stand_worth(rules, state, seat, kind, region)


@kernel
def battle_worth(rules, state, seat, other, sector):
    """A battle against somebody weaker, who cannot win the tactics."""
    regions = rules.sector_regions[sector]
    own = strength_of(rules, state.players[seat], regions)
    against = strength_of(rules, state.players[other], regions)
    if own <= against or own < 2:
        return NEVER
    return 5 + min(own - against, 4)


@kernel
def turn_worth(rules, state, seat, row):
    """A move, a battle, a colony: in this order, for each ends what comes before it."""
    if row.act == Act.SHIP:
        return 3 * POINT + move_worth(rules, state, seat, row.what // REGIONS, row.what % REGIONS)
    if row.act == Act.BATTLE:
        return battle_worth(rules, state, seat, clockwise(rules, seat, np.int64(row.distance)), np.int64(row.what))
    if row.act == Act.REGION:
        return 1
    return 0


@kernel
def plan_worth(rules, state, seat, number):
    """Tactics that nobody weaker can match, or else about two fifths; enough weapons for what can be hit; shields."""
    side = side_of(state, seat)
    strength = np.int64(state.strength[side])
    against = np.int64(state.strength[1 - side])
    if state.plans[side, Plan.TACTICS] < 0:
        wanted = against + 1 if against < strength else (2 * strength + 2) // 5
    else:
        left = strength - state.plans[side, Plan.TACTICS]
        wanted = left - min(left // 3, against // 2)
    return 100 - abs(number - wanted)


@kernel
def hit_worth(rules, state, seat, row):
    """Colonies first, then the largest ships."""
    if row.act == Act.TOKEN:
        return 2 * POINT
    if row.act == Act.SHIP:
        return 4 + rules.ship_strength[row.what // REGIONS]
    return 0


@kernel
def shift_worth(rules, state, seat, row):
    """Enemy ships away from their colonies."""
    if row.act != Act.SHIP or row.distance == 0:
        return 0
    owner = clockwise(rules, seat, np.int64(row.distance))
    if side_of(state, owner) == side_of(state, seat):
        return NEVER
    return 5 if has(tokens_of(state.players[owner]), row.what % REGIONS) else NEVER


@kernel
def side_strength(rules, state, side):
    """The strength of a main player in the sector of the battle."""
    return strength_of(rules, state.players[state.mains[side]], rules.sector_regions[state.sector])


@kernel
def join_worth(rules, state, side):
    """The stronger side."""
    return side_strength(rules, state, side) - side_strength(rules, state, 1 - side)


@kernel
def destination_worth(rules, state, seat, region):
    """Where the ship picked goes: the own ones to the best place, those of others away from their colonies."""
    owner = np.int64(state.ship_owner)
    kind = np.int64(state.ship)
    if owner == seat:
        return arrival_worth(rules, state, seat, kind, region, ships_of(state.players[seat]))
    sector = rules.sector_regions[rules.sector_of[region]]
    home = rules.sector_regions[rules.sector_of[state.ship_from]]
    worth = 0 if has(tokens_of(state.players[owner]) | home_of(state.players[owner]), region) else 2
    return worth + np.int64(sector == home)


# Questions


@kernel
def set_up_worth(rules, state, seat, what):
    """Room around the home world; a power that begins rich."""
    if state.step == Step.KEEP_POWER:
        power = rules.powers[what]
        worth = power.start[3] * CREDIT
        for resource in range(RESOURCES):
            worth += power.start[resource] * resource_worth(resource)
        return worth
    free = free_regions(rules, state)
    room = population(spread(rules, bit(what)) & free)
    return (
        3 * room
        + population(spread(rules, spread(rules, bit(what))) & free)
        - 2 * nearness(rules, units_of_others(rules, state, seat), what)
    )


@kernel
def regent_answer_worth(rules, state, seat, row):
    """REGENT."""
    if row.act == Act.BUY_INFLUENCE:
        return POINT - CREDIT * (2 + np.int64(state.influence_sold))
    if row.act == Act.REGION:
        return influence_worth(rules, state, seat, np.int64(row.what))
    if row.act == Act.INFLUENCE_THRONE:
        return throne_worth(rules, state, seat)
    return edict_worth(rules, state, seat, np.int64(rules.edicts[row.what]))


@kernel
def battle_answer_worth(rules, state, seat, row):
    """A battle."""
    step = state.step
    if step == Step.INVITE:
        return NEVER
    if step == Step.ANSWER:
        return join_worth(rules, state, np.int64(row.what)) if row.act == Act.JOIN else 0
    if step == Step.ALLY:
        return 1 if row.act == Act.SHIP and row.what // REGIONS == Ship.FIGHTER else 0
    if step == Step.PLAN:
        return plan_worth(rules, state, seat, np.int64(row.what))
    if step == Step.TACTICS:
        return shift_worth(rules, state, seat, row)
    if step == Step.HITS:
        return hit_worth(rules, state, seat, row)
    return POINT if row.act == Act.REGION else 0


@kernel
def trade_or_build_worth(rules, state, seat, row):
    """MERCHANT and ENGINEER."""
    what = np.int64(row.what)
    if state.step == Step.TRADE:
        return trade_worth(rules, state, seat, np.int64(row.act), what)
    if state.step == Step.INVEST:
        return 5 * POINT - cost_of(rules, state.players[seat], what)
    if state.step == Step.BUILD:
        return build_worth(rules, state, seat, np.int64(row.act), what)
    return deploy_worth(rules, state, seat, what % REGIONS)


@kernel
def explorer_answer_worth(rules, state, seat, row):
    """EXPLORER."""
    what = np.int64(row.what)
    if state.step == Step.TILE:
        return tile_worth(rules, what)
    if state.step == Step.REGION:
        return place_worth(rules, state, seat, what)
    return POINT + np.int64(row.act == Act.REGION)


@kernel
def scientist_answer_worth(rules, state, seat, row):
    """SCIENTIST."""
    what = np.int64(row.what)
    if state.step == Step.DRAW:
        return draw_worth(rules, state, seat, np.int64(row.act), what)
    value = technology_worth(rules, state, seat, what - rules.names_from)
    return value if state.step == Step.BUY else -value


@kernel
def step_worth(rules, state, seat, row):
    """An answer to what a step is about."""
    role = state.role
    what = np.int64(row.what)
    if role == Role.EXPLORER:
        return explorer_answer_worth(rules, state, seat, row)
    if role == Role.STEWARD:
        return market_worth(rules, state, seat, what)
    if role == Role.MERCHANT or role == Role.ENGINEER:
        return trade_or_build_worth(rules, state, seat, row)
    if role == Role.SCIENTIST:
        return scientist_answer_worth(rules, state, seat, row)
    if role == Role.WARLORD:
        if in_battle(state):
            return battle_answer_worth(rules, state, seat, row)
        return turn_worth(rules, state, seat, row)
    if role == Role.REGENT:
        return regent_answer_worth(rules, state, seat, row)
    if state.step == Step.CHOOSE_ROLE:
        return choice_worth(rules, state, seat, np.int64(row.act), what)
    return set_up_worth(rules, state, seat, what)


@kernel
def effect_worth(rules, state, seat, row):
    """A choice within an effect."""
    ask = state.ask
    what = np.int64(row.what)
    if ask == Ask.SWAP:
        return resource_worth(what % 3) - resource_worth(what // 3)
    if ask == Ask.FAVOUR:
        return np.int64(state.players[seat].resources[what]) * resource_worth(what)
    if ask == Ask.GAIN or ask == Ask.MATCH or ask == Ask.TAKE:
        return resource_worth(what)
    if ask == Ask.REPLACE:
        return 2 if tile_worth(rules, what) == 0 else NEVER
    if ask == Ask.MOVE_ENEMY:
        owner = clockwise(rules, seat, np.int64(row.distance))
        return 5 if has(tokens_of(state.players[owner]), what % REGIONS) else NEVER
    if ask == Ask.DESTROY:
        return POINT if row.act == Act.TOKEN else np.int64(rules.ship_strength[what // REGIONS])
    return POINT


@kernel
def worth(rules, state, row):
    """What a legal action is worth to the seat to act, in tenths of a point. row: of `rules.actions`."""
    if row.act == Act.PASS or row.act == Act.DONE or row.act == Act.DECLINE:
        return 0
    seat = np.int64(state.to_act)
    ask = state.ask
    if ask == Ask.STEP:
        return step_worth(rules, state, seat, row)
    if ask == Ask.DESTINATION:
        return destination_worth(rules, state, seat, np.int64(row.what))
    if ask == Ask.SURGE:
        return 5 if row.act == Act.SURGE else NEVER
    if ask == Ask.USE:
        return 5
    return effect_worth(rules, state, seat, row)
