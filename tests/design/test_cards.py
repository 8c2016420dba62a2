"""Cards in the designer's report: planted cards and pairs, coverage and false discoveries by simulation."""

import json

import numpy as np
import pytest

import stardeck
from stardeck.benchmarks.design.card_use.card_pictures import pictures
from stardeck.benchmarks.design.card_use.price import for_price, misused
from stardeck.benchmarks.design.cards import CARDS, pair_findings, use_findings
from stardeck.benchmarks.design.gifts.experiment import Cells
from stardeck.benchmarks.design.gifts.kinships import kinships
from stardeck.benchmarks.design.gifts.pairs import clear_pairs, interactions
from stardeck.benchmarks.design.gifts.strengths import fit_cards, fit_groups
from stardeck.benchmarks.design.part import Asked

Z = 1.96
KINDS = 8
CELLS = Cells(KINDS, twice=True)
MAIN = np.linspace(-0.3, 0.9, KINDS)
CHEAP = {
    "like": "core",
    "cards": [
        {"name": "World Ender", "faction": "blob", "kind": "ship", "cost": 1, "copies": 4, "primary": ["combat 9"]},
    ],
}  # fmt: skip


def experiment(rng, games, synergy=0.0, pair=(2, 5)):
    """Return results and groups of synthetic games of two sides: strengths are sums of cards, and one pair has more."""
    odds = np.array([sum(MAIN[card] for card in members if card >= 0) for members in CELLS.members], float)
    special = int(np.flatnonzero((CELLS.pairs == sorted(pair)).all(axis=1))[0])
    odds[1 + KINDS + special] += synergy
    cells = CELLS.draw(*rng.integers(0, 2**64, (2, 2 * games), dtype=np.uint64)).reshape(games, 2)
    won = rng.random(games) < 1 / (1 + np.exp(odds[cells[:, 1]] - odds[cells[:, 0]]))
    return np.column_stack([won, ~won]).astype(float), cells, special


def fitted(outcome, cells):
    start = fit_cards(outcome, cells, CELLS)
    groups = fit_groups(outcome, cells, CELLS, start)
    return groups, interactions(groups, CELLS), start.main


def test_a_planted_pair_is_found_and_nothing_else():
    outcome, cells, special = experiment(np.random.default_rng(0), 200_000, synergy=0.8)
    _, found, main = fitted(outcome, cells)
    q = clear_pairs([found]).q[0]
    assert q[special] < 0.001 and found.extra[special] == pytest.approx(0.8, abs=0.2)
    assert set(np.flatnonzero(q < 0.05)) <= {special} | set(np.argsort(q)[:2].tolist())
    assert np.abs(main.effects - MAIN).max() < 0.2


def test_intervals_of_interactions_cover():
    rng = np.random.default_rng(1)
    covered = []
    for _ in range(60):
        outcome, cells, special = experiment(rng, 30_000, synergy=0.5)
        _, found, _ = fitted(outcome, cells)
        truth = np.zeros(len(CELLS.pairs))
        truth[special] = 0.5
        inside = np.abs(found.extra - truth) <= Z * found.extra_error
        covered.append(inside[~np.isnan(found.extra)].mean())
    assert 0.93 <= np.mean(covered) <= 0.97


def test_pairs_without_synergy_are_rarely_named():
    rng = np.random.default_rng(2)
    named = 0
    for _ in range(runs := 100):
        outcome, cells, _ = experiment(rng, 20_000)
        named += (clear_pairs([fitted(outcome, cells)[1]]).q < 0.05).any()
    assert named / runs <= 0.12, "5 % of the runs, and four standard errors"


def test_a_relation_of_pairs_is_tested_by_permutation():
    rng = np.random.default_rng(3)
    kin = np.zeros((KINDS, KINDS), bool)
    kin[2, 5] = kin[5, 2] = True
    outcome, cells, _ = experiment(rng, 200_000, synergy=1.5)
    _, found, _ = fitted(outcome, cells)
    (one,) = kinships(found, CELLS, {"are kin": kin}, seed=1)
    assert one.pairs == 1 and one.effect == pytest.approx(1.5, abs=0.3) and one.p < 0.1


