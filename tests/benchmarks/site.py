"""A whole site on a phone: `python -m tests.benchmarks.site SITE GAME [--browser NAME] [--rounds N] [--cpu N]` prints
a table.

SITE is a folder made by `zrf site`, with the page of GAME. It is served compressed over a line of 9 Mbit/s that answers
after 165 ms, like "Fast 4G" in Chromium's developer tools. The server slows it down, because those tools slow only
what a page fetches itself, not what its workers fetch.

The processor is slowed by stopping all processes of the browser (with page, workers and network) for three quarters of
each 20 ms (`--cpu 4`): Chromium's tools slow only the page, and Firefox has no such tools.
"""

from __future__ import annotations

import argparse
import gzip
import http.server
import os
import re
import signal
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import zrf_py
from tests.firefox import NARROW, started
from tests.serving import FLAGS, chromium
from zrf_py.author.format.layout import formatted
from zrf_py.author.new.templates import new_game
from zrf_py.author.sharing import link_of
from zrf_py.author.sharing import packed as packed_link
from zrf_py.export.contents import contents
from zrf_py.library import load_text
from zrf_py.play.game import Game

RATE, ANSWER = 9e6 / 8, 0.165
"""Bytes per second of the line; seconds before an answer begins."""
CHUNK = 16 << 10
PACKED = {".html", ".js", ".mjs", ".css", ".json", ".svg", ".wasm", ".webmanifest"}
SLICE = 0.005
"""Seconds for which a slowed browser runs before it is stopped."""
CHANGES, PAUSE = 5, 4.0
"""Number of changes measured in each file; seconds of pause before each, in which work for the previous one ends."""
FIRST = "documents/examples/castling.zrf"
FILES = ("breakthrough", "chess", "shogi")
"""Bundled rules of 2, 7 and 9 kB, in which single keys are timed."""
WATCHED = """(() => {
  if (globalThis.zrfWatched) return;
  globalThis.zrfWatched = { began: 0, there: null, took: null };
  addEventListener("keydown", ({ timeStamp }) => Object.assign(zrfWatched, { began: timeStamp, took: null }), true);
  const look = () => {
    const { began, there, took } = zrfWatched;
    if (took === null && began && there?.()) zrfWatched.took = performance.now() - began;
    requestAnimationFrame(look);
  };
  look();
})()"""
"""Script that measures the milliseconds from a key until `there` holds, which it tests at each frame."""
ERROR = "document.querySelector('#problems .error') !== null"
GOOD = "document.querySelector('#count')?.textContent === 'no problems'"
STORED = """void caches.open('zrf-python').then((store) => store.keys())
  .then(([memory]) => { globalThis.zrfStored ||= memory; })"""
"""Script that sets `zrfStored` once the editor has stored a snapshot of Python's memory, which it stores last."""
BOARD = "document.querySelector('iframe#board')?.contentDocument?.querySelector('#board svg')"


@cache
def packed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)


@contextmanager
def phone_line(folder: Path) -> Iterator[str]:
    """Run a file server behind a slow line that all its answers share; yield its address."""
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


@contextmanager
def slowed(group: int, factor: float) -> Iterator[list[float]]:
    """Let a process group run for one part in `factor` of the time; yield the seconds that it ran and stood still."""
    spent, is_done = [0.0, 0.0], threading.Event()

    def stop_and_go() -> None:
        while not is_done.is_set():
            began = time.monotonic()
            time.sleep(SLICE)
            os.killpg(group, signal.SIGSTOP)
            stopped = time.monotonic()
            spent[0] += stopped - began
            time.sleep(max(0.0, spent[0] * (factor - 1) - spent[1]))  # makes up for sleeps that were too long
            os.killpg(group, signal.SIGCONT)
            spent[1] += time.monotonic() - stopped

    if factor <= 1:
        yield [1.0, 0.0]
        return
    thread = threading.Thread(target=stop_and_go)
    thread.start()
    try:
        yield spent
    finally:
        is_done.set()
        thread.join()


class Chromium:
    """A page of Chromium with the methods of `tests.firefox.Page` that this benchmark calls."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def goto(self, address: str, wait: str = "complete") -> None:
        self.page.goto(address, wait_until="commit" if wait == "none" else "load")

    def evaluate(self, expression: str) -> Any:
        return self.page.evaluate(expression)

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click(force=True)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


@contextmanager
def chromium_pages(folder: Path) -> Iterator[tuple[Callable[[], Any], int]]:
    """Start Chromium; yield a way to open a page of a first-time visitor, and the browser's process group."""
    from playwright.sync_api import sync_playwright

    mark = f"--marked-as={folder}"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=[*FLAGS, mark])
        [process] = [int(it.parent.name) for it in Path("/proc").glob("[0-9]*/cmdline") if is_main(it, mark)]

        @contextmanager
        def opened() -> Iterator[Chromium]:
            context = browser.new_context(viewport={"width": NARROW[0], "height": NARROW[1]})
            context.set_default_timeout(600_000)
            yield Chromium(context.new_page())
            context.close()

        yield opened, os.getpgid(process)
        browser.close()


