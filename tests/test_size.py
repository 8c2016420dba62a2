"""Parameters travel in bundles: a function takes at most seven, compiled code eight. Ruff counts branches (C901)."""

import ast

import pytest

from architecture import FOLDERS, inside, modules

MOST, MOST_COMPILED = 7, 8
COMPILERS = {"entry", "kernel", "inline_kernel", "long_kernel"}  # the decorators of kernels/compile/jit.py


def parameters(function):
    """Return the parameters by name, without `self`, `*args` and `**kwargs`."""
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return names[names[:1] in (["self"], ["cls"]) :]


def is_compiled(function):
    return any(isinstance(each, ast.Name) and each.id in COMPILERS for each in function.decorator_list)


def too_long(text):
    """Return the functions of a module with too many parameters."""
    functions = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {each.name for each in functions if len(parameters(each)) > (MOST_COMPILED if is_compiled(each) else MOST)}


@pytest.mark.parametrize("folder", FOLDERS)
def test_parameters_travel_in_bundles(folder):
    found = {
        f"{module}.{name}"
        for module in inside(folder)
        for name in too_long(modules()[module].read_text(encoding="utf-8"))
    }
    assert not found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def f(a, b, c, d, e, f, g): ...", set()),
        ("def f(a, b, c, d, /, e, f, *, g, h): ...", {"f"}),
        ("def f(a, b, c, d, e, f, g, *rest, **more): ...", set()),
        ("class A:\n def __init__(self, a, b, c, d, e, f, g, h): ...", {"__init__"}),
        ("class A:\n def f(self, a, b, c, d, e, f, g): ...", set()),
        ("@entry\ndef f(a, b, c, d, e, f, g, h): ...", set()),
        ("@kernel\ndef f(a, b, c, d, e, f, g, h, i): ...", {"f"}),
        ("async def f(a, b, c, d, e, f, g, h): ...", {"f"}),
    ],
)
def test_too_many_parameters_are_found(text, found):
    assert too_long(text) == found
