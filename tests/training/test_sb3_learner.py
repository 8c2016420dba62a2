"""MaskablePPO with our rollout: the same weights as with the library's own."""

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

from helpers import game_of
from stardeck import agents
from stardeck.envs.sb3 import GameVecEnv
from stardeck.training.ppo.sb3_learner import make_model
from stardeck.training.recipe import recipe_for

RECIPE = {"num_envs": 8, "rollout": 32, "batch": 64, "epochs": 2, "units": [16, 8]}


def test_masks_of_bytes_lead_to_the_weights_of_the_library():
    learned = []
    for library in (True, False):
        game = game_of("star_realms/core/standard/2")
        env = GameVecEnv(game, RECIPE["num_envs"], agents.get("random"), skip_forced=True)
        model = make_model(env, recipe_for("star_realms", RECIPE), seed=5)
        env.seed(3)
        if library:
            spaces = model.observation_space, model.action_space
            numbers = {"gamma": model.gamma, "gae_lambda": model.gae_lambda, "n_envs": model.n_envs}
            model.rollout_buffer = MaskableRolloutBuffer(model.n_steps, *spaces, device="cpu", **numbers)
        model.learn(2 * RECIPE["num_envs"] * RECIPE["rollout"])
        learned.append(model.policy.state_dict())
        masks = model.rollout_buffer.action_masks
        assert masks.dtype == (np.float32 if library else bool) and masks.any() and not masks.all()
    for name, weights in learned[0].items():
        assert torch.equal(weights, learned[1][name]), name
