"""Hidden information: it never reaches a seat, and resampling is complete and fair."""

from collections import Counter

import numpy as np
import pytest

from helpers import EVERY_VARIANT, PROGRAMS, VARIANTS, deep_states, game_of, random_steps, scaled, thorough
from stardeck.kernels.star_realms.state import Zone, pile_of

GAMES = scaled(24, 2)
CORE = "star_realms/core/standard/2"


def public(game, position):
    """Remove hidden information from a position in place, to compare what everybody sees."""
    del position["random"]
    readers = {
        "star_realms": public_realms,
        "rise_of_empire": public_realms,
        "interstellar_empire": public_empire,
        "empire_of_the_stars": public_galaxy,
    }
    return readers[game.variant.game](position)


def public_galaxy(position):
    """Empire of the Stars: hands and decks by cost; face-down tiles; dealt powers; plans until both are set."""
    unseen = [card for deck in position["tech_decks"].values() for card in deck]
    unseen += [card for player in position["players"].values() for card in player["hand"]]
    position["unseen"] = sorted(unseen)
    position["face down"] = sorted(position["tile_stack"] + position.get("blocked_tiles", []))
    position["tech_decks"] = {cost: len(deck) for cost, deck in position["tech_decks"].items()}
    position["tile_stack"], position["blocked_tiles"] = len(position["tile_stack"]), 0
    if position["step"] == "keep power":
        for player in position["players"].values():
            player["power"] = player["power"] is not None
    if position["step"] == "plan":
        position["battle"]["plans"] = {side: len(plan) for side, plan in position["battle"]["plans"].items()}
    for player in position["players"].values():
        player["hand"], player["dealt"] = len(player["hand"]), len(player.get("dealt", []))
    return position


def public_empire(position):
    """Interstellar Empire: hands, deck, bids and cards looked at are known only as a whole."""
    pending = position.get("pending", {})
    unseen = position["deck"] + list(position.get("bids", {}).values())
    position["bids"] = list(position.get("bids", {}))
    if pending.get("ask") == "keep":
        unseen += pending.pop("cards")
    position["deck"] = len(position["deck"])
    for player in position["players"].values():
        unseen += player["hand"]
        player["hand"] = len(player["hand"])
    position["unseen"] = sorted(unseen)
    return position


def public_realms(position):
    """Star Realms: decks and hands except for public knowledge; face-down cards; hidden gambits."""
    boss = position.get("boss", {})
    unseen = boss.get("unseen", 0)
    position["unseen"] = sorted(position["trade_deck"] + boss.get("face_down", [])[:unseen])
    if boss:
        boss["face_down"] = boss.get("face_down", [])[unseen:]  # the Blob of scenario 12 has no cards
    position["trade_deck"] = len(position["trade_deck"])
    hidden_gambits = position.pop("unclaimed_gambits", []) + position.get("looked_at", [])
    if "looked_at" in position:
        position["looked_at"] = len(position["looked_at"])
    for player in position["players"].values():
        if "gambits" in player:
            hidden_gambits += player["gambits"]["hidden"]
            player["gambits"]["hidden"] = len(player["gambits"]["hidden"])
        known = player.get("known_on_deck", 0)
        player["all"] = sorted(player["hand"] + player["deck"])
        player["top"] = player["deck"][:known]
        player["open hand"] = sorted(player["hand"][: player.get("known_in_hand", 0)])
        player["hand"], player["deck"] = len(player["hand"]), len(player["deck"])
    position["hidden gambits"] = sorted(hidden_gambits)
    return position


def hands_and_public(game, state):
    """Return the hand of each seat, and the position without hidden information."""
    position = game.position(state)
    hands = [list(player["hand"]) for player in position["players"].values()]
    return hands, public(game, position)


