"""The part `cards` of the designer's report: values and prices, use, and combinations of cards.

Values come from randomised trials of purchases (`stardeck worth`), buy rates from games of the agents themselves
(card_use/), and combinations from games in which chance gives cards to players (gifts/).
"""

from typing import Any

import numpy as np

from stardeck.agents.data.gifts import gifts_of
from stardeck.benchmarks.design.card_use import card_pictures
from stardeck.benchmarks.design.card_use.measure import DEAD, MUST, Player, measure_use
from stardeck.benchmarks.design.card_use.rates import purchases_of
from stardeck.benchmarks.design.estimates import Estimate
from stardeck.benchmarks.design.gifts.measure import measure_combinations
from stardeck.benchmarks.design.gifts.pairs import points
from stardeck.benchmarks.design.kept.rows import Counter
from stardeck.benchmarks.design.part import Asked, Measured, PartOf, Shown, Table
from stardeck.benchmarks.design.variance.replays import contender, speed_of
from stardeck.benchmarks.design.words import ends_in_brackets
from stardeck.game.agent_table import is_compiled
from stardeck.game.game import Game

TRIALS, PURCHASES, EARLY, LATE = 0.4, 0.1, 0.3, 0.2  # shares of the budget
STAGE_WORDS = {"early": "from the deal on", "late": "from about a third of the game on"}
CLEAR = 0.05  # q of statements that are made
SURE = 0.9999  # of 50 win points: the most that a card may give alone, so that its odds are finite


def offers(game: Game) -> str:
    """Return "" if the game has purchases to try out or cards to give, else the reason why it has not."""
    if purchases_of(game) is None and gifts_of(game) is None:
        return "its agents package has neither treatments of purchases nor gifts (docs/add_a_game.md)"
    return ""


def _players(asked: Asked) -> list[Player]:
    """Return the agent of the report and the strongest compiled one of the ladder; the first must be compiled."""
    texts = list(dict.fromkeys([asked.agent, *reversed(asked.ladder)]))
    known = [(text, contender(text, asked.game)) for text in texts]
    compiled = [Player(text, one.name, speed_of(one)) for text, one in known if is_compiled(one.agent)]
    if not compiled:
        raise ValueError(f"agents {', '.join(texts)}: one of them must be compiled, such as rules")
    strongest = next(one for text in reversed(asked.ladder or texts) for one in compiled if one.text == text)
    return [compiled[0]] if compiled[0].name == strongest.name else [compiled[0], strongest]


def measure(asked: Asked) -> Measured:
    """Measure values, use and combinations of cards. See `Part.measure`."""
    if reason := offers(asked.game):
        raise ValueError(f"{asked.game.id}: cards cannot be measured: {reason}")
    agents = _players(asked)
    trials, gifts = purchases_of(asked.game) is not None, gifts_of(asked.game) is not None
    whole = (TRIALS + PURCHASES) * trials + (EARLY + LATE) * gifts
    budget = asked.games / whole
    counter = Counter(asked, asked.games)
    estimates: list[Estimate] = []
    details: dict[str, Any] = {"asked": asked.agent, "use": None, "combinations": None}
    commands: list[str] = []
    if trials:
        games = budget * TRIALS, budget * PURCHASES
        estimates, details["use"], commands = measure_use(asked, agents, games, counter)
    if gifts:
        found, details["combinations"] = measure_combinations(
            asked, agents[0], (budget * EARLY, budget * LATE), counter
        )
        estimates = [*estimates, *found]
    counter.finish()
    return Measured(estimates, details, commands)


def show(summary: dict[str, Any]) -> Shown:
    """Return findings, tables and pictures of the part. See `Part.show`."""
    use, combined = summary["details"]["use"], summary["details"]["combinations"]
    findings, tables = [], []
    if use:
        findings += use_findings(use)
        tables += _use_tables(use)
    if combined:
        findings += pair_findings(combined)
        tables += _pair_tables(combined)
    return Shown(findings, tables, card_pictures.pictures(use, combined))


# Findings


def _signed(ends: list[float]) -> str:
    return ends_in_brackets(ends, signed=True)


def _percent(rate: list[float]) -> str:
    return ends_in_brackets(rate, 0 if rate[2] - rate[1] >= 1.5 else 1)


