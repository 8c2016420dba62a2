"""The course of the game: after every action it runs on by itself to the next decision (rulebook: Gameplay).

`apply` is the verb. It carries out the action as the answer to what was asked; `settle` then goes from step to step.
"""

import numpy as np

from stardeck.kernels.empire_of_the_stars.play.battle import (
    advance_ally,
    advance_answer,
    advance_hits,
    advance_invade,
    advance_invite,
    advance_plan,
    advance_ready,
    advance_tactics,
    begin_hits,
    declare,
    end_hits,
    end_invade,
    end_invite,
    hit_ship,
    hit_token,
    invade,
    is_standing_starbase,
    join,
    next_third,
    set_part,
    side_of,
)
from stardeck.kernels.empire_of_the_stars.play.dealing import (
    advance_set_up,
    keep_power,
    settle_first_planet,
    settle_home,
)
from stardeck.kernels.empire_of_the_stars.play.effects import has_room
from stardeck.kernels.empire_of_the_stars.play.galaxy import clockwise
from stardeck.kernels.empire_of_the_stars.play.movement import move_ship, pick_ship
from stardeck.kernels.empire_of_the_stars.play.questions import NOT_YET, begin_step, next_by_power, put_question
from stardeck.kernels.empire_of_the_stars.play.roles.engineer import (
    advance_build,
    advance_deploy,
    begin_engineer,
    build,
    build_free,
    deploy,
    end_build,
)
from stardeck.kernels.empire_of_the_stars.play.roles.explorer import (
    advance_colony,
    advance_extra,
    advance_tile,
    begin_explorer,
    colonize_by_card,
    colonize_by_privilege,
    leave_colony,
    pick_tile,
    put_tile,
)
from stardeck.kernels.empire_of_the_stars.play.roles.merchant import (
    advance_invest,
    advance_trade,
    begin_merchant,
    buy,
    end_invest,
    end_trade,
    invest,
    sell,
)
from stardeck.kernels.empire_of_the_stars.play.roles.regent import (
    advance_buy_influence,
    advance_edict,
    advance_place,
    advance_throne,
    begin_regent,
    buy_influence,
    end_buy_influence,
    place_influence,
    set_edict,
)
from stardeck.kernels.empire_of_the_stars.play.roles.scientist import (
    advance_buy,
    advance_discard,
    advance_draw,
    begin_scientist,
    buy_card,
    discard_card,
    draw_card,
)
from stardeck.kernels.empire_of_the_stars.play.roles.steward import (
    advance_market_tile,
    advance_produce,
    begin_steward,
    choose_market_tile,
)
from stardeck.kernels.empire_of_the_stars.play.roles.warlord import advance_turn, begin_warlord, colonize, end_turn
from stardeck.kernels.empire_of_the_stars.play.rondel import advance_choose_role, end_role, move_monolith, start_role
from stardeck.kernels.empire_of_the_stars.play.windows import announce, flip, pass_point, use_card
from stardeck.kernels.empire_of_the_stars.play.working import (
    convert,
    destroy_ship,
    destroy_token,
    favour,
    gain_owed,
    go_on_working,
    match,
    pass_work,
    place_colony,
    replace,
    swap,
    take,
    upgrade,
)
from stardeck.kernels.empire_of_the_stars.rules import Act, Point
from stardeck.kernels.empire_of_the_stars.state import REGIONS, THRONE, Ask, Role, Stage, Step
from stardeck.kernels.jit import kernel

# Running on


@kernel
def ask_owed(rules, state):
    """Ask who may still gain resources of choice by an event, by power number; whether somebody is asked."""
    for place in range(rules.players):
        seat = np.int64(state.order[place])
        player = state.players[seat]
        if player.owed > 0:
            if has_room(rules, player):
                put_question(state, seat, Ask.GAIN)
                return True
            player.owed = 0
    return False


@kernel
def carry_out_role(rules, state):
    """The role itself, after the window before it."""
    role = state.role
    if role == Role.EXPLORER:
        begin_explorer(rules, state)
    elif role == Role.STEWARD:
        begin_steward(rules, state)
    elif role == Role.MERCHANT:
        begin_merchant(rules, state)
    elif role == Role.ENGINEER:
        begin_engineer(state)
    elif role == Role.SCIENTIST:
        begin_scientist(state)
    elif role == Role.WARLORD:
        begin_warlord(rules, state)
    else:
        begin_regent(rules, state)


