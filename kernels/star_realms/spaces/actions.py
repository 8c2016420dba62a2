"""The action space: one table of blocks from which numbers, masks, texts and docs derive.

An action names a kind of card, never a place in a hand or row. Opponents are counted clockwise from the acting seat. A
block holds only actions that the cards of the set can need. The space is therefore fixed per variant and has no unused
numbers.
"""

from typing import NamedTuple

import numpy as np

from stardeck.kernels.contract.variant import Block, list_actions, write_actions
from stardeck.kernels.star_realms.cards.card import CardSet
from stardeck.kernels.star_realms.cards.formats import Format
from stardeck.kernels.star_realms.play.effects.questions import LARGEST_PIECE
from stardeck.kernels.star_realms.rules import NO_ACTION, Act, Op
from stardeck.kernels.star_realms.state import NO_CARD, STICKERS

PIECES = tuple(1 << k for k in range(LARGEST_PIECE.bit_length()))


class Action(NamedTuple):
    """Act, card and detail of an action number. `card` is the number of a gambit in GAMBIT_ACTS.

    The meaning of `detail` depends on the act: distance in seats clockwise of the acting seat; number of an option or
    of an ally ability; number of a choice word; amount; number of one side's sticker.
    """

    act: Act
    card: int = NO_CARD
    detail: int = 0


