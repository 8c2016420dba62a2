"""Properties of Empire of the Stars beyond its scenarios.

Pieces are conserved, every question has an answer, secrets are kept and resampled consistently, and errors name their
cause.
"""

import itertools
import json
from collections import Counter
from importlib import resources

import numpy as np
import pytest

import stardeck
from helpers import VARIANTS, game_of, pick, random_steps, scaled, tally, thorough
from stardeck import agents
from stardeck.kernels.contract.card_tables import TableError
from stardeck.kernels.empire_of_the_stars.cards.tables import SHIP_NUMBERS, load_tables
from stardeck.kernels.empire_of_the_stars.operations import OPERATIONS, Manner, Op
from stardeck.kernels.empire_of_the_stars.rules import VALUES, Act
from stardeck.kernels.empire_of_the_stars.state import HOME_WORLD, NO_TILE, REGIONS, Ask, FarSpace, Step
from stardeck.kernels.empire_of_the_stars.text.positions import scores
from stardeck.kernels.empire_of_the_stars.text.words import ANSWERS, QUESTIONS, STEPS

MINE = [variant for variant in VARIANTS if variant.startswith("empire_of_the_stars")]
TWO = "empire_of_the_stars/2/powers"
SCORED = f"{TWO}/max_turns=24/at_limit=score"
PLAIN = "empire_of_the_stars/2"
SOME = scaled(thorough(1, 3), 1)  # steps between two checks: a lost piece stays lost


