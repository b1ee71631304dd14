"""Responsiveness of boards in a browser: `python -m tests.benchmarks.boards` prints tables.

The server and Chromium run on this machine. "Click to screen" is the time from the release of the button to the frame
that shows the new board. "Ten boards" are played by sockets without a browser, half a second after each reply, while
computers of level 10 play on two more boards. In "Flood", one socket sends as fast as it can while another plays.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from serving import FLAGS, Board, Server, chromium

from tests.benchmarks import show_help

WATCH = """() => {
    window.times = [];
    let pressed = 0;
    const board = document.getElementById("board");
    const ply = () => board.querySelector("svg").dataset.ply;
    let before = ply();
    addEventListener("pointerup", () => { pressed = performance.now(); }, true);
    new MutationObserver(() => {
        if (ply() === before) return;
        before = ply();
        requestAnimationFrame(() => setTimeout(() => {
            if (pressed) window.times.push(performance.now() - pressed);
            pressed = 0;
        }));
    }).observe(board, { childList: true, subtree: true, attributes: true });
}"""
BOARD = "/new?game=chess"
GAMES = {"chess": ("g1 f3", "g8 f6", "f3 g1", "f6 g8"), "monks-2p": ("e2 f2", "l15 k15", "f2 e2", "k15 l15"),
         "shogi": ("2h 3h", "8b 7b", "3h 2h", "7b 8b")}
BOARDS, MOVES = 4, 7
"""Numbers of boards for each game, and of moves on each; so few moves that no third repetition ends a game."""


def clicks(server: Server) -> None:
    """Print the times until the first pages can be used, and the times from click to screen."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_context(base_url=server.address).new_page()
        print("| page | ms until it can be used |\n|---|---|")
        for name, url, there in (("gallery", "/", ".card"), ("gallery, again", "/", ".card"),
                                 ("first board", BOARD, "#board svg"), ("another board", BOARD, "#board svg")):
            began = time.perf_counter()
            page.goto(url)
            page.wait_for_selector(there)
            print(f"| {name} | {1000 * (time.perf_counter() - began):.0f} |")
        print("\n| game | click to screen, ms: median | 95 % |\n|---|---|---|")
        for game, moves in GAMES.items():
            times: list[float] = []
            for _ in range(BOARDS):
                board = Board.open(page, game)
                page.evaluate(WATCH)
                for i in range(MOVES):
                    board.go(*moves[i % len(moves)].split())
                    page.wait_for_timeout(60)
                times += page.evaluate("window.times")
            times.sort()
            print(f"| {game} | {statistics.median(times):.0f} | {times[int(len(times) * .95)]:.0f} |")
        browser.close()


class Player:
    """A socket that plays its own game."""

    def __init__(self, server: Server, game: str) -> None:
        self.url = f"ws://127.0.0.1:{server.port}/ws/"
        self.made = server.make(game=game)
        self.times: list[float] = []

    async def state(self, web: Any, ply: int) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await web.recv())
            if message["type"] == "state" and message["ply"] >= ply:
                return message

    async def run(self, seconds: float, pause: float) -> None:
        from websockets.asyncio.client import connect

        async with connect(self.url + self.made["id"], max_size=None) as web:
            await web.send(json.dumps({"type": "join", "token": self.made["token"]}))
            state = await self.state(web, 0)
            end = time.monotonic() + seconds
            while time.monotonic() < end and state["legs"]:
                began = time.perf_counter()
                leg = state["legs"][len(self.times) * 7 % len(state["legs"])]
                await web.send(json.dumps({"type": "play", "ply": state["ply"], "move": leg[0]}))
                state = await self.state(web, state["ply"] + 1)
                self.times.append(1000 * (time.perf_counter() - began))
                await asyncio.sleep(pause)


async def think(server: Server, seconds: float, who: str = "ai:10") -> None:
    """Keep a board open on which two computer players play each other for some seconds."""
    from websockets.asyncio.client import connect

    made = server.make(game="chess", seats=[who, who])
    async with connect(f"ws://127.0.0.1:{server.port}/ws/{made['id']}", max_size=None) as web:
        await web.send(json.dumps({"type": "join", "token": made["token"]}))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for _ in web:
                    pass


async def ten(server: Server) -> None:
    players = [Player(server, game) for game in ("chess", "shogi", "monks-2p", "wuerfel-2p", "xiangqi") * 2]
    thinking = [asyncio.create_task(think(server, 20)) for _ in range(2)]
    await asyncio.gather(*(p.run(15, 0.5) for p in players))
    await asyncio.gather(*thinking)
    times = sorted(t for p in players for t in p.times)
    print(f"\nTen boards, {len(times)} moves: median {statistics.median(times):.0f} ms, "
          f"95 % {times[int(len(times) * .95)]:.0f} ms, slowest {times[-1]:.0f} ms; "
          f"memory of the server {memory(server):.0f} MiB, of its processes {[round(m) for m in children(server)]}")


async def beside_computers(server: Server) -> None:
    """Measure a user's clicks while computers play each other on ten boards."""
    thinking = [asyncio.create_task(think(server, 40, "ai:4")) for _ in range(10)]
    await asyncio.sleep(15)
    person = Player(server, "chess")
    await person.run(20, 0.5)
    await asyncio.gather(*thinking)
    times = sorted(person.times)
    print(f"\nBeside ten boards of computers, {len(times)} moves: median {statistics.median(times):.0f} ms, "
          f"95 % {times[int(len(times) * .95)]:.0f} ms, slowest {times[-1]:.0f} ms")


async def flood(server: Server) -> None:
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed

    before = memory(server)
    player = Player(server, "chess")
    playing = asyncio.create_task(player.run(6, 0.1))
    sent = shut = 0
    end = time.monotonic() + 6
    while time.monotonic() < end:
        with contextlib.suppress(ConnectionClosed, OSError):
            async with connect(player.url + player.made["id"], max_size=None) as web:
                await web.send('{"type": "join"}')
                while time.monotonic() < end:
                    await web.send('{"type": "hint", "filler": "' + "x" * 200 + '"}')
                    sent += 1
        shut += 1
    await playing
    print(f"\nFlood: {sent / 6:,.0f} messages a second, shut out {shut} times; meanwhile a move took "
          f"{statistics.median(player.times):.0f} ms (median), {max(player.times):.0f} ms (slowest); "
          f"memory of the server {before:.0f} MiB before, {memory(server):.0f} MiB after")


def memory(server: Server, pid: int = 0) -> float:
    """Return the resident memory in MiB of the server process, or of process `pid`; 0 for a zombie."""
    for line in Path(f"/proc/{pid or server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def children(server: Server) -> list[float]:
    """Return the resident memory in MiB of each child process of the server."""
    pids = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return [memory(server, int(pid)) for pid in pids]


def main() -> None:
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            if chromium():
                clicks(server)
            asyncio.run(ten(server))
            asyncio.run(beside_computers(server))
            asyncio.run(flood(server))
        finally:
            server.end()


if __name__ == "__main__":
    show_help(__doc__)
    main()
