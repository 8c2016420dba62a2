"""Pictures of results."""

import numpy as np

from stardeck.benchmarks.disk import whole

INK = "#1b2a41"
BAR = "#3d7ea6"
FAIR = "#c44536"


def draw_advantage(summary: dict, turns: np.ndarray, path) -> None:
    """Win rates by seat with their intervals, and how long the games were, as a PNG. turns: int[games]."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    seats = summary["seats"]
    rates = np.array([100 * seat["win_rate"] for seat in seats])
    errors = np.abs(np.array([[100 * seat["low"], 100 * seat["high"]] for seat in seats]).T - rates)
    left.bar(
        [f"player_{seat['seat']}" for seat in seats], rates, yerr=errors, capsize=5, color=BAR, ecolor=INK, width=0.6
    )
    narrow = len(seats) > 3
    left.tick_params(axis="x", labelsize=8 if narrow else 10)
    for place, rate in enumerate(rates):
        text = f"{rate:.1f}" if narrow else f"{rate:.2f} %"
        left.annotate(text, (place, rate / 2), ha="center", va="center", color="white", weight="bold")
    if len(summary["teams"]) > 1:
        fair = 100 / len(summary["teams"])
        left.axhline(fair, color=FAIR, linestyle="--", linewidth=1.2, label=f"fair share, {fair:.1f} %")
        left.legend(loc="upper right", frameon=False, fontsize=8)
    left.set_ylim(0, max(60.0, min(100.0, 1.15 * rates.max())))
    left.set_ylabel("games won, % (95 % interval)")
    left.set_title("Win rate by seat", fontsize=10)
    longest = max(1, int(np.percentile(turns, 99.5)))
    right.hist(np.minimum(turns, longest), bins=np.arange(turns.min(), longest + 2) - 0.5, color=BAR)
    right.axvline(summary["turns"]["median"], color=FAIR, linestyle="--", linewidth=1.2, label="median")
    right.legend(frameon=False, fontsize=8)
    right.set_xlabel("turns of a game, those of all players counted")
    right.set_ylabel("games")
    right.set_title("Length of games", fontsize=10)
    agents = ", ".join(agent["agent"] for agent in summary["agents"])
    figure.suptitle(f"{summary['variant']}: {summary['games']:,} games of {agents}", fontsize=11, color=INK)
    with whole(path) as unfinished:
        figure.savefig(unfinished, dpi=150, format="png")


def draw_league(summary: dict, path) -> None:
    """Ratings with their intervals as a ladder, and beside it the cross table as a map of scores, as a PNG."""
    from matplotlib.figure import Figure

    agents = by_rating(summary)
    height = 1.6 + 0.45 * max(3, len(agents))
    width = max(3.0, 1.2 + 0.55 * len(agents))  # of the map; the ladder has room for the names
    longest = max(len(shortened(agent["agent"])) for agent in agents)
    figure = Figure(figsize=(4.2 + 0.08 * longest + width, height), layout="constrained")
    ladder, table = figure.subplots(1, 2, width_ratios=(4.2 + 0.08 * longest, width))
    _draw_ladder(ladder, agents)
    _draw_cross_table(table, agents, summary["cross_table"])
    figure.suptitle(f"{summary['variant']}: {summary['games']:,} games", fontsize=11, color=INK)
    with whole(path) as unfinished:
        figure.savefig(unfinished, dpi=150, format="png")


def by_rating(summary: dict) -> list[dict]:
    """The agents of a league's summary, the strongest first; those without a rating come last."""
    return sorted(summary["agents"], key=lambda agent: (agent["rating"] is None, -(agent["rating"] or 0)))


def shortened(name: str) -> str:
    """A name that fits into a table; a long one keeps its beginning and its end."""
    return name if len(name) <= 28 else f"{name[:7]}…{name[-20:]}"


def scores(agents, cross_table) -> np.ndarray:
    """Scores of the row against the column, agents in the given order: float64[agents, agents], NaN where none."""
    places = {agent["agent"]: place for place, agent in enumerate(agents)}
    result = np.full((len(agents), len(agents)), np.nan)
    for row in cross_table:
        one, other = (places[name] for name in row["agents"])
        result[one, other], result[other, one] = row["score"], 1 - row["score"]
    return result


def _draw_ladder(axes, agents):
    for place, agent in enumerate(agents):
        if agent["rating"] is not None:
            reach = [[agent["rating"] - agent["low"]], [agent["high"] - agent["rating"]]]
            axes.errorbar(agent["rating"], place, xerr=np.maximum(reach, 0), fmt="o", color=BAR, ecolor=INK, capsize=4)
            axes.annotate(
                _signed(agent["rating"]), (agent["rating"], place), (0, 6), textcoords="offset points",
                ha="center", va="bottom", fontsize=8, color=INK,
            )  # fmt: skip
    labels = [f"{shortened(agent['agent'])}  {rank}" for rank, agent in enumerate(agents, 1)]
    axes.set_yticks(range(len(agents)), labels)
    axes.set_ylim(len(agents) - 0.5, -0.7)
    axes.margins(x=0.1)
    axes.locator_params(axis="x", nbins=6)
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("Elo (95 % interval)")
    axes.set_title("Ratings", fontsize=10)


def _signed(elo):
    return f"{elo:+.0f}" if round(elo) else "0"


def _draw_cross_table(axes, agents, cross_table):
    percent = 100 * scores(agents, cross_table)
    axes.set_facecolor("#e6e6e6")  # where two did not meet
    axes.imshow(percent, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    for (row, column), score in np.ndenumerate(percent):
        if not np.isnan(score):
            ink = "white" if abs(score - 50) > 30 else INK
            axes.annotate(f"{score:.1f}", (column, row), ha="center", va="center", color=ink, fontsize=8)
    ranks = range(1, len(agents) + 1)
    axes.set_xticks(range(len(agents)), ranks)
    axes.set_yticks(range(len(agents)), ranks)
    axes.tick_params(length=0)
    axes.set_title("Score of row against column, %", fontsize=10)


def draw_learning_curve(summary: dict, path) -> None:
    """How the win rate grew with training, with its intervals, as a PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    points = summary["evaluations"]
    minutes = [point["seconds"] / 60 for point in points]
    rates, low, high = (100 * np.array([point[key] for point in points]) for key in ("win_rate", "low", "high"))
    axes.plot(minutes, rates, color=BAR, linewidth=1.8)
    axes.fill_between(minutes, low, high, color=BAR, alpha=0.25, linewidth=0, label="95 % interval")
    if summary["opponent"] != "the Boss":
        axes.axhline(summary["fair_share"], color=FAIR, linestyle="--", linewidth=1.2, label="fair share")
    axes.annotate(
        f"{rates[-1]:.1f} %", (minutes[-1], rates[-1]), (-4, 8), textcoords="offset points", ha="right", color=INK
    )
    axes.set_xlabel("minutes of training")
    axes.set_ylabel(f"games won against {summary['opponent']}, %")
    axes.legend(loc="lower right", frameon=False, fontsize=8)
    axes.grid(alpha=0.2)
    axes.set_title(
        f"{summary['variant']}: {summary['decisions'] / 1e6:.1f} M decisions of self-play", fontsize=11, color=INK
    )
    with whole(path) as unfinished:
        figure.savefig(unfinished, dpi=150, format="png")
