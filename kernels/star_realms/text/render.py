"""The table as text, for people: what lies where, as one seat sees it."""

from stardeck.kernels.lines import counted, labelled
from stardeck.kernels.star_realms.play.questions import QUESTIONS
from stardeck.kernels.star_realms.rules import Kind
from stardeck.kernels.star_realms.state import NAMED_SHIFT, NO_CARD, Ability, Decision, Face, Part, Zone, pile_of
from stardeck.kernels.star_realms.text.cards import faction_words
from stardeck.kernels.star_realms.text.words import moves

USED = {Ability.PRIMARY: "primary", Ability.ALLY: "ally", Ability.SECOND_ALLY: "second ally"}


def _names(variant, state, numbers):
    """Cards by name, several copies counted, the dearest first."""
    cards = [variant.card(state, number) for number in numbers]
    return counted(card.name for card in sorted(cards, key=lambda card: (-card.cost, card.name)))


def offer(variant, state, number) -> str:
    """A card of the trade row: `Cutter (2, trade federation)`."""
    card = variant.card(state, number)
    faction = faction_words(card, variant.card_set.factions)
    kind = "" if card.kind == Kind.SHIP else f", {Kind(card.kind).name.lower()} {card.defense}"
    return f"{card.name} ({card.cost}, {faction}{kind})"


def _in_play(variant, state, player):
    shown = []
    for entry in player["in_play"][: player["in_play_count"]]:
        card = variant.card(state, entry["card"])
        notes = [] if card.kind == Kind.SHIP else [f"{Kind(card.kind).name.lower()} {card.defense}"]
        if entry["damage"]:
            notes.append(f"damage {entry['damage']}")
        if entry["copying"] != NO_CARD:
            notes.append(f"as {variant.card(state, entry['copying']).name}")
        if named := int(entry["used"]) >> NAMED_SHIFT:
            notes.append(variant.card_set.factions[named - 1].replace("_", " "))
        notes += [f"{USED[bit]} used" for bit in USED if entry["used"] & bit]
        shown.append(card.name + (f" ({', '.join(notes)})" if notes else ""))
    return ", ".join(shown) or "-"


def _cards(pile):
    return "1 card" if len(pile) == 1 else f"{len(pile)} cards"


def _gambits(variant, player, own):
    """Gambits in front of a player: open ones by name, hidden ones for their owner alone."""
    shown = []
    for number, gambit in enumerate(variant.format.gambits):
        hidden, revealed = player["gambits"][Face.HIDDEN, number], player["gambits"][Face.REVEALED, number]
        shown += [gambit.name] * int(revealed)
        if own:
            shown += [f"({gambit.name})"] * int(hidden)
    hidden = int(player["gambits"][Face.HIDDEN].sum())
    if hidden and not own:
        shown.append(f"{hidden} face down")
    return ", ".join(shown) or "-"


def sees_hand(variant, seat, viewer) -> bool:
    """Whether a viewer sees a hand: its own, all (None), and in a Raid those of teammates."""
    if viewer in (None, seat):
        return True
    team_of = variant.format.team_of
    return variant.format.open_hands and team_of[seat] == team_of[viewer]


def _role(variant, seat, viewer):
    """What a seat is in its format, in brackets behind its name."""
    settled = variant.format
    words = ["you"] if seat == viewer else []
    if seat in settled.leaders:
        words.append("Boss" if settled.lasting_damage_seat == seat else "Emperor")
    if settled.has_teams and settled.has_opponents:
        words.append(f"team_{settled.team_of[seat]}")
    return f" ({', '.join(words)})" if words else ""


