"""Restrictions of Interstellar Empire: cards that are never laid down, and kinds of actions that are never taken."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from stardeck.agents.restricted.restriction import FORCED, Restriction, actions_of, actions_where, slug
from stardeck.game.game import Game
from stardeck.kernels.interstellar_empire.rules import Act

USES = (("explores", (Act.EXPLORE,)), ("builds", (Act.BUILD,)), ("plays", (Act.PLAY, Act.PLAY_ON)))
ACTIONS = (  # words after the name of an agent, and acts
    ("never explores planets", (Act.EXPLORE,)),
    ("never builds ships", (Act.BUILD,)),
    ("never attacks", (Act.ATTACK,)),
    ("never defends with tapped ships", (Act.SEND_TAPPED,)),
    ("never plays specials", (Act.PLAY, Act.PLAY_ON)),
    ("never plays specials on opponents", (Act.PLAY_ON,)),
    ("never draws optional cards", (Act.DRAW,)),
    ("never declines to discard", (Act.DECLINE,)),
)


def _uses(card: int, acts: Sequence[Act], action: Any) -> bool:
    return action.act in acts and bool(action.card == card)


def restrictions(game: Game) -> list[Restriction]:
    """Return the restrictions of a variant."""
    found = []
    for card, name in enumerate(game.variant.names):
        for verb, acts in USES:
            numbers = actions_where(game, partial(_uses, card, acts))
            found.append(Restriction(slug(f"never {name}"), f"never {verb} {name}", "card", numbers))
    found = [one for one in found if one.forbidden]
    found += [Restriction(slug(words), words, "action", actions_of(game, acts)) for words, acts in ACTIONS]
    laying = actions_of(game, (Act.EXPLORE, Act.BUILD))
    wanted = tuple((number, FORCED) for number in laying)
    ends = actions_of(game, (Act.END_TURN,))
    return [
        *found,
        Restriction("must_lay_down", "explores and builds as long as it can", "manner", ends, laying, wanted),
    ]
