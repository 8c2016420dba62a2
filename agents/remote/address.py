"""Texts of remote agents: `http://localhost:9000`, `https://…`, `exec:node bot.js`, with `timeout=5:` before them."""

import math
import re
import shlex
from typing import NamedTuple
from urllib.parse import urlsplit

from stardeck.kernels.errors import cut, shown

EXEC = "exec:"  # begins the text of a program that this machine starts
USUAL_TIMEOUT = 30.0  # seconds for the answer to a request
MOST_SECONDS = 3600.0
_REMOTE = re.compile(r"(?:timeout=(?P<seconds>[^:]*):)?(?P<target>(?:exec:|https?://).*)", re.S)
_ANYWHERE = re.compile(r"(?:^|[:=])(?:exec:|https?://)")


class Address(NamedTuple):
    """Place of a remote agent.

    Attributes:
        text: The text that names the agent.
        target: The text without its timeout: a URL, or `exec:` and a command line.
        timeout: Seconds for the answer to a request.
    """

    text: str
    target: str
    timeout: float

    @property
    def command(self) -> list[str]:
        """Words of the command line; empty for a URL."""
        return shlex.split(self.target.removeprefix(EXEC)) if self.target.startswith(EXEC) else []

    def __str__(self) -> str:
        return cut(self.target)


def is_remote(text: str) -> bool:
    """Return true if a text names a remote agent."""
    return _REMOTE.fullmatch(text) is not None


def mentions_remote(text: str) -> bool:
    """Return true if a text names a remote agent, or one in a role, such as the prior policy of a search.

    Names in files of results come from elsewhere: looking them up must not start programs or send requests.
    """
    return _ANYWHERE.search(text) is not None


def address_of(text: str) -> Address:
    """Return the address that a text names. Nothing is started or sent. Raises ValueError."""
    found = _REMOTE.fullmatch(text)
    if found is None:
        raise ValueError(f"agent {shown(text)}: must be exec:COMMAND, http://HOST:PORT or https://HOST")
    address = Address(text, found["target"], _seconds(text, found["seconds"]))
    fault = _fault_of_command(address) if address.target.startswith(EXEC) else _fault_of_url(address.target)
    if fault:
        raise ValueError(f"agent {shown(text)}: {fault}")
    return address


def _seconds(text, given):
    if given is None:
        return USUAL_TIMEOUT
    try:
        seconds = float(given)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= MOST_SECONDS:
        allowed = f"must be above 0 and at most {MOST_SECONDS:g} seconds"
        raise ValueError(f"agent {shown(text)}: timeout={cut(given)}: {allowed}")
    return seconds


def _fault_of_command(address):
    try:
        words = address.command
    except ValueError as error:  # No closing quotation
        return f"is not a command line ({error})"
    if "\0" in address.target:
        return "a command line has no null character"
    return "" if words and words[0] else "must go on with a command, exec:COMMAND"


def _fault_of_url(url):
    if not url.isprintable() or " " in url:
        return "a URL has neither spaces nor control characters"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port  # reading a port checks it
    except ValueError as error:
        return f"is not a URL ({error})"
    if not host:
        return "must name a host, such as http://localhost:9000"
    if parts.username is not None or parts.fragment:
        return "must have neither a password nor a fragment (#): results keep this text"
    return ""
