"""Card values from randomised trials: the statistics from synthetic trials, the trials from games."""

import json
import pickle
from statistics import NormalDist

import numpy as np
import pyarrow.parquet as pq
import pytest

from helpers import scaled
from stardeck.agents.data import trials as occasions
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.card_values import trial_series
from stardeck.benchmarks.card_values.decision_points import DecisionPoints, decision_points_in
from stardeck.benchmarks.card_values.measure import worth
from stardeck.benchmarks.card_values.treatment_effects import Sums, Trials, chances, corrected
from stardeck.benchmarks.card_values.treatments import treatments_of
from stardeck.benchmarks.card_values.trial_series import TrialSeries
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.results.citation import citation
from stardeck.benchmarks.results.store import ResultsError
from stardeck.commands import cli
from stardeck.game.registry import make

# Statistics


def made_up(seed, count=4_000, foreseen=0.0):
    """Return trials of four options, the last of them nothing, with offers that depend on the occasion.

    In part of the trials the network foresees that an occasion is good.
    """
    chance = np.random.default_rng(seed)
    good = chance.random(count) < 0.5
    offered = np.stack([np.where(good, 0, -1), np.where(chance.random(count) < 0.6, 1, -1), np.full(count, 2)], axis=1)
    options = np.concatenate([np.full((count, 1), 3), offered], axis=1)
    drawn = np.argmax(np.where(options >= 0, chance.random(options.shape), -1), axis=1)
    arm = options[np.arange(count), drawn]
    rate = np.where(good, 0.7, 0.3) + np.array([0.1, 0.05, 0.05, 0.0])[arm]
    expected = np.where(good & (chance.random(count) < foreseen), 0.7, 0.3)
    return Trials(np.zeros(count, np.int64), arm, options, (chance.random(count) < rate).astype(float), expected)


@pytest.mark.parametrize("foreseen", [0.0, 0.6])
def test_effects_are_free_of_what_occasions_differ_in(foreseen):
    sums = Sums(1, 4)
    for seed in range(25):
        sums.add(made_up(seed, foreseen=foreseen))
    effects, errors = sums.effects()
    assert effects[0, :3, 3] == pytest.approx([0.1, 0.05, 0.05], abs=0.02)
    assert effects[0, 0, 1] == pytest.approx(0.05, abs=0.02) and (effects == -effects.transpose(0, 2, 1)).all()
    assert (errors[0, :3, 3] < 0.008).all()


def test_what_was_expected_makes_errors_smaller():
    errors = []
    for foreseen in (0.0, 1.0):
        sums = Sums(1, 4)
        sums.add(made_up(0, 100_000, foreseen))
        errors.append(sums.effects()[1][0, 1, 3])
    assert errors[1] < 0.95 * errors[0]
    assert sums.slopes() == pytest.approx([1.0], abs=0.05)


def test_options_beside_any_are_worth_more_or_less_than_their_mean():
    """Of three that are always offered, each once out of three: effects against any add up to nothing."""
    chance = np.random.default_rng(0)
    arm = chance.integers(0, 3, 60_000)
    outcome = (chance.random(len(arm)) < np.array([0.4, 0.5, 0.6])[arm]).astype(float)
    options = np.tile(np.arange(3), (len(arm), 1))
    trials = Trials(np.zeros(len(arm), np.int64), arm, options, outcome, np.full(len(arm), 0.5))
    sums = Sums(1, 4)
    sums.add(trials.beside_any(3))
    effects, errors = sums.effects()
    assert effects[0, :3, 3] == pytest.approx([-0.1, 0, 0.1], abs=0.015) and (errors[0, :3, 3] < 0.006).all()
    assert effects[0, 2, 0] == pytest.approx(0.2, abs=0.015) and sums.count()[0, 3, 3] == len(arm)


@pytest.mark.parametrize("foreseen", [0.0, 0.6])
def test_intervals_hold_as_often_as_they_say(foreseen):
    held = np.zeros(2)
    for seed in range(200):
        sums = Sums(1, 4)
        sums.add(made_up(seed, 1_500, foreseen))
        effects, errors = sums.effects()
        held += np.abs(effects[0, [0, 1], [3, 2]] - (0.1, 0)) <= 1.96 * errors[0, [0, 1], [3, 2]]
    assert (held >= 180).all() and (held <= 199).all()


