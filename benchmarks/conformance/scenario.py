"""Rules conformance: scenarios from YAML or JSON files, with a position, moves and the expected state.

A file is a list of scenarios with `name`, `game`, `settings`, `position` or `seed`, `moves` and `expect`. Expectations
are compared key by key. A pile is a multiset, or a number for its size; a key with `_order` compares the whole pile in
order. Keys that are not named are not compared.
"""

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from stardeck.game.game import Game
from stardeck.kernels.errors import IllegalAction, is_whole, reason, shown
from stardeck.kernels.files import read_text

DEEPEST = 100  # levels of lists and mappings in a file: libyaml recurses on the C stack
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, where PyYAML has it, is six times as fast
KINDS = {
    "name": (str, "a text"),
    "game": (str, "a text"),
    "settings": (dict, "settings by name"),
    "campaign": (dict, "a mapping"),
    "position": (dict, "a mapping"),
    "seed": (int, "a whole number"),
    "moves": (list, "a list of moves"),
    "expect": (dict, "a mapping"),
}


class Result(NamedTuple):
    """The outcome of one scenario: no differences means it holds."""

    file: str
    name: str
    differences: list[str]

    @property
    def ok(self) -> bool:
        """True if the scenario holds."""
        return not self.differences


class ScenarioError(ValueError):
    """A scenario file is malformed; the message names the file, the scenario and what is wrong."""


def load_yaml(text: str) -> Any:
    """Return the content of a YAML text.

    Raises:
        YAMLError: The text is malformed, is nested too deeply, or has references. Depth and references are checked
            first: a few lines of nested references can exceed any memory.
    """
    depth = 0
    for event in yaml.parse(text, LOADER):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise yaml.YAMLError(f"nested deeper than {DEEPEST} levels")
        if isinstance(event, yaml.AliasEvent):
            raise yaml.YAMLError(f"*{event.anchor}: references are not read")
    return yaml.load(text, LOADER)


OF_A_CAMPAIGN = ("set", "max_turns", "finale")  # settings that a campaign shares with its games


def read_scenarios(path: str | Path) -> list[dict[str, Any]]:
    """Return the scenarios of a file. Raise ScenarioError if the file is malformed."""
    try:
        content = load_yaml(read_text(path))
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be read ({reason(error)})") from error
    except (yaml.YAMLError, ValueError) as error:  # ValueError: no UTF-8, the 40th of May, 5,000 digits
        raise ScenarioError(f"{path}: is neither YAML nor JSON: {' '.join(str(error).split())}") from error
    if not isinstance(content, list):
        raise ScenarioError(f"{path}: must be a list of scenarios")
    for number, scenario in enumerate(content, 1):
        if not isinstance(scenario, dict) or not isinstance(scenario.get("name"), str):
            raise ScenarioError(f"{path}: scenario {number}: has no name")
        _check(scenario, f"{path}: {scenario['name']}")
    return content


