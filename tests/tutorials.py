"""The programs of `docs/tutorials/`, run from their first line to their last with smaller numbers."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "tutorials"
# What the tests spend in place of what is written, by program.
SPENT = {
    "cleanrl_ppo": {"LANES": 8, "STEPS": 256, "UPDATES": 2},
    "rllib_ppo": {"STEPS": 1_000, "ITERATIONS": 1},
    "sb3_ppo": {"LANES": 4, "STEPS": 1_024, "GAMES": 20},
    "tianshou_dqn": {"STEPS": 2_000, "EPOCHS": 1, "GAMES": 1},
    "torchrl_ppo": {"FRAMES": 256, "UPDATES": 2},
}


def reduced(name: str) -> str:
    """Return the source of a program with the numbers of `SPENT`."""
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    for constant, spent in SPENT[name].items():
        source, found = re.subn(rf"^{constant} = [\d_]+", f"{constant} = {spent}", source, flags=re.M)
        assert found == 1, f"{name}: {constant}"
    return source


def run(name: str) -> None:
    """Run a program with smaller numbers."""
    exec(compile(reduced(name), str(FOLDER / f"{name}.py"), "exec"), {"__name__": "__main__"})
