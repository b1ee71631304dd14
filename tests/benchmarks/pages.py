"""Measure exported pages: their size, the time to make them, and their speed in Chromium (first board, clicks, search,
memory).

    python -m tests.benchmarks.pages [NAME…] [--sizes | --times | --felt]     # default: the shelf; felt: ten games

Chromium slows down a page, but not its worker; so the worker's busy time is multiplied by the same factor. The result
is an upper bound: in a browser that slowed down both, page and worker would partly work at the same time.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import zrf_py
from tests.exporting import bench
from tests.serving import FLAGS, PATIENCE, chromium, until
from zrf_py.export import link_of, page
from zrf_py.export.contents import contents
from zrf_py.library import load_file, shelf
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import Limits

FELT = ("chess", "shogi", "breakthrough", "checkers", "othello", "connect-four", "halma", "stern-3p", "wuerfel-2p",
        "xiangqi")
SLOWER = 4
"""Factor by which the processor is slowed down when response times are measured."""
TRIES = 5
NODES = 200_000
SEARCHES = 3
WATCH = """(() => {
    const told = (name) => () => { window[name] = performance.now(); console.debug(name); };
    const painted = (then) => { const { port1, port2 } = new MessageChannel();
        port1.onmessage = then; port2.postMessage(0); };
    window.framed = (then) => requestAnimationFrame(() => painted(then));
    const look = () => {
        const board = document.querySelector("#board:has(svg)");
        if (!board) { requestAnimationFrame(look); return; }
        painted(told("firstBoard")); // of the frame that is just being made
        const watcher = new MutationObserver(() => {
            if (!board.querySelector(".can")) return;
            watcher.disconnect();
            window.framed(told("firstUse"));
        });
        watcher.observe(board, { childList: true, subtree: true, attributes: true });
    };
    requestAnimationFrame(look);
    const Plain = window.Worker;
    window.Worker = class extends Plain {
        constructor(...what) {
            super(...what);
            this.addEventListener("message", ({ data }) => {
                if (data.type === "state") window.busy = data.busy;
                if (data.type === "state" || data.type === "drawn") window.answered ||= data.busy;
            });
        }
    };
    const spy = `{ const make = WebAssembly.instantiate; globalThis.memories = [];
        WebAssembly.instantiate = async (...what) => {
            const made = await make(...what); memories.push(made.exports.memory); return made; };
        let since = 0;
        const [send, later] = [self.postMessage, self.setTimeout];
        self.setTimeout = (then, delay) => { since += delay ?? 0; return later(then, delay); };
        self.postMessage = (data) => send.call(self, { ...data, busy: performance.now() - since });
        self.addEventListener("message", () => { since = performance.now(); }); }\n`;
    const address = URL.createObjectURL;
    let first = true;
    URL.createObjectURL = (blob) => {
        if (!first || blob.type !== "text/javascript") return address(blob);
        first = false;
        return address(new Blob([spy, blob], { type: blob.type }));
    };
})();"""
MEMORY = "memories.reduce((sum, memory) => sum + memory.buffer.byteLength, performance.memory?.usedJSHeapSize ?? 0)"
STARTER = """import { unpack } from "./unpack.js";
globalThis.zrfPage = unpack(Uint8Array.from(atob(globalThis.zrfData), (c) => c.charCodeAt(0)));
export const begun = true;
"""
SEARCH = """async ([nodes, times]) => { await zrfAsk(["open", 0]); await zrfAsk(["search", 2000, 1]);
    const speeds = [];
    while (speeds.length < times) {
        const began = performance.now();
        const { ok } = await zrfAsk(["search", nodes, 1]);
        speeds.push(ok.nodes / (performance.now() - began) * 1000);
    }
    return [...speeds, (await zrfAsk(["memory"])).ok]; }"""
CLICK = """(selector) => new Promise((done) => {
    window.answered = 0;
    const board = document.getElementById("board");
    const isMove = selector.startsWith(".lit");
    const lit = () => board.querySelectorAll(".lit .go, .lit .take").length;
    const before = lit();
    const at = board.querySelector(selector).getBoundingClientRect();
    const where = { bubbles: true, button: 0, clientX: at.x + at.width / 2, clientY: at.y + at.height / 2 };
    const isPiece = ({ target }) => target === board || target.dataset?.layer === "pieces";
    const began = performance.now();
    const watcher = new MutationObserver((changes) => {
        if (isMove ? !changes.some(isPiece) : lit() === before) return;
        watcher.disconnect();
        const { answered } = window;
        window.framed(() => done([performance.now() - began, answered]));
    });
    watcher.observe(board, { childList: true, subtree: true });
    for (const type of ["pointerdown", "pointerup"]) board.dispatchEvent(new PointerEvent(type, where)); })"""
PLY = "Number(document.querySelector('#board svg').dataset.ply)"
MOVES = 6
"""Number of moves made in a page; the first is listed separately, since all code is new to the browser then."""
TARGET, PIECE = ".lit .go, .lit .take", ".piece.can"


def sizes(names: list[str]) -> None:
    """Print the size of each page in kB, plain and compressed as by a web server."""
    print("| page | kB | compressed kB |\n|---|---|---|")
    for name in names:
        data = page(name).encode()
        print(f"| {name} | {len(data) / 1000:.0f} | {len(gzip.compress(data, 9)) / 1000:.0f} |", flush=True)


def times(names: list[str]) -> None:
    """Print the processor and wall-clock seconds of `zrf export`, with an empty cache and with a full one."""
    print("| page | cold: processor s | by the clock | warm: processor s | by the clock | variants | kB |")
    print("|---" * 7 + "|")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.html"
            cold, warm = (exported(name, path, folder) for _ in range(2))
            size = path.stat().st_size / 1000
        cells = " | ".join(f"{seconds:.1f}" for seconds in (*cold, *warm))
        print(f"| {name} | {cells} | {len(load_file(name).programs)} | {size:.0f} |", flush=True)


def exported(name: str, path: Path, cache: str) -> tuple[float, float]:
    """Return processor and wall-clock seconds for one page, made by another process with its own cache."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-m", "zrf_py", "export", name, "-o", path], check=True, capture_output=True,
                   env={**os.environ, "ZRF_CACHE": cache})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return work, time.perf_counter() - began


