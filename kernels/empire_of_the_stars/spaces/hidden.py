"""Resampling of information that a seat cannot know (rulings: what may a seat see).

Hidden are:

- the order of the stack and of the technology decks
- tiles face down on blocked sectors
- the technology cards in other hands, except their cost, which the backs show
- powers that other players choose from
- battle plans that lie face down

The places of wormholes in the stack are known, and so are tiles that went under it. A question to buy reveals something
about the hand of the player asked: it holds a card that the player can pay for.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.empire_of_the_stars.play.galaxy import NONE, bit, clockwise
from stardeck.kernels.empire_of_the_stars.play.roles.scientist import affordable
from stardeck.kernels.empire_of_the_stars.rules import POWER_LIMIT
from stardeck.kernels.empire_of_the_stars.spaces.observe import clip, sees_part, show_cards
from stardeck.kernels.empire_of_the_stars.state import COSTS, MAX_SEATS, STACK_LIMIT, TECHNOLOGY_LIMIT, Ask, Plan, Step
from stardeck.kernels.primitives.action_set import ONE, lowest
from stardeck.kernels.primitives.random import mix, random_below, shuffle

POOL_LIMIT = 2 * STACK_LIMIT  # tiles of the stack and of the blocked sectors


@kernel
def resample_tiles(rules, state):
    """Shuffle the unknown tiles of the stack and of the blocked sectors."""
    counts = stack_array(STACK_LIMIT, np.int64)
    for tile in range(rules.tile_kinds):
        counts[tile] = state.buried[tile]
        state.buried[tile] = 0
    hidden = 0
    for place in range(np.int64(state.stack_known), np.int64(state.stack_count)):
        if state.stack[place] != rules.wormhole_tile:
            counts[state.stack[place]] += 1
    tiles = stack_array(POOL_LIMIT, np.int64)
    for tile in range(rules.tile_kinds):
        for _ in range(counts[tile]):
            tiles[hidden] = tile
            hidden += 1
    shuffle(state, tiles, hidden)
    for place in range(np.int64(state.stack_known), np.int64(state.stack_count)):
        if state.stack[place] != rules.wormhole_tile:
            hidden -= 1
            state.stack[place] = tiles[hidden]
    for i in range(hidden):
        state.buried[tiles[i]] += 1


@kernel
def gather_cards(rules, state, seat, cost, cards, sizes):
    """Collect the technologies of a cost that `seat` does not see, in a fixed order, and return their number.

    sizes: int64[seats], the number of them that each other player holds.
    """
    unseen = stack_array(2, np.uint64)
    unseen[0] = unseen[1] = NONE
    for place in range(state.deck_count[cost]):
        card = np.int64(state.decks[cost, place])
        unseen[card >> 6] |= bit(card & 63)
    for other in range(rules.players):
        sizes[other] = 0
        if other != seat:
            for word in range(2):
                held = state.players[other].hand[word] & rules.of_cost[cost, word]
                unseen[word] |= held
                state.players[other].hand[word] &= ~held
                while held != NONE:
                    sizes[other] += 1
                    held &= held - ONE
    count = 0
    for word in range(2):
        while unseen[word] != NONE:
            cards[count] = 64 * word + lowest(unseen[word])
            unseen[word] &= unseen[word] - ONE
            count += 1
    return count


@kernel
def deal_cards(rules, state, seat):
    """Deal hands and decks again, cost by cost."""
    cards = stack_array(TECHNOLOGY_LIMIT, np.int64)
    sizes = stack_array(MAX_SEATS, np.int64)
    for cost in range(COSTS):
        count = gather_cards(rules, state, seat, cost, cards, sizes)
        shuffle(state, cards, count)
        for other in range(rules.players):
            for _ in range(sizes[other]):
                count -= 1
                state.players[other].hand[cards[count] >> 6] |= bit(cards[count] & 63)
        for place in range(count):
            state.decks[cost, place] = cards[place]


@kernel
def could_be_asked(rules, state):
    """Return True if the hand of the seat to act fits a question to buy."""
    if state.step != Step.BUY or state.ask != Ask.STEP:
        return True
    asked = np.int64(state.to_act)
    return affordable(rules, state, asked, 0) | affordable(rules, state, asked, 1) != NONE


@kernel
def resample_powers(rules, state, seat):
    """Deal three new powers to each other player, from those that `seat` has not seen; redraw choices already made."""
    powers = stack_array(POWER_LIMIT, np.int64)
    count = 0
    for power in range(rules.power_count):
        own = False
        for place in range(3):
            own = own or state.players[seat].dealt[place] == power
        if not own:
            powers[count] = power
            count += 1
    shuffle(state, powers, count)
    for other in range(rules.players):
        player = state.players[other]
        if other != seat:
            for place in range(3):
                if player.dealt[place] >= 0:
                    count -= 1
                    player.dealt[place] = powers[count]
            if player.power >= 0:
                player.power = player.dealt[random_below(state, 3)]


@kernel
def resample_plans(rules, state, seat):
    """Draw the parts of battle plans that `seat` does not see."""
    for side in range(2):
        for part in range(2):
            if state.plans[side, part] < 0 or sees_part(rules, state, seat, side, part):
                continue
            most = np.int64(state.strength[side])
            if part == Plan.WEAPONS:
                most -= state.plans[side, Plan.TACTICS]
            state.plans[side, part] = random_below(state, most + 1)


@kernel
def observe_hidden(rules, state, seat, hidden):
    """Write the other hands, clockwise from `seat`, and what lies on top of decks and stack; then battle plans.

    hidden: uint8[players * technologies + tile kinds + 4]. A number of a battle plan is 0 if `seat` sees it.
    """
    for i in range(len(hidden)):
        hidden[i] = 0
    technologies, players = np.int64(rules.technology_count), np.int64(rules.players)
    for place in range(1, players):
        show_cards(hidden, (place - 1) * technologies, state.players[clockwise(rules, seat, place)].hand)
    top = (players - 1) * technologies
    for cost in range(COSTS):
        if state.deck_count[cost] > 0:
            hidden[top + state.decks[cost, state.deck_count[cost] - 1]] = 1
    tiles = top + technologies
    if state.stack_count > 0:
        hidden[tiles + state.stack[state.stack_count - 1]] = 1
    plans = tiles + np.int64(rules.tile_kinds)
    for side in range(2):
        for part in range(2):
            if state.plans[side, part] >= 0 and not sees_part(rules, state, seat, side, part):
                hidden[plans + 2 * side + part] = clip(state.plans[side, part])


@kernel
def resample_hidden(rules, state, seat, seed):
    """Deal again, from `seed`, all that `seat` cannot know. States that look the same to it become the same."""
    state.random = mix(np.uint64(seed))
    resample_tiles(rules, state)
    deal_cards(rules, state, seat)
    while not could_be_asked(rules, state):
        deal_cards(rules, state, seat)
    if state.step == Step.KEEP_POWER:
        resample_powers(rules, state, seat)
    if state.step == Step.PLAN:
        resample_plans(rules, state, seat)


@kernel
def resample_weighted(rules, state, seat, seed, weights):
    """Resample like `resample_hidden`: this game has no opponent-hand model."""
    resample_hidden(rules, state, seat, seed)
