"""What a seat may see: asked by the picture in text and by the table alike, so that it is decided once.

viewer: a seat, or None, who sees everything; but nobody is shown the deck. state, player: one record.
"""

from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask


def cards_of(variant, counts, mark="") -> list[str]:
    """Cards by name, each as often as there are."""
    return [mark + card.name for card, count in zip(variant.card_set.cards, counts, strict=False) for _ in range(count)]


def name_of(variant, card) -> str:
    """The name of a kind of card."""
    return variant.card_set.cards[card].name


def is_own(seat, viewer) -> bool:
    """Whether a viewer sees what this seat alone may see."""
    return viewer in (None, seat)


def hand(variant, player, seat, viewer) -> list[str] | None:
    """The cards of a hand, or None."""
    return cards_of(variant, player["hand"]) if is_own(seat, viewer) else None


def bid(variant, player, seat, viewer) -> str | None:
    """The card laid down for the first turn, or None: it lies face down for the others."""
    return name_of(variant, player["bid"]) if is_own(seat, viewer) else None


def top_of_discard_pile(variant, state) -> list[str]:
    """The card on top, if there is one."""
    count = int(state["discard_count"])
    return [name_of(variant, state["discard_pile"][count - 1])] if count else []


def looked_at(variant, state, viewer) -> list[str] | None:
    """The two cards of which one is kept: those of an artifact are shown to all, others to who picks; or None."""
    if state["to_act"] < 0 or state["ask"] not in (Ask.KEEP, Ask.ARTIFACT):
        return None
    if state["ask"] == Ask.KEEP and not is_own(state["to_act"], viewer):
        return None
    return [name_of(variant, card) for card in state["looked_at"] if card != NO_CARD]
