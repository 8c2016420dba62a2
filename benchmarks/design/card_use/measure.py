"""Measurement of card values, of how often agents buy cards, and of cards that are too strong or too weak."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.card_values.measure import worth
from stardeck.benchmarks.card_values.treatment_effects import LEAST, Trials, Z
from stardeck.benchmarks.card_values.trial_series import TrialSeries
from stardeck.benchmarks.design.card_use.advantage import Effects, advantages, over_stages
from stardeck.benchmarks.design.card_use.price import ForPrice, Misused, for_price, misused
from stardeck.benchmarks.design.card_use.rates import GAMES, PurchaseSeries, Rates, interval, purchases_of, rates
from stardeck.benchmarks.design.estimates import Estimate
from stardeck.benchmarks.design.kept.rows import Counter, StoredChunks, Wanted, play_missing
from stardeck.benchmarks.design.part import Asked
from stardeck.benchmarks.results.artifacts import rows_in
from stardeck.benchmarks.results.citation import citation
from stardeck.game.game import Game

DEAD, MUST = 0.05, 0.8  # buy rates below and above which a card is dead or a must
Array = NDArray[np.float64]


class Player(NamedTuple):
    """A compiled agent whose purchases are counted.

    Attributes:
        text: Text of the agent.
        name: Name in results.
        speed: Games of it that take as long as one of a fast agent.
    """

    text: str
    name: str
    speed: float


class Use(NamedTuple):
    """Values and use of all cards, in the order of `names`.

    Attributes:
        names: Names of the cards.
        values: Values rather than nothing, over all stages.
        advantages: Advantages over the other cards on offer.
        above: Values above the price line.
        rates: Buy rates of each agent.
        misused: Cards that the first agent misuses. What cards give the other one is not known.
    """

    names: list[str]
    values: Effects
    advantages: Effects
    above: ForPrice
    rates: list[Rates]
    misused: Misused


def measure_use(asked: Asked, agents: Sequence[Player], games: tuple[float, float], counter: Counter) -> Any:
    """Measure card values and buy rates.

    Args:
        asked: What the part measures.
        agents: Compiled agents; the values are those of the first one.
        games: Games of trials, and of counted purchases, of a fast agent.
        counter: Progress.

    Returns:
        Estimates, details for the page, and commands.
    """
    found = purchases_of(asked.game)
    assert found is not None
    what, _ = found
    counted = [_counted(asked, one, games[1] / len(agents), counter) for one in agents]
    summary, trials = _values(asked, agents[0], max(int(games[0] * agents[0].speed), LEAST), what, counter)
    names = counted[0][0]
    by_stage = _effects(summary, names)
    use = evaluate(names, by_stage, trials, [row[1] for row in counted], _prices(asked.game, names))
    details = details_of(use, [one.name for one in agents], _prices(asked.game, names))
    details |= {"games": summary["games"], "stages": _stages(summary)}
    estimates = [*estimates_of(use, agents[0].name), *estimates_by_stage(details["stages"])]
    return estimates, details, [citation(asked.out / "worth")["reproduce"]]


def _values(asked, agent, games, what, counter):
    """Measure card values; return the summary and the advantages over other cards on offer."""
    game, folder = asked.game, asked.out / "worth"
    options: dict[str, Any] = {"workers": asked.workers, "on": asked.on, "progress": counter.within(), "picture": False}
    summary = worth(
        game.variant.game, agent.text, games, asked.seed, folder, what, **options, **game.settings
    )  # fmt: skip
    series = TrialSeries(game, agent.text, asked.seed, what)

    def trials() -> Iterator[Trials]:
        for table in rows_in(folder / "trials.parquet"):
            yield series.trials_of(table)

    cards = len(series.options) - len(series.tried.others)
    return summary, advantages(trials(), cards, len(series.tried.stages), series.nothing)


def _counted(asked, agent, games, counter):
    """Count the purchases of an agent; return the names of the options and the rates."""
    series = PurchaseSeries(asked.game, agent.text, asked.seed)
    identity = {"variant": asked.game.id, "settings": asked.game.settings, "tables": asked.game.variant.tables}
    store = StoredChunks(asked.out / "purchases", identity | {"seed": asked.seed})
    name = re.sub(r"\W+", "_", agent.name)
    rows = max(int(games * agent.speed) // GAMES, 8)
    play_missing(store, [Wanted(name, series, rows)], asked, counter)
    return series.options, rates(store.load(name, rows))


def _effects(summary, names):
    """Return the values of a summary by stage and card."""
    points, errors = np.full((2, len(summary["stages"]), len(names)), np.nan)
    for row in summary["cards"]:
        place = summary["stages"].index(row["stage"]), names.index(row["card"])
        points[place] = row["points"]["value"]
        errors[place] = (row["points"]["high"] - row["points"]["low"]) / 2 / Z
    return Effects(points, errors)


def _stages(summary):
    """Return the value of each card by stage, for the page."""
    keys = ("card", "stage", "q")
    return [{key: row[key] for key in keys} | row["points"] for row in summary["cards"] if row["points"]]


def _prices(game: Game, names: Sequence[str]) -> Array:
    """Return the price of each card: NaN where the table of cards has none."""
    known = {row["name"]: float(row["cost"]) for row in game.cards() if row.get("cost") is not None}
    return np.array([known.get(name, np.nan) for name in names])


def evaluate(names: list[str], values: Effects, advantage: Effects, counted: Sequence[Rates], prices: Array) -> Use:
    """Put values, advantages, rates and prices together. Stages are weighted by the opportunities of the first agent.

    Args:
        names: Names of the cards.
        values: Values rather than nothing, by stage.
        advantage: Advantages over other cards on offer, by stage.
        counted: Buy rates of each agent.
        prices: Prices; NaN where there is none.
    """
    value, better = (over_stages(part, counted[0].offered) for part in (values, advantage))
    first = counted[0]  # the trials are games of this agent
    wrong = misused((first.rate, first.error, first.average), better)
    return Use(names, value, better, for_price(value.points, value.errors, prices), list(counted), wrong)


def details_of(use: Use, agents: Sequence[str], prices: Array) -> dict[str, Any]:
    """Return what the page needs, as plain data.

    Args:
        use: Values and use of the cards.
        agents: Names of the agents.
        prices: Prices.
    """
    rows = []
    for number, name in enumerate(use.names):
        bought = [_rate(one, number) for one in use.rates]
        if all(rate is None for rate in bought) and np.isnan(use.values.points[number]):
            continue
        all_known = all(bought)  # an agent that hardly ever sees a card says nothing of it
        rows.append({
            "card": name,
            "price": _number(prices[number]),
            "value": _ends(use.values.points[number], use.values.errors[number]),
            "advantage": _ends(use.advantages.points[number], use.advantages.errors[number]),
            "for_price": _ends(use.above.above[number], use.above.error[number]),
            "for_price_q": _number(use.above.q[number]),
            "rates": bought,
            "for_price_far": bool(use.above.stands_out[number]),
            "over": bool(use.misused.over[number]),
            "under": bool(use.misused.under[number]),
            "misused_q": _number(use.misused.q[number]),
            "dead": all_known and all(rate[2] < 100 * DEAD for rate in bought),
            "must": all_known and all(rate[1] > 100 * MUST for rate in bought),
        })  # fmt: skip
    averages = [100 * one.average for one in use.rates]
    line = [_number(end) for end in use.above.line]
    return {
        "agents": list(agents),
        "cards": rows,
        "averages": averages,
        "line": line,
        "scatter": _number(use.above.scatter),
    }


def _number(value):
    return None if np.isnan(value) else float(value)


def _ends(value, error):
    return None if np.isnan(value) or np.isnan(error) else [float(value + sign * Z * error) for sign in (0, -1, 1)]


def _rate(found, number):
    """Return a buy rate in per cent with its interval, or None without opportunities."""
    if found.offered[:, number].sum() < LEAST:
        return None
    rate, error = float(found.rate[number]), float(found.error[number])
    return [100 * rate, *(100 * end for end in interval(rate, error))]


def slug(name: str) -> str:
    """Return a name in snake case."""
    return re.sub(r"\W+", "_", name.lower()).strip("_")


def estimates_of(use: Use, agent: str) -> list[Estimate]:
    """Return the values of all cards, their values for the price, and the buy rates of the first agent.

    Args:
        use: Values and use of the cards.
        agent: Name of the first agent.
    """
    found = []
    for number, name in enumerate(use.names):
        columns = (
            ("value", f"value of {name} rather than nothing", use.values.points, use.values.errors),
            ("for_price", f"value of {name} above what the price line predicts", use.above.above, use.above.error),
        )
        for key, label, points, errors in columns:
            if ends := _ends(points[number], errors[number]):
                found.append(Estimate(f"{key}_{slug(name)}", label, "points", *ends))
        if rate := _rate(use.rates[0], number):
            found.append(Estimate(f"buy_rate_{slug(name)}", f"how often {agent} buys {name} when it can", "%", *rate))
    return found


def estimates_by_stage(rows: Sequence[Mapping[str, Any]]) -> list[Estimate]:
    """Return the values of cards by stage.

    Args:
        rows: Card, stage, value and interval of each.
    """
    found = []
    for row in rows:
        name, label = f"value_{slug(row['card'])}_{slug(row['stage'])}", f"value of {row['card']} rather than nothing"
        ends = row["value"], row["low"], row["high"]
        found.append(Estimate(name, f"{label}, {row['stage']}", "points", *ends))
    return found
