"""The table as text, for people: what lies where, as one seat sees it."""

from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask, Government, Phase
from stardeck.kernels.interstellar_empire.text.words import government_name, moves
from stardeck.kernels.lines import counted, labelled

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


def cards_of(variant, counts, mark="") -> list[str]:
    """Cards by name, each as often as there are."""
    return [mark + card.name for card, count in zip(variant.card_set.cards, counts, strict=False) for _ in range(count)]


def held(cards) -> str:
    """How many cards a hand has, for those who do not see it."""
    return "1 card" if len(cards) == 1 else f"{len(cards)} cards"


def _fleet(variant, player):
    return counted(cards_of(variant, player["untapped"]) + cards_of(variant, player["tapped"], "tapped "))


def _name(variant, card):
    return variant.card_set.cards[card].name


def _player(variant, state, seat, viewer):
    player = state["players"][seat]
    if player["out"]:
        return [f"player_{seat}  has conceded"]
    marks = " (you)" if seat == viewer else ""
    if variant.settings["governments"] and player["government"] != Government.UNDECIDED:
        marks += f" ({government_name(player['government'])})"
    if seat == state["active"] and state["to_act"] >= 0 and state["phase"] != Phase.BID:
        marks += "  << turn"
    lines = [f"player_{seat}{marks}"]
    lines += labelled("fleet", _fleet(variant, player))
    lines += labelled("empire", counted(cards_of(variant, player["empire"])))
    hand = cards_of(variant, player["hand"])
    lines += labelled("hand", counted(hand) if viewer in (None, seat) else held(hand))
    if player["bid"] != NO_CARD:
        lines += labelled("bid", _name(variant, player["bid"]) if viewer in (None, seat) else "face down")
    return lines


def _war(variant, state):
    sent = [
        ("tapped " if s["tapped"] else "") + _name(variant, s["card"])
        for s in state["defenders"][: state["sent_count"]]
    ]
    text = f"player_{state['active']} with {counted(cards_of(variant, state['attackers']))} against {counted(sent)}"
    return labelled("war", f"over {_name(variant, state['subject'])} of player_{state['defender']}: {text}")


def _question(variant, state, viewer):
    ask = Ask(int(state["ask"]))
    text = QUESTIONS[ask]
    if ask == Ask.PAY:
        subject = variant.card_set.cards[state["subject"]]
        text = f"pay for {subject.name}: {state['paid']} of {subject.number}"
    if ask in (Ask.KEEP, Ask.ARTIFACT) and (ask == Ask.ARTIFACT or viewer in (None, state["to_act"])):
        text += f": {' or '.join(_name(variant, card) for card in state['looked_at'])}"
    return text


def _headline(variant, state):
    if state["to_act"] >= 0:
        if state["phase"] == Phase.BID:
            return "The bid for the first turn"
        return f"Turn {state['turn']}: player_{state['active']}, {Phase(int(state['phase'])).name.lower()} phase"
    winners = [f"player_{seat}" for seat in range(variant.players) if state["placement"][seat] == 1]
    result = f"{winners[0]} won" if len(winners) == 1 else f"a draw of {' and '.join(winners)}"
    return f"Turn {state['turn']}: game over, {result}"


def render(variant, states, viewer=None) -> str:
    """The table as `viewer` may see it; with None everything is shown. states: array of one row."""
    state = states[0]
    lines = [_headline(variant, state)]
    top = _name(variant, state["discard_pile"][state["discard_count"] - 1]) if state["discard_count"] else "-"
    lines += labelled("deck", f"{state['deck_count']} cards; discard pile {state['discard_count']}, on top {top}")
    if state["to_act"] >= 0 and Ask.ATTACKERS <= state["ask"] <= Ask.NUMBER:
        lines += _war(variant, state)
    for seat in range(variant.players):
        lines += _player(variant, state, seat, viewer)
    if state["to_act"] >= 0:
        question = f" ({_question(variant, state, viewer)})" if state["ask"] else ""
        lines.append(f"player_{state['to_act']} to move{question}")
        if viewer in (None, state["to_act"]):
            lines += labelled("moves", "; ".join(moves(variant, states)))
    return "\n".join(lines)


def headline(variant, states, names, viewer=None, told=False) -> str:
    """The start of a turn or the end of a game: planets by seat, and the hand. names: agents by seat."""
    state = states[0]
    if state["to_act"] < 0 or state["phase"] == Phase.BID:
        return _headline(variant, state)
    seat = int(state["active"])
    player = state["players"][seat]
    planets = " : ".join(str(int(each["empire"].sum())) for each in state["players"][: variant.players])
    text = f"Turn {state['turn']}  [{planets}]  deck {state['deck_count']}  player_{seat} ({names[seat]})"
    hand = cards_of(variant, player["hand"])
    text += f"  hand: {counted(hand) if viewer in (None, seat) else held(hand)}"
    if player["untapped"].any():
        text += f"; fleet: {_fleet(variant, player)}"
    return text
