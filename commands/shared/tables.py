"""Tables of results in a terminal."""

import math
from typing import Any

from stardeck.benchmarks.plots import by_rating, is_explained, scores, shortened
from stardeck.benchmarks.progress import console_for
from stardeck.benchmarks.results.words import number_of

ROWS = 8  # of a learning curve as a table
FILES_NAMED = 3  # of those with one reason
MOST_FILES = 10  # named files that do not count
ENOUGH_SEEDS = 5  # for intervals over seeds


def _percent(rate, short=False):
    if rate is None or rate["win_rate"] is None:
        return "-"
    if short:
        return f"{100 * rate['win_rate']:.1f} %"
    return f"{100 * rate['win_rate']:.2f} %  [{100 * rate['low']:.2f}, {100 * rate['high']:.2f}]"


def _print_scenarios(console, summary):
    """Print the win rates in the scenarios of a campaign: of player_0, and of the side with the first turn."""
    from rich.table import Table

    table = Table("scenario", "won by player_0", "won by the first turn")
    for row in summary["scenarios"]:
        table.add_row(f"{row['scenario']} {row['name']}", _percent(row["seats"][0]), _percent(row["first"]))
    table.add_row("all", "", _percent(summary["first_of_scenarios"]))
    console.print(table)


def _print_title(console, title):
    """Print a line above a table; rich would wrap a title to the width of the table."""
    console.print(title, style="italic", soft_wrap=True)


def print_advantage(summary: dict[str, Any], out: str) -> None:
    """Print the summary of `stardeck advantage` as tables.

    Args:
        summary: The summary.
        out: Folder of the results.
    """
    from rich.table import Table

    console = console_for()
    _print_title(console, f"{summary['variant']}: {number_of(summary['games'], 'game')}, seed {summary['seed']}")
    table = Table("", "win rate  [95 % interval]")
    for seat in summary["seats"]:
        table.add_row(f"player_{seat['seat']}", _percent(seat))
    in_teams = 1 < len(summary["teams"]) < len(summary["seats"])
    for team in summary["teams"] if len(summary["teams"]) < len(summary["seats"]) else ():
        table.add_row(f"team_{team['team']}", _percent(team))
    for agent in summary["agents"] if len(summary["agents"]) > 1 else ():
        table.add_row(agent["agent"], _percent(agent))
    console.print(table)
    if in_teams and len(summary["agents"]) > 1:
        console.print("agents are rotated over the seats: teams are mixed")
        console.print("stardeck league plays team against team")
    if "scenarios" in summary:
        _print_scenarios(console, summary)
    first = summary["first_advantage"]
    if first["points"] is not None:
        elo = f", {first['elo']:+.0f} Elo" if first["elo"] is not None else ""
        interval = f"[{first['low']:+.2f}, {first['high']:+.2f}]"
        console.print(f"moving first: {first['points']:+.2f} percentage points  {interval}{elo}", markup=False)
    turns = summary["turns"]
    if turns["mean"] is not None:
        middle = f"median {turns['median']:.0f}, 5 to 95 %: {turns['p5']:.0f} to {turns['p95']:.0f}"
        console.print(
            f"turns: mean {turns['mean']:.1f}, {middle}; decisions: {summary['decisions_mean']:.0f}", markup=False
        )
        console.print(f"truncated: {summary['truncated']}")
    if summary["games_per_second"]:
        console.print(f"{summary['games_per_second']:,.0f} games/s")
    console.print(f"results in {out}", soft_wrap=True)


def print_league(summary: dict[str, Any], out: str, rating: str | None = None) -> None:
    """Print the summary of `stardeck league`: the ladder, the cross table, and the results of tests.

    Args:
        summary: The summary.
        out: Folder of the results.
        rating: Rating of the ladder: "elo", "nash" or "alpha-rank". None means Elo, and also the other two if Elo
            does not explain the results.
    """
    from rich.table import Column, Table

    console = console_for()
    agents = by_rating(summary, rating or "elo")
    _print_title(console, f"{summary['variant']}: {number_of(summary['games'], 'game')}, seed {summary['seed']}")
    columns = RATINGS[rating or "elo"]
    ladder = Table("", "", *columns, "win rate", "games")
    for rank, agent in enumerate(agents, 1):
        rate = "-" if agent["win_rate"] is None else f"{100 * agent['win_rate']:.2f} %"
        cells = (cell(agent) for cell in columns.values())
        ladder.add_row(str(rank), shortened(agent["agent"]), *cells, rate, f"{agent['games']:,}")
    console.print(ladder)
    ranks = [str(rank) for rank in range(1, len(agents) + 1)]
    cross = Table("", *(Column(rank, no_wrap=True) for rank in ranks))
    for number, row in zip(ranks, scores(agents, summary["cross_table"]), strict=True):
        cross.add_row(number, *("" if math.isnan(score) else f"{100 * score:.1f}" for score in row))
    console.print("score of row against column, %")
    console.print(cross)
    _print_transitivity(console, summary)
    if rating is None and not is_explained(summary):
        _print_without_elo(console, agents)
    for pair in summary["cross_table"] if summary["sprt"] else ():
        console.print(_tested(pair, summary["sprt"]), markup=False, soft_wrap=True)
    if summary["games_per_second"]:
        console.print(f"{summary['games_per_second']:,.0f} games/s")
    console.print(f"results in {out}", soft_wrap=True)


