"""The table as text, for people: what lies where, as one seat sees it."""

from collections import Counter

from stardeck.kernels.star_realms.rules import Kind
from stardeck.kernels.star_realms.state import NO_CARD, Decision, Used, Zone
from stardeck.kernels.star_realms.words import moves

WIDTH = 100
QUESTIONS = {
    Decision.OPTION: "choose one side",
    Decision.SCRAP_FROM_HAND: "scrap from hand",
    Decision.SCRAP_FROM_HAND_OR_DISCARD: "scrap from hand or discard pile",
    Decision.SCRAP_FROM_TRADE_ROW: "scrap from the trade row",
    Decision.DESTROY_BASE: "destroy a base",
    Decision.DISCARD: "discard",
    Decision.ACQUIRE: "acquire for free",
    Decision.COPY: "copy a ship",
    Decision.TARGET: "name who must discard",
    Decision.AMOUNT: "put together the attack",
}


def _names(variant, numbers):
    """Cards by name, several copies counted, the dearest first."""
    cards = variant.card_set.cards
    counted = Counter(int(number) for number in numbers)
    order = sorted(counted, key=lambda number: (-cards[number].cost, cards[number].name))
    return ", ".join(cards[n].name + (f" x{counted[n]}" if counted[n] > 1 else "") for n in order) or "-"


def _line(label, text):
    """A labelled line, broken between words so that it fits a terminal."""
    lines = [f"  {label:<9} "]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) > WIDTH:
            lines.append(" " * 12)
        lines[-1] += word + " "
    return [line.rstrip() for line in lines]


def _offer(variant, number):
    card = variant.card_set.cards[number]
    faction = variant.card_set.factions[card.faction].replace("_", " ") if card.faction >= 0 else "unaligned"
    kind = "" if card.kind == Kind.SHIP else f", {Kind(card.kind).name.lower()} {card.defense}"
    return f"{card.name} ({card.cost}, {faction}{kind})"


def _in_play(variant, player):
    cards = variant.card_set.cards
    shown = []
    for entry in player["in_play"][: player["in_play_count"]]:
        card = cards[entry["card"]]
        notes = [] if card.kind == Kind.SHIP else [f"{Kind(card.kind).name.lower()} {card.defense}"]
        if entry["copying"] != NO_CARD:
            notes.append(f"as {cards[entry['copying']].name}")
        notes += [f"{bit.name.lower()} used" for bit in (Used.PRIMARY, Used.ALLY) if entry["used"] & bit]
        shown.append(card.name + (f" ({', '.join(notes)})" if notes else ""))
    return ", ".join(shown) or "-"


def _cards(pile):
    return "1 card" if len(pile) == 1 else f"{len(pile)} cards"


def _player(variant, state, seat, viewer):
    player = state["players"][seat]
    whose = " (you)" if seat == viewer else ""
    turn = "  << turn" if seat == state["active"] and state["to_act"] >= 0 else ""
    lines = [f"player_{seat}{whose}  authority {player['authority']}{turn}"]
    if seat == state["active"]:
        lines += _line("pools", f"trade {player['trade']}, combat {player['combat']}")
    lines += _line("in play", _in_play(variant, player))
    piles = {zone: player["cards"][zone][: player["count"][zone]] for zone in Zone}
    if viewer in (None, seat):
        lines += _line("hand", _names(variant, piles[Zone.HAND]))
        lines += _line("deck", f"{_cards(piles[Zone.DECK])}: {_names(variant, piles[Zone.DECK])}")
    else:
        lines += _line("hand", _cards(piles[Zone.HAND]))
        lines += _line("deck", _cards(piles[Zone.DECK]))
    if player["known_on_deck"]:
        known = piles[Zone.DECK][-int(player["known_on_deck"]) :][::-1]
        lines += _line("on top", ", ".join(variant.card_set.cards[card].name for card in known))
    return lines + _line("discard", _names(variant, piles[Zone.DISCARD_PILE]))


def _headline(variant, state):
    if state["to_act"] >= 0:
        return f"Turn {state['turn']}: player_{state['active']}"
    if state["truncated"]:
        return f"Turn {state['turn']}: game over, truncated"
    winners = [f"player_{seat}" for seat in range(variant.players) if state["placement"][seat] == 1]
    return f"Turn {state['turn']}: game over, {' and '.join(winners)} won"


def render(variant, states, viewer=None) -> str:
    """The table as `viewer` may see it; with None everything is shown. states: array of one row."""
    state = states[0]
    lines = [_headline(variant, state)]
    row = [_offer(variant, card) for card in state["trade_row"] if card != NO_CARD]
    lines += _line("trade row", "; ".join(row) or "empty")
    lines += _line("supply", f"{state['explorers']} Explorers, {state['trade_deck_count']} cards in the trade deck")
    scrapped = [card for card, count in enumerate(state["scrap_heap"]) for _ in range(count)]
    lines += _line("scrapped", _names(variant, scrapped))
    for seat in range(variant.players):
        lines += _player(variant, state, seat, viewer)
    if state["to_act"] >= 0:
        asked = f"player_{state['to_act']} to move"
        if state["stack_count"]:
            asked += f" ({QUESTIONS[Decision(int(state['stack'][state['stack_count'] - 1]['decision']))]})"
        lines.append(asked)
        if viewer in (None, state["to_act"]):
            lines += _line("moves", "; ".join(moves(variant, states)))
    return "\n".join(lines)


def headline(variant, states, names) -> str:
    """One line for the start of a turn or the end of a game: authority by seat, and the hand. names: agents by seat."""
    state = states[0]
    if state["to_act"] < 0:
        return _headline(variant, state)
    seat = int(state["active"])
    authority = " : ".join(str(state["players"][other]["authority"]) for other in range(variant.players))
    hand = state["players"][seat]["cards"][Zone.HAND][: state["players"][seat]["count"][Zone.HAND]]
    in_play = _in_play(variant, state["players"][seat])
    bases = "" if in_play == "-" else f"; in play: {in_play}"
    return f"Turn {state['turn']}  [{authority}]  player_{seat} ({names[seat]})  hand: {_names(variant, hand)}{bases}"
