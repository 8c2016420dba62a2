"""Models of other libraries as agents: models of Stable-Baselines3, and modules of torch.

`from_sb3(model)` and `from_torch(module)` return agents that evaluate the model itself, in batches, with torch.
`export` of agents/networks/export.py writes one to a file that plays without torch, inside the compiled loops. torch is
imported late.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.identity import digest
from stardeck.game.agent import Actions, Masks, Seeds, States
from stardeck.game.game import Game
from stardeck.kernels.errors import said, shown

Observe = Callable[[Game, States], NDArray[Any]]  # states[n] -> the inputs of a model, [n, ...]
DTYPES = ("uint8", "float32")


class ModelAgent(ABC):
    """A player that takes the legal action with the highest score, or draws one if `sampled`, with scores as logits.

    `from_sb3` and `from_torch` make one.
    """

    def __init__(self, name: str, sampled: bool, observe: Observe | None, observation_dtype: str) -> None:
        if observation_dtype not in DTYPES:
            raise ValueError(f"observation_dtype={shown(observation_dtype)}: must be one of {', '.join(DTYPES)}")
        self.name = name
        self.sampled = sampled
        self.scaled = observation_dtype == "float32"
        self.observe = observe

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"

    @property
    def identity(self) -> str:
        """A hash of the current weights and of everything else that the decisions depend on."""
        return digest([*self._deciding(), self.sampled, self.scaled, self.observe])

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """Return an action for each game, int64[n]. Arguments as in `stardeck.Agent`."""
        scores = np.where(masks, self.scores(game, states, masks), -np.inf)
        if self.sampled:  # the highest score with Gumbel noise is a draw from the policy
            seeds = game.check_decisions(states, seeds)
            scores += [np.random.default_rng(int(seed)).gumbel(size=game.num_actions) for seed in seeds]
        return scores.argmax(axis=1)

    def scores(self, game: Game, states: States, masks: Masks) -> NDArray[np.floating]:
        """Return the model's scores of all actions, legal or not: [n, num_actions]."""
        return self._scores(self._seen(game, states, masks))

    def check(self, game: Game) -> None:
        """Raise ValueError if the model cannot evaluate the game, or has other actions."""
        states = game.deal(0)
        try:
            shape = self.scores(game, states, game.legal_actions(states)).shape
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a user's model may raise anything
            raise ValueError(f"agent {self.name!r}: cannot evaluate {game.id} ({said(error)})") from error
        if shape != (1, game.num_actions):
            raise ValueError(
                f"agent {self.name!r}: scores {shape[-1] if shape else 1} actions; {game.id} has {game.num_actions}"
            )

    @abstractmethod
    def chains(self) -> tuple[list[Any], list[Any]]:
        """Return the modules from an observation to the scores, and those to the value if any; for `export`."""

    def _seen(self, game, states, masks):
        if self.observe is not None:
            return self.observe(game, states)
        observations = game.observe(states)
        return observations * game.observation_scale() if self.scaled else observations

    @abstractmethod
    def _scores(self, seen: Any) -> NDArray[np.floating]:
        """Return the scores of all actions, [n, num_actions]. seen: the inputs for n states."""

    @abstractmethod
    def _deciding(self) -> Sequence[Any]:
        """Return all parts of the model that its decisions depend on."""


class TorchAgent(ModelAgent):
    """A module of torch as a player: see `from_torch`."""

    def __init__(self, module: Any, value: Any, **options: Any) -> None:
        super().__init__(**options)
        self.module = module
        self.value = value

    def chains(self) -> tuple[list[Any], list[Any]]:
        """Return the module, and that of the value."""
        return [self.module], [] if self.value is None else [self.value]

    def _deciding(self):
        return [self.module]

    def _scores(self, seen):
        import torch

        device = next((parameter.device for parameter in self.module.parameters()), None)
        training = self.module.training
        self.module.eval()
        try:
            with torch.no_grad():
                answer = self.module(torch.as_tensor(seen, dtype=torch.float32, device=device))
        finally:
            self.module.train(training)
        return (answer[0] if isinstance(answer, tuple) else answer).float().cpu().numpy()


