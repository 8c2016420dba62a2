"""One game seat by seat, as in PettingZoo's documentation."""

from stardeck.envs import star_realms_v1

env = star_realms_v1.env(set="box", format="free_for_all", players=3)
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        print(agent, reward)
        env.step(None)
    else:
        env.step(env.action_space(agent).sample(info["action_mask"]))
