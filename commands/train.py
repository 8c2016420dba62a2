"""The command `train`: an agent by imitation and self-play."""

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from stardeck.commands.shared.figures import write_figures
from stardeck.commands.shared.options import (
    AS_JSON,
    FIGURE,
    GAME,
    NETWORK_SEED,
    ON,
    File,
    GameCommand,
    keeping,
    make_game,
    refusing,
)
from stardeck.commands.shared.printing import say
from stardeck.game.registry import GAMES
from stardeck.training.recipe import METHODS, UNITS, Numbers, recipe_for

GAME_NAMED = "stardeck.game"  # key of the game's name in the context of a command
WEAK = "a quick agent shows that training works; it is weaker than the agents of the package, and its curve is noisy"


class RecipeOption(click.Option):
    """An option for a hyperparameter of one or several training methods.

    Args:
        names: Names of the option.
        fields: Field of the recipe, by method.
        **options: Arguments of `click.Option`.
    """

    def __init__(self, names: Sequence[str], fields: Mapping[str, dataclasses.Field[Any]], **options: Any) -> None:
        super().__init__(names, **options)
        self.fields = fields


class TrainCommand(GameCommand):
    """A command whose help lists the hyperparameters by method, with the defaults of the named game."""

    def sections(self, ctx: click.Context, own: list[click.Option]) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return the options of the command, of all methods, and of each method."""
        game = ctx.meta.get(GAME_NAMED)
        recipes = {method: recipe_for(game, method=method) for method in METHODS} if game else {}
        whose = "" if game else " (some games have others)"
        parts = super().sections(ctx, [option for option in own if not isinstance(option, RecipeOption)])
        for title, methods in ("both methods", set(METHODS)), *((method, {method}) for method in METHODS):
            options = [option for option in own if isinstance(option, RecipeOption) and set(option.fields) == methods]
            records = [(option.get_help_record(ctx) or ("", ""))[0] for option in options]
            rows = [(record, _meaning(option.fields, recipes)) for record, option in zip(records, options, strict=True)]
            parts.append((f"Hyperparameters of {title}, with defaults{whose}", rows))
        return parts

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the name of the game for the help."""
        ctx.meta[GAME_NAMED] = next((word for word in args if word in GAMES), None)
        return super().parse_args(ctx, args)


def _meaning(fields, recipes):
    """Return the meaning and the default of a hyperparameter, by method where these differ.

    Args:
        fields: Field of the recipe, by method.
        recipes: Recipe of the game, by method; empty for the general defaults.
    """
    defaults = {
        method: _written(getattr(recipes[method], field.name) if recipes else field.default)
        for method, field in fields.items()
    }
    meanings = {method: field.metadata["meaning"] for method, field in fields.items()}
    if len(set(meanings.values())) > 1:
        return "  ".join(f"({method}) {meanings[method]}.  [default: {defaults[method]}]" for method in fields)
    if len(set(defaults.values())) > 1:
        defaults = {method: f"{default} ({method})" for method, default in defaults.items()}
    return f"{_first(meanings)}.  [default: {', '.join(dict.fromkeys(defaults.values()))}]"


def takes_recipe(methods: Mapping[str, type[Numbers]]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add an option for every hyperparameter of recipes to a command, which gets the given ones as `recipe`.

    methods: {name of the method: class of its recipe}.
    """
    known: dict[str, dict[str, dataclasses.Field[Any]]] = {}
    for method, recipe in methods.items():
        for field in dataclasses.fields(recipe):
            known.setdefault(field.name, {})[method] = field
    return lambda command: _gathering(command, known)


def _gathering(command, known):
    def gather(**options):
        given = {name: options.pop(name) for name in known}
        recipe = {name: _listed(_first(known[name]), value) for name, value in given.items() if value is not None}
        return command(recipe=recipe, **options)

    gather.__name__, gather.__doc__ = command.__name__, command.__doc__
    gather.__click_params__ = getattr(command, "__click_params__", [])
    for name, fields in reversed(known.items()):
        default = _first(fields).default
        kind = str if isinstance(default, tuple) else type(default)
        option = f"--{name.replace('_', '-')}"
        gather = click.option(option, cls=RecipeOption, type=kind, fields=fields, help=_meaning(fields, {}))(gather)
    return gather


def _first(fields):
    return next(iter(fields.values()))


def _written(default):
    return ",".join(map(str, default)) or "none" if isinstance(default, tuple) else str(default) or "none"


def _listed(field, given):
    if not isinstance(field.default, tuple):
        return given
    kind = type(field.default[0]) if field.default else str
    try:
        return [kind(item) for item in given.split(",")] if given else []
    except ValueError:
        option = f"--{field.name.replace('_', '-')}"
        raise click.UsageError(f"{option} {given}: must be whole numbers with commas") from None


@click.command(cls=TrainCommand, epilog="Example: stardeck train star_realms --steps 1000000 --out results/mine")
@GAME
@click.option(
    "--method",
    default="ppo",
    show_default=True,
    type=click.Choice(list(METHODS)),
    help="ppo: self-play with MaskablePPO; expert: expert iteration, which learns from games of a tree search.",
)
@takes_recipe(METHODS)
@NETWORK_SEED
@click.option("--out", type=File(file_okay=False), help="Folder of results.  [default: results/train-<variant>/]")
@ON
@click.option(
    "--device",
    default="cpu",
    show_default=True,
    help="cpu or cuda. With cuda, ppo plays and learns on the GPU; expert only learns there.",
)
@click.option(
    "--processes",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help="Processes that share games and batches of ppo; with cuda each has a GPU of its own.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    help="Stop with a checkpoint after this time; the same command continues.  [default: no limit]",
)
@click.option(
    "--seeds",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help="Number of seeds to train, from --seed on, one after another; the summary has intervals over the seeds.",
)
@click.option(
    "--quick", is_flag=True, help="A short training of a few minutes, to see that it works; the agent is weak."
)
@click.option(
    "--large",
    is_flag=True,
    help="A long training: 1 G decisions of ppo in 16,384 games at a time, for a GPU; or 600 rounds of expert.",
)
@FIGURE
@AS_JSON
def train(
    game: str, settings: dict[str, Any], method: str, out: str | None, quick: bool, figure: tuple[str, ...],
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Train an agent by imitation and self-play, or by imitation and tree search.

    The command writes agent.safetensors, learning_curve.png, summary.json, a pool of frozen copies, and logs for
    TensorBoard. The same command continues an interrupted training from its last checkpoint. With --seeds, each seed
    has a folder of its own.
    """
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.commands.shared.tables import print_training

    out = out or f"results/train-{make_game(game, settings).id.replace('/', '-')}"
    with keeping(f"the last checkpoint is in {out}"), refusing():
        from stardeck.training import train as learn  # its extra includes the progress bar's

        with progress_bar(UNITS[method]) as progress:
            summary = learn(game, out, progress=progress, method=method, quick=quick, **options, **settings)
    write_figures(figure, out)
    say(json.dumps(summary)) if as_json else print_training(summary, out)
    if not summary.get("finished", True):
        say(f"stopped after {options['minutes']:g} minutes; the same command continues in {out}", err=True)
    if quick:
        say(WEAK, err=True)
