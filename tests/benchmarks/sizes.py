"""Rules of a game on boards of any size, for the plot of speed against board size."""

from __future__ import annotations

from zrf_py.compile import compile_source
from zrf_py.ir.ops import Program
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source

_BREAKTHROUGH = """
(game (title "Breakthrough {n}") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("{columns}" (10 0)) ("{rows}" (0 10)))
      (directions (n 0 -1) (s 0 1) (ne 1 -1) (nw -1 -1) (se 1 1) (sw -1 1)))
    (symmetry Black (n s) (s n) (ne se) (se ne) (nw sw) (sw nw))
    (zone (name far) (players White) (positions {top}))
    (zone (name far) (players Black) (positions {bottom})))
  (piece (name Man) (moves (n (verify empty?) add) (nw (verify not-friend?) add) (ne (verify not-friend?) add)))
  (board-setup (White (Man {bottom} {second})) (Black (Man {top} {below})))
  (win-condition (White Black) (absolute-config Man (far))) (loss-condition (White Black) (pieces-remaining 0)))
"""
_FIVE = """
(define five-along Stone $1 Stone $1 Stone $1 Stone $1 Stone)
(game (title "Five {n}") (players Black White) (turn-order Black White)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("{columns}" (10 0)) ("{rows}" (0 10)))
      (directions (n 0 -1) (e 1 0) (ne 1 -1) (se 1 1))))
  (piece (name Stone) (drops ((verify empty?) add)))
  (board-setup (Black (Stone off {many})) (White (Stone off {many})))
  (win-condition (Black White) (or (relative-config (five-along n)) (relative-config (five-along e))
    (relative-config (five-along ne)) (relative-config (five-along se))))
  (draw-condition (Black White) stalemated))
"""
GAMES = {"breakthrough": _BREAKTHROUGH, "five in a row": _FIVE}


def program(game: str, n: int) -> Program:
    """Return a game of `GAMES` on n × n squares."""
    columns = [f"c{i}x" for i in range(n)]
    rank = {name: " ".join(f"{column}{row}" for column in columns)
            for name, row in (("bottom", 1), ("second", 2), ("below", n - 1), ("top", n))}
    text = GAMES[game].format(n=n, columns="/".join(columns), rows="/".join(str(i) for i in range(n, 0, -1)),
                              many=n * n, **rank)
    report = Report()
    (found,) = compile_source(Source(f"{game}.zrf", text), lambda name, origin: None, report)
    report.check()
    return found
