"""The operations of effects, their objects, and the names of their values (rulebook: Player Powers).

A sentence on a card is an operation with up to five numbers, its values. Each operation has a row in `OPERATIONS`. The
tables are read with these rows (cards/vocabulary.py); the kernels look values up by name.
"""

from dataclasses import dataclass
from enum import IntEnum

from stardeck.kernels.empire_of_the_stars.state import Role


class Op(IntEnum):
    """Operations of effects."""

    GAIN = 0
    GAIN_PER = 1
    SCORE = 2
    SCORE_PER = 3
    PRODUCE = 4
    TRACK = 5
    SWAP = 6
    PRICE = 7
    FAR = 8
    PASS = 9
    SHIP_COST = 10
    FREE_SHIP = 11
    UPGRADE = 12
    TECH = 13
    TILES = 14
    COLONIZE_PLACED = 15
    PLACE_COLONY = 16
    UNIT = 17
    BATTLE = 18
    FLAG = 19
    WARP = 20
    MOVE_ENEMY = 21
    REVEAL = 22
    REINFORCE = 23
    EXTRA_BATTLE = 24
    TOLL = 25
    INFLUENCE = 26
    DESTROY = 27
    TAKE = 28
    CONVERT = 29
    MATCH = 30


class Manner(IntEnum):
    """Ways in which an effect takes place."""

    STANDING = 0  # holds while its card is active
    AUTOMATIC = 1  # happens automatically at its point
    EVENT = 2  # happens at each event
    ASKING = 3  # is optional at its point


class Event(IntEnum):
    """Events that an effect reacts to."""

    NONE = 0
    TILE_PLACED = 1
    WORMHOLE_PLACED = 2
    TECH_BOUGHT = 3
    OWN_SHIP_DESTROYED = 4
    SHIP_DESTROYED_BY_ME = 5
    COLONY_SCORED = 6
    WON_TACTICS = 7
    ALLY_IN_BATTLE = 8


class Condition(IntEnum):
    """Conditions of effects."""

    NONE = 0
    MOST_TECHNOLOGIES = 1
    IS_EMPEROR = 2
    NOT_EMPEROR = 3
    IN_BATTLE = 4
    SOLD_5 = 5
    TILE_ASTEROID = 6
    COST_3 = 7


class Counted(IntEnum):
    """Quantities that an effect or an edict counts."""

    NOBODY = 0  # an edict without a leader
    RESOURCES = 1
    CREDITS = 2
    TECHNOLOGIES = 3
    FLEET_STRENGTH = 4
    PLANETS = 5
    STARBASES = 6
    COLONIES = 7
    ASTEROIDS_ON_BOARD = 8
    FLEET = 9
    OPPONENTS_BOUGHT_TECH = 10


class Flag(IntEnum):
    """Exceptions to the rules."""

    ASTEROIDS_OK = 0
    DEPLOY_COLONY = 1
    CONTESTED_OK = 2
    REPLACE_COLONY = 3
    ASTEROID_COLONY = 4
    NO_BATTLE = 5
    CLAIM_THRONE = 6


class WarpFrom(IntEnum):
    """Regions that a WARP effect turns into wormholes."""

    HOME = 0
    STARBASE = 1
    ANY = 2


class BattleSide(IntEnum):
    """Main players that a BATTLE effect applies to."""

    ATTACKER = 0
    DEFENDER = 1
    ANY = 2


class Unit(IntEnum):
    """Units that a UNIT effect applies to; ALL stands for all ships."""

    FIGHTER = 0
    CRUISER = 1
    DREADNOUGHT = 2
    COLONY = 3
    STARBASE = 4
    ALL = 5


class Class(IntEnum):
    """Classes of ships, or all of them."""

    FIGHTER = 0
    CRUISER = 1
    DREADNOUGHT = 2
    ALL = 3


class Goods(IntEnum):
    """Goods that a PRICE effect applies to: a resource, one of the player's choice, or all."""

    POLYMER = 0
    METAL = 1
    ENERGY = 2
    ANY = 3
    ALL = 4