def is_main(cmdline: Path, mark: str) -> bool:
    """Return whether a process is the main process of the browser that was started with the argument `mark`."""
    try:
        arguments = cmdline.read_text().split("\0")
    except OSError:  # the process has ended
        return False
    return mark in arguments and not any(it.startswith("--type=") for it in arguments)


@contextmanager
def firefox_pages(folder: Path) -> Iterator[tuple[Callable[[], Any], int]]:
    with started(folder) as browser:
        yield lambda: browser.page(NARROW), browser.group


def until(page: Any, expression: str, seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not page.evaluate(f"Boolean({expression})"):
        assert time.monotonic() < end, f"in vain: {expression}"
        time.sleep(0.02)


def took(page: Any, address: str, there: str) -> float:
    """Open a page; return the seconds until an expression holds there."""
    began = time.perf_counter()
    page.goto(address, wait="none")
    until(page, there)
    return time.perf_counter() - began


def key(page: Any, name: str, there: str) -> float:
    """Press a key; return the seconds until an expression holds, as the page measures them."""
    page.evaluate(WATCHED)
    page.evaluate(f"(() => {{ zrfWatched.began = 0; zrfWatched.there = () => {there}; }})()")
    page.press(name)
    until(page, "zrfWatched.took !== null")
    return float(page.evaluate("zrfWatched.took")) / 1000


def link_to_own(site: Path) -> str:
    """Return the fragment of a link to a small game of one's own, as the rules editor of this site makes it."""
    text = formatted(new_game("drops", "Own", 6, "hexagons"))
    payload, tables = contents([Game(load_text(text).program())], own=False)
    data = packed_link(payload.packed({**tables, "first": 0}), (site / "workshop" / "common.bin").read_bytes())
    [version] = re.findall(r'self\.format = "(\w+)"', (site / "workshop" / "early.js").read_text("utf-8"))
    return f"z={packed_link(text)}&t={version}.{data}"


def own_game(page: Any, address: str, link: str) -> Iterator[tuple[str, float]]:
    """Yield one step with its seconds: a visitor opens a link to a game that the site lacks, and can play it."""
    yield "own game by a link: can be played", took(
        page, f"{address}/workshop/index.html#{link}", BOARD.replace("#board svg", "#board .can"))


def visit(page: Any, address: str, game: str) -> Iterator[tuple[str, float]]:
    """Yield each step of a first-time visitor, with the seconds that it takes."""
    def open_editor(rules: str) -> float:
        page.goto("about:blank")
        return took(page, f"{address}/workshop/index.html#open={rules}",
                    f"{GOOD} && document.querySelector('.paper') !== null")

    page.goto(f"{address}/index.html")
    paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    until(page, f"{paint} > 0")
    yield "home page seen", page.evaluate(paint) / 1000
    start = zrf_py.load(game).start()
    link = link_of(start.game.title, [start.moves()[0].text], {})
    yield "game by a link: can be played", took(
        page, f"{address}/gallery/games/{game}.html#{link}",
        "document.querySelector('#board svg')?.dataset.ply === '1' && document.querySelector('#board .can') !== null")
    yield "rules editor, first visit: messages", open_editor(FIRST)
    page.click(".paper:not([hidden])")
    page.press("Control+End")
    yield "a mistake typed at once: its message", key(page, "x", ERROR)
    key(page, "Backspace", GOOD)
    until(page, f"({STORED}) || globalThis.zrfStored")
    yield "rules editor, second visit: messages", open_editor(FIRST)
    for name in FILES:
        open_editor(f"workshop/rules/{name}.zrf")
        until(page, BOARD)
        page.click(".paper:not([hidden])")
        page.press("Control+End")
        for _ in range(CHANGES):
            time.sleep(PAUSE)
            yield f"{name}: a key to a new message", key(page, "x", ERROR)
            time.sleep(1)
            yield f"{name}: a key to no message", key(page, "Backspace", GOOD)
            time.sleep(PAUSE)
            until(page, f"{BOARD} && ({BOARD}.dataset['isOld'] = 'yes')".replace("?.", "."))
            yield f"{name}: a key to the new board", key(page, "Enter", f"{BOARD} && !{BOARD}.dataset.isOld")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("game")
    parser.add_argument("--browser", choices=("chromium", "firefox"), default="chromium")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cpu", type=float, default=4)
    args = parser.parse_args()
    seconds: dict[str, list[float]] = defaultdict(list)
    link = link_to_own(args.site)
    pages = {"chromium": chromium_pages, "firefox": firefox_pages}[args.browser]
    with (tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, phone_line(args.site) as address,
          pages(Path(folder)) as (opened, group), slowed(group, args.cpu) as spent):
        for _ in range(args.rounds):
            for steps in (partial(own_game, link=link), partial(visit, game=args.game)):
                with opened() as page:
                    for name, value in steps(page, address):
                        seconds[name].append(value)
                        print(f"{name}: {value:.2f} s", flush=True)
    load = os.getloadavg()[0]
    print(f"\n{args.browser}, slowed {sum(spent) / spent[0]:.2f} times")
    print(f"\n| seconds, {args.rounds} rounds, load {load:.0f} | best | median |\n|---|---|---|")
    for name, values in seconds.items():
        print(f"| {name} | {min(values):.2f} | {statistics.median(values):.2f} |")


if __name__ == "__main__":
    main()
