"""The action space: one table of blocks from which numbers, masks, texts and docs derive.

An action names a kind of card, never a place in a hand; opponents are counted clockwise from the acting seat. A block
holds only what the variant can ever ask for, so the space is fixed and has no dead numbers.
"""

from typing import NamedTuple

from stardeck.kernels.interstellar_empire.cards import CardSet
from stardeck.kernels.interstellar_empire.rules import ACTION_LIMIT, Act, Family, Op
from stardeck.kernels.interstellar_empire.state import NO_CARD, Government

PLAYED_ON = (Op.PICK_SHARED, Op.ARTIFACT)
GOVERNMENTS = (Government.EMPEROR, Government.PRIME_MINISTER, Government.DICTATOR)


class Block(NamedTuple):
    """One kind of action. In `words`, {card}, {seat} and {government} stand for what the action names."""

    act: Act
    words: str
    meaning: str


BLOCKS = (
    Block(Act.END_TURN, "end turn", "the next player's turn begins"),
    Block(Act.DRAW, "draw", "an optional card of the draw phase"),
    Block(Act.EXPLORE, "explore {card}", "lay down a planet; ship and payment follow"),
    Block(Act.WITH, "with {card}", "the untapped ship that makes the journey"),
    Block(Act.BUILD, "build {card}", "put a ship into the fleet; payment follows"),
    Block(Act.PAY, "pay {card}", "discard a card of the hand as payment"),
    Block(Act.ATTACK, "attack {card} of {seat}", "declare war on a planet"),
    Block(Act.SEND, "send {card}", "an untapped ship takes part in the war"),
    Block(Act.SEND_TAPPED, "send tapped {card}", "a tapped ship takes part in the defence"),
    Block(Act.DONE, "done", "no more ships"),
    Block(Act.PLAY, "play {card}", "a special, at its moment"),
    Block(Act.PLAY_ON, "play {card} on {seat}", "a special that concerns an opponent"),
    Block(Act.PASS, "pass", "play no special"),
    Block(Act.DISCARD, "discard {card}", "answer with a card of the hand"),
    Block(Act.DECLINE, "decline", "refuse to discard"),
    Block(Act.KEEP, "keep {card}", "which of two cards to keep"),
    Block(Act.BID, "bid {card}", "lay a card down for the first turn"),
    Block(Act.DECLARE, "declare {government}", "declare the form of government"),
    Block(Act.CONCEDE, "concede", "leave the game"),
)


class Action(NamedTuple):
    """What an action number stands for. detail: seats clockwise of the acting one; number of a government."""

    act: Act
    card: int = NO_CARD
    detail: int = 0


def _members(act, card_set, settings):
    """The actions of a block, in order."""
    ships, planets, specials = (card_set.of(family) for family in Family)
    on_somebody = [card for card in specials if card_set.cards[card].op in PLAYED_ON]
    opponents = range(1, settings["players"])
    match act:
        case Act.EXPLORE:
            return [Action(act, card) for card in planets]
        case Act.WITH | Act.BUILD | Act.SEND | Act.SEND_TAPPED:
            return [Action(act, card) for card in ships]
        case Act.PAY | Act.DISCARD | Act.KEEP:
            return [Action(act, card) for card in range(len(card_set.cards))]
        case Act.BID:
            bid = settings["first_player"] == "bid"
            return [Action(act, card) for card in range(len(card_set.cards))] if bid else []
        case Act.ATTACK:
            return [Action(act, card, distance) for distance in opponents for card in planets]
        case Act.PLAY:
            return [Action(act, card) for card in specials if card not in on_somebody]
        case Act.PLAY_ON:
            return [Action(act, card, distance) for distance in opponents for card in on_somebody]
        case Act.DECLARE:
            return [Action(act, NO_CARD, government) for government in GOVERNMENTS] if settings["governments"] else []
        case Act.CONCEDE:
            return [Action(act)] if settings["concede"] else []
        case _:
            return [Action(act)]


def list_actions(card_set: CardSet, settings) -> list[Action]:
    """Every action of a variant; its index is its number."""
    return [action for block in BLOCKS for action in _members(block.act, card_set, settings)]


def compile_actions(card_set: CardSet, actions: list[Action], rules) -> None:
    """Write the action table into a rules record (np.void)."""
    if len(actions) > ACTION_LIMIT:
        raise ValueError(f"{card_set.title}: {len(actions)} actions: at most {ACTION_LIMIT}")
    rules["num_actions"] = len(actions)
    rules["first"] = -1
    rules["planet_kinds"] = len(card_set.of(Family.PLANET))
    rules["opponent_specials"] = sum(card.op in PLAYED_ON for card in card_set.cards)
    for number, action in reversed(list(enumerate(actions))):
        rules["actions"][number] = (action.detail, action.act, action.card)
        rules["first"][action.act] = number
        if action.card != NO_CARD:
            rules["cards"][action.card]["action"][action.act] = number