class Paid(IntEnum):
    """Goods that a GAIN_PER effect gives."""

    POLYMER = 0
    METAL = 1
    ENERGY = 2
    CREDITS = 3


# The values of effects, in order: `effect.values[Tech.DRAW]`. Operations of one form share them.

WHAT = 0  # the first value of an effect about a unit, resource or side
TIMES = 0  # the first value of an effect with choices: their number


class Number(IntEnum):
    """Values of an effect with a number or an amount."""

    N = 0


class Cost(IntEnum):
    """Values of an effect that costs credits."""

    C = 0


class Gain(IntEnum):
    """Values of GAIN: polymers, metals, energy, credits, resources of the player's choice."""

    P = 0
    M = 1
    E = 2
    C = 3
    ANY = 4


class GainPer(IntEnum):
    """Values of GAIN_PER: `n` of `res` for every `per` units counted, at most `cap`."""

    OF = 0
    PER = 1
    RES = 2
    N = 3
    CAP = 4


class ScorePer(IntEnum):
    """Values of SCORE_PER: `n` galaxy tokens for every `per` units counted, at most `cap`."""

    OF = 0
    PER = 1
    N = 2
    CAP = 3


class Produce(IntEnum):
    """Values of PRODUCE."""

    RES = 0
    BONUS = 1
    REPEAT = 2
    EXTRA_TYPES = 3


class Price(IntEnum):
    """Values of PRICE."""

    RES = 0
    SELL = 1
    BUY = 2
    SLOT = 3  # no word in the tables: an index into `favoured`, one for each card that favours a resource of choice


class Far(IntEnum):
    """Values of FAR: discount in credits on each investment, extra investments."""

    DISCOUNT = 0
    EXTRA = 1


class ShipCost(IntEnum):
    """Values of SHIP_COST: discount in resources on each ship of a class."""

    SHIP = 0
    P = 1
    M = 2
    E = 3


class FreeShip(IntEnum):
    """Values of FREE_SHIP."""

    SHIP = 0
    N = 1


class Upgrade(IntEnum):
    """Values of UPGRADE: number of colonies, and the price of each."""

    N = 0
    P = 1
    M = 2
    E = 3
    C = 4


class Tech(IntEnum):
    """Values of TECH: extra cards to draw, extra cards to hold, discount in resources per purchase, extra purchases."""

    DRAW = 0
    HAND = 1
    DISCOUNT = 2
    BUYS = 3


class Tiles(IntEnum):
    """Values of TILES: display tiles to replace, or extra tiles to place from the stack."""

    REPLACE = 0
    EXTRA = 1


class Units(IntEnum):
    """Values of UNIT."""

    UNIT = 0
    STRENGTH = 1
    ARMOR = 2
    MOVE = 3


class Battle(IntEnum):
    """Values of BATTLE."""

    SIDE = 0
    STRENGTH = 1
    TACTICS = 2
    WEAPONS = 3
    SHIELDS = 4


class Exempt(IntEnum):
    """Values of FLAG."""

    FLAG = 0


class Warp(IntEnum):
    """Values of WARP."""

    FROM = 0


class Reveal(IntEnum):
    """Values of REVEAL."""

    PARTS = 0


class Moves(IntEnum):
    """Values of MOVE_ENEMY and REINFORCE: number of ships, and steps of each."""

    N = 0
    STEPS = 1


class Influence(IntEnum):
    """Values of INFLUENCE: extra tokens, discount in credits, extra tokens on own planets and on the throne."""

    EXTRA = 0
    DISCOUNT = 1
    GUARD = 2
    THRONE = 3


class Destroy(IntEnum):
    """Values of DESTROY for each opponent: ships that `max_hits` hits destroy, then colonies."""

    SHIPS = 0
    MAX_HITS = 1
    COLONIES = 2


class Take(IntEnum):
    """Values of TAKE: number of resources; 1: from each opponent."""

    N = 0
    EACH = 1


