"""Tools for language models, called by the protocol's own client, in this process or over the pipes of `zrf mcp`."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters

from tests.playing import RULES
from zrf_py import hosts, library
from zrf_py.mcp import server

HOP = """(game (title "Hop") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0)) ("2/1" (0 10))) (directions (n 0 -1) (s 0 1)))
    (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (n (verify empty?) add)))
  (board-setup (White (Man a1)) (Black (Man b2)))
  (loss-condition (White Black) stalemated))
"""


@pytest.fixture(autouse=True)
def _commands_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In quick tests, run commands in this process, and restore its folder, streams and variables afterwards."""
    async def run_zrf(
        command: list[str], seconds: float, folder: Path, typed: str, most: int,
    ) -> tuple[int, bytes, bytes]:
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            for name in ("argv", "stdin", "stdout", "stderr"):
                patch.setattr(sys, name, getattr(sys, name))
            for name in ("NO_COLOR", "COLUMNS"):
                patch.setenv(name, "")
            patch.delitem(sys.modules, "zrf_py.__main__", raising=False)  # `runpy` warns about modules already imported
            library._from_stdin.cache_clear()
            return hosts.zrf(command, folder, typed, most)

    if not request.node.get_closest_marker("slow"):
        monkeypatch.setattr(server, "run_zrf", run_zrf)


