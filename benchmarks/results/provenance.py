"""Provenance of results: version, command, date and machine, for summaries and Parquet files."""

import platform
import shlex
import sys
from datetime import datetime
from pathlib import Path

import numba
import numpy as np

import stardeck
from stardeck.game.cores import available_cores


def origin() -> dict[str, str]:
    """Return the provenance of results of this process: {version, command, date, machine}."""
    return {
        "version": stardeck.__version__,
        "command": command(),
        "date": datetime.now().astimezone().isoformat(" ", "seconds"),
        "machine": machine(),
    }


def command() -> str:
    """Return the command of this process, quoted for a shell."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def machine() -> str:
    """Return a description of the machine in one line."""
    python = f"Python {platform.python_version()}, numba {numba.__version__}, numpy {np.__version__}"
    return f"{_processor()}, {available_cores()} cores; {python}"


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
