"""Catalogue of the games by name: the four of the package, and those of `register_game` and plug-ins.

A plug-in is an entry point of the group `stardeck.games`, or a module or file that the environment variable
`STARDECK_GAMES` lists. Plug-ins are imported only for an unknown name, or for the list of all games.
"""

import importlib
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast

from stardeck.game.outside_game import guarded
from stardeck.game.user_code import CannotImport, module_named, module_of
from stardeck.kernels.contract.defaults import complete
from stardeck.kernels.contract.variant import GamePackage
from stardeck.kernels.errors import GameError, cut, is_whole, shown

AGENTS = "stardeck.agents"  # a name, not an import: the package is a layer above this one
ENVIRONMENTS = "stardeck.envs"  # likewise
GROUP = "stardeck.games"  # of entry points
VARIABLE = "STARDECK_GAMES"  # modules and files that register games, separated by commas
NAMESPACE = "stardeck/"  # of ids, unless a game has its own


class Entry(NamedTuple):
    """Import paths of the parts of a game."""

    package: Any  # the kernel package: its import path, a module or an object
    agents: str  # the module that implements `choose` for `simple` and `rules`; "": only `random` plays the game
    module: str  # the module of its environments; generated from the game if `made`
    gymnasium_id: str  # its id in Gymnasium, without `stardeck/`
    made: bool = False
    source: str = ""  # the module or file that registered it; "": this package

    @property
    def version(self) -> str:
        """Version of rules, actions and observations: the name of the module of the environments."""
        return self.module.rpartition(".")[2]

    @property
    def id(self) -> str:
        """Id of the game in Gymnasium."""
        return self.gymnasium_id if "/" in self.gymnasium_id else NAMESPACE + self.gymnasium_id

    def versions(self) -> list["Entry"]:
        """Return an entry for each version of the environments, from 0 on; for outside games, only the newest."""
        if self.source:
            return [self]
        module, _, newest = self.module.rpartition("_v")
        name = self.gymnasium_id.rpartition("-v")[0]
        return [
            self._replace(module=f"{module}_v{number}", gymnasium_id=f"{name}-v{number}")
            for number in range(int(newest) + 1)
        ]


class Games(Mapping[str, Entry]):
    """Games by name. Iterating loads all plug-ins; looking up a name loads those that may register it."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}

    def add(self, name: str, entry: Entry) -> None:
        """Add a game.

        Args:
            name: The name of the game.
            entry: Its parts.

        Raises:
            ValueError: Another source has registered a game of this name.
        """
        known = self._entries.get(name)
        if known is not None and known.source != entry.source:
            raise ValueError(f"game {name}: {known.source or 'stardeck'} has registered a game of this name already")
        self._entries[name] = entry
        _packages.pop(name, None)

    def __getitem__(self, name: str) -> Entry:
        if name not in self._entries and isinstance(name, str):
            _load_plug_ins(lambda plug_in: plug_in in (name, ""), lambda: name in self._entries)
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        _load_plug_ins(lambda plug_in: True, lambda: False)
        return iter(list(self._entries))

    def __len__(self) -> int:
        return sum(1 for _ in self)


_packages: dict[str, GamePackage[Any]] = {}  # of outside games, complete
GAMES = Games()


# Plug-ins


@cache
def _plug_ins() -> list[tuple[str, str, str]]:
    """Return the plug-ins that are installed and listed: (name of the game or "", source, name for messages)."""
    listed = [source.strip() for source in os.environ.get(VARIABLE, "").split(",")]
    found = [("", source, f"{VARIABLE}={source}") for source in listed if source]
    for point in metadata.entry_points(group=GROUP):
        owner = f" of {point.dist.name}" if point.dist else ""
        found.append((point.name, point.value, f"entry point {point.name}{owner}"))
    return found


_load_errors: dict[str, str] = {}  # source -> why it cannot be loaded, or ""
_loading: list[str] = []  # the source that is being loaded


def _load_plug_ins(wanted: Callable[[str], bool], found: Callable[[], bool]) -> None:
    for name, source, called in _plug_ins():
        if source in _load_errors or source in _loading or not wanted(name) or found():
            continue
        try:
            load_source(source)
            if name and name not in GAMES._entries:
                raise CannotImport(f"{source} registers no game {name}")
            if not name and _entry_source(source) not in {entry.source for entry in GAMES._entries.values()}:
                raise CannotImport(f"{source} registers no game: it must call stardeck.register_game")
        except CannotImport as error:
            _load_errors[source] = str(error)
            warnings.warn(f"stardeck: {called}: registers no game: {error}", RuntimeWarning, stacklevel=2)


def load_source(source: str) -> None:
    """Import the module or file that registers games.

    Raises:
        CannotImport: The module cannot be imported.
    """
    file = Path(source).resolve() if source.endswith(".py") else None
    _load_errors.setdefault(source, "")
    _loading.append(_entry_source(source))
    try:
        module_of(file) if file else module_named(source)
    finally:
        _loading.pop()


def _entry_source(source: str) -> str:
    """Return the source of an entry; a file has its whole path, because other processes run in other folders."""
    return str(Path(source).resolve()) if source.endswith(".py") else source


def source_of(namespace: Mapping[str, Any]) -> str:
    """Return where another process finds the module with this namespace: the import path, or the file of a script.

    Returns "" for a module without a file, such as a notebook.
    """
    if _loading:
        return _loading[-1]
    name, file = namespace.get("__name__", ""), namespace.get("__file__")
    path = Path(file).resolve() if file else None
    if path is not None and name.rpartition(".")[2] not in (path.stem, path.parent.name):  # a script
        return str(path)
    return "" if path is None else name


# The parts of a game


def load(name: str) -> GamePackage[Any]:
    """Return the kernel package of a game and load its compiled agents.

    Raises:
        ValueError: There is no such game; the message lists the games.
    """
    if not isinstance(name, str) or name not in GAMES:
        broken = [f"; {source}: {why}" for source, why in _load_errors.items() if why]
        raise ValueError(f"game={shown(name)}: must be one of {', '.join(GAMES)}{''.join(broken)}")
    for agents in (AGENTS, GAMES[name].agents):  # these register how names become agents, and the verb `choose`
        if agents:
            try:
                importlib.import_module(agents)
            except ImportError as error:
                if not GAMES[name].source or agents == AGENTS:
                    raise
                raise GameError(f"game {name}: agents={shown(agents)}: {cut(str(error))}") from error
    package: Any = kernels_of(name)
    if GAMES[name].source and not package.finishers:
        package.finishers.append(importlib.import_module(f"{AGENTS}.random_legal").implement)
    return cast(GamePackage[Any], package)


def kernels_of(name: str) -> GamePackage[Any]:
    """Return the kernel package of a game in GAMES, without agents."""
    entry = GAMES[name]
    if not entry.source:
        return cast(GamePackage[Any], importlib.import_module(entry.package))
    if name not in _packages:
        try:
            package = module_named(entry.package) if isinstance(entry.package, str) else entry.package
        except CannotImport as error:
            raise GameError(f"game {name}: {error}") from error
        _packages[name] = complete(guarded(package, name), name)
    return _packages[name]


def environments_of(name: str) -> ModuleType:
    """Return the module of a game's newest environments, with `env`, `SingleAgentEnv`, `VectorEnv` and others."""
    return importlib.import_module(GAMES[name].module)


