"""The page of the part `drama`: findings, tables and pictures."""

from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.design.drama.numbers import BAND, GRID, LATE, SPANS
from stardeck.benchmarks.design.part import Shown, Table
from stardeck.benchmarks.design.words import amount, estimate_in_words, interval_of, value_with_unit
from stardeck.benchmarks.plots.style import BLUE, COLUMN, RED, Look, put_legend
from stardeck.benchmarks.results.words import number_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EARLY, LASTING = 55, 85  # per cent of a game: it is decided early, or only at the end
MEANS_LITTLE, MEANS_ALL = 40, 10  # per cent of leaders at half-time that do not win, of two sides
MANY_RUNAWAYS = 50  # per cent of games
MANY_FORCED, LONG_WAIT, LONG_OUT = 40, 20, 10  # per cent of decisions
MANY_TRUNCATED, MANY_KINGS = 1, 2  # per cent of games
FEW_CHANGES = 0.5  # in a game
SENTENCES = (  # estimate, side of a limit on which its whole interval lies, limit, and sentence, the weightiest first
    ("king_large", "above", MANY_KINGS,
     "A side that cannot win itself often decides who does: in {} of games, its choice between two random actions moves"
     " more than 10 points of win chance between the others."),
    ("runaway", "above", MANY_RUNAWAYS,
     "Early leads last: in {} of games, the side that leads after a quarter is never behind again and wins."),
    ("decided_at", "below", EARLY,
     "Games are decided early: after {} of the turns, the winner's chance stays above 90 %."),
    ("decided_at", "above", LASTING,
     "Games stay open to the end: the winner's chance stays above 90 % only after {} of the turns."),
    ("halftime_leader_loses", "above", None,
     "A lead at half-time means little: {} of the leaders do not win."),
    ("halftime_leader_loses", "below", MEANS_ALL,
     "A lead at half-time is nearly the game: only {} of the leaders do not win."),
    ("truncated", "above", MANY_TRUNCATED,
     "Some games do not end by themselves: the limit on turns ends {}."),
    ("sat_out_longest", "above", LONG_OUT,
     "Eliminated players wait long: the first one out sits out {} of the decisions, on average over all games."),
    ("wait", "above", LONG_WAIT,
     "Waits are long: the longest wait of a seat between two of its turns is {} of all decisions."),
    ("forced", "above", MANY_FORCED,
     "Many decisions are none: {} of them have only one legal action."),
    ("lead_changes", "below", FEW_CHANGES,
     "The lead hardly changes: {} times in a game."),
)  # fmt: skip
USUAL = (  # the numbers of a game in which nothing stands out
    ("halftime_leader_loses", "{} of the leaders at half-time do not win"),
    ("decided_at", "a game is decided after {} of its turns"),
    ("lead_changes", "the lead changes {} times"),
)
SOURCES = {
    "network": "the network {judge}",
    "calibrated network": "the network {judge}, calibrated on other games",
    "open numbers": "a regression of results on {numbers} and the turn, fitted to other games",
    "observations": "a regression of results on observations, fitted to other games",
}


def show(summary: dict[str, Any]) -> Shown:
    """Return what the page shows. summary: `estimates` (dicts of the fields but `blocks`) and `details`."""
    estimates = {one["name"]: one for one in summary["estimates"]}
    details = summary["details"]
    rows = [(one["label"], value_with_unit(one), interval_of(one)) for one in summary["estimates"]]
    source = SOURCES[details["chances"]].format(judge=details["judge"], numbers=" and ".join(details["numbers"]))
    title = f"{number_of(details['games'], 'game')} of {details['agent']}; chances to win by {source}"
    table = Table(title, ("number", "value", "95 % interval"), rows)
    found = findings(estimates, details["sides"], "network" in details["chances"])
    return Shown(found or _usual(estimates), [table], _pictures(details))


