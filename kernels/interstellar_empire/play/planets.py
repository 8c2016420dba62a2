"""Planets and ships just gained, and reactions to them (rulebook: Explore, War, Build, Special Cards)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.play.asking import ask_opponents, go_on, put_question
from stardeck.kernels.interstellar_empire.play.ending import end_game
from stardeck.kernels.interstellar_empire.play.picks import next_pick
from stardeck.kernels.interstellar_empire.play.zones import (
    can_discard,
    discard,
    draw,
    has_special,
    put_on_discard_pile,
)
from stardeck.kernels.interstellar_empire.rules import Family, Op
from stardeck.kernels.interstellar_empire.state import Ask, How


@kernel
def offer_picks(rules, state):
    """Let the new owner, who has kept the planet, play a special for it."""
    player = state.players[state.active]
    if state.deck_count > 0 and has_special(rules, player, Op.PICK):
        put_question(state, state.active, Ask.SLAVERY)
    else:
        go_on(rules, state)


@kernel
def planet_gained(rules, state, how):
    """Handle a planet that has joined the active player's empire: opponents may play a special against it."""
    state.how = how
    if not ask_opponents(rules, state, np.int64(state.active), Ask.RESISTANCE):
        offer_picks(rules, state)


@kernel
def lose_planet(rules, state):
    """Discard the planet just gained."""
    state.players[state.active].empire[state.subject] -= 1
    put_on_discard_pile(state, state.subject)
    go_on(rules, state)


@kernel
def planet_discovered(rules, state):
    """Handle a planet that is paid for: an Agricultural Planet draws its card, then come the reactions (ruling)."""
    card = rules.cards[state.subject]
    if card.op == Op.DRAW_WHEN_DISCOVERED:
        draw(state, state.players[state.active], np.int64(card.amount))
        if state.deck_count == 0:
            end_game(rules, state)
            return
    planet_gained(rules, state, How.DISCOVERED)


@kernel
def lose_ship(rules, state):
    """Discard the ship just built."""
    state.players[state.active].untapped[state.subject] -= 1
    put_on_discard_pile(state, state.subject)
    go_on(rules, state)


@kernel
def offer_unrest(rules, state, after):
    """Let the opponents after `after` play a special against the ship just built."""
    if not ask_opponents(rules, state, after, Ask.UNREST):
        go_on(rules, state)


@kernel
def ship_built(rules, state):
    """Handle a ship that is paid for: opponents may take it, or else tax it (ruling: Space Piracy comes first)."""
    if not ask_opponents(rules, state, np.int64(state.active), Ask.PIRACY):
        offer_unrest(rules, state, np.int64(state.active))


@kernel
def pay(rules, state, card):
    """Discard one card as payment; payment is complete when its total reaches the number of the planet or ship."""
    discard(state, state.players[state.active], card)
    state.paid += rules.cards[card].number
    if state.paid < rules.cards[state.subject].number:
        return
    if rules.cards[state.subject].family == Family.PLANET:
        planet_discovered(rules, state)
    else:
        ship_built(rules, state)


@kernel
def tax(rules, state, answer):
    """Make the active player answer a special with a card, or lose what was gained (ruling).

    A player without a card to answer with loses it without a question.
    """
    if can_discard(rules, state.players[state.active]):
        put_question(state, state.active, answer)
    elif answer == Ask.RESISTANCE_ANSWER:
        lose_planet(rules, state)
    else:
        lose_ship(rules, state)


@kernel
def steal_ship(rules, state, thief):
    """Move the ship just built to another fleet, untapped."""
    state.players[state.active].untapped[state.subject] -= 1
    state.players[thief].untapped[state.subject] += 1
    go_on(rules, state)


@kernel
def play_reaction(rules, state, seat, card):
    """Play a special as a reaction; it goes to the discard pile before it takes effect."""
    discard(state, state.players[seat], card)
    if state.ask == Ask.RESISTANCE:
        tax(rules, state, Ask.RESISTANCE_ANSWER)
    elif state.ask == Ask.UNREST:
        tax(rules, state, Ask.UNREST_ANSWER)
    elif state.ask == Ask.PIRACY:
        steal_ship(rules, state, seat)
    else:
        for time in range(rules.cards[card].amount):
            state.picks[time] = seat
        state.picks_count = rules.cards[card].amount
        next_pick(rules, state)


@kernel
def pass_reaction(rules, state, seat):
    """Play no special, and ask the next opponent."""
    if state.ask == Ask.RESISTANCE:
        if not ask_opponents(rules, state, seat, Ask.RESISTANCE):
            offer_picks(rules, state)
    elif state.ask == Ask.PIRACY:
        if not ask_opponents(rules, state, seat, Ask.PIRACY):
            offer_unrest(rules, state, np.int64(state.active))
    elif state.ask == Ask.UNREST:
        offer_unrest(rules, state, seat)
    else:
        go_on(rules, state)
