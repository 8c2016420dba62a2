"""Former names of agents and of options of a search: they work until version 0.3, with a DeprecationWarning.

Results, leagues, saved games and checkpoints keep the text of an agent. Version 0.1 wrote the former names into it.
`present` gives such a text its present names without a warning, so that both spellings are the same agent. A match of a
league draws its seed from the former spelling of its agents (`former`), so that it plays the same games under either.
"""

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from stardeck.kernels.deprecation import warn

P = ParamSpec("P")
T = TypeVar("T")

FORMER = {"guide": "prior", "judge": "value", "others": "opponents", "turns": "rollout_turns"}  # {former: present}
FORMER_OF = {present: former for former, present in FORMER.items()}
# They were names of bots of another program, whose play is published as code alone: ours do not play like them.
FORMER_AGENTS = {"velocity": "cheap-combat", "hare": "same-faction"}
_FORMER_AGENTS_OF = {present: former for former, present in FORMER_AGENTS.items()}
_HONEST = re.compile(r"(?:honest:)*")
_OPTION = re.compile(r":(\w+)=")
_AGENT = re.compile(r"(?<=[=, ])[a-z-]+(?=:\w+=|[,) ]|$)")  # of an option, or in an identity
_SEARCH = re.compile(r"(honest:)*search:")  # begins the text, the name and the identity of a search


def present(value: Any) -> Any:
    """Return a value of JSON with the present names in all texts of agents, keys included."""
    if isinstance(value, str):
        return _respelled(value, FORMER, FORMER_AGENTS)
    if isinstance(value, dict):
        return {present(key): present(held) for key, held in value.items()}
    return [present(held) for held in value] if isinstance(value, list | tuple) else value


def former(text: str) -> str:
    """Return the text of an agent as version 0.1 spelled it."""
    return _respelled(text, FORMER_OF, _FORMER_AGENTS_OF)


def _respelled(text, options, agents):
    """Return the text of an agent with other names of options and agents; other texts stay as they are."""
    if not _SEARCH.match(text):
        name = text[_HONEST.match(text).end() :]
        return f"{text.removesuffix(name)}{agents[name]}" if name in agents else text
    text = _OPTION.sub(lambda found: f":{options.get(found[1], found[1])}=", text)
    return _AGENT.sub(lambda found: agents.get(found[0], found[0]), text)


def renamed(owner: str, given: Mapping[str, Any], stacklevel: int) -> dict[str, Any]:
    """Return options of a search under their present names, and warn of the former ones.

    Args:
        owner: Text that begins an error.
        given: Options by name; None: not given.
        stacklevel: As for `warnings.warn`, counted from the caller.

    Raises:
        ValueError: An option is given under both of its names.
    """
    old = [name for name in FORMER if given.get(name) is not None]
    for name in old:
        if given.get(FORMER[name]) is not None:
            raise ValueError(f"{owner}: {name} is the former name of {FORMER[name]}: give one of them")
    if old:
        new = ", ".join(f"{name}= is now {FORMER[name]}=" for name in old)
        warn(f"search: {new}; the former name works until version 0.3", stacklevel + 1)
    kept = {name: value for name, value in given.items() if name not in FORMER}
    return kept | {FORMER[name]: given[name] for name in old}


def takes_former(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function take keywords of a search under their former names too."""

    @functools.wraps(function)
    def take(*args: P.args, **options: P.kwargs) -> T:
        if FORMER.keys().isdisjoint(options):
            return function(*args, **options)
        return function(*args, **renamed("search", options, 2))  # type: ignore[arg-type]

    return take
