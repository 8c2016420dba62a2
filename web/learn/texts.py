"""The texts as data: rules rendered from Markdown, the glossary, and the legend of signs."""

import re
import tomllib
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from stardeck.viewer.signs import SIGNS, symbol_id

HERE = Path(__file__).parent
PICTURE = re.compile(r"^!\[(?P<words>[^\]]*)\]\(picture:(?P<name>\w+)\)$", re.M)
Terms = dict[str, dict[str, Any]]


class Rules(NamedTuple):
    """The rules of a game as a page: its title, the text as HTML, and its sections as (anchor, title)."""

    game: str
    title: str
    html: str
    sections: tuple[tuple[str, str], ...]


def taught() -> list[str]:
    """Return the names of the games that have a page of rules and a glossary."""
    return list(_all_terms())


def page_for(variant: str) -> str | None:
    """Return the game whose rules a variant plays: `rise_of_empire` for `star_realms/rise_of_empire/standard/2`.

    Args:
        variant: The name of a game, or the id of a variant.

    Returns:
        The name of a game that has a page of rules, or None.
    """
    names = taught()
    return next((part for part in reversed(variant.split("/")) if part in names), None)


def title_of(game: str) -> str:
    """Return the name of a game as people write it."""
    return game.replace("_", " ").title().replace(" Of ", " of ").replace(" The ", " the ")


def markdown_of(game: str) -> str:
    """Return the rules of a game in Markdown, with pictures as `![words](picture:name)`."""
    return (HERE / f"{game}.md").read_text(encoding="utf-8")


@cache
def rules_of(game: str) -> Rules:
    """Return the rules of a game. The pictures are part of the HTML, so they follow the theme of the page."""
    from markdown import Markdown  # readers of the plain text need no renderer

    renderer = Markdown(extensions=["attr_list", "tables", "toc"])
    html = renderer.convert(PICTURE.sub(_figure, markdown_of(game)))
    html = html.replace("<table>", '<div class="scroll" tabindex="0" role="region" aria-label="table"><table>')
    html = html.replace("</table>", "</table></div>")
    sections = tuple((entry["id"], entry["name"]) for entry in renderer.toc_tokens)  # type: ignore[attr-defined]
    return Rules(game, title_of(game), html, sections)


def summary_of(game: str) -> str:
    """Return the first paragraph of the rules, which says in a sentence or two what the game is."""
    return markdown_of(game).split("\n\n", 1)[0].strip()


def _figure(found: re.Match[str]) -> str:
    svg = (HERE / "pictures" / f"{found['name']}.svg").read_text(encoding="utf-8")
    words = escape(found["words"])
    # A phone is too narrow for some pictures, so they scroll.
    scrolled = f'<div tabindex="0" role="region" aria-label="picture: {words}">{svg}</div>'
    return f"<figure>{scrolled}<figcaption>{words}</figcaption></figure>"


@cache
def _all_terms() -> dict[str, Any]:
    return tomllib.loads((HERE / "glossary.toml").read_text(encoding="utf-8"))


@cache
def glossary_of(game: str) -> Terms:
    """Return the terms of a game: {term: {text, forms, rule, sign, plain}}.

    `forms` are other spellings, `rule` is the address of the rule, `sign` the id of the term's sign, or None. `plain`
    terms are everyday words, which a page need not mark.
    """
    entries = dict(_all_terms()[game])
    base = entries.pop("extends", None)
    terms = dict(glossary_of(base)) if base else {}
    for term, entry in entries.items():
        sign = entry.get("sign", term)
        terms[term] = {
            "text": entry["text"],
            "forms": entry.get("forms", []),
            "rule": f"/learn/{game}#{entry['rule']}",
            "sign": symbol_id(sign) if sign in SIGNS else None,
            "plain": entry.get("plain", False),
        }
    return terms


def legend_of(game: str) -> list[tuple[str, str, str]]:
    """Return the signs of a game: (id of the sign, term, meaning)."""
    return [(entry["sign"], term, entry["text"]) for term, entry in glossary_of(game).items() if entry["sign"]]
