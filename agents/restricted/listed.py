"""Restrictions that make sense in a variant: those that its agents package lists, else one for each card and action."""

from functools import partial
from typing import Any

from stardeck.agents.game_agents import module_of
from stardeck.agents.restricted.restriction import CALM_WORDS, Restriction, actions_where, slug
from stardeck.game.game import Game
from stardeck.kernels.contract.variant import TableRow

MODULE = "restrictions"  # of the agents package of a game: its function `restrictions(game)` lists them
MOST_MEMBERS = 80  # actions of a block that are forbidden one by one


def restrictions_of(game: Game) -> list[Restriction]:
    """Return restrictions of a variant that differ in name and in what they forbid; none without actions.

    A game whose agents package has no module `restrictions` gets, for each block of its action space, one restriction
    for the whole block and one for each card in it.
    """
    module = module_of(game.variant.game, MODULE)
    listed = _by_block(game) if module is None else module.restrictions(game)
    found: dict[str, Restriction] = {}
    for one in listed:
        again = any(one[3:5] == other[3:5] for other in found.values())
        if one.forbidden and len(one.forbidden) < game.num_actions and not again:
            found.setdefault(one.name, one)
    return list(found.values())


def _by_block(game):
    """Return restrictions by block and by card, for a game that lists none."""
    found = []
    for row in game.action_table():
        if row["name"] in CALM_WORDS:
            continue
        numbers = tuple(range(row["offset"], row["offset"] + row["size"]))
        words = row["name"].replace("{card}", "a card").replace("{seat}", "a player")
        found.append(Restriction(slug(f"never {row['name']}"), f'never does "{words}"', "action", numbers))
        if "{card}" in row["name"] and row["size"] <= MOST_MEMBERS:
            found += _by_card(game, row, numbers)
    return found


def _names_card(card: int, action: Any) -> bool:
    return bool(getattr(action, "card", -1) == card)


def _by_card(game: Game, row: TableRow, numbers: tuple[int, ...]) -> list[Restriction]:
    """Return a restriction for each card of a block."""
    found = []
    for card, name in enumerate(game.variant.names):
        mine = actions_where(game, partial(_names_card, card))
        chosen = tuple(sorted({*mine} & {*numbers}))
        if chosen:
            words = row["name"].replace("{card}", name).replace("{seat}", "a player")
            found.append(Restriction(slug(f"never {words}"), f'never does "{words}"', "card", chosen))
    return found