@pytest.mark.parametrize("variant", VARIANTS)
def test_resampling_changes_nothing_that_a_seat_can_see(variant):
    game = game_of(variant)
    steps = scaled(300 if game.players == 2 else 100, 60 if game.players == 2 else 12)
    apart = thorough(8, 24)
    for step, states in enumerate(random_steps(game, GAMES, steps, seed=5)):
        if step % scaled(1, 2):
            continue
        # words are a thousand times slower than bytes: a few rows each time
        rows = range(step // 10 % apart % len(states), len(states), apart) if step % 10 == 0 else ()
        truths = [hands_and_public(game, states[row]) for row in rows]
        for seat in range(game.players):
            other = game.resample_hidden(states, seat, np.arange(len(states)) + step)
            assert (game.observe(states, seat) == game.observe(other, seat)).all()
            assert (game.to_act(states) == game.to_act(other)).all()
            mine = game.to_act(states) == seat
            assert (game.legal_actions(states)[mine] == game.legal_actions(other)[mine]).all()
            for row, (hands, shown) in zip(rows, truths, strict=True):
                other_hands, other_shown = hands_and_public(game, other[row])
                assert hands[seat] == other_hands[seat]
                assert shown == other_shown
                assert game.render(states[row], seat) == game.render(other[row], seat)
                assert game.table(states[row], seat) == game.table(other[row], seat)


def test_resampling_varies_hands_decks_and_the_stream_of_chance():
    game = game_of(CORE)
    state = list(random_steps(game, 1, scaled(120, 120), seed=9))[-1]
    copies = game.resample_hidden(np.repeat(state, 50), 0, np.arange(50))
    hidden = copies["players"][:, 1]
    assert len({pile_of(player, Zone.HAND).tobytes() for player in hidden}) > 5
    assert len({deck.tobytes() for deck in copies["trade_deck"]}) == 50
    assert len(set(copies["random"].tolist())) == 50
    assert not (copies["random"] == state["random"][0]).any()


def test_equal_seeds_give_equal_samples_whatever_is_hidden():
    """Two deals that look the same to a seat resample to the same state, which therefore holds nothing of the truth."""
    game = game_of(CORE)
    for step, states in enumerate(random_steps(game, GAMES, scaled(300, 60), seed=6)):
        for seat in range(2):
            truth = game.resample_hidden(states, seat, np.arange(len(states)) + 1000 * step)
            one = game.resample_hidden(states, seat, np.arange(len(states)))
            two = game.resample_hidden(truth, seat, np.arange(len(states)))
            assert one.tobytes() == two.tobytes()


def test_every_split_between_hand_and_deck_is_as_likely():
    game = game_of(CORE)
    player = {"authority": 50, "hand": ["Scout x2", "Viper"], "deck": ["Ram", "Cutter", "Corvette"]}
    state = game.from_position({"players": {"player_0": {"authority": 50, "hand": ["Scout"]}, "player_1": player}})
    n = scaled(20_000, 400)
    copies = game.resample_hidden(np.repeat(state, n), 0, np.arange(n))
    hands = Counter()
    for player in copies["players"][:, 1]:
        hands[tuple(sorted(pile_of(player, Zone.HAND).tolist()))] += 1
    # six cards, two of them alike: C(6, 3) = 20 splits; a hand with both Scouts is one of them, with one Scout two
    scout = game.variant.card_set.numbers["Scout"]
    expected = {hand: n / 20 * (2 if hand.count(scout) == 1 else 1) for hand in hands}
    assert abs(sum(expected.values()) - n) < 1
    chi_square = sum((hands[hand] - expected[hand]) ** 2 / expected[hand] for hand in hands)
    assert chi_square < 45  # 15 degrees of freedom


def test_the_true_hand_is_not_met_more_often_than_chance():
    game = game_of(CORE)
    states = game.deal(np.arange(scaled(4000, 200)))
    copies = game.resample_hidden(states, 0, np.arange(len(states)) + 10**6)
    vipers, again = (
        np.array([(pile_of(one, Zone.HAND) == game.variant.card_set.numbers["Viper"]).sum() for one in many])
        for many in (states["players"][:, 1], copies["players"][:, 1])
    )
    # 5 of 8 Scouts and 2 Vipers: no Viper 2/9, one 5/9, two 2/9; two independent draws agree in 4/81 + 25/81 + 4/81
    assert abs((vipers == again).mean() - 33 / 81) < 4 / len(states) ** 0.5


def position_with(hand, deck, **more):
    players = {"player_0": {"authority": 50, "hand": ["Scout x5"]}}
    players["player_1"] = {"authority": 50, "hand": hand, "deck": deck} | more
    return {"turn": "player_1", "players": players}


def test_a_ship_bought_onto_the_deck_stays_there():
    game = game_of(CORE)
    offer = {"trade_row": ["Ram"], "trade_deck": ["Cutter"]}
    player = {"trade": 5, "next_ship_on_top": 1}
    states = game.from_position(position_with(["Scout x2"], ["Viper x3"], **player) | offer)
    game.play(states, "buy Ram to deck")
    for copy in game.resample_hidden(np.repeat(states, 30), 0, np.arange(30)):
        assert game.position(copy)["players"]["player_1"]["deck"][0] == "Ram"


def test_a_known_card_that_was_drawn_stays_in_the_hand():
    game = game_of(CORE)
    offer = {"trade_row": ["Ram"], "trade_deck": ["Cutter"]}
    player = {"trade": 5, "next_ship_on_top": 1}
    states = game.from_position(position_with(["Scout x2"], ["Viper x9"], **player) | offer)
    game.play(states, "buy Ram to deck")
    game.play(states, "end turn")
    for copy in game.resample_hidden(np.repeat(states, 30), 0, np.arange(30)):
        assert "Ram" in game.position(copy)["players"]["player_1"]["hand"]


def test_what_was_left_of_an_old_deck_is_known_once_the_deck_has_run_out():
    """Two Cutters are drawn last from the old deck; then the Scouts of the discard pile are shuffled and drawn."""
    game = game_of(CORE)
    states = game.from_position(position_with([], ["Cutter x2"], discard=["Scout x4", "Viper x4"]))
    game.play(states, "end turn")
    seen = Counter()
    for copy in game.resample_hidden(np.repeat(states, 50), 0, np.arange(50)):
        hand = game.position(copy)["players"]["player_1"]["hand"]
        assert hand.count("Cutter") == 2
        seen[hand.count("Scout")] += 1
    assert len(seen) > 1


def test_masks_infos_and_text_of_the_environment_depend_on_nothing_hidden():
    from stardeck.envs import star_realms_v1

    env, other = star_realms_v1.raw_env(), star_realms_v1.raw_env()
    env.reset(seed=3)
    for step in range(scaled(400, 60)):
        if env.terminations[env.agent_selection]:
            break
        for seat, agent in enumerate(env.possible_agents):
            other.reset(seed=3)
            other._states = env.game.resample_hidden(env._states, seat, step)
            other._refresh()
            assert env.agent_selection == other.agent_selection
            mine, theirs = env.observe(agent), other.observe(agent)
            assert (mine["observation"] == theirs["observation"]).all()
            assert (mine["action_mask"] == theirs["action_mask"]).all()
            blank = env.game.blank_info() | {"illegal": 0}
            assert set(env.infos[agent]) == {"action_mask", *blank}
            assert all(np.array_equal(env.infos[agent][key], value) for key, value in blank.items())
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[step % 2 - 1]))


