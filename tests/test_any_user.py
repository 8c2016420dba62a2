"""The steps of `examples/any_user.Dockerfile` without Docker: warmed up and run as the user that it names."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest

from other_user import close, content, other, python_of_others

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an image of Linux")
ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "examples" / "any_user.Dockerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GAME, EXAMPLE = "beacons", "examples/new_game.py"  # the game that compiles fastest
STARDECK = ["-c", "import stardeck_start; stardeck_start.main()"]


def steps():
    """Return the instructions with their arguments."""
    lines = re.sub(r"\\\n", " ", TEXT).splitlines()
    return [tuple(line.split(maxsplit=1)) for line in lines if line.strip() and not line.startswith("#")]


def in_image(folder, text):
    """Replace the image's folders in a text by folders below `folder`."""
    return re.sub(r"(?<![\w.])/(opt|tmp)\b", rf"{folder}/\1", text)


class Image:
    """The files that the steps of the Dockerfile leave behind."""

    def __init__(self, folder, arguments):
        self.folder, self.arguments, self.environment, self.user = folder, arguments, {}, 0
        for instruction, given in steps():
            getattr(self, f"do_{instruction.lower()}")(given)

    def do_from(self, given):
        version = re.fullmatch(r"python:(\d+\.\d+)-slim", given)[1]
        assert f"Programming Language :: Python :: {version}" in PROJECT["classifiers"]

    def do_arg(self, given):
        name, _, default = given.partition("=")
        self.arguments.setdefault(name, default.strip('"'))

    def do_env(self, given):
        name, _, value = given.partition("=")
        self.environment[name] = in_image(self.folder, value)

    def do_workdir(self, given):
        self.here = Path(in_image(self.folder, given))
        self.here.mkdir(parents=True, exist_ok=True)

    def do_copy(self, given):
        """Copy the sources of the package."""
        assert given == ". ."
        everywhere = shutil.ignore_patterns(".*", "__pycache__")
        left_out = {"tests", "docs", "notebooks", "build", "results"}  # in the root alone: benchmarks has results, too

        def ignored(folder, names):
            return everywhere(folder, names) | (left_out & set(names) if Path(folder) == ROOT else set())

        shutil.copytree(ROOT, self.here, ignore=ignored, dirs_exist_ok=True)
        self.package = self.here

    def do_run(self, given):
        words = [word for word in shlex.split(re.sub(r"\$\{(\w+)\}", lambda found: self.arguments[found[1]], given))]
        if words[:2] == ["pip", "install"]:
            extras = re.fullmatch(r"\.\[(.+)\]", words[-1])[1]
            assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
            self.install()
            return
        assert words[0] == "stardeck"
        self.told = self.stardeck(sys.executable, *(in_image(self.folder, word) for word in words[1:]))

    def install(self):
        """Install the package where Python finds it, as pip does with the wheel (test_packaging.py)."""
        self.site = self.folder / "site"
        self.site.mkdir()
        for name, folder in (("stardeck", self.package), ("stardeck_start", self.package / "start")):
            (self.site / name).symlink_to(folder)

    def do_user(self, given):
        self.user = int(given)

    def do_entrypoint(self, given):
        assert json.loads(given) == ["stardeck"]

    def do_cmd(self, given):
        self.default = json.loads(given)

    def stardeck(self, python, *arguments, **who):
        """Run the command; return output and errors."""
        libraries = [str(self.site), *(path for path in sys.path if path.endswith("site-packages"))]
        environment = {"PATH": os.defpath, "HOME": "/nonexistent", "TMPDIR": str(self.folder / "tmp"),
                       "PYTHONPATH": os.pathsep.join(libraries), "PYTHONDONTWRITEBYTECODE": "1"}  # fmt: skip
        environment |= {"NUMBA_DISABLE_JIT": "0", "STARDECK_GAMES": str(self.package / EXAMPLE)} | self.environment
        done = subprocess.run(
            [python, *STARDECK, *arguments], env=environment, cwd=self.here, capture_output=True, text=True, **who
        )
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr


@pytest.fixture(scope="module")
def image():
    folder = Path(tempfile.mkdtemp(prefix="stardeck-image-"))
    folder.chmod(0o755)
    (folder / "tmp").mkdir()
    (folder / "tmp").chmod(0o1777)
    mask = os.umask(0o077)  # files of the image are readable nevertheless
    try:
        (folder / "opt").mkdir(mode=0o755)
        (folder / "opt").chmod(0o755)
        made = Image(folder, {"GAMES": GAME})
    finally:
        os.umask(mask)
    for path in (folder / "opt" / "stardeck", *(folder / "opt" / "stardeck").rglob("*"), folder / "site"):
        path.chmod(0o755 if path.is_dir() else 0o644)  # like COPY and pip
    close(folder / "opt")
    yield made
    for path in folder.rglob("*"):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.once
def test_an_image_is_warmed_while_it_is_built_and_any_user_loads_it(image):
    out, err = image.told
    assert f"{GAME}: ready (" in out and f"set NUMBA_CACHE_DIR={image.folder}/opt/stardeck-cache" in out
    assert f"stardeck: compiling {GAME} (first run of this version)" in err
    kept = content(image.folder / "opt")
    assert len([path for path in kept if path.suffix == ".nbc"]) > 20
    for user in (image.user, image.user + 1):
        for command in ("watch", "advantage"):
            words = [GAME, "--seed", "3"] if command == "watch" else [GAME, "--games", "4", "--out", f"out-{user}"]
            _, told = image.stardeck(python_of_others(), command, *words, "--agents", "random", **other(user))
            assert "compiling" not in told
    assert content(image.folder / "opt") == kept
    assert not list((image.folder / "tmp").rglob("*.nbc"))


@pytest.mark.once
def test_the_image_says_what_it_holds_to_whoever_asks_for_nothing(image):
    out, _ = image.stardeck(python_of_others(), *image.default, **other(image.user))
    assert image.user > 0 and GAME in out
