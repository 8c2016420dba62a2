"""The record of one game of Empire of the Stars, in the rulebook's words (rulebook: Game Components, Gameplay).

A set of regions is a uint64: bit r stands for region r. Ships are three such sets for each class. The set
`board[class][k]` holds the regions with more than k ships, because no region holds more than three. Seats are absolute
here; actions and observations count them from the acting seat.
"""

from enum import IntEnum

import numpy as np

NOBODY = -1
NOTHING = -1
MAX_SEATS = 4  # rulebook: Players 2-4
REGIONS = 40  # rulebook: Set Up 1
SECTORS = 10
SHIPS_IN_REGION = 3  # rulebook: Warlord 1
FAR_SPACE = 8  # rulebook: Set Up 3
MARKET_TILES = 4
COLONY_TOKENS = 16
GALAXY_TOKENS = 32  # 40 minus those on far space
ROLES = 7
TILE_LIMIT = 16  # kinds of exploration tiles; the table in the package has 14
STACK_LIMIT = 40  # exploration tiles
COSTS = 3  # rulebook: Set Up 2
PILE_LIMIT = 40  # technologies of one cost
TECHNOLOGY_LIMIT = 128  # bits of a hand
WORDS = TECHNOLOGY_LIMIT // 64
FAVOUR_LIMIT = 4  # cards that favour a resource of the owner's choice
NO_TILE = 255
HOME_WORLD = 254
THRONE = REGIONS  # place of the Galactic Throne among the targets of influence


class Resource(IntEnum):
    """Resources (rulebook: Gather Starting Resources)."""

    POLYMER = 0
    METAL = 1
    ENERGY = 2


class Ship(IntEnum):
    """Classes of ships (rulebook: Engineer)."""

    FIGHTER = 0
    CRUISER = 1
    DREADNOUGHT = 2


CLASSES = len(Ship)
RESOURCES = len(Resource)


class Role(IntEnum):
    """Roles (rulebook: Gameplay)."""

    EXPLORER = 0
    STEWARD = 1
    MERCHANT = 2
    ENGINEER = 3
    SCIENTIST = 4
    WARLORD = 5
    REGENT = 6


class Step(IntEnum):
    """Steps of the set-up and of each role.

    The order is: set-up, the steps before and after every role, the steps of each role. A battle is the last part of
    WARLORD.
    """

    KEEP_POWER = 0
    HOME = 1
    FIRST_PLANET = 2
    CHOOSE_ROLE = 3
    BEFORE = 4
    AFTER = 5
    TILE = 6
    REGION = 7
    COLONY = 8
    EXTRA = 9
    MARKET_TILE = 10
    PRODUCE = 11
    TRADE = 12
    INVEST = 13
    BUILD = 14
    DEPLOY = 15
    DRAW = 16
    BUY = 17
    DISCARD = 18
    MOVE = 19
    BATTLE = 20
    COLONIZE = 21
    INVITE = 22
    ANSWER = 23
    ALLY = 24
    READY = 25
    PLAN = 26
    TACTICS = 27
    HITS = 28
    INVADE = 29
    BUY_INFLUENCE = 30
    PLACE = 31
    THRONE = 32
    EDICT = 33


class Stage(IntEnum):
    """Stages of a seat at a point where powers and technologies may be used (play/windows.py)."""

    SURGE = 0  # may the seat announce a surge?
    GAINS = 1  # automatic effects
    DIRECT = 2  # choices of an active surge side
    USES = 3  # choices of other cards, in any order
    LEAVE = 4  # the seat uses no more of them
    OWN = 5  # the step itself


class Ask(IntEnum):
    """Questions that the seat to act can face."""

    STEP = 0  # the question of the step
    SURGE = 1
    USE = 2
    DESTINATION = 3  # of the ship picked
    GAIN = 4
    SWAP = 5
    FAVOUR = 6
    REPLACE = 7
    PLACE_COLONY = 8
    UPGRADE = 9
    MOVE_ENEMY = 10
    REINFORCE = 11
    DESTROY = 12
    TAKE = 13
    CONVERT = 14
    MATCH = 15


class Side(IntEnum):
    """Sides of a battle."""

    ATTACKER = 0
    DEFENDER = 1


class Plan(IntEnum):
    """Parts of a battle plan; the rest of the strength goes to shields (rulebook: Warlord 2C)."""

    TACTICS = 0
    WEAPONS = 1


BOARD = np.dtype((np.uint64, (len(Ship), SHIPS_IN_REGION)))