def test_little_is_not_known():
    sums = Sums(1, 4)
    sums.add(made_up(0, 40))
    effects, errors = sums.effects()
    assert np.isnan(effects).all() and np.isnan(errors).all() and np.isnan(corrected(chances(effects, errors))).all()


def test_chances_and_their_correction_are_those_of_other_libraries():
    from statsmodels.stats.multitest import multipletests

    effects = np.array([0.5, -1.96, 2.5, np.nan, 3.1])
    found = chances(effects, np.ones(5))
    known = ~np.isnan(effects)
    assert found[known] == pytest.approx([2 * NormalDist().cdf(-abs(x)) for x in effects[known]])
    assert corrected(found)[known] == pytest.approx(multipletests(found[known], method="fdr_bh")[1])
    assert np.isnan(corrected(found)[3])


# Games


def test_a_trial_is_one_of_what_could_be_bought():
    series = TrialSeries(make("star_realms"), "rules", 3)
    games = scaled(512, 4)
    trials = series.trials_of(series.play(0, games).table)
    assert len(trials.arm) > games / 3 and (trials.options[:, :2] == (49, 50)).all()
    assert (trials.options == trials.arm[:, None]).any(axis=1).all()
    assert all(len(set(row[row >= 0])) == (row >= 0).sum() > 2 for row in trials.options)
    assert set(trials.outcome) <= {0.0, 0.5, 1.0}


