"""Rules conformance: positions, moves and what must then hold, read from YAML or JSON files.

A file is a list of scenarios with `name`, `game`, `settings`, `position` or `seed`, `moves` and `expect`. Expectations
are compared key by key; a pile is a multiset, or a number for its size; a key with `_order` compares the whole pile in
order. What is not named is not compared.
"""

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from stardeck.game.game import Game
from stardeck.kernels.errors import IllegalAction, is_whole, shown
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
        """Whether everything was as expected."""
        return not self.differences


class ScenarioError(ValueError):
    """A scenario file is malformed; the message names the file, the scenario and what is wrong."""


def load_yaml(text: str) -> Any:
    """What a YAML text holds; YAMLError if it is nested too deeply or names parts of itself.

    Both are seen before anything recurses: a few lines of references stand for more than any memory holds.
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
    """The scenarios of a file. Raises ScenarioError."""
    try:
        content = load_yaml(read_text(path))
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be read ({error.strerror})") from error
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
    """Raise ScenarioError for what has not the shape of a scenario."""
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


def run_file(path: str | Path) -> list[Result]:
    """Run every scenario of a file. Raises ScenarioError if the file is malformed."""
    return [Result(str(path), scenario["name"], run_scenario(scenario, path)) for scenario in read_scenarios(path)]


def run_scenario(scenario: dict[str, Any], where: str | Path = "scenario") -> list[str]:
    """What differs from what a scenario expects; empty when it holds. ScenarioError if it cannot be set up."""
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
    return _differences_of(game, states, scenario["expect"], _as_told(game, states))


def _play(game, states, moves, name):
    """Play the moves; what went otherwise, or None. name: how the file calls a seat."""
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
    """A game of a campaign, or what comes between its games, where the sides act by name.

    In a file player_0 is the side that has the first turn of the game; in our campaigns a seat is one side throughout.
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
    return _differences_of(game, states, scenario["expect"], _campaign_as_told(game, states, campaign, names))


def _campaign_game(scenario):
    """The campaign that a scenario belongs to; its settings are those of one of its games."""
    if scenario["game"] not in ("star_realms", "rise_of_empire"):
        raise ValueError(f"game: {scenario['game']!r}: a campaign is one of star_realms")
    settings = scenario.get("settings", {})
    for key, value in settings.items():
        if key not in OF_A_CAMPAIGN and (key, value) not in (("format", "standard"), ("players", 2)):
            raise ValueError(f"{key}={value!r}: is no setting of a campaign, which is standard and for two")
    return Game.named("rise_of_empire", {key: settings[key] for key in OF_A_CAMPAIGN if key in settings})


def _campaign_as_told(game, states, campaign, names):
    """What a file says of the state: of the game that was on the table, and of the campaign."""
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
    """The same with player_0 and player_1 exchanged, in names of seats and in texts."""
    if isinstance(thing, dict):
        return {_seats_exchanged(key): _seats_exchanged(value) for key, value in thing.items()}
    if isinstance(thing, list):
        return [_seats_exchanged(item) for item in thing]
    if isinstance(thing, str):
        return thing.replace("player_0", "player_\0").replace("player_1", "player_0").replace("player_\0", "player_1")
    return thing


def _as_told(game, states):
    """What a file says of the state."""
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
    """Differences of one expected key from the mapping it is looked up in.

    `none` stands for nothing there; ships are compared as a whole, other mappings by the keys that are named.
    """
    if isinstance(key, str) and key.endswith("_order"):
        key, ordered = key.removesuffix("_order"), True
    nothing = {dict: {}, str: "none"}.get(type(wanted), [] if isinstance(wanted, list | int) else None)
    found = actual.get(key, nothing)
    if isinstance(wanted, dict) and isinstance(found, dict):
        wanted = wanted | {name: [] for name in found if key == "ships" and name not in wanted}
        inner = ((name, value, f"{where}.{name}") for name, value in wanted.items())
        return [text for name, value, place in inner for text in _differences(name, value, found, place, ordered)]
    if isinstance(found, list) and isinstance(wanted, int) and not isinstance(wanted, bool):
        found = len([item for item in found if item is not None])
    elif isinstance(found, list) and isinstance(wanted, list):
        if _same_pile(_spelled_out(wanted), [item for item in found if item is not None], ordered):
            return []
    if found == wanted:
        return []
    return [f"{where}: expected {_text(wanted)}, actual {_text(found)}"]


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
    """Whether everybody can get one of the places that suit it, and no place twice (augmenting paths)."""
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
    """A name, or a number, fits a card in any state, a mapping what it names."""
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
