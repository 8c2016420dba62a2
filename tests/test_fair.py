"""What would make a game fair: knobs, the search by made-up games whose answer is known, and one of real games."""

import json

import numpy as np
import pytest
from scipy.special import expit, softmax

from helpers import thorough
from stardeck.benchmarks.fairness import search as searches
from stardeck.benchmarks.fairness.adaptive_sampling import seek
from stardeck.benchmarks.fairness.aggregates import combine, tally
from stardeck.benchmarks.fairness.parameters import read_parameters, settings_at
from stardeck.benchmarks.fairness.response_curve import Curve, Observations
from stardeck.benchmarks.fairness.search import Search, fair
from stardeck.benchmarks.results.citation import citation
from stardeck.benchmarks.results.store import ResultsError
from stardeck.commands import cli
from stardeck.game.registry import make

HALF = np.full(2, 1 / 2)
SEARCHED = thorough(40, 16)
HELD = thorough(33, 12)  # 95 % are expected; fewer than this come once in a thousand times


def made_up(shares, seed, shared=0.0):
    """Plays games of which it is known how often each group wins at a point; `shared`: which part has no winner."""
    chance = np.random.default_rng(seed)
    held = {}

    def play(more):
        for point, games in more.items():
            rates = np.asarray(shares(*point))
            wins = chance.multinomial(games, [*(1 - shared) * rates, shared])
            sums = wins[:-1] + wins[-1] / len(rates)
            before = held.get(point, (0, 0, 0))
            now = games, sums, np.diag(wins[:-1]) + wins[-1] / len(rates) ** 2
            held[point] = tuple(old + new for old, new in zip(before, now, strict=True))
        columns = zip(*(held[point] for point in sorted(held)), strict=True)
        return Observations(np.array(sorted(held), float), *(np.array(column, float) for column in columns))

    return play


def two(rate):
    """Shares of two sides by that of the first."""
    return lambda x: (rate(x), 1 - rate(x))


def three(x, y):
    return softmax([0.0, 0.05 * x - 0.01 * y - 0.9 - 0.0002 * x * x, 0.045 * y - 0.012 * x - 1.1])


CURVES = {
    "gentle": (two(lambda x: expit(0.4 - 0.05 * x)), [40], 0.0),
    "with draws": (two(lambda x: expit(0.4 - 0.05 * x)), [40], 0.4),
    "steep and bent": (two(lambda x: expit(1.5 * (x - 2.1) + 0.1 * (x - 2) ** 2)), [6], 0.0),
    "three sides": (three, [60, 60], 0.0),
}


@pytest.mark.parametrize("name", CURVES)
def test_what_is_said_to_be_fair_is_so_within_the_stated_error(name):
    shares, lengths, shared = CURVES[name]
    fair_shares = np.full(len(lengths) + 1, 1 / (len(lengths) + 1))
    held = 0
    for seed in range(SEARCHED):
        found, seen = seek(made_up(shares, seed, shared), lengths, fair_shares, 0.01, 10**6)
        assert found.inside and found.error.max() <= 0.01 and seen.games.sum() < 60_000
        true = found.weights @ np.array([shares(*vertex) for vertex in found.vertices])
        held += (np.abs((1 - shared) * (true - fair_shares)) <= found.error).all()
    assert held >= HELD


def test_the_answer_has_an_interval_too():
    shares = two(lambda x: expit(0.05 * (17.3 - x)))
    held = 0
    for seed in range(SEARCHED):
        found, _ = seek(made_up(shares, seed), [40], HALF, 0.01, 10**6)
        held += found.low[0] <= 17.3 <= found.high[0] and found.high[0] - found.low[0] < 2
    assert held >= HELD


@pytest.mark.parametrize(("rate", "end"), [(lambda x: expit(2 - 0.05 * x), 20), (lambda x: expit(-2 - 0.05 * x), 0)])
def test_a_range_without_a_fair_place_ends_at_the_nearest(rate, end):
    found, seen = seek(made_up(two(rate), 0), [21], HALF, 0.001, 10**6)
    assert not found.inside and found.answer == [end] and seen.games.sum() < 20_000


