"""Card texts, generated from the table."""

from stardeck.kernels.interstellar_empire.cards.table import Card
from stardeck.kernels.interstellar_empire.rules import Family, Op

EFFECTS = {
    Op.NONE: "",
    Op.DRAW_WHEN_DISCOVERED: "When you discover it, draw {cards}",
    Op.DRAW_EACH_TURN: "You may draw {cards} more in each of your turns",
    Op.PRICE_OF_CONQUEST: "Whoever conquers it discards a card, or loses it",
    Op.ARTIFACT: "Two random cards of an opponent's hand are shown: the opponent keeps one, you take the other",
    Op.TAX_NEW_SHIP: "Whoever has just built a ship discards a card, or loses it",
    Op.TAX_NEW_PLANET: "Whoever has just gained a planet discards a card, or loses it",
    Op.PICK: "Having gained a planet, look at two cards of the deck and keep one, {times}",
    Op.STEAL_NEW_SHIP: "Take a ship that an opponent has just built",
    Op.PICK_SHARED: "You, an opponent and you again look at two cards of the deck and keep one",
    Op.BATTLE_BONUS: "{amount} more for your side in a war",
}
FAMILIES = {
    Family.SHIP: "{number} in a war; costs {number} to build",
    Family.PLANET: "Costs {number} to explore",
    Family.SPECIAL: "",
}


def abilities(card: Card) -> list[str]:
    """Return the number and the effect of a card, a sentence each."""
    effect = EFFECTS[card.op].format(
        amount=card.amount,
        cards="a card" if card.amount == 1 else f"{card.amount} cards",
        times={1: "once", 2: "twice"}.get(card.amount, f"{card.amount} times"),
    )
    return [part for part in (FAMILIES[card.family].format(number=card.number), effect) if part]


def text(card: Card) -> str:
    """Return the text of a card. Every card also pays, and counts as a random number, with its own number."""
    return ". ".join(abilities(card))


def cards(variant) -> list[dict]:
    """Return the cards of a variant: name, kind, number, copies, text."""
    return [
        {
            "name": card.name,
            "kind": card.family.name.lower(),
            "number": card.number,
            "copies": card.copies,
            "text": text(card),
            "reconstructed": bool(card.reconstructed),
        }
        for card in variant.card_set.cards
    ]