def _usual(estimates: dict[str, Any]) -> list[str]:
    """Return what to say of a game in which nothing stands out."""
    facts = [text.format(estimate_in_words(estimates[name])) for name, text in USUAL if name in estimates]
    return [f"Nothing stands out: {', '.join(facts)}."] if facts else []


def findings(estimates: dict[str, Any], sides: int, by_network: bool) -> list[str]:
    """Return sentences on what stands out, the most important first.

    Args:
        estimates: Estimates by name, as dicts.
        sides: Number of contenders.
        by_network: True if a network estimates the chances. Others see less, so games look open for longer.
    """
    fair = 100 * (1 - 1 / sides)  # of leaders that do not win, if leading meant nothing
    return [
        text.format(estimate_in_words(estimates[name])) + (_expected(estimates) if name == "runaway" else "")
        for name, side, limit, text in SENTENCES
        if (by_network or (name, side) != ("decided_at", "above"))
        if name in estimates and _beyond(estimates[name], side, limit if limit else MEANS_LITTLE * fair / 50)
    ]


def _expected(estimates: dict[str, Any]) -> str:
    """Return a sentence that compares the early leads that last with those to expect from their size."""
    if not {"runaway_least", "runaway_most"} <= set(estimates):
        return ""
    least, most = estimates["runaway_least"], estimates["runaway_most"]
    usual = f"{amount(least['value'], 0)} to {amount(most['value'], 0)} %"
    if most["high"] is not None and estimates["runaway"]["low"] > most["high"]:
        return f" That is more than the {usual} of leads of this size that chance alone makes last: leaders run away."
    return f" Chance alone makes {usual} of leads of this size last."


def _beyond(estimate, side, limit):
    """Return whether the whole interval lies above or below a limit."""
    if estimate["low"] is None or estimate["high"] is None:
        return False
    return bool(estimate["low"] > limit if side == "above" else estimate["high"] < limit)


def _pictures(details):
    pictures = []
    if details["course"]["winner"]:
        low, high = (round(100 * end) for end in BAND)
        text = f"Chance to win of winner and losers along the game: mean, and band from {low} % to {high} % of games"
        pictures.append(("chances", text, course_figure(details["course"])))
        text = "Share of the game after which the winner's chance stays above 90 %, as a histogram of games"
        pictures.append(("decided", text, decided_figure(details["decided"])))
    return pictures


def course_figure(course: dict[str, Any]) -> "Figure":
    """Draw the chances of winner and losers along the game.

    Args:
        course: Rows of mean, lower and upper end in per cent, under "winner" and "losers".
    """
    look = Look(2 * COLUMN)
    with look.applied():
        figure, axes = look.panels([2.0], "Chance to win along the game")
        panel = axes[0, 0]
        for name, label, colour in (("winner", "later winner", BLUE), ("losers", "later losers", RED)):
            if not course[name]:
                continue
            mean, low, high = np.array(course[name]).T
            elapsed = np.linspace(0, 100, GRID)
            panel.fill_between(elapsed, low, high, color=colour, alpha=0.2, linewidth=0)
            panel.plot(elapsed, mean, color=colour, label=label)
        panel.set(xlabel="turns played, % of the game", ylabel="chance to win, %", xlim=(0, 100), ylim=(0, 100))
        panel.grid()
        put_legend(figure, [panel])
    return figure


def decided_figure(decided: list[float]) -> "Figure":
    """Draw when games are decided. decided: per cent of games in each of SPANS spans of the game."""
    look = Look(2 * COLUMN)
    with look.applied():
        figure, axes = look.panels([1.6], "When games are decided")
        panel = axes[0, 0]
        width = 100 / SPANS
        panel.bar(width * (np.arange(SPANS) + 0.5), decided, 0.9 * width, color=BLUE)
        panel.axvline(100 * LATE, color=RED, linestyle="--", linewidth=1, label=f"{100 * LATE:.0f} % of the turns")
        panel.set(xlabel="turns played, % of the game", ylabel="games, %", xlim=(0, 100))
        panel.grid(axis="y")
        put_legend(figure, [panel])
    return figure
