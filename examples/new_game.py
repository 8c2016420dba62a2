"""Beacons: a whole game in one file. Copy it, rename the game, run it, then edit it (docs/add_a_game.md).

Rules. Five beacons, worth 1 to 5 points, are lit one after the other in a random order. Each of 2 to 4 players holds
five ships, dealt from 27: numbers 1 to 9, three of each. Hands are hidden. For each beacon every player, clockwise
from the leader, openly sends one ship. Ships of equal numbers crash. The highest ship that has not crashed takes the
beacon, and its owner leads for the next one. If all crash, the beacon goes out. The most points win.

    python examples/new_game.py
    STARDECK_GAMES=examples/new_game.py stardeck play beacons
    STARDECK_GAMES=examples/new_game.py stardeck serve
"""

from enum import IntEnum

import numpy as np

import stardeck
from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.contract.new_game import build, rules_dtype, state_dtype
from stardeck.kernels.contract.settings import Setting
from stardeck.kernels.contract.variant import BaseVariant, Block, Row
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.random import mix, shuffle

NAME = "beacons"
SEATS, KINDS, COPIES, ROUNDS = 4, 9, 3, 5
PACK = KINDS * COPIES
SHIPS = [f"ship {number + 1}" for number in range(KINDS)]
SETTINGS = (Setting("players", 2, (2, SEATS), "number of players"),)


class Act(IntEnum):
    """The blocks of the action space."""

    SEND = 0


class Field(IntEnum):
    """The fields of an observation."""

    BEACON = 0
    ROUND = 1
    POINTS = 2
    HAND = 3
    SENT = 4
    PLAYED = 5


STATE = state_dtype(
    NAME,
    SEATS,
    [
        ("beacons", np.uint8, (ROUNDS,)),  # their points, in the order in which they are lit
        ("round", np.uint8),
        ("hands", np.uint8, (SEATS, KINDS)),  # ships of each number
        ("sent", np.uint8, (SEATS,)),  # to the present beacon: the number of a ship, 0: none yet
        ("played", np.uint8, (KINDS,)),  # ships that have left a hand, by number
        ("points", np.uint8, (SEATS,)),
    ],
)
RULES = rules_dtype(acts=Act, observed=Field)


class Beacons(BaseVariant):
    """The game with a number of players."""

    NAME = NAME
    blocks = (Block(Act.SEND, "send {card}", "send a ship", lambda settings: [(kind,) for kind in range(KINDS)]),)
    fields = (  # field, how many numbers ("": one, "card": one for each card), of which seats, scale, meaning
        Row(Field.BEACON, "", "", 1 / ROUNDS, "points of the beacon that is lit"),
        Row(Field.ROUND, "", "", 1 / ROUNDS, "beacons before it"),
        Row(Field.POINTS, "", "all", 1 / 15, "points"),
        Row(Field.HAND, "card", "me", 1 / COPIES, "ships in hand"),
        Row(Field.SENT, "card", "all", 1.0, "the ship that was sent to this beacon"),
        Row(Field.PLAYED, "card", "", 1 / COPIES, "ships that have left a hand"),
    )


def make_variant(**settings):
    """Return the variant with these settings."""
    return build(Beacons, SETTINGS, settings, names=SHIPS, states=STATE, rules=RULES)


def check_position(variant, state):
    """Raise ValueError for a position that no game can reach."""
    hands, sent, lit, to_act = state["hands"], state["sent"], int(state["round"]), int(state["to_act"])
    order = np.roll(sent[: variant.players] > 0, -to_act).tolist()  # from whoever sends now, clockwise
    sizes = hands.sum(axis=1) + (sent > 0)
    wanted = [ROUNDS - lit] * variant.players + [0] * (SEATS - variant.players)
    if sizes.tolist() != wanted or (hands.sum(axis=0) + state["played"] > COPIES).any() or sent.max() > KINDS:
        raise ValueError(f"hands, sent, played: must be {COPIES} ships of each number, as many for each player")
    if sorted(state["beacons"]) != list(range(1, ROUNDS + 1)) or state["points"].sum() > sum(range(ROUNDS + 1)):
        raise ValueError(f"beacons, points: the beacons must be worth 1 to {ROUNDS}, each once")
    if (to_act < 0) != (lit == ROUNDS) or order[0] or order != sorted(order):
        raise ValueError("to_act: must be a seat that has a ship to send, or -1 at the end")


# The rules, as compiled functions. rules: one record of RULES; state: one record of STATE, changed in place.


@kernel
def deal(rules, state, seed):
    """Set up a new game in a blank record."""
    state.variant = rules.variant
    state.random = np.uint64(seed)
    state.turn = 1
    pack = stack_array(PACK, np.uint8)
    for place in range(PACK):
        pack[place] = place % KINDS
    shuffle(state, pack, PACK)
    for seat in range(rules.players):
        for place in range(ROUNDS):
            state.hands[seat, pack[seat * ROUNDS + place]] += 1
    for place in range(ROUNDS):
        state.beacons[place] = place + 1
    shuffle(state, state.beacons, ROUNDS)


