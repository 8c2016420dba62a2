"""Table as data: the frame that every game fills, in the terms of `envs/table.schema.json`.

A game says which things lie in which zone and which place a move belongs to. Its own `visibility.py` decides what a
seat may see, here and in the picture in text. All values are plain: dict, list, str, int, bool, None.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, SupportsInt

import numpy as np

from stardeck.kernels.text.moves import Describe, States, legal_numbers
from stardeck.kernels.text.position_parser import seat_name

FORMAT = "stardeck.table/1"
Data = dict[str, Any]


def named_things(zone: str, names: Iterable[str]) -> list[Data]:
    """Return a thing for each name; a number at the end of the id distinguishes copies. zone: its id."""
    counts: Counter[str] = Counter()
    things = []
    for name in names:
        counts[name] += 1
        things.append({"id": f"{zone}/{name}/{counts[name]}", "name": name})
    return things


def numbered_things(zone: str, names: Iterable[str | None], first: int = 1) -> list[Data]:
    """Return a thing for each place of a row; its name is None where the row is empty. zone: its id."""
    return [{"id": f"{zone}/{place}", "name": name} for place, name in enumerate(names, first)]


def a_zone(
    place: str, name: str, kind: str, things: list[Data], owner: int | None = None, count: int | None = None
) -> Data:
    """Return a zone with its visible things.

    Args:
        place: The id of the zone.
        name: Its name.
        kind: Its kind; empty places of a "row" do not count.
        things: The visible things.
        owner: The seat that owns it.
        count: The number of things, if not all are visible.
    """
    if count is None:
        count = sum(kind != "row" or thing["name"] is not None for thing in things)
    return {"id": place, "name": name, "owner": owner, "kind": kind, "count": count, "things": things}


def pools_of(owner: str, amounts: dict[str, int]) -> list[Data]:
    """Return pools and scores by name. owner: id of the player or Boss who has them."""
    return [{"id": f"{owner}/{name}", "name": name, "amount": int(amount)} for name, amount in amounts.items()]


def a_player(seat: int, amounts: dict[str, int], marks: list[str], out: bool = False) -> Data:
    """Return a player.

    Args:
        seat: The seat.
        amounts: Pools and scores by name.
        marks: States of the seat in words, such as "turn".
        out: True if the seat is out of the game.
    """
    name = seat_name(seat)
    return {
        "id": name, "seat": seat, "name": name, "marks": marks, "out": bool(out),
        "pools": pools_of(name, amounts),
    }  # fmt: skip


def a_turn(number: SupportsInt, seat: int | None, words: str, phase: str | None = None) -> Data:
    """Return the turn.

    Args:
        number: The number of the turn.
        seat: The seat that has it; None for a Boss and after the end.
        words: The line above the table.
        phase: The phase of the turn, if the game has phases.
    """
    return {"number": int(number), "seat": seat, "phase": phase, "words": words}


def same_name(zone: Data, name: str) -> list[str]:
    """Return the id of the first thing of a name in a zone, as the place of a move; empty if it is not visible."""
    return next(([thing["id"]] for thing in zone["things"] if thing["name"] == name), [])


def _over(variant: Any, state: np.void, why: str) -> Data | None:
    """Return the result of a game, or None while it runs. why: the result in words."""
    if state["to_act"] >= 0:
        return None
    placements = state["placement"][: variant.players].tolist()
    first = [list(seats) for seats in variant.sides if placements[seats[0]] == 1]
    decided = len(first) == 1 and not state["truncated"]
    return {
        "truncated": bool(state["truncated"]),
        "placements": placements,
        "winners": first[0] if decided else [],
        "words": why,
    }


def _moves(
    variant: Any, states: States, viewer: int | None, describe: Describe, place: Callable[[Any], list[str]]
) -> list[Data]:
    """Return the legal moves if the viewer is the seat to act, or sees everything."""
    state = states[0]
    if state["to_act"] < 0 or viewer not in (None, state["to_act"]):
        return []
    return [
        {"action": number, "words": describe(variant, state, number), "place": place(variant.actions[number])}
        for number in legal_numbers(variant, states)
    ]


class Contents(NamedTuple):
    """Contents of a table. Fields with a default belong to some games only."""

    turn: Data  # as `a_turn` gives it
    question: str  # the open question, in words; "" for any move of the turn
    players: list[Data]
    zones: list[Data]
    cards: dict[str, Data]
    boss: Data | None = None
    map: Data | None = None
    battle: Data | None = None
    campaign: Data | None = None
    notes: Sequence[Data] = ()


def framed(
    variant: Any,
    states: States,
    viewer: int | None,
    contents: Contents,
    describe: Describe,
    place: Callable[[Any], list[str]],
) -> Data:
    """Return the table of one game as data.

    Args:
        variant: The variant of the game.
        states: Array of one row.
        viewer: The seat that looks; None shows everything.
        contents: The contents of the table.
        describe: Returns the words of an action.
        place: Returns the ids of the things to click for an action, in order.
    """
    state = states[0]
    asked = int(state["to_act"])
    return {
        "format": FORMAT,
        "game": variant.game,
        "variant": variant.id,
        "seat": viewer,
        "turn": contents.turn,
        "to_act": asked if asked >= 0 else None,
        "question": {"seat": asked, "words": contents.question} if asked >= 0 and contents.question else None,
        "sides": [list(seats) for seats in variant.sides],
        "players": contents.players,
        "zones": contents.zones,
        "boss": contents.boss,
        "map": contents.map,
        "battle": contents.battle,
        "campaign": contents.campaign,
        "notes": list(contents.notes),
        "cards": contents.cards,
        "moves": _moves(variant, states, viewer, describe, place),
        "over": _over(variant, state, contents.turn["words"]),
    }
