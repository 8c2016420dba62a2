"""Every notebook runs from its first cell to its last, on reduced budgets, and is stored without outputs."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from helpers import scaled

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def reduced(source):
    """The same cell with fewer games."""
    if scaled(True, False):
        return source.replace("20_000", "2_000")
    return re.sub(r"20_000|1000\b", "2", source)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::RuntimeWarning")
def test_notebook_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = reduced(cell.source)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebook_is_stored_without_outputs(path):
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs") and not cell.get("execution_count")
