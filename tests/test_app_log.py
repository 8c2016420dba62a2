"""Logs of the app: a logged game is imported as the same game, and contradictions are found."""

import functools
import json
import os
import random
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from app_writer import NAMES, Hasty, Writer, owned
from click.testing import CliRunner

import stardeck
from helpers import JIT, scaled
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.recordings.app_log import backtracking, lines
from stardeck.benchmarks.recordings.app_log.importer import SETS, import_log
from stardeck.commands.cli import cli

ANN = """Play all
\tAnn > <color=#800080>Scout</color> +1 Trade (Trade:1)
\tAnn > <color=#800080>Scout</color> +1 Trade (Trade:2)
\tAnn > <color=#800080>Viper</color> +1 Combat (Combat:1)
Acquired <color=#800080>Explorer</color>
\tAnn - -2 Trade (Trade:0)
Attacked Bo for 1 (New Authority:49)
\tAnn - -1 Combat (Combat:0)
\tBo - -1 Authority (Authority:49)
Ann ends turn 1
\tDrew 5 cards.
It is now Bo's turn 2
Play all
\tBo > Scout +1 Trade (Trade:1)
\tBo > Scout +1 Trade (Trade:2)
\tBo > Scout +1 Trade (Trade:3)
\tBo > Scout +1 Trade (Trade:4)
\tBo > Scout +1 Trade (Trade:5)
Acquired <color=#1589FF>T</color><color=#1589FF>rading Post</color>
\tBo - -3 Trade (Trade:2)
Bo ends turn 2
\tDrew 5 cards.
It is now Ann's turn 3
Played Scout
\tAnn > Scout +1 Trade (Trade:1)
Acquired <color=#FFFF00>Imperial Fighter</color>
\tAnn - -1 Trade (Trade:0)
Ann ends turn 3
\tDrew 2 cards.
\tShuffled discard pile to form new deck
\tDrew 3 cards.
\tRefresh ally indicators
It is now Bo's turn 4
Bo ends turn 4
\tShuffled discard pile to form new deck
\tDrew 5 cards.
It is now Ann's turn 5
Play all
\tAnn > Imperial Fighter +2 Combat (Combat:2)
\tBo < Imperial Fighter +1 Discard (Discarding: 1)
\tAnn > Scout +1 Trade (Trade:1)
\tAnn > Scout +1 Trade (Trade:2)
\tAnn > Explorer +2 Trade (Trade:4)
\tAnn > Viper +1 Combat (Combat:3)
Ann ends turn 5
\tDrew 5 cards.
It is now Bo's turn 6
Resolving Discard
\tDiscarded Viper
Play all
\tBo > Scout +1 Trade (Trade:1)
\tBo > Scout +1 Trade (Trade:2)
\tBo > Scout +1 Trade (Trade:3)
Activating Trading Post
Resolving Trading Post
Chose +1 Authority
\tBo > Trading Post +1 Authority (Authority:50)
Bo ends turn 6
\tDrew 5 cards.
It is now Ann's turn 7
Ann(1) conceded
"""
FIGHTER = """Played Scout
\tAnn  >  Scout +1 Trade (Trade:1)
Acquired Blob Fighter
\tAnn - -1 Trade (Trade:0)
Ann ends turn 1
"""


@functools.cache
def told(seed, agents=("rules",), card_set="core"):
    """Play a game as the app does; return its record and its writer."""
    game = stardeck.make("star_realms", set=card_set, **SETS[card_set], forced_discards="next_turn")
    writer = Writer(game, seed)
    return record.play(game, [Hasty(agent) for agent in record.seated(game, agents)], seed, writer), writer


PLAYERS = [("rules",), ("simple",), ("rules", "random"), ("random",), ("simple", "rules")]
GAMES = int(os.environ.get("STARDECK_LOGS", scaled(10, 1)))  # a thousand take about half an hour
NOT_FOUND = 0.03  # share of games that fail: docs/verified.md has the figures


def test_a_game_that_is_told_is_that_game_again():
    """Each turn has the same events, and each seat owns the same cards after it."""
    failed = []
    for seed in range(GAMES):
        card_set = "box" if seed % 4 == 3 else "core"
        played, writer = told.__wrapped__(seed, PLAYERS[seed % len(PLAYERS)], card_set)
        if problem := differs(played, writer, import_log(writer.text, card_set)):
            failed.append((seed, problem))
    print(f"{GAMES - len(failed)} of {GAMES} games are found again")
    assert len(failed) <= (NOT_FOUND * GAMES if GAMES > 100 else 0), failed


