"""Several processes train one network: equal weights, one writer, the same end after an interruption."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from stardeck.agents.networks.agent import read_network
from stardeck.training import train
from stardeck.training.checkpoints import LANES
from stardeck.training.ppo import process_group
from stardeck.training.ppo.process_group import ProcessError

RECIPE = {
    "units": [16, 8], "num_envs": 16, "rollout": 8, "batch": 64, "epochs": 2, "imitation": 0, "steps": 4 * 16 * 8,
    "value_rounds": 0,
    "freeze_every": 2, "evaluate_every": 4, "checkpoint_every": 1, "evaluation_games": 2, "panel": ["random"],
}  # fmt: skip


def trained(folder, progress=False, **changes):
    recipe = RECIPE | changes.pop("recipe", {})
    return train("interstellar_empire", folder, seed=3, recipe=recipe, progress=progress, processes=2, **changes)


def interrupted(done, total, note):
    """Interrupt a training half way, as its progress function."""
    if done >= RECIPE["steps"] // 2:
        raise KeyboardInterrupt


def weights(folder):
    return read_network(folder / "agent.safetensors").weights


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a training by two processes: the folder and the summary."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, trained(folder)


def test_two_processes_train_to_the_end_with_different_games(whole):
    folder, summary = whole
    assert (summary["processes"], summary["decisions"], summary["copies"]) == (2, RECIPE["steps"], 2)
    assert len(summary["evaluations"]) == 2
    newest = sorted((folder / "checkpoints").glob("*"))[-1]
    with np.load(newest / LANES) as saved:
        ours, theirs = saved["lanes"], saved["process_1_lanes"]
        assert len(ours) == len(theirs) == 8 and not set(ours["series"]) & set(theirs["series"])
        assert not np.array_equal(saved["torch"], saved["process_1_torch"])
    assert sorted(path.name for path in (folder / "pool").iterdir()) == ["0000.safetensors", "0001.safetensors"]
    assert len(list((folder / "logs").iterdir())) == 1


def test_an_interrupted_training_by_two_processes_ends_the_same(whole, tmp_path):
    folder, summary = whole
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, interrupted)
    assert not torch.distributed.is_initialized()
    found = trained(tmp_path)
    assert np.array_equal(weights(folder), weights(tmp_path))
    rates = [[entry["win_rate"] for entry in each["evaluations"]] for each in (summary, found)]
    assert rates[0] == rates[1]
    with pytest.raises(ValueError, match="holds a training with processes 2, not 1; choose another folder"):
        train("interstellar_empire", tmp_path, seed=3, recipe=RECIPE, progress=False)


EQUAL = """
import sys, numpy as np, torch
from stardeck.training.ppo import process_group, selfplay
def told(self, last=False, take=selfplay.SelfPlay._take_stock):
    take(self, last)
    flat = torch.cat([part.detach().flatten() for part in self._learner.policy.parameters()])
    grads = self._learner.group.gather(flat.numpy().tobytes())
    if self._learner.group.leads:
        print("equal" if len(grads) == 2 and len(set(grads)) == 1 else "unequal", flush=True)
