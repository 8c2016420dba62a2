"""A chat endpoint for tests, on a port of its own: the scripted models of examples/, and every kind of failure."""

import importlib.util
import json
import threading
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

_SPEC = importlib.util.spec_from_file_location(
    "scripted_model", Path(__file__).parents[1] / "examples" / "scripted_model.py"
)
scripted = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(scripted)


class Asked(list):
    """The conversations that an endpoint was asked, in order. `words` counts those of all prompts and answers."""

    def __init__(self):
        self.words_in = self.words_out = 0
        self.headers = []
        self.lock = threading.Lock()


@contextmanager
def endpoint(behave):
    """Start an endpoint and yield its address and what it was asked.

    Args:
        behave: Called as behave(number, messages). It returns the text of an answer, or (status, bytes, headers), or
            None to close the connection without an answer.
    """
    asked = Asked()

    class Handler(scripted.ScriptedModel):
        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            messages = request["messages"]
            with asked.lock:
                number = len(asked)
                asked.append(messages)
                asked.headers.append(dict(self.headers))
            answer = behave(number, messages)
            if answer is None:
                self.close_connection = True
                return
            if isinstance(answer, str):
                completion = scripted.completion(messages, answer)
                with asked.lock:
                    asked.words_in += completion["usage"]["prompt_tokens"]
                    asked.words_out += completion["usage"]["completion_tokens"]
                answer = 200, json.dumps(completion).encode(), {}
            self.send(*answer)

        def send(self, status, content, headers):
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(content))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request, client_address):
            """Keep quiet: the client has gone, as it should where it does not wait."""

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1", asked
        finally:
            server.shutdown()
            thread.join()


def late(which, held):
    """Return a behaviour that answers one request only when an event is set. which: the number of the request."""

    def behave(number, messages):
        if number == which:
            held.wait(60)
        return planner(number, messages)

    return behave


def planner(number, messages):
    """Answer as the scripted planner."""
    return json.dumps({"moves": scripted.planner(messages)})
