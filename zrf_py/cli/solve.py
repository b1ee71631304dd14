"""`zrf solve`: solve a puzzle, or improve its solution until time is up."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from zrf_py.cli.common import (
    above_zero,
    add_game,
    add_json,
    add_position,
    beside,
    live,
    one_output,
    open_position,
    print_json,
    write_file,
)
from zrf_py.text.numbers import number

if TYPE_CHECKING:
    from zrf_py.play.game import Position
    from zrf_py.solve.solver import Progress, Solution, SolverResult

IMPROVE, SEARCH = 30.0, 120.0


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--time", type=above_zero, metavar="S",
                        help=f"time to search for a solution (default: {SEARCH:.0f} s), and for a better one if the "
                             f"rules define a score (default: {IMPROVE:.0f} s)")
    parser.add_argument("--shortest", action="store_true", help="search until the solution is proven to be the best")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed (default: 0)")
    add_position(parser)
    parser.add_argument("--save", metavar="FILE.zsg", help="save the best solution as a game; - is standard output")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from zrf_py.solve.solver import solve

    one_output(args.save, "-" if args.json else None)
    start = open_position(args)
    scored = start.game.program.game.score is not None
    seconds = args.time or (IMPROVE if scored and not args.shortest else SEARCH)
    with live(_standing) as tell:
        answer = solve(start, seconds=seconds, shortest=args.shortest, seed=args.seed, tell=tell)
    best = answer.solution
    if answer.interrupted:
        print(_stopped(best is not None, args.save), file=sys.stderr)
    if args.save is not None and best is not None:
        _save(best, args.save, start)
    if args.json:
        print_json(_object(answer))
    else:
        with beside(args.save):
            _show(answer, args.save)
    return int(best is None)


def _show(answer: SolverResult, save: str | None) -> None:
    best = answer.solution
    if best is None:
        print(_nothing(answer))
        return
    if save is None:
        _print_moves(best)
    elif save != "-":
        print(f"saved as {save}")
    print(f"{_text(best)}; {_quality(answer)}")


def _save(best: Solution, path: str, start: Position) -> None:
    from zrf_py.library import shelf
    from zrf_py.play.zsg import encoded, record, rules_name, write_game

    file = rules_name(start.game.path, shelf().values()) if start.game.path else "game.zrf"
    saved = record(best.end, file, "C" * len(start.game.players))
    write_file(path, encoded(write_game(saved)))


def _stopped(has_solution: bool, save: str | None) -> str:
    """Return the message after Ctrl-C: whether there is a solution, and whether and where it was saved."""
    if not has_solution:
        return "Stopped without a solution; nothing was saved. The same command starts from the beginning."
    place = f"is saved in {save}" if save and save != "-" else "is shown; `--save FILE.zsg` would save it"
    return f"Stopped: the best solution so far {place}. The same command starts over; `--time S` limits the time."


def _object(answer: SolverResult) -> dict[str, object]:
    best = answer.solution
    facts: dict[str, object] = {
        "solved": best is not None, "complete": answer.complete, "visited": answer.visited,
        "seconds": round(answer.seconds, 3), "stopped": answer.interrupted}
    if best is not None:
        moves = [str(p.move) for p in best.end.line() if p.move is not None][::-1]
        facts |= {"turns": best.turns, "legs": best.legs, "runs": best.runs, "score": best.score,
                  "shortest": best.shortest, "moves": moves}
    return facts


def _nothing(answer: SolverResult) -> str:
    seen = f"{answer.visited:,} positions in {answer.seconds:.1f} s"
    if answer.complete:
        return f"There is no solution ({seen})."
    return f"No solution was found ({seen}); `--time` sets a longer time limit."


def _text(best: Solution) -> str:
    parts = [f"solved in {number(best.turns, 'turn')}"]
    if best.legs != best.turns:
        parts.append(number(best.legs, "leg"))
    if best.runs != best.turns:
        parts.append(f"{best.runs} if consecutive turns of one piece count once")
    if best.score is not None:
        parts.append(f"score {best.score}")
    return ", ".join(parts)


def _quality(answer: SolverResult) -> str:
    seen = f"{answer.visited:,} positions in {answer.seconds:.1f} s{', stopped' if answer.interrupted else ''}"
    proven = answer.solution is not None and answer.solution.shortest
    return f"no better one exists ({seen})" if proven else seen


def _print_moves(best: Solution) -> None:
    number = 0
    line = list(best.end.line())[::-1]
    begins = True
    for position in line:
        if position.move is None:
            continue
        number += begins
        print(f"{number:4}. {position.move}" if begins else f"      {position.move}")
        begins = not position.in_turn


def _standing(progress: Progress) -> str:
    """Format the best solution so far and the state of the search."""
    best = f"best: {_text(progress.best)}; " if progress.best else ""
    return f"{best}{progress.doing}; {progress.visited:,} positions, {progress.seconds:.0f} s"
