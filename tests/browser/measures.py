"""What is measured on the page of a seat: places and sizes of areas, texts, the newest line, and the faults of axe."""

from playing import axe, until

from helpers import FULL

LOOKS = [("desktop", False), ("phone", True)]  # size, dark
if FULL:
    LOOKS += [("desktop", True), ("phone", False)]

TAKING_TURNS = "middle", "map", "shared", "seat"  # parts of a board with a map, on a phone
AREAS = """() => {  // each fixed area, by what it is
    const fixed = ".others, .slot, .middle, .map, .shared, .own, .actions, " +
        "#state, #side, .board-tabs, .since-line, .since, .lines";
    const found = {};
    for (const area of document.querySelectorAll(fixed)) {
        if (!area.checkVisibility()) continue;
        const box = area.getBoundingClientRect();
        const name = area.id || area.className.split(" ")[0];
        const place = area.className === "slot" ? [...area.parentNode.children].indexOf(area) : "";
        found[name + place] = [box.x, box.y, box.width, box.height].map((side) => Math.round(10 * side) / 10);
    }
    return found;
}"""
SMALL = """() => {  // texts below 12 pixels on the screen, those of a map by its scale
    const found = [];
    for (const element of document.querySelectorAll("body *")) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!own || !element.checkVisibility() || element.closest("style, script, symbol, title, .unseen")) continue;
        const scale = element.ownerSVGElement ? element.getScreenCTM().a : 1;
        const size = parseFloat(getComputedStyle(element).fontSize) * scale;
        if (size < 11.99) found.push([size, element.outerHTML.slice(0, 120)]);
    }
    return found;
}"""
FLAT = """[...document.querySelectorAll(".board .card")].filter((card) => card.checkVisibility())
    .filter((card) => card.getBoundingClientRect().height < 20).map((card) => card.dataset.id)"""
CODES = r"(document.getElementById('stage').innerText.match(/\b(player|team)_\d/g) ?? [])"
CUT = """() => ["#state", "#end-turn", ".actions"].every((where) => {
    const element = document.querySelector(where);
    if (!element) return true;
    const box = element.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth + 0.5;
}) && document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth"""


NEWEST = "((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 30)(document.getElementById('log'))"


def faults(page):
    """Return the faults that axe finds, as [rule, element]."""
    return [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in axe(page)]


class Measures:
    """Compares each decision of a game with the first: no area may move, and none may leave the window."""

    def __init__(self, page, phone=False, with_map=False):
        self.page, self.phone, self.taking_turns = page, phone, TAKING_TURNS if phone and with_map else ()
        self.first, self.decisions = None, 0

    def check(self):
        """Measure the page at a decision."""
        areas = {name: box for name, box in self.page.evaluate(AREAS).items() if name not in self.taking_turns}
        self.first = self.first or areas
        assert areas == self.first, f"after {self.decisions} decisions"
        assert self.page.evaluate(CUT), f"after {self.decisions} decisions"
        if self.decisions % 6 == 0:
            assert not self.page.evaluate(SMALL) and not self.page.evaluate(FLAT) and not self.page.evaluate(CODES)
            if not self.phone:  # whose log lies in a drawer
                until(self.page, NEWEST, seconds=5)
        self.decisions += 1
