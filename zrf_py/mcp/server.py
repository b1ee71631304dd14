"""The tools: each runs a command of `zrf`, most on a bundled game, a rules file of the folder, or rules given as text.

Each command runs in a process of its own with limits of time, memory and output, so no rules can stop the server.
"""

import asyncio
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from zrf_py import __version__
from zrf_py.catalogue import catalogue
from zrf_py.hosts import run_zrf
from zrf_py.library import shelf
from zrf_py.paths import replace_file
from zrf_py.play.move_parser import split_moves
from zrf_py.text.diagnostics import ZrfError

MAX_RULES = 250_000
"""Maximum number of characters of each text in one call: the rules, the tests, the moves."""
MAX_OUTPUT = 100_000
"""Maximum number of characters of a command's output; the rest is cut off."""
MAX_BYTES = 1_000_000
"""Maximum number of bytes of an answer, which may be a picture."""
AT_ONCE = 2
"""Maximum number of commands that run at the same time."""
RULES_FILE = "game.zrf"
"""Name of the file that holds rules given as text, in the folder where the command runs."""


@dataclass(frozen=True)
class CommandResult:
    """Result of a command: its exit code, standard output and standard error, each cut off at a limit; `data` is
    standard output as bytes."""

    code: int
    out: str
    err: str
    data: bytes = b""


SECONDS = 30.0
JUDGE_SECONDS = 300.0
MAX_GAMES = 400
WIDTH = 480
"""Width of a picture in pixels."""

Game = Annotated[str, Field(description="a bundled game or a rules file of the folder, instead of `rules`")]
Rules = Annotated[str, Field(description="the text of a rules file, instead of `game`")]
Variant = Annotated[str, Field(description="title or number of a variant (the first is 0)")]
Changes = Annotated[str, Field(description="changes to the start position: `(x a1)` empties a square, `(White King "
                                           "e1)` places a piece, `(turn Black)` sets the player to move")]
Played = Annotated[str, Field(description="moves to play first, separated by semicolons or commas")]

INSTRUCTIONS = """\
Tools for writing board games as rules files of Zillions of Games (.zrf). Start with a game from `new`, `check` it, let
`fix` apply the safe fixes, and correct the rest until no problem is left. `lint` reports likely mistakes, `fmt` formats
the text, `explain` describes a keyword or the code of a message. `moves` and `play` show what the rules allow, `show`
draws the board, `why` explains why a move is legal or illegal, and `words` describes the rules as they are played.
`test` runs tests of the game; `judge` plays many games and reports balance, length and depth."""


