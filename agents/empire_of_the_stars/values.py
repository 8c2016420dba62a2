"""Values of actions for the rule-based player of Empire of the Stars.

The unit is a tenth of a point of the final score. A colony, an investment and a galaxy token have the value ten, and
credits and resources the value of what they buy. Declining has the value zero: the player declines anything below. The
figures were tuned in games against variations of the player, `ppo` and earlier rules, with two, three and four players.
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
# for a unit of each resource: polymers are cheap, energy is expensive
RESOURCE = (2, 4, 5)
TECHNOLOGY = 4  # for each step of its cost
CREDIT_ON_THE_WAY = 4  # for a credit dropped on the way to a role, which the next player there may take
SETTLING = 13  # EXPLORER: a planet at once, and the first choice of tile
PRODUCTION = 7  # tenths of the production that count: part of it is never spent
TRADE = -4  # MERCHANT helps everyone, and opponents arrive with savings
FREE_FIGHTER = 8
PAID_SHIP = 5
FIRST_SHIPS = 4  # added while the player has few ships
RESEARCH = 6
FIRMLY_HELD = 6  # for a sector with stronger own units, where tactics are sure to win a galaxy token
COURT = 3  # REGENT as Emperor
USURPATION = 12  # REGENT otherwise: the player who places last can match the tokens on the throne
INFLUENCE = 5  # for a token to place
LAST_CHANCE = 10 * POINT  # for staying in a game that is nearly lost
# The Emperor's edict brings a galaxy token when it is set and again when the scepter comes, and it denies opponents
# theirs. No planet is worth more.
EMPEROR = 3 * POINT
FEW_SHIPS = 4  # beyond these, the player builds larger ships
SPENDING = 4  # the player sells until its credits are this multiple of the cheapest investment


@kernel
def resource_worth(resource):
    """Return the value of a unit of a resource."""
    return RESOURCE[0] if resource == 0 else RESOURCE[1] if resource == 1 else RESOURCE[2]


@kernel
def tile_worth(rules, tile):
    """Return the value of everything that a planet yields, at least 1; 0 for other tiles."""
    if rules.tiles[tile].kind != TileKind.PLANET:
        return 0
    worth = 1
    for resource in range(RESOURCES):
        worth += rules.tiles[tile].yields[resource] * resource_worth(resource)
    return worth


@kernel
def yield_worth(rules, state, region):
    """Return the value of everything that the planet in a region yields."""
    tile = state.tiles[region]
    return tile_worth(rules, tile) if tile < rules.tile_kinds else 0


# Map


@kernel
def nearness(rules, units, region):
    """Return the nearness of a region to some units: 2 next to them, 1 a step further, else 0."""
    here = bit(region)
    near = spread(rules, units) | units
    if near & here != NONE:
        return 2
    return 1 if spread(rules, near) & here != NONE else 0


@kernel
def units_of_others(rules, state, seat):
    """Return the regions with units of opponents."""
    regions = NONE
    for other in range(rules.players):
        if other != seat:
            regions |= units_of(state.players[other])
    return regions


@kernel
def empty_planets(rules, state, seat):
    """Return the planets that a ship could colonize: no token, no ships of opponents."""
    if state.players[seat].tokens == 0:
        return NONE
    return colonizable(rules, state, seat) & ~ships_of_others(rules, state, seat)


# Choosing a role


@kernel
def production(rules, state, seat, tile):
    """Return the value of a player's production with a market tile, in tenths."""
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
    """Return the player's own production and privilege, less the average of opponents."""
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
    """Return the value of the best market tile."""
    best = 0
    for tile in range(MARKET_TILES):
        if (state.flipped >> tile) & 1 == 0:
            best = max(best, market_worth(rules, state, seat, tile))
    return best


@kernel
def wealth(rules, state, seat):
    """Return a player's credits plus the selling price of all its resources."""
    player = state.players[seat]
    credits = np.int64(player.credits)
    for resource in range(RESOURCES):
        credits += player.resources[resource] * rules.prices[flipped_tiles(state), resource]
    return credits


