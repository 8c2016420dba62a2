"""The button `Play all`: the cards that it played, inferred from the gains that follow and from cards named later.

The app names only cards with a gain. The number of copies is ambiguous if an ally ability has the same gain as the
primary one. Cards without a gain are named by later lines only, or never.
"""

import itertools
from collections import Counter
from collections.abc import Iterator

from stardeck.benchmarks.recordings.app_log.answers import ACTIONS
from stardeck.benchmarks.recordings.app_log.deal import DealFinder
from stardeck.benchmarks.recordings.app_log.followed_game import POOLS, ally_gains, gains_of
from stardeck.benchmarks.recordings.app_log.lines import Event
from stardeck.benchmarks.recordings.app_log.piles import ZONES
from stardeck.benchmarks.recordings.app_log.silent_cards import SilentCards
from stardeck.kernels.star_realms.rules import Op
from stardeck.kernels.star_realms.state import Ability

Gains = Counter[tuple[int, str, int]]  # card, what, amount
MOST_READINGS = 200  # readings of one `Play all`
MOST_PLACES = 20  # places where such a card may have been played


class PlayAllResolver(DealFinder):
    """A followed game in which `Play all` plays whole hands."""

    def play(self, card: int, event: Event) -> None:
        """Play a card, which must be possible in the hand."""
        name = self.card_set.cards[card].name
        if not self.piles[self.seat].ensure(self.state, card, ("hand",), self.needed() - Counter([card])):
            held = len(self.piles[self.seat]["hand"])
            self.refuse(event, f"a card that {self.names[self.seat]} can have among {held} in hand", f"play {name}")
        self.do(f"play {name}", event)
        self.answer_what_is_asked(event)

    def on_play_all(self, event: Event) -> None:
        """Play the cards whose gains follow, and then the cards without a gain."""
        block = [line for _, line in self.block()]
        gains = Counter((self.card(line), line.what, line.amount) for line in block if line.kind == "gains")
        discards = Counter(self.card(line) for line in block if line.kind == "must discard")
        drawn = sum(line.amount for line in block if line.kind == "drew")
        held = len(self.piles[self.seat]["hand"])
        down = list(self.guesses.pick(self.put_down(gains, discards, held + drawn)).elements())
        down.sort(key=lambda card: (not self.is_base[card], not self.draws(card)))  # later cards may count bases
        if (last := self.paying(down, gains)) is not None and len(down) < held + drawn:
            down.insert(*last)
        self.putting = down
        for left in range(held + drawn - len(down), 0, -1):  # bases first: later cards may count them
            if (card := self.unnamed(left)) is None:
                break
            if self.card_set.cards[card].ship_combat:  # it paid for no ship here, so it came after the ships
                down.append(card)
            else:
                self.play(card, event)
        for place, card in enumerate(down, 1):
            self.putting = down[place:]
            self.play(card, event)

    def draws(self, card: int) -> bool:
        """Return whether a card draws when it is played."""
        return any(effect.op == Op.DRAW for side in self.card_set.cards[card].primary for effect in side)

    def paying(self, down: list[int], gains: Gains) -> tuple[int, int] | None:
        """Return a Fleet HQ among the played cards as (place, card), or None; it pays for ships after it."""
        ships = [place for place, card in enumerate(down) if not self.is_base[card]]
        in_play = [slot.card for slot in self.piles[self.seat]["play"]]
        for card, shown in enumerate(self.card_set.cards):
            paid = gains[card, "combat", shown.ship_combat] if shown.ship_combat else 0
            if 0 < paid <= len(ships) and card not in in_play:
                return ships[-paid], card
        return None

    def put_down(self, gains: Gains, discards: Counter[int], most: int) -> list[Counter[int]]:
        """Return the possible sets of played cards for these gains, as Counters of cards, the most probable first."""
        named = dict.fromkeys([card for card, _, _ in gains] + list(discards))
        possible = {card: counts for card in named if (counts := self.copies_of(card, gains, discards))}
        found: list[tuple[int, int, Counter[int]]] = []
        for numbers in itertools.islice(itertools.product(*possible.values()), MOST_READINGS):
            down = Counter({card: count for card, count in zip(possible, numbers, strict=True) if count})
            if down.total() <= most:
                found.append((sum(self.unlike(card, down, gains) for card in possible), len(found), down))
        return [down for _, _, down in sorted(found, key=lambda one: one[:2])] or [Counter()]

    def copies_of(self, card: int, gains: Gains, discards: Counter[int]) -> list[int]:
        """Return the possible numbers of played copies of a card, by their gains."""
        shown = self.card_set.cards[card]
        if len(shown.primary) != 1 or shown.copies_a_ship:
            return []
        allies = ally_gains(shown)
        own = [gain for gain in gains_of(shown.primary[0]) if gain[0] in POOLS]
        clear = [gains[card, *pair] for pair in own if pair not in allies]
        if not clear and any(effect.op == Op.OPPONENT_DISCARDS for effect in shown.primary[0]) and discards[card]:
            clear = [discards[card]]
        waiting = self.unused(card, Ability.PRIMARY) if self.is_base[card] else 0
        if clear:
            return list(range(max(max(clear) - waiting, 0), max(clear) + 1))
        return list(range(max((gains[card, *pair] for pair in own), default=0) + 1))

    def unlike(self, card: int, down: Counter[int], gains: Gains) -> int:
        """Return the distance between the gains of a card and the gains of its copies with all allies used at once."""
        shown = self.card_set.cards[card]
        own, allies = gains_of(shown.primary[0]), ally_gains(shown)
        in_play = [slot.card for slot in self.piles[self.seat]["play"]]
        partners = [*down.elements(), *in_play]
        partners.remove(card) if card in partners else None
        allied = any(
            set(shown.factions) & set(self.card_set.cards[other].factions)
            or self.card_set.cards[other].ally_for_every_faction
            for other in partners
        )
        count, far = down[card], 0
        for pair in {*own, *allies}:
            if pair[0] in POOLS:
                reported = (
                    count + (self.unused(card, Ability.PRIMARY) if self.is_base[card] else 0) if pair in own else 0
                )
                reported += (count + self.unused(card, Ability.ALLY)) * allied if pair in allies else 0
                far += abs(gains[card, *pair] - reported)
        return far

    def unused(self, card: int, ability: Ability) -> int:
        """Return the number of cards of this name in play that have not used this ability yet."""
        player = self.state["players"][self.seat]
        entries = player["in_play"][: player["in_play_count"]]
        return sum(int(entry["card"]) == card and not int(entry["used"]) & int(ability) for entry in entries)

    def unnamed(self, left: int) -> int | None:
        """Return a card without a gain that was played, or None. left: number of cards still in hand."""
        named, guessed = self.named_later()
        fits = left > self.put_down_later()
        for card, places in named.items() if fits else ():
            if card not in self.putting and self.is_put_down_here(card, places):
                return card
        guessed = [card for card in guessed if card not in self.putting]
        mute = [card for card in guessed if fits and not self.card_set.cards[card].primary]
        options = [*mute, None, *(card for card in guessed if card not in mute)]
        while (guess := self.guesses.pick(options)) is not None:
            if self.can_be_held(guess):
                return guess
            options.remove(guess)
        return None

    def can_be_held(self, card: int) -> bool:
        """Put a card into the hand in addition to the cards still to be played; return whether that is possible."""
        needed = self.needed()
        return self.piles[self.seat].ensure(self.state, card, ("hand",), needed, needed[card] + 1)

    def is_put_down_here(self, card: int, places: list[int]) -> bool:
        """Return whether a card that a later line names is played now, and not at one of these later places."""
        if self.put_down_at.get(card, self.at) > self.at:
            return False
        if not self.can_be_held(card):
            return False
        self.put_down_at[card] = self.guesses.pick([self.at, *places[:MOST_PLACES]])
        if self.put_down_at[card] > self.at:
            return False
        del self.put_down_at[card]
        return True

    def put_down_later(self) -> int:
        """Return the least number of cards of this hand that later lines of this turn play."""
        counted, drawn = Counter[int | None](), 0
        maybe: set[int | None] = set()  # played by `Play all`, or used as allies
        for line, together in self.later_lines():
            card = self.cards.get(line.card.lower())
            if line.kind == "drew":
                drawn += line.amount
            elif line.kind == "played":
                counted[card] += 1
            elif line.kind == "gains" and together and card is not None and not self.is_base[card]:
                if self.put_down_by(line) is None:
                    maybe.add(card)
                else:
                    counted[card] += 1
        maybe -= {*counted, *self.putting, *(slot.card for slot in self.piles[self.seat]["play"])}
        return max(counted.total() + len(maybe) - drawn, 0)

    def later_lines(self) -> Iterator[tuple[Event, bool]]:
        """Yield lines of this turn after the effects of the current one: (line, whether `Play all` caused it)."""
        together = False
        end = self.at + 1 + sum(1 for _ in self.block())
        for place, line in self.ahead(*ACTIONS, "gains", "drew"):
            together = line.kind == "play all" if line.kind in ACTIONS else together
            if place >= end:
                yield line, together

    def named_later(self) -> tuple[dict[int, list[int]], list[int]]:
        """Return the silent cards that later lines name as being in play, and the other silent bases.

        The first result is a dict: for each card the places of later lines `Play all` that may play it too.
        """
        later, piles = SilentCards(self), self.piles[self.seat]
        held = {slot.card for slot in piles["hand"]}
        elsewhere = {slot.card for name in ZONES for slot in piles[name]}
        guessed = [card for card in later.unnamed if self.is_base[card] and card in elsewhere]
        return later.found, sorted(guessed, key=lambda card: card not in held)
