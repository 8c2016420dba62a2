"""The package: complete, importable under one name, fast to import, and playable without the extra for measuring."""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from stardeck.benchmarks.optional_dependencies import MODULES

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS = sorted(path.parent.name for path in ROOT.glob("[a-z]*/__init__.py"))
ROOTS = {folder: name for name, folder in PROJECT["tool"]["setuptools"]["package-dir"].items()}
PACKAGED = (".py", ".toml", ".safetensors", ".json", ".html", ".css", ".js", ".svg", ".md", ".LICENSE")
SCENARIOS = ROOT / "tests" / "scenarios" / "interstellar_empire" / "draw.yaml"

# Runs with all libraries of the extras hidden: first what a player needs, then measurements.
PLAY = """
import gymnasium, json, os, sys
for module in json.loads(sys.argv[1]):
    sys.modules[module] = None
import stardeck
from stardeck.commands import cli
from stardeck.envs import star_realms_v1

assert os.path.dirname(stardeck.__file__) == os.path.join(os.path.abspath(sys.argv[2]), "stardeck"), stardeck.__file__
stardeck.make("star_realms").deal(1)
star_realms_v1.env().reset(seed=1)
gymnasium.make("stardeck/StarRealms-v1", opponents="ppo").reset(seed=1)

def run(*arguments):
    sys.argv = ["stardeck", *arguments]
    try:
        cli.main()
    except SystemExit as exit:
        print(f"\\n{arguments[0]} {exit.code}")

run("list", "--settings", "star_realms", "--json")
run("watch", "star_realms", "--agents", "random", "--max-turns", "2", "--save", "game.jsonl")
run("replay", "game.jsonl")
run("scenario", os.environ["SCENARIOS"])
run("play", "interstellar_empire")
for command in ("advantage", "league", "train"):
    run(command, "star_realms", "--out", "results")
"""


def tracked_files():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {Path(name) for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}


def packaged_files():
    """Return the files of the package, as paths in the clone."""
    inside = {path for path in tracked_files() if path.parts[0] in FOLDERS and path.suffix in PACKAGED}
    return inside | {path for path in tracked_files() if len(path.parts) == 1 and path.suffix in {".py", ".typed"}}


