"""Figures of results: titles in words, named axes that fit the intervals, legends outside, whole files."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner
from made_results import ADVANTAGE, CYCLE, EVERY, FAIR, LEAGUE, LEARNING, NAMES, TRAINING, evaluation
from matplotlib.text import Text

from stardeck import plots
from stardeck.benchmarks.plots import check_wanted, fair_curves
from stardeck.benchmarks.plots.source import save
from stardeck.benchmarks.plots.style import Look, name_rows
from stardeck.benchmarks.results.words import parameter_in_words, variant_in_words
from stardeck.commands.cli import cli

BEGIN = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}
ENDS = {  # ends of intervals that must lie within an axis, by function: axis, low, high
    "advantage": ("x", 27, 73),
    "league": ("x", 80, 160),
    "fair": ("y", -4, 5),
    "worth": ("x", 1.5, 3.5),
    "training": ("y", 27, 65),
    "exploit": ("x", 50, 66),
    "agreement": ("x", 50, 70),
    "learning": ("y", 0, 44),
}


def drawn(name, **options):
    figure = getattr(plots, name)(EVERY[name], **options)
    figure.draw_without_rendering()
    return figure


def texts(figure):
    return [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))]


@pytest.mark.parametrize("name", EVERY)
def test_a_figure_names_its_axes_and_fits_a_column(name):
    figure = drawn(name)
    assert figure.get_figwidth() == pytest.approx(3.4)
    named = [label for axes in figure.axes for label in (axes.get_xlabel(), axes.get_ylabel())]
    named += [each.get_title().get_text() for each in figure.legends]
    assert any(re.search(r"%|points|Elo|millions", text) for text in named), named
    width, height = figure.get_size_inches() * figure.dpi
    box = figure.get_tightbbox().padded(-0.02)
    assert box.x0 >= 0 and box.y0 >= 0 and box.x1 * figure.dpi <= width and box.y1 * figure.dpi <= height


@pytest.mark.parametrize("name", EVERY)
def test_no_title_and_no_label_is_an_id(name):
    figure = drawn(name)
    told = texts(figure)
    begin = "core-duel: 5 seeds" if name == "learning" else "Star Realms: core, standard, 2 players, custom"
    assert figure.get_suptitle().replace("\n", " ").startswith(begin)
    shown = [text for text in told if re.search(r"star_realms|e9c26755|player_\d|authority\.1", text)]
    assert not shown


@pytest.mark.parametrize("name", EVERY)
def test_an_axis_fits_its_intervals(name):
    axis, low, high = ENDS[name]
    first = drawn(name).axes[0]
    left, right = first.get_xlim() if axis == "x" else first.get_ylim()
    assert left <= low and high <= right
    assert name == "league" or right - left < 2.2 * (high - low), "an axis from zero would hide the intervals"


@pytest.mark.parametrize("name", EVERY)
def test_legends_lie_outside_of_the_panels(name):
    figure = drawn(name)
    legends = [legend.get_window_extent() for legend in figure.legends]
    assert bool(legends) == (name != "league") and not any(axes.get_legend() for axes in figure.axes)
    for legend in legends:
        assert not any(legend.overlaps(axes.get_window_extent()) for axes in figure.axes)


def test_the_lengths_of_games_are_drawn_where_they_are_known():
    turns = np.bincount([10, 20, 20, 30])
    assert len(drawn("advantage").axes) == 2
    agents, seats, lengths = drawn("advantage", turns=turns).axes
    assert agents.get_xlim()[1] > 73 and 40 < seats.get_xlim()[0] <= 46, "each axis fits its own intervals"
    assert lengths.get_xlabel() == "turns of all players together" and lengths.get_ylabel().startswith("games, %")


def test_a_rating_with_one_bound_is_an_arrow():
    ladder = drawn("league").axes[0]
    assert any(text.get_text() == "at most -700" for text in ladder.texts)
    assert len(drawn("league").axes[1].texts) == 4, "two matches, from both sides"


def test_scores_against_the_mixture_are_drawn_where_elo_does_not_explain_the_results():
    ladder, scores, _ = plots.league(CYCLE).axes
    assert "Elo" in ladder.get_xlabel() and scores.get_xlabel() == "score against the Nash mixture, %"
    assert [text.get_text() for text in scores.texts] == ["45.0, weight 25 %"] * 3
    explained = CYCLE["transitivity"] | {"elo_explains": True}
    assert len(plots.league(CYCLE | {"transitivity": explained}).axes) == 2


def test_the_width_and_the_style_can_be_chosen():
    figure = drawn("exploit", width=7, style={"axes.facecolor": "#abcdef"})
    assert figure.get_figwidth() == 7 and figure.axes[0].get_facecolor() == pytest.approx(
        (171 / 255, 205 / 255, 239 / 255, 1)
    )
    with pytest.raises(ValueError, match="width=0: must be from 1 to 40 inches"):
        drawn("exploit", width=0)
    with pytest.raises(ValueError, match="style='none of these': is no style"):
        drawn("exploit", style="none of these")


def test_results_of_another_kind_are_refused(tmp_path):
    with pytest.raises(ValueError, match="the summary: holds results of another kind .league.*exploitability"):
        plots.exploit(LEAGUE)
    with pytest.raises(
        ValueError, match="holds no results: it has neither league.json, summary.json, result.json nor learning.json"
    ):
        plots.league(tmp_path)


def cut_off(figure):
    """Return the texts of a figure, except the numbers of its axes, that do not lie wholly in it."""
    figure.draw_without_rendering()
    numbers = {text for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for text in axis.get_ticklabels()}
    texts = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts if text not in numbers]
    low, high = figure.bbox.min - 1, figure.bbox.max + 1  # pixels
    return [text for text, box in boxes if (box.min < low).any() or (box.max > high).any()]


@pytest.mark.parametrize("name", EVERY)
def test_no_text_leaves_the_figure(name):
    assert not cut_off(drawn(name))


def labels_on_curves(figure):
    """Return the labels within the panels of a figure that cover a curve."""
    figure.draw_without_rendering()
    found = []
    for axes in figure.axes:
        curves = [line for line in axes.lines if line.get_linestyle() == "-" and len(line.get_xdata()) > 2]
        paths = [line.get_path().transformed(line.get_transform()) for line in curves]
        for text in axes.texts:
            box = text.get_window_extent()
            if any(path.intersects_bbox(box, filled=False) for path in paths):
                found.append(text.get_text())
    return found


@pytest.mark.parametrize("name", EVERY)
def test_no_label_covers_a_curve(name):
    assert not labels_on_curves(drawn(name))


def test_the_label_of_a_training_that_falls_at_its_end_is_not_on_its_curve():
    """Regression: the label stood above the last point, on the curve before it."""
    falling = [evaluation(step * 1_000_000, rate) for step, rate in enumerate((0.3, 0.6, 0.66, 0.7, 0.7, 0.66))]
    figure = plots.training(TRAINING | {"evaluations": falling})
    assert not labels_on_curves(figure) and not cut_off(figure)


def test_ways_to_train_are_compared_in_one_figure():
    figure = plots.learning([LEARNING, LEARNING | {"trainer": "mine.py:train"}])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["ppo", "mine.py:train"]
    assert len({line.get_color() for line in figure.axes[0].lines}) == 2 and not cut_off(figure)
    with pytest.raises(ValueError, match="several tasks .core-duel, raid-3.: must be of one"):
        plots.learning([LEARNING, LEARNING | {"task": "raid-3"}])
    with pytest.raises(ValueError, match=r"source=\[\]: must be the results of one way"):
        plots.learning([])


def mirror(agent, points, **changes):
    """Return a measurement of an agent against itself."""
    first = {"points": points, "low": points - 1, "high": points + 2, "elo": 7 * points}
    rows = [{"agent": agent, "games": 1000, "win_rate": 0.5, "low": 0.47, "high": 0.53}]
    return ADVANTAGE | {"agents": rows, "first_advantage": first} | changes


def test_skill_shows_each_agent_at_its_rating():
    longest = LEAGUE["agents"][0]["agent"]
    figure = plots.skill(LEAGUE, [mirror("rules", 6), mirror(longest, 7), mirror("random", 1)])
    panel = figure.axes[0]
    line = next(line for line in panel.lines if line.get_linestyle() == "-" and len(line.get_xdata()) == 2)
    assert list(line.get_xdata()) == [0, 120] and list(line.get_ydata()) == [6, 7]  # by rating
    band = panel.collections[0].get_paths()[0].get_extents()
    assert (band.y0, band.y1) == (5, 9)
    assert {"random", "rules"} <= set(texts(figure)) and not cut_off(figure)
    (arrow,) = [line for line in panel.lines if line.get_marker() == "<"]
    assert list(arrow.get_xdata()) == [-700], "the games give only an upper bound for random"
    assert arrow.get_label() == "rating at most"
    assert panel.get_xlim()[0] < -700 and panel.get_xlim()[1] > 160


def test_skill_of_agents_with_bounds_alone_is_drawn():
    figure = plots.skill(LEAGUE, [mirror("random", 1)])
    assert "random" in texts(figure) and not cut_off(figure)


def test_skill_refuses_what_does_not_belong_together():
    with pytest.raises(ValueError, match="has the agents rules, simple: must have one agent in all seats"):
        plots.skill(LEAGUE, [ADVANTAGE])
    with pytest.raises(ValueError, match="simple: has no rating in the league, which rated .*rules, random"):
        plots.skill(LEAGUE, [mirror("simple", 3)])
    with pytest.raises(ValueError, match="must be of one variant"):
        plots.skill(LEAGUE, [mirror("rules", 3, variant="star_realms/core/standard/2")])
    with pytest.raises(ValueError, match="rules: the measurement has no side that moves first"):
        plots.skill(LEAGUE, [mirror("rules", 3, first_advantage={"points": None})])
    for wrong in ([], "results/rules"):
        with pytest.raises(ValueError, match="mirrors=.*: must be a list of at least one folder"):
            plots.skill(LEAGUE, wrong)


def test_curves_of_several_searches_share_a_legend():
    figure = fair_curves("Formats", [(f"format {number}", FAIR) for number in range(4)])
    assert [axes.get_title() for axes in figure.axes if axes.get_visible()] == [f"format {n}" for n in range(4)]
    assert len(figure.legends) == 1
    assert not cut_off(figure)


@pytest.mark.parametrize("name", EVERY)
def test_show_draws_a_folder_in_every_format(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / NAMES.get(name, "summary.json")).write_text(json.dumps(EVERY[name]))
    found = CliRunner().invoke(cli, ["show", "results", "--figure", "pdf,svg,png,own.pdf"])
    assert found.exit_code == 0, found.output
    file = "learning_curve" if name in ("training", "learning") else name
    for path in [*(folder / f"{file}.{kind}" for kind in BEGIN), tmp_path / "own.pdf"]:
        assert path.read_bytes().startswith(BEGIN[path.suffix[1:]])
    before = (folder / f"{file}.pdf").read_bytes()
    CliRunner().invoke(cli, ["show", "results", "--figure", "pdf"])
    assert (folder / f"{file}.pdf").read_bytes() == before, "the same results give the same file"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("gif", "gif: must be pdf, svg or png, or the name of a file"),
        ("pdf,", "must be pdf, svg or png"),
        ("a.jpeg", "a.jpeg: must be"),
        ("nowhere/a.pdf", "there is no folder nowhere"),
        (".pdf", "must be pdf, svg or png"),
    ],
)
def test_a_figure_that_cannot_be_drawn_is_refused_before_anything_is_played(given, why, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(cli, ["advantage", "star_realms", "--games", "1000000000", "--figure", given])
    assert found.exit_code == 2 and why in found.output.replace("'", "") and not list(tmp_path.iterdir())


def test_what_is_wanted_is_a_list():
    assert check_wanted("pdf, own.SVG") == ("pdf", "own.SVG")


def test_variants_and_parameters_in_words():
    assert (
        variant_in_words("empire_of_the_stars/3/powers/block=4,5")
        == "Empire of the Stars: 3 players, powers, block 4, 5"
    )
    assert (
        variant_in_words("star_realms/core/nemesis_beast/1/veteran")
        == "Star Realms: core, nemesis beast, 1 player, veteran"
    )
    assert parameter_in_words("authority.1+2") == "authority of the second and third seats"
    assert parameter_in_words("authority.1+2+3") == "authority of the second, third and fourth seats"
    assert parameter_in_words("starting_deck.0.Viper") == "copies of Viper, starting deck of the first seat"
    assert parameter_in_words("first_player") == "first player"
    board = "empire_of_the_stars/reconstruction/3"
    assert parameter_in_words("bonus_points.1", board) == "bonus points of the side that moves second"
    assert parameter_in_words("bonus_points.1+2", board) == "bonus points of the sides that move second and third"
    assert parameter_in_words("authority.1", "star_realms/core/standard/2") == "authority of the second seat"
    assert parameter_in_words("bonus_points.1", "not_installed/3") == "bonus points of the second seat"


def test_a_training_without_an_evaluation_is_refused():
    with pytest.raises(ValueError, match="evaluations: there are none to draw"):
        plots.training(TRAINING | {"evaluations": []})


def test_a_dollar_in_a_name_is_a_dollar(tmp_path):
    look = Look()
    with look.applied():
        figure, axes = look.panels([1], "a $x_$ b^{ $\\frac{ c$")
        name_rows(axes[0, 0], ["b$x_$.py:html", "two $$ dollars"])
    save(figure, tmp_path / "figure.svg")
    assert "b$x_$.py:html" in (tmp_path / "figure.svg").read_text()