def _check(scenario, where):
    """Raise ScenarioError unless a mapping has the form of a scenario."""
    _check_keys(scenario, where)
    for name in scenario.get("settings", {}):
        if not isinstance(name, str) or name == "name":
            raise ScenarioError(f"{where}: settings: {shown(name)} is none")
    for move in scenario.get("moves", []):
        if not (isinstance(move, dict) and len(move) == 1 and all(isinstance(text, str) for text in move.values())):
            raise ScenarioError(f"{where}: {shown(move)}: a move is written `player_0: play Scout`")
    for key in ("legal", "illegal"):
        texts = scenario["expect"].get(key, [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ScenarioError(f"{where}: expect: {key}: {shown(texts)}: must be a list of moves")


def _check_keys(scenario, where):
    """Raise ScenarioError unless a mapping has the keys of a scenario, with values of the right types."""
    for key, value in scenario.items():
        if key not in KINDS:
            raise ScenarioError(f"{where}: {shown(key)} is not known; allowed: {', '.join(KINDS)}")
        kind, called = KINDS[key]
        if type(value) is not kind:
            raise ScenarioError(f"{where}: {key}: {shown(value)}: must be {called}")
    if "game" not in scenario or "expect" not in scenario:
        raise ScenarioError(f"{where}: needs game and expect")
    if ("position" in scenario) == ("seed" in scenario) and ("position" in scenario or "campaign" not in scenario):
        raise ScenarioError(f"{where}: needs either a position or a seed")


def run_file(path: str | Path) -> list[Result]:
    """Run every scenario of a file. Raise ScenarioError if the file is malformed."""
    return [Result(str(path), scenario["name"], run_scenario(scenario, path)) for scenario in read_scenarios(path)]


def run_scenario(scenario: dict[str, Any], where: str | Path = "scenario") -> list[str]:
    """Run one scenario.

    Args:
        scenario: The scenario, as `read_scenarios` returns it.
        where: Name of the file, for errors.

    Returns:
        The differences from the expected state; empty if the scenario holds.

    Raises:
        ScenarioError: The scenario cannot be set up.
    """
    if "campaign" in scenario:
        return _run_campaign(scenario, where)
    try:
        game = Game.named(scenario["game"], scenario.get("settings", {}))
        if "seed" in scenario:
            states = game.deal(scenario["seed"])
        else:
            states = game.from_position(scenario["position"])
    except (ValueError, TypeError, OSError) as error:
        raise ScenarioError(f"{where}: {scenario['name']}: {error}") from error
    if (difference := _play(game, states, scenario.get("moves", []), lambda seat: f"player_{seat}")) is not None:
        return [difference]
    return _differences_of(game, states, scenario["expect"], _state_in_words(game, states))


def _play(game, states, moves, name):
    """Play the moves; return the first difference, or None. name: function that gives the file's name of a seat."""
    for move in moves:
        ((player, text),) = move.items()
        seat = game.to_act(states)[0]
        decides = name(seat) if seat >= 0 else "nobody"
        if decides != player:
            return f"{text!r}: expected {player} to decide, but it is {decides}"
        try:
            game.play(states, text)
        except IllegalAction as error:
            return f"{player}: {error}"
    return None


def _run_campaign(scenario, where):
    """Run a scenario of a campaign: in one of its games, or between two games, where the sides act by name.

    In a file, player_0 is the side that has the first turn of the game. In the state of a campaign, a seat is always
    the same side.
    """
    campaign = scenario["campaign"]
    start = {key: scenario[key] for key in ("seed",) if key in scenario}
    try:
        game = _campaign_game(scenario)
        start |= scenario.get("position", {})
        sides = game.variant.campaign.sides
        if isinstance(campaign, dict) and campaign.get("first", sides[0]) != sides[0]:
            scenario, start = _seats_exchanged(scenario), _seats_exchanged(start)
        states = game.from_position({"campaign": campaign} | start)
    except (ValueError, TypeError, OSError) as error:
        raise ScenarioError(f"{where}: {scenario['name']}: {error}") from error
    names = ["player_0", "player_1"] if "scenario" in campaign else sides
    if (difference := _play(game, states, scenario.get("moves", []), lambda seat: names[seat])) is not None:
        return [difference]
    return _differences_of(game, states, scenario["expect"], _campaign_in_words(game, states, campaign, names))


def _campaign_game(scenario):
    """Return the campaign of a scenario, whose settings are the settings of one of its games."""
    if scenario["game"] not in ("star_realms", "rise_of_empire"):
        raise ValueError(f"game: {scenario['game']!r}: a campaign is one of star_realms")
    settings = scenario.get("settings", {})
    for key, value in settings.items():
        if key not in OF_A_CAMPAIGN and (key, value) not in (("format", "standard"), ("players", 2)):
            raise ValueError(f"{key}={value!r}: is no setting of a campaign, which is standard and for two")
    return Game.named("rise_of_empire", {key: settings[key] for key in OF_A_CAMPAIGN if key in settings})


def _campaign_in_words(game, states, campaign, names):
    """Return the state of a campaign and of its current game in the words of a file."""
    actual = game.position(states[0])
    actual["campaign"] = {"winner": None} | actual["campaign"]
    seat = game.to_act(states)[0]
    actual["to_act"] = names[seat] if seat >= 0 else None
    winner = game.results(states)["scenarios"][0][campaign["scenario"] - 1] if "scenario" in campaign else -1
    actual["over"] = bool(winner >= 0)
    if winner >= 0:
        actual["returns"] = {f"player_{other}": 1.0 if other == winner else -1.0 for other in range(2)}
    return actual


def _seats_exchanged(thing):
    """Return a copy of a structure with player_0 and player_1 exchanged in keys and texts."""
    if isinstance(thing, dict):
        return {_seats_exchanged(key): _seats_exchanged(value) for key, value in thing.items()}
    if isinstance(thing, list):
        return [_seats_exchanged(item) for item in thing]
    if isinstance(thing, str):
        return thing.replace("player_0", "player_\0").replace("player_1", "player_0").replace("player_\0", "player_1")
    return thing


def _state_in_words(game, states):
    """Return the state in the words of a file."""
    actual = game.position(states[0])
    actual["to_act"] = f"player_{game.to_act(states)[0]}"
    actual["over"] = bool(game.is_over(states)[0])
    actual["returns"] = {f"player_{seat}": float(value) for seat, value in enumerate(game.returns(states)[0])}
    return actual


def _differences_of(game, states, expect, actual):
    differences = []
    for key, wanted in expect.items():
        if key in ("legal", "illegal"):
            differences += _compare_moves(game, states, wanted, key == "legal")
        else:
            if key == "to_act" and is_whole(wanted):  # as positions of games from outside have it
                wanted = f"player_{wanted}"
            differences += _differences(key, wanted, actual, key)
    return differences


def _compare_moves(game, states, texts, should_be_legal):
    differences = []
    for text in texts:
        try:
            game.parse(states[0], text)
            is_legal = True
        except IllegalAction:
            is_legal = False
        if is_legal != should_be_legal:
            wanted = "legal" if should_be_legal else "illegal"
            differences.append(f"{text!r}: expected {wanted}, legal are: {'; '.join(game.moves(states)) or 'none'}")
    return differences


def _differences(key, wanted, actual, where, ordered=False):
    """Return the differences between the expected value of a key and the actual value.

    `none` means that nothing is there. Ships are compared as a whole, other mappings by the expected keys.
    """
    if isinstance(key, str) and key.endswith("_order"):
        key, ordered = key.removesuffix("_order"), True
    found = actual.get(key, _nothing_like(wanted))
    if isinstance(wanted, dict) and isinstance(found, dict):
        others = {name: [] for name in found if name not in wanted} if key == "ships" else {}
        inner = ((name, value, f"{where}.{name}") for name, value in (wanted | others).items())
        return [text for name, value, place in inner for text in _differences(name, value, found, place, ordered)]
    if isinstance(found, list):
        found = _as_wanted(found, wanted, ordered)
    return [] if found == wanted else [f"{where}: expected {_text(wanted)}, actual {_text(found)}"]


def _as_wanted(pile, wanted, ordered):
    """Return the size of a pile if a number is expected, and the expected pile if it has the same cards."""
    cards = [item for item in pile if item is not None]
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        return len(cards)
    if isinstance(wanted, list) and _same_pile(_spelled_out(wanted), cards, ordered):
        return wanted
    return pile


def _nothing_like(wanted):
    """Return the value that a missing key has if a value of this type is expected."""
    if isinstance(wanted, list | int):
        return []
    return {dict: {}, str: "none"}.get(type(wanted))


def _spelled_out(pile):
    cards = []
    for item in pile:
        name, _, copies = item.rpartition(" x") if isinstance(item, str) else ("", "", "")
        several = name and copies.isdecimal() and len(copies) < 6
        cards += [name] * int(copies) if several else [item]
    return cards


def _same_pile(wanted, found, ordered):
    if len(wanted) != len(found):
        return False
    if ordered:
        return all(_fits(one, other) for one, other in zip(wanted, found, strict=True))
    return _matches([[place for place, other in enumerate(found) if _fits(one, other)] for one in wanted])


def _matches(places):
    """Return True if a matching gives every expected card a place of its own (augmenting paths).

    places: the places that suit each card.
    """
    taken = {}

    def seat(guest, tried):
        for place in places[guest]:
            if place not in tried:
                tried.add(place)
                if place not in taken or seat(taken[place], tried):
                    taken[place] = guest
                    return True
        return False

    return all(seat(guest, set()) for guest in range(len(places)))


def _fits(wanted, found):
    """Return True if a card fits: a name fits it in any state, a mapping compares the keys that it names."""
    entry = found if isinstance(found, dict) else {"card": found}
    if not isinstance(wanted, dict):
        return entry["card"] == wanted
    return all(_same_value(value, entry.get(key)) for key, value in wanted.items())


def _same_value(wanted, found):
    if isinstance(wanted, list):
        found = found if isinstance(found, list) else []
        return len(wanted) == len(found) and all(wanted.count(item) == found.count(item) for item in wanted)
    return wanted == (found or 0) if isinstance(wanted, int) else wanted == found


def _text(value):
    return str(value).replace("'", "")
