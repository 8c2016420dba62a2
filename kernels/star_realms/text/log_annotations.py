"""Log lines in addition to the moves: trade row, damage, cards drawn, a Boss's actions, winners of scenarios."""

from collections import Counter

from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.state import NO_CARD, ROW_SIZE, Zone, pile_of
from stardeck.kernels.star_realms.text.render import offer, side_name
from stardeck.kernels.star_realms.text.visibility import sees_hand
from stardeck.kernels.text.lines import counted


def paragraph(variant, state) -> int:
    """Return the turn of the next decision; each game of a campaign counts its own turns."""
    return int(state["turn"])


def board(variant, states) -> list[str]:
    """Return lines with the trade row and, at the start of a campaign game, the sides of the players.

    Against a Boss, the headline shows the trade row instead.
    """
    state = states[0]
    lines = []
    if variant.campaign and state["turn"] == 1 and state["scenario"]:
        sides = [f"player_{seat} is {side_name(variant, seat)}" for seat in range(variant.players)]
        lines += [", ".join(sides)] if all(side_name(variant, seat) for seat in range(variant.players)) else []
    if not variant.format.boss and state["to_act"] >= 0:
        row = [variant.card(state, card) for card in state["trade_row"] if card != NO_CARD]
        lines += [f"trade row: {', '.join(f'{card.name} ({card.cost})' for card in row)}"] if row else []
    return lines


def _changed(before, after, name):
    """Return `player_1 50 to 44`, or nothing."""
    before, after = max(int(before), 0), max(int(after), 0)
    if before == after:
        return []
    return [f"{name} {before} to {after}" + (", out of the game" if after == 0 else "")]


def _authority(variant, before, after):
    """Return changes of authority, once for players who share it."""
    settled, texts = variant.format, []
    for side, seats in enumerate(variant.sides):
        shared = settled.shared_authority and len(seats) > 1
        for seat in seats[:1] if shared else seats:
            name = f"team_{side}" if shared else f"player_{seat}"
            texts += _changed(before["players"][seat]["authority"], after["players"][seat]["authority"], name)
    if settled.boss:
        texts += _changed(before["boss_authority"], after["boss_authority"], settled.boss.name)
    blob = variant.blob(before)
    if blob and before["scenario"] == after["scenario"]:
        texts += _changed(before["boss_authority"], after["boss_authority"], blob.name)
    return texts


def _drawn(variant, before, after, viewer):
    """Return the cards that the active seat has drawn in its turn; for hidden hands, only their number."""
    seat = int(after["active"])
    old, new = before["players"][seat], after["players"][seat]
    if seat != before["active"] or before["turn"] != after["turn"] or after["boss_turn"]:
        return []  # the headline of the turn shows the hand
    gained = Counter(pile_of(new, Zone.HAND).tolist()) - Counter(pile_of(old, Zone.HAND).tolist())
    if not gained or after["to_act"] < 0:
        return []
    if not sees_hand(variant, seat, viewer):
        count = gained.total()
        return [f"draws {'a card' if count == 1 else f'{count} cards'}"]
    return [f"draws {counted(variant.card(after, card).name for card in gained.elements())}"]


def _pools(before, after, viewer):
    """Return the viewer's pools on its own turn if they have grown."""
    if viewer is None or viewer != after["active"] or before["turn"] != after["turn"] or after["to_act"] < 0:
        return []
    old, new = before["players"][viewer], after["players"][viewer]
    if new["trade"] <= old["trade"] and new["combat"] <= old["combat"]:
        return []
    return [f"trade {new['trade']}, combat {new['combat']}"]


def _new_in_row(variant, before, after):
    """Return the cards that have come into the trade row."""
    new = Counter(after["trade_row"].tolist()) - Counter(before["trade_row"].tolist())
    names = [variant.card(after, card).name for card in new.elements() if card != NO_CARD]
    return [f"{' and '.join(names)} turn{'s' * (len(names) == 1)} up"] if names else []


def _reveals(variant, before, action, after):
    """Return the cards that have decided the Boss's actions so far in its turn."""
    began = variant.actions[action].act == Act.END_TURN and before["boss_waits"] <= 0
    acted = after["boss_turn"] or after["turn"] != before["turn"] or after["to_act"] < 0
    if not before["boss_turn"] and not (began and acted):
        return []
    left = sum(before["players"]["authority"][: variant.players] > 0)
    count = left if variant.rules[0]["boss_reveals_for_each"] else 1
    first = before["boss_place"] + 1 if before["boss_turn"] else ROW_SIZE - count
    revealed = after["trade_row"][first : after["boss_place"] + 1]
    names = [offer(variant, after, card) for card in revealed if card != NO_CARD]
    return [f"{variant.format.boss.name} reveals {', '.join(names)}"] if names else []


def _victory(variant, before, action, after):
    """Return how a game of a campaign was won (Rise of Empire rulebook: Political Victory)."""
    last = before["scenario"] != after["scenario"] or after["to_act"] < 0
    if not variant.campaign or not last or not before["scenario"] or after["truncated"]:
        return []
    political = variant.actions[action].act == Act.UPGRADE
    how = "a political victory, the last sticker of the sheet" if political else "a victory by conquest"
    number = int(before["scenario"]) - 1
    winner = int(after["won_by"][number]) - 1
    if winner < 0:
        return [how]
    scene = variant.campaign.scenarios[number]
    points = " : ".join(map(str, after["victory_points"]))
    name = f"player_{winner}, {side_name(variant, winner)},"
    return [f"{name} wins scenario {number + 1}, {scene.name}: {how}; victory points {points}"]


def news(variant, before, action, after, viewer=None) -> list[str]:
    """Return the results of an action that its words do not state. before, after: arrays of one row."""
    old, new = before[0], after[0]
    if old["scenario"] != new["scenario"]:
        return _victory(variant, old, action, new)
    reveals = _reveals(variant, old, action, new) if variant.format.boss else []
    texts = _drawn(variant, old, new, viewer) + (reveals or _new_in_row(variant, old, new))
    texts += _pools(old, new, viewer)
    return texts + _authority(variant, old, new) + _victory(variant, old, action, new)
