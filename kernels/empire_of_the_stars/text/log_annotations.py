"""Log annotations: goods produced, results of influence, points, losses of ships, battle plans."""

from collections import Counter

from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import (
    NOBODY,
    REGIONS,
    SHIPS_IN_REGION,
    Plan,
    Resource,
    Ship,
    Side,
    Step,
)
from stardeck.kernels.empire_of_the_stars.text.positions import SET_UP_STEPS, cards_of, scores
from stardeck.kernels.empire_of_the_stars.text.words import seat_name, word
from stardeck.kernels.text.lines import counted

TRADES = (Act.SELL, Act.BUY, Act.SWAP, Act.TAKE, Act.RESOURCE)  # the words of these actions already name the gain


def paragraph(variant, state) -> int:
    """Return the turn of the next decision. The choice of a role begins its turn; turn numbers count roles begun."""
    return int(state["turn"]) + (state["step"] == Step.CHOOSE_ROLE and state["to_act"] != NOBODY)


def _goods(player):
    """Return polymers, metals, energy and credits of a player, by name."""
    return {word(resource): int(player["resources"][resource]) for resource in Resource} | {
        "credits": int(player["credits"])
    }


def board(variant, states) -> list[str]:
    """Return the possessions of the players, the prices and the edict, as lines."""
    state = states[0]
    if state["to_act"] == NOBODY or state["step"] in SET_UP_STEPS:
        return []
    lines = []
    for seat in range(variant.players):
        player = state["players"][seat]
        ships = [word(ship) for ship in Ship for _ in range(_ships(player, ship).total())]
        goods = ", ".join(f"{name} {amount}" for name, amount in _goods(player).items())
        lines.append(f"{seat_name(seat)}: {goods}; ships: {counted(ships)}")
    prices = variant.content.prices[int(state["flipped"]).bit_count()]
    told = ", ".join(f"{word(resource)} {prices[resource]}" for resource in Resource)
    edict = variant.content.edicts[state["edict"]]["name"]
    return [*lines, f"prices: {told}; edict {edict}, Emperor {seat_name(state['emperor'])}"]


def _gains(variant, before, action, after):
    """Return resources and credits gained, except those that the words of a trade name."""
    if variant.actions[action].act in TRADES:
        return []
    texts = []
    for seat in range(variant.players):
        old, new = _goods(before["players"][seat]), _goods(after["players"][seat])
        gained = [f"{name} {new[name] - old[name]}" for name in old if new[name] > old[name]]
        texts += [f"{seat_name(seat)} gains {', '.join(gained)}"] if gained else []
    return texts


def _token(state, players, region):
    """Return the owner and kind of the token in a region; None if there is none."""
    for seat in range(players):
        for name, one in (("colonies", "colony"), ("starbases", "starbase")):
            if int(state["players"][seat][name]) >> region & 1:
                return seat_name(seat), one
    return None


def _tokens(variant, before, action, after):
    """Return colonies and starbases won, flipped and lost."""
    named = variant.actions[action]
    texts = []
    for region in range(REGIONS):
        old, new = (_token(state, variant.players, region) for state in (before, after))
        if old == new or (named.act == Act.REGION and named.what == region and new):
            continue  # the words of the action name this change
        if not new:
            texts.append(f"{old[0]} loses the {old[1]} in {region}")
        elif old and old[0] != new[0]:
            texts.append(f"{new[0]} takes {region} from {old[0]}, a {new[1]}")
        else:
            texts.append(f"{new[0]} has a {new[1]} in {region}")
    return texts


def _ships(player, ship):
    """Return the regions with ships of a class of a player, each as often as it has ships."""
    levels = [int(player["fleet"][ship][level]) for level in range(SHIPS_IN_REGION)]
    return Counter(region for region in range(REGIONS) for level in levels if level >> region & 1)


def _losses(variant, before, after):
    """Return the ships lost, with their regions."""
    texts = []
    for seat in range(variant.players):
        for ship in Ship:
            old, new = _ships(before["players"][seat], ship), _ships(after["players"][seat], ship)
            if new.total() < old.total():
                places = [f"{word(ship)} in {region}" for region in (old - new).elements()]
                texts.append(f"{seat_name(seat)} loses {', '.join(places)}")
    return texts


def _battle(variant, before, after):
    """Return the battle plans, as soon as both are open."""
    if before["step"] != Step.PLAN or after["step"] == Step.PLAN or after["sector"] != before["sector"]:
        return []
    texts = []
    for side in Side:
        tactics, weapons = (int(after["plans"][side][part]) for part in Plan)
        shields = int(after["strength"][side]) - tactics - weapons
        plan = f"tactics {tactics}, weapons {weapons}, shields {shields}"
        texts.append(f"{seat_name(after['mains'][side])} has {plan}")
    return texts


def _drawn(variant, before, after, viewer):
    """Return the technologies that came into a hand; for other hands only their number."""
    texts = []
    for seat in range(variant.players):
        old, new = (set(cards_of(state["players"][seat]["hand"])) for state in (before, after))
        gained = [variant.content.technologies[card].name for card in sorted(new - old)]
        if gained:
            many = "a card" if len(gained) == 1 else f"{len(gained)} cards"
            texts.append(f"{seat_name(seat)} draws {', '.join(gained) if viewer in (None, seat) else many}")
    return texts


def _points(variant, before, after):
    """Return changes of the Emperor and of scores."""
    old, new = scores(variant, before), scores(variant, after)
    texts = []
    if before["emperor"] != after["emperor"]:
        texts.append(f"{seat_name(after['emperor'])} is the Emperor now")
    texts += [f"{name} {old[name]} to {new[name]} points" for name in old if old[name] != new[name]]
    return texts


def news(variant, before, action, after, viewer=None) -> list[str]:
    """Return the results of an action that its words do not name. before, after: arrays of one row."""
    old, new = before[0], after[0]
    if old["step"] in SET_UP_STEPS:
        return []
    texts = _battle(variant, old, new) + _losses(variant, old, new)
    texts += _tokens(variant, old, action, new) + _gains(variant, old, action, new)
    return texts + _drawn(variant, old, new, viewer) + _points(variant, old, new)