def default_agent(name: str) -> str:
    """Return the default agent: `rules`, or `random` for a game without agents of its own."""
    return "rules" if GAMES[name].agents else "random"


def register_game(
    name: str,
    package: Any = None,
    *,
    agents: str = "",
    environments: str = "",
    gymnasium_id: str = "",
    version: int = 0,
) -> None:
    """Register a game of your own: `stardeck.make`, commands, agents and environments then know it by name.

    Call this function at the end of the game's module. Worker processes import the module that called it.

    Args:
        name: Name for `stardeck.make`: lower-case letters, digits and `_`.
        package: The kernel package: its import path, a module or an object (docs/add_a_game.md). The default is the
            calling module.
        agents: The import path of the module that implements the verb `choose` for the agents `simple` and `rules`.
            Without it the game has `random`, searches and trained agents.
        environments: The import path of a module of environments. By default they are generated from the game as
            `stardeck.envs.<name>_v<version>`.
        gymnasium_id: The id in Gymnasium, by default `<Name>-v<version>` after `stardeck/`.
        version: The version of rules, actions and observations.

    Raises:
        ValueError: The name is malformed, or another game has it.
    """
    import sys

    namespace = sys._getframe(1).f_globals
    _register(name, _Names(namespace) if package is None else package, agents, environments, gymnasium_id, version,
              source_of(namespace) or "a module without a file")  # fmt: skip


class _Names:
    """Names of a module that is still being executed, as attributes."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.__dict__ = names


def _register(
    name: Any, package: Any, agents: Any, environments: Any, gymnasium_id: Any, version: Any, source: str
) -> None:
    """Add a game to GAMES and call the followers. source: "" for the games of the package."""
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"name={shown(name)}: must be lower-case letters, digits and _, beginning with a letter")
    if not is_whole(version) or version < 0:
        raise ValueError(f"game {name}: version={shown(version)}: must be a whole number from 0 on")
    module = environments or f"{ENVIRONMENTS}.{name}_v{version}"
    known = gymnasium_id or f"{''.join(part.capitalize() for part in name.split('_'))}-v{version}"
    GAMES.add(name, Entry(package, agents, module, known, not environments, source))
    for follow in _followers:
        follow(GAMES._entries[name])


_followers: list[Callable[[Entry], None]] = []  # called with every game that is registered


def when_registered(follow: Callable[[Entry], None]) -> None:
    """Call a function with the entry of every game: at once for those registered already, then for each new one."""
    for entry in GAMES._entries.values():
        follow(entry)
    _followers.append(follow)


for _name, _agents, _id in (
    ("star_realms", "star_realms", "StarRealms-v1"),
    ("rise_of_empire", "star_realms", "RiseOfEmpire-v1"),
    ("interstellar_empire", "interstellar_empire", "InterstellarEmpire-v1"),
    ("empire_of_the_stars", "empire_of_the_stars", "EmpireOfTheStars-v1"),
):
    _register(_name, f"stardeck.kernels.{_name}", f"{AGENTS}.{_agents}", f"{ENVIRONMENTS}.{_name}_v1", _id, 1, "")