def test_states_of_all_stages_are_covered():
    """The games above shuffle, put ships on decks and make opponents discard."""
    states = deep_states(game_of(CORE), games=scaled(60, 4), steps=scaled(500, 400))
    assert (states["players"]["known_in_hand"] > 0).any()
    if scaled(True, False):
        assert (states["players"]["known_on_deck"] > 0).any()
        assert (states["to_act"] != states["active"]).any()


@pytest.mark.parametrize("variant", [one for one in EVERY_VARIANT if "gambits" in one or "box/nemesis_beast/2" in one])
def test_face_down_cards_and_gambits_are_drawn_again(variant):
    game = game_of(variant)
    state = game.deal(9)
    copies = game.resample_hidden(np.repeat(state, 40), 0, np.arange(40))
    if game.variant.format.boss:
        assert len({copy["face_down"][: copy["face_down_unseen"]].tobytes() for copy in copies}) > 10
    else:
        assert len({gambits.tobytes() for gambits in copies["players"][:, 1]["gambits"]}) > 5
        assert (copies["players"][:, 0]["gambits"] == state["players"][0, 0]["gambits"]).all()


def test_raiders_see_the_hands_of_raiders_and_nobody_else():
    game = game_of("star_realms/box/raid/4")
    states = game.deal(np.arange(30))
    for seat in range(4):
        copies = game.resample_hidden(states, seat, np.arange(30))
        for other in range(4):
            same = all(
                sorted(pile_of(one["players"][other], Zone.HAND)) == sorted(pile_of(two["players"][other], Zone.HAND))
                for one, two in zip(states, copies, strict=True)
            )
            assert same == (other == seat or (seat > 0 and other > 0))