selfplay.SelfPlay._take_stock = told
"""


def test_weights_are_equal_in_all_processes_at_all_times(tmp_path):
    (tmp_path / "told.py").write_text(EQUAL)
    (tmp_path / "follow.py").write_text(f"{EQUAL}\nfrom stardeck.training import follower\nfollower.follow()\n")
    code = (
        f"{EQUAL}\nimport subprocess\nopened = subprocess.Popen\n"
        f"follow = [sys.executable, {str(tmp_path / 'follow.py')!r}]\n"
        "subprocess.Popen = lambda command, **options: opened(follow, **options)\n"
        "from stardeck.training import train\n"
        f"train('interstellar_empire', {str(tmp_path / 'out')!r}, recipe={RECIPE!r}, progress=False, processes=2)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["equal"] * 5, done.stderr


def test_two_processes_average_the_gradients_of_their_shares():
    code = (
        "import sys, torch\nfrom torch import distributed\nfrom stardeck.training.ppo.process_group import Member\n"
        "rank, port = int(sys.argv[1]), int(sys.argv[2])\nmember = Member(rank, 2)\n"
        "member._join(distributed.TCPStore('127.0.0.1', port, is_master=False))\n"
        "weights = [torch.zeros(2, 3), torch.zeros(4), torch.zeros(1)]\n"
        "for number, weight in enumerate(weights[:2]): weight.grad = torch.full_like(weight, 1.0 + 2 * rank + number)\n"
        "member.average_gradients(weights)\n"
        "print([weight.grad.unique().tolist() for weight in weights[:2]], weights[2].grad)\n"
        "member.wait()\n"
    )
    store = torch.distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    command = [sys.executable, "-c", code]
    others = [
        subprocess.Popen([*command, str(rank), str(store.port)], stdout=subprocess.PIPE, text=True) for rank in (0, 1)
    ]
    assert [other.communicate()[0] for other in others] == ["[[2.0], [3.0]] None\n"] * 2


def test_a_process_that_ends_early_ends_the_training_in_one_line(tmp_path, monkeypatch):
    started = []
    opened = subprocess.Popen

    def failing(command, **options):
        started.append(opened([sys.executable, "-c", "import sys; sys.exit(7)"], **options))
        return started[-1]

    monkeypatch.setattr(process_group.subprocess, "Popen", failing)
    with pytest.raises(ProcessError, match="process 1 of the training has ended; its error is above"):
        trained(tmp_path)
    assert started[0].poll() == 7 and not torch.distributed.is_initialized()


def test_a_process_that_is_killed_ends_the_training(tmp_path, monkeypatch):
    started = []
    opened = subprocess.Popen
    monkeypatch.setattr(
        process_group.subprocess,
        "Popen",
        lambda *args, **options: started.append(opened(*args, **options)) or started[0],
    )
    with pytest.raises(ProcessError, match="process 1 of the training has ended"):
        trained(tmp_path, lambda done, total, note: done and os.kill(started[0].pid, signal.SIGKILL))
    assert started[0].poll() == -signal.SIGKILL


def test_the_others_end_with_a_leader_that_is_killed(tmp_path):
    code = (
        "import time\nfrom stardeck.training import train\n"
        "def told(done, total, note):\n    print('training', flush=True)\n    time.sleep(600)\n"
        f"train('interstellar_empire', {str(tmp_path)!r}, recipe={RECIPE!r}, progress=told, processes=2)\n"
    )
    leader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert leader.stdout.readline() == "training\n", leader.stderr.read()
    leader.kill()
    leader.communicate(timeout=60)  # standard error stays open as long as the other process lives


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"processes": 0}, "processes=0: must be a whole number from 1 to 64"),
        ({"processes": True}, "processes=True: must be a whole number from 1 to 64"),
        ({"processes": 3}, "processes=3: must divide num_envs=16"),
        ({"processes": 2, "recipe": RECIPE | {"batch": 33}}, "processes=2: must divide batch=33"),
        (
            {"processes": 2, "recipe": RECIPE | {"num_envs": 2, "rollout": 5, "batch": 8}},
            "processes=2: must leave more",
        ),
        ({"processes": 2, "method": "expert", "recipe": {}}, "processes=2: must be 1 for method 'expert'"),
    ],
)
def test_shares_that_are_none_are_refused(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        train("interstellar_empire", tmp_path / "out", **{"recipe": RECIPE, "progress": False} | options)
    assert not (tmp_path / "out").exists()


def test_an_error_of_another_process_is_one_line(tmp_path, monkeypatch, capfd):
    opened = subprocess.Popen
    code = "from stardeck.training import follower; from stardeck.training.ppo import backend; "
    code += "follower.learner_on = lambda *_: backend.check_shares(backend.Recipe(), 0); follower.follow()"
    monkeypatch.setattr(
        process_group.subprocess, "Popen", lambda _, **options: opened([sys.executable, "-c", code], **options)
    )
    with pytest.raises(ProcessError, match="process 1 of the training has ended; its error is above"):
        trained(tmp_path)
    assert capfd.readouterr().err == "stardeck: process 1: processes=0: must be a whole number from 1 to 64\n"


def test_the_command_takes_a_number_of_processes(tmp_path):
    command = [sys.executable, "-m", "stardeck.commands.cli", "train", "interstellar_empire", "--processes", "3"]
    done = subprocess.run([*command, "--out", tmp_path / "out"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "stardeck: processes=3: must divide num_envs=512\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not Path("/proc/net/tcp6").exists(), reason="only Linux lists what listens")
def test_only_this_machine_can_reach_the_processes(tmp_path, monkeypatch):
    """Members unpickle what they send each other; /proc/net/tcp has the addresses that listen."""
    listening = []

    def look(self, rank, port):
        for name in ("tcp", "tcp6"):
            rows = [line.split() for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
            found = [row[1].split(":")[0] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == port]
            listening.extend(found)
        raise ProcessError("enough")

    monkeypatch.setattr(process_group.Leader, "_start", look)
    with pytest.raises(ProcessError, match="enough"):
        trained(tmp_path)
    assert listening == ["0100007F"]  # 127.0.0.1 alone