@dataclass
class Felt:
    """Measured milliseconds: until the board is visible (`board`) and can be played on (`ready`); from a click to the
    frame that shows the targets of a piece (`taken`), the first move (`first`) or a later move (`later`)."""

    board: list[float] = field(default_factory=list)
    ready: list[float] = field(default_factory=list)
    taken: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    later: list[float] = field(default_factory=list)

    def cells(self) -> str:
        """Return the medians as cells of a table."""
        rows = (self.board, self.ready, self.taken, self.first, self.later)
        return " | ".join(f"{median(row):.0f}" if row else "" for row in rows)


def felt(browser: Any, name: str, folder: Path) -> Felt:
    """Measure how fast a page responds. Another process makes it, since this one would go on compiling meanwhile."""
    path = folder / f"{name}.html"
    subprocess.run([sys.executable, "-m", "zrf_py", "export", name, "-o", path], check=True, capture_output=True)
    found = Felt()
    for _ in range(TRIES):
        context, shown = _slow(browser)
        with told(shown, "firstUse"):
            shown.goto(path.as_uri())
        found.board.append(shown.evaluate("window.firstBoard"))
        found.ready.append(_slowed(*shown.evaluate("[window.firstUse, window.busy]")))
        for number in range(MOVES if name != "wuerfel-2p" else 0):  # not with dice, which roll in between
            ply = shown.evaluate(PLY)
            if not shown.query_selector(TARGET):
                found.taken.append(_slowed(*shown.evaluate(CLICK, PIECE)))
            (found.later if number else found.first).append(_slowed(*shown.evaluate(CLICK, TARGET)))
            until(shown, f"{PLY} > {ply} && (document.querySelector({PIECE!r}) || document.querySelector({TARGET!r}))")
        context.close()
    return found


def empty(browser: Any, folder: Path) -> float:
    """Return the milliseconds until a page with just a rectangle is visible: the time of the browser itself."""
    path = folder / "empty.html"
    path.write_text('<!doctype html><div id="board"><svg><rect width="9" height="9"/></svg></div>', "utf-8")
    found = []
    for _ in range(TRIES):
        context, shown = _slow(browser)
        with told(shown, "firstBoard"):
            shown.goto(path.as_uri())
        found.append(shown.evaluate("window.firstBoard"))
        context.close()
    return float(median(found))


