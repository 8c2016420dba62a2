"""A rollout: the decisions between two updates with their advantage estimates, all on one device."""

from typing import Any

import torch

LEARNED = ("observations", "masks", "actions", "log_probabilities", "advantages", "returns", "hidden")


class Rollout:
    """Arrays of torch with a row for each step and a column for each lane: [steps, lanes, ...].

    `observations` are uint8, `masks` bool and `actions` int64. `hidden` (uint8) is what only a critic sees, or None.
    `log_probabilities` are the policy's own, and so are `values` without a critic that sees hidden cards.
    `ended` is true where the game ended with the decision, and `cut_values` is the estimated value of the position
    where it was truncated, 0 elsewhere. `judge` adds `advantages` and `returns`.

    Args:
        steps: Number of steps.
        lanes: Number of lanes.
        sizes: Lengths of an observation and of a mask, and of what is hidden; None: no critic sees that.
        device: The device of torch.
    """

    def __init__(self, steps: int, lanes: int, sizes: tuple[int, int, int | None], device: Any) -> None:
        def empty(*shape, dtype=torch.float32):
            return torch.empty((steps, lanes, *shape), dtype=dtype, device=device)

        self.steps, self.size = steps, steps * lanes
        observation_size, num_actions, hidden_size = sizes
        self.observations = empty(observation_size, dtype=torch.uint8)
        self.masks = empty(num_actions, dtype=torch.bool)
        self.hidden = None if hidden_size is None else empty(hidden_size, dtype=torch.uint8)
        self._learned = [name for name in LEARNED if name != "hidden" or self.hidden is not None]
        self.actions, self.ended = empty(dtype=torch.int64), empty(dtype=torch.bool)
        self.log_probabilities, self.values, self.rewards, self.cut_values = empty(), empty(), empty(), empty()
        self.advantages, self.returns = empty(), empty()

    def judge(self, last_values: torch.Tensor, gae_lambda: float) -> None:
        """Compute undiscounted generalised advantage estimates. last_values: estimates after the last step.

        (Schulman et al.: High-dimensional continuous control using generalized advantage estimation, 2016)
        """
        after, advantage = last_values, torch.zeros_like(last_values)
        rewards = self.rewards + self.cut_values
        for step in reversed(range(self.steps)):
            going_on = (~self.ended[step]).to(torch.float32)
            surprise = rewards[step] + going_on * after - self.values[step]
            advantage = surprise + gae_lambda * going_on * advantage
            self.advantages[step] = advantage
            after = self.values[step]
        torch.add(self.advantages, self.values, out=self.returns)

    def select(self, rows: torch.Tensor) -> dict[str, torch.Tensor]:
        """Return some decisions by name. rows: their numbers, int64[k]; `step * lanes + lane`."""
        return {name: self._flat(name).index_select(0, rows) for name in self._learned}

    def copy(self, rows: torch.Tensor, batch: dict[str, torch.Tensor]) -> None:
        """Copy the decisions that `select` returns into the arrays of a batch of as many."""
        for name in self._learned:
            torch.index_select(self._flat(name), 0, rows, out=batch[name])

    def _flat(self, name):
        return getattr(self, name).flatten(0, 1)
