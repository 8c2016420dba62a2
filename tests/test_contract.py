"""Contract of every variant: seeds, masks, words, copies, records without padding."""

import pickle

import numpy as np
import pytest

import stardeck
from helpers import EVERY_VARIANT, KINDS, VARIANTS, deep_states, game_of, pick, random_steps, scaled, thorough
from stardeck.kernels.contract.settings import Setting

GAMES = scaled(24, 2)
STEPS = scaled(300, 40)


def has_padding(dtype):
    """Check a record dtype for bytes that no field covers."""
    if dtype.subdtype:
        return has_padding(dtype.subdtype[0])
    if not dtype.names:
        return False
    covered = sum(dtype[name].itemsize for name in dtype.names)
    return covered != dtype.itemsize or any(has_padding(dtype[name]) for name in dtype.names)


@pytest.mark.parametrize("variant", KINDS)
def test_states_and_rules_have_no_padding(variant):
    game = game_of(variant)
    assert not has_padding(game.state_dtype)
    assert not has_padding(game.rules.dtype)


@pytest.mark.once
@pytest.mark.parametrize("variant", VARIANTS)
def test_same_seed_same_game_whatever_the_batch(variant):
    game = game_of(variant)

    def play(seeds):
        states = game.deal(np.array(seeds))
        for step in range(STEPS):
            running = ~game.is_over(states)
            if not running.any():
                break
            some = np.ascontiguousarray(states[running])
            masks = game.legal_actions(some)
            legal = [np.flatnonzero(mask) for mask in masks]
            seed = np.array(seeds)[running]
            game.apply(some, np.array([one[(s + step * 31) % len(one)] for one, s in zip(legal, seed, strict=True)]))
            states[running] = some
        return {seed: state.tobytes() for seed, state in zip(seeds, states, strict=True)}

    together = play([1, 2, 3, 4, 5])
    assert play([5, 3]) == {5: together[5], 3: together[3]}
    assert play([1]) == {1: together[1]}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_legal_action_reads_back_from_its_words(variant):
    game = game_of(variant)
    for states in random_steps(game, scaled(thorough(6, 3), 1), STEPS, seed=1):
        for row, mask in enumerate(game.legal_actions(states)):
            actions = np.flatnonzero(mask)
            words = [game.describe(states[row], action) for action in actions]
            assert len(set(words)) == len(words)
            for action, text in zip(actions, words, strict=True):
                assert game.parse(states[row], text) == [action]
        if len(states) and states[0]["decisions"] > scaled(150, 30):
            break


@pytest.mark.parametrize("variant", VARIANTS)
def test_someone_can_always_act_until_the_end(variant):
    game = game_of(variant)
    for states in random_steps(game, GAMES, STEPS, seed=2):
        assert (game.legal_actions(states).sum(axis=1) > 0).all()
        assert ((game.to_act(states) >= 0) & (game.to_act(states) < game.players)).all()
        assert not game.returns(states).any() and not game.placements(states).any()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_finished_game_asks_nobody_and_pays(variant):
    settings = game_of(variant).settings
    short = {"max_turns": 12} if "max_turns" in settings else {}
    game = stardeck.make(variant.split("/")[0], **settings | short)
    states = game.deal(np.arange(GAMES))
    while not game.is_over(states).all():
        some = np.ascontiguousarray(states[~game.is_over(states)])
        game.apply(some, pick(game.legal_actions(some), 3))
        states[~game.is_over(states)] = some
    assert (game.to_act(states) == -1).all()
    assert not game.legal_actions(states).any()
    assert (game.placements(states) > 0).all()
    truncated = game.truncated(states)
    assert not game.returns(states)[truncated].any()
    decided = ~truncated
    if len(game.variant.sides) > 1:  # a draw has no winner, and no seat gains
        decided = game.winners(states).any(axis=1)
        assert not game.returns(states)[~decided].any()
    best = game.returns(states)[decided].max(axis=1)
    assert (best == 1).all() if len(game.variant.sides) > 1 else (np.abs(best) == 1).all()
    for row in range(len(states)):
        with pytest.raises(stardeck.IllegalAction, match="the game is over"):
            game.apply(states[row : row + 1], [0])


