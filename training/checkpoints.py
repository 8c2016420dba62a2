"""Checkpoints: everything that a training needs to continue exactly as if it had never stopped.

A checkpoint is a folder `checkpoints/<rollouts>/` that appears whole or not at all; the two newest are kept. It holds
only numbers: weights as in the files of agents, arrays and JSON. Nothing of it is executed, so a folder from a stranger
is safe to open. Unfinished games are not checked, however: edited by hand, they can crash the kernels.
"""

import json
import shutil
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors.torch import load, save
from torch import nn

from stardeck.agents.former_names import present
from stardeck.benchmarks.results.atomic_files import parse_json, whole, write_whole
from stardeck.benchmarks.results.compatibility import completed, difference
from stardeck.kernels.errors import reason
from stardeck.kernels.files import in_order_of_numbers, read_bytes, read_text, regular_file, unfinished_path
from stardeck.training.recipe import FLOAT32, OWN

if TYPE_CHECKING:
    from stardeck.envs.base.lanes import Lanes
    from stardeck.training.ppo.selfplay import Learner

KEPT = 2
IMITATION = "imitation"  # folder of an imitation that goes on
WEIGHTS = "weights.safetensors"
AVERAGED = "averaged.safetensors"
LANES = "lanes.npz"
NOTES = "notes.json"
LATER = {  # numbers that older recipes lack
    "precision": FLOAT32, "graphs": False, "final_entropy": 1.0, "critic": OWN, "magnet": 0.0,
    "magnet_averaging": 0.998,
}  # fmt: skip
MOMENTS = ("exp_avg", "exp_avg_sq")  # Adam's state of each weight


class CheckpointError(ValueError):
    """A folder whose training cannot be continued; the message gives the reason."""


