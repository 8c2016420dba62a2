"""A chat endpoint that speaks the OpenAI-compatible protocol `chat/completions`.

Failures of the network and of the server are not failures of the model: they are retried with growing pauses, and end
in `Unreachable`. The size of an answer is bounded, so no server can fill the memory.
"""

import json
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import httpx2

from stardeck.kernels.errors import cut, said, shown

PATH = "/chat/completions"
MOST_BYTES = 4_000_000  # of one answer, with everything around it
LONGEST_PAUSE = 60.0  # seconds between two tries, whatever a server asks for
RETRIED = {408, 409, 425, 429}  # besides every status from 500 on
Message = Mapping[str, str]  # role and content


class Unreachable(Exception):
    """An endpoint that has not answered after all retries."""


class Refused(ValueError):
    """An endpoint that refuses a request, such as for a wrong key; the same request would be refused again."""


class Limits(NamedTuple):
    """Bounds of a request.

    Attributes:
        timeout: Seconds for one try.
        retries: Tries after the first.
        pause: Seconds before the first retry; each next pause is twice as long.
    """

    timeout: float = 120.0
    retries: int = 5
    pause: float = 1.0


class Reply(NamedTuple):
    """An answer of a model.

    Attributes:
        text: The answer; "" if it has none, or is too large.
        tokens_in: Tokens of the prompt; None if the server does not say.
        tokens_out: Tokens of the answer; None if the server does not say.
        seconds: Seconds of the try that was answered.
        retries: Tries that failed before.
    """

    text: str
    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    retries: int


class _Failed(Exception):
    """A try that failed; `pause` is what the server asks for, in seconds."""

    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.pause = pause


class Endpoint:
    """A chat endpoint. It may be used from several threads.

    Args:
        url: Address of the API, such as http://localhost:8000/v1, or of its `chat/completions`.
        model: Name of the model.
        key: Key of the API, or None.
        body: Further parts of the body of each request, such as {"temperature": 0}.
        limits: Bounds of a request.
    """

    def __init__(
        self, url: str, model: str, key: str | None = None, body: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
    ) -> None:  # fmt: skip
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"endpoint {shown(url)}: must be an address such as http://localhost:8000/v1")
        self.url = url if url.rstrip("/").endswith(PATH) else url.rstrip("/") + PATH
        self.model, self.body, self._limits = model, dict(body or {}), limits or Limits()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(headers=headers, timeout=self._limits.timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()

    def ask(self, messages: Sequence[Message], stopped: threading.Event | None = None) -> Reply:
        """Return the answer to a conversation.

        Args:
            messages: The conversation.
            stopped: Event after which no further try begins.

        Raises:
            Unreachable: No try was answered.
            Refused: The server refuses the request.
        """
        pause, stopped = self._limits.pause, stopped or threading.Event()
        for retries in range(self._limits.retries + 1):
            if stopped.is_set():
                raise Unreachable("the run was stopped")
            try:
                return self._try(messages)._replace(retries=retries)
            except _Failed as error:
                if retries == self._limits.retries:
                    raise Unreachable(f"{self.url}: {error}; {retries + 1} tries") from error
                stopped.wait(min(LONGEST_PAUSE, max(pause, error.pause or 0.0)))
                pause *= 2
        raise AssertionError("the last try returns or raises")

    def _try(self, messages: Sequence[Message]) -> Reply:
        body = {"model": self.model, "messages": list(messages), **self.body}
        began = time.monotonic()
        try:
            with self._client.stream("POST", self.url, json=body) as response:
                content = self._read(response, began + self._limits.timeout)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise _Failed(cut(said(error), 200)) from error
        _check(response, content)
        text, tokens_in, tokens_out = ("", None, None) if content is None else _parsed(content)
        return Reply(text, tokens_in, tokens_out, time.monotonic() - began, 0)

    def _read(self, response: httpx2.Response, until: float) -> bytes | None:
        """Return the content of a response; None if it is too large. Raises _Failed after the time is over."""
        content = bytearray()
        for part in response.iter_bytes():
            content += part
            if len(content) > MOST_BYTES:
                return None
            if time.monotonic() > until:
                raise _Failed(f"no whole answer within {self._limits.timeout:g} seconds")
        return bytes(content)


def _check(response: httpx2.Response, content: bytes | None) -> None:
    """Raise _Failed if a request may succeed later, and Refused if it cannot."""
    status = response.status_code
    if status == 200:
        return
    reason = f"status {status}: {cut((content or b'').decode('utf-8', 'replace'), 200) or 'no reason given'}"
    if status in RETRIED or status >= 500:
        raise _Failed(reason, _seconds(response.headers.get("retry-after")))
    raise Refused(f"the endpoint refuses the request with {reason}")


def _seconds(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:  # a date
        return None


def _parsed(content: bytes) -> tuple[str, int | None, int | None]:
    """Return the text of a completion and its tokens. Raises _Failed for anything else than a completion."""
    try:
        completion = json.loads(content)
        text = completion["choices"][0]["message"].get("content")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise _Failed("the answer is no chat completion") from error
    usage = completion.get("usage")
    tokens = usage if isinstance(usage, dict) else {}
    return text if isinstance(text, str) else "", _count(tokens, "prompt_tokens"), _count(tokens, "completion_tokens")


def _count(tokens: dict[str, Any], name: str) -> int | None:
    number = tokens.get(name)
    return number if isinstance(number, int) and not isinstance(number, bool) and number >= 0 else None
