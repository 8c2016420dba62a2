"""Defaults for optional members of a game package: texts and pictures for people, and rarely needed verbs.

`complete` adds the defaults to a package. Default pictures and tables show a seat the fields of its observation, so
they never reveal more than `observe` does.
"""

import re
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import NOTICE, kernel
from stardeck.kernels.contract.variant import TAG, GamePackage, Row, States, Variant
from stardeck.kernels.errors import GameError, shown
from stardeck.kernels.loops import batch
from stardeck.kernels.text.lines import counted, labelled
from stardeck.kernels.text.moves import check_number, find, legal_moves, refuse
from stardeck.kernels.text.position_parser import Reader, seat_name
from stardeck.kernels.text.sentences import KINDS, capital, seat_names
from stardeck.kernels.text.table_schema import Contents, a_player, a_turn, a_zone, framed, named_things

REQUIRED = ("make_variant",)  # members of a package; its required verbs follow
REQUIRED_VERBS = (verbs.deal, verbs.legal_actions, verbs.apply, verbs.observe, verbs.resample_hidden)


# Verbs


@kernel
def resample_evenly(rules, state, seat, seed, weights):
    """Redraw everything that a seat cannot know; the opponents' play says nothing about it."""
    verbs.resample_hidden(rules, state, seat, seed)


@kernel
def observe_as_others(rules, state, seat, hidden):
    """Write what the other seats observe, clockwise from the seat."""
    size = len(hidden) // max(np.int64(rules.players) - 1, 1)
    for distance in range(1, np.int64(rules.players)):
        other = (seat + distance) % np.int64(rules.players)
        verbs.observe(rules, state, other, hidden[(distance - 1) * size : distance * size])


@kernel
def watch_nothing(rules, state, eye):
    """Record nothing: the game has no events."""


def complete_verbs(variant: Variant) -> None:
    """Implement the optional verbs that a game lacks. ValueError names a required verb that is missing."""
    for verb in REQUIRED_VERBS:
        if not verbs.is_implemented(verb, variant.state_dtype):
            raise ValueError(f"game {variant.game}: must implement the verb {verb.__name__} (docs/add_a_game.md)")
    for optional, function in (
        (verbs.resample_weighted, resample_evenly), (verbs.observe_hidden, observe_as_others),
        (verbs.watch, watch_nothing), (verbs.tell, watch_nothing),
    ):  # fmt: skip
        if not verbs.is_implemented(optional, variant.state_dtype):
            verbs.implement(optional, variant.state_dtype, function)
    NOTICE.games[variant.state_dtype] = variant.game


# The package


def complete(package: Any, name: str) -> GamePackage[Any]:
    """Return a package with defaults for the members that it lacks.

    Args:
        package: A module or an object. It may have `check_position(variant, state)`, which raises ValueError for a
            state that no game can reach; without it positions are written and not read.
        name: The name of the game.

    Raises:
        ValueError: A required member is missing.
    """
    for member in REQUIRED:
        if not callable(getattr(package, member, None)):
            raise ValueError(f"game {name}: its package {_called(package)} must have {member} (docs/add_a_game.md)")
    full = SimpleNamespace()
    members = [member for member in vars(GamePackage) if not member.startswith("_")]
    defaults = _defaults(full, package, name)
    for member in members:
        setattr(full, member, getattr(package, member) if hasattr(package, member) else defaults[member])

    def make_variant(**given):
        """Return the variant that the package makes, with all verbs implemented."""
        variant = package.make_variant(**given)
        if variant.game != name:
            raise ValueError(f"game {name}: its variants have the game {shown(variant.game)}")
        complete_verbs(variant)
        for finish in full.finishers:
            finish(variant)
        return variant

    full.make_variant = make_variant
    full.finishers = []  # called with each variant
    return cast(GamePackage[Any], full)


def _called(package: Any) -> str:
    return getattr(package, "__name__", None) or shown(package)


def _defaults(full: Any, package: Any, name: str) -> dict[str, Any]:
    """Return the default of each member. full: the package with all members, because members call one another."""

    def list_variants():
        players = [setting for setting in full.SETTINGS if setting.name == "players" and setting.is_number]
        counts = [range(setting.allowed[0], setting.allowed[-1] + 1) for setting in players]
        return [{"players": count} for count in counts[0]] if counts else [{}]

    def moves(variant, states):
        return legal_moves(variant, states, full.describe)

    def parse(variant, states, text):
        return find(variant, states, full.describe, text) or refuse(text, full.moves(variant, states))

    def sentence(variant, state, action, names=None):
        called = seat_names(names, variant.players)
        words = full.describe(variant, state, action)
        return capital(re.sub(r"\bplayer_(\d+)\b", lambda found: called[int(found[1])], words))

    def from_position(variant, position):
        check = getattr(package, "check_position", None)
        if check is None:
            raise ValueError(f"game {name}: its package cannot read positions without check_position")
        states = _state_of(variant, position)
        check(variant, states[0])
        return states

    return {
        "SETTINGS": (), "list_variants": list_variants, "describe": describe, "sentence": sentence, "kind": kind,
        "is_secret": lambda *args: False, "play_all": lambda *args: [], "grouped": lambda *args: [],
        "progress": lambda *args: {},
        "moves": moves, "parse": parse, "position": position, "from_position": from_position,
        "render": lambda *args: render(full, *args), "table": lambda *args: table(full, *args),
        "headline": headline, "paragraph": lambda variant, state: int(state["turn"]),
        "board": lambda *args: [], "news": lambda *args: [], "cards": cards,
    }  # fmt: skip


