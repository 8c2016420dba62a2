"""What is printed on a card, stickers included (rulebook: Upgrading Cards).

An upgraded card has the number of its slot, the row of the sticker sheet that it used up; which card that is, the game
remembers, and each card with each sticker has a row of its own in the card table.
"""

import numpy as np

from stardeck.kernels.compile.jit import inline_kernel
from stardeck.kernels.star_realms.state import SLOT_LIMIT


@inline_kernel
def is_large(state):
    """Whether a state has room for upgraded cards; the compiler knows, and leaves out what small states never need."""
    return len(state.upgraded) == SLOT_LIMIT


@inline_kernel
def face(rules, state, card):
    """The row of the card table for a card in a game."""
    if is_large(state) and card >= rules.slots_from:
        slot = card - rules.slots_from
        card = np.int64(rules.form[slot, state.upgraded[slot]])
    return rules.cards[card]
