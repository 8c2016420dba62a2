"""The package is complete, imports under one name, and imports fast."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("agents", "benchmarks", "envs", "kernels", "training")


def test_pyproject_lists_every_package_folder():
    on_disk = {"stardeck"} | {
        "stardeck." + ".".join(init.parent.relative_to(ROOT).parts)
        for folder in FOLDERS
        for init in (ROOT / folder).rglob("__init__.py")
    }
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert set(settings["tool"]["setuptools"]["packages"]) == on_disk


def test_only_the_package_itself_lies_in_the_root():
    assert [path.name for path in ROOT.glob("*.py")] == ["__init__.py"]


def test_version_is_the_one_of_the_package():
    import stardeck

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert stardeck.__version__ == settings["project"]["version"]


def test_import_needs_neither_the_commands_nor_torch():
    code = "import sys, stardeck; print(*[m for m in ('pyarrow', 'matplotlib', 'torch', 'click') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