class _Game:
    """The actions that a set and a format can need: members of blocks as (card, detail), a card alone as (card,)."""

    def __init__(self, card_set, settled, words, bids):
        self.card_set = card_set
        self.settled = settled
        self.words = words
        self.bids = bids
        self.cards = range(len(card_set.names))
        self.faces = [card_set.faces(card) for card in self.cards]
        self.opponents = range(1, settled.players) if settled.has_opponents else ()
        self.operations = {effect.op for effect in card_set.effects}
        self.operations |= {effect.op for gambit in settled.gambits for effect in gambit.scrap}
        self.bases = [card for (card,) in self.having(lambda card: card.is_base)]

    def uses(self, *operations):
        """Return whether any card or gambit has one of these operations."""
        return not self.operations.isdisjoint(operations)

    def having(self, fits):
        """Return the cards for which `fits` holds for at least one face, stickers included."""
        return [(card,) for card in self.cards if any(map(fits, self.faces[card]))]

    def every(self, condition=True):
        """Return every card if the condition holds."""
        return [(card,) for card in self.cards] if condition else []

    def once(self, condition=True):
        """Return a single action if the condition holds."""
        return [()] if condition else []

    def amounts(self, numbers):
        """Return an action without a card for each number."""
        return [(NO_CARD, number) for number in numbers]

    def opposing_bases(self, condition=True):
        """Return every base of every opponent if the condition holds."""
        return [(card, seat) for seat in self.opponents for card in self.bases] if condition else []

    def acquirable(self, condition=True):
        """Return the cards of the trade deck and the Explorer if the condition holds."""
        return sorted({*self.having(lambda card: card.copies > 0), (self.card_set.explorer,)}) if condition else []

    def acquirable_ships(self, condition=True):
        """Return the acquirable ships if the condition holds."""
        if not condition:
            return []
        ships = set(self.having(lambda card: not card.is_base))
        return [member for member in self.acquirable() if member in ships]

    def in_trade_row(self, condition):
        """Return the cards of the trade deck if the condition holds."""
        return [member for member in self.acquirable(condition) if member != (self.card_set.explorer,)]

    def sides(self):
        """Return each side of the primary ability of each base."""
        most = {base: max(len(card.primary) for card in self.faces[base] if card.is_base) for base in self.bases}
        return [(base, side) for base in self.bases for side in range(most[base])]

    def ally_boxes(self):
        """Return each ally ability of each card; a copier has those of the ship."""
        most = [max((len(card.ally) or int(card.copies_a_ship) for card in faces), default=0) for faces in self.faces]
        return [(card, box) for card in self.cards for box in range(most[card])]

    def teammates(self):
        """Return the teammates in a shared turn, by distance."""
        return self.amounts(self.settled.mate_distances if self.settled.shared_turn else ())

    def neighbours(self):
        """Return every card to either neighbour, if the format lets players pass cards."""
        seats = (1, self.settled.players - 1) if self.settled.pass_card_cost else ()
        return [(card, seat) for seat in seats for card in self.cards]

    def gambits(self, fits):
        """Return the gambits that fit."""
        return [(number,) for number, gambit in enumerate(self.settled.gambits) if fits(gambit)]

    def payments(self):
        """Return the payments from 0 trade up to the number of undealt gambits."""
        settled = self.settled
        most = sum(gambit.copies for gambit in settled.gambits) - settled.players * settled.gambits_each
        return self.amounts(range(most + 1) if settled.gambits else ())

    def to_be_acquired(self):
        """Return the cards that can be acquired for free."""
        if self.uses(Op.ACQUIRE_UP_TO):
            return self.acquirable()
        return self.acquirable_ships(self.uses(Op.ACQUIRE_SHIP_TO_DECK, Op.ACQUIRE_SHIP_FROM_ROW))

    def targets(self):
        """Return the opponents if more than one can be made to discard."""
        several = len(self.settled.sides) > 2 or (self.settled.has_opponents and self.settled.has_teams)
        return self.amounts(self.opponents if several and self.uses(Op.OPPONENT_DISCARDS) else ())

    def stickers(self):
        """Return the rows of one side's sticker sheets."""
        return self.amounts(range(STICKERS if self.card_set.slots else 0))

    def cards_with_stickers(self):
        """Return every card with every sticker that fits it, of either side."""
        slots = self.card_set.slots
        forms = [{card for slot in slots[place::STICKERS] for card in slot.forms} for place in range(len(slots) // 2)]
        return [(card, place) for card in self.cards for place, fitting in enumerate(forms) if card in fitting]


# In the words, {card}, {gambit}, {seat}, {option}, {sticker} and {amount} stand for the things that an action names.
BLOCKS = (
    Block(Act.END_TURN, "end turn", "end the Main Phase; Discard Phase and Draw Phase follow", _Game.once),
    Block(Act.PLAY, "play {card}", "play a card from the hand", _Game.every),
    Block(Act.USE, "use {card}{option}", "use the primary ability of a base", _Game.sides),
    Block(Act.USE_ALLY, "use ally {card}{option}", "use an ally ability of a card in play", _Game.ally_boxes),
    Block(Act.USE_SCRAP, "use scrap {card}", "scrap a card in play for its scrap ability",
          lambda game: game.having(lambda card: card.scrap or card.copies_a_ship)),
    Block(Act.BUY, "buy {card}", "acquire a card into the discard pile", _Game.acquirable),
    Block(Act.BUY_TO_DECK, "buy {card} to deck", "acquire a ship on top of the deck, if an effect allows it",
          lambda game: game.acquirable_ships(game.uses(Op.NEXT_SHIP_ON_TOP))),
    Block(Act.ATTACK_PLAYER, "attack {seat} with all", "attack a player with the whole combat pool",
          lambda game: game.amounts(game.opponents)),
    Block(Act.ATTACK_PART, "attack {seat} with part", "attack a player with part of the pool; the amount follows",
          lambda game: game.amounts(game.opponents)),
    Block(Act.ATTACK_BASE, "attack {card} of {seat}", "destroy a base with combat", _Game.opposing_bases),
    Block(Act.DESTROY_BASE, "destroy {card} of {seat}", "destroy a base by an effect",
          lambda game: game.opposing_bases(game.uses(Op.DESTROY_BASE))),
    Block(Act.CHOOSE, "choose {option}", 'choose one side of an "or" on a ship, or a faction',
          lambda game: game.amounts(range(len(game.words)))),
    Block(Act.SCRAP_FROM_HAND, "scrap {card} from hand", "scrap a card of the hand",
          lambda game: game.every(game.uses(Op.SCRAP_FROM_HAND, Op.SCRAP_FROM_HAND_OR_DISCARD))),
    Block(Act.SCRAP_FROM_DISCARD, "scrap {card} from discard", "scrap a card of the discard pile",
          lambda game: game.every(game.uses(Op.SCRAP_FROM_HAND_OR_DISCARD))),
    Block(Act.SCRAP_FROM_TRADE_ROW, "scrap {card} from trade row", "scrap a card of the trade row",
          lambda game: game.in_trade_row(game.uses(Op.SCRAP_FROM_TRADE_ROW))),
    Block(Act.DISCARD, "discard {card}", "discard a card of the hand", lambda game: game.every(
        game.settled.boss is not None or game.uses(Op.DISCARD, Op.OPPONENT_DISCARDS, Op.DRAW_THEN_DISCARD))),
    Block(Act.ACQUIRE, "acquire {card}", "acquire a card for free", _Game.to_be_acquired),
    Block(Act.COPY, "copy {card}", "copy a ship with a Stealth Needle", lambda game: game.having(
        lambda card: game.uses(Op.COPY_SHIP) and not card.is_base and not card.copies_a_ship)),
    Block(Act.TARGET, "target {seat}", "choose the opponent who must discard", _Game.targets),
    Block(Act.ADD, "add {amount}", "add to an amount of combat or trade", lambda game: game.amounts(PIECES)),
    Block(Act.DONE, "done", "the amount is complete", _Game.once),
    Block(Act.DECLINE, "decline", "refuse an optional effect, or end a choice early", _Game.once),
    Block(Act.DAMAGE_BASE, "attack {card} of {seat} with part", "damage a base of the Boss; the amount follows",
          lambda game: [(card,) for card in game.bases if game.settled.lasting_damage_seat >= 0]),
    Block(Act.ATTACK_BOSS, "attack boss with all", "attack the Boss with the whole combat pool",
          lambda game: game.once(game.settled.boss or game.card_set.has_blob)),
    Block(Act.ATTACK_BOSS_PART, "attack boss with part", "attack the Boss with part of the pool; the amount follows",
          lambda game: game.once(game.settled.boss or game.card_set.has_blob)),
    Block(Act.MULLIGAN, "mulligan trade row", "scrap the whole trade row, once a game",
          lambda game: game.once(game.settled.boss)),
    Block(Act.YIELD, "yield to {seat}", "hand the move to a teammate in a shared turn", _Game.teammates),
    Block(Act.GIVE_TRADE, "give all trade to {seat}", "transfer the trade pool to a teammate", _Game.teammates),
    Block(Act.GIVE_TRADE_PART, "give part of trade to {seat}", "transfer part of the pool; the amount follows",
          _Game.teammates),
    Block(Act.GIVE_COMBAT, "give all combat to {seat}", "transfer the combat pool to a teammate", _Game.teammates),
    Block(Act.GIVE_COMBAT_PART, "give part of combat to {seat}", "transfer part of the pool; the amount follows",
          _Game.teammates),
    Block(Act.PASS, "pass {card} to {seat}", "pay to move a discarded card to a neighbouring teammate",
          _Game.neighbours),
    Block(Act.LEAVE, "pass {card} to {seat}", "leave a card of a defeated player to a teammate",
          lambda game: game.every(game.settled.legacy)),
    Block(Act.REVEAL, "reveal {gambit}", "turn a gambit face up", lambda game: game.gambits(lambda gambit: True)),
    Block(Act.USE_GAMBIT, "use gambit {gambit}", "scrap a revealed gambit for its ability",
          lambda game: game.gambits(lambda gambit: gambit.scrap)),
    Block(Act.PUT_ON_DECK, "put {card} on deck", "put a card of the discard pile on top of the deck",
          lambda game: game.every(game.uses(Op.PUT_ON_DECK))),
    Block(Act.ACQUIRE_TO_DECK, "acquire {card} to deck",
          "acquire a ship for free on top of the deck, if an effect allows it",
          lambda game: game.acquirable_ships(game.uses(Op.ACQUIRE_UP_TO) and game.uses(Op.NEXT_SHIP_ON_TOP))),
    Block(Act.PAY, "pay {amount}", "pay trade to look at the same number of unclaimed gambits", _Game.payments),
    Block(Act.KEEP, "keep {gambit}", "keep one gambit looked at", lambda game: game.gambits(lambda gambit: True)),
    Block(Act.DRAW, "draw", "draw, if an effect makes it optional",
          lambda game: game.once(game.card_set.asks_to_draw)),
    Block(Act.UPGRADE, "upgrade with {sticker}", "put a sticker on the card just acquired", _Game.stickers),
    Block(Act.MODIFIER, "choose modifier {amount}", "choose one of the scenario's rule changes",
          lambda game: game.amounts((1, 2) if game.card_set.slots else ())),
    Block(Act.FILL_UP, "upgrade {card} with {sticker}", "upgrade a card of the trade deck after a campaign",
          _Game.cards_with_stickers),
    Block(Act.BID, "bid {amount}", "bid authority for the first turn", lambda game: game.amounts(game.bids)),
)  # fmt: skip
GAMBIT_ACTS = (Act.REVEAL, Act.USE_GAMBIT, Act.KEEP)
NEEDS_TEAMMATE = (Act.YIELD, Act.GIVE_TRADE, Act.GIVE_TRADE_PART, Act.GIVE_COMBAT, Act.GIVE_COMBAT_PART)


def choice_words(card_set: CardSet, settled: Format, choices) -> tuple[str, ...]:
    """Return the words that `choose` takes in this set and format. choices: the words of each "or" with a question."""
    words = [word for choice in choices for word in choice]
    if card_set.has(Op.NAME_FACTION):
        words += card_set.factions
    if settled.boss:
        words += settled.boss.abilities
    return tuple(dict.fromkeys(words))


def actions_of(card_set: CardSet, settled: Format, words, bids=()) -> list[Action]:
    """Return every action of a variant; its index is its number.

    words: see `choice_words`; bids: the bids for the first turn.
    """
    return list_actions(BLOCKS, Action, _Game(card_set, settled, words, bids))


def compile_actions(card_set: CardSet, settled: Format, actions: list[Action], words, choices, rules) -> None:
    """Write the action table, and the words of each "or", into a rules record (np.void)."""
    write_actions(actions, rules, card_set.title)
    rules["base_kinds"] = sum(any(card.is_base for card in card_set.faces(n)) for n in range(len(card_set.names)))
    _write_numbers(card_set, rules["actions"][: len(actions)], rules)
    for place, distance in enumerate(settled.mate_distances):
        rules["mate_place"][distance] = place
    for number, choice in enumerate(choices):
        rules["choices"][number]["words"][: len(choice)] = [words.index(word) for word in choice]
    for faction, word in enumerate(card_set.factions):
        rules["faction_words"][faction] = words.index(word) if word in words else NO_ACTION
    for ability, word in enumerate(settled.boss.abilities if settled.boss else ()):
        rules["boss_words"][ability] = words.index(word)


def _write_numbers(card_set, table, rules):
    """Write the action number for each act and card, the first of several. table: ACTION[n].

    The numbers of the other details follow the first.
    """
    acts, cards, numbers = table["act"], table["card"], np.arange(len(table))
    of_fills, of_gambits = acts == Act.FILL_UP, np.isin(acts, GAMBIT_ACTS)
    rules["fill_up"][cards[of_fills], table["detail"][of_fills]] = numbers[of_fills]
    rules["gambits"]["action"][cards[of_gambits], acts[of_gambits]] = numbers[of_gambits]
    of_cards = np.flatnonzero(~of_fills & ~of_gambits & (cards != NO_CARD))
    by_card = np.full((len(card_set.names), rules["cards"]["action"].shape[1]), NO_ACTION)
    places, first = np.unique(cards[of_cards] * np.int64(by_card.shape[1]) + acts[of_cards], return_index=True)
    by_card.flat[places] = of_cards[first]
    faces = [number for number in range(len(by_card)) for _ in card_set.faces(number)]  # in the order of the card table
    rules["cards"]["action"][: len(faces)] = by_card[faces]