class CheckpointFolder:
    """The folder of a training.

    `save` and `load` serve self-play; `save_policy` and `load_policy` serve a network alone; `save_imitation` and
    `load_imitation` serve what comes before the first checkpoint of either.

    Args:
        folder: The folder.
        identity: Dict that JSON can hold; a folder with another identity is refused.
    """

    def __init__(self, folder: str | Path, identity: dict) -> None:
        self.folder = Path(folder)
        self._checkpoints = self.folder / "checkpoints"
        path = self.folder / "course.json"
        if not path.exists():
            self._checkpoints.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(identity, indent=2) + "\n")
            return
        try:
            written = completed(dict(parse_json(read_text(path))))
            written = {"device": "cpu", "processes": 1} | written  # older files have neither
            if later := {name: LATER[name] for name in LATER if name in identity.get("recipe", ())}:
                recipe: Any = written.get("recipe", ())
                written["recipe"] = later | dict(recipe)
        except (OSError, TypeError, ValueError) as error:
            raise CheckpointError(
                f"{path}: is not a whole file ({reason(error)}); delete {self.folder} to start again"
            ) from error
        for key, value in json.loads(json.dumps(identity)).items():
            if other := difference(written.get(key), value, key):
                raise CheckpointError(f"{self.folder}: holds a training with {other}; choose another folder (--out)")

    @staticmethod
    def _whole(folder):
        """Return the checkpoints in a folder, the oldest first."""
        return in_order_of_numbers(path for path in folder.glob("*") if path.name.isdecimal())

    def newest(self) -> Path | None:
        """Return the newest checkpoint, or None."""
        return (self._whole(self._checkpoints) or [None])[-1]

    def save(self, learner: "Learner", notes: dict) -> None:
        """Write a checkpoint of a learner of selfplay.py, in the leading process of several.

        Args:
            learner: The learner.
            notes: Further data to keep, as JSON can hold it.
        """
        kind, keys, *rest = np.random.get_state()
        arrays, more = learner.memory()
        if not learner.group.leads:
            return
        arrays |= {"torch": torch.get_rng_state().numpy(), "numpy": np.asarray(keys)}
        with self._new(self._checkpoints, notes["rollouts"]) as folder:
            (folder / WEIGHTS).write_bytes(save(_tensors_of(learner.policy)))
            np.savez(folder / LANES, **arrays)  # type: ignore[arg-type]  # a name could be `allow_pickle`
            (folder / NOTES).write_text(json.dumps(notes | more | {"numpy": [kind, *rest]}), encoding="utf-8")

    def save_policy(self, policy: Any, averaged: nn.Module, number: int, notes: dict) -> None:
        """Write a checkpoint of a network, its optimizer, and the average of its weights.

        Args:
            policy: The network with its optimizer.
            averaged: The average of its weights.
            number: Number of the checkpoint.
            notes: Further data to keep, as JSON can hold it.
        """
        with self._new(self._checkpoints, number) as folder:
            (folder / WEIGHTS).write_bytes(save(_tensors_of(policy)))
            (folder / AVERAGED).write_bytes(save(_tensors_of(averaged)))
            (folder / NOTES).write_text(json.dumps(notes), encoding="utf-8")

    def save_imitation(self, policy: nn.Module, optimizer: torch.optim.Optimizer, lanes: "Lanes", done: int) -> None:
        """Write how far an imitation has come: network, optimizer, running games and the state of chance.

        Args:
            policy: The network.
            optimizer: The optimizer of the imitation.
            lanes: Games of the teacher.
            done: Decisions so far.
        """
        with self._new(self.folder / IMITATION, done) as folder:
            (folder / WEIGHTS).write_bytes(save(_tensors_of(policy, optimizer)))
            arrays = lanes.snapshot() | {"torch": torch.get_rng_state().numpy(), "done": np.int64(done)}
            np.savez(folder / LANES, **arrays)  # type: ignore[arg-type]  # as above

    def load_imitation(self, policy: nn.Module, optimizer: torch.optim.Optimizer, lanes: "Lanes") -> int:
        """Load the imitation that `save_imitation` has written, and return its decisions; 0 if there is none."""
        kept = self._whole(self.folder / IMITATION)
        if not kept:
            return 0
        try:
            _load_tensors(policy, load(read_bytes(kept[-1] / WEIGHTS)), optimizer)
            with regular_file(kept[-1] / LANES).open("rb") as file, np.load(file, allow_pickle=False) as saved:
                arrays = {name: saved[name] for name in saved.files}
            lanes.restore(arrays)
            torch.set_rng_state(torch.as_tensor(arrays["torch"]))
            return int(arrays["done"])
        except Exception as error:  # torch, safetensors, NumPy and zipfile each raise their own
            raise _not_whole(kept[-1], error) from error

    @contextmanager
    def _new(self, parent, number):
        """Yield the folder of a new checkpoint, and delete all but the newest ones."""
        place = parent / f"{number:08}"
        shutil.rmtree(unfinished_path(place), ignore_errors=True)  # of a process that was killed
        with whole(place) as folder:
            folder.mkdir(parents=True)
            yield folder
        for old in self._whole(parent)[:-KEPT]:
            shutil.rmtree(old)
        if parent == self._checkpoints:  # it holds what was imitated, too
            shutil.rmtree(self.folder / IMITATION, ignore_errors=True)

    def load_policy(self, folder: Path, policy: Any, averaged: nn.Module) -> dict:
        """Load a network, its optimizer and the average from a checkpoint, and return its notes."""
        try:
            notes = present(dict(parse_json(read_text(folder / NOTES))))
            _check_figures(notes, ("rounds", "copies", "decisions"))
            _load_tensors(policy, load(read_bytes(folder / WEIGHTS)))
            _load_tensors(averaged, load(read_bytes(folder / AVERAGED)))
        except Exception as error:  # torch and safetensors each raise their own
            raise _not_whole(folder, error) from error
        return notes

    def load_notes(self, folder: Path) -> dict:
        """Return the notes of a checkpoint."""
        try:
            notes = present(dict(parse_json(read_text(folder / NOTES))))
            _check(notes)
        except (OSError, LookupError, TypeError, ValueError) as error:
            raise _not_whole(folder, error) from error
        return notes

    def load(self, folder: Path, learner: "Learner") -> None:
        """Load a learner from a checkpoint, with its running games and the state of chance."""
        notes = self.load_notes(folder)
        try:
            learner.begin(0)
            _load_tensors(learner.policy, load(read_bytes(folder / WEIGHTS)))
            with regular_file(folder / LANES).open("rb") as file, np.load(file, allow_pickle=False) as saved:
                arrays = {name: saved[name] for name in saved.files}
            kind, *rest = notes["numpy"]
            np.random.set_state((kind, arrays["numpy"], *rest))
            torch.set_rng_state(torch.as_tensor(arrays["torch"]))
            learner.recall(arrays, notes)
        except Exception as error:  # torch, safetensors, NumPy and zipfile each raise their own
            raise _not_whole(folder, error) from error