def _player(variant, state, seat, viewer):
    player = state["players"][seat]
    if player["authority"] <= 0:
        lines = [f"player_{seat}{_role(variant, seat, viewer)}  out of the game"]
        if player["count"][Zone.DISCARD_PILE]:  # until it is decided what it leaves to teammates
            lines += labelled("discard", _names(variant, state, pile_of(player, Zone.DISCARD_PILE)))
        return lines
    has_move = seat == state["active"] and state["to_act"] >= 0 and not state["boss_turn"]
    turn = "  << turn" if has_move else ""
    if variant.format.shared_turn and player["finished"] == Part.FINISHED:
        turn = "  finished"
    lines = [f"player_{seat}{_role(variant, seat, viewer)}  authority {player['authority']}{turn}"]
    if turn or player["trade"] or player["combat"]:
        lines += labelled("pools", f"trade {player['trade']}, combat {player['combat']}")
    lines += labelled("in play", _in_play(variant, state, player))
    piles = {zone: pile_of(player, zone) for zone in Zone}
    if sees_hand(variant, seat, viewer):
        lines += labelled("hand", _names(variant, state, piles[Zone.HAND]))
    else:
        lines += labelled("hand", _cards(piles[Zone.HAND]))
    if viewer in (None, seat):
        lines += labelled("deck", f"{_cards(piles[Zone.DECK])}: {_names(variant, state, piles[Zone.DECK])}")
    else:
        lines += labelled("deck", _cards(piles[Zone.DECK]))
    if player["known_on_deck"]:
        known = piles[Zone.DECK][-int(player["known_on_deck"]) :][::-1]
        lines += labelled("on top", ", ".join(variant.card(state, card).name for card in known))
    lines += labelled("discard", _names(variant, state, piles[Zone.DISCARD_PILE]))
    if variant.format.gambits:
        lines += labelled("gambits", _gambits(variant, player, viewer in (None, seat)))
    return lines


def _boss(variant, state):
    """The automated Boss and when it acts."""
    lines = [f"{variant.format.boss.name}  authority {state['boss_authority']}"]
    if variant.format.boss.gathers:
        lines += labelled("before it", f"{_cards(range(state['face_down_count']))} face down")
    waits = int(state["boss_waits"])
    lines += labelled("acts", f"after {waits} more turns of the players" if waits > 0 else "after the players' turn")
    return lines


def _winners(variant, state):
    """Who has won, in words."""
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
    """Whether a campaign is over but for the upgrades that its sides still have."""
    return variant.campaign and not state["scenario"] and state["to_act"] >= 0


def _headline(variant, state):
    if _fills_up(variant, state):
        return (
            f"After the campaign, {' : '.join(map(str, state['victory_points']))} points: {_whose_turn(variant, state)}"
        )
    if state["to_act"] >= 0:
        return f"Turn {state['turn']}: {_whose_turn(variant, state)}"
    if state["truncated"]:
        return f"Turn {state['turn']}: game over, truncated"
    return f"Turn {state['turn']}: game over, {_winners(variant, state)}"


def side_name(variant, seat) -> str:
    """The side that a seat has in a campaign: `star empire`; `` for none."""
    side = int(variant.rules[0]["seat_side"][seat])
    return variant.campaign.sides[side].replace("_", " ").title() if side >= 0 else ""


def _scenario(variant, state):
    """The scenario being played, with the choice made for it, and the points of a campaign."""
    number = int(state["scenario"])
    if not number:
        return "after the last scenario"
    text = f"scenario {number}, {variant.campaign.scenarios[number - 1].name}"
    text += f", modifier {state['modifier']}" if state["modifier"] else ""
    points = " : ".join(map(str, state["victory_points"]))
    return text + (f"; victory points {points}" if state["won_by"].any() else "")


def _upgraded(variant, state):
    slots = range(len(variant.card_set.cards), len(variant.names))
    return [number for number in slots if variant.is_there(state, number)]