@pytest.mark.parametrize("variant", KINDS)
def test_an_illegal_action_is_named_and_changes_nothing(variant):
    game = game_of(variant)
    states = game.deal(np.arange(4))
    masks = game.legal_actions(states)
    actions = masks.argmax(axis=1)
    actions[2] = masks[2].argmin()
    before = states.tobytes()
    with pytest.raises(stardeck.IllegalAction, match="row 2") as error:
        game.apply(states, actions)
    assert game.describe(states[2], actions[2]) in str(error.value)
    for wrong in (-1, game.num_actions, 10**9):
        with pytest.raises(stardeck.IllegalAction, match=f"must be from 0 to {game.num_actions - 1}"):
            game.apply(states[:1], [wrong])
    assert states.tobytes() == before


@pytest.mark.once
@pytest.mark.parametrize("variant", KINDS)
def test_a_copy_is_never_changed_by_what_happens_to_its_original(variant):
    game = game_of(variant)
    for states in random_steps(game, GAMES, 60, seed=3):
        copy = game.copy(states)
        before = copy.tobytes()
        assert before == states.tobytes()
        further = game.copy(states)
        game.apply(further, pick(game.legal_actions(further), 5))
        assert states.tobytes() == before
        assert copy.tobytes() == before


@pytest.mark.parametrize("name", ["star_realms", "interstellar_empire", "empire_of_the_stars"])
def test_states_of_a_file_play_on_when_they_are_copied(name, tmp_path):
    """NumPy's files lose the memory layout of states, and its comparison of dtypes does not show that."""
    game = stardeck.make(name)
    np.save(tmp_path / "states.npy", game.deal([1, 2, 3]))
    loaded = np.load(tmp_path / "states.npy")
    assert loaded.dtype == game.state_dtype
    for call in (
        lambda: game.legal_actions(loaded),
        lambda: game.take(loaded, [0]),
        lambda: stardeck.agents.get("rules").act(game, loaded, None, np.arange(3, dtype=np.uint64)),
    ):
        with pytest.raises(TypeError, match="come from a NumPy file; Game.copy converts them"):
            call()
    played = game.playout(game.copy(loaded[::2]), "simple", 5)
    assert played.tobytes() == game.playout(game.deal([1, 3]), "simple", 5).tobytes()


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_read_back_as_they_were_written(variant):
    """Checks every fifth step, at other steps in each variant; texts follow cards and questions that variants share."""
    game = game_of(variant)
    first = EVERY_VARIANT.index(variant) % 5
    for states in list(random_steps(game, scaled(thorough(3, 1), 1), scaled(200, 40), seed=4))[first::5]:
        for row in range(len(states)):
            position = game.position(states[row])
            again = game.from_position(position)
            assert game.position(again[0]) == position