def told(shown: Any, what: str) -> Any:
    """Return a context that ends when the page has written `what` to its console; polling would slow the page down."""
    return shown.expect_console_message(lambda message: message.text == what, timeout=PATIENCE * 1000)


def _slow(browser: Any) -> tuple[Any, Any]:
    """Return a context of a slowed browser, and a page in it."""
    context = browser.new_context(reduced_motion="reduce")
    shown = context.new_page()
    context.new_cdp_session(shown).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    shown.add_init_script(WATCH)
    return context, shown


def _slowed(all_of_it: float, busy: float) -> float:
    """Return an upper bound of the time in ms if the worker, busy for `busy` ms, were slowed like the page."""
    return all_of_it + (SLOWER - 1) * busy


def memory(browser: Any, name: str, folder: Path) -> float:
    """Return the MB that scripts and engines of a page take after both players, computers of level 10, have moved."""
    context = browser.new_context(reduced_motion="reduce")
    shown = context.new_page()
    session = context.new_cdp_session(shown)
    shown.add_init_script(WATCH)
    title = zrf_py.load(name).title
    first, second = (p.name for p in zrf_py.load(name).program.game.players if p.kind == "player")
    shown.goto((folder / f"{name}.html").as_uri() + f"#{link_of(title, [], {first: 'ai:10', second: 'ai:10'})}")
    until(shown, "Number(document.querySelector('#board svg')?.dataset.ply) >= 2")
    session.send("Performance.enable")
    found = {row["name"]: row["value"] for row in session.send("Performance.getMetrics")["metrics"]}
    total = float(found["JSHeapUsedSize"] + shown.workers[0].evaluate(MEMORY))
    context.close()
    return total / 1e6


def speed(browser: Any, name: str) -> tuple[float, float, float, float]:
    """Return positions per second of the first search in the page, of the fastest of the later ones (when the browser
    has optimised the engine's code) and of the fastest native search; and the page's memory in MB after searching."""
    game = zrf_py.load(name)
    payload, tables = contents([game])
    context = browser.new_context()
    shown = context.new_page()
    shown.evaluate("data => { globalThis.zrfData = data; }", base64.b64encode(payload.packed(tables)).decode())
    shown.add_script_tag(content=bench(STARTER))
    until(shown, "!!globalThis.zrfAsk")
    first, *later, memory = shown.evaluate(SEARCH, [NODES, 1 + SEARCHES])
    context.close()
    search, start = search_for(game.program), game.start().state
    if search.base:
        search.base.searcher.machine.finish(60)  # wait for the game's own code, which the page has, too
    search.analyse(start, (), Limits(nodes=2000))
    here = []
    for _ in range(SEARCHES):
        began = time.perf_counter()
        found = search.analyse(start, (), Limits(nodes=NODES))
        here.append(found.nodes / (time.perf_counter() - began))
    return first, max(later), max(here), memory / 1e6


def main() -> None:
    """Print the requested tables."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--felt", action="store_true")
    asked = parser.parse_args()
    names = asked.names
    if asked.sizes or asked.times:
        return (sizes if asked.sizes else times)(names or list(shelf()))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        print(f"| game ({SLOWER} x slower) | board seen, ms | may be played on | taken up | first move | a move "
              f"| M positions/s | of native | of native at first | engine MB |\n|{'---|' * 10}")
        print(f"| a page with nothing in it | {empty(browser, Path(folder)):.0f} | | | | | | | | |", flush=True)
        ratios = []
        for name in names or FELT:
            feeling = felt(browser, name, Path(folder))
            first, there, here, engine = speed(browser, name)
            ratios.append(there / here)
            print(f"| {name} | {feeling.cells()} | {there / 1e6:.2f} | {there / here:.2f} | {first / here:.2f} "
                  f"| {engine:.0f} |", flush=True)
        print(f"\nmedian share of native: {median(ratios):.2f}")
        if "chess" in (names or FELT):
            print(f"memory of the page of chess: {memory(browser, 'chess', Path(folder)):.0f} MB\n")
        browser.close()
    return None if asked.felt else sizes(names or list(shelf()))


if __name__ == "__main__":
    main()
