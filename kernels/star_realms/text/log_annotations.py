"""What a log tells beside the moves: the trade row, damage, cards drawn, what a Boss did, who won a scenario."""

from collections import Counter

from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.state import NO_CARD, ROW_SIZE, Zone, pile_of
from stardeck.kernels.star_realms.text.render import offer, side_name
from stardeck.kernels.star_realms.text.visibility import sees_hand
from stardeck.kernels.text.lines import counted


def paragraph(variant, state) -> int:
    """The turn that the next decision belongs to; each game of a campaign counts its own."""
    return int(state["turn"])


def board(variant, states) -> list[str]:
    """The trade row; where a Boss waits for its cards the headline shows it. At the start, who plays which side."""
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
    """`player_1 50 to 44`, or nothing."""
    before, after = max(int(before), 0), max(int(after), 0)
    if before == after:
        return []
    return [f"{name} {before} to {after}" + (", out of the game" if after == 0 else "")]


def _authority(variant, before, after):
    """Whose authority has changed; once for those who share it."""
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
    """What the seat that has the move has drawn in its turn; of other hands how many cards."""
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
    """The pools of the reader whose turn it is, where they have grown."""
    if viewer is None or viewer != after["active"] or before["turn"] != after["turn"] or after["to_act"] < 0:
        return []
    old, new = before["players"][viewer], after["players"][viewer]
    if new["trade"] <= old["trade"] and new["combat"] <= old["combat"]:
        return []
    return [f"trade {new['trade']}, combat {new['combat']}"]


def _new_in_row(variant, before, after):
    """Cards that have come into the trade row."""
    new = Counter(after["trade_row"].tolist()) - Counter(before["trade_row"].tolist())
    names = [variant.card(after, card).name for card in new.elements() if card != NO_CARD]
    return [f"{' and '.join(names)} turn{'s' * (len(names) == 1)} up"] if names else []


def _reveals(variant, before, action, after):
    """The cards that have decided what the Boss did, as far as its turn has come."""
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
    """How a game of a campaign was won. (Rise of Empire rulebook: Political Victory)"""
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
    """What an action has brought about that its words do not say. before, after: arrays of one row."""
    old, new = before[0], after[0]
    if old["scenario"] != new["scenario"]:
        return _victory(variant, old, action, new)
    reveals = _reveals(variant, old, action, new) if variant.format.boss else []
    texts = _drawn(variant, old, new, viewer) + (reveals or _new_in_row(variant, old, new))
    texts += _pools(old, new, viewer)
    return texts + _authority(variant, old, new) + _victory(variant, old, action, new)
