"""The action space: one table of blocks from which numbers, masks and docs derive.

What is asked is known, so questions share blocks: the forty regions answer `in`, `to`, `colonize` and others; the ships
by class and region answer `move`, `deploy`, `hit` and others. Owners are counted clockwise from the acting seat.
"""

from typing import NamedTuple

from stardeck.kernels.empire_of_the_stars.rules import ACTION_LIMIT, LARGEST_STRENGTH, NO_ACTION, Act
from stardeck.kernels.empire_of_the_stars.state import (
    COSTS,
    FAR_SPACE,
    MARKET_TILES,
    REGIONS,
    ROLES,
    SECTORS,
    Resource,
    Ship,
    Side,
)
from stardeck.kernels.empire_of_the_stars.tables import Tables


class Block(NamedTuple):
    """One kind of action."""

    act: Act
    words: str
    meaning: str


BLOCKS = (
    Block(Act.PASS, "pass", "decline a question"),
    Block(Act.DONE, "done", "no more of what can be done several times"),
    Block(Act.DECLINE, "decline", "do not join a battle"),
    Block(Act.SURGE, "surge", "announce the surge side for this role"),
    Block(Act.FLIP, "flip", "turn the power to its core side"),
    Block(Act.CHOOSE_ROLE, "choose {role}", "the first role of the game"),
    Block(Act.FORWARD, "choose {role} forward", "move the Monolith forward to a role"),
    Block(Act.BACK, "choose {role} back", "move the Monolith back to a role"),
    Block(Act.REGION, "{region}", "a region: home, first planet, in, to, colonize, influence, upgrade, convert"),
    Block(Act.SHIP, "{class} of {seat}, {region}", "a ship by owner, class and region: move, deploy, hit, destroy"),
    Block(Act.TOKEN, "token in {region}", "a colony or starbase: hit, destroy"),
    Block(Act.NAME, "{name}", "a power or technology: keep, use, buy, discard, colonize with"),
    Block(Act.NUMBER, "{number}", "tactics or weapons of a battle plan"),
    Block(Act.TILE, "{tile}", "a kind of exploration tile: pick, replace"),
    Block(Act.MARKET_TILE, "tile {market tile}", "a market tile"),
    Block(Act.SELL, "sell {resource}", "sell one unit"),
    Block(Act.BUY, "buy {resource}", "buy one unit"),
    Block(Act.INVEST, "invest {location}", "invest in far space"),
    Block(Act.BUILD, "build {class}", "build a ship"),
    Block(Act.BUILD_FREE, "build free {class}", "build a ship free"),
    Block(Act.DRAW_DECK, "draw deck {cost}", "draw a technology from a deck"),
    Block(Act.DRAW_DISCARD, "draw discard {cost}", "draw the top card of a discard pile"),
    Block(Act.BATTLE, "battle {seat} in sector {sector}", "declare a battle"),
    Block(Act.INVITE, "invite {seat}", "call for an ally"),
    Block(Act.JOIN, "join {side}", "become an ally"),
    Block(Act.BUY_INFLUENCE, "buy influence", "one extra token"),
    Block(Act.INFLUENCE_THRONE, "influence throne", "place a token on the Galactic Throne"),
    Block(Act.EDICT, "edict {edict}", "set an edict"),
    Block(Act.RESOURCE, "{resource}", "a resource: gain, choose, match"),
    Block(Act.SWAP, "swap {resource} for {resource}", "exchange one unit"),
    Block(Act.TAKE, "take {resource} from {seat}", "take one unit from an opponent"),
)


class Action(NamedTuple):
    """What an action number stands for. what: within its block; distance: seats clockwise of the acting one."""

    act: Act
    what: int = 0
    distance: int = 0


def _members(act, tables, settings):
    """The actions of a block, in order."""
    players = settings["players"]
    others = range(1, players)
    sizes = {
        Act.CHOOSE_ROLE: ROLES,
        Act.FORWARD: ROLES,
        Act.BACK: ROLES,
        Act.REGION: REGIONS,
        Act.TOKEN: REGIONS,
        Act.NAME: len(tables.names(settings["powers"])),
        Act.NUMBER: LARGEST_STRENGTH + 1,
        Act.TILE: len(tables.tiles),
        Act.MARKET_TILE: MARKET_TILES,
        Act.SELL: len(Resource),
        Act.BUY: len(Resource),
        Act.INVEST: FAR_SPACE,
        Act.BUILD: len(Ship),
        Act.BUILD_FREE: len(Ship),
        Act.DRAW_DECK: COSTS,
        Act.DRAW_DISCARD: COSTS,
        Act.JOIN: len(Side) if players > 2 else 0,
        Act.EDICT: len(tables.edicts),
        Act.RESOURCE: len(Resource),
    }
    match act:
        case Act.SHIP:
            return [Action(act, what, seat) for seat in range(players) for what in range(len(Ship) * REGIONS)]
        case Act.BATTLE:
            return [Action(act, sector, seat) for seat in others for sector in range(SECTORS)]
        case Act.TAKE:
            return [Action(act, resource, seat) for seat in others for resource in Resource]
        case Act.INVITE:
            return [Action(act, 0, seat) for seat in others] if players > 2 else []
        case Act.SWAP:
            return [Action(act, 3 * given + taken) for given in Resource for taken in Resource if given != taken]
        case Act.SURGE | Act.FLIP:
            return [Action(act)] if settings["powers"] else []
        case Act.DECLINE:
            return [Action(act)] if players > 2 else []
        case _:
            return [Action(act, what) for what in range(sizes.get(act, 1))]


def list_actions(tables: Tables, settings) -> list[Action]:
    """Every action of a variant; its index is its number."""
    return [action for block in BLOCKS for action in _members(block.act, tables, settings)]


def compile_actions(actions: list[Action], rules) -> None:
    """Write the action table into a rules record (np.void)."""
    if len(actions) > ACTION_LIMIT:
        raise ValueError(f"{len(actions)} actions: at most {ACTION_LIMIT}")
    rules["num_actions"] = len(actions)
    rules["first"] = NO_ACTION
    for number, action in reversed(list(enumerate(actions))):
        rules["actions"][number] = action
        rules["first"][action.act] = number
