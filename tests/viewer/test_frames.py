"""Pictures as pixels: frames of environments, pictures of notebooks, albums of games."""

import io
import re
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from gymnasium.wrappers import RenderCollection
from pettingzoo.test import render_test
from PIL import Image

import stardeck
from helpers import PROGRAMS, game_of
from stardeck.commands.shared.album import Album
from stardeck.envs import star_realms_v1
from stardeck.viewer.png import FRAME, animated, frame, png, reduced
from stardeck.viewer.table import draw

SHAPE = (FRAME[1], FRAME[0], 3)


@pytest.mark.parametrize("variant", PROGRAMS)
def test_frames_are_of_one_size_and_show_what_changes(variant):
    game = game_of(variant)
    states = game.deal(3)
    first = frame(game.table(states, int(states[0]["to_act"])))
    assert first.shape == SHAPE and first.dtype == np.uint8 and len(np.unique(first)) > 50
    game.apply(states, [np.flatnonzero(game.legal_actions(states)[0])[-1]])
    assert (frame(game.table(states)) != first).any()


def test_letters_are_drawn():
    game = stardeck.make("star_realms")
    table = game.table(game.deal(1), 0)
    with_words = frame(table)
    table["turn"]["words"] = ""
    assert (frame(table)[:60] != with_words[:60]).any()


def test_a_png_is_as_large_as_is_asked():
    game = stardeck.make("star_realms")
    svg = draw(game.table(game.deal(1), 0), theme="dark")
    small, large = png(svg), png(svg, zoom=2)
    assert small[:8] == b"\x89PNG\r\n\x1a\n"
    assert 2 * int.from_bytes(small[16:20]) == int.from_bytes(large[16:20]) == 2400


def test_frames_become_an_animated_picture():
    game = stardeck.make("interstellar_empire")
    tables = [game.table(game.deal(seed), 0) for seed in (1, 2)]
    for kind in "gif", "png":
        picture = Image.open(io.BytesIO(animated([reduced(table) for table in tables], kind, 0.2)))
        assert (picture.format, picture.n_frames, picture.size) == (kind.upper(), 2, FRAME)
        picture.seek(1)
        near = np.abs(np.asarray(picture.convert("RGB")).astype(int) - frame(tables[1]))
        assert near.mean() < 4  # of 255: few colours, the same picture


@pytest.mark.parametrize(
    ("frames", "kind", "message"),
    [(0, "gif", "frames: there are none"), (1, "bmp", "kind='bmp': must be one of gif, png")],
)
def test_an_animated_picture_needs_frames_and_a_format(frames, kind, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        animated([Image.new("P", FRAME)] * frames, kind)


def test_environments_show_frames():
    raw = star_realms_v1.raw_env(render_mode="rgb_array")
    raw.reset(seed=1)
    assert raw.render().shape == SHAPE
    single = star_realms_v1.SingleAgentEnv(render_mode="rgb_array")
    single.reset(seed=1)
    assert single.render().shape == SHAPE
    vector = star_realms_v1.VectorEnv(2, render_mode="rgb_array")
    vector.reset(seed=1)
    frames = vector.render()
    assert len(frames) == 2 and frames[0].shape == SHAPE and (frames[0] != frames[1]).any()


def test_libraries_take_the_frames():
    render_test(lambda render_mode: star_realms_v1.env(render_mode=render_mode))
    env = RenderCollection(star_realms_v1.SingleAgentEnv(render_mode="rgb_array"))
    _, info = env.reset(seed=1)
    env.step(int(np.flatnonzero(info["action_mask"])[-1]))
    assert [shown.shape for shown in env.render()] == [SHAPE, SHAPE]


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.delitem(sys.modules, "stardeck.viewer.png")
    with pytest.raises(ModuleNotFoundError, match=r"resvg_py: not installed; pip install 'stardeck\[picture\]'"):
        star_realms_v1.env(render_mode="rgb_array")


def test_notebooks_show_a_game():
    game = stardeck.make("empire_of_the_stars", players=2)
    picture = game.picture(game.deal(1), 1)
    assert ET.fromstring(picture._repr_html_()).tag == "div" and str(picture).startswith("<svg")
    assert "prefers-color-scheme" not in picture._repr_html_()


def test_an_album_has_a_picture_for_each_decision(tmp_path):
    game = stardeck.make("interstellar_empire")
    album = Album(game, tmp_path / "album")
    states = game.deal(1)
    album(states, 0)
    album(states, None)
    names = sorted(path.name for path in (tmp_path / "album").iterdir())
    assert names == ["000000.svg", "000001.svg"]
    assert ET.parse(tmp_path / "album" / names[0]).getroot().get("class") == "sd"
    with pytest.raises(FileExistsError, match="album: is not empty; choose another folder"):
        Album(game, tmp_path / "album")
