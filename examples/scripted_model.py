"""A chat endpoint whose "models" are scripts: scripted-planner, scripted-careless, scripted-chatter.

It is there to try `stardeck llm` without a language model, and to test it.

    python examples/scripted_model.py --port 8099
    stardeck llm star_realms --endpoint http://localhost:8099/v1 --model scripted-planner

The scripts read nothing but the messages, as a language model would. Their tokens are words of the messages.
"""

import argparse
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# What a player of most of these games does first, by the first word of a move.
ORDER = ("play", "use", "choose", "destroy", "attack", "buy", "build", "explore", "draw")
LAST = ("end", "decline", "pass", "done")


def legal_moves(messages):
    """Return the legal moves that the last message lists."""
    listed = messages[-1]["content"].partition("Legal moves:\n")[2].partition("\n\n")[0]
    return [line.removeprefix("- ") for line in listed.splitlines()]


def hand(table):
    """Return the cards that the hand of the player shows, {name: count}."""
    shown = re.search(r"\(you\).*?\n  hand +(.*?)\n  \w", table, re.S)
    cards = [] if shown is None else [" ".join(card.split()) for card in shown[1].split(",")]
    counted = (re.fullmatch(r"(.*?)(?: x(\d+))?", card) for card in cards)
    return {found[1]: int(found[2] or 1) for found in counted}


def texts(table):
    """Return the cards in sight, {name: (cost, text)}."""
    lines = re.findall(r"^  (.+?) \((.*)\): (.*)$", table.partition("Cards in sight:\n")[2], re.M)
    costs = ((name, re.search(r"cost (\d+)", about), text) for name, about, text in lines)
    return {name: (int(cost[1]) if cost else 0, text) for name, cost, text in costs}


def amount(cards, known, word):
    """Return how much of a thing, such as trade, the first abilities of cards give."""
    gains = {name: re.match(rf"[^;]*?\+(\d+) {word}", text) for name, (_, text) in known.items()}
    return sum(count * int(gains[name][1]) for name, count in cards.items() if gains.get(name))


def rank(move):
    """Return how early the planner takes a move: lower is earlier."""
    word = move.split()[0]
    return ORDER.index(word) if word in ORDER else len(ORDER) + (word in LAST)


def planner(messages):
    """Plan a whole turn of Star Realms: all cards of the hand, an attack, and the most expensive cards in sight.

    In other games, and after an interruption, take the move that comes first in ORDER.
    """
    moves = legal_moves(messages)
    table = next(message["content"] for message in reversed(messages) if "The table:" in message["content"])
    held, known = hand(table), texts(table)
    plays = [move for move in moves if move.startswith("play ")]
    if not plays or "  trade row" not in table:
        return sorted(moves, key=rank)[:1]
    plan = [move for move in plays for _ in range(held.get(move.removeprefix("play "), 1))]
    if amount(held, known, "combat"):
        plan += [f"attack {player} with all" for player in re.findall(r"^(player_\d)  authority", table, re.M)[:1]]
    trade = amount(held, known, "trade")
    row = " ".join(re.search(r"trade row (.*?)\n  supply", table, re.S)[1].split())
    for name, cost in sorted(re.findall(r"([^();]+?) \((\d+)", row), key=lambda card: -int(card[1])):
        if int(cost) <= trade:
            plan.append(f"buy {name.strip()}")
            trade -= int(cost)
    return [*plan, "end turn"]


def answer(model, messages):
    """Return the answer of a model."""
    if model not in ("scripted-planner", "scripted-careless"):
        return "It is a beautiful game, is it not?"
    careless = model == "scripted-careless" and len(messages[-1]["content"]) % 3 == 0
    moves = ["fly"] * careless + planner(messages)  # about every third answer begins with a move that no game knows
    whole_turn = '"moves"' in messages[-1]["content"]
    return "I have thought about it. " + json.dumps({"moves": moves} if whole_turn else {"move": moves[0]})


class ScriptedModel(BaseHTTPRequestHandler):
    """The endpoint: every request gets a chat completion."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = json.dumps(completion(asked["messages"], answer(asked["model"], asked["messages"]))).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format, *args):
        pass


def completion(messages, text):
    """Return a chat completion with its usage."""
    words = sum(len(message["content"].split()) for message in messages)
    usage = {"prompt_tokens": words, "completion_tokens": len(text.split())}
    return {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8099)
    port = parser.parse_args().port
    with ThreadingHTTPServer(("127.0.0.1", port), ScriptedModel) as server:
        print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
