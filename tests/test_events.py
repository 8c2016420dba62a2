"""Events of games: they add up to each game's result, and their file is readable by other programs."""

import numpy as np
import pandas as pd
import pytest

import stardeck
from helpers import scaled
from stardeck import agents
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena import series as arena
from stardeck.benchmarks.arena.event_buffer import EventBuffer
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.results import event_store
from stardeck.benchmarks.results.store import part_name
from stardeck.kernels.empire_of_the_stars.spaces.events import Event as Stars
from stardeck.kernels.interstellar_empire.spaces.events import Event as Empire
from stardeck.kernels.loops.event_log import THE_BOSS, Column, apply_all_watched
from stardeck.kernels.star_realms.spaces.events import Event as Realms

GAMES = scaled(40, 2)


def told_of(game, states, moves):
    """Return the events of moves in words, in one game: (event, seat, target, card, amount, left)."""
    told = EventBuffer(100)
    for move in moves:
        action = np.array(game.parse(states, move))
        apply_all_watched(game.rules, states, action, np.zeros(1, np.int64), told.log)
    told.commit()
    names = ["", *game.variant.names]
    kinds = list(game.variant.events)
    return [
        (kinds[kind].name, seat, target, names[card + 1], amount, left)
        for _, seat, kind, card, target, amount, left in told.events()[1]
    ]


def played(name, **settings):
    """Return finished games by `rules`, with their first states and their events."""
    game = stardeck.make(name, **settings)
    rules = agents.get("rules", game)
    dealt = game.deal(np.arange(GAMES, dtype=np.uint64))
    states, told = game.copy(dealt), EventBuffer(2_000 * GAMES)
    while len(running := np.flatnonzero(~game.is_over(states))):
        chosen = game.take(states, running)
        actions = rules.act(game, chosen, game.legal_actions(chosen), running.astype(np.uint64))
        apply_all_watched(game.rules, chosen, actions, running, told.log)
        game.put(states, running, chosen)
    told.commit()
    games, events = told.events()
    columns = pd.DataFrame(events, columns=[column.name.lower() for column in Column])
    return game, dealt, states, columns.assign(game=games)


def summed(events, kinds, by, of="amount"):
    """Sum a column over some kinds of events, for each game and value of `by`."""
    some = events[events["kind"].isin([int(kind) for kind in kinds])]
    return some.groupby(["game", by])[of].sum()


def test_what_is_told_of_star_realms_is_what_happens():
    game = stardeck.make("star_realms")
    own = {"authority": 50, "trade": 3, "combat": 9, "hand": ["Corvette"], "deck": ["Ram", "Scout"]}
    other = {"authority": 4, "hand": ["Scout x5"], "deck": ["Viper x2"], "in_play": ["Blob Wheel"]}
    row = {"trade_row": ["Cutter", "Ram", "Ram", "Corvette", "Corvette"], "trade_deck": ["Freighter", "Flagship"]}
    states = game.from_position({"turn": "player_0", "players": {"player_0": own, "player_1": other}} | row)
    assert told_of(
        game, states, ["play Corvette", "buy Cutter", "attack Blob Wheel of player_1", "attack player_1 with all"]
    ) == [
        ("ACQUIRE", 0, -1, "Cutter", 2, 0),
        ("DESTROY", 0, 1, "Blob Wheel", 0, 0),
        ("DAMAGE", 0, 1, "", 5, -1),
        ("DEFEAT", 0, 1, "", 0, -1),
    ]


@pytest.mark.parametrize(
    "settings", [{}, {"set": "box", "format": "free_for_all", "players": 3}, {"set": "box", "format": "raid"}]
)
def test_scores_are_what_damage_and_gains_leave(settings):
    game, dealt, states, events = played("star_realms", **settings)
    gained, lost = summed(events, [Realms.GAIN], "target"), summed(events, [Realms.DAMAGE], "target")
    for number in range(GAMES):
        for seat in range(game.players):
            changed = gained.get((number, seat), 0) - lost.get((number, seat), 0)
            assert states["players"][number, seat]["authority"] - dealt["players"][number, seat]["authority"] == changed
    last = events[events["kind"].isin([int(Realms.DAMAGE), int(Realms.GAIN)])].groupby(["game", "target"]).last()
    for (number, seat), row in last.iterrows():
        assert row["left"] == states["players"][number, seat]["authority"]


def test_cards_are_those_of_the_start_those_acquired_and_not_those_scrapped():
    game, dealt, states, events = played("star_realms")
    counts = events.groupby(["game", "seat", "kind"]).size()
    cards = lambda state, seat: int(state["players"][seat]["count"].sum() + state["players"][seat]["in_play_count"])  # noqa: E731
    for number in range(GAMES):
        for seat in range(2):
            more = counts.get((number, seat, Realms.ACQUIRE), 0) - counts.get((number, seat, Realms.SCRAP), 0)
            assert cards(states[number], seat) - cards(dealt[number], seat) == more


def test_a_boss_is_told_by_its_own_number():
    _, dealt, states, events = played("star_realms", set="box", format="nemesis_beast", players=2)
    hits = events[events["kind"] == Realms.DAMAGE]
    assert ((hits["seat"] == THE_BOSS) == (hits["target"] >= 0)).all() and (hits["target"] == THE_BOSS).any()
    of_boss = summed(events, [Realms.GAIN], "target").sub(summed(events, [Realms.DAMAGE], "target"), fill_value=0)
    for number in range(GAMES):
        changed = int(states["boss_authority"][number]) - int(dealt["boss_authority"][number])
        assert changed == of_boss.get((number, THE_BOSS), 0)