def pairs_agree(game, states):
    """Check that the second half of the rows holds the games of the first half at other places."""
    half = len(states) // 2
    for one, other in zip(states[:half], states[half:], strict=True):
        assert game.position(one) == game.position(other)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_set_up_from_its_position_takes_the_same_course(variant):
    game = game_of(variant)
    begun = [list(random_steps(game, 1, 37 + 40 * seed, seed=seed))[-1] for seed in range(scaled(3, 1))]
    again = [game.from_position(game.position(states[0])) for states in begun]
    states = np.concatenate(begun + again)
    for step in range(scaled(300, 50)):
        over = game.is_over(states)
        assert (over[: len(over) // 2] == over[len(over) // 2 :]).all()
        pairs_agree(game, states[over])
        states = states[~over]
        if not len(states):
            break
        half = len(states) // 2
        masks, observations = game.legal_actions(states), game.observe(states)
        for each in (masks, observations):
            assert (each[:half] == each[half:]).all()
        game.apply(states, np.tile(pick(masks[:half], step), 2))
    pairs_agree(game, states)


@pytest.mark.parametrize("variant", KINDS)
def test_tables_describe_every_action_and_every_number_of_an_observation(variant):
    game = game_of(variant)
    for table, size in ((game.action_table(), game.num_actions), (game.observation_table(), game.observation_size)):
        offset = 0
        for row in table:
            assert set(row) == {"name", "offset", "size", "scale", "meaning", "since"}
            assert row["offset"] == offset and row["size"] > 0
            offset += row["size"]
        assert offset == size
    assert len(set(game.variant.actions)) == game.num_actions


@pytest.mark.once
@pytest.mark.parametrize("variant", KINDS)
def test_observations_are_bytes_with_one_constant(variant):
    game = game_of(variant)
    states = deep_states(game, 5, 200)
    for seat in range(game.players):
        observation = game.observe(states, seat)
        assert observation.dtype == np.uint8 and observation.shape == (len(states), game.observation_size)
        assert (observation[:, 0] == 1).all()


@pytest.mark.parametrize("variant", KINDS)
def test_a_game_survives_pickling(variant):
    game = game_of(variant)
    again = pickle.loads(pickle.dumps(game))
    assert again.id == game.id and again.rules.tobytes() == game.rules.tobytes()


def test_ids_of_variants_are_distinct_and_their_settings_make_them():
    listed = stardeck.variants()
    assert len({entry["id"] for entry in listed}) == len(listed)
    for entry in listed:
        assert stardeck.make(entry["game"], **entry["settings"]).id == entry["id"]


def test_there_is_a_variant_for_every_setting_away_from_its_default():
    listed = stardeck.variants()
    for setting in stardeck.game.registry.settings_of("star_realms"):
        assert isinstance(setting, Setting)
        if setting.name not in ("set", "format", "formats", "players"):
            assert any(setting.name in entry["settings"] for entry in listed), setting.name


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 7}, "players=7: must be a whole number from 1 to 6"),
        ({"players": "two"}, "players='two': must be a whole number"),
        ({"format": "hunters"}, "format='hunters': must be one of standard"),
        ({"colour": "red"}, "colour='red': star_realms has no such setting; it has set, format"),
        ({"forced_discards": "later"}, "forced_discards='later': must be one of immediate, next_turn"),
        ({"max_turns": 0}, "max_turns=0: must be a whole number from 1"),
        ({"opening_hands": [3]}, r"opening_hands=\[3\]: must name 2 hands"),
        ({"opening_hands": [3, 50]}, r"opening_hands=\[3, 50\]: must be a list of whole numbers from 0 to 10"),
        ({"copy_gone_ships": 1}, "copy_gone_ships=1: must be one of true, false"),
        ({"set": "nowhere.toml"}, "nowhere.toml: cannot be read"),
        ({"set": "kore"}, "set='kore': must be one of core, box, rise_of_empire, the path of a file, or its content"),
    ],
)
def test_impossible_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        stardeck.make("star_realms", **settings)


def test_an_unknown_game_is_named():
    with pytest.raises(ValueError, match="game='star_relams': must be one of star_realms"):
        stardeck.make("star_relams")


def test_seeds_reach_from_0_to_64_bits():
    game = game_of(VARIANTS[0])
    mixed = game.deal([0, 2**63, 2**64 - 1])
    assert mixed.tobytes() == game.deal(np.array([0, 2**63, 2**64 - 1], np.uint64)).tobytes()
    assert mixed[2:].tobytes() == game.deal(2**64 - 1).tobytes()


def test_read_only_states_are_refused():
    game = game_of(VARIANTS[0])
    states = game.deal(1)
    states.setflags(write=False)
    for change in (lambda: game.apply(states, [0]), lambda: game.play(states, "end turn")):
        with pytest.raises(ValueError, match="states are read-only"):
            change()


@pytest.mark.parametrize("seeds", [-1, 1.5, [-1], [[1]], "x", 2**64, np.array([0.5])])
def test_bad_seeds_are_named(seeds):
    with pytest.raises(ValueError, match="seeds"):
        game_of(VARIANTS[0]).deal(seeds)


