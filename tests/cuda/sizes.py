"""Cost of each launch: seconds to compile, PTX, and the report of ptxas; no GPU needed.

`python tests/cuda/sizes.py [VARIANT ...]`, with `pip install nvidia-cuda-nvcc` for ptxas.
"""

import importlib.metadata
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers import PROGRAMS  # noqa: E402
from launches import CAPABILITIES, launches  # noqa: E402
from stardeck.kernels.cuda import compiler  # noqa: E402


def ptxas():
    """Return the assembler of the package that has it."""
    return next(path.locate() for path in importlib.metadata.files("nvidia-cuda-nvcc") if path.stem == "ptxas")


def assembled(code, capability):
    """Return the bytes of machine code, the registers, the stack with all calls, and the spilled bytes."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "a.ptx"), Path(folder, "a.cubin")
        source.write_text(code)
        command = [ptxas(), "-v", f"-arch=sm_{capability[0]}{capability[1]}", source, "-o", made]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        size = made.stat().st_size
    registers = int(re.search(r"Used (\d+) registers", said)[1])
    stack = re.search(r"(\d+) bytes cumulative stack", said)
    spills = sum(map(int, re.findall(r"(\d+) bytes spill stores", said)))
    return size, registers, int(stack[1]) if stack else 0, spills


if __name__ == "__main__":
    print(f"{'launch':72} {'cc':>4} {'cpu s':>6} {'ptx':>9} {'code':>9} {'regs':>5} {'stack':>6} {'spills':>6}")
    for variant in sys.argv[1:] or PROGRAMS:
        for capability in CAPABILITIES:
            for name, launch in launches(variant).items():
                began = time.process_time()
                code = compiler.ptx(*launch, capability)
                took = time.process_time() - began
                numbers = f"{len(code):9,} {'{:9,} {:5} {:6} {:6}'.format(*assembled(code, capability))}"
                print(f"{variant + ' ' + name:72} {capability[0]}.{capability[1]} {took:6.1f} {numbers}", flush=True)