@kernel
def advance_window(rules, state):
    """What may be used before or after the role, by power number."""
    seat = np.int64(state.active)
    is_before = state.step == Step.BEFORE
    point = (Point.BEFORE if is_before else Point.AFTER) + np.int64(state.role)
    if not pass_point(rules, state, seat, point):
        return
    following = next_by_power(rules, state, seat)
    if following >= 0:
        begin_step(state, np.int64(state.step), following)
    elif is_before:
        carry_out_role(rules, state)
    else:
        end_role(rules, state)


@kernel
def advance_warlord(rules, state):
    """Go on within WARLORD."""
    step = state.step
    if step <= Step.COLONIZE:
        advance_turn(rules, state)
    elif step == Step.INVITE:
        advance_invite(rules, state)
    elif step == Step.ANSWER:
        advance_answer(rules, state)
    elif step == Step.ALLY:
        advance_ally(rules, state)
    elif step == Step.READY:
        advance_ready(rules, state)
    elif step == Step.PLAN:
        advance_plan(rules, state)
    elif step == Step.TACTICS:
        advance_tactics(rules, state)
    elif step == Step.HITS:
        advance_hits(rules, state)
    else:
        advance_invade(rules, state)


@kernel
def advance_other(rules, state):
    """Go on within another role."""
    step = state.step
    if step == Step.TILE:
        advance_tile(rules, state)
    elif step == Step.REGION or step == Step.MARKET_TILE:
        advance_market_tile(state)
    elif step == Step.COLONY:
        advance_colony(rules, state)
    elif step == Step.EXTRA:
        advance_extra(rules, state)
    elif step == Step.PRODUCE:
        advance_produce(rules, state)
    elif step == Step.TRADE:
        advance_trade(rules, state)
    elif step == Step.INVEST:
        advance_invest(rules, state)
    elif step == Step.BUILD:
        advance_build(rules, state)
    elif step == Step.DEPLOY:
        advance_deploy(rules, state)
    elif step == Step.DRAW:
        advance_draw(rules, state)
    elif step == Step.BUY:
        advance_buy(rules, state)
    elif step == Step.DISCARD:
        advance_discard(rules, state)
    elif step == Step.BUY_INFLUENCE:
        advance_buy_influence(rules, state)
    elif step == Step.PLACE:
        advance_place(rules, state)
    elif step == Step.THRONE:
        advance_throne(rules, state)
    else:
        advance_edict(state)


@kernel
def advance(rules, state):
    """Go on to the next question, or a bit of the way."""
    step = state.step
    if Step.MOVE <= step <= Step.INVADE:
        advance_warlord(rules, state)
    elif step > Step.AFTER:
        advance_other(rules, state)
    elif step >= Step.BEFORE:
        advance_window(rules, state)
    elif step == Step.CHOOSE_ROLE:
        advance_choose_role(state)
    else:
        advance_set_up(state)


@kernel
def settle(rules, state):
    """Run on until somebody has something to decide or the game is over."""
    while state.to_act == NOT_YET:
        if ask_owed(rules, state):
            return
        if state.work_side >= 0:
            go_on_working(rules, state)
        else:
            advance(rules, state)


# Answers


