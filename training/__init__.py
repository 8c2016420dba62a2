"""Training of agents. Install `stardeck[train]`.

`train` (training/methods.py), `exploit` (training/best_response.py), `teach_judge` (training/auxiliary/value.py),
`teach_belief` (training/auxiliary/belief.py).
"""

from stardeck.benchmarks.optional_dependencies import require

__all__ = ["exploit", "teach_belief", "teach_judge", "train"]


def __getattr__(name):
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require("measure")
    require("train")
    from stardeck.training.auxiliary.belief import (
        teach_belief,  # only now: torch takes seconds to import, and is an extra
    )
    from stardeck.training.auxiliary.value import teach_judge
    from stardeck.training.best_response import exploit
    from stardeck.training.methods import train

    return {"exploit": exploit, "teach_belief": teach_belief, "teach_judge": teach_judge, "train": train}[name]
