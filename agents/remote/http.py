"""Agents over HTTP: a POST for each request, on connections that stay open."""

import time
from typing import Any

from stardeck.agents.remote.transport import MOST_BYTES, RemoteError, late
from stardeck.kernels.errors import cut, reason

CONNECTING = 5.0  # seconds, at most, for the connection itself
CONNECTIONS = 16  # kept open, for agents that several threads ask
CHUNK = 2**16  # bytes
HEADERS = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}


class HttpTransport:
    """Connection to a URL. It follows no redirects, and sends a request again only if a kept connection was closed."""

    def __init__(self, url: str) -> None:
        self.generation = 0
        try:
            import urllib3
        except ModuleNotFoundError:
            raise ValueError(f"agent {cut(url)!r}: urllib3: not installed; pip install 'stardeck[remote]'") from None
        self._urllib3: Any = urllib3
        self._target = urllib3.util.parse_url(url).request_uri
        self._url = url
        self._pool = self._opened()

    def _opened(self):
        return self._urllib3.connection_from_url(self._url, maxsize=CONNECTIONS, retries=False)

    def exchange(self, request: bytes, timeout: float) -> bytes:
        """Send a request and return the answer, as in `Transport`."""
        errors = self._urllib3.exceptions
        for last in (False, True):
            try:
                return self._answer(request, timeout)
            except errors.NewConnectionError as error:
                raise RemoteError(f"no connection ({reason(error.__cause__ or error)})") from error
            except errors.ConnectTimeoutError as error:
                raise RemoteError(f"no connection within {min(CONNECTING, timeout):g} s") from error
            except errors.TimeoutError as error:
                raise RemoteError(late(timeout)) from error
            except errors.SSLError as error:
                raise RemoteError(f"no connection ({reason(error)})") from error
            except (errors.ProtocolError, OSError) as error:  # closed while it was idle, mostly
                if last:
                    raise RemoteError(f"the connection was closed before an answer ({reason(error)})") from error
            except errors.HTTPError as error:
                raise RemoteError(f"no answer ({reason(error)})") from error
        raise AssertionError

    def _answer(self, request, timeout):
        deadline = time.monotonic() + timeout
        limits = self._urllib3.Timeout(connect=min(CONNECTING, timeout), read=timeout)
        response = self._pool.urlopen(
            "POST", self._target, body=request, headers=HEADERS, timeout=limits, redirect=False, preload_content=False,
            decode_content=False,
        )  # fmt: skip
        try:
            body = _read(response, deadline, timeout)
        except BaseException:
            response.close()  # its connection holds the rest of the answer
            raise
        response.release_conn()
        if response.status != 200:
            raise RemoteError(_refusal(response, body))
        return body

    def reset(self) -> None:
        """Take the server for another one from now on; what is open stays open."""
        self.generation += 1

    def close(self) -> None:
        """Close the open connections."""
        open_one, self._pool = self._pool, self._opened()
        open_one.close()


def _read(response, deadline, timeout):
    """Return the body of an answer, up to MOST_BYTES of it and no later than the deadline."""
    parts, size = [], 0
    while part := response.read1(CHUNK):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise RemoteError(f"the answer is too long: at most {MOST_BYTES:,} bytes are allowed")
        if time.monotonic() > deadline:
            raise RemoteError(late(timeout))
    return b"".join(parts)


def _refusal(response, body):
    """Return what an answer with another status than 200 says."""
    where = response.headers.get("Location")
    if where is not None and 300 <= response.status < 400:
        return f"status {response.status}: redirects to {cut(where)}; redirects are not followed, so give that URL"
    text = cut(body.decode("utf-8", "replace"))
    return f"status {response.status}: must be 200" + (f"; it says: {text}" if text else "")
