"""The visible information of a seat, decided once for the text and the data of the table.

viewer: a seat, or None, who sees everything except the deck. state, player: one record.
"""

from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask


def cards_of(variant, counts, mark="") -> list[str]:
    """Return cards by name, each as often as its count."""
    return [mark + card.name for card, count in zip(variant.card_set.cards, counts, strict=False) for _ in range(count)]


def name_of(variant, card) -> str:
    """Return the name of a kind of card."""
    return variant.card_set.cards[card].name


def is_own(seat, viewer) -> bool:
    """Return True if a viewer sees the private information of this seat."""
    return viewer in (None, seat)


def hand(variant, player, seat, viewer) -> list[str] | None:
    """Return the cards of a hand, or None if it is hidden."""
    return cards_of(variant, player["hand"]) if is_own(seat, viewer) else None


def bid(variant, player, seat, viewer) -> str | None:
    """Return the bid, or None: it lies face down for the other seats."""
    return name_of(variant, player["bid"]) if is_own(seat, viewer) else None


def top_of_discard_pile(variant, state) -> list[str]:
    """Return the top card of the discard pile, as a list of at most one name."""
    count = int(state["discard_count"])
    return [name_of(variant, state["discard_pile"][count - 1])] if count else []


def looked_at(variant, state, viewer) -> list[str] | None:
    """Return the two cards of which one is kept, or None if they are hidden.

    All players see the cards of an artifact; only the player who picks sees the others.
    """
    if state["to_act"] < 0 or state["ask"] not in (Ask.KEEP, Ask.ARTIFACT):
        return None
    if state["ask"] == Ask.KEEP and not is_own(state["to_act"], viewer):
        return None
    return [name_of(variant, card) for card in state["looked_at"] if card != NO_CARD]
