"""Small signs that accompany words and colours: outlines in a box of 14 x 14, one for each thing that a legend lists.

Within a game the shapes differ, not only the colours; tests/viewer/test_signs.py compares them as pixels.
"""

import re

NAMESPACE = "http://www.w3.org/2000/svg"

_RING = "M7 2a5 5 0 1 1 0 10A5 5 0 1 1 7 2zM7 4.2a2.8 2.8 0 1 0 0 5.6A2.8 2.8 0 1 0 7 4.2z"
_STAR = "M7 .8 8.9 5l4.5.4-3.4 3 1 4.5L7 10.5 3 12.9l1-4.5-3.4-3L5.1 5z"
_CROWN = "M1 4l3 3 3-5 3 5 3-3-1 8H2z"
_GEAR = (
    "M5.5 1h3v2.2l1.9 1.1 1.9-1 1.2 2.2L11.7 7l1.8 1.5-1.2 2.2-1.9-1-1.9 1.1V13h-3v-2.2L3.6 9.7l-1.9 1L.5 8.5 2.3 7"
    " .5 5.5l1.2-2.2 1.9 1 1.9-1.1z"
)
_SHIELD = "M1.5 1.2h11v6.3q0 3.8-5.5 6-5.5-2.2-5.5-6z"
_SPARK = "M7 .3 8.7 5.3 13.7 7 8.7 8.7 7 13.7 5.3 8.7.3 7l5-1.7z"
_COIN = "M7 1a6 6 0 1 1 0 12A6 6 0 1 1 7 1z"
SIGNS = {
    # Factions
    "blob": (
        "M6.2 1C8.6.6 9 3 10.6 3.4s3 .6 2.8 2.8-1.8 1.8-1.6 3.2.4 3.6-1.8 3.8-2-1.6-3.6-1.4-3.6 1.2-4.4-.6.8-2.2.4-3.4"
        "S.2 5.6 1.6 4.2 4.4 1.4 6.2 1z"
        "M5 5.4a1 1 0 1 0 0 2 1 1 0 1 0 0-2z"
    ),
    "trade federation": "M7 .6 12.6 3.8v6.4L7 13.4 1.4 10.2V3.8zM7 3.3 3.8 5.2v3.6L7 10.7l3.2-1.9V5.2z",
    "star empire": _STAR,
    "machine cult": _GEAR,
    "kingdom": _CROWN,
    "consortium": "M7 1l5.5 6L7 13 1.5 7z",
    "scavengers": "M1.5 2h11L7 12.5z",
    "unaligned": _RING,
    # Cards
    "ship": "M7 1l5 11.5-5-3-5 3z",
    "base": f"{_SHIELD}M3.3 3v4.5q0 2.3 3.7 4 3.7-1.7 3.7-4V3z",
    "outpost": _SHIELD,
    "planet": "M7 3a4 4 0 1 1 0 8A4 4 0 1 1 7 3zM.6 9.6 12.7 2.9l.8 1.4L1.4 11z",
    "special": _STAR,
    "gambit": "M2.5.8h9v12.4h-9zM7 3 4.4 7 7 11 9.6 7z",
    "power": "M7 .4 13.6 7 7 13.6.4 7zM7 3.4 6 6 3.4 7 6 8l1 2.6L8 8l2.6-1L8 6z",
    "technology": "M5 .8h4v1.4h-.7V6l4 6v1.2H1.7V12l4-6V2.2H5z",
    "edict": "M3 1h8v12H3zM5 4v1h4V4zm0 3v1h4V7z",
    # Abilities and marks
    "ally": (
        "M5 3.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 1 1 0-7.6zM5 4.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 1 0 0-4.8z"
        "M9 3.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 1 1 0-7.6zM9 4.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 1 0 0-4.8z"
    ),
    "scrap": "M5 .7h4v1.4h3.5v1.5h-11V2.1H5zM2.5 4.7h9l-.8 8.8H3.3zM5 6.3v5.6h1.1V6.3zm2.9 0v5.6H9V6.3z",
    "tapped": "M.6 3.6h12.8v6.8H.6zM2.2 5.2v3.6h9.6V5.2z",
    # Pools and resources
    "trade": f"{_COIN}M6 3.8h2v6.4H6z",
    "combat": (
        "M7 2.6a4.4 4.4 0 1 1 0 8.8 4.4 4.4 0 1 1 0-8.8zM7 4.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 1 0 0-5.4z"
        "M6.2 0h1.6v2.2H6.2zm0 11.8h1.6V14H6.2zM0 6.2h2.2v1.6H0zm11.8 0H14v1.6h-2.2zM7 6a1 1 0 1 1 0 2 1 1 0 1 1 0-2z"
    ),
    "authority": "M1.6.5h1.7v13H1.6zM3.3 1.4H13l-2.6 3.1L13 7.6H3.3z",
    "credits": f"{_COIN}M7 4 4 7l3 3 3-3z",
    "polymer": "M7 .8c3.2 4.2 4.6 6 4.6 8a4.6 4.6 0 1 1-9.2 0C2.4 6.8 3.8 5 7 .8z",
    "metal": "M4.2 3.4h5.6L13.4 11H.6z",
    "energy": "M8 0 2.5 8H6l-1 6 6.5-8.5H7.5z",
    "tokens": "M2 4.3a5 2.4 0 1 1 10 0 5 2.4 0 1 1-10 0zM2 7q5 4.2 10 0v2.8q-5 4.2-10 0z",
    "influence": "M.8 5h3.4l7-3.7v11.4l-7-3.7H.8zM12.2 5.2h1.2v3.6h-1.2z",
    "throne": "M3 .8h3v6h5.5v6.4H9.4V10H5.2v3.2H3z",
    "score": _STAR,
    # The galaxy
    "home world": "M7 .6 13.4 6v7.4H.6V6zM7 5.6a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 1 0 0-5.6z",
    "colony": "M1.4 10.2a5.6 7.6 0 0 1 11.2 0zM.6 11.2h12.8v2H.6zM6 7.4v2.8h2V7.4z",
    "starbase": "M5 .8h4V5h4.2v4H9v4.2H5V9H.8V5H5zM5.9 5.9v2.2h2.2V5.9z",
    "fighter": "M7 1.6l4.4 10.8L7 9.6l-4.4 2.8z",
    "cruiser": "M7 .3l2 4v3.2l4.4 4.3v1.9L9 11.6v2.2H5v-2.2L.6 13.7v-1.9L5 7.5V4.3z",
    "dreadnought": "M5 .6h4l1.2 3.2h3v6.4h-2.4v3.2H3.2v-3.2H.8V3.8h3zM4.6 5.2v1.6h4.8V5.2zm0 3.2V10h4.8V8.4z",
    "galaxy token": _SPARK,
    "galaxy": _SPARK,
    "wormhole": (
        "M7 .6a6.4 6.4 0 1 1 0 12.8A6.4 6.4 0 1 1 7 .6zM7 2.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 1 0 0-9.6z"
        "M7 3.9a3.1 3.1 0 1 1 0 6.2 3.1 3.1 0 1 1 0-6.2zM7 5.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 1 0 0-3z"
    ),
    "asteroid": (
        "M4 1.4 9.5 1l3.8 4-.9 5.5L8 13.2 3 11.8.7 7zM4.6 4a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 1 0 0-2.6z"
        "M8.8 7a1.5 1.5 0 1 0 0 3 1.5 1.5 0 1 0 0-3z"
    ),
    "Monolith": "M4.8.4h4.4L10.4 13.6H3.6z",
    "scepter": "M7 .4a3.3 3.3 0 1 1 0 6.6A3.3 3.3 0 1 1 7 .4zM6 6.6h2v7H6z",
    "Emperor": _CROWN,
}
_YIELD = {"P": "polymer", "M": "metal", "E": "energy"}
_YIELDS = re.compile(r"(planet )?([PME]{1,3})")


