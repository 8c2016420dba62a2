"""Moves as sentences in the words of the rulebook, and their kinds; payments grouped (kernels/text/sentences.py)."""

from itertools import combinations

import numpy as np

from stardeck.kernels.interstellar_empire.rules import Act
from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask
from stardeck.kernels.interstellar_empire.text.words import government_name
from stardeck.kernels.text.moves import check_number, legal_numbers
from stardeck.kernels.text.sentences import listed, of, seat_names

MOST_PAID_WITH = 4  # cards of a payment that is offered as one move
MOST_PAYMENTS = 3

KIND_OF = {
    Act.BID: "bid", Act.PAY: "pay", Act.DISCARD: "discard", Act.KEEP: "choose", Act.EXPLORE: "explore",
    Act.WITH: "move", Act.BUILD: "build", Act.SEND: "move", Act.SEND_TAPPED: "move", Act.ATTACK: "attack",
    Act.PLAY: "play", Act.PLAY_ON: "play", Act.DECLARE: "choose", Act.DRAW: "draw", Act.DONE: "done",
    Act.PASS: "pass", Act.DECLINE: "pass", Act.CONCEDE: "concede", Act.END_TURN: "end_turn",
}  # fmt: skip


class _Told:
    """One action in a state, with everything that its sentence may name."""

    def __init__(self, variant, state, action, names):
        self.variant, self.state, self.action = variant, state, variant.actions[action]
        self.names = seat_names(names, variant.players)
        self.ask = Ask(int(state["ask"]))
        self.seat = self.names[(int(state["to_act"]) + self.action.detail) % variant.players]

    @property
    def card(self) -> str:
        """Name of the card that the action names."""
        return self.variant.card_set.cards[self.action.card].name

    @property
    def number(self) -> int:
        """Number of the card that the action names."""
        return self.variant.card_set.cards[self.action.card].number

    @property
    def subject(self) -> str:
        """Name of the card that is paid for, fought over, just gained or just built."""
        return self.variant.card_set.cards[self.state["subject"]].name

    def send(self) -> str:
        """Return the sending of an untapped ship."""
        return f"Send {self.card} to {'attack' if self.ask == Ask.ATTACKERS else 'defend'}"

    def done(self) -> str:
        """Return the end of sending ships."""
        sent = self.ask == Ask.ATTACKERS or self.state["sent_count"]
        return "Send no more ships" if sent else "Send no ship"

    def discard(self) -> str:
        """Return a discard that answers a question."""
        if self.ask == Ask.NUMBER:
            return f"Use {self.card} as your random number, {self.number}"
        return f"Discard {self.card} to keep {self.subject}"

    def keep(self) -> str:
        """Return the choice of one of two cards."""
        if self.ask != Ask.ARTIFACT:
            return f"Keep {self.card}"
        others = [int(card) for card in self.state["looked_at"] if card != NO_CARD]
        others.remove(self.action.card)
        other = self.variant.card_set.cards[others[0]].name
        return f"Keep {self.card}, which leaves {other} to {self.names[int(self.state['active'])]}"


SENTENCES = {
    Act.BID: lambda told: f"Bid {told.card}, which counts {told.number}",
    Act.PAY: lambda told: f"Pay with {told.card}, which counts {told.number}",
    Act.DISCARD: _Told.discard,
    Act.KEEP: _Told.keep,
    Act.EXPLORE: lambda told: f"Explore {told.card}",
    Act.WITH: lambda told: f"Explore {told.subject} with {told.card}",
    Act.BUILD: lambda told: f"Build {told.card}",
    Act.SEND: _Told.send,
    Act.SEND_TAPPED: lambda told: f"Send the tapped {told.card} to defend",
    Act.ATTACK: lambda told: f"Attack {of(told.seat)} {told.card}",
    Act.PLAY: lambda told: f"Play {told.card}",
    Act.PLAY_ON: lambda told: f"Play {told.card} on {told.seat}",
    Act.DECLARE: lambda told: f"Become {government_name(told.action.detail).title()}",
    Act.DRAW: lambda told: "Draw one more card",
    Act.DONE: _Told.done,
    Act.PASS: lambda told: "Play no special card",
    Act.DECLINE: lambda told: f"Lose {told.subject} instead of discarding a card",
    Act.CONCEDE: lambda told: "Concede the game",
    Act.END_TURN: lambda told: "End your turn",
}


def sentence(variant, state, action: int, names=None) -> str:
    """Return an action of the seat to act as a sentence: `Build Cruiser`. state: one record; names: players by seat."""
    check_number(variant, action)
    told = _Told(variant, state, action, names)
    return SENTENCES[told.action.act](told)


def kind(variant, state, action: int) -> str:
    """Return the kind of an action, one of KINDS. state: one record."""
    check_number(variant, action)
    return KIND_OF[variant.actions[action].act]


def grouped(variant, states, names=None) -> list[dict]:
    """Return the payments that leave nothing over, of as few cards as possible: sentences with their actions."""
    state = states[0]
    if state["to_act"] < 0 or state["ask"] != Ask.PAY:
        return []
    due = variant.card_set.cards[state["subject"]].number - int(state["paid"])
    numbers = {variant.actions[number].card: number for number in legal_numbers(variant, states)}
    held = state["players"][state["to_act"]]["hand"]
    purse = [card for card in numbers for _ in range(min(int(held[card]), MOST_PAID_WITH))]
    for size in range(1, MOST_PAID_WITH + 1):
        exact = list(dict.fromkeys(cards for cards in combinations(purse, size) if _worth(variant, cards) == due))
        if exact and size > 1:
            return [_payment(variant, due, cards, [numbers[card] for card in cards]) for cards in exact[:MOST_PAYMENTS]]
        if exact:  # a single card is a move already
            break
    return []


def _worth(variant, cards):
    return sum(variant.card_set.cards[card].number for card in cards)


def _payment(variant, due, cards, actions):
    names = [variant.card_set.cards[card].name for card in cards]
    return {"sentence": f"Pay {due} with {listed(names)}", "actions": actions}


def play_all(variant, states) -> list[int]:
    """Return no actions: every action of this game commits cards of which others stay in the hand."""
    return []


def progress(variant, states) -> dict[str, np.ndarray]:
    """Return the planets by seat: int64[n, players]."""
    return {"planets": states["players"]["empire"][:, : variant.players].sum(axis=2, dtype=np.int64)}
