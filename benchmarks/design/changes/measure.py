"""Part `changes`: the smallest printed change that makes the game fair, and what else changes with it.

`stardeck fair` searches every parameter of the variant (candidates.py). The nearest whole number can be printed; what
it leaves of the advantage is measured. Changes that leave little are ranked by the share of the printed number that
they change, new rules after them. What the first ones leave is measured again on new deals, for the best of many points
looks better than it is; of three sides or more, the share of each is measured too. Those that leave little, or else the
best one, are compared with the printed game on the same deals: length, comebacks and the other numbers of the part
`drama`. For the first one, card values are compared too, and what it leaves to other agents.
"""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from stardeck import agents as players
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena.variant_options import command_for
from stardeck.benchmarks.card_values.measure import worth
from stardeck.benchmarks.card_values.treatment_effects import chances, corrected
from stardeck.benchmarks.card_values.treatments import treatments_of
from stardeck.benchmarks.design.agent_pace import affordable
from stardeck.benchmarks.design.changes.answers import as_text, at, is_small, largest, likeliest, nearest, rank
from stardeck.benchmarks.design.changes.candidates import Candidate, auctions, candidates
from stardeck.benchmarks.design.changes.page import show
from stardeck.benchmarks.design.comparison import JUDGED, chances_of_none, different_judges
from stardeck.benchmarks.design.drama import DRAMA
from stardeck.benchmarks.design.drama.measure import FEWEST_GAMES
from stardeck.benchmarks.design.estimates import Estimate, differences
from stardeck.benchmarks.design.ladder import plays_alike
from stardeck.benchmarks.design.part import Asked, Measured, PartOf
from stardeck.benchmarks.design.stages import stages_of
from stardeck.benchmarks.design.turn_order import of_wins, ordinal, shares_by_turn
from stardeck.benchmarks.fairness.parameters import Parameter, independent_settings, read_parameters, settings_at
from stardeck.benchmarks.fairness.search import fair
from stardeck.benchmarks.results.words import parameter_in_words
from stardeck.game.agent_table import is_compiled
from stardeck.game.game import Game

Z = 1.96
SEARCHES = 4  # parts of the budget: a parameter gets one
OTHERS = 4  # parts of the budget: each other agent of the ladder gets one for the printed game, and one for the change
NEW_DEALS = 1 << 32  # distance of the seed of deals that no search has seen
TRIED = 3  # whole numbers of several parameters that are played on new deals
LOOSER = 2  # times the error of one parameter, for several
COMPARED = 3  # answers that are played and compared with the printed game
DRAMAS = 20  # parts of the budget: the printed game and each of these answers get one
SMALL = 0.3  # points: the smallest error that a search may have
CARDS = 8  # card values that are listed


def offers(game: Game) -> str:
    """Return the reason why a variant has no parameters to search, or ""."""
    if len(game.variant.sides) < 2:
        return "all players are one side, so no side has an advantage"
    return "" if candidates(game) or auctions(game) else "the game has no setting that favours a side"


