"""The action space: one table of blocks from which numbers, masks, texts and docs derive.

An action names a kind of card, never a place in a hand or row; opponents are counted clockwise from the acting seat.
A block holds only what the cards of the set can ever ask for, so the space is fixed per variant and has no dead
numbers.
"""

from typing import NamedTuple

from stardeck.kernels.star_realms.cards.vocabulary import CardSet
from stardeck.kernels.star_realms.formats import Format
from stardeck.kernels.star_realms.legal import LARGEST_PIECE
from stardeck.kernels.star_realms.rules import ACTION_LIMIT, NO_ACTION, Act, Op
from stardeck.kernels.star_realms.state import NO_CARD

PIECES = tuple(1 << k for k in range(LARGEST_PIECE.bit_length()))


class Block(NamedTuple):
    """One kind of action. In `words`, {card}, {seat}, {option} and {amount} stand for what the action names.

    {card} may be a gambit.
    """

    act: Act
    words: str
    meaning: str


BLOCKS = (
    Block(Act.END_TURN, "end turn", "Discard Phase and Draw Phase follow"),
    Block(Act.PLAY, "play {card}", "play a card from the hand"),
    Block(Act.USE, "use {card}{option}", "use the primary ability of a base"),
    Block(Act.USE_ALLY, "use ally {card}", "use the ally ability of a card in play"),
    Block(Act.USE_SCRAP, "use scrap {card}", "scrap a card in play for its scrap ability"),
    Block(Act.BUY, "buy {card}", "acquire a card into the discard pile"),
    Block(Act.BUY_TO_DECK, "buy {card} to deck", "acquire a ship on top of the deck, where an effect offers it"),
    Block(Act.ATTACK_PLAYER, "attack {seat} with all", "attack a player with the whole combat pool"),
    Block(Act.ATTACK_PART, "attack {seat} with part", "attack a player with less; the amount is put together next"),
    Block(Act.ATTACK_BASE, "attack {card} of {seat}", "destroy a base with combat"),
    Block(Act.DESTROY_BASE, "destroy {card} of {seat}", "destroy a base by an effect"),
    Block(Act.CHOOSE, "choose {option}", 'one side of an "or" on a ship, or a faction'),
    Block(Act.SCRAP_FROM_HAND, "scrap {card} from hand", "scrap a card of the hand"),
    Block(Act.SCRAP_FROM_DISCARD, "scrap {card} from discard", "scrap a card of the discard pile"),
    Block(Act.SCRAP_FROM_TRADE_ROW, "scrap {card} from trade row", "scrap a card of the trade row"),
    Block(Act.DISCARD, "discard {card}", "discard a card of the hand"),
    Block(Act.ACQUIRE, "acquire {card}", "acquire a card for nothing"),
    Block(Act.COPY, "copy {card}", "the ship that a Stealth Needle copies"),
    Block(Act.TARGET, "target {seat}", "the opponent who must discard"),
    Block(Act.ADD, "add {amount}", "add to an amount of combat or trade"),
    Block(Act.DONE, "done", "the amount is complete"),
    Block(Act.DECLINE, "decline", "refuse an optional effect, or end a choice early"),
    Block(Act.DAMAGE_BASE, "attack {card} of {seat} with part", "damage a base of the Boss; then how much"),
    Block(Act.ATTACK_BOSS, "attack boss with all", "attack the Boss with the whole combat pool"),
    Block(Act.ATTACK_BOSS_PART, "attack boss with part", "attack the Boss with less; the amount is put together next"),
    Block(Act.MULLIGAN, "mulligan trade row", "scrap the whole trade row, once a game"),
    Block(Act.YIELD, "yield to {seat}", "hand the move to a teammate in a shared turn"),
    Block(Act.GIVE_TRADE, "give all trade to {seat}", "transfer the trade pool to a teammate"),
    Block(Act.GIVE_TRADE_PART, "give part of trade to {seat}", "transfer less; the amount is put together next"),
    Block(Act.GIVE_COMBAT, "give all combat to {seat}", "transfer the combat pool to a teammate"),
    Block(Act.GIVE_COMBAT_PART, "give part of combat to {seat}", "transfer less; the amount is put together next"),
    Block(Act.PASS, "pass {card} to {seat}", "pay to move a discarded card to a neighbouring teammate"),
    Block(Act.LEAVE, "pass {card} to {seat}", "what a defeated player leaves to the teammate who is asked about"),
    Block(Act.REVEAL, "reveal {card}", "turn a gambit face up"),
    Block(Act.USE_GAMBIT, "use gambit {card}", "scrap a revealed gambit for its ability"),
    Block(Act.PUT_ON_DECK, "put {card} on deck", "put a card of the discard pile on top of the deck"),
    Block(Act.ACQUIRE_TO_DECK, "acquire {card} to deck", "the same on top of the deck, where an effect offers it"),
    Block(Act.PAY, "pay {amount}", "trade for a look at as many unclaimed gambits"),
    Block(Act.KEEP, "keep {card}", "which of these gambits to keep"),
)
GAMBIT_ACTS = (Act.REVEAL, Act.USE_GAMBIT, Act.KEEP)
NEEDS_TEAMMATE = (Act.YIELD, Act.GIVE_TRADE, Act.GIVE_TRADE_PART, Act.GIVE_COMBAT, Act.GIVE_COMBAT_PART)
NEEDS_BOSS = (Act.ATTACK_BOSS, Act.ATTACK_BOSS_PART, Act.MULLIGAN)