KINDS = {
    "a Stealth Needle has one ship to copy, so that nobody is asked": (6691,),
    "a Machine Base scraps the only card at once, which a new deck has just given": (5355, 6961),
    "a Fleet HQ comes after ships of its Play all": (174, 5606),
    "an ability answers its second question, the first is declined in silence": (2026,),
    "a card of a later Play all is in the place of a silent base": (6092, 6117),
    "a silent base came down later than it seemed some turns before": (6037,),
    "two copies of a silent base in one turn": (5511, 20076),
    "silent bases that a player has not are no guess": (5043, 5298),
    "a choice names a silent base": (6116,),
    "draws come between a Play all and the next": (30061, 30076),
    "the ship that a Stealth Needle copies is scrapped from the discard pile": (30031,),
    "a copied ability destroys the only base": (6365,),
}  # seeds of games


@pytest.mark.skipif(not JIT, reason="whole games; the rules are the same uncompiled")
@pytest.mark.parametrize("kind", KINDS)
def test_games_of_a_kind_are_found_again(kind):
    for seed in KINDS[kind]:
        card_set = "box" if seed % 4 == 3 else "core"
        played, writer = told.__wrapped__(seed, PLAYERS[seed % len(PLAYERS)], card_set)
        assert differs(played, writer, import_log(writer.text, card_set)) == ""


def differs(played, writer, found):
    """Return the first difference between an imported game and the logged one in words; empty if they are the same.

    A log does not say when a card without a number was played, nor the contents of a hand. Lines about cards that are
    played or not scrapped must therefore recur in that turn of the imported game, which may have more of them. All
    other lines that the writer gives for both games must be the same.
    """
    if found.contradictions:
        return str(found.contradictions[0])
    if found.record["returns"] != played["returns"] or found.turns != writer.turns:
        return "another authority or result"
    if _owned(found.record) != writer.owned:
        return "other cards"
    before, after = (_by_turns(_plainly_told(game)) for game in (played, found.record))
    for turn, ((_, true), (more, ours)) in enumerate(zip(before, after, strict=True), 1):
        if true != ours:
            return f"turn {turn}: {dict(true - ours)} became {dict(ours - true)}"
        if missing := _by_turns(writer.text)[turn - 1][0] - more:
            return f"turn {turn}: {dict(missing)} does not happen"
    return ""


def _plainly_told(played):
    """Return the log of a recorded game with every card played."""
    writer = Writer(record.game_of(played), 0, varied=False)
    record.replay(played, writer)
    return writer.text


def _by_turns(text):
    """Return two Counters per turn: lines about cards played or not scrapped, and all others without totals."""
    found = [(Counter(), Counter())]
    for line in text.splitlines():
        words = re.sub(r" \((New )?(Trade|Combat|Authority|Discarding): ?-?\d+\)", "", lines.plain(line))
        if words:
            found[-1][not re.match("Played |.+ is not scrapping any cards", words)][words] += 1
        if words.startswith("It is now "):
            found.append((Counter(), Counter()))
    return found


def _owned(imported):
    """Return the cards of each seat after every turn."""
    game, turns, last = record.game_of(imported), [], [1]

    def look(states, action):
        if int(states[0]["turn"]) != last[0]:
            last[0] = int(states[0]["turn"])
            turns.append([owned(game, states, seat) for seat in range(2)])

    record.replay(imported, look)
    return turns


def test_the_record_begins_with_what_was_drawn():
    found = import_log(ANN)
    assert sorted(found.record["position"]["players"]["player_0"]["hand"]) == ["Scout", "Scout", "Viper"]
    assert found.record["agents"] == ["Ann", "Bo"] and found.record["draws"]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_log_with_the_quirks_of_the_app(ends):
    found = import_log(ANN.replace("\n", ends))
    assert found.contradictions == []
    assert found.turns[-1] == (50, 50) and len(found.turns) == 6
    assert found.record["dealt"] == "partly guessed"  # Bo's hand in turn 4 is unknown
    moves = found.record["moves"]
    assert "discard Viper" in moves and "play Trading Post" in moves and "use Trading Post: authority" in moves
    record.replay(json.loads(json.dumps(found.record)))


