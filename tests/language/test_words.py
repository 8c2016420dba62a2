"""Words between the games and a model: answers, invented names, rules and observations."""

import json
import re

import pytest

from helpers import game_of, random_steps
from stardeck.language.answers import MOST_MOVES, Unreadable, last_object, moves_in
from stardeck.language.observation import observed
from stardeck.language.renamed_cards import CardNames
from stardeck.language.rules_text import cards_in_brief, moves_in_brief, rules_in_brief

VARIANTS = [
    "star_realms/core/standard/2",
    "rise_of_empire/2",
    "interstellar_empire/2",
    "empire_of_the_stars/2/powers",
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"move": "a"}', {"move": "a"}),
        ('first {"move": "a"} then {"move": "b"} done', {"move": "b"}),
        ('{"a": {"move": "inner"}}', {"a": {"move": "inner"}}),
        ('{broken {"move": "a"}', {"move": "a"}),
        ('{"move": "a"} {broken', {"move": "a"}),
        ('```json\n{"moves": ["a",\n "b"]}\n```', {"moves": ["a", "b"]}),
        ('{"move": "brace } in a text"}', {"move": "brace } in a text"}),
        ("[1, 2]", None),
        ("{'move': 'a'}", None),
        ("", None),
        ("[" * 5_000 + "{" * 5_000, None),
    ],
)
def test_the_last_object_is_the_answer(text, found):
    assert last_object(text) == found


def test_moves_of_an_answer():
    assert moves_in('{"moves": [" a ", "b"]}', True) == ["a", "b"]
    assert moves_in('{"move": "a"}', True) == moves_in('{"move": "a"}', False) == ["a"]
    assert moves_in('{"moves": ["a"]}', False) == ["a"]
    assert len(moves_in(json.dumps({"moves": ["a"] * 900}), True)) == MOST_MOVES
    for text in ('{"moves": ["a", "b"]}', '{"move": ["a"]}', '{"move": 3}', "{}"):
        with pytest.raises(Unreadable, match="move"):
            moves_in(text, False)


def positions(variant):
    """Return positions of random games: (game, states of one row)."""
    game = game_of(variant)
    for step, states in enumerate(random_steps(game, 4, 200, seed=3)):
        if step % 7 == 0:
            yield from ((game, states[row : row + 1]) for row in range(len(states)))


@pytest.mark.parametrize("variant", VARIANTS)
def test_invented_names_lead_back_to_every_move(variant):
    names, seen = CardNames(game_of(variant), 1), 0
    for game, states in positions(variant):
        for move in game.moves(states):
            shown = names.shown(move)
            assert names.understood(shown) == move
            assert shown == move or names.understood(move) != move, "the real name is not understood"
            seen += shown != move
    assert seen > 20


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_text_of_a_game_names_a_real_card_after_renaming(variant):
    game = game_of(variant)
    names = CardNames(game, 1)
    real = re.compile(rf"\b(?:{'|'.join(map(re.escape, names.invented))})s?\b")
    texts = [rules_in_brief(game), moves_in_brief(game), cards_in_brief(game)]
    texts += [
        observed(game, states, int(states[0]["to_act"]), form)
        for _, states in positions(variant)
        for form in ("text", "json")
    ]
    assert any(real.search(text) for text in texts)
    for text in texts:
        assert not real.search(names.shown(text))


def test_invented_names_are_distinct_and_depend_on_the_seed_alone():
    game = game_of("star_realms/core/standard/2")
    one, again, other = (CardNames(game, seed).invented for seed in (1, 1, 2))
    assert one == again and one != other
    assert len(set(one.values())) == len(one) >= 48
    assert not {name.lower() for name in one.values()} & {name.lower() for name in one}
    assert CardNames(game, None).shown("play Scout") == "play Scout" == CardNames(game, None).understood("play Scout")


def test_names_are_replaced_whole_with_their_plural():
    names = CardNames(game_of("star_realms/core/standard/2"), 1)
    new = names.invented
    shown = names.shown("buy Trade Pod, 8 Explorers; RAM, Ramp and scout stay")
    assert shown == f"buy {new['Trade Pod']}, 8 {new['Explorer']}s; RAM, Ramp and scout stay"


@pytest.mark.parametrize("variant", VARIANTS)
def test_rules_are_plain_text(variant):
    text = rules_in_brief(game_of(variant))
    assert len(text) > 1_500 and "## " in text
    assert not re.search(r"!\[|\]\(|\{#|Rulebook", text)


@pytest.mark.parametrize("variant", VARIANTS)
def test_observations_hold_no_moves_and_the_text_of_cards(variant):
    for game, states in positions(variant):
        seat = int(states[0]["to_act"])
        text = observed(game, states, seat)
        assert "\n  moves " not in text
        cards = game.table(states, seat)["cards"]
        assert all(f"\n  {name} (" in text for name in cards)
