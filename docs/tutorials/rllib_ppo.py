"""PPO of RLlib learns Star Realms in self-play: one policy with action masking plays all seats."""

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from stardeck.envs import star_realms_v1
from stardeck.envs.rllib import ForRLlib

STEPS = 4_000  # decisions of an iteration
ITERATIONS = 5


def make(options):
    return PettingZooEnv(ForRLlib(star_realms_v1.env(**options)))


register_env("star_realms", make)
config = (
    PPOConfig()
    # RLlib's checker would sample an action without its mask
    .environment("star_realms", env_config={"observation_dtype": "float32"}, disable_env_checking=True)
    .env_runners(num_env_runners=0, batch_mode="complete_episodes")
    .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, episode, **others: "all")
    .rl_module(
        rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128]})
    )
    .training(train_batch_size_per_learner=STEPS, minibatch_size=128, num_epochs=4, gamma=1.0)
    .debugging(seed=7)
)
algorithm = config.build_algo()
for iteration in range(1, ITERATIONS + 1):
    learned = algorithm.train()["learners"]["all"]
    steps, entropy = learned["num_module_steps_trained"], learned["entropy"]
    print(f"iteration {iteration}: {steps:,} steps trained, entropy {entropy:.2f}")
algorithm.stop()
