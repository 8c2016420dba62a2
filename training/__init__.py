"""Training of agents. Install `stardeck[train]`.

`train` (training/methods.py), `exploit` (training/best_response.py), `train_value` (training/auxiliary/value.py),
`train_belief` (training/auxiliary/belief.py).
"""

from stardeck.benchmarks.optional_dependencies import require
from stardeck.kernels.deprecation import attribute

__all__ = ["exploit", "train", "train_belief", "train_value"]


def __getattr__(name):
    if name not in __all__:
        return attribute(__name__, name, {"teach_judge": "train_value", "teach_belief": "train_belief"})
    require("measure")
    require("train")
    from stardeck.training.auxiliary.belief import (
        train_belief,  # only now: torch takes seconds to import, and is an extra
    )
    from stardeck.training.auxiliary.value import train_value
    from stardeck.training.best_response import exploit
    from stardeck.training.methods import train

    return {"exploit": exploit, "train": train, "train_belief": train_belief, "train_value": train_value}[name]
