"""Positions of a campaign: the current game's position, and the campaign's progress under `campaign`.

`campaign` has these keys: `scenario` (left out after the last), `first` (the side with the first turn of the scenario),
`victory_points` by side, `upgraded` (cards by name), `won_by` (the sides that have won the scenarios so far), and
`turns_before`. `over` and `winner` follow from the others.

A position without `players` stands between two games: `seed` deals the scenario. After the last scenario the sides fill
up their upgrades. `turn` names the side that begins, unless `placement` says that both have finished.
"""

import numpy as np

from stardeck.kernels.errors import shown
from stardeck.kernels.star_realms.play.campaign import begin_game, go_on_filling_up
from stardeck.kernels.star_realms.play.turn import settle_one
from stardeck.kernels.star_realms.state import MOST_VICTORY_POINTS, NOBODY, SCENARIOS
from stardeck.kernels.star_realms.text import positions
from stardeck.kernels.star_realms.text.positions import STATE_KEYS, Reader, blank
from stardeck.kernels.text.position_parser import MOST_COUNTED, MOST_RANDOM

KEYS = ("scenario", "first", "victory_points", "upgraded", "won_by", "over", "winner", "turns_before")
DURING = ("campaign", *(key for key in STATE_KEYS if key != "upgraded"))
BEFORE = ("campaign", "seed", "decisions")
AFTER = ("campaign", "turn", "decisions", "random", "placement")


def position(variant, state) -> dict:
    """Return a state as a dict that `from_position` reads back. state: one record."""
    game = positions.position(variant, state)
    sides = variant.campaign.sides
    over = int(state["scenario"]) == 0
    campaign = {
        "first": sides[int(state["first"])],
        "victory_points": dict(zip(sides, map(int, state["victory_points"]), strict=True)),
        "upgraded": game.pop("upgraded"),
        "won_by": [sides[int(side) - 1] if side else None for side in state["won_by"][: _last(state["won_by"])]],
        "over": over,
        "turns_before": int(state["turns_before"]),
    }
    if over:
        campaign["winner"] = _winner(variant, state)
        game = {key: game[key] for key in AFTER if key in game}
    else:
        campaign["scenario"] = int(state["scenario"])
    return {"campaign": campaign} | game


def from_position(variant, position: dict) -> np.ndarray:
    """Return the state that a position describes: array of one row.

    Raises:
        ValueError: the position is not valid; the message names the key and the value.
    """
    read = Reader(variant)
    read.mapping(position, "position", DURING + BEFORE + AFTER)
    campaign = read.mapping(position.get("campaign", {}), "campaign", KEYS)
    scenario = read.number(campaign["scenario"], "campaign: scenario", 1, SCENARIOS) if "scenario" in campaign else 0
    upgraded = campaign.get("upgraded", [])
    if "players" in position:
        if not scenario:
            raise ValueError("campaign: scenario: is missing, and the players have cards")
        read.mapping(position, "position", DURING)
        game = {key: value for key, value in position.items() if key != "campaign"}
        states = positions.read_position(variant, game | {"upgraded": upgraded}, scenario)
        _read_campaign(read, campaign, states[0])
        return states
    read.mapping(position, "position", BEFORE if scenario else AFTER)
    states = blank(read, scenario, upgraded)
    _read_campaign(read, campaign, states[0])
    states[0]["decisions"] = read.number(position.get("decisions", 0), "decisions", 0, MOST_COUNTED)
    if scenario:
        begin_game(variant.rules, states, np.uint64(read.number(position.get("seed", 0), "seed", 0, MOST_RANDOM)))
        settle_one(variant.rules, states)
    else:
        _fill_up(read, position, states)
    return states


def _last(won):
    """Return the number of scenarios up to the last one with a winner."""
    return int(np.flatnonzero(won).max(initial=-1)) + 1


def _winner(variant, state):
    """Return the side with more victory points, or None."""
    own, other = map(int, state["victory_points"])
    return None if own == other else variant.campaign.sides[own < other]


def _read_campaign(read, campaign, state):
    """Write the progress of a campaign into a state between games or of a scenario."""
    sides = read.variant.campaign.sides

    def side(name, where):
        return read.one_of(name, f"campaign: {where}", sides)

    state["first"] = side(campaign.get("first", sides[0]), "first")
    points = read.mapping(campaign.get("victory_points", {}), "campaign: victory_points", sides)
    begun = int(state["scenario"])
    to_come = read.variant.campaign.scenarios[begun - 1 :] if begun else ()
    most = MOST_VICTORY_POINTS - sum(scenario.points for scenario in to_come)
    for name, value in points.items():
        value = read.number(value, f"campaign: victory_points: {name}", 0, most)
        state["victory_points"][sides.index(name)] = value
    won = campaign.get("won_by", [])
    played = begun if begun and state["to_act"] < 0 else begun - 1 if begun else SCENARIOS
    for number, name in enumerate(read.listed(won, "campaign: won_by", "sides", played)):
        state["won_by"][number] = side(name, "won_by") + 1 if name is not None else 0
    turns = read.number(campaign.get("turns_before", 0), "campaign: turns_before", 0, MOST_COUNTED)
    state["turns_before"] = turns
    over = not begun
    for key, value in (("over", over), ("winner", _winner(read.variant, state) if over else None)):
        if campaign.get(key, value) != value:
            raise ValueError(f"campaign: {key}: {shown(campaign[key])}: it is {value!r} by scenario and victory points")


def _fill_up(read, position, states):
    """Ask the first side with an upgrade left after the last scenario, or end the campaign."""
    state = states[0]
    state["random"] = read.number(position.get("random", 0), "random", 0, MOST_RANDOM)
    state["active"] = read.seat(position.get("turn", f"player_{state['first']}"), "turn")
    go_on_filling_up(read.variant.rules, states)
    if "placement" in position:
        own, other = map(int, state["victory_points"])
        placement = {"player_0": 1 + (own < other), "player_1": 1 + (other < own)}
        if position["placement"] != placement:
            raise ValueError(f"placement: {shown(position['placement'])}: must be {placement} by victory points")
        state["placement"][:2] = list(placement.values())
        state["turn"] = state["turns_before"]
        state["stack_count"] = 0
        state["to_act"] = NOBODY
