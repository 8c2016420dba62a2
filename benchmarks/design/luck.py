"""The part `luck` of the designer's report: skill against luck, and how deep the game is.

Agents of the ladder meet in every pairing. Each deal is replayed with other chance after the deal, with each agent on
each side in turn (variance/replays.py). The law of total variance then divides the variance of the result among agents,
seat, deal, and everything after it (variance/shares.py). The same without a difference in skill: an agent against
itself. The depth is the number of steps of skill along the ladder, each of which wins 60 % (variance/depth.py).
"""

import json
from collections.abc import Sequence
from hashlib import blake2b
from itertools import combinations, pairwise, permutations
from typing import Any, NamedTuple

import numpy as np

from stardeck.agents.game_agents import said
from stardeck.benchmarks.design.agent_pace import time_of
from stardeck.benchmarks.design.estimates import Estimate
from stardeck.benchmarks.design.kept.rows import Counter, StoredChunks, Wanted, play_missing
from stardeck.benchmarks.design.part import Asked, Measured, PartOf, Shown, Table
from stardeck.benchmarks.design.variance import depth, luck_pictures
from stardeck.benchmarks.design.variance.depth import Match
from stardeck.benchmarks.design.variance.replays import SEARCH, Contender, ReplaySeries, contender, shares_won, speed_of
from stardeck.benchmarks.design.variance.shares import Moments, decompose, moments, shares
from stardeck.benchmarks.design.words import in_brackets
from stardeck.game.agent_table import is_compiled
from stardeck.game.game import Game

PAIRINGS, EQUALS, BRIDGES = 0.55, 0.25, 0.2  # shares of the budget
FEWEST = 384  # games of a pairing, however slow its agents are
REPLAYS, SLOW_REPLAYS = 8, 4  # of a deal in each seating
CHANCE = ("everything that the deal draws, hidden piles included", "chance that the rules draw later")


class Pairing(NamedTuple):
    """Two contenders whose games are played, and the series of these games."""

    pair: tuple[Contender, Contender]
    series: ReplaySeries
    games: int

    @property
    def name(self) -> str:
        """Name of its folder."""
        return _digest([self.series.replays, *(one.identity for one in self.pair)])

    @property
    def wanted(self) -> Wanted:
        """Its games, and how long they last."""
        return Wanted(self.name, self.series, self.games, sum(time_of(one.agent) for one in self.pair) / 2)


def _digest(what: Any) -> str:
    return blake2b(json.dumps(what).encode(), digest_size=8).hexdigest()


def _seed(asked: Asked, pair: tuple[Contender, Contender], what: str) -> int:
    """Return the seed of the games of a pair, which depends on nothing else."""
    return int(_digest([asked.seed, what, *(one.identity for one in pair)]), 16)


