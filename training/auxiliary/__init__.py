"""Networks that help the search of a trained agent: a value network and an opponent-hand model."""

from pathlib import Path

WORDS = {"judge": "value network", "belief": "opponent-hand model"}  # by their names in files of agents
FOLDERS = {"judge": "value", "belief": "belief"}


def folder_for(what: str, variant: str) -> Path:
    """Return the default folder of a training; a folder that version 0.1 has begun stays in use.

    Args:
        what: "judge" or "belief".
        variant: Id of the variant.
    """
    begun, usual = (Path("results") / f"{name}-{variant.replace('/', '-')}" for name in (what, FOLDERS[what]))
    return begun if begun.exists() else usual
