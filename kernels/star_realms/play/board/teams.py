"""Sides: teammates, attack targets, and resources that teammates share (rulebook: Formats, Hydra, Emperor)."""

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.scenes import against_blob
from stardeck.kernels.star_realms.play.board.zones import put_in_discard_pile, take_from_discard_pile
from stardeck.kernels.star_realms.rules import Reach
from stardeck.kernels.star_realms.state import Part, Zone


@kernel
def clockwise(rules, seat, distance):
    """Return the seat at this distance clockwise. distance: 0 … players.

    A comparison is cheaper than a division's remainder.
    """
    other = seat + distance
    return other if other < rules.players else other - rules.players


@kernel
def is_in_game(state, seat):
    """Return whether a player is still in the game."""
    return state.players[seat].authority > 0


@kernel
def is_opponent(rules, state, seat, other):
    """Return whether `other` is still in the game and not on the side of `seat`."""
    return rules.side[other] != rules.side[seat] and is_in_game(state, other)


@kernel
def is_teammate(rules, state, seat, other):
    """Return whether `other` is another player of the same side and still in the game."""
    return other != seat and rules.side[other] == rules.side[seat] and is_in_game(state, other)


@kernel
def left_neighbour(rules, state, seat):
    """Return the next player clockwise who is still in the game."""
    other = clockwise(rules, seat, 1)
    while not is_in_game(state, other):
        other = clockwise(rules, other, 1)
    return other


@kernel
def right_neighbour(rules, state, seat):
    """Return the next player counter-clockwise who is still in the game."""
    other = clockwise(rules, seat, rules.players - 1)
    while not is_in_game(state, other):
        other = clockwise(rules, other, rules.players - 1)
    return other


@kernel
def faces(rules, state, seat, other):
    """Return whether `seat` may attack `other` in Emperor.

    A leader may attack anyone. Other players attack the player across, and the enemy leader once that player is out.
    """
    across = rules.players - 1 - seat
    if rules.leader[seat] or other == across:
        return True
    return rules.leader[other] != 0 and not is_in_game(state, across)


@kernel
def may_attack(rules, state, seat, other):
    """Return whether the format lets `seat` attack the player `other` or make them discard (rulebook: Formats).

    Players do not attack each other while both face the Blob. (Ruling: scenario 12)
    """
    if not is_opponent(rules, state, seat, other) or against_blob(rules, state):
        return False
    if rules.reach == Reach.NEIGHBOURS:
        return other == left_neighbour(rules, state, seat)
    return rules.reach == Reach.ANYONE or faces(rules, state, seat, other)


@kernel
def may_attack_bases(rules, state, seat, other):
    """Return whether the format lets `seat` attack or target bases of `other`; in Hunter, those of both neighbours."""
    if rules.reach == Reach.NEIGHBOURS:
        return is_opponent(rules, state, seat, other) and (
            other == left_neighbour(rules, state, seat) or other == right_neighbour(rules, state, seat)
        )
    return may_attack(rules, state, seat, other)


@kernel
def change_authority(rules, state, seat, amount):
    """Add to a player's authority, or to the score of a team that shares one. amount: negative for a loss."""
    if rules.shared_authority == 0:
        state.players[seat].authority += amount
        return
    for mate in range(rules.players):
        if rules.side[mate] == rules.side[seat]:
            state.players[mate].authority += amount


@kernel
def can_take_over(rules, state, seat, other):
    """Return whether `other` is a teammate who has not finished the shared turn; only they can receive anything."""
    return is_teammate(rules, state, seat, other) and state.players[other].finished != Part.FINISHED


@kernel
def allow_handing_over(rules, state):
    """Let players who handed over the move do so again, after the team has done something else (ruling).

    Without this rule, teammates could pass the move back and forth forever.
    """
    for seat in range(rules.players):
        if state.players[seat].finished == Part.HANDED_OVER:
            state.players[seat].finished = Part.OPEN


@kernel
def next_to_finish(rules, state, seat):
    """Return the next teammate clockwise who has not finished the shared turn, or -1."""
    for distance in range(1, rules.players):
        mate = clockwise(rules, seat, distance)
        if can_take_over(rules, state, seat, mate):
            return mate
    return -1


@kernel
def give_trade(state, seat, mate, amount):
    """Transfer trade to a teammate's pool (rulebook: Hydra)."""
    state.players[seat].trade -= amount
    state.players[mate].trade += amount


@kernel
def give_combat(state, seat, mate, amount):
    """Transfer combat to a teammate's pool (rulebook: Hydra)."""
    state.players[seat].combat -= amount
    state.players[mate].combat += amount


@kernel
def is_neighbour(rules, seat, other):
    """Return whether two players sit side by side."""
    return other == clockwise(rules, seat, 1) or seat == clockwise(rules, other, 1)


@kernel
def may_pass_cards(rules, state, seat, mate):
    """Return whether `seat` may pay to pass a discarded card to this teammate (rulebook: Emperor)."""
    return is_teammate(rules, state, seat, mate) and is_neighbour(rules, seat, mate)


@kernel
def pass_card(rules, state, seat, mate, card):
    """Pay to move a card from a player's discard pile to that of a neighbouring teammate (rulebook: Emperor)."""
    player = state.players[seat]
    player.trade -= rules.pass_card_cost
    take_from_discard_pile(player, card)
    put_in_discard_pile(state.players[mate], card)


@kernel
def can_pass_cards(rules, player):
    """Return whether a player has enough trade and a card to pass."""
    return 0 < rules.pass_card_cost <= player.trade and player.count[Zone.DISCARD_PILE] > 0
