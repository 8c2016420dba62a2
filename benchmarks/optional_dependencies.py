"""What comes with an extra of the package, and the error that names it where it is missing.

Playing needs the core alone; whoever measures, draws, trains or asks for a cluster says so by `require` before
importing what that takes.
"""

from importlib.util import find_spec

MODULES = {
    "measure": ("pyarrow", "matplotlib", "scipy", "rich", "jinja2", "pandas"),
    "cluster": ("ray",),
    "train": ("stable_baselines3", "sb3_contrib", "tensorboard"),
    "web": ("fastapi", "uvicorn", "websockets", "jinja2"),
}


class MissingExtra(ModuleNotFoundError):
    """Modules of an extra are not installed; the message says how to install it."""


def require(extra: str) -> None:
    """Raises MissingExtra unless every module of the extra is there."""
    missing = [module for module in MODULES[extra] if find_spec(module) is None]
    if missing:
        raise MissingExtra(f"{', '.join(missing)}: not installed; pip install 'stardeck[{extra}]'", name=missing[0])
