"""Bids for the first turn against a model in plain Python: seats asked, allowed bids, price and first player."""

import json

import numpy as np
import pytest

import stardeck
from helpers import scaled
from stardeck.benchmarks.recordings import record

MOST = 20
VARIANTS = [
    {"first_turn": "bid"},
    {"first_turn": "bid", "first_player": 1, "authority": [3, 50]},
    {"first_turn": "bid", "set": "box", "gambits": 2, "gambit_round": True},
    {"first_turn": "bid", "set": "box", "format": "free_for_all", "players": 4, "authority": [30, 2, 1, 50]},
    {"first_turn": "bid", "set": "box", "format": "hunter", "players": 3, "first_player": 2},
    {"first_turn": "bid", "authority": [1, 1]},
    {"first_turn": "pie"},
    {"first_turn": "pie", "first_player": 1, "authority": [5, 30]},
    {"first_turn": "pie", "authority": [1, 50]},
    {"first_turn": "pie", "set": "rise_of_empire", "trade_deck": "post_campaign"},
]


def asked_by_an_auction(authority, first, bids):
    """Return who bids next (None: declined) and the allowed bids; or the owner of the first turn, and the price."""
    seats, declined, highest, price, seat = len(authority), set(), first, 0, first
    bids = list(bids)
    while True:
        may = list(range(price + 1, min(MOST, authority[seat] - 1) + 1))
        if may and not bids:
            return seat, may, True
        bid = bids.pop(0) if may else None
        if bid is None:
            declined.add(seat)
        else:
            highest, price = seat, bid
        waiting = [(seat + distance) % seats for distance in range(1, seats)]
        waiting = [other for other in waiting if other not in declined | {highest}]
        if not waiting:
            return highest, price
        seat = waiting[0]


def asked_by_a_price(authority, first, bids):
    """Return the same for a price that the first seat names; it is asked only if it has a choice."""
    other, most = 1 - first, min(MOST, authority[first] - 1)
    bids = [0, *bids] if most == 0 else bids  # a single answer needs no question
    if not bids:
        return first, list(range(most + 1)), False
    price, *answer = bids
    if authority[other] <= price:
        return first, price
    if not answer:
        return other, [price], True
    return (first, price) if answer[0] is None else (other, price)


@pytest.mark.parametrize("settings", VARIANTS, ids=lambda settings: "-".join(map(str, settings.values())))
def test_bids_are_asked_and_paid_as_by_a_model(settings):
    game = stardeck.make("star_realms", **settings)
    ask = asked_by_an_auction if settings["first_turn"] == "bid" else asked_by_a_price
    authority, first = game.settings["authority"], game.settings["first_player"]
    random, seen = np.random.default_rng(1), set()
    for seed in range(scaled(60, 12)):
        states, bids = game.deal(seed), []
        while len(asked := ask(authority, first, bids)) == 3:
            seat, may, may_decline = asked
            assert game.to_act(states)[0] == seat and states[0]["turn"] == 0
            wanted = [f"bid {amount}" for amount in may] + ["decline"] * may_decline
            assert sorted(game.moves(states)) == sorted(wanted)
            again = game.from_position(json.loads(json.dumps(game.position(states[0]))))
            assert game.position(again[0]) == game.position(states[0])
            assert not states["players"]["count"][0, : game.players, 1].any(), "nobody has drawn"
            bid = random.choice([*may[:3], *may[-2:], *[None] * may_decline])
            bids.append(None if bid is None else int(bid))
            game.apply(states, game.parse(states, "decline" if bid is None else f"bid {bid}"))
        winner, price = asked
        seen.add(asked)
        while states[0]["turn"] == 0:  # gambits may be revealed
            game.apply(states, game.parse(states, "decline"))
        left = list(authority)
        left[winner] -= price
        assert states["players"]["authority"][0, : game.players].tolist() == left
        assert game.first_seats(states)[0] == game.to_act(states)[0] == states[0]["active"] == winner
        order = [(winner + place) % game.players for place in range(game.players)]
        hands = states["players"]["count"][0, order, 1].tolist()
        plain = stardeck.make(
            "star_realms", **{k: v for k, v in settings.items() if k not in ("first_turn", "authority")}
        )
        begins = plain.settings["first_player"]
        assert (
            hands
            == plain.deal(seed)["players"]["count"][
                0, [(begins + p) % game.players for p in range(game.players)], 1
            ].tolist()
        )
    assert len(seen) > 1 or authority in ([1, 1], [1, 50])


