"""Checks of a game from outside: its members, its variants and the fields that its kernels name.

`guarded` checks a package before `complete` fills it up. Each error names the game, the member and what is wanted.
"""

import ast
import difflib
import functools
import inspect
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from stardeck.game.user_code import error_report
from stardeck.kernels import verbs
from stardeck.kernels.contract.defaults import REQUIRED, REQUIRED_VERBS
from stardeck.kernels.contract.settings import Setting
from stardeck.kernels.contract.variant import GamePackage, check_fields
from stardeck.kernels.errors import GameError, IllegalAction, shown

GUIDE = "docs/add_a_game.md"
READERS = ("make_variant", "from_position", "parse", "check_position")  # their ValueErrors are about what was given
OPTIONAL = "check_position"  # a member that `complete` asks for, besides the members of GamePackage
SIGNED, UNSIGNED = "i", "u"


def guarded(package: Any, name: str) -> SimpleNamespace:
    """Return the members of a package, each of which reports its failures as errors of the game.

    Args:
        package: A module or an object.
        name: The name of the game.

    Raises:
        GameError: A member is missing, is no function, or takes other arguments than the contract says.
    """
    members = [member for member in vars(GamePackage) if not member.startswith("_")]
    there = [member for member in (*members, OPTIONAL) if hasattr(package, member)]
    for member in REQUIRED:
        if member not in there:
            called = getattr(package, "__name__", None) or shown(package)
            raise GameError(f"game {name}: its package {called} must have {member}{meant(member, dir(package))}")
    _warn_of_others(name, package, {*members, OPTIONAL}.difference(there))
    kept = SimpleNamespace(__name__=getattr(package, "__name__", None) or shown(package))
    for member in there:
        value = getattr(package, member)
        if member == "SETTINGS":
            _check_settings(name, value)
        else:
            value = _reporting(name, member, value)
        setattr(kept, member, value)
    made = kept.make_variant

    def make_variant(**given: Any) -> Any:
        variant = made(**given)
        check_variant(name, variant)
        return variant

    kept.make_variant = make_variant
    return kept


def meant(word: str, known: Iterable[str]) -> str:
    """Return the name that somebody may have meant, as the end of an error; else where the contract stands."""
    close = difflib.get_close_matches(word, [each for each in known if each != word], 1, 0.8)
    return f"; did you mean {close[0]}?" if close else f" ({GUIDE})"


def _warn_of_others(name: str, package: Any, left_out: Iterable[str]) -> None:
    """Warn of functions whose names are nearly those of members that the package leaves out."""
    others = [each for each in dir(package) if inspect.isfunction(getattr(package, each))]
    for member in left_out:
        for close in difflib.get_close_matches(member, others, 1, 0.9):
            said = f"stardeck: game {name}: {close} is no member of a game; did you mean {member}?"
            warnings.warn(said, RuntimeWarning, stacklevel=2)


def _check_settings(name: str, value: Any) -> None:
    """Check the settings of a game. Raises GameError."""
    if (
        not isinstance(value, tuple)
        or not all(isinstance(setting, Setting) for setting in value)
        or (isinstance(value, Setting))
    ):
        raise GameError(f"game {name}: SETTINGS: {shown(value)}: must be a tuple of Setting ({GUIDE})")


def _reporting(name: str, member: str, value: Any) -> Callable[..., Any]:
    """Return the member; check that it is callable as the contract says."""
    if not callable(value):
        raise GameError(f"game {name}: {member}: {shown(value)}: must be a function ({GUIDE})")
    wanted = [] if member == "make_variant" else _wanted(member)
    try:
        inspect.signature(value).bind(*wanted)
    except TypeError:
        takes = f"{member}{inspect.signature(value)}"
        raise GameError(f"game {name}: {takes}: must take ({', '.join(wanted)}) ({GUIDE})") from None
    except ValueError:  # a function of C, which does not say what it takes
        pass

    code = getattr(inspect.unwrap(value), "__code__", None)
    file = Path(code.co_filename) if code else None
    place = f" in {file.name}" if file else ""

    @functools.wraps(value)
    def reporting(*args: Any, **given: Any) -> Any:
        try:
            return value(*args, **given)
        except IllegalAction:
            raise
        except GameError as error:
            if str(error).startswith("game "):
                raise
            raise GameError(f"game {name}: {error}") from error
        except Exception as error:
            if member in READERS and type(error) is ValueError:
                raise
            raise GameError(f"game {name}: {member}{place}: {error_report(error, file, __file__)}") from error

    return reporting


