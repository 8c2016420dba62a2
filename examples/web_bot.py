"""A bot that plays a seat of `stardeck serve` over its WebSocket: python examples/web_bot.py http://127.0.0.1:8000

It begins a game against `rules`, or takes a seat by its link: python examples/web_bot.py "http://…/games/ID/1#TOKEN"
"""

import json
import sys
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from websockets.sync.client import connect

LIKED = "attack", "buy", "use", "play"  # the first words of moves, the best ones first


def begin(server):
    """A new game: the link of our seat."""
    game = json.dumps({"game": "star_realms", "seats": ["person", "rules"]}).encode()
    with urlopen(Request(f"{server}/api/games", game, {"content-type": "application/json"})) as answer:
        return server + json.load(answer)["seats"][0]["page"]


def choose(moves):
    """What we do: the best of the moves, by its first word; what costs most is bought."""
    for word in reversed(LIKED):
        if liked := [move for move in moves if move["words"].startswith(word)]:
            return liked[-1]
    return moves[0]


def sights(socket):
    """What the seat is shown; a decision may be shown twice, and the second answer to it is refused."""
    while True:
        message = json.loads(socket.recv())
        if message["type"] == "sight":
            yield message


def play(link):
    """Play a seat to the end; returns the table at the end."""
    at = urlsplit(link)
    seat = int(at.path.rpartition("/")[2])
    with connect(f"ws://{at.netloc}/api{at.path}/socket?token={at.fragment}", max_size=None) as socket:
        socket.send(json.dumps({"pace": 0}))  # nobody watches
        for seen in sights(socket):
            if seen["table"]["over"]:
                return seen["table"]
            if seen["table"]["to_act"] == seat:
                move = choose(seen["table"]["moves"])
                socket.send(json.dumps({"number": seen["number"], "action": move["action"]}))


if __name__ == "__main__":
    given = sys.argv[1].rstrip("/")
    print(play(given if "#" in given else begin(given))["over"]["words"])
