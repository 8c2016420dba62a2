"""Colours for light and dark pages, as CSS rules.

Factions and seats have colours that colour-blind people can distinguish (Okabe and Ito: Color Universal Design, 2008),
together with a sign or a number. Text has a contrast of at least 4.5 to its background, by WCAG 2.
"""

from functools import cache

FONT = "system-ui,'Segoe UI',Roboto,'DejaVu Sans','Liberation Sans',sans-serif"
THEMES = ("light", "dark", "auto")

# class -> (property, light, dark) …
RULES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "sd-ink": (("fill", "#17202b", "#eef2f7"),),
    "sd-soft": (("fill", "#4a5666", "#aeb9c7"),),
    "sd-board": (("fill", "#e9edf2", "#0f141b"),),
    "sd-panel": (("fill", "#f7f9fb", "#18202b"), ("stroke", "#c9d1db", "#2d3949")),
    "sd-mine": (("fill", "#ffffff", "#1c2635"), ("stroke", "#8fa0b5", "#4b5d76")),
    "sd-bar": (("fill", "#1f2b3a", "#202c3b"),),
    "sd-bar-ink": (("fill", "#ffffff", "#ffffff"),),
    "sd-bar-soft": (("fill", "#c6d0dc", "#c6d0dc"),),
    "sd-ask": (("fill", "#ffe9a8", "#5b4706"), ("stroke", "#b07d00", "#e0b030")),
    "sd-card": (("fill", "#ffffff", "#222d3c"), ("stroke", "#8b97a6", "#5d6c80")),
    "sd-base": (("fill", "#f1f3f6", "#2a3546"), ("stroke", "#5a6675", "#8492a6")),
    "sd-under": (("fill", "#d5dbe3", "#161d27"), ("stroke", "#8b97a6", "#5d6c80")),
    "sd-back": (("fill", "#3b4a5e", "#34435a"), ("stroke", "#1f2b3a", "#6c7d95")),
    "sd-back-ink": (("fill", "#ffffff", "#ffffff"),),
    "sd-gem": (("fill", "#ffd24a", "#ffd24a"), ("stroke", "#7a5a00", "#7a5a00")),
    "sd-gem-ink": (("fill", "#2a2000", "#2a2000"),),
    "sd-shield": (("fill", "#ffffff", "#222d3c"), ("stroke", "#39465a", "#c3cede")),
    "sd-outpost": (("fill", "#2b3543", "#dfe7f1"), ("stroke", "#2b3543", "#dfe7f1")),
    "sd-outpost-ink": (("fill", "#ffffff", "#17202b"),),
    "sd-pill": (("fill", "#dfe5ec", "#334054"),),
    "sd-here": (("stroke", "#0b57d0", "#8ab8ff"),),
    "sd-here-ink": (("fill", "#0b57d0", "#8ab8ff"),),
    "sd-space": (("fill", "#dde3ec", "#141b26"), ("stroke", "#9aa7b8", "#3a485c")),
    "sd-unknown": (("fill", "#c3ccd8", "#222c3a"), ("stroke", "#9aa7b8", "#3a485c")),
    "sd-planet": (("fill", "#fdf6e3", "#3a3524"), ("stroke", "#a08c4e", "#8c7d4d")),
    "sd-home": (("fill", "#fffbe8", "#4a4222"), ("stroke", "#8a6d00", "#c7a93a")),
    "sd-rock": (("fill", "#d9d4cf", "#38322d"), ("stroke", "#8d8379", "#6d635a")),
    "sd-gate": (("fill", "#e6dcf5", "#35294a"), ("stroke", "#7a5ca8", "#9a80c9")),
    "sd-sector": (("stroke", "#54637a", "#8795ab"),),
}

# Colours of both themes: a band, and the text on it.
BANDS = {
    "blob": ("#0b6b50", "#ffffff"),
    "trade federation": ("#0a5ca8", "#ffffff"),
    "star empire": ("#f0b400", "#1b1600"),
    "machine cult": ("#b3341e", "#ffffff"),
    "kingdom": ("#71459b", "#ffffff"),
    "consortium": ("#0c6a78", "#ffffff"),
    "scavengers": ("#7d4f0c", "#ffffff"),
}
KINDS = {  # without a faction: by kind, or by the resource that pays for it
    "polymer": ("#0b6b50", "#ffffff"),
    "metal": ("#56616f", "#ffffff"),
    "energy": ("#f0b400", "#1b1600"),
    "planet": ("#0c6a78", "#ffffff"),
    "special": ("#71459b", "#ffffff"),
    "power": ("#7d4f0c", "#ffffff"),
    "edict": ("#71459b", "#ffffff"),
    "gambit": ("#7d4f0c", "#ffffff"),
    "boss": ("#b3341e", "#ffffff"),
}
NO_BAND = ("#56616f", "#ffffff")
SEATS = (  # by seat
    ("#0a66b0", "#ffffff"), ("#f0b400", "#1b1600"), ("#08785a", "#ffffff"), ("#b3341e", "#ffffff"),
    ("#71459b", "#ffffff"), ("#7fc4ee", "#0d1b26"),
)  # fmt: skip


@cache
def style(theme: str) -> str:
    """Return the CSS rules of a picture. `auto` follows the page, else the reader's preference."""
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r}: must be one of {', '.join(THEMES)}")
    rules = [f".sd{{font-family:{FONT}}}", ".sd-here,.sd-sector{fill:none}", ".sd .can{cursor:pointer}"]
    if theme == "auto":
        rules += _rules(1, "")
        rules.append(f"@media (prefers-color-scheme:dark){{{''.join(_rules(2, ':root:not([data-theme=light]) '))}}}")
        rules += _rules(2, "[data-theme=dark] ")
    else:
        rules += _rules(1 + (theme == "dark"), "")
    return "".join(rules)


def _rules(column, before):
    return [f"{before}.{name}{{{';'.join(f'{row[0]}:{row[column]}' for row in rows)}}}" for name, rows in RULES.items()]


@cache
def css() -> str:
    """Return the bands of cards and the colours of seats as CSS classes, `suit-…` and `seat-…`."""
    bands = KINDS | BANDS
    rules = [f".suit-{name.replace(' ', '-')}{{--band:{band};--on-band:{ink}}}" for name, (band, ink) in bands.items()]
    rules += [f".seat-{seat}{{--band:{band};--on-band:{ink}}}" for seat, (band, ink) in enumerate(SEATS)]
    return "\n".join(rules) + "\n"
