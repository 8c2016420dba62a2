"""The action space: one table of blocks, the source of numbers, masks, texts and docs.

An action names a kind of card, never a position in a hand. Opponents are counted clockwise from the acting seat. A
block holds only actions that the variant can offer, so the space is fixed and has no unused numbers.
"""

from typing import NamedTuple

from stardeck.kernels.contract.variant import Block, list_actions, write_actions
from stardeck.kernels.interstellar_empire.cards.table import CardSet
from stardeck.kernels.interstellar_empire.rules import Act, Family, Op
from stardeck.kernels.interstellar_empire.state import NO_CARD, Government

PLAYED_ON = (Op.PICK_SHARED, Op.ARTIFACT)
GOVERNMENTS = (Government.EMPEROR, Government.PRIME_MINISTER, Government.DICTATOR)


class Action(NamedTuple):
    """The meaning of an action number. detail: seats clockwise of the acting one, or a government number."""

    act: Act
    card: int = NO_CARD
    detail: int = 0


class _Game:
    """Members of blocks for a card set and settings, as (card, detail); a card alone is (card,)."""

    def __init__(self, card_set, settings):
        self.settings = settings
        self.cards = range(len(card_set.cards))
        self.of_ships, self.of_planets, specials = (card_set.of(family) for family in Family)
        self.on_somebody = [card for card in specials if card_set.cards[card].op in PLAYED_ON]
        self.others = [card for card in specials if card not in self.on_somebody]

    def once(self):
        """Return a single action."""
        return [()]

    def every(self):
        """Return every card."""
        return [(card,) for card in self.cards]

    def ships(self):
        """Return every ship."""
        return [(card,) for card in self.of_ships]

    def planets(self):
        """Return every planet."""
        return [(card,) for card in self.of_planets]

    def specials(self):
        """Return the specials that target no single opponent."""
        return [(card,) for card in self.others]

    def with_opponents(self, cards):
        """Return the cards, each with every opponent by distance."""
        return [(card, distance) for distance in range(1, self.settings["players"]) for card in cards]

    def governments(self):
        """Return the governments that a player may declare; none unless the optional rule is on."""
        return [(NO_CARD, government) for government in GOVERNMENTS] if self.settings["governments"] else []


# In the words, {card}, {seat} and {government} are placeholders for the card, seat or government of the action.
BLOCKS = (
    Block(Act.END_TURN, "end turn", "end the turn; the next player's turn begins", _Game.once),
    Block(Act.DRAW, "draw", "draw an optional card in the draw phase", _Game.once),
    Block(Act.EXPLORE, "explore {card}", "lay down a planet; ship and payment follow", _Game.planets),
    Block(Act.WITH, "with {card}", "choose the untapped ship that makes the journey", _Game.ships),
    Block(Act.BUILD, "build {card}", "add a ship to the fleet; payment follows", _Game.ships),
    Block(Act.PAY, "pay {card}", "discard a card from the hand as payment", _Game.every),
    Block(Act.ATTACK, "attack {card} of {seat}", "declare war on a planet",
          lambda game: game.with_opponents(game.of_planets)),
    Block(Act.SEND, "send {card}", "send an untapped ship to the war", _Game.ships),
    Block(Act.SEND_TAPPED, "send tapped {card}", "send a tapped ship to the defence", _Game.ships),
    Block(Act.DONE, "done", "no more ships", _Game.once),
    Block(Act.PLAY, "play {card}", "play a special as a reaction", _Game.specials),
    Block(Act.PLAY_ON, "play {card} on {seat}", "play a special on an opponent",
          lambda game: game.with_opponents(game.on_somebody)),
    Block(Act.PASS, "pass", "play no special", _Game.once),
    Block(Act.DISCARD, "discard {card}", "answer with a card from the hand", _Game.every),
    Block(Act.DECLINE, "decline", "refuse to discard", _Game.once),
    Block(Act.KEEP, "keep {card}", "keep one of two cards", _Game.every),
    Block(Act.BID, "bid {card}", "bid a card for the first turn",
          lambda game: game.every() if game.settings["first_player"] == "bid" else []),
    Block(Act.DECLARE, "declare {government}", "declare the form of government", _Game.governments),
    Block(Act.CONCEDE, "concede", "leave the game", lambda game: game.once() if game.settings["concede"] else []),
)  # fmt: skip


def actions_of(card_set: CardSet, settings) -> list[Action]:
    """Return every action of a variant; its index is its number."""
    return list_actions(BLOCKS, Action, _Game(card_set, settings))


def compile_actions(card_set: CardSet, actions: list[Action], rules) -> None:
    """Write the action table into a rules record (np.void)."""
    write_actions(actions, rules, card_set.title)
    rules["planet_kinds"] = len(card_set.of(Family.PLANET))
    rules["opponent_specials"] = sum(card.op in PLAYED_ON for card in card_set.cards)
    for number, action in reversed(list(enumerate(actions))):
        if action.card != NO_CARD:
            rules["cards"][action.card]["action"][action.act] = number
