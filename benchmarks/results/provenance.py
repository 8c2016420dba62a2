"""By what results were made: version, command, date and machine, as they stand in summaries and in Parquet files."""

import platform
import shlex
import sys
from datetime import datetime
from pathlib import Path

import numba
import numpy as np

import stardeck
from stardeck.benchmarks.arena.series import available_cores


def origin() -> dict[str, str]:
    """What this process is: {version, command, date, machine}."""
    return {
        "version": stardeck.__version__,
        "command": command(),
        "date": datetime.now().astimezone().isoformat(" ", "seconds"),
        "machine": machine(),
    }


def command() -> str:
    """The command of this process, as a shell would take it."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def machine() -> str:
    """The machine in a line."""
    python = f"Python {platform.python_version()}, numba {numba.__version__}, numpy {np.__version__}"
    return f"{_processor()}, {available_cores()} cores; {python}"


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
