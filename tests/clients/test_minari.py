"""Minari: its collector keeps games with their infos, and the example writes and reads a data set."""

import re
from pathlib import Path

import gymnasium
import minari
import numpy as np
import pytest

from stardeck.datasets import dataset, load, to_minari
from watched import every_game

EXAMPLE = Path(__file__).parents[2] / "examples" / "minari_dataset.py"


@pytest.fixture(autouse=True)
def datasets(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))


@every_game
def test_collected_games_are_read_back_with_their_infos(module, settings):
    """Regular games, and one that an illegal action ends."""
    played = module.SingleAgentEnv(opponents="simple", seat="rotate", **settings)
    played.spec = gymnasium.spec("stardeck/StarRealms-v1")  # Minari stores it
    env = minari.DataCollector(played, record_infos=True)
    chance, told = np.random.default_rng(1), []
    for number in range(3):
        _, info = env.reset(seed=number)
        told.append([info])
        over = False
        while not over:
            action = int(chance.choice(np.flatnonzero(info["action_mask"])))
            if number == 2 and len(told[-1]) == 4:
                action = int(info["action_mask"].argmin())
            _, _, terminated, truncated, info = env.step(action)
            told[-1].append(info)
            over = terminated or truncated
    env.create_dataset("stardeck/tried-v0", description="for a test")

    data = minari.load_dataset("stardeck/tried-v0")
    assert len(data) == 3
    for episode, infos in zip(data, told, strict=True):
        assert set(episode.infos) == set(infos[0]) >= {"action_mask", "returns", "winners", "placements", "illegal"}
        for key, values in episode.infos.items():
            assert (values == np.stack([info[key] for info in infos])).all()
        assert not episode.infos["illegal"][:-1].any()
    assert [episode.infos["illegal"][-1] for episode in data] == [0, 0, 1]


def test_the_example_writes_a_data_set_and_reads_it_back(capsys):
    source = re.sub(r"^GAMES = \d+", "GAMES = 4", EXAMPLE.read_text(encoding="utf-8"), flags=re.M)
    for _ in range(2):  # the second run overwrites the first
        exec(compile(source, str(EXAMPLE), "exec"), {"__name__": "__main__", "__file__": str(EXAMPLE)})
        assert re.search(r"4 games with \d+ legal decisions; the recorded seat won \d+%", capsys.readouterr().out)
    data = minari.load_dataset("stardeck/star_realms/rules-v0")
    assert [episode.infos["returns"].shape[1] for episode in data] == [2] * 4


@pytest.mark.parametrize("seat", [0, 1])
def test_a_data_set_of_games_becomes_one_of_minari_for_a_seat(tmp_path, seat):
    made = tmp_path / "made"
    dataset("interstellar_empire", "rules", 5, 3, made)
    written = to_minari(made, f"stardeck/interstellar_empire/seat{seat}-v0", seat)
    data = minari.load_dataset(f"stardeck/interstellar_empire/seat{seat}-v0")
    assert len(data) == len(written) == 5
    for episode, played in zip(data, load(made).episodes(), strict=True):
        mine = played.seats == seat
        assert np.array_equal(episode.actions, played.actions[mine])
        assert np.array_equal(episode.observations[:-1], played.observations[mine])
        assert np.array_equal(episode.infos["action_mask"][:-1], played.masks[mine])
        assert episode.rewards.sum() == played.returns[seat] and episode.rewards[:-1].sum() == 0
        assert episode.terminations[-1] and not episode.truncations.any()
    with pytest.raises(ValueError, match="there is such a data set already"):
        to_minari(made, f"stardeck/interstellar_empire/seat{seat}-v0", seat)
    with pytest.raises(ValueError, match="seat=2: must be from 0 to 1"):
        to_minari(made, "stardeck/interstellar_empire/other-v0", 2)
