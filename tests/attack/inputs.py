"""Values of every kind, and data corrupted in one or more places, all drawn from a `random.Random`."""

import copy
import json

import numpy as np


def _deep(levels):
    thing = []
    for _ in range(levels):
        thing = [thing]
    return thing


# Values in a file.
PLAIN = (
    None, True, False, 0, 1, -1, 2, 5, 99, 127, 128, 255, 256, 2**31 - 1, 2**31, 2**63, 2**64 - 1, 2**64, 0.5, 1.0,
    1e300, "", " ", "x", "x" * 5000, "player_0", "player_9", "player_-1", "Scout", "Scout x60", "Scout x0", "a x-1",
    "null\0", "é", "true", "3", [], [[]], [None], {}, {"x": 1}, ["Scout"] * 200, {"card": "Scout"}, {"player_0": {}},
    _deep(50),
)  # fmt: skip
# Further values that a program can pass.
STRANGE = (
    float("nan"), float("inf"), -float("inf"), 10**5000, b"bytes", (), (1, 2), {1}, object(), int, len, range(3),
    np.array([1, 2]), np.array([]), np.array(3), np.int64(1), np.float64(1), np.bool_(True), np.zeros((2, 2)),
    np.array(["x"]), np.array([None]), "\ud800", _deep(5000), 1j,
)  # fmt: skip


def plain(rng):
    """Draw a value that a file can hold."""
    return copy.copy(rng.choice(PLAIN))


def strange(rng):
    """Draw a value of any kind."""
    return rng.choice(PLAIN + STRANGE)


def spoiled(rng, thing, value=plain):
    """Copy nested lists and dicts with one to three changes."""
    thing = copy.deepcopy(thing)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(_places(thing))
        if not places:
            return value(rng)
        holder, key = rng.choice(places)
        _spoil(rng, holder, key, value, [each[each_key] for each, each_key in places])
    return thing


def _places(thing):
    keys = thing if isinstance(thing, dict) else range(len(thing)) if isinstance(thing, list) else ()
    for key in keys:
        yield thing, key
        yield from _places(thing[key])


def _spoil(rng, holder, key, value, others):
    """Change one place: another value, one from elsewhere, none, a near number, or many copies."""
    kind = rng.randrange(8)
    old = holder[key]
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.extend([old] * rng.choice((1, 2, 60, 300)))
    elif kind == 2 and isinstance(holder, dict):
        holder[rng.choice(("x", key + "x" if isinstance(key, str) else "x", 5))] = old
    elif kind == 3 and isinstance(old, int):
        holder[key] = old + rng.choice((-1000, -2, -1, 1, 2, 100, 1000, 10**6))
    elif kind == 4 and isinstance(old, str):
        holder[key] = rng.choice((old + " x60", old[:-1], old.upper(), old.replace("0", "1"), old + " " + old))
    elif kind == 5:
        holder[key] = [old] if rng.random() < 0.5 else {"x": old}
    elif kind == 6:
        holder[key] = copy.deepcopy(rng.choice(others))
    else:
        holder[key] = value(rng)


def spoiled_bytes(rng, content: bytes) -> bytes:
    """Copy a file with a flipped bit, a missing end, an insertion, or other bytes throughout."""
    kind = rng.randrange(5)
    at = rng.randrange(len(content)) if content else 0
    if kind == 0:
        return content[:at]
    if kind == 1:
        return content[:at] + bytes(rng.randrange(256) for _ in range(rng.randrange(1, 40))) + content[at:]
    if kind == 2:
        return bytes(rng.randrange(256) for _ in range(min(len(content), 200)))
    if kind == 3 and content:
        return content[: at // 2] + content[at:]
    changed = bytearray(content or b"\0")
    changed[at] ^= 1 << rng.randrange(8)
    return bytes(changed)


def toml(table: dict) -> str:
    """Write a table as TOML, with every value on one line."""
    return "".join(f"{json.dumps(str(key))} = {_value(value)}\n" for key, value in table.items())


def _value(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps("none" if value is None else value)
