"""Checkpoints: all that a training needs to go on exactly as if it had never stopped.

A checkpoint is a folder `checkpoints/<rollouts>/` that appears whole or not at all; the two newest are kept.
"""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import torch
from sb3_contrib import MaskablePPO

KEPT = 2


class CourseError(ValueError):
    """A folder cannot be trained on in; the message says why."""


class Course:
    """The folder of a training. identity: a dict that JSON can hold; a folder with another one is refused."""

    def __init__(self, folder, identity: dict):
        self.folder = Path(folder)
        self._checkpoints = self.folder / "checkpoints"
        path = self.folder / "course.json"
        identity = json.loads(json.dumps(identity))
        if path.exists():
            try:
                written = json.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                raise CourseError(
                    f"{path}: is not a whole file ({error}); delete {self.folder} to begin anew"
                ) from error
            for key, value in identity.items():
                if written.get(key) != value:
                    other = f"{key} {json.dumps(written.get(key))}, not {json.dumps(value)}"
                    raise CourseError(f"{self.folder}: holds a training with {other}; choose another folder (--out)")
            return
        try:
            self._checkpoints.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_suffix(".tmp")
            unfinished.write_text(json.dumps(identity, indent=2) + "\n", encoding="utf-8")
            os.replace(unfinished, path)
        except OSError as error:
            raise CourseError(f"{self.folder}: cannot be written to ({error.strerror})") from error

    def newest(self):
        """The newest checkpoint, or None."""
        whole = sorted(path for path in self._checkpoints.glob("*") if path.suffix != ".tmp")
        return whole[-1] if whole else None

    def save(self, model, lanes, notes: dict) -> None:
        """Write a checkpoint. notes: what else is to be kept, as JSON can hold it."""
        folder = self._checkpoints / f"{notes['rollouts']:08}"
        unfinished = folder.with_suffix(".tmp")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        model.save(unfinished / "model.zip")
        kind, keys, *rest = np.random.get_state()
        np.savez(unfinished / "lanes.npz", torch=torch.get_rng_state().numpy(), numpy=keys, **lanes.snapshot())
        (unfinished / "notes.json").write_text(json.dumps(notes | {"numpy": [kind, *rest]}), encoding="utf-8")
        os.replace(unfinished, folder)
        for old in sorted(path for path in self._checkpoints.glob("*") if path.suffix != ".tmp")[:-KEPT]:
            shutil.rmtree(old)

    def load_notes(self, folder) -> dict:
        """The notes of a checkpoint."""
        try:
            return json.loads((folder / "notes.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CourseError(
                f"{folder}: is not a whole checkpoint ({error}); delete it to go on from before"
            ) from error

    def load_model(self, folder, env):
        """The model of a checkpoint, its games dealt as they were, and chance where it was."""
        try:
            model = MaskablePPO.load(folder / "model.zip", env, device="cpu", force_reset=False)
            with np.load(folder / "lanes.npz") as saved:
                arrays = {name: saved[name] for name in saved.files}
        except Exception as error:  # torch, zipfile and json each raise their own
            raise CourseError(
                f"{folder}: is not a whole checkpoint ({error}); delete it to go on from before"
            ) from error
        env.lanes.restore(arrays)
        model._last_obs = env.lanes.observations
        torch.set_rng_state(torch.as_tensor(arrays["torch"]))
        kind, *rest = self.load_notes(folder)["numpy"]
        np.random.set_state((kind, arrays["numpy"], *rest))
        return model
