"""The table of chances that comes with the package: `python -m tests.chances_table [--again] [NAME…]`.
The rows of chess, xiangqi, shogi and minishogi were made with `--games 512 --early 0.05`: 64 games gave White
a random bonus, and with the usual penalty on early values, reviews of chess overlooked lost pieces.

For each title of the shelf that lacks weights under today's rules (only in the files NAME, if any are given), games are
played until there are enough, and the weights that fit them are written to `rules/chances.json`; with `--again`, also
for titles that have weights. Rows of rules that no longer exist are removed. The table is written after each title, so
that a run that was stopped can be resumed.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from tests.playing import ROOT
from zrf_py.library import load_file, shelf
from zrf_py.paths import replace_file
from zrf_py.play import chances, learned
from zrf_py.play.game import Game
from zrf_py.search.game_search import search_for

TABLE = ROOT / learned.TABLE
DIGITS = 4


def learners() -> Iterator[tuple[str, int, Game]]:
    """Yield the shelf's games of two or more sides: name of the file, number in it, game."""
    for name, path in shelf().items():
        for number, program in enumerate(load_file(path).programs):
            game = Game(program, path=path)
            if len(program.game.sides) > 1:
                yield name, number, game


def plain_first(of: tuple[str, int]) -> tuple[bool, bool, int, str]:
    """Sort key: files of positions last; first titles before all variants; the top level before folders."""
    name, number = of
    return name.endswith("-positions"), number > 0, name.count("/"), name


def row(name: str, number: int, games: int | None, early: float) -> dict[str, Any]:
    """Return a newly learned line of the table, from `games` games (None: the usual number) and with `early` as the
    penalty on early values."""
    chances.EARLY = early
    if games:
        chances.ENOUGH = chances.PLENTY = games
    program = load_file(shelf()[name]).programs[number]
    game, samples = Game(program, path=shelf()[name]), chances.Samples()
    chances.play_more(program, search_for(program).engine, samples, 1, 1e9)
    found = chances.fit(samples)
    return {"game": f"{name}: {game.title}", "rules": learned.key_of(game),
            "weights": [round(w, DIGITS) for w in found.weights] if found.tells else [],
            "loss": round(found.loss, DIGITS) if found.weights else 0.0,  # JSON has no infinity
            "blind": round(found.blind, DIGITS)}


def main() -> None:
    """Learn the missing rows; with `--again`, all rows or those of the named files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--games", type=int)
    parser.add_argument("--early", type=float, default=chances.EARLY)
    asked = parser.parse_args()
    keys = {learned.key_of(game): (name, number) for name, number, game in learners()}
    rows = {line["rules"]: line for line in json.loads(TABLE.read_text("utf-8"))} if TABLE.exists() else {}
    wanted = [of for key, of in sorted(keys.items(), key=lambda item: plain_first(item[1]))
              if (not asked.names or of[0] in asked.names) and (asked.again or key not in rows)]
    began = time.perf_counter()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for job in as_completed([pool.submit(row, *of, asked.games, asked.early) for of in wanted]):
            made = job.result()
            rows[made["rules"]] = made
            write([line for key, line in rows.items() if key in keys])
            print(f"{time.perf_counter() - began:6.0f} s  {made['game']}: {made['loss']} against {made['blind']}"
                  + ("" if made["weights"] else ", tells nothing"), flush=True)
    write([line for key, line in rows.items() if key in keys])


def write(rows: list[dict[str, Any]]) -> None:
    """Write the table with one row per line, so that diffs are readable."""
    lines = [json.dumps(line, ensure_ascii=False) for line in sorted(rows, key=lambda line: line["game"])]
    replace_file(TABLE, ("[\n" + ",\n".join(lines) + "\n]\n").encode())


if __name__ == "__main__":
    main()