def _not_whole(folder, error):
    why = reason(error)
    return CheckpointError(f"{folder}: is not a whole checkpoint ({why}); delete it to go on from the previous one")


def _check(notes):
    """Raise ValueError, TypeError or LookupError for notes that self-play has not written."""
    _check_figures(notes, ("rollouts", "copies", "decisions", "updates"))
    if len(notes["numpy"]) != 4 or type(notes.get("evaluating", False)) is not bool:
        raise ValueError("its counts are not whole numbers")


def _check_figures(notes, counted):
    """Raise ValueError, TypeError or LookupError where counts, times or evaluations are not numbers."""
    if not all(type(notes[name]) is int and notes[name] >= 0 for name in counted):
        raise ValueError("its counts are not whole numbers")
    check_numbers(dict(notes["seconds"]).values())
    for entry in notes["evaluations"]:
        rates = [entry, *dict(entry["panel"]).values(), *([entry["before"]] if entry["before"] else [])]
        check_numbers([entry["decisions"], entry["seconds"], *(rate["win_rate"] for rate in rates)])
        if entry["copies"] not in range(1, notes["copies"] + 1):
            raise ValueError("it was evaluated with frozen copies that do not exist")


def check_numbers(numbers: Iterable[Any]) -> None:
    """Raise ValueError where one of them is not a number."""
    if not all(type(number) in (int, float) for number in numbers):
        raise ValueError("its figures are not numbers")


def _tensors_of(policy, optimizer=None) -> dict:
    """Return the weights of a policy by name, and the state of each in an optimizer, by default its own."""
    tensors = {}
    states = (optimizer or policy.optimizer).state
    for name, weights in policy.named_parameters():
        tensors[name] = weights.detach()
        remembered = states.get(weights, {})
        tensors |= {f"{name}:{part}": value for part, value in remembered.items()}
    return tensors


def _load_tensors(policy, tensors, optimizer=None):
    """Load weights and the optimizer's state as `_tensors_of` has returned them."""
    optimizer = optimizer or policy.optimizer
    for name, weights in policy.named_parameters():
        remembered = {part: tensors[f"{name}:{part}"] for part in (*MOMENTS, "step") if f"{name}:{part}" in tensors}
        for part in (tensors[name], *(remembered[moment] for moment in MOMENTS if remembered)):
            if (part.shape, part.dtype) != (weights.shape, weights.dtype):
                raise ValueError(f"{name}: {list(part.shape)} of {part.dtype}, not {list(weights.shape)}")
        weights.data.copy_(tensors[name])
        if remembered:
            moments = {moment: remembered[moment].to(weights.device) for moment in MOMENTS}
            place = weights.device if optimizer.param_groups[0]["fused"] else "cpu"
            optimizer.state[weights] = moments | {"step": remembered["step"].reshape(()).to(place)}
