"""Playouts: a compiled loop plays games to their end if all agents are compiled; otherwise agents act in batches."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stardeck.game.agent import AgentLike, States, decisions
from stardeck.game.resolve import agent_of, agent_table_of
from stardeck.kernels.errors import shown
from stardeck.kernels.loops import batch, playouts

if TYPE_CHECKING:
    from stardeck.game.game import Game


def play_out(game: "Game", states: States, agents: AgentLike | Sequence[AgentLike], seed: np.uint64) -> None:
    """Play games to their end, in place. See `Game.playout` for the agents and the seed."""
    chosen = by_seat(game, agents)
    series = np.empty(len(states), np.uint64)
    playouts.seed_blocks(seed, np.arange(len(states)), series)
    if table := agent_table_of(chosen):
        kinds = np.tile(table.kinds, (len(states), 1))
        players = playouts.Players(np.zeros(1, playouts.AGENT), kinds, table.networks)
        playouts.play_out(game.rules, states, players, seed, series, playouts.room_for_moves(len(states)))
        return
    while len(running := np.flatnonzero(states["to_act"] >= 0)):
        seats = states["to_act"][running].astype(np.int64)
        for agent in dict.fromkeys(chosen):
            mine = np.array([chosen[seat] is agent for seat in seats])
            _act_once(game, agent, states, running[mine], seats[mine], seed, series[running[mine]])


def by_seat(game: "Game", agents: AgentLike | Sequence[AgentLike]) -> list[Any]:
    """Return the agent of each seat.

    Args:
        game: The game that they are to play.
        agents: One agent for all seats, or one for each seat.

    Raises:
        ValueError: There are too few agents, too many, or one that cannot play the game.
    """
    if not isinstance(agents, list | tuple):
        return [agent_of(agents, game)] * game.players
    if len(agents) != game.players:
        raise ValueError(f"agents={shown(agents)}: must be one agent, or {game.players} of them, one for each seat")
    return [agent_of(agent, game) for agent in agents]


def _act_once(
    game: "Game",
    agent: Any,
    states: States,
    rows: NDArray[np.int64],
    seats: NDArray[np.int64],
    seed: np.uint64,
    series: NDArray[np.uint64],
) -> None:
    """Play one action of an agent in each of these rows."""
    if not len(rows):
        return
    some = game.take(states, rows)
    seeds = np.empty(len(rows), np.uint64)
    playouts.seed_all(seed, series, seats, some["decisions"].astype(np.int64), seeds)
    batch.apply_all(game.rules, some, decisions(agent, game, some, seeds))
    game.put(states, rows, some)
