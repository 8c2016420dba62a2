"""Pages that teach the rules: complete words, true pictures and links, and guided first games that can be played."""

import re
from html.parser import HTMLParser

import pytest
from prose import complaints, sentences
from starlette.testclient import TestClient

from helpers import KINDS, game_of, random_steps, thorough
from stardeck.game.registry import GAMES
from stardeck.viewer import draw
from stardeck.viewer.signs import SIGNS, symbol_id, yields
from stardeck.web.app import app_for
from stardeck.web.learn import first_games, pictures, texts

TAUGHT = ["star_realms", "rise_of_empire", "interstellar_empire", "empire_of_the_stars"]
NAMES = {"none", "you"}  # of things that explain themselves
STEPS = thorough(300, 60)
VERBS = {  # the first words of moves that are no word of a game
    "card", "home", "first planet", "in", "to", "number", "region", "token", "resource", "match", "tile", "edict",
}  # fmt: skip


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with TestClient(app_for(tmp_path_factory.mktemp("games")), base_url="http://localhost") as client:
        yield client


class Page(HTMLParser):
    """The ids and the links of a page."""

    def __init__(self, html):
        super().__init__()
        self.ids, self.links = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if (tag, name) in (("a", "href"), ("use", "href")):
                self.links.append(value)


def pages():
    return ["/learn", *(f"/learn/{game}{rest}" for game in TAUGHT for rest in ("", "/icons", "/play"))]


# Pages


def test_every_game_of_the_package_is_taught():
    assert texts.taught() == TAUGHT and {name for name in GAMES if not GAMES[name].source} == set(TAUGHT)
    assert first_games.scripted() == texts.taught()


def test_every_page_is_there_with_each_id_once_and_no_dead_link(client):
    seen = {}
    for path in pages():
        answer = client.get(path)
        assert answer.status_code == 200 and "<h1>" in answer.text, path
        seen[path] = Page(answer.text)
        assert len(set(seen[path].ids)) == len(seen[path].ids), path
    for path, page in seen.items():
        for link in page.links:
            there, _, anchor = link.partition("#")
            there = there if there.startswith("/") else f"{path.rpartition('/')[0]}/{there}" if there else path
            assert client.get(there).status_code == 200, f"{path}: {link}"
            assert not anchor or anchor in seen[there].ids, f"{path}: {link}"


def test_rules_say_what_a_beginner_asks_first():
    for game in TAUGHT:
        anchors = [anchor for anchor, _ in texts.rules_of(game).sections]
        assert {"goal", "set-up", "end", "beginners"} <= set(anchors), game
        assert len(texts.markdown_of(game).split()) < 1300, f"{game}: short is better"
        assert re.findall(r"\(([^()]*Rulebook|Rulebook)[^)]*\)", texts.markdown_of(game), re.I), game
        assert len(texts.PICTURE.findall(texts.markdown_of(game))) >= 1, game


@pytest.mark.parametrize("name", pictures.listed())
def test_pictures_are_those_of_now_and_are_shown(name):
    scene = pictures.listed()[name]
    assert (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8") == pictures.drawn(scene), (
        "python -m stardeck.web.learn.pictures"
    )
    assert any(f"(picture:{name})" in texts.markdown_of(game) for game in TAUGHT)
    assert 'role="button"' not in pictures.drawn(scene)


def test_a_picture_of_a_place_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="'elsewhere': must be one of trade_row"):
        pictures.drawn(pictures.listed()["star_realms_cards"] | {"zones": ["elsewhere"]})


def test_unknown_games_are_refused_by_name(client):
    for path in ("/learn/chess", "/learn/chess/icons", "/learn/chess/play"):
        assert client.get(path).status_code == 404, path
    for path in ("/api/glossary?game=chess", "/api/first_game?game=chess"):
        answer = client.get(path)
        assert answer.status_code == 404 and "'chess'" in answer.text and "star_realms" in answer.text
    assert client.get("/api/glossary").status_code == 422


# Words


def test_a_variant_has_the_words_of_its_set(client):
    for variant, game in (
        ("star_realms/core/standard/2", "star_realms"),
        ("star_realms/rise_of_empire/standard/2/scenario=1", "rise_of_empire"),
        ("rise_of_empire/2", "rise_of_empire"),
        ("empire_of_the_stars/2/powers", "empire_of_the_stars"),
    ):
        assert client.get("/api/glossary", params={"game": variant}).json()["game"] == game
    both = client.get("/api/glossary?game=rise_of_empire").json()["terms"]
    assert {"outpost", "upgrade"} <= set(both) and both["outpost"]["rule"] == "/learn/star_realms#bases"


