"""A tiny training on the device, whole and interrupted, then measured: `python tests/training/on_device.py FOLDER`.

Without a GPU, use numba-cuda's simulator: NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1.
"""

import sys
from pathlib import Path

import numpy as np

import stardeck
from stardeck.agents.networks.agent import read_network
from stardeck.benchmarks.speed import gpu
from stardeck.training import train

TINY = {
    "units": [16, 8], "num_envs": 2, "rollout": 4, "batch": 4, "epochs": 2, "imitation": 0, "steps": 24,
    "teacher": "simple", "opponents": ["simple"], "fixed_share": 0.5, "freeze_every": 1, "evaluate_every": 3,
    "checkpoint_every": 1, "evaluation_games": 2, "panel": ["random"],
}  # fmt: skip


def interrupted(done, total, note):
    """Stop a training half way, as its progress function."""
    if done >= 16:
        raise KeyboardInterrupt


def weights(folder):
    return read_network(folder / "agent.safetensors").weights


def learned(folder, progress=None):
    return train("interstellar_empire", folder, seed=3, recipe=TINY, progress=progress, device="cuda")


if __name__ == "__main__":
    out = Path(sys.argv[1])
    summary = learned(out / "whole")
    try:
        learned(out / "broken", interrupted)
    except KeyboardInterrupt:
        learned(out / "broken")
    same = np.array_equal(weights(out / "whole"), weights(out / "broken"))
    print(summary["device"], summary["decisions"], summary["copies"], len(summary["evaluations"]), same)
    gpu.SIZES = (3,)
    for measured in gpu.measure(stardeck.make("interstellar_empire"), "gpu_train", 0):
        print("gpu_train", *measured[:3])