def bits(sets):
    """Return sets as truth values: uint64[...] -> bool[..., 64]."""
    return (sets[..., None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(bool)


def cards_anywhere(states, players):
    """Count the cards of each technology in all places: int[n, 128]."""
    held = [
        bits(states["players"][zone][:, :players]).reshape(len(states), players, -1)
        for zone in ("hand", "technologies")
    ]
    found = sum(zone.sum(axis=1) for zone in held)
    for pile, count in (("decks", "deck_count"), ("discards", "discard_count")):
        lies = np.arange(states[pile].shape[2]) < states[count][:, :, None]
        tally(found, states[pile], lies)
    return found


def tiles_anywhere(game, states):
    """Count the exploration tiles of each kind in all places: int[n, kinds]."""
    kinds = len(game.variant.content.tiles)
    found = (states["display"] + states["buried"])[:, :kinds].astype(np.int64)
    stacked = np.arange(states["stack"].shape[1]) < states["stack_count"][:, None]
    laid = (states["tiles"] != NO_TILE) & (states["tiles"] != HOME_WORLD)
    tally(found, states["stack"], stacked)
    tally(found, states["tiles"], laid)
    tally(found, states["tile_in_hand"], states["tile_in_hand"] != NO_TILE)
    homeless = (states["players"]["home"][:, : game.players] < 0).sum(axis=1)
    waiting = homeless + (states["step"] == Step.FIRST_PLANET)
    found[:, game.rules[0]["first_planet_tile"]] += waiting  # the boards of players who have not begun hold them
    return found


def check(game, states):
    """Check that tokens, ships, tiles and cards are conserved, and that no region has more than three ships."""
    players = states["players"][:, : game.players]
    assert (game.legal_actions(states).any(axis=1) == ~game.is_over(states)).all()
    ships = bits(players["fleet"])  # [n, seats, classes, more than, regions]
    out = ships.sum(axis=(3, 4)) + players["staging"] + players["supply"]
    assert (out == [numbers[1] for numbers in SHIP_NUMBERS.values()]).all()
    by_region = ships.sum(axis=(1, 2, 3))
    assert by_region.max() <= 3 and not by_region[:, REGIONS:].any()
    assert (bits(states["crowd"]).sum(axis=1) == by_region).all()
    tokens = bits(players["colonies"]).astype(int) + bits(players["starbases"])
    assert tokens.sum(axis=1).max() <= 1, "one token on a planet"
    held = players["tokens"] + players["influence"] + players["placed"].sum(axis=2) + tokens.sum(axis=2)
    held = held.sum(axis=1) + (states["far_space"] >= FarSpace.COLONY).sum(axis=1)
    galaxy = 40 - states["galaxy_supply"] - (states["far_space"] == 0).sum(axis=1)
    assert (held + players["throne"].sum(axis=1) == 16 * game.players + galaxy).all(), "tokens are conserved"
    assert (players["tokens"] >= 0).all() and (players["credits"] >= 0).all() and (players["resources"] >= 0).all()
    cards = cards_anywhere(states, game.players)
    assert (cards[:, : len(game.variant.content.technologies)] == 1).all() and cards.sum(axis=1).max() == 75
    assert (tiles_anywhere(game, states) == [tile.copies for tile in game.variant.content.tiles]).all()


@pytest.mark.parametrize("variant", MINE)
def test_nothing_is_lost_and_every_question_has_an_answer(variant):
    game = game_of(variant)
    asked, steps = set(), set()
    for step, states in enumerate(random_steps(game, scaled(250, 2), 2500, seed=2)):
        if step % SOME == 0:
            check(game, states)
        asked |= set(states["ask"].tolist())
        steps |= set(states["step"].tolist())
    if scaled(True, False) and game.settings["powers"]:
        assert {ask.name for ask in Ask} == {Ask(ask).name for ask in asked}
    if scaled(True, False) and game.players > 2:
        never = {Step.BEFORE, Step.AFTER, Step.PRODUCE, Step.READY, Step.THRONE, Step.EXTRA, Step.KEEP_POWER}
        assert {step.name for step in Step} - {step.name for step in never} <= {Step(step).name for step in steps}


@pytest.mark.parametrize("name", ["simple", "rules"])
@pytest.mark.parametrize("variant", MINE)
def test_agents_end_their_games_and_lose_nothing(variant, name):
    game = game_of(variant)
    agent = agents.get(name)
    states = game.deal(np.arange(scaled(100, 1)))
    for step in itertools.count():
        if step % SOME == 0:
            check(game, states)
        states = states[~game.is_over(states)]
        if not len(states):
            break
        seeds = np.arange(len(states), dtype=np.uint64) + states["decisions"].astype(np.uint64)
        game.apply(states, agent.act(game, states, game.legal_actions(states), seeds))


@pytest.mark.parametrize("variant", MINE)
def test_any_position_can_be_written_down_and_set_up_to_the_byte(variant):
    game = game_of(variant)
    for step, states in enumerate(random_steps(game, scaled(thorough(12, 3), 2), 2500, seed=3)):
        for row in range(step % 7, len(states), 7):
            again = game.from_position(game.position(states[row]))
            assert again[0].tobytes() == states[row].tobytes(), game.position(states[row])


@pytest.mark.parametrize("limit", [1000, 9])
def test_an_ended_game_is_written_down_and_set_up_to_the_byte(limit):
    """Nothing of the last question is left, whether the rules end the game or its limit does."""
    game = stardeck.make("empire_of_the_stars", powers=False, max_turns=limit)
    players = {"player_0": {"tokens": 1 if limit > 9 else 6, "throne": 4}, "player_1": {"tokens": 6, "throne": 3}}
    position = {"scepter": "player_0", "emperor": "player_1", "flipped": ["PE", "PM", "ME", "PME"], "turn_number": 8}
    states = game.from_position(position | {"players": players})
    game.play(states, "choose STEWARD")
    assert game.is_over(states).all() and states["truncated"][0] == (limit == 9)
    assert game.from_position(game.position(states[0])).tobytes() == states.tobytes()


# Secrets


def battle(players=2, **sets):
    """Return a battle before its plans: a cruiser and two fighters against three fighters."""
    galaxy = {
        28: {"tile": "home player_0"},
        20: {"ships": {"player_0": ["cruiser", "fighter x2"]}},
        22: {"ships": {"player_1": ["fighter x3"]}},
        38: {"tile": "home player_1"},
    }
    seats = {f"player_{seat}": sets.get(f"player_{seat}", {}) for seat in range(players)}
    position = {"scepter": "player_1", "emperor": "player_1", "monolith": "WARLORD", "role": "WARLORD", "step": "move"}
    game = stardeck.make("empire_of_the_stars", powers=False)
    states = game.from_position(position | {"turn": "player_0", "galaxy": galaxy, "players": seats})
    game.play(states, "battle player_1 in sector 5")
    return game, states


def seen(game, states, seat, *fields):
    """Return parts of an observation."""
    found = []
    for row in game.observation_table():
        if row["name"] in fields:
            found += game.observe(states, seat)[0, row["offset"] : row["offset"] + row["size"]].tolist()
    return found


def test_a_battle_plan_is_seen_by_nobody_else_until_both_are_set():
    game, states = battle()
    views = []
    for tactics, weapons in ((0, 5), (3, 1)):
        planned = game.copy(states)
        game.play(planned, f"tactics {tactics}")
        assert seen(game, planned, 0, "plan") == [tactics, 0, 0, 0]
        game.play(planned, f"weapons {weapons}")
        assert game.to_act(planned).tolist() == [1]
        views.append(game.observe(planned, 1).tobytes())
        assert seen(game, planned, 1, "plan", "plan_set") == [0] * 8
        samples = game.resample_hidden(planned.repeat(400), 1, np.arange(400))["plans"][:, 0]
        assert len(np.unique(samples[:, 0])) == 6, "every part of a plan is possible"
        assert (samples.sum(axis=1) <= 5).all()
        mine = game.resample_hidden(planned.repeat(50), 0, np.arange(50))["plans"][:, 0]
        assert (mine == [tactics, weapons]).all()
        game.play(planned, "tactics 1")
        game.play(planned, "weapons 1")
        assert seen(game, planned, 1, "plan") == seen(game, planned, 0, "plan") == [tactics, weapons, 1, 1]
    assert views[0] == views[1]


def test_spy_network_lays_tactics_open_and_nothing_else():
    def is_secret(text):
        return game.is_secret(states[0], game.parse(states, text)[0])

    game, states = battle(player_0={"technologies": ["Spy Network"]})
    assert not is_secret("tactics 2")  # of the defender
    game.play(states, "tactics 2")
    assert is_secret("tactics 1"), "the other plan is seen by nobody"
    assert seen(game, states, 0, "plan", "plan_set") == [0, 0, 2, 0, 0, 0, 1, 0]
    samples = game.resample_hidden(states.repeat(50), 0, np.arange(50))["plans"]
    assert (samples[:, 1, 0] == 2).all()
    game.play(states, "tactics 1")
    game.play(states, "weapons 4")
    assert seen(game, states, 1, "plan", "plan_set") == [0, 0, 2, 0, 0, 0, 1, 0]
    assert not is_secret("weapons 1"), "the last part lays both plans open"


def test_a_power_kept_is_secret_until_all_have_chosen():
    game = game_of(TWO)
    views = []
    states = game.deal(5)
    for text in game.moves(states[0]):
        kept = game.copy(states)
        game.play(kept, text)
        views.append(game.observe(kept, 1).tobytes())
        assert game.position(kept[0])["players"]["player_0"]["power"] == text.removeprefix("keep ")
    assert len(set(views)) == 1 and len(views) == 3
    samples = game.resample_hidden(kept.repeat(300), 1, np.arange(300))["players"]
    assert len(np.unique(samples["power"][:, 0])) > 20
    assert (samples["dealt"][:, 1] == kept["players"]["dealt"][0, 1]).all()
    assert not np.isin(samples["dealt"][:, 0], kept["players"]["dealt"][0, 1]).any()
    assert (samples["power"][:, 0, None] == samples["dealt"][:, 0]).any(axis=1).all()


def test_technologies_in_hand_are_drawn_again_from_those_of_their_cost():
    game = game_of(PLAIN)
    technologies = game.variant.content.technologies
    states = game.deal(3)
    samples = game.resample_hidden(states.repeat(200), 0, np.arange(200))
    hands = [tuple(np.flatnonzero(bits(hand).ravel())) for hand in samples["players"]["hand"][:, 1]]
    assert len(set(hands)) > 100
    assert all(technologies[card].cost == 1 for hand in hands for card in hand)
    assert (samples["players"]["hand"][:, 0] == states["players"]["hand"][0, 0]).all()
    assert len({state["decks"].tobytes() for state in samples}) == 200
    assert len({state["stack"].tobytes() for state in samples}) > 190
    wormhole = game.rules[0]["wormhole_tile"]
    assert ((samples["stack"] == wormhole) == (states["stack"] == wormhole)).all(), "their places are known"
    assert len({state["buried"].tobytes() for state in samples}) > 100


def test_who_is_asked_to_buy_holds_a_card_that_can_be_paid_for():
    game = game_of(PLAIN)
    position = {
        "scepter": "player_1",
        "emperor": "player_1",
        "monolith": "SCIENTIST",
        "role": "SCIENTIST",
        "step": "buy",
        "drawn": 1,
        "turn": "player_0",
        "tech_decks": {1: ["Smelters", "Militia", "Deflectors", "Target Locks", "Haggling", "War Bonds"]},
        "players": {"player_0": {"P": 1, "hand": ["Hydroponics"]}, "player_1": {}},
    }
    states = game.from_position(position)
    samples = game.resample_hidden(states.repeat(100), 1, np.arange(100))["players"]["hand"][:, 0]
    assert len(np.unique(samples, axis=0)) == 1, "the one card that costs polymers"


# Tables and settings


def test_the_tables_that_come_along_are_the_reconstruction_and_say_so():
    """Facts: 36 tiles, 30 powers, 75 technologies, 25 of each cost and type, 7 edicts, 4 market tiles."""
    tables = load_tables()
    assert sum(tile.copies for tile in tables.tiles) == 36
    assert len(tables.powers) == 30 and len(tables.technologies) == 75
    assert set(Counter(technology.cost for technology in tables.technologies).values()) == {25}
    assert set(Counter(technology.type for technology in tables.technologies).values()) == {25}
    assert len(tables.edicts) == 7 and len(tables.market) == 4 and tables.far_space == (5, 6, 6, 7, 7, 8, 9, 10)
    assert sum(len(region["next_to"]) for region in tables.regions) == 2 * 95
    assert tables.reconstructed and "reconstructed" in game_of(TWO).variant.provenance


def test_every_operation_is_printed_on_some_card():
    tables = load_tables()
    sides = [side for power in tables.powers for side in (power.core, power.surge)]
    effects = [effect for side in [*sides, *(card.effects for card in tables.technologies)] for effect in side]
    assert {effect.op for effect in effects} == set(Op)
    assert {effect.manner for effect in effects} == set(Manner)


def test_every_operation_numbers_its_values_in_the_order_of_its_row():
    assert set(OPERATIONS) == set(Op)
    for operation in OPERATIONS.values():
        assert [int(value) for value in operation.values] == list(range(len(operation.values)))
        assert len({type(value) for value in operation.values}) == 1 and len(operation.values) <= VALUES


def test_every_question_and_every_kind_of_answer_has_its_words():
    assert set(STEPS) == set(Step) and set(QUESTIONS) == set(Ask) - {Ask.STEP} and set(ANSWERS) == set(Act)
    asked = [question.asked for question in [*STEPS.values(), *QUESTIONS.values()]]
    assert len(set(asked)) == len(asked)


def edicts(text):
    return f"[edicts]\ntitle = 'Mine'\nedicts = [{text}]\n"


def test_tables_of_ones_own_replace_whole_ones(tmp_path):
    file = tmp_path / "printed.toml"
    file.write_text(edicts("{ name = 'Peace', leader = 'nobody' }, { name = 'Greed', leader = 'credits' }"))
    game = stardeck.make("empire_of_the_stars", tables=file, players=3, powers=False)
    assert (
        game.id == "empire_of_the_stars/3/tables=printed"
        and game.num_actions < game_of(PLAIN.replace("2", "3")).num_actions
    )
    for states in random_steps(game, scaled(20, 1), scaled(500, 60)):
        check(game, states)
    assert game.position(states[0])["edict"] in ("Peace", "Greed")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[edict]\n", "'edict' is not known; a file has name, board, tiles"),
        (edicts("{ name = 'Greed', leader = 'credits' }"), "the first edict is in effect at the start"),
        (edicts("{ name = 'Peace', leader = 'love' }"), "Peace: leader = 'love': must be one of nobody, resources"),
        ("[technologies]\ntechnologies = [{ name = 'X', type = 'Art', cost = 1, effects = ['E'] }]", "X: effect 'E'"),
        ("[tiles]\ntiles = [{ name = 'void', kind = 'hole', copies = 1 }]", "kind = 'hole': must be one of empty"),
        ("[market]\ntiles = [{ name = 'PX', credits = 1 }]", "PX: name must be made of the letters P, M, E"),
        ("[board]\nroles = ['EXPLORER']", "roles must be a list of 7"),
    ],
)
def test_malformed_tables_are_named(tmp_path, text, message):
    file = tmp_path / "broken.toml"
    file.write_text(text)
    with pytest.raises(TableError, match="broken.toml") as error:
        stardeck.make("empire_of_the_stars", tables=file)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("WARLORD during: UNIT unit=tank strength=1", "unit 'tank' is not known; allowed: fighter, cruiser"),
        ("REGENT during: UNIT unit=fighter strength=1", "UNIT in REGENT: must be in WARLORD"),
        ("EXPLORER sometimes: GAIN p=1", "timing 'sometimes' is not known; allowed: before, during"),
        ("EXPLORER after: GAIN gold=1", "GAIN has no 'gold'; it has p, m, e, c, any"),
        ("EXPLORER after: GAIN p=100", "GAIN p=100: must be a whole number from 0 to 99"),
        ("EXPLORER after if lucky: GAIN p=1", "condition 'lucky' is not known; allowed: none, most_technologies"),
        ("MERCHANT during tile_placed: GAIN p=1", "tile_placed: must be in EXPLORER"),
        ("MERCHANT during: PRICE sell=1", "PRICE: res is missing"),
        ("STEWARD after: GAIN_PER of=planets res=credits n=1 cap=2", "GAIN_PER per=0: must be at least 1"),
        ("EXPLORER before: TILES replace=1 extra=1", "TILES: must have either replace or extra"),
        ("WARLORD during if in_battle: TOLL c=1", "TOLL is a standing effect: it cannot have a condition"),
    ],
)
def test_malformed_effects_are_named(tmp_path, effect, message):
    file = tmp_path / "broken.toml"
    row = f"{{ name = 'Odd', type = 'Industry', cost = 1, effects = ['{effect}'] }}"
    file.write_text(f"[technologies]\ntechnologies = [{row}]")
    with pytest.raises(TableError) as error:
        stardeck.make("empire_of_the_stars", tables=file)
    assert "Odd: " in str(error.value) and message in str(error.value)


