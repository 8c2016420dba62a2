"""The fixed data of a variant as one read-only record: board, tables of cards and tiles, action numbers."""

from enum import IntEnum

import numpy as np

from stardeck.kernels.empire_of_the_stars.operations import Event, Op
from stardeck.kernels.empire_of_the_stars.state import (
    COSTS,
    FAR_SPACE,
    MARKET_TILES,
    MAX_SEATS,
    REGIONS,
    ROLES,
    SECTORS,
    STACK_LIMIT,
    TECHNOLOGY_LIMIT,
    TILE_LIMIT,
    WORDS,
    Resource,
    Ship,
)

ACTION_LIMIT = 1000
FIELD_LIMIT = 120
POWER_LIMIT = 32
EDICT_LIMIT = 8
SIDE_LIMIT = 2 * POWER_LIMIT + TECHNOLOGY_LIMIT
EFFECTS_ON_SIDE = 4
VALUES = 5
LARGEST_STRENGTH = 79  # of one side in a battle: all ships, colonies and bonuses of three players together
NO_ACTION = -1
FIRST_HAND = 3  # rulebook: Set Up 2
FIRST_SHARE = (3, 2, 1, 5)  # rulebook: Set up for first time players


class TileKind(IntEnum):
    """Kinds of exploration tiles (rulebook: Explorer)."""

    EMPTY = 0
    PLANET = 1
    ASTEROID = 2
    WORMHOLE = 3


class Point(IntEnum):
    """Points where powers and technologies take effect: before and after each role, and within it."""

    BEFORE = 0  # plus the role
    AFTER = ROLES  # plus the role
    EXPLORER_TURN = 2 * ROLES
    PRODUCE = 15
    TRADE = 16
    INVEST = 17
    BUILD = 18
    SCIENTIST_TURN = 19
    WARLORD_TURN = 20
    READY = 21
    PLACE = 22
    THRONE = 23
    PLACED = 24  # after placing a tile of one's own
    EXTRA = 25  # after the last display tile of one's own turn


POINTS = 26


class Act(IntEnum):
    """Blocks of the action space (spaces/actions.py)."""

    PASS = 0
    DONE = 1
    DECLINE = 2
    SURGE = 3
    FLIP = 4
    CHOOSE_ROLE = 5
    FORWARD = 6
    BACK = 7
    REGION = 8
    SHIP = 9
    TOKEN = 10
    NAME = 11
    NUMBER = 12
    TILE = 13
    MARKET_TILE = 14
    SELL = 15
    BUY = 16
    INVEST = 17
    BUILD = 18
    BUILD_FREE = 19
    DRAW_DECK = 20
    DRAW_DISCARD = 21
    BATTLE = 22
    INVITE = 23
    JOIN = 24
    BUY_INFLUENCE = 25
    INFLUENCE_THRONE = 26
    EDICT = 27
    RESOURCE = 28
    SWAP = 29
    TAKE = 30


EFFECT = np.dtype(
    [
        ("op", np.int16),
        ("manner", np.int16),
        ("point", np.int16),  # the point where a surge for it is announced
        ("use", np.int16),  # the point where it happens or is used
        ("event", np.int16),
        ("condition", np.int16),
        ("values", np.int16, (VALUES,)),
    ],
    align=True,
)

SIDE = np.dtype(
    [
        ("ops", np.uint64),  # bits of the operations
        ("points", np.uint32),  # bits of the points
        ("count", np.int16),
        ("name", np.int16),  # number of the card in the block of names
        ("effects", EFFECT, (EFFECTS_ON_SIDE,)),
    ],
    align=True,
)

POWER = np.dtype(
    [
        ("number", np.int16),
        ("follows", np.int16),  # 1: starts with the highest amount among the opponents
        ("start", np.int16, (len(Resource) + 1,)),  # credits come last
        ("ships", np.int16, (len(Ship),)),
    ],
    align=True,
)

TECHNOLOGY = np.dtype([("type", np.int16), ("cost", np.int16)], align=True)  # type: the Resource that pays for it

TILE = np.dtype([("kind", np.int16), ("yields", np.int16, (len(Resource),))], align=True)

MARKET = np.dtype([("resources", np.int16, (len(Resource),)), ("credits", np.int16)], align=True)

ACTION = np.dtype([("act", np.int16), ("what", np.int16), ("distance", np.int16)], align=True)

RULES = np.dtype(
    [
        ("open", np.uint64),  # regions that are not blocked
        ("sector_regions", np.uint64, (SECTORS,)),
        ("spread", np.uint64, (REGIONS // 8, 256)),  # neighbours of each set of eight consecutive regions
        ("with_op", np.uint64, (len(Op), WORDS)),  # bits of the technologies with this operation
        ("at_point", np.uint64, (POINTS, WORDS)),  # bits of the technologies with a gain or choice at this point
        ("on_event", np.uint64, (len(Event), WORDS)),
        ("of_type", np.uint64, (len(Resource), WORDS)),
        ("of_cost", np.uint64, (COSTS, WORDS)),
        ("sides", SIDE, (SIDE_LIMIT,)),  # core sides, surge sides, technologies
        ("tiles", TILE, (TILE_LIMIT,)),
        ("market", MARKET, (MARKET_TILES,)),
        ("prices", np.int16, (MARKET_TILES + 1, len(Resource))),
        ("far_space", np.int16, (FAR_SPACE,)),
        ("edicts", np.int16, (EDICT_LIMIT,)),  # of Counted
        ("powers", POWER, (POWER_LIMIT,)),
        ("technologies", TECHNOLOGY, (TECHNOLOGY_LIMIT,)),
        ("actions", ACTION, (ACTION_LIMIT,)),
        ("ship_cost", np.int16, (len(Ship), len(Resource))),
        ("ship_supply", np.int16, (len(Ship),)),
        ("ship_moves", np.int16, (len(Ship),)),
        ("ship_strength", np.int16, (len(Ship),)),
        ("ship_hits", np.int16, (len(Ship),)),
        ("circle", np.int16, (ROLES,)),  # roles in order round the circle
        ("place_on_circle", np.int16, (ROLES,)),
        ("sector_of", np.int16, (REGIONS,)),
        ("deck", np.int16, (STACK_LIMIT,)),  # exploration tiles without wormholes and one first planet for each player
        ("first", np.int16, (len(Act),)),  # the first number of each block
        ("offset", np.uint16, (FIELD_LIMIT,)),  # where each field of an observation begins
        ("num_actions", np.int16),
        ("players", np.int16),
        ("with_powers", np.int16),  # 0: the set-up for first-time players
        ("power_count", np.int16),
        ("technology_count", np.int16),
        ("tile_kinds", np.int16),
        ("deck_count", np.int16),
        ("wormhole_tile", np.int16),  # number of the kind, or NOTHING
        ("wormhole_count", np.int16),
        ("first_planet_tile", np.int16),
        ("empty_tile", np.int16),
        ("edict_count", np.int16),
        ("track", np.int16),
        ("names_from", np.int16),  # number of the first technology in the block of names
        ("hidden_tiles", np.int16),  # tiles face down on blocked sectors
        ("max_turns", np.int16),  # number of roles after which a game ends
        ("score_at_limit", np.int16),  # 1: a game that reaches the limit is scored; 0: it is truncated
        ("padding", np.int16, (2,)),  # always 0
        ("bonus_points", np.int16, (MAX_SEATS,)),  # added to the tokens, in turn order from the seat that began
        ("variant", np.uint64),  # the tag of its states, computed from all fields above
    ],
    align=True,
)
