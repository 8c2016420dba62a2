"""What the command `stardeck` runs first, so that Ctrl-C is heard while everything else is imported.

A package beside `stardeck`: whoever imports anything of that one imports NumPy and Numba with it.
"""

import gc
import os
import signal


def main():
    """The command `stardeck`."""
    signal.signal(signal.SIGINT, _leave)  # until the command line has begun, there is nothing to be kept
    gc.disable()  # nothing that is imported is garbage; to look for it among all of that takes a fifth of the start
    from stardeck.commands.cli import main as command_line

    gc.freeze()
    gc.enable()
    command_line()


def _leave(number, frame):
    os.write(2, b"interrupted\n")
    os._exit(130)
