"""A data set: a series of games with moves and events, a card with its facts, and a datasheet.

The series is that of `stardeck advantage --collect moves,events` with the same agents and seed, so an interrupted one
continues, and anybody can make the same games again.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena.options import HonestOptions
from stardeck.benchmarks.dataset.card import card, datasheet
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.game.agent import AgentLike
from stardeck.game.game import Game


def dataset(
    game: str, agents: AgentLike | Sequence[AgentLike] = "expert", games: int = 100_000, seed: int = 0,
    out: str | Path | None = None, *, hub: str | None = None, **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Make a data set of games.

    Args:
        game: Name of the game.
        agents: One agent for all seats, or a list, whose agents take turns on the seats.
        games: Number of games.
        seed: Seed of all chance.
        out: Folder, by default `results/dataset-<id>`.
        hub: Name on the Hugging Face Hub, as OWNER/NAME, for the card. Nothing is uploaded.
        **options: Options of `HonestOptions`, and settings of the game.

    Returns:
        The summary of the games, as `advantage` returns it.

    Raises:
        ValueError: An argument is invalid, or the folder holds other games.
        MissingExtra: `hub` needs huggingface_hub.
        KeyboardInterrupt: The games were stopped. The folder holds all finished chunks.
    """
    if hub is not None:
        check_hub_name(hub)
    known = HonestOptions.__optional_keys__
    settings = {name: value for name, value in options.items() if name not in known}
    played = Game.named(game, settings)
    folder = Path(folder_here(out or f"results/dataset-{played.id.replace('/', '-')}"))
    summary = advantage(game, agents, games, seed, folder, collect=("moves", "events"), **options)
    described = {
        "variant": played.id,
        "settings": played.settings,
        "tables": played.variant.tables,
        "actions": played.action_table(),
        "observation": played.observation_table(),
        "events": [event.name.lower() for event in played.variant.events],
    }
    write_whole(folder / "variant.json", json.dumps(described, indent=2) + "\n")
    write_whole(folder / "README.md", card(played, summary, hub))
    write_whole(folder / "DATASHEET.md", datasheet(played, summary))
    return summary


def check_hub_name(name: str) -> None:
    """Raise ValueError for a name that the Hub would refuse, and MissingExtra without huggingface_hub."""
    from stardeck.benchmarks.optional_dependencies import require

    require("hub")
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id

    try:
        validate_repo_id(name)
    except HFValidationError as error:
        raise ValueError(f"hub={name[:100]!r}: must be OWNER/NAME ({str(error)[:200]})") from error
    if name.count("/") != 1:
        raise ValueError(f"hub={name[:100]!r}: must be OWNER/NAME")
