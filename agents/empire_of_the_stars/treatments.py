"""What trials try out in Empire of the Stars, by name, the default first; trials.py beside it numbers the options."""

from typing import Any

from stardeck.agents.data.treatments import NOTHING, Treatment
from stardeck.agents.empire_of_the_stars import trials


def _names(variant: Any) -> list[str]:
    return list(variant.names)


TREATMENTS = {
    "empire_of_the_stars": {
        "technologies": Treatment(trials.TECHNOLOGIES, _names, others=(NOTHING,), cycle=(0, 1, 2), hazard=0.3),
        "powers": Treatment(trials.POWERS, _names, others=(), stages=("deal",), cycle=(0,), hazard=0.5),
    }
}