def hidden_cards(game, state, seat):
    """Return from a position what `observe_hidden` shows, by card, tile or number: {(place, name): count}."""
    position, seats = game.position(state), [f"player_{(seat + k) % game.players}" for k in range(game.players)]
    hands = {("hand", k): position["players"][seats[k]]["hand"] for k in range(1, game.players)}
    if game.variant.game == "interstellar_empire":
        piles = {"deck": position["deck"][:5]}
    elif game.variant.game == "empire_of_the_stars":
        piles = {"decks": [card for deck in position["tech_decks"].values() for card in deck[:1]]}
        piles["stack"] = position["tile_stack"][:1]
    else:
        drawn = state["players"]["count"][:, Zone.DECK]
        piles = {("deck", k): position["players"][seats[k]]["deck"][:5] for k in range(game.players)}
        piles["trade deck"] = position["trade_deck"][:5]
        assert all(len(piles["deck", k]) == min(5, drawn[(seat + k) % game.players]) for k in range(game.players))
    return {place: Counter(cards) for place, cards in (hands | piles).items()}


@pytest.mark.parametrize("variant", [*PROGRAMS, "star_realms/box/free_for_all/3", "rise_of_empire/2"])
def test_a_critic_sees_other_hands_and_the_next_cards(variant):
    """The rows are those of the position that people read; only plans of battles are left out."""
    game = game_of(variant)
    scale = game.variant.hidden_scale()
    assert scale.dtype == np.float32 and scale.shape == (game.hidden_size,)
    names = game.variant.names
    stars = game.variant.game == "empire_of_the_stars"
    if stars:
        names = [card.name for card in game.variant.content.technologies]
    for step, states in enumerate(random_steps(game, 3, scaled(60, 12), seed=8)):
        for seat in range(game.players):
            hidden = game.observe_hidden(states, seat)
            assert hidden.shape == (len(states), game.hidden_size) and hidden.dtype == np.uint8
            for state, row in zip(states, hidden, strict=True):
                seen = hidden_cards(game, state, seat)
                tiles = seen.pop("stack", None)
                blocks = row[: len(seen) * len(names)].reshape(len(seen), len(names))
                called = names
                if hasattr(game.variant, "card_name"):
                    called = [game.variant.card_name(state, number) for number in range(len(names))]
                for (place, cards), block in zip(seen.items(), blocks, strict=True):
                    assert Counter({called[k]: int(block[k]) for k in np.flatnonzero(block)}) == cards, (step, place)
                if tiles is not None:
                    assert row[blocks.size : -4].sum() == tiles.total()
                    assert (row[-4:] == 0).all() or game.position(state)["step"] == "plan"
