"""Actions that are safe to take in any order and without a choice, decided by the card table.

Left out is whatever asks, whatever another player would answer, whatever depends on what was played before, and a draw
that could still change: by a shuffle, or by a card that the player may put on top of the deck first.
"""

from collections import Counter

import numpy as np

from stardeck.kernels.loops import batch
from stardeck.kernels.star_realms.rules import Act, ForcedDiscards, Op
from stardeck.kernels.star_realms.state import Zone, pile_of
from stardeck.kernels.star_realms.text.sentences import copied_by, effect_of
from stardeck.kernels.text.moves import legal_numbers

UNASKED = (Op.TRADE, Op.COMBAT, Op.AUTHORITY, Op.NEXT_SHIP_ON_TOP, Op.COST_REDUCTION)
ONTO_DECK = (Op.NEXT_SHIP_ON_TOP, Op.ACQUIRE_SHIP_TO_DECK, Op.ACQUIRE_SHIP_FROM_ROW, Op.PUT_ON_DECK)


class _Safe:
    """The seat to act in a state, and what is safe for it."""

    def __init__(self, variant, state):
        self.variant, self.state = variant, state
        self.seat = int(state["to_act"])
        self.player = state["players"][self.seat]
        self.hand = Counter(pile_of(self.player, Zone.HAND).tolist())
        self.in_play = [int(entry["card"]) for entry in self.player["in_play"][: self.player["in_play_count"]]]

    def card(self, number):
        """Return a card of this game."""
        return self.variant.card(self.state, number)

    @property
    def discards_wait(self) -> bool:
        """True if a forced discard asks nobody now, and there is only one player to name."""
        rules = self.variant.rules[0]
        automated = rules["challenge"] or self.variant.blob(self.state)
        return self.variant.players == 2 and not automated and rules["forced_discards"] == ForcedDiscards.NEXT_TURN

    @property
    def draws_are_fixed(self) -> bool:
        """True if no card that the player has can put another one on top of the deck first."""
        owned = map(self.card, {*self.hand, *self.in_play})
        moves_cards = self.player["next_ship_on_top"] or any(card.has(op) for card in owned for op in ONTO_DECK)
        return not moves_cards and not self.player["known_on_deck"]

    def draws(self, effect) -> bool:
        """Return whether an effect draws cards, however many bases are still to come."""
        bases = sum(self.card(number).is_base for number in self.in_play)
        return effect.op == Op.DRAW and not effect.optional and bases >= effect.bases and self.draws_are_fixed

    def is_safe(self, effects) -> bool:
        """Return whether effects ask nothing and do not depend on the order."""
        return all(
            effect.op in UNASKED or self.draws(effect) or (effect.op == Op.OPPONENT_DISCARDS and self.discards_wait)
            for effect in effects
        )

    def added(self, number):
        """Return the effects that a scenario adds to a card."""
        if not self.state["scenario"]:
            return []
        rules = self.variant.rules[0]
        rows = rules["scenarios"][self.state["scenario"]]
        side = max(int(rules["seat_side"][self.state["first"]]), 0)
        scene = rows[max(int(self.state["modifier"]) - 1, 0) if rows[0]["asks"] else side]
        first, end = scene["bonus"] if scene["bonus_card"] == number else (0, 0)
        return [effect_of(row) for row in rules["effects"][first:end]]

    def played(self, number):
        """Return the effects of playing a card, or None if it is not safe."""
        card = self.card(number)
        if card.is_base:
            return ()
        waits = any(self.card(other).ship_combat and not self.card(other).ship_combat_at_once for other in self.hand)
        if waits or len(card.primary) > 1:  # Fleet HQ comes first: it pays for later ships only
            return None
        return (*(card.primary[0] if card.primary else ()), *self.added(number))

    def effects(self, action):
        """Return the effects of an action, or None if it is none of the safe kinds."""
        if action.act == Act.PLAY:
            return self.played(action.card)
        if action.act == Act.USE:
            sides = self.card(action.card).primary
            return sides[0] if len(sides) == 1 else None
        if action.act == Act.USE_ALLY:
            printed = copied_by(self.variant, self.state, action.card)
            return printed.ally[action.detail].effects if printed else None
        return None

    def times(self, number) -> int:
        """Return how often an action can be taken."""
        action = self.variant.actions[number]
        if action.act == Act.PLAY:
            return self.hand[action.card]
        states, times = np.array([self.state]), 0
        while number in legal_numbers(self.variant, states):
            batch.apply_all(self.variant.rules, states, np.array([number]))
            times += 1
        return times


def play_all(variant, states) -> list[int]:
    """Return the actions that the seat to act may take in any order with the same result, and without a choice.

    The list holds an action as often as it can be taken. states: array of one row.
    """
    state = states[0]
    if state["to_act"] < 0 or state["stack_count"]:
        return []
    safe, chosen, drawing, drawn = _Safe(variant, state), [], [], 0
    for number in legal_numbers(variant, states):
        effects = safe.effects(variant.actions[number])
        if effects is None or not safe.is_safe(effects):
            continue
        times = safe.times(number)
        cards = sum(effect.amount for effect in effects if effect.op == Op.DRAW)
        drawn += times * cards
        (drawing if cards else chosen).extend([number] * times)
    return sorted(chosen + (drawing if drawn <= safe.player["count"][Zone.DECK] else []))


def grouped(variant, states, names=None) -> list[dict]:
    """Return no sequences: an amount of an attack is one move in words already (`attack player_1 with 3`)."""
    return []


def progress(variant, states) -> dict[str, np.ndarray]:
    """Return the authority by seat: int64[n, players]."""
    return {"authority": np.maximum(states["players"]["authority"][:, : variant.players], 0).astype(np.int64)}
