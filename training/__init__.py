"""Training agents. Install `stardeck[train]`.

`train` (training/methods.py), `exploit` (training/response.py), `teach_judge` (training/judging.py),
`teach_belief` (training/believing.py).
"""

from stardeck.benchmarks.optional_dependencies import require

__all__ = ["exploit", "teach_belief", "teach_judge", "train"]


def __getattr__(name):
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require("measure")
    require("train")
    from stardeck.training.believing import teach_belief  # only now: torch takes seconds to import, and is an extra
    from stardeck.training.judging import teach_judge
    from stardeck.training.methods import train
    from stardeck.training.response import exploit

    return {"exploit": exploit, "teach_belief": teach_belief, "teach_judge": teach_judge, "train": train}[name]