@pytest.mark.parametrize(
    ("line", "other", "message"),
    [
        ("{ number = 0, q = 1, r = -1, regions = [0, 1, 2, 3] }", "5", "sector 0: must be a table of keys and values"),
        ("{ number = 0, q = 2, r = -2, next_to = [1, 2] }", "[]", "region 0: must be a table of keys and values"),
        ("next_to = [0, 2, 3, 4]", "next_to = 5", "region 1: next_to must be a list"),
        ("blocks = [", "blocks = [5,", "blocks must be lists of four sectors"),
        ("blocks = [", "blocks = [[0, 1, 2, []],", "blocks must be lists of four sectors"),
        ("blocks = [", "blocks = [[0, 1, 3, 4, 4],", "blocks must be lists of four sectors"),
    ],
)
def test_a_board_of_other_things_is_named(tmp_path, line, other, message):
    board = (
        resources.files("stardeck.kernels.empire_of_the_stars.cards").joinpath("board.toml").read_text(encoding="utf-8")
    )
    assert board.count(line) == 1
    file = tmp_path / "broken.toml"
    file.write_text("[board]\n" + board.replace(line, other))
    with pytest.raises(TableError, match="broken.toml: board: ") as error:
        stardeck.make("empire_of_the_stars", tables=file)
    assert message in str(error.value)