def _elo(agent):
    if agent["rating"] is None:
        return "-"
    if agent["low"] is None and agent["high"] is None:
        return "no bound"
    if agent["low"] is None:
        return f"at most {agent['high']:+.0f}"
    if agent["high"] is None:
        return f"at least {agent['low']:+.0f}"
    if agent["low"] == agent["high"]:
        return "0"
    return f"{agent['rating']:+.0f}  [{agent['low']:+.0f}, {agent['high']:+.0f}]"


def _share(key, of, low="low", high="high", decimals=0):
    """Return a function for a cell: a share of an agent with its 95 % interval, in per cent.

    Args:
        key: Rating that the agent has.
        of: Name of the share.
        low: Name of the lower end of its interval.
        high: Name of the upper end.
        decimals: Digits after the point.
    """

    def cell(agent):
        share, *ends = (f"{100 * agent[key][name]:.{decimals}f}" for name in (of, low, high))
        return f"{share} [{', '.join(ends)}]"

    return cell


RATINGS = {  # functions for cells by title of the column, by rating
    "elo": {"Elo  [95 % interval]": _elo},
    "nash": {
        "v Nash mixture, %": _share("nash", "score", decimals=1),
        "weight, %": _share("nash", "weight", "weight_low", "weight_high"),
    },
    "alpha-rank": {"alpha-rank, %": _share("alpha_rank", "mass")},
}


def _print_without_elo(console, agents):
    """Print the ratings of agents that do not need transitive results, in the order of the ladder."""
    from rich.table import Table

    columns = RATINGS["nash"] | RATINGS["alpha-rank"]
    table = Table("", *columns)
    for rank, agent in enumerate(agents, 1):
        table.add_row(str(rank), *(cell(agent) for cell in columns.values()))
    console.print(table)


def _print_transitivity(console, summary):
    """Print if Elo explains the results of a league."""
    found = summary["transitivity"]
    if found is None:
        if len(summary["agents"]) > 2:
            reason = "need a match of two sides between every two agents"
            console.print(f"Elo only: Nash averaging and alpha-rank {reason}", soft_wrap=True)
        return
    p = f"p = {found['p']:.2g}" if found["p"] >= 0.001 else "p < 0.001"
    share, low, high = (100 * found["cyclic"][key] for key in ("share", "low", "high"))
    cyclic = f"{share:.0f} % of the log odds are cyclic [{low:.0f}, {high:.0f}]"
    if found["elo_explains"]:
        console.print(f"Elo explains these results ({p}; {cyclic})", markup=False, soft_wrap=True)
        return
    names = " scores {:.1f} % against ".join(shortened(name) for name in found["worst"]["agents"])
    console.print(f"Elo does not explain these results ({p}; {cyclic})", markup=False, soft_wrap=True)
    worst = f"{names.format(100 * found['worst']['score'])}, by Elo {100 * found['worst']['score_by_elo']:.1f} %"
    console.print(f"{worst}; see Nash averaging and alpha-rank", markup=False, soft_wrap=True)


def _tested(pair, test):
    low, high = f"{test['low']:g}", f"{test['high']:g}"
    found = {"H1": f"H1, better by {high} rather than {low}", "H0": f"H0, better by {low} rather than {high}"}
    words = found.get(pair["sprt"], f"undecided between {low} and {high}")
    names = " vs ".join(shortened(name) for name in pair["agents"])
    return f"{names}: {words} normalised Elo  (LLR {pair['llr']:.2f}, {number_of(pair['games'], 'game')})"