@pytest.mark.parametrize(
    ("line", "now", "at", "expected"),
    [
        ("Acquired Blob Fighter", "Acquired Blob Figher", 3, "a card of Star Realms"),
        ("Ann - -1 Trade", "Ann - -2 Trade", 4, "expected 1"),
        ("(Trade:1)", "(Trade:2)", 2, "expected 1"),
        ("Acquired Blob Fighter", "Acquired Ram", 3, "expected legal: end turn"),
        ("Played Scout", "Played Explorer", 1, "a card that Ann can have among 3 in hand"),
        ("Ann ends turn 1", "Ann ends turn 2", 5, "turn 1 of Ann"),
        ("Ann ends turn 1", "Attacked Ann for 3 (New Authority:47)\nAnn ends turn 1", 5, "legal: end turn"),
    ],
)
def test_a_contradiction_is_named_with_its_line_and_what_was_expected(line, now, at, expected):
    assert not import_log(FIGHTER).contradictions
    found = import_log(FIGHTER.replace(line, now)).contradictions
    assert found[0].line == at and expected in str(found[0])


def test_the_example_of_the_manual_is_what_is_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = ANN.replace("Ann - -2 Trade (Trade:0)", "Ann - -3 Trade (Trade:0)")
    wrong = wrong.replace("New Authority:49", "New Authority:47").replace("Played Scout", "Played Cutter")
    (tmp_path / "game.txt").write_text(wrong, encoding="utf-8")
    printed = CliRunner().invoke(cli, ["import-log", "game.txt", "--save", "game.jsonl"]).output
    page = (Path(__file__).parents[1] / "docs" / "guides" / "logs.md").read_text(encoding="utf-8")
    assert f"--save game.jsonl\n{printed}```" in page


def faulty(lines, chance):
    """Return a log with a wrong number or card, or with a line too many or too few."""
    kind = chance.choice(["total", "card", "price", "again", "lost"])
    fits = {
        "total": lambda line: "Authority:" in line,
        "card": lambda line: line.startswith("Played "),
        "price": lambda line: re.search(r" - -\d+ Trade", line),
        "again": lambda line: line.startswith("Attacked ") and " for " in line,
        "lost": lambda line: line.startswith("Played "),
    }[kind]
    places = [place for place, line in enumerate(lines) if fits(line)]
    place = chance.choice(places)
    line = lines[place]
    changed = {
        "total": lambda: [re.sub(r"Authority:(-?\d+)", lambda found: f"Authority:{int(found[1]) + 3}", line)],
        "card": lambda: [f"Played <color=#4CC417>{chance.choice(['Blob World', 'Ramm'])}</color>"],
        "price": lambda: [re.sub(r"- -(\d+)", lambda found: f"- -{int(found[1]) + 1}", line)],
        "again": lambda: [line, line],
        "lost": lambda: [],
    }[kind]()
    return [*lines[:place], *changed, *lines[place + 1 :]]


@pytest.mark.skipif(not JIT, reason="whole games; the rules are the same uncompiled")
def test_faults_are_found():
    chance, found, tried = random.Random(1), 0, 0
    for seed in range(3):
        lines = told(seed)[1].text.splitlines()
        for _ in range(8):
            text = faulty(lines, chance)
            tried += 1
            found += bool(import_log("\n".join(text)).contradictions)
    assert found >= 0.8 * tried  # a lost card with an equal substitute is no fault


def test_names_coloured_letter_by_letter_are_names():
    assert lines.plain("  <color=#F00>R</color><color=#0F0>am</color> ") == "Ram"


def test_what_is_no_log_is_refused():
    for text in ("", "a: b\n", '{"moves": []}'):
        assert not lines.is_log(text)
        with pytest.raises(ValueError, match="not a log of the app"):
            import_log(text)


def test_draws_must_be_of_cards_that_lie_there():
    found = import_log(ANN).record
    (_, dealt), *_ = found["draws"]
    name = next(iter(dealt))
    wrong = [[found["draws"][0][0], {name: {"hand": ["Blob World"], "deck": dealt[name]["deck"]}}]]
    with pytest.raises(record.RecordError, match="Blob World.* cannot be drawn there"):
        record.replay(found | {"draws": wrong})
    with pytest.raises(record.RecordError, match="must be"):
        record.replay(found | {"draws": [3]})


