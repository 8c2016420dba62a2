"""Training agents: `train` (training/selfplay.py). Install `stardeck[train]`."""

__all__ = ["train"]


def __getattr__(name):
    if name != "train":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from stardeck.training.selfplay import train  # only now: torch takes seconds to import, and is an extra

    return train
