"""Entry point of the command `stardeck`: it handles Ctrl-C while everything else is imported.

It is a package next to `stardeck`, because importing anything from `stardeck` imports NumPy and Numba.
"""

import gc
import importlib.util
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable


def main() -> None:
    """Run the command `stardeck`."""
    signal.signal(signal.SIGINT, _leave)  # until the command line has begun, there is nothing to save
    gc.disable()  # imports leave no garbage; collecting among them takes a fifth of the start
    command_line = _command_line()
    gc.freeze()
    gc.enable()
    command_line()


def _leave(number: int, frame: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(130)


def _command_line() -> Callable[[], object]:
    """Import the commands; report a wrong environment variable in one line, without the libraries' traceback."""
    threads, features = (os.environ.get(f"NUMBA_{name}", "") for name in ("NUM_THREADS", "CPU_FEATURES"))
    if threads and not (threads.strip().isdecimal() and int(threads) > 0):
        _refuse("NUMBA_NUM_THREADS", threads, "must be a whole number of 1 or more")
    if not all(feature[0] in "+-" for feature in features.split(",") if feature):  # LLVM would abort
        _refuse("NUMBA_CPU_FEATURES", features, "must be features with + or - before each, such as +avx2,-avx512f")
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", "Environment variable '", RuntimeWarning)  # Numba's warning
            from stardeck.commands.cli import main
    except (RuntimeWarning, RuntimeError) as error:
        found = re.search(r"NUMBA_\w+", str(error))
        if not found:
            raise
        _refuse(found[0], os.environ.get(found[0], ""), _reason(error))
    if "MPLBACKEND" in os.environ and importlib.util.find_spec("matplotlib"):
        try:
            import matplotlib  # noqa: F401  # without this check, a command fails after its games are played
        except ValueError as error:
            _refuse("MPLBACKEND", os.environ["MPLBACKEND"], str(error))
    return main


def _reason(error: Exception) -> str:
    """Return Numba's message about a value, without its traceback."""
    reason = str(error).strip().splitlines()[-1].removeprefix("ValueError: ")
    return "must be a whole number" if reason.startswith("invalid literal for int()") else reason


def _refuse(name: str, value: str, reason: str) -> None:
    sys.stderr.write(f"stardeck: {name}={ascii(value)[1:-1]}: {reason}\n")
    sys.exit(2)