def test_a_cliff_is_found_by_the_places_beside_it():
    cliff = two(lambda x: expit(0.4 - 0.02 * x) - 0.15 * (x > 14))
    held = 0
    for seed in range(SEARCHED // 2):
        found, _ = seek(made_up(cliff, seed), [60], HALF, 0.01, 10**6)
        assert found.inside and found.vertices.tolist() == [[14], [15]]
        held += abs(found.weights @ [cliff(14)[0], cliff(15)[0]] - 0.5) <= found.error[0]
    assert held >= thorough(16, 6)


def test_a_knob_of_two_places_is_mixed():
    found, _ = seek(made_up(lambda x: ((0.6, 0.4), (0.45, 0.55))[x], 0), [2], HALF, 0.004, 10**6)
    assert found.inside and found.weights == pytest.approx([1 / 3, 2 / 3], abs=0.08)


def test_errors_of_the_curve_are_those_of_a_known_regression():
    import statsmodels.api as sm

    x, games, wins = np.arange(6.0), np.full(6, 500.0), np.array([300.0, 280, 262, 240, 226, 199])
    sums = np.stack([games - wins, wins], axis=1)
    products = np.stack([np.diag(row) for row in sums])
    curve = Curve(Observations(x[:, None], games, sums, products), np.zeros(1), np.ones(1), linear=True)
    known = sm.GLM(np.c_[wins, games - wins], sm.add_constant(x), sm.families.Binomial()).fit()
    assert curve.shares(np.array([[2.0]]))[0, 1] == pytest.approx(known.predict([[1, 2.0]])[0], abs=1e-7)
    _, covariance = curve.mixed(np.array([[2.0]]), np.ones(1))
    assert covariance[1, 1] ** 0.5 == pytest.approx(known.get_prediction([[1, 2.0]]).se_mean[0], rel=0.02)


# Knobs


def test_a_knob_turns_the_seats_that_it_names():
    game = make("star_realms", set="box", format="free_for_all", players=3)
    parameters = read_parameters(["authority.1=50:90", "opening-hands.2=3:7"], game)
    assert list(map(str, parameters)) == ["authority.1=50:90", "opening_hands.2=3:7"]
    settings = settings_at(parameters, game.settings, (10, 1))
    assert settings["authority"] == [50, 60, 50] and settings["opening_hands"] == [3, 4, 4]
    assert make("star_realms", **settings).settings == settings


def test_a_knob_without_seats_turns_those_that_do_not_begin():
    game = make("star_realms", set="box", format="two_headed_hydra")
    (parameter,) = read_parameters(["authority=75:99"], game)
    assert parameter.settings_at(game.settings, 5)["authority"] == [75, 75, 80, 80]


def test_words_are_the_two_places_of_a_knob():
    (parameter,) = read_parameters(["first-player=bid:agreed"], make("interstellar_empire"))
    assert parameter.values == ("bid", "agreed") and str(parameter) == "first_player=bid:agreed"
    (parameter,) = read_parameters(["errata=true:false"], make("star_realms"))
    assert parameter.values == (True, False) and str(parameter) == "errata=true:false"


def test_numbers_below_0_may_be_turned_to():
    (parameter,) = read_parameters(["first-turn-trade.0=-3:-1"], make("star_realms"))
    assert parameter.values == (-3, -2, -1) and str(parameter) == "first_turn_trade.0=-3:-1"
    with pytest.raises(ValueError, match=r"-6:0: must be whole numbers from -5 to 20, the lower one first"):
        read_parameters(["first-turn-trade.0=-6:0"], make("star_realms"))


def test_copies_of_a_card_in_a_starting_deck_are_a_knob():
    game = make("star_realms")
    (parameter,) = read_parameters(["starting-deck.0.Viper=2:5"], game)
    assert str(parameter) == "starting_deck.0.Viper=2:5" and read_parameters([str(parameter)], game) == [parameter]
    decks = [
        make("star_realms", **parameter.settings_at(game.settings, place)).settings["starting_deck"] for place in (0, 3)
    ]
    assert decks == [[["Scout x8", "Viper x2"]] * 2, [["Scout x8", "Viper x5"], ["Scout x8", "Viper x2"]]]


def test_a_card_that_no_deck_has_is_added_to_the_seats_that_do_not_begin():
    game = make("star_realms", set="box", format="free_for_all", players=3)
    (parameter,) = read_parameters(["starting-deck.Blob Fighter=0:2"], game)
    plain = ["Scout x8", "Viper x2"]
    assert parameter.seats == (1, 2) and str(parameter) == "starting_deck.1+2.Blob Fighter=0:2"
    assert make("star_realms", **parameter.settings_at(game.settings, 0)).id == game.id
    turned_to = make("star_realms", **parameter.settings_at(game.settings, 2)).settings["starting_deck"]
    assert turned_to == [plain, [*plain, "Blob Fighter x2"], [*plain, "Blob Fighter x2"]]


def test_two_knobs_may_move_two_cards_of_one_deck():
    game = make("star_realms", set="box", format="free_for_all", players=3)
    parameters = read_parameters(["starting-deck.0.Viper=0:4", "starting-deck.0.Scout=6:9"], game)
    settings = settings_at(parameters, game.settings, (4, 0))
    assert make("star_realms", **settings).settings["starting_deck"][0] == ["Scout x6", "Viper x4"]
    with pytest.raises(ValueError, match="changes what another --knob changes too"):
        read_parameters(["starting-deck.0.Viper=0:4", "starting-deck.0+1.Viper=6:9"], game)


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("starting-deck.0=2:5", "name a card, as starting_deck.0.CARD; write NAME=LOW:HIGH"),
        ("authority.1.Viper=40:80", "authority has no cards; write NAME=LOW:HIGH"),
        ("starting-deck.0.Vipr=2:5", "'Vipr' is not a card of this set"),
        ("starting-deck.2.Viper=2:5", "seat 2: must be from 0 to 1"),
        ("starting-deck.0.Viper=5:2", "must be whole numbers from 0 to 99, the lower one first"),
        ("starting-deck.0.Viper=-1:2", "must be whole numbers from 0 to 99, the lower one first"),
        ("starting-deck.0.Viper=2:20", "28 cards in the starting deck: from 1 to 16"),
        ("sides.0=0:1", "'sides' is no parameter of star_realms; it has set, "),
    ],
)
def test_impossible_knobs_of_decks_are_one_line(parameter, message):
    with pytest.raises(ValueError) as error:
        read_parameters([parameter], make("star_realms"))
    assert message in str(error.value) and "\n" not in str(error.value)


