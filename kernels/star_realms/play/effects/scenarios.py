"""Changes that a scenario of the campaign makes (Rise of Empire rulebook: Campaign Setup, Scenario cards).

The changes are data: one row of `rules.scenarios` for each choice of the first player, or for the side of the first
player's faction. `scene` (scenes.py) returns the row in use; outside a campaign it changes nothing.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.decisions import push
from stardeck.kernels.star_realms.play.board.faces import is_large
from stardeck.kernels.star_realms.play.board.scenes import limit_is_open, scene
from stardeck.kernels.star_realms.play.board.zones import scrap
from stardeck.kernels.star_realms.play.effects.effects import bases_in_play, resolve
from stardeck.kernels.star_realms.state import Decision


@kernel
def comes_in(rules, state, effects):
    """Return whether an event triggers effects within the scenario's limit per turn; if so, count it."""
    if effects[0] == effects[1] or not limit_is_open(rules, state):
        return False
    state.limit_used += 1
    return True


@kernel
def react(rules, state, seat, effects):
    """Resolve the scenario's effects for an event. effects: [first, end)."""
    if comes_in(rules, state, effects):
        resolve(rules, state, seat, np.int64(effects[0]), np.int64(effects[1]))


@kernel
def scrap_own_card(rules, state, seat, card):
    """Scrap a card that a player owns and resolve the scenario's effects for it."""
    scrap(rules, state, card)
    if is_large(state):
        react(rules, state, seat, scene(rules, state).scrapped)


@kernel
def gain_by_destroying(rules, state, seat):
    """Resolve the scenario's effects for destroying an opponent's base."""
    if is_large(state):
        react(rules, state, seat, scene(rules, state).destroyed)


@kernel
def start_turn(rules, state, seat):
    """Resolve the scenario's effects at the start of a turn, before anything else (ruling: turn_start)."""
    scenario = scene(rules, state)
    if bases_in_play(rules, state, state.players[seat]) >= scenario.turn_start_bases:
        resolve(rules, state, seat, np.int64(scenario.turn_start[0]), np.int64(scenario.turn_start[1]))


@kernel
def add_to_primary(rules, state, seat, card):
    """Push the effects that a scenario adds to a card's primary ability; they wait until the ability is over."""
    scenario = scene(rules, state)
    if scenario.bonus[0] < scenario.bonus[1] and scenario.bonus_card == card:
        push(state, Decision.REST, seat, seat, np.int64(scenario.bonus[0]), np.int64(scenario.bonus[1]))


@kernel
def ask_for_modifier(rules, state):
    """Ask the first player for the scenario's change before any card is drawn; return whether there is a question."""
    if scene(rules, state).asks == 0 or state.modifier != 0:
        return False
    push(state, Decision.MODIFIER, np.int64(state.first), np.int64(state.first), 0, 0)
    return True