def test_a_section_of_other_things_is_named(tmp_path):
    file = tmp_path / "broken.toml"
    file.write_text("board = 5")
    with pytest.raises(TableError, match="broken.toml: board: must be a table of keys and values"):
        stardeck.make("empire_of_the_stars", tables=file)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 5}, "players=5: must be a whole number from 2 to 4"),
        ({"powers": "yes"}, "powers='yes': must be one of true, false"),
        ({"block": [0, 1, 2, 3]}, "block=0,1,2,3: must be one of 0,1,3,4; 0,1,4,5"),
        ({"block": [0, 1, 3, 10]}, r"block=\[0, 1, 3, 10\]: must be a list of whole numbers from 0 to 9"),
        ({"players": 3, "block": [0, 1, 3, 4]}, r"block=\[0, 1, 3, 4\]: only two players block sectors"),
        ({"tables": "nowhere.toml"}, "nowhere.toml: cannot be read"),
        ({"governments": True}, "empire_of_the_stars has no such setting; it has players, powers"),
        ({"at_limit": "edict"}, "at_limit='edict': must be one of nobody, score"),
        ({"max_turns": 0}, "max_turns=0: must be a whole number from 1 to 10000"),
        ({"bonus_points": [3]}, r"bonus_points=\[3\]: must name 2 numbers, one for each player"),
        ({"bonus_points": [0, 31]}, r"bonus_points=\[0, 31\]: must be a list of whole numbers from 0 to 30"),
    ],
)
def test_impossible_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        stardeck.make("empire_of_the_stars", **settings)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"scepter": "player_2"}, "scepter: 'player_2': must be one of player_0, player_1"),
        ({"sceptre": "player_0"}, "position: 'sceptre' is not known; allowed: scepter, emperor"),
        ({"role": "PIRATE"}, "'PIRATE': must be one of EXPLORER"),
        ({"role": "REGENT", "step": "trade"}, "step: 'trade': REGENT has before, after, buy influence"),
        ({"step": "trade"}, "role: must be given for the step 'trade'"),
        ({"role": "WARLORD", "step": "plan"}, "battle: must be given for the step 'plan'"),
        ({"galaxy": {40: {}}}, "galaxy: 40: must be a whole number from 0 to 39"),
        ({"galaxy": {20: {"tile": "planet X"}}}, "galaxy.20.tile: 'planet X': must be one of wormhole"),
        ({"galaxy": {20: {"token": "player_0 colony"}}}, "galaxy.20.token: 'player_0 colony': there is no planet"),
        ({"galaxy": {0: {"tile": "empty"}}}, "galaxy.0: lies in a blocked sector"),
        ({"galaxy": {20: {"ships": {"player_0": ["fighter x4"]}}}}, "a region holds at most 3 ships"),
        (
            {"galaxy": {20: {"ships": {"player_0": ["fighter x2"], "player_1": ["cruiser x2"]}}}},
            "galaxy.20.ships: a region holds at most 3 ships",
        ),
        ({"galaxy": {20: {"ships": {"player_0": ["frigate"]}}}}, "'frigate' is not known; allowed: fighter, cruiser"),
        ({"tech_decks": {2: ["Smelters"]}}, "tech_decks.2: 'Smelters' does not cost 2"),
        ({"tech_decks": {1: ["Smelters x2"]}}, "'Smelters' is in two places"),
        ({"players": {"player_0": {"tokens": 17}}}, "player_0.tokens: 17: must be a whole number from 0 to 16"),
        ({"players": {"player_0": {"staging": ["dreadnought x3"]}}}, "3 dreadnoughts: a player has 2"),
        ({"players": {"player_0": {"dealt": ["Despot"]}}}, "player_0.dealt: 1 powers: must be 3"),
        (
            {"players": {"player_0": {"power": "Despot"}, "player_1": {"power": "Despot"}}},
            "players: two players have the same power",
        ),
        ({"blocked": [0, 1, 4, 5]}, r"blocked: \[0, 1, 4, 5\]: must be \[0, 1, 3, 4\], as in the settings"),
        ({"flipped": ["PP"]}, "flipped: 'PP' is not known; allowed: PE, PM, ME, PME"),
        ({"edict": "Anarchy"}, "edict: 'Anarchy': must be one of Chaos"),
        ({"display": "asteroid"}, "display: 'asteroid': must be a list"),
        ({"blocked": None}, "blocked: None: must be a list"),
        ({"blocked_tiles": ["planet M x60", "asteroid x60"]}, "blocked_tiles: 60 names: at most 40"),
        ({"display": ["asteroid x256"]}, "display: 256 names: at most 40"),
        (
            {"blocked_tiles": ["planet M x20"], "display": ["asteroid x20"], "tile_stack": ["asteroid"]},
            "tile_stack, display, blocked_tiles: 41 tiles: at most 40",
        ),
        ({"players": {"player_0": {"staging": ["fighter x256"]}}}, "player_0.staging: 256 names: at most 40"),
        ({"players": {"player_0": {"influence": 9, "tokens": 9}}}, "player_0: 18 colony tokens: a player has 16"),
        ({"placed_influence": {20: {"player_0": 1}}}, "placed_influence.20: there is no planet"),
        ({"far_space": {1.0: "none"}}, "far_space: 1.0: must be a whole number|far_space: 1.0 is not known"),
        ({"galaxy": {20: {}, "20": {}}}, "galaxy: 20: appears twice"),
        ({"role": "EXPLORER", "step": "region"}, "tile_in_hand: must be given"),
        ({"scores": {"player_0": 1}}, "scores: only allowed in a finished game"),
        ({"placement": {"player_0": 1}}, "placement.player_1: None: must be a whole number from 1 to 2"),
        ({"decisions": 2**31 - 1}, "decisions: 2147483647: must be a whole number from 0 to 1000000000"),
    ],
)
def test_malformed_positions_are_named(position, message):
    with pytest.raises(ValueError, match=message):
        game_of(TWO).from_position(position)