@kernel
def cheapest_investment(rules, state, seat):
    """Return the lowest cost of an investment, or a number out of reach."""
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
    """Return the number of investments that credits can pay for, at most 2."""
    return min(credits // cheapest_investment(rules, state, seat), 2)


@kernel
def merchant_worth(rules, state, seat):
    """Return the value of MERCHANT: the credits shown, and investments in excess of opponents'."""
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
    """Count the empty planets that a player's ships reach in one movement, at most one for each ship."""
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
    """Count the shared sectors in which a player is stronger than another, less those in which it is weaker."""
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
    """Return the value of WARLORD: planets to colonize, less those of opponents, and battles with sure tactics."""
    worth = POINT * colonies_in_reach(rules, state, seat)
    others = 0
    for other in range(rules.players):
        if other != seat:
            others += colonies_in_reach(rules, state, other)
            worth += FIRMLY_HELD * sectors_held(rules, state, seat, other)
    return worth - 6 * others // (rules.players - 1)


@kernel
def free_berths(rules, state, player):
    """Count the ships that can still be deployed beyond those on the staging area; further ones would be useless."""
    regions = docks(rules, state, player)
    berths = 0
    for ships in range(SHIPS_IN_REGION):
        berths += population(regions & ~state.crowd[ships])
    return berths - staged(player)


@kernel
def engineer_worth(rules, state, seat):
    """Return the value of ENGINEER: a free fighter, and affordable ships if there is room."""
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
    """Return the value of SCIENTIST: a technology for one resource less."""
    player = state.players[seat]
    most = max(player.resources[0], player.resources[1], player.resources[2])
    return RESEARCH if most > 0 else 2


@kernel
def leads(rules, state, seat):
    """Check that a player would win if the game ended now."""
    for other in range(rules.players):
        if other != seat and rank(rules, state, other) > rank(rules, state, seat):
            return False
    return True


@kernel
def regent_worth(rules, state, seat):
    """Return the value of REGENT: planets to influence last, the throne, and an edict of the player's own.

    The role decides the end, because the game is over as soon as the Emperor has the scepter. The leader leaves the
    throne alone. A player who is behind takes it to delay the end, as long as galaxy tokens remain to score.
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
    """Return the value of choosing a role, without credits."""
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
    """Return the value of a role, less the credits dropped on the way, plus those waiting there."""
    worth = role_worth(rules, state, seat, role)
    if act != Act.CHOOSE_ROLE:
        worth -= CREDIT_ON_THE_WAY * passed_over(rules, state, role, 1 if act == Act.FORWARD else -1)
        worth += CREDIT_ON_THE_WAY * np.int64(state.role_credits[role])
    return worth


# The peaceful roles


@kernel
def place_worth(rules, state, seat, region):
    """Return the value of a region for a tile: planets near own units, other tiles near opponents."""
    own = nearness(rules, units_of(state.players[seat]), region)
    others = nearness(rules, units_of_others(rules, state, seat), region)
    return (own - others) * (3 if tile_worth(rules, np.int64(state.tile_in_hand)) > 0 else -1)


@kernel
def trade_worth(rules, state, seat, act, resource):
    """Return the value of a trade: sell to pay for an investment, or at a high price; buy nothing."""
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
    """Return the value of a ship: free ships, fighters first, later the largest; none without room."""
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
    """Return the value of deploying in a region: near empty planets."""
    return 2 * nearness(rules, empty_planets(rules, state, seat), region)


@kernel
def technology_worth(rules, state, seat, technology):
    """Return the value of a technology: its cost, and more for a type that the player owns."""
    row = rules.technologies[technology]
    player = state.players[seat]
    owned = population(player.technologies[0] & rules.of_type[row.type, 0])
    owned += population(player.technologies[1] & rules.of_type[row.type, 1])
    return TECHNOLOGY * row.cost + min(owned, 3)


@kernel
def draw_worth(rules, state, seat, act, cost):
    """Return the value of drawing a card: affordable soon, preferably unseen."""
    player = state.players[seat]
    most = max(player.resources[0], player.resources[1], player.resources[2])
    return 2 + 2 * min(cost, np.int64(most)) - np.int64(act == Act.DRAW_DISCARD)


# REGENT


@kernel
def influence_worth(rules, state, seat, region):
    """Return the value of influence on a planet: to gain it, make a starbase or keep an enemy down.

    A region where opponents have too much influence has no value.
    """
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
    """Return the value of a token on the throne, if the player can become Emperor.

    That takes more tokens than any other; the chooser, who places last, needs as many. (Rulebook: Regent 4)
    """
    most = 0
    for other in range(rules.players):
        if other != seat:
            most = max(most, np.int64(state.players[other].placed[THRONE]))
    needed = most - np.int64(state.players[seat].placed[THRONE]) + np.int64(state.scepter != seat)
    return EMPEROR if 0 < needed <= state.players[seat].influence else 0


@kernel
def edict_worth(rules, state, seat, counted):
    """Return the value of an edict: the lead over opponents in the items it counts."""
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
    """Return the strength of the strongest opponent in a sector, and 1 if a token there can be won."""
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
    """Return the value of a ship in a region: on an empty planet, or where it helps to win a battle."""
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
    """Return the value of a ship in its region: zero on a planet where another ship stays."""
    player = state.players[seat]
    if kind > Ship.FIGHTER and has(player.fleet[0, 0], region):
        return 0
    if has(player.fleet[kind, 1], region):
        return 0
    return stand_worth(rules, state, seat, kind, region)


@kernel
def move_worth(rules, state, seat, kind, origin):
    """Return the highest gain of a ship's move; empty planets with own ships count as taken."""
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
    """Return the value of a ship's arrival in a region. own: regions with own ships."""
    if has(own, region) and has(state.planets, region):
        return 1
    return stand_worth(rules, state, seat, kind, region)


@kernel
def battle_worth(rules, state, seat, other, sector):
    """Return the value of a battle against a weaker opponent, who cannot win the tactics."""
    regions = rules.sector_regions[sector]
    own = strength_of(rules, state.players[seat], regions)
    against = strength_of(rules, state.players[other], regions)
    if own <= against or own < 2:
        return NEVER
    return 5 + min(own - against, 4)


@kernel
def turn_worth(rules, state, seat, row):
    """Return the value of a move, a battle or a colony, in this order: each ends the ones before it."""
    if row.act == Act.SHIP:
        return 3 * POINT + move_worth(rules, state, seat, row.what // REGIONS, row.what % REGIONS)
    if row.act == Act.BATTLE:
        return battle_worth(rules, state, seat, clockwise(rules, seat, np.int64(row.distance)), np.int64(row.what))
    if row.act == Act.REGION:
        return 1
    return 0


@kernel
def plan_worth(rules, state, seat, number):
    """Return the value of a number in a battle plan.

    Tactics exceed those of a weaker opponent, otherwise they get about two fifths. Of the rest, shields get up to a
    third, and weapons get what remains.
    """
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
    """Return the value of a hit: colonies first, then the largest ships."""
    if row.act == Act.TOKEN:
        return 2 * POINT
    if row.act == Act.SHIP:
        return 4 + rules.ship_strength[row.what // REGIONS]
    return 0


@kernel
def shift_worth(rules, state, seat, row):
    """Return the value of moving an enemy ship away from its colony."""
    if row.act != Act.SHIP or row.distance == 0:
        return 0
    owner = clockwise(rules, seat, np.int64(row.distance))
    if side_of(state, owner) == side_of(state, seat):
        return NEVER
    return 5 if has(tokens_of(state.players[owner]), row.what % REGIONS) else NEVER


@kernel
def side_strength(rules, state, side):
    """Return the strength of a main player in the sector of the battle."""
    return strength_of(rules, state.players[state.mains[side]], rules.sector_regions[state.sector])


@kernel
def join_worth(rules, state, side):
    """Return the value of joining a side: its lead in strength."""
    return side_strength(rules, state, side) - side_strength(rules, state, 1 - side)


@kernel
def destination_worth(rules, state, seat, region):
    """Return the value of a destination: the best place for own ships, away from colonies for others."""
    owner = np.int64(state.ship_owner)
    kind = np.int64(state.ship)
    if owner == seat:
        return arrival_worth(rules, state, seat, kind, region, ships_of(state.players[seat]))
    sector = rules.sector_regions[rules.sector_of[region]]
    home = rules.sector_regions[rules.sector_of[state.ship_from]]
    worth = 0 if has(tokens_of(state.players[owner]) | home_of(state.players[owner]), region) else 2
    return worth + np.int64(sector == home)


# Decisions


@kernel
def set_up_worth(rules, state, seat, what):
    """Return the value of a home world, by the room around it, or of a power, by its starting resources."""
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
    """Return the value of an answer in REGENT."""
    if row.act == Act.BUY_INFLUENCE:
        return POINT - CREDIT * (2 + np.int64(state.influence_sold))
    if row.act == Act.REGION:
        return influence_worth(rules, state, seat, np.int64(row.what))
    if row.act == Act.INFLUENCE_THRONE:
        return throne_worth(rules, state, seat)
    return edict_worth(rules, state, seat, np.int64(rules.edicts[row.what]))


@kernel
def battle_answer_worth(rules, state, seat, row):
    """Return the value of an answer in a battle."""
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
    """Return the value of an answer in MERCHANT or ENGINEER."""
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
    """Return the value of an answer in EXPLORER."""
    what = np.int64(row.what)
    if state.step == Step.TILE:
        return tile_worth(rules, what)
    if state.step == Step.REGION:
        return place_worth(rules, state, seat, what)
    return POINT + np.int64(row.act == Act.REGION)


@kernel
def scientist_answer_worth(rules, state, seat, row):
    """Return the value of an answer in SCIENTIST."""
    what = np.int64(row.what)
    if state.step == Step.DRAW:
        return draw_worth(rules, state, seat, np.int64(row.act), what)
    value = technology_worth(rules, state, seat, what - rules.names_from)
    return value if state.step == Step.BUY else -value


@kernel
def step_worth(rules, state, seat, row):
    """Return the value of an answer in the current step."""
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
    """Return the value of a choice within an effect."""
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
    """Return the value of a legal action for the seat to act, in tenths of a point. row: of `rules.actions`."""
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
