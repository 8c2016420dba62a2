"""Learning the rules in a real browser: tooltips by keyboard, mouse and touch; guided games on desktop and phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from measures import LOOKS
from playing import SETTLED, SIZES, until

GAMES = ["star_realms", "rise_of_empire", "interstellar_empire", "empire_of_the_stars"]
DESKTOP, PHONE = SIZES["desktop"], SIZES["phone"]
PAGES = ["/learn", *(f"/learn/{game}{rest}" for game in GAMES for rest in ("", "/icons", "/play"))]
SMALLEST = """() => {
    const found = [];
    for (const element of document.querySelectorAll("body *:not(svg *)")) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        const size = parseFloat(getComputedStyle(element).fontSize);
        if (own && element.checkVisibility() && size < 12) found.push(element.outerHTML);
    }
    return found;
}"""


@pytest.fixture
def phone(chromium, server):
    """Open pages on a phone: touch, dark. Any message on the console fails the test."""
    context = chromium.new_context(
        viewport=dict(zip(("width", "height"), PHONE, strict=True)), color_scheme="dark", has_touch=True
    )
    complaints = []

    def open_one(path):
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(server.address + path)
        return page

    yield open_one
    context.close()
    assert not complaints


def marked(page):
    page.wait_for_selector(".term")
    return page.locator(".term").first


@pytest.mark.parametrize(("size", "dark"), LOOKS)
def test_pages_can_be_read_by_all(open_page, size, dark):
    size = SIZES[size]
    page = open_page("/learn", *size, dark=dark)
    for path in PAGES:
        page.goto("/".join(page.url.split("/")[:3]) + path)
        if path in [f"/learn/{game}" for game in GAMES]:
            marked(page)
        until(page, SETTLED)
        found = Axe().run(page)
        assert found.violations_count == 0, f"{path}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], path
        assert page.evaluate(SMALLEST) == [], path


def test_a_word_is_explained_by_keyboard(open_page):
    page = open_page("/learn/star_realms", *DESKTOP)
    term = marked(page)
    described = page.locator(f"#{term.get_attribute('aria-describedby')}")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('term')"):
            break
    tip = page.locator(".term-tip")
    assert tip.is_visible() and described.text_content() in tip.inner_text()
    until(page, SETTLED)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.term-tip') !== null") and tip.is_visible()
    page.keyboard.press("Escape")
    assert not tip.is_visible() and page.evaluate("document.activeElement.classList.contains('term')")
    page.keyboard.press("Enter")
    assert tip.is_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/learn/star_realms#*")


def test_a_word_is_explained_by_the_mouse_and_stays_while_the_mouse_is_on_the_text(open_page):
    page = open_page("/learn/empire_of_the_stars", *DESKTOP)
    marked(page).hover()
    tip = page.locator(".term-tip")
    assert tip.is_visible()
    box = tip.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(400)
    assert tip.is_visible()
    page.mouse.move(5, 700)
    tip.wait_for(state="hidden")


def test_a_word_is_explained_by_touch(phone):
    page = phone("/learn/interstellar_empire")
    for number in (0, 5):
        term = page.locator(".term").nth(number)
        term.scroll_into_view_if_needed()
        term.tap()
        tip = page.locator(".term-tip")
        assert tip.is_visible() and tip.count() == 1
        box = tip.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0] and box["y"] >= 0
        term.tap()
        assert not tip.is_visible()
        term.tap()
        assert tip.is_visible()
        page.locator("h1").tap()
        assert not tip.is_visible()


def begin(page, tap=False):
    button = page.locator("#begin")
    button.tap() if tap else button.press("Enter")
    page.wait_for_url("**/games/**", timeout=300_000)
    page.wait_for_selector(".board", timeout=60_000)
    page.wait_for_selector(".coach-act", timeout=60_000)
    page.evaluate("table.say({pace: 0})")


def follow(page, act, most=200):
    """Make the suggested moves to the end of the guided part; return their number."""
    for count in range(most):
        until(page, "document.querySelector('.coach-title') && table.page.sight.table.to_act === 0")
        if "guided part is over" in page.inner_text("#coach"):
            return count
        assert "step" in page.inner_text(".coach-title")
        before = page.evaluate("table.page.sight.number")
        act(page.locator(".coach-act"))
        until(page, f"table.page.sight.number !== {before}")
    raise AssertionError("the guided part does not end")


@pytest.mark.parametrize("game", GAMES)
def test_a_guided_game_is_played_by_keyboard(open_page, game):
    page = open_page(f"/learn/{game}/play", *DESKTOP)
    begin(page)
    until(page, SETTLED)
    found = Axe().run(page, context="#coach")
    assert found.violations_count == 0, found.generate_report()
    assert page.locator("[data-coached]").count() >= 1, "the place of the move"
    page.locator(".coach-act").focus()
    assert follow(page, lambda button: page.keyboard.press("Enter")) >= 15, "and the button keeps the focus"
    assert page.locator("#rules").get_attribute("href") == f"/learn/{game}/icons"


@pytest.mark.parametrize("game", ["star_realms", "empire_of_the_stars"])
def test_a_guided_game_is_played_by_touch(phone, game):
    page = phone(f"/learn/{game}/play")
    begin(page, tap=True)
    until(page, SETTLED)
    found = Axe().run(page, context="#coach")
    assert found.violations_count == 0, found.generate_report()

    def tap(button):
        assert button.bounding_box()["height"] >= 36
        button.tap()

    assert follow(page, tap) >= 15
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_a_player_may_leave_the_line_and_come_back(open_page):
    page = open_page("/learn/star_realms/play", *DESKTOP)
    begin(page)
    for _ in range(3):
        before = page.evaluate("table.page.sight.number")
        page.click(".coach-act")
        until(page, f"table.page.sight.number !== {before}")
    assert page.inner_text(".coach-act").lower() == "buy trade pod"
    page.evaluate("table.act({move: 'attack player_1 with all'})")
    until(page, "table.page.sight.number === 4")
    assert "left the guided line" in page.inner_text("#coach") and page.locator(".coach-act").count() == 0
    page.click("#back")
    until(page, "table.page.sight.number === 3 && document.querySelector('.coach-act')")
    assert page.inner_text(".coach-act").lower() == "buy trade pod"


def test_an_ordinary_game_has_no_coach(open_page):
    page = open_page("/")
    begun = page.request.post(
        f"{'/'.join(page.url.split('/')[:3])}/api/games",
        data={"game": "interstellar_empire", "seats": ["person", "rules"]},
        timeout=300_000,
    ).json()
    page.goto("/".join(page.url.split("/")[:3]) + begun["seats"][0]["page"])
    page.wait_for_selector("#rules[href='/learn/interstellar_empire/icons']")
    assert not page.locator("#coach").is_visible()
