"""Names of an earlier version, which still work and give a `FormerNameWarning`."""

import sys
import warnings
from collections.abc import Mapping
from typing import Any


class FormerNameWarning(DeprecationWarning):
    """A name of an earlier version is in use; commands print it as one line."""


def warn(message: str, stacklevel: int = 1) -> None:
    """Warn of a former name.

    Args:
        message: The present name, and until when the former one works.
        stacklevel: As for `warnings.warn`, counted from the caller.
    """
    warnings.warn(message, FormerNameWarning, stacklevel=stacklevel + 1)


def attribute(module: str, name: str, former_names: Mapping[str, str]) -> Any:
    """Return an attribute of a module by its former name, for the `__getattr__` of the module.

    Args:
        module: The module.
        name: The attribute that was asked for.
        former_names: {former name: present name}.

    Raises:
        AttributeError: It is no former name.
    """
    if name not in former_names:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    warn(f"{module}.{name} is now {former_names[name]}; the former name works until version 0.3", 3)
    return getattr(sys.modules[module], former_names[name])