def make_server(folder: Path) -> MCPServer[Any]:
    """Return a server whose tools may read the rules files of a folder."""
    server: MCPServer[Any] = MCPServer("zrf", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    tools = Tools(folder)
    for tool in (tools.new, tools.check, tools.fix, tools.fmt, tools.lint, tools.explain, tools.show, tools.moves,
                 tools.play, tools.why, tools.ends, tools.words, tools.test, tools.judge, tools.games):
        server.tool(structured_output=False if tool == tools.show else None)(tool)
    return server


class Tools:
    """The tools, which may read files in `folder`; a model sees their docstrings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def new(
        self, kind: Annotated[str, Field(pattern="^(men|row|drops|race)$", description=(
            "men (walk and capture), row (three in a row), drops (from the store), race (step and jump)"))] = "men",
        board: Annotated[str, Field(pattern="^(squares|points|hexagons)$")] = "squares",
        title: Annotated[str, Field(max_length=100)] = "My Game",
        size: Annotated[int, Field(ge=4, le=26, description="number of rows and columns")] = 5,
    ) -> dict[str, Any]:
        """Create the rules of a small playable game to start from."""
        options = [f"--kind={kind}", f"--board={board}", f"--title={title}", f"--size={size}"]
        return {"rules": (await self._command(["new", *options, "-"], SECONDS)).out}

    async def check(self, rules: Rules = "", game: Game = "") -> dict[str, Any]:
        """Report every problem in rules: place, cause and cure. Rules without errors can be played."""
        result = await self._run(["check", "--json"], rules, game)
        return {"ok": result.code == 0, "problems": _json(result)}

    async def fix(self, rules: Rules = "", game: Game = "") -> dict[str, Any]:
        """Apply safe fixes; returns the fixed `rules`, or, for a file, the changes that it would make."""
        return await self._rewritten("fix", ["--write"], [], rules, game)

    async def fmt(self, rules: Rules = "", game: Game = "") -> dict[str, Any]:
        """Format rules; returns the formatted `rules`, or, for a file, the changes that it would make."""
        return await self._rewritten("fmt", [], ["--diff"], rules, game)

    async def lint(self, rules: Rules = "", game: Game = "") -> dict[str, Any]:
        """Report likely mistakes: code that never runs, pieces that never appear, goals that can't be reached."""
        result = await self._run(["lint"], rules, game)
        return {"ok": result.code == 0, "text": result.out + result.err}

    async def explain(self, word: Annotated[str, Field(max_length=100)]) -> dict[str, Any]:
        """Explain a keyword of the language or the code of a message: meaning, syntax, example."""
        return dict(_json(await self._command(["explain", "--json", "--", word], SECONDS)))

    async def show(
        self, rules: Rules = "", game: Game = "", variant: Variant = "", position: Changes = "", play: Played = "",
    ) -> list[Any]:
        """Show the board as a picture, and the players, positions, pieces and options of the game."""
        options = _position(variant, position, play)
        picture = await self._run(["show", "--png", "-", "--width", str(WIDTH), *options], rules, game)
        if len(picture.data) >= MAX_BYTES:
            raise ToolError("the picture is too large")
        return [Image(data=picture.data, format="png"), (await self._run(["show", *options], rules, game)).out]

    async def moves(
        self, rules: Rules = "", game: Game = "", variant: Variant = "", position: Changes = "", play: Played = "",
    ) -> dict[str, Any]:
        """List the legal moves of a position, the player to move, and the outcome if the game is over."""
        return dict(_json(await self._run(["moves", "--json", *_position(variant, position, play)], rules, game)))

    async def play(
        self, moves: Played, rules: Rules = "", game: Game = "", variant: Variant = "",
    ) -> dict[str, Any]:
        """Play moves from the start position; returns the board as text, the player to move, the legal moves, and the
        outcome if the game is over."""
        state = await self.moves(rules, game, variant, "", moves)
        typed = "".join(f"{move}\n" for move in split_moves(moves))
        result = await self._run(["play", "--no-color", *_variant(variant)], rules, game, typed=typed)
        boards = [part for part in result.out.split("\n\n") if part.strip()]
        return {**state, "board": boards[-1] if boards else ""}

    async def why(
        self, question: Annotated[str, Field(max_length=200, description="a move (`e2 e5`), PIECE@SQUARE or SQUARE")],
        rules: Rules = "", game: Game = "", variant: Variant = "", position: Changes = "", play: Played = "",
    ) -> dict[str, Any]:
        """Explain why a move is legal or illegal, by the blocks that could make it and the rules applied after them."""
        options = _position(variant, position, play)
        return {"text": (await self._run(["why", *options], rules, game, after=[question])).out}

    async def ends(
        self, rules: Rules = "", game: Game = "", variant: Variant = "", position: Changes = "", play: Played = "",
    ) -> dict[str, Any]:
        """Show which end conditions hold in a position, and how far off the others are."""
        options = _position(variant, position, play)
        return {"text": (await self._run(["why", "--end", *options], rules, game)).out}

    async def words(
        self, rules: Rules = "", game: Game = "", variant: Variant = "",
        language: Annotated[str, Field(pattern="^(en|de)$", description="en or de")] = "en",
    ) -> dict[str, Any]:
        """Describe the rules of a game in words, derived from its code, to compare with what is intended."""
        return {"text": (await self._run(["words", "--lang", language, *_variant(variant)], rules, game)).out}

    async def test(
        self, rules: Rules = "", game: Game = "",
        tests: Annotated[str, Field(description="Markdown with blocks of tests (default: those in the rules)")] = "",
    ) -> dict[str, Any]:
        """Run a game's tests: blocks of moves in its rules' comments, in the .md file beside it, or in `tests`."""
        result = await self._run(["test", "--verbose"], rules, game, tests=tests, ok=(0, 1, 2))
        return {"ok": result.code == 0, "text": result.out + result.err}

    async def judge(
        self, rules: Rules = "", game: Game = "", variant: Variant = "",
        games: Annotated[int, Field(ge=50, le=MAX_GAMES, description="number of random games")] = 100,
    ) -> dict[str, Any]:
        """Play many games by computer and report balance, length, depth, and pieces and rules that are never used."""
        result = await self._run(["judge", "--json", "--games", str(games), "--max-turns", "200", *_variant(variant)],
                                 rules, game, seconds=JUDGE_SECONDS)
        return dict(_json(result))

    async def games(self) -> dict[str, Any]:
        """List the bundled games, which serve as examples."""
        return {"text": (await self._command(["list"], SECONDS)).out}

    async def _run(
        self, command: list[str], rules: str, game: str, typed: str = "", after: list[str] | None = None,
        tests: str = "", seconds: float = SECONDS, ok: tuple[int, ...] = (0, 1),
    ) -> CommandResult:
        """Run a command on the rules or the game; the file's name follows `command`, and `after` follows the name."""
        if bool(rules) == bool(game):
            raise ToolError("give either `rules` (a text) or `game` (a name)")
        if tests and not rules:
            raise ToolError("give `tests` only with `rules`; a rules file has its tests in the .md file beside it")
        name = self.game(game) if game else RULES_FILE
        return await self._command([*command, "--", name, *(after or [])], seconds, rules, tests, ok, typed)

    def game(self, name: str) -> str:
        """Return a bundled game's name unchanged, and a file's name as a path.

        :raises ToolError: if it is neither, or a file outside the folder.
        """
        files = shelf()
        if name in files or name in catalogue() or name in {p.stem for p in files.values()}:
            return name
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder):
            raise ToolError(f"`{name}` is outside {self.folder}; start `zrf mcp FOLDER` with the folder of the rules "
                            "files")
        if not path.is_file():
            raise ToolError(f"there is no file or bundled game called `{name}`; give the name of a bundled game or a "
                            "rules file, or the rules as text")
        return str(path)

    async def _rewritten(
        self, command: str, write: list[str], compare: list[str], rules: str, game: str,
    ) -> dict[str, Any]:
        """Return the result of a command that changes a text, or (`compare`) the changes it would make to a file."""
        if game or not rules:
            result = await self._run([command, *compare], rules, game)
            return {"ok": result.code == 0, "text": result.out + result.err}
        result = await self._command([command, *write, "-"], SECONDS, typed=rules)
        return {"ok": result.code == 0, "rules": result.data.decode("utf-8", "replace"), "text": result.err}

    async def _command(
        self, command: list[str], seconds: float, rules: str = "", tests: str = "", ok: tuple[int, ...] = (0, 1),
        typed: str = "",
    ) -> CommandResult:
        """Run a command in a folder that holds `rules` as `RULES_FILE`, with its `tests`; return its output.

        :raises ToolError: if it takes too long, fails without output or with a code not in `ok`, or a text is too long.
        """
        if max(map(len, (rules, tests, typed))) > MAX_RULES:
            raise ToolError(f"the rules, the tests and the moves may have at most {MAX_RULES:,} characters each")
        async with self._turns:
            with tempfile.TemporaryDirectory(prefix="zrf-") as folder:
                path = Path(folder).resolve() / RULES_FILE
                replace_file(path, rules.encode("utf-8", "replace"))
                if tests:
                    replace_file(path.with_suffix(".md"), tests.encode("utf-8", "replace"))
                try:
                    code, out, err = await run_zrf(command, seconds, folder, typed, MAX_BYTES)
                except ZrfError as error:
                    raise ToolError(error.diagnostics[0].message) from None
        prefix = f"{path.parent}{os.sep}"  # a temporary folder that the client doesn't know
        result = CommandResult(code, _text(out).replace(prefix, ""), _text(err).replace(prefix, ""), out)
        if code not in ok or (code and not result.out.strip()):
            raise ToolError(result.err.strip() or f"the command ended with exit code {code}")
        return result


def _text(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return text if len(text) <= MAX_OUTPUT else text[:MAX_OUTPUT] + "\n… (the answer was cut off here)"


def _position(variant: str, position: str, play: str) -> list[str]:
    options = _variant(variant)
    options += ["--position", position if position.lstrip().startswith("(") else f"({position})"] if position else []
    return options + (["--play", play] if play else [])


def _variant(variant: str) -> list[str]:
    return ["--variant", variant] if variant else []


def _json(result: CommandResult) -> Any:
    try:
        return json.loads(result.out)
    except ValueError:
        raise ToolError(result.err.strip() or "the answer is too long") from None
