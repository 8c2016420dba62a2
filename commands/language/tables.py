"""The table of `stardeck llm` in a terminal."""

from typing import Any

from stardeck.benchmarks.progress import console_for


def print_model(summary: dict[str, Any], out: str) -> None:
    """Print the summary of a run: win rates, the ladder, and what the games took.

    Args:
        summary: The summary.
        out: Folder of the results.
    """
    from rich.table import Table

    console, total = console_for(), summary["total"]
    title = f"{summary['model']} in {summary['variant']}: {total['games']:,} games, seed {summary['seed']}"
    console.print(title, style="italic", soft_wrap=True)
    table = Table("against", "games", "win rate  [95 % interval]", "calls", "illegal", "unreadable", "fallbacks")
    for row in summary["opponents"]:
        numbers = (f"{row[name]:,}" for name in ("calls", "illegal", "unreadable", "fallbacks"))
        table.add_row(row["agent"], f"{row['games']:,}", _rate(row), *numbers)
    console.print(table)
    ladder = Table("", "Elo  [95 % interval]")
    for agent in sorted(summary["agents"], key=lambda agent: -(agent["rating"] or 0)):
        ladder.add_row(agent["agent"], _rating(agent))
    console.print(ladder)
    games = max(1, total["games"])
    console.print(
        f"{total['calls'] / games:.1f} calls a game, {total['tokens_in']:,} tokens in, {total['tokens_out']:,} out,"
        f" {total['seconds']:,.0f} s of answers, {total['retries']:,} retries",
        soft_wrap=True,
    )
    if total["without_usage"]:
        console.print(f"{total['without_usage']:,} answers came without a number of tokens", soft_wrap=True)
    if summary["cost"] is not None:
        console.print(f"cost: {summary['cost']:,.4f}")
    console.print(f"results in {out}", soft_wrap=True)


def _rate(row):
    if row["win_rate"] is None:
        return "-"
    return f"{100 * row['win_rate']:.1f} %  [{100 * row['low']:.1f}, {100 * row['high']:.1f}]"


def _rating(agent):
    if agent["rating"] is None:
        return "-"
    low, high = ("…" if agent[end] is None else f"{agent[end]:+.0f}" for end in ("low", "high"))
    return f"{agent['rating']:+.0f}  [{low}, {high}]"
