"""The table as text for people, as one seat sees it."""

from stardeck.kernels.star_realms.play.effects.questions import QUESTIONS
from stardeck.kernels.star_realms.rules import Kind
from stardeck.kernels.star_realms.state import NAMED_SHIFT, NO_CARD, Ability, Decision, Face, Part, Zone, pile_of
from stardeck.kernels.star_realms.text.cards import faction_words
from stardeck.kernels.star_realms.text.visibility import deck, gambits, hand, in_order, is_own, on_top
from stardeck.kernels.star_realms.text.words import moves
from stardeck.kernels.text.lines import counted, labelled

BLOB_ACTS = "after both players"
USED = {Ability.PRIMARY: "primary", Ability.ALLY: "ally", Ability.SECOND_ALLY: "second ally"}


def _names(cards):
    """Return cards by name, with the number of copies."""
    return counted(card.name for card in cards)


def _in_order(variant, state, numbers):
    """Return cards by name, with the number of copies, the most expensive first."""
    return _names(in_order(variant, state, numbers))


def offer(variant, state, number) -> str:
    """Return a card of the trade row: `Cutter (2, trade federation)`."""
    card = variant.card(state, number)
    faction = faction_words(card, variant.card_set.factions)
    kind = "" if card.kind == Kind.SHIP else f", {Kind(card.kind).name.lower()} {card.defense}"
    return f"{card.name} ({card.cost}, {faction}{kind})"


def base_words(card) -> list[str]:
    """Return the target words of a card: `outpost 4`; nothing for a ship."""
    return [] if card.kind == Kind.SHIP else [f"{Kind(card.kind).name.lower()} {card.defense}"]


def notes(variant, state, entry) -> list[str]:
    """Return the state of a card in play: its copy, its named faction, its used abilities. entry: one record."""
    words = [f"as {variant.card(state, entry['copying']).name}"] if entry["copying"] != NO_CARD else []
    if named := int(entry["used"]) >> NAMED_SHIFT:
        words.append(variant.card_set.factions[named - 1].replace("_", " "))
    return words + [f"{USED[bit]} used" for bit in USED if entry["used"] & bit]


def _in_play(variant, state, player):
    shown = []
    for entry in player["in_play"][: player["in_play_count"]]:
        card = variant.card(state, entry["card"])
        damage = [f"damage {entry['damage']}"] if entry["damage"] else []
        words = base_words(card) + damage + notes(variant, state, entry)
        shown.append(card.name + (f" ({', '.join(words)})" if words else ""))
    return ", ".join(shown) or "-"


def _cards(pile):
    return "1 card" if len(pile) == 1 else f"{len(pile)} cards"


def _gambits(variant, player, own):
    """Return the gambits in front of a player: revealed ones by name, hidden ones by name only for their owner."""
    seen = gambits(variant, player, own)
    shown = [f"({name})" if face == Face.HIDDEN else name for name, face in seen.shown]
    return ", ".join(shown + [f"{seen.hidden} face down"] * bool(seen.hidden)) or "-"


def ranks(variant, seat) -> list[str]:
    """Return the roles of a seat in its format, in words."""
    settled = variant.format
    words = []
    if seat in settled.leaders:
        words.append("Boss" if settled.lasting_damage_seat == seat else "Emperor")
    if settled.has_teams and settled.has_opponents:
        words.append(f"team_{settled.team_of[seat]}")
    return words


def _role(variant, seat, viewer):
    """Return the roles of a seat in brackets, to follow its name."""
    words = ["you"] * (seat == viewer) + ranks(variant, seat)
    return f" ({', '.join(words)})" if words else ""


def has_move(state, seat) -> bool:
    """Return whether it is a seat's turn, or in a shared turn its move."""
    return bool(seat == state["active"] and state["to_act"] >= 0 and not state["boss_turn"])


def has_finished(variant, player) -> bool:
    """Return whether a player has finished a shared turn. player: one record."""
    return bool(variant.format.shared_turn and player["finished"] == Part.FINISHED)


def _hand(variant, state, seat, viewer):
    """Return a hand by name, or its number of cards."""
    seen = hand(variant, state, seat, viewer)
    return _cards(pile_of(state["players"][seat], Zone.HAND)) if seen is None else _names(seen)


