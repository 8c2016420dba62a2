"""Imports point one way: kernels know nothing of environments, agents or benchmarks."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ALLOWED = {
    "kernels": {"kernels"},
    "agents": {"agents", "kernels"},
    "envs": {"envs", "kernels", "agents"},  # an agent's name is looked up late, inside a function
    "benchmarks": {"benchmarks", "envs", "kernels", "agents", "training"},  # cli.py alone
    "training": {"training", "benchmarks", "envs", "kernels", "agents"},
}
LIBRARIES_OF_KERNELS = {"numpy", "numba", "stardeck"} | set(sys.stdlib_module_names)


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [node.module] if node.module != "stardeck" else [f"stardeck.{alias.name}" for alias in node.names]
            yield from names


def name_of(path):
    return ".".join(("stardeck", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def modules():
    """The modules of the package by name: the modules that each imports, inside functions too."""
    named = {name_of(path): path for folder in ALLOWED for path in (ROOT / folder).rglob("*.py")}
    return {name: set(modules_imported(path, named)) for name, path in named.items()}


def modules_imported(path, named):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from {inner if inner in named else node.module} & set(named)
        elif isinstance(node, ast.Import):
            yield from {alias.name for alias in node.names} & set(named)


def reached(module, graph):
    """All that is imported by what a module imports, and so on."""
    seen, left = set(), [module]
    while left:
        new = graph[left.pop()] - seen
        seen |= new
        left += new
    return seen


@pytest.mark.parametrize("folder", sorted(ALLOWED))
def test_imports_point_one_way(folder):
    for path in (ROOT / folder).rglob("*.py"):
        for name in imports(path):
            if name.startswith("stardeck."):
                assert name.split(".")[1] in ALLOWED[folder], f"{path}: {name}"


def test_no_modules_import_each_other_in_a_circle():
    graph = modules()
    assert "stardeck.envs.games" in reached("stardeck.envs.registry", graph)
    assert [name for name in graph if name in reached(name, graph)] == []


def test_only_the_command_line_knows_of_training():
    for path in (ROOT / "benchmarks").rglob("*.py"):
        assert path.name == "cli.py" or not any("training" in name for name in imports(path)), path


def test_compiled_code_knows_no_words_of_a_table():
    graph = modules()
    paths = [path for folder in ("kernels", "agents") for path in (ROOT / folder).rglob("*.py")]
    compiled = [path for path in paths if re.search(r"^@(inline_)?kernel$", path.read_text(), re.M)]
    assert len(compiled) > 50
    for path in compiled:
        assert "stardeck.kernels.tables" not in reached(name_of(path), graph), path


def test_kernels_need_numpy_numba_and_the_standard_library_only():
    for path in (ROOT / "kernels").rglob("*.py"):
        for name in imports(path):
            assert name.split(".")[0] in LIBRARIES_OF_KERNELS, f"{path}: {name}"


def test_environments_import_agents_inside_functions_only():
    for path in (ROOT / "envs").rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                assert "agents" not in ast.dump(node), path