@kernel
def legal_actions(rules, state, legal):
    """Write the set of legal actions: any ship of the hand."""
    action_set.clear(legal)
    if state.to_act >= 0:
        for kind in range(KINDS):
            action_set.mark_if(legal, kind, state.hands[state.to_act, kind] > 0)


@kernel
def apply(rules, state, action):
    """Send a ship; the last one of a round decides who takes the beacon."""
    seat = np.int64(state.to_act)
    kind = np.int64(rules.actions[action].card)
    state.decisions += 1
    state.hands[seat, kind] -= 1
    state.played[kind] += 1
    state.sent[seat] = kind + 1
    state.turn += 1
    following = (seat + 1) % rules.players
    state.to_act = following
    if state.sent[following] > 0:
        end_round(rules, state)


@kernel
def end_round(rules, state):
    """Give the beacon to the highest ship that has not crashed, and light the next one."""
    best, winner = 0, -1
    for seat in range(rules.players):
        crashed = False
        for other in range(rules.players):
            crashed = crashed or (other != seat and state.sent[other] == state.sent[seat])
        if not crashed and state.sent[seat] > best:
            best, winner = np.int64(state.sent[seat]), seat
    if winner >= 0:
        state.points[winner] += state.beacons[state.round]
        state.to_act = winner  # after a crash of all, whoever has led leads again
    for seat in range(rules.players):
        state.sent[seat] = 0
    state.round += 1
    if state.round == ROUNDS:
        end_game(rules, state)


@kernel
def end_game(rules, state):
    """Rank the players by points; equal points share a rank."""
    state.to_act = -1
    for seat in range(rules.players):
        state.placement[seat] = 1
        for other in range(rules.players):
            if state.points[other] > state.points[seat]:
                state.placement[seat] += 1


@kernel
def observe(rules, state, seat, observation):
    """Write what `seat` may know; other seats are counted clockwise from it."""
    for place in range(len(observation)):
        observation[place] = 0
    at = rules.offset
    if state.round < ROUNDS:
        observation[at[Field.BEACON]] = state.beacons[state.round]
    observation[at[Field.ROUND]] = state.round
    for distance in range(rules.players):
        other = (seat + distance) % rules.players
        observation[at[Field.POINTS] + distance] = state.points[other]
        if state.sent[other] > 0:
            observation[at[Field.SENT] + distance * KINDS + state.sent[other] - 1] = 1
    for kind in range(KINDS):
        observation[at[Field.HAND] + kind] = state.hands[seat, kind]
        observation[at[Field.PLAYED] + kind] = state.played[kind]


@kernel
def resample_hidden(rules, state, seat, seed):
    """Draw again what `seat` cannot know: the other hands, the beacons to come and the stream of chance."""
    state.random = mix(np.uint64(seed))
    pack = stack_array(PACK, np.uint8)
    count = 0
    for kind in range(KINDS):
        for _ in range(COPIES - np.int64(state.hands[seat, kind]) - np.int64(state.played[kind])):
            pack[count] = kind
            count += 1
    shuffle(state, pack, count)
    for other in range(rules.players):
        if other != seat:
            size = 0
            for kind in range(KINDS):
                size += np.int64(state.hands[other, kind])
                state.hands[other, kind] = 0
            for _ in range(size):
                count -= 1
                state.hands[other, pack[count]] += 1
    resample_beacons(state)


@kernel
def resample_beacons(state):
    """Draw the order of the beacons again that were not lit yet."""
    lit = min(np.int64(state.round) + 1, ROUNDS)
    place = lit
    for points in range(1, ROUNDS + 1):
        was_lit = False
        for earlier in range(lit):
            was_lit = was_lit or state.beacons[earlier] == points
        if not was_lit:
            state.beacons[place] = points
            place += 1
    shuffle(state, state.beacons[lit:], ROUNDS - lit)


verbs.implement(verbs.deal, STATE, deal)
verbs.implement(verbs.legal_actions, STATE, legal_actions)
verbs.implement(verbs.apply, STATE, apply)
verbs.implement(verbs.observe, STATE, observe)
verbs.implement(verbs.resample_hidden, STATE, resample_hidden)
stardeck.register_game(NAME)
GAMES = 400

if __name__ == "__main__":
    stardeck.check_game(NAME)
    game = stardeck.make(NAME)
    states = game.deal(7)
    print(game.render(states, 0), "legal: " + ", ".join(game.moves(states)), sep="\n")
    ended = game.playout(game.deal(np.arange(GAMES)), ["search:50", "random"], seed=1)
    print(
        f"of {GAMES} games search:50 wins {game.winners(ended)[:, 0].sum()}, random {game.winners(ended)[:, 1].sum()}"
    )
