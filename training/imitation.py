"""Imitation: a policy learns to decide as a teacher does, and to predict the results of its games.

A few minutes of imitation save hours of self-play that would only find the basics. From a network it learns the whole
policy, not only the likeliest action, so rare actions stay possible.
"""

import time
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn.functional import mse_loss

from stardeck import agents
from stardeck.agents.networks.agent import NetworkAgent
from stardeck.benchmarks.progress import Report
from stardeck.envs.base.device_lanes import DeviceLanes
from stardeck.envs.base.lanes import Lanes
from stardeck.game.agent import Agent
from stardeck.game.agent_table import is_compiled
from stardeck.game.device import DeviceGame
from stardeck.game.game import Game
from stardeck.training.checkpoints import CheckpointFolder
from stardeck.training.cloning import LOGS, LoggedPlayers, clone
from stardeck.training.policy import MaskedPolicy, check_layers, device_of, logits_of, take_over
from stardeck.training.recipe import ExpertRecipe, Recipe
from stardeck.training.time_limit import OutOfTime, TimeLimit

LANES = 64
DEVICE_LANES = 1_024  # on a GPU a step of so many takes no longer than one of 64
LENGTH = 512  # decisions of each lane in a chunk: several games, so most decisions know the results of theirs
PIECE = 64 * 512  # decisions between two changes of the learning rate
BATCH = 1024
LEARNING_RATE = 1e-3
LOWEST_RATE = 5e-5
VALUE_WEIGHT = 0.5
SAVED_EVERY = 10.0  # seconds


class InPieces(NamedTuple):
    """How an imitation goes on in pieces.

    Attributes:
        course: Folder that keeps how far it has come.
        limit: Time after which it stops.
    """

    course: CheckpointFolder
    limit: TimeLimit


def initial_agent(recipe: Recipe | ExpertRecipe, game: Game) -> Agent:
    """Return the agent that a training begins as: the network of its `start`, or the teacher. Raises ValueError."""
    if not recipe.start and recipe.teacher.startswith(LOGS):
        return LoggedPlayers(recipe.teacher.removeprefix(LOGS), game)
    known = agents.get(recipe.start or recipe.teacher, game)
    if recipe.start:
        if not isinstance(known, NetworkAgent):
            allowed = f"a trained agent, such as hard, ppo or a file; not {known.name}"
            raise ValueError(f"start={recipe.start!r}: must be {allowed}")
        check_layers(known.network, recipe.units)
    return known


def start_from(
    policy: MaskedPolicy, known: Agent, game: Game | DeviceGame, recipe: Recipe | ExpertRecipe, seed: int,
    progress: Report, pieces: InPieces | None = None,
) -> dict[str, Any] | None:  # fmt: skip
    """Make a policy play as `known` does: take over its layers, or imitate its games.

    It returns the agreement with players on games that it has not learned from; None for another teacher.

    Args:
        policy: The policy.
        known: The agent.
        game: The variant of the training games, on the device where a compiled teacher shall play.
        recipe: The recipe.
        seed: Seed of all chance.
        progress: As in `train`.
        pieces: Where an imitation of games is kept, and when it stops; None: it runs to its end.

    Raises:
        OutOfTime: The imitation has stopped before its end.
    """
    if recipe.start and isinstance(known, NetworkAgent):
        take_over(policy, known.network, game.game if isinstance(game, DeviceGame) else game)
    elif recipe.imitation and isinstance(known, LoggedPlayers):
        return clone(policy, known, recipe.imitation, seed, progress)
    elif recipe.imitation:
        imitate(policy, game, recipe, seed, progress, pieces)
    return None