def test_wrong_states_seats_and_actions_are_named():
    game = game_of(VARIANTS[0])
    states = game.deal([1, 2])
    with pytest.raises(TypeError, match="states must be"):
        game.legal_actions(np.zeros(3))
    with pytest.raises(TypeError, match="state must be one row"):
        game.moves(states)
    with pytest.raises(ValueError, match="seats: 5: must be from 0 to 1"):
        game.observe(states, 5)
    with pytest.raises(ValueError, match="actions"):
        game.apply(states, [0])
    with pytest.raises(ValueError, match="actions"):
        game.apply(states, [0.0, 1.0])
    with pytest.raises(ValueError, match="3 seeds for 2 states"):
        game.resample_hidden(states, 0, [1, 2, 3])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": 1}, "name=1: star_realms has no such setting"),
        ({"x" * 5000: 1}, "^x+[.]{3}x+=1: star_realms has no such setting"),
        ({"set": "x" * 5000}, "^set='x+[.]{3}x+': must be one of core"),
        ({"set": "x" * 5000 + ".toml"}, "^set='x+[.]{3}x+.*: must be one of core"),
        ({"set": "null\0.toml"}, "null.*cannot be read"),
        ({"players": np.arange(2, 4)}, r"^players=array\(\[2, 3\]\): must be a whole number"),
        ({"players": np.arange(5000)}, r"^players=array.{0,100}: must be a whole number"),
        ({"players": True}, "^players=True: must be a whole number"),
        ({"players": 10**5000}, "^players=.{0,110}: must be a whole number"),
        ({"opening_hands": [3] * 5000}, "^opening_hands=.{0,110}: must name 2 hands"),
        ({"copy_gone_ships": np.array([True, False])}, "^copy_gone_ships=array.*: must be one of true, false"),
    ],
)
def test_settings_of_any_type_and_size_are_named_cut_short(settings, message):
    with pytest.raises(ValueError, match=message) as refused:
        stardeck.make("star_realms", **settings)
    assert len(str(refused.value)) < 600


@pytest.mark.parametrize("name", [[], None, 5, {}, "x" * 5000])
def test_a_game_of_any_type_is_named(name):
    with pytest.raises(ValueError, match=r"^game=.{0,110}: must be one of star_realms"):
        stardeck.make(name)


def test_whole_numbers_of_numpy_are_settings():
    assert stardeck.make("star_realms", set="box", format="hunter", players=np.int8(4)).settings["players"] == 4


JUNK = [5, None, "junk", [], np.zeros(3), np.zeros((2, 2))]


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_only_states_are_states(junk):
    game = game_of(VARIANTS[0])
    for call in (game.copy, game.to_act, game.results, lambda states: game.resample_hidden(states, 0, 1)):
        with pytest.raises(TypeError, match="^states must be a 1-d array of star_realms/core/standard/2 states"):
            call(junk)


def test_words_seats_and_actions_of_any_kind_are_named():
    game = game_of(VARIANTS[0])
    states = game.deal(1)
    for text in (5, None, [], b"end turn"):
        with pytest.raises(TypeError, match="^move .*: must be a text"):
            game.parse(states[0], text)
    with pytest.raises(stardeck.IllegalAction, match=r"^'x+\.\.\.x+' is not legal here; legal: "):
        game.play(states, "x" * 5000)
    for seat in (10**9, -1, 2):
        for call in (game.render, game.table):
            with pytest.raises(ValueError, match=f"^seat: {seat}: must be from 0 to 1"):
                call(states, seat)
    for action in (-1, game.num_actions, 10**30):
        for call in (game.describe, game.is_secret, game.sentence, game.kind):
            with pytest.raises(stardeck.IllegalAction, match=f"must be from 0 to {game.num_actions - 1}"):
                call(states[0], action)
    for action in ("3", 1.7, None, True, [1]):
        for call in (game.describe, game.is_secret, game.sentence, game.kind):
            with pytest.raises(TypeError, match="^action .*: must be a whole number"):
                call(states[0], action)
    for names in (["one"], "ab", None, 5):
        with pytest.raises(ValueError, match="^names: .*: must be 2 names"):
            game.headline(states, names)


