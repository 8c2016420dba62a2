"""A bot as a program of its own, for `--agents "exec:python examples/remote_bot.py"`. It needs Python alone.

With a port it answers over HTTP instead: python examples/remote_bot.py 9000, for `--agents http://localhost:9000`
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LIKED = "attack", "buy", "use", "play"  # first words of moves, the best ones last
LEFT = "end turn", "decline", "pass"  # moves for when nothing else is left


def choose(decision):
    """Choose the best kind of move; among purchases the dearest, and elsewhere at random."""
    table = decision["table"]
    moves = [move for move in table["moves"] if move["words"] not in LEFT] or table["moves"]

    def wish(move):
        first, _, name = move["words"].partition(" ")
        cost = table["cards"].get(name, {}).get("cost") or 0
        return LIKED.index(first) if first in LIKED else -1, cost if first == "buy" else 0

    best = max(map(wish, moves))
    equal = [move for move in moves if wish(move) == best]
    return equal[int(decision["seed"]) % len(equal)]["action"]


def answer(request):
    """Return the answer to a request, which has the same version and id."""
    said = {"stardeck": request["stardeck"], "id": request["id"]}
    if request["type"] == "hello":
        return said | {"name": "remote-bot", "identity": "1", "wants": ["table"]}
    decisions = request["decisions"]
    return said | {"actions": [{"id": each["id"], "action": choose(each)} for each in decisions]}


class Handler(BaseHTTPRequestHandler):
    """Answers over HTTP."""

    protocol_version = "HTTP/1.1"  # connections stay open
    disable_nagle_algorithm = True  # an answer is sent at once

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(answer(request)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        """Write nothing for each request."""


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()
    for line in sys.stdin:  # it ends with Stardeck
        print(json.dumps(answer(json.loads(line))), flush=True)
