"""The rules of a game in plain text, for a reader that has nothing but text."""

import re

from stardeck.game.game import Game
from stardeck.web.learn import texts

PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n*", re.M)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
ANCHOR = re.compile(r" *\{#[\w-]+\}")
SOURCE = re.compile(r" ?\((?:Box Set rulebook|Rulebook)[^)]*\)")


def rules_in_brief(game: Game) -> str:
    """Return the rules of a variant on about a page; an empty text for a game without such a page."""
    page = texts.page_for(game.id)
    if page is None:
        return ""
    text = texts.markdown_of(page)
    for pattern, kept in ((PICTURE, ""), (LINK, r"\1"), (ANCHOR, ""), (SOURCE, "")):
        text = pattern.sub(kept, text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def moves_in_brief(game: Game) -> str:
    """Return how the moves of a game are written, a line for each kind."""
    return "\n".join(f"{row['name']}: {row['meaning']}" for row in game.action_table())


def cards_in_brief(game: Game) -> str:
    """Return every card of a variant with its text, one a line."""
    return "\n".join(f"{card['name']} ({_print(card)}): {card['text']}" for card in game.cards())


def _print(card):
    return str(card["kind"]) if card.get("cost") is None else f"{card['kind']}, cost {card['cost']}"
