"""Questions to players (rulebook: Special Cards; rulings: when is a question put at all).

A question that a player may decline is put only to players who have another answer.
"""

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.play.ending import end_game
from stardeck.kernels.interstellar_empire.play.zones import clockwise, has_special
from stardeck.kernels.interstellar_empire.rules import Op
from stardeck.kernels.interstellar_empire.state import Ask


@kernel
def put_question(state, seat, ask):
    """Put a question to a seat."""
    state.ask = ask
    state.to_act = seat


@kernel
def go_on(rules, state):
    """Continue the turn: the active player moves, or the game ends if the deck is empty."""
    if state.deck_count == 0:
        end_game(rules, state)
    else:
        put_question(state, state.active, Ask.MOVE)


@kernel
def op_asked(ask):
    """Return the operation that a special needs to answer this question."""
    if ask == Ask.SURPRISE:
        return Op.BATTLE_BONUS
    if ask == Ask.RESISTANCE:
        return Op.TAX_NEW_PLANET
    if ask == Ask.SLAVERY:
        return Op.PICK
    if ask == Ask.PIRACY:
        return Op.STEAL_NEW_SHIP
    if ask == Ask.UNREST:
        return Op.TAX_NEW_SHIP
    return Op.NONE


@kernel
def ask_opponents(rules, state, after, ask):
    """Ask the next opponent clockwise after `after` who has a fitting special; return True if there is one."""
    seat = clockwise(rules, after, 1)
    while seat != state.active:
        if has_special(rules, state.players[seat], op_asked(ask)):
            put_question(state, seat, ask)
            return True
        seat = clockwise(rules, seat, 1)
    return False
