"""Types of public functions, complete for editors; `make lint` checks that they are correct."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("agents", "benchmarks", "commands", "envs", "game", "language", "training", "viewer", "web")
PUBLIC = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
PUBLIC += [ROOT / "kernels" / "contract" / "variant.py", ROOT / "kernels" / "errors.py"]
COMPILED = {"kernel", "inline_kernel", "long_kernel", "entry", "overload"}  # Numba infers their types


def public_functions(body, inside_class=False):
    """Return the public functions and methods, with `__init__`: (function, is it a method)."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body, inside_class=True)
        elif isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name == "__init__"):
            if not COMPILED & {
                name.id for mark in node.decorator_list for name in ast.walk(mark) if hasattr(name, "id")
            }:
                yield node, inside_class


def untyped(function, is_method):
    """Return the untyped parts of a function: names of parameters, and `return`."""
    given = function.args
    parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    named = [parameter for parameter in parameters if parameter is not None]
    static = any(
        isinstance(decorator, ast.Name) and decorator.id == "staticmethod" for decorator in function.decorator_list
    )
    open_ones = [parameter.arg for parameter in named[is_method and not static :] if parameter.annotation is None]
    return open_ones + (["return"] if function.returns is None else [])


@pytest.mark.parametrize("path", PUBLIC, ids=[path.relative_to(ROOT).as_posix() for path in PUBLIC])
def test_public_functions_are_typed(path):
    functions = public_functions(ast.parse(path.read_text(encoding="utf-8")).body)
    found = [(function.name, untyped(function, method)) for function, method in functions if untyped(function, method)]
    assert not found