def _player(variant, state, seat, viewer):
    player = state["players"][seat]
    if player["authority"] <= 0:
        lines = [f"player_{seat}{_role(variant, seat, viewer)}  out of the game"]
        if player["count"][Zone.DISCARD_PILE]:  # until its player has decided what to leave to teammates
            lines += labelled("discard", _in_order(variant, state, pile_of(player, Zone.DISCARD_PILE)))
        return lines
    turn = "  finished" if has_finished(variant, player) else "  << turn" if has_move(state, seat) else ""
    lines = [f"player_{seat}{_role(variant, seat, viewer)}  authority {player['authority']}{turn}"]
    if turn or player["trade"] or player["combat"]:
        lines += labelled("pools", f"trade {player['trade']}, combat {player['combat']}")
    lines += labelled("in play", _in_play(variant, state, player))
    lines += labelled("hand", _hand(variant, state, seat, viewer))
    held = _cards(pile_of(player, Zone.DECK))
    known = deck(variant, state, seat, viewer)
    lines += labelled("deck", held if known is None else f"{held}: {_names(known)}")
    if top := on_top(variant, state, seat):
        lines += labelled("on top", ", ".join(card.name for card in top))
    lines += labelled("discard", _in_order(variant, state, pile_of(player, Zone.DISCARD_PILE)))
    if variant.format.gambits:
        lines += labelled("gambits", _gambits(variant, player, is_own(seat, viewer)))
    return lines


def _boss(variant, state):
    """Return the automated Boss and the time of its next turn."""
    lines = [f"{variant.format.boss.name}  authority {state['boss_authority']}"]
    if variant.format.boss.gathers:
        lines += labelled("before it", f"{_cards(range(state['face_down_count']))} face down")
    return lines + labelled("acts", boss_acts(state))


def _blob(variant, state):
    """Return the automated Blob, if the players fight it."""
    blob = variant.blob(state)
    return [f"{blob.name}  authority {state['boss_authority']}", *labelled("acts", BLOB_ACTS)] if blob else []


def boss_acts(state) -> str:
    """Return the time of the automated Boss's next turn."""
    waits = int(state["boss_waits"])
    return f"after {waits} more turns of the players" if waits > 0 else "after the players' turn"


def _winners(variant, state):
    """Return the winners in words."""
    if variant.format.boss:
        return "the players won" if state["placement"][0] == 1 else f"{variant.format.boss.name} won"
    winners = [f"player_{seat}" for seat in range(variant.players) if state["placement"][seat] == 1]
    points = f" with {' : '.join(map(str, state['victory_points']))} points" if state["won_by"].any() else ""
    return f"{' and '.join(winners)} won{points}"


def _whose_turn(variant, state):
    if variant.format.boss and state["boss_turn"]:
        return variant.format.boss.name
    if variant.format.shared_turn and variant.format.has_teams:
        return "the players" if variant.format.boss else f"team_{variant.format.team_of[state['active']]}"
    return f"player_{state['active']}"


def _fills_up(variant, state):
    """Return whether a campaign is over except for the upgrades that its sides still have."""
    return variant.campaign and not state["scenario"] and state["to_act"] >= 0


def where_it_stands(variant, state) -> str:
    """Return the player whose turn it is, or how the game has ended."""
    if _fills_up(variant, state):
        return (
            f"After the campaign, {' : '.join(map(str, state['victory_points']))} points: {_whose_turn(variant, state)}"
        )
    if state["to_act"] >= 0:
        return f"Turn {state['turn']}: {_whose_turn(variant, state)}"
    if state["truncated"]:
        return f"Turn {state['turn']}: game over, truncated"
    return f"Turn {state['turn']}: game over, {_winners(variant, state)}"


def side_words(side) -> str:
    """Return a side of a campaign in words: `Star Empire`."""
    return side.replace("_", " ").title()


def side_name(variant, seat) -> str:
    """Return the side of a seat in a campaign: `Star Empire`, or an empty text."""
    side = int(variant.rules[0]["seat_side"][seat])
    return side_words(variant.campaign.sides[side]) if side >= 0 else ""


def scenario_words(variant, state) -> str:
    """Return the current scenario, with the choice made for it, and the points of a campaign."""
    number = int(state["scenario"])
    if not number:
        return "after the last scenario"
    text = f"scenario {number}, {variant.campaign.scenarios[number - 1].name}"
    text += f", modifier {state['modifier']}" if state["modifier"] else ""
    points = " : ".join(map(str, state["victory_points"]))
    return text + (f"; victory points {points}" if state["won_by"].any() else "")


def upgraded(variant, state) -> list[int]:
    """Return the numbers of the cards that have a sticker."""
    slots = range(len(variant.card_set.cards), len(variant.names))
    return [number for number in slots if variant.is_there(state, number)]


def seats_with_cards(variant, state) -> range:
    """Return the seats with cards on the table: after a campaign, none."""
    return range(variant.players if not variant.campaign or state["scenario"] else 0)


def scrap_heap(state) -> list[int]:
    """Return the card numbers of the Scrap Heap, one for each copy."""
    return [card for card, count in enumerate(state["scrap_heap"]) for _ in range(count)]