def _wanted(member: str) -> list[str]:
    """Return the names of the arguments that the contract gives to a member."""
    if member == OPTIONAL:
        return ["variant", "state"]
    return [each for each in inspect.signature(getattr(GamePackage, member)).parameters if each != "self"]


# Variants


def check_variant(name: str, variant: Any) -> None:
    """Check what a package has made.

    Args:
        name: The name of the game.
        variant: What its `make_variant` has returned.

    Raises:
        GameError: It is no variant, its records lack fields, or a kernel names a field that they lack.
    """
    for member in ("game", "state_dtype", "rules", "actions", "names"):
        if not hasattr(variant, member):
            raise GameError(f"game {name}: make_variant returns {shown(variant)}: must return a variant ({GUIDE})")
    if variant.game != name:
        raise GameError(f"game {name}: its variants have the game {shown(variant.game)}")
    check_fields(name, variant.state_dtype, variant.rules.dtype)
    _check_numbers(name, variant)
    if not variant.actions:
        raise GameError(f"game {name}: blocks: the variant {variant.id} has no action ({GUIDE})")
    for verb in REQUIRED_VERBS:
        if not verbs.is_implemented(verb, variant.state_dtype):
            raise GameError(f"game {name}: must implement the verb {verb.__name__} ({GUIDE})")
    _check_kernels(name, variant.state_dtype, variant.rules.dtype)


def _check_numbers(name: str, variant: Any) -> None:
    """Check that the fields of a state hold whole numbers, wide and many enough. Raises GameError."""
    dtype = variant.state_dtype
    for field, kind in _plain_fields(dtype):
        if kind.kind not in "iu":
            raise GameError(f"game {name}: states: {field}: {kind}: must be a dtype of whole numbers, such as uint8")
    for field, signs, wanted in (
        ("to_act", SIGNED, "int8"), ("placement", SIGNED, "int8"), ("random", UNSIGNED, "uint64"),
        ("variant", UNSIGNED, "uint32"),
    ):  # fmt: skip
        kind = dtype[field].base
        if kind.kind != signs or kind.itemsize < np.dtype(wanted).itemsize:
            raise GameError(f"game {name}: states: {field}: {kind}: must be {wanted}")
    seats = dtype["placement"].shape
    if len(seats) != 1 or seats[0] < variant.players:
        raise GameError(
            f"game {name}: states have room for {seats[0] if seats else 1} seats: must be {variant.players} or more"
            " (the argument seats of state_dtype)"
        )


def _plain_fields(dtype: np.dtype[Any], before: str = "") -> Iterator[tuple[str, np.dtype[Any]]]:
    """Yield every field that holds numbers, with the dtype of one number."""
    for field in dtype.names or ():
        kind = dtype[field].base
        if kind.names:
            yield from _plain_fields(kind, f"{before}{field}.")
        else:
            yield f"{before}{field}", kind


# Kernels


def _check_kernels(name: str, states: np.dtype[Any], rules: np.dtype[Any]) -> None:
    """Check that the records have the fields of `state` and `rules` that a kernel names. Raises GameError."""
    fields = {"state": states.names or (), "rules": rules.names or ()}
    seen: dict[Any, None] = dict.fromkeys(map(_python, verbs.implementations(states)))
    for function in (pending := list(seen)):
        for called in _called_by(function):
            if called not in seen:
                seen[called] = None
                pending.append(called)
    for function in seen:
        for record, field in _fields_named(function):
            if field not in fields[record]:
                raise GameError(
                    f"game {name}: {function.__name__}: {record}.{field}: there is no such field"
                    f"{meant(field, fields[record])}"
                )


def _python(function: Any) -> Any:
    """Return the Python function of a kernel."""
    return getattr(function, "py_func", function)


def _called_by(function: Any) -> list[Any]:
    """Return the functions of the same file that a function names."""
    named = (_python(function.__globals__.get(each)) for each in function.__code__.co_names)
    return [each for each in named if getattr(each, "__module__", None) == function.__module__ and
            inspect.isfunction(each)]  # fmt: skip


@functools.cache
def _fields_named(function: Any) -> list[tuple[str, str]]:
    """Return the fields of its arguments `state` and `rules` that a function names, as (argument, field)."""
    arguments = {"state", "rules"} & set(inspect.signature(function).parameters)
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):  # typed at a prompt
        return []
    changed = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return [
        (node.value.id, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if node.value.id in arguments - changed
    ]
