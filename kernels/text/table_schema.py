"""The table as data: the frame that every game fills, in the words of `envs/table.schema.json`.

A game says what lies where and which place a move belongs to; what a seat may see is decided in its own `seen.py`, for
its picture in text as well. All values are plain: dict, list, str, int, bool, None.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from stardeck.kernels.text.moves import legal_numbers
from stardeck.kernels.text.position_parser import seat_name

FORMAT = "stardeck.table/1"
Data = dict[str, Any]


def named_things(zone: str, names: Iterable[str]) -> list[Data]:
    """A thing for each name; a number at the end of the id tells equal ones apart. zone: its id."""
    counts: Counter[str] = Counter()
    things = []
    for name in names:
        counts[name] += 1
        things.append({"id": f"{zone}/{name}/{counts[name]}", "name": name})
    return things


def numbered_things(zone: str, names: Iterable[str | None], first: int = 1) -> list[Data]:
    """A thing for each place of a row, None where it is empty. zone: its id."""
    return [{"id": f"{zone}/{place}", "name": name} for place, name in enumerate(names, first)]


def a_zone(
    place: str, name: str, kind: str, things: list[Data], owner: int | None = None, count: int | None = None
) -> Data:
    """A zone with what is seen of it. place: its id; count: how many things lie there, where not all are seen.

    Empty places of a row do not count.
    """
    if count is None:
        count = sum(kind != "row" or thing["name"] is not None for thing in things)
    return {"id": place, "name": name, "owner": owner, "kind": kind, "count": count, "things": things}


def pools_of(owner: str, amounts: dict[str, int]) -> list[Data]:
    """Pools and scores by name. owner: id of the player or Boss who has them."""
    return [{"id": f"{owner}/{name}", "name": name, "amount": int(amount)} for name, amount in amounts.items()]


def a_player(seat: int, amounts: dict[str, int], marks: list[str], out: bool = False) -> Data:
    """A player. marks: what the seat is, in words; out: is out of the game."""
    name = seat_name(seat)
    return {
        "id": name, "seat": seat, "name": name, "marks": marks, "out": bool(out),
        "pools": pools_of(name, amounts),
    }  # fmt: skip


def a_turn(number, seat: int | None, words: str, phase: str | None = None) -> Data:
    """Whose turn it is. seat: None for a Boss and after the end; words: the line above the table."""
    return {"number": int(number), "seat": seat, "phase": phase, "words": words}


def same_name(zone: Data, name: str) -> list[str]:
    """The id of the first thing of a name in a zone, as the place of a move; none where it lies out of sight."""
    return next(([thing["id"]] for thing in zone["things"] if thing["name"] == name), [])


def _over(variant, state, why: str) -> Data | None:
    """How a game has ended. why: in words."""
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


def _moves(variant, states, viewer, describe, place) -> list[Data]:
    """The legal moves, for whoever is asked and for all-seeing eyes."""
    state = states[0]
    if state["to_act"] < 0 or viewer not in (None, state["to_act"]):
        return []
    return [
        {"action": number, "words": describe(variant, state, number), "place": place(variant.actions[number])}
        for number in legal_numbers(variant, states)
    ]


class Contents(NamedTuple):
    """What lies on a table. What has a default is of games that have it."""

    turn: Data  # as `a_turn` gives it
    question: str  # what is asked, in words; "" for any move of the turn
    players: list[Data]
    zones: list[Data]
    cards: dict[str, Data]
    boss: Data | None = None
    map: Data | None = None
    battle: Data | None = None
    campaign: Data | None = None
    notes: Sequence[Data] = ()


def framed(
    variant,
    states,
    viewer: int | None,
    contents: Contents,
    describe: Callable[[Any, Any, int], str],
    place: Callable[[Any], list[str]],
) -> Data:
    """Return the table of one game as data.

    Args:
        variant: The variant of the game.
        states: Array of one row.
        viewer: The seat that looks; None shows everything.
        contents: What lies on the table.
        describe: Gives the words of an action.
        place: Gives the ids of an action, that to be clicked first first.
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
