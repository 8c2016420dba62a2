"""The command `stardeck`.

Settings of a game are options of their names with hyphens. Every command has `--help` with an example and `--json`.
Exit codes: 0; 1: a finding (a scenario that fails); 2: bad usage; 130: interrupted.
"""

import dataclasses
import json
import sys

import click

from stardeck.benchmarks import interrupt
from stardeck.benchmarks.extras import MissingExtra
from stardeck.envs.registry import GAMES, listed, make, settings_of

TRUTH = {"true": True, "false": False}
MOST_GAMES = 10**12
MOST_WORKERS = 1024
LONGEST_WORD = 300  # characters of what a user has given, or of a path, in an error


class File(click.Path):
    """The path of a file or folder; none that the system could not even look for."""

    def convert(self, value, param, ctx):
        """Refuse a path with a null character."""
        if "\0" in value:
            self.fail("a path has no null character", param, ctx)
        return super().convert(value, param, ctx)


def _option_type(setting):
    if setting.is_list:
        return str
    if setting.is_number:
        return int
    if isinstance(setting.default, bool):
        return click.Choice(list(TRUTH))
    return str if setting.path else click.Choice(list(setting.allowed))


def _value(setting, given):
    if setting.is_text_list:
        return [item.strip() for item in given.split(",")]
    if setting.is_list:
        try:
            return [int(item) for item in given.split(",")]
        except ValueError:
            raise click.UsageError(
                f"--{setting.name.replace('_', '-')} {given}: must be whole numbers with commas"
            ) from None
    return TRUTH[given] if isinstance(setting.default, bool) else given


def _all_settings():
    return {setting.name: setting for name in GAMES for setting in settings_of(name)}


def takes_settings(command):
    """Give a command an option for every setting of every game; it gets those given as `settings`."""
    known = _all_settings()

    def gather(**options):
        given = {name: options.pop(name) for name in known}
        settings = {name: _value(known[name], value) for name, value in given.items() if value is not None}
        return command(settings=settings, **options)

    gather.__name__, gather.__doc__ = command.__name__, command.__doc__
    gather.__click_params__ = getattr(command, "__click_params__", [])
    for setting in reversed(known.values()):
        option = click.option(
            f"--{setting.name.replace('_', '-')}", type=_option_type(setting), help=setting.meaning + "."
        )
        gather = option(gather)
    return gather


def make_game(name, settings):
    """The game, or a usage error in one line."""
    try:
        return make(name, **settings)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


GAME = click.argument("game", type=click.Choice(list(GAMES)))
SEED = click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**64 - 1), help="Seed.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="JSON for machines.")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="stardeck", message="%(prog)s %(version)s")
def cli():
    """Space card and board games as fast reinforcement-learning environments."""


@cli.command(name="list", epilog="Example: stardeck list --settings star_realms")
@click.option(
    "--settings", "settings_game", type=click.Choice(list(GAMES)), help="List the settings of a game instead."
)
@AS_JSON
def list_command(settings_game, as_json):
    """List the variants with players, actions, observation size and provenance."""
    if settings_game:
        _list_settings(settings_game, as_json)
        return
    rows = []
    for entry, game in listed():
        sizes = {"players": game.players, "actions": game.num_actions, "observation": game.observation_size}
        content = {"set": game.settings.get("set"), "provenance": game.variant.provenance}
        rows.append(entry | sizes | content | {"reconstructed": game.variant.reconstructed})
    if as_json:
        click.echo(json.dumps(rows))
        return
    width = max(len(row["id"]) for row in rows)
    click.echo(f"{'variant':{width}}  players  actions  observation  provenance")
    for row in rows:
        numbers = f"{row['players']:7d}  {row['actions']:7d}  {row['observation']:11d}"
        click.echo(f"{row['id']:{width}}  {numbers}  {row['provenance']}")


def _list_settings(game, as_json):
    rows = []
    for setting in settings_of(game):
        allowed = list(setting.allowed)
        if setting.is_text_list:
            allowed = "names"
        elif setting.is_number or setting.is_list:
            allowed = f"{allowed[0]} to {allowed[-1]}" + (", by seat" if setting.is_list else "")
        row = {"setting": setting.name, "default": setting.default, "allowed": allowed, "meaning": setting.meaning}
        rows.append(row)
    if as_json:
        click.echo(json.dumps(rows))
        return
    for row in rows:
        allowed = (
            row["allowed"] if isinstance(row["allowed"], str) else ", ".join(str(a).lower() for a in row["allowed"])
        )
        default = "by format" if row["default"] is None else str(row["default"]).lower()
        click.echo(f"{row['setting']}  (default {default}; {allowed})\n    {row['meaning']}")


