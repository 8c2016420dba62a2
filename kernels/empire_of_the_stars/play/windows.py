"""Points where powers and technologies take effect (rulebook: Player Powers; rulings: order in a window, surge).

At each point a seat passes through the same stages: announcing the surge side, automatic gains, the choices of an
announced surge side, the choices of other cards in any order.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Battle, BattleSide, Event, Manner, Op
from stardeck.kernels.empire_of_the_stars.play.answers import mark
from stardeck.kernels.empire_of_the_stars.play.display import display_size
from stardeck.kernels.empire_of_the_stars.play.effects import gains_at, holds, named_side, technology_side
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, active_side, free_regions
from stardeck.kernels.empire_of_the_stars.play.questions import put_question
from stardeck.kernels.empire_of_the_stars.play.working import begin_work, is_used, mark_used, offers_something
from stardeck.kernels.empire_of_the_stars.rules import Act, Point
from stardeck.kernels.empire_of_the_stars.state import NOTHING, Ask, Side, Stage, Step
from stardeck.kernels.primitives.action_set import ONE, lowest


@kernel
def point_at_hand(state):
    """Return the point of the present step."""
    step = state.step
    if step == Step.BEFORE:
        return Point.BEFORE + np.int64(state.role)
    if step == Step.AFTER:
        return Point.AFTER + np.int64(state.role)
    if step == Step.TILE:
        return Point.EXPLORER_TURN
    if step == Step.EXTRA:
        return Point.EXTRA
    if step == Step.PRODUCE:
        return Point.PRODUCE
    if step == Step.TRADE:
        return Point.TRADE
    if step == Step.INVEST:
        return Point.INVEST
    if step == Step.BUILD:
        return Point.BUILD
    if step == Step.DRAW:
        return Point.SCIENTIST_TURN
    if step == Step.MOVE:
        return Point.WARLORD_TURN
    if step == Step.READY:
        return Point.READY
    if step == Step.PLACE:
        return Point.PLACE
    return Point.THRONE


@kernel
def can_place_tile(rules, state):
    """Return True if a display tile can be placed."""
    return display_size(rules, state) > 0 and free_regions(rules, state) != NONE


@kernel
def takes_fitting_part(state, seat, effect):
    """Return True if a seat has the part in the present battle that an effect applies to."""
    is_main = state.mains[0] == seat or state.mains[1] == seat
    if effect.event == Event.ALLY_IN_BATTLE:
        return state.players[seat].allied >= 0
    if effect.op == Op.BATTLE and effect.values[Battle.SIDE] == BattleSide.DEFENDER:
        return state.mains[Side.DEFENDER] == seat
    return is_main


@kernel
def is_worth_announcing(rules, state, seat, effect):
    """Return True if an effect makes its side matter at the point where a surge is announced."""
    if effect.point == Point.READY and effect.op != Op.REINFORCE:
        return takes_fitting_part(state, seat, effect)
    if effect.use == Point.PLACED:
        return can_place_tile(rules, state)
    if effect.use == Point.EXTRA:
        return can_place_tile(rules, state) and state.stack_count > 0
    if effect.manner == Manner.EVENT or effect.manner == Manner.STANDING:
        return True
    if not holds(rules, state, seat, effect.condition, -1):
        return False
    return effect.manner == Manner.AUTOMATIC or offers_something(rules, state, seat, effect)


@kernel
def side_matters(rules, state, seat, side, point):
    """Return True if a side of a power has a relevant effect at a point."""
    card = rules.sides[side]
    if (card.points >> np.uint32(point)) & np.uint32(1) == 0:
        return False
    for place in range(card.count):
        effect = card.effects[place]
        if effect.point == point and is_worth_announcing(rules, state, seat, effect):
            return True
    return False


@kernel
def surge_matters(rules, state, seat):
    """Return True if `surge` is a legal answer at this point."""
    side = rules.power_count + state.players[seat].power
    return side_matters(rules, state, seat, side, point_at_hand(state))


@kernel
def flip_matters(rules, state, seat):
    """Return True if `flip` is a legal answer at this point."""
    return side_matters(rules, state, seat, np.int64(state.players[seat].power), point_at_hand(state))


@kernel
def usable_effect(rules, state, seat, side, point):
    """Return the first optional effect of a card at a point, or NOTHING."""
    card = rules.sides[side]
    for place in range(card.count):
        effect = card.effects[place]
        if effect.manner == Manner.ASKING and effect.use == point:
            if not is_used(rules, state.players[seat], side, place):
                if holds(rules, state, seat, effect.condition, -1) and offers_something(rules, state, seat, effect):
                    return place
    return NOTHING


@kernel
def pass_over(rules, state, seat, side, end):
    """Mark earlier optional effects at the same point as used: they had nothing to offer and do not come again."""
    effects = rules.sides[side].effects
    for place in range(end):
        if effects[place].manner == Manner.ASKING and effects[place].use == effects[end].use:
            mark_used(rules, state, seat, side, place)


@kernel
def any_usable(rules, state, seat, point):
    """Return True if a seat can use a card by choice at a point."""
    player = state.players[seat]
    side = active_side(rules, player)
    if side >= 0 and usable_effect(rules, state, seat, side, point) >= 0:
        return True
    for word in range(len(player.technologies)):
        owned = player.technologies[word] & rules.at_point[point, word] & ~player.used[word]
        while owned != NONE:
            if usable_effect(rules, state, seat, technology_side(rules, 64 * word + lowest(owned)), point) >= 0:
                return True
            owned &= owned - ONE
    return False


@kernel
def use_card(rules, state, seat, name):
    """Use a card, given by its number in the block of names, at the present point."""
    side = named_side(rules, state.players[seat], name)
    place = usable_effect(rules, state, seat, side, point_at_hand(state))
    begin_work(rules, state, seat, side, place)


@kernel
def ask_surge(rules, state, seat):
    """Ask a seat with a surged power to announce it, if that matters; return True if it is asked."""
    player = state.players[seat]
    if player.surged == 0 or player.surging != 0 or player.power < 0:
        return False
    if surge_matters(rules, state, seat) or flip_matters(rules, state, seat):
        put_question(state, seat, Ask.SURGE)
        return True
    return False


@kernel
def pass_point(rules, state, seat, point):
    """Move a seat through the stages of a point; return True at the end, False if a question is open."""
    if state.stage == Stage.SURGE:
        state.stage = Stage.GAINS
        if ask_surge(rules, state, seat):
            return False
    if state.stage == Stage.GAINS:
        state.stage = Stage.DIRECT
        gains_at(rules, state, seat, point)
        if state.players[seat].owed > 0:
            return False
    if state.stage == Stage.DIRECT:
        if state.players[seat].surging != 0:
            side = active_side(rules, state.players[seat])
            place = usable_effect(rules, state, seat, side, point)
            if place >= 0:
                pass_over(rules, state, seat, side, place)
                begin_work(rules, state, seat, side, place)
                return False
        state.stage = Stage.USES
    if state.stage == Stage.USES and any_usable(rules, state, seat, point):
        put_question(state, seat, Ask.USE)
        return False
    state.stage = Stage.OWN
    return True


# The questions


@kernel
def mark_surge(rules, state, seat, legal):
    """Mark announcing the surge side, flipping it, and passing."""
    mark(rules, legal, Act.PASS, 0)
    if surge_matters(rules, state, seat):
        mark(rules, legal, Act.SURGE, 0)
    if flip_matters(rules, state, seat):
        mark(rules, legal, Act.FLIP, 0)


@kernel
def answer_surge(state, seat, act):
    """Announce a surge side, which stays active until the role ends, or flip it to the core side."""
    player = state.players[seat]
    if act == Act.SURGE:
        player.surging = 1
        player.used_effects = 0
    elif act == Act.FLIP:
        player.surged = 0


@kernel
def mark_usable(rules, state, seat, point, legal):
    """Mark the powers and technologies that can be used by choice at a point."""
    player = state.players[seat]
    side = active_side(rules, player)
    if side >= 0 and usable_effect(rules, state, seat, side, point) >= 0:
        mark(rules, legal, Act.NAME, np.int64(player.power))
    for word in range(len(player.technologies)):
        owned = player.technologies[word] & rules.at_point[point, word] & ~player.used[word]
        while owned != NONE:
            number = 64 * word + lowest(owned)
            if usable_effect(rules, state, seat, technology_side(rules, number), point) >= 0:
                mark(rules, legal, Act.NAME, rules.names_from + number)
            owned &= owned - ONE


@kernel
def answer_use(rules, state, seat, row):
    """Use a card, or stop using cards."""
    if row.act == Act.PASS:
        state.stage = Stage.LEAVE
    else:
        use_card(rules, state, seat, np.int64(row.what))