def installed_as(path):
    """Return the place of a clone's file in the package: the root is `stardeck`, a folder may have its own name."""
    if path.parts[0] in ROOTS:
        return Path(ROOTS[path.parts[0]], *path.parts[1:])
    return Path(ROOTS["."], path)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build an sdist and the wheel from it, and a wheel from a copy of the clone; return the folder and all output."""
    folder = tmp_path_factory.mktemp("built")
    copy = folder / "clone"
    for path in tracked_files():
        target = copy / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / path).read_bytes())
    build = [sys.executable, "-m", "build", "--no-isolation", str(copy)]
    said = ""
    for command in (
        [*build, "--outdir", str(folder / "release")],
        [*build, "--wheel", "--outdir", str(folder / "tree")],
    ):
        run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
        said += run.stdout + run.stderr
        assert run.returncode == 0, said
    return folder, said


@pytest.fixture(scope="module")
def installed(built):
    """Return the folder with the installed wheel."""
    folder, _ = built
    (wheel,) = (folder / "release").glob("*.whl")
    target = folder / "installed"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", str(target), str(wheel)], check=True)
    return target


def members(wheel):
    with zipfile.ZipFile(wheel) as file:
        return {name: file.read(name) for name in file.namelist() if not name.endswith("/RECORD")}


def test_pyproject_lists_every_package_folder():
    on_disk = {".".join(installed_as(path).parent.parts) for path in packaged_files()}
    assert "stardeck.kernels.star_realms" in on_disk
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == on_disk


def test_building_warns_of_nothing(built):
    _, said = built
    assert "Successfully built" in said
    assert "!!" not in said and "absent from" not in said, said


def test_the_wheel_holds_what_is_tracked_and_nothing_else(built):
    folder, _ = built
    (wheel,) = (folder / "release").glob("*.whl")
    held = {name for name in members(wheel) if ".dist-info/" not in name}
    assert held == {installed_as(path).as_posix() for path in packaged_files()}


def test_the_sdist_holds_what_is_tracked(built):
    folder, _ = built
    (sdist,) = (folder / "release").glob("*.tar.gz")
    with tarfile.open(sdist) as file:
        held = {Path(*Path(entry.name).parts[1:]) for entry in file.getmembers() if entry.isfile()}
    made = {path for path in held if path.name in ("PKG-INFO", "setup.cfg") or "egg-info" in str(path)}
    documents = {"pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff"}
    assert held - made == packaged_files() | set(map(Path, documents))


def test_the_wheel_from_the_sdist_is_the_one_from_the_tree(built):
    folder, _ = built
    (released,), (from_tree,) = (folder / "release").glob("*.whl"), (folder / "tree").glob("*.whl")
    assert members(released) == members(from_tree)


def test_the_installed_wheel_plays_without_the_extras(installed, tmp_path):
    hidden = sorted({module for modules in MODULES.values() for module in modules} | {"torch", "pandas"})
    environment = os.environ | {"PYTHONPATH": str(installed), "NUMBA_DISABLE_JIT": "1", "SCENARIOS": str(SCENARIOS)}
    command = [sys.executable, "-c", PLAY, json.dumps(hidden), str(installed)]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, input="")
    assert run.returncode == 0, run.stderr
    told = [line for line in run.stdout.splitlines() if re.fullmatch(r"\w+ (\d+|None)", line)]
    played = ["list 0", "watch 0", "replay 0", "scenario 0", "play 0"]
    assert told == [*played, "advantage 2", "league 2", "train 2"], run.stdout + run.stderr
    errors = [line for line in run.stderr.splitlines() if "pip install" in line]
    assert len(errors) == 3 and all("pyarrow" in line and "'stardeck[measure]'" in line for line in errors), run.stderr
    assert not (tmp_path / "results").exists()


def test_training_names_its_own_extra(tmp_path):
    code = "import sys; sys.modules['sb3_contrib'] = None; from stardeck.commands.cli import main; main()"
    command = [sys.executable, "-c", code, "train", "star_realms", "--out", "results"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stderr == "stardeck: sb3_contrib: not installed; pip install 'stardeck[train]'\n"


def test_the_modules_of_an_extra_are_what_it_installs():
    for extra, modules in MODULES.items():
        names = {re.match(r"[\w-]+", wanted)[0] for wanted in PROJECT["project"]["optional-dependencies"][extra]}
        assert {name.replace("-", "_") for name in names - {"stardeck"}} == set(modules)


def _wanted(extra):
    """Return an extra's requirements, with nested extras: {name: [SpecifierSet]}."""
    found = {}
    for text in PROJECT["project"]["optional-dependencies"][extra]:
        wanted = Requirement(text)
        found.setdefault(wanted.name, []).append(wanted.specifier)
    return found


def test_the_extra_for_gpus_takes_no_numpy_that_its_numba_cuda_cannot_import():
    """Regression: with Python 3.12 and later pip took NumPy 2.5, which no longer has `row_stack`."""
    code = "import numpy; del numpy.row_stack; import numba.cuda.np.arrayobj"
    without = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    broken = "row_stack" in without.stderr
    assert broken or without.returncode == 0, without.stderr
    allowed = _wanted("cuda")["numpy"]
    assert all("2.4.99" in versions for versions in allowed)
    assert broken != all("2.5.0" in versions for versions in allowed), "the bound goes when numba-cuda is mended"


