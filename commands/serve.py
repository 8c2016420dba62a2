"""The command `serve`: games in the browser."""

import subprocess
import sys
from contextlib import contextmanager
from typing import NoReturn

import click

from stardeck.commands.shared.listening import listener_on, server_class
from stardeck.commands.shared.options import HONEST, File, refusing
from stardeck.commands.shared.printing import say
from stardeck.kernels.errors import shown


@click.command(epilog="Example: stardeck serve, and open http://127.0.0.1:8000")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 lets every machine in the network connect.",
)
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 picks a free one.",
)
@click.option(
    "--folder",
    default="results/serve",
    show_default=True,
    type=File(file_okay=False),
    help="Folder in which games are saved.",
)
@click.option(
    "--results",
    type=File(exists=True, file_okay=False),
    help="Folder of measurements to show.  [default: results]",
)
@click.option(
    "--agent", "offered", multiple=True, metavar="NAME=AGENT",
    help="One more agent that players may choose, such as mine=results/mine/agent.safetensors or"
    " mine=http://localhost:9000; you may repeat the option.",
)  # fmt: skip
@HONEST
@click.option("--warm/--no-warm", default=True, show_default=True, help="Compile all games in the background.")
def serve(
    host: str, port: int, folder: str, results: str | None, offered: tuple[str, ...], honest: bool, warm: bool
) -> NoReturn:
    """Play, watch, replay and analyse games in the browser; other programs play over HTTP."""
    from stardeck.benchmarks.optional_dependencies import require

    with refusing(ValueError, OSError):
        require("web")
        import uvicorn

        from stardeck import agents
        from stardeck.agents.remote.address import address_of, is_remote
        from stardeck.agents.remote.agent import connection_to
        from stardeck.web.app import LOCAL, app_for
        from stardeck.web.guard import MOST_BYTES

        names = dict(_named(text) for text in offered)
        names = {name: agents.honest(agent) for name, agent in names.items()} if honest else names
        kept = [connection_to(address_of(agent)) for agent in names.values() if is_remote(agent)]  # while it serves
        everybody = host in ("0.0.0.0", "::")
        with listener_on(host, port) as listener, _warming(warm):
            app = app_for(folder, () if everybody else {*LOCAL, host}, names, results or "results")
            if everybody:
                say("every machine that can reach this one may start games and use its processor", err=True)
            say(f"open http://{'localhost' if everybody else host}:{listener.getsockname()[1]}; Ctrl-C ends it")
            config = uvicorn.Config(app, log_level="warning", access_log=False, ws_max_size=MOST_BYTES)
            server_class(uvicorn.Server)(config).run([listener])
            for connection in kept:
                connection.close()
        raise KeyboardInterrupt  # the server only ends with Ctrl-C


@contextmanager
def _warming(wanted):
    """Compile what games in the browser need, in a separate process that ends with the server."""
    from stardeck.kernels.compile.jit import CACHE_FOLDER

    if not wanted or CACHE_FOLDER is None:
        yield
        return
    command = [
        sys.executable,
        "-c",
        "from stardeck.benchmarks.speed.precompile import warm_up_for_browser; warm_up_for_browser()",
    ]
    quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    process = subprocess.Popen(command, **quiet, start_new_session=True)  # without our Ctrl-C
    try:
        yield
    finally:
        process.kill()  # the system releases its locks
        process.wait()


def _named(text):
    from stardeck.agents.strengths import STRENGTHS

    name, found, agent = text.partition("=")
    if not (found and name and agent):
        raise ValueError(f"--agent {shown(text)}: must be NAME=AGENT")
    if name in STRENGTHS:
        raise ValueError(f"--agent {shown(text)}: NAME must not be one of {', '.join(STRENGTHS)}")
    return name, agent
