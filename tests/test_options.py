"""Options of measurements and trainings: given by keyword next to settings, refused where nobody knows them."""

import ast
from pathlib import Path

import pytest

from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.agreement.measure import AgreementOptions, agreement
from stardeck.benchmarks.arena import options
from stardeck.benchmarks.arena.options import HonestOptions, MeasureOptions, PictureOptions, PlayOptions
from stardeck.benchmarks.card_values.measure import worth
from stardeck.benchmarks.fairness.search import fair
from stardeck.benchmarks.league.tournament import league
from stardeck.training.best_response import ExploitOptions, exploit
from stardeck.training.methods import TrainOptions, train

ROOT = Path(__file__).parents[1]
GAME = "interstellar_empire"
CALLS = [
    (advantage, {}, MeasureOptions),
    (league, {"agents": ["random", "simple"]}, MeasureOptions),
    (fair, {"knobs": "first_player=0:1"}, HonestOptions),
    (train, {}, TrainOptions),
    (exploit, {"agent": "ppo"}, ExploitOptions),
    (agreement, {"folder": "logs"}, AgreementOptions),
]
NAMES = [call.__name__ for call, *_ in CALLS]


@pytest.mark.parametrize(("call", "given", "known"), CALLS, ids=NAMES)
def test_an_unknown_keyword_is_named_with_what_is_known(call, given, known, tmp_path):
    with pytest.raises(ValueError) as refused:
        call(GAME, **given, out=tmp_path / "out", player=3)
    message = str(refused.value)
    assert message.startswith(f"player=3: {GAME} has no such setting and {call.__name__} no such option; settings: ")
    settings, given_options = message.split("; settings: ")[1].split("; options: ")
    assert "players" in settings.split(", ") and "\n" not in message
    assert given_options.split(", ") == sorted(known.__annotations__)
    assert not (tmp_path / "out").exists()


def test_an_option_of_another_measurement_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"collect='moves': star_realms has no such setting and worth no such option"):
        worth("star_realms", out=tmp_path / "out", collect="moves")
    with pytest.raises(ValueError, match=r"collect='moves': .* and fair no such option"):
        fair("star_realms", "authority.1=49:51", out=tmp_path / "out", collect="moves")
    assert not (tmp_path / "out").exists()


def test_a_game_that_is_not_known_is_named_before_its_keywords():
    with pytest.raises(ValueError, match="chess"):
        advantage("chess", player=3)


def test_keywords_reach_the_game_and_the_measurement():
    told = []
    given = {"workers": 1, "on": "local", "honest": True, "collect": (), "progress": lambda *done: told.append(done)}
    summary = advantage(GAME, agents="random", games=4, seed=1, players=3, **given)
    assert summary["settings"]["players"] == 3 and summary["games"] == 4 and told[-1] == (4, 4)


@pytest.mark.parametrize(("call", "game", "given"), [
    (advantage, GAME, {"agents": "random", "games": 8}),
    (league, GAME, {"agents": ["random", "simple"], "games": 4}),
    (fair, GAME, {"knobs": "first_player=agreed:bid", "agents": "random", "games": 64}),
    (worth, "empire_of_the_stars", {"agent": "random", "games": 8}),
], ids=["advantage", "league", "fair", "worth"])  # fmt: skip
def test_a_picture_is_left_out_and_drawn_later_without_further_games(call, game, given, tmp_path):
    first = call(game, **given, out=tmp_path, workers=1, picture=False)
    assert not list(tmp_path.glob("*.png"))
    again = call(game, **given, out=tmp_path, workers=1)
    assert [path.stem for path in tmp_path.glob("*.png")] == [call.__name__]
    assert again["origin"] == first["origin"] and again["games_per_second"] == first["games_per_second"]


def test_every_option_has_a_default_and_a_meaning():
    assert set(options.DEFAULTS) == set(MeasureOptions.__annotations__)
    kinds = (PlayOptions, PictureOptions, HonestOptions)
    for record in (*kinds, MeasureOptions, TrainOptions, ExploitOptions, AgreementOptions):
        said = "".join(kind.__doc__ for kind in (*kinds, record))
        assert all(f"        {name}: " in said for name in record.__annotations__), record


def test_public_functions_take_at_most_seven_parameters():
    """Those of measuring, training and commands; `*args` and `**options` are records of their own."""
    long = []
    for folder in ("benchmarks", "commands", "training"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                    if len([parameter for parameter in given if parameter.arg not in ("self", "cls")]) > 7:
                        long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert not long
