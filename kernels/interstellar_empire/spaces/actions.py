"""The action space: one table of blocks from which numbers, masks, texts and docs derive.

An action names a kind of card, never a place in a hand; opponents are counted clockwise from the acting seat. A block
holds only what the variant can ever ask for, so the space is fixed and has no dead numbers.
"""

from typing import NamedTuple

from stardeck.kernels.contract.variant import Block, list_actions, write_actions
from stardeck.kernels.interstellar_empire.cards.table import CardSet
from stardeck.kernels.interstellar_empire.rules import Act, Family, Op
from stardeck.kernels.interstellar_empire.state import NO_CARD, Government

PLAYED_ON = (Op.PICK_SHARED, Op.ARTIFACT)
GOVERNMENTS = (Government.EMPEROR, Government.PRIME_MINISTER, Government.DICTATOR)


class Action(NamedTuple):
    """What an action number stands for. detail: seats clockwise of the acting one; number of a government."""

    act: Act
    card: int = NO_CARD
    detail: int = 0


class _Game:
    """What a card set and settings can ask for: the members of blocks as (card, detail), a card alone as (card,)."""

    def __init__(self, card_set, settings):
        self.settings = settings
        self.cards = range(len(card_set.cards))
        self.of_ships, self.of_planets, specials = (card_set.of(family) for family in Family)
        self.on_somebody = [card for card in specials if card_set.cards[card].op in PLAYED_ON]
        self.others = [card for card in specials if card not in self.on_somebody]

    def once(self):
        """A single action."""
        return [()]

    def every(self):
        """Every card."""
        return [(card,) for card in self.cards]

    def ships(self):
        """Every ship."""
        return [(card,) for card in self.of_ships]

    def planets(self):
        """Every planet."""
        return [(card,) for card in self.of_planets]

    def specials(self):
        """Specials that concern no single opponent."""
        return [(card,) for card in self.others]

    def with_opponents(self, cards):
        """Some cards with each opponent, by distance."""
        return [(card, distance) for distance in range(1, self.settings["players"]) for card in cards]

    def governments(self):
        """What can be declared, in the optional game."""
        return [(NO_CARD, government) for government in GOVERNMENTS] if self.settings["governments"] else []


# In the words, {card}, {seat} and {government} stand for what an action names.
BLOCKS = (
    Block(Act.END_TURN, "end turn", "the next player's turn begins", _Game.once),
    Block(Act.DRAW, "draw", "an optional card of the draw phase", _Game.once),
    Block(Act.EXPLORE, "explore {card}", "lay down a planet; ship and payment follow", _Game.planets),
    Block(Act.WITH, "with {card}", "the untapped ship that makes the journey", _Game.ships),
    Block(Act.BUILD, "build {card}", "put a ship into the fleet; payment follows", _Game.ships),
    Block(Act.PAY, "pay {card}", "discard a card of the hand as payment", _Game.every),
    Block(Act.ATTACK, "attack {card} of {seat}", "declare war on a planet",
          lambda game: game.with_opponents(game.of_planets)),
    Block(Act.SEND, "send {card}", "an untapped ship takes part in the war", _Game.ships),
    Block(Act.SEND_TAPPED, "send tapped {card}", "a tapped ship takes part in the defence", _Game.ships),
    Block(Act.DONE, "done", "no more ships", _Game.once),
    Block(Act.PLAY, "play {card}", "a special, at its moment", _Game.specials),
    Block(Act.PLAY_ON, "play {card} on {seat}", "a special that concerns an opponent",
          lambda game: game.with_opponents(game.on_somebody)),
    Block(Act.PASS, "pass", "play no special", _Game.once),
    Block(Act.DISCARD, "discard {card}", "answer with a card of the hand", _Game.every),
    Block(Act.DECLINE, "decline", "refuse to discard", _Game.once),
    Block(Act.KEEP, "keep {card}", "which of two cards to keep", _Game.every),
    Block(Act.BID, "bid {card}", "lay a card down for the first turn",
          lambda game: game.every() if game.settings["first_player"] == "bid" else []),
    Block(Act.DECLARE, "declare {government}", "declare the form of government", _Game.governments),
    Block(Act.CONCEDE, "concede", "leave the game", lambda game: game.once() if game.settings["concede"] else []),
)  # fmt: skip


def actions_of(card_set: CardSet, settings) -> list[Action]:
    """Every action of a variant; its index is its number."""
    return list_actions(BLOCKS, Action, _Game(card_set, settings))


def compile_actions(card_set: CardSet, actions: list[Action], rules) -> None:
    """Write the action table into a rules record (np.void)."""
    write_actions(actions, rules, card_set.title)
    rules["planet_kinds"] = len(card_set.of(Family.PLANET))
    rules["opponent_specials"] = sum(card.op in PLAYED_ON for card in card_set.cards)
    for number, action in reversed(list(enumerate(actions))):
        if action.card != NO_CARD:
            rules["cards"][action.card]["action"][action.act] = number