class Action(NamedTuple):
    """What an action number stands for. `card` numbers a gambit in GAMBIT_ACTS.

    detail: seats clockwise of the acting one; number of an option; number of a choice word; amount.
    """

    act: Act
    card: int = NO_CARD
    detail: int = 0


def choice_words(card_set: CardSet, settled: Format) -> tuple[str, ...]:
    """The words that `choose` takes in this set and format."""
    ships = [card for card in card_set.cards if not card.is_base]
    words = [word for card in ships for word in card.option_words()]
    if any(card.names_faction for card in card_set.cards):
        words += card_set.factions
    if settled.boss:
        words += settled.boss.abilities
    return tuple(dict.fromkeys(words))


def _cards(card_set, fits):
    return [number for number, card in enumerate(card_set.cards) if fits(number, card)]


def _with_gambits(act, settled):
    """Actions that name gambits."""
    kinds = enumerate(settled.gambits)
    return [Action(act, number) for number, gambit in kinds if act != Act.USE_GAMBIT or gambit.scrap]


def _members(act, card_set, settled):
    """The actions of a block, in order."""
    opponents = range(1, settled.players) if settled.has_opponents else ()

    def having(fits):
        return [Action(act, number) for number in _cards(card_set, fits)]

    gambit_operations = {effect.op for gambit in settled.gambits for effect in gambit.scrap}

    def some_card_has(*operations):
        return any(card.has(op) for card in card_set.cards for op in operations) or gambit_operations & {*operations}

    every = having(lambda number, card: True)
    ships = having(lambda number, card: not card.is_base)
    acquirable = having(lambda number, card: card.copies > 0 or number == card_set.explorer)
    bases = _cards(card_set, lambda number, card: card.is_base)
    with_seat = [Action(act, card, distance) for distance in opponents for card in bases]
    copier = some_card_has(Op.COPY_SHIP)
    if act in GAMBIT_ACTS:
        return _with_gambits(act, settled)
    if act in NEEDS_TEAMMATE:
        distances = settled.mate_distances if settled.shared_turn else ()
        return [Action(act, NO_CARD, distance) for distance in distances]
    if act in NEEDS_BOSS:
        return [Action(act)] if settled.boss else []
    match act:
        case Act.PLAY:
            return every
        case Act.USE:
            return [Action(act, card, side) for card in bases for side in range(len(card_set.cards[card].primary))]
        case Act.USE_ALLY:
            return having(lambda number, card: card.ally or card.copies_a_ship)
        case Act.USE_SCRAP:
            return having(lambda number, card: card.scrap or card.copies_a_ship)
        case Act.BUY:
            return acquirable
        case Act.BUY_TO_DECK:
            return [a for a in acquirable if a in ships] if some_card_has(Op.NEXT_SHIP_ON_TOP) else []
        case Act.ATTACK_PLAYER | Act.ATTACK_PART:
            return [Action(act, NO_CARD, distance) for distance in opponents]
        case Act.ATTACK_BASE:
            return with_seat
        case Act.DESTROY_BASE:
            return with_seat if some_card_has(Op.DESTROY_BASE) else []
        case Act.DAMAGE_BASE:
            return [Action(act, card) for card in bases] if settled.lasting_damage_seat >= 0 else []
        case Act.CHOOSE:
            return [Action(act, NO_CARD, word) for word in range(len(choice_words(card_set, settled)))]
        case Act.SCRAP_FROM_HAND:
            return every if some_card_has(Op.SCRAP_FROM_HAND, Op.SCRAP_FROM_HAND_OR_DISCARD) else []
        case Act.SCRAP_FROM_DISCARD:
            return every if some_card_has(Op.SCRAP_FROM_HAND_OR_DISCARD) else []
        case Act.SCRAP_FROM_TRADE_ROW:
            return having(lambda number, card: card.copies > 0) if some_card_has(Op.SCRAP_FROM_TRADE_ROW) else []
        case Act.DISCARD:
            return every if settled.boss or some_card_has(Op.DISCARD, Op.OPPONENT_DISCARDS) else []
        case Act.ACQUIRE:
            if some_card_has(Op.ACQUIRE_UP_TO):
                return acquirable
            return [a for a in acquirable if a in ships] if some_card_has(Op.ACQUIRE_SHIP_TO_DECK) else []
        case Act.ACQUIRE_TO_DECK:
            both = some_card_has(Op.ACQUIRE_UP_TO) and some_card_has(Op.NEXT_SHIP_ON_TOP)
            return [a for a in acquirable if a in ships] if both else []
        case Act.PUT_ON_DECK:
            return every if some_card_has(Op.PUT_ON_DECK) else []
        case Act.PAY:
            most = sum(gambit.copies for gambit in settled.gambits) - settled.players * settled.gambits_each
            return [Action(act, NO_CARD, amount) for amount in range(most + 1)] if settled.gambits else []
        case Act.COPY:
            return having(lambda number, card: not card.is_base and not card.copies_a_ship) if copier else []
        case Act.TARGET:
            several = len(settled.sides) > 2 or (settled.has_opponents and settled.has_teams)
            asked = several and some_card_has(Op.OPPONENT_DISCARDS)
            return [Action(act, NO_CARD, distance) for distance in opponents] if asked else []
        case Act.PASS:
            neighbours = (1, settled.players - 1) if settled.pass_card_cost else ()
            return [Action(act, number, distance) for distance in neighbours for number in range(len(card_set.cards))]
        case Act.LEAVE:
            return every if settled.legacy else []
        case Act.ADD:
            return [Action(act, NO_CARD, piece) for piece in PIECES]
        case _:
            return [Action(act)]