def test_a_card_above_the_line_of_the_others_is_too_strong_for_its_price():
    prices = np.array([1, 2, 3, 4, 5, 6, 7, 8, 2.0])
    values = 3 * prices + np.array([0, 1, -1, 0, 1, -1, 0, 1, 20])
    found = for_price(values, np.full(9, 0.5), prices)
    assert found.above.argmax() == 8 and found.above[8] == pytest.approx(20, abs=2) and found.q[8] < 0.001
    assert found.line[1] == pytest.approx(3, abs=2)


def test_use_against_value_needs_both_statements():
    rate = np.array([0.9, 0.1, 0.9, 0.5]), np.full(4, 0.01), 0.5
    advantage = np.array([-5.0, 5.0, 5.0, -5.0]), np.full(4, 0.5)
    found = misused(rate, advantage)
    assert found.over.tolist() == [True, False, False, False] and found.under.tolist() == [False, True, False, False]


def test_a_card_that_is_too_cheap_is_named_first(tmp_path):
    game = stardeck.make("star_realms", set=CHEAP)
    found = CARDS.measure(Asked(game, tmp_path, 60_000))
    summary = {"estimates": [one._replace(blocks=None)._asdict() for one in found.estimates], "details": found.details}
    page = CARDS.show(json.loads(json.dumps(summary)))
    assert page.findings[0].startswith("World Ender is too strong for its price of 1"), page.findings
    assert page.tables and page.pictures
    names = [one.name for one in found.estimates]
    assert len(set(names)) == len(names) and {"value_explorer", "value_explorer_early"} <= set(names)


def test_every_game_says_what_it_offers():
    for name in ("star_realms", "interstellar_empire", "empire_of_the_stars"):
        assert isinstance(CARDS.offers(stardeck.make(name)), str)
    assert CARDS.offers(stardeck.make("star_realms")) == ""


def test_pairs_are_drawn_only_where_one_is_clear():
    points = [[None, 12.0], [12.0, None]]
    unclear = {"stage": "early", "cards": ["Ram", "Cutter"], "points": points, "clear": [[False] * 2] * 2}
    clear = unclear | {"stage": "late", "clear": [[False, True], [True, False]]}
    assert [name for name, _, _ in pictures(None, {"maps": [unclear, clear]})] == ["pairs_late"]


def a_pair(name, alone, together, added):
    beyond = together - added
    ends = {"beyond": (beyond, beyond - 1, beyond + 1), "together": (together, together - 1, together + 1)}
    known = {"stage": "early", "cards": [name, name], "alone": [alone, alone], "added": added}
    return ends | known | {"q": 1e-9, "clear": True, "why": []}


def combinations(pairs=(), relations=()):
    known = {"place": "the deck", "main": [], "maps": []}
    return known | {"pairs": list(pairs), "kinships": list(relations), "games": [1_000, 1_000], "error": [1.0, 1.0]}


def test_findings_name_the_pair_whose_win_points_differ_most_from_the_sum():
    """Log odds of a nearly sure win are large, whatever a second copy adds; a designer sees no difference."""
    rows = [a_pair("Sure", 49.3, 49.9, 50.0), a_pair("Seen", 34.3, 42.5, 46.6), a_pair("Small", 7.4, 30.2, 14.5)]
    more, less, none = pair_findings(combinations(rows))
    assert more.startswith("Two copies of Small give more than the sum of their parts, from the deal on: by 15.7 [14.7")
    assert less.startswith("Two copies of Seen give less") and "by 4.1 [3.1, 5.1] win points" in less
    assert less.endswith("Together they give 42.5, alone 34.3 and 34.3. Odds that add up would give 46.6.")
    assert none.startswith("No pair of cards, from about a third of the game on")