# Words


def describe(variant: Any, state: np.void, action: int) -> str:
    """Return the words of the action's block, filled in with the card, seat and other numbers of the action."""
    check_number(variant, action)
    named = variant.actions[action]
    words = next(block.words for block in variant.blocks if block.act == named.act)
    numbers = dict(named._asdict())
    if 0 <= numbers.get("card", -1) < len(variant.names):
        numbers["card"] = variant.names[numbers["card"]]
    if "seat" in numbers:
        numbers["seat"] = seat_name((max(int(state["to_act"]), 0) + numbers["seat"]) % variant.players)
    try:
        return words.format(**numbers)
    except (KeyError, IndexError) as error:
        known = ", ".join(f"{{{name}}}" for name in numbers)
        raise GameError(f"game {variant.game}: blocks: words {shown(words)}: can name {known}") from error


def kind(variant: Any, state: np.void, action: int) -> str:
    """Return the name of the action's block if it is one of KINDS, else `choose`."""
    check_number(variant, action)
    name = variant.actions[action].act.name.lower()
    return name if name in KINDS else "choose"


def headline(variant: Any, states: States, names: Sequence[str], viewer: int | None = None, told: bool = False) -> str:
    """Return whose turn it is, or how the game ended."""
    state = states[0]
    if state["to_act"] >= 0:
        return f"Turn {int(state['turn'])}: {names[state['to_act']]}"
    if state["truncated"]:
        return "nobody wins, because the limit on turns is reached"
    first = [side for side in variant.sides if state["placement"][side[0]] == 1]
    winners = " and ".join(names[seat] for seat in first[0]) if len(first) == 1 else ""
    return f"{winners} wins" if winners else "a draw"


def cards(variant: Any) -> list[dict[str, Any]]:
    """Return the names of the cards, without a text."""
    return [{"name": name, "kind": "card", "text": ""} for name in variant.names]


# Views of a seat


def seen(variant: Any, states: States, viewer: int | None) -> list[tuple[int | None, Any, list[int]]]:
    """Return everything that a seat may observe as (owner, row of the observation, numbers).

    Args:
        variant: The variant.
        states: Array of one row.
        viewer: The seat that observes; None: all seats together.

    Returns:
        A list by row; the owner is the seat that the numbers are about, or None.
    """
    found: dict[tuple[Any, int | None], tuple[int | None, Any, list[int]]] = {}
    size = sum(row["size"] for row in variant.observation_table())
    for seat in range(variant.players) if viewer is None else [viewer]:
        observation = np.empty((1, size), np.uint8)
        batch.observe_all(variant.rules, states, np.array([seat]), observation)
        for row, offset, length in variant._layout():
            owners = _owners(row, seat, variant.players)
            each = length // len(owners)
            for place, owner in enumerate(owners):
                first = offset + place * each
                found.setdefault((row.field, owner), (owner, row, observation[0, first : first + each].tolist()))
    return sorted(found.values(), key=lambda fact: (list(variant.fields).index(fact[1]), fact[0] or 0))


def _owners(row: Row, seat: int, players: int) -> list[int | None]:
    """Return the seats that the parts of a field are about, in order."""
    clockwise: list[int | None] = [(seat + distance) % players for distance in range(players)]
    owners: dict[str, list[int | None]] = {"": [None], "me": [seat], "all": clockwise, "others": clockwise[1:]}
    return owners[row.seats]


def _name(row: Row) -> str:
    return row.field.name.lower().replace("_", " ")


def _names(variant: Any, counts: Sequence[int]) -> list[str]:
    """Return the names of cards, each as often as it is counted."""
    return [name for name, count in zip(variant.names, counts, strict=False) for _ in range(count)]


def _listed(variant: Any, row: Row, numbers: Sequence[int]) -> str:
    """Return the numbers of a field in words: cards by name."""
    if row.per == "card":
        return counted(_names(variant, numbers))
    return ", ".join(map(str, numbers))


