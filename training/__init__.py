"""Training agents. Install `stardeck[train]`.

`train` (training/methods.py), `exploit` (training/response.py), `teach_judge` (training/judging.py).
"""

from stardeck.benchmarks.extras import require

__all__ = ["exploit", "teach_judge", "train"]


def __getattr__(name):
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require("measure")
    require("train")
    from stardeck.training.judging import teach_judge  # only now: torch takes seconds to import, and is an extra
    from stardeck.training.methods import train
    from stardeck.training.response import exploit

    return {"exploit": exploit, "teach_judge": teach_judge, "train": train}[name]
