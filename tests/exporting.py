"""A game's page without its markup, run in node: with the engine and the tables that a browser would have."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.playing import HANG, ROOT
from zrf_py.export.bundle import bundle
from zrf_py.export.contents import contents
from zrf_py.export.sources import modules
from zrf_py.native import Native
from zrf_py.native.machine import Machine
from zrf_py.play.game import Game, Position
from zrf_py.run.playouts import Playouts
from zrf_py.search import game_search, preparation
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import Limits
from zrf_py.view.describe import describe, describe_ply, destinations
from zrf_py.view.scene import scene
from zrf_py.view.svg import Style, svg

STARTER = """import { unpack } from "./unpack.js";
export const begun = new Uint8Array(require("fs").readFileSync("page.bin"));
globalThis.zrfPage = unpack(begun);
"""
LOOP = """
(async () => {
  for await (const line of require("readline").createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await globalThis.zrfAsk(JSON.parse(line))));
  }
})();
"""


def bench(starter: str) -> str:
    """Return `bench.js`, bundled with its modules and a starter: it answers requests about an unpacked page."""
    text = 'import { begun } from "./starter.js";\n' + (ROOT / "tests" / "bench.js").read_text("utf-8")
    return bundle({**modules(), "starter": starter, "bench": text}, "bench")


def in_node(script: str, before: str = "") -> Any:
    """Return the values that a script in node passes to `show(…)`; it may import modules of pages, and runs
    after `before`."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    text = ('const show = (it) => console.log(JSON.stringify(it));\nglobalThis.location = { search: "?lang=en" };\n'
            + before + bundle({**modules(), "test": script}, "test"))
    done = subprocess.run([node, "-e", text], capture_output=True, text=True, encoding="utf-8", timeout=HANG)
    assert done.returncode == 0, done.stderr[-1000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


class Paged:
    """A page's engine in a node process: call it with a request of `bench.js` and its arguments to get the answer."""

    def __init__(self, games: list[Game], folder: Path) -> None:
        node = shutil.which("node")
        if node is None:
            pytest.skip("needs node")
        payload, tables = contents(games)
        data = payload.packed(tables)
        (folder / "page.bin").write_bytes(data)
        (folder / "page.js").write_text(bench(STARTER) + LOOP, "utf-8")
        self.process = subprocess.Popen(
            [node, "page.js"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def __call__(self, *question: Any) -> Any:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["ok"]

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(HANG)


def measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache searches, so that a test measures each game only once, with fewer positions. Compile nothing in the
    background, since it would be unclear which code gave an answer."""
    searches = lru_cache(maxsize=100)(game_search.GameSearch)
    monkeypatch.setattr(game_search, "_cached", searches)  # undone after the test, which frees the memory
    monkeypatch.setattr(preparation, "POSITIONS", 8000)
    monkeypatch.setattr(Machine, "make", lambda self: setattr(self, "grows", False))


@contextmanager
def paged(game: Game, folder: Path) -> Iterator[Paged]:
    page = Paged([game], folder)
    try:
        page("open", 0)
        yield page
    finally:
        page.close()


Ask = Callable[..., Any]
"""Sends a request to a page and returns the answer."""


def compare(ask: Ask, game: Game, plies: int = 20) -> None:
    """Compare the engine of a page with ours: perft, random games from the same seed, searches."""
    _count(ask, game, 2, 100)
    _search(ask, game, plies, 2)


def _count(ask: Ask, game: Game, depth: int, games: int) -> None:
    """Compare the exact results of perft and of random games from the same seed."""
    engine = Native(game.program)
    for plies in range(1, depth + 1):
        assert ask("perft", plies) == [engine.perft(engine.start(), plies), 0]
    plies, error, *tally = ask("playouts", games, 7, 500)
    players = range(len(game.program.game.players))
    won = tuple(sum(tally[mask] for mask in range(1, 256) if mask >> p & 1) for p in players)
    assert not error
    assert Playouts(games, plies, won, tally[0], tally[256]) == engine.playouts(games, 7, 500)


def _search(ask: Ask, game: Game, plies: int, seed: int) -> None:
    """Compare searches of 1,000 positions: their values and the numbers of positions."""
    ask("start")
    random, position = Random(seed), game.start()
    for ply in range(plies):
        if position.outcome() or not position.moves():
            break
        if ply % 6 == 0:
            found = search_for(game.program).analyse(position.state, position.earlier(), Limits(nodes=1000), seed=3)
            assert ask("search", 1000, 3)["value"] == found.value
            assert ask("search", 1000, 3)["nodes"] == found.nodes
        move = random.choice(position.moves())
        position = position.play(move)
        ask("play", [move.text])


# ------------------------------------------------------------------------------------------------------- what is seen


def plain(value: Any) -> Any:
    """Return a value as it looks after conversion to JSON and back."""
    return json.loads(json.dumps(value))


def seen(position: Position) -> dict[str, Any]:
    """Return the answer of a page's `view`, computed by Python."""
    told, outcome = describe(position), position.outcome()
    numbers = [p.name for p in position.game.program.game.players]
    ending = outcome and outcome.why and {
        "winners": [numbers.index(name) for name in outcome.winners], "reason": outcome.reason,
        "losers": [numbers.index(name) for name in outcome.losers],
        "why": {"code": outcome.why.code, "number": outcome.why.number, "name": outcome.why.name,
                "places": outcome.why.places}}
    return plain({
        "player": told["player"], "inTurn": told["inTurn"], "outcome": ending, "scores": told["scores"],
        "check": told["check"], "taken": told["taken"], "repetitions": position.repetitions,
        "ply": describe_ply(position.previous, position) if position.previous else None})


def shown(page: Paged) -> dict[str, Any]:
    view: dict[str, Any] = page("view")
    return {**view, "check": view["check"] if not view["outcome"] else []}


def follow(page: Paged, game: Game, plies: int, seed: int) -> None:
    """Play a random game and compare legs, words, pictures and ends, and sometimes the destinations of a piece."""
    random, position = Random(seed), game.start()
    for ply in range(plies):
        assert shown(page) == seen(position)
        assert page("legs") == plain(describe(position)["legs"]) or position.outcome()
        assert page("svg") == svg(scene(position, held=False), style=Style(every=True))
        moves = position.moves()
        if position.outcome() or not moves:
            break
        move = random.choice(moves)
        if ply % 10 == 3 and move.raw.key[0] >= 0:
            assert page("ways", move.raw.key[0]) == plain(destinations(position, move.raw.key[0]))
        position = position.play(move)
        page("play", [move.text])