def render(full: Any, variant: Any, states: States, viewer: int | None = None) -> str:
    """Return the table as text: a labelled line for each observation field and seat."""
    names = list(map(seat_name, range(variant.players)))
    lines = [full.headline(variant, states, names, viewer)]
    for owner, row, numbers in seen(variant, states, viewer):
        whose = "" if owner is None else f"{names[owner]} "
        lines += labelled("", f"{whose}{_name(row)}: {_listed(variant, row, numbers)}")
    return "\n".join(lines)


def table(full: Any, variant: Any, states: States, viewer: int | None = None) -> dict[str, Any]:
    """Return the table as data: card fields are zones, single numbers of a seat are pools, the rest are notes."""
    state = states[0]
    names = list(map(seat_name, range(variant.players)))
    zones: list[Any] = []
    notes: list[Any] = []
    pools: dict[int, dict[str, int]] = {seat: {} for seat in range(variant.players)}
    for owner, row, numbers in seen(variant, states, viewer):
        if row.per == "card":
            place = f"{'table' if owner is None else names[owner]}/{_name(row)}"
            things = named_things(place, _names(variant, numbers))
            zones.append(a_zone(place, _name(row), "hand" if row.seats == "me" else "area", things, owner))
        elif owner is not None and len(numbers) == 1:
            pools[owner][_name(row)] = numbers[0]
        else:
            whose = "" if owner is None else f" of {names[owner]}"
            notes.append({"name": _name(row) + whose, "words": _listed(variant, row, numbers)})
    to_act = int(state["to_act"])
    players = [a_player(seat, pools[seat], ["turn"] * (seat == to_act)) for seat in range(variant.players)]

    def place_of(action):
        """Return the first card with the name in the action; cards of the acting seat come first."""
        card = getattr(action, "card", -1)
        wanted = variant.names[card] if 0 <= card < len(variant.names) else None
        found = sorted(zones, key=lambda zone: zone["owner"] != to_act)
        return [thing["id"] for zone in found for thing in zone["things"] if thing["name"] == wanted][:1]

    laid = {thing["name"] for zone in zones for thing in zone["things"]}
    contents = Contents(
        turn=a_turn(state["turn"], to_act if to_act >= 0 else None, full.headline(variant, states, names, viewer)),
        question="", players=players, zones=zones, notes=notes,
        cards={row["name"]: _face(row) for row in full.cards(variant) if row["name"] in laid},
    )  # fmt: skip
    return framed(variant, states, viewer, contents, full.describe, place_of)


def _face(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a card as a table shows it."""
    return {
        "kind": row["kind"], "cost": row.get("cost"), "defense": row.get("defense"), "factions": [],
        "abilities": [row["text"]] if row["text"] else [], "reconstructed": bool(row.get("reconstructed", False)),
    }  # fmt: skip


# Positions


def position(variant: Any, state: np.void) -> dict[str, Any]:
    """Return every field of a state by name, as whole numbers in lists and dicts."""
    left_out = (TAG, f"of_{variant.game}")
    return {name: _plain(state[name]) for name in state.dtype.names or () if name not in left_out}


def _plain(value: Any) -> Any:
    if value.dtype.names and value.shape:
        return [_plain(item) for item in value]
    return {name: _plain(value[name]) for name in value.dtype.names} if value.dtype.names else value.tolist()


def _state_of(variant: Any, given: Any) -> States:
    """Return the state that a dict of fields describes; missing fields are 0."""
    reader = Reader(variant.players)
    states = np.zeros(1, variant.state_dtype)
    known = position(variant, states[0])
    for name, value in reader.mapping(given, "position", tuple(known)).items():
        states[name] = _read(reader, variant.state_dtype[name], value, name)
    states[TAG] = variant.rules[TAG].astype(variant.state_dtype[TAG])
    for name, low, high in (
        ("to_act", -1, variant.players - 1),
        ("first", 0, variant.players - 1),
        ("truncated", 0, 1),
    ):
        if name in known:
            reader.number(int(states[0][name]), name, low, high)
    return states


def _read(reader: Reader, kind: np.dtype[Any], value: Any, where: str) -> Any:
    """Return a value of a dtype: whole numbers, lists for arrays and dicts for records. ValueError names the place."""
    if kind.shape:
        length, *rest = kind.shape
        if not isinstance(value, list) or len(value) != length:
            raise ValueError(f"{where}: {shown(value)}: must be a list of {length}")
        item = np.dtype((kind.base, tuple(rest)))
        return np.array([_read(reader, item, part, f"{where}[{i}]") for i, part in enumerate(value)], kind.base)
    if kind.names:
        record = np.zeros((), kind)
        for name, part in reader.mapping(value, where, kind.names).items():
            record[name] = _read(reader, kind[name], part, f"{where}.{name}")
        return record
    limits = np.iinfo(kind)
    return reader.number(value, where, int(limits.min), int(limits.max))
