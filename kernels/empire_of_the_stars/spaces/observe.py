"""The observation of a seat, as one row of small whole numbers.

FIELDS is the layout: `observe` writes it, `Game.observation_table()` and the docs list it. An observation holds the
open information, the seat's own cards and plans, and the public history of the present role. Fields added in a later
version of the environments follow the others. Players are counted clockwise from the observing seat; amounts are
clipped to 0 … 255.
"""

from enum import IntEnum

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.contract.variant import HIGHEST, Row
from stardeck.kernels.empire_of_the_stars.play.battle.plans import parts_shown
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, free_regions
from stardeck.kernels.empire_of_the_stars.state import (
    CLASSES,
    COSTS,
    FAR_SPACE,
    MARKET_TILES,
    NO_TILE,
    REGIONS,
    RESOURCES,
    ROLES,
    SECTORS,
    THRONE,
    Ask,
    FarSpace,
    Plan,
    Resource,
    Ship,
    Side,
    Stage,
    Step,
)
from stardeck.kernels.primitives.action_set import ONE, lowest, population


class Field(IntEnum):
    """Fields of an observation, in order."""

    ONE = 0
    TO_ACT = 1
    SCEPTER = 2
    EMPEROR = 3
    STEP = 4
    ASK = 5
    ROLE = 6
    MONOLITH = 7
    ROLE_CREDITS = 8
    ROLES_LEFT = 9
    EDICT = 10
    GALAXY_SUPPLY = 11
    FAR_GALAXY = 12
    FAR_TOKENS = 13
    FLIPPED = 14
    MARKET_TILE = 15
    DISPLAY = 16
    STACK_SIZE = 17
    TILE_IN_HAND = 18
    LAST_PLACED = 19
    DECK_SIZES = 20
    DISCARD_SIZES = 21
    TOP_DISCARDS = 22
    UNEXPLORED = 23
    PLANET = 24
    ASTEROID = 25
    WORMHOLE = 26
    POLYMERS = 27
    METALS = 28
    ENERGY = 29
    HOME = 30
    COLONY = 31
    STARBASE = 32
    FIGHTERS = 33
    CRUISERS = 34
    DREADNOUGHTS = 35
    MOVED = 36
    HIT = 37
    INFLUENCE = 38
    THRONE_INFLUENCE = 39
    RESOURCES = 40
    CREDITS = 41
    TOKENS = 42
    THRONE = 43
    INFLUENCE_IN_HAND = 44
    STAGING = 45
    HAND_SIZES = 46
    TECHNOLOGIES = 47
    HAND = 48
    USED = 49
    POWER = 50
    DEALT = 51
    SURGED = 52
    SURGING = 53
    USED_POWER = 54
    OWED = 55
    SOLD = 56
    BOUGHT = 57
    FAVOURED = 58
    INVESTED = 59
    FREE_SHIPS = 60
    DRAWN = 61
    PURCHASES = 62
    INFLUENCE_SOLD = 63
    EFFECT = 64
    EFFECT_LEFT = 65
    EFFECT_ON = 66
    SHIP_PICKED = 67
    SHIP_FROM = 68
    SHIP_OF = 69
    SECTOR = 70
    ATTACKER = 71
    DEFENDER = 72
    ALLY_OF = 73
    INVITED_BY = 74
    STRENGTH = 75
    PLAN = 76
    PLAN_SET = 77
    TACTICS_LEFT = 78
    HITTING = 79
    HITS_LEFT = 80
    FOUGHT = 81
    DISCARDS = 82
    TILES_UNDER = 83
    NEXT_WORMHOLE = 84
    OTHERS_USED = 85
    OTHERS_USED_POWER = 86
    OTHERS_SOLD = 87
    OTHERS_BOUGHT = 88
    OTHERS_FAVOURED = 89
    TURN_NUMBER = 90
    HAS_BOUGHT = 91
    BATTLED = 92
    WORMHOLES_PLACED = 93
    SHIPS_LOST = 94
    SHIPS_DESTROYED = 95
    FOUGHT_AGAIN = 96
    STAGE = 97
    AT_HAND = 98
    TILES_PLACED = 99
    EXTRA_TILE = 100
    EFFECT_NUMBER = 101
    SCORED = 102


