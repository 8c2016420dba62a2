"""Restrictions of Star Realms: cards and factions that are never bought, and kinds of actions that are never taken."""

from stardeck.agents.restricted.restriction import FORCED, Restriction, actions_of, actions_where, slug
from stardeck.game.game import Game
from stardeck.kernels.star_realms.rules import Act

BUYING = (Act.BUY, Act.BUY_TO_DECK)
GAINING = (*BUYING, Act.ACQUIRE, Act.ACQUIRE_TO_DECK)
ACTIONS = (  # words after the name of an agent, and acts
    ("never buys anything", BUYING),
    ("never attacks bases", (Act.ATTACK_BASE, Act.DAMAGE_BASE)),
    ("never destroys bases by effects", (Act.DESTROY_BASE,)),
    ("never scraps its own cards", (Act.SCRAP_FROM_HAND, Act.SCRAP_FROM_DISCARD)),
    ("never scraps cards of the trade row", (Act.SCRAP_FROM_TRADE_ROW,)),
    ("never uses scrap abilities", (Act.USE_SCRAP,)),
    ("never uses ally abilities", (Act.USE_ALLY,)),
    ("never uses primary abilities of bases", (Act.USE,)),
    ("never puts acquired ships on the deck", (Act.BUY_TO_DECK, Act.ACQUIRE_TO_DECK)),
    ("never acquires cards for free", (Act.ACQUIRE, Act.ACQUIRE_TO_DECK)),
    ("never copies ships", (Act.COPY,)),
    ("never reveals gambits", (Act.REVEAL,)),
    ("never uses gambits", (Act.USE_GAMBIT,)),
    ("never passes cards", (Act.PASS,)),
    ("never gives pools to teammates",
     (Act.GIVE_TRADE, Act.GIVE_TRADE_PART, Act.GIVE_COMBAT, Act.GIVE_COMBAT_PART)),
    ("never upgrades cards", (Act.UPGRADE,)),
    ("never mulligans the trade row", (Act.MULLIGAN,)),
)  # fmt: skip


def restrictions(game: Game) -> list[Restriction]:
    """Return the restrictions of a variant."""
    return [*_of_cards(game), *_of_factions(game), *_of_actions(game), *_of_manners(game)]


def _gaining(game, cards):
    """Return the actions that gain one of some cards."""
    return actions_where(game, lambda action: action.act in GAINING and action.card in cards)


def _of_cards(game):
    sold = dict.fromkeys(action.card for action in game.variant.actions if action.act == Act.BUY)
    names = game.variant.names
    return [
        Restriction(slug(f"never {names[card]}"), f"never buys {names[card]}", "card", _gaining(game, {card}))
        for card in sold
    ]


def _cards(game):
    """Return what is known of each card by its number: of upgraded cards, which change, nothing."""
    known = {card["name"]: card for card in game.cards()}
    return [known.get(name, {"faction": "", "kind": "", "cost": 0}) for name in game.variant.names]


def _of_factions(game):
    cards = _cards(game)
    parts = [str(card["faction"]).split(" and ") for card in cards]
    found = []
    for faction in filter(None, dict.fromkeys(part for each in parts for part in each)):
        numbers = _gaining(game, {number for number, each in enumerate(parts) if faction in each})
        label = f"never buys cards of the faction {faction}"
        found.append(Restriction(slug(f"never faction {faction}"), label, "faction", numbers))
    bases = {number for number, card in enumerate(cards) if card["kind"] in ("base", "outpost")}
    return [*found, Restriction("never_bases", "never buys bases", "faction", _gaining(game, bases))]


def _of_actions(game):
    return [Restriction(slug(words), words, "action", actions_of(game, acts)) for words, acts in ACTIONS]


def _of_manners(game):
    """Return the restriction to spend all trade that can be spent; dear cards first, where the agent wants none."""
    costs = [card["cost"] or 0 for card in _cards(game)]
    buying = actions_of(game, BUYING)
    wanted = tuple((action, FORCED + int(costs[game.variant.actions[action].card])) for action in buying)
    label = "buys as long as it can"
    return [Restriction("must_buy", label, "manner", actions_of(game, (Act.END_TURN, Act.YIELD)), buying, wanted)]
