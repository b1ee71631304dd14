"""Rules files by other authors as pages, in Node.js: perft, random games and searches must match those of Python.

    python -m tests.page_corpus FOLDER|FILE… [--seconds N]     # a line for each file, then the figures

Each file has a separate process with a time limit. Calls that the native engine leaves to the interpreter are counted:
a page has no interpreter, so it reports an error there.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from tests import records
from tests.exporting import Paged, follow
from zrf_py.export.page import games_of
from zrf_py.native import Native
from zrf_py.native.machine import Machine
from zrf_py.play.foreign import has_moves
from zrf_py.play.game import Game
from zrf_py.search import game_search
from zrf_py.search.limits import Limits
from zrf_py.text.diagnostics import ZrfError

GAMES, PLIES, SEEN = 20, 200, 5
"""Number of random games; maximum number of plies; number of saved games, and of plies whose views are compared."""
Row = dict[str, Any]


def look_at(path: Path) -> Row:
    """Return the result for a file. `refused`: code of its error; `foreign`: number of games without moves; `titles`:
    [title, differences, fall-backs] for each other game; `bytes`, `made`: size of the page and seconds to make it."""
    began = time.perf_counter()
    try:
        games, _ = games_of(path)
    except ZrfError as error:
        return {"refused": error.diagnostics[0].code}
    if not any(has_moves(game.program) for game in games):
        return {"foreign": len(games)}
    game_search.KEPT_GAMES = len(games) + 1
    with tempfile.TemporaryDirectory() as folder:
        page = Paged(games, Path(folder))
        made = time.perf_counter() - began
        try:
            titles = [_title(page, number, game) for number, game in enumerate(games) if has_moves(game.program)]
            size = (Path(folder) / "page.bin").stat().st_size
        finally:
            page.close()
    foreign = sum(not has_moves(game.program) for game in games)
    return {"titles": titles, "foreign": foreign, "made": round(made, 1), "bytes": size}


def _title(page: Paged, number: int, game: Game) -> list[Any]:
    engine, wrong = Native(game.program), []
    for check in (_counts, _plays, _searches, _shows, _records):
        page("open", number)
        try:
            wrong += check(page, game, engine)
        except AssertionError as error:
            wrong.append(f"{check.__name__[1:]}: {str(error)[:300]}")
    return [game.title, wrong, engine.asked]


def _counts(page: Paged, game: Game, engine: Native) -> list[str]:
    wrong = []
    for depth in (1, 2):
        here, (there, error) = engine.perft(engine.start(), depth), page("perft", depth)
        if error and engine.asked:
            return [f"no room: perft {depth}"]
        if error or here != there:
            wrong.append(f"perft {depth}: {here} here, {there} there, error {error}")
    return wrong


def _plays(page: Paged, game: Game, engine: Native) -> list[str]:
    plies, error, *tally = page("playouts", GAMES, 7, PLIES)
    here = engine.playouts(GAMES, 7, PLIES)
    if error and engine.asked:
        return ["no room: random games"]
    if error or (here.plies, here.drawn, here.cut_off) != (plies, tally[0], tally[256]):
        return [f"random games: {here} here, {plies} plies, {tally[0]} drawn, {tally[256]} cut there, error {error}"]
    return []


def _searches(page: Paged, game: Game, engine: Native) -> list[str]:
    search = game_search.search_for(game.program)
    if search.base is None:
        return ["no search"]
    random, position, wrong = Random(2), game.start(), []
    for ply in range(7):
        if position.outcome() or not position.moves():
            break
        if ply % 6 == 0:
            found = search.analyse(position.state, position.earlier(), Limits(nodes=1000), seed=3)
            there = page("search", 1000, 3)
            if (found.value, found.nodes) != (there["value"], there["nodes"]):
                wrong.append(f"search at {ply}: {found.value}, {found.nodes} here, {there} there")
        move = random.choice(position.moves())
        position = position.play(move)
        page("play", [move.text])
    return wrong


def _shows(page: Paged, game: Game, engine: Native) -> list[str]:
    follow(page, game, SEEN, 1)
    return []


def _records(page: Paged, game: Game, engine: Native) -> list[str]:
    """Compare saved games, which the page reads and writes again."""
    ends = [records.play(game, records.PLIES, Random(seed)) for seed in range(SEEN)]
    return [f"record: {found[:300]}" for end in ends if (found := records.fault_in_page(page, end))]


def main() -> None:
    """Check all files, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        Machine.make = lambda self: setattr(self, "grows", False)  # type: ignore[method-assign]
        print(json.dumps(look_at(asked.paths[0])))
        return
    files = [p for path in asked.paths for p in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    rows = {path: _alone(path, asked.seconds) for path in files if path.suffix.lower() == ".zrf" and path.is_file()}
    _sum_up(list(rows.values()))


def _alone(path: Path, seconds: float) -> Row:
    began = time.perf_counter()
    words = [sys.executable, "-m", "tests.page_corpus", "--one", str(path)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
        row: Row = json.loads(done.stdout) if done.returncode == 0 else {"failed": done.stderr[-1500:]}
    except subprocess.TimeoutExpired:
        row = {"slow": True}
    print(f"{path.name} ({time.perf_counter() - began:.0f} s): {json.dumps(row)}", flush=True)
    return row


def _sum_up(rows: list[Row]) -> None:
    titles = [title for row in rows for title in row.get("titles", ())]
    notes = Counter(note.split(":")[0] for _, wrong, _ in titles for note in wrong)
    print(f"{len(rows)} files, {len(titles)} titles compared, {sum(not wrong for _, wrong, _ in titles)} equal in all; "
          f"{sum(row.get('foreign', 0) for row in rows)} titles without moves of their own; "
          f"{sum(asked > 0 for _, _, asked in titles)} titles with fall-backs")
    print("notes:", dict(notes))
    for word in ("refused", "slow", "failed"):
        print(f"{word}: {sum(word in row for row in rows)}")
    sizes = sorted(row["bytes"] for row in rows if "bytes" in row)
    if sizes:
        print(f"bytes before compression: median {sizes[len(sizes) // 2]:,}, at most {sizes[-1]:,}")


if __name__ == "__main__":
    main()