FIELDS = (
    Row(Field.ONE, "", "", 1.0, "always 1"),
    Row(Field.TO_ACT, "", "all", 1.0, "one-hot: the seat to act"),
    Row(Field.SCEPTER, "", "all", 1.0, "one-hot: the holder of the scepter"),
    Row(Field.EMPEROR, "", "all", 1.0, "one-hot: the Emperor"),
    Row(Field.STEP, "step", "", 1.0, "one-hot: the step of the game"),
    Row(Field.ASK, "question", "", 1.0, "one-hot: the question; the first: the question of the step"),
    Row(Field.ROLE, "role", "", 1.0, "one-hot: the present role"),
    Row(Field.MONOLITH, "role", "", 1.0, "one-hot: the role that the Monolith stands on"),
    Row(Field.ROLE_CREDITS, "role", "", 0.25, "credits on the roles"),
    Row(Field.ROLES_LEFT, "", "", 0.5, "roles left for the holder of the scepter"),
    Row(Field.EDICT, "edict", "", 1.0, "one-hot: the edict in effect"),
    Row(Field.GALAXY_SUPPLY, "", "", 0.03, "galaxy tokens in the supply"),
    Row(Field.FAR_GALAXY, "location", "", 1.0, "1: a galaxy token lies there"),
    Row(Field.FAR_TOKENS, "location", "all", 0.5, "far-space tokens: 1 colony, 2 starbase"),
    Row(Field.FLIPPED, "market tile", "", 1.0, "1: shows credits"),
    Row(Field.MARKET_TILE, "market tile", "", 1.0, "one-hot: the tile chosen in STEWARD"),
    Row(Field.DISPLAY, "tile", "", 0.5, "tiles on display"),
    Row(Field.STACK_SIZE, "", "", 0.03, "tiles in the stack"),
    Row(Field.TILE_IN_HAND, "tile", "", 1.0, "one-hot: the tile to be placed"),
    Row(Field.LAST_PLACED, "region", "", 1.0, "one-hot: the tile that may be colonized"),
    Row(Field.DECK_SIZES, "cost", "", 0.05, "technologies in the decks"),
    Row(Field.DISCARD_SIZES, "cost", "", 0.05, "technologies in the discard piles"),
    Row(Field.TOP_DISCARDS, "technology", "", 1.0, "1: on top of a discard pile"),
    Row(Field.UNEXPLORED, "region", "", 1.0, "1: open and without a tile"),
    Row(Field.PLANET, "region", "", 1.0, "1: a planet other than a home world"),
    Row(Field.ASTEROID, "region", "", 1.0, "1: an asteroid field"),
    Row(Field.WORMHOLE, "region", "", 1.0, "1: a wormhole"),
    Row(Field.POLYMERS, "region", "", 0.5, "polymers that the planet yields"),
    Row(Field.METALS, "region", "", 0.5, "metals that the planet yields"),
    Row(Field.ENERGY, "region", "", 0.5, "energy that the planet yields"),
    Row(Field.HOME, "region", "all", 1.0, "one-hot: the home world"),
    Row(Field.COLONY, "region", "all", 1.0, "1: a colony"),
    Row(Field.STARBASE, "region", "all", 1.0, "1: a starbase"),
    Row(Field.FIGHTERS, "region", "all", 0.5, "fighters"),
    Row(Field.CRUISERS, "region", "all", 0.5, "cruisers"),
    Row(Field.DREADNOUGHTS, "region", "all", 0.5, "dreadnoughts"),
    Row(Field.MOVED, "class and region", "", 0.5, "ships of all players that have moved"),
    Row(Field.HIT, "region", "", 0.5, "units that have taken all their hits"),
    Row(Field.INFLUENCE, "region", "all", 0.5, "influence placed"),
    Row(Field.THRONE_INFLUENCE, "", "all", 0.5, "influence placed on the throne"),
    Row(Field.RESOURCES, "resource", "all", 0.1, "resources"),
    Row(Field.CREDITS, "", "all", 0.1, "credits"),
    Row(Field.TOKENS, "", "all", 0.1, "colony tokens on the player board"),
    Row(Field.THRONE, "", "all", 0.1, "tokens in the throne"),
    Row(Field.INFLUENCE_IN_HAND, "", "all", 0.5, "influence to be placed"),
    Row(Field.STAGING, "class", "all", 0.5, "ships on the staging area"),
    Row(Field.HAND_SIZES, "cost", "all", 0.5, "technologies in hand"),
    Row(Field.TECHNOLOGIES, "technology", "all", 1.0, "1: bought"),
    Row(Field.HAND, "technology", "me", 1.0, "1: in hand"),
    Row(Field.USED, "technology", "me", 1.0, "1: used in this role"),
    Row(Field.POWER, "power", "all", 1.0, "one-hot: the power, once revealed", "powers"),
    Row(Field.DEALT, "power", "me", 1.0, "1: dealt, one of them to keep", "powers"),
    Row(Field.SURGED, "", "all", 1.0, "1: surge side up", "powers"),
    Row(Field.SURGING, "", "all", 1.0, "1: has announced a surge", "powers"),
    Row(Field.USED_POWER, "effect", "me", 1.0, "1: effect of the power used in this role", "powers"),
    Row(Field.OWED, "", "all", 0.5, "resources of choice still to be gained"),
    Row(Field.SOLD, "resource", "me", 0.2, "sold in this MERCHANT"),
    Row(Field.BOUGHT, "resource", "me", 0.2, "bought in this MERCHANT"),
    Row(Field.FAVOURED, "resource", "me", 1.0, "cards that favour the resource in this MERCHANT"),
    Row(Field.INVESTED, "", "", 0.5, "investments in this turn"),
    Row(Field.FREE_SHIPS, "class", "", 1.0, "free ships left to build"),
    Row(Field.DRAWN, "", "", 0.5, "technologies drawn in this turn"),
    Row(Field.PURCHASES, "", "", 1.0, "technologies bought in this turn"),
    Row(Field.INFLUENCE_SOLD, "", "", 0.5, "extra influence bought in this REGENT"),
    Row(Field.EFFECT, "card", "", 1.0, "one-hot: the card whose choices are being made"),
    Row(Field.EFFECT_LEFT, "", "", 0.2, "choices left of this effect"),
    Row(Field.EFFECT_ON, "", "all", 1.0, "one-hot: the opponent that the effect has reached"),
    Row(Field.SHIP_PICKED, "class", "", 1.0, "one-hot: the class of the ship picked"),
    Row(Field.SHIP_FROM, "region", "", 1.0, "one-hot: the region of the ship picked"),
    Row(Field.SHIP_OF, "", "all", 1.0, "one-hot: the owner of the ship picked"),
    Row(Field.SECTOR, "sector", "", 1.0, "one-hot: the sector of the battle"),
    Row(Field.ATTACKER, "", "all", 1.0, "one-hot: the attacker"),
    Row(Field.DEFENDER, "", "all", 1.0, "one-hot: the defender"),
    Row(Field.ALLY_OF, "side", "all", 1.0, "1: ally of attacker, of defender"),
    Row(Field.INVITED_BY, "side", "all", 1.0, "1: invited by attacker, by defender"),
    Row(Field.STRENGTH, "side", "", 0.1, "strength to divide: attacker, defender"),
    Row(Field.PLAN, "side and part", "", 0.1, "visible tactics and weapons of the attacker, of the defender"),
    Row(Field.PLAN_SET, "side and part", "", 1.0, "1: the part is set and visible"),
    Row(Field.TACTICS_LEFT, "", "", 0.2, "ships that may still be moved by tactics"),
    Row(Field.HITTING, "side", "", 1.0, "one-hot: the side that assigns hits"),
    Row(Field.HITS_LEFT, "", "", 0.2, "hits to assign"),
    Row(Field.FOUGHT, "sector", "", 1.0, "1: fought in this turn"),
    Row(Field.DISCARDS, "technology", "", 1.0, "1: in a discard pile", since=1),
    Row(Field.TILES_UNDER, "tile", "", 0.5, "tiles at the bottom of the stack that all players have seen", since=1),
    Row(Field.NEXT_WORMHOLE, "", "", 0.1, "the place of the next wormhole in the stack, from 1; 0: none", since=1),
    Row(Field.OTHERS_USED, "technology", "others", 1.0, "1: used in this role", since=1),
    Row(
        Field.OTHERS_USED_POWER, "effect", "others", 1.0, "1: effect of the power used in this role", "powers", since=1
    ),
    Row(Field.OTHERS_SOLD, "resource", "others", 0.2, "sold in this MERCHANT", since=1),
    Row(Field.OTHERS_BOUGHT, "resource", "others", 0.2, "bought in this MERCHANT", since=1),
    Row(Field.OTHERS_FAVOURED, "resource", "others", 1.0, "cards that favour the resource in this MERCHANT", since=1),
    Row(Field.TURN_NUMBER, "", "", 0.02, "roles begun", since=1),
    Row(Field.HAS_BOUGHT, "", "all", 1.0, "1: has bought a technology in this SCIENTIST", since=1),
    Row(Field.BATTLED, "", "all", 1.0, "1: was in a battle in this WARLORD", since=1),
    Row(Field.WORMHOLES_PLACED, "", "all", 1.0, "wormholes placed in this EXPLORER", since=1),
    Row(Field.SHIPS_LOST, "", "all", 0.5, "ships lost in the present battle", since=1),
    Row(Field.SHIPS_DESTROYED, "side", "", 0.5, "ships destroyed in the present battle: by side", since=1),
    Row(Field.FOUGHT_AGAIN, "sector", "", 1.0, "1: fought a second time in this turn", since=1),
    Row(
        Field.STAGE,
        "stage",
        "",
        1.0,
        "one-hot: the stage of the seat at hand for powers and technologies",
        since=1,
    ),
    Row(Field.AT_HAND, "", "all", 1.0, "one-hot: the seat at hand in the step", since=1),
    Row(Field.TILES_PLACED, "", "", 0.5, "display tiles placed in this turn", since=1),
    Row(Field.EXTRA_TILE, "", "", 1.0, "1: the tile in hand comes from an effect", since=1),
    Row(
        Field.EFFECT_NUMBER,
        "effect",
        "",
        1.0,
        "one-hot: the effect of that card",
        since=1,
    ),
    Row(Field.SCORED, "side and region", "", 1.0, "1: the side has scored a colony in this battle", since=1),
)
EFFECTS_SEEN = 4