def _turned(ends: list[float]) -> list[float]:
    return [-ends[0], -ends[2], -ends[1]]


def use_findings(use: dict[str, Any]) -> list[str]:
    """Return the sentences on values, prices and use, from the details of `measure_use`."""
    found = []
    priced = [row for row in use["cards"] if row["for_price"] and row["for_price_q"] < CLEAR]
    priced.sort(key=lambda row: -row["for_price"][0])
    if priced and priced[0]["for_price"][0] > 0:
        found.append(_price_finding(priced[0], "strong", "more"))
    if priced and priced[-1]["for_price"][0] < 0:
        found.append(_price_finding(priced[-1], "weak", "less"))
    for number, agent in enumerate(use["agents"]):
        for key, word in (("over", "too often"), ("under", "too seldom")):
            rows = [row for row in use["cards"] if row[key][number]]
            if rows:
                worst = max(rows, key=lambda row: abs(row["advantage"][0]))
                found.append(_use_finding(worst, (number, agent), word, len(rows)))
    agents = " and ".join(use["agents"]) if len(use["agents"]) > 1 else f"Players such as {use['agents'][0]}"
    dead = [row for row in use["cards"] if row["dead"]]
    if dead:
        listed = ", ".join(f"{row['card']} ({row['rates'][0][0]:.1f} %)" for row in dead)
        found.append(
            f"{agents} buy these cards in less than {100 * DEAD:.0f} % of the turns in which they can: {listed}."
        )
    must = sorted((row for row in use["cards"] if row["must"]), key=lambda row: -row["rates"][0][0])
    if must:
        listed = ", ".join(f"{row['card']} ({row['rates'][0][0]:.0f} %)" for row in must)
        found.append(
            f"{agents} buy these cards in more than {100 * MUST:.0f} % of the turns in which they can: {listed}."
        )
    return found


def _price_finding(row, word, direction):
    apart = row["for_price"] if direction == "more" else _turned(row["for_price"])
    return (
        f"{row['card']} is too {word} for its price of {row['price']:g}: it gives {ends_in_brackets(apart)} win points"
        f" {direction} than other cards of this price."
    )


def _use_finding(row, agent, word, count):
    number, name = agent
    ends = row["advantage"]
    better = f"it gives {ends_in_brackets(ends)} win points more than the other cards on offer"
    if ends[0] < 0:
        better = f"the other cards on offer give {ends_in_brackets(_turned(ends))} win points more"
    others = "" if count == 1 else f" So it does with {count - 1} other card{'s' if count > 2 else ''}."
    rate = f"in {_percent(row['rates'][number])} % of the turns in which it can"
    return f"{name} buys {row['card']} {word}, {rate}: {better}.{others}"


def pair_findings(combined: dict[str, Any]) -> list[str]:
    """Return the sentences on combinations, from the details of `measure_combinations`."""
    found = []
    clear = [row for row in combined["pairs"] if row["clear"]]
    for stage, games, error in zip(STAGE_WORDS, combined["games"], combined["error"], strict=True):
        here = [row for row in clear if row["stage"] == stage]
        best, worst = max(here, key=_beyond, default=None), min(here, key=_beyond, default=None)
        if best and _beyond(best) > 0:
            found.append(_pair_finding(best, stage))
        if worst and _beyond(worst) < 0:
            found.append(_pair_finding(worst, stage))
        if not here:
            known = f"a pair is known to ±{error:.0f} points" if error is not None else "too few to tell"
            found.append(
                f"No pair of cards, {STAGE_WORDS[stage]}, is clearly more or less than the sum of its parts in"
                f" {games:,} games: {known}."
            )
    for row in combined["kinships"]:
        if row["q"] < CLEAR:
            direction = "more" if row["extra"][0] > 0 else "less"
            ends = row["extra"] if row["extra"][0] > 0 else _turned(row["extra"])
            test = f"permutation test, p = {row['p']:.2g}"
            more = f"{ends_in_brackets(ends)} win points {direction} than other pairs, beyond the sum of their parts"
            found.append(f"Pairs that {row['relation']} give {more}, {STAGE_WORDS[row['stage']]} ({test}).")
    return found