def a_relation(stage, ends, p, least=False):
    known = {"stage": stage, "relation": "share a faction", "pairs": 9, "extra": ends, "ratio": 1.3}
    return known | {"p": p, "least": least, "q": 2 * p}


def test_a_finding_on_a_relation_says_what_is_left_of_it_later():
    early = a_relation("early", (7.9, 4.3, 11.4), 1 / 2001, least=True)
    gone, turned = a_relation("late", (0.4, -1.2, 2.0), 0.6), a_relation("late", (-2.0, -3.0, -1.0), 0.003)
    *_, text = pair_findings(combinations([], [early, gone]))
    assert text.startswith(
        "Pairs that share a faction have better odds than other pairs, beyond the sum of their parts"
    )
    assert "from the deal on: by 7.9 [4.3, 11.4] win points between equals (p <= 0.0005)." in text
    assert text.endswith("From about a third of the game on, there is no clear difference: +0.4 [-1.2, +2.0].")
    *_, text = pair_findings(combinations([], [turned, a_relation("early", (1.0, None, None), 0.5)]))
    assert "have worse odds" in text and "by 2.0 [1.0, 3.0]" in text and "(p = 0.003)" in text
    assert text.endswith("From the deal on, there is no clear difference: +1.0.")
    assert not any("Pairs that" in text for text in pair_findings(combinations([], [gone])))


def a_card(name, distance=None, far=False, **more):
    ends = None if distance is None else [distance, distance - 2, distance + 2]
    plain = {"over": False, "under": False, "dead": False, "must": False, "advantage": [3.0, 2.0, 4.0]}
    rates = {"rates": [[40.0, 39.0, 41.0], [50.0, 49.0, 51.0]], "for_price_q": 1e-9}
    return {"card": name, "price": 3.0, "value": ends, "for_price": ends, "for_price_far": far} | plain | rates | more


def use_of(*cards):
    stages = [{"card": "Ram", "stage": "early", "value": 3.0, "low": 2.0, "high": 4.0, "q": 1e-7}]
    return {"agents": ["rules", "expert"], "cards": list(cards), "scatter": 4.5, "stages": stages}


def test_only_cards_far_off_the_price_line_are_too_strong():
    usual, far = a_card("Usual", 5.1), a_card("Far", -9.4, far=True)
    (text,) = use_findings(use_of(usual, far))
    assert text.startswith("Far is too weak for its price of 3: it gives 9.4 [7.4, 11.4] win points less")
    assert text.endswith("less than the price line predicts.")
    notes = {row[0]: row[-1] for row in shown(use_of(usual, far)).tables[0].rows}
    assert notes == {"Usual": "", "Far": "too weak"}


def test_only_the_agent_of_the_trials_is_said_to_misuse_cards():
    page = shown(use_of(a_card("Ram", under=True)))
    assert page.findings[0].startswith("`rules` buys Ram too seldom, in 40 [39, 41] % of the turns")
    assert not any("`expert`" in text for text in page.findings)
    row = dict(zip(page.tables[0].columns, page.tables[0].rows[0], strict=True))
    assert row["note"] == "under-used by `rules`" and row["bought by `expert`, %"] == "50 [49, 51]"


def shown(use, combined=None):
    return CARDS.show({"estimates": [], "details": {"use": use, "combinations": combined}})


def test_agents_are_code_and_no_chance_is_printed_as_zero():
    use = use_of(a_card("Ram", must=True), a_card("Cutter", dead=True))
    page = shown(
        use, combinations([a_pair("Sure", 1.0, 2.0, 9.0)], [a_relation("early", (1.0, 0.5, 2.0), 1e-4, least=True)])
    )
    assert page.findings[0].startswith("`rules` and `expert` buy these cards in less than 5 %")
    assert "Ram (40 % and 50 %)" in page.findings[1]
    cells = [cell for table in page.tables for row in table.rows for cell in row]
    assert "0.000" not in cells and cells.count("<0.001") == 3
    texts = [*page.findings, *(column for table in page.tables for column in table.columns)]
    assert all(text.count("rules") == text.count("`rules`") for text in texts)
