"""The action space: one table of blocks, the source of numbers, masks and docs.

Questions share blocks, because the state says which question is open. The forty regions answer `in`, `to`, `colonize`
and others. The ships by class and region answer `move`, `deploy`, `hit` and others. Owners are counted clockwise from
the acting seat.
"""

from typing import NamedTuple

from stardeck.kernels.contract.variant import Block, list_actions
from stardeck.kernels.empire_of_the_stars.cards.tables import Tables
from stardeck.kernels.empire_of_the_stars.rules import LARGEST_STRENGTH, Act
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


class Action(NamedTuple):
    """The meaning of an action number. what: index within its block; distance: seats clockwise of the acting one."""

    act: Act
    what: int = 0
    distance: int = 0


class _Game:
    """Members of blocks for tables and settings, as (what, distance), or (what,)."""

    def __init__(self, tables, settings):
        self.tables = tables
        self.players = settings["players"]
        self.opponents = range(1, self.players)
        self.allies = self.players > 2
        self.powers = settings["powers"]
        self.names = tables.names(self.powers)

    def once(self, condition=True):
        """Return a single action, if the condition holds."""
        return [()] if condition else []

    def each(self, count):
        """Return the numbers below `count`."""
        return [(what,) for what in range(count)]

    def ships(self):
        """Return every class of ship in every region, for every player."""
        return [(ship, seat) for seat in range(self.players) for ship in range(len(Ship) * REGIONS)]

    def from_opponents(self, things):
        """Return the things, each with every opponent by distance."""
        return [(what, seat) for seat in self.opponents for what in things]

    def swaps(self):
        """Return every exchange of one resource for another."""
        return [(3 * given + taken,) for given in Resource for taken in Resource if given != taken]


# In the words, {role}, {region} and the like are placeholders for the parts of the action.
BLOCKS = (
    Block(Act.PASS, "pass", "decline a question", _Game.once),
    Block(Act.DONE, "done", "stop an action that can be repeated", _Game.once),
    Block(Act.DECLINE, "decline", "do not join a battle", lambda game: game.once(game.allies)),
    Block(Act.SURGE, "surge", "announce the surge side for this role", lambda game: game.once(game.powers)),
    Block(Act.FLIP, "flip", "turn the power to its core side", lambda game: game.once(game.powers)),
    Block(Act.CHOOSE_ROLE, "choose {role}", "the first role of the game", lambda game: game.each(ROLES)),
    Block(Act.FORWARD, "choose {role} forward", "move the Monolith forward to a role", lambda game: game.each(ROLES)),
    Block(Act.BACK, "choose {role} back", "move the Monolith back to a role", lambda game: game.each(ROLES)),
    Block(Act.REGION, "{region}", "a region: home, first planet, in, to, colonize, influence, upgrade, convert",
          lambda game: game.each(REGIONS)),
    Block(Act.SHIP, "{class} of {seat}, {region}", "a ship by owner, class and region: move, deploy, hit, destroy",
          _Game.ships),
    Block(Act.TOKEN, "token in {region}", "a colony or starbase: hit, destroy", lambda game: game.each(REGIONS)),
    Block(Act.NAME, "{name}", "a power or technology: keep, use, buy, discard, colonize with",
          lambda game: game.each(len(game.names))),
    Block(Act.NUMBER, "{number}", "tactics or weapons of a battle plan", lambda game: game.each(LARGEST_STRENGTH + 1)),
    Block(Act.TILE, "{tile}", "a kind of exploration tile: pick, replace",
          lambda game: game.each(len(game.tables.tiles))),
    Block(Act.MARKET_TILE, "tile {market tile}", "a market tile", lambda game: game.each(MARKET_TILES)),
    Block(Act.SELL, "sell {resource}", "sell one unit", lambda game: game.each(len(Resource))),
    Block(Act.BUY, "buy {resource}", "buy one unit", lambda game: game.each(len(Resource))),
    Block(Act.INVEST, "invest {location}", "invest in far space", lambda game: game.each(FAR_SPACE)),
    Block(Act.BUILD, "build {class}", "build a ship", lambda game: game.each(len(Ship))),
    Block(Act.BUILD_FREE, "build free {class}", "build a free ship", lambda game: game.each(len(Ship))),
    Block(Act.DRAW_DECK, "draw deck {cost}", "draw a technology from a deck", lambda game: game.each(COSTS)),
    Block(Act.DRAW_DISCARD, "draw discard {cost}", "draw the top card of a discard pile",
          lambda game: game.each(COSTS)),
    Block(Act.BATTLE, "battle {seat} in sector {sector}", "declare a battle",
          lambda game: game.from_opponents(range(SECTORS))),
    Block(Act.INVITE, "invite {seat}", "invite an ally",
          lambda game: game.from_opponents([0] if game.allies else [])),
    Block(Act.JOIN, "join {side}", "become an ally", lambda game: game.each(len(Side) if game.allies else 0)),
    Block(Act.BUY_INFLUENCE, "buy influence", "one extra token", _Game.once),
    Block(Act.INFLUENCE_THRONE, "influence throne", "place a token on the Galactic Throne", _Game.once),
    Block(Act.EDICT, "edict {edict}", "set an edict", lambda game: game.each(len(game.tables.edicts))),
    Block(Act.RESOURCE, "{resource}", "a resource: gain, choose, match", lambda game: game.each(len(Resource))),
    Block(Act.SWAP, "swap {resource} for {resource}", "exchange one unit", _Game.swaps),
    Block(Act.TAKE, "take {resource} from {seat}", "take one unit from an opponent",
          lambda game: game.from_opponents(Resource)),
)  # fmt: skip


def actions_of(tables: Tables, settings) -> list[Action]:
    """Return every action of a variant; its index is its number."""
    return list_actions(BLOCKS, Action, _Game(tables, settings))
