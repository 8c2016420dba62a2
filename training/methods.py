"""Training an agent for one variant, by either method."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from stardeck.benchmarks.arena.executors import LOCAL, On, executor_for
from stardeck.benchmarks.progress import Wanted, progress_of_call
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.game.registry import make
from stardeck.kernels.errors import shown
from stardeck.training.expert.iteration import Expert
from stardeck.training.policy import check_device
from stardeck.training.ppo.backend import learner_on
from stardeck.training.ppo.selfplay import SelfPlay
from stardeck.training.recipe import UNITS, quick_recipe, recipe_for
from stardeck.training.training_variant import practised

SEEDS = 2**32  # as many as NumPy's and torch's generators take


def train(
    game: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    progress: Wanted = None, method: str = "ppo", on: On = LOCAL, device: str = "cpu", quick: bool = False,
    **settings: Any,
) -> dict[str, Any]:  # fmt: skip
    """Train an agent for one variant; returns the summary that is also written to `summary.json`.

    game: name of a game; settings: its settings. out: a folder, by default `results/train-<id>`; it gets
    `agent.safetensors` (the agent: give its path wherever an agent is asked for), `learning_curve.png`, `summary.json`,
    `pool/` (frozen copies, agents too), `checkpoints/`, of "ppo" `logs/` (TensorBoard), of "expert" `rounds/` (the
    decisions that are learned from). A training that was interrupted or killed goes on from its last checkpoint, to the
    same end. method: "ppo", imitation and self-play with MaskablePPO, or "expert", imitation and expert iteration by
    tree search. recipe: what to change of the numbers in training/recipe.py, {name: value}. quick: a short training, of
    some minutes: it shows that training works, and its agent is weaker than those of the package. progress: a bar on a
    terminal and lines in a notebook by default; False for neither, True for lines elsewhere too, or a function, called
    as progress(done, all, note) with decisions of self-play or games. on: where the games of "expert" are played, as
    for `advantage`; on a cluster they go on while it learns, and the first that arrive make a round, so that it comes
    to another end each time. device: "cuda" has games, network and updates of "ppo" on a GPU (docs/guides/gpu.md), with
    compiled opponents; imitation and evaluations are played on the processor. Of "expert" it is where the network
    learns, as torch calls it.

    The games that are learned from have the settings of the variant but for those in the recipe's `practice`: Empire of
    the Stars is learned in games of 60 roles at most, at whose limit the score decides. A setting given here is kept,
    unless `recipe` names it too. Evaluations are games of the variant.

    Learns to play every seat of a side, in each game another one. Raises ValueError for impossible settings or numbers,
    or a folder that holds another training.
    """
    played = make(game, **settings)
    numbers = recipe_for(game, (quick_recipe(method) if quick else {}) | dict(recipe or {}), method, settings)
    check_seed(seed)
    out = folder_here(out) if out else Path("results") / f"train-{played.id.replace('/', '-')}"
    with progress_of_call(progress, UNITS[method]) as report:
        training = _training(method, played, numbers, seed, out, report, on, device)
        return _run(training, out)


def _run(training, out):
    """Train without torch's checks of every distribution."""
    validating = torch.distributions.Distribution._validate_args
    torch.distributions.Distribution.set_default_validate_args(False)
    try:
        with only_writer(out):
            return training.run()
    finally:
        torch.distributions.Distribution.set_default_validate_args(validating)


def _training(method, game, recipe, seed, out, progress, on, device):
    """Who trains, nothing begun."""
    executor = executor_for(on)
    if method == "expert":
        check_device(device)
        return Expert(game, recipe, seed, out, progress, executor, device)
    if on != LOCAL:
        raise ValueError(f"on={shown(on)}: must be {LOCAL} for method {method!r}; 'expert' takes others")
    learner = learner_on(device, practised(game, recipe.practice), recipe)
    return SelfPlay(game, recipe, seed, out, progress, learner, device)


def check_seed(seed: int) -> None:
    """Raises ValueError for a seed that NumPy's and torch's generators do not take."""
    if not 0 <= seed < SEEDS:
        raise ValueError(f"seed={seed}: must be from 0 to {SEEDS - 1}")