def test_a_game_that_the_score_decides_is_not_truncated():
    over = {"placement": {"player_0": 1, "player_1": 2}, "truncated": True}
    assert game_of(TWO).truncated(game_of(TWO).from_position(over)).all()
    with pytest.raises(ValueError, match="truncated: must be false: with at_limit=score"):
        game_of(SCORED).from_position(over)


def test_bonus_points_are_shown_as_soon_as_it_is_known_who_begins():
    """With powers, the highest number begins; it is known once every player has kept a power."""
    game = stardeck.make("empire_of_the_stars", bonus_points=[0, 3])
    states = game.deal(range(8))
    assert all("score 0" in game.render(state) and "score 3" not in game.render(state) for state in states)
    for step in range(30):
        game.apply(states, pick(game.legal_actions(states), step))
    first = game.first_seats(states)
    assert set(first.tolist()) == {0, 1}
    for state, seat in zip(states, first.tolist(), strict=True):
        shown, plain = (list(scores(variant, state).values()) for variant in (game.variant, game_of(TWO).variant))
        assert shown[seat] == plain[seat] and shown[1 - seat] == plain[1 - seat] + 3
        assert f"score {shown[1 - seat]}" in game.render(state)
        assert game.position(game.from_position(game.position(state))[0]) == game.position(state)


