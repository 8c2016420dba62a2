"""Claims of README, CONTRIBUTING and the manual: Python runs, commands are valid, and named things exist."""

import re
import shlex
from pathlib import Path

import click
import pytest

from helpers import game_of, scaled
from stardeck.commands.cli import COMMANDS, cli

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
FOLDERS = sorted(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "_")))
GENERATED = {"build", "results", "dist"}

# Manuals use larger budgets than tests.
RECIPE = (
    '{"steps": 8, "imitation": 0, "value_rounds": 0, "num_envs": 2, "rollout": 4, "batch": 8, "evaluation_games": 2, '
    '"units": (8,)}'
)
BUDGETS = {
    r"recipe=\{[^}]*\}": f"recipe={RECIPE}",
    r"games=100\b": f"games={scaled(100, 2)}",
    r"search:20": f"search:{scaled(20, 1)}",
    r"arange\(1000\)": f"arange({scaled(1000, 2)})",
    r'"StarRealms-v1", 256': f'"StarRealms-v1", {scaled(256, 2)}',
}
# Placeholders for values in a command.
PLACEHOLDERS = {"--format F": "--format hunter", "--players P": "--players 3", "--scenario K": "--scenario 1"}


def blocks():
    for name, text in TEXTS.items():
        for number, code in enumerate(re.findall(r"```python\n(.*?)```", text, re.S), 1):
            yield pytest.param(code, id=f"{name}-{number}")


