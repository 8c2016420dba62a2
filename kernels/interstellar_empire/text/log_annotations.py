"""Log annotations: bids, the numbers and winner of a war, cards drawn, the reason why a game ended."""

from collections import Counter

import numpy as np

from stardeck.kernels.interstellar_empire.play.war import ATTACKER, DEFENDER
from stardeck.kernels.interstellar_empire.rules import Act
from stardeck.kernels.interstellar_empire.state import Ask, Phase
from stardeck.kernels.interstellar_empire.text.visibility import cards_of
from stardeck.kernels.text.lines import counted


def paragraph(variant, state) -> int:
    """Return the number of the turn that the next decision belongs to."""
    return int(state["turn"])


def board(variant, states) -> list[str]:
    """Return the planets of each seat, as at most one line."""
    state = states[0]
    empires = [cards_of(variant, player["empire"]) for player in state["players"][: variant.players]]
    if state["to_act"] < 0 or not any(empires):
        return []
    return ["planets: " + "; ".join(f"player_{seat} {counted(empire)}" for seat, empire in enumerate(empires))]


def _bids(variant, before, action, after):
    """Return the bids after the last one is laid down."""
    last = before["to_act"] == variant.players - 1
    if variant.actions[action].act != Act.BID or not last:
        return []
    bids = before["players"]["bid"][: variant.players - 1].tolist() + [variant.actions[action].card]
    cards = [variant.card_set.cards[card] for card in bids]
    told = ", ".join(f"player_{seat} {card.name} ({card.number})" for seat, card in enumerate(cards))
    begins = f"player_{after['active']} begins" if after["turn"] else "a tie, and they bid again"
    return [f"bids: {told}; {begins}"]


def _number(variant, state, depth):
    """Return the name and number of a card turned over; `no card` and 0 if the deck had none left."""
    if state["deck_count"] <= depth:
        return "no card", 0
    card = variant.card_set.cards[state["deck"][state["deck_count"] - 1 - depth]]
    return card.name, card.number


def _fleet(variant, state, named):
    """Return the sum of the defending ships, including one that this action sends."""
    numbers = [variant.card_set.cards[sent["card"]].number for sent in state["defenders"][: state["sent_count"]]]
    if state["ask"] == Ask.DEFENDERS and named.act in (Act.SEND, Act.SEND_TAPPED):
        numbers.append(variant.card_set.cards[named.card].number)
    return sum(numbers)


def _sum(ships, bonus, number, name, total):
    """Return a sum in words, such as `ships 15 + Cruiser 3 = 18`."""
    parts = [f"ships {ships}"] + [f"special {bonus}"] * bool(bonus) + [f"{name} {number}"]
    return f"{' + '.join(parts)} = {total}"


def _attack(variant, before, after):
    """Return the attacker's score in words, after the numbers are drawn."""
    name, number = _number(variant, before, 0)
    bonus, total = int(after["bonus"][ATTACKER]), int(after["attack_score"])
    return _sum(total - bonus - number, bonus, number, name, total)


def _war(variant, before, action, after):
    """Return the numbers of a war that were just drawn, and its winner."""
    named = variant.actions[action]
    in_war = Ask.ATTACKERS <= before["ask"] <= Ask.NUMBER
    if not in_war or Ask.ATTACKERS <= after["ask"] <= Ask.SURPRISE and after["to_act"] >= 0:
        return []
    asks_for_card = after["ask"] == Ask.NUMBER and after["to_act"] >= 0
    texts = []
    if before["ask"] != Ask.NUMBER:
        texts.append(f"attack: {_attack(variant, before, after)}")
    if asks_for_card:
        return [*texts, "the deck is empty, the defender's number comes from the hand"]
    if before["ask"] == Ask.NUMBER:
        name, number = variant.card_set.cards[named.card].name, variant.card_set.cards[named.card].number
    else:
        name, number = _number(variant, before, 1)
    ships, bonus = _fleet(variant, before, named), int(after["bonus"][DEFENDER])
    total = ships + bonus + number
    texts.append(f"defence: {_sum(ships, bonus, number, name, total)}")
    planet = variant.card_set.cards[before["subject"]].name
    attacker, defender = f"player_{before['active']}", f"player_{before['defender']}"
    won = int(after["attack_score"]) > total
    texts.append(f"{attacker} conquers {planet}" if won else f"{defender} keeps {planet}")
    gone = _ships(variant, before, before["defender"]) - _ships(variant, after, before["defender"])
    return texts + [f"{defender} loses {counted(gone.elements())}"] * bool(gone)


def _ships(variant, state, seat):
    """Count the ships of a seat by name, including those sent to defend."""
    player = state["players"][seat]
    ships = Counter(cards_of(variant, player["untapped"]) + cards_of(variant, player["tapped"]))
    sent = state["defenders"][: state["sent_count"]]
    return ships + Counter(variant.card_set.cards[each["card"]].name for each in sent)


def _drawn(variant, before, action, after, viewer):
    """Return the cards that came into a hand, except at the start of a turn: the headline shows those."""
    if before["turn"] != after["turn"]:
        return []
    texts = []
    for seat in range(variant.players):
        hands = [state["players"][seat]["hand"].astype(np.int64) for state in (after, before)]
        gained = np.maximum(hands[0] - hands[1], 0)
        if before["ask"] in (Ask.KEEP, Ask.ARTIFACT) and seat == before["to_act"]:
            gained[variant.actions[action].card] = 0
        count = int(gained.sum())
        shown = viewer in (None, seat) or before["ask"] == Ask.ARTIFACT
        what = counted(cards_of(variant, gained)) if shown else "a card" if count == 1 else f"{count} cards"
        texts += [f"player_{seat} gets {what}"] if count else []
    return texts


def _end(variant, before, action, after):
    """Return the reason why the game has ended, and the amounts that decided it."""
    if after["to_act"] >= 0:
        return []
    left = [seat for seat in range(variant.players) if not after["players"][seat]["out"]]
    if len(left) == 1:
        return ["all others have conceded"]

    def compared(count):
        return " : ".join(str(int(count(after["players"][seat]))) for seat in left)

    best = [seat for seat in left if after["placement"][seat] == 1]
    planets = compared(lambda player: player["empire"].sum())
    words = [f"the deck is used up; planets {planets}"]
    most = max(int(after["players"][seat]["empire"].sum()) for seat in left)
    if sum(int(after["players"][seat]["empire"].sum()) == most for seat in left) > 1:
        words.append(f"ships {compared(lambda player: player['untapped'].sum() + player['tapped'].sum())}")
        words.append(f"hands {compared(lambda player: player['hand'].sum())}")
    names = " and ".join(f"player_{seat}" for seat in best)
    return ["; ".join(words) + (f": {names} is ahead" if len(best) == 1 else f": {names} share the first place")]


def news(variant, before, action, after, viewer=None) -> list[str]:
    """Return the results of an action that its words do not name. before, after: arrays of one row."""
    old, new = before[0], after[0]
    texts = _bids(variant, old, action, new) if old["phase"] == Phase.BID else []
    if old["phase"] != Phase.BID:
        texts += _war(variant, old, action, new) + _drawn(variant, old, action, new, viewer)
    return texts + _end(variant, old, action, new)