def test_bonus_points_are_play_and_no_matter_of_actions_and_observations():
    game, other = game_of(TWO), stardeck.make("empire_of_the_stars", bonus_points=[0, 3])
    assert other.spaces == game.spaces and other.variant.tables != game.variant.tables
    named = stardeck.make("empire_of_the_stars", bonus_points=[0, 0])
    assert (named.id, named.variant.tables) == (game.id, game.variant.tables)
    assert game.variant.tables == "26923788b91bee6c"
    assert other.id == f"{TWO}/bonus_points=0,3"


def test_what_decides_at_the_limit_is_play_and_no_matter_of_actions_and_observations():
    game, scored = game_of(TWO), game_of(SCORED)
    assert scored.spaces == game.spaces and scored.variant.tables != game.variant.tables
    named = stardeck.make("empire_of_the_stars", at_limit="nobody", max_turns=200)
    assert (named.id, named.variant.tables) == (game.id, game.variant.tables)


def test_home_worlds_of_a_position_are_placed_in_the_order_of_the_powers():
    game = game_of("empire_of_the_stars/3/powers")
    states = game.deal(4)
    while game.position(states[0])["step"] != "home":
        game.play(states, game.moves(states[0])[0])
    game.play(states, game.moves(states[0])[0])
    at_planet = game.position(states[0])
    home = next(region for region, entry in at_planet["galaxy"].items() if "tile" in entry)
    assert game.from_position(json.loads(json.dumps(at_planet))).tobytes() == states.tobytes()
    without_home = at_planet | {"galaxy": {}}
    with pytest.raises(ValueError, match="home worlds are placed in the order"):
        game.from_position(without_home)
    seat = at_planet["galaxy"][home]["tile"].removeprefix("home ")
    others = [name for name in at_planet["players"] if name != seat]
    for other in others:
        changed = at_planet | {"galaxy": {home: {"tile": f"home {other}"}}}
        with pytest.raises(ValueError, match="home worlds are placed in the order"):
            game.from_position(changed)
    powerless = at_planet["players"] | {others[0]: at_planet["players"][others[0]] | {"power": None}}
    with pytest.raises(ValueError, match="every player must have one before home worlds are placed"):
        game.from_position(at_planet | {"players": powerless})


def test_seats_are_told_apart_by_power_number_in_windows():
    """Without powers player_0 counts as the highest: he places last, begins, and is the first Emperor."""
    game = game_of("empire_of_the_stars/4")
    states = game.deal(1)
    assert game.to_act(states).tolist() == [1]
    while states["step"][0] != Step.CHOOSE_ROLE:
        game.apply(states, pick(game.legal_actions(states), 1))
    assert game.to_act(states).tolist() == [0] and game.first_seats(states).tolist() == [0]


def test_the_action_space_stays_below_a_thousand_and_the_state_below_four_kilobytes():
    for players in (2, 3, 4):
        game = stardeck.make("empire_of_the_stars", players=players)
        assert game.num_actions <= 1000 and game.state_dtype.itemsize <= 4096
