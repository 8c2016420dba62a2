"""The choice of a role: the Monolith on its circle, credits on passed roles, the scepter (rulebook: Gameplay)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.empire_of_the_stars.operations import Number, Op
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_first
from stardeck.kernels.empire_of_the_stars.play.effects import gain_credits, summed
from stardeck.kernels.empire_of_the_stars.play.emperor import end_game, receive_scepter
from stardeck.kernels.empire_of_the_stars.play.galaxy import clockwise
from stardeck.kernels.empire_of_the_stars.play.questions import begin_by_power
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import NOTHING, RESOURCES, ROLES, Step


@kernel
def passed_over(rules, state, role, step):
    """Return the number of roles strictly between the Monolith and a role. step: 1 forward on the circle, -1 back."""
    there = rules.place_on_circle[role]
    here = rules.place_on_circle[state.monolith]
    return (step * (there - here)) % ROLES - 1


@kernel
def farthest(rules, state):
    """Return the number of roles that the holder of the scepter can pass over."""
    player = state.players[state.scepter]
    return player.credits + summed(rules, player, Op.PASS, Number.N)


@kernel
def move_monolith(rules, state, role, step):
    """Move the Monolith to a role.

    Each role passed gets a credit; with effects the supply pays for the first ones. The player takes the credits on the
    role chosen.
    """
    player = state.players[state.scepter]
    count = passed_over(rules, state, role, step)
    place = np.int64(rules.place_on_circle[state.monolith])
    for _ in range(count):
        place = (place + step) % ROLES
        state.role_credits[rules.circle[place]] += 1
    player.credits -= max(0, count - summed(rules, player, Op.PASS, Number.N))
    gain_credits(player, np.int64(state.role_credits[role]))
    state.role_credits[role] = 0
    start_role(rules, state, role)


@kernel
def start_role(rules, state, role):
    """Start a role with the effects of cards before it."""
    state.monolith = role
    state.role = role
    state.turn += 1
    begin_by_power(state, Step.BEFORE)


@kernel
def forget_role(rules, state):
    """Clear the data of a role; announced surge sides turn back (ruling: surge: how is it announced)."""
    state.role = NOTHING
    state.influence_sold = 0
    for seat in range(rules.players):
        player = state.players[seat]
        if player.surging:
            player.surged = 0
            player.surging = 0
        player.used_effects = 0
        for word in range(len(player.used)):
            player.used[word] = np.uint64(0)
        for slot in range(len(player.favoured)):
            player.favoured[slot] = NOTHING
        for resource in range(RESOURCES):
            player.sold[resource] = 0
            player.bought[resource] = 0
        player.buyer = 0
        player.wormholes = 0
        player.fights = 0


@kernel
def end_at_limit(rules, state):
    """End a game that has reached its limit.

    Without a limit a game may never end: a player who takes the throne before its holder receives the scepter postpones
    the end. At the limit the game is truncated, or the final score decides, with its tie-breaks. (Rulebook: The Emperor
    and ending the game; it has no such limit)
    """
    if state.turn >= rules.max_turns:
        state.truncated = 1 - rules.score_at_limit
        end_game(rules, state)


@kernel
def end_role(rules, state):
    """Give two players a second role; then pass the scepter to the left (rulebook: Playing with 2 players)."""
    forget_role(rules, state)
    state.step = Step.CHOOSE_ROLE
    state.roles_left -= 1
    if state.roles_left > 0:
        end_at_limit(rules, state)
        return
    state.scepter = clockwise(rules, np.int64(state.scepter), 1)
    state.roles_left = 2 if rules.players == 2 else 1
    if state.scepter != state.emperor or not receive_scepter(rules, state):
        end_at_limit(rules, state)


@kernel
def mark_roles(rules, state, legal):
    """Mark any role as the first choice, later the roles within reach (rulebook: Gameplay; ruling: choosing a role)."""
    if state.monolith < 0:
        mark_first(rules, legal, Act.CHOOSE_ROLE, ROLES)
        return
    most = farthest(rules, state)
    for role in range(ROLES):
        if role != state.monolith:
            if passed_over(rules, state, role, 1) <= most:
                mark(rules, legal, Act.FORWARD, role)
            if passed_over(rules, state, role, -1) <= most:
                mark(rules, legal, Act.BACK, role)


@kernel
def choose_role(rules, state, row):
    """Carry out the choice of a role."""
    role = np.int64(row.what)
    if row.act == Act.CHOOSE_ROLE:
        start_role(rules, state, role)
    else:
        move_monolith(rules, state, role, 1 if row.act == Act.FORWARD else -1)