@pytest.mark.parametrize("players", [2, 3])
def test_empires_and_fleets_are_what_came_and_did_not_go(players):
    game, dealt, states, events = played("interstellar_empire", players=players)
    came = events[events["kind"].isin([int(Empire.PLANET), int(Empire.SHIP)])].groupby(["game", "seat", "kind"]).size()
    gone = events[events["kind"].isin([int(Empire.PLANET_LOST), int(Empire.SHIP_LOST)])]
    gone = gone.groupby(["game", "target", "kind"]).size()
    for number in range(GAMES):
        for seat in range(players):
            player = states["players"][number, seat]
            held = player["empire"].sum(), player["untapped"].sum() + player["tapped"].sum()
            for kind, lost, count in (
                (Empire.PLANET, Empire.PLANET_LOST, held[0]),
                (Empire.SHIP, Empire.SHIP_LOST, held[1]),
            ):
                assert came.get((number, seat, kind), 0) - gone.get((number, seat, lost), 0) == count


def test_what_is_settled_built_and_learned_adds_up():
    game, dealt, states, events = played("empire_of_the_stars")
    changes = {
        "colonies": ([Stars.COLONY], [Stars.COLONY_LOST]), "starbases": ([Stars.STARBASE], [Stars.STARBASE_LOST]),
        "throne": ([Stars.THRONE], []),
    }  # fmt: skip
    for name, (more, less) in changes.items():
        gained, lost = summed(events, more, "target"), summed(events, less, "target")
        for number in range(GAMES):
            for seat in range(2):
                counts = [of["players"][number, seat][name] for of in (dealt, states)]
                before, after = (int(count) if name == "throne" else int(count).bit_count() for count in counts)
                assert after - before == gained.get((number, seat), 0) - lost.get((number, seat), 0)
    ships = summed(events, [Stars.FIGHTERS, Stars.CRUISERS, Stars.DREADNOUGHTS], "target")
    for number in range(GAMES):
        for seat in range(2):
            gone = dealt["players"][number, seat]["supply"].sum() - states["players"][number, seat]["supply"].sum()
            assert gone == ships.get((number, seat), 0)
        assert (events[events["game"] == number]["kind"] == Stars.ROLE).sum() == states["turn"][number]


class Slow:
    """The agent `rules`, called from Python."""

    name = "slow"

    def act(self, game, states, masks, seeds):
        return agents.get("rules").act(game, states, masks, seeds)


@pytest.mark.parametrize("name", ["star_realms", "interstellar_empire"])
def test_compiled_and_other_agents_are_told_alike_however_much_room_there_is(name):
    games = scaled(12, 2)
    series = Series(stardeck.make(name), ["rules"], 3, record_events=True)
    told = series.play(0, games)
    assert len(told.events) == len(told.event_games) > 0 and (np.diff(told.event_games) >= 0).all()
    asked = Series(stardeck.make(name), [Slow()], 3, record_events=True).play(0, games)
    series._eventful = 1
    for other in (asked, series.play(0, games)):
        assert np.array_equal(other.events, told.events) and np.array_equal(other.event_games, told.event_games)
    assert not len(Series(stardeck.make(name), ["rules"], 3).play(0, games).events)


def test_events_stand_beside_games_as_texts_and_numbers(tmp_path):
    games = scaled(60, 8)
    advantage("star_realms", "rules", games, out=tmp_path / "all", collect="events")
    advantage("star_realms", "rules", games // 2, out=tmp_path / "cut", collect="events")
    advantage("star_realms", "rules", games, out=tmp_path / "cut", collect="events")
    events = pd.read_parquet(tmp_path / "all" / "events")
    assert list(events) == event_store.EVENTS.names and set(events["index"]) == set(range(games))
    assert set(events["event"]) <= {event.name.lower() for event in Realms} and "Explorer" in set(events["card"])
    assert events.equals(pd.read_parquet(tmp_path / "cut" / "events"))
    assert (events.loc[events["event"] == "acquire", "amount"] >= 0).all()
    won = pd.read_parquet(tmp_path / "all" / "games.parquet")["winner"].map(lambda seats: seats[0])
    lost = events[events["event"] == "defeat"].set_index("index")["target"]
    assert (lost.loc[won.index] == 1 - won).all()
    assert [path.name for path in (tmp_path / "cut" / "events").iterdir()] == [part_name(0, games)]


@pytest.mark.once
def test_files_hold_the_same_games_in_whatever_stretches_they_came(tmp_path, monkeypatch):
    monkeypatch.setattr(event_store, "FILE", 16)
    monkeypatch.setattr(arena, "CHUNK", 12)
    advantage("star_realms", "rules", 40, out=tmp_path / "cut", collect="events")
    advantage("star_realms", "rules", 70, out=tmp_path / "cut", collect="events")
    monkeypatch.setattr(arena, "CHUNK", 16)
    advantage("star_realms", "rules", 70, out=tmp_path / "all", collect="events")
    names = [part_name(start, min(start + 16, 70)) for start in range(0, 70, 16)]
    for folder in ("cut", "all"):
        assert sorted(path.name for path in (tmp_path / folder / "events").iterdir()) == names
    for name in names:
        cut, whole = (pd.read_parquet(tmp_path / folder / "events" / name) for folder in ("cut", "all"))
        assert cut.equals(whole)


@pytest.mark.once
def test_a_league_has_events_of_every_match(tmp_path):
    league("interstellar_empire", ["rules", "simple", "random"], 8, out=tmp_path, collect=("events", "moves"))
    events = pd.read_parquet(tmp_path / "events")
    assert events["match"].nunique() == 3 and (tmp_path / "moves.parquet").exists()
