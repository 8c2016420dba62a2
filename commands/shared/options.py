"""Options that commands share: the game and its settings, files, seeds."""

import contextlib
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from stardeck.benchmarks.game_name import GameName
from stardeck.commands.shared.earlier_results import note_start
from stardeck.commands.shared.printing import say
from stardeck.game.catalogue import default_agent
from stardeck.game.game import Game
from stardeck.game.registry import GAMES, make, settings_of
from stardeck.kernels.contract.settings import Setting

TRUTH = {"true": True, "false": False}
MOST_GAMES = 10**12
MOST_WORKERS = 1024
MOST_DRAWN = 10**6  # bound of random seeds, which are short enough to type
SETTINGS = "stardeck.settings"  # key of the game's settings in the context of a command


class File(click.Path):
    """The path of a file or folder, without null characters."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or refuse one with a null character."""
        if "\0" in value:
            self.fail("a path has no null character", param, ctx)
        return super().convert(value, param, ctx)


class GameCommand(click.Command):
    """A command whose argument `game` adds options: the settings of that game, passed to it as `settings`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the game first, because its settings are options."""
        name, helped = self._game_among(args), any(word in ctx.help_option_names for word in args)
        if name in GAMES:
            with refusing():
                settings = settings_of(name)
            ctx.meta[SETTINGS] = {setting.name: (setting, _option(setting)) for setting in settings}
        elif not helped:
            next(param for param in self.params if param.name == "game").process_value(ctx, name)  # raises the error
        return super().parse_args(ctx, args)

    def _game_among(self, args):
        """Return the first word that is neither an option nor the value of one."""
        flags = {name for param in self.params if getattr(param, "is_flag", False) for name in param.opts}
        words = iter(args)
        for word in words:
            if not word.startswith("-"):
                return word
            if word not in flags and "=" not in word:
                next(words, None)
        return None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options of this command and of the named game."""
        return [*super().get_params(ctx), *(option for _, option in ctx.meta.get(SETTINGS, {}).values())]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with the settings in one mapping."""
        note_start(ctx)
        known = ctx.meta[SETTINGS]
        given = {name: ctx.params.pop(name) for name in known}
        if ctx.get_parameter_source("agents") is ParameterSource.DEFAULT and ctx.params["agents"] == "rules":
            ctx.params["agents"] = default_agent(ctx.params["game"])
        ctx.params["settings"] = {
            name: _value(known[name][0], value) for name, value in given.items() if value is not None
        }
        return super().invoke(ctx)

    def sections(self, ctx: click.Context, own: list[click.Option]) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return the parts of the help about this command's own options: (title, rows)."""
        return [("Options", [row for option in own if (row := option.get_help_record(ctx))])]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of this command, then the settings of the game or how to see them."""
        own = [option for option in super().get_params(ctx) if isinstance(option, click.Option)]
        for title, rows in self.sections(ctx, own):
            with formatter.section(title):
                formatter.write_dl(rows)
        of_game = [option.get_help_record(ctx) for _, option in ctx.meta.get(SETTINGS, {}).values()]
        with formatter.section("Settings of the game" if of_game else "Game"):
            if of_game:
                formatter.write_dl(of_game)
            else:
                first, *others = GAMES
                formatter.write_text(f"GAME is {first}, {', '.join(others[:-1])} or {others[-1]}.")
                formatter.write_text(f"Its settings are options too: {ctx.command_path} {first} --help shows them.")


def _option(setting: Setting) -> click.Option:
    default = "" if setting.default is None else f"  [default: {str(setting.default).lower()}]"
    names = f": {', '.join(map(str, setting.allowed))}" if setting.path or setting.more else ""
    names += ", or the path of a file" if setting.path else ""
    names += "; commas between cards, semicolons between seats" if setting.is_deck_list else ""
    meaning = f"{setting.meaning}{names}.{default}"
    return click.Option([f"--{setting.name.replace('_', '-')}"], type=_option_type(setting), help=meaning)


def _option_type(setting):
    if setting.is_list:
        return str
    if setting.is_number:
        return int
    if isinstance(setting.default, bool):
        return click.Choice(list(TRUTH))
    return str if setting.path or setting.more else click.Choice(list(setting.allowed))


def _value(setting, given):
    if setting.is_text_list:
        return [item.strip() for item in given.split(",")]
    if setting.is_deck_list:
        decks = [[item.strip() for item in deck.split(",")] for deck in given.split(";")]
        return decks if len(decks) > 1 else decks[0]
    if setting.is_list:
        try:
            return [int(item) for item in given.split(",")]
        except ValueError:
            raise click.UsageError(
                f"--{setting.name.replace('_', '-')} {given}: must be whole numbers with commas"
            ) from None
    return TRUTH[given] if isinstance(setting.default, bool) else given


def read_setting(game: str, text: str) -> tuple[str, Any]:
    """Return a setting of a game and its value, from NAME=VALUE, or from the file of the game's own table.

    Args:
        game: Name of the game.
        text: The text, such as `authority=50,53` or `mine.toml`.

    Raises:
        click.UsageError: The game has no such setting, or the value is not allowed.
    """
    known = {setting.name: setting for setting in settings_of(game)}
    name, given, value = text.partition("=")
    if not given:
        tables = [setting.name for setting in known.values() if setting.path]
        if not tables:
            raise click.UsageError(f"{text}: must be SETTING=VALUE: {game} takes no table")
        if Path(text).suffix and not Path(text).exists():
            raise click.UsageError(f"{text}: no such file; must be SETTING=VALUE, or the file of a table")
        name, value = tables[0], text
    setting = known.get(name.replace("-", "_"))
    if setting is None:
        raise click.UsageError(f"{text}: {game} has no setting {name!r}; settings: {', '.join(known)}")
    try:
        read = click.types.convert_type(_option_type(setting)).convert(value, None, None)
    except click.BadParameter as error:
        raise click.UsageError(f"{text}: {error.message}") from error
    return setting.name, _value(setting, read)


def make_game(name: str, settings: dict[str, Any]) -> Game:
    """Return a game, or raise a usage error of one line.

    Args:
        name: Name of the game.
        settings: Its settings.
    """
    with refusing():
        return make(name, **settings)


@contextlib.contextmanager
def refusing(*kinds: type[Exception]) -> Iterator[None]:
    """Turn errors of these kinds, by default ValueError, into usage errors of one line."""
    refused = kinds or (ValueError,)
    try:
        yield
    except BrokenPipeError:  # the reader has gone
        raise
    except refused as error:
        raise click.UsageError(_in_words(error)) from error


def _in_words(error: Exception) -> str:
    """Return the message of an error; of a file that cannot be read or written, without the number of the error."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


