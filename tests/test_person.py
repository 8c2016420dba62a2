"""A person at the keyboard: valid inputs, knowledge about opponents, and games saved and resumed."""

import numpy as np
import pytest

import stardeck
from stardeck.benchmarks.recordings import record
from stardeck.commands.shared import keyboard_game
from stardeck.commands.shared.abbreviations import abbreviates, meant, named, with_amounts


@pytest.fixture
def sit(monkeypatch):
    """Play against `simple` with typed answers; return the result, all output, and the table."""

    def sit(answers, name="star_realms", agents=("simple",), seed=1, **settings):
        shown, typed = [], iter(answers)

        def answer(prompt):
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        table = keyboard_game.Table(stardeck.make(name, **settings), list(agents), 0, seed, shown.append)
        return table.play(), "\n".join(shown), table

    return sit


def test_words_numbers_and_questions_are_taken(sit):
    result, shown, _ = sit(["", "?", "play Viper", "1", "dance", "77"])
    assert not result["over"] and shown.count("player_0 (you)") >= 2
    assert "  1  end turn" in shown and "player_1: play" in shown
    assert "'dance' is not legal here; legal: end turn" in shown and "'77': there are moves 1 to" in shown


@pytest.mark.parametrize("typed", ["PLAY VIPER", "p v", "play vip", "  play   viper "])
def test_moves_may_be_abbreviated_in_any_case(sit, typed):
    _, shown, table = sit([typed])
    assert table.moves == ["play Viper"] and "player_0: play Viper" in shown


def test_what_may_mean_several_moves_is_asked_back(sit):
    _, shown, table = sit(["p"])
    assert table.moves == [] and "'p' may be: play Scout; play Viper" in shown


def test_an_amount_may_be_abbreviated_too():
    moves = ["end turn", "attack player_1 with all", "attack player_2 with all", "attack War World of player_1"]
    assert meant("ATT player_1 w all", moves) == [moves[1]]
    assert meant("a p 2 all", moves) == [moves[2]] and meant("a war", moves) == [moves[3]]
    assert meant("att player_2 with 5", with_amounts("att player_2 with 5", moves)) == ["attack player_2 with 5"]
    assert not abbreviates("turn", "end turn") and not abbreviates("", "end turn")
    assert named("world", ["War World", "Blob World", "Worldly"]) == ["War World", "Blob World", "Worldly"]
    assert named("BLOB  world", ["War World", "Blob World"]) == ["Blob World"]


def test_a_question_is_put_with_its_answers(sit):
    _, shown, _ = sit(["play all", "end turn"], seed=3, format="nemesis_beast", players=1)
    assert "player_0: play Scout (trade 1, combat 0); play Scout (trade 2, combat 0)" in " ".join(shown.split())
    _, shown, _ = sit(["1", "1"], "empire_of_the_stars")
    assert "player_0 to move (first planet)" in shown and shown.count("  moves     first planet") == 1


def test_an_amount_is_played(sit):
    _, _, table = sit(["play all", "att p 1 1"])
    assert table.states[0]["players"][1]["authority"] == 49


def test_play_all_plays_the_hand(sit):
    _, shown, table = sit(["Play All", "play all"])
    assert table.moves == ["play Scout", "play Scout", "play Viper"] and "there is nothing to play now" in shown


def test_cards_are_explained(sit):
    _, shown, table = sit(["? cutter", "?blob w", "? nothing"])
    assert "Cutter (trade federation, ship, cost 2, 3 copies). +4 authority, +2 trade. Ally: +4" in shown
    assert "Blob Wheel (" in shown and "Blob World (" in shown and "no card is called 'nothing'" in shown
    assert table.moves == []


def test_undo_takes_back_what_the_agents_did_too(sit):
    _, shown, table = sit(["undo", "play all", "end", "undo"])
    assert "nothing to take back" in shown and "player_1: play" in shown
    assert table.moves == ["play Scout", "play Scout", "play Viper"] and int(table.states[0]["turn"]) == 1


def test_a_hint_is_a_legal_move_that_is_not_played(sit):
    _, shown, table = sit(["hint"])
    hint = next(line for line in shown.splitlines() if line.startswith("rules would: "))
    assert hint.removeprefix("rules would: ") in table.game.moves(table.states) and table.moves == []


