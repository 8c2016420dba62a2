"""`stardeck judge` and `stardeck belief`: a network beside another one, for the searches that it guides."""

import json
from typing import Any

import click

from stardeck.commands.shared.options import AS_JSON, GAME, SEED, File, GameCommand, keeping, make_game, refusing
from stardeck.commands.shared.printing import say
from stardeck.commands.train import takes_recipe
from stardeck.training.recipe import BeliefRecipe, JudgeRecipe


@click.command(cls=GameCommand, epilog="Example: stardeck judge star_realms ppo --out results/judged")
@GAME
@click.argument("agent")
@takes_recipe({"judge": JudgeRecipe})
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of the judge.  [default: results/judge-<variant>/]")
@AS_JSON
def judge(game: str, agent: str, settings: dict[str, Any], out: str | None, as_json: bool, **options: Any) -> None:
    """Teach a judge what positions are worth to a trained network, so that searches that it guides choose better.

    Writes agent.safetensors, which plays as the network does and holds the judge, and summary.json. Stopped or killed,
    the same command goes on.
    """
    _teach("judge", game, agent, settings, out, as_json, **options)


@click.command(cls=GameCommand, epilog="Example: stardeck belief interstellar_empire expert --players 3")
@GAME
@click.argument("agent")
@takes_recipe({"belief": BeliefRecipe})
@SEED
@click.option("--out", type=File(file_okay=False), help="Folder of the belief.  [default: results/belief-<variant>/]")
@AS_JSON
def belief(game: str, agent: str, settings: dict[str, Any], out: str | None, as_json: bool, **options: Any) -> None:
    """Teach a belief which cards a trained network rather holds, for searches that know that others play as it does.

    Writes agent.safetensors, which plays as the network does and holds the belief, and summary.json. Stopped or killed,
    the same command goes on.
    """
    _teach("belief", game, agent, settings, out, as_json, **options)


def _teach(what, game, agent, settings, out, as_json, **options):
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.commands.shared import tables

    out = out or f"results/{what}-{make_game(game, settings).id.replace('/', '-')}"
    with keeping(f"{out} has what is finished"), refusing():
        from stardeck import training  # its extra holds that of the progress bar

        teach = {"judge": training.teach_judge, "belief": training.teach_belief}[what]
        with progress_bar("games") as progress:
            summary = teach(game, agent, out, progress=progress, **options, **settings)
    told = {"judge": tables.print_judge, "belief": tables.print_belief}[what]
    say(json.dumps(summary)) if as_json else told(summary, out)
