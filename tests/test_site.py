"""The manual as a site: links that lead somewhere, and the workflow that publishes its versions."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import stardeck

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
MARK = re.compile(r"^<!-- \w+(?: \S+)? -->\n.+$", re.M)  # docs/made_from_code.py replaces it
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_links_stay_within_the_site(page):
    text = re.sub(r"```.*?```", "", MARK.sub("", page.read_text(encoding="utf-8")), flags=re.S)
    for link in LINK.findall(text):
        target = (page.parent / link).resolve()
        assert target.is_file() and (DOCS in target.parents or ROOT / "notebooks" in target.parents), link


def test_make_docs_counts_warnings():
    command = re.search(r"^docs:.*\n\t(.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)[1]
    assert "--strict" in command and "--quiet" not in command and " -q" not in command


def _workflow():
    return yaml.safe_load((ROOT / ".github" / "workflows" / "docs.yml").read_text(encoding="utf-8"))


def _deployed(tmp_path, release, tag):
    """Run the deploying step of an event with a mike that only notes what it is asked for."""
    condition = f"github.event_name {'==' if release else '!='} 'release'"
    (script,) = (step["run"] for step in _workflow()["jobs"]["publish"]["steps"] if step.get("if") == condition)
    notes = tmp_path / "notes"
    tool = tmp_path / "mike"
    tool.write_text(f'#!/bin/sh\necho "$@" >> "{notes}"\ntest "$1" != list\n', encoding="utf-8")
    tool.chmod(0o755)
    path = f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "GITHUB_REF_NAME": tag}
    run = subprocess.run(["bash", "-e", "-c", script], cwd=ROOT, env=env, capture_output=True, text=True)
    return run.returncode, notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []


def test_main_becomes_the_version_dev(tmp_path):
    expected = ["deploy --push dev", "list latest", "set-default --push dev"]  # there is no latest yet
    assert _deployed(tmp_path, release=False, tag="main") == (0, expected)


def test_a_release_becomes_its_number_and_the_latest(tmp_path):
    number = stardeck.__version__
    expected = [f"deploy --push --update-aliases {number} latest", "set-default --push latest"]
    assert _deployed(tmp_path, release=True, tag=f"v{number}") == (0, expected)


def test_a_release_with_another_tag_publishes_nothing(tmp_path):
    code, notes = _deployed(tmp_path, release=True, tag="v99.0")
    assert code == 1 and not notes


def test_the_workflow_is_off_until_a_person_enables_it():
    jobs = _workflow()["jobs"]
    assert [job["if"] for job in jobs.values()] == ["vars.PUBLISH_DOCS == 'true'"]
    assert "`PUBLISH_DOCS`" in (ROOT / "RELEASING.md").read_text(encoding="utf-8")
