"""Compilation of card tables into the arrays that kernels read."""

import copy
import dataclasses
import functools

import numpy as np

from stardeck.kernels.contract.card_tables import TableError
from stardeck.kernels.star_realms.cards.card import CardSet, words_of
from stardeck.kernels.star_realms.rules import (
    BOSS_EFFECT_LIMIT,
    CARD_LIMIT,
    CHOICE_LIMIT,
    EFFECT,
    EFFECT_LIMIT,
    NO_ACTION,
    NO_SLOTS,
    RULES,
    Op,
)
from stardeck.kernels.star_realms.state import Ability


class Effects:
    """The effects of a rules record, list after list, and the choices among them; equal lists are stored once."""

    def __init__(self):
        self.effects = []
        self.choices = []  # (sides, words) of every "or"
        self._places = {}

    def copy(self):
        """Return a copy to which more effects can be added."""
        copied = copy.copy(self)
        copied.effects, copied.choices, copied._places = list(self.effects), list(self.choices), dict(self._places)
        return copied

    def place(self, listed):
        """Add effects and return their range [first, end)."""
        listed = tuple(self._with_choice(effect) for effect in listed)
        if listed not in self._places:
            first = len(self.effects)
            self.effects.extend(listed)
            self._places[listed] = (first, len(self.effects))
        return self._places[listed]

    def choice(self, sides):
        """Return the number of an "or"."""
        entry = (tuple(self.place(side) for side in sides), words_of(sides))
        if entry not in self.choices:
            self.choices.append(entry)
        return self.choices.index(entry)

    def _with_choice(self, effect):
        if effect.op != Op.CHOOSE:
            return effect
        return dataclasses.replace(effect, detail=self.choice(effect.sides), sides=())

    def write(self, title, rules):
        """Write the effects into a rules record; the words follow with the actions."""
        for what, listed, limit in (
            ("effects", self.effects, EFFECT_LIMIT),
            ("choices", self.choices, CHOICE_LIMIT),
        ):
            if len(listed) > limit:
                raise TableError(f"{title}: {len(listed)} {what}: at most {limit}")
        for number, effect in enumerate(self.effects):
            rules["effects"][number] = tuple(getattr(effect, column) for column in EFFECT.names)
        for number, (sides, _) in enumerate(self.choices):
            rules["choices"][number]["count"] = len(sides)
            rules["choices"][number]["sides"][: len(sides)] = sides


def compile_cards(card_set: CardSet, gambits, boss) -> tuple[np.ndarray, Effects]:
    """Compile a card table, gambits and a Boss's abilities (or None).

    Returns:
        The rules, an array of one record, and their effects, which are written once all are known.
    """
    rules, effects = _compile(card_set, gambits, boss)
    return np.frombuffer(bytearray(rules.tobytes()), RULES), effects.copy()


@functools.lru_cache(maxsize=4)  # the variants of one set are neighbours in the list of variants
def _compile(card_set, gambits, boss):
    effects, table = Effects(), np.zeros(1, RULES)
    rules = table[0]
    faces = [*card_set.cards, *(form for slot in card_set.slots for form in slot.forms.values())]
    if len(faces) > CARD_LIMIT:
        raise TableError(f"{card_set.title}: {len(faces)} cards with all their stickers: at most {CARD_LIMIT}")
    for card, record in zip(faces, rules["cards"], strict=False):
        _write_card(card_set, card, effects, record)
    _write_slots(card_set, rules)
    for number, gambit in enumerate(gambits):
        record = rules["gambits"][number]
        record["action"] = NO_ACTION
        record["scrap"] = effects.place(gambit.scrap)
        for column in ("copies", "shield", "combat"):
            record[column] = getattr(gambit, column)
    if boss:
        _compile_boss(card_set, boss, rules)
    trade_deck = [number for number, card in enumerate(card_set.cards) for _ in range(card.copies)]
    rules["trade_deck"][: len(trade_deck)] = np.array(trade_deck, np.uint8)
    rules["trade_deck_count"] = len(trade_deck)
    rules["types"] = len(card_set.names)
    rules["factions"] = len(card_set.factions)
    rules["names_factions"] = card_set.has(Op.NAME_FACTION)
    rules["acquires_more"] = bool(card_set.slots) or any(card.acquired for card in card_set.cards)
    rules["discounts"] = rules["costs_change"] = card_set.has(Op.COST_REDUCTION)
    rules["explorer"] = card_set.explorer
    rules["explorers"] = card_set.explorers
    return table, effects


def _write_card(card_set, card, effects, record):
    record["action"] = NO_ACTION
    for option, side in enumerate(card.primary):
        record["primary"][option] = effects.place(side)
    if not card.is_base and len(card.primary) > 1:
        record["choice"] = effects.choice(card.primary)
    for box, ability in enumerate(card.ally):
        record["ally"][box] = effects.place(ability.effects)
        record["ally_faction"][box] = 1 << ability.faction
    record["scrap"] = effects.place(card.scrap)
    record["acquired"] = effects.place(card.acquired)
    record["abilities"] = _abilities(card)
    record["options"] = len(card.primary)
    bits = sum(1 << faction for faction in card.factions)
    record["faction"] = bits
    record["ally_for"] = (1 << len(card_set.factions)) - 1 if card.ally_for_every_faction else bits
    record["copies"] = card.copies_a_ship
    record["names_faction"] = card.names_faction
    record["in_trade_deck"] = card.copies > 0
    for column in ("cost", "defense", "kind", "ship_combat", "ship_combat_at_once"):
        record[column] = getattr(card, column)


def _write_slots(card_set, rules):
    """Write the row of the table for each card with a sticker."""
    rules["slots_from"] = len(card_set.cards) if card_set.slots else NO_SLOTS
    row = len(card_set.cards)
    for number, slot in enumerate(card_set.slots):
        for card in slot.forms:
            rules["form"][number, card] = row
            row += 1


def _abilities(card):
    """Return the bits of the abilities that are used while the card is in play."""
    has = {
        Ability.PRIMARY: card.is_base and card.primary,
        Ability.ALLY: len(card.ally) > 0,
        Ability.SECOND_ALLY: len(card.ally) > 1,
        Ability.SCRAP: card.scrap,
    }
    return sum(bit for bit, effects in has.items() if effects)


def _compile_boss(card_set, boss, rules):
    """Write the Boss's abilities in the order of its card; a revealed card gives those of its factions."""
    effects = []
    for number, (faction, listed) in enumerate(boss.abilities.items()):
        rules["boss_abilities"][number] = (len(effects), len(effects) + len(listed))
        effects.extend(listed)
        for card, record in zip(card_set.cards, rules["cards"], strict=False):
            if faction in map(card_set.factions.__getitem__, card.factions):
                record["boss_abilities"] |= 1 << number
    rules["boss_abilities_count"] = len(boss.abilities)
    if len(effects) > BOSS_EFFECT_LIMIT:
        raise TableError(f"{boss.name}: {len(effects)} effects: at most {BOSS_EFFECT_LIMIT}")
    for number, effect in enumerate(effects):
        rules["boss_effects"][number] = (effect.op, effect.amount, effect.else_combat)
