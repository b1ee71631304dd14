"""Detect games in which no position can recur: their random games need no history."""

from collections.abc import Iterator

from zrf_py.ir.ops import HERE, PASSING, REMOVING, Program, those
from zrf_py.native.bitboards.sets import Groups
from zrf_py.text.grouping import by_key

_MOVES_CURSOR = those(lambda row: row.moves_cursor)
_PUTTING = those(lambda row: row.puts)


def can_repeat(program: Program) -> bool:
    """Return whether the game counts repetitions, and its moves do more than fill empty squares permanently."""
    return program.aims.repetition > 0 and not _only_fills(program)


def is_monotone(program: Program) -> bool:
    """Return whether the number of pieces on the board certainly never falls, or certainly never rises."""
    if program.game.plus:
        return False
    shrinks = not any(program.drops) and not program.uses(*_PUTTING) and not any(op.is_copy for op in program.ops)
    grows = not any(program.moves) and not program.uses(*REMOVING)
    return shrinks or grows


def always_advances(program: Program, groups: Groups) -> bool:
    """Return whether every move moves one piece along an acyclic graph of squares, so that no position recurs."""
    return (
        not any(program.drops) and not _may_pass(program) and bool(groups.yields)
        and all(y.plain for y in groups.yields)
        and all(not _has_circle(_steps(groups, side)) for side in {turn.side for turn in program.game.turns})
    )


def _only_fills(program: Program) -> bool:
    """Return whether every move puts a piece on its block's empty start square and no piece is ever removed."""
    routines = [r for routines in program.drops for r in routines]
    return bool(routines) and not any(program.moves) and not program.game.plus and not _may_pass(program) and all(
        (first.name, first.where, first.want) == ("empty?", HERE, True)
        and all(op.name not in _MOVES_CURSOR | REMOVING for op in routine.code)
        for routine in routines for first in routine.code[:1])


def _may_pass(program: Program) -> bool:
    return program.game.options.pass_turn != "never" or program.uses(*PASSING)


def _steps(groups: Groups, side: int) -> dict[int, list[int]]:
    """Return, for each square, the squares to which any piece of the side may move from there."""
    yields = (y for (player, _, _), numbers in groups.lists.items() if player == side
              for number in numbers for y in groups.groups[number].yields)
    return by_key({(from_, end) for y in yields for from_, end in zip(y.from_, y.end, strict=True)
                   if from_ >= 0 and end >= 0})


def _has_circle(steps: dict[int, list[int]]) -> bool:
    """Return whether a directed graph has a cycle (depth-first search)."""
    done: set[int] = set()
    for first in steps:
        stack: list[tuple[int, Iterator[int]]] = [(first, iter(steps.get(first, ())))] if first not in done else []
        on_path = {first}
        while stack:
            square, successors = stack[-1]
            following = next((other for other in successors if other not in done), None)
            if following is None:
                done.add(square)
                on_path.discard(square)
                stack.pop()
            elif following in on_path:
                return True
            else:
                on_path.add(following)
                stack.append((following, iter(steps.get(following, ()))))
    return False
