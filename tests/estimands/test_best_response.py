"""Best responses: the claims about them, from given win rates."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from helpers import a_network, game_of
from stardeck.agents.networks.agent import write_network
from stardeck.training import best_response
from stardeck.training.best_response import exploit

THREE = {"set": "box", "format": "free_for_all", "players": 3}


def measured(monkeypatch, out, shares, fair_share, games=400, **settings):
    """Return the summary of a response with these win rates in successive chunks of 100 games, without training."""

    def train(game, folder, seed, numbers, tell, method, **settings):
        folder.mkdir(parents=True)
        write_network(folder / "agent.safetensors", a_network(game_of("interstellar_empire/2")))
        told = dict.fromkeys(("variant", "settings", "tables", "seed", "recipe", "decisions", "seconds"))
        return told | {"variant": "star_realms/core/standard/2", "fair_share": fair_share}

    given = iter(shares)
    monkeypatch.setattr(best_response, "train", train)
    monkeypatch.setattr(best_response, "win_share", lambda *rest: next(given))
    return exploit("star_realms", "random", out, games=games, simulations=0, **settings)


@pytest.mark.parametrize(("settings", "fair_share"), [({}, 50.0), (THREE, 100 / 3)])
def test_what_is_at_least_won_is_counted_from_the_fair_share(settings, fair_share, monkeypatch, tmp_path):
    """It is chosen by 90 of 100 games, and wins 280 of 400 others: Wilson's interval is 65.3 % to 74.3 %."""
    summary = measured(monkeypatch, tmp_path, [0.9, 0.75, 0.65, 0.8, 0.6], fair_share, **settings)
    assert summary["responses"][0]["win_rate"] == 0.9 and summary["responses"][0]["games"] == 100
    assert summary["win_rate"] == pytest.approx(0.7) and summary["games"] == 400
    low, high = proportion_confint(280, 400, method="wilson")
    assert (summary["low"], summary["high"]) == pytest.approx((low, high)) and round(100 * low, 1) == 65.3
    assert summary["at_least"] == pytest.approx(100 * low - fair_share)


@pytest.mark.parametrize(
    ("share", "at_least"),
    # Of 400 games, 54.8 % may be chance (49.9 % to 59.6 %); 55 % is not (50.1 % to 59.8 %).
    [(0.4, 0), (0.548, 0), (0.55, 0.10)],
)
def test_what_may_be_chance_is_not_claimed(share, at_least, monkeypatch, tmp_path):
    summary = measured(monkeypatch, tmp_path, [0.9] + [share] * 4, 50.0)
    assert summary["at_least"] == pytest.approx(at_least, abs=0.01)


def test_games_are_rounded_up_to_whole_chunks(monkeypatch, tmp_path):
    summary = measured(monkeypatch, tmp_path, np.full(9, 0.5), 50.0, games=401)
    assert summary["games"] == 500 and summary["responses"][0]["games"] == 200
