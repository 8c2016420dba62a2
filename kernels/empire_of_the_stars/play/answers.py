"""Marks for legal answers in the set of actions."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import CLASSES, REGIONS
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.action_set import ONE


@kernel
def mark(rules, legal, act, what):
    """Mark one action of a block."""
    action_set.mark(legal, rules.first[act] + what)


@kernel
def mark_first(rules, legal, act, count):
    """Mark the first actions of a block."""
    action_set.mark_all(legal, np.int64(rules.first[act]), (ONE << np.uint64(count)) - ONE)


@kernel
def mark_regions(rules, legal, regions):
    """Mark regions as answers."""
    if regions != NONE:
        action_set.mark_all(legal, np.int64(rules.first[Act.REGION]), regions)


@kernel
def mark_tokens(rules, legal, regions):
    """Mark regions with a colony or starbase as answers."""
    action_set.mark_all(legal, np.int64(rules.first[Act.TOKEN]), regions)


@kernel
def mark_ships(rules, legal, distance, kind, regions):
    """Mark ships of a class by region; their owner sits `distance` places clockwise."""
    if regions != NONE:
        first = rules.first[Act.SHIP] + (distance * CLASSES + kind) * REGIONS
        action_set.mark_all(legal, np.int64(first), regions)


@kernel
def mark_display(rules, state, legal):
    """Mark the tiles on display."""
    for tile in range(rules.tile_kinds):
        if state.display[tile] > 0:
            mark(rules, legal, Act.TILE, tile)


@kernel
def mark_cards(rules, legal, first_word, second_word):
    """Mark a set of technologies, given as two words of bits."""
    first = np.int64(rules.first[Act.NAME] + rules.names_from)
    if first_word != NONE:
        action_set.mark_all(legal, first, first_word)
    if second_word != NONE:
        action_set.mark_all(legal, first + 64, second_word)
