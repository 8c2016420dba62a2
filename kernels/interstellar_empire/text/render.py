"""The table as text for people: all zones, as one seat sees them."""

from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask, Government, Phase
from stardeck.kernels.interstellar_empire.text.visibility import (
    bid,
    cards_of,
    hand,
    looked_at,
    name_of,
    top_of_discard_pile,
)
from stardeck.kernels.interstellar_empire.text.words import government_name, moves
from stardeck.kernels.text.lines import counted, labelled

QUESTIONS = {
    Ask.SHIP: "which ship makes the journey",
    Ask.PAY: "pay",
    Ask.ATTACKERS: "send ships to attack",
    Ask.DEFENDERS: "send ships to defend",
    Ask.SURPRISE: "a special for the war?",
    Ask.NUMBER: "a card as number",
    Ask.JUNGLE: "discard for the jungle?",
    Ask.RESISTANCE: "a special against the new planet?",
    Ask.RESISTANCE_ANSWER: "discard for the planet?",
    Ask.SLAVERY: "a special for the new planet?",
    Ask.KEEP: "keep one of two cards",
    Ask.ARTIFACT: "keep one of two cards",
    Ask.PIRACY: "a special to take the new ship?",
    Ask.UNREST: "a special against the new ship?",
    Ask.UNREST_ANSWER: "discard for the ship?",
}


def _hand(variant, player, seat, viewer):
    """Return a hand by name, or its size if it is hidden."""
    held, count = hand(variant, player, seat, viewer), int(player["hand"].sum())
    return counted(held) if held is not None else "1 card" if count == 1 else f"{count} cards"


def _fleet(variant, player):
    return counted(cards_of(variant, player["untapped"]) + cards_of(variant, player["tapped"], "tapped "))


def ranks(variant, player) -> list[str]:
    """Return the declared government of a player in words."""
    declares = variant.settings["governments"] and player["government"] != Government.UNDECIDED
    return [government_name(player["government"])] if declares else []


def has_turn(state, seat) -> bool:
    """Return True if it is the turn of this seat."""
    return bool(seat == state["active"] and state["to_act"] >= 0 and state["phase"] != Phase.BID)


def _player(variant, state, seat, viewer):
    player = state["players"][seat]
    if player["out"]:
        return [f"player_{seat}  has conceded"]
    marks = "".join(f" ({mark})" for mark in ["you"] * (seat == viewer) + ranks(variant, player))
    lines = [f"player_{seat}{marks}" + "  << turn" * has_turn(state, seat)]
    lines += labelled("fleet", _fleet(variant, player))
    lines += labelled("empire", counted(cards_of(variant, player["empire"])))
    lines += labelled("hand", _hand(variant, player, seat, viewer))
    if player["bid"] != NO_CARD:
        lines += labelled("bid", bid(variant, player, seat, viewer) or "face down")
    return lines


def is_war(state) -> bool:
    """Return True if ships are in a war."""
    return bool(state["to_act"] >= 0 and Ask.ATTACKERS <= state["ask"] <= Ask.NUMBER)


def _war(variant, state):
    sent = [
        ("tapped " if s["tapped"] else "") + name_of(variant, s["card"])
        for s in state["defenders"][: state["sent_count"]]
    ]
    text = f"player_{state['active']} with {counted(cards_of(variant, state['attackers']))} against {counted(sent)}"
    return labelled("war", f"over {name_of(variant, state['subject'])} of player_{state['defender']}: {text}")


def question(variant, state, viewer) -> str:
    """Return the question in words; an empty text for any move of the turn."""
    ask = Ask(int(state["ask"]))
    if ask == Ask.PAY:
        subject = variant.card_set.cards[state["subject"]]
        return f"pay for {subject.name}: {state['paid']} of {subject.number}"
    seen = looked_at(variant, state, viewer)
    return QUESTIONS.get(ask, "") + (f": {' or '.join(seen)}" if seen else "")


def where_it_stands(variant, state) -> str:
    """Return turn, seat and phase, or the result of the game."""
    if state["to_act"] >= 0:
        if state["phase"] == Phase.BID:
            return "The bid for the first turn"
        return f"Turn {state['turn']}: player_{state['active']}, {Phase(int(state['phase'])).name.lower()} phase"
    winners = [f"player_{seat}" for seat in range(variant.players) if state["placement"][seat] == 1]
    result = f"{winners[0]} won" if len(winners) == 1 else f"a draw of {' and '.join(winners)}"
    return f"Turn {state['turn']}: game over, {result}"


def render(variant, states, viewer=None) -> str:
    """Return the table as `viewer` may see it; None sees everything. states: array of one row."""
    state = states[0]
    lines = [where_it_stands(variant, state)]
    top = ", ".join(top_of_discard_pile(variant, state)) or "-"
    lines += labelled("deck", f"{state['deck_count']} cards; discard pile {state['discard_count']}, on top {top}")
    if is_war(state):
        lines += _war(variant, state)
    for seat in range(variant.players):
        lines += _player(variant, state, seat, viewer)
    if state["to_act"] >= 0:
        asked = f" ({question(variant, state, viewer)})" if state["ask"] else ""
        lines.append(f"player_{state['to_act']} to move{asked}")
        if viewer in (None, state["to_act"]):
            lines += labelled("moves", "; ".join(moves(variant, states)))
    return "\n".join(lines)


def headline(variant, states, names, viewer=None, told=False) -> str:
    """Return the start of a turn or the end of a game: planets by seat, and the hand. names: agents by seat."""
    state = states[0]
    if state["to_act"] < 0 or state["phase"] == Phase.BID:
        return where_it_stands(variant, state)
    seat = int(state["active"])
    player = state["players"][seat]
    planets = " : ".join(str(int(each["empire"].sum())) for each in state["players"][: variant.players])
    text = f"Turn {state['turn']}  [{planets}]  deck {state['deck_count']}  player_{seat} ({names[seat]})"
    text += f"  hand: {_hand(variant, player, seat, viewer)}"
    if player["untapped"].any():
        text += f"; fleet: {_fleet(variant, player)}"
    return text
