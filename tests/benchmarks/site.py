"""A whole site on a phone: `python -m tests.benchmarks.site SITE GAME [--rounds N] [--cpu N]` prints a table.

The site is what `zrf site` has made, with the page of that game. It is served compressed over a line of 9 Mbit/s that
answers after 165 ms, as the "Fast 4G" of Chromium's developer tools. The server slows it, because those tools slow only
what a page fetches itself, not what its workers fetch. The processor of the page is slowed four times by the tools;
that of its workers is not.
"""

from __future__ import annotations

import argparse
import gzip
import http.server
import os
import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import zrf_py
from tests.serving import FLAGS, chromium, until
from zrf_py.export.links import link_of

RATE, ANSWER = 9e6 / 8, 0.165
"""Bytes per second of the line; seconds before an answer begins."""
CHUNK = 16 << 10
PACKED = {".html", ".js", ".mjs", ".css", ".json", ".svg", ".wasm", ".webmanifest"}
CHANGES, PAUSE = 5, 2_500
"""Mistakes typed after the first one; milliseconds before each, in which the random games after a change end."""
RULES = "documents/examples/castling.zrf"


@cache
def packed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)


@contextmanager
def phone_line(folder: Path) -> Iterator[str]:
    """Return the address of a file server behind a slow line that all its answers share."""
    line, free_at = threading.Lock(), [0.0]

    class Slow(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments: Any) -> None:
            pass

        def do_GET(self) -> None:
            path = Path(self.translate_path(self.path))
            path = path / "index.html" if path.is_dir() else path
            time.sleep(ANSWER)
            if not path.is_file():
                self.send_error(404)
                return
            changed = self.date_time_string(path.stat().st_mtime)
            if self.headers.get("If-Modified-Since") == changed:
                self.send_response(304)
                self.end_headers()
                return
            is_packed = path.suffix in PACKED
            content = packed(path) if is_packed else path.read_bytes()
            self.send_response(200)
            for name, value in (("Content-Type", self.guess_type(path)), ("Content-Length", str(len(content))),
                                ("Last-Modified", changed),
                                *([("Content-Encoding", "gzip")] if is_packed else [])):
                self.send_header(name, value)
            self.end_headers()
            for start in range(0, len(content), CHUNK):
                part = content[start : start + CHUNK]
                with line:
                    free_at[0] = max(free_at[0], time.monotonic()) + len(part) / RATE
                    wait = free_at[0] - time.monotonic()
                time.sleep(max(0.0, wait))
                self.wfile.write(part)

    def handler(*arguments: Any) -> Slow:
        return Slow(*arguments, directory=str(folder))

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def visit(browser: Any, address: str, game: str, cpu: float) -> Iterator[tuple[str, float]]:
    """Return the seconds that each step takes for a first-time visitor."""
    context = browser.new_context(base_url=address, viewport={"width": 390, "height": 844}, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(600_000)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": cpu})

    def took(act: Callable[[], Any], there: str) -> float:
        began = time.perf_counter()
        act()
        until(page, there)
        return time.perf_counter() - began

    def open_editor() -> float:
        return took(lambda: page.goto(f"/workshop/index.html#open={RULES}", wait_until="commit"),
                    "document.querySelector('#count')?.textContent === 'no problems'"
                    " && document.querySelector('.paper') !== null")

    page.goto("/index.html")
    paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    until(page, f"{paint} > 0")
    yield "home page seen", page.evaluate(paint) / 1000
    start = zrf_py.load(game).start()
    link = link_of(start.game.title, [start.moves()[0].text], {})
    yield "game by a link: can be played", took(
        lambda: page.goto(f"/gallery/games/{game}.html#{link}", wait_until="commit"),
        "document.querySelector('#board svg')?.dataset.ply === '1' && document.querySelector('#board .can') !== null")
    yield "rules editor, first visit: messages", open_editor()
    mistake = "document.querySelector('#problems .error') !== null"
    page.locator(".paper:not([hidden])").click()
    page.keyboard.press("Control+End")
    yield "a mistake typed there: its message", took(lambda: page.keyboard.insert_text("("), mistake)
    good = "document.querySelector('#count')?.textContent === 'no problems'"
    seconds = []
    for _ in range(CHANGES):
        page.keyboard.press("Backspace")
        until(page, good)
        page.wait_for_timeout(PAUSE)
        seconds.append(took(lambda: page.keyboard.insert_text("("), mistake))
    yield f"another one, median of {CHANGES}: its message", statistics.median(seconds)
    until(page, "caches.match(new URL('zrf.zip', location.href)).then(Boolean)")  # the service worker has stored it
    page.goto("about:blank")
    yield "rules editor, second visit: messages", open_editor()
    context.close()


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("game")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cpu", type=float, default=4)
    args = parser.parse_args()
    seconds: dict[str, list[float]] = defaultdict(list)
    with sync_playwright() as driver, phone_line(args.site) as address:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        for _ in range(args.rounds):
            for name, value in visit(browser, address, args.game, args.cpu):
                seconds[name].append(value)
                print(f"{name}: {value:.1f} s", flush=True)
        browser.close()
    load = os.getloadavg()[0]
    print(f"\n| seconds, {args.rounds} rounds, load {load:.0f} | best | median |\n|---|---|---|")
    for name, values in seconds.items():
        print(f"| {name} | {min(values):.1f} | {statistics.median(values):.1f} |")


if __name__ == "__main__":
    main()