@pytest.mark.parametrize("actions", [None, "x", [None], [[0]], [True], np.array([2**64 - 1], np.uint64), [[1], [1, 2]]])
def test_actions_that_are_no_whole_numbers_are_named(actions):
    game = game_of(VARIANTS[0])
    with pytest.raises(ValueError, match="^actions: "):
        game.apply(game.deal(1), actions)


@pytest.mark.parametrize("seeds", [True, [True], np.array([True]), None, [None], {}, "12", [1, [2]], range(-1, 2)])
def test_seeds_are_whole_numbers(seeds):
    with pytest.raises(ValueError, match="^seeds: "):
        game_of(VARIANTS[0]).deal(seeds)


OTHERS = [
    ("star_realms", {}, {"set": "box", "format": "hunter", "players": 4}),
    ("star_realms", {"set": "box"}, {"set": "box", "gambits": 2}),
    ("star_realms", {}, {"max_turns": 100}),
    ("star_realms", {"set": "rise_of_empire", "scenario": 1}, {"set": "rise_of_empire", "scenario": 2}),
    ("interstellar_empire", {"players": 2}, {"players": 4}),
    ("empire_of_the_stars", {"players": 2}, {"players": 2, "powers": False}),
]


@pytest.mark.parametrize(("name", "settings", "other"), OTHERS)
def test_states_of_another_variant_are_refused_with_both_names(name, settings, other):
    game, stranger = stardeck.make(name, **settings), stardeck.make(name, **other)
    states = game.copy(game.deal([1, 2, 3]))
    assert states.dtype == stranger.state_dtype
    states[2] = stranger.deal(1)[0]
    before = states.tobytes()
    message = f"^row 2: is a state of {stranger.id}, not of {game.id},"
    seeds = np.arange(3, dtype=np.uint64)
    for call in (
        lambda: game.legal_actions(states),
        lambda: game.observe(states, 0),
        lambda: game.apply(states, [0, 0, 0]),
        lambda: game.resample_hidden(states, 0, 1),
        lambda: game.copy(states),
        lambda: game.returns(states),
        lambda: stardeck.agents.get("simple").act(game, states, None, seeds),
        lambda: stardeck.agents.get("search:2").act(game, states, np.ones((3, game.num_actions), np.int8), seeds),
    ):
        with pytest.raises(TypeError, match=message):
            call()
    for call in (game.moves, game.position, game.render, game.table):
        with pytest.raises(TypeError, match=message.replace("row 2", "row 0")):
            call(states[2])
    assert states.tobytes() == before


@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_makes_a_state_writes_the_tag_of_its_variant(variant):
    game = game_of(variant)
    states = game.deal(1)
    assert states["variant"][0] == game.rules["variant"][0] != 0
    assert game.from_position(game.position(states[0]))["variant"] == states["variant"]
    with pytest.raises(TypeError, match="^row 1: is a state of no game, not of"):
        game.to_act(np.concatenate([states, np.zeros(1, game.state_dtype)]))


def test_tags_tell_all_variants_apart():
    tags = {}
    for entry in stardeck.variants():
        game = stardeck.make(entry["game"], **entry["settings"])
        tags.setdefault((game.state_dtype, int(game.rules["variant"][0])), set()).add(game.variant.tables)
    assert all(len(tables) == 1 for tables in tags.values())


def test_an_agent_is_asked_about_games_that_go_on_with_a_seed_for_each():
    game = stardeck.make("star_realms", max_turns=1)
    states = game.deal([1, 2])
    agent = stardeck.agents.get("simple")
    with pytest.raises(ValueError, match="^seeds: 3 seeds for 2 states"):
        agent.act(game, states, None, [1, 2, 3])
    game.play(states[1:], "end turn")
    with pytest.raises(ValueError, match="^row 1: the game is over"):
        agent.act(game, states, None, [1, 2])
