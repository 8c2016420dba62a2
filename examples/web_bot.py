"""A bot that plays a seat of `stardeck serve` over its WebSocket: python examples/web_bot.py http://127.0.0.1:8000

It begins a game against `rules`, or takes a seat by its link: python examples/web_bot.py "http://…/games/ID/1#TOKEN"
"""

import json
import sys
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from websockets.sync.client import connect

LIKED = "attack", "buy", "use", "play"  # first words of moves, in order of preference


def begin(server):
    """Begin a game and return the link of the bot's seat."""
    game = json.dumps({"game": "star_realms", "seats": ["person", "rules"]}).encode()
    with urlopen(Request(f"{server}/api/games", game, {"content-type": "application/json"})) as answer:
        return server + json.load(answer)["seats"][0]["page"]


def choose(moves):
    """Choose the best move by its first word; among purchases the most expensive."""
    for word in reversed(LIKED):
        if liked := [move for move in moves if move["words"].startswith(word)]:
            return liked[-1]
    return moves[0]


def sights(socket):
    """Yield the views of the seat; a decision may appear twice, and the server refuses the second answer."""
    while True:
        message = json.loads(socket.recv())
        if message["type"] == "sight":
            yield message


def play(link):
    """Play a seat to the end and return the final table."""
    at = urlsplit(link)
    seat = int(at.path.rpartition("/")[2])
    with connect(f"ws://{at.netloc}/api{at.path}/socket?token={at.fragment}", max_size=None) as socket:
        socket.send(json.dumps({"pace": 0}))  # no pause between moves
        for seen in sights(socket):
            if seen["table"]["over"]:
                return seen["table"]
            if seen["table"]["to_act"] == seat:
                move = choose(seen["table"]["moves"])
                socket.send(json.dumps({"number": seen["number"], "action": move["action"]}))


if __name__ == "__main__":
    given = sys.argv[1].rstrip("/")
    print(play(given if "#" in given else begin(given))["over"]["words"])
