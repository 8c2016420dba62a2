"""Defaults for what the package of a game leaves out: everything for people, and verbs that few games need.

`complete` fills a package up. Pictures and tables show a seat what it may observe, field by field, so that a default
never tells more than `observe` does.
"""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import NOTICE, kernel
from stardeck.kernels.contract.variant import TAG, GamePackage, States, Variant
from stardeck.kernels.errors import GameError, shown
from stardeck.kernels.loops import batch
from stardeck.kernels.text.lines import counted, labelled
from stardeck.kernels.text.moves import check_number, find, legal_moves, refuse
from stardeck.kernels.text.position_parser import Reader, seat_name
from stardeck.kernels.text.table_schema import Contents, a_player, a_turn, a_zone, framed, named_things

REQUIRED = ("make_variant",)  # of a package; the verbs that a game must implement:
REQUIRED_VERBS = (verbs.deal, verbs.legal_actions, verbs.apply, verbs.observe, verbs.resample_hidden)


# Verbs


@kernel
def resample_evenly(rules, state, seat, seed, weights):
    """Draw again what a seat cannot know; how others play tells nothing of it."""
    verbs.resample_hidden(rules, state, seat, seed)


@kernel
def watch_nothing(rules, state, eye):
    """Note nothing: the game has no events."""


def complete_verbs(variant: Variant) -> None:
    """Implement the verbs that a game has left out. ValueError names one that it must implement."""
    for verb in REQUIRED_VERBS:
        if not verbs.is_implemented(verb, variant.state_dtype):
            raise ValueError(f"game {variant.game}: must implement the verb {verb.__name__} (docs/add_a_game.md)")
    for verb, function in (
        (verbs.resample_weighted, resample_evenly), (verbs.watch, watch_nothing), (verbs.tell, watch_nothing)
    ):  # fmt: skip
        if not verbs.is_implemented(verb, variant.state_dtype):
            verbs.implement(verb, variant.state_dtype, function)
    NOTICE.games[variant.state_dtype] = variant.game


# The package


def complete(package: Any, name: str) -> GamePackage[Any]:
    """Return a package with defaults for the members that it leaves out. ValueError names one that it must have.

    Args:
        package: A module or an object. It may have `check_position(variant, state)`, which raises ValueError for a
            state that no game can reach; without it positions are written and not read.
        name: The name of the game.
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
        """Return the variant that the package makes, once its verbs are complete."""
        variant = package.make_variant(**given)
        if variant.game != name:
            raise ValueError(f"game {name}: its variants say that they are of {shown(variant.game)}")
        complete_verbs(variant)
        for finish in full.finishers:
            finish(variant)
        return variant

    full.make_variant = make_variant
    full.finishers = []  # called with each variant
    return cast(GamePackage[Any], full)


def _called(package):
    return getattr(package, "__name__", None) or shown(package)


def _defaults(full, package, name):
    """The default of each member. full: the package with all members, which they ask one another of."""

    def list_variants():
        players = [setting for setting in full.SETTINGS if setting.name == "players" and setting.is_number]
        counts = [range(setting.allowed[0], setting.allowed[-1] + 1) for setting in players]
        return [{"players": count} for count in counts[0]] if counts else [{}]

    def moves(variant, states):
        return legal_moves(variant, states, full.describe)

    def parse(variant, states, text):
        return find(variant, states, full.describe, text) or refuse(text, full.moves(variant, states))

    def from_position(variant, position):
        check = getattr(package, "check_position", None)
        if check is None:
            raise ValueError(f"game {name}: reads no positions, for its package has no check_position")
        states = _state_of(variant, position)
        check(variant, states[0])
        return states

    return {
        "SETTINGS": (), "list_variants": list_variants, "describe": describe, "is_secret": lambda *asked: False,
        "moves": moves, "parse": parse, "position": position, "from_position": from_position,
        "render": lambda *asked: render(full, *asked), "table": lambda *asked: table(full, *asked),
        "headline": headline, "paragraph": lambda variant, state: int(state["turn"]),
        "board": lambda *asked: [], "news": lambda *asked: [], "cards": cards,
    }  # fmt: skip


# Words


def describe(variant, state, action: int) -> str:
    """Return the words of the action's block, with the card, seat and other numbers that the action names."""
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


