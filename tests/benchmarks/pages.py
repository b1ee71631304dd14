"""How large exported pages are, and how they feel in Chromium: the first board, a click, the search, memory.

    python -m tests.benchmarks.pages [NAME…] [--sizes | --felt]     # default: all files of the shelf, ten games

Chromium slows down what a page does, not its worker; so the time for which the page waits for it counts as often.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import zrf_py
from tests.serving import FLAGS, chromium, until
from zrf_py.export import link_of, page
from zrf_py.export.bundle import bundle
from zrf_py.export.contents import contents
from zrf_py.export.scripts import modules
from zrf_py.library import shelf
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import Limits

FELT = ("chess", "shogi", "breakthrough", "checkers", "othello", "connect-four", "halma", "stern-3p", "wuerfel-2p",
        "xiangqi")
SLOWER = 4
"""So many times slower the processor pretends to be where time is measured as people feel it."""
TRIES = 5
NODES = 200_000
WATCH = """(() => {
    new MutationObserver(() => {
        if (!window.firstBoard && document.querySelector("#board svg")) window.firstBoard = performance.now();
    }).observe(document, { childList: true, subtree: true });
    window.waited = 0;
    let since = 0;
    const send = Worker.prototype.postMessage;
    const Plain = window.Worker;
    window.Worker = class extends Plain {
        constructor(...what) {
            super(...what);
            since = performance.now();
            this.addEventListener("message", ({ data }) => {
                if (since && (data.type === "ready" || data.type === "state")) {
                    window.waited += performance.now() - since;
                    since = 0;
                }
            });
        }
        postMessage(...what) { since = performance.now(); return send.apply(this, what); }
    };
    const spy = `const make = WebAssembly.instantiate; globalThis.memories = [];
        WebAssembly.instantiate = async (...what) => {
            const made = await make(...what); memories.push(made.exports.memory); return made; };\n`;
    const address = URL.createObjectURL;
    URL.createObjectURL = (blob) => address(blob.type === "text/javascript" ? new Blob([spy, blob]) : blob);
})();"""
MEMORY = "memories.reduce((sum, memory) => sum + memory.buffer.byteLength, performance.memory?.usedJSHeapSize ?? 0)"
STARTER = """import { unpack } from "./unpack.js";
globalThis.zrfPage = unpack(Uint8Array.from(atob(globalThis.zrfData), (c) => c.charCodeAt(0)));
export const begun = true;
"""
SEARCH = """async (nodes) => { await zrfAsk(["open", 0]); await zrfAsk(["search", 2000, 1]);
    const began = performance.now(); const { ok } = await zrfAsk(["search", nodes, 1]);
    return [ok.nodes / (performance.now() - began) * 1000, (await zrfAsk(["memory"])).ok]; }"""
CLICK = """() => new Promise((done) => {
    window.waited = 0;
    const board = document.getElementById("board");
    const ply = () => board.querySelector("svg")?.dataset.ply;
    const [before, began] = [ply(), performance.now()];
    const watcher = new MutationObserver(() => {
        if (ply() !== before) done([performance.now() - began, window.waited]);
    });
    watcher.observe(board, { childList: true, subtree: true, attributes: true });
    const at = document.querySelector(".lit .go, .lit .take").getBoundingClientRect();
    const where = { bubbles: true, button: 0, clientX: at.x + at.width / 2, clientY: at.y + at.height / 2 };
    for (const type of ["pointerdown", "pointerup"]) board.dispatchEvent(new PointerEvent(type, where)); })"""


def sizes(names: list[str]) -> None:
    """kB of each page, as it is and compressed by a web server."""
    print("| page | kB | compressed kB |\n|---|---|---|")
    for name in names:
        data = page(name).encode()
        print(f"| {name} | {len(data) / 1000:.0f} | {len(gzip.compress(data, 9)) / 1000:.0f} |", flush=True)


def felt(browser: Any, name: str, folder: Path) -> tuple[float, float]:
    """Milliseconds until the first board, and until a move is shown after the click that makes it; medians."""
    path = folder / f"{name}.html"
    path.write_text(page(name), "utf-8")
    boards, clicks = [], []
    for _ in range(TRIES):
        context = browser.new_context(reduced_motion="reduce")
        shown = context.new_page()
        context.new_cdp_session(shown).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        shown.add_init_script(WATCH)
        shown.goto(path.as_uri())
        until(shown, "window.firstBoard > 0")
        boards.append(_slowed(*shown.evaluate("[window.firstBoard, window.waited]")))
        if name != "wuerfel-2p":  # dice roll in between
            shown.wait_for_selector(".can")
            if not shown.query_selector(".lit .go, .lit .take"):
                shown.locator(".piece.can").first.click(force=True)
            clicks.append(_slowed(*shown.evaluate(CLICK)))
        context.close()
    return median(boards), median(clicks) if clicks else 0.0


def _slowed(all_of_it: float, waited: float) -> float:
    """Milliseconds as they would be if the worker were as slow as the page."""
    return all_of_it + (SLOWER - 1) * waited


def memory(browser: Any, name: str, folder: Path) -> float:
    """MB of a page on which the strongest computer has answered a move: engines, and what scripts keep."""
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


def speed(browser: Any, name: str) -> tuple[float, float, float]:
    """Positions a second in the page and here, and MB of the engine's memory when it has searched."""
    game = zrf_py.load(name)
    payload, tables = contents([game])
    context = browser.new_context()
    shown = context.new_page()
    shown.evaluate("data => { globalThis.zrfData = data; }", base64.b64encode(payload.packed(tables)).decode())
    scripts = {**modules(), "starter": STARTER}
    scripts["bench"] = f'import {{ begun }} from "./starter.js";\n{scripts["bench"]}'
    shown.add_script_tag(content=bundle(scripts, "bench"))
    until(shown, "!!globalThis.zrfAsk")
    there, memory = shown.evaluate(SEARCH, NODES)
    context.close()
    search, start = search_for(game.program), game.start().state
    if search.base:
        search.base.searcher.finish(60)  # a game's own code against its own code
    search.analyse(start, (), Limits(nodes=2000))
    began = time.perf_counter()
    found = search.analyse(start, (), Limits(nodes=NODES))
    return there, found.nodes / (time.perf_counter() - began), memory / 1e6


def main() -> None:
    """Print all of it as tables."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--felt", action="store_true")
    asked = parser.parse_args()
    names = asked.names
    if asked.sizes:
        return sizes(names or list(shelf()))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        print(f"| game | first board ms ({SLOWER} x slower) | a move ms | M positions/s | of native | engine MB |")
        print("|---|---|---|---|---|---|")
        ratios = []
        for name in names or FELT:
            board, click = felt(browser, name, Path(folder))
            there, here, engine = speed(browser, name)
            ratios.append(there / here)
            print(f"| {name} | {board:.0f} | {click:.0f} | {there / 1e6:.2f} | {there / here:.2f} | {engine:.0f} |",
                  flush=True)
        print(f"\nmedian share of native: {median(ratios):.2f}")
        if "chess" in (names or FELT):
            print(f"memory of the page of chess: {memory(browser, 'chess', Path(folder)):.0f} MB\n")
        browser.close()
    return None if asked.felt else sizes(names or list(shelf()))


if __name__ == "__main__":
    main()