class SB3Agent(ModelAgent):
    """A model of Stable-Baselines3 as a player: see `from_sb3`."""

    def __init__(self, model: Any, **options: Any) -> None:
        super().__init__(**options)
        self.model = model

    def chains(self) -> tuple[list[Any], list[Any]]:
        """Return the layers of an MlpPolicy."""
        policy = self.model.policy
        if hasattr(policy, "q_net"):
            return [policy.q_net.features_extractor, policy.q_net.q_net], []
        to_scores = [policy.pi_features_extractor, policy.mlp_extractor.policy_net, policy.action_net]
        return to_scores, [policy.vf_features_extractor, policy.mlp_extractor.value_net, policy.value_net]

    def _deciding(self):
        policy = self.model.policy
        return [type(policy), type(policy.features_extractor), dict(policy.state_dict())]

    def _seen(self, game, states, masks):
        seen = super()._seen(game, states, masks)
        if self.observe is None and hasattr(self.model.observation_space, "spaces"):
            return {"observation": seen, "action_mask": masks}
        return seen

    def _scores(self, seen):
        import torch

        policy = self.model.policy
        policy.set_training_mode(False)
        with torch.no_grad():
            tensors, _ = policy.obs_to_tensor(seen)
            scores = policy.q_net(tensors) if hasattr(policy, "q_net") else _logits(policy, tensors)
        return scores.float().cpu().numpy()


def _logits(policy, tensors):
    return policy.get_distribution(tensors).distribution.logits


def from_sb3(model: Any, name: str | None = None, sampled: bool = False, observe: Observe | None = None) -> SB3Agent:
    """Make an agent of a model of Stable-Baselines3 or sb3-contrib (MaskablePPO, PPO, A2C, DQN).

    Illegal actions are masked, whether or not the model was trained with masks.

    Args:
        model: The model.
        name: Name of the agent in results, by default the name of the model's class.
        sampled: True if it draws from its policy, by the seeds of the decisions; else it takes the likeliest action, as
            `predict(deterministic=True)` does.
        observe: Function `observe(game, states)` that gives the inputs of the model, if it was trained on your own
            features. By default they are observations, in the dtype of the model's observation space.

    Raises:
        ValueError: The model does not decide by scores of numbered actions.
    """
    policy = getattr(model, "policy", None)
    decides = hasattr(policy, "q_net") or hasattr(policy, "get_distribution")
    if not decides or hasattr(policy, "lstm_actor") or not hasattr(model.action_space, "n"):
        raise ValueError(f"model {shown(model)}: must be of MaskablePPO, PPO, A2C or DQN, with numbered actions")
    space = model.observation_space
    seen = space.spaces.get("observation", space) if hasattr(space, "spaces") else space
    dtype = "uint8" if seen.dtype == np.uint8 else "float32"
    name = name or type(model).__name__
    return SB3Agent(model, name=name, sampled=sampled, observe=observe, observation_dtype=dtype)


def from_torch(
    module: Any, name: str | None = None, sampled: bool = False, observe: Observe | None = None,
    observation_dtype: str = "uint8", value: Any = None,
) -> TorchAgent:  # fmt: skip
    """Make an agent of a module of torch.

    Args:
        module: Module from float32[n, observation_size] to logits or other scores, [n, num_actions], or to a tuple that
            begins with them.
        name: Name of the agent in results, by default the name of the module's class.
        sampled: True if it draws from its policy, by the seeds of the decisions; else it takes the highest score.
        observe: Function `observe(game, states)` that gives other inputs to the module.
        observation_dtype: "uint8" for observations as the kernel writes them, "float32" for scaled ones, as
            environments give them with that option.
        value: Module that estimates the return of the acting seat, for `export`.
    """
    for given in (module, value):
        if given is not None and not hasattr(given, "state_dict"):
            raise ValueError(f"module {shown(given)}: must be a torch.nn.Module")
    name = name or type(module).__name__
    options = {"sampled": sampled, "observe": observe, "observation_dtype": observation_dtype}
    return TorchAgent(module, value, name=name, **options)
