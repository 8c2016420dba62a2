"""The server of the Model Context Protocol: games as tools for a language model.

Each tool answers with a text to read and, for programs, the same as data. Each bad argument is one error that says what
is allowed. No tool tells a client what its seat may not know.
"""

import inspect
import json
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any, Literal, ParamSpec

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

import stardeck
from stardeck.agents.search.advice import advice
from stardeck.benchmarks.results.words import number_of
from stardeck.game.catalogue import GAMES, default_agent
from stardeck.game.registry import allowed_values, in_words, playable, settings_of, variants
from stardeck.language.mistakes import DOUBTED, mistakes_of
from stardeck.language.observation import observed
from stardeck.language.quick_measure import quick_advantage
from stardeck.language.rules_text import cards_in_brief, moves_in_brief, rules_in_brief
from stardeck.language.sessions import Sessions, Table, Wanted
from stardeck.language.turn_moves import Applied
from stardeck.web.choices import SHIPPED, RequestError, agent_from, game_from
from stardeck.web.learn.texts import summary_of, taught, title_of

P = ParamSpec("P")
MOST_MISTAKES = 20
SESSION = "mcp-session-id"  # header of HTTP with sessions; newer versions of the protocol have none
INSTRUCTIONS = (
    "Stardeck plays card and board games with its own agents. Call list_games, then rules, then start_game. Play with"
    " play_turn, which takes the moves of a whole turn, or play_move. Moves are texts, as legal_moves lists them."
)
Game = Annotated[str, Field(description="name of a game, as list_games gives it, such as star_realms")]
Settings = Annotated[
    dict[str, Any] | None,
    Field(description='settings of the game, as describe_game lists them: {"players": 3}; none: defaults'),
]
GameId = Annotated[str, Field(description="id that start_game gave")]
Session = Context[Any, Any]
READS = ToolAnnotations(read_only_hint=True)


def telling(tool: Callable[P, CallToolResult]) -> Callable[P, CallToolResult]:
    """Turn errors about arguments into errors of the tool, which the model reads."""

    @wraps(tool)
    def call(*args: P.args, **given: P.kwargs) -> CallToolResult:
        try:
            return tool(*args, **given)
        except ValueError as error:  # RequestError and IllegalAction are such
            raise ToolError(str(error)) from error

    return call


def _answer(text: str, **data: Any) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=data)


