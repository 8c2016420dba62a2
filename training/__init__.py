"""Training agents: `train` (training/methods.py), `exploit` (training/response.py). Install `stardeck[train]`."""

from stardeck.benchmarks.extras import require

__all__ = ["exploit", "train"]


def __getattr__(name):
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require("measure")
    require("train")
    from stardeck.training.methods import train  # only now: torch takes seconds to import, and is an extra
    from stardeck.training.response import exploit

    return {"exploit": exploit, "train": train}[name]
