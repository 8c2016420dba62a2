"""The parts of the report, in their order."""

from stardeck.benchmarks.design import changes, drama, luck, skill
from stardeck.benchmarks.design.part import Part

PARTS: dict[str, Part] = {
    module.PART.name: module.PART for module in (skill, changes, drama, luck)
}  # fmt: skip