def imitate(
    policy: MaskedPolicy, game: Game | DeviceGame, recipe: Recipe | ExpertRecipe, seed: int, progress: Report,
    pieces: InPieces | None = None,
) -> None:  # fmt: skip
    """Train `policy` on games of the recipe's teacher against itself.

    On a GPU, games of a compiled teacher and the data stay there. Any other teacher plays on the processor.

    Args:
        policy: The policy.
        game: The variant of the training games, as in `start_from`.
        recipe: The recipe.
        seed: Seed of all chance.
        progress: As in `train`.
        pieces: As in `start_from`.

    Raises:
        OutOfTime: It has stopped before its end.
    """
    lanes, teacher = _lanes_of(game, recipe.teacher)
    decisions = recipe.imitation
    lanes.reset(np.random.default_rng(seed).integers(2**63, size=lanes.num_envs, dtype=np.uint64))
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE)
    device = device_of(policy)
    done = pieces.course.load_imitation(policy, optimizer, lanes) if pieces else 0
    _set_rate(optimizer, done / decisions)
    saved, written = time.monotonic(), done
    while done < decisions:
        if pieces and pieces.limit.is_up():
            if done != written:  # else there is a checkpoint of this moment
                pieces.course.save_imitation(policy, optimizer, lanes, done)
            raise OutOfTime
        observations, masks, actions, returns, known = (part.to(device) for part in _watch(lanes, teacher))
        for piece in torch.randperm(len(actions)).to(device).split(PIECE):
            for rows in piece.split(BATCH):
                values, unlikeness = _compare(policy, teacher, observations[rows], masks[rows], actions[rows])
                errors = mse_loss(values, returns[rows], reduction="none")
                loss = VALUE_WEIGHT * (errors * known[rows]).mean() + unlikeness
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            done += len(piece)
            _set_rate(optimizer, done / decisions)
            progress(min(done, decisions), decisions, f"imitating {teacher.name}")
        if pieces and time.monotonic() - saved > SAVED_EVERY:
            pieces.course.save_imitation(policy, optimizer, lanes, done)
            saved, written = time.monotonic(), done


def _set_rate(optimizer, share):
    """Set the learning rate, which falls evenly. share: of the decisions that are done."""
    for group in optimizer.param_groups:
        group["lr"] = LEARNING_RATE + (LOWEST_RATE - LEARNING_RATE) * min(1.0, share)


def _lanes_of(game, name):
    """Return games of a teacher against itself, on the device of the game if they can be there, and the teacher."""
    on_processor = game.game if isinstance(game, DeviceGame) else game
    teacher = agents.get(name, on_processor)
    options = {"seat": "rotate", "team": True, "skip_forced": True}
    if isinstance(game, DeviceGame) and is_compiled(teacher):
        return DeviceLanes(game, DEVICE_LANES, teacher, **options), teacher
    return Lanes(on_processor, LANES, teacher, **options, buffers=1), teacher


def _compare(policy, teacher, observations, masks, actions):
    """Return the values of decisions, and the mean cross-entropy between the teacher's policy and this one."""
    if not isinstance(teacher, NetworkAgent):
        values, log_probabilities, _ = policy.evaluate_actions(observations, actions, masks)
        return values.flatten(), -log_probabilities.mean()
    features = policy.extract_features(observations)
    _, likely = policy.choices(features, masks)
    _, wanted = policy.choices_from_logits(logits_of(teacher.network, observations), masks)
    return policy.value_net(features)[:, 0], -(wanted.exp() * likely).sum(dim=1).mean()


def _watch(lanes, teacher):
    """Return a chunk of the teacher's games as tensors there; `known` is 1 where the game ended within the chunk."""

    def there(array):
        return torch.as_tensor(lanes.shared(array), device=lanes.device)

    def empty(*row, dtype):
        return torch.empty((LENGTH, lanes.num_envs, *row), dtype=dtype, device=lanes.device)

    game = lanes.game
    observations, masks = empty(game.observation_size, dtype=torch.uint8), empty(game.num_actions, dtype=torch.bool)
    actions, rewards, ended = empty(dtype=torch.int64), empty(dtype=torch.float32), empty(dtype=torch.bool)
    for k in range(LENGTH):
        observations[k], masks[k] = there(lanes.observations), there(lanes.masks)
        advice = lanes.advice(teacher)
        actions[k] = there(advice)
        lanes.step(advice)
        rewards[k], ended[k] = there(lanes.rewards), there(lanes.ended)
    return [part.flatten(0, 1) for part in (observations, masks, actions, *returns_of(rewards, ended))]


def returns_of(rewards: torch.Tensor, ended: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return each decision's game result, float32[steps, lanes] (0: unfinished), and 1 where it ended (float32).

    Args:
        rewards: Rewards of games that ended with the decision, float32[steps, lanes].
        ended: True where the game ended with the decision, bool[steps, lanes].
    """
    returns, known = torch.zeros_like(rewards), torch.zeros_like(rewards)
    after, over = torch.zeros_like(rewards[0]), torch.zeros_like(rewards[0])
    for k in reversed(range(len(rewards))):
        after = torch.where(ended[k], rewards[k], after)
        over = torch.where(ended[k], 1.0, over)
        returns[k], known[k] = after, over
    return returns, known