@contextlib.contextmanager
def keeping(what: str) -> Iterator[None]:
    """Print what Ctrl-C keeps before the command ends."""
    try:
        yield
    except KeyboardInterrupt:
        say(f"interrupted; {what}; the same command continues", err=True)
        raise click.exceptions.Exit(130) from None


AGENTS = (
    "An agent is a name (random, simple, rules, ppo, expert, search:N, or easy to strongest), a file (*.safetensors),"
    " your own as mine.py:NAME or package.mine:NAME, or a program elsewhere as http://HOST:PORT or exec:COMMAND"
)


def agents_option(default: str | None, meaning: str) -> Callable[[Any], Any]:
    """Return the option `--agents`.

    Args:
        default: Default of the option.
        meaning: Role of the agents in the command; the help adds how to name them.
    """
    return click.option("--agents", default=default, show_default=default is not None, help=f"{meaning} {AGENTS}.")


COMPILED_AGENT = click.option(
    "--agents",
    default="rules",
    show_default=True,
    help="One compiled agent for all seats: a name (random, simple, rules, ppo, expert, or easy to hard) or a file"
    " (*.safetensors).",
)


def drawn(seed: int | None, echo: Callable[[str], Any]) -> int:
    """Return the given seed, or draw one and print it.

    Args:
        seed: The seed, or None.
        echo: Function that prints a text.
    """
    if seed is None:
        seed = secrets.randbelow(MOST_DRAWN)
        echo(f"seed {seed}; --seed {seed} deals this game again")
    return seed


HONEST = click.option(
    "--honest",
    is_flag=True,
    help="Deal hidden cards again before your own agents see a state, so they cannot cheat.",
)
GAME = click.argument("game", metavar="GAME", type=GameName())
GAMES_TO_PLAY = click.IntRange(1, MOST_GAMES)
SEED_RANGE = click.IntRange(0, 2**64 - 1)
SEED = click.option("--seed", default=0, show_default=True, type=SEED_RANGE, help="Seed of all random choices.")
NETWORK_SEED = click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(0, 2**32 - 1), help="Seed of all random choices.",
)  # fmt: skip
DRAWN_SEED = click.option("--seed", type=SEED_RANGE, help="Seed of the game.  [default: random, and printed]")
WORKERS = click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    help="Number of threads, or of tasks on a cluster.  [default: all cores]",
)
ON = click.option(
    "--on",
    default="local",
    show_default=True,
    metavar="WHERE",
    help="Where to play games: local for this machine, ray or ray://HOST:PORT for a Ray cluster.",
)
DEVICE = click.option(
    "--device",
    default="cpu",
    show_default=True,
    type=click.Choice(["cpu", "cuda"]),
    help="Play games on the CPU or on a GPU (cuda), with equal results. On a GPU, all agents must be compiled.",
)
COLLECT = click.option(
    "--collect",
    metavar="KINDS",
    callback=lambda context, parameter, given: tuple(given.split(",")) if given else (),
    help="More tables to write, with commas: moves (every move), cards (how often each card was played), events (what"
    " happened in every game).",
)


def _figures(context: click.Context, parameter: click.Parameter, given: str | None) -> tuple[str, ...]:
    """Return the wanted figures, or refuse one that cannot be drawn before anything is measured."""
    if given is None:
        return ()
    from stardeck.benchmarks.plots import check_wanted

    try:
        return check_wanted(given)
    except ValueError as error:
        raise click.UsageError(f"--figure {error}") from None


def figure_option(meaning: str) -> Callable[[Any], Any]:
    """Return the option `--figure`.

    Args:
        meaning: What it takes.
    """
    return click.option("--figure", metavar="LIST", callback=_figures, help=meaning)


FIGURE = figure_option("Figures to write: pdf, svg, png (into the folder of results) or names of files, with commas.")
FIGURE_FORMATS = figure_option("Formats of the figures to write next to the page: pdf, svg, png, with commas.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