class Tools:
    """The tools. Their docstrings are what a model reads of them; `Field` describes their arguments."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    @telling
    def list_games(self) -> CallToolResult:
        """List the games, with a line about each and the number of its ready-made variants."""
        listed = variants()
        games = []
        for name in playable():
            about = " ".join(summary_of(name).split()) if name in taught() else ""
            own = [entry["id"] for entry in listed if entry["game"] == name]
            games.append({"game": name, "title": title_of(name), "about": about, "variants": len(own)})
        text = "\n".join(f"{row['game']} ({row['variants']} variants): {row['about']}" for row in games)
        return _answer(f"{text}\n\ndescribe_game says what can be set in a game, and who plays it.", games=games)

    @telling
    def describe_game(self, game: Game) -> CallToolResult:
        """List the settings, the ready-made variants and the possible opponents of a game."""
        made = game_from(game, {})
        settings = [
            {"setting": one.name, "default": one.default, "allowed": allowed_values(one), "meaning": one.meaning}
            for one in settings_of(game)
        ]
        own = [{"id": entry["id"], "settings": entry["settings"]} for entry in variants() if entry["game"] == game]
        agents = [name for name in SHIPPED if _plays(name, made)]
        lines = [in_words(one) for one in settings]
        text = "\n".join(
            ["Settings:", *lines, "", "Variants (settings that differ from the defaults):", *map(_variant, own), ""]
        )
        return _answer(f"{text}Opponents: {', '.join(agents)}", settings=settings, variants=own, opponents=agents)

    @telling
    def rules(
        self,
        game: Game,
        settings: Settings = None,
        cards: Annotated[bool, Field(description="add the text of every card")] = False,
    ) -> CallToolResult:
        """Explain the rules of a game in brief, and how its moves are written."""
        made = game_from(game, settings or {})
        parts = [rules_in_brief(made), f"## How moves are written\n\n{moves_in_brief(made)}"]
        parts += [f"## Cards\n\n{cards_in_brief(made)}"] if cards else []
        return _answer("\n\n".join(filter(None, parts)), game=made.id)

    @telling
    def start_game(
        self,
        game: Game,
        settings: Settings = None,
        opponents: Annotated[
            list[str] | None,
            Field(description="agents of the other seats in order, repeated if too few; none: the usual one"),
        ] = None,
        seat: Annotated[int, Field(description="your seat; seat 0 moves first")] = 0,
        seed: Annotated[int | None, Field(description="seed of the deal, to play it again; left out: random")] = None,
        ctx: Session | None = None,
    ) -> CallToolResult:
        """Start a game. The answer has its id and what you see; it is your turn then, unless the game is over."""
        wanted = Wanted(game, settings or {}, opponents or [_usual(game)], seat, seed)
        table = self._sessions.begin(_session(ctx), wanted)
        with table.lock:
            names = [player.name if player.agent else "you" for player in table.match.players]
            seats = ", ".join(f"player_{number} is {name}" for number, name in enumerate(names))
            begun = f"game_id: {table.id}\n{table.match.game.id}: {seats}"
            return _answer(f"{begun}\n\n{_seen(table)}", game_id=table.id, players=names, **_state(table))

    @telling
    def observe(
        self,
        game_id: GameId,
        format: Annotated[Literal["text", "json"], Field(description="text, or json: the table as data")] = "text",
        ctx: Session | None = None,
    ) -> CallToolResult:
        """Show the table as your seat sees it, with the texts of the cards in sight."""
        table = self._table(ctx, game_id)
        with table.lock:
            shown = observed(table.match.game, table.match.states, table.seat, format)
            if format == "text":
                return _answer(shown, **_state(table))
            return CallToolResult(
                content=[TextContent(type="text", text=shown)], structured_content={"table": json.loads(shown)}
            )

    @telling
    def legal_moves(self, game_id: GameId, ctx: Session | None = None) -> CallToolResult:
        """List your legal moves, as play_move takes them; `attack player_1 with 3` is a part of `… with all`."""
        table = self._table(ctx, game_id)
        with table.lock:
            moves = _moves(table)
            return _answer("\n".join(moves) or "none: the game is over", moves=moves)

    @telling
    def play_move(
        self,
        game_id: GameId,
        move: Annotated[str, Field(description="a move in words, such as: buy Cutter")],
        ctx: Session | None = None,
    ) -> CallToolResult:
        """Play one move. If it ends your turn, the opponents play; the answer says what happened and what you see."""
        table = self._table(ctx, game_id)
        with table.lock:
            applied = table.play([move])
            if applied.left is not None:
                raise RequestError(applied.reason)
            return _played(table, applied)

    @telling
    def play_turn(
        self,
        game_id: GameId,
        moves: Annotated[list[str], Field(description="moves in words, in order; the last may be: end turn")],
        ctx: Session | None = None,
    ) -> CallToolResult:
        """Play several moves, up to a whole turn, until one is illegal or the turn passes.

        The answer says which moves were played and why it stopped, what the opponents did, and what you see. If no move
        could be played, nothing has changed.
        """
        table = self._table(ctx, game_id)
        with table.lock:
            applied = table.play(moves)
            if not applied.moves:
                raise RequestError(applied.reason)
            return _played(table, applied)

    @telling
    def hint(
        self,
        game_id: GameId,
        agent: Annotated[str, Field(description="agent that advises you, such as rules or search:200")] = "rules",
        ctx: Session | None = None,
    ) -> CallToolResult:
        """Ask an agent what it would play in your place. It knows no more than your seat does."""
        table = self._table(ctx, game_id)
        with table.lock:
            if table.is_over:
                raise RequestError("the game is over: no move is left to advise on")
            game, states = table.match.game, table.match.states
            name = _usual(game.variant.game) if agent == "rules" else agent
            adviser = agent_from(name, game, {})
            words = game.describe(states, advice(game, game.copy(states), adviser, table.seat))
            return _answer(words, move=words, agent=adviser.name)

    @telling
    def result(self, game_id: GameId, ctx: Session | None = None) -> CallToolResult:
        """Say whether a game is over, and who has won; at the end also the seed of the deal."""
        table = self._table(ctx, game_id)
        with table.lock:
            game, states = table.match.game, table.match.states
            if not table.is_over:
                return _answer("the game is not over", **_state(table))
            found = game.outcomes(states)
            winners = [f"player_{seat}" for seat, won in enumerate(found["winners"][0]) if won]
            truncated = bool(game.truncated(states)[0])
            won = bool(found["winners"][0][table.seat])
            ending = "it reached its limit on turns" if truncated else f"won by {', '.join(winners) or 'nobody'}"
            text = f"the game is over: {ending}; you {'have won' if won else 'have not won'}; seed {table.match.seed}"
            data = {"winners": winners, "you_won": won, "truncated": truncated}
            places = [int(place) for place in found["placements"][0]]
            return _answer(text, **_state(table), **data, placements=places)

    @telling
    def analyse(
        self,
        game_id: GameId,
        most: Annotated[int, Field(description="number of mistakes to list")] = 5,
        ctx: Session | None = None,
    ) -> CallToolResult:
        """List your most costly mistakes so far, found by a search that knows what you knew. Takes up to 30 seconds."""
        if not 1 <= most <= MOST_MISTAKES:
            raise RequestError(f"most={most}: must be from 1 to {MOST_MISTAKES}")
        table = self._table(ctx, game_id)
        with table.lock:
            found = mistakes_of(table.match, table.seat, most)
        lines = [
            f"turn {row['turn']}: {row['played']}; better: {row['better']} (+{100 * row['lost']:.0f} points of"
            " winning probability)"
            for row in found.mistakes
        ]
        looked = f"{found.analysed} decisions analysed with {found.prior}, {found.skipped} earlier ones left out"
        none = f"no move lost more than {100 * DOUBTED:.0f} points of winning probability"
        return _answer("\n".join([looked, *(lines or [none])]), **found._asdict())

    @telling
    def first_player_advantage(
        self,
        game: Game,
        settings: Settings = None,
        agent: Annotated[
            str, Field(description="agent of all seats: rules, simple, random or a trained one")
        ] = "rules",
        games: Annotated[int, Field(description="number of games, at most 20,000")] = 1_000,
        seed: Annotated[int, Field(description="seed of all chance")] = 0,
    ) -> CallToolResult:
        """Measure how often the first player of a variant wins, with a 95 % interval. Takes up to 20 seconds."""
        made = game_from(game, settings or {})
        name = _usual(game) if agent == "rules" else agent
        found = quick_advantage(made, name, games, seed)
        first = found["first_advantage"]
        measured = f"{made.id}, {number_of(found['games'], 'game')} between {name}, seed {seed}"
        keys = {"variant": made.id, "games": found["games"], "seats": found["seats"], "first_advantage": first}
        if first["points"] is None:
            return _answer(f"{measured}: all players are one side, so there is no advantage", **keys)
        interval = f"95 % interval {first['low']:+.1f} to {first['high']:+.1f}"
        fair = f"a fair share of {100 / len(made.variant.sides):.1f} %"
        text = (
            f"{measured}: the first player wins {first['points']:+.1f} percentage points more than {fair}, {interval}"
        )
        return _answer(text, **keys)

    def _table(self, ctx: Session | None, game_id: str) -> Table:
        return self._sessions.find(_session(ctx), game_id)


class Server(MCPServer[Any]):
    """A server whose errors about arguments are one line."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool. Raises ToolError, which names the argument and what is allowed."""
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            known = ", ".join(one.name for one in self._tool_manager.list_tools())
            raise ToolError(f"tool {name!r}: must be one of {known}")
        taken = tool.parameters["properties"]
        if unknown := sorted(set(arguments) - set(taken)):
            raise ToolError(f"{name}: unknown argument {unknown[0]!r}: it takes {', '.join(taken) or 'none'}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(_complaint(name, cause)) from None
            if isinstance(cause, ToolError):
                raise cause from None
            raise


def _complaint(name: str, error: ValidationError) -> str:
    found = error.errors(include_url=False)[0]
    place = ".".join(map(str, found["loc"])) or "arguments"
    return f"{name}: {place}: {found['msg'][:1].lower()}{found['msg'][1:]}"


def server_of(sessions: Sessions | None = None) -> Server:
    """Return the server with its tools. sessions: its games; None: none yet."""
    server = Server(
        "stardeck", title="Stardeck", instructions=INSTRUCTIONS, version=stardeck.__version__, log_level="WARNING"
    )
    tools = Tools(sessions or Sessions())
    changing = (tools.start_game, tools.play_move, tools.play_turn)
    reading = (
        tools.list_games, tools.describe_game, tools.rules, tools.observe, tools.legal_moves, tools.hint,
        tools.result, tools.analyse, tools.first_player_advantage,
    )  # fmt: skip
    for tool in (*reading, *changing):
        about = inspect.cleandoc(tool.__doc__ or "")
        server.add_tool(tool, description=about, annotations=READS if tool in reading else None)
    return server


def _session(ctx: Session | None) -> str | None:
    """Return the id of the client's session; None if the transport has none."""
    headers = None if ctx is None else ctx.headers
    return None if headers is None else headers.get(SESSION)


def _usual(game: str) -> str:
    return default_agent(game) if game in GAMES else "rules"


def _plays(name: str, game: Any) -> bool:
    try:
        agent_from(name, game, {})
    except RequestError:
        return False
    return True


def _variant(entry: dict[str, Any]) -> str:
    return f"{entry['id']}: {json.dumps(entry['settings'])}"


def _moves(table: Table) -> list[str]:
    return [] if table.is_over else table.match.game.moves(table.match.states)


def _state(table: Table) -> dict[str, Any]:
    """Return where a game is: its end, the decisions taken, and the seed if it is open."""
    return {"over": table.is_over, "seat": table.seat, "decisions": table.match.number, "seed": table.seed}


def _seen(table: Table) -> str:
    """Return what has happened since the last call, and what the client sees now."""
    news, moves = table.news(), _moves(table)
    parts = [f"What happened:\n{_lines(news)}"] if news else []
    parts.append(observed(table.match.game, table.match.states, table.seat))
    parts.append(f"Your legal moves: {'; '.join(moves)}" if moves else "The game is over: ask for its result.")
    return "\n\n".join(parts)


def _lines(texts: Sequence[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)


def _played(table: Table, applied: Applied) -> CallToolResult:
    played = f"Played: {'; '.join(applied.moves)}."
    stopped = "" if applied.left is None else f" Not played: {applied.left} ({applied.reason})."
    state = _state(table)
    data = {"played": applied.moves, "left": applied.left, "reason": applied.reason, "moves": _moves(table)}
    return _answer(f"{played}{stopped}\n\n{_seen(table)}", **data, **state)