def _sum_in_odds(row):
    """Return what both cards would give if their effects on the log odds added up, in win points between equals."""
    alone = np.clip(np.array(row["alone"]) / 50, -SURE, SURE)
    return float(points(2 * np.arctanh(alone).sum()))


def _beyond(row):
    """Return the win points of a pair beyond the sum: few where either is nearly a sure win."""
    return row["together"][0] - _sum_in_odds(row)


def _pair_finding(row, stage):
    one, other = row["cards"]
    called = f"Two copies of {one}" if one == other else f"{one} and {other}"
    why = f" They {' and '.join(row['why'])}." if row["why"] else ""
    side = "more" if _beyond(row) > 0 else "less"
    return (
        f"{called} give {side} than the sum of their parts, {STAGE_WORDS[stage]}: {ends_in_brackets(row['together'])}"
        f" win points between equal players. Alone they give {row['alone'][0]:.1f} and {row['alone'][1]:.1f}, and odds"
        f" that add up would give {_sum_in_odds(row):.1f}.{why}"
    )


# Tables


def _use_tables(use: dict[str, Any]) -> list[Table]:
    columns = ["card", "price", "value", "for its price", "v others on offer"]
    columns += [f"bought by {agent}, %" for agent in use["agents"]] + ["note"]
    order = sorted(use["cards"], key=lambda row: -(row["for_price"] or row["value"] or [-1e9])[0])
    rows = []
    for row in order:
        numbers = [_signed(row[key]) if row[key] else "-" for key in ("value", "for_price", "advantage")]
        bought = [_percent(rate) if rate else "-" for rate in row["rates"]]
        price = "-" if row["price"] is None else f"{row['price']:g}"
        rows.append([row["card"], price, *numbers, *bought, ", ".join(_notes(row, use["agents"]))])
    tables = [Table("Cards: win points with 95 % intervals", columns, rows)]
    by_stage = [
        [
            row["card"],
            row["stage"],
            _signed([row[key] for key in ("value", "low", "high")]),
            f"{row['q']:.3f}",
        ]
        for row in use["stages"]
    ]
    return [
        *tables,
        Table("Values by stage of the game, rather than nothing", ("card", "stage", "points", "q"), by_stage),
    ]


def _notes(row, agents):
    """Return what stands out about a card, in words."""
    notes = []
    if row["for_price"] and row["for_price_q"] < CLEAR:
        notes.append("too strong" if row["for_price"][0] > 0 else "too weak")
    for key, word in (("over", "over-used"), ("under", "under-used")):
        users = [agent for agent, holds in zip(agents, row[key], strict=True) if holds]
        notes += [f"{word} by {' and '.join(users)}"] if users else []
    return notes + ["dead"] * row["dead"] + ["must-buy"] * row["must"]


def _pair_tables(combined: dict[str, Any]) -> list[Table]:
    pairs = [
        [" + ".join(row["cards"]), row["stage"], " + ".join(f"{alone:.1f}" for alone in row["alone"]),
         f"{_sum_in_odds(row):.1f}", _signed(row["together"]), _signed(row["extra"]), f"{row['q']:.3f}",
         ", ".join(row["why"])]
        for row in combined["pairs"]
    ]  # fmt: skip
    related = [
        [f"pairs that {row['relation']}", row["stage"], f"{row['pairs']}", _signed(row["extra"]), f"{row['p']:.2g}",
         f"{row['q']:.2g}"]
        for row in combined["kinships"]
    ]  # fmt: skip
    title = "Pairs of cards: win points between equals; clear pairs have q < 0.05"
    heads = ("pair", "given", "alone", "if odds add up", "together", "beyond the sum in odds", "q", "the cards")
    tables = [Table(title, heads, pairs), Table(
        "Do related cards go together better than others?",
        ("pairs", "given", "number", "difference in points", "p", "q"), related,
    )]  # fmt: skip
    for main in combined["main"]:
        rows = [[row["card"], _signed(row["points"])] for row in main["cards"]]
        name = f"A card as a gift into {combined['place']}, {STAGE_WORDS[main['stage']]}"
        tables.append(Table(name, ("card", "win points between equals"), rows))
    return [table for table in tables if table.rows]


CARDS = PartOf(
    "cards",
    "Cards",
    "Which cards are too strong or too weak, used too much or too little, and better together?",
    measure,
    show,
    offers,
)
