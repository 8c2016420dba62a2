"""Watching in a real browser: a friend follows a game on a phone and sees no hand."""

from playing import SIZES, axe, begin, decide, host, moves, number, ready, seated, until

IN_HANDS = "table.page.sight.table.zones.filter((zone) => zone.kind === 'hand').flatMap((zone) => zone.things)"
CARDS = "[...document.querySelectorAll('.board .card')].filter((card) => card.closest('.seat')).length"


def test_a_friend_watches_on_a_phone_and_sees_no_hand(open_page):
    page, begun = seated(open_page, seats=["person", "rules"], seed=5)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("button:has-text('Copy link to watch')")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == host(page) + begun["watch"]
    width, height = SIZES["phone"]
    friend = open_page(width=width, height=height, touch=True)
    friend.goto(link)
    ready(friend)
    assert page.evaluate(IN_HANDS) and friend.evaluate(IN_HANDS) == []
    assert friend.evaluate(CARDS) == 0 and "3 hand" in friend.inner_text(".opponent").replace("\n", " ")
    assert friend.locator("#pause, #pace, #hint, #resign, #end-turn").count() == 0 and not axe(friend)
    played, words = next(move for move in moves(page) if move[1].startswith("play "))
    decide(page, played)
    until(friend, f"table.page.sight.number >= {number(page)}")
    friend.wait_for_selector(f".opponent .card:has-text('{words.removeprefix('play ')}')")
    assert friend.evaluate(CARDS) == 1 and friend.evaluate(IN_HANDS) == []
    assert friend.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_between_agents_is_still_watched_with_open_cards(open_page):
    page = open_page()
    begun = begin(page, seats=["rules", "simple"])
    page.goto(f"{host(page)}{begun['watch']}")
    ready(page)
    assert page.evaluate(IN_HANDS) and page.locator("#pause").count() == 1
