"""OpenSpiel: its simulations, resampling of hidden information, exact solvers, and one of its learners."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts
from open_spiel.python.pytorch import dqn

import stardeck
from stardeck.envs import openspiel
from stardeck.game.registry import GAMES

NAMES = {name for name in pyspiel.registered_names() if name.startswith(openspiel.PREFIX)}
SMALL = "stardeck/interstellar_empire/2"
LONG = "stardeck/rise_of_empire/2"  # a whole campaign; tests use a short one
TRIED = sorted(NAMES - {LONG} | {openspiel.register(stardeck.make("rise_of_empire", max_turns=20))})


def test_every_game_is_registered():
    assert {name.split("/")[1] for name in NAMES} == set(GAMES)


@pytest.mark.parametrize("name", TRIED)
def test_its_random_simulations_pass(name):
    pyspiel.random_sim_test(pyspiel.load_game(f"{name}(deals=5)"), num_sims=1, serialize=False, verbose=False)


def test_games_are_the_ones_that_stardeck_plays():
    """Includes serialised games."""
    duel = pyspiel.load_game(f"{SMALL}(deals=5)")
    game = stardeck.make("interstellar_empire")
    random = np.random.default_rng(1)
    state, states = duel.new_initial_state(), game.deal(3)
    state.apply_action(3)
    while not state.is_terminal():
        assert state.legal_actions() == np.flatnonzero(game.legal_actions(states)[0]).tolist()
        assert state.current_player() == game.to_act(states)[0]
        seen = game.observe(states)[0] * game.observation_scale()
        assert state.observation_tensor() == pytest.approx(seen.tolist())
        action = int(random.choice(state.legal_actions()))
        assert state.action_to_string(action) == game.describe(states[0], action)
        state.apply_action(action)
        game.apply(states, [action])
        if state.move_number() == 40:
            assert str(duel.deserialize_state(state.serialize())) == str(state)
    assert state.returns() == game.returns(states)[0].tolist()


@pytest.mark.parametrize("name", TRIED)
def test_what_is_drawn_again_is_what_the_player_cannot_know(name):
    duel = pyspiel.load_game(f"{name}(deals=5)")
    random = np.random.default_rng(1)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    state = duel.new_initial_state()
    state.apply_action(1)
    other_worlds = 0
    for _ in range(60):
        for player in (0, 1):
            world = state.resample_from_infostate(player, sampler)
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.observation_tensor(player) == state.observation_tensor(player)
            assert world.current_player() == state.current_player()
            if world.current_player() == player:
                assert world.legal_actions() == state.legal_actions()
            other_worlds += world.observation_tensor(1 - player) != state.observation_tensor(1 - player)
        state.apply_action(int(random.choice(state.legal_actions())))
        if state.is_terminal():
            break
    assert other_worlds > 10


def test_information_sets_are_searched():
    """Run ISMCTS with a few simulations against random moves."""
    duel = pyspiel.load_game(f"{SMALL}(deals=5)")
    random = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=duel, evaluator=mcts.RandomRolloutEvaluator(1, random), uct_c=2.0, max_simulations=8, random_state=random,
        max_world_samples=-1, allow_inconsistent_action_sets=True,
    )  # fmt: skip
    state = duel.new_initial_state()
    state.apply_action(1)
    for _ in range(20):
        player = state.current_player()
        action = bot.step(state) if player == 0 else random.choice(state.legal_actions())
        assert action in state.legal_actions()
        state.apply_action(int(action))


def an_endgame():
    """Return a position with two turns, two authority and an uncertain hand: small enough to solve."""
    game = stardeck.make("star_realms", max_turns=3)
    position = {
        "turn": "player_0",
        "trade_row": ["Ram"],
        "players": {
            "player_0": {"authority": 1, "hand": ["Viper"], "deck": ["Scout", "Viper"]},
            "player_1": {"authority": 2, "hand": ["Viper"], "deck": ["Scout"]},
        },
    }
    start = game.from_position(position)
    worlds = game.resample_hidden(game.take(start, [0, 0]), 0, [0, 2])
    return openspiel.from_states(game, worlds)


def test_an_endgame_is_solved():
    """Regret minimisation leaves almost no exploitability for either player."""
    duel = an_endgame()
    solver = cfr.CFRPlusSolver(duel)
    before = exploitability.nash_conv(duel, solver.average_policy())
    for _ in range(10):
        solver.evaluate_and_update_policy()
    after = exploitability.nash_conv(duel, solver.average_policy())
    assert before > 0.5 and after < before / 5


def pickled(thing):
    return pickle.loads(pickle.dumps(thing))


def played(state, moves):
    random = np.random.default_rng(1)
    for _ in range(moves):
        state.apply_action(int(random.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("name", TRIED)
def test_games_and_states_are_pickled(name):
    duel = pyspiel.load_game(f"{name}(deals=5)")
    assert str(pickled(duel)) == str(duel) and pickled(duel).stardeck.settings == duel.stardeck.settings
    for moves in (0, 1, 20):
        state = played(duel.new_initial_state(), moves)
        for again in (pickled(state), copy.deepcopy(state)):
            assert str(again) == str(state) and again.history() == state.history()
            assert str(again.get_game()) == str(duel) and again.memories == state.memories
            assert str(played(again, 5)) == str(played(state.clone(), 5))
    world = state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    assert str(pickled(world)) == str(world)


def test_another_process_reads_them():
    """A variant it never registered, and a state of an endgame whose name OpenSpiel cannot load."""
    decks = [["Scout x8", "Viper x5"], ["Scout x8", "Viper x2"]]
    mine = pyspiel.load_game(openspiel.register(stardeck.make("star_realms", max_turns=61, starting_deck=decks)))
    states = [played(mine.new_initial_state(), 12), played(an_endgame().new_initial_state(), 2)]
    code = "import pickle, sys; [print(state) for state in pickle.load(sys.stdin.buffer)]"
    read = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(states), capture_output=True, check=True)
    assert read.stdout.decode().split() == " ".join(map(str, states)).split()


def test_policies_and_environments_are_pickled():
    duel = pyspiel.load_game(f"{SMALL}(deals=5)")
    uniform = policy.UniformRandomPolicy(duel)
    state = played(duel.new_initial_state(), 4)
    assert pickled(uniform).action_probabilities(state) == uniform.action_probabilities(state)
    env = rl_environment.Environment(duel, observation_type=rl_environment.ObservationType.OBSERVATION)
    env.seed(1)
    step = env.reset()
    again = pickled(env)
    assert str(again.get_state) == str(env.get_state)
    for _ in range(10):
        action = step.observations["legal_actions"][step.current_player()][0]
        step, other = env.step([action]), again.step([action])
        assert other.observations == step.observations and other.rewards == step.rewards


def test_a_solver_goes_on_after_it_was_pickled():
    solver = cfr.CFRPlusSolver(an_endgame())
    solver.evaluate_and_update_policy()
    again = pickled(solver)
    for each in (solver, again):
        each.evaluate_and_update_policy()
    tables = [each.average_policy().action_probability_array for each in (solver, again)]
    assert (tables[0] == tables[1]).all()
    assert exploitability.nash_conv(an_endgame(), again.average_policy()) < 1


def test_dqn_learns():
    env = rl_environment.Environment(
        pyspiel.load_game(f"{SMALL}(deals=100)"), observation_type=rl_environment.ObservationType.OBSERVATION
    )
    size = env.observation_spec()["info_state"][0]
    agents = [
        dqn.DQN(player, state_representation_size=size, num_actions=env.action_spec()["num_actions"],
                hidden_layers_sizes=[32], min_buffer_size_to_learn=100, batch_size=32, learn_every=20)
        for player in (0, 1)
    ]  # fmt: skip
    for _ in range(5):
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            action = agents[player].step(step).action
            assert action in step.observations["legal_actions"][player]
            step = env.step([action])
        for agent in agents:
            agent.step(step)
        assert sum(step.rewards) == 0
    assert all(agent.loss is not None for agent in agents)


def test_what_cannot_be_a_duel_is_named():
    for name, settings in (
        ("interstellar_empire", {"players": 3}),
        ("star_realms", {"set": "box", "format": "nemesis_beast"}),
    ):
        with pytest.raises(ValueError, match="must be a game of two players against each other"):
            openspiel.register(stardeck.make(name, **settings))
    mine = openspiel.register(stardeck.make("interstellar_empire", governments=True))
    assert mine == openspiel.register(stardeck.make("interstellar_empire", governments=True))
    assert pyspiel.load_game(mine).stardeck.settings["governments"] is True
