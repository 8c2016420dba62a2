"""What a seat may see: asked by the picture in text and by the table alike, so that it is decided once.

viewer: a seat, or None, who sees everything; but nobody is shown the order of a deck. state: one record.
"""

from typing import NamedTuple

from stardeck.kernels.star_realms.cards.card import Card
from stardeck.kernels.star_realms.state import Face, Zone, pile_of


class Gambits(NamedTuple):
    """Gambits in front of a player. shown: the name of each that is seen, and which way up it lies; hidden: how many
    others lie face down."""

    shown: list[tuple[str, Face]]
    hidden: int


def in_order(variant, state, numbers) -> list[Card]:
    """Cards that have no order, the dearest first."""
    return sorted((variant.card(state, number) for number in numbers), key=lambda card: (-card.cost, card.name))


def is_own(seat, viewer) -> bool:
    """Whether a viewer sees what this seat alone may see."""
    return viewer in (None, seat)


def sees_hand(variant, seat, viewer) -> bool:
    """Whether a viewer sees a hand: its own, all (None), and in a Raid those of teammates."""
    if is_own(seat, viewer):
        return True
    team_of = variant.format.team_of
    return variant.format.open_hands and team_of[seat] == team_of[viewer]


def hand(variant, state, seat, viewer) -> list[Card] | None:
    """The cards of a hand, or None."""
    if not sees_hand(variant, seat, viewer):
        return None
    return in_order(variant, state, pile_of(state["players"][seat], Zone.HAND))


def deck(variant, state, seat, viewer) -> list[Card] | None:
    """The cards of a deck, in another order than theirs, or None."""
    return in_order(variant, state, pile_of(state["players"][seat], Zone.DECK)) if is_own(seat, viewer) else None


def on_top(variant, state, seat) -> list[Card]:
    """Cards on top of a deck that everybody has seen, the next one first."""
    player = state["players"][seat]
    known = int(player["known_on_deck"])
    return [variant.card(state, card) for card in pile_of(player, Zone.DECK)[-known:][::-1]] if known else []


def gambits(variant, player, own: bool) -> Gambits:
    """Gambits in front of a player: those face down for their owner alone. player: one record."""
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
    """The gambits of which one is being chosen, for whoever chooses alone."""
    kinds = zip(variant.format.gambits, state["looked_at"], strict=False)
    return [gambit.name for gambit, count in kinds for _ in range(count)] if own else []
