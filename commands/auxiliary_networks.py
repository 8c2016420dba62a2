"""The commands `train-value` and `train-belief`: auxiliary networks for searches that a trained network guides."""

import json
from typing import Any

import click

from stardeck.commands.shared.options import (
    AS_JSON,
    GAME,
    NETWORK_SEED,
    File,
    GameCommand,
    keeping,
    make_game,
    refusing,
)
from stardeck.commands.shared.printing import say
from stardeck.commands.train import takes_recipe
from stardeck.training.auxiliary import folder_for
from stardeck.training.recipe import BeliefRecipe, ValueRecipe


@click.command(cls=GameCommand, epilog="Example: stardeck train-value star_realms ppo --out results/value")
@GAME
@click.argument("agent")
@takes_recipe({"judge": ValueRecipe})
@NETWORK_SEED
@click.option(
    "--out", type=File(file_okay=False), help="Folder of the value network.  [default: results/value-<variant>/]"
)
@AS_JSON
def train_value(
    game: str, agent: str, settings: dict[str, Any], out: str | None, as_json: bool, **options: Any
) -> None:
    """Train a value network for the searches that a trained network guides.

    AGENT is the trained network: a name (ppo, expert) or a file (*.safetensors). The command writes summary.json and
    agent.safetensors, which plays like AGENT and contains the value network. The same command continues an interrupted
    training.
    """
    _teach("judge", game, agent, settings, out, as_json, **options)


@click.command(cls=GameCommand, epilog="Example: stardeck train-belief interstellar_empire expert --players 3")
@GAME
@click.argument("agent")
@takes_recipe({"belief": BeliefRecipe})
@NETWORK_SEED
@click.option(
    "--out", type=File(file_okay=False), help="Folder of the opponent-hand model.  [default: results/belief-<variant>/]"
)
@AS_JSON
def train_belief(
    game: str, agent: str, settings: dict[str, Any], out: str | None, as_json: bool, **options: Any
) -> None:
    """Train an opponent-hand model for searches against opponents that play like a trained network.

    AGENT is the trained network: a name (ppo, expert) or a file (*.safetensors). The command writes summary.json and
    agent.safetensors, which plays like AGENT and contains the model. The same command continues an interrupted
    training.
    """
    _teach("belief", game, agent, settings, out, as_json, **options)


def _teach(what, game, agent, settings, out, as_json, **options):
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.commands.shared import tables

    out = out or str(folder_for(what, make_game(game, settings).id))
    with keeping(f"the finished part is in {out}"), refusing():
        from stardeck import training  # its extra includes the progress bar's

        teach = {"judge": training.train_value, "belief": training.train_belief}[what]
        with progress_bar("games") as progress:
            summary = teach(game, agent, out, progress=progress, **options, **settings)
    show = {"judge": tables.print_value, "belief": tables.print_belief}[what]
    say(json.dumps(summary)) if as_json else show(summary, out)