def headline(variant, states, names, viewer=None, told=False) -> str:
    """Return whose turn it is, or how the game has ended."""
    state = states[0]
    if state["to_act"] >= 0:
        return f"Turn {int(state['turn'])}: {names[state['to_act']]}"
    if state["truncated"]:
        return "The game has reached its limit on turns; nobody wins"
    first = [side for side in variant.sides if state["placement"][side[0]] == 1]
    winners = " and ".join(names[seat] for seat in first[0]) if len(first) == 1 else ""
    return f"The game is over: {winners} wins" if winners else "The game is over: a draw"


def cards(variant) -> list[dict[str, Any]]:
    """Return the names of the cards; what they do is not told."""
    return [{"name": name, "kind": "card", "text": ""} for name in variant.names]


# What a seat sees


def seen(variant, states: States, viewer: int | None) -> list[tuple[int | None, Any, list[int]]]:
    """Return what a seat may observe as (owner, row of the observation, numbers); for None, what all seats may.

    owner: the seat that the numbers are about; None: nobody.
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


def _owners(row, seat, players):
    """The seats that the parts of a field are about, in order."""
    clockwise = [(seat + distance) % players for distance in range(players)]
    return {"": [None], "me": [seat], "all": clockwise, "others": clockwise[1:]}[row.seats]


def _name(row):
    return row.field.name.lower().replace("_", " ")


def _names(variant, counts):
    """The names of cards, each as often as it is counted."""
    return [name for name, count in zip(variant.names, counts, strict=False) for _ in range(count)]


def _listed(variant, row, numbers):
    """Numbers of a field in words: cards by name."""
    if row.per == "card":
        return counted(_names(variant, numbers))
    return ", ".join(map(str, numbers))


def render(full, variant, states, viewer=None) -> str:
    """Return the picture of a table as text: a labelled line for each field of an observation and each seat."""
    names = list(map(seat_name, range(variant.players)))
    lines = [full.headline(variant, states, names, viewer)]
    for owner, row, numbers in seen(variant, states, viewer):
        whose = "" if owner is None else f"{names[owner]} "
        lines += labelled("", f"{whose}{_name(row)}: {_listed(variant, row, numbers)}")
    return "\n".join(lines)


def table(full, variant, states, viewer=None) -> dict[str, Any]:
    """Return the table as data: fields of cards are zones, single numbers of a seat are pools, the rest are notes."""
    state = states[0]
    names = list(map(seat_name, range(variant.players)))
    zones, notes, pools = [], [], {seat: {} for seat in range(variant.players)}
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
        """Return the first card of the name that an action has, before whoever acts if it lies there."""
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


def _face(row):
    """A card as a table shows it."""
    return {
        "kind": row["kind"], "cost": row.get("cost"), "defense": row.get("defense"), "factions": [],
        "abilities": [row["text"]] if row["text"] else [], "reconstructed": bool(row.get("reconstructed", False)),
    }  # fmt: skip


# Positions


def position(variant, state) -> dict[str, Any]:
    """Return every field of a state by name, as whole numbers in lists and dicts."""
    left_out = (TAG, f"of_{variant.game}")
    return {name: _plain(state[name]) for name in state.dtype.names if name not in left_out}


def _plain(value):
    if value.dtype.names and value.shape:
        return [_plain(item) for item in value]
    return {name: _plain(value[name]) for name in value.dtype.names} if value.dtype.names else value.tolist()


def _state_of(variant, given) -> States:
    """The state that a dict of fields describes; fields that it leaves out are 0."""
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


def _read(reader, kind, value, where):
    """A value of a dtype: whole numbers, lists for arrays and dicts for records. ValueError names the place."""
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
