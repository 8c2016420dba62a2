"""The pages are plain English: short sentences, and the field's terms instead of house words (tests/prose.py)."""

from pathlib import Path

import nbformat
import pytest
from prose import LONGEST, P90, complaints, percentile, sentences

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "RELEASING.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "web" / "learn").glob("*.md")),
]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
    cells = nbformat.read(notebook, as_version=4).cells
    prose_of_it = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    TEXTS[notebook.relative_to(ROOT).as_posix()] = prose_of_it  # line numbers are of these cells alone


@pytest.mark.parametrize("page", TEXTS)
def test_sentences_are_short_and_words_are_plain(page):
    found = [f"{page}:{complaint}" for complaint in complaints(TEXTS[page])]
    assert not found, "\n" + "\n".join(found)


def test_nine_of_ten_sentences_of_all_pages_are_shorter_still():
    counts = [sentence.words for text in TEXTS.values() for sentence in sentences(text)]
    assert len(counts) > 1000
    assert percentile(counts, 0.9) <= P90


def test_the_linter_finds_long_sentences_and_house_words_with_their_lines():
    text = f"# Title\n\nShort. {'Word ' * (LONGEST + 1)}end.\nThe games stand\nbeside the door.\n"
    assert [complaint.split(": ")[0] for complaint in complaints(text)] == ["3", "4", "4"]
    assert complaints(text)[1].startswith('4: "beside", write next to')
    assert complaints("One two three.", longest=2) == ["1: 3 words, at most 2: One two three."]


def test_what_is_no_prose_is_left_out():
    text = """
<!-- a comment of whoever -->
| a table | beside it |
| --- | --- |

```python
beside = "whoever"
```

A `door` and a [link](beside.md), e.g. in Section 2. It costs 62.0 % [59.9, 64.1] or 3 ± 1 points:

- an item without an end
- **Bold.** Then a sentence (in brackets.) More?
"""
    assert not complaints(text)
    assert [sentence.text for sentence in sentences(text)] == [
        "A Code and a link, e.g. in Section 2.",
        "It costs 62.0% or 3±1 points:",
        "an item without an end",
        "**Bold.",
        "Then a sentence (in brackets.",
        "More?",
    ]


def test_docstrings_are_prose_too():
    text = """Return the deck.

    >>> draw("beside")

    Args:
        state: The state of a game. Whoever draws is not checked.

    Raises:
        ValueError: The deck is empty.
    """
    assert [complaint.split(",")[0] for complaint in complaints(text)] == ['6: "Whoever"']
    assert sentences(text)[0] == (1, "Return the deck.")


def test_percentiles_are_of_a_sorted_list():
    assert percentile([5, 1, 2, 3, 4, 6, 7, 8, 9, 10], 0.9) == 9
    assert percentile([7], 0.9) == 7
