"""A learner on the device of the games: proximal policy optimisation over lanes, on a GPU or not.

Observations, masks, rollout, network and update stay on the device of the lanes; a step copies back only the ended
games (envs/base/device_lanes.py). The loop itself waits for the device a few times in a rollout, never in a step. It
learns as MaskablePPO of sb3-contrib does: from the same weights, games and order of decisions it reaches the same
weights except for rounding, as a test shows. (Schulman et al.: Proximal policy optimization algorithms, 2017)
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from stable_baselines3.common.logger import Logger
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_

from stardeck.envs.base.lanes import Lanes
from stardeck.envs.base.options import seeds_of
from stardeck.training.checkpoints import check_numbers
from stardeck.training.policy import LOWEST_RATE, make_policy
from stardeck.training.ppo.process_group import ALONE, Group
from stardeck.training.ppo.replayed import Replayed
from stardeck.training.ppo.rollout import Rollout
from stardeck.training.ppo.stopwatch import Stopwatch
from stardeck.training.recipe import BFLOAT16, TF32, Recipe, first_deal

if TYPE_CHECKING:
    from stardeck.training.ppo.selfplay import SelfPlay

# MaskablePPO's own numbers, which recipes do not change
CLIP = 0.2  # bound of the change in the probability ratio
VALUE_WEIGHT = 0.5
GRADIENT_LIMIT = 0.5  # norm
TORCH = "torch"  # name of the state of torch's chance in a checkpoint
LOGGED = "policy_gradient_loss", "value_loss", "entropy_loss", "clip_fraction"
TINY = 1e-8  # added to the standard deviation of advantages
REMEMBERED = 100  # games, for `recent`

Order = Callable[[int, torch.device], torch.Tensor]


def shuffled(count: int, device: torch.device) -> torch.Tensor:
    """Return a random order of the decisions in an epoch: int64[count]."""
    return torch.randperm(count, device=device)


class PPOLearner:
    """A learner of selfplay.py.

    Args:
        lanes: The games of this process, with byte observations.
        recipe: The recipe, for all processes together.
        order: Function that orders an epoch's decisions.
        group: The processes that train together.
        dense: True computes the probabilities of all actions, which is faster on a GPU (see `MaskedPolicy`).
    """

    def __init__(
        self, lanes: Lanes, recipe: Recipe, order: Order = shuffled, group: Group = ALONE, dense: bool = True
    ) -> None:
        self.lanes = lanes
        self.group = group
        self._dense = dense
        self.decisions = 0
        self._updates = 0
        self._recipe, self._order = recipe, order
        self._device = torch.device(lanes.device)
        self._stopwatch = Stopwatch(self._device)
        # Step, lanes, and last observations of truncated games, with what was hidden in them if the critic sees it.
        self._cut: list[tuple[int, np.ndarray, np.ndarray, np.ndarray | None]] = []
        self._returns: deque[float] = deque(maxlen=REMEMBERED)
        self._first: int | None = None  # seed of games that are not dealt yet

    def begin(self, seed: int) -> None:
        """Draw the weights, the same in all processes. Each has its own games and chance from here on."""
        self.policy = make_policy(self.lanes.game, self._recipe.units, seed, str(self._device))
        self.policy.dense = self._dense
        self.policy.add_helpers(self.lanes.game, self._recipe)
        self._entropy = torch.tensor(self._recipe.entropy, device=self._device)  # a recorded step reads it there
        for group in self.policy.optimizer.param_groups:
            group["fused"] = True  # one kernel updates all weights
            if self._recipe.graphs:  # a recorded step reads the rate from the device
                group["capturable"], group["lr"] = True, torch.tensor(0.0, device=self._device)
        self._seen: tuple[torch.Tensor, ...] | None = None  # the arguments of a recorded choice
        self._batch: dict[str, torch.Tensor] = {}
        self._choice = Replayed(lambda: self._choose(*self._seen or ()), self._recipe.graphs)
        self._step = Replayed(lambda: self._descend(**self._batch), self._recipe.graphs)
        self._first = first_deal(seed) + self.group.rank * self.lanes.num_envs
        if not self.group.leads:
            torch.manual_seed(int(np.random.SeedSequence([seed, self.group.rank]).generate_state(1, np.uint64)[0]))

    def learn(self, course: "SelfPlay", logger: Logger) -> None:
        """Learn to the end of the recipe, see `Learner`."""
        self._deal()
        rollout = self.new_rollout()
        while self.decisions < self._recipe.steps:
            course.before_rollout()
            course.after_rollout(self.collect(rollout))
            for name, figure in self.update(rollout).items():
                logger.record(f"train/{name}", figure)
            if self._returns:
                logger.record("rollout/ep_rew_mean", np.mean(self._returns))
            logger.dump(self.decisions)

    def new_rollout(self) -> Rollout:
        """Return the arrays of a rollout of the recipe's length."""
        game = self.lanes.game
        hidden = game.hidden_size if self.policy.critic is not None else None
        sizes = game.observation_size, game.num_actions, hidden
        return Rollout(self._recipe.rollout, self.lanes.num_envs, sizes, self._device)

    def _deal(self):
        if self._first is not None:
            self.lanes.reset(seeds_of(self._first, self.lanes.num_envs))
            self._first = None

    # Playing

    def collect(self, rollout: Rollout) -> float:
        """Play a rollout, and return the seconds that the games took."""
        self._deal()
        with self._precision():
            for step in range(rollout.steps):
                actions = self._decide(rollout, step)
                with self._stopwatch:
                    self.lanes.step(actions if actions.is_cuda else actions.numpy())
                self._note(rollout, step)
            self._judge(rollout)
        self.decisions += rollout.size * self.group.size
        self._returns.extend(rollout.rewards[rollout.ended][-REMEMBERED:].tolist())
        return self._stopwatch.seconds()

    @torch.no_grad()
    def _decide(self, rollout, step):
        shown = [(rollout.observations, self.lanes.observations), (rollout.masks, self.lanes.masks)]
        if rollout.hidden is not None:
            shown.append((rollout.hidden, self.lanes.hidden()))
        now = [kept[step].copy_(self._there(array)) for kept, array in shown]
        if self._recipe.graphs:
            self._seen = self._seen or tuple(map(torch.empty_like, now))
            for fixed, each in zip(self._seen, now, strict=True):
                fixed.copy_(each)
            chosen = self._choice()
        else:
            chosen = self._choose(*now)
        rollout.actions[step], rollout.values[step], rollout.log_probabilities[step] = chosen
        return chosen[0]

    def _choose(self, seen, masks, hidden=None):
        with self._autocast():
            actions, values, log_probabilities = self.policy(seen, action_masks=masks)
            values = values[:, 0] if hidden is None else self.policy.critic(seen, hidden)
        return actions, values, log_probabilities

    def _note(self, rollout, step):
        """Record the results of the step."""
        rollout.rewards[step], rollout.ended[step] = self._there(self.lanes.rewards), self._there(self.lanes.ended)
        if self.lanes.any_cut_short():  # to look at other games that ended would copy them from the device
            cut = self.lanes.cut_short()
            hidden = self.lanes.final_hidden()[cut] if rollout.hidden is not None else None
            self._cut.append((step, self.lanes.ended_rows[cut], self.lanes.final_observations()[cut], hidden))

    def _judge(self, rollout):
        """Estimate advantages, and the values of all positions where games were truncated."""
        rollout.cut_values.zero_()
        if self._cut:
            at, lanes, seen, hidden = zip(*self._cut, strict=True)
            steps = np.concatenate([np.full(len(rows), step) for step, rows in zip(at, lanes, strict=True)])
            places = torch.as_tensor(steps * self.lanes.num_envs + np.concatenate(lanes), device=self._device)
            shown = [seen] if rollout.hidden is None else [seen, hidden]
            parts = (torch.as_tensor(np.concatenate(each), device=self._device) for each in shown)
            rollout.cut_values.view(-1)[places] = self._values(*parts)
            self._cut.clear()
        shown = [self.lanes.observations] if rollout.hidden is None else [self.lanes.observations, self.lanes.hidden()]
        rollout.judge(self._values(*map(self._there, shown)), self._recipe.gae_lambda)

    @torch.no_grad()
    def _values(self, observations, hidden=None):
        with self._autocast():
            if hidden is not None:
                return self.policy.critic(observations, hidden).float()
            return self.policy.value_net(self.policy.extract_features(observations))[:, 0].float()

    def _there(self, array):
        """Return an array of the lanes on the device of the network, without a copy."""
        return torch.as_tensor(self.lanes.shared(array), device=self._device)

    # Precision

    @contextmanager
    def _precision(self) -> Iterator[None]:
        """Let float32 products use tensor cores where the recipe says so."""
        before = torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision("high" if self._recipe.precision == TF32 else before)
        try:
            yield
        finally:
            torch.set_float32_matmul_precision(before)

    def _autocast(self):
        """Return a context in which the layers of the network compute in the precision of the recipe."""
        return torch.autocast(self._device.type, torch.bfloat16, enabled=self._recipe.precision == BFLOAT16)

    # Learning

    def update(self, rollout: Rollout) -> dict[str, float]:
        """Update on a rollout, for the epochs of the recipe, and return the means of its log entries.

        They are those of MaskablePPO; `critic_loss` with a critic, and `magnet_kl` with a magnet.
        """
        recipe = self._recipe
        done = min(1.0, self.decisions / recipe.steps)
        self._entropy.fill_(recipe.entropy * (1 + (recipe.final_entropy - 1) * done))
        for group in self.policy.optimizer.param_groups:
            rate = recipe.learning_rate * (1 + (LOWEST_RATE - 1) * done)
            group["lr"] = group["lr"].fill_(rate) if recipe.graphs else rate
        figures = []
        batch = min(recipe.batch // self.group.size, rollout.size)
        with self._precision():
            for _ in range(recipe.epochs):
                rows = self._order(rollout.size, self._device)
                figures += [self._learn_from(rollout, some, batch) for some in rows.split(batch)]
                self._updates += 1
        means = torch.stack(figures).mean(dim=0).tolist()
        helpers = {"critic_loss": self.policy.critic, "magnet_kl": self.policy.magnet}
        return dict(zip((*LOGGED, *(name for name in helpers if helpers[name] is not None)), means, strict=True))

    def _learn_from(self, rollout, rows, size):
        """Take one gradient step on some decisions. size: number of decisions in all batches but the last."""
        if len(rows) != size:
            return self._descend(**rollout.select(rows))
        if not self._batch:
            self._batch = rollout.select(rows)  # the arrays of every batch
        else:
            rollout.copy(rows, self._batch)
        return self._step().clone()

    def _descend(self, observations, masks, actions, log_probabilities, advantages, returns, hidden=None):
        """Take one gradient step on some decisions, and return log entries without waiting for the device."""
        policy, recipe = self.policy, self._recipe
        with self._autocast():
            values, likely, entropies, divergences = policy.evaluate(observations, actions, masks)
            judged = None if hidden is None else policy.critic(observations, hidden)
        advantages = (advantages - advantages.mean()) / (advantages.std() + TINY)
        ratio = torch.exp(likely - log_probabilities)
        clipped = torch.clamp(ratio, 1 - CLIP, 1 + CLIP)
        gain = torch.min(advantages * ratio, advantages * clipped).mean()
        error = mse_loss(returns, values.flatten().float())
        entropy = entropies.mean()
        loss = -gain - self._entropy * entropy + VALUE_WEIGHT * error
        beyond = ((ratio - 1).abs() > CLIP).to(torch.float32).mean()
        figures = [-gain, error, -entropy, beyond]
        if judged is not None:
            figures.append(mse_loss(returns, judged.float()))
            loss = loss + VALUE_WEIGHT * figures[-1]
        if policy.magnet is not None:
            figures.append(divergences.mean())
            loss = loss + recipe.magnet * figures[-1]
        self._move(loss)
        return torch.stack(figures).detach()

    def _move(self, loss):
        """Move the weights against the gradient of a loss."""
        policy = self.policy
        policy.optimizer.zero_grad()
        loss.backward()
        self.group.average_gradients(policy.parameters())
        for group in policy.optimizer.param_groups:  # the critic's gradient does not shrink the policy's
            clip_grad_norm_(group["params"], GRADIENT_LIMIT)
        policy.optimizer.step()
        if policy.magnet is not None:
            policy.magnet.follow(policy)

    # The contents of a checkpoint

    def recent(self) -> float | None:
        """Return the share of the last games that were won."""
        return float(np.mean([reward > 0 for reward in self._returns])) if self._returns else None

    def memory(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Return the games and the state of chance of all processes, and the counts. All processes call it together."""
        own, *others = self.group.gather(self._own_memory()) or [{}]
        arrays = {name: array for name, array in own.items() if name != TORCH}
        for rank, other in enumerate(others, 1):
            arrays |= {_named(rank, name): array for name, array in other.items()}
        notes = {"decisions": self.decisions, "updates": self._updates, "returns": list(self._returns)}
        return arrays, notes

    def _own_memory(self):
        arrays = self.lanes.snapshot() | {TORCH: torch.get_rng_state().numpy()}
        if self._device.type == "cuda":
            arrays["cuda"] = torch.cuda.get_rng_state(self._device).numpy()
        return arrays

    def recall(self, arrays: dict[str, np.ndarray], notes: dict[str, Any]) -> None:
        """Continue from the state that `memory` returned."""
        check_numbers(notes["returns"])
        if not self.group.leads:
            prefix = _named(self.group.rank, "")
            arrays = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
            torch.set_rng_state(torch.as_tensor(arrays[TORCH]))
        self.lanes.restore(arrays)
        self._first = None
        self.decisions, self._updates = notes["decisions"], notes["updates"]
        self._returns = deque(notes["returns"] if self.group.leads else (), REMEMBERED)
        if self._device.type == "cuda":
            torch.cuda.set_rng_state(torch.as_tensor(arrays["cuda"]), self._device)


def _named(rank, name):
    """Return the name in a checkpoint of an array of another process than the leader."""
    return f"process_{rank}_{name}"
