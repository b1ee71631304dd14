"""A server and browsers for tests of boards: the real program in a process of its own, a real Chromium."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.playing import HANG
from zrf_py.author.sharing import pack

PATIENCE = 300
"""Seconds within which a page must show the expected contents, however busy the machine is."""

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run"]


def chromium() -> str | None:
    """Return the path of Chromium on this machine; None if there is none."""
    return os.environ.get("ZRF_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


class Server:
    """`zrf serve` with boards stored in a folder; chance and computers move almost without delay."""

    def __init__(self, state: Path, *arguments: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "zrf_py", "serve", *arguments, "--port", str(port), "--state", str(state),
                   "--pace", "0.01"]
        environment = {**os.environ, "ZRF_CACHE": str(state / "cache")}
        state.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        env=environment)
        assert self.process.stdout
        said = self.process.stdout.readline()
        if said.startswith("Reading the rules files in"):
            said += self.process.stdout.readline()
        found = re.search(r"http://[\d.]+:(\d+)/", said)
        assert found, said + (self.process.stdout.read() if self.process.poll() is not None else "")
        self.said = said
        self.port = int(found[1])
        self.address = found[0].rstrip("/")

    def kill(self) -> str:
        """Kill the server in the middle of its work; return its output after the line with the address."""
        self.process.kill()
        said, _ = self.process.communicate(timeout=HANG)
        return said

    def end(self) -> str:
        """Ask the server to end; return its output after the line with the address."""
        self.process.terminate()
        said, _ = self.process.communicate(timeout=HANG)
        return said

    def make(self, **wish: Any) -> dict[str, str]:
        """Make a new board: {"id", "token"}."""
        request = urllib.request.Request(f"{self.address}/api/tables", json.dumps(wish).encode(),
                                         {"content-type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            found: dict[str, str] = json.load(answer)
        return found


@contextmanager
def files_served(folder: Path) -> Iterator[str]:
    """Serve the files in a folder; yield the address."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def until(page: Any, expression: str, seconds: float = PATIENCE) -> None:
    """Wait for a condition in a page; the page's content security policy forbids Playwright's own method."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"in vain: {expression}"
        page.wait_for_timeout(20)


@contextmanager
def a_page(browser: Any, server: Server, expected: str = "ERR_CONNECTION_REFUSED", **settings: Any) -> Iterator[Any]:
    """Open the page of a first-time visitor; errors in the browser fail the test, unless they contain `expected`."""
    context = browser.new_context(**{"base_url": server.address, "reduced_motion": "reduce", **settings})
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
    yield page
    context.close()
    assert not [c for c in complaints if expected not in c], complaints


class Board:
    """A page with a board, and a user's actions on it."""

    def __init__(self, page: Any) -> None:
        self.page = page

    @staticmethod
    def open(page: Any, game: str, line: Iterable[str] = (), players: str = "", ply: int | None = None) -> Board:
        """Open a new board after some moves or edits; `ply`: plies to wait for, if others follow by themselves."""
        query = f"?players={players}" if players else ""
        moves = list(line)
        page.goto(f"/new{query}#{pack(game, None, moves)}")
        page.wait_for_url("**/t/*")
        board = Board(page)
        board.at(len(moves) if ply is None else ply)
        return board

    def at(self, ply: int) -> None:
        """Wait until this many moves have been made."""
        self.page.wait_for_selector(f'#board svg[data-ply="{ply}"]', timeout=PATIENCE * 1000)

    @property
    def ply(self) -> int:
        return int(self.page.get_attribute("#board svg", "data-ply"))

    def click(self, place: str) -> None:
        self.page.locator(f'#board .place[data-place="{place}"]').click(force=True)

    def go(self, *places: str) -> None:
        """Click on one place after the other; each click after the first makes a leg."""
        ply = self.ply
        self.click(places[0])
        for i, place in enumerate(places[1:], 1):
            self.click(place)
            self.at(ply + i)

    def click_target(self) -> None:
        """Click on the first highlighted place."""
        self.page.mouse.click(*self.page.evaluate("""() => {
            const lit = document.querySelector(".lit .go, .lit .take").getBoundingClientRect();
            return [lit.x + lit.width / 2, lit.y + lit.height / 2];
        }"""))

    def targets(self) -> int:
        """Return the number of highlighted destinations."""
        return int(self.page.locator("#board .lit .go, #board .lit .take:not(.back)").count())

    def piece(self, place: str) -> str:
        """Return the piece on a place, as `player:type`; "" if there is none."""
        found = self.page.locator(f'#board .piece[data-place="{place}"]')
        return f"{found.get_attribute('data-player')}:{found.get_attribute('data-type')}" if found.count() else ""

    def status(self) -> str:
        return str(self.page.text_content("#status"))

    def save(self, folder: Path) -> Path:
        """Save the game as a file; return its path."""
        with self.page.expect_download() as download:
            self.page.click("#save")
        path = folder / "kept.zsg"
        download.value.save_as(path)
        return path

    def refuses_junk(self, folder: Path) -> None:
        """Check that a file that is not a saved game is refused."""
        junk = folder / "junk.zsg"
        junk.write_bytes(bytes(range(256)) * 4)
        self.page.set_input_files("#file", junk)
        self.page.wait_for_selector("#toast:visible")
        assert "is not a saved game" in self.page.text_content("#toast")

    def moves(self) -> list[str]:
        return [str(text) for text in self.page.locator("#list button").all_text_contents()]


MARGIN = """South Square b1; North Triangle f10; South Square d1; North Triangle e10; South Circle g1; North Circle d10;
South Diamond f1; North Circle b10; South Diamond h1; North Square i10; South Triangle c1; North Diamond c10;
South Triangle e1; North Diamond h10; South Circle i1; North Square g10; Diamond h1 - i2 @ i2 0 1;
Triangle e10 - d9 @ d9 0 1; Circle g1 - g2 @ g2 0 1; partial 1 Circle d10 - d8 @ d8 0 1; Square d1 - d2 @ d2 0 1;
Circle d8 - c9; Square b1 - b2 @ b2 0 1; Circle b10 - b9 @ b9 0 1; Square b2 - b3; Circle b9 - b8; Circle g2 - g3;
Circle c9 - c8; Circle g3 - h4; Circle b8 - b7; Circle h4 - h3; Circle c8 - b8; Circle h3 - i3;
Square g10 - g9 @ g9 0 1; Circle i1 - h1; Circle b7 - c7""".replace("\n", " ").split("; ")
"""A game of Platonic Halma, up to a possible jump into the margin."""

PEGS = """d2d4 b3d3 c1c3 e1c1 d3b3 a3c3 e3e1 g3e3 c4c2 c1c3 a4c4 c4c2 e4c4 g4e4 e4e2 e1e3 c5c3 c2c4 a5c5 d5b5 e6e4
g5e5 c7c5 c4c6 e7c7 c7c5 b5d5 d5f5 e3e5 f5d5 d6d4"""
"""A solution of peg solitaire, jump by jump."""