def test_who_begins_can_be_turned_between_two_sides():
    raid = make("star_realms", set="box", format="raid", first_player=1)
    (parameter,) = read_parameters(["authority=40:60"], raid)
    assert parameter.seats == (0,), "the Raiders move first"
    search = Search("star_realms", {"max_turns": 60}, ["first-player=0:1"], ["simple"], 0)
    assert search.by_side and search.fair.tolist() == [0.5, 0.5]
    hands = [search._series_at((place,)).game.settings["opening_hands"] for place in (0, 1)]
    assert hands == [[3, 5], [5, 3]], "who begins draws fewer cards, as nothing else is set"
    assert not Search("star_realms", {}, ["authority=40:60"], ["simple"], 0).by_side
    with pytest.raises(ValueError, match="changes who begins; with 3 sides that takes 2 knobs"):
        read_parameters(["first-player=0:1"], make("star_realms", format="free_for_all"))


def test_every_number_of_players_has_knobs():
    """What follows from other settings is found by leaving it out, without which the rest may not stand."""
    four = make("star_realms", set="box", format="free_for_all", players=4)
    parameters = read_parameters([f"authority.{seat}=40:80" for seat in (1, 2, 3)], four)
    assert [parameter.seats for parameter in parameters] == [(1,), (2,), (3,)]


# Real games

KNOB = "opening_hands.0=0:6"  # of `simple` players
FAST = {"agents": "simple", "within": 2.0, "max_turns": 60}


def without_origin(summary):
    return {key: value for key, value in summary.items() if key not in ("origin", "games_per_second", "within")}


