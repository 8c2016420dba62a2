"""Training agents: `train` (training/methods.py). Install `stardeck[train]`."""

from stardeck.benchmarks.extras import require

__all__ = ["train"]


def __getattr__(name):
    if name != "train":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require("measure")
    require("train")
    from stardeck.training.methods import train  # only now: torch takes seconds to import, and is an extra

    return train