@cli.command(epilog="Example: stardeck advantage star_realms --agents rules --games 200000")
@GAME
@takes_settings
@click.option(
    "--agents", default="rules", show_default=True, help="One agent, or several with commas, rotated over the seats."
)
@click.option("--games", default=10_000, show_default=True, type=click.IntRange(1, MOST_GAMES), help="Number of games.")
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of results.  [default: results/<variant>/]")
@click.option("--workers", type=click.IntRange(1, MOST_WORKERS), help="Threads.  [default: all cores]")
@AS_JSON
def advantage(game, settings, agents, games, seed, out, workers, as_json):
    """Measure how often the first player wins.

    Writes games.parquet, summary.json and advantage.png. Stopped or killed, the same command goes on where it was;
    with more games it extends what is there.
    """
    from stardeck.benchmarks.advantage import advantage as measure
    from stardeck.commands.terminal import print_advantage, progress_bar

    out = out or f"results/{make_game(game, settings).id.replace('/', '-')}"
    try:
        with progress_bar("games") as progress:
            summary = measure(game, agents.split(","), games, seed, out, workers, progress, **settings)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    except KeyboardInterrupt:
        click.echo(f"interrupted; what is finished is in {out}; the same command goes on", err=True)
        raise click.exceptions.Exit(130) from None
    click.echo(json.dumps(summary)) if as_json else print_advantage(summary, out)


def _bounds(context, parameter, given):
    """LOW,HIGH as two numbers."""
    if given is None:
        return None
    try:
        low, high = (float(bound) for bound in given.split(","))
    except ValueError:
        raise click.UsageError(f"--sprt {given}: must be two numbers with a comma, such as 0,10") from None
    return low, high


@cli.command(epilog="Example: stardeck league star_realms --agents rules,simple,random --games 10000 --sprt 0,10")
@GAME
@takes_settings
@click.option(
    "--agents", default="rules,simple,random", show_default=True, help="The agents, with commas; the first is at 0 Elo."
)
@click.option(
    "--games", default=1_000, show_default=True, type=click.IntRange(1, MOST_GAMES), help="Games of each match."
)
@click.option(
    "--sprt",
    metavar="LOW,HIGH",
    callback=_bounds,
    help="Stop a match when it is clear whether its first agent is better by LOW or by HIGH normalised Elo.",
)
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of results.  [default: results/league-<variant>/]")
@click.option("--workers", type=click.IntRange(1, MOST_WORKERS), help="Threads.  [default: all cores]")
@AS_JSON
def league(game, settings, agents, games, sprt, seed, out, workers, as_json):
    """Rate agents: every one against every other, seats swapped on the same deals.

    Writes games.parquet, league.json and league.png. Stopped or killed, the same command goes on where it was; with
    more agents it plays the matches that are missing, with more games it extends all of them.
    """
    from stardeck.benchmarks.league import league as play_league
    from stardeck.commands.terminal import print_league, progress_bar

    out = out or f"results/league-{make_game(game, settings).id.replace('/', '-')}"
    try:
        with progress_bar("games") as progress:
            summary = play_league(game, agents.split(","), games, seed, out, workers, sprt, progress, **settings)
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from error
    except KeyboardInterrupt:
        click.echo(f"interrupted; what is finished is in {out}; the same command goes on", err=True)
        raise click.exceptions.Exit(130) from None
    click.echo(json.dumps(summary)) if as_json else print_league(summary, out)


def takes_recipe(command):
    """Give a command an option for every number of a training; it gets those given as `recipe`."""
    from stardeck.training.recipe import Recipe

    known = {field.name: field for field in dataclasses.fields(Recipe)}

    def gather(**options):
        given = {name: options.pop(name) for name in known}
        recipe = {name: _listed(known[name], value) for name, value in given.items() if value is not None}
        return command(recipe=recipe, **options)

    gather.__name__, gather.__doc__ = command.__name__, command.__doc__
    gather.__click_params__ = getattr(command, "__click_params__", [])
    for name, field in reversed(known.items()):
        kind = str if isinstance(field.default, tuple) else type(field.default)
        meaning = field.metadata["meaning"]
        default = ",".join(map(str, field.default)) if isinstance(field.default, tuple) else field.default
        text = f"{meaning}.  [default: {default}, or the game's]"
        gather = click.option(f"--{name.replace('_', '-')}", type=kind, help=text)(gather)
    return gather


def _listed(field, given):
    if not isinstance(field.default, tuple):
        return given
    kind = type(field.default[0])
    try:
        return [kind(item) for item in given.split(",") if item]
    except ValueError:
        option = f"--{field.name.replace('_', '-')}"
        raise click.UsageError(f"{option} {given}: must be whole numbers with commas") from None


@cli.command(epilog="Example: stardeck train star_realms --steps 1000000 --out results/mine")
@GAME
@takes_settings
@takes_recipe
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of the training.  [default: results/train-<variant>/]")
@AS_JSON
def train(game, settings, recipe, seed, out, as_json):
    """Train an agent by imitation and self-play.

    Writes agent.safetensors, learning_curve.png, summary.json, a pool of frozen copies and logs for TensorBoard.
    Stopped or killed, the same command goes on from its last checkpoint.
    """
    from stardeck.commands.terminal import print_training, progress_bar

    out = out or f"results/train-{make_game(game, settings).id.replace('/', '-')}"
    try:
        from stardeck.training import train as learn

        with progress_bar("decisions") as progress:
            summary = learn(game, out, seed, recipe, progress, **settings)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    except KeyboardInterrupt:
        click.echo(f"interrupted; {out} has the last checkpoint; the same command goes on", err=True)
        raise click.exceptions.Exit(130) from None
    click.echo(json.dumps(summary)) if as_json else print_training(summary, out)


