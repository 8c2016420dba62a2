"""The command `llm`: series of games of a language model against agents."""

import json
import os
from typing import Any

import click

from stardeck.commands.shared.options import (
    AGENTS,
    AS_JSON,
    GAME,
    SEED,
    File,
    GameCommand,
    keeping,
    make_game,
    refusing,
)
from stardeck.commands.shared.printing import say
from stardeck.kernels.errors import shown

KEY = "STARDECK_API_KEY"


def _body(context: click.Context, parameter: click.Parameter, given: str | None) -> dict[str, Any]:
    """Return further parts of a request."""
    if given is None:
        return {}
    try:
        body = json.loads(given)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict) or {"model", "messages", "stream"} & body.keys():
        raise click.UsageError(f"--body {shown(given)}: must be a JSON object without model, messages and stream")
    return body


@click.command(
    cls=GameCommand,
    epilog="Example: stardeck llm star_realms --endpoint http://localhost:8000/v1 --model mine --games 20",
)
@GAME
@click.option("--endpoint", required=True, metavar="URL", help="Address of an OpenAI-compatible API.")
@click.option("--model", required=True, metavar="NAME", help="Name of the model at the endpoint.")
@click.option(
    "--against",
    "agents",
    default="rules",
    show_default=True,
    help=f"Opponents, with commas; the first has 0 Elo. {AGENTS}.",
)
@click.option(
    "--games", default=20, show_default=True, type=click.IntRange(1, 100_000),
    help="Games against each opponent, in pairs with sides swapped.",
)  # fmt: skip
@SEED
@click.option("--observation", default="text", show_default=True, type=click.Choice(["text", "json"]))
@click.option("--legal/--no-legal", default=True, show_default=True, help="List the legal moves in each message.")
@click.option(
    "--turns/--moves", default=True, show_default=True, help="Ask for a whole turn in one message, or for one move."
)
@click.option(
    "--history", default=40, show_default=True, type=click.IntRange(0, 1000),
    help="Decisions that a message recalls, at most.",
)  # fmt: skip
@click.option(
    "--fallback",
    default="random_legal",
    show_default=True,
    type=click.Choice(["random_legal", "forfeit"]),
    help="What follows three answers in a row that cannot be used: random legal moves, or a lost game.",
)
@click.option("--renamed", is_flag=True, help="Give the cards invented names, against memory of the real ones.")
@click.option(
    "--body", metavar="JSON", callback=_body, help='Further parts of each request, such as {"temperature": 0}.'
)
@click.option("--parallel", default=1, show_default=True, type=click.IntRange(1, 256), help="Games played at once.")
@click.option(
    "--timeout", default=120.0, show_default=True, type=click.FloatRange(0.1, 3600), help="Seconds for one request."
)
@click.option(
    "--retries", default=5, show_default=True, type=click.IntRange(0, 100),
    help="Further tries of a request that fails, with growing pauses.",
)  # fmt: skip
@click.option(
    "--pause", default=1.0, show_default=True, type=click.FloatRange(0, 60), help="Seconds before the first retry."
)
@click.option("--price-in", type=click.FloatRange(0, 1e6), help="Price of a million tokens of messages.")
@click.option("--price-out", type=click.FloatRange(0, 1e6), help="Price of a million tokens of answers.")
@click.option(
    "--panel-games", default=400, show_default=True, type=click.IntRange(0, 1_000_000),
    help="Games of each match of the opponents among themselves, which set the scale of Elo; 0: none.",
)  # fmt: skip
@click.option("--out", type=File(file_okay=False), help="Folder of results.  [default: results/llm-<variant>-<model>/]")
@AS_JSON
def llm(
    game: str, settings: dict[str, Any], agents: str, model: str, out: str | None, as_json: bool, **options: Any
) -> None:
    """Rate a language model at a chat endpoint against agents, with intervals.

    The command writes summary.json, games.jsonl and every message. The same command continues an interrupted run, and
    asks for nothing twice; with more --games it extends a finished one. The key of the API is read from the environment
    variable STARDECK_API_KEY, and stored nowhere. The exit code is 1 if the endpoint left games unfinished.
    """
    from stardeck.benchmarks.optional_dependencies import require

    with refusing():
        require("mcp")
        require("measure")
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.commands.shared.tables import print_model
    from stardeck.language.endpoint import Endpoint, Limits
    from stardeck.language.harness import Run, Use, play_model
    from stardeck.language.prompts import Prompting

    played = make_game(game, settings)
    out = out or f"results/llm-{played.id.replace('/', '-')}-{_for_a_folder(model)}"
    form = Prompting(options["observation"], options["legal"], options["turns"], options["history"])
    run = Run(
        agents.split(","), options["games"], options["seed"], form, options["fallback"], options["renamed"],
        options["panel_games"],
    )  # fmt: skip
    use = Use(options["parallel"], options["price_in"], options["price_out"])
    limits = Limits(options["timeout"], options["retries"], options["pause"])
    with keeping(f"what was answered is in {out}"), refusing(), progress_bar("games") as progress:
        with Endpoint(options["endpoint"], model, os.environ.get(KEY), options["body"], limits) as endpoint:
            summary = play_model(played, endpoint, run, out, use, progress)
    say(json.dumps(summary)) if as_json else print_model(summary, out)
    if summary["unfinished"]:
        first = summary["unfinished"][0]
        count = len(summary["unfinished"])
        games = "1 game is" if count == 1 else f"{count} games are"
        say(f"{games} unfinished: {first['reason']}; the same command continues", err=True)
        raise click.exceptions.Exit(1)


def _for_a_folder(model):
    return "".join(letter if letter.isalnum() or letter in "-." else "_" for letter in model)[:80]
