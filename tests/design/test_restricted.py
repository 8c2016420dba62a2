"""The part `restricted`: verdicts on made-up effects, a planted card table, and whole measurements."""

import json
from pathlib import Path

import numpy as np
import pytest

import stardeck
from helpers import JIT, game_of
from stardeck import agents
from stardeck.agents.restricted.restriction import slug
from stardeck.benchmarks.design.part import Asked
from stardeck.benchmarks.design.restricted import RESTRICTED, measure, verdicts
from stardeck.benchmarks.design.restricted.page import findings, restrictions_figure
from stardeck.benchmarks.design.restricted.verdicts import ABSENT, DECORATION, MATTERS, SMALL_EFFECT, TRAP, UNCLEAR

GAME = "interstellar_empire/2"
OWN = f"{Path(__file__).parents[2]}/examples/my_agent.py:Buyer"
PLANTED = {
    "like": "core",
    "cards": [
        # rules values what its buyer hardly ever needs; the card does nothing by itself
        {"name": "Hollow Hull", "faction": "blob", "kind": "ship", "cost": 1, "copies": 8,
         "primary": ["next ship on top"] * 4},
        {"name": "World Ender", "faction": "blob", "kind": "ship", "cost": 2, "copies": 4,
         "primary": ["combat 12"]},
        {"name": "Dust", "faction": "blob", "kind": "ship", "cost": 1, "copies": 4, "primary": ["authority 1"]},
    ],
}  # fmt: skip


def blocks(share, effect, count, seed):
    """Return made-up blocks of two games: a share of them is touched, and then a game turns in favour or against."""
    rng = np.random.default_rng(seed)
    touched = rng.random(count) < share
    up = rng.random(count) < 0.5 + effect / (100 * share)
    return np.where(touched, np.where(up, 50.0, -50.0), 0.0)


@pytest.mark.parametrize(("share", "effect"), [(0.5, 0), (0.02, 0), (0.3, 8), (0.02, -0.6)])
def test_intervals_of_effects_cover(share, effect):
    covered = 0
    for seed in range(trials := 400):
        found, _ = verdicts.effect_of("a", "a", blocks(share, effect, 300, seed), 50)
        covered += found.low <= effect <= found.high
    rare = share < 0.1  # an interval of a rare restriction is wider on purpose
    assert 0.93 <= covered / trials <= (1 if rare else 0.97), covered / trials


def test_rare_restrictions_have_an_interval_and_no_certainty():
    found, p = verdicts.effect_of("a", "a", np.zeros(400), 50)
    assert found.value == 0 and found.low < 0 < found.high < 0.5 and p == 1
    found, p = verdicts.effect_of("a", "a", [50.0] + [0.0] * 399, 50)
    assert p > 0.2


def test_verdicts_by_hand():
    made = [blocks(0.6, -20, 2_000, 0), blocks(0.6, 20, 2_000, 1), np.zeros(2_000), blocks(0.6, 0, 60, 2), np.zeros(50),
            blocks(0.02, -0.6, 40_000, 3)]  # fmt: skip
    found = [verdicts.effect_of(str(number), "", each, 50) for number, each in enumerate(made)]
    names = [one.verdict for one in verdicts.judged(found, np.array([9, 9, 9, 9, 0, 9]))]
    assert names == [MATTERS, TRAP, DECORATION, UNCLEAR, ABSENT, SMALL_EFFECT], "a rare card is no decoration"


def test_chance_findings_are_rare_among_many_restrictions():
    wrong = 0
    for trial in range(40):
        found = [verdicts.effect_of("a", "", blocks(0.5, 0, 200, 1_000 * trial + one), 50) for one in range(40)]
        wrong += any(one.verdict in (MATTERS, TRAP) for one in verdicts.judged(found, np.full(40, 9)))
    assert wrong <= 7  # 5 % of trials; uncorrected, nearly all


def test_games_go_where_effects_vary():
    wanted = verdicts.blocks_wanted(np.array([0.0, 10.0, 20.0]), 50, 1_000)
    assert wanted[0] == 50 < wanted[1] < wanted[2] and wanted.sum() <= 1_000
    assert verdicts.blocks_wanted(np.array([0.0, 10.0]), 50, 10**6).tolist() == [50, 474]
    assert verdicts.blocks_wanted(np.array([5.0, 10.0]), 50, 10).tolist() == [50, 50]


