"""Ways to a remote agent: each sends a request and returns the answer, as bytes of JSON."""

from typing import Protocol

MOST_BYTES = 4 * 2**20  # of an answer; that to 1,024 decisions takes 64 kB


class RemoteError(Exception):
    """Failure to get an answer: the reason, without the name of the agent."""


class Transport(Protocol):
    """Connection to one remote agent.

    Attributes:
        generation: Number of failures; after each of them another program may answer.
    """

    generation: int

    def exchange(self, request: bytes, timeout: float) -> bytes:
        """Send a request and return the answer.

        Args:
            request: JSON on one line, without a line break.
            timeout: Seconds for the answer.

        Returns:
            The answer, not parsed.

        Raises:
            RemoteError: There is no answer.
        """
        ...

    def reset(self) -> None:
        """Begin again with the next request, because an answer showed that the program is out of step."""
        ...

    def close(self) -> None:
        """End the connection; a program of ours ends too."""
        ...


def late(timeout: float) -> str:
    """Return what is wrong with an answer that has not come. timeout: seconds."""
    return f"no answer within {timeout:g} s; `timeout=SECONDS:` before the text of the agent sets another limit"
