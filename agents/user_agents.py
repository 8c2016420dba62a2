"""Your own agents by place: `mine.py:Agent`, a name in a file, or `package.module:Agent`.

The name is a class or a function, which is called without arguments, or an agent object.
game/user_code.py imports files and modules.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from stardeck.game.agent import Agent
from stardeck.game.user_code import CannotImport, error_report, module_named, module_of
from stardeck.kernels.errors import shown

_PLACE = re.compile(r"(?P<file>.+\.py)(:(?P<in_file>.*))?|(?P<module>\w+(\.\w+)*):(?P<in_module>\w+)", re.S)
LONGEST_NAME = 200  # characters of the name of an agent


def is_place(text: str) -> bool:
    """Return true if a text names the place of an agent."""
    return _PLACE.fullmatch(text) is not None


def agent_at(text: str) -> Agent:
    """Return the agent at a place. Raises ValueError."""
    found = _PLACE.fullmatch(text)
    assert found is not None
    try:
        if found["file"]:
            held, name = vars(module_of(Path(found["file"]))), found["in_file"] or ""
        else:
            held, name = vars(module_named(found["module"])), found["in_module"]
        return checked(_made(held, name))
    except (_NoAgent, CannotImport) as error:
        raise ValueError(f"agent {shown(text)}: {error}") from error.__cause__


def acts(agent: Any) -> bool:
    """Return true if a value has a method `act`."""
    return callable(_held(agent, "act"))


def checked(agent: Any) -> Agent:
    """Return the agent if it has the required attributes. Raises ValueError."""
    if isinstance(agent, type):
        raise ValueError(f"agent {shown(agent)}: is a class; give an object of it, {agent.__name__}()")
    name = _held(agent, "name")
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        wanted = f"must be a text of up to {LONGEST_NAME} printable characters, the name in results"
        raise ValueError(f"agent {shown(agent)}: name={shown(name)}: {wanted}")
    if _held(agent, "name") != name:
        raise ValueError(f"agent {shown(agent)}: name={shown(name)}: must stay the same")
    return agent


def is_thread_safe(agent: Agent) -> bool:
    """Return true if several threads may ask an agent at once."""
    return isinstance(safe := _held(agent, "thread_safe"), bool | np.bool_) and bool(safe)


def check(agent: Agent, game: Any) -> None:
    """Ask an agent whether it can play a game, if it has a `check`. Raises ValueError."""
    asked = _held(agent, "check")
    try:
        if asked is not None:
            asked(game)
    except (ValueError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise ValueError(
            f"agent {shown(agent.name)}: check(game) has failed ({error_report(error, None, __file__)})"
        ) from error


def _held(agent, name):
    """Return an attribute; None where it does not exist or cannot be read."""
    try:
        return getattr(agent, name, None)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None


class _NoAgent(Exception):
    """The reason why a place has no agent."""


def _made(held: Mapping[str, Any], name: str) -> Any:
    """Return the agent of a name: the object, or the result of the class or function."""
    if name not in held:
        known = ", ".join(key for key, value in held.items() if isinstance(value, type) and hasattr(value, "act"))
        lacks = f"has no {shown(name)}" if name else "must go on with a colon and a name, mine.py:NAME"
        raise _NoAgent(lacks + (f"; agents in it: {known}" if known else ""))
    found = held[name]
    if acts(found) and not isinstance(found, type):
        return found
    if callable(found):
        try:
            found = found()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise _NoAgent(f"{name}() has failed ({error_report(error, None, __file__)})") from error
    if not acts(found):
        raise _NoAgent(f"{shown(found)}: must have a method act(game, states, masks, seeds)")
    return found
