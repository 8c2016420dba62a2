"""Conditions on every request: from this server's own pages or from no page at all, and of a bounded size."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

MOST_BYTES = 1_000_000  # in the body of a request, and in a message of a socket
HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none';"
    " base-uri 'none'; form-action 'self'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
READING = ("GET", "HEAD", "OPTIONS")


class Guard:
    """Middleware that refuses requests for other hosts, changes by pages of other servers, and large bodies.

    `hosts` are the names of the server; if empty, any name passes. A page of another server may not even open a socket.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app, self._hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        code, refused = 400, _malformed(scope, headers)
        if not refused:
            code, refused = 403, self._refused(scope, headers)
        if refused and scope["type"] == "websocket":
            await receive()  # the request to connect; only an accepted socket learns why it closes
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": 4000 + code, "reason": refused})
        elif refused:
            await JSONResponse({"error": refused}, code)(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._bounded(scope, receive, send)

    def _refused(self, scope, headers):
        host = headers.get("host", "")
        if self._hosts and (urlsplit(f"//{host}").hostname or "") not in self._hosts:
            return "this server is not known by that host name; start it with --host"
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] not in READING
        if changes and origin is not None and urlsplit(origin).netloc != host:
            return "pages of other servers may not do this"
        return None

    async def _bounded(self, scope, receive, send):
        """Read the whole body first, unless it is too large, and add the headers to every answer."""
        body = b""
        more = True
        while more and len(body) <= MOST_BYTES:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        given = [{"type": "http.request", "body": body, "more_body": False}]

        async def once():
            return given.pop() if given else await receive()

        async def with_headers(message):
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                own = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in given]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        too_large = JSONResponse({"error": f"the body is larger than {MOST_BYTES:,} bytes"}, 413)
        await (too_large if len(body) > MOST_BYTES else self._app)(scope, once, with_headers)


def _malformed(scope, headers):
    """Return a sentence on a path or header that is not well formed, or None."""
    if "\0" in scope["path"]:
        return "the path holds a null character"
    for name, prefix in (("host", "//"), ("origin", "")):
        try:
            urlsplit(prefix + headers.get(name, "")).port  # noqa: B018 a port that is no number raises
        except ValueError:
            return f"the header {name.title()} is not well formed"
    return None
