"""Games by name: `make`, `variants`, and the registration with PettingZoo and Gymnasium."""

import importlib
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

from stardeck.game.catalogue import ENVIRONMENTS, GAMES, Entry, kernels_of, load, when_registered
from stardeck.game.game import Game
from stardeck.kernels.contract.settings import Setting
from stardeck.kernels.contract.variant import Variant

if TYPE_CHECKING:
    from stardeck.game.device import DeviceGame


__all__ = [
    "GAMES",
    "allowed_values",
    "in_words",
    "make",
    "playable",
    "register",
    "settings_of",
    "variants",
    "variants_with_tables",
]


class VariantEntry(TypedDict):
    """Variant as `variants` lists it."""

    id: str
    game: str
    settings: dict[str, Any]


@overload
def make(name: str, /, *, device: Literal["cpu"] = "cpu", **settings: Any) -> Game: ...
@overload
def make(name: str, /, *, device: Literal["cuda"], **settings: Any) -> "DeviceGame": ...
def make(name: str, /, *, device: str = "cpu", **settings: Any) -> "Game | DeviceGame":
    """Make a game: `stardeck.make("star_realms", players=2)`.

    Args:
        name: The name of the game.
        device: "cpu", or "cuda" for states on a GPU (docs/guides/gpu.md).
        **settings: Settings of the game. Settings left out have their defaults.

    Returns:
        The game.

    Raises:
        ValueError: A setting is wrong; the message names the setting, the value and what is allowed.
        RuntimeError: There is no GPU, or `stardeck[cuda]` is not installed.
    """
    game = Game.named(name, settings)
    if device == "cpu":
        return game
    from stardeck.game.device import on_device

    return on_device(game, device)


def settings_of(name: str) -> tuple[Setting, ...]:
    """Return the settings of a game."""
    return load(name).SETTINGS


def allowed_values(setting: Setting) -> list[Any] | str:
    """Return the values of a setting: a list of them, or words where there are too many to list."""
    allowed = list(setting.allowed)
    if setting.is_text_list:
        return "names"
    if setting.is_deck_list:
        return "names, or names by seat"
    if setting.is_number or setting.is_list:
        return f"{allowed[0]} to {allowed[-1]}" + (", by seat" if setting.is_list else "")
    return allowed


def in_words(row: Mapping[str, Any]) -> str:
    """Return a setting in words. row: its `setting` (the name), `default`, `allowed` (`allowed_values`), `meaning`."""
    values = row["allowed"]
    allowed = values if isinstance(values, str) else ", ".join(str(value).lower() for value in values)
    default = "by format" if row["default"] is None else str(row["default"]).lower()
    return f"{row['setting']}  (default {default}; {allowed})\n    {row['meaning']}"


def variants() -> list[VariantEntry]:
    """List every variant as {id, game, settings}; `make(v["game"], **v["settings"])` plays it."""
    return [entry for entry, _ in variants_with_tables()]


def variants_with_tables() -> Iterator[tuple[VariantEntry, Variant]]:
    """Yield every variant as `variants` lists it, with its tables. It loads no agents, because nobody plays."""
    for name in playable():
        package = kernels_of(name)
        try:
            made = [(settings, package.make_variant(**settings)) for settings in package.list_variants()]
        except ValueError as error:
            _leave_out(name, error)
            continue
        for settings, variant in made:
            yield {"id": variant.id, "game": name, "settings": settings}, variant


def playable() -> list[str]:
    """Return the names of the games; a faulty one from outside gives a warning and is left out."""
    found = []
    for name in GAMES:
        try:
            if GAMES[name].source:
                kernels_of(name).make_variant()
        except ValueError as error:
            _leave_out(name, error)
            continue
        found.append(name)
    return found


def _leave_out(name: str, error: ValueError) -> None:
    """Warn of a faulty game. Raises the ValueError, as it is, for a game of this package."""
    if not GAMES[name].source:
        raise error
    warnings.warn(f"stardeck: {error}; it is left out", RuntimeWarning, stacklevel=3)


class EnvironmentFinder(MetaPathFinder, Loader):
    """Importer of `stardeck.envs.<game>_v<number>` for games without environments: it generates the module."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for the environments of such a game, and None for every other module."""
        found = re.fullmatch(rf"{re.escape(ENVIRONMENTS)}\.(\w+)_v\d+", fullname)
        entry = GAMES.get(found[1]) if found else None
        return ModuleSpec(fullname, self) if entry and entry.made and entry.module == fullname else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the environments into the module."""
        made = importlib.import_module(f"{ENVIRONMENTS}.made")
        made.fill(module, module.__name__.removeprefix(f"{ENVIRONMENTS}.").rpartition("_v")[0])


def register() -> None:
    """Register every game with Gymnasium and, where it has a registry (1.27 and later), with PettingZoo.

    The ids are the same: `pettingzoo.make("aec", "stardeck/StarRealms-v1")`, and `"parallel"`; PettingZoo also knows
    the names of the modules. Earlier versions stay: `stardeck/StarRealms-v0` keeps its observations. Games that are
    registered later follow.
    """
    if not any(isinstance(finder, EnvironmentFinder) for finder in sys.meta_path):
        sys.meta_path.append(EnvironmentFinder())
        when_registered(_register_environments)


def _register_environments(newest: Entry) -> None:
    """Register the environments of a game, in every version, under their ids."""
    import gymnasium
    import pettingzoo

    for entry in newest.versions():
        name, module = entry.id, entry.module
        if name in gymnasium.registry:
            continue
        gymnasium.register(name, f"{module}:SingleAgentEnv", vector_entry_point=f"{module}:VectorEnv")
        if hasattr(pettingzoo, "register"):
            for known in (name, f"{name.partition('/')[0]}/{entry.version}"):
                pettingzoo.register("aec", id=known, entry_point=f"{module}:env")
                pettingzoo.register("parallel", id=known, entry_point=f"{module}:parallel_env")
