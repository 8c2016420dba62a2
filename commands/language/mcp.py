"""The command `mcp`: games as tools for language models."""

from typing import NoReturn

import click

from stardeck.commands.shared.listening import listener_on, server_class
from stardeck.commands.shared.options import refusing
from stardeck.commands.shared.printing import say


@click.command(epilog="Example: stardeck mcp --http 8001, and connect a client to http://127.0.0.1:8001/mcp")
@click.option(
    "--http",
    "port",
    metavar="PORT",
    type=click.IntRange(0, 65535),
    help="Serve streamable HTTP on this port; 0 picks a free one.  [default: standard input and output]",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on with --http; 0.0.0.0 lets every machine in the network connect.",
)
def mcp(port: int | None, host: str) -> NoReturn:
    """Offer the games as tools to a language model, over the Model Context Protocol.

    A client starts this command and talks to it over standard input and output, or connects over HTTP. The tools list
    games and rules, start games, show the table, play moves and whole turns, give hints and analyse mistakes.
    """
    from stardeck.benchmarks.optional_dependencies import require

    with refusing(ValueError, OSError):
        require("mcp")
        require("measure")
        from stardeck.language.mcp_server import server_of

        server = server_of()
        if port is None:
            server.run("stdio")
            raise click.exceptions.Exit(0)
        import uvicorn

        with listener_on(host, port) as listener:
            app = server.streamable_http_app(host=host)
            if host in ("0.0.0.0", "::"):
                say("every machine that can reach this one may start games and use its processor", err=True)
            say(f"http://{host}:{listener.getsockname()[1]}/mcp; Ctrl-C ends it")
            config = uvicorn.Config(app, log_level="warning", access_log=False)
            server_class(uvicorn.Server)(config).run([listener])
    raise KeyboardInterrupt  # the server only ends with Ctrl-C