def print_training(summary: dict[str, Any], out: str) -> None:
    """Print the summary of `stardeck train` as tables.

    Args:
        summary: The summary.
        out: Folder of the training.
    """
    from rich.table import Table

    console = console_for()
    learned = "searched" if summary["method"] == "expert" else "of self-play"
    seeds = summary.get("seeds")
    seeded = f"seeds {', '.join(map(str, seeds))}" if seeds else f"seed {summary['seed']}"
    _print_title(console, f"{summary['variant']}: {number_of(summary['decisions'], 'decision')} {learned}, {seeded}")
    evaluations = summary["evaluations"]
    others = list(evaluations[0]["panel"])[1:]  # the first is the opponent
    against = ", ".join([summary["opponent"], *others])
    mean = f", interquartile mean of {len(seeds)} seeds" if seeds else ""
    console.print(f"games won against {against}, and its own previous version{mean}", soft_wrap=True)
    table = Table("decisions", "minutes", f"{summary['opponent']} [95 % interval]", *others, "itself")
    shown = sorted({round(k * (len(evaluations) - 1) / ROWS) for k in range(ROWS + 1)})
    for number in shown:
        point = evaluations[number]
        panel = (_percent(rate, short=True) for rate in (*(point["panel"][name] for name in others), point["before"]))
        table.add_row(f"{point['decisions']:,}", f"{point['seconds'] / 60:.1f}", _percent(point), *panel)
    console.print(table)
    if "imitation" in summary:
        found = summary["imitation"]
        share = f"{100 * found['agreement']:.1f} % of {number_of(found['decisions'], 'decision')}"
        console.print(f"imitated players of {number_of(found['games'], 'game')}", soft_wrap=True)
        console.print(
            f"it agrees with {share} in {number_of(found['held_out'], 'game')} held out from learning", soft_wrap=True
        )
    total = sum(summary["seconds"].values())
    shares = (f"{name} {100 * seconds / total:.0f} %" for name, seconds in summary["seconds"].items())
    console.print(f"{total / 60:.1f} minutes: {', '.join(shares)}", markup=False)
    if seeds:
        _print_seeds(console, summary)
    agents = f"agents are {out}/seed_*/agent.safetensors, their" if seeds else f"agent is {out}/agent.safetensors, its"
    console.print(f"the {agents} learning curve {out}/learning_curve.png", soft_wrap=True)
    if network := summary.get("value_network"):
        explained = network["explained"]
        share = "" if explained is None else f"; it explains {100 * explained:.1f} % of the variance of results"
        text = f"its value network for search learned from {number_of(network['games'], 'game')}{share}"
        console.print(text, soft_wrap=True, markup=False)


def _print_seeds(console, summary):
    """Print the final win rates against each opponent: of each seed, and their interquartile mean with its interval."""
    from rich.table import Table

    final = summary["evaluations"][-1]["panel"]
    table = Table("at the end", "each seed, %", "interquartile mean  [95 % interval]")
    for name, rate in final.items():
        each = ", ".join(f"{100 * run['panel'][name]['win_rate']:.1f}" for run in summary["runs"])
        table.add_row(name, each, _percent(rate))
    if summary["all"] and len(final) > 1:
        table.add_row("all", "", _percent(summary["all"]))
    console.print(table)
    if 1 < len(summary["runs"]) < ENOUGH_SEEDS:  # of one seed, intervals are over its games
        console.print(f"intervals of fewer than {ENOUGH_SEEDS} seeds are too narrow", soft_wrap=True)


def print_fair(summary: dict[str, Any], out: str) -> None:
    """Print the summary of `stardeck fair`: the parameters at the answer, the mixture, and the shares.

    Args:
        summary: The summary.
        out: Folder of the results.
    """
    from rich.table import Table

    console = console_for()
    _print_title(console, f"{summary['variant']}: {number_of(summary['games'], 'game')}, seed {summary['seed']}")
    table = Table("parameter", "fair at  [95 % interval]")
    for answer in summary["answer"]:
        table.add_row(answer["knob"], f"{answer['value']:.2f}  [{answer['low']:.2f}, {answer['high']:.2f}]")
    console.print(table)
    for part in summary["mixture"]:
        values = ", ".join(f"{name} {str(value).lower()}" for name, value in part["knobs"].items())
        console.print(f"{100 * part['part']:.0f} % of the games with {values}", soft_wrap=True)
    for share in summary["shares"]:
        interval = f"[{share['low']:+.2f}, {share['high']:+.2f}]"
        console.print(f"{share['of']}: {share['points']:+.2f} points above the fair share  {interval}", soft_wrap=True)
    if not summary["found"]:
        console.print({
            "out of range": "no value in the range is fair; this is the nearest",
            "limit of games": f"not known to within {summary['within']:g} points after all --games",
        }[summary["why"]])  # fmt: skip
    if summary["games_per_second"]:
        console.print(f"{summary['games_per_second']:,.0f} games/s")
    console.print(f"results in {out}", soft_wrap=True)


