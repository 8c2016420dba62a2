"""Pages of results in a real browser: values on hover, sorting, downloads, games behind figures, no fault of axe."""

import csv
import json

import pytest
from made_results import EVERY, NAMES, ONLY_PAGES
from measures import LOOKS
from playing import SIZES, axe

from stardeck.benchmarks.advantage.measure import advantage

FIGURES = {
    "advantage": 2, "league": 2, "fair": 1, "worth": 1, "training": 1, "exploit": 1, "agreement": 1, "benchmark": 1,
    "learning": 1, "llm": 1, "design": 1,
}  # fmt: skip
MADE = EVERY | ONLY_PAGES


@pytest.fixture(scope="module")
def results(server):
    """Return the paths of a page of every kind, and of a real match."""
    root = server._folder / "made"
    for name, summary in MADE.items():
        (root / name).mkdir(parents=True, exist_ok=True)
        (root / name / NAMES.get(name, "summary.json")).write_text(json.dumps(summary))
    for folder, options in (("match", {}), ("cards", {"collect": "cards"})):
        advantage("star_realms", ["rules", "simple"], games=4, out=root / folder, authority=[6, 6], **options)
    return {name: f"/results/made/{name}" for name in [*MADE, "match", "cards"]}


def opened(open_page, path, **options):
    page = open_page(path, **options)
    page.wait_for_selector(".plot svg")
    return page


@pytest.mark.parametrize(("size", "dark"), LOOKS)
def test_every_kind_is_drawn_without_a_fault_of_axe(open_page, results, size, dark):
    size = SIZES[size]
    page = open_page(width=size[0], height=size[1], dark=dark)
    for name, figures in FIGURES.items():
        page.goto("/".join(page.url.split("/")[:3]) + results[name])
        page.wait_for_selector(".plot[role=img] svg")
        assert page.locator(".plot[role=img] svg").count() == figures, name
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        small = page.evaluate(
            "[...document.querySelectorAll('.plot text')].map((text) => parseFloat(getComputedStyle(text).fontSize))"
        )
        assert small and min(small) >= 12, name
        found = axe(page)
        assert not [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in found], name


def test_an_axis_fits_the_intervals_instead_of_beginning_at_zero(open_page, results):
    page = opened(open_page, results["advantage"])
    seats = page.locator(".figure", has_text="Games won by seat")
    ticks = [float(text) for text in seats.locator("[aria-label='x-axis tick label'] text").all_text_contents()]
    assert 40 < min(ticks) <= 46 and 54 <= max(ticks) < 60


@pytest.mark.parametrize(
    ("name", "title", "told"),
    [
        ("advantage", "Games won by seat", "first seat: 51 [48, 54]"),
        ("league", "Ratings", "[80, 160]"),
        ("fair", "Advantage of the first player", "400 games"),
        ("worth", "Card values", "500 trials"),
        ("training", "Games won against rules", "million decisions"),
    ],
)
def test_a_mark_tells_its_values_on_hover(open_page, results, name, title, told):
    page = opened(open_page, results[name])
    section = page.locator(".figure", has_text=title)
    marks = section.locator("[aria-label=dot] :is(circle, path)")
    found = []
    for mark in marks.all():
        box = mark.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2 + 1, box["y"] + box["height"] / 2)
        page.wait_for_timeout(60)
        found.append(section.locator("[aria-label=tip]").text_content())
    assert any(told in text for text in found), found


def test_a_bound_is_an_arrow_with_its_words(open_page, results):
    page = opened(open_page, results["league"])
    assert page.locator(".plot svg").first.get_by_text("at most -700").count() == 1  # of random, which won no game
    arrow = page.locator('.plot svg path[transform*="rotate(-90)"]')
    assert arrow.count() == 1 and arrow.locator("xpath=..").get_attribute("fill") == "none"


def test_a_table_sorts_by_mouse_and_by_keyboard(open_page, results):
    page = opened(open_page, results["worth"])
    table = page.locator("table.sorted").first
    values = lambda: [text.split()[0] for text in table.locator("tbody tr td:nth-child(4)").all_inner_texts()]  # noqa: E731
    assert values() == ["+3.00", "+2.00", "+0.10"]
    head = table.get_by_role("button", name="points, rather than nothing")
    head.click()
    assert values() == ["+0.10", "+2.00", "+3.00"]
    assert table.locator("th[aria-sort=ascending]").count() == 1
    head.focus()
    page.keyboard.press("Enter")
    assert values() == ["+3.00", "+2.00", "+0.10"] and table.locator("th[aria-sort=descending]").count() == 1
    table.get_by_role("button", name="card", exact=True).click()
    assert table.locator("tbody tr td:first-child").all_inner_texts() == ["Blob Wheel", "Cutter", "Cutter"]


def test_tables_and_figures_are_downloaded(open_page, results):
    page = opened(open_page, results["league"])
    with page.expect_download() as held:
        page.get_by_role("button", name="Download matches as CSV").click()
    rows = list(csv.reader(held.value.path().read_text().splitlines()))
    assert held.value.suggested_filename == "matches.csv" and rows[0] == ["match", "games", "wins of the first"]
    assert rows[2] == ["rules v random", "100", "100.00 % [97.00, 100.00]"]
    with page.expect_download() as held:
        page.get_by_role("button", name="Download Ratings as SVG").click()
    text = held.value.path().read_text()
    assert text.startswith("<svg") and "rating, Elo" in text and "var(--link" not in text
    with page.expect_download() as held:
        page.get_by_role("button", name="Download values of Ratings as CSV").click()
    values = list(csv.DictReader(held.value.path().read_text().splitlines()))
    assert [row["value"] for row in values] == ["120", "0", "-900"] and values[2]["low"] == ""


def test_a_row_and_a_mark_lead_to_a_game(open_page, results):
    page = opened(open_page, results["match"])
    page.get_by_role("button", name="Show a game of second seat").click()
    page.wait_for_url("**/replays/*", timeout=60_000)
    page.go_back()
    page.wait_for_selector(".plot svg")
    mark = page.locator(".figure", has_text="Games won by seat").locator("[aria-label=dot] :is(circle, path)").first
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + 3)
    page.wait_for_timeout(100)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**/replays/*", timeout=60_000)


def test_figures_follow_the_theme(open_page, results):
    page = opened(open_page, results["advantage"])
    dot = ".plot [aria-label=dot]"
    light = page.get_attribute(dot, "fill")
    page.click("#theme")
    page.wait_for_function(f"document.querySelector('{dot}')?.getAttribute('fill') !== '{light}'")


def test_labels_of_axes_are_whole_and_long_names_break_on_a_phone(open_page, results):
    page = opened(open_page, results["worth"], width=390, height=844)
    for name in ("worth", "league", "exploit", "advantage"):
        page.goto("/".join(page.url.split("/")[:3]) + results[name])
        page.wait_for_selector(".plot svg")
        cut = page.evaluate(
            """[...document.querySelectorAll(".plot")].flatMap((plot) => {
                const box = plot.querySelector("svg").getBoundingClientRect();
                return [...plot.querySelectorAll("[aria-label$='axis label'] text")].filter((text) => {
                    const own = text.getBoundingClientRect();
                    return own.left < box.left - 1 || own.right > box.right + 1;
                }).map((text) => text.textContent);
            })"""
        )
        assert cut == [], name
    page.goto("/".join(page.url.split("/")[:3]) + results["league"])
    page.wait_for_selector("table.sorted button")
    wide = page.evaluate("[...document.querySelectorAll('.scroll')].map((each) => each.scrollWidth - each.clientWidth)")
    assert wide == [0] * len(wide)
