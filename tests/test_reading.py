"""Code that opens files: only the listed functions; all others use the readers that refuse pipes and devices."""

import ast

import pytest

from architecture import FOLDERS, ROOT, modules

READERS = {
    "kernels.files",
    "benchmarks.results.filesystems",
}  # regular_file, read_bytes, read_text; open_file, read_file
OPENERS = {"open", "read_text", "read_bytes"}
PARSERS = {"np.load", "torch.load", "pq.read_table", "pq.ParquetFile", "safe_open", "sqlite3.connect", "load_file"}
# Code that opens files itself, by module and function, and the reason why it cannot be made to wait.
OWN, NONE = "a file of the package", "opens no file"
DIRECT = {
    ("kernels.compile.jit", "_digest"): OWN,
    ("kernels.compile.numba_private", "_checked"): "the cache, whose owner and rights are checked before",
    ("kernels.compile.numba_private", "save"): "is written",
    ("kernels.compile.outside", "_digest"): "modules of a game that Python has imported",
    ("viewer.png", "frame"): NONE,
    ("benchmarks.results.atomic_files", "_put"): "was written just before",
    ("benchmarks.results.atomic_files", "to_disk"): "was written just before",
    ("benchmarks.interrupt", "_empty"): "the null device, which is written to",
    ("benchmarks.arena.ray_executor", "_hash_of"): "files of the package and of imported games",
    ("benchmarks.results.provenance", "_processor"): "a file of the system's kernel",
    ("benchmarks.recordings.record", "__call__"): NONE,
    ("benchmarks.report.page", "write_page"): OWN,
    ("training.recipe", "recipe_for"): OWN,
    ("web.home.catalogue", "_texts"): OWN,
    ("agents.strengths", "_listed"): OWN,
    ("web.learn.first_games", "course_of"): OWN,
    ("web.learn.pictures", "listed"): OWN,
    ("web.learn.texts", "_all_terms"): OWN,
    ("web.learn.texts", "_figure"): OWN,
    ("web.learn.texts", "markdown_of"): OWN,
    (
        "web.store",
        "__init__",
    ): "SQLite opens for reading and writing, which waits for nobody, and refuses what is no file",
    ("commands.shared.keyboard_game", "_ask"): NONE,
}


def functions(tree, name=""):
    """Yield each function of a module with its name; code outside functions counts as the module itself."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from functions(node, node.name)
        else:
            yield name, node
            yield from functions(node, name)


def opens(node, opened):
    """Check for a call that opens a path to read it. opened: names of objects that are already open."""
    if not isinstance(node, ast.Call):
        return False
    if ast.unparse(node.func) in PARSERS:  # they also accept open files, and bytes that were read
        given = node.args[0] if node.args else None
        is_open = isinstance(given, ast.Name) and given.id in opened
        return not (is_open or called(given, "regular_file") or called(given, "io.BytesIO"))
    if isinstance(node.func, ast.Name):
        return node.func.id == "open"
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in OPENERS:
        return False
    modes = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return not any(set(mode) & set("wax") for mode in modes) and not called(node.func.value, "regular_file")


def called(node, name):
    return isinstance(node, ast.Call) and ast.unparse(node.func) == name


def found():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            if module in READERS:
                continue
            nodes = list(functions(ast.parse(path.read_text(encoding="utf-8"))))
            opened = {item.optional_vars.id for _, node in nodes if isinstance(node, ast.With) for item in node.items
                      if isinstance(item.optional_vars, ast.Name)}  # fmt: skip
            for function, node in nodes:
                if opens(node, opened):
                    yield (module, function), ast.unparse(node)


def test_files_that_users_name_are_opened_by_the_readers_alone():
    calls = dict(found())
    assert {place: call for place, call in calls.items() if place not in DIRECT} == {}
    assert set(DIRECT) <= set(calls), "what no longer opens anything is struck from the list"


LINES = (
    "open(path)",
    "path.open()",
    "path.read_text()",
    "np.load(path)",
    "pq.read_table(path)",
    "safe_open(path, 'numpy')",
)


@pytest.mark.parametrize("line", LINES)
def test_such_lines_are_found(line):
    (call,) = (node for node in ast.walk(ast.parse(line)) if opens(node, {"file"}))
    assert ast.unparse(call) == line


def names_from(module, other):
    """Return the names that a module imports from another."""
    nodes = ast.walk(ast.parse(modules()[module].read_text(encoding="utf-8")))
    return {name.name for node in nodes if isinstance(node, ast.ImportFrom) and node.module == f"stardeck.{other}"
            for name in node.names}  # fmt: skip


def test_folders_that_may_be_urls_are_read_by_readers_that_know_urls():
    of_places, of_files = "benchmarks.results.filesystems", "kernels.files"
    for module in modules():
        if {"place", "Place"} & names_from(module, of_places):
            assert names_from(module, of_files) <= {"unfinished_path"}, f"{module}: read_file takes URLs"


@pytest.mark.parametrize("line", ("np.load(file)", "np.load(io.BytesIO(content))", "np.load(regular_file(path))"))
def test_what_is_already_open_is_not_found(line):
    (call,) = (node for node in ast.walk(ast.parse(line)) if opens(node, {"file"}) or called(node, "np.load"))
    assert not opens(call, {"file"})
