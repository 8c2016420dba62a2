"""Pictures of results."""

import numpy as np

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
    figure.savefig(path, dpi=150)


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
    figure.savefig(path, dpi=150)