def list_actions(card_set: CardSet, settled: Format) -> list[Action]:
    """Every action of a variant; its index is its number."""
    return [action for block in BLOCKS for action in _members(block.act, card_set, settled)]


def compile_actions(card_set: CardSet, settled: Format, actions: list[Action], rules) -> None:
    """Write the action table into a rules record (np.void)."""
    if len(actions) > ACTION_LIMIT:
        raise ValueError(f"{card_set.title}: {len(actions)} actions: at most {ACTION_LIMIT}")
    words = choice_words(card_set, settled)
    rules["num_actions"] = len(actions)
    rules["first"] = -1
    rules["base_kinds"] = sum(card.is_base for card in card_set.cards)
    for number, action in reversed(list(enumerate(actions))):
        rules["actions"][number] = (action.detail, action.act, action.card)
        rules["first"][action.act] = number
        if action.card != NO_CARD:
            named = "gambits" if action.act in GAMBIT_ACTS else "cards"
            rules[named][action.card]["action"][action.act] = number
    for place, distance in enumerate(settled.mate_distances):
        rules["mate_place"][distance] = place
    for card, record in zip(card_set.cards, rules["cards"], strict=False):
        if not card.is_base:
            for option, word in enumerate(card.option_words()):
                record["word"][option] = words.index(word)
    for faction, word in enumerate(card_set.factions):
        rules["faction_words"][faction] = words.index(word) if word in words else NO_ACTION
    for ability, word in enumerate(settled.boss.abilities if settled.boss else ()):
        rules["boss_words"][ability] = words.index(word)
