"""Load test of a running `stardeck serve` with many clients.

`python -m stardeck.benchmarks.speed.server_load http://127.0.0.1:8000` runs it; it needs the extra `web`. Each client
plays a game of Star Realms against `rules` over a WebSocket. It thinks for `--think` seconds before each decision, and
waits for the answer to it.
"""

import asyncio
import json
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import click
import numpy as np

from stardeck.kernels.errors import harmless


class Load(NamedTuple):
    """The result of a load test."""

    games: int  # finished games
    decisions: int  # answered decisions of clients
    lost: int  # decisions that were refused or not answered
    seconds: float
    waits: np.ndarray  # float64[decisions]: seconds until the answer


def load(server: str, clients: int, think: float = 0.2, decisions: int = 60) -> Load:
    """Play games side by side against a server.

    Args:
        server: URL of the server.
        clients: Number of clients, with one game each.
        think: Seconds that a client waits before a decision.
        decisions: Most decisions of a client.

    Raises:
        OSError: The server cannot be reached.
    """
    return asyncio.run(_load(server, clients, think, decisions))


async def _load(server, clients, think, decisions):
    begun = [await asyncio.to_thread(_begin, server) for _ in range(clients)]
    start = time.perf_counter()
    played = await asyncio.gather(*(_play(server, page, think, decisions) for page in begun))
    waits = np.array([wait for game in played for wait in game[0]])
    lost, over = sum(game[1] for game in played), sum(game[2] for game in played)
    return Load(over, len(waits), lost, time.perf_counter() - start, waits)


def _begin(server):
    new = json.dumps({"game": "star_realms", "seats": ["person", "rules"]}).encode()
    with urlopen(Request(f"{server}/api/games", new, {"content-type": "application/json"})) as answer:
        return urlsplit(json.load(answer)["seats"][0]["page"])


async def _play(server, page, think, most):
    """Play one game; return (waits in seconds, number of lost decisions, True if the game is over)."""
    from websockets.asyncio.client import connect

    waits: list[float] = []
    lost = 0
    address = f"ws{server.removeprefix('http')}/api{page.path}/socket?view=page&token={page.fragment}"
    async with connect(address, max_size=None) as socket:
        await socket.send(json.dumps({"pace": 0}))
        seen: dict[str, Any] = json.loads(await socket.recv())
        while not seen["table"]["over"] and len(waits) + lost < most:
            if seen["table"]["to_act"] != 0:
                seen = json.loads(await socket.recv())
                continue
            await asyncio.sleep(think)
            sent, number = time.perf_counter(), seen["number"]
            await socket.send(json.dumps({"number": number, "action": seen["table"]["moves"][-1]["action"]}))
            answer = json.loads(await socket.recv())
            while answer["type"] == "sight" and answer["number"] == number:  # sent before the decision arrived
                answer = json.loads(await socket.recv())
            if answer["type"] == "sight":
                waits.append(time.perf_counter() - sent)
                seen = answer
            else:
                lost += 1
    return waits, lost, bool(seen["table"]["over"])


@click.command(epilog="Example: python -m stardeck.benchmarks.speed.server_load http://127.0.0.1:8000 --clients 200")
@click.argument("server")
@click.option("--clients", default=200, show_default=True, type=click.IntRange(1, 2_000))
@click.option(
    "--think", default=1.0, show_default=True, type=click.FloatRange(0, 60), help="Seconds before a decision."
)
@click.option("--decisions", default=60, show_default=True, type=click.IntRange(1), help="Of a client, at most.")
def main(server: str, clients: int, think: float, decisions: int) -> None:
    """Test a running `stardeck serve` under the load of many clients."""
    try:
        found = load(server.rstrip("/"), clients, think, decisions)
    except (OSError, ValueError) as error:
        raise click.ClickException(harmless(f"{server}: {error}")) from error
    median, high = 1000 * np.quantile(found.waits, [0.5, 0.95])
    click.echo(
        f"{clients} clients: {found.decisions:,} decisions in {found.seconds:.1f} s, {found.lost} lost; "
        f"until the answer {median:.0f} ms, 95 % within {high:.0f} ms"
    )


if __name__ == "__main__":
    main()
