"""Effects of abilities, one operation per sentence of a card (rulebook: Using Abilities, Icon Reference List).

Effects resolve in printed order. An effect that is impossible, or that has nothing to choose from, is skipped and the
rest still resolves. (Box Set rulebook: Resolving Abilities)
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.decisions import push
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.play.board.scenes import against_boss
from stardeck.kernels.star_realms.play.board.teams import change_authority, may_attack
from stardeck.kernels.star_realms.play.board.zones import discard_hand, draw_cards
from stardeck.kernels.star_realms.play.effects.abilities import ability_card
from stardeck.kernels.star_realms.play.effects.questions import can_be_made_to_discard, decision_of
from stardeck.kernels.star_realms.rules import ForcedDiscards, Kind, Op
from stardeck.kernels.star_realms.state import NAMED_SHIFT, NO_CARD, Decision, Zone


@kernel
def bases_in_play(rules, state, player):
    """Count the bases that a player has in play; outposts are bases."""
    bases = 0
    for i in range(player.in_play_count):
        if face(rules, state, np.int64(player.in_play[i].card)).kind != Kind.SHIP:
            bases += 1
    return bases


@kernel
def ask_to_discard(state, seat, owner, count, rest, end):
    """Make a player discard cards of their choice; return whether there is a question.

    A player with no more cards than that discards the whole hand without a question.
    """
    player = state.players[seat]
    if count < player.count[Zone.HAND]:
        push(state, Decision.DISCARD, seat, owner, rest, end).left = count
        return True
    discard_hand(player)
    return False


@kernel
def must_discard(rules, state, owner, target, count, rest, end):
    """Make an opponent discard, at once or at the start of their turn; return whether there is a question.

    The victim chooses the cards. (Facts: Forced discards; setting `forced_discards`)
    """
    if rules.forced_discards == ForcedDiscards.NEXT_TURN:
        state.players[target].discards_owed += count
        return False
    return ask_to_discard(state, target, owner, count, rest, end)


@kernel
def opponent_discards(rules, state, owner, count, rest, end):
    """Make a target opponent discard; return whether there is a question.

    A single candidate is chosen automatically, and an opponent with an empty hand is not a candidate. An automated Boss
    has no hand: the player draws and discards instead. (Rulebook: Challenge Setup)
    """
    if against_boss(rules, state):
        draw_cards(state, state.players[owner], count)
        return ask_to_discard(state, owner, owner, count, rest, end)
    candidates = 0
    target = -1
    for seat in range(rules.players):
        if may_attack(rules, state, owner, seat) and can_be_made_to_discard(rules, state, seat):
            candidates += 1
            target = seat
    if candidates == 0:
        return False
    if candidates == 1:
        return must_discard(rules, state, owner, target, count, rest, end)
    push(state, Decision.TARGET, owner, owner, rest, end).left = count
    return True


@kernel
def gain(rules, state, seat, op, amount):
    """Give a player trade, combat or authority; return whether the operation is one of these."""
    player = state.players[seat]
    if op == Op.TRADE:
        player.trade += amount
    elif op == Op.COMBAT:
        player.combat += amount
    elif op == Op.AUTHORITY:
        change_authority(rules, state, seat, amount)
    return op <= Op.AUTHORITY


@kernel
def ask_owner(rules, state, seat, number, end):
    """Ask the owner about effect `number`; return whether there is anything to choose from."""
    effect = rules.effects[number]
    op = effect.op
    amount = np.int64(effect.amount)
    decision = decision_of(rules, state, seat, op, amount)
    if decision == Decision.REST:
        return False
    frame = push(state, decision, seat, seat, number + 1, end)
    is_acquisition = op == Op.ACQUIRE_UP_TO or op == Op.ACQUIRE_SHIP_FROM_ROW
    frame.left = 1 if is_acquisition or decision == Decision.DRAW else amount
    frame.detail = amount
    frame.optional = effect.optional
    frame.then_draw = effect.then_draw
    frame.then_combat = effect.then_combat
    frame.then_authority = effect.then_authority
    frame.then_discard = effect.detail
    return True


@kernel
def carry_out(rules, state, seat, number, end):
    """Carry out effect `number` for `seat`; return whether it asks. A question's frame holds the effects after it."""
    effect = rules.effects[number]
    player = state.players[seat]
    op = effect.op
    amount = np.int64(effect.amount)
    if gain(rules, state, seat, op, amount):
        return False
    if op == Op.DRAW and effect.optional == 0:
        if effect.bases == 0 or bases_in_play(rules, state, player) >= effect.bases:
            draw_cards(state, player, amount)
    elif op == Op.DRAW_PER_PLAYED:
        draw_cards(state, player, amount * player.played[effect.detail])
    elif op == Op.NEXT_SHIP_ON_TOP:
        player.next_ship_on_top += amount
    elif op == Op.COST_REDUCTION:
        player.discount += amount
    elif op == Op.OPPONENT_DISCARDS:
        return opponent_discards(rules, state, seat, amount, number + 1, end)
    elif op == Op.DESTROY_BASE and against_boss(rules, state):
        player.combat += amount * rules.base_combat  # an automated Boss has no bases (Rulebook: Challenge Setup)
    elif op == Op.CHOOSE:
        push(state, Decision.OPTION, seat, seat, number + 1, end).detail = effect.detail
        return True
    else:
        return ask_owner(rules, state, seat, number, end)
    return False