def test_what_is_bid_is_seen_by_all():
    game = stardeck.make("star_realms", set="box", format="free_for_all", players=3, first_turn="bid")
    fields = {row["name"]: row for row in game.observation_table()}
    states = game.deal(5)
    for move in ("bid 3", "decline"):
        game.apply(states, game.parse(states, move))
    for seat in range(3):
        observed = game.observe(states, seats=[seat])[0]
        highest, may_bid = (
            observed[fields[name]["offset"] : fields[name]["offset"] + 3].tolist()
            for name in ("highest_bidder", "may_bid")
        )
        assert observed[fields["choices_left"]["offset"]] == 3
        assert highest == [int((seat + place) % 3 == 0) for place in range(3)]
        assert may_bid == [int((seat + place) % 3 != 1) for place in range(3)]


def test_rules_pays_what_the_first_turn_is_worth():
    for first_turn, price in (("bid", 4), ("pie", 4)):
        game = stardeck.make("star_realms", first_turn=first_turn)
        played = record.play(game, ["rules", "rules"], 1)
        bids = [move for move in played["moves"] if move.startswith("bid")]
        assert bids[-1] == f"bid {price}"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"first_turn": "auction"}, "first_turn='auction': must be one of agreed, bid, pie"),
        ({"first_turn": "pie", "set": "box", "format": "free_for_all"}, "first_turn='pie': is for 2 players, not 3"),
        ({"first_turn": "bid", "set": "box", "format": "emperor"}, "first_turn='bid': is for games without teams"),
        (
            {"first_turn": "bid", "set": "box", "format": "nemesis_beast"},
            "first_turn='bid': is for games without teams",
        ),
        ({"first_turn": "pie", "set": "rise_of_empire", "scenario": 2}, "first_turn='pie': is for games without teams"),
        (
            {"first_turn": "bid", "opening_hands": [5, 5]},
            "opening_hands=.5, 5.: must be the format's where players bid",
        ),
    ],
)
def test_where_nobody_can_bid_is_said(settings, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        stardeck.make("star_realms", **settings)


def test_wrong_bids_in_positions_are_named():
    game = stardeck.make("star_realms", first_turn="bid")
    position = game.position(game.deal(1)[0])
    pending = position["pending"][0]
    for changes, message in (
        ({"left": 4}, "pending: bid: left: 4: must be bits of seats, that of seat 0 among them"),
        ({"done": 21}, "pending: bid: done must be at most 20, optional 1 where a seat may decline"),
        ({"optional": 0}, "pending: bid: done must be at most 20, optional 1 where a seat may decline"),
    ):
        with pytest.raises(ValueError, match=message):
            game.from_position(position | {"pending": [pending | changes]})
    with pytest.raises(ValueError, match="pending: bid: is never asked while a game is being played"):
        game.from_position(position | {"turn_number": 1})
    plain = stardeck.make("star_realms")
    with pytest.raises(ValueError, match="first_player: player_1: player_0 has the first turn"):
        plain.from_position(plain.position(plain.deal(1)[0]) | {"first_player": "player_1"})


def test_gambits_may_be_revealed_before_the_first_turn_where_nobody_can_bid():
    chosen = {"set": "box", "gambits": 2, "gambit_round": True, "authority": [1, 1]}
    agreed, bid = (stardeck.make("star_realms", first_turn=first_turn, **chosen) for first_turn in ("agreed", "bid"))
    for seed in range(5):
        expected, states = agreed.deal(seed), bid.deal(seed)
        assert "decline" in bid.moves(states)
        for move in ("decline", "decline"):
            assert states[0]["turn"] == 0
            assert bid.moves(states) == agreed.moves(expected)
            agreed.play(expected, move)
            bid.play(states, move)
        assert states[0]["turn"] == expected[0]["turn"] == 1
