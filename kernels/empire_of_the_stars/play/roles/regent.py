"""REGENT: influence is gained, placed and resolved; then the throne and the edict follow (rulebook: Regent)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.empire_of_the_stars.operations import Flag, Influence, Op
from stardeck.kernels.empire_of_the_stars.play.answers import mark, mark_first, mark_regions
from stardeck.kernels.empire_of_the_stars.play.effects import summed
from stardeck.kernels.empire_of_the_stars.play.emperor import score_edict
from stardeck.kernels.empire_of_the_stars.play.galaxy import all_tokens, bit, has, has_flag
from stardeck.kernels.empire_of_the_stars.play.questions import (
    begin_by_power,
    begin_step,
    left_of_scepter,
    pass_by_power,
    pass_left,
    put_question,
)
from stardeck.kernels.empire_of_the_stars.play.windows import pass_point
from stardeck.kernels.empire_of_the_stars.rules import Act, Point
from stardeck.kernels.empire_of_the_stars.state import MAX_SEATS, NOBODY, REGIONS, THRONE, Ask, Stage, Step

INFLUENCE = 2  # rulebook: Regent 1
FIRST_PRICE = 2


@kernel
def begin(rules, state):
    """Give all players two tokens, or more by effects, as far as their boards go (rulebook: Regent 1)."""
    for seat in range(rules.players):
        player = state.players[seat]
        count = min(INFLUENCE + summed(rules, player, Op.INFLUENCE, Influence.EXTRA), np.int64(player.tokens))
        player.tokens -= count
        player.influence = count
    begin_step(state, Step.BUY_INFLUENCE, np.int64(state.scepter))


@kernel
def price_of_influence(rules, state, player):
    """Return the cost of an extra token, in credits."""
    return max(0, FIRST_PRICE + state.influence_sold - summed(rules, player, Op.INFLUENCE, Influence.DISCOUNT))


@kernel
def advance_buy_influence(rules, state):
    """Let each player in turn buy one more token."""
    seat = np.int64(state.active)
    player = state.players[seat]
    if player.tokens > 0 and player.credits >= price_of_influence(rules, state, player):
        put_question(state, seat, Ask.STEP)
    else:
        end_buy_influence(rules, state)


@kernel
def buy_influence(rules, state):
    """Pay for one more token; the next one costs more."""
    player = state.players[state.active]
    player.credits -= price_of_influence(rules, state, player)
    player.tokens -= 1
    player.influence += 1
    state.influence_sold += 1
    end_buy_influence(rules, state)


@kernel
def end_buy_influence(rules, state):
    """Ask the next player; then let players place influence, left of the chooser first."""
    if not pass_left(rules, state, Step.BUY_INFLUENCE, np.int64(state.scepter)):
        begin_step(state, Step.PLACE, left_of_scepter(rules, state))


@kernel
def influence_targets(rules, state, seat):
    """Return the planets except home worlds, and asteroid fields that are or can be colonized (ruling: targets).

    A player can target an asteroid field if it has a token, or if the player can colonize it.
    """
    regions = state.planets | (state.asteroids & all_tokens(rules, state))
    if has_flag(rules, state.players[seat], Flag.ASTEROID_COLONY):
        regions |= state.asteroids
    return regions


@kernel
def advance_place(rules, state):
    """Let each player in turn place all influence (rulebook: Regent 2)."""
    seat = np.int64(state.active)
    if state.stage != Stage.OWN and not pass_point(rules, state, seat, Point.PLACE):
        return
    if state.players[seat].influence > 0:
        put_question(state, seat, Ask.STEP)
        return
    if not pass_left(rules, state, Step.PLACE, left_of_scepter(rules, state)):
        resolve_planets(rules, state)
        begin_by_power(state, Step.THRONE)


@kernel
def place_influence(state, target):
    """Place one token on a region or the throne."""
    player = state.players[state.active]
    player.influence -= 1
    player.placed[target] += 1


# Resolving


@kernel
def influence_on(player, region):
    """Return the influence of a player on a planet: the tokens placed, 1 for a colony, 2 for a starbase."""
    return (
        np.int64(player.placed[region])
        + np.int64(has(player.colonies, region))
        + 2 * np.int64(has(player.starbases, region))
    )


@kernel
def keep_planet(rules, state, region, winner, left):
    """Leave the winner a colony or starbase, and return all other tokens. winner: NOBODY if the planet stays empty."""
    here = bit(region)
    for seat in range(rules.players):
        player = state.players[seat]
        player.tokens += player.placed[region] + has(player.colonies | player.starbases, region)
        player.placed[region] = 0
        player.colonies &= ~here
        player.starbases &= ~here
    if winner != NOBODY:
        state.players[winner].tokens -= 1
        if left > 1:
            state.players[winner].starbases |= here
        else:
            state.players[winner].colonies |= here


@kernel
def highest_of(counts, players):
    """Return the seat with the highest count, or NOBODY in a tie, the highest count and the second."""
    winner = NOBODY
    highest = second = 0
    for seat in range(players):
        count = counts[seat]
        if count > highest:
            second = highest
            highest = count
            winner = seat
        elif count == highest and count > 0:
            second = count
            winner = NOBODY
        elif count > second:
            second = count
    return winner, highest, second


@kernel
def resolve_planet(rules, state, region):
    """Leave the highest influence its lead over the second (rulebook: Regent 3; rulings: resolving, guard)."""
    counts = stack_array(MAX_SEATS, np.int64)
    involved = 0
    for seat in range(rules.players):
        counts[seat] = influence_on(state.players[seat], region)
        involved += counts[seat] > 0
    if involved > 1:
        for seat in range(rules.players):
            player = state.players[seat]
            if has(player.colonies | player.starbases, region):
                counts[seat] += summed(rules, player, Op.INFLUENCE, Influence.GUARD)
    winner, highest, second = highest_of(counts, rules.players)
    left = highest - second
    if winner != NOBODY:
        left = min(left, influence_on(state.players[winner], region))
    keep_planet(rules, state, region, winner, left)


@kernel
def resolve_planets(rules, state):
    """Resolve every planet where influence was placed."""
    for region in range(REGIONS):
        placed = 0
        for seat in range(rules.players):
            placed += np.int64(state.players[seat].placed[region])
        if placed > 0:
            resolve_planet(rules, state, region)


@kernel
def advance_throne(rules, state):
    """Let players claim the throne by a card; then resolve it (rulebook: Regent 4)."""
    seat = np.int64(state.active)
    if not pass_point(rules, state, seat, Point.THRONE):
        return
    if not pass_by_power(rules, state, Step.THRONE):
        resolve_throne(rules, state)


@kernel
def claimant(rules, state):
    """Return the first seat by power number that claims the throne by a card, or NOBODY."""
    for place in range(rules.players):
        seat = np.int64(state.order[place])
        if has_flag(rules, state.players[seat], Flag.CLAIM_THRONE):
            return seat
    return NOBODY


@kernel
def resolve_throne(rules, state):
    """Set the new Emperor, by a claim, by influence, or else the chooser; all tokens return."""
    counts = stack_array(MAX_SEATS, np.int64)
    for seat in range(rules.players):
        player = state.players[seat]
        counts[seat] = np.int64(player.placed[THRONE])
        if counts[seat] > 0:
            counts[seat] += summed(rules, player, Op.INFLUENCE, Influence.THRONE)
        player.tokens += player.placed[THRONE]
        player.placed[THRONE] = 0
    winner, _, _ = highest_of(counts, rules.players)
    claims = claimant(rules, state)
    if claims != NOBODY:
        winner = claims
    state.emperor = winner if winner != NOBODY else np.int64(state.scepter)
    begin_step(state, Step.EDICT, np.int64(state.emperor))


@kernel
def set_edict(rules, state, edict):
    """Set an edict, the choice of the Emperor, and score it (rulebook: Regent 5)."""
    state.edict = edict
    score_edict(rules, state)
    begin_by_power(state, Step.AFTER)


# The question


@kernel
def advance(rules, state):
    """Advance within the role."""
    step = state.step
    if step == Step.BUY_INFLUENCE:
        advance_buy_influence(rules, state)
    elif step == Step.PLACE:
        advance_place(rules, state)
    elif step == Step.THRONE:
        advance_throne(rules, state)
    else:
        put_question(state, np.int64(state.active), Ask.STEP)


@kernel
def mark_answers(rules, state, seat, legal):
    """Mark one more token or none, or planets and the throne, or edicts."""
    if state.step == Step.BUY_INFLUENCE:
        mark(rules, legal, Act.BUY_INFLUENCE, 0)
        mark(rules, legal, Act.PASS, 0)
    elif state.step == Step.PLACE:
        mark(rules, legal, Act.INFLUENCE_THRONE, 0)
        mark_regions(rules, legal, influence_targets(rules, state, seat))
    else:
        mark_first(rules, legal, Act.EDICT, np.int64(rules.edict_count))


@kernel
def answer(rules, state, seat, row):
    """Buy a token or not, place one, or set an edict."""
    act = row.act
    what = np.int64(row.what)
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