@pytest.mark.parametrize("typed", ["9" * 5000, "\u00b2", "0", "-1", "attack player_1 with " + "9" * 5000])
def test_a_number_that_is_none_ends_no_game(sit, typed):
    """Regression: Python refuses to read thousands of digits, and the game ended."""
    result, shown, table = sit([typed, "play Scout"])
    assert table.moves == ["play Scout"] and shown.count("there are moves 1 to") + shown.count("is not legal here") == 1
    with pytest.raises(stardeck.IllegalAction, match="is not legal here"):
        table.game.parse(table.states, typed)


class Peeking:
    """An agent that records its states, and takes the last action if player_1 holds a Viper."""

    name = "peeking"

    def act(self, game, states, masks, seeds):
        self.given = states.copy()
        hands = [game.position(row)["players"]["player_1"]["hand"] for row in states]
        self.found = ["Viper" in " ".join(hand) for hand in hands]
        last = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return np.where(self.found, last, masks.argmax(axis=1))


@pytest.mark.parametrize("seed", range(4))
def test_a_hint_knows_what_the_player_knows(sit, monkeypatch, seed):
    """Regression: the adviser saw the real game, and a hint could reveal hidden cards."""
    adviser = Peeking()
    monkeypatch.setattr(keyboard_game, "default_agent", lambda game: adviser)
    _, shown, table = sit(["hint"], seed=seed)
    game, guesses = table.game, adviser.given
    assert (game.observe(guesses) == game.observe(table.states)).all()
    assert table.states[0].tobytes() not in [row.tobytes() for row in guesses]
    assert len({row.tobytes() for row in guesses}) == len(guesses) and 0 < sum(adviser.found) < len(guesses)
    legal = np.flatnonzero(game.legal_actions(table.states)[0])
    usual = legal[-1] if sum(adviser.found) > len(guesses) / 2 else legal[0]
    assert f"peeking would: {game.describe(table.states, usual)}" in shown


def test_help_names_every_command_and_quit_leaves(sit):
    result, shown, _ = sit(["HELP", "quit", "play Viper"])
    assert all(word in shown for word in keyboard_game.HELP_WORDS) and not result["over"]


def test_a_saved_game_goes_on_where_it_was(sit, tmp_path):
    file = tmp_path / "game.jsonl"
    _, shown, table = sit(["play all", "end", "play scout", f"save {file}", "save", "save /nowhere/x"])
    assert f"--resume {file}" in shown and "name of a file is missing" in shown and "cannot be written" in shown
    (saved,) = record.read(file)
    again = keyboard_game.resumed(saved, None, print)
    assert again.states.tobytes() == table.states.tobytes() and again.names == [keyboard_game.YOU, "simple"]
    record.replay(saved)  # as far as it was played
    with pytest.raises(record.RecordError, match="no person played it"):
        keyboard_game.resumed(saved | {"agents": ["simple", "rules"]}, None, print)
    with pytest.raises(record.RecordError, match="move 1: 'fly' is not legal"):
        keyboard_game.resumed(saved | {"moves": ["fly"]}, None, print)


@pytest.mark.parametrize("players", [1, 2])
def test_what_the_boss_does_is_told(sit, players):
    _, shown, _ = sit(["play all", "end turn"], seed=3, format="nemesis_beast", players=players)
    told = shown.split("Nemesis Beast reveals ")[1].split("\n\n")[0]
    assert "50 to 4" in " ".join(told.split())  # authority of the players
    _, shown, _ = sit([], format="nemesis_beast", players=players, difficulty="expert")
    assert "Nemesis Beast revealed" in shown  # before the players' first turn


@pytest.mark.parametrize(
    ("name", "settings", "secret"),
    [("empire_of_the_stars", {"powers": True}, "keep "), ("interstellar_empire", {"first_player": "bid"}, "bid ")],
)
def test_no_secrets_are_told(sit, name, settings, secret):
    _, shown, _ = sit(["1"], name, **settings)
    assert "player_1: decides in secret" in shown and f"player_1: {secret}" not in shown


def test_hands_of_others_are_counted_only(sit):
    _, shown, _ = sit(["end turn"])
    assert "player_1 (simple)  hand: 5 cards" in shown and "player_0 (you)" in shown


def test_it_goes_to_the_end(sit):
    result, shown, _ = sit(["1"] * 400)
    assert result["over"] and result["returns"] == [-1.0, 1.0]
    assert "game over, player_1 won" in shown
