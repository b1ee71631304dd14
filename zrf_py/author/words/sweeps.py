"""Recognise instructions that visit fixed squares of the board, with the same effect on each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from zrf_py.author.words.forms import ALWAYS, Deed, Fact, Form, Loop, Spot
from zrf_py.author.words.logic import joined
from zrf_py.author.words.lookahead import learned
from zrf_py.author.words.merging import placed, spots_of
from zrf_py.author.words.reader import Reader
from zrf_py.author.words.squares import ANY, NAMED, ON
from zrf_py.author.words.state import UNKNOWN, State, with_flags
from zrf_py.front import syntax
from zrf_py.ir.ops import Op

SWEPT = Spot(ANY)
"""Placeholder for each of several squares to which an effect applies."""


@dataclass
class Sweep:
    """A walk over fixed `squares`, with the instructions `trees` on them; `size` is its number of instructions."""

    reader: Reader
    size: int = 0
    trees: dict[int, syntax.Instruction] = field(default_factory=dict)
    squares: set[int] = field(default_factory=set)

    def walk(self, body: Sequence[syntax.Instruction], tables: Sequence[Sequence[int]], square: int) -> tuple[int, int]:
        """Execute instructions; return how many were executed, and the square reached (-1: none)."""
        for count, tree in enumerate(body):
            ops = self.reader.plain([tree])
            if isinstance(tree, syntax.While) and (motion := self._asks_edge(tree)) >= 0 and square >= 0:
                while tables[motion][square] >= 0:
                    done, square = self.walk(tree.body, tables, square)
                    if done < len(tree.body) or square < 0:
                        return count, -1
            elif isinstance(tree, syntax.If) and square >= 0:
                self.trees[id(tree)] = tree
                self.squares.add(square)
            elif len(ops) == 1 and ops[0].name == "jump":
                square = ops[0].a
            elif len(ops) == 1 and ops[0].name == "step" and square >= 0 and tables[ops[0].a][square] >= 0:
                square = tables[ops[0].a][square]
            else:
                return count, square
        return len(body), square

    def _asks_edge(self, tree: syntax.While) -> int:
        """Return the motion of a loop that goes on while the next square along it exists; -1 for other loops."""
        op = self.reader.test(tree.condition) if isinstance(tree.condition, syntax.Test) else Op("")
        return -op.where - 1 if op.name == "on-board?" and op.want and op.where < 0 else -1


def over_the_board(
    reader: Reader, body: Sequence[syntax.Instruction], at_any: Callable[[syntax.Instruction], list[State]],
) -> tuple[int, Deed] | None:
    """Return the number of leading instructions that walk over fixed squares, and the effect on each; None if none do.
    The effect "set-flag" has a condition: the flag is set if any of the squares satisfies it."""
    if [op.name for op in reader.plain(body[:1])] != ["jump"]:
        return None
    sweeps = []
    for tables in reader.steps:
        sweep = Sweep(reader)
        sweep.size, square = sweep.walk(body, tables, -1)
        sweeps.append(sweep)
        if square < 0 or len(sweep.squares) < 2 or (sweep.size, sweep.squares) != (sweeps[0].size, sweeps[0].squares):
            return None
    deeds = {_on_each(at_any(tree)) for sweep in sweeps for tree in sweep.trees.values()}
    deed = deeds.pop() if len(deeds) == 1 else None
    return (sweeps[0].size, replace(deed, squares=frozenset(sweeps[0].squares))) if deed and sweeps else None


def _on_each(ends: list[State]) -> Deed | None:
    """Return the effect on a square from the final states; None unless just one has effects that forms express."""
    acting = [end for end in ends if end.deeds or end.flags]
    if len(acting) != 1 or any(end.here != SWEPT or end.others or end.square_flags for end in ends):
        return None
    (end,) = acting
    if len(end.flags) == 1 and end.flags[0][1] is True and not end.deeds:
        return Deed("set-flag", a=end.flags[0][0], fact=joined("and", learned(State(here=SWEPT), end)))
    if end.flags:
        return None
    return Deed("every", fact=joined("and", end.facts), deeds=end.deeds) if end.is_implied(SWEPT) else None


def walked(reader: Reader, form: Form) -> Form:
    """Return a form; if it may end anywhere on a walk from a fixed square to the edge, the end is ANY of `squares`."""
    run = form.end.path[0] if form.end.base == NAMED and len(form.end.path) == 1 else None
    if not isinstance(run, Loop) or len(run.path) != 1 or not set(spots_of(form)) <= {form.end, Spot()}:
        return form
    there = {Fact("on-board?", True, spot) for spot in (Spot(), Spot(path=run.path))}
    if set(run.contents) - {(Spot(), ON)} or run.deeds or run.most or not set(run.facts) <= there:
        return form
    motion, walks = run.path[0], set()
    for tables in reader.steps:
        walk = [form.end.position]
        while isinstance(motion, int) and tables[motion][walk[-1]] >= 0 and len(walk) < len(tables[motion]):
            walk.append(tables[motion][walk[-1]])
        walks.add(frozenset(walk))
    return replace(placed(form, form.end, Spot(ANY)), squares=walks.pop()) if len(walks) == 1 else form


def swept(deed: Deed, state: State) -> State:
    """Return the state after a walk over squares with an effect on each, or with a flag that one of them sets."""
    if deed.name != "set-flag":
        return state._replace(here=UNKNOWN, deeds=(*state.deeds, deed))
    exists = Fact("count?", True, SWEPT, 1, inner=deed.fact, squares=deed.squares)
    value = joined("or", (state.flag(deed.a, True), exists))
    return state._replace(here=UNKNOWN, flags=with_flags(state, {deed.a: value == ALWAYS or value}))