def question(state) -> str:
    """Return the current question in words; an empty text for a free move of the turn."""
    if not state["stack_count"]:
        return ""
    frame = state["stack"][state["stack_count"] - 1]
    words = QUESTIONS[Decision(int(frame["decision"]))].words
    if frame["decision"] == Decision.BID and (frame["done"] or frame["seat"] != state["first"]):
        words += f" (player_{frame['owner']} has it for {frame['done']})"
    return words


def render(variant, states, viewer=None) -> str:
    """Return the table as `viewer` may see it; None shows everything. states: array of one row."""
    state = states[0]
    lines = [where_it_stands(variant, state)]
    row = [offer(variant, state, card) for card in state["trade_row"] if card != NO_CARD]
    lines += labelled("trade row", "; ".join(row) or "empty")
    lines += labelled("supply", f"{state['explorers']} Explorers, {state['trade_deck_count']} cards in the trade deck")
    lines += labelled("scrapped", _in_order(variant, state, scrap_heap(state)))
    if variant.format.boss:
        lines += _boss(variant, state)
    lines += _blob(variant, state)
    if variant.campaign:
        lines += labelled("campaign", scenario_words(variant, state))
        lines += labelled("upgraded", _in_order(variant, state, upgraded(variant, state)))
    for seat in seats_with_cards(variant, state):
        lines += _player(variant, state, seat, viewer)
    if state["to_act"] >= 0:
        asked = f" ({question(state)})" if state["stack_count"] else ""
        lines.append(f"player_{state['to_act']} to move{asked}")
        if viewer in (None, state["to_act"]):
            lines += labelled("moves", "; ".join(moves(variant, states)))
    return "\n".join(lines)


def _scores(variant, state):
    """Return authority by side: teammates with separate scores joined by +, an automated Boss last."""
    scores = []
    for seats in variant.sides:
        own = [str(max(int(state["players"][seat]["authority"]), 0)) for seat in seats]
        scores.append(own[0] if variant.format.shared_authority else "+".join(own))
    if variant.format.boss or variant.blob(state):
        scores.append(str(state["boss_authority"]))
    return " : ".join(scores)


def _revealed(variant, state):
    """Return the cards that have just decided the Boss's actions, one for each player left or one for all."""
    if not state["boss_place"]:
        return []
    left = sum(state["players"]["authority"][: variant.players] > 0)
    count = left if variant.rules[0]["boss_reveals_for_each"] else 1
    cards = state["trade_row"][state["boss_place"] + 1 - count : state["boss_place"] + 1]
    return [
        f"  {variant.format.boss.name} revealed {', '.join(offer(variant, state, c) for c in cards if c != NO_CARD)}"
    ]


def _seat_line(variant, state, seat, names, viewer):
    """Return the line of a seat on turn: its agent, its hand, and what it has in play."""
    in_play = _in_play(variant, state, state["players"][seat])
    bases = "" if in_play == "-" else f"; in play: {in_play}"
    return f"player_{seat} ({names[seat]})  hand: {_hand(variant, state, seat, viewer)}{bases}"


def headline(variant, states, names, viewer=None, told=False) -> str:
    """Return the start of a turn or the end of a game: authority by side, and the hands.

    Args:
        variant: The variant.
        states: Array of one row.
        names: Agents by seat.
        viewer: A seat, or None, who sees everything.
        told: The news already report what a Boss has revealed, so the headline omits it.
    """
    state = states[0]
    if state["to_act"] < 0:
        return where_it_stands(variant, state)
    team = variant.sides[variant.format.team_of[state["active"]]] if variant.format.shared_turn else [state["active"]]
    if _fills_up(variant, state):
        return where_it_stands(variant, state)
    lines = [f"Turn {state['turn']}  [{_scores(variant, state)}]  "]
    if variant.format.boss:  # the Boss's next actions depend on the order of the row
        row = [variant.card(state, card).name for card in state["trade_row"] if card != NO_CARD]
        lines[0] += f"trade row, next to leave first: {', '.join(row)}"
        lines += [] if told else _revealed(variant, state)
    elif len(team) > 1:
        lines[0] += _whose_turn(variant, state)
    for seat in team:
        if state["players"][seat]["authority"] <= 0:
            continue
        text = _seat_line(variant, state, seat, names, viewer)
        if len(team) > 1 or variant.format.boss:
            lines.append(f"  {text}")
        else:
            lines[0] += text
    if variant.campaign and state["turn"] == 1:
        lines.insert(0, f"{scenario_words(variant, state)[0].upper()}{scenario_words(variant, state)[1:]}")
    return "\n".join(lines)
