"""Writes games as the app would tell them: a tool of the tests, after the facts of the format alone."""

import random
import re
from collections import Counter

from stardeck.envs.game import Game
from stardeck.kernels.star_realms.state import Decision, Zone, pile_of

COLOURS = {"blob": "4CC417", "trade_federation": "1589FF", "star_empire": "FFFF00", "machine_cult": "FF0000"}
NAMES = ["Ann", "Bo Z"]
POOLS = ("trade", "combat", "authority")
INDENT = " " * 8
GAIN = re.compile(r"(?P<head>.*) \+(?P<n>\d+) (?P<what>\w+) \(\w+:(?P<total>-?\d+)\)")


class Writer:
    """Called as `tell(states, action)` by `record.play`, before each action and with None at the end."""

    def __init__(self, game: Game, seed: int, blanks: str = "  ", play_all: bool = False) -> None:
        self.game, self.lines, self.blanks = game, [], blanks
        self.last = None
        self.turns = []  # authority after each turn
        self._chance = random.Random(seed)
        self._amount = None
        self._play_all = play_all
        self._played = False  # whether a card was played this turn
        self._run = None  # where a row of played cards began that may be one "Play all"
        self._open = False  # whether it goes on

    def __call__(self, states, action):
        if self.last:
            before, words = self.last
            self._begin_run(before, words)
            self._tell(before, words, states)
            self._go_on(before, words, states)
        self.last = None if action is None else (self.game.copy(states), self.game.describe(states, action))

    def _begin_run(self, before, words):
        """A turn's first cards played; and what ends the row of them."""
        if self._run is not None and not self._open and not words.startswith("use ally"):
            self._put_together()
        if self._play_all and self._run is None and words.startswith("play ") and not self._played:
            self._run, self._open = len(self.lines), True
        self._played = self._played or words.startswith("play ")

    def _go_on(self, before, words, after):
        if words == "end turn":
            self._played = False
        if self._run is None:
            return
        player, old = after[0]["players"][int(before[0]["active"])], before[0]["players"][int(before[0]["active"])]
        simple = (
            words.startswith("play ")
            and not self._has_income(words[5:])
            and player["count"][1] == old["count"][1] - 1
            and not after[0]["stack_count"]
        )
        gains = all(" > " in line or "Played" in line for line in self.lines[self._run :])
        if self._open and not (simple and gains):
            self._run = None
        elif self._open and player["count"][1] == 0:
            self._open = False
            if not any(" > " in line for line in self.lines[self._run :]):
                self._run = None
        elif not self._open and not gains:
            self._run = None

    def _has_income(self, name):
        """Whether it is a base whose income the app tells at once and agents may take later; or copies nothing yet."""
        card = self.game.variant.card_set.cards[self.game.variant.card_set.numbers[name]]
        return (card.is_base and len(card.primary) == 1) or card.copies_a_ship

    def _put_together(self):
        """The row becomes "Play all", and its gains come in another order, with totals to match."""
        lines, self._run, first = self.lines[self._run :], None, self._run
        gains = [GAIN.match(line) for line in lines if " > " in line]
        before = {}
        for gain in gains:
            before.setdefault(gain["what"], int(gain["total"]) - int(gain["n"]))
        self._chance.shuffle(gains)
        self.lines[first:] = ["Play all"]
        for gain in gains:
            before[gain["what"]] += int(gain["n"])
            self.lines.append(f"{gain['head']} +{gain['n']} {gain['what']} ({gain['what']}:{before[gain['what']]})")

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def _card(self, name):
        card_set = self.game.variant.card_set
        factions = card_set.cards[card_set.numbers[name]].factions
        colour = COLOURS[card_set.factions[factions[0]]] if factions else "800080"
        return f"<color=#{colour}>{name}</color>"

    def _say(self, text, indent=INDENT):
        self.lines.append(indent + text)

    def _tell(self, before, words, after):
        old, new = before[0], after[0]
        seat = int(old["active"])
        me = NAMES[seat]
        if words == "end turn":
            return self._end_turn(old, new, seat, after)
        if words.startswith("attack player") or words.startswith("add ") or words == "done":
            return self._attack_player(old, new, seat, words)
        if words.startswith("attack "):
            name = words[7:].rsplit(" of ", 1)[0]
            self._say(f"Attacked {self._card(name)}", "")
            self._spend(me, "combat", old, new, seat)
            self._say(f"Destroyed {self._card(name)}")
        elif words.startswith("destroy "):
            name = words[8:].rsplit(" of ", 1)[0]
            self._say(f"{me} is destroying: {self._card(name)}", "")
            self._say(f"Destroyed {self._card(name)}")
        elif words.startswith("play "):
            self._say(f"Played {self._card(words[5:])}", "")
        elif words.startswith("buy "):
            name = words[4:].removesuffix(" to deck")
            to = " to the top of the deck." if words.endswith(" to deck") else ""
            self._say(f"Acquired {self._card(name)}{to}", "")
            self._spend(me, "trade", old, new, seat)
        elif words.startswith("acquire "):
            self._say(f"Acquired {self._card(words[8:])} to the top of the deck.", "")
        elif words.startswith("use scrap "):
            self._say(f"Scrapping {self._card(words[10:])}", "")
            self._say(f"Scrapped {self._card(words[10:])}", "")
        elif words.startswith("use "):
            name = words[4:].removeprefix("ally ").split(": ")[0]
            if not any(self._gains(words, old, new, seat)):
                self._say(f"Activating {self._card(name)}", "")
        elif words.startswith("scrap "):
            self._say(f"{me} is scrapping: {self._card(words[6:].rsplit(' from ', 1)[0])}", "")
        elif words.startswith("discard "):
            self._say("Resolving Discard", "")
            self._say(f"Discarded {self._card(words[8:])}")
        elif words.startswith("copy "):
            self._say(f"{me} is copying: {self._card(words[5:])}", "")
            self._say(f"Changed {self._card('Stealth Needle')} to {self._card(words[5:])}")
        elif words.startswith("choose "):
            self._say(f"Chose {words[7:].replace('_', ' ').title()}", "")
        elif words == "decline":
            decision = Decision(int(old["stack"][old["stack_count"] - 1]["decision"]))
            if "SCRAP" in decision.name:
                self._say(f"{me} is not scrapping any cards", "")
            elif decision == Decision.DISCARD:
                self._say(f"{me}({seat}) is not discarding", "")
        self._effects(words, old, new, seat)
        self._by_itself(words, old, new, seat)
        if new["to_act"] < 0:
            self._won(new)

    def _by_itself(self, words, old, new, seat):
        """What was done without a choice is told all the same."""
        names = [card.name for card in self.game.variant.card_set.cards]
        other = 1 - seat
        gone = Counter(_in_play(old, other)) - Counter(_in_play(new, other))
        if not words.startswith(("attack ", "destroy ")):
            for card in gone.elements():
                self._say(f"{NAMES[seat]} is destroying: {self._card(names[card])}", "")
                self._say(f"Destroyed {self._card(names[card])}")
        scrapped = Counter(dict(enumerate((new["scrap_heap"].astype(int) - old["scrap_heap"]).tolist())))
        scrapped[self.game.variant.card_set.explorer] = max(0, int(new["explorers"]) - int(old["explorers"]))
        if words.startswith(("scrap ", "use scrap ")):
            name = words.removeprefix("use ").removeprefix("scrap ").rsplit(" from ", 1)[0]
            scrapped[self.game.variant.card_set.numbers[name]] -= 1
        for card in (+scrapped).elements():
            self._say(f"{NAMES[seat]} is scrapping: {self._card(names[card])}", "")
        if words.startswith("discard "):
            self._discarded(old, new, int(old["to_act"]), [words[8:]])
        grown = int(new["players"][seat]["known_on_deck"]) > int(old["players"][seat]["known_on_deck"])
        if grown and not words.startswith("acquire ") and not words.endswith("to deck"):
            top = pile_of(new["players"][seat], Zone.DECK)[-1]
            self._say(f"Acquired {self._card(names[top])} to the top of the deck.", "")

    def _discarded(self, old, new, seat, told=()):
        """Cards that have gone from the hand to the discard pile beside those told."""
        names = [card.name for card in self.game.variant.card_set.cards]
        piles = [
            Counter(names[card] for card in pile_of(state["players"][seat], Zone.DISCARD_PILE)) for state in (old, new)
        ]
        for name in (piles[1] - piles[0] - Counter(told)).elements():
            self._say(f"Discarded {self._card(name)}")

    def _gains(self, words, old, new, seat):
        for what in POOLS:
            if (more := int(new["players"][seat][what]) - int(old["players"][seat][what])) > 0:
                yield what, more

    def _effects(self, words, old, new, seat):
        name = words.removeprefix("use ally ").removeprefix("use scrap ").removeprefix("use ").removeprefix("play ")
        name = name.removeprefix("copy ").split(": ")[0]
        if words.startswith(("choose", "discard", "scrap", "decline")):
            name = self._asker(old, words)
        other = 1 - seat
        for what, more in self._gains(words, old, new, seat):
            total = int(new["players"][seat][what])
            gap = self.blanks
            hq = (
                [
                    e
                    for e in new["players"][seat]["in_play"][: new["players"][seat]["in_play_count"]]
                    if self.game.variant.card_set.cards[e["card"]].ship_combat
                ]
                if words.startswith("play ")
                else []
            )
            if (
                what == "combat"
                and hq
                and not self.game.variant.card_set.cards[self.game.variant.card_set.numbers[name]].is_base
            ):
                if more > len(hq):
                    self._say(
                        f"{NAMES[seat]}{gap}>{gap}{self._card(name)} +{more - len(hq)}"
                        f" Combat (Combat:{total - len(hq)})"
                    )
                self._say(f"{NAMES[seat]}{gap}>{gap}{self._card('Fleet HQ')} +1 Combat (Combat:{total})")
            else:
                self._say(f"{NAMES[seat]}{gap}>{gap}{self._card(name)} +{more} {what.title()} ({what.title()}:{total})")
        owed = int(new["players"][other]["discards_owed"]) - int(old["players"][other]["discards_owed"])
        if owed > 0:
            self._say(
                f"{NAMES[other]}{self.blanks}<{self.blanks}{self._card(name)} +{owed} Discard (Discarding: "
                f"{int(new['players'][other]['discards_owed'])})"
            )
        self._draws(words, old["players"][seat], new["players"][seat])

    def _asker(self, old, words):
        """The card that asked: the one last named as played or used."""
        for line in reversed(self.lines):
            for word in ("Played ", "Activating ", "copying: "):
                if word in line:
                    return line.split(word)[1].split(">")[1].split("<")[0]
        return "Scout"

    def _draws(self, words, old, new):
        drawn = int(new["count"][1]) - int(old["count"][1])
        if words.startswith(("play ", "discard ")) or words.endswith(" from hand"):
            drawn += 1
        if words.startswith("use ") and new["count"][2] == old["count"][2]:
            drawn += int(old["count"].sum()) - int(new["count"].sum())  # scrapped from the hand without a choice
        self._drew(drawn, int(old["count"][0]))

    def _drew(self, drawn, deck):
        if drawn <= 0:
            return
        if drawn > deck:
            if deck:
                self._say(f"Drew {deck} cards.")
            self._say("Shuffled discard pile to form new deck")
            drawn -= deck
        self._say(f"Drew {drawn} cards.")

    def _spend(self, me, what, old, new, seat):
        spent = int(old["players"][seat][what]) - int(new["players"][seat][what])
        self._say(f"{me} - -{spent} {what.title()} ({what.title()}:{int(new['players'][seat][what])})")

    def _attack_player(self, old, new, seat, words):
        if self._amount is None:
            self._amount = old.copy()
        if new["stack_count"] and words != "done" and new["to_act"] >= 0:
            return
        first, self._amount = self._amount, None
        lost = int(first["players"][1 - seat]["authority"]) - int(new["players"][1 - seat]["authority"])
        left = int(new["players"][1 - seat]["authority"])
        self._say(f"Attacked {NAMES[1 - seat]} for {lost} (New Authority:{left})", "")
        self._spend(NAMES[seat], "combat", first, new, seat)
        self._say(f"{NAMES[1 - seat]} - -{lost} Authority (Authority:{left})")
        if new["to_act"] < 0:
            self._won(new)

    def _end_turn(self, old, new, seat, after):
        self._say(f"{NAMES[seat]} ends turn {int(old['turn'])}", "")
        self._drew(int(new["players"][seat]["count"][1]), int(old["players"][seat]["count"][0]))
        self._say("Refresh ally indicators")
        self.turns.append(tuple(int(new["players"][k]["authority"]) for k in (0, 1)))
        self._say(f"It is now {NAMES[1 - seat]}'s turn {int(new['turn'])}", "")
        self._discarded(old, new, 1 - seat)

    def _won(self, state):
        winner = int(list(state["placement"][:2]).index(1))
        self._say(f"=== {NAMES[winner]} has won the game. ===", "")


def _in_play(state, seat):
    player = state["players"][seat]
    return player["in_play"]["card"][: player["in_play_count"]].tolist()


def hand(game, states, seat):
    """The hand of a seat, by names."""
    cards = game.variant.card_set.cards
    return Counter(cards[card].name for card in pile_of(states[0]["players"][seat], Zone.HAND))
