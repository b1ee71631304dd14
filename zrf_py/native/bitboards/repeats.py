"""Can a position come again? Where it cannot, random games need not remember any."""

from collections.abc import Iterator

from zrf_py.ir.ops import HERE, Program, those
from zrf_py.ir.traits import Writes
from zrf_py.native.bitboards.sets import COPIES, Groups, Yield
from zrf_py.run.goals import repetition

_MOVES_CURSOR = those(lambda row: row.moves_cursor)
_PUTTING = those(lambda row: row.puts)
_TAKING = those(lambda row: row.removes and not row.puts)
_PASSING = those(lambda row: row.writes & Writes.PASS)


def can_repeat(program: Program) -> bool:
    """Whether positions may come again, as far as the drops can tell, and anybody asks."""
    return repetition(program.game) > 0 and not _only_fills(program)


def is_monotone(program: Program) -> bool:
    """Whether the number of pieces on the board only ever grows, or only ever shrinks."""
    if program.game.plus:
        return False
    shrinks = not any(program.drops) and not program.uses(*_PUTTING) and not program.uses(
        "add", suits=lambda op: bool(op.a & COPIES))
    grows = not any(program.moves) and not program.uses(*_TAKING)
    return shrinks or grows


def always_advances(program: Program, groups: Groups) -> bool:
    """Whether every move takes one piece along ways on which nobody comes back: then nothing repeats."""
    yields = [y for group in groups.groups for y in group.yields]
    return (
        not any(program.drops) and not _may_pass(program) and bool(yields) and all(y.plain for y in yields)
        and all(not _has_circle(_steps(groups, side)) for side in {turn.side for turn in program.game.turns})
    )


def _only_fills(program: Program) -> bool:
    """Whether every move puts a piece on the empty square its block starts from, and nothing is ever taken away."""
    routines = [r for routines in program.drops for r in routines]
    return bool(routines) and not any(program.moves) and not program.game.plus and not _may_pass(program) and all(
        (first.name, first.where, first.want) == ("empty?", HERE, True)
        and all(op.name not in _MOVES_CURSOR | _TAKING for op in routine.code)
        for routine in routines for first in routine.code[:1])


def _may_pass(program: Program) -> bool:
    return program.game.options.pass_turn != "never" or program.uses(*_PASSING)


def _steps(groups: Groups, side: int) -> dict[int, set[int]]:
    """Squares that the side's pieces may go to, from each square, with whatever type."""
    found: dict[int, set[int]] = {}
    for (player, _, _), numbers in groups.lists.items():
        if player == side:
            for number in numbers:
                for y in groups.groups[number].yields:
                    _add(found, y)
    return found


def _add(found: dict[int, set[int]], y: Yield) -> None:
    for from_, end in zip(y.from_, y.end, strict=True):
        if from_ >= 0 and end >= 0:
            found.setdefault(from_, set()).add(end)


def _has_circle(steps: dict[int, set[int]]) -> bool:
    """Whether some way leads back to where it began."""
    done: set[int] = set()
    for first in steps:
        under_way: list[tuple[int, Iterator[int]]] = [(first, iter(steps.get(first, ())))] if first not in done else []
        on_way = {first}
        while under_way:
            square, ways = under_way[-1]
            following = next((way for way in ways if way not in done), None)
            if following is None:
                done.add(square)
                on_way.discard(square)
                under_way.pop()
            elif following in on_way:
                return True
            else:
                on_way.add(following)
                under_way.append((following, iter(steps.get(following, ()))))
    return False