@pytest.mark.parametrize("game", TAUGHT)
def test_texts_are_short_and_plain(game):
    for term, entry in texts.glossary_of(game).items():
        assert not complaints(entry["text"]), term
        assert 1 <= len(sentences(entry["text"])) <= 3 and len(entry["text"]) < 220, term
    course = first_games.course_of(game)
    for text in [
        course.intro,
        course.outro,
        *(step["text"] for step in course.steps),
        *(t["text"] for t in course.tips),
    ]:
        assert not complaints(text) and len(text) < 290, text


@pytest.mark.parametrize("game", TAUGHT)
def test_no_form_has_two_meanings(game):
    forms = [form.lower() for term, entry in texts.glossary_of(game).items() for form in {term, *entry["forms"]}]
    assert len(forms) == len(set(forms)), sorted({form for form in forms if forms.count(form) > 1})


def words_of(table):
    """Yield the words of a table that a glossary has to explain."""
    for zone in table["zones"]:
        yield zone["name"]
        for thing in zone["things"]:
            yield from things_words(thing)
    for player in table["players"]:
        yield from (pool["name"] for pool in player["pools"])
        yield from player["marks"]
    for card in table["cards"].values():
        yield card["kind"]
        yield from card["factions"]
    for region in (table["map"] or {"regions": []})["regions"]:
        yield "planet" if yields(region["tile"]) else region["tile"] or "region"
        for thing in [*region["ships"], *([region["token"]] if region["token"] else [])]:
            yield thing["name"]
    for side in (table["battle"] or {"sides": []})["sides"]:
        yield side["name"]
        yield from side["amounts"]
    for move in table["moves"]:
        yield verb(move["words"])


def things_words(thing):
    for mark in thing.get("marks", ()):
        if not mark.startswith("as "):  # the name of a card that is copied
            yield mark
    yield from thing.get("amounts", ())


def verb(words):
    two = " ".join(words.split()[:2])
    return two if two in ("end turn", "use ally", "use scrap", "buy influence", "first planet") else words.split()[0]


@pytest.mark.parametrize("variant", KINDS)
def test_every_word_on_a_table_is_explained(variant):
    game = game_of(variant)
    page = texts.page_for(game.id)
    known = {form.lower() for term, entry in texts.glossary_of(page).items() for form in [term, *entry["forms"]]}
    found = set()
    for states in list(random_steps(game, 1, STEPS, seed=8))[::7]:
        seat = int(states[0]["to_act"])
        found |= set(words_of(game.table(states, seat if seat >= 0 else None)))
    unknown = {word for word in found - VERBS - NAMES if not explained(word.lower(), known)}
    assert len(found) > 8 and not unknown


def explained(word, known):
    """Check a word or, of several, that each part is a word of the game: "technologies of cost 2"."""
    if word in known:
        return True
    rest = word
    for form in sorted(known, key=len, reverse=True):
        rest = re.sub(rf"\b{re.escape(form)}\b", " ", rest)
    return not set(rest.split()) - {"of", "the", "to", "from", "looked", "at", "face", "down", "which", "one", "is",
                                    "second", "side", "1", "2", "3", "cards", "kept", "before"}  # fmt: skip


ABILITIES = {  # words that begin or stand in abilities
    "star_realms": ["trade", "combat", "authority", "Ally", "Scrap it", "OR", "acquire", "destroy", "discard", "draw"],
    "rise_of_empire": ["When you acquire it", "Ally", "Scrap it"],
    "interstellar_empire": ["war", "build", "explore", "discover", "conquers", "draw", "discard"],
    "empire_of_the_stars": ["surge", "core", "influence", "tactics", "weapons", "shields", "strength", "galaxy token"],
}


@pytest.mark.parametrize("game", TAUGHT)
def test_the_words_of_abilities_are_explained(game):
    known = {form.lower() for term, entry in texts.glossary_of(game).items() for form in [term, *entry["forms"]]}
    assert {word.lower() for word in ABILITIES[game]} <= known


# Signs


