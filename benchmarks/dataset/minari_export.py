"""A data set as one of Minari, as one seat sees it: an episode is a game, a step a decision of that seat."""

from pathlib import Path
from typing import Any

import numpy as np

from stardeck.benchmarks.dataset.episodes import Episode, load
from stardeck.benchmarks.optional_dependencies import require
from stardeck.kernels.errors import shown


def to_minari(folder: str | Path, name: str, seat: int = 0, games: int | None = None) -> Any:
    """Write a data set of Minari, and return it.

    Rewards are 0, and the return of the seat after its last decision. `infos` hold `action_mask`, int8[num_actions], of
    each observation; that of the last one has every action.

    Args:
        folder: Folder of a data set of `stardeck dataset`.
        name: Name of the new data set, such as `stardeck/core/expert-v0`.
        seat: The seat.
        games: Number of games, from the first one on; None: all.

    Raises:
        ValueError: There is no such seat or game, or the name is invalid or taken.
        MissingExtra: Minari is not installed.
    """
    require("minari")
    import minari
    from gymnasium import spaces

    data = load(folder)
    game = data.game
    if type(seat) is not int or not 0 <= seat < game.players:
        raise ValueError(f"seat={shown(seat)}: must be from 0 to {game.players - 1}")
    if name in minari.list_local_datasets():
        raise ValueError(f"name={shown(name)}: there is such a data set already")
    buffers = [_buffer(episode, seat, number) for number, episode in enumerate(data.episodes(0, games))]
    return minari.create_dataset_from_buffers(
        name,
        buffers,
        action_space=spaces.Discrete(game.num_actions),
        observation_space=spaces.Box(0, 255, (game.observation_size,), np.uint8),
        algorithm_name=", ".join(row["agent"] for row in data.results.summary["agents"]),
        description=f"Games of {game.id}, as player_{seat} sees them",
    )


def _buffer(episode: Episode, seat: int, number: int) -> Any:
    """Return the decisions of a seat in a game."""
    from minari.data_collector import EpisodeBuffer

    mine = np.flatnonzero(episode.seats == seat)
    count = len(mine)
    rewards = np.zeros(count, np.float32)
    last = np.zeros(count, bool)
    if count:
        rewards[-1], last[-1] = episode.returns[seat], True
    every = np.ones((1, episode.masks.shape[1]), np.int8)
    return EpisodeBuffer(
        id=number,
        seed=episode.seed % 2**63,
        observations=np.vstack([episode.observations[mine], episode.final[seat][None]]),
        actions=episode.actions[mine],
        rewards=rewards,
        terminations=last & (not episode.truncated),
        truncations=last & episode.truncated,
        infos={"action_mask": np.vstack([episode.masks[mine], every])},
    )