@kernel
def resolve(rules, state, seat, first, end):
    """Carry out effects [first, end) for `seat` in printed order, up to the first that asks."""
    for number in range(first, end):
        if carry_out(rules, state, seat, number, end):
            return


@kernel
def resolve_primary(rules, state, seat, card):
    """Resolve a ship's primary ability in full, or ask about its "or" (rulebook: Ships)."""
    shown = face(rules, state, card)
    if shown.options == 1:
        resolve(rules, state, seat, np.int64(shown.primary[0, 0]), np.int64(shown.primary[0, 1]))
    elif shown.options > 1:
        push(state, Decision.OPTION, seat, seat, 0, 0).detail = shown.choice


@kernel
def count_as_played(rules, state, player, card):
    """Count a card as played this turn, for effects such as Blob World's."""
    factions = face(rules, state, card).faction
    for faction in range(rules.factions):
        player.played[faction] += (factions >> faction) & 1


@kernel
def pay_for_ships(rules, state, player, card):
    """Add Fleet HQ's combat for a played ship; by the 2014 print, its arrival also counts ships already in play."""
    shown = face(rules, state, card)
    if shown.kind == Kind.SHIP:
        for i in range(player.in_play_count):
            player.combat += face(rules, state, np.int64(player.in_play[i].card)).ship_combat
    elif shown.ship_combat_at_once:
        ships = player.in_play_count - bases_in_play(rules, state, player)
        player.combat += ships * shown.ship_combat


@kernel
def copy_ship(rules, state, seat, card):
    """Give a Stealth Needle a ship's faction, ally and scrap abilities, and resolve its primary ability.

    Fleet HQ has already given combat for the Needle and does not do so again. (Ruling)
    """
    player = state.players[seat]
    for i in range(player.in_play_count - 1, -1, -1):
        entry = player.in_play[i]
        if entry.copying == NO_CARD and face(rules, state, np.int64(entry.card)).copies:
            entry.copying = card
            entry.allies |= face(rules, state, card).ally_for
            break
    if rules.needle_counts_for_blob_world:
        count_as_played(rules, state, player, card)
    resolve_primary(rules, state, seat, card)


@kernel
def name_faction(rules, state, player, faction):
    """Name a faction for a Merc Cruiser, or for a Stealth Needle that copies one, while it is in play."""
    for i in range(player.in_play_count - 1, -1, -1):
        entry = player.in_play[i]
        if face(rules, state, ability_card(entry)).names_faction and entry.used >> NAMED_SHIFT == 0:
            entry.used |= (1 + faction) << NAMED_SHIFT
            entry.allies |= 1 << faction
            player.played[faction] += entry.copying == NO_CARD or rules.needle_counts_for_blob_world != 0
            return
