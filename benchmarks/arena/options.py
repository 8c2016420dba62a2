"""Options that measurements share: the executor, progress reports, and the data that is kept.

A call gives them by keyword, next to the settings of its game: `advantage("star_realms", workers=2, players=3)`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypedDict, cast

from stardeck.benchmarks.arena.executors import LOCAL, On
from stardeck.game.registry import settings_of
from stardeck.kernels.errors import cut, shown

Progress = Callable[[int, int], None]  # called as progress(done, games)


def silent(done: int, games: int) -> None:
    """Report no progress."""


class PlayOptions(TypedDict, total=False):
    """Options of every function that plays games.

    Attributes:
        workers: Number of chunks that are played at once, by default one for each core.
        on: Place where games are played: "local", "ray" or "ray://host:port".
        progress: Function that is called as `progress(done, games)`; None reports nothing.
    """

    workers: int | None
    on: On
    progress: Progress | None


class PictureOptions(PlayOptions, total=False):
    """Options of measurements that draw a picture: `advantage`, `league`, `fair` and `worth`.

    Attributes:
        picture: False leaves the picture in the folder `out` as it is, which saves about a second. The same call
            without this option draws it later, and plays nothing again.
    """

    picture: bool


class HonestOptions(PictureOptions, total=False):
    """Options of measurements that play series of any agents: `advantage`, `league` and `fair`.

    Attributes:
        honest: True draws hidden information again before an agent of your own sees a state. Results then call the
            agent `honest:` and its name.
        device: "cpu", or "cuda" to play on a GPU, with equal results. All agents must then be compiled.
    """

    honest: bool
    device: str


class MeasureOptions(HonestOptions, total=False):
    """Options of measurements that keep single games: `advantage` and `league`.

    Attributes:
        collect: One or several of "moves", "cards" and "events", which are kept in the folder `out` too.
    """

    collect: str | Sequence[str]


DEFAULTS: MeasureOptions = {
    "workers": None, "on": LOCAL, "progress": None, "picture": True, "honest": False, "device": "cpu", "collect": (),
}  # fmt: skip


def split_options(
    caller: str, game: str, given: Mapping[str, Any], known: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split keywords of a call into options of the function and settings of the game.

    Args:
        caller: Name of the function, for errors.
        game: Name of the game.
        given: Keywords of the call.
        known: Names of the options.

    Returns:
        The options that were given, and the settings.

    Raises:
        ValueError: A keyword is neither an option nor a setting, or there is no such game.
    """
    options = {name: value for name, value in given.items() if name in known}
    settings = {name: value for name, value in given.items() if name not in known}
    allowed = [setting.name for setting in settings_of(game)]
    for name, value in settings.items():
        if name not in allowed:
            unknown = f"{cut(name)}={shown(value)}: {game} has no such setting and {caller} no such option"
            raise ValueError(f"{unknown}; settings: {', '.join(allowed)}; options: {', '.join(sorted(known))}")
    return options, settings


def measure_options(
    caller: str, game: str, given: Mapping[str, Any], known: Collection[str]
) -> tuple[MeasureOptions, dict[str, Any]]:
    """Split keywords of a measurement into options, completed by defaults, and settings of the game.

    Args:
        caller: Name of the function, for errors.
        game: Name of the game.
        given: Keywords of the call.
        known: Names of the options.

    Returns:
        All options, and the settings.

    Raises:
        ValueError: A keyword is neither an option nor a setting, or there is no such game.
    """
    options, settings = split_options(caller, game, given, known)
    return cast(MeasureOptions, DEFAULTS | options), settings
