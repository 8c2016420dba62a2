"""`stardeck judge`: a network learns what positions are worth to another one."""

import json

import click

from stardeck.commands.learning import takes_recipe
from stardeck.commands.options import AS_JSON, GAME, SEED, File, GameCommand, keeping, make_game, refusing
from stardeck.training.recipe import JudgeRecipe


@click.command(cls=GameCommand, epilog="Example: stardeck judge star_realms ppo --out results/judged")
@GAME
@click.argument("agent")
@takes_recipe({"judge": JudgeRecipe})
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of the judge.  [default: results/judge-<variant>/]")
@AS_JSON
def judge(game, agent, settings, recipe, seed, out, as_json):
    """Teach a judge what positions are worth to a trained network, so that searches that it guides choose better.

    Writes agent.safetensors, which plays as the network does and holds the judge, and summary.json. Stopped or killed,
    the same command goes on.
    """
    from stardeck.commands.terminal import print_judge, progress_bar

    out = out or f"results/judge-{make_game(game, settings).id.replace('/', '-')}"
    with keeping(f"{out} has what is finished"), refusing():
        from stardeck.training import teach_judge  # its extra holds that of the progress bar

        with progress_bar("games") as progress:
            summary = teach_judge(game, agent, out, seed, recipe, progress, **settings)
    click.echo(json.dumps(summary)) if as_json else print_judge(summary, out)
