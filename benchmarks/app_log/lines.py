"""The text log of the digital Star Realms app, line by line: what each line tells, not yet whether it can be.

One event a line; card names stand in colour tags, which say nothing. What a line does to the game is for `reading`.
"""

import re
from typing import NamedTuple

MOST_LINES = 20_000  # far above the longest game


class Event(NamedTuple):
    """What a line tells. Fields that its kind has no use for are empty."""

    line: int  # from 1
    kind: str
    player: str = ""
    card: str = ""  # also the text of a choice, and what somebody else is attacked for
    amount: int = 0
    total: int | None = None  # the pool or authority after it
    what: str = ""  # trade, combat, authority; where an acquired card goes

    def __str__(self) -> str:
        return f"line {self.line}"


_POOL = r"(?P<what>Trade|Combat|Authority)"
_TOTAL = r"(?: ?\((?:New )?(?:Trade|Combat|Authority): ?(?P<total>-?\d{1,9})\))?"
# The first that fits: (kind, pattern). Groups are fields of Event.
PATTERNS = tuple(
    (kind, re.compile(pattern + r"\Z"))
    for kind, pattern in (
        ("play all", r"Play all"),
        ("played", r"Played (?P<card>.+)"),
        ("activating", r"Activating (?P<card>.+)"),
        ("scrapping", r"Scrapping (?P<card>.+)"),
        ("scrapped", r"Scrapped (?P<card>.+)"),
        ("acquired", r"Acquired (?P<card>.+?)(?: to (?:the )?(?P<what>top of the deck|hand)\.?)?"),
        ("attacked player", r"Attacked (?P<card>.+) for (?P<amount>\d{1,9})" + _TOTAL),
        ("attacked base", r"Attacked (?P<card>.+)"),
        ("destroyed", r"Destroyed (?P<card>.+)"),
        ("resolving", r"Resolving (?P<card>.+)"),
        ("chose", r"Chose (?P<card>.+)"),
        ("declined", r"(?P<player>.+?) (?:is not (?:scrapping|discarding|destroying|copying)|did not copy).*"),
        ("scraps", r"(?P<player>.+?) is scrapping:? (?P<card>.+)"),
        ("discards", r"(?P<player>.+?) is discarding:? (?P<card>.+)"),
        ("destroys", r"(?P<player>.+?) is destroying:? (?P<card>.+)"),
        ("copies", r"(?P<player>.+?) is copying:? (?P<card>.+)"),
        ("selects", r"(?P<player>.+?)(?: is (?:selecting|returning):?| selecting ship) (?P<card>.+)"),
        ("gains", r"(?P<player>.+?) +> +(?P<card>.+) \+(?P<amount>\d{1,9}) " + _POOL + _TOTAL),
        ("must discard", r"(?P<player>.+?) +< +(?P<card>.+) \+(?P<amount>\d{1,9}) Discard.*"),
        ("spends", r"(?P<player>.+?) +- +-(?P<amount>\d{1,9}) " + _POOL + _TOTAL),
        ("available", r"(?P<player>.+?) +> +(?P<card>.+) ability available"),
        ("drew", r"Drew (?P<amount>\d{1,9}) cards?\.?"),
        ("shuffled", r"Shuffled discard pile to form new deck\.?"),
        ("none left", r"[Nn]o more cards to discard\.?"),
        ("discarded", r"Discarded (?P<card>.+)"),
        ("changed", r"Changed (?P<card>.+) to (?P<what>.+)"),
        ("nothing", r"Refresh .+"),
        ("ends turn", r"(?P<player>.+) ends turn (?P<amount>\d{1,9})"),
        ("begins turn", r"It is now (?P<player>.+)'s turn (?P<amount>\d{1,9})"),
        ("won", r"=== (?P<player>.+) has won the game\. ==="),
        ("won", r"(?P<player>.+?) wins the game.*"),
        ("conceded", r"(?P<player>.+?)(?:\(\d+\))? conceded.*"),
        ("foreign", r"(?:Revealed|Selected Mission:|Replaced|Commander) .+"),
        ("foreign", r".+(?: P?copied base | is moving | stole | P? ?discarding: ).+"),
    )
)
_TAGS = re.compile(r"</?(?:color|b|i|size)\b[^<>]*>")
EFFECTS = frozenset(
    ("gains", "must discard", "spends", "available", "drew", "shuffled", "changed", "nothing", "none left")
)  # lines that never begin something of their own


def events(text: str) -> list[Event]:
    """What the lines of a log tell, empty ones left out. ValueError for what is no log."""
    lines = text.lstrip("\ufeff").splitlines()
    if len(lines) > MOST_LINES:
        raise ValueError(f"{len(lines):,} lines: a log has at most {MOST_LINES:,}")
    return [_event(number, words) for number, line in enumerate(lines, 1) if (words := plain(line))]


def plain(line: str) -> str:
    """A line without its indent and colours; names coloured letter by letter come together again."""
    return _TAGS.sub("", line).strip()


def is_log(text: str) -> bool:
    """Whether a text looks like such a log: a turn ends in it, or somebody plays a card in its first lines."""
    lines = [plain(line) for line in text.lstrip("\ufeff").splitlines()[:2000]]
    kinds = [event.kind for number, line in enumerate(lines) if (event := _event(number, line)).kind]
    return "ends turn" in kinds or kinds[:1] in (["play all"], ["played"])


def _event(number, words):
    for kind, pattern in PATTERNS:
        if found := pattern.match(words):
            return _filled(number, kind, found.groupdict())
    return Event(number, "unread", card=words)


def _filled(number, kind, groups):
    given = {name: value for name, value in groups.items() if value is not None}
    for name in {"amount", "total"} & set(given):
        given[name] = int(given[name])
    if "what" in given:
        given["what"] = given["what"].lower() if kind in ("gains", "spends") else given["what"]
    return Event(number, kind, **given)