def switches(settings) -> dict[str, bool]:
    """Return the optional groups of fields that a variant has."""
    return {"powers": settings["powers"]}


def sizes(content, names) -> dict[str, int]:
    """Return the length of a field per seat, by the unit that the field counts. names: powers and technologies."""
    return {
        "": 1,
        "step": len(Step),
        "question": len(Ask),
        "role": ROLES,
        "edict": len(content.edicts),
        "location": FAR_SPACE,
        "market tile": MARKET_TILES,
        "tile": len(content.tiles),
        "region": REGIONS,
        "cost": COSTS,
        "technology": len(content.technologies),
        "class and region": len(Ship) * REGIONS,
        "resource": len(Resource),
        "class": len(Ship),
        "power": len(content.powers),
        "effect": EFFECTS_SEEN,
        "card": len(names),
        "sector": SECTORS,
        "side": len(Side),
        "side and region": len(Side) * REGIONS,
        "stage": len(Stage),
        "side and part": len(Side) * len(Plan),
    }


@kernel
def clip(amount):
    """Clip an amount to the range of an observation."""
    return min(max(np.int64(amount), 0), HIGHEST)


@kernel
def show_set(observation, first, regions):
    """Write a set of regions or cards, 1 for each member."""
    while regions != NONE:
        observation[first + lowest(regions)] = 1
        regions &= regions - ONE