@cli.command(epilog="Example: stardeck watch star_realms --agents rules,simple --seed 3")
@GAME
@takes_settings
@click.option(
    "--agents", default="rules", show_default=True, help="Agents by seat, with commas; too few are dealt out in turn."
)
@SEED
@click.option("--save", type=File(dir_okay=False), help="Write the game down as a line of JSON.")
@AS_JSON
def watch(game, settings, agents, seed, save, as_json):
    """Play one game and tell it as a log."""
    from stardeck.benchmarks import record

    game = make_game(game, settings)
    try:
        names = [agent.name for agent in record.seated(game, agents.split(","))]
        if save:
            record.check_writable(save)
        tell = None if as_json else record.Log(game, names, click.echo)
        played = record.play(game, agents.split(","), seed, tell)
        if save:
            record.write(save, played)
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps(played))


@cli.command(epilog="Example: stardeck watch star_realms --save game.jsonl; stardeck replay game.jsonl")
@click.argument("file", type=File(exists=True, dir_okay=False))
@AS_JSON
def replay(file, as_json):
    """Play recorded games back and tell them as logs."""
    from stardeck.benchmarks import record

    try:
        for number, played in enumerate(record.read(file), 1):
            try:
                game, _ = record.replay(played)
                if as_json:
                    click.echo(json.dumps({"line": number, "variant": game.id, "returns": played["returns"]}))
                else:
                    record.replay(played, record.Log(game, played["agents"], click.echo))
            except (ValueError, OSError) as error:
                raise record.RecordError(f"{file}: line {number}: {error}") from error
    except ValueError as error:
        raise click.UsageError(str(error)) from error


@cli.command(epilog="Example: stardeck play star_realms --agents rules --seat 1")
@GAME
@takes_settings
@click.option("--agents", default="rules", show_default=True, help="The other players, with commas.")
@click.option("--seat", default=0, show_default=True, type=click.IntRange(0), help="Your seat.")
@SEED
@AS_JSON
def play(game, settings, agents, seat, seed, as_json):
    """Play against agents: type a move, or its number; `?` shows the table, an empty line the moves."""
    from stardeck.commands import terminal

    game = make_game(game, settings)
    try:
        played = terminal.play(game, agents.split(","), seat, seed, echo=lambda text: click.echo(text, err=as_json))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps(played))


@cli.command(epilog="Example: stardeck scenario tests/scenarios/star_realms/*.yaml")
@click.argument("files", nargs=-1, required=True, type=File(exists=True, dir_okay=False))
@AS_JSON
def scenario(files, as_json):
    """Run rules scenarios; exits 1 if any fails."""
    from stardeck.benchmarks.scenario import ScenarioError, run_file

    results = []
    try:
        for file in files:
            results += run_file(file)
    except ScenarioError as error:
        raise click.UsageError(str(error)) from error
    failed = [result for result in results if not result.ok]
    if as_json:
        click.echo(json.dumps([result._asdict() | {"ok": result.ok} for result in results]))
    else:
        for result in failed:
            click.echo(f"{result.file}: {result.name}: {' | '.join(result.differences)}")
        click.echo(f"{len(results) - len(failed)} of {len(results)} scenarios hold")
    raise click.exceptions.Exit(1 if failed else 0)


def main():
    """Run the command line; errors are one line, and exit codes as documented."""
    interrupt.leave(_run())


def _run() -> int:
    """Run the command; returns its exit code."""
    try:
        interrupt.watch()
        from stardeck.benchmarks.speed import main as bench

        cli.add_command(bench)
        code = cli.main(standalone_mode=False) or 0
    except (click.Abort, KeyboardInterrupt):
        return _interrupted()
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:
        if interrupt.pressed():  # what a library has made of it
            return _interrupted()
        return _refusal(error)
    return _interrupted() if interrupt.pressed() and code != interrupt.CODE else code


def _interrupted() -> int:
    click.echo("interrupted", err=True)
    return interrupt.CODE


def _refusal(error) -> int:
    """Say in one line why nothing is done; what is nobody's mistake but ours is raised again."""
    match error:
        case click.ClickException():
            return _refuse(error.format_message())
        case MissingExtra():
            return _refuse(str(error))
        case OSError():
            return _refuse(f"{error.filename or 'the disk'}: {error.strerror or error}")
        case MemoryError():
            return _refuse(f"there is not enough memory for this ({error})")
    raise error


def _refuse(message) -> int:
    """Say in one line why nothing is done; returns the exit code."""
    words = (word if len(word) <= LONGEST_WORD else f"{word[:100]}…{word[-40:]}" for word in message.split())
    line = " ".join(words).encode("utf-8", "backslashreplace").decode("utf-8")  # a name may be of other bytes
    click.echo(f"stardeck: {line}", err=True)
    return 2


if __name__ == "__main__":
    main()