def measured(game, out, games, **options):
    """Return the measurement, and the verdicts by the name of the restriction."""
    out.mkdir(parents=True, exist_ok=True)
    found = RESTRICTED.measure(Asked(game, out, games, **{"workers": 1} | options))
    return found, {one["name"].removeprefix("restricted_"): one["verdict"] for one in found.details["restrictions"]}


def page(found):
    """Return the page of a measurement, as the report reads it from JSON."""
    estimates = [{key: value for key, value in one._asdict().items() if key != "blocks"} for one in found.estimates]
    return RESTRICTED.show(json.loads(json.dumps({"estimates": estimates, "details": found.details}, allow_nan=False)))


@pytest.mark.skipif(not JIT, reason="thousands of games take hours uncompiled")
def test_planted_cards_are_found(tmp_path, monkeypatch):
    game = stardeck.make("star_realms", set=PLANTED)
    listed = [one for one in measure.restrictions_of(game) if one.group == "card"]
    monkeypatch.setattr(measure, "restrictions_of", lambda game: listed)
    found, verdict = measured(game, tmp_path, 30_000)
    by_name = {one.name: one for one in found.estimates}
    assert verdict["never_hollow_hull"] == TRAP and verdict["never_world_ender"] == MATTERS
    assert verdict["never_dust"] == DECORATION and by_name["restricted_never_dust"].value == 0
    assert min(by_name.values(), key=lambda one: one.value).name == "restricted_never_world_ender"
    assert max(by_name.values(), key=lambda one: one.value).name == "restricted_never_hollow_hull"
    sentences = page(found).findings
    assert sentences[0].startswith("A trap: `rules` that never buys Hollow Hull wins ")
    assert any(text.startswith("It matters: `rules` that never buys World Ender wins ") for text in sentences)


def test_the_part_measures_and_goes_on(tmp_path):
    game = game_of(GAME)
    assert RESTRICTED.offers(game) == ""
    found, verdict = measured(game, tmp_path / "whole", 1_500)
    assert verdict["never_builds_ships"] == MATTERS
    assert all(one.low < one.value < one.high and one.blocks.ndim == 1 for one in found.estimates)
    shown = page(found)
    values = [float(row[1]) for row in shown.tables[0].rows]
    assert values == sorted(values) and len(values) == len(found.estimates) and shown.pictures[0][2].axes
    calls = []

    def stop(done, games):
        calls.append(done)
        if len(calls) > 5:
            raise KeyboardInterrupt

    (tmp_path / "cut").mkdir()
    with pytest.raises(KeyboardInterrupt):
        RESTRICTED.measure(Asked(game, tmp_path / "cut", 1_500, workers=1, progress=stop))
    again, _ = measured(game, tmp_path / "cut", 1_500, workers=2)
    assert [one.value for one in again.estimates] == [one.value for one in found.estimates]
    with pytest.raises(ValueError, match="seed 0, not 1"):
        measured(game, tmp_path / "cut", 1_500, seed=1)


def test_a_search_is_compared_with_its_prior_policy():
    game = game_of(GAME)
    search = agents.get("search:8:prior=rules", game)
    last = measure.candidates(game, search)[-1]
    assert (last.name, last.label, last.player.name) == ("no_look_ahead", "does not look ahead", "rules")
    assert measure.candidates(game, agents.get("rules", game))[-1].name != "no_look_ahead"


def test_a_search_of_the_ladder_shows_what_looking_ahead_is_worth(tmp_path, monkeypatch):
    game = game_of(GAME)
    listed = measure.restrictions_of(game)[:1]
    monkeypatch.setattr(measure, "restrictions_of", lambda game: listed)
    found, _ = measured(
        game, tmp_path, 200, ladder=("random", "rules", "search:2:prior=random", "search:4:prior=rules")
    )
    blind = found.details["restrictions"][-1]
    assert (blind["name"], blind["agent"], blind["games"]) == ("restricted_no_look_ahead", "search:2:prior=random", 32)
    assert "search:2:prior=random does not look ahead" in [row[0] for row in page(found).tables[0].rows]
    plain, _ = measured(game, tmp_path / "plain", 200)
    assert len(plain.estimates) == 1 and plain.estimates[0].value == found.estimates[0].value


