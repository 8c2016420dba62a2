"""The part `cards` of the designer's report: values and prices, use, and combinations of cards.

Values come from randomised trials of purchases (`stardeck worth`), and buy rates from games of the agents themselves
(card_use/). Combinations come from games in which chance gives cards to players (gifts/).
"""

from collections.abc import Sequence
from typing import Any

from stardeck.agents.data.gifts import gifts_of
from stardeck.benchmarks.design.card_use import card_pictures
from stardeck.benchmarks.design.card_use.measure import DEAD, MUST, Player, measure_use
from stardeck.benchmarks.design.card_use.price import CLEAR, FAR
from stardeck.benchmarks.design.card_use.rates import purchases_of
from stardeck.benchmarks.design.estimates import Estimate
from stardeck.benchmarks.design.gifts.measure import measure_combinations
from stardeck.benchmarks.design.kept.rows import Counter
from stardeck.benchmarks.design.part import Asked, Measured, PartOf, Shown, Table
from stardeck.benchmarks.design.variance.replays import contender, speed_of
from stardeck.benchmarks.design.words import corrected_chance, ends_in_brackets, with_interval
from stardeck.benchmarks.results.words import number_of
from stardeck.game.agent_table import is_compiled
from stardeck.game.game import Game

TRIALS, PURCHASES, EARLY, LATE = 0.4, 0.1, 0.3, 0.2  # shares of the budget
STAGE_WORDS = {"early": "from the deal on", "late": "from about a third of the game on"}


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


def _signed(ends: Sequence[float]) -> str:
    return ends_in_brackets(ends, signed=True)


def _percent(rate: Sequence[float]) -> str:
    return ends_in_brackets(rate, 0 if rate[2] - rate[1] >= 1.5 else 1)


def _size(ends: Sequence[float]) -> str:
    """Return the size of a difference, whatever its sign, with its interval."""
    return ends_in_brackets(ends if ends[0] >= 0 else [-ends[0], -ends[2], -ends[1]])


def _code(names: Sequence[str]) -> list[str]:
    return [f"`{name}`" for name in names]


def use_findings(use: dict[str, Any]) -> list[str]:
    """Return the sentences on values, prices and use, from the details of `measure_use`."""
    found = []
    priced = sorted((row for row in use["cards"] if row["for_price_far"]), key=lambda row: -row["for_price"][0])
    if priced and priced[0]["for_price"][0] > 0:
        found.append(_price_finding(priced[0], "strong", "more"))
    if priced and priced[-1]["for_price"][0] < 0:
        found.append(_price_finding(priced[-1], "weak", "less"))
    for key, word in (("over", "too often"), ("under", "too seldom")):
        rows = [row for row in use["cards"] if row[key]]
        if rows:
            worst = max(rows, key=lambda row: abs(row["advantage"][0]))
            found.append(_use_finding(worst, use["agents"][0], word, len(rows)))
    dead = [row for row in use["cards"] if row["dead"]]
    must = sorted((row for row in use["cards"] if row["must"]), key=lambda row: -row["rates"][0][0])
    if dead:
        found.append(_rate_finding(use["agents"], f"less than {100 * DEAD:.0f} %", dead, 1))
    if must:
        found.append(_rate_finding(use["agents"], f"more than {100 * MUST:.0f} %", must, 0))
    return found


def _price_finding(row, word, direction):
    return (
        f"{row['card']} is too {word} for its price of {row['price']:g}: it gives {_size(row['for_price'])} win points"
        f" {direction} than the price line predicts."
    )


def _use_finding(row, agent, word, count):
    ends = row["advantage"]
    better = f"it gives {_size(ends)} win points more than the other cards on offer"
    if ends[0] < 0:
        better = f"the other cards on offer give {_size(ends)} win points more"
    others = "" if count == 1 else f" So it does with {count - 1} other card{'s' if count > 2 else ''}."
    rate = f"in {_percent(row['rates'][0])} % of the turns in which it can"
    return f"`{agent}` buys {row['card']} {word}, {rate}: {better}.{others}"


def _rate_finding(agents, limit, rows, places):
    """Return the sentence on cards that are hardly ever, or nearly always, bought."""
    who = " and ".join(_code(agents)) if len(agents) > 1 else f"Players such as `{agents[0]}`"
    rates = [" and ".join(f"{rate[0]:.{places}f} %" for rate in row["rates"]) for row in rows]
    listed = ", ".join(f"{row['card']} ({rate})" for row, rate in zip(rows, rates, strict=True))
    return f"{who} buy these cards in {limit} of the turns in which they can: {listed}."


def pair_findings(combined: dict[str, Any]) -> list[str]:
    """Return the sentences on combinations, from the details of `measure_combinations`."""
    found = []
    for stage, games, error in zip(STAGE_WORDS, combined["games"], combined["error"], strict=True):
        here = [row for row in combined["pairs"] if row["clear"] and row["stage"] == stage]
        best, worst = max(here, key=_beyond, default=None), min(here, key=_beyond, default=None)
        if best and _beyond(best) > 0:
            found.append(_pair_finding(best, stage))
        if worst and _beyond(worst) < 0:
            found.append(_pair_finding(worst, stage))
        if not here:
            known = f"a pair is known to ±{error:.0f} points" if error is not None else "too few to tell"
            found.append(
                f"No pair of cards, {STAGE_WORDS[stage]}, is clearly more or less than the sum of its parts in"
                f" {number_of(games, 'game')}: {known}."
            )
    return found + _relation_findings(combined["kinships"])


def _beyond(row):
    """Return the win points of a pair together, less what adding odds would give."""
    return row["beyond"][0]


