"""The wrapper around every AEC environment: it complains about calls in the wrong order, as PettingZoo's own does."""

from collections.abc import Iterator
from typing import Any

from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper
from pettingzoo.utils.wrappers.order_enforcing import AECOrderEnforcingIterable


def _made_by_reset(name: str) -> property:
    """Return an attribute of the environment that nobody may look at before the first reset."""

    def get(self: "OrderEnforcing") -> Any:
        if not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return getattr(self.env, name)

    return property(get, doc=f"`{name}` of the environment.")


class OrderEnforcing(OrderEnforcingWrapper[str, Any, Any]):
    """PettingZoo's wrapper, with the calls of a loop written out.

    It raises, warns and asserts what `OrderEnforcingWrapper` does. That class finds each attribute by
    `__getattr__`, and `last` needs five of them, which takes longer than a step of the game.
    """

    agents = _made_by_reset("agents")
    agent_selection = _made_by_reset("agent_selection")
    rewards = _made_by_reset("rewards")
    terminations = _made_by_reset("terminations")
    truncations = _made_by_reset("truncations")
    infos = _made_by_reset("infos")

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last move, termination, truncation and info of the selected agent."""
        if not self._has_reset:
            raise AttributeError("agent_selection cannot be accessed before reset")
        result: tuple[Any, float, bool, bool, dict[str, Any]] = self.env.last(observe)
        return result

    def step(self, action: Any) -> None:
        """Let the selected agent act. Warns if no agents are left."""
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
            return
        self._has_updated = True
        if self.env.agents:
            self.env.step(action)
        else:
            EnvLogger.warn_step_after_terminated_truncated()

    def agent_iter(self, max_iter: int = 2**63) -> "_Agents":
        """Return an iterable of the agents that act, in order, until none is left."""
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return _Agents(self, max_iter)

    def __str__(self) -> str:
        return str(self.env)


class _Agents(AECOrderEnforcingIterable[str, Any, Any]):
    """The agents that act, in order."""

    def __iter__(self) -> Iterator[str]:  # a generator is faster than an object
        wrapper, env = self.env, self.env.env
        for _ in range(self.max_iter):
            if not env.agents:
                return
            agent = env.agent_selection
            assert wrapper._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            wrapper._has_updated = False
            yield agent
