"""Dependencies between the folders of the package, counted from its imports.

`python tests/architecture.py` prints rooms and arrows; `test_layers.py` says which arrows are allowed. A room is a
folder, or a module outside folders. An arrow leads from a room to a room that it imports. `--folders` lists the arrows.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("kernels", "viewer", "game", "agents", "envs", "benchmarks", "training", "web", "language", "commands")
GAMES = ("star_realms", "interstellar_empire", "empire_of_the_stars")


@cache
def modules() -> dict[str, Path]:
    """Return the modules of the package by their names without `stardeck.`; a folder stands for its `__init__.py`."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return {_name(path): path for path in paths}


def _name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(node) -> list[str]:
    """Return the possible modules of an import statement, most exact first for each name; nothing for other nodes."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def library_imports(module: str) -> set[str]:
    """Return the dotted names that a module imports from outside the package."""
    nodes = ast.walk(ast.parse(modules()[module].read_text(encoding="utf-8")))
    return {name for node in nodes for name in imported(node) if not name.startswith("stardeck")}


def _resolved(name):
    """Return the module of the package that a dotted name belongs to, or None."""
    if not name.startswith("stardeck."):
        return None
    name = name.removeprefix("stardeck.")
    while name and name not in modules():
        name = name.rpartition(".")[0]
    return name or None


class _Running(ast.NodeTransformer):
    """A visitor that skips imports for type checkers."""

    def visit_If(self, node):
        return node.orelse if ast.unparse(node.test) == "TYPE_CHECKING" else self.generic_visit(node)


@cache
def imports(module: str, late: bool = True) -> frozenset[str]:
    """Return the modules that a module imports for more than types; late: also inside functions."""
    tree = _Running().visit(ast.parse(modules()[module].read_text(encoding="utf-8")))
    nodes = ast.walk(tree) if late else tree.body
    return frozenset(found for node in nodes for name in imported(node) if (found := _resolved(name)))


def reached(module: str, late: bool = False) -> set[str]:
    """Return the modules that a module imports directly or indirectly; late: also inside functions."""
    seen, waiting = set(), [module]
    while waiting:
        for found in imports(waiting.pop(), late) - seen:
            seen.add(found)
            waiting.append(found)
    return seen


def inside(folder: str) -> Iterator[str]:
    """Return the modules in a folder and its subfolders, by dotted names."""
    return (name for name in modules() if name == folder or name.startswith(folder + "."))


def room(module: str, folder: str) -> str:
    """Return the room of a folder that a module belongs to; the folder's own `__init__` is one."""
    return module.removeprefix(folder).lstrip(".").split(".")[0] or "__init__"


def arrows(folder: str) -> set[tuple[str, str]]:
    """Return the imports between the rooms of a folder."""
    pairs = {
        (room(module, folder), room(target, folder))
        for module in inside(folder)
        for target in imports(module) & set(inside(folder))
    }
    return {(user, used) for user, used in pairs if user != used}


def counted(folder: str) -> dict[str, int]:
    """Count rooms, modules and arrows of a folder."""
    names = list(inside(folder))
    return {
        "rooms": len({room(name, folder) for name in names}),
        "modules": len(names),
        "imports": sum(len(imports(name) & set(names)) for name in names),
        "arrows": len(arrows(folder)),
    }


def main() -> None:
    """Print a line for each game, and one for each folder of the package; with --folders their arrows."""
    for folder in [*(f"kernels.{game}" for game in GAMES), *FOLDERS]:
        numbers = counted(folder)
        print(f"{folder:30}", *(f"{number:4d} {name}" for name, number in numbers.items()))
        if "--folders" in sys.argv:
            for user, used in sorted(arrows(folder)):
                print(f"    {user} -> {used}")


if __name__ == "__main__":
    main()
