"""The command `stardeck`.

Every command has `--json`, and `--help` with an example. Settings of a game are options, with hyphens in their names.
Exit codes: 0; 1: a finding, such as a scenario that fails; 2: bad usage; 130: interrupted.
"""

import contextlib
import copy
import importlib
import warnings
from typing import Any, NoReturn

import click

from stardeck import __version__
from stardeck.benchmarks import interrupt
from stardeck.benchmarks.optional_dependencies import MissingExtra
from stardeck.commands.shared.printing import say
from stardeck.kernels.deprecation import FormerNameWarning
from stardeck.kernels.errors import GameError, harmless, reason

LONGEST_WORD = 300  # characters of a word in an error, such as a path
# Module and function of each command, by purpose; only the command that runs is imported.
GROUPS = {
    "Play and watch": {
        "play": "commands.play:play",
        "serve": "commands.serve:serve",
        "watch": "commands.play:watch",
        "replay": "commands.play:replay",
        "import-log": "commands.import_log:import_log",
    },
    "Look things up": {
        "list": "commands.look_up:list_variants",
        "cards": "commands.look_up:cards",
        "scenario": "commands.play:scenario",
    },
    "Measure": {
        "advantage": "commands.measure:advantage",
        "league": "commands.measure:league",
        "fair": "commands.balance:fair",
        "worth": "commands.balance:worth",
        "agreement": "commands.agreement:agreement",
        "dataset": "commands.measure:dataset",
        "report": "commands.report:report",
        "show": "commands.show:show",
        "cite": "commands.show:cite",
    },
    "Benchmark": {
        "benchmark": "commands.benchmark:benchmark",
        "verify": "commands.benchmark:verify",
        "leaderboard": "commands.benchmark:leaderboard",
    },
    "Train agents": {
        "train": "commands.train:train",
        "exploit": "commands.exploit:exploit",
        "train-value": "commands.auxiliary_networks:train_value",
        "train-belief": "commands.auxiliary_networks:train_belief",
    },
    "Language models": {
        "mcp": "commands.language.mcp:mcp",
        "llm": "commands.language.llm:llm",
    },
    "Speed": {
        "bench": "benchmarks.speed.measure:main",
        "warmup": "commands.warmup:main",
    },
}
COMMANDS = {name: where for group in GROUPS.values() for name, where in group.items()}
FORMER = {"judge": "train-value", "belief": "train-belief"}  # names of commands that work until version 0.3


class UnreadError(Exception):
    """The reader of the output has gone, as `head` does; click would treat a BrokenPipeError as a failure."""


@contextlib.contextmanager
def _unread():
    try:
        yield
    except BrokenPipeError as error:
        raise UnreadError from error


class Commands(click.Group):
    """Commands by name, imported on demand."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the arguments, and print the help for `--help`."""
        with _unread():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _unread():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context | None, name: str) -> click.Command | None:
        """Return a command, or None for an unknown name."""
        if name in FORMER:
            command = copy.copy(self.get_command(ctx, FORMER[name]))
            if command is not None:
                command.name = name
                command.deprecated = f"Use `stardeck {FORMER[name]}`; `{name}` works until version 0.3."
            return command
        if name not in COMMANDS:
            return None
        module, _, function = COMMANDS[name].partition(":")
        return getattr(importlib.import_module(f"stardeck.{module}"), function)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write every command with the first sentence of its description, by group."""
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, _summary(self.get_command(ctx, name))) for name in names], col_max=20)
        formatter.write_paragraph()
        formatter.write_text("stardeck COMMAND --help shows the options of a command and an example.")


def _summary(command):
    """Return the first sentence of the description of a command, whole."""
    paragraph = " ".join((command.help or "").split("\n\n")[0].split())
    return paragraph.split(". ")[0].rstrip(".")


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Space card and board games as fast reinforcement-learning environments."""
    if ctx.invoked_subcommand is None:
        say(ctx.get_help())


def main() -> NoReturn:
    """Run the command line and exit; an error is one line."""
    interrupt.leave(_run())


def _run() -> int:
    """Run the command and return its exit code."""
    warnings.formatwarning = lambda message, *_: _warning(str(message))  # not where in the code
    warnings.filterwarnings("once", category=FormerNameWarning)
    try:
        interrupt.watch()
        code = cli.main(standalone_mode=False) or 0
    except (click.Abort, KeyboardInterrupt):
        _interrupted()
    except (UnreadError, BrokenPipeError):
        return 0
    except Exception as error:
        if interrupt.pressed():  # a library turned Ctrl-C into another error
            _interrupted()
        return _refusal(error)
    if interrupt.pressed() and code != interrupt.CODE:
        _interrupted()
    return code


def _warning(message):
    return f"stardeck: {harmless(message).removeprefix('stardeck: ')}\n"


def _interrupted() -> NoReturn:
    """Print that the command was interrupted, and exit.

    The exception is still alive here and keeps half-imported modules: their removal may crash the process.
    """
    say("interrupted", err=True)
    interrupt.leave(interrupt.CODE)


def _refusal(error) -> int:
    """Print the reason of a refusal in one line and return the exit code; raise an error of our own code again."""
    match error:
        case click.ClickException():
            return _refuse(error.format_message())
        case MissingExtra() | GameError():
            return _refuse(str(error))
        case OSError():
            return _refuse(f"{error.filename or 'the disk'}: {reason(error)}")
        case MemoryError():
            return _refuse(f"there is not enough memory for this ({error})")
    raise error


def _refuse(message) -> int:
    """Print the reason of a refusal in one line and return the exit code."""
    words = (word if len(word) <= LONGEST_WORD else f"{word[:100]}…{word[-40:]}" for word in message.split())
    line = " ".join(words).encode("utf-8", "backslashreplace").decode("utf-8")  # a file name may not be UTF-8
    say(f"stardeck: {line}", err=True)
    return 2


if __name__ == "__main__":
    main()
