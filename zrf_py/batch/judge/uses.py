"""Count the uses of each piece type, block, end condition and position in watched games."""

from collections import Counter
from collections.abc import Sequence

from zrf_py.batch.jobs import Result
from zrf_py.batch.judge.blocks import blocks, place_of
from zrf_py.batch.judge.report import Square, Use
from zrf_py.ir.ops import WRITING, Program
from zrf_py.text.suggest import clipped

SHORT = 79


def count_of(games: Sequence[Result], name: str) -> tuple[Counter[int], Counter[int]]:
    """Return (occurrences of each number in the notes `name`, number of games in which it occurs)."""
    times: Counter[int] = Counter()
    having: Counter[int] = Counter()
    for game in games:
        pairs = [(p, 1) if isinstance(p, int) else (p[0], p[1]) for p in game["notes"][name]]
        for key, count in pairs:
            times[key] += count
        having.update({key for key, _ in pairs})
    return times, having


def pieces(program: Program, games: Sequence[Result]) -> list[Use]:
    """Return the piece types with their numbers of moves and drops; `offered`: one was ever on the board."""
    count = max(len(games), 1)
    moved, moved_in = count_of(games, "moved")
    captured, _ = count_of(games, "captured")
    created, _ = count_of(games, "made")
    _, present = count_of(games, "present")
    return [
        Use(kind.name, "", moved[k], moved_in[k] / count, bool(present[k]),
            f"on the board in {present[k] / count:.0%} of games; removed {captured[k]} times"
            + (f"; {created[k]} created from other types" if created[k] else ""))
        for k, kind in enumerate(program.game.pieces)
    ]


def blocks_used(program: Program, games: Sequence[Result]) -> list[Use]:
    """Return the use of each block that writes moves, counted in moves; the others only set flags for later blocks."""
    used, used_in = count_of(games, "used")
    offered, _ = count_of(games, "offered")
    return [
        Use(program.game.pieces[b.piece].name, b.place, used[n], used_in[n] / max(len(games), 1),
            bool(offered[n] or used[n]), ("drop " if b.drops else "") + b.text)
        for n, b in enumerate(blocks(program)) if any(op.name in WRITING for op in b.routine.code)
    ]


def ends(program: Program, games: Sequence[Result]) -> list[Use]:
    """Return the use of each end condition: the number of games that it ended."""
    ended, ended_in = count_of(games, "ends")
    return [
        Use(f"{end.result}-condition", place_of(end.origin) if end.origin else "", ended[n],
            ended_in[n] / max(len(games), 1), True,
            clipped(" ".join(end.origin.span.text.split()), SHORT) if end.origin else "")
        for n, end in enumerate(program.game.ends)
    ]


def squares(program: Program, games: Sequence[Result]) -> list[Square]:
    """Return the visible positions with arrivals per game; `reached`: a piece stood there in some game."""
    arrivals, _ = count_of(games, "arrived")
    held, _ = count_of(games, "held")
    rows = []
    for number, place in enumerate(program.game.board.places):
        if not place.dummy:
            left, top, right, bottom = place.rectangle
            rows.append(Square(place.name, (left + right) / 2, (top + bottom) / 2, min(right - left, bottom - top),
                                arrivals[number] / max(len(games), 1), bool(held[number])))
    return rows