@kernel
def count_set(observation, first, regions):
    """Add a set of regions, 1 for each member."""
    while regions != NONE:
        observation[first + lowest(regions)] += 1
        regions &= regions - ONE


@kernel
def show_ships(observation, first, board, kind):
    """Add the ships of a class by region."""
    for level in range(board.shape[1]):
        count_set(observation, first, board[kind, level])


@kernel
def show_cards(observation, first, cards):
    """Write a set of technologies, given as two words of bits."""
    show_set(observation, first, cards[0])
    show_set(observation, first + 64, cards[1])


@kernel
def place_from(rules, seat, other):
    """Return the distance of the seat `other`, in places clockwise of `seat`."""
    distance = other - seat
    return distance + rules.players if distance < 0 else distance


@kernel
def show_seat(rules, observation, first, seat, other):
    """Write a seat as one-hot, if there is one."""
    if other >= 0:
        observation[first + place_from(rules, seat, other)] = 1


@kernel
def observe_round(rules, state, seat, observation):
    """Write turn order, roles, market and common tokens."""
    offset = rules.offset
    observation[offset[Field.ONE]] = 1
    show_seat(rules, observation, offset[Field.TO_ACT], seat, np.int64(state.to_act))
    if state.step > Step.FIRST_PLANET:
        show_seat(rules, observation, offset[Field.SCEPTER], seat, np.int64(state.scepter))
        show_seat(rules, observation, offset[Field.EMPEROR], seat, np.int64(state.emperor))
    observation[offset[Field.STEP] + state.step] = 1
    observation[offset[Field.ASK] + state.ask] = 1
    if state.role >= 0:
        observation[offset[Field.ROLE] + state.role] = 1
    if state.monolith >= 0:
        observation[offset[Field.MONOLITH] + state.monolith] = 1
    for role in range(ROLES):
        observation[offset[Field.ROLE_CREDITS] + role] = clip(state.role_credits[role])
    observation[offset[Field.ROLES_LEFT]] = clip(state.roles_left)
    observation[offset[Field.EDICT] + state.edict] = 1
    observation[offset[Field.GALAXY_SUPPLY]] = clip(state.galaxy_supply)
    for location in range(FAR_SPACE):
        there = np.int64(state.far_space[location])
        if there == FarSpace.GALAXY:
            observation[offset[Field.FAR_GALAXY] + location] = 1
        elif there >= FarSpace.COLONY:
            place = place_from(rules, seat, (there - FarSpace.COLONY) // 2)
            observation[offset[Field.FAR_TOKENS] + place * FAR_SPACE + location] = 1 + (there & 1)
    for tile in range(MARKET_TILES):
        observation[offset[Field.FLIPPED] + tile] = (state.flipped >> tile) & 1
    if state.market_tile >= 0:
        observation[offset[Field.MARKET_TILE] + state.market_tile] = 1


@kernel
def observe_piles(rules, state, observation):
    """Write display, stack, decks and discard piles."""
    offset = rules.offset
    for tile in range(rules.tile_kinds):
        observation[offset[Field.DISPLAY] + tile] = state.display[tile]
    observation[offset[Field.STACK_SIZE]] = state.stack_count
    if state.tile_in_hand != NO_TILE:
        observation[offset[Field.TILE_IN_HAND] + state.tile_in_hand] = 1
    if state.last_placed >= 0:
        observation[offset[Field.LAST_PLACED] + state.last_placed] = 1
    for cost in range(COSTS):
        observation[offset[Field.DECK_SIZES] + cost] = state.deck_count[cost]
        observation[offset[Field.DISCARD_SIZES] + cost] = state.discard_count[cost]
        if state.discard_count[cost] > 0:
            observation[offset[Field.TOP_DISCARDS] + state.discards[cost, state.discard_count[cost] - 1]] = 1


@kernel
def observe_galaxy(rules, state, observation):
    """Write the tiles of the board."""
    offset = rules.offset
    show_set(observation, offset[Field.UNEXPLORED], free_regions(rules, state))
    show_set(observation, offset[Field.PLANET], state.planets)
    show_set(observation, offset[Field.ASTEROID], state.asteroids)
    show_set(observation, offset[Field.WORMHOLE], state.wormholes)
    planets = state.planets
    while planets != NONE:
        region = lowest(planets)
        tile = rules.tiles[state.tiles[region]]
        observation[offset[Field.POLYMERS] + region] = tile.yields[Resource.POLYMER]
        observation[offset[Field.METALS] + region] = tile.yields[Resource.METAL]
        observation[offset[Field.ENERGY] + region] = tile.yields[Resource.ENERGY]
        planets &= planets - ONE


@kernel
def observe_player(rules, state, seat, other, observation):
    """Write the open information of a player."""
    offset = rules.offset
    player = state.players[other]
    place = place_from(rules, seat, other)
    at = place * REGIONS
    if player.home >= 0:
        observation[offset[Field.HOME] + at + player.home] = 1
    show_set(observation, offset[Field.COLONY] + at, player.colonies)
    show_set(observation, offset[Field.STARBASE] + at, player.starbases)
    for kind in range(CLASSES):
        show_ships(observation, offset[Field.FIGHTERS + kind] + at, player.fleet, kind)
        show_ships(observation, offset[Field.MOVED] + kind * REGIONS, player.moved, kind)
        show_ships(observation, offset[Field.HIT], player.hit, kind)
        observation[offset[Field.STAGING] + place * CLASSES + kind] = clip(player.staging[kind])
    for resource in range(RESOURCES):
        observation[offset[Field.RESOURCES] + place * RESOURCES + resource] = clip(player.resources[resource])
    observation[offset[Field.CREDITS] + place] = clip(player.credits)
    observation[offset[Field.TOKENS] + place] = clip(player.tokens)
    observation[offset[Field.THRONE] + place] = clip(player.throne)
    observation[offset[Field.INFLUENCE_IN_HAND] + place] = clip(player.influence)
    observation[offset[Field.OWED] + place] = clip(player.owed)
    for cost in range(COSTS):
        size = population(player.hand[0] & rules.of_cost[cost, 0]) + population(player.hand[1] & rules.of_cost[cost, 1])
        observation[offset[Field.HAND_SIZES] + place * COSTS + cost] = size
    show_cards(observation, offset[Field.TECHNOLOGIES] + place * rules.technology_count, player.technologies)
    if rules.with_powers:
        if player.power >= 0 and (seat == other or state.step > Step.KEEP_POWER):
            observation[offset[Field.POWER] + place * rules.power_count + player.power] = 1
        observation[offset[Field.SURGED] + place] = player.surged
        observation[offset[Field.SURGING] + place] = player.surging
    if state.step >= Step.PLACE:
        for region in range(REGIONS):
            observation[offset[Field.INFLUENCE] + at + region] = player.placed[region]
        observation[offset[Field.THRONE_INFLUENCE] + place] = player.placed[THRONE]


@kernel
def observe_own(rules, state, seat, observation):
    """Write the private information of the observing seat."""
    offset = rules.offset
    player = state.players[seat]
    show_cards(observation, offset[Field.HAND], player.hand)
    show_cards(observation, offset[Field.USED], player.used)
    if rules.with_powers:
        for place in range(len(player.dealt)):
            if player.dealt[place] >= 0:
                observation[offset[Field.DEALT] + player.dealt[place]] = 1
        for effect in range(EFFECTS_SEEN):
            observation[offset[Field.USED_POWER] + effect] = (player.used_effects >> effect) & 1
    for resource in range(RESOURCES):
        observation[offset[Field.SOLD] + resource] = clip(player.sold[resource])
        observation[offset[Field.BOUGHT] + resource] = clip(player.bought[resource])
    for slot in range(len(player.favoured)):
        if player.favoured[slot] >= 0:
            observation[offset[Field.FAVOURED] + player.favoured[slot]] += 1


@kernel
def observe_progress(rules, state, seat, observation):
    """Write the progress of the role."""
    offset = rules.offset
    observation[offset[Field.INVESTED]] = clip(state.invested)
    observation[offset[Field.DRAWN]] = clip(state.drawn)
    observation[offset[Field.PURCHASES]] = clip(state.purchases)
    observation[offset[Field.INFLUENCE_SOLD]] = clip(state.influence_sold)
    for kind in range(CLASSES):
        observation[offset[Field.FREE_SHIPS] + kind] = clip(state.free_ships[kind])
    if state.work_side >= 0:
        observation[offset[Field.EFFECT] + rules.sides[state.work_side].name] = 1
        observation[offset[Field.EFFECT_LEFT]] = clip(state.work_left)
        show_seat(rules, observation, offset[Field.EFFECT_ON], seat, np.int64(state.work_opponent))
    if state.ship >= 0:
        observation[offset[Field.SHIP_PICKED] + state.ship] = 1
        observation[offset[Field.SHIP_FROM] + state.ship_from] = 1
        show_seat(rules, observation, offset[Field.SHIP_OF], seat, np.int64(state.ship_owner))
    show_set(observation, offset[Field.FOUGHT], np.uint64(state.fought))


@kernel
def sees_part(rules, state, seat, side, part):
    """Return True if a seat sees a part of a battle plan.

    A seat sees its own plan, both plans when both are set, and the parts that a REVEAL effect opens.
    """
    if state.mains[side] == seat or state.step != Step.PLAN:
        return True
    return parts_shown(rules, state, side) > part


@kernel
def observe_battle(rules, state, seat, observation):
    """Write the battle in progress."""
    offset = rules.offset
    observation[offset[Field.SECTOR] + state.sector] = 1
    show_seat(rules, observation, offset[Field.ATTACKER], seat, np.int64(state.mains[Side.ATTACKER]))
    show_seat(rules, observation, offset[Field.DEFENDER], seat, np.int64(state.mains[Side.DEFENDER]))
    for other in range(rules.players):
        player = state.players[other]
        place = 2 * place_from(rules, seat, other)
        if player.allied >= 0:
            observation[offset[Field.ALLY_OF] + place + player.allied] = 1
        observation[offset[Field.INVITED_BY] + place] = player.invited & 1
        observation[offset[Field.INVITED_BY] + place + 1] = (player.invited >> 1) & 1
    for side in range(2):
        observation[offset[Field.STRENGTH] + side] = clip(state.strength[side])
        for part in range(2):
            if state.plans[side, part] >= 0 and sees_part(rules, state, seat, side, part):
                observation[offset[Field.PLAN] + 2 * side + part] = clip(state.plans[side, part])
                observation[offset[Field.PLAN_SET] + 2 * side + part] = 1
    observation[offset[Field.TACTICS_LEFT]] = clip(state.tactics_left)
    if state.hitting >= 0:
        observation[offset[Field.HITTING] + state.hitting] = 1
        observation[offset[Field.HITS_LEFT]] = clip(state.hits_left)
        count_set(observation, offset[Field.HIT], state.starbases_hit)
        count_set(observation, offset[Field.HIT], state.colonies_hit)


@kernel
def observe_known(rules, state, observation):
    """Write the seen cards and tiles of the piles, and the place of the next wormhole in the stack."""
    offset = rules.offset
    for cost in range(COSTS):
        for i in range(state.discard_count[cost]):
            observation[offset[Field.DISCARDS] + state.discards[cost, i]] = 1
    for i in range(state.stack_known):
        observation[offset[Field.TILES_UNDER] + state.stack[i]] += 1
    for i in range(1, state.stack_count + 1):
        if state.stack[state.stack_count - i] == rules.wormhole_tile:
            observation[offset[Field.NEXT_WORMHOLE]] = i
            return


@kernel
def observe_other(rules, state, seat, other, observation):
    """Write the actions of another player in this role."""
    offset = rules.offset
    player = state.players[other]
    place = place_from(rules, seat, other) - 1
    show_cards(observation, offset[Field.OTHERS_USED] + place * rules.technology_count, player.used)
    if rules.with_powers:
        for effect in range(EFFECTS_SEEN):
            used = (player.used_effects >> effect) & 1
            observation[offset[Field.OTHERS_USED_POWER] + place * EFFECTS_SEEN + effect] = used
    for resource in range(RESOURCES):
        observation[offset[Field.OTHERS_SOLD] + place * RESOURCES + resource] = clip(player.sold[resource])
        observation[offset[Field.OTHERS_BOUGHT] + place * RESOURCES + resource] = clip(player.bought[resource])
    for slot in range(len(player.favoured)):
        if player.favoured[slot] >= 0:
            observation[offset[Field.OTHERS_FAVOURED] + place * RESOURCES + player.favoured[slot]] += 1


@kernel
def observe_memory(rules, state, seat, observation):
    """Write the public history of the present role, and its progress."""
    offset = rules.offset
    observation[offset[Field.TURN_NUMBER]] = clip(state.turn)
    for other in range(rules.players):
        player = state.players[other]
        place = place_from(rules, seat, other)
        observation[offset[Field.HAS_BOUGHT] + place] = player.buyer
        observation[offset[Field.BATTLED] + place] = player.fights
        observation[offset[Field.WORMHOLES_PLACED] + place] = clip(player.wormholes)
        observation[offset[Field.SHIPS_LOST] + place] = clip(player.ships_lost)
        if other != seat:
            observe_other(rules, state, seat, other, observation)
    for side in range(2):
        observation[offset[Field.SHIPS_DESTROYED] + side] = clip(state.ships_destroyed[side])
        show_set(observation, offset[Field.SCORED] + side * REGIONS, state.scored[side])
    show_set(observation, offset[Field.FOUGHT_AGAIN], np.uint64(state.fought_again))
    observation[offset[Field.STAGE] + state.stage] = 1
    show_seat(rules, observation, offset[Field.AT_HAND], seat, np.int64(state.active))
    observation[offset[Field.TILES_PLACED]] = clip(state.tiles_placed)
    observation[offset[Field.EXTRA_TILE]] = state.extra_tile
    if state.work_side >= 0:
        observation[offset[Field.EFFECT_NUMBER] + state.work_effect] = 1


@kernel
def observe(rules, state, seat, observation):
    """Write the observation of `seat`: all that it may know. observation: uint8[observation_size]."""
    for i in range(len(observation)):
        observation[i] = 0
    observe_round(rules, state, seat, observation)
    observe_piles(rules, state, observation)
    observe_galaxy(rules, state, observation)
    for other in range(rules.players):
        observe_player(rules, state, seat, other, observation)
    observe_own(rules, state, seat, observation)
    observe_progress(rules, state, seat, observation)
    if state.sector >= 0:
        observe_battle(rules, state, seat, observation)
    if rules.offset[Field.DISCARDS]:
        observe_known(rules, state, observation)
        observe_memory(rules, state, seat, observation)
