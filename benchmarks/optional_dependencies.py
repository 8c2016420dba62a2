"""Modules of the extras of the package, and the error that names a missing extra.

Games need only the core. Code that measures, draws, trains or uses a cluster calls `require` before it imports the
modules of an extra.
"""

from importlib.util import find_spec

MODULES = {
    "measure": ("pyarrow", "matplotlib", "scipy", "rich", "jinja2", "pandas", "jsonschema", "threadpoolctl"),
    "cluster": ("ray",),
    "train": ("stable_baselines3", "sb3_contrib", "tensorboard"),
    "hub": ("huggingface_hub",),
    "minari": ("minari",),
    "mcp": ("mcp", "httpx2"),
    "remote": ("urllib3",),
    "web": ("fastapi", "jinja2", "markdown", "uvicorn", "websockets"),
}


class MissingExtra(ModuleNotFoundError):
    """A missing extra; the message says how to install it."""


def require(extra: str) -> None:
    """Raise MissingExtra unless every module of the extra is installed."""
    missing = [module for module in MODULES[extra] if find_spec(module) is None]
    if missing:
        raise MissingExtra(f"{', '.join(missing)}: not installed; pip install 'stardeck[{extra}]'", name=missing[0])
