"""How large exported pages are, and how they feel in Chromium: the first board, a click, the search, memory.

    python -m tests.benchmarks.pages [NAME…]     # default: files of the shelf for sizes, ten games for the rest
"""

from __future__ import annotations

import base64
import gzip
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import zrf_py
from tests.serving import FLAGS, chromium, until
from zrf_py.export import page
from zrf_py.export.bundle import bundle
from zrf_py.export.contents import contents
from zrf_py.export.scripts import modules
from zrf_py.library import shelf
from zrf_py.search.limits import Limits
from zrf_py.search.thinker import thinker

FELT = ("chess", "shogi", "breakthrough", "checkers", "othello", "connect-four", "halma", "stern-3p", "wuerfel-2p",
        "xiangqi")
SLOWER = 4
"""So many times slower the processor pretends to be where time is measured as people feel it."""
TRIES = 5
NODES = 200_000
WATCH = """new MutationObserver(() => {
    if (!window.firstBoard && document.querySelector("#board svg")) window.firstBoard = performance.now();
}).observe(document, { childList: true, subtree: true });"""
STARTER = """import { unpack } from "./unpack.js";
globalThis.zrfPage = unpack(Uint8Array.from(atob(globalThis.zrfData), (c) => c.charCodeAt(0)));
export const begun = true;
"""
SEARCH = """async (nodes) => { await zrfAsk(["open", 0]); await zrfAsk(["search", 2000, 1]);
    const began = performance.now(); const { ok } = await zrfAsk(["search", nodes, 1]);
    return [ok.nodes / (performance.now() - began) * 1000, (await zrfAsk(["memory"])).ok]; }"""
CLICK = """() => new Promise((done) => {
    const board = document.getElementById("board");
    const ply = () => board.querySelector("svg")?.dataset.ply;
    const [before, began] = [ply(), performance.now()];
    const watcher = new MutationObserver(() => { if (ply() !== before) done(performance.now() - began); });
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
        boards.append(shown.evaluate("window.firstBoard"))
        if name != "wuerfel-2p":  # dice roll in between
            shown.wait_for_selector(".can")
            if not shown.query_selector(".lit .go, .lit .take"):
                shown.locator(".piece.can").first.click(force=True)
            clicks.append(shown.evaluate(CLICK))
        context.close()
    return median(boards), median(clicks) if clicks else 0.0


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
    mind, start = thinker(game.program), game.start().state
    mind.analyse(start, (), Limits(nodes=2000))
    began = time.perf_counter()
    found = mind.analyse(start, (), Limits(nodes=NODES))
    return there, found.nodes / (time.perf_counter() - began), memory / 1e6


def main() -> None:
    """Print all of it as tables."""
    from playwright.sync_api import sync_playwright

    names = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        print(f"| game | first board ms ({SLOWER} x slower) | a move ms | M positions/s | of native | engine MB |")
        print("|---|---|---|---|---|---|")
        ratios = []
        for name in names or FELT:
            board, click = felt(browser, name, Path(folder))
            there, here, memory = speed(browser, name)
            ratios.append(there / here)
            print(f"| {name} | {board:.0f} | {click:.0f} | {there / 1e6:.2f} | {there / here:.2f} | {memory:.0f} |",
                  flush=True)
        print(f"\nmedian share of native: {median(ratios):.2f}\n")
        browser.close()
    sizes(names or list(shelf()))


if __name__ == "__main__":
    main()
