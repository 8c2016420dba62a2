"""A prose linter for plain English: the length of sentences, and house words with what to write instead.

`sentences` takes Markdown or a docstring; code, tables, comments and options of includes are not prose.
"""

import re
from typing import NamedTuple

LONGEST = 35  # words in a sentence
P90 = 24  # words: nine of ten sentences of all pages have no more

# A regular expression for a house word: what to write instead.
BANNED = {
    r"doors?": "endpoint, entry point",
    r"stretch(?:es)?": "chunk",
    r"stand-ins?": "reconstruction",
    r"made-up": "synthetic",
    r"whoever|whosoever": "the player who, anyone who",
    r"nobody": "no player, no one",
    r"those of": "name the thing again",
    r"so that": "so",
    r"but for": "except for",
    r"of which": "start a new sentence",
    r"beside": "next to, alongside",
    r"tells?|telling|told": "report, record, show, distinguish",
    r"so many": "give the number",
    r"(?:of )?one's own": "your own",
    r"astray": "perturbed",
    r"anew": "again",
    r"likelier": "more likely",
    r"parallel face": "parallel API",
    r"knobs?": "parameter, unless it is the option `--knob`",
    r"hangs? on": "depends on",
    r"pass(?:ed|es)? over": "skip",
    r"brought about": "caused",
    r"at leisure": "step by step",
    r"by chance alone": "at random",
}
HOUSE_WORD = re.compile("|".join(rf"(?P<w{number}>\b(?:{word})\b)" for number, word in enumerate(BANNED)), re.I)

FENCE = re.compile(r"^ *(`{3,}|~{3,})")
NOT_PROSE = re.compile(r"^ *(?:\||!\[|<|--8<--|:::|>>> |\w+:$)")  # tables, pictures, HTML, includes, `Args:`
STARTS = re.compile(
    r"^ *(?:[-*+] |\d+\. |#+ |> |!!! |\?\?\? )|^ +\*{0,2}\w+(?: \([^)]*\))?: "
)  # items, headings, arguments
END = re.compile(r"(?<=[.!?])[)\"*_]*\s+(?=[(\"*_]*[A-Z0-9])|(?<=[.!?])[)\"*_]*\s*$")
NO_END = re.compile(r"\b(?:e\.g|i\.e|vs|cf|al|approx|No|St)\.$|^\d+\.$")


class Sentence(NamedTuple):
    """A sentence with the line that it begins in."""

    line: int
    text: str

    @property
    def words(self) -> int:
        """The number of words; an inline code or a figure with its interval is one."""
        return sum(any(map(str.isalnum, word)) for word in self.text.split())


def _code(mark):
    """One word in place of a code; its line breaks stay, for lines are counted."""
    return "Code" + "\n" * mark[2].count("\n")


def _plain(text):
    """Prose without marks: a code becomes one word, a link its text, an interval belongs to its figure."""
    text = re.sub(r"<!--.*?-->", " ", text)
    text = re.sub(r"(`+)(.+?)\1", _code, text, flags=re.S)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", " ", text)
    text = re.sub(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", text)
    text = re.sub(r"\[[-+\d., ]+\]", "", text)
    return re.sub(r"(?<=\d) (?=%)|(?<=[\d%]) (?=±)|(?<=±) (?=\d)", "", text)


def _blocks(text):
    """Paragraphs, headings and items: lists of (line, text)."""
    block, fence = [], None
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if fence or mark:
            if mark and not fence:
                fence = mark[1]
            elif mark and line.strip() == fence:
                fence = None
            line = ""
        if not line.strip() or NOT_PROSE.match(line):
            if block:
                yield block
            block = []
            continue
        if STARTS.match(line):
            if block:
                yield block
            block, line = [], STARTS.sub("", line)
        block.append((number, line.strip()))
    if block:
        yield block


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a Markdown text or a docstring."""
    found = []
    for block in _blocks(text):
        joined = _plain("\n".join(line for _, line in block))
        start = 0
        for end in END.finditer(joined):
            part = joined[start : end.start()]
            if NO_END.search(part.strip()):
                continue
            found.append(_sentence(block, joined, start, part))
            start = end.end()
        if joined[start:].strip():
            found.append(_sentence(block, joined, start, joined[start:]))
    return [sentence for sentence in found if sentence.words]


def _sentence(block, joined, start, part):
    start += len(part) - len(part.lstrip())
    return Sentence(block[0][0] + joined.count("\n", 0, start), " ".join(part.split()))


def complaints(text: str, longest: int = LONGEST) -> list[str]:
    """Return what a linter has to say of a text: line, complaint, sentence."""
    found = []
    for sentence in sentences(text):
        if sentence.words > longest:
            found.append(f"{sentence.line}: {sentence.words} words, at most {longest}: {sentence.text}")
        for word in HOUSE_WORD.finditer(sentence.text):
            instead = list(BANNED.values())[int(word.lastgroup[1:])]
            found.append(f'{sentence.line}: "{word[0]}", write {instead}: {sentence.text}')
    return found


def percentile(counts: list[int], share: float) -> int:
    """Return the smallest number that this share of the counts does not exceed."""
    ordered = sorted(counts)
    return ordered[max(0, -(-int(share * 100) * len(ordered) // 100) - 1)]
