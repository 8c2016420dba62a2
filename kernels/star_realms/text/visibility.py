"""Visibility of the table for a seat, shared by the text picture and the table data.

viewer: a seat, or None, who sees everything except the order of decks; state: one record.
"""

from typing import NamedTuple

from stardeck.kernels.star_realms.cards.card import Card
from stardeck.kernels.star_realms.state import Face, Zone, pile_of


class Gambits(NamedTuple):
    """Gambits in front of a player.

    shown: the name and the side up of each visible gambit; hidden: the number of other face-down gambits.
    """

    shown: list[tuple[str, Face]]
    hidden: int


def in_order(variant, state, numbers) -> list[Card]:
    """Return cards that have no order, the most expensive first."""
    return sorted((variant.card(state, number) for number in numbers), key=lambda card: (-card.cost, card.name))


def is_own(seat, viewer) -> bool:
    """Return whether a viewer sees what only this seat may see."""
    return viewer in (None, seat)


def sees_hand(variant, seat, viewer) -> bool:
    """Return whether a viewer sees a hand: its own, all (None), and in a Raid those of teammates."""
    if is_own(seat, viewer):
        return True
    team_of = variant.format.team_of
    return variant.format.open_hands and team_of[seat] == team_of[viewer]


def hand(variant, state, seat, viewer) -> list[Card] | None:
    """Return the cards of a hand, or None if the viewer does not see them."""
    if not sees_hand(variant, seat, viewer):
        return None
    return in_order(variant, state, pile_of(state["players"][seat], Zone.HAND))


def deck(variant, state, seat, viewer) -> list[Card] | None:
    """Return the cards of a deck in an order other than the deck's, or None if the viewer does not see them."""
    return in_order(variant, state, pile_of(state["players"][seat], Zone.DECK)) if is_own(seat, viewer) else None


def on_top(variant, state, seat) -> list[Card]:
    """Return the cards on top of a deck that all players have seen, the next one first."""
    player = state["players"][seat]
    known = int(player["known_on_deck"])
    return [variant.card(state, card) for card in pile_of(player, Zone.DECK)[-known:][::-1]] if known else []


def gambits(variant, player, own: bool) -> Gambits:
    """Return the gambits in front of a player; only the owner sees face-down ones. player: one record."""
    hidden = int(player["gambits"][Face.HIDDEN].sum())
    seen = (Face.REVEALED, Face.HIDDEN) if own else (Face.REVEALED,)
    shown = [
        (gambit.name, face)
        for number, gambit in enumerate(variant.format.gambits)
        for face in seen
        for _ in range(player["gambits"][face, number])
    ]
    return Gambits(shown, 0 if own else hidden)


def looked_at(variant, state, own: bool) -> list[str]:
    """Return the gambits among which a player chooses, for that player only."""
    kinds = zip(variant.format.gambits, state["looked_at"], strict=False)
    return [gambit.name for gambit, count in kinds for _ in range(count)] if own else []