def symbols() -> str:
    """Return all signs as an SVG that draws nothing itself: a page shows one by `<use href="#sign-machine-cult"/>`."""
    found = "".join(
        f'<symbol id="{symbol_id(name)}" viewBox="0 0 14 14"><path fill-rule="evenodd" d="{path}"/></symbol>'
        for name, path in SIGNS.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" class="signs" aria-hidden="true">{found}</svg>'
    )


def symbol_id(name: str) -> str:
    """Return the id of a sign among the symbols of a page."""
    return f"sign-{name.replace(' ', '-')}"


def sign(name: str, ink: str) -> str:
    """Draw the sign of a thing, or a ring for a name without one.

    Args:
        name: The thing: a faction, a kind of card, a resource, a token, a ship …
        ink: A colour, or a style class of the palette ("sd-ink").
    """
    paint = f'class="{ink}"' if ink.startswith("sd-") else f'fill="{ink}"'
    return f'<path {paint} fill-rule="evenodd" d="{SIGNS.get(name, _RING)}"/>'


def yields(name: str | None) -> list[str]:
    """Return the resources that a name in letters stands for: "planet PPM" is two polymer and one metal.

    Planets and market tiles have such names; any other name gives an empty list.
    """
    found = _YIELDS.fullmatch(name or "")
    return [_YIELD[letter] for letter in found[2]] if found else []


def in_words(name: str) -> str:
    """Return a name with its letters for resources in words: "planet: 2 polymer, 1 metal"."""
    found = yields(name)
    listed = ", ".join(f"{found.count(each)} {each}" for each in dict.fromkeys(found))
    return f"{'planet' if name.startswith('planet') else 'tile'}: {listed}" if found else name