@dataclass(frozen=True)
class Operation:
    """One operation of the tables. values: each with its allowed words, an enumeration, or int for a number."""

    values: dict
    roles: tuple = ()  # roles in which it is allowed; empty: all roles
    asks: bool = False


_W, _M, _E, _R = (Role.WARLORD,), (Role.MERCHANT,), (Role.ENGINEER,), (Role.REGENT,)
OPERATIONS = {
    Op.GAIN: Operation({Gain.P: int, Gain.M: int, Gain.E: int, Gain.C: int, Gain.ANY: int}),
    Op.GAIN_PER: Operation(
        {GainPer.OF: Counted, GainPer.PER: int, GainPer.RES: Paid, GainPer.N: int, GainPer.CAP: int}
    ),
    Op.SCORE: Operation({Number.N: int}),
    Op.SCORE_PER: Operation({ScorePer.OF: Counted, ScorePer.PER: int, ScorePer.N: int, ScorePer.CAP: int}),
    Op.PRODUCE: Operation(
        {Produce.RES: Goods, Produce.BONUS: int, Produce.REPEAT: int, Produce.EXTRA_TYPES: int}, (Role.STEWARD,)
    ),
    Op.TRACK: Operation({Number.N: int}),
    Op.SWAP: Operation({Number.N: int}, asks=True),
    Op.PRICE: Operation({Price.RES: Goods, Price.SELL: int, Price.BUY: int}, _M),
    Op.FAR: Operation({Far.DISCOUNT: int, Far.EXTRA: int}, _M),
    Op.PASS: Operation({Number.N: int}),
    Op.SHIP_COST: Operation({ShipCost.SHIP: Class, ShipCost.P: int, ShipCost.M: int, ShipCost.E: int}, _E),
    Op.FREE_SHIP: Operation({FreeShip.SHIP: Class, FreeShip.N: int}, _E),
    Op.UPGRADE: Operation({Upgrade.N: int, Upgrade.P: int, Upgrade.M: int, Upgrade.E: int, Upgrade.C: int}, asks=True),
    Op.TECH: Operation({Tech.DRAW: int, Tech.HAND: int, Tech.DISCOUNT: int, Tech.BUYS: int}, (Role.SCIENTIST,)),
    Op.TILES: Operation({Tiles.REPLACE: int, Tiles.EXTRA: int}, (Role.EXPLORER,), asks=True),
    Op.COLONIZE_PLACED: Operation({Cost.C: int}, (Role.EXPLORER,), asks=True),
    Op.PLACE_COLONY: Operation({Number.N: int}, asks=True),
    Op.UNIT: Operation({Units.UNIT: Unit, Units.STRENGTH: int, Units.ARMOR: int, Units.MOVE: int}, _W),
    Op.BATTLE: Operation(
        {Battle.SIDE: BattleSide, Battle.STRENGTH: int, Battle.TACTICS: int, Battle.WEAPONS: int, Battle.SHIELDS: int},
        _W,
    ),
    Op.FLAG: Operation({Exempt.FLAG: Flag}),
    Op.WARP: Operation({Warp.FROM: WarpFrom}, _W),
    Op.MOVE_ENEMY: Operation({Moves.N: int, Moves.STEPS: int}, asks=True),
    Op.REVEAL: Operation({Reveal.PARTS: int}, _W),
    Op.REINFORCE: Operation({Moves.N: int, Moves.STEPS: int}, _W, asks=True),
    Op.EXTRA_BATTLE: Operation({Number.N: int}, _W),
    Op.TOLL: Operation({Cost.C: int}, _W),
    Op.INFLUENCE: Operation(
        {Influence.EXTRA: int, Influence.DISCOUNT: int, Influence.GUARD: int, Influence.THRONE: int}, _R
    ),
    Op.DESTROY: Operation({Destroy.SHIPS: int, Destroy.MAX_HITS: int, Destroy.COLONIES: int}, asks=True),
    Op.TAKE: Operation({Take.N: int, Take.EACH: int}, asks=True),
    Op.CONVERT: Operation({Number.N: int}, asks=True),
    Op.MATCH: Operation({Number.N: int}, asks=True),
}