def test_draws_may_make_a_discard_pile_the_deck():
    """Before the move, the deck that it draws from is there, and so are the cards that it scraps at once."""
    game = stardeck.make("star_realms", set="core", **SETS["core"])
    position = game.position(game.deal(0)[0])
    player = position["players"]["player_0"]
    player |= {"hand": [], "deck": [], "discard": ["Scout", "Viper", "Ram"], "in_play": ["Machine Base"]}
    states = game.from_position(position)
    begun = game.position(states[0])
    record.deal_again(game, states, {"player_0": {"hand": [], "deck": ["Viper", "Ram", "Scout"], "discard": []}})
    game.play(states, "use Machine Base")
    assert game.position(states[0])["scrap_heap"] == ["Viper"]
    states = game.from_position(begun)
    with pytest.raises(record.RecordError, match="Cutter.* cannot be drawn there"):
        record.deal_again(game, states, {"player_0": {"hand": [], "deck": ["Scout", "Viper", "Ram", "Cutter"]}})
    with pytest.raises(record.RecordError, match="must be hand, deck, discard: lists of cards"):
        record.draws_of({"draws": [[1, {"player_0": {"row": []}}]]})


def test_two_draws_of_a_player_before_one_decision_are_laid_one_after_the_other():
    first, second = {"deck": ["Ram", "Viper"], "hand": [], "discard": []}, {"deck": ["Viper"], "hand": ["Ram"]}
    draws = record.draws_of({"draws": [[3, {"player_0": first}], [3, {"player_0": second}]]})
    assert draws == {3: {"player_0": {"deck": ["Viper"], "hand": ["Ram"], "discard": []}}}


def test_players_go_by_their_names():
    assert import_log(told(0)[1].text).record["agents"] == NAMES


def test_the_command_writes_games_that_replay(tmp_path):
    call = CliRunner().invoke
    (tmp_path / "a.txt").write_text(ANN, encoding="utf-8")
    good, out = str(tmp_path / "a.txt"), str(tmp_path / "out.jsonl")
    found = call(cli, ["import-log", good, "--save", out])
    assert found.exit_code == 0 and "Ann against Bo, 6 of 6 turns followed, not over" in found.output
    assert call(cli, ["replay", out]).exit_code == 0


