"""The tutorials whose libraries our own tests have; those of other clients run in tests/clients."""

import re

import pytest
import tutorials

pytestmark = pytest.mark.once


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::UserWarning")
def test_maskable_ppo_learns_and_its_file_plays(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    tutorials.run("sb3_ppo")
    rates = re.findall(r"^(mine|simple) ([\d.]+)$", capsys.readouterr().out, re.M)
    assert [name for name, _ in rates] == ["mine", "simple"] and sum(float(rate) for _, rate in rates) == 1
    assert (tmp_path / "mine.safetensors").exists()


def test_the_loop_in_one_file_plays_games_to_their_end(capsys):
    tutorials.run("cleanrl_ppo")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["update 1", "update 2"]
    assert "4,096 decisions" in lines[1] and int(re.search(r"(\d+) games over", lines[1])[1]) > 0


def test_every_tutorial_is_run_by_a_test():
    programs = {path.stem for path in tutorials.FOLDER.glob("*.py")}
    assert programs == set(tutorials.SPENT)
    folder = tutorials.Path(__file__).parent
    tested = [*folder.glob("test_tutorials.py"), *folder.glob("clients/test_tutorial_*.py")]
    run = {name for path in tested for name in re.findall(r'run\("(\w+)"\)', path.read_text(encoding="utf-8"))}
    assert run == programs
    for name in programs:
        pages = [
            path for path in tutorials.FOLDER.glob("*.md") if f"docs/tutorials/{name}.py" in path.read_text("utf-8")
        ]
        assert len(pages) == 1, name