def _pair_finding(row, stage):
    one, other = row["cards"]
    called = f"Two copies of {one}" if one == other else f"{one} and {other}"
    why = f" They {' and '.join(row['why'])}." if row["why"] else ""
    side = "more" if _beyond(row) > 0 else "less"
    return (
        f"{called} give {side} than the sum of their parts, {STAGE_WORDS[stage]}: by {_size(row['beyond'])} win points"
        f" between equal players. Together they give {row['together'][0]:.1f}, alone {row['alone'][0]:.1f} and"
        f" {row['alone'][1]:.1f}. Odds that add up would give {row['added']:.1f}.{why}"
    )


def _relation_findings(rows):
    """Return a sentence on each relation that matters, and one on what it does in the other stage."""
    found = []
    for relation in dict.fromkeys(row["relation"] for row in rows):
        own = [row for row in rows if row["relation"] == relation]
        first = next((row for row in own if row["q"] < CLEAR), None)
        if first:
            rest = [_other_stage(row) for row in own if row is not first]
            found.append(" ".join([_relation_finding(first), *rest]))
    return found


def _relation_finding(row):
    better = "better" if row["extra"][0] > 0 else "worse"
    return (
        f"Pairs that {row['relation']} have {better} odds than other pairs, beyond the sum of their parts,"
        f" {STAGE_WORDS[row['stage']]}: by {_of_relation(row, size=True)} win points between equals (p {_chance(row)})."
    )


def _other_stage(row):
    when = STAGE_WORDS[row["stage"]].capitalize()
    if row["q"] < CLEAR:
        return f"{when}, the difference is {_of_relation(row)}."
    return f"{when}, there is no clear difference: {_of_relation(row)}."


def _of_relation(row, size=False):
    """Return a difference by relation with its interval, whose ends may be unknown; size: without its sign."""
    value, low, high = row["extra"]
    if size and value < 0:
        value, low, high = (None if end is None else -end for end in (value, high, low))
    return with_interval({"value": value, "low": low, "high": high}, signed=not size)


def _chance(row, equals="= "):
    """Return the p-value of a permutation test; the number of permutations bounds a very small one."""
    return f"<= {row['p']:.1g}" if row["least"] else f"{equals}{row['p']:.3f}"


# Tables


def _use_tables(use: dict[str, Any]) -> list[Table]:
    columns = ["card", "price", "value", "above the price line", "v others on offer"]
    columns += [f"bought by {agent}, %" for agent in _code(use["agents"])] + ["note"]
    order = sorted(use["cards"], key=lambda row: -(row["for_price"] or row["value"] or [-1e9])[0])
    rows = []
    for row in order:
        numbers = [_signed(row[key]) if row[key] else "-" for key in ("value", "for_price", "advantage")]
        bought = [_percent(rate) if rate else "-" for rate in row["rates"]]
        price = "-" if row["price"] is None else f"{row['price']:g}"
        rows.append([row["card"], price, *numbers, *bought, ", ".join(_notes(row, use["agents"][0]))])
    title = "Cards: win points with 95 % intervals"
    if use["scatter"] is not None:
        title += f"; too strong or too weak are clear distances above {FAR * use['scatter']:.1f}, twice the scatter"
    by_stage = [
        [row["card"], row["stage"], _signed([row[key] for key in ("value", "low", "high")]), corrected_chance(row["q"])]
        for row in use["stages"]
    ]
    return [
        Table(title, columns, rows),
        Table("Values by stage of the game, rather than nothing", ("card", "stage", "points", "q"), by_stage),
    ]


def _notes(row, agent):
    """Return what stands out about a card, in words."""
    notes = []
    if row["for_price_far"]:
        notes.append("too strong" if row["for_price"][0] > 0 else "too weak")
    notes += [f"{word} by `{agent}`" for key, word in (("over", "over-used"), ("under", "under-used")) if row[key]]
    return notes + ["dead"] * row["dead"] + ["must-buy"] * row["must"]


def _pair_tables(combined: dict[str, Any]) -> list[Table]:
    pairs = [
        [" + ".join(row["cards"]), row["stage"], " + ".join(f"{alone:.1f}" for alone in row["alone"]),
         f"{row['added']:.1f}", _signed(row["together"]), _signed(row["beyond"]), corrected_chance(row["q"]),
         ", ".join(row["why"])]
        for row in combined["pairs"]
    ]  # fmt: skip
    related = [
        [f"pairs that {row['relation']}", row["stage"], f"{row['pairs']}", _of_relation(row), f"{row['ratio']:.2f}",
         _chance(row, ""), corrected_chance(row["q"])]
        for row in combined["kinships"]
    ]  # fmt: skip
    tables = [
        Table(
            "Pairs of cards: win points between equals; clear pairs have q < 0.05",
            ("pair", "given", "as only gifts", "if odds add up", "together", "beyond the sum", "q", "the cards"),
            pairs,
        ),
        Table(
            "Do related cards go together better than others? Odds beyond the sum, and as win points between equals",
            ("pairs", "given", "number", "difference in points", "odds ratio", "p", "q"),
            related,
        ),
    ]
    for main in combined["main"]:
        rows = [[row["card"], _signed(row["among"]), _signed(row["alone"]) if row["alone"] else "-"]
                for row in main["cards"]]  # fmt: skip
        name = f"A card as a gift into {combined['place']}, {STAGE_WORDS[main['stage']]}: win points between equals"
        tables.append(Table(name, ("card", "on average beside other gifts", "as only gift"), rows))
    return [table for table in tables if table.rows]


CARDS = PartOf(
    "cards",
    "Cards",
    "Which cards are too strong or too weak, used too much or too little, and better together?",
    measure,
    show,
    offers,
)
