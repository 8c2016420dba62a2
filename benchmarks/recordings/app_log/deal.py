"""The record of a game that followed a log: its moves, and the deal that was found for them."""

from collections import Counter
from typing import Any

from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.recordings.app_log.answers import AnswerFinder
from stardeck.benchmarks.recordings.app_log.followed_game import Contradiction, Step
from stardeck.benchmarks.recordings.app_log.piles import Shuffle, Slot, row_of
from stardeck.game.agent import States
from stardeck.kernels.errors import cut
from stardeck.kernels.star_realms.rules import Op


class DealFinder(AnswerFinder):
    """A followed game that can be recorded."""

    def written(self) -> tuple[dict[str, Any], Contradiction | None]:
        """Return the record, replayed from its beginning, and the contradiction in it, or None."""
        row, deck = row_of(self.supply)
        names = [card.name for card in self.card_set.cards]
        position = self.game.position(self.start[0])
        position |= {"trade_row": [names[card] for card in row], "trade_deck": [names[card] for card in deck]}
        for piles in self.piles:
            first = piles.shuffles[0]
            held = {"hand": first.hand, "deck": first.in_order()}
            position["players"][f"player_{piles.seat}"] |= _named(held, names)
        states = self.game.from_position(position)
        moves: list[str] = []
        draws: list[Any] = []
        problem = None
        try:
            self.play_through(states, moves, draws, names)
        except ValueError as error:
            line = self.log[self.at].line
            problem = Contradiction(line, "the game so far", f"a deal for it; {cut(str(error), 200)}")
        written = record.written(self.game, states, 0, self.names, moves)
        return written | {"position": position, "draws": draws}, problem

    def shuffle_ahead(self) -> None:
        """Turn the discard pile into the deck before a move that may scrap the drawn card at once.

        The game scraps without asking if all cards in hand are equal, and such a draw leaves no trace.
        """
        piles = self.piles[self.seat]
        alike = len({slot.card for slot in piles["hand"]}) <= 1
        if alike and piles["discard"] and not piles["deck"]:
            piles.shuffle_ahead(len(self.steps))
            names = [card.name for card in self.card_set.cards]
            record.deal_again(self.game, self.states, _laid(piles.shuffles[-1], names))

    def hold_what_is_scrapped(self) -> None:
        """Put into the hand the card that an ability draws and then scraps; otherwise the game scraps another one."""
        base = self.cards.get(self.clicked.lower())
        effects = self.card_set.cards[base].effects() if base is not None else []
        if not any(effect.op == Op.SCRAP_FROM_HAND for effect in effects):
            return
        self.shuffle_ahead()
        for _, line in self.ahead("scraps"):
            if line.card.lower() in self.cards:
                self.hold(self.cards[line.card.lower()])
            return

    def hold(self, card: int) -> None:
        """Put a card into the hand in addition to the cards still to be played, or on top of the deck."""
        piles, needed = self.piles[self.seat], self.needed()
        held = Counter(slot.card for slot in piles["hand"])
        if held[card] <= needed[card]:
            if sum((held - needed).values()) and piles.ensure(self.state, card, ("hand",), needed, held[card] + 1):
                return
            piles.draw_next(self.state, card)

    def play_through(self, states: States, moves: list[str], draws: list[Any], names: list[str]) -> None:
        """Play all steps with the deal that was found, and record moves and draws. Raises ValueError."""
        shuffles = [shuffle for piles in self.piles for shuffle in piles.shuffles[1:]]
        for number, step in enumerate(self.steps, 1):
            if self.is_asked(states, step):
                for action in self.game.parse(states, step.text):
                    moves.append(self.game.describe(states, action))
                    self.game.apply(states, [action])
            for shuffle in shuffles:
                if shuffle.decisions == number:
                    draws.append([len(moves), _laid(shuffle, names)])
                    record.deal_again(self.game, states, draws[-1][1])

    def is_asked(self, states: States, step: Step) -> bool:
        """Return whether a step is a move with this deal; an answer without a choice is not."""
        if not step.by_itself and not step.text.startswith(("discard ", "scrap ")):
            return True
        return bool(states[0]["stack_count"]) and step.text in self.game.moves(states)


def _laid(shuffle: Shuffle, names: list[str]) -> dict[str, dict[str, list[str]]]:
    """Return the draws of a record for a shuffle: the cards of each pile of the player after it."""
    piles = {"hand": shuffle.hand, "deck": shuffle.in_order()} | ({"discard": []} if shuffle.ahead else {})
    return {f"player_{shuffle.seat}": _named(piles, names)}


def _named(piles: dict[str, list[Slot]], names: list[str]) -> dict[str, list[str]]:
    return {key: [names[slot.card] for slot in slots] for key, slots in piles.items()}
