"""Cards without a gain that later lines name as being in play.

`Play all` names only cards with a gain. A later line that uses, scraps or destroys another card shows that it was
played before.
"""

from collections import Counter
from typing import Any

from stardeck.benchmarks.recordings.app_log.answers import ENDS, SAID
from stardeck.benchmarks.recordings.app_log.followed_game import POOLS, FollowedGame, ally_gains, gains_of
from stardeck.benchmarks.recordings.app_log.piles import ZONES
from stardeck.kernels.star_realms.rules import Kind

# Kinds that name a card in play of the active player
USED = ("activating", "scrapping", "available", "gains", "changed", "chose")
HIT = ("attacked base", "destroys")  # kinds that name a card of the other player
MOST_TURNS_AHEAD = 60  # turns in which a played card may be named first


def is_silent(card: Any) -> bool:
    """Return whether a card has no gain when it is played."""
    if card.copies_a_ship:
        return False  # played at the line that names the copied ship
    alone = [what for side in card.primary[:1] for what, _ in gains_of(side)]
    return len(card.primary) > 1 or not set(alone) & set(POOLS)


class SilentCards:
    """Silent cards of the active player, as the lines after the current one show them.

    Attributes:
        found: Cards that a line names as being in play, each with the places of later lines `Play all` that may play
            it too.
        unnamed: Other silent cards that may still have been played.
    """

    def __init__(self, game: FollowedGame) -> None:
        self._cards: list[Any] = game.card_set.cards
        self._numbers, self._is_base = game.cards, game.is_base
        self._player = game.names[game.seat]
        piles = game.piles[game.seat]
        self._in_play = {slot.card for slot in piles["play"]}
        self._played = Counter(slot.card for slot in piles["play"])
        self._owned = self._played + Counter(slot.card for name in ZONES for slot in piles[name])
        self.unnamed = [number for number, card in enumerate(self._cards) if is_silent(card)]
        self.found: dict[int, list[int]] = {}
        self._bases = {card for card in self.unnamed if self._is_base[card]}
        self._used = Counter[tuple[str, int]]()  # how often a base has a gain or is scrapped in one turn
        self._places: list[int] = []
        self._turns = 0
        self._mine = True  # the line belongs to a turn of this player
        for place in range(game.at + 1, len(game.log)):
            line = game.log[place]
            if line.kind in ENDS:
                self.unnamed = [card for card in self.unnamed if self._is_base[card]]
            if line.kind == "begins turn" and not self._begin_turn(line):
                break
            self._read(line, place)

    def _begin_turn(self, line):
        """Begin a turn; return whether more lines are worth reading."""
        self._bases -= {card for way, card in self._used if way != "use"}  # the same card may be played again
        self._mine, self._used = line.player == self._player, Counter()
        self._turns += 1
        return self._turns <= MOST_TURNS_AHEAD and bool(self.unnamed)

    def _read(self, line, place):
        """Read a line that begins no turn."""
        if self._mine and line.kind == "play all":
            self._places.append(place)
        if line.kind == "attacked player" and not self._mine:
            self._exclude_outposts()
        card = self._chosen_base(line) if line.kind == "chose" else self._numbers.get(line.card.lower())
        if line.kind == "played" and self._mine:
            self._played[card] += 1
            self.unnamed = [other for other in self.unnamed if other != card]
        self._count_use(card, line)
        if line.kind in (USED if self._mine else HIT) and card in self.unnamed and card not in self._in_play:
            self.unnamed.remove(card)
            self.found[card] = list(self._places)

    def _exclude_outposts(self):
        """Drop outposts, which an attack on the player excludes."""
        self.unnamed = [card for card in self.unnamed if self._cards[card].kind != Kind.OUTPOST]

    def _count_use(self, card, line):
        """Count the use or loss of a base; more of them in a turn than copies in play show another copy."""
        if card in self._bases and (way := self._once_a_turn(card, line)):
            self._used[way, card] += 1
            if self._played[card] < self._used[way, card] <= self._owned[card]:
                self.found.setdefault(card, list(self._places))

    def _chosen_base(self, line):
        """Return the base whose side without a number is chosen, or None."""
        word = next((word for word, said in SAID if said in line.card.lower()), "none")
        sides = {number: card.primary for number, card in enumerate(self._cards) if len(card.primary) > 1}
        return next(
            (card for card in sides if any(side[0].op.name.lower().startswith(word) for side in sides[card])), None
        )

    def _once_a_turn(self, card, line):
        """Return the once-a-turn use or loss of a base that a line reports, or an empty text."""
        if not self._mine:
            return "lost" if line.kind in HIT else ""
        gain, shown = (line.what, line.amount), self._cards[card]
        own = [pair for side in shown.primary for pair in gains_of(side)]
        if line.kind == "chose" or (line.kind == "gains" and gain in own and gain not in ally_gains(shown)):
            return "use"
        return "scrapped" if line.kind == "scrapping" else ""