def test_the_extra_for_measuring_has_what_guides_import():
    """Regression: a guide imported pandas, which only the extra for tests installed."""
    known = {"numpy", "gymnasium", "pettingzoo", "numba", "stardeck", *sys.stdlib_module_names}
    for page in ("measure", "reproduce_and_cite", "balance"):
        text = (ROOT / "docs" / "guides" / f"{page}.md").read_text(encoding="utf-8")
        code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.S))
        imported = set(re.findall(r"^(?:import|from) (\w+)", code, re.M))
        assert imported - known <= set(MODULES["measure"]), page
    text = (ROOT / "docs" / "guides" / "measure.md").read_text(encoding="utf-8")
    assert "import pandas" in text


def test_classifiers_are_what_the_workflow_tries():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["tests"]["strategy"]["matrix"]
    listed = {f"Programming Language :: Python :: {python}" for python in matrix["python"]}
    assert len(listed) >= 3
    assert {name for name in PROJECT["project"]["classifiers"] if ":: 3." in name} == listed
    assert (
        f">={min(matrix['python'], key=lambda text: int(text.split('.')[1]))}" == PROJECT["project"]["requires-python"]
    )
    systems = {*matrix["system"], *(more["system"] for more in matrix["include"])}
    assert systems == {"ubuntu-latest", "macos-latest", "windows-latest"}


def _prepared(folder, url):
    """Return a folder with pyproject.toml and README.md as the release workflow prepares them."""
    for name in ("pyproject.toml", "README.md"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, str(ROOT / ".github" / "release_metadata.py"), url]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_release_has_its_addresses_from_one_variable(tmp_path):
    url = "https://example.org/someone/fork"
    run = _prepared(tmp_path, url)
    assert run.returncode == 0, run.stderr
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"Homepage", "Documentation", "Changelog", "Issues"} == set(project["urls"])
    assert all(address.startswith(url) for address in project["urls"].values())
    assert {"scripts", "authors", "license", "readme"} <= set(project)
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", readme)
    found = [first or second for first, second in targets]
    assert len(found) > 20
    for target in found:  # PyPI shows the page without any of the files
        kept = re.fullmatch(rf"{url}/(?:blob|raw)/v{re.escape(project['version'])}/([^#]+)(?:#[\w-]+)?", target)
        assert kept and (ROOT / kept[1]).exists(), target


@pytest.mark.parametrize("url", ["", "stardeck", "https://example.org", 'https://example.org/a/b"\nx = "'])
def test_a_release_refuses_what_is_no_address(tmp_path, url):
    run = _prepared(tmp_path, url)
    assert run.returncode == 1 and "must be https://HOST/OWNER/NAME" in run.stderr
    assert (tmp_path / "README.md").read_bytes() == (ROOT / "README.md").read_bytes()


def test_the_release_workflow_is_trusted_by_its_name_and_needs_no_secret():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"} and jobs["publish"]["needs"] == "build"
    assert "secrets." not in text and "password" not in text
    said = (ROOT / "RELEASING.md").read_text(encoding="utf-8")
    for name in ("release.yml", "`pypi`", "`testpypi`", "PROJECT_URL"):
        assert name in said
        assert name.strip("`") in text + "release.yml"
    assert not re.search(r"github\.com/\w", text + said + (ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_only_the_package_itself_lies_in_the_root():
    assert sorted(path.name for path in ROOT.glob("*.py")) == [
        "__init__.py",
        "datasets.py",
        "moved.py",
        "plots.py",
        "results.py",
    ]


def test_version_is_the_one_of_the_package():
    import stardeck

    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert stardeck.__version__ == PROJECT["project"]["version"] == cited["version"]
    heading = "## Unreleased" if ".dev" in stardeck.__version__ else f"## {stardeck.__version__}"
    assert changes.split("\n## ")[1].split("\n")[0] == heading.removeprefix("## ")


def test_import_needs_neither_the_commands_nor_torch():
    code = "import sys, stardeck; print(*[m for m in ('pyarrow', 'matplotlib', 'torch', 'click') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
