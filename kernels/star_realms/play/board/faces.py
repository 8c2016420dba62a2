"""The printed face of a card, stickers included (rulebook: Upgrading Cards).

The number of an upgraded card is its slot: the row of the sticker sheet that it used up. The state records which card
has the slot. Each combination of card and sticker has a row in the card table.
"""

import numpy as np

from stardeck.kernels.compile.jit import inline_kernel
from stardeck.kernels.star_realms.state import SLOT_LIMIT


@inline_kernel
def is_large(state):
    """Return whether a state has room for upgraded cards; a compile-time constant, so small states skip that code."""
    return len(state.upgraded) == SLOT_LIMIT


@inline_kernel
def face(rules, state, card):
    """Return the row of the card table for a card in a game."""
    if is_large(state) and card >= rules.slots_from:
        slot = card - rules.slots_from
        card = np.int64(rules.form[slot, state.upgraded[slot]])
    return rules.cards[card]
