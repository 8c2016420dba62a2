"""A writer of logs in the app's format and with its habits, for tests, based only on facts about the app.

The app reports a choice before and after its effect, lists gains in any order, and uses abilities without a choice by
itself. It leaves out actions without a number. `Hasty` makes agents play like that, and `Writer` writes their games.
"""

import random
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from stardeck.game.game import Game
from stardeck.kernels.star_realms.state import NO_CARD, Decision, Zone, pile_of

COLOURS = {"blob": "4CC417", "trade_federation": "1589FF", "star_empire": "FFFF00", "machine_cult": "FF0000"}
NAMES = ["Ann", "Bo Z"]
POOLS = ("trade", "combat", "authority")
INDENT = " " * 8


class Hasty:
    """An agent that first uses every ability without a choice, as the app does by itself."""

    def __init__(self, agent):
        self.agent, self.name = agent, agent.name

    def act(self, game, states, masks, seeds):
        actions = np.array(self.agent.act(game, states, masks, seeds))
        for row in range(len(states)):
            for action in np.flatnonzero(masks[row]):
                if self._is_forced(game, states[row : row + 1], int(action)):
                    actions[row] = action
                    break
        return actions

    def _is_forced(self, game, states, action):
        words = game.describe(states, action)
        if not words.startswith("use ") or words.startswith("use scrap ") or ": " in words:
            return False
        card_set = game.variant.card_set
        card = card_set.cards[card_set.numbers[words[4:].removeprefix("ally ")]]
        effects = [e for box in card.ally for e in box.effects] if "use ally" in words else card.primary[0]
        forced = ["TRADE", "COMBAT", "AUTHORITY", "DRAW", "OPPONENT_DISCARDS"]
        forced += ["NEXT_SHIP_ON_TOP"] if card.is_base else []
        return all(effect.op.name in forced for effect in effects)


@dataclass
class Block:
    """Lines of one action. Effects are lines, or (player, card, amount, pool) with the total added at the end."""

    head: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)  # lines that a choice writes
    effects: list = field(default_factory=list)
    echo: list[str] = field(default_factory=list)  # the choice repeated
    card: str = ""
    play: str = ""  # a card that `Play all` may play
    hand: Counter = field(default_factory=Counter)  # before that
    order: str = "told effects echo"

    def lines(self):
        return [*self.head, *(line for part in self.order.split() for line in getattr(self, part))]


