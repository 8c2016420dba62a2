"""Subprocesses that run Python as another user."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress

AS_ROOT = hasattr(os, "getuid") and os.getuid() == 0
NOBODY = 2000  # no user of the system has this number


def python_of_others():
    """Return a Python that the other user can run: ours may be inside root's home."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for found in (sys.executable, shutil.which(version, path="/usr/local/bin:/usr/bin")):
        with suppress(OSError):  # another user may not be allowed to start it
            command = [found, "-c", "import encodings"]
            if found and subprocess.run(command, stderr=subprocess.DEVNULL, **other()).returncode == 0:
                return found
    raise AssertionError(f"no {version} that another user can run")


def other(user=NOBODY):
    """Return the arguments that start a process as another user: by number as root, else none."""
    return {"user": user, "group": user, "extra_groups": []} if AS_ROOT else {}


def close(*folders):
    """Remove write permission from folders and their subfolders; those of root are closed to others anyway."""
    for folder in folders if not AS_ROOT else ():
        for path in (folder, *folder.rglob("*")):
            if path.is_dir():
                path.chmod(0o555)


def content(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}
