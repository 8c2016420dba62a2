"""`stardeck train`: an agent by imitation and self-play."""

import dataclasses
import json

import click

from stardeck.commands.options import AS_JSON, GAME, SEED, File, GameCommand, keeping, make_game, refusing
from stardeck.training.recipe import Recipe


def takes_recipe(command):
    """Give a command an option for every number of a training; it gets those given as `recipe`."""
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


@click.command(cls=GameCommand, epilog="Example: stardeck train star_realms --steps 1000000 --out results/mine")
@GAME
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
    with keeping(f"{out} has the last checkpoint"), refusing():
        from stardeck.training import train as learn  # its extra holds that of the progress bar

        with progress_bar("decisions") as progress:
            summary = learn(game, out, seed, recipe, progress, **settings)
    click.echo(json.dumps(summary)) if as_json else print_training(summary, out)
