"""The user's own formats: sections of a file, each based on a format of the package with the keys of CHANGES.

The base format fixes the structure: sides, leaders, shared turn and score, the Boss. An own format changes numbers and
switches, where the kernels can play them.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from stardeck.kernels.contract.card_tables import Row, is_fit_for_ids
from stardeck.kernels.contract.settings import are_texts
from stardeck.kernels.errors import shown
from stardeck.kernels.star_realms.cards.decks import DECKS, are_decks
from stardeck.kernels.star_realms.cards.formats import (
    EACH_FOR_ITSELF,
    FORMATS,
    MOST_AUTHORITY,
    MOST_IN_HAND,
    by_seat,
    players_of,
    seats_text,
    shares,
    sides_of,
)
from stardeck.kernels.star_realms.state import MAX_SEATS

MOST_COST = 99


class Change(NamedTuple):
    """A key that an own format may change in the format on which it is based.

    read: checks the value of a key in a row; where: selects the base formats that have the key, by their rows.
    """

    read: Callable[[Row, str], object]
    where: Callable[[Mapping[str, Any]], bool] = lambda like: True


def _alone(like):
    """Return whether each player plays alone."""
    return like.get("sides", EACH_FOR_ITSELF) == EACH_FOR_ITSELF


def _read_reach(row, key):
    """Check the reach: anyone, or as in the base format; neighbours only in formats without teammates."""
    base = FORMATS[row["like"]]
    row.one_of(key, ("anyone", "neighbours") if _alone(base) else ("anyone", base["reach"]))


def _read_decks(row, key):
    """Check a deck for all seats, or one for each; the last deck also serves all later seats."""
    if not are_decks(row[key]):
        row.complain(f"{key} = {shown(row[key])}: {DECKS}")


def _by_seats(low, high):
    return lambda row, key: row.numbers(key, low, high, 1, MAX_SEATS)


CHANGES = {
    "players": Change(lambda row, key: row.numbers(key, 1, MAX_SEATS, 2, 2)),
    "authority": Change(_by_seats(1, MOST_AUTHORITY)),
    "opening_hands": Change(_by_seats(0, MOST_IN_HAND)),
    "hand_size": Change(_by_seats(1, MOST_IN_HAND)),
    "starting_deck": Change(_read_decks),
    "reach": Change(_read_reach, lambda like: _alone(like) or "reach" in like),
    "first_blood": Change(Row.truth, _alone),
    "team_outposts": Change(Row.truth, lambda like: not _alone(like)),
    "open_hands": Change(Row.truth, lambda like: not _alone(like)),
    "pass_card_cost": Change(lambda row, key: row.number(key, 1, MOST_COST), lambda like: "pass_card_cost" in like),
    "first_authority": Change(_by_seats(1, MOST_AUTHORITY), lambda like: "first_authority" in like),
    "first_hand_size": Change(_by_seats(1, MOST_IN_HAND), lambda like: "first_hand_size" in like),
    "first_opening_hand_fewer": Change(
        lambda row, key: row.number(key, 0, MOST_IN_HAND), lambda like: "first_opening_hand_fewer" in like
    ),
}


def load_formats(table: Row) -> dict[str, Row]:
    """Return the formats of the user's own table, each as changes to the package format that it is `like`.

    Raises:
        TableError: names the file, format and word at fault.
    """
    if not table:
        table.complain("must have a section for each format")
    formats: dict[str, Row] = {}
    for name, values in table.items():
        row = Row(values if isinstance(values, dict) else {}, f"{table.where}: {name}")
        if not isinstance(values, dict):
            row.complain(f"{shown(values)}: must be a section of keys and values")
        if name in FORMATS or not is_fit_for_ids(name):
            row.complain("must have another name: one that no format of the package has and that can name a folder")
        formats[name] = _own_format(row, formats)
    return formats


def _own_format(row, earlier):
    """Return a row as changes of a package format. earlier: formats that stand above it."""
    like = row.one_of("like", (*FORMATS, *earlier))
    if like in earlier:
        row = Row(earlier[like] | row | {"like": earlier[like]["like"]}, row.where)
    base = FORMATS[row["like"]]
    row.only(("like", *(key for key, change in CHANGES.items() if change.where(base))), f"a format like {like}")
    for key, change in CHANGES.items():
        if key in row:
            change.read(row, key)
    _check_numbers(row, base)
    return row


def _check_numbers(row, base):
    """Check that numbers agree with each other for every number of players."""
    low, high = (2, MAX_SEATS) if _alone(base) else players_of(base)
    whole = base | row
    if not low <= whole["players"][0] <= whole["players"][1] <= high:
        row.complain(f"players = {whole['players']}: must be the fewest and the most, from {low} to {high}")
    fewest, most = players_of(whole)
    decks = row.get("starting_deck", [])
    if not are_texts(decks) and len(decks) > most:
        row.complain(f"starting_deck names {len(decks)} decks: at most {most}, one for each seat")
    for key in ("first_authority", "first_hand_size"):
        if len(whole.get(key, ())) not in (0, most - fewest + 1):
            row.complain(f"{key} = {whole[key]}: must have a number for each number of players, {fewest} to {most}")
    if whole.get("first_opening_hand_fewer", 0) > min(whole.get("first_hand_size", (MOST_IN_HAND,))):
        row.complain(f"first_opening_hand_fewer = {whole['first_opening_hand_fewer']}: more than first_hand_size has")
    if whole.get("shared_authority"):
        for players in range(fewest, most + 1):
            sides = sides_of(whole.get("sides"), players)
            if not shares(by_seat(whole["authority"], players), sides):
                row.complain(f"authority = {whole['authority']}: must be the same for the seats {seats_text(sides)}")