@pytest.mark.once
def test_a_search_that_is_interrupted_goes_on_to_the_same_answer(tmp_path):
    def interrupt(done, games):
        if done > 3_000:
            raise KeyboardInterrupt

    whole = fair("star_realms", KNOB, out=tmp_path / "whole", **FAST)
    assert whole["found"] and 0 < whole["answer"][0]["value"] < 3 and (tmp_path / "whole" / "fair.png").exists()
    with pytest.raises(KeyboardInterrupt):
        fair("star_realms", KNOB, out=tmp_path / "broken", progress=interrupt, **FAST)
    assert without_origin(fair("star_realms", KNOB, out=tmp_path / "broken", **FAST)) == without_origin(whole)
    assert without_origin(fair("star_realms", KNOB, **FAST)) == without_origin(whole)
    finer = fair("star_realms", KNOB, out=tmp_path / "broken", **FAST | {"within": 1.0})
    assert finer["games"] > whole["games"]
    with pytest.raises(ResultsError, match=r"knobs\[0\] 'opening_hands.0=0:6', not 'opening_hands.0=0:5'"):
        fair("star_realms", "opening_hands.0=0:5", out=tmp_path / "broken", **FAST)
    cited = citation(tmp_path / "whole")["reproduce"]
    assert cited.startswith("stardeck fair star_realms --knob opening_hands.0=0:6 --agents simple --within 2 --seed 0")


@pytest.mark.once
def test_a_viper_more_than_makes_up_for_beginning(tmp_path):
    """Who begins is ahead with two Vipers, as by the rules, and behind with three."""
    summary = fair("star_realms", "starting-deck.0.Viper=2:5", "rules", within=2.0, out=tmp_path)
    assert summary["found"] and 2 < summary["answer"][0]["value"] < 3
    assert summary["answer"][0]["knob"] == "starting_deck.0.Viper" and (tmp_path / "fair.png").exists()
    assert "--knob starting_deck.0.Viper=2:5 --agents rules" in citation(tmp_path)["reproduce"]


@pytest.mark.once
def test_equal_players_are_as_well_off_when_each_begins_in_half_of_the_games():
    summary = fair("star_realms", "first-player=0:1", **FAST | {"agents": "rules"})
    assert summary["found"] and [share["of"] for share in summary["shares"]] == ["side 0", "side 1"]
    assert summary["answer"][0]["low"] <= 0.5 <= summary["answer"][0]["high"]


@pytest.mark.once
def test_stretches_of_another_search_are_refused(tmp_path, monkeypatch):
    fair("star_realms", KNOB, out=tmp_path, **FAST)
    monkeypatch.setattr(searches, "seek", lambda play, *rest: play({(2,): 7}))
    with pytest.raises(ResultsError, match="stretches.parquet: holds other chunks than this search plays"):
        fair("star_realms", KNOB, out=tmp_path, **FAST)


def test_a_stretch_tells_what_the_side_that_moved_first_has_won():
    class Games:
        winners = np.array(
            [[True, True, False, False], [False, False, True, True], [False] * 4, [True, True, False, False]]
        )
        first = np.array([0, 1, 0, 2])

    chunk = tally((3,), ((0, 1), (2, 3)), Games)
    assert (chunk.games, chunk.first, chunk.first_squared) == (4, 1.5, 1.25)
    seen = combine([chunk, chunk], by_side=False)
    assert seen.sums.tolist() == [[3, 5]] and seen.products.tolist() == [[[2.5, 0.5], [0.5, 4.5]]]
    assert combine([chunk], by_side=True).sums.tolist() == [[2.5, 1.5]]
    in_turn = tally((3,), ((0, 1), (2, 3)), Games, by_turn=True)
    assert in_turn.sides.tolist() == [1.5, 2.5] and in_turn.first == 1.5, "the third game has no winner"


@pytest.mark.once
def test_the_command_says_what_is_fair_and_what_is_not(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    options = ["--agents", "simple", "--within", "2", "--max-turns", "60"]
    assert cli.cli.main(["fair", "star_realms", "--knob", KNOB, *options], standalone_mode=False) == 0
    out = capsys.readouterr().out
    assert "% of the games with opening_hands.0 2" in out and "first: +0.00 points above the fair share" in out
    far = ["fair", "star_realms", "--knob", "authority.1=10:20", *options, "--json", "--out", "far"]
    assert cli.cli.main(far, standalone_mode=False) == 1
    summary = json.loads(capsys.readouterr().out)
    assert summary["why"] == "out of range" and summary["mixture"] == [{"part": 1.0, "knobs": {"authority.1": 20}}]
