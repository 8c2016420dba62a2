"""Results independent of processor and Python: one recorded digest holds everywhere.

The whole matrix runs this for every Python; kernels compiled for a generic processor must give it too.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from stardeck.benchmarks.arena.series import Series
from stardeck.game.registry import make

WRITTEN = "840573972762e006"  # a change of play in this game changes it, and tests/signature.txt
CACHE = Path(__file__).parents[1] / "kernels" / "__pycache__" / "generic"


def digest():
    """Digest every column of 600 games, with networks (floating-point numbers) among the players."""
    found = hashlib.sha256()
    for lineup in (["random"], ["rules", "simple"], ["ppo", "rules"]):
        for column in Series(make("interstellar_empire"), lineup, seed=7).play(0, 200)[1:]:
            found.update(column.tobytes())
    return found.hexdigest()[:16]


def test_results_are_those_that_were_written_down():
    assert digest() == WRITTEN


def test_results_are_the_same_on_a_plain_processor():
    environment = os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_CACHE_DIR": str(CACHE)}
    done = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == WRITTEN


if __name__ == "__main__":
    print(digest())