PLAYER = np.dtype(
    [
        ("fleet", BOARD),
        ("moved", BOARD),  # ships that have moved in this turn or in this step of a battle
        ("hit", BOARD),  # ships that have taken all their hits in this battle
        ("colonies", np.uint64),
        ("starbases", np.uint64),  # the home world not included
        ("technologies", np.uint64, (WORDS,)),
        ("used", np.uint64, (WORDS,)),  # technologies used in this role
        ("hand", np.uint64, (WORDS,)),
        ("resources", np.int16, (len(Resource),)),
        ("credits", np.int16),
        ("throne", np.int16),  # tokens in the throne
        ("tokens", np.int8),  # colony tokens left on the player board
        ("influence", np.int8),  # tokens in hand during REGENT
        ("staging", np.int8, (len(Ship),)),
        ("supply", np.int8, (len(Ship),)),
        ("home", np.int8),  # region, or NOTHING
        ("power", np.int8),  # number of the card, or NOTHING
        ("surged", np.int8),  # 1: surge side up
        ("surging", np.int8),  # 1: has announced a surge in this role
        ("used_effects", np.int8),  # bits: effects of the power used in this role
        ("dealt", np.int8, (3,)),  # powers to choose from
        ("owed", np.int8),  # resources of any kind still to be gained
        ("favoured", np.int8, (FAVOUR_LIMIT,)),  # resource that each card favours in this MERCHANT, or NOTHING
        ("sold", np.int8, (len(Resource),)),
        ("bought", np.int8, (len(Resource),)),
        ("buyer", np.int8),  # 1: has bought a technology in this SCIENTIST
        ("wormholes", np.int8),  # placed in this EXPLORER
        ("fights", np.int8),  # 1: was in a battle in this WARLORD
        ("allied", np.int8),  # a Side in the present battle, or NOTHING
        ("invited", np.int8),  # bits of the sides that have invited this player
        ("ships_lost", np.int8),  # in the present battle
        ("placed", np.uint8, (REGIONS + 1,)),  # influence placed in this REGENT; the throne comes last
        ("padding", np.uint8, (4,)),  # always 0
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("random", np.uint64),  # the game's own random stream, see kernels/primitives/random.py
        ("crowd", np.uint64, (SHIPS_IN_REGION,)),  # regions with more than k ships of all players
        ("tiled", np.uint64),  # regions with a tile
        ("planets", np.uint64),  # planets other than home worlds
        ("asteroids", np.uint64),
        ("wormholes", np.uint64),
        ("homes", np.uint64),
        ("starbases_hit", np.uint64),  # hit in this battle
        ("colonies_hit", np.uint64),
        ("scored", np.uint64, (len(Side),)),  # regions where a side has scored colonies in this battle
        ("players", PLAYER, (MAX_SEATS,)),
        ("turn", np.int32),  # roles begun
        ("decisions", np.int32),  # actions applied since the deal
        ("variant", np.uint16),  # the tag of the variant, see kernels/contract/card_tables.py
        ("role_credits", np.int16, (ROLES,)),
        ("galaxy_supply", np.int16),
        ("work_side", np.int16),  # side of the effect in progress, see `rules.sides`; NOTHING: no effect
        ("fought", np.int16),  # bits of the sectors with a battle in this turn
        ("fought_again", np.int16),
        ("tile_in_hand", np.int16),  # kind, or NO_TILE
        ("to_act", np.int8),  # the seat that decides now; NOBODY when the game is over
        ("truncated", np.int8),  # 1: ended by the limit on roles and not scored
        ("placement", np.int8, (MAX_SEATS,)),
        ("first", np.int8),  # the seat that began
        ("order", np.int8, (MAX_SEATS,)),  # seats by power number, lowest first
        ("scepter", np.int8),
        ("emperor", np.int8),
        ("edict", np.int8),
        ("monolith", np.int8),  # the role that it stands on, or NOTHING
        ("roles_left", np.int8),  # roles left for the holder of the scepter, including the present one
        ("role", np.int8),  # the present role, or NOTHING
        ("step", np.int8),  # a Step
        ("stage", np.int8),  # a Stage
        ("ask", np.int8),  # an Ask
        ("active", np.int8),  # the seat at hand in the step
        ("work_effect", np.int8),  # number of the effect on its card
        ("work_left", np.int8),
        ("work_opponent", np.int8),
        ("work_colonies", np.int8),  # 1: DESTROY has reached colonies
        ("ship", np.int8),  # class of the ship picked, or NOTHING
        ("ship_from", np.int8),
        ("ship_owner", np.int8),
        ("flipped", np.int8),  # bits: market tiles that show credits
        ("market_tile", np.int8),
        ("extra_tile", np.int8),  # 1: the tile in hand comes from an effect
        ("last_placed", np.int8),  # region
        ("tiles_placed", np.int8),  # display tiles placed in this turn
        ("invested", np.int8),
        ("free_ships", np.int8, (len(Ship),)),
        ("drawn", np.int8),
        ("purchases", np.int8),
        ("influence_sold", np.int8),
        ("sector", np.int8),  # sector of the battle, or NOTHING
        ("mains", np.int8, (len(Side),)),  # attacker and defender, or NOBODY
        ("strength", np.int8, (len(Side),)),
        ("plans", np.int8, (len(Side), len(Plan))),  # NOTHING: not set
        ("tactics_left", np.int8),
        ("hits_left", np.int8),
        ("hitting", np.int8),  # the side that assigns hits
        ("ships_destroyed", np.int8, (len(Side),)),
        ("far_space", np.int8, (FAR_SPACE,)),  # see FarSpace
        ("deck_count", np.int8, (COSTS,)),
        ("discard_count", np.int8, (COSTS,)),
        ("stack_count", np.int8),
        ("stack_known", np.int8),  # tiles at the bottom that all players have seen
        ("display", np.int8, (TILE_LIMIT,)),  # by kind of tile
        ("buried", np.int8, (TILE_LIMIT,)),  # face down on blocked sectors, by kind
        ("tiles", np.uint8, (REGIONS,)),  # kind, HOME_WORLD or NO_TILE
        ("stack", np.uint8, (STACK_LIMIT,)),  # top tile last
        ("decks", np.uint8, (COSTS, PILE_LIMIT)),  # top card last
        ("discards", np.uint8, (COSTS, PILE_LIMIT)),  # top card last
    ],
    align=True,
)


class FarSpace(IntEnum):
    """Contents of a far-space location. A token of seat s is COLONY + 2 s, and one more for a starbase."""

    GALAXY = 0
    EMPTY = 1
    COLONY = 2
    STARBASE = 3