def first_occasion(series, index, stage):
    """Return the first decision of a game in a stage at which the agent buys, or could buy but ends its turn.

    It is given as (seat, turn, cards that could be bought); None: there is no such decision.
    """
    game, chunk = series.game, series.play(index, index + 1)
    states = game.deal(chunk.seeds)
    for action in chunk.actions:
        turn = int(states["turn"][0])
        if sum((turn - 1) // 2 >= first for first in (5, 10)) == stage:
            said = game.describe(states[0], action)
            moves = game.moves(states[0]) if said.startswith("buy ") or said == "end turn" else []
            if cards := {text[4:].removesuffix(" to deck") for text in moves if text.startswith("buy ")}:
                return int(game.to_act(states)[0]), turn, cards
        game.apply(states, [int(action)])
    return None


def test_an_occasion_is_a_purchase_or_the_end_of_a_turn(monkeypatch):
    series = TrialSeries(make("star_realms"), "rules", 3)
    monkeypatch.setattr(series, "tried", series.tried._replace(hazard=1.0))
    noted = Series(series.game, ["rules"], 3, record_actions=True)
    for row in series.play(0, scaled(40, 8)).table.to_pylist():
        expected = first_occasion(noted, row["index"], series.tried.cycle[row["index"] % 4])
        if expected is None:
            assert row["arm"] < 0
        else:
            assert (row["seat"], row["turn"], {series.options[card] for card in row["offered"]}) == expected


def test_games_without_a_trial_are_those_of_the_agents():
    series = TrialSeries(make("star_realms"), "rules", 3)
    games = scaled(256, 4)
    table = series.play(0, games).table.to_pylist()
    winners = Series(series.game, ["rules"], 3).play(0, games).winners
    untried = [row["index"] for row in table if row["arm"] < 0]
    assert all(table[index]["share"] == winners[index][table[index]["seat"]] for index in untried)


PLANTED = {
    "name": "planted",
    "title": "Ships that are all alike but one",
    "like": "core",
    "cards": [
        {
            "name": card["name"],
            "faction": card["faction"].replace(" ", "_"),
            "kind": card["kind"],
            "cost": card["cost"],
            "copies": 0,
        }
        | ({"defense": card["defense"]} if card["defense"] else {})
        for card in make("star_realms").cards()
        if card["copies"]
    ]
    + [
        {
            "name": f"Ship {k}",
            "faction": "blob",
            "kind": "ship",
            "cost": 3,
            "copies": 5,
            "primary": [f"combat {6 if k == 7 else 3}"],
        }
        for k in range(12)
    ],
}


def test_a_trial_of_scrapping_scraps_one_card_or_none():
    series = TrialSeries(make("star_realms"), "rules", 3, "scrapping")
    table = series.play(0, scaled(512, 8)).table
    trials = series.trials_of(table)
    assert len(trials.arm) and (trials.options == trials.arm[:, None]).any(axis=1).all()
    offered = {series.options[option] for option in trials.options[trials.options >= 0]}
    assert {"Scout from discard", "Scout from hand", "nothing", "authority"} <= offered or len(table) < 10


def tried(game, what, games, **settings):
    """Return trials, and the names of the options."""
    series = TrialSeries(make(game, **settings), "rules", 3, what)
    table = series.play(0, games).table
    return series, table.to_pylist(), series.trials_of(table)


def test_openings_are_tried_in_the_first_three_turns():
    series, rows, trials = tried("star_realms", "openings", scaled(300, 6))
    made = [row for row in rows if row["arm"] >= 0]
    assert made and all((row["turn"] - 1) // 2 == row["stage"] for row in made)
    assert {series.tried.stages[group] for group in trials.group} <= {"first turn", "second turn", "third turn"}


@pytest.mark.once
def test_upgrades_are_stickers_of_the_side_that_fit():
    series, rows, trials = tried("star_realms", "upgrades", 400, set="rise_of_empire", scenario=1)
    made = [row for row in rows if row["arm"] >= 0]
    assert made
    for row in made:
        sides = {series.options[option].split()[0] for option in row["offered"]}
        assert sides == {"SE" if row["seat"] == 0 else "TF"}
    assert (trials.options[:, :2] == [len(series.options) - 2, len(series.options) - 1]).all()


def test_powers_and_technologies_are_tried_in_empire_of_the_stars():
    series, rows, trials = tried("empire_of_the_stars", "powers", scaled(60, 2))
    made = [row for row in rows if row["arm"] >= 0]
    powers = [power["name"] for power in series.game.cards() if power["kind"] == "power"]
    assert all({series.options[option] for option in row["offered"]} <= set(powers) for row in made)
    assert all(len(row["offered"]) == 3 and row["arm"] in row["offered"] for row in made)
    assert len(trials.arm) == 2 * len(made) and (trials.arm[len(made) :] == series.nothing).all()
    series, rows, trials = tried("empire_of_the_stars", "technologies", scaled(60, 2))
    names = {card["name"] for card in series.game.cards() if card["kind"] == "technology"}
    made = [row for row in rows if row["arm"] >= 0]
    assert all({series.options[option] for option in row["offered"]} <= names for row in made)
    assert (trials.options[:, 0] == series.options.index("nothing")).all()


def test_what_is_expected_is_a_share():
    _, rows, _ = tried("star_realms", "purchases", scaled(300, 6))
    expected = np.array([row["expected"] for row in rows if row["arm"] >= 0])
    assert ((expected >= 0) & (expected <= 1)).all() and (len(rows) < 100 or expected.std() > 0.05)


@pytest.mark.once
def test_it_is_good_to_scrap_starters_and_bad_to_scrap_the_best():
    summary = worth("star_realms", games=120_000, what="scrapping")
    found = {(row["card"], row["stage"]): row["points"] for row in summary["cards"]}
    assert found["Scout from discard", "middle"]["low"] > 0 and found["Viper from discard", "early"]["low"] > 0
    worst = min(found, key=lambda which: found[which]["value"])
    assert found[worst]["high"] < 0 and not worst[0].startswith(("Scout", "Viper"))


@pytest.mark.once
def test_a_planted_effect_is_found_first():
    summary = worth("star_realms", games=40_000, set=PLANTED)
    early = sorted(
        (row for row in summary["cards"] if row["stage"] == "early"), key=lambda row: -row["points"]["value"]
    )
    assert early[0]["card"] == "Ship 7" and early[0]["points"]["low"] > early[1]["points"]["value"]
    assert early[0]["q"] < 0.001 and early[0]["authority"]["low"] > 0


@pytest.mark.once
def test_trials_that_are_interrupted_go_on_to_the_same_summary(tmp_path, monkeypatch):
    monkeypatch.setattr(trial_series, "CHUNK", 2_000)

    def interrupt(done, games):
        if done >= 4_000:
            raise KeyboardInterrupt

    def of(summary):
        return {key: value for key, value in summary.items() if key not in ("origin", "games_per_second")}

    whole = worth("star_realms", games=9_000, out=tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        worth("star_realms", games=9_000, out=tmp_path / "broken", progress=interrupt)
    again = worth("star_realms", games=9_000, out=tmp_path / "broken")
    assert of(again) == of(whole)
    assert (tmp_path / "broken" / "worth.toml").read_text() == (tmp_path / "whole" / "worth.toml").read_text()
    assert (tmp_path / "whole" / "worth.png").exists()
    pairs = pq.read_table(tmp_path / "broken" / "pairs.parquet")
    assert pairs.equals(pq.read_table(tmp_path / "whole" / "pairs.parquet"))
    rows = {(row["stage"], row["card"], row["rather_than"]): row for row in pairs.to_pylist()}
    for stage, card, other in rows:
        one, back = rows[stage, card, other], rows[stage, other, card]
        assert one["points"] == -back["points"] and one["q"] == back["q"] and one["low"] == pytest.approx(-back["high"])
    explorer = next(row for row in again["cards"] if row["card"] == "Explorer" and row["stage"] == "early")
    assert rows["early", "Explorer", "nothing"]["points"] == pytest.approx(explorer["points"]["value"])
    cited = citation(tmp_path / "broken")["reproduce"]
    assert cited == "stardeck worth star_realms --what purchases --agents rules --games 9000 --seed 0"
    with pytest.raises(ValueError, match="already holds 9000 games"):
        worth("star_realms", games=100, out=tmp_path / "broken")
    with pytest.raises(ResultsError, match="holds results with seed 0, not 1"):
        worth("star_realms", games=9_000, seed=1, out=tmp_path / "broken")


def test_players_who_are_one_side_lose_together():
    game = make("star_realms", set="box", format="nemesis_beast", players=2)
    table = TrialSeries(game, "rules", 0).play(0, scaled(40, 2)).table.to_pylist()
    assert sum(row["share"] for row in table) < len(table) / 2  # the Boss wins more often


@pytest.mark.once
def test_the_command_tells_what_cards_are_worth(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cli.cli.main(["worth", "star_realms", "--games", "4000"], standalone_mode=False)
    out = capsys.readouterr().out
    assert "win points rather than nothing" in out and "Explorer" in out and "results/worth-star_realms-core" in out
    cli.cli.main(["worth", "star_realms", "--games", "4000", "--json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out)["options"][-2:] == ["nothing", "authority"]


def test_numbers_of_no_card_are_none():
    assert len({occasions.NOTHING, occasions.PRIZE, occasions.NO_TRIAL}) == 3
    assert max(occasions.NOTHING, occasions.PRIZE, occasions.NO_TRIAL) < 0


# Occasions from recorded games


@pytest.fixture
def recorded(tmp_path):
    """Return a few recorded games, and the folder of their records."""
    game = make("star_realms")
    path = tmp_path / "games.jsonl"
    for seed in range(scaled(3, 1)):
        record.write(path, record.play(game, ["rules"], seed))
    return game, path


@pytest.mark.once
def test_trials_begin_where_recorded_players_bought(recorded):
    game, path = recorded
    met = decision_points_in(path, game, treatments_of("star_realms")["purchases"].recorded)
    assert set(met.stages) <= {0, 1, 2} and (np.diff(met.stages[: len(met.stages) // 6]) >= 0).all()
    assert (met.states["stack_count"] == 0).all()
    series = TrialSeries(game, "rules", 3, occasions=met)
    rows = series.play(0, 200).table.to_pylist()
    made = [row for row in rows if row["arm"] >= 0]
    assert made
    for row in made:
        place = row["index"] % len(met.states)
        assert row["stage"] == met.stages[place] and row["turn"] >= met.states[place]["turn"]
    one = TrialSeries(game, "rules", 3, occasions=DecisionPoints(met.states[:1], met.stages[:1]))
    arms = [(row["arm"], row["share"]) for row in one.play(0, 100).table.to_pylist()]
    assert len(arms) < 100 or any((arm, 1 - share) in arms for arm, share in arms)  # what is hidden is dealt anew
    again = pickle.loads(pickle.dumps(series))
    assert again.play(0, 4).table.to_pylist() == rows[:4]


@pytest.mark.once
def test_worth_of_recorded_occasions_is_of_that_file(recorded, tmp_path):
    game, path = recorded
    summary = worth("star_realms", games=400, out=tmp_path / "out", occasions=path)
    assert len(summary["trials"]["occasions"]) == 16 and sum(summary["trials_made"]) > 100
    with pytest.raises(ResultsError, match="holds results with"):
        worth("star_realms", games=400, out=tmp_path / "out")
    with pytest.raises(ValueError, match="occasions: are of purchases, not of scrapping"):
        worth("star_realms", games=400, what="scrapping", occasions=path)
    with pytest.raises(ValueError, match="game 1: is of star_realms/core/standard/2, not of star_realms/box"):
        worth("star_realms", games=400, set="box", occasions=path)
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="game 1: "):
        worth("star_realms", games=400, occasions=path)
