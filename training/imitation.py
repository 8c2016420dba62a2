"""Imitation: a policy learns to decide as a teacher does, and to predict the results of its games.

A few minutes of imitation save hours of self-play that would only find the basics. From a network it learns the whole
policy, not only the likeliest action, so rare actions stay possible.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import mse_loss

from stardeck import agents
from stardeck.agents.networks.agent import NetworkAgent
from stardeck.benchmarks.progress import Report
from stardeck.envs.base.lanes import Lanes
from stardeck.game.agent import Agent
from stardeck.game.game import Game
from stardeck.training.policy import MaskedPolicy, check_layers, device_of, legal_choices, logits_of, take_over
from stardeck.training.recipe import ExpertRecipe, Recipe

LANES = 64
LENGTH = 512  # decisions of each lane in a chunk: several games, so most decisions know the results of theirs
BATCH = 1024
LEARNING_RATE = 1e-3
LOWEST_RATE = 5e-5
VALUE_WEIGHT = 0.5


def initial_agent(recipe: Recipe | ExpertRecipe, game: Game) -> Agent:
    """Return the agent that a training begins as: the network of its `start`, or the teacher. Raises ValueError."""
    known = agents.get(recipe.start or recipe.teacher, game)
    if recipe.start:
        if not isinstance(known, NetworkAgent):
            raise ValueError(f"start={recipe.start!r}: must be a trained agent")
        check_layers(known.network, recipe.units)
    return known


def start_from(
    policy: MaskedPolicy, known: Agent, game: Game, recipe: Recipe | ExpertRecipe, seed: int, progress: Report
) -> None:
    """Make a policy play as `known` does: take over its layers, or imitate its games.

    Args:
        policy: The policy.
        known: The agent.
        game: The variant of the training games.
        recipe: The recipe.
        seed: Seed of all chance.
        progress: As in `train`.
    """
    if recipe.start and isinstance(known, NetworkAgent):
        take_over(policy, known.network, game)
    elif recipe.imitation:
        imitate(policy, game, recipe, seed, progress)


def imitate(policy: MaskedPolicy, game: Game, recipe: Recipe | ExpertRecipe, seed: int, progress: Report) -> None:
    """Train `policy` on games of the recipe's teacher against itself. progress: as in `train`."""
    teacher = agents.get(recipe.teacher, game)
    decisions = recipe.imitation
    lanes = Lanes(game, LANES, teacher, seat="rotate", team=True, skip_forced=True, buffers=1)
    lanes.reset(np.random.default_rng(seed).integers(2**63, size=LANES, dtype=np.uint64))
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE)
    device = device_of(policy)
    done = 0
    while done < decisions:
        observations, masks, actions, returns, known = (part.to(device) for part in _watch(lanes, teacher))
        for rows in torch.randperm(len(actions)).split(BATCH):
            values, unlikeness = _compare(policy, teacher, observations[rows], masks[rows], actions[rows])
            errors = mse_loss(values, returns[rows], reduction="none")
            loss = VALUE_WEIGHT * (errors * known[rows]).mean() + unlikeness
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        done += len(actions)
        rate = LEARNING_RATE + (LOWEST_RATE - LEARNING_RATE) * min(1.0, done / decisions)
        for group in optimizer.param_groups:
            group["lr"] = rate
        progress(min(done, decisions), decisions, f"imitating {teacher.name}")


def _compare(policy, teacher, observations, masks, actions):
    """Return the values of decisions, and the mean cross-entropy between the teacher's policy and this one."""
    if not isinstance(teacher, NetworkAgent):
        values, log_probabilities, _ = policy.evaluate_actions(observations, actions, masks)
        return values.flatten(), -log_probabilities.mean()
    features = policy.extract_features(observations)
    _, likely = legal_choices(policy.action_net(features), masks)
    _, wanted = legal_choices(logits_of(teacher.network, observations), masks)
    return policy.value_net(features)[:, 0], -(wanted.exp() * likely).sum(dim=1).mean()


def _watch(lanes, teacher):
    """Return a chunk of the teacher's games as tensors; `known` is 1 where the game ended within the chunk."""
    shape = LENGTH, lanes.num_envs
    observations = np.empty((*shape, lanes.observations.shape[1]), lanes.observations.dtype)
    masks = np.empty((*shape, lanes.masks.shape[1]), bool)
    actions = np.empty(shape, np.int64)
    rewards = np.zeros(shape, np.float32)
    ended = np.zeros(shape, bool)
    for k in range(LENGTH):
        observations[k], masks[k] = lanes.observations, lanes.masks
        actions[k] = lanes.advice(teacher)
        lanes.step(actions[k])
        rewards[k], ended[k] = lanes.rewards, lanes.ended
    returns, known = returns_of(rewards, ended)
    return [
        torch.as_tensor(array.reshape(-1, *array.shape[2:])) for array in (observations, masks, actions, returns, known)
    ]


def returns_of(
    rewards: NDArray[np.float32], ended: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return each decision's game result, float32[steps, lanes] (0: unfinished), and 1 where it ended (float32).

    Args:
        rewards: Rewards of games that ended with the decision, float32[steps, lanes].
        ended: True where the game ended with the decision, bool[steps, lanes].
    """
    returns, known = np.zeros_like(rewards), np.zeros_like(rewards)
    after, over = np.zeros_like(rewards[0]), np.zeros_like(rewards[0])
    for k in reversed(range(len(rewards))):
        after = np.where(ended[k], rewards[k], after)
        over = np.where(ended[k], np.float32(1), over)
        returns[k], known[k] = after, over
    return returns, known
