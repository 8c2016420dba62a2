"""Small signs that accompany colours, one for each faction and kind of card: outlines in a box of 14 x 14."""

NAMESPACE = "http://www.w3.org/2000/svg"

_RING = "M7 2a5 5 0 1 1 0 10A5 5 0 1 1 7 2zM7 4.2a2.8 2.8 0 1 0 0 5.6A2.8 2.8 0 1 0 7 4.2z"
_STAR = "M7 .8 8.9 5l4.5.4-3.4 3 1 4.5L7 10.5 3 12.9l1-4.5-3.4-3L5.1 5z"
_CROWN = "M1 4l3 3 3-5 3 5 3-3-1 8H2z"
_DIAMOND = "M7 1l5.5 6L7 13 1.5 7z"
_GEAR = (
    "M5.5 1h3v2.2l1.9 1.1 1.9-1 1.2 2.2L11.7 7l1.8 1.5-1.2 2.2-1.9-1-1.9 1.1V13h-3v-2.2L3.6 9.7l-1.9 1L.5 8.5 2.3 7"
    " .5 5.5l1.2-2.2 1.9 1 1.9-1.1z"
)
_SIGNS = {
    "blob": "M7 1c3 0 3 2.5 4.8 3.6S13.5 9 11.5 11 8 13.2 5.5 12.6 1 10.5 1.3 7.5 4 1 7 1z",
    "trade federation": "M7 .6 12.6 3.8v6.4L7 13.4 1.4 10.2V3.8zM7 3.3 3.8 5.2v3.6L7 10.7l3.2-1.9V5.2z",
    "star empire": _STAR,
    "machine cult": _GEAR,
    "kingdom": _CROWN,
    "consortium": _DIAMOND,
    "scavengers": "M1.5 2h11L7 12.5z",
    "planet": "M7 1.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11z",
    "special": _STAR,
    "ship": "M7 1l5 11.5-5-3-5 3z",
    "polymer": "M7 1c3 4 4 5.5 4 7.5a4 4 0 1 1-8 0C3 6.5 4 5 7 1z",
    "metal": "M4 3h6l3 8H1z",
    "energy": "M8 0 2.5 8H6l-1 6 6.5-8.5H7.5z",
    "edict": "M3 1h8v12H3zM5 4v1h4V4zm0 3v1h4V7z",
    "power": _CROWN,
    "gambit": _DIAMOND,
}


def symbols() -> str:
    """Return all signs as an SVG that draws nothing itself: a page shows one by `<use href="#sign-machine-cult"/>`."""
    found = "".join(
        f'<symbol id="sign-{name.replace(" ", "-")}" viewBox="0 0 14 14"><path fill-rule="evenodd" d="{path}"/></symbol>'
        for name, path in _SIGNS.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" class="signs" aria-hidden="true">{found}</svg>'
    )


def sign(name: str, ink: str) -> str:
    """Draw the sign of a faction or kind in a colour, or a ring for any other name."""
    return f'<path fill="{ink}" fill-rule="evenodd" d="{_SIGNS.get(name, _RING)}"/>'