@pytest.mark.parametrize("game", TAUGHT)
def test_a_legend_has_each_sign_once(game, client):
    legend = texts.legend_of(game)
    assert len(legend) >= 3 and len({sign for sign, _, _ in legend}) == len(legend), legend
    page = client.get(f"/learn/{game}/icons").text
    for sign, term, text in legend:
        assert f'#{sign}"' in page and term in page and text.split("'")[0] in page


@pytest.mark.parametrize(
    ("game", "variants"),
    [
        ("star_realms", ["star_realms/core/standard/2", "star_realms/box/standard/2/gambits=2"]),
        ("interstellar_empire", ["interstellar_empire/2"]),
        ("empire_of_the_stars", ["empire_of_the_stars/2/powers"]),
    ],
)
def test_the_signs_of_a_legend_are_those_of_the_table(game, variants):
    drawn = ""
    for variant in variants:
        for seed in range(3):
            steps = list(random_steps(game_of(variant), 1, 400, seed=seed))
            drawn += "".join(draw(game_of(variant).table(states, 0)) for states in steps[:: len(steps) // 12])
    by_id = {symbol_id(name): path for name, path in SIGNS.items()}
    shields = {"base": 'class="sd-shield"', "outpost": 'class="sd-outpost"'}  # larger, around the defense
    by_id |= {symbol_id(name): part for name, part in shields.items()}
    missing = [term for sign, term, _ in texts.legend_of(game) if by_id[sign] not in drawn]
    assert not missing


# Guided first games


@pytest.mark.parametrize("game", TAUGHT)
def test_a_guided_first_game_can_be_played_as_it_says(game, client):
    """Through the endpoints, as a page does it: the game is begun as asked, and each move is legal at its number."""
    course = client.get("/api/first_game", params={"game": game}).json()
    begun = client.post("/api/games", json=course["begin"]).json()
    where, seat = f"/api/games/{begun['id']}/0", {"authorization": f"Bearer {begun['seats'][0]['token']}"}
    client.app.state.hub._live[begun["id"]].pace = 0
    assert len({step["turn"].partition(",")[0] for step in course["steps"]} - {"set-up"}) == 5
    for step in course["steps"]:
        seen = client.get(where, headers=seat).json()
        for _ in range(2000):
            if seen["table"]["to_act"] == 0:
                break
            seen = client.get(where, headers=seat).json()
        assert (
            seen["number"] == step["number"] and [e["words"] for e in seen["log"]] == course["course"][: step["number"]]
        )
        move = next(move for move in seen["table"]["moves"] if move["words"] == step["move"])
        assert move["action"] == step["action"] and set(move["place"]) <= set(step["places"])
        answer = client.post(where, headers=seat, json={"number": step["number"], "action": step["action"]})
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("game", TAUGHT)
def test_figures_in_a_coachs_text_come_from_the_table(game):
    script = first_games.tomllib.loads(first_games._path(game).read_text(encoding="utf-8"))
    names = {
        name for step in script["steps"] for move in step["moves"] for name in re.findall(r"[A-Z][A-Za-z ]+ \d", move)
    }
    for step in script["steps"]:
        text = first_games.BLANK.sub("", step["text"])
        for name in names:
            text = text.replace(name, "")
        assert set(re.findall(r"\d+", text)) <= set(re.findall(r"\d+", " ".join(step["moves"]))), step["text"]


def test_the_tips_of_a_coach_fit_moves(client):
    for game in TAUGHT:
        course = first_games.course_of(game)
        moves = {step["move"] for step in course.steps}
        assert sum(any(re.search(tip["when"], move) for move in moves) for tip in course.tips) >= 3, game


def test_scripts_that_cannot_be_played_name_the_step():
    script = {
        "game": "interstellar_empire", "seats": ["person", "rules"], "seed": 2, "intro": "", "outro": "", "tips": [],
        "steps": [{"text": "Draw.", "moves": ["build Battlecruiser"]}],
    }  # fmt: skip
    assert first_games.played(script).steps[0]["number"] == 0
    script["steps"][0]["moves"] = ["build Dreadnought"]
    with pytest.raises(first_games.Broken, match="step 1: .*build Dreadnought.*is not legal here"):
        first_games.played(script)
    script["steps"][0] = {"text": "You have {me trade}.", "moves": ["end turn"]}
    with pytest.raises(first_games.Broken, match=r"step 1: '\{me trade\}': is not on the table"):
        first_games.played(script)