def render(variant, states, viewer=None) -> str:
    """The table as `viewer` may see it; with None everything is shown. states: array of one row."""
    state = states[0]
    lines = [_headline(variant, state)]
    row = [offer(variant, state, card) for card in state["trade_row"] if card != NO_CARD]
    lines += labelled("trade row", "; ".join(row) or "empty")
    lines += labelled("supply", f"{state['explorers']} Explorers, {state['trade_deck_count']} cards in the trade deck")
    scrapped = [card for card, count in enumerate(state["scrap_heap"]) for _ in range(count)]
    lines += labelled("scrapped", _names(variant, state, scrapped))
    if variant.format.boss:
        lines += _boss(variant, state)
    if variant.campaign:
        lines += labelled("campaign", _scenario(variant, state))
        lines += labelled("upgraded", _names(variant, state, _upgraded(variant, state)))
    for seat in range(variant.players if not variant.campaign or state["scenario"] else 0):
        lines += _player(variant, state, seat, viewer)
    if state["to_act"] >= 0:
        asked = f"player_{state['to_act']} to move"
        if state["stack_count"]:
            asked += f" ({QUESTIONS[Decision(int(state['stack'][state['stack_count'] - 1]['decision']))].words})"
        lines.append(asked)
        if viewer in (None, state["to_act"]):
            lines += labelled("moves", "; ".join(moves(variant, states)))
    return "\n".join(lines)


def _scores(variant, state):
    """Authority by side, teammates with a score each joined by +, an automated Boss last."""
    scores = []
    for seats in variant.sides:
        own = [str(max(int(state["players"][seat]["authority"]), 0)) for seat in seats]
        scores.append(own[0] if variant.format.shared_authority else "+".join(own))
    if variant.format.boss:
        scores.append(str(state["boss_authority"]))
    return " : ".join(scores)


def _revealed(variant, state):
    """The cards that have just decided what the Boss did, a card for each player who is left or one for all."""
    if not state["boss_place"]:
        return []
    left = sum(state["players"]["authority"][: variant.players] > 0)
    count = left if variant.rules[0]["boss_reveals_for_each"] else 1
    cards = state["trade_row"][state["boss_place"] + 1 - count : state["boss_place"] + 1]
    return [
        f"  {variant.format.boss.name} revealed {', '.join(offer(variant, state, c) for c in cards if c != NO_CARD)}"
    ]


def _hand(variant, state, seat, viewer):
    """A hand by name, or how many cards it has."""
    hand = pile_of(state["players"][seat], Zone.HAND)
    return _names(variant, state, hand) if sees_hand(variant, seat, viewer) else _cards(hand)


def headline(variant, states, names, viewer=None, told=False) -> str:
    """The start of a turn or the end of a game: authority by side, and the hands. names: agents by seat.

    What a Boss has revealed stands there unless it is told as news.
    """
    state = states[0]
    if state["to_act"] < 0:
        return _headline(variant, state)
    team = variant.sides[variant.format.team_of[state["active"]]] if variant.format.shared_turn else [state["active"]]
    if _fills_up(variant, state):
        return _headline(variant, state)
    lines = [f"Turn {state['turn']}  [{_scores(variant, state)}]  "]
    if variant.format.boss:  # what it will do next depends on the order of the row
        row = [variant.card(state, card).name for card in state["trade_row"] if card != NO_CARD]
        lines[0] += f"trade row, next to leave first: {', '.join(row)}"
        lines += [] if told else _revealed(variant, state)
    elif len(team) > 1:
        lines[0] += _whose_turn(variant, state)
    for seat in team:
        player = state["players"][seat]
        if player["authority"] <= 0:
            continue
        in_play = _in_play(variant, state, player)
        bases = "" if in_play == "-" else f"; in play: {in_play}"
        text = f"player_{seat} ({names[seat]})  hand: {_hand(variant, state, seat, viewer)}{bases}"
        if len(team) > 1 or variant.format.boss:
            lines.append(f"  {text}")
        else:
            lines[0] += text
    if variant.campaign and state["turn"] == 1:
        lines.insert(0, f"{_scenario(variant, state)[0].upper()}{_scenario(variant, state)[1:]}")
    return "\n".join(lines)
