"""Optional libraries, and the error line where one is missing."""

import importlib
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [("sb3", "stable_baselines3.common.vec_env", "train"), ("openspiel", "pyspiel", "openspiel")],
)
def test_a_face_without_its_library_names_the_extra(module, library, extra, monkeypatch):
    name = f"stardeck.envs.{module}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ModuleNotFoundError, match=rf"^{library}: not installed; pip install 'stardeck\[{extra}\]'$"):
        importlib.import_module(name)