def measure(asked: Asked) -> Measured:
    """Search every parameter, rank the answers, and compare the first ones with the printed game.

    Args:
        asked: What to measure.
    """
    game = asked.game
    budget = affordable(players.get(asked.agent, game), max(1, asked.games // SEARCHES))
    within = max(SMALL, round(50 * Z / math.sqrt(budget), 2))
    listed = candidates(game)
    prices = auctions(game)
    cards = bool(treatments_of(game.variant.game)) and is_compiled(players.get(asked.agent, game))
    plain, cards_of_both = 2 * COMPARED * asked.games // DRAMAS, 2 * asked.games if cards else 0
    others = _other_agents(asked)
    times = [budget] * (len(listed) + 2 * COMPARED + 1 + len(prices)) + [plain, cards_of_both]
    times += [2 * asked.games // OTHERS] * len(others)
    stages = iter(stages_of(asked, times))
    rows = [_searched(next(stages), one, within, budget) for one in listed]
    rows = _confirmed([next(stages) for _ in range(2 * COMPARED)], rows, budget)
    printed = _first(next(stages), budget, "printed", game.settings)
    bids = [_auction(next(stages), name, value, budget) for name, value in prices]
    estimates = [one for row in rows if row["found"] for one in _estimates(row, asked.game.id)]
    estimates += [_of_bid(row) for row in bids if not row["why"]]
    found = [row for row in rows if row["found"]]
    first = [row for row in found if is_small(row)][:COMPARED] or found[:1]
    compared = _compared(next(stages), first)
    of_cards = next(stages)
    if cards and first:
        compared[0]["cards"] = _card_values(of_cards, first[0])
    elsewhere = [_elsewhere(stage, one, first[0]) for stage, one in zip(stages, others, strict=True) if first]
    elsewhere = [one for one in elsewhere if one]
    asked.progress(1, 1)
    commands = [_commands(asked, row, within, budget) for row in rows]
    details = {
        "agent": asked.agent, "sides": len(game.variant.sides), "printed": printed, "rows": rows, "auctions": bids,
        "compared": compared, "within": within, "elsewhere": elsewhere,
    }  # fmt: skip
    return Measured(estimates, details, commands)


def _searched(asked: Asked, candidate: Candidate, within: float, budget: int) -> dict[str, Any]:
    """Return the answer of a search: of a parameter for the side that moves first, or of several for all sides."""
    game, knobs, printed = asked.game, list(candidate.knobs), list(candidate.printed)
    parameters = read_parameters(knobs, game)
    settings = independent_settings(game, parameters)
    label = ",".join(one.label for one in parameters)
    one, together = len(knobs) == 1, _together(parameters)
    row: dict[str, Any] = {"knobs": knobs, "label": label, "name": parameter_in_words(together, game.id)}
    row["folder"] = _file_name(together if one else f"{together}-each")
    row |= {"printed": printed[0], "measured": candidate.wholes[0]} if one else {
        "printed": printed, "measured": list(candidate.wholes)
    }  # fmt: skip
    try:
        summary = fair(
            game.variant.game, knobs, asked.agent, _within(knobs, within), 4 * budget, asked.seed,
            asked.out / row["folder"], workers=asked.workers, on=asked.on, progress=asked.progress, picture=False,
            **settings,
        )  # fmt: skip
    except ValueError as error:
        return row | {"found": False, "why": str(error)}
    near = nearest(summary["seen"], label, printed[0]) if one else likeliest(summary, printed, TRIED)
    row |= {
        "found": summary["found"] and bool(near), "why": summary["why"], "answers": summary["answer"], "near": near,
        "games": summary["games"], "confirmed": False,
    }  # fmt: skip
    return at(row, near[0]) if near else row


def _within(knobs: list[str], within: float) -> float:
    """Return the error that a search may have: the shares of many sides together are harder to know."""
    return within if len(knobs) == 1 else LOOSER * within


def _together(parameters: list[Parameter]) -> str:
    """Return the label of the parameters of a search as one, with the seats of all."""
    return parameters[0]._replace(seats=tuple(seat for one in parameters for seat in one.seats)).label


def _confirmed(stages: list[Asked], rows: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """Return the answers by rank; what the first ones leave is measured on deals that no search has seen."""
    rows, ahead = sorted(rows, key=rank), iter(stages)
    while unseen := [place for place, row in enumerate(rows[:COMPARED]) if row["found"] and not row["confirmed"]]:
        for place in unseen:
            rows[place] = _seen_anew(next(ahead, stages[-1]), rows[place], budget)
        rows.sort(key=rank)
    return rows


def _seen_anew(asked: Asked, row: dict[str, Any], budget: int) -> dict[str, Any]:
    """Return a row whose answer is the first whole number that leaves little on new deals, else the best one."""
    tried = []
    for stage, whole in zip(stages_of(asked, [1] * len(row["near"])), row["near"], strict=True):
        settings = _settings_at(asked.game, row["knobs"], whole["value"])
        folder = _folder(row, whole["value"])
        tried.append(at(row, whole | {"left": _first(stage, budget, folder, settings, NEW_DEALS)}))
        if is_small(tried[-1]):
            return tried[-1] | {"confirmed": True}
    return min(tried, key=lambda one: largest(one["whole"]["left"])) | {"confirmed": True}


def _commands(asked: Asked, row: dict[str, Any], within: float, budget: int) -> str:
    """Return the command of a search, and in a second line that of the games on new deals, if there are any."""
    game, agents = asked.game, asked.agent
    search = command_for(
        "fair", game, knob=row["knobs"], agents=agents, within=_within(row["knobs"], within), games=4 * budget,
        seed=asked.seed,
    )  # fmt: skip
    if not search or not row.get("confirmed"):
        return search
    changed = Game.named(game.variant.game, _settings_at(game, row["knobs"], row["whole"]["value"]))
    anew = command_for("advantage", changed, agents=agents, games=budget, seed=_later(asked, NEW_DEALS))
    return f"{search}\n{anew}"


def _later(asked: Asked, distance: int) -> int:
    """Return a seed at a distance from that of the report."""
    return (asked.seed + distance) % 2**64


def _settings_at(game: Game, knobs: list[str], value: Any) -> dict[str, Any]:
    """Return the settings of a variant in which a parameter has another value, or each of several has one."""
    parameters = read_parameters(knobs, game)
    values = value if isinstance(value, list) else [value]
    places = [one.values.index(held) for one, held in zip(parameters, values, strict=True)]
    return settings_at(parameters, independent_settings(game, parameters), places)


def _first(asked: Asked, games: int, folder: str, settings: dict[str, Any], later: int = 0) -> dict[str, Any]:
    """Return what moving first is worth with some settings, in points with the interval.

    With three sides or more, `sides` has the advantage of each in the order of turns.

    Args:
        asked: What the part measures.
        games: Number of games.
        folder: Name of the folder of these games.
        settings: Settings of the variant.
        later: Distance of the seed from that of the report.
    """
    found = advantage(
        asked.game.variant.game, asked.agent, games, _later(asked, later), asked.out / folder,
        workers=asked.workers, on=asked.on, progress=asked.progress, picture=False, **settings,
    )["first_advantage"]  # fmt: skip
    first = {"value": found["points"], "low": found["low"], "high": found["high"], "unit": "points"}
    if len(asked.game.variant.sides) < 3:
        return first
    by_turn = shares_by_turn(asked.out / folder, asked.game).T
    found = [
        of_wins(f"side_{place + 1}", f"side that moves {ordinal(place)}", won, 1 / len(by_turn))
        for place, won in enumerate(by_turn)
    ]
    return first | {"sides": [one._replace(blocks=None)._asdict() for one in found]}


def _folder(row: dict[str, Any], value: Any) -> str:
    return f"{row['folder']}-{_file_name(as_text(value))}"


def _file_name(label: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in label)


def _estimates(row: dict[str, Any], variant: str) -> list[Estimate]:
    """Return the fair value of a parameter, or of each of several that give every side its share together."""
    ends = ("value", "low", "high")
    if len(row["answers"]) == 1:
        return [Estimate(f"fair_{row['label']}", f"fair value: {row['name']}", "", *map(row["answers"][0].get, ends))]
    return [
        Estimate(
            f"fair_to_all_{one['knob']}",
            f"value that is fair to all sides: {parameter_in_words(one['knob'], variant)}", "", *map(one.get, ends),
        )
        for one in row["answers"]
    ]  # fmt: skip


def _of_bid(row: dict[str, Any]) -> Estimate:
    words = f"{row['setting'].replace('_', ' ')}: {row['value']}"
    label = f"advantage of moving first where players set its price ({words})"
    ends = (row["first"][end] for end in ("value", "low", "high"))
    return Estimate(f"first_{row['setting']}_{row['value']}", label, "points", *ends)


def _other_agents(asked: Asked) -> list[str]:
    """Return the fast agents of the ladder that the searches do not ask."""
    return [one for one in asked.ladder if one != asked.agent and is_compiled(players.get(one, asked.game))]


def _elsewhere(asked: Asked, agent: str, row: dict[str, Any]) -> dict[str, Any]:
    """Return what moving first is worth to another agent, as printed and with a change; {} if it cannot play both."""
    if not plays_alike(agent, [game for game, _ in _both(asked, row)]):
        return {}
    games = affordable(players.get(agent, asked.game), max(1, asked.games // OTHERS))
    changed = _settings_at(asked.game, row["knobs"], row["whole"]["value"])
    own = [replace(stage, agent=agent) for stage in stages_of(asked, [1, 1])]
    printed = _first(own[0], games, f"elsewhere/{_file_name(agent)}-printed", asked.game.settings)
    value = as_text(row["whole"]["value"])
    after = _first(own[1], games, f"elsewhere/{_file_name(f'{agent}-{value}')}", changed)
    return {"agent": agent, "games": games, "printed": printed, "after": after}


def _auction(asked: Asked, name: str, value: str, budget: int) -> dict[str, Any]:
    """Return the advantage of moving first that is left when players set its price."""
    game = asked.game
    settings = {key: held for key, held in game.settings.items() if key != name}
    row: dict[str, Any] = {"setting": name, "value": value}
    try:
        return row | {"why": "", "first": _first(asked, budget, f"{name}-{value}", settings | {name: value})}
    except ValueError as error:
        return row | {"why": str(error)}


def _both(asked: Asked, row: dict[str, Any]) -> list[tuple[Game, Path]]:
    """Return the printed game and the game with the answer of a row, each with a folder for its measurements."""
    game, folder = asked.game, asked.out / "compared"
    changed = Game.named(game.variant.game, _settings_at(game, row["knobs"], row["whole"]["value"]))
    return [(game, folder / "printed"), (changed, folder / _folder(row, row["whole"]["value"]))]


def _compared(asked: Asked, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what else changes with each of some answers, compared with the printed game on the same deals."""
    if not rows:
        return []
    games = [_both(asked, row) for row in rows]
    stages = stages_of(asked, [1] * (1 + len(rows)))
    printed = games[0][0]
    before = DRAMA.measure(_of(stages[0], *printed))
    return [
        _differences(row, (printed[0], before), (changed[0], DRAMA.measure(_of(stage, *changed))))
        for row, (_, changed), stage in zip(rows, games, stages[1:], strict=True)
    ]


def _differences(row: dict[str, Any], before: tuple[Game, Measured], after: tuple[Game, Measured]) -> dict[str, Any]:
    """Return the differences of the part `drama` with an answer. Numbers of different judges are left out."""
    (game, printed), (changed, found) = before, after
    judged = JUDGED if different_judges([game, changed], [printed.details, found.details]) else ()
    between = [one for one in differences(printed.estimates, found.estimates) if one.name not in judged]
    values = {one.name: one.value for one in printed.estimates}
    apart = [
        one._replace(blocks=None)._asdict() | {"printed": values[one.name], "q": q}
        for one, q in zip(between, chances_of_none(between), strict=True)
    ]
    return {
        "label": row["label"], "name": row["name"], "value": row["whole"]["value"], "games": printed.details["games"],
        "differences": apart,
    }  # fmt: skip


def _of(asked: Asked, game: Game, out: Path) -> Asked:
    """Return the request of another part: the same games of another variant."""
    out.mkdir(parents=True, exist_ok=True)
    games = max(FEWEST_GAMES, asked.games // DRAMAS)
    return replace(asked, game=game, out=out, games=games, ladder=(), logs=None)


def _card_values(asked: Asked, row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the card values that differ most between the printed game and a changed one, with corrected q."""
    summaries = [
        worth(
            game.variant.game, asked.agent, asked.games, asked.seed, folder / "worth", workers=asked.workers,
            on=asked.on, progress=stage.progress, picture=False, **game.settings,
        )
        for stage, (game, folder) in zip(stages_of(asked, [1, 1]), _both(asked, row), strict=True)
    ]  # fmt: skip
    before, after = ({(row["card"], row["stage"]): row["points"] for row in one["cards"]} for one in summaries)
    both = [key for key in before if after.get(key) and before[key]]
    apart = np.array([after[key]["value"] - before[key]["value"] for key in both])
    errors = np.array([math.hypot(_error(before[key]), _error(after[key])) for key in both])
    q = corrected(chances(apart, errors))
    return [
        {"card": both[at][0], "stage": both[at][1], "value": float(apart[at]), "low": float(apart[at] - Z * errors[at]),
         "high": float(apart[at] + Z * errors[at]), "unit": "points", "q": float(q[at])}
        for at in np.argsort(q, kind="stable")[:CARDS].tolist()
    ]  # fmt: skip


def _error(points: dict[str, float]) -> float:
    return (points["high"] - points["low"]) / (2 * Z)


CHANGES = PartOf(
    "changes",
    "The smallest change that makes it fair",
    "Which printed number would have to change, by how little, and what else would change with it?",
    measure,
    show,
    offers,
)