def test_a_game_that_breaks_off_is_written_up_to_there(tmp_path):
    call = CliRunner().invoke
    broken, first = ANN.replace("Played Scout", "Played Cutter"), FIGHTER.replace("Played Scout", "Played Explorer")
    for name, text in (("a.txt", ANN), ("b.txt", broken), ("c.txt", first)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    good, bad, none, out = (str(tmp_path / name) for name in ("a.txt", "b.txt", "c.txt", "out.jsonl"))
    found = call(cli, ["import-log", bad, "--save", out])
    assert found.exit_code == 1 and "b.txt: line 24: played Cutter" in found.output
    assert (
        "expected a card that Ann can have among 5 in hand" in found.output and "2 of 6 turns followed" in found.output
    )
    (written,) = record.read(out)
    assert written["moves"] and record.replay(written)[1][0]["turn"] == 3
    assert call(cli, ["replay", out]).exit_code == 0
    found = call(cli, ["import-log", none, good, "--save", out, "--keep-going", "--json"])
    assert found.exit_code == 1 and [len(game["moves"]) > 0 for game in record.read(out)] == [False, True]
    told = json.loads(found.stdout)
    assert told[0]["contradictions"][0]["line"] == 1 and (told[0]["turns"], told[0]["turns_told"]) == (0, 1)
    assert "--keep-going is deprecated" in found.stderr


def test_what_belongs_to_other_sets_is_named_in_one_line(tmp_path):
    log = ANN.replace("Imperial Fighter", "Star Barge").replace("Trading Post", "Trade Wheel")
    log = log.replace("Played Scout", "Revealed event Comet\nPlayed Scout")
    (tmp_path / "game.txt").write_text(log, encoding="utf-8")
    out = str(tmp_path / "out.jsonl")
    found = CliRunner().invoke(cli, ["import-log", str(tmp_path / "game.txt"), "--save", out])
    unknown = [line for line in found.output.splitlines() if "unknown cards: " in line]
    assert len(unknown) == 1 and unknown[0].endswith(": unknown cards: Star Barge, Trade Wheel; events")
    assert found.exit_code == 1 and "2 of 6 turns followed" in found.output and record.read(out)[0]["moves"]


def test_a_log_of_the_box_set_is_known_by_its_cards():
    found = import_log(FIGHTER.replace("Blob Fighter", "Merc Cruiser"))
    assert not found.unknown and found.record["settings"]["set"] == "box"
    assert import_log(FIGHTER).record["settings"]["set"] == "core"


def test_a_line_is_read_in_time_linear_in_its_length_and_has_a_limit():
    for text in (" > > >" * 660, " - -5" * 790, "a > b +1" * 490, " is scrapping" * 300):
        assert lines.plain(text) and lines.events("Play all\n" + text)[1].kind in ("unread", "scraps")
        assert lines.events(f"{text}\n{text[:3000]} ends turn 1\n{text[:3500]} ends turn 1")[0].line == 1
    with pytest.raises(ValueError, match="line 2 has 18,000 characters: a line of a log has at most 4,000"):
        import_log("Play all\n" + " > > >" * 3_000)
    assert not lines.is_log(" > > >" * 100_000)


def test_the_command_refuses_what_is_no_log(tmp_path):
    (tmp_path / "c.txt").write_text("hello", encoding="utf-8")
    found = CliRunner().invoke(cli, ["import-log", str(tmp_path / "c.txt")])
    assert found.exit_code == 2 and "c.txt: this is not a log of the app" in found.output


def test_the_example_is_a_log_that_is_followed_to_its_end():
    text = (Path(__file__).parents[1] / "examples" / "app_log.txt").read_text(encoding="utf-8")
    found = import_log(text)
    assert not found.contradictions and not found.unknown
    assert len(found.turns) == found.turns_in_log > 10 and set(found.record["returns"]) == {1.0, -1.0}
    habits = (
        " is scrapping: ",
        "Scrapped ",
        "no more cards to discard",
        "Play all",
        "to the top of the deck.",
        "Activating ",
    )
    assert [habit for habit in habits if habit not in text] == []


def short_game(lines):
    """Return a log of five turns in which Ann buys and then plays as these lines say."""
    bought, played = lines
    scouts = "".join(f"\tAnn  >  Scout +1 Trade (Trade:{n})\n" for n in range(1, 4))
    again = "\tShuffled discard pile to form new deck\n"
    turns = [
        ("Ann", f"Play all\n{scouts}{bought}", "\tDrew 5 cards.\n"),
        ("Bo", "", "\tDrew 5 cards.\n"),
        ("Ann", "", f"\tDrew 2 cards.\n{again}\tDrew 3 cards.\n"),
        ("Bo", "", f"{again}\tDrew 5 cards.\n"),
        ("Ann", played, "\tDrew 5 cards.\n"),
    ]
    others = {"Ann": "Bo", "Bo": "Ann"}
    return "".join(
        f"{did}{who} ends turn {turn}\n{drew}It is now {others[who]}'s turn {turn + 1}\n"
        for turn, (who, did, drew) in enumerate(turns, 1)
    )


HABITS = {
    "a scrapped card is told before and after": (
        ("Trade Bot", 1),
        "Played Trade Bot\nAnn is scrapping: Scout\n\tAnn  >  Trade Bot +1 Trade (Trade:1)\n\tScrapped Scout\n",
        "scrap Scout",
    ),
    "the scrapping of a card of the trade row is told once": (
        ("Battle Pod", 2),
        "Play all\n\tAnn  >  Battle Pod +4 Combat (Combat:4)\n\tScrapped Flagship\n",
        "scrap Flagship from trade row",
    ),
    "a click that finds nothing": (
        ("Trade Bot", 1),
        "Played Trade Bot\nAnn is not scrapping any cards\n\tAnn  >  Trade Bot +1 Trade (Trade:1)\n"
        "Activating Trade Bot\n",
        "play Trade Bot",
    ),
    "a discard after the line that ends the turn": (
        ("Imperial Fighter", 1),
        "Played Imperial Fighter\n\tAnn  >  Imperial Fighter +2 Combat (Combat:2)\n"
        "\tBo  <  Imperial Fighter +1 Discard (Discarding: 1)\n",
        "play Imperial Fighter",
    ),
}  # purchases by cost, lines of turn 5, a resulting move


@pytest.mark.parametrize("habit", HABITS)
def test_a_habit_of_the_app(habit):
    (name, price), played, move = HABITS[habit]
    text = short_game((f"Acquired {name}\n\tAnn - -{price} Trade (Trade:{3 - price})\n", played))
    if "after the line" in habit:
        text += (
            "Bo ends turn 6\nBo is discarding Viper\n\tno more cards to discard\n\tDiscarded Viper\n\tDrew 5 cards.\n"
        )
        move = "discard Viper"
    found = import_log(text)
    assert found.contradictions == [] and any(said.startswith(move) for said in found.record["moves"])


def quiet_game(turns, names=("Ann", "Bo")):
    """Return a log of turns without actions, except for draws."""
    decks, piles, held, said = [7, 5], [0, 0], [3, 5], []
    for turn in range(1, turns + 1):
        seat = (turn - 1) % 2
        piles[seat] += held[seat]
        said.append(f"{names[seat]} ends turn {turn}")
        first = min(decks[seat], 5)
        said += [f"\tDrew {first} cards."] if first else []
        if first < 5:
            decks[seat], piles[seat] = decks[seat] + piles[seat], 0
            said += ["\tShuffled discard pile to form new deck", f"\tDrew {5 - first} cards."]
        decks[seat], held[seat] = decks[seat] - 5, 5
        said.append(f"\tIt is now {names[1 - seat]}'s turn {turn + 1}")
    return "\n".join(said) + "\n"


def calls(text):
    """Return the number of function calls during the import of a log, and its result."""
    counted = Counter()
    sys.setprofile(lambda frame, event, argument: counted.update((event,)))
    try:
        found = import_log(text, "core")
    finally:
        sys.setprofile(None)
    return counted["call"] + counted["c_call"], found


@pytest.mark.skipif(not JIT, reason="counts the calls of compiled kernels as one each")
def test_twice_the_turns_take_about_twice_the_work():
    calls(quiet_game(20))
    (once, first), (twice, second) = calls(quiet_game(60)), calls(quiet_game(120))
    assert not first.contradictions and not second.contradictions and len(second.turns) == 120
    assert twice < 2.5 * once


def test_a_log_that_cannot_be_followed_is_given_up_after_so_many_tries():
    read = Counter()

    def fails(number, guesses):
        read[number] += 1
        for _ in range(6):
            guesses.pick("abc")
        return backtracking.Outcome(ended=False, final=False, not_reached=0, notes=int(number >= 40))

    backtracking.follow(80, dict, lambda saved: None, fails)
    assert read[39] and set(read) == set(range(80))
    assert read.total() <= 80 + backtracking.MOST_AT_ONCE + backtracking.MOST_AFTERWARDS + backtracking.MOST_TURNS_BACK


NAMED = [
    ("Ann", "Anna"), ("Anna", "Ann"), ("Scout", "Viper"), ("Trade Bot", "Trade"), ("Player 1", "Player 2"),
    ("12", "34"), ("Zoë Ünal", "李雷"), ("O'Neil", "It is now"), ("x ends turn", "y"), ("+1", "- -"), ("A", "a"),
    ("Hard AI", "Explorer (AI)"), ("Ann's turn", "for 3"),
    ("A > B", "C < D"), (">_<", "<3"), ("Ann is scrapping", "Bo is discarding"), ("P", "Played"), ("Play", "P >"),
    ("Ann did not copy", "Bo is not scrapping"), ("Ann - -1 Trade", "Ann > Scout +1 Trade"), ("Bo wins the game", "Bo"),
]  # fmt: skip


@pytest.mark.parametrize("names", NAMED, ids=" and ".join)
def test_players_may_have_any_names(names):
    text = re.sub(r"\bAnn\b", "\1", ANN)
    text = re.sub(r"\bBo\b", "\2", text).replace("\1", names[0]).replace("\2", names[1])
    found = import_log(text)
    assert found.contradictions == [] and found.record["agents"] == list(names) and len(found.turns) == 6
    assert lines.is_log(text)


ENDINGS = [
    "Ann(1) conceded",
    "Bo conceded",
    "Ann has conceded.",
    "Bo(3) resigned",
    "Ann timed out",
    "Bo ran out of time",
]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_game_may_end_early(ending):
    found = import_log(ANN.replace("Ann(1) conceded", ending))
    assert found.contradictions == [] and found.record["agents"] == ["Ann", "Bo"] and len(found.turns) == 6


def test_a_log_may_break_off_anywhere():
    told = ANN.splitlines()
    for length in range(9, len(told)):
        assert import_log("\n".join(told[:length])).contradictions == []


def test_text_around_a_log_is_no_part_of_it():
    found = import_log("A fine game, 18 April\n\n" + ANN + "\nWell played!\n")
    assert found.contradictions == [] and len(found.turns) == 6


def test_a_second_game_in_a_log_is_named():
    found = import_log(ANN + ANN)
    assert len(found.turns) == 6 and found.turns_in_log == 6
    line = len(ANN.splitlines()) + 1
    assert list(map(str, found.contradictions)) == [f"line {line}: another game begins; expected one game in a log"]
