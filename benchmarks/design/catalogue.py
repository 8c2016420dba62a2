"""The parts of the report, in their order."""

from stardeck.benchmarks.design.cards import CARDS
from stardeck.benchmarks.design.changes import CHANGES
from stardeck.benchmarks.design.drama import DRAMA
from stardeck.benchmarks.design.luck import LUCK
from stardeck.benchmarks.design.part import Part
from stardeck.benchmarks.design.restricted import RESTRICTED
from stardeck.benchmarks.design.skill import SKILL

PARTS: dict[str, Part] = {part.name: part for part in (SKILL, CHANGES, DRAMA, LUCK, RESTRICTED, CARDS)}
