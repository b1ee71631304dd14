"""A server and browsers for tests of boards: the real program in a process of its own, a real Chromium."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from zrf_py.serve.links import pack

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run"]


def chromium() -> str | None:
    """The browser of this machine, if it has one."""
    return os.environ.get("ZRF_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


class Server:
    """`zrf serve` with boards kept in a folder; chance and computers don't hold back."""

    def __init__(self, state: Path, *arguments: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "zrf_py", "serve", *arguments, "--port", str(port), "--state", str(state),
                   "--pace", "0.01"]
        environment = {**os.environ, "ZRF_CACHE": str(state / "cache")}
        state.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        env=environment)
        assert self.process.stdout
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, said + (self.process.stdout.read() if self.process.poll() is not None else "")
        self.port = int(found[1])
        self.address = found[0].rstrip("/")

    def end(self) -> str:
        """Ask it to end; what it said besides its address."""
        self.process.terminate()
        said, _ = self.process.communicate(timeout=15)
        return said

    def make(self, **wish: Any) -> dict[str, str]:
        """A new board: {"id", "token"}."""
        request = urllib.request.Request(f"{self.address}/api/tables", json.dumps(wish).encode(),
                                         {"content-type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            found: dict[str, str] = json.load(answer)
        return found


def until(page: Any, expression: str, seconds: float = 20) -> None:
    """Wait for something in a page; Playwright's own way is forbidden by the page's content security policy."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"in vain: {expression}"
        page.wait_for_timeout(20)


class Board:
    """A page with a board, as somebody uses it."""

    def __init__(self, page: Any) -> None:
        self.page = page

    @staticmethod
    def open(page: Any, game: str, line: Iterable[str] = (), players: str = "", ply: int | None = None) -> Board:
        """A new board of a game, after some moves or changes of the board; `ply` if others follow by themselves."""
        query = f"?players={players}" if players else ""
        moves = list(line)
        page.goto(f"/new{query}#{pack(game, None, moves)}")
        page.wait_for_url("**/t/*")
        board = Board(page)
        board.at(len(moves) if ply is None else ply)
        return board

    def at(self, ply: int) -> None:
        """Wait until so many moves have been made."""
        self.page.wait_for_selector(f'#board svg[data-ply="{ply}"]', timeout=20_000)

    @property
    def ply(self) -> int:
        return int(self.page.get_attribute("#board svg", "data-ply"))

    def click(self, place: str) -> None:
        self.page.locator(f'#board .place[data-place="{place}"]').click(force=True)

    def go(self, *places: str) -> None:
        """Click from place to place, each click a leg."""
        ply = self.ply
        self.click(places[0])
        for i, place in enumerate(places[1:], 1):
            self.click(place)
            self.at(ply + i)

    def click_target(self) -> None:
        """Click on the first place that is lit."""
        self.page.mouse.click(*self.page.evaluate("""() => {
            const lit = document.querySelector(".lit .go, .lit .take").getBoundingClientRect();
            return [lit.x + lit.width / 2, lit.y + lit.height / 2];
        }"""))

    def targets(self) -> int:
        """How many places are lit to go to."""
        return int(self.page.locator("#board .lit .go, #board .lit .take:not(.back)").count())

    def piece(self, place: str) -> str:
        """Who stands on a place, as `player:type`; "" if nobody."""
        found = self.page.locator(f'#board .piece[data-place="{place}"]')
        return f"{found.get_attribute('data-player')}:{found.get_attribute('data-type')}" if found.count() else ""

    def status(self) -> str:
        return str(self.page.text_content("#status"))

    def moves(self) -> list[str]:
        return [str(text) for text in self.page.locator("#list button").all_text_contents()]