def commands():
    """Yield every `stardeck …` with arguments, from shell blocks and from running text: (page, command)."""
    for name, text in TEXTS.items():
        shell = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.S))
        running = re.sub(r"```.*?```", "", text, flags=re.S)
        written = [line.split(" #")[0].strip() for line in shell.splitlines()]
        written += [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", running)]
        yield from ((name, line) for line in written if re.match(r"stardeck [a-z]", line) and "…" not in line)


def paths():
    """Yield every path in backticks below a folder of the clone, and every link target: (page, path from the root)."""
    for name, text in TEXTS.items():
        for path in re.findall(r"`((?:" + "|".join(FOLDERS) + r")/[\w/.=,*-]*)`", text):
            yield name, path
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
            path = (ROOT / name).parent.joinpath(target).resolve().relative_to(ROOT).as_posix()
            yield name, path


@pytest.mark.parametrize("code", list(blocks()))
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_python_runs(code, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    for written, spent in BUDGETS.items():
        code = re.sub(written, spent, code)
    exec(compile(code, "manual", "exec"), {})


def test_there_is_python_to_run():
    assert sum(block.id.startswith("README.md") for block in blocks()) >= 2
    assert sum(block.id.startswith("docs/") for block in blocks()) >= 5


@pytest.fixture
def files_named(monkeypatch, tmp_path):
    """Create a folder with the files that commands of the manual read."""
    monkeypatch.chdir(tmp_path)
    for name in ("game.jsonl", "game.txt", "mine.toml", "manual.md"):
        Path(name).write_text("")
    for folder in ("match", "moves", "star_realms-core-standard-2"):
        Path("results", folder).mkdir(parents=True)
    for folder in (
        "my_logs",
        "other_logs",
        "docs",
        "leaderboard",
        "results/first_entry",
        "results/benchmark-mine.py-Agent",
    ):
        Path(folder).mkdir()
    Path("leaderboard", "rules.json").write_text("")
    Path("examples").symlink_to(ROOT / "examples", target_is_directory=True)


@pytest.mark.usefixtures("files_named")
def test_commands_are_understood():
    known = {name: cli.get_command(None, name) for name in COMMANDS}
    checked = {}
    for page, line in commands():
        for written, value in PLACEHOLDERS.items():
            line = line.replace(written, value)
        _, name, *arguments = shlex.split(line)
        assert name in known, f"{page}: {line}"
        found = [sorted(map(str, ROOT.glob(item))) if "*" in item else [item] for item in arguments]
        arguments = [item for items in found for item in items]
        if arguments or name in ("list", "bench"):
            known[name].make_context(
                name, arguments, parent=click.Context(cli, **cli.context_settings)
            )  # a usage error names its cause
        checked.setdefault(page, set()).add(name)
    assert checked["README.md"] >= set(known)
    assert len(checked) >= 8, "commands of the manual"


FOLDER_OF = {"advantage": "", "league": "league-", "fair": "fair-", "worth": "worth-", "train": "train-",
             "exploit": "exploit-", "train-value": "value-", "train-belief": "belief-",
             "agreement": "agreement-", "dataset": "dataset-", "report": None}  # fmt: skip
GOES_ON_WITH = {
    "figure",
    "games",
    "workers",
    "on",
    "as_json",
    "only",
    "manuals",
}  # may change when a command continues a folder


def results():
    """Yield every command and every call in Python that writes results: (page, line, folder, measurement)."""
    for name, text in TEXTS.items():
        for line in re.findall(r"^stardeck .*", "\n".join(re.findall(r"```sh\n(.*?)```", text, re.S)), re.M):
            line = line.split(" #")[0]
            _, command, *arguments = shlex.split(line)
            if command not in FOLDER_OF:
                continue
            context = cli.get_command(None, command).make_context(
                command, arguments, parent=click.Context(cli, **cli.context_settings)
            )
            given = {key: value for key, value in context.params.items() if value is not None}
            settings = {
                option: given[option] for option in context.meta.get("stardeck.settings", {}) if option in given
            }
            variant = f"{given.get('game')} {settings}"
            out = given.pop("out", None) or f"{given.get('what') or FOLDER_OF[command]}{variant}"
            yield name, line, out, (command, str({k: v for k, v in given.items() if k not in GOES_ON_WITH}))
        for code in re.findall(r"```python\n(.*?)```", text, re.S):
            for call in re.findall(r"^.*\bout=\"results/.*", code, re.M):
                out = re.search(r'out="([^"]*)"', call)[1]
                yield name, call, out, (re.search(r"(\w+)\(", call)[1], call.split("(", 1)[1])


@pytest.mark.usefixtures("files_named")
def test_no_two_commands_want_the_same_folder_for_different_results():
    """Regression: `results/match` had other agents in README and in a guide, and the second command was refused."""
    wanted = {}
    for page, line, folder, what in results():
        wanted.setdefault(folder, {}).setdefault(what, f"{page}: {line}")
    clashes = {folder: list(lines.values()) for folder, lines in wanted.items() if len(lines) > 1}
    assert not clashes
    assert len(wanted) >= 25


def test_what_is_installed_stays_editable():
    """Regression: `pip install ".[web]"` of a guide replaced the editable install of `make advantage`."""
    lines = [line for text in TEXTS.values() for line in re.findall(r"pip install [^`\n]*\"[^`\n]*\"", text)]
    of_clone = [line for line in lines if '".' in line]
    assert len(of_clone) >= 8 and all("--editable" in line for line in of_clone)


def test_pages_read_well_where_nothing_builds_them():
    """Regression: a code host showed 45 marks and five includes, one of them broken, as plain text."""
    writers = re.search(r"WRITERS = .*?\(\n(.*?)\)", (ROOT / "docs/made_from_code.py").read_text("utf-8"), re.S)[1]
    known, marks = set(re.findall(r"\w+", writers)), 0
    for page, text in TEXTS.items():
        assert not re.search(r"^(?:\[\[\w+ \S+\]\]|-*8 ?<.*|:::.*)$", text, re.M), page
        for name, below in re.findall(r"^<!-- (\w+)(?: \S+)? -->\n(.*)", text, re.M):
            assert name in known and re.fullmatch(r"\S.*`.*\.", below), f"{page}: {name}: {below}"
            marks += 1
    assert marks >= 45


def test_pages_of_the_reference_link_where_names_are_defined():
    lines = [line for page, text in TEXTS.items() if page.startswith("docs/api/") for line in text.splitlines()]
    linked = [line for line in lines if "](../../" in line]
    assert len(linked) >= 40
    for line in linked:
        source = (ROOT / re.search(r"\]\(\.\./\.\./(.*)\)", line)[1]).read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+)`", line):
            assert re.search(rf"^(?:class|def) {name}\b|^{name}\b.* = ", source, re.M), line


def test_targets_of_make_exist():
    targets = set(re.findall(r"^([\w.-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = {target for text in TEXTS.values() for target in re.findall(r"^make ([\w-]+)|`make ([\w-]+)", text, re.M)}
    named = {first or second for first, second in named}
    assert {"test", "lint", "docs", "advantage"} <= named <= targets


def test_folders_and_files_named_exist():
    found = {}
    for page, path in paths():
        if path.split("/")[0] in GENERATED:
            continue
        assert list(ROOT.glob(path.rstrip("/"))), f"{page}: {path}"
        found.setdefault(page, []).append(path)
    assert len(found["README.md"]) >= 15 and len(found["CONTRIBUTING.md"]) >= 20
    assert sum(page.startswith("docs/") for page in found) >= 8


def test_the_readme_is_short_and_its_sizes_are_those_of_the_code():
    readme = TEXTS["README.md"]
    game = game_of("star_realms/core/standard/2")
    assert len(readme.splitlines()) < 160
    assert {int(size) for size in re.findall(r"int8\[\d+, (\d+)\]", readme)} == {
        game.num_actions,
        game.observation_size,
    }
    assert not re.search(r"\d %|\bElo\b|\d games/s", readme), (
        "figures stand in docs/ beside the commands that make them"
    )
