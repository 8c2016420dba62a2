"""The tutorial of TorchRL runs."""

import re

from tutorials import run


def test_ppo_learns(capsys):
    run("torchrl_ppo")
    games = re.findall(r"update (\d): (\d+) games over, (\d+) of them won", capsys.readouterr().out)
    assert [update for update, _, _ in games] == ["1", "2"]
    assert sum(int(over) for _, over, _ in games) > 0
