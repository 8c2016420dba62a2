"""Direction of imports: between the folders of the package, and between the rings of a game."""

import ast
import re
import sys
from graphlib import TopologicalSorter

import pytest

from architecture import FOLDERS, GAMES, ROOT, arrows, counted, imports, inside, library_imports, modules, reached

# Folders that a folder may import, at module level or inside functions; imports for types do not count.
BELOW = {
    "kernels": set(),
    "viewer": {"kernels"},
    "game": {"kernels", "viewer"},
    "agents": {"kernels", "game"},
    "envs": {"kernels", "viewer", "game", "agents"},
    "benchmarks": {"kernels", "game", "agents", "envs"},
    "training": {"kernels", "game", "agents", "envs", "benchmarks"},
    "web": {"kernels", "viewer", "game", "agents", "envs", "benchmarks"},
    "language": {"kernels", "game", "agents", "benchmarks", "web"},
    "commands": {"kernels", "viewer", "game", "agents", "envs", "benchmarks", "training", "web", "language"},
}
# The rings of a game, from the inside out; cards and play are on one level. Games with many operations keep them apart.
RINGS = {
    "state": set(),
    "operations": {"state"},
    "rules": {"state", "operations"},
    "cards": {"state", "operations", "rules"},
    "play": {"state", "operations", "rules"},
    "spaces": {"state", "operations", "rules", "cards", "play"},
    "text": {"state", "operations", "rules", "cards", "play", "spaces"},
    "__init__": {"state", "operations", "rules", "cards", "play", "spaces", "text"},
}
LIBRARIES_OF_KERNELS = {"numpy", "numba", "filelock", "rich"} | set(sys.stdlib_module_names)
OF_ALL_GAMES = {"compile", "contract", "cuda", "loops", "primitives", "text"}  # folders of kernels/
# Code that serves every game, and yet names one.
NAMES_A_GAME = {
    "game.catalogue": "which games come with the package",
    "agents.names": "agents of Star Realms have names and files of their own",
    "benchmarks.conformance.scenario": "scenarios of a campaign are written as those of Star Realms",
    "benchmarks.results.compatibility": "what version 0.1 wrote of each game",
    "benchmarks.speed.gpu_report": "what the report plays and measures",
    "benchmarks.speed.measure": "what `bench` measures by default",
    "benchmarks.speed.server_load": "which game the clients play",
}
STANDS_ON = {"rise_of_empire": {"star_realms"}}  # a campaign consists of games of Star Realms


MOST_MODULES = 17  # in one folder, with `__init__`


def top(module):
    return module.split(".")[0]


def test_every_folder_has_its_place():
    assert set(BELOW) == set(FOLDERS) and all(any(inside(folder)) for folder in FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_import_from_those_below(folder):
    for module in inside(folder):
        for target in imports(module):
            assert top(target) in BELOW[folder] | {folder}, f"{module} imports {target}"


def test_the_insides_of_numba_are_used_in_two_modules_and_those_of_numba_cuda_in_two_more():
    inside_numba = {
        module for module in modules() for name in library_imports(module)
        if name.startswith("numba.") and not name.startswith("numba.extending.")
    }  # fmt: skip
    on_the_cpu = {"kernels.compile.numba_private", "kernels.compile.intrinsics"}
    assert inside_numba == on_the_cpu | {"kernels.cuda.compiler", "kernels.cuda.kernel_cache"}


def test_no_module_imports_itself_in_a_circle():
    for module in modules():
        assert module not in reached(module, late=True), module


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_rooms_of_a_folder_import_one_way(folder):
    """The folder's `__init__`, which gathers names for users, does not count."""
    below = {}
    for user, used in arrows(folder):
        if "__init__" not in (user, used):
            below.setdefault(user, set()).add(used)
    assert len(list(TopologicalSorter(below).static_order())) == len(below.keys() | set().union(*below.values()))


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_folder_holds_too_many_modules(folder):
    for place in (path.parent for path in (ROOT / folder).rglob("__init__.py")):
        assert len(list(place.glob("*.py"))) <= MOST_MODULES, place


@pytest.mark.parametrize("game", GAMES)
def test_the_rings_of_a_game_point_inwards(game):
    found = arrows(f"kernels.{game}")
    assert {user for user, _ in found} | {used for _, used in found} <= set(RINGS)
    for user, used in found:
        assert used in RINGS[user], f"{game}: {user} imports from {used}"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_few_rooms_and_arrows(game):
    numbers = counted(f"kernels.{game}")
    assert 7 <= numbers["rooms"] <= len(RINGS) and numbers["modules"] >= 20 and numbers["arrows"] <= 24


def test_no_game_imports_another():
    folders = {path.name for path in (ROOT / "kernels").iterdir() if path.is_dir() and path.name[0] != "_"}
    games = folders - OF_ALL_GAMES
    assert games == {*GAMES, *STANDS_ON}
    for game in games:
        for module in inside(f"kernels.{game}"):
            others = {name.split(".")[1] for name in imports(module) if name.count(".") > 1} & games
            assert others <= {game} | STANDS_ON.get(game, set()), module


def test_compiled_code_knows_no_words_of_a_table():
    compiled = [name for name, path in modules().items() if re.search(r"^@(inline_)?kernel$", path.read_text(), re.M)]
    assert len(compiled) > 50
    for module in compiled:
        assert not any(name == "kernels.contract.card_tables" or ".cards" in name for name in reached(module)), module


def test_words_need_no_network():
    words = [name for name in modules() if ".text." in name]
    assert words and not any(name.endswith((".network", ".playing")) for word in words for name in reached(word))


def test_kernels_need_numpy_numba_and_the_standard_library_only():
    for module in inside("kernels"):
        for name in library_imports(module):
            assert name.split(".")[0] in LIBRARIES_OF_KERNELS, f"{module}: {name}"


def names_a_game(module):
    """Whether a module imports from a game, or has the name of one as a text."""
    games = {*GAMES, *STANDS_ON}
    nodes = list(ast.walk(ast.parse(modules()[module].read_text(encoding="utf-8"))))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return bool(texts & games) or any(games & set(target.split(".")) for target in imports(module))


def test_code_that_serves_every_game_names_none():
    generic = [
        module for folder in FOLDERS for module in inside(folder)
        if not set(module.split(".")) & {*GAMES, *STANDS_ON, "app_log"}
        and not re.fullmatch(r"envs\.(\w+_v\d+|open_spiel)", module)
    ]  # fmt: skip
    assert len(generic) > 150
    assert {module for module in generic if names_a_game(module)} == set(NAMES_A_GAME)