def call(folder: Path, *calls: tuple[str, dict[str, Any]], pipes: bool = False) -> list[Any]:
    """Return the results of tools called one after the other on one server; each is an object or an error's text."""
    async def work() -> list[Any]:
        command = StdioServerParameters(command=sys.executable, args=["-m", "zrf_py", "mcp", str(folder)])
        async with Client(command if pipes else server.make_server(folder)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names >= {"new", "check", "fix", "fmt", "lint", "explain", "show", "moves", "play", "why", "ends",
                             "words", "test", "judge", "games"}
            return [said(await client.call_tool(name, arguments)) for name, arguments in calls]

    return asyncio.run(work())


def said(result: Any) -> Any:
    text = result.content[0].text
    return text if result.is_error else json.loads(text)


def test_tools_return_results(tmp_path: Path) -> None:
    """Rules are checked, and games are played, tested and explained."""
    broken = HOP.replace("(verify empty?)", "(verify emty?)")
    found, good, word, moves, played, why, ends, tests, lint, words = call(
        tmp_path, ("check", {"rules": broken}), ("check", {"rules": HOP}), ("explain", {"word": "verify"}),
        ("moves", {"game": "tictactoe", "play": "b2; a1"}), ("play", {"rules": HOP, "moves": "a1 a2; b2 b1"}),
        ("why", {"game": "chess", "question": "e2 e5"}), ("ends", {"game": "tictactoe"}),
        ("test", {"rules": HOP, "tests": "```moves\nonly: a1 - a2\n```\n"}), ("lint", {"rules": HOP}),
        ("words", {"rules": HOP, "language": "de"}))
    assert not found["ok"] and found["problems"][0]["code"] == "unknown-condition"
    assert "empty?" in found["problems"][0]["help"]
    assert good == {"ok": True, "problems": []}
    assert word["keyword"]["form"] == "(verify CONDITION…)"
    assert moves["player"] == "X" and len(moves["moves"]) == 7
    assert played["outcome"]["losers"] == ["White"]
    assert "2  W (·) 2\n1  · [B] 1\n" in played["board"]
    assert "no block generates it" in why["text"]
    assert "three" in ends["text"] or "X" in ends["text"]
    assert tests["text"], tests
    assert "no-description" in lint["text"]
    assert words["text"].startswith("# Hop") and "Wie das Spiel endet" in words["text"]


def test_tools_return_changed_rules(tmp_path: Path) -> None:
    """Rules are created, fixed and formatted as text; for a file, the changes are only reported."""
    (tmp_path / "hop.zrf").write_text(broken := HOP.replace("(verify empty?)", "(verfy empty?)"), "utf-8")
    begun, mended, diff, styled, would, hopeless, kind = call(
        tmp_path, ("new", {"kind": "race", "board": "hexagons", "title": "-- Six"}), ("fix", {"rules": broken}),
        ("fix", {"game": "hop.zrf"}), ("fmt", {"rules": HOP}), ("fmt", {"game": "hop.zrf"}),
        ("fix", {"rules": "(game (frob))"}), ("new", {"kind": "chess"}))
    assert '(title "-- Six")' in begun["rules"] and "(se 0 1)" in begun["rules"]
    assert mended["ok"] and mended["rules"] == HOP and "Change to `verify`" in mended["text"]
    assert not diff["ok"] and "+  (piece (name Man) (moves (n (verify empty?) add)))" in diff["text"]
    assert styled["ok"] and styled["rules"] != HOP and styled["rules"].split() == HOP.split()
    assert "+      (start-rectangle 0 0 9 9)" in would["text"] and (tmp_path / "hop.zrf").read_text("utf-8") == broken
    assert not hopeless["ok"] and "(frob)" in hopeless["rules"] and "unknown-keyword" in hopeless["text"]
    assert "pattern" in kind


def test_a_picture_of_the_board_is_returned(tmp_path: Path) -> None:
    """Black's piece is dark in the picture that the client gets; without the piece, its square is as light as the
    rest."""
    from io import BytesIO

    from PIL import Image

    (tmp_path / "hop.zrf").write_text(HOP, "utf-8")

    async def work() -> list[Any]:
        async with Client(server.make_server(tmp_path)) as client:
            return [await client.call_tool("show", {"game": "hop.zrf", "position": p}) for p in ("", "(x b2)")]

    squares = []
    for result in asyncio.run(work()):
        assert not result.is_error and "Players" in result.content[1].text
        picture = Image.open(BytesIO(base64.b64decode(result.content[0].data))).convert("L")
        assert picture.width == server.WIDTH
        squares.append([picture.getpixel((x, 140)) for x in (180, 345)])
    (empty, dark), (same, light) = squares
    assert dark < empty - 100 and same == light == empty


def test_invalid_requests_are_refused(tmp_path: Path) -> None:
    """Files elsewhere, two games or none, too much text, moves that don't exist: each gets an error message and nothing
    else."""
    (tmp_path / "hop.zrf").write_text(HOP, "utf-8")
    here, outside, both, none, large, wrong, option = call(
        tmp_path, ("check", {"game": "hop.zrf"}), ("check", {"game": "../../etc/passwd"}),
        ("check", {"game": "chess", "rules": HOP}), ("check", {}), ("check", {"rules": " " * (server.MAX_RULES + 1)}),
        ("moves", {"game": "chess", "play": "e2 e5"}), ("explain", {"word": "--help"}))
    failed, = call(tmp_path, ("test", {"rules": HOP, "tests": "# Hop\n\n```moves\nonly: a1 - b1\n```\n"}))
    assert not failed["ok"] and "FAILED game.md:" in failed["text"]  # no folder is revealed
    assert here["ok"]
    assert "is outside" in outside
    assert "either" in both and "either" in none
    assert "250,000" in large
    assert "no-such-move" in wrong and "Traceback" not in wrong
    assert "not a keyword" in option


@pytest.mark.slow
def test_slow_calls_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SECONDS", 0.01)
    tools = server.Tools(tmp_path)

    async def work() -> None:
        with pytest.raises(server.ToolError, match="longer than"):
            await tools._command(["check", "chess"], 0.01)

    asyncio.run(work())


def test_tools_find_games_of_the_shelf() -> None:
    tools = server.Tools(RULES)
    assert tools.game("chess") == "chess"
    assert tools.game("booklet/tippy.zrf") == str(RULES / "booklet/tippy.zrf")


@pytest.mark.slow
def test_tools_work_over_pipes(tmp_path: Path) -> None:
    word, missing = call(tmp_path, ("explain", {"word": "verify"}), ("check", {"game": "hop.zrf"}), pipes=True)
    assert word["keyword"]["form"] == "(verify CONDITION…)" and "no file or bundled game" in missing


@pytest.mark.slow
def test_the_judge_tool_returns_a_report(tmp_path: Path) -> None:
    report, = call(tmp_path, ("judge", {"rules": HOP, "games": 50}))
    assert report["title"] == "Hop" or "Hop" in json.dumps(report)
