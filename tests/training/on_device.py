"""A tiny training on the device, whole and interrupted, then measured: `python tests/training/on_device.py FOLDER`.

With a number after the folder, that many processes train together, on a GPU each.

Without a GPU, use numba-cuda's simulator: NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1.
"""

import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

import stardeck  # noqa: E402
from helpers import a_network  # noqa: E402
from stardeck import agents  # noqa: E402
from stardeck.agents.networks.agent import NetworkAgent, read_network  # noqa: E402
from stardeck.benchmarks.speed import gpu  # noqa: E402
from stardeck.training import imitation, train  # noqa: E402
from stardeck.training.policy import make_policy  # noqa: E402
from stardeck.training.recipe import recipe_for  # noqa: E402

TINY = {
    "units": [16, 8], "num_envs": 2, "rollout": 4, "batch": 4, "epochs": 2, "imitation": 0, "steps": 24,
    "value_rounds": 0,
    "teacher": "simple", "opponents": ["simple"], "fixed_share": 0.5, "freeze_every": 1, "evaluate_every": 3,
    "checkpoint_every": 1, "evaluation_games": 2, "panel": ["random"], "critic": "all", "magnet": 0.1,
    "entropy": 0.05, "final_entropy": 0.2,
}  # fmt: skip


def interrupted(done, total, note):
    """Stop a training half way, as its progress function."""
    if done >= 16:
        raise KeyboardInterrupt


def weights(folder):
    return read_network(folder / "agent.safetensors").weights


class Outsider:
    """An agent that is not compiled: it decides as `simple` does."""

    name = "outsider"

    def act(self, game, states, masks, seeds):
        return agents.get("simple", game).act(game, states, masks, seeds)


def watched(games, teacher):
    """Return a chunk of a teacher's games, and the class of the lanes that played them."""
    lanes, teacher = imitation._lanes_of(games, teacher)
    lanes.reset(np.arange(lanes.num_envs, dtype=np.uint64))
    return imitation._watch(lanes, teacher), type(lanes).__name__


def imitated():
    """Imitate on the device and on the processor, alike; return where each teacher played."""
    imitation.LANES = imitation.DEVICE_LANES = 2
    imitation.LENGTH, imitation.BATCH = 6, 4
    device = stardeck.make("interstellar_empire", device="cuda")
    teachers = "simple", "random", NetworkAgent(a_network(device.game), "network"), Outsider()
    played = []
    for teacher in teachers:
        (theirs, where), (ours, _) = watched(device, teacher), watched(device.game, teacher)
        assert all(torch.equal(one.cpu(), other) for one, other in zip(theirs, ours, strict=True))
        played.append(where)
    recipe = recipe_for("interstellar_empire", TINY | {"imitation": 20})
    learnt = []
    for games in (device, device.game):
        policy = make_policy(device.game, (16, 8), 1, device.torch_device if games is device else "cpu")
        policy.dense = games is device
        torch.manual_seed(2)
        imitation.imitate(policy, games, recipe, 5, lambda *_: None)
        learnt.append([part.detach().cpu() for part in policy.parameters()])
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(*learnt, strict=True))
    return played


def learned(folder, progress=None):
    return train("interstellar_empire", folder, seed=3, recipe=TINY, progress=progress, device="cuda")


def learned_together(folder, processes):
    """Train by several processes, and print what came of it."""
    recipe = TINY | {"num_envs": 2 * processes, "batch": 4 * processes, "steps": 24 * processes}
    summary = train("interstellar_empire", folder, recipe=recipe, device="cuda", progress=False, processes=processes)
    print(*(summary[name] for name in ("device", "processes", "decisions", "copies")), len(summary["evaluations"]))


if __name__ == "__main__":
    out = Path(sys.argv[1])
    if len(sys.argv) > 2:
        learned_together(out, int(sys.argv[2]))
        sys.exit()
    summary = learned(out / "whole")
    try:
        learned(out / "broken", interrupted)
    except KeyboardInterrupt:
        learned(out / "broken")
    same = np.array_equal(weights(out / "whole"), weights(out / "broken"))
    print(summary["device"], summary["decisions"], summary["copies"], len(summary["evaluations"]), same)
    print(*imitated())
    gpu.SIZES = (3,)
    for measured in gpu.measure(stardeck.make("interstellar_empire"), "gpu_train", 0):
        print("gpu_train", *measured[:3])