@kernel
def pick(rules, state, seat, row):
    """Pick a ship; where it goes is asked next."""
    owner = clockwise(rules, seat, np.int64(row.distance))
    pick_ship(state, owner, row.what // REGIONS, row.what % REGIONS)
    put_question(state, seat, Ask.DESTINATION)


@kernel
def answer_set_up(rules, state, what):
    """An answer during the set-up."""
    if state.step == Step.KEEP_POWER:
        keep_power(rules, state, what)
    elif state.step == Step.HOME:
        settle_home(rules, state, what)
    else:
        settle_first_planet(rules, state, what)


@kernel
def answer_choose_role(rules, state, act, role):
    """The choice of a role."""
    if act == Act.CHOOSE_ROLE:
        start_role(rules, state, role)
    else:
        move_monolith(rules, state, role, 1 if act == Act.FORWARD else -1)


@kernel
def answer_explorer(rules, state, act, what):
    """An answer in EXPLORER."""
    if state.step == Step.TILE:
        pick_tile(state, what)
    elif state.step == Step.REGION:
        put_tile(rules, state, what)
    elif act == Act.REGION:
        colonize_by_privilege(state)
    elif act == Act.NAME:
        colonize_by_card(rules, state, what)
    else:
        leave_colony(state)


@kernel
def answer_merchant(rules, state, act, what):
    """An answer in MERCHANT."""
    if act == Act.SELL:
        sell(rules, state, what)
    elif act == Act.BUY:
        buy(rules, state, what)
    elif act == Act.INVEST:
        invest(rules, state, what)
    elif state.step == Step.TRADE:
        end_trade(rules, state)
    else:
        end_invest(rules, state)


@kernel
def answer_engineer(rules, state, act, what):
    """An answer in ENGINEER."""
    if act == Act.BUILD:
        build(rules, state, what)
    elif act == Act.BUILD_FREE:
        build_free(state, what)
    elif act == Act.SHIP:
        deploy(state, what // REGIONS, what % REGIONS)
    else:
        end_build(rules, state)


@kernel
def answer_scientist(rules, state, act, what):
    """An answer in SCIENTIST."""
    if act == Act.DRAW_DECK or act == Act.DRAW_DISCARD:
        draw_card(state, what, act == Act.DRAW_DECK)
    elif act == Act.PASS:
        state.step = Step.BUY if state.step == Step.DRAW else Step.DISCARD
    elif state.step == Step.BUY:
        buy_card(rules, state, what - rules.names_from)
    else:
        discard_card(rules, state, what - rules.names_from)


@kernel
def answer_turn(rules, state, seat, row):
    """An answer in the own turn of WARLORD."""
    act = row.act
    if act == Act.SHIP:
        pick(rules, state, seat, row)
    elif act == Act.BATTLE:
        declare(rules, state, clockwise(rules, seat, np.int64(row.distance)), np.int64(row.what))
    elif act == Act.REGION:
        colonize(state, np.int64(row.what))
    else:
        end_turn(rules, state)


@kernel
def answer_call(rules, state, seat, row):
    """An invitation, the answer to one, or a ship that an ally brings."""
    act = row.act
    if act == Act.SHIP:
        pick(rules, state, seat, row)
    elif act == Act.INVITE:
        third = clockwise(rules, seat, np.int64(row.distance))
        state.players[third].invited |= 1 << side_of(state, seat)
    elif act == Act.JOIN:
        join(state, np.int64(row.what))
    elif state.step == Step.INVITE:
        end_invite(rules, state)
    else:
        next_third(rules, state)


@kernel
def answer_hits(rules, state, seat, row):
    """A hit, or no more."""
    what = np.int64(row.what)
    if row.act == Act.SHIP:
        owner = clockwise(rules, seat, np.int64(row.distance))
        hit_ship(rules, state, owner, what // REGIONS, what % REGIONS)
    elif row.act == Act.TOKEN:
        hit_token(state, what, is_standing_starbase(rules, state, what))
    else:
        end_hits(rules, state)


@kernel
def answer_battle(rules, state, seat, row):
    """An answer in a battle."""
    step = state.step
    if step <= Step.ALLY:
        answer_call(rules, state, seat, row)
    elif step == Step.PLAN:
        set_part(state, seat, np.int64(row.what))
    elif step == Step.HITS:
        answer_hits(rules, state, seat, row)
    elif step == Step.TACTICS:
        if row.act == Act.SHIP:
            pick(rules, state, seat, row)
        else:
            begin_hits(rules, state)
    elif row.act == Act.REGION:
        invade(rules, state, np.int64(row.what))
    else:
        end_invade(rules, state)


@kernel
def answer_regent(rules, state, act, what):
    """An answer in REGENT."""
    if act == Act.BUY_INFLUENCE:
        buy_influence(rules, state)
    elif act == Act.PASS:
        end_buy_influence(rules, state)
    elif act == Act.REGION:
        place_influence(state, what)
    elif act == Act.INFLUENCE_THRONE:
        place_influence(state, THRONE)
    else:
        set_edict(rules, state, what)


@kernel
def answer_step(rules, state, seat, row):
    """The answer to what a step is about."""
    step = state.step
    what = np.int64(row.what)
    if Step.MOVE <= step <= Step.COLONIZE:
        answer_turn(rules, state, seat, row)
    elif Step.INVITE <= step <= Step.INVADE:
        answer_battle(rules, state, seat, row)
    elif step <= Step.FIRST_PLANET:
        answer_set_up(rules, state, what)
    elif step == Step.CHOOSE_ROLE:
        answer_choose_role(rules, state, np.int64(row.act), what)
    elif step <= Step.EXTRA:
        answer_explorer(rules, state, np.int64(row.act), what)
    elif step == Step.MARKET_TILE:
        choose_market_tile(rules, state, what)
    elif step <= Step.INVEST:
        answer_merchant(rules, state, np.int64(row.act), what)
    elif step <= Step.DEPLOY:
        answer_engineer(rules, state, np.int64(row.act), what)
    elif step <= Step.DISCARD:
        answer_scientist(rules, state, np.int64(row.act), what)
    else:
        answer_regent(rules, state, np.int64(row.act), what)


@kernel
def arrive(rules, state, region):
    """The ship picked goes where it was sent."""
    move_ship(rules, state, region)
    if state.work_side >= 0:
        state.work_left -= 1
    elif state.step == Step.TACTICS:
        state.tactics_left -= 1


@kernel
def answer_surge(state, seat, act):
    """Announce the surge side, flip it, or neither."""
    if act == Act.SURGE:
        announce(state, seat)
    elif act == Act.FLIP:
        flip(state, seat)


@kernel
def answer_work(rules, state, seat, row):
    """A choice within an effect."""
    ask = state.ask
    what = np.int64(row.what)
    if row.act == Act.PASS:
        pass_work(rules, state)
    elif ask == Ask.SWAP:
        swap(rules, state, seat, what // 3, what % 3)
    elif ask == Ask.FAVOUR:
        favour(rules, state, seat, what)
    elif ask == Ask.REPLACE:
        replace(state, what)
    elif ask == Ask.PLACE_COLONY:
        place_colony(state, seat, what)
    elif ask == Ask.UPGRADE:
        upgrade(rules, state, seat, what)
    elif ask == Ask.MOVE_ENEMY or ask == Ask.REINFORCE:
        pick(rules, state, seat, row)
    elif ask == Ask.DESTROY and row.act == Act.SHIP:
        destroy_ship(state, what // REGIONS, what % REGIONS)
    elif ask == Ask.DESTROY:
        destroy_token(state, seat, what)
    elif ask == Ask.TAKE:
        take(state, seat, clockwise(rules, seat, np.int64(row.distance)), what)
    elif ask == Ask.CONVERT:
        convert(rules, state, seat, what)
    else:
        match(rules, state, seat, what)


@kernel
def answer(rules, state, seat, row):
    """The answer to what was asked."""
    ask = state.ask
    if ask == Ask.STEP:
        answer_step(rules, state, seat, row)
    elif ask == Ask.DESTINATION:
        arrive(rules, state, np.int64(row.what))
    elif ask == Ask.SURGE:
        answer_surge(state, seat, np.int64(row.act))
    elif ask == Ask.USE:
        if row.act == Act.PASS:
            state.stage = Stage.LEAVE
        else:
            use_card(rules, state, seat, np.int64(row.what))
    elif ask == Ask.GAIN:
        if row.act == Act.PASS:
            state.players[seat].owed = 0
        else:
            gain_owed(rules, state, seat, np.int64(row.what))
    else:
        answer_work(rules, state, seat, row)


@kernel
def apply(rules, state, action):
    """Apply a legal action, in place."""
    state.decisions += 1
    seat = np.int64(state.to_act)
    state.to_act = NOT_YET
    answer(rules, state, seat, rules.actions[action])
    settle(rules, state)