class Writer:
    """A callback `writer(states, action)` for `record.play`, before each action and with None at the end.

    varied: apply the app's habits at random; otherwise write each thing in one way, with every card played.
    """

    def __init__(self, game: Game, seed: int, varied: bool = True) -> None:
        self.game, self.lines = game, []
        self.last = None
        self.turns = []  # authority after each turn
        self.owned = []  # cards of each seat after each turn
        self.names = [card.name for card in game.variant.card_set.cards]
        self._chance, self._varied = random.Random(seed), varied
        self._blocks = [Block()]
        self._before_attack = None
        self._pools = {}
        self._ended = None

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def __call__(self, states, action):
        if self.last:
            self._tell(*self.last, states)
        elif action is not None:
            self._begin(states[0])
        self.last = None if action is None else (self.game.copy(states), self.game.describe(states, action))

    # Actions

    def _tell(self, before, words, after):
        old, new, seat = before[0], after[0], int(before[0]["active"])
        verb = words.split()[0]
        if words == "end turn":
            return self._end_turn(before, after, seat)
        if words.startswith("attack player") or verb == "add" or words == "done":
            return self._attack_player(old, new, seat, words)
        getattr(self, f"_{verb}")(words, before, seat)
        self._by_itself(words, old, new, seat)
        self._bring(words, old, new, seat)
        if new["to_act"] < 0:
            self._won(new)
        return None

    def _open(self, *head, **more):
        self._blocks.append(Block(head=list(head), **more))
        return self._blocks[-1]

    def _play(self, words, before, seat):
        name = words[5:]
        card = self._of(name)
        hand = Counter(self.names[number] for number in pile_of(before[0]["players"][seat], Zone.HAND))
        block = self._open(f"Played {self._card(name)}", card=name, hand=hand)
        if card.copies_a_ship:
            block.order = "told effects"
        elif len(card.primary) == 1 or card.is_base:
            block.play = name
        if (len(card.primary) > 1 or card.name == "Machine Base") and self._often(0.7):
            block.head.append(f"{INDENT}{NAMES[seat]}  >  {self._card(name)} ability available")
            block.play = ""
        if not card.is_base and len(card.primary) > 1:
            block.play = ""

    def _use(self, words, before, seat):
        name = words.split(": ")[0].removeprefix("use ").removeprefix("ally ").removeprefix("scrap ")
        if words.startswith("use scrap "):
            self._open(f"Scrapping {self._card(name)}", f"{INDENT}Scrapped {self._card(name)}", card=name)
        elif ": " in words:
            self._open(self._chosen(name, words.split(": ")[1]), card=name, order="told echo effects")
        elif not Hasty._is_forced(None, self.game, before, int(self.game.parse(before, words)[0])):
            self._open(f"Activating {self._card(name)}", card=name)
            if name == "Brain World":
                self._blocks[-1].order = "told echo effects"
            elif name == "Machine Base":
                self._blocks[-1].order = "effects told echo"
        return words

    def _chosen(self, name, side):
        if side.startswith("draw"):
            return "Chose Draw a card for every Blob card played this turn"
        if side.startswith("discard"):
            return "Chose Discard and Redraw up to 2 card(s)"
        what = side.split()[0]
        amount = next(e.amount for effects in self._of(name).primary for e in effects if e.op.name.lower() == what)
        return f"Chose Add {amount} {what.title()}"

    def _choose(self, words, before, seat):
        block, side = self._blocks[-1], words[7:]
        if Decision(int(before[0]["stack"][before[0]["stack_count"] - 1]["decision"])) == Decision.FACTION:
            block.echo.append(f"{INDENT}Changed {self._card('Merc Cruiser')} to {side.replace('_', ' ').title()}")
        elif self._often(0.5):
            copied = next((line for line in block.head if "selecting ship" in line), None)
            name = copied.split(">")[1].split("<")[0] if copied else block.card
            block.told.append(self._chosen(name, side))
        block.play = ""

    def _copy(self, words, before, seat):
        block, name = self._blocks[-1], words[5:]
        needle = self._card("Stealth Needle")
        block.head.append(f"Activating {needle}")
        block.head.append(f"{NAMES[seat]} selecting ship {self._card(name)}")
        block.head.append(f"{INDENT}Changed {needle} to {self._card(name)}")
        block.order = "told effects echo"

    def _buy(self, words, before, seat):
        name, on_deck = words[4:].removesuffix(" to deck"), words.endswith(" to deck")
        twice = on_deck and self._often(0.7)
        top = " to the top of the deck." if on_deck and not twice else ""
        block = self._open(f"Acquired {self._card(name)}{top}", card=name)
        block.echo += [f"{INDENT}Acquired {self._card(name)} to the top of the deck."] if twice else []

    def _acquire(self, words, before, seat):
        self._acquired(words[8:])

    def _acquired(self, name):
        self._blocks[-1].told.append(f"Acquired {self._card(name)}")
        self._blocks[-1].echo.append(f"{INDENT}Acquired {self._card(name)} to the top of the deck.")
        self._blocks[-1].play = ""

    def _attack(self, words, before, seat):
        name = words[7:].rsplit(" of ", 1)[0]
        self._open(f"Attacked {self._card(name)}", echo=[f"{INDENT}Destroyed {self._card(name)}"])

    def _destroy(self, words, before, seat):
        self._destroyed(words[8:].rsplit(" of ", 1)[0], seat)

    def _destroyed(self, name, seat):
        block = self._blocks[-1]
        block.play = ""
        if self._often(0.5):
            block.told.append(f"{NAMES[seat]} is destroying: {self._card(name)}")
        block.echo.append(f"{INDENT}Destroyed {self._card(name)}")

    def _scrap(self, words, before, seat):
        name, pile = words[6:].rsplit(" from ", 1)
        self._scrapped(name, seat, pile)

    def _scrapped(self, name, seat, pile):
        block = self._blocks[-1]
        block.play = ""
        if pile != "trade row" and not (block.card == "Machine Base" and self._often(0.5)):
            colon = "" if block.card == "Brain World" else ":"
            block.told.append(f"{NAMES[seat]} is scrapping{colon} {self._card(name)}")
        elif block.card == "Machine Base":
            block.told.append("Resolving Scrap a card from your hand")
        block.echo.append(f"{INDENT}Scrapped {self._card(name)}")

    def _discard(self, words, before, seat):
        self._discarded(words[8:], int(before[0]["to_act"]))

    def _discarded(self, name, seat):
        block = self._blocks[-1]
        if block.card == "Recycling Station":
            block.told.append(f"{NAMES[seat]} is selecting {self._card(name)}")
        else:
            if not any("is discarding" in line for line in block.told):
                block = self._open("Resolving Discard 1 cards", order="told echo effects")
            block.head = [f"Resolving Discard {len(block.told) + 1} cards"]
            block.told.append(f"{NAMES[seat]} is discarding {self._card(name)}")
            if not block.echo:
                block.echo.append(f"{INDENT}no more cards to discard")
        block.echo.append(f"{INDENT}Discarded {self._card(name)}")

    def _decline(self, words, before, seat):
        decision = Decision(int(before[0]["stack"][before[0]["stack_count"] - 1]["decision"]))
        hand_or_pile = decision in (Decision.SCRAP_FROM_HAND, Decision.SCRAP_FROM_HAND_OR_DISCARD)
        block = self._blocks[-1]
        if hand_or_pile and not any("is scrapping" in line for line in block.told):
            block.play = ""
            block.told.append(f"{NAMES[seat]} is not scrapping any cards")

    # Effects

    def _bring(self, words, old, new, seat):
        """Add gains, prices, discards owed and draws to the action at hand."""
        block, me, other = self._blocks[-1], old["players"][seat], 1 - seat
        name = words.split(": ")[0]
        for begin in ("use scrap ", "use ally ", "use ", "play "):
            if name.startswith(begin):
                name = name[len(begin) :]
                break
        else:
            name = "Stealth Needle" if words.startswith("copy ") else block.card
        for what in POOLS:
            more = int(new["players"][seat][what]) - int(me[what])
            if more < 0:
                block.effects.append((seat, "", more, what))
            elif more > 0:
                self._gain(block, words, new, seat, name, what, more)
        owed = int(new["players"][other]["discards_owed"]) - int(old["players"][other]["discards_owed"])
        if owed > 0:
            total = int(new["players"][other]["discards_owed"])
            block.effects.append(f"{INDENT}{NAMES[other]}  <  {self._card(name)} +{owed} Discard (Discarding: {total})")
        drawn = int(new["players"][seat]["count"][1]) - int(me["count"][1])
        if words.startswith(("play ", "discard ")) or words.endswith(" from hand"):
            drawn += 1
        if words == "use Machine Base":  # scraps a single card in hand without a question
            drawn += int(me["count"].sum()) - int(new["players"][seat]["count"].sum())
        together = block.card == "Brain World" and self._often(0.5)
        block.effects += self._drew(drawn, int(me["count"][0]), together)
        block.effects += [] if drawn > 0 else self._shuffled_ahead(old["players"][seat], new["players"][seat])

    def _gain(self, block, words, new, seat, name, what, more):
        player = new["players"][seat]
        paid = [
            self._at(entry) for entry in player["in_play"][: player["in_play_count"]] if self._at(entry).ship_combat
        ]
        if what == "combat" and words.startswith("play ") and not self._of(name).is_base:
            for card in paid:
                block.effects.append((seat, card.name, card.ship_combat, what))
                more -= card.ship_combat
        if more > 0:
            block.effects.append((seat, name, more, what))

    def _shuffled_ahead(self, old, new):
        """Write a reshuffle ahead of the move that draws, as some records do."""
        made = old["count"][0] == 0 and new["count"][0] > 0 and new["count"][2] == 0 and not new["known_on_deck"]
        return [f"{INDENT}Shuffled discard pile to form new deck"] if made else []

    def _drew(self, drawn, deck, together):
        lines = []
        while drawn > 0:
            if deck == 0:
                lines.append(f"{INDENT}Shuffled discard pile to form new deck")
                deck = drawn + 1
            now = min(drawn, deck) if together else 1
            lines.append(f"{INDENT}Drew {now} cards.")
            drawn, deck = drawn - now, deck - now
        return lines

    def _by_itself(self, words, old, new, seat):
        """Write actions without a choice, which the app also logs."""
        if words.startswith("play ") and self._of(words[5:]).copies_a_ship:
            entries = new["players"][seat]["in_play"][: new["players"][seat]["in_play_count"]]
            if int(entries[-1]["copying"]) != NO_CARD:
                self._copy(f"copy {self.names[entries[-1]['copying']]}", None, seat)
        gone = Counter(_in_play(old, 1 - seat)) - Counter(_in_play(new, 1 - seat))
        if not words.startswith(("attack ", "destroy ")):
            for card in gone.elements():
                self._destroyed(self.names[card], seat)
        scrapped = Counter(dict(enumerate((new["scrap_heap"].astype(int) - old["scrap_heap"]).tolist())))
        scrapped[self.game.variant.card_set.explorer] = max(0, int(new["explorers"]) - int(old["explorers"]))
        if words.startswith(("scrap ", "use scrap ")):
            name = words.removeprefix("use ").removeprefix("scrap ").rsplit(" from ", 1)[0]
            scrapped[self.game.variant.card_set.numbers[name]] -= 1
        for card in (+scrapped).elements():
            self._scrapped(self.names[card], seat, "hand")
        if words.startswith("discard "):
            self._also_discarded(old, new, int(old["to_act"]), Counter([words[8:]]))
        grown = int(new["players"][seat]["known_on_deck"]) > int(old["players"][seat]["known_on_deck"])
        if grown and not words.startswith("acquire ") and not words.endswith("to deck"):
            self._acquired(self.names[pile_of(new["players"][seat], Zone.DECK)[-1]])

    def _also_discarded(self, old, new, seat, told):
        piles = [Counter(pile_of(state["players"][seat], Zone.DISCARD_PILE).tolist()) for state in (old, new)]
        for card in (piles[1] - piles[0]).elements():
            if told[self.names[card]]:
                told[self.names[card]] -= 1
            else:
                self._discarded(self.names[card], seat)

    # Attacks, and the end of a turn

    def _attack_player(self, old, new, seat, words):
        if self._before_attack is None:
            self._before_attack = old.copy()
        if new["stack_count"] and words != "done" and new["to_act"] >= 0:
            return
        first, self._before_attack = self._before_attack, None
        lost = int(first["players"][1 - seat]["authority"]) - int(new["players"][1 - seat]["authority"])
        left = int(new["players"][1 - seat]["authority"])
        block = self._open(f"Attacked {NAMES[1 - seat]} for {lost} (New Authority:{left})")
        block.effects += [(seat, "", -lost, "combat"), (1 - seat, "", -lost, "authority")]
        if new["to_act"] < 0:
            self._won(new)

    def _end_turn(self, before, after, seat):
        old, new = before[0], after[0]
        unused = [words for words in self.game.moves(before) if words in ("use ally Patrol Mech", "use Brain World")]
        for words in unused:
            if self._often(0.3):
                self._open(f"Activating {self._card(words[4:].removeprefix('ally '))}")
        ends = f"{NAMES[seat]} ends turn {int(old['turn'])}"
        late = [block for block in self._blocks if block.lines()]
        if len(late) == 1 and any("is discarding" in line for line in late[0].told):
            self._blocks = [Block(head=[ends]), Block(head=late[0].told + late[0].echo)]
        else:
            self._open(ends)
        if any(
            line.startswith("Activating") and "Stealth Needle" in line for block in self._blocks for line in block.head
        ):
            self._open(f"{INDENT}Changed {self._card('Stealth Needle')} to Unaligned")
        drawn, deck = int(new["players"][seat]["count"][1]), int(old["players"][seat]["count"][0])
        self._open(*self._drew(drawn, deck, together=True), f"{INDENT}Refresh ally indicators")
        self._open(f"{INDENT}It is now {NAMES[1 - seat]}'s turn {int(new['turn'])}")
        self._write()
        self.turns.append(tuple(int(new["players"][k]["authority"]) for k in (0, 1)))
        self.owned.append([owned(self.game, after, k) for k in (0, 1)])
        self._begin(new)
        self._also_discarded(old, new, 1 - seat, Counter())
        self._open(*self._shuffled_ahead(old["players"][1 - seat], new["players"][1 - seat]))

    def _begin(self, state):
        self._pools = {(seat, what): int(state["players"][seat][what]) for seat in (0, 1) for what in POOLS}
        self._blocks = [Block()]

    def _won(self, state):
        self._open(f"{INDENT}=== {NAMES[int(list(state['placement'][:2]).index(1))]} has won the game. ===")
        self._write()

    # Lines of a turn

    def _write(self):
        for block in self._together():
            for line in block.lines():
                self.lines.append(line if isinstance(line, str) else self._counted(*line))

    def _together(self):
        """Yield the blocks of a turn, with some consecutive cards as one `Play all`."""
        blocks = list(self._blocks)
        while blocks:
            run, left = [], blocks[0].hand.copy()
            while len(run) < len(blocks) and self._may_join(blocks[len(run)], left):
                left[blocks[len(run)].play] -= 1
                run.append(blocks[len(run)])
            if run and self._often(0.3):
                run = run[: self._chance.randint(1, len(run))]
            effects = [effect for block in run for effect in block.effects]
            if any(not isinstance(effect, str) for effect in effects) and self._often(0.7):
                yield Block(head=["Play all"], effects=self._shuffled(effects))
                blocks = blocks[len(run) :]
            else:
                yield blocks.pop(0)

    def _may_join(self, block, left):
        return block.play and left[block.play] > 0 and len(block.head) == 1 and not block.told and not block.echo

    def _shuffled(self, effects):
        """Return gains in random order; draws and shuffles keep theirs."""
        draws = iter(
            [effect for effect in effects if isinstance(effect, str) and " cards" in effect or "Shuffled" in effect]
        )
        self._chance.shuffle(effects)
        return [
            next(draws) if isinstance(effect, str) and " cards" in effect or "Shuffled" in effect else effect
            for effect in effects
        ]

    def _counted(self, seat, name, amount, what):
        self._pools[seat, what] += amount
        total = f"({what.title()}:{self._pools[seat, what]})"
        if amount < 0:
            return f"{INDENT}{NAMES[seat]} - -{-amount} {what.title()} {total}"
        return f"{INDENT}{NAMES[seat]}  >  {self._card(name)} +{amount} {what.title()} {total}"

    def _often(self, chance):
        return self._varied and self._chance.random() < chance

    def _of(self, name):
        return self.game.variant.card_set.cards[self.game.variant.card_set.numbers[name]]

    def _at(self, entry):
        return self.game.variant.card_set.cards[entry["card"]]

    def _card(self, name):
        card_set = self.game.variant.card_set
        factions = self._of(name).factions
        colour = COLOURS[card_set.factions[factions[0]]] if factions else "800080"
        return f"<color=#{colour}>{name}</color>"


def _in_play(state, seat):
    player = state["players"][seat]
    return player["in_play"]["card"][: player["in_play_count"]].tolist()


def owned(game, states, seat):
    """Return the names of all cards of a seat."""
    player = game.position(states[0])["players"][f"player_{seat}"]
    in_play = [card if isinstance(card, str) else card["card"] for card in player["in_play"]]
    return sorted(player["hand"] + player["deck"] + player["discard"] + in_play)
