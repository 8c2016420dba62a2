"""The tutorial of Tianshou runs."""

import re

from tutorials import run


def test_dqn_learns(capsys):
    run("tianshou_dqn")
    updates, best = re.search(r"(\d+) updates, best mean return (\S+)", capsys.readouterr().out).groups()
    assert int(updates) > 0 and -1 <= float(best) <= 1
