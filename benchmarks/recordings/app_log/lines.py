"""Parser of the text log of the digital Star Realms app: one event a line, without checks against the rules.

Card names stand in colour tags, which carry no information. `importer` applies the events to a game.
"""

import itertools
import re
from typing import NamedTuple

MOST_LINES = 20_000  # far above the length of any game
MOST_CHARACTERS = 4_000  # characters of a line; two names coloured letter by letter need a quarter of that
SNIFFED_LINES = 2_000  # lines by which a log is recognised


class Event(NamedTuple):
    """The event of a line. Fields that its kind does not use are empty."""

    line: int  # from 1
    kind: str
    player: str = ""
    card: str = ""  # also the text of a choice, or the target of an attack on another player
    amount: int = 0
    total: int | None = None  # pool or authority after it
    what: str = ""  # trade, combat or authority; the destination of an acquired card

    def __str__(self) -> str:
        return f"line {self.line}"


_POOL = r"(?P<what>Trade|Combat|Authority)"
_TOTAL = r"(?: ?\((?:New )?(?:Trade|Combat|Authority): ?(?P<total>-?\d{1,9})\))?"
_DECLINES = r"(?:is not (?:scrapping|discarding|destroying|copying|selecting)|did not copy).*"
_GIVES_UP = r"(?:conceded|resigned|surrendered|forfeited|timed out|ran out of time|disconnected|left the game)"
# The first match counts: (kind, pattern). Groups are fields of Event. Blanks are single ones (`plain`). Each pattern
# takes linear time in the length of a line: no two of its repeated parts can match the same characters.
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
        ("resolving", r"Resolving (?!Select Mission|Commander)(?P<card>.+)"),
        ("chose", r"Chose (?P<card>.+)"),
        ("declined", r"(?P<player>.+?)(?:\(\d{1,9}\))? " + _DECLINES),
        ("scraps", r"(?P<player>.+?) is scrapping:? (?P<card>.+)"),
        ("discards", r"(?P<player>.+?) is discarding:? (?P<card>.+)"),
        ("destroys", r"(?P<player>.+?) is destroying:? (?P<card>.+)"),
        ("copies", r"(?P<player>.+?) is copying:? (?P<card>.+)"),
        ("selects", r"(?P<player>.+?)(?: is (?:selecting|returning):?| selecting ship) (?P<card>.+)"),
        ("gains", r"(?P<player>[^>]+) > (?P<card>[^>]+) \+(?P<amount>\d{1,9}) " + _POOL + _TOTAL),
        ("must discard", r"(?P<player>[^<]+) < (?P<card>[^<]+) \+(?P<amount>\d{1,9}) Discard.*"),
        ("spends", r"(?P<player>.+?) - -(?P<amount>\d{1,9}) " + _POOL + _TOTAL),
        ("available", r"(?P<player>[^>]+) > (?P<card>[^>]+) ability available"),
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
        ("conceded", r"(?P<player>.+?)(?:\(\d{1,9}\))? (?:has )?" + _GIVES_UP + r"\b.*"),
        ("foreign", r"Revealed (?P<what>event) .+"),
        ("foreign", r"(?:Revealed|Selected|Resolving Select) (?P<what>Mission)\b.*"),
        ("foreign", r"(?:Resolving )?(?P<what>Commander)\b.+"),
        ("foreign", r"(?:Revealed|Replaced) .+"),
        ("foreign", r".+(?: P?copied base | is moving | stole | P? ?discarding: ).+"),
    )
)
_TURN = re.compile(r"(?P<ends>.+) ends turn \d{1,9}\Z|It is now (?P<begins>.+)'s turn \d{1,9}\Z")
_BEFORE_NAMES = ("", "It is now ", "Attacked ", "=== ")
_ANYBODY = "P"  # stands for the name of a known player
_TAGS = re.compile(r"</?(?:color|b|i|size)\b[^<>]*>")
EFFECTS = frozenset(
    ("gains", "must discard", "spends", "available", "drew", "shuffled", "changed", "nothing", "none left")
)  # kinds that never begin an action


def events(text: str) -> list[Event]:
    """Return the events of the lines of a log, without empty lines. Raises ValueError for a text that is too large."""
    lines = _lines(text)
    if len(lines) > MOST_LINES:
        raise ValueError(f"{len(lines):,} lines: a log has at most {MOST_LINES:,}")
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_CHARACTERS:
            raise ValueError(
                f"line {number} has {len(line):,} characters: a line of a log has at most {MOST_CHARACTERS:,}"
            )
    texts = [plain(line) for line in lines]
    names = _names(texts)
    return [_event(number, words, names) for number, words in enumerate(texts, 1) if words]


def _lines(text):
    """Return the lines of a text; other characters that end a line may stand in names."""
    return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def plain(line: str) -> str:
    """Return a line with single blanks and without colours; names coloured letter by letter become whole again."""
    return " ".join(_TAGS.sub("", line).split())


def is_log(text: str) -> bool:
    """Return whether a text looks like a log: a turn ends in it, or its first lines play a card."""
    lines = [plain(line[:MOST_CHARACTERS]) for line in _lines(text)[:SNIFFED_LINES]]
    names = _names(lines)
    kinds = [_event(number, line, names).kind for number, line in enumerate(lines) if line]
    return "ends turn" in kinds or kinds[:1] in (["play all"], ["played"])


def _names(texts):
    """Return the names of the two players from the lines that end or begin turns, the longer name first."""
    found = (_TURN.match(words) for words in texts)
    names = dict.fromkeys(turn["ends"] or turn["begins"] for turn in found if turn)
    return sorted(itertools.islice(names, 2), key=len, reverse=True)


def _event(number, words, names):
    """Return the event of a line. The name of a player may contain the words of a pattern."""
    for name, before in itertools.product(names, _BEFORE_NAMES):
        if words.startswith(before + name):
            event = _matched(number, before + _ANYBODY + words[len(before + name) :])
            if event.player == _ANYBODY:
                return event._replace(player=name)
            if event.kind == "attacked player" and event.card == _ANYBODY:
                return event._replace(card=name)
    return _matched(number, words)


def _matched(number, words):
    for kind, pattern in PATTERNS:
        if found := pattern.match(words):
            groups = found.groupdict()
            return _filled(number, kind, groups | {"card": words} if kind == "foreign" else groups)
    return Event(number, "unread", card=words)


def _filled(number, kind, groups):
    given = {name: value for name, value in groups.items() if value is not None}
    for name in {"amount", "total"} & set(given):
        given[name] = int(given[name])
    if "what" in given:
        given["what"] = given["what"].lower() if kind in ("gains", "spends") else given["what"]
    return Event(number, kind, **given)