def print_worth(summary: dict[str, Any], out: str) -> None:
    """Print the summary of `stardeck worth` as a table: win points, stage by stage.

    Args:
        summary: The summary.
        out: Folder of the results.
    """
    from rich.box import SIMPLE
    from rich.table import Table

    console = console_for()
    what = f"{summary['trials']['what']}, {number_of(summary['games'], 'game')}, seed {summary['seed']}"
    _print_title(console, f"{summary['variant']}: {what}")
    stages = summary["stages"]
    known = {(row["card"], row["stage"]): row for row in summary["cards"]}
    scale = ", and in authority" if summary["authority"] else ""
    points = f"win points rather than {summary['rather_than']}, +-half of the 95 % interval{scale}"
    console.print(f"{points}; * significant")
    table = Table("option", *stages, box=SIMPLE, pad_edge=False)  # three stages fit into 80 columns
    for card in dict.fromkeys(row["card"] for row in summary["cards"]):
        table.add_row(card, *(_worth_in(known.get((card, stage))) for stage in stages))
    console.print(table)
    if summary["games_per_second"]:
        console.print(f"{summary['games_per_second']:,.0f} games/s")
    console.print(f"results in {out}", soft_wrap=True)


def _worth_in(row):
    """Return the value of a card in a stage as text."""
    if row is None:
        return "-"
    points, authority = row["points"], row["authority"]
    text = f"{points['value']:+.1f} +-{points['high'] - points['value']:.1f}{'*' if row['q'] < 0.05 else ''}"
    return text if authority is None else f"{text} ({authority['value']:.0f})"


def print_exploit(summary: dict[str, Any], out: str) -> None:
    """Print the summary of `stardeck exploit` as a table.

    Args:
        summary: The summary.
        out: Folder of the results.
    """
    from rich.table import Table

    console = console_for()
    _print_title(
        console, f"{summary['variant']}: {number_of(summary['decisions'], 'decision')} against {summary['agent']}"
    )
    table = Table("response", "games", f"won against {summary['agent']}  [95 % interval]")
    for row in summary["responses"]:
        table.add_row(row["response"], f"{row['games']:,}", _percent(row))
    table.add_row(f"{summary['best']}, on new deals", f"{summary['games']:,}", _percent(summary))
    console.print(table)
    fair = f"the fair share of {summary['fair_share']:.1f} %"
    if summary["at_least"] > 0:
        console.print(f"{summary['agent']} can be exploited by at least {summary['at_least']:.1f} points above {fair}")
    else:
        console.print(f"no response wins significantly more than {fair}")
    console.print(f"the network is {out}/training/agent.safetensors", soft_wrap=True)


def print_agreement(summary: dict[str, Any], out: str) -> None:
    """Print the summary of `stardeck agreement`: a table for each agent, and the files that do not count.

    Args:
        summary: The summary.
        out: Folder of the results.
    """
    from rich.table import Table

    console = console_for()
    size = f"{number_of(summary['decisions'], 'decision')} of {number_of(summary['games'], 'game')}"
    _print_title(console, f"{summary['variant']}: {size}, without {summary['forced']:,} forced ones")
    columns = ("", "number", "agrees, %", "uniform", "log likelihood", "perplexity")  # in 80 letters
    for agent in summary["agents"]:
        table = Table(*columns, box=None, padding=(0, 2, 0, 0), pad_edge=False)
        for row in agent["kinds"]:
            shares = [100 * row[key] if row[key] is not None else None for key in ("agreement", "low", "high")]
            likely = [row[f"log_likelihood{end}"] for end in ("", "_low", "_high")]
            table.add_row(
                row["kind"], f"{row['decisions']:,}", _with_interval(shares, ".1f"), f"{100 * row['by_chance']:.1f}",
                _with_interval(likely, ".2f"), f"{row['perplexity']:.2f}",
            )  # fmt: skip
        console.print(f"{agent['agent']}:", soft_wrap=True)
        console.print(table)
    chance = summary["agents"][0]["kinds"][0]["perplexity_by_chance"]
    console.print(
        f"intervals of 95 %, by games; uniform: a uniform choice, whose perplexity is {chance:.2f}", soft_wrap=True
    )
    for key, words in ("contradicted", "counts as far as it can be followed"), ("left_out", "left out"):
        _print_files(console, summary[key], words)
    if summary["guessed"]:
        console.print(f"partly guessed, for the log does not say where all cards were: {summary['guessed']:,}")
    console.print(f"results in {out}", soft_wrap=True)


