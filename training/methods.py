"""Training of an agent for one variant, by either method."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

import torch

from stardeck.benchmarks.arena.executors import LOCAL, On, executor_for
from stardeck.benchmarks.arena.options import split_options
from stardeck.benchmarks.progress import Wanted, progress_of_call
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.game.registry import make
from stardeck.kernels.errors import shown
from stardeck.training.auxiliary.value import add_value_network
from stardeck.training.expert.iteration import Expert
from stardeck.training.policy import check_device
from stardeck.training.ppo.backend import check_shares, learner_on
from stardeck.training.ppo.process_group import ALONE, Leader
from stardeck.training.ppo.selfplay import SelfPlay
from stardeck.training.recipe import UNITS, check_seed, recipe_for
from stardeck.training.several_seeds import check_folder, check_seeds, train_seeds
from stardeck.training.time_limit import TimeLimit
from stardeck.training.training_variant import practice_game


class TrainOptions(TypedDict, total=False):
    """Options of `train`.

    Attributes:
        on: Place where games of method "expert" are played: "local", "ray" or "ray://host:port". On a cluster, games
            continue while the network learns, and the first to arrive make a round. So each run ends differently.
        device: Device of the network, by default "cpu". "cuda" puts games, network and updates of method "ppo" on a GPU
            (docs/guides/gpu.md), with compiled opponents, and the games of a compiled teacher. The processor plays
            evaluations meanwhile. Method "expert" takes every device that torch knows.
        processes: Number of processes that train together by method "ppo", by default 1. Each plays its share of
            `num_envs` games and learns from its share of each batch, with "cuda" on a GPU of its own. The network
            learns from the mean of their gradients.
        quick: True makes a short training of some minutes. It shows that training works; its agent is weaker than the
            pretrained ones.
        large: True makes a long training for a GPU: 1 G decisions of method "ppo" in 16,384 games side by side.
        minutes: Time after which the training stops with a checkpoint, by default none. The same call continues it, and
            `finished` of the summary says whether it has ended. Nothing interrupts imitation, compilation or the first
            step of a call, so these may take longer.
        seeds: Number of seeds, by default 1. More than one train one after another: `seed`, `seed + 1` and so on, in
            the folders `seed_0` and so on of `out`. The summary then has interquartile means over the seeds, with
            bootstrap intervals, and the curve has a band. A later call may ask for more seeds.
    """

    on: On
    device: str
    processes: int
    quick: bool
    large: bool
    minutes: float | None
    seeds: int


TRAIN_DEFAULTS: TrainOptions = {
    "on": LOCAL,
    "device": "cpu",
    "processes": 1,
    "quick": False,
    "large": False,
    "minutes": None,
    "seeds": 1,
}


@overload
def train(
    game: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    progress: Wanted = None, method: str = "ppo", **options: Unpack[TrainOptions],
) -> dict[str, Any]: ...  # fmt: skip
@overload
def train(
    game: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    progress: Wanted = None, method: str = "ppo", **options: Any,
) -> dict[str, Any]: ...  # fmt: skip
def train(
    game: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    progress: Wanted = None, method: str = "ppo", **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Train an agent for one variant. It learns to play every seat of a side, a different one in each game.

    Training games have the settings of the variant, except those in the recipe's `practice`. Empire of the Stars trains
    on games of at most 60 roles, at whose limit the score decides. A setting given here is kept, unless `recipe` names
    it too. Evaluations are games of the variant.

    Args:
        game: Name of the game.
        out: Folder of the training, by default `results/train-<id>`. It gets `agent.safetensors` (the agent, whose path
            you can give wherever an agent is needed), `learning_curve.png`, `summary.json`, `pool/` (frozen copies,
            which are agents too) and `checkpoints/`. Method "ppo" adds `logs/` (TensorBoard), and "expert" adds
            `rounds/` (its training decisions). The agent's value network for search is trained last, in `value/`
            (`value_rounds` of the recipe). An interrupted training continues from its last checkpoint, to the same
            end.
        seed: Seed of all chance.
        recipe: Changes of the numbers in training/recipe.py, {name: value}.
        progress: Function that is called as `progress(done, all, note)` with decisions of self-play or games. None
            shows a bar on a terminal and lines in a notebook, True shows lines elsewhere too, False shows nothing.
        method: "ppo" for imitation and self-play with MaskablePPO, or "expert" for imitation and expert iteration by
            tree search.
        **options: Options of `TrainOptions`, and settings of the game.

    Returns:
        The summary, which is also written to `summary.json`. `value_network` has the figures of that network (see
            `train_value`).

    Raises:
        ValueError: An option, a setting or a number is impossible, or the folder holds another training.
    """
    given, settings = split_options("train", game, options, TrainOptions.__optional_keys__)
    chosen: TrainOptions = {**TRAIN_DEFAULTS, **given}  # type: ignore[typeddict-item]
    TimeLimit(chosen["minutes"])  # refuses a wrong one
    played = make(game, **settings)
    numbers = recipe_for(game, recipe, method, settings, chosen["quick"], chosen["large"])
    seeds = check_seeds(chosen["seeds"])
    check_seed(seed, seeds)
    out = folder_here(out) if out else Path("results") / f"train-{played.id.replace('/', '-')}"
    check_folder(out, several=seeds > 1)
    begin = _expert if method == "expert" else _self_play

    def train_one(seed, folder, report, minutes):
        limit = TimeLimit(minutes)
        training = begin(played, numbers, seed, folder, report, {**chosen, "minutes": minutes}, settings)
        with without_checks(), only_writer(folder):
            summary = training.run(limit)
            if summary["finished"] and numbers.value_rounds:
                add_value_network(played, summary, folder, numbers.value_rounds, report, limit)
            return summary

    with progress_of_call(progress, UNITS[method]) as report:
        if seeds == 1:
            return train_one(seed, out, report, chosen["minutes"])
        return train_seeds(train_one, range(seed, seed + seeds), out, report, chosen["minutes"])


@contextmanager
def without_checks() -> Iterator[None]:
    """Leave out torch's checks of every distribution."""
    validating = torch.distributions.Distribution._validate_args
    torch.distributions.Distribution.set_default_validate_args(False)
    try:
        yield
    finally:
        torch.distributions.Distribution.set_default_validate_args(validating)


def _expert(game, recipe, seed, out, progress, options, settings):
    """Return an expert iteration that has not begun."""
    if options["processes"] != 1:
        raise ValueError(f"processes={shown(options['processes'])}: must be 1 for method 'expert'")
    executor = executor_for(options["on"])
    check_device(options["device"])
    return Expert(game, recipe, seed, out, progress, executor, options["device"])


def _self_play(game, recipe, seed, out, progress, options, settings):
    """Return a training by self-play that has not begun."""
    on, device = options["on"], options["device"]
    executor_for(on)
    if on != LOCAL:
        raise ValueError(f"on={shown(on)}: must be {LOCAL} for method 'ppo'; 'expert' takes others")
    check_shares(recipe, options["processes"])
    job = {"game": game.variant.game, "settings": settings, "recipe": recipe.as_dict()}
    job |= {"seed": seed, "out": str(out), "device": device, "minutes": options["minutes"]}
    group = ALONE if options["processes"] == 1 else Leader(options["processes"], job)
    learner = learner_on(device, practice_game(game, recipe.practice), recipe, group)
    return SelfPlay(game, recipe, seed, out, progress, learner, device)