def _pairing(asked: Asked, pair: tuple[Contender, Contender], games: float) -> Pairing:
    """Return a pairing with about this number of games of fast agents, in whole deals."""
    speed = min(map(speed_of, pair))
    replays = SLOW_REPLAYS if speed == SEARCH else REPLAYS
    series = ReplaySeries(asked.game, pair, _seed(asked, pair, "replays"), replays)
    deals = max(int(max(games * speed, FEWEST)) // series.block, 8)
    return Pairing(pair, series, deals * series.block)


def _duel(asked: Asked, pair: tuple[Contender, Contender], games: float) -> Pairing:
    """Return a pairing in which each deal is played once in each seating, for ratings."""
    series = ReplaySeries(asked.game, pair, _seed(asked, pair, "duel"), 1)
    wanted = max(games * min(map(speed_of, pair)), depth.FEWEST)
    return Pairing(pair, series, -(-int(wanted) // series.block) * series.block)


def _agents(asked: Asked) -> tuple[list[Contender], Contender]:
    """Return the ladder and the agent of the report. Raises ValueError for a ladder with an agent given twice."""
    ladder = [contender(text, asked.game) for text in asked.ladder]
    names = [one.name for one in ladder]
    if len({*names}) < len(names):
        given = ", ".join(asked.ladder)
        raise ValueError(f"ladder={given}: must be different agents, from the weakest to the strongest")
    usual = contender(asked.agent, asked.game)
    return ladder, next((one for one in ladder if one.name == usual.name), usual)


def _pairs(ladder: Sequence[Contender], sides: int) -> list[tuple[Contender, Contender]]:
    """Return the pairings: every two agents, or each agent alone where the players are one side."""
    if sides == 1:
        return [(one, one) for one in ladder]
    return list(combinations(ladder, 2) if sides == 2 else permutations(ladder, 2))


class _Games:
    """The games of the part: what is finished is not played again."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        identity = {"variant": asked.game.id, "settings": asked.game.settings, "tables": asked.game.variant.tables}
        self.store = StoredChunks(asked.out / "replays", identity | {"seed": asked.seed})
        self.counter = Counter(asked, 0)

    def announce(self, pairings: Sequence[Pairing]) -> None:
        """Count pairings that will be played in the progress."""
        wanted = [pairing.wanted for pairing in pairings]
        self.counter.expect(sum(one.rows * one.time for one in wanted))

    def play(self, pairings: Sequence[Pairing]) -> None:
        """Play what is missing of some pairings."""
        play_missing(self.store, [pairing.wanted for pairing in pairings], self.asked, self.counter)

    def moments(self, pairings: Sequence[Pairing]) -> list[Moments]:
        """Play pairings, and return the moments of each."""
        self.play(pairings)
        return [moments(self.results(pairing)) for pairing in pairings]

    def results(self, pairing: Pairing) -> Any:
        """Return the share that the first agent won: float64[deals, seats, replays]; of each side in a mirror match."""
        series = pairing.series
        won = shares_won(self.store.load(pairing.name, pairing.games))
        by_deal = won.reshape(-1, series.seatings, series.replays, won.shape[1])
        if series.seatings == 1:
            return by_deal[:, 0].transpose(0, 2, 1)
        return np.stack([by_deal[:, side, :, side] for side in range(series.seatings)], axis=1)

    def match(self, pairing: Pairing) -> Match:
        """Return the games of a pairing as a match of a league."""
        rows = self.store.load(pairing.name, pairing.games)
        index = np.arange(len(rows))
        leaders = [seats[0] for seats in self.asked.game.variant.sides]
        order = pairing.series.seated(index)[:, leaders]
        return Match(rows[:, 1:].astype(np.int64), order, pairing.series.block)


def _components(sides: int, equal: bool) -> list[tuple[str, str] | None]:
    """Return name and label of each share; None where it does not apply."""
    prefix, among = ("equal_", "between equal agents: ") if equal else ("", "")
    return [
        None if equal else ("agent_share", "share of the result that skill explains: which agents play"),
        None if sides == 1 else (f"{prefix}seat_share", f"{among}share of the result that the seat explains"),
        (f"{prefix}deal_share", f"{among}share of the result that the deal explains"),
        (f"{prefix}chance_share", f"{among}share of the result that chance and random choices after the deal decide"),
    ]


def measure(asked: Asked) -> Measured:
    """Measure skill against luck and the depth of the game. See `Part.measure`."""
    sides = len(asked.game.variant.sides)
    ladder, usual = _agents(asked)
    games = _Games(asked)
    estimates: list[Estimate] = []
    details: dict[str, Any] = {
        "sides": sides,
        "agent": usual.name,
        "ladder": [one.name for one in ladder],
        "chance": list(said(asked.game.variant.game, "CHANCE", {}).get(asked.game.variant.game, CHANCE)),
    }
    pairs = _pairs(ladder, sides)
    pairings = [_pairing(asked, pair, asked.games * PAIRINGS / len(pairs)) for pair in pairs]
    equals = _equals(asked, ladder, usual)
    games.announce([*pairings, *equals])
    if sides > 1:
        games.announce([one for one in _bridges(asked, ladder) for _ in range(1 + depth.BRIDGES)])
    if pairings:
        estimates += _shares(games.moments(pairings), sides, _components(sides, equal=False))
    details["games"] = sum(pairing.games for pairing in pairings)
    details["equals"] = [_of_equals(games, one, usual, estimates) for one in equals]
    if sides > 1 and len(ladder) > 1:
        details["rungs"] = _depth(games, ladder, estimates)
    games.counter.finish()
    return Measured(estimates, details, [])


def _shares(found: Sequence[Moments], sides: int, labels: Sequence[tuple[str, str] | None]) -> list[Estimate]:
    """Return the shares of the variance; none if results do not vary."""
    parts = decompose(found, 0.5 if sides == 2 else None)
    return shares(parts, labels) if parts.components.sum() > 1e-12 else []


def _equals(asked: Asked, ladder: Sequence[Contender], usual: Contender) -> list[Pairing]:
    """Return the pairings of agents with themselves: the compiled ones and the usual one."""
    chosen = [one for one in ladder if is_compiled(one.agent) or one is usual]
    chosen += [usual] if usual not in chosen else []
    return [_pairing(asked, (one, one), asked.games * EQUALS / len(chosen)) for one in chosen]


def _of_equals(games: _Games, pairing: Pairing, usual: Contender, estimates: list[Estimate]) -> dict[str, Any]:
    """Measure an agent against itself; add the shares of the usual agent to the estimates."""
    sides = len(games.asked.game.variant.sides)
    found = _shares(games.moments([pairing]), sides, _components(sides, equal=True))
    one = pairing.pair[0]
    estimates += found if one is usual else []
    shares_found = {share.name: [share.value, share.low, share.high] for share in found}
    return {"agent": one.name, "games": pairing.games} | shares_found


def _bridges(asked: Asked, ladder: Sequence[Contender]) -> list[Pairing]:
    """Return the duels of neighbours of the ladder; as many of the same length may bridge them."""
    return [_duel(asked, pair, _games_of_duel(asked, ladder)) for pair in pairwise(ladder)]


def _games_of_duel(asked: Asked, ladder: Sequence[Contender]) -> float:
    return asked.games * BRIDGES / max(len(ladder) - 1, 1) / (depth.BRIDGES + 1)


def _depth(games: _Games, ladder: Sequence[Contender], estimates: list[Estimate]) -> list[dict[str, Any]]:
    """Measure the steps along the ladder; add their number to the estimates."""
    share = _games_of_duel(games.asked, ladder)
    duels: dict[tuple[Contender, Contender], Match] = {}

    def play(one: Contender, other: Contender) -> Match:
        if (one, other) not in duels:
            duel = _duel(games.asked, (one, other), share)
            games.play([duel])
            duels[one, other] = games.match(duel)
        return duels[one, other]

    longer = depth.chain(ladder, play)
    members = list(dict.fromkeys([*longer, *(one for pair in duels for one in pair)]))
    matches = [(members.index(one), members.index(other), match) for (one, other), match in duels.items()]
    found = depth.rungs(matches, [one.name for one in members], games.asked.seed)
    top = found[members.index(ladder[-1])]
    label = f"steps of skill from {ladder[0].name} to {ladder[-1].name}, each of which wins 60 % against the last"
    estimates.append(Estimate("steps", label, "steps", top.steps, top.low, top.high))
    shown = [found[members.index(one)]._asdict() | {"bridge": one not in ladder} for one in longer]
    return sorted(shown, key=lambda rung: rung["steps"])


def _percent(row: dict[str, Any]) -> str:
    """Return a share in words, with its interval."""
    if row["high"] < 0.1:
        return "less than 0.1 %"
    digits = 0 if row["high"] - row["low"] >= 1.5 else 1
    return f"{row['value']:.{digits}f} % {in_brackets(row['low'], row['high'], digits)}"


ENDS = ("value", "low", "high")
NAMES = {"agent": "skill", "seat": "the seat", "deal": "the deal", "chance": "chance after the deal"}


def show(summary: dict[str, Any]) -> Shown:
    """Return findings, tables and pictures of the part. See `Part.show`."""
    known = {row["name"]: row for row in summary["estimates"]}
    details = summary["details"]
    tables = [table for table in (_shares_table(known), _equals_table(details), _depth_table(details)) if table.rows]
    at_deal, later = details["chance"]
    meanings = [
        ["skill", "which agents play, drawn from the ladder: " + ", ".join(details["ladder"])],
        ["the deal", at_deal],
        ["chance after the deal", f"{later}, and random choices of agents"],
    ]
    tables.append(Table("Meaning of the words", ("word", "meaning"), meanings))
    return Shown(_findings(known, details), tables, luck_pictures.pictures(known, details))


def _shares_table(known: dict[str, Any]) -> Table:
    rows = [[row["label"], _percent(row)] for name, row in known.items() if name.endswith("_share")]
    return Table("What decides a game", ("share of the variance of the result", "estimate, 95 % interval"), rows)


def _equals_table(details: dict[str, Any]) -> Table:
    columns = list(dict.fromkeys(key for row in details["equals"] for key in row if key.endswith("_share")))
    heads = [NAMES[key.removeprefix("equal_").removesuffix("_share")] for key in columns]
    rows = []
    for row in details["equals"]:
        shares_of_row = [dict(zip(ENDS, row[key], strict=True)) if key in row else None for key in columns]
        rows.append([row["agent"], f"{row['games']:,}", *(_percent(one) if one else "-" for one in shares_of_row)])
    return Table("An agent against itself", ("agent", "games", *heads), rows)


def _depth_table(details: dict[str, Any]) -> Table:
    rows = [
        [rung["name"], f"{rung['steps']:.1f}", in_brackets(rung["low"], rung["high"], 1)]
        for rung in details.get("rungs", [])
    ]
    return Table(
        "Depth: steps of skill above the weakest agent; each wins 60 % against the last",
        ("agent", "steps", "95 % interval"),
        rows,
    )


def _findings(known: dict[str, Any], details: dict[str, Any]) -> list[str]:
    """Return the sentences for the summary."""
    found = []
    if details["games"] and details["sides"] > 1 and "agent_share" not in known:
        found.append("All games between the agents of the ladder have one result, so there is nothing to explain.")
    if "agent_share" in known:
        others = (key for key in ("seat", "deal", "chance") if f"{key}_share" in known)
        listed = ", ".join(f"{NAMES[key]} {_percent(known[f'{key}_share'])}" for key in others)
        among = f"Among the agents {', '.join(f'`{name}`' for name in details['ladder'])}"
        found.append(f"{among}, skill explains {_percent(known['agent_share'])} of the result; {listed}.")
    if "equal_deal_share" in known:
        kinds = (key for key in ("seat", "deal") if f"equal_{key}_share" in known)
        listed = " and ".join(f"{NAMES[key]} explains {_percent(known[f'equal_{key}_share'])}" for key in kinds)
        rest = "what happens after the deal decides the rest"
        found.append(f"Between equals (`{details['agent']}` on every side) {listed} of the result; {rest}.")
    if "steps" in known:
        found.append(_depth_finding(known["steps"], details["ladder"]))
    return found


def _depth_finding(steps: dict[str, Any], ladder: list[str]) -> str:
    route = f"from `{ladder[0]}` to `{ladder[-1]}`"
    if steps["high"] is None:
        return f"The game has at least {steps['low'] or 0:.1f} steps of skill {route}; each wins 60 % against the last."
    ends = in_brackets(steps["low"], steps["high"], 1)
    return f"The game has {steps['value']:.1f} {ends} steps of skill {route}; each wins 60 % against the last."


def offers(game: Game) -> str:
    """Return "": every game has results, deals and agents."""
    return ""


LUCK = PartOf(
    "luck",
    "Skill and luck",
    "How much of a result do skill, seat, deal and later chance explain, and how deep is the game?",
    measure,
    show,
    offers,
)