def _print_files(console, files, words):
    """Print files with the same reason in one line; of many, the first."""
    by_reason: dict[str, list[str]] = {}
    for one in files:
        by_reason.setdefault(one["reason"], []).append(one["file"])
    for reason, named in list(by_reason.items())[:MOST_FILES]:
        names = ", ".join(named[:FILES_NAMED])
        which = names if len(named) <= FILES_NAMED else f"{number_of(len(named), 'file')} ({names}, …)"
        console.print(f"{which}: {words}: {reason}", soft_wrap=True)
    if len(by_reason) > MOST_FILES:
        more = sum(map(len, list(by_reason.values())[MOST_FILES:]))
        console.print(f"{more:,} more files: {words}; summary.json names them")


def _with_interval(numbers, form):
    """Return a number with its interval, if it has one. numbers: the number, and the ends of its interval."""
    value, *ends = numbers
    told = format(value, form)
    return told if None in ends else f"{told} [{', '.join(format(end, form) for end in ends)}]"


def print_value(summary: dict[str, Any], out: str) -> None:
    """Print the summary of `stardeck train-value`.

    Args:
        summary: The summary.
        out: Folder of the results.
    """
    console = console_for()
    _print_title(
        console,
        f"{summary['variant']}: a value network for {summary['agent']}, from {number_of(summary['games'], 'game')}",
    )
    after, before = (summary[name] for name in ("explained", "explained_before"))
    if after is not None and before is not None:
        console.print(
            f"explained variance of results at starts of turns: {after:.3f}, before {before:.3f}", soft_wrap=True
        )
    console.print(f"the agent with its value network is {out}/agent.safetensors", soft_wrap=True)


def print_belief(summary: dict[str, Any], out: str) -> None:
    """Print the summary of `stardeck train-belief`.

    Args:
        summary: The summary.
        out: Folder of the results.
    """
    console = console_for()
    source = f"{summary['agent']}, from {number_of(summary['games'], 'game')}"
    _print_title(console, f"{summary['variant']}: an opponent-hand model for {source}")
    if summary["choice"] is not None:
        text = (
            f"perplexity of a card in another hand: {summary['choice']:.2f}, by chance {summary['choice_before']:.2f}"
        )
        console.print(text, soft_wrap=True)
    console.print(f"the agent with its opponent-hand model is {out}/agent.safetensors", soft_wrap=True)


def print_model(summary: dict[str, Any], out: str) -> None:
    """Print the summary of `stardeck llm`: win rates, the ladder, and what the games took.

    Args:
        summary: The summary.
        out: Folder of the results.
    """
    from rich.table import Column, Table

    console, total = console_for(), summary["total"]
    _print_title(
        console,
        f"{summary['model']} in {summary['variant']}: {number_of(total['games'], 'game')}, seed {summary['seed']}",
    )
    columns = "games", "calls", "bad answers", "fallbacks"
    table = Table("against", Column("win rate  [95 % interval]", no_wrap=True), *columns)
    for row in summary["opponents"]:
        numbers = row["games"], row["calls"], row["illegal"] + row["unreadable"], row["fallbacks"]
        table.add_row(row["agent"], _percent(row), *(f"{number:,}" for number in numbers))
    console.print(table)
    ladder = Table("", "Elo  [95 % interval]")
    for agent in sorted(summary["agents"], key=lambda agent: -(agent["rating"] or 0)):
        ladder.add_row(agent["agent"], _elo(agent))
    console.print(ladder)
    games = max(1, total["games"])
    tokens = f"{total['tokens_in']:,} tokens in, {total['tokens_out']:,} out"
    took = f"{total['seconds']:,.0f} s of answers, {total['retries']:,} retries"
    console.print(f"{total['calls'] / games:.1f} calls a game, {tokens}, {took}", soft_wrap=True)
    if total["without_usage"]:
        console.print(f"{total['without_usage']:,} answers came without a number of tokens", soft_wrap=True)
    if summary["cost"] is not None:
        console.print(f"cost: {summary['cost']:,.4f}")
    console.print(f"results in {out}", soft_wrap=True)
