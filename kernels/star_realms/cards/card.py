"""Printed content: effects, cards, card tables, gambits, challenge cards."""

import functools
from dataclasses import dataclass, field

from stardeck.kernels.contract.card_tables import Row
from stardeck.kernels.star_realms.cards.decks import Decks
from stardeck.kernels.star_realms.cards.vocabulary import OPTION_WORDS
from stardeck.kernels.star_realms.rules import BossOp, Kind, Op


@dataclass(frozen=True)
class Effect:
    """One effect of an ability; CHOOSE has the `sides` of an "or", each a list of effects."""

    op: Op
    amount: int = 1
    optional: int = 0
    then_draw: int = 0
    then_combat: int = 0
    then_authority: int = 0
    detail: int = 0
    bases: int = 0
    sides: tuple[tuple["Effect", ...], ...] = ()

    def effects(self) -> list["Effect"]:
        """Return the effect itself and those of its sides."""
        return [self] + [inner for side in self.sides for effect in side for inner in effect.effects()]


@dataclass(frozen=True)
class Box:
    """An ally ability: the faction that triggers it, and its effects."""

    faction: int
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Card:
    """One printed card. `primary` holds a list of effects for each side of its "or"."""

    name: str
    kind: Kind
    cost: int
    defense: int
    copies: int
    factions: tuple[int, ...]  # numbers among the set's factions
    primary: tuple[tuple[Effect, ...], ...]
    ally: tuple[Box, ...]
    scrap: tuple[Effect, ...]
    acquired: tuple[Effect, ...]
    ship_combat: int
    ship_combat_at_once: int
    ally_for_every_faction: bool
    pack: str
    source: str
    reconstructed: bool

    @property
    def is_base(self) -> bool:
        """True for a base; outposts are bases."""
        return self.kind != Kind.SHIP

    @property
    def copies_a_ship(self) -> bool:
        """True if its primary ability copies a ship."""
        return self.has(Op.COPY_SHIP)

    @property
    def names_faction(self) -> bool:
        """True if its owner names a faction for it."""
        return self.has(Op.NAME_FACTION)

    def effects(self) -> list[Effect]:
        """Return all effects of all its abilities."""
        lists = [*self.primary, *(box.effects for box in self.ally), self.scrap, self.acquired]
        return [inner for listed in lists for effect in listed for inner in effect.effects()]

    def has(self, op) -> bool:
        """Return whether any of its abilities has this operation."""
        return op in self._operations

    @functools.cached_property
    def _operations(self):
        return frozenset(effect.op for effect in self.effects())

    def option_words(self) -> tuple[str, ...]:
        """Return the word for each side of its "or"; empty without one."""
        return words_of(self.primary) if len(self.primary) > 1 else ()


def words_of(sides) -> tuple[str, ...]:
    """Return the word for each side of an "or"."""
    return tuple(OPTION_WORDS[side[0].op] for side in sides)


@dataclass(frozen=True, eq=False)  # hashed by identity
class CardSet:
    """A card table: cards in the order of the file, and the other content of a box."""

    title: str
    factions: tuple[str, ...]
    cards: tuple[Card, ...]
    starting_deck: Decks  # card numbers: one deck for all seats, or one for each
    personal_decks: dict[str, tuple[int, ...]]  # by side of a campaign
    explorer: int
    explorers: int
    numbers: dict[str, int] = field(compare=False)
    campaign: Row | None = None  # the table with its stickers and scenarios
    slots: tuple = ()  # rows of sticker sheets, whose numbers follow those of the cards; see campaign.py
    changes: tuple = ()  # the changes that the scenarios of a campaign make
    has_blob: bool = False  # True: the last scenario of its campaign is a fight against the Blob

    @property
    def names(self) -> list[str]:
        """Names by card number: of a printed card, or of the row of a sticker sheet."""
        return [thing.name for thing in (*self.cards, *self.slots)]

    def faces(self, number) -> tuple[Card, ...]:
        """Return the cards that a number can mean."""
        if number < len(self.cards):
            return (self.cards[number],)
        return tuple(self.slots[number - len(self.cards)].forms.values())

    @functools.cached_property
    def effects(self) -> tuple[Effect, ...]:
        """All effects that a game can reach: of cards with and without stickers, and of scenarios."""
        cards = [card for number in range(len(self.names)) for card in self.faces(number)]
        return tuple(inner for thing in (*cards, *self.changes) for inner in thing.effects())

    @functools.cached_property
    def operations(self) -> frozenset[Op]:
        """Operations of all effects."""
        return frozenset(effect.op for effect in self.effects)

    def has(self, *operations) -> bool:
        """Return whether any effect has one of these operations."""
        return not self.operations.isdisjoint(operations)

    @property
    def asks_to_draw(self) -> bool:
        """True if an effect lets the player choose whether to draw."""
        return any(effect.optional and effect.op in (Op.DRAW, Op.DRAW_THEN_DISCARD) for effect in self.effects)

    @property
    def reconstructed(self) -> bool:
        """True if any row is a reconstruction of a card that was never published as text."""
        return any(card.reconstructed for card in self.cards)


@dataclass(frozen=True)
class Gambit:
    """One kind of gambit."""

    name: str
    copies: int
    scrap: tuple[Effect, ...]
    shield: int  # combat taken off every attack on its owner
    combat: int  # combat on each turn of its owner
    source: str


@dataclass(frozen=True)
class BossEffect:
    """One effect of a Boss's ability, on each affected player."""

    op: BossOp
    amount: int = 1
    else_combat: int = 0


@dataclass(frozen=True, eq=False)  # hashed by identity
class Boss:
    """A challenge card."""

    name: str
    authority_per_player: int
    face_down_per_player: int
    gathers: bool
    reveals_for_each: bool
    abilities: dict[str, tuple[BossEffect, ...]]  # by faction
    base_combat: int
    source: str
