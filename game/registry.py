"""The games by name: `make`, `variants`, and their registration with PettingZoo and Gymnasium."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

from stardeck.game.catalogue import GAMES, kernels_of, load
from stardeck.game.game import Game
from stardeck.kernels.contract.settings import Setting
from stardeck.kernels.contract.variant import Variant

if TYPE_CHECKING:
    from stardeck.game.device import DeviceGame


__all__ = ["GAMES", "listed", "make", "register", "settings_of", "variants"]


class Listed(TypedDict):
    """A variant as `variants` lists it."""

    id: str
    game: str
    settings: dict[str, Any]


@overload
def make(name: str, /, *, device: Literal["cpu"] = "cpu", **settings: Any) -> Game: ...
@overload
def make(name: str, /, *, device: Literal["cuda"], **settings: Any) -> "DeviceGame": ...
def make(name: str, /, *, device: str = "cpu", **settings: Any) -> "Game | DeviceGame":
    """The game with these settings: `stardeck.make("star_realms", players=2)`.

    Settings left out have their defaults. device: "cpu", or "cuda", for states on a GPU (docs/guides/gpu.md).
    ValueError names the setting, the value and what is allowed; RuntimeError: there is no GPU, or no `stardeck[cuda]`.
    """
    game = Game.named(name, settings)
    if device == "cpu":
        return game
    from stardeck.game.device import on_device

    return on_device(game, device)


def settings_of(name: str) -> tuple[Setting, ...]:
    """The settings of a game."""
    return load(name).SETTINGS


def variants() -> list[Listed]:
    """Every variant: {id, game, settings}; `make(v["game"], **v["settings"])` plays it."""
    return [entry for entry, _ in listed()]


def listed() -> Iterator[tuple[Listed, Variant]]:
    """Every variant as `variants` lists it, with its tables; nobody plays, so that no agents are loaded."""
    for name in GAMES:
        package = kernels_of(name)
        for settings in package.list_variants():
            variant = package.make_variant(**settings)
            yield {"id": variant.id, "game": name, "settings": settings}, variant


def register() -> None:
    """Register every game with Gymnasium and, where it has a registry (1.27 and later), with PettingZoo; once.

    The ids are the same: `pettingzoo.make("aec", "stardeck/StarRealms-v1")`, and `"parallel"`; PettingZoo also knows
    the names of the modules. Earlier versions stay: `stardeck/StarRealms-v0` has the observations that it always had.
    """
    import gymnasium
    import pettingzoo

    for newest in GAMES.values():
        for entry in newest.versions():
            name = f"stardeck/{entry.gymnasium_id}"
            if name in gymnasium.registry:
                continue
            module = f"stardeck.envs.{entry.module}"
            gymnasium.register(name, f"{module}:SingleAgentEnv", vector_entry_point=f"{module}:VectorEnv")
            if hasattr(pettingzoo, "register"):
                for known in (name, f"stardeck/{entry.module}"):
                    pettingzoo.register("aec", id=known, entry_point=f"{module}:env")
                    pettingzoo.register("parallel", id=known, entry_point=f"{module}:parallel_env")
