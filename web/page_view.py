"""What the page of a seat shows besides table and log: a summary, the places of the last moves, how the game ended.

Everything comes from the table and the log of the viewer, and therefore tells no more than they do.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from stardeck.kernels.text.sentences import YOU, capital, listed
from stardeck.web.match import Entry, Match

MOST_MARKED = 15  # of the newest entries, the places on the table
Data = dict[str, Any]


# The places of a move


def _named(value: Any) -> Iterator[tuple[str, str | None]]:
    """Return the id and the name of everything on a table that can be clicked."""
    if isinstance(value, list):
        for each in value:
            yield from _named(each)
    elif isinstance(value, dict):
        if "id" in value:
            yield value["id"], value.get("name")
        for key, each in value.items():
            if key not in ("moves", "cards"):
                yield from _named(each)


def places(match: Match, number: int, viewer: int | None) -> list[str]:
    """Return the ids of what a decision concerned, in the table after it.

    A card that has moved is where it lies now. An id is left out if the viewer does not see the thing.
    """
    if match.is_secret(number, viewer):
        return []
    open_table = match.table(None, number)
    move = next(move for move in open_table["moves"] if move["action"] == match.actions[number])
    names, before, after = (
        dict(_named(table)) for table in (open_table, match.table(viewer, number), match.table(viewer, number + 1))
    )
    found = []
    for place in move["place"]:
        name = names.get(place)
        moved = [each for each, called in after.items() if name and called == name and before.get(each) != name]
        found += moved[-1:] or [place] * (place in after)
    return found


def with_places(match: Match, viewer: int | None, entries: Sequence[Entry]) -> list[Entry]:
    """Return entries of the log with their places, those of the newest ones filled in."""
    marked = match.number - MOST_MARKED
    return [
        entry | {"places": places(match, entry["number"], viewer) if entry["number"] >= marked else []}
        for entry in entries
    ]


# What has happened


def _line(entry: Entry, names: Sequence[str]) -> str:
    """Return an entry as one line, with its news."""
    news = re.sub(r"\bplayer_(\d+)\b", lambda found: names[int(found[1])], "; ".join(entry["news"]))
    news = re.sub(r"\bteam_(\d+)\b", lambda found: f"team {int(found[1]) + 1}", news)
    return entry["sentence"] + (f" ({news})" if news else "")


def _changes(before: Data, after: Data) -> dict[str, list[int]]:
    """Return the pools of a player that differ between two tables."""
    old = {pool["name"]: pool["amount"] for pool in before["pools"]}
    return {
        pool["name"]: [old[pool["name"]], pool["amount"]]
        for pool in after["pools"]
        if old.get(pool["name"], pool["amount"]) != pool["amount"]
    }


def since(match: Match, seat: int | None) -> list[Data]:
    """Return what each player has done since the last decision of a seat, and how the pools have changed.

    Args:
        match: The game.
        seat: The viewer; None, who decides nothing, gets an empty list.

    Returns:
        Dicts of `seat`, `lines` (equal ones once, with their number) and `pools`, {name: [before, after]}, in the order
        of play.
    """
    log = match.log(seat)
    own = [entry["number"] for entry in log if entry["seat"] == seat]
    first = own[-1] + 1 if own else 0
    if seat is None or first == match.number:
        return []
    names, entries = match.names(seat), log[first:]
    before, after = (match.table(seat, number)["players"] for number in (first, match.number))
    acting = dict.fromkeys(entry["seat"] for entry in entries)
    opponents = []
    for other in [*acting, *(each for each in range(len(after)) if each not in acting)]:
        lines = Counter(_line(entry, names) for entry in entries if entry["seat"] == other)
        pools = _changes(before[other], after[other])
        if lines or pools:
            counted = [line if count == 1 else f"{line} ×{count}" for line, count in lines.items()]
            opponents.append({"seat": other, "lines": counted, "pools": pools})
    return opponents


# The end


def _winners_words(table: Data, names: Sequence[str]) -> str:
    """Return who has won, in words."""
    over = table["over"]
    if over["truncated"]:
        return "The limit on turns ended the game; nobody won"
    if over["winners"]:
        return capital(f"{listed([names[seat] for seat in over['winners']])} won")
    if 1 in over["placements"]:
        return "The game is a draw"
    return f"{table['boss']['name'] if table['boss'] else 'Nobody'} won"


def _result(over: Data, seat: int) -> str:
    """Return the result of a seat: won, draw, lost or unfinished."""
    if over["truncated"]:
        return "unfinished"
    if seat in over["winners"]:
        return "won"
    return "draw" if over["placements"][seat] == 1 else "lost"


def ending(match: Match, viewer: int | None) -> Data | None:
    """Return how a game has ended, or None while it goes on.

    Returns:
        A dict of `words`, `winners` (seats), `standings` (dicts of `seat`, `name`, `place` and `result`, the best
        first) and `pools`, {name: for each seat the amounts before the first and after each decision}.
    """
    table, names = match.table(viewer), match.names(viewer)
    over = table["over"]
    if over is None:
        return None
    seats = sorted(range(len(names)), key=lambda seat: (over["placements"][seat], seat))
    standings = [
        {"seat": seat, "name": names[seat], "place": over["placements"][seat], "result": _result(over, seat)}
        for seat in seats
    ]
    states = np.concatenate([match.at(number) for number in range(match.number + 1)], dtype=match.game.state_dtype)
    amounts = {name: numbers.T.tolist() for name, numbers in match.game.progress(states).items()}
    return {
        "words": _winners_words(table, names), "winners": over["winners"], "standings": standings, "pools": amounts
    }  # fmt: skip


def decisions(match: Match, seat: int | None) -> Data:
    """Return the shortcuts of the seat to act: `play_all` and `grouped`; for others both are empty."""
    if seat is None or match.to_act != seat:
        return {"play_all": [], "grouped": []}
    game = match.game
    return {"play_all": game.play_all(match.states), "grouped": game.grouped(match.states, match.names(seat, YOU))}
