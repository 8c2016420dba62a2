"""The page of the designer's report in a real browser and as PDF: sizes, links, no fault of axe."""

import pytest
from click.testing import CliRunner
from measures import LOOKS
from playing import SIZES

from stardeck.commands.cli import cli

UNDERLINED = "getComputedStyle(document.querySelector('td a.number span')).textDecorationStyle"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a small report with an edited game."""
    out = tmp_path_factory.mktemp("design")
    parts = [word for part in ("skill", "luck", "restricted") for word in ("--only", part)]
    small = ["--games", "400", "--ladder", "random,rules", *parts]
    edited = ["--what-if", "authority=50,60", "--out", str(out)]
    found = CliRunner().invoke(cli, ["report", "design", "star_realms", *small, *edited])
    assert found.exit_code == 0, found.output
    return out


@pytest.mark.parametrize(("size", "dark"), LOOKS)
def test_the_page_fits_and_axe_finds_no_fault(chromium, folder, size, dark):
    from axe_playwright_python.sync_playwright import Axe

    width, height = SIZES[size]
    context = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )
    page = context.new_page()
    page.goto((folder / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(UNDERLINED) == "dotted"
    folded = page.locator("#restricted details")
    assert not folded.locator("tr").last.is_visible()
    for number in range(page.locator("summary").count()):
        page.locator("summary").nth(number).press("Enter")
    assert folded.locator("tr").last.is_visible(), "the keyboard unfolds the rows"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("[...document.images].every((one) => one.complete && one.naturalWidth > 100)")
    targets = "[...document.querySelectorAll('a[href^=\"#\"]')].map((one) => one.getAttribute('href').slice(1))"
    assert page.evaluate(f"{targets}.every((id) => document.getElementById(id))")
    faults = Axe().run(page).response["violations"]
    assert not [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in faults]
    context.close()


def test_the_page_is_a_pdf_too(folder):
    written = (folder / "report.pdf").read_bytes()
    assert written.startswith(b"%PDF") and len(written) > 20_000, "with its pictures"