def test_without_a_search_on_the_ladder_the_agent_guides_one(tmp_path, monkeypatch):
    game = game_of(GAME)
    listed = measure.restrictions_of(game)[:1]
    monkeypatch.setattr(measure, "restrictions_of", lambda game: listed)
    monkeypatch.setattr(measure, "SIMULATIONS", 2)
    found, _ = measured(game, tmp_path / "enough", 3_400, agent="simple")
    blind = found.details["restrictions"][-1]
    name = ("restricted_no_look_ahead", "search:2:prior=simple")
    assert (blind["name"], blind["agent"], blind["games"]) == (*name, 34)
    few, _ = measured(game, tmp_path / "few", 3_000, agent="simple")
    assert len(few.estimates) == 1, "sixteen blocks of a search are more than this budget"
    own = agents.get(OWN, game)
    asked = Asked(game, tmp_path, 40_000, agent=OWN)
    assert measure._search_of(asked, own, 2) == (None, 0), "an agent in Python guides none"


@pytest.mark.skipif(not JIT, reason="whole games of Star Realms take minutes uncompiled")
def test_against_a_boss_restricted_games_are_compared_with_free_ones(tmp_path, monkeypatch):
    game = stardeck.make("star_realms", set="box", format="nemesis_beast", players=1, difficulty="beginner")
    listed = [one for one in measure.restrictions_of(game) if one.name in ("never_buys_anything", "must_buy")]
    monkeypatch.setattr(measure, "restrictions_of", lambda game: listed)
    found, verdict = measured(game, tmp_path, 400)
    assert verdict["never_buys_anything"] == MATTERS and len(found.estimates) == 2


def test_a_game_with_nothing_to_leave_out_says_so(monkeypatch):
    monkeypatch.setattr(measure, "restrictions_of", lambda game: [])
    assert RESTRICTED.offers(game_of(GAME)) == "its action space has nothing that an agent could leave out"


def row(label, value, verdict, group="card"):
    """Return a made-up row of the table."""
    ends = {"value": value, "low": value - 0.4, "high": value + 0.4, "unit": "points"}
    counts = {"decisions": 100, "offered": 9, "gave_way": 0, "games": 50}
    return {"name": slug(label), "agent": "rules", "label": label, "group": group, "verdict": verdict, "q": 0.5} | (
        ends | counts
    )


def test_findings_begin_with_the_largest_trap_and_the_largest_loss():
    rows = [
        row("never buys anything", -50, MATTERS, "action"), row("never attacks bases", -35, MATTERS, "action"),
        row("never buys ships", -30, MATTERS, "manner"), row("never buys Machine Base", -4, MATTERS),
        row("never buys Ram", -0.6, SMALL_EFFECT), row("never buys Dust", -0.3, DECORATION),
        row("never buys Ash", 0.1, DECORATION), row("never buys Pod", 1.6, TRAP), row("never buys Ore", 1.8, TRAP),
    ]  # fmt: skip
    said = findings(rows, "rules")
    words = ["Ore", "attacks bases", "Pod", "ships", "Machine Base"]
    assert [word in text for word, text in zip(words, said, strict=False)] == [True] * 5, "then by size"
    assert not any("buys anything" in text for text in said), "who buys nothing loses in every such game"
    assert said[-2].startswith("2 of 9 restrictions are decoration") and said[-2].endswith("Ash; never buys Dust.")
    assert said[-1].startswith("1 of 9 restrictions have an effect below 1 point")


def test_a_picture_of_many_restrictions_says_how_many_are_left_out():
    rows = [row(f"never buys {number}", number / 10, UNCLEAR) for number in range(50)]
    labels = [text.get_text() for text in restrictions_figure(rows, "rules").axes[0].get_yticklabels()]
    assert labels[20] == "… 10 more, in the table …" and labels[19:22:2] == ["never buys 19", "never buys 30"]
