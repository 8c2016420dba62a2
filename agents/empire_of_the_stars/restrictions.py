"""Restrictions of Empire of the Stars: roles, powers, technologies and kinds of actions that are never chosen."""

from stardeck.agents.restricted.restriction import FORCED, Restriction, actions_of, actions_where, slug
from stardeck.game.game import Game
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import Resource, Role, Ship

CHOOSING = (Act.CHOOSE_ROLE, Act.FORWARD, Act.BACK)
ACTIONS = (  # words after the name of an agent, and acts
    ("never builds ships", (Act.BUILD, Act.BUILD_FREE)),
    ("never builds free ships", (Act.BUILD_FREE,)),
    ("never researches", (Act.DRAW_DECK, Act.DRAW_DISCARD)),
    ("never researches from discard piles", (Act.DRAW_DISCARD,)),
    ("never sells", (Act.SELL,)),
    ("never buys resources", (Act.BUY,)),
    ("never trades", (Act.SELL, Act.BUY, Act.SWAP)),
    ("never swaps resources", (Act.SWAP,)),
    ("never invests", (Act.INVEST,)),
    ("never attacks", (Act.BATTLE,)),
    ("never invites allies", (Act.INVITE,)),
    ("never joins battles", (Act.JOIN,)),
    ("never surges", (Act.SURGE,)),
    ("never buys influence", (Act.BUY_INFLUENCE,)),
    ("never influences the throne", (Act.INFLUENCE_THRONE,)),
    ("never goes back to a role", (Act.BACK,)),
)


def restrictions(game: Game) -> list[Restriction]:
    """Return the restrictions of a variant."""
    roles = [
        Restriction(slug(f"never role {role.name}"), f"never chooses the role {role.name.lower()}", "faction",
                    _with(game, CHOOSING, role))
        for role in Role
    ]  # fmt: skip
    ships = [
        Restriction(slug(f"never builds {ship.name}"), f"never builds a {ship.name.lower()}", "card",
                    _with(game, (Act.BUILD, Act.BUILD_FREE), ship))
        for ship in Ship
    ]  # fmt: skip
    sold = [
        Restriction(slug(f"never trades {resource.name}"), f"never buys or sells {resource.name.lower()}", "card",
                    _with(game, (Act.BUY, Act.SELL), resource))
        for resource in Resource
    ]  # fmt: skip
    actions = [Restriction(slug(words), words, "action", actions_of(game, acts)) for words, acts in ACTIONS]
    return [*_of_cards(game), *ships, *sold, *roles, *actions, *_of_manners(game)]


def _with(game, acts, what):
    """Return the actions of some blocks that name a thing."""
    return actions_where(game, lambda row: row.act in acts and row.what == what)


def _of_cards(game):
    """Return a restriction for each power and technology: the player never keeps, uses or buys it."""
    return [
        Restriction(slug(f"never {name}"), f"never takes or uses {name}", "card", _with(game, (Act.NAME,), number))
        for number, name in enumerate(game.variant.names)
    ]


def _of_manners(game):
    spending = actions_of(game, (Act.INVEST, Act.BUILD))
    wanted = tuple((number, FORCED) for number in spending)
    ends = actions_of(game, (Act.PASS, Act.DONE))
    return [Restriction("must_spend", "invests and builds as long as it can", "manner", ends, spending, wanted)]
