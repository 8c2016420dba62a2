"""Old import paths of version 0.1: they work until version 0.3, with a DeprecationWarning."""

import importlib
import importlib.util
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import InspectLoader, Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType

MOVED = {
    "agents.analysis": "agents.search.analysis",
    "agents.builtin": "agents.names",
    "agents.layers": "agents.networks.export",
    "agents.layout": "agents.networks.input_layout",
    "agents.models": "agents.networks.external_models",
    "agents.network": "agents.networks.agent",
    "agents.own": "agents.user_agents",
    "agents.shipped": "agents.networks.pretrained",
    "agents.worth": "agents.star_realms.value_table",
    "benchmarks.again": "benchmarks.recordings.replay_result",
    "benchmarks.app_log": "benchmarks.recordings.app_log",
    "benchmarks.citation": "benchmarks.results.citation",
    "benchmarks.executors": "benchmarks.arena.executors",
    "benchmarks.fair": "benchmarks.fairness.search",
    "benchmarks.load": "benchmarks.speed.server_load",
    "benchmarks.record": "benchmarks.recordings.record",
    "benchmarks.scenario": "benchmarks.conformance.scenario",
    "benchmarks.signature": "benchmarks.conformance.play_signature",
    "benchmarks.worth": "benchmarks.card_values.measure",
    "envs.aec": "envs.base.aec",
    "envs.agent": "game.agent",
    "envs.device": "game.device",
    "envs.device_lanes": "envs.base.device_lanes",
    "envs.game": "game.game",
    "envs.games": "game.catalogue",
    "envs.lanes": "envs.base.lanes",
    "envs.registry": "game.registry",
    "envs.single_agent": "envs.base.single_agent",
    "envs.vector": "envs.base.vector",
    "training.believing": "training.auxiliary.belief",
    "training.judging": "training.auxiliary.value",
    "training.response": "training.best_response",
}


class MovedModules(MetaPathFinder, Loader):
    """Importer of modules under their old names; both names give the same module."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for an old name, and None for every other."""
        new = _new_name(fullname)
        found = importlib.util.find_spec(new) if new else None
        return ModuleSpec(fullname, self, origin=found.origin) if found else None

    def exec_module(self, module: ModuleType) -> None:
        """Replace the empty module by the one under the new name."""
        old = module.__name__
        sys.modules[old] = importlib.import_module(_warned(old))

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the code of the module under the new name, for `python -m`."""
        new = _warned(fullname)
        spec = importlib.util.find_spec(new)
        return spec.loader.get_code(new) if spec and isinstance(spec.loader, InspectLoader) else None


def _new_name(name: str) -> str | None:
    new = MOVED.get(name.removeprefix("stardeck."))
    return f"stardeck.{new}" if new and name.startswith("stardeck.") else None


def _warned(old: str) -> str:
    """Return the new name of a module, and warn about the old one."""
    new = _new_name(old) or old
    warnings.warn(f"{old} has moved; import {new}", DeprecationWarning, stacklevel=3)
    return new


def install() -> None:
    """Register the importer of old names, before all others: an old folder with compiled files looks like a module."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, MovedModules())
