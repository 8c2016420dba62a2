"""Servers of commands: the socket that they listen on, and their end."""

import signal
import socket
from contextlib import contextmanager
from typing import Any

from stardeck.kernels.errors import reason, shown


def listener_on(host: str, port: int) -> socket.socket:
    """Return the socket that a server listens on. Raises OSError, which names host and port."""
    try:
        if not host:
            raise ValueError("no name")
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except (OSError, ValueError, TypeError) as error:  # ValueError, TypeError: not a host name
        raise OSError(f"--host {shown(host)} --port {port}: cannot listen there ({reason(error)})") from error


def server_class(uvicorn_server: type[Any]) -> type[Any]:
    """Return a server class that ends cleanly at Ctrl-C; uvicorn's own raises the signal again during its shutdown."""
    from stardeck.agents.remote.process import end_all

    class Server(uvicorn_server):
        @contextmanager
        def capture_signals(self):
            before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
            try:
                yield
            finally:
                for number, handler in before.items():
                    signal.signal(number, handler)

        async def shutdown(self, sockets=None):
            end_all()  # programs of agents: a decision that is waited for fails now
            await super().shutdown(sockets)

    return Server
