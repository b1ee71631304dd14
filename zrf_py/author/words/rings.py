"""Loops round a ring of squares: they set flags that count squares, or write moves to one square of the ring."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from zrf_py.author.words.forms import ALWAYS, Condition, Deed, Fact, Form, Spot, Unclear
from zrf_py.author.words.logic import joined
from zrf_py.author.words.lookahead import learned
from zrf_py.author.words.merging import respotted
from zrf_py.author.words.reader import Reader
from zrf_py.author.words.squares import ANY, FRIEND, ON
from zrf_py.author.words.state import UNKNOWN, State, Value, changed_flags, with_flags
from zrf_py.front import syntax
from zrf_py.ir.ops import HERE, Op

Execute = Callable[[Iterable[syntax.Instruction], list[State]], list[State]]
"""Function that executes instructions in several states; returns the states after them."""
MAX_COUNT = 12
"""Upper bound on the number of squares that flags may count."""


def go_round(
    reader: Reader, run: Execute, forms: list[Form], tree: syntax.While, state: State, depth: int,
) -> list[State]:
    """Execute a loop round a ring of squares that treats them all alike; return [] for any other loop.

    The forms that it writes are appended to `forms`.

    :raises Unclear: if forms can't express it, as when effects depend on earlier squares in any way but by counting.
    """
    circle = ring(reader, tree, state)
    if circle is None or len(tree.body) == 1:
        return [state._replace(here=circle[0])] if circle else []
    goal, squares = circle
    if state.deeds or state.must or (state.from_, state.to) != (Spot(), None):
        raise Unclear("the effects before a loop would apply to every square")
    apart = Fact("same?", False, Spot(ANY, depth), other=goal)
    inside = state._replace(here=Spot(ANY, depth), facts=(*state.facts, apart))
    body, before = tree.body[:-1], len(forms)
    flags: dict[int, Value] = {}
    ends = run(body, [inside])
    if forms[before:]:
        if changed := changed_flags(state, ends):  # flags changed on one square are unknown on the next
            del forms[before:]
            flags = dict.fromkeys(changed)
            inside = inside._replace(flags=with_flags(inside, flags))
            ends = run(body, [inside])
        forms[before:] = [chosen(form, inside, goal, squares) for form in forms[before:]]
    else:
        flags = counters(lambda branch: run(body, [branch]), inside, goal, squares)
    bare = {end._replace(contents=(), facts=(), mark=Spot(), marked=None, flags=()) for end in (inside, *ends)}
    if len(bare) > 1:
        raise Unclear("a loop moves the cursor or adds effects")
    same = all((end.mark, end.marked) == (state.mark, state.marked) for end in ends)
    after = state._replace(here=goal, flags=with_flags(state, flags))
    return [after if same else after._replace(mark=UNKNOWN, marked=UNKNOWN)]


def ring(reader: Reader, tree: syntax.While, state: State) -> tuple[Spot, frozenset[int]] | None:
    """Return the flagged square at which a loop ends, and the ring of squares it goes round; None for other loops.

    The loop must begin one step after that square, or do nothing but step on until it gets there.
    """
    tests: list[tuple[str, int, int, bool]] = []

    def record(op: Op, want: bool) -> Condition:
        tests.append((op.name, op.where, op.a, want == op.want))
        return ALWAYS

    reader.condition(tree.condition, True, record)
    motion = reader.only_step(tree.body[-1:])
    goals = [spot for (flag, spot), _ in state.square_flags if tests == [("position-flag?", HERE, flag, False)]]
    if len(goals) != 1 or motion < 0 or not (squares := reader.cycle(motion)):
        return None
    begins = state.here == reader.step(goals[0], motion) or (
        state.here.base == ANY and not state.here.path and len(tree.body) == 1)
    return (goals[0], squares) if begins else None


def counters(
    turn: Callable[[State], list[State]], inside: State, goal: Spot, squares: frozenset[int],
) -> dict[int, Value]:
    """Return the flags that a loop sets once enough squares satisfy a condition, with "count?" facts as values.

    :raises Unclear: if the loop sets flags in any other way.
    """
    values: dict[int, Value] = {}
    facts: set[Condition] = set()
    state = inside
    for count in range(1, MAX_COUNT):
        acting = [end for end in turn(state) if end.flags != state.flags]
        if not acting:
            return values
        facts.add(joined("or", (joined("and", (*learned(inside, end), *_other(inside, end, goal))) for end in acting)))
        new, changed = dict(acting[0].flags), changed_flags(state, acting[:1])
        if len(facts) > 1 or any(end.flags != acting[0].flags or new[flag] is not True
                                 for end in acting for flag in changed):
            break
        values |= {flag: Fact("count?", True, inside.here, count, inner=next(iter(facts)), squares=squares)
                   for flag in changed}
        state = state._replace(flags=acting[0].flags)
    raise Unclear("a loop sets flags other than by counting squares")


def chosen(form: Form, inside: State, goal: Spot, squares: frozenset[int]) -> Form:
    """Rewrite a form from the body of a loop: one of `squares`, chosen by the player, replaces the loop's square."""
    square = inside.here
    if any(_is_at(spot, square) for spot in (form.start, form.end, *(spot for pair in form.others for spot in pair))):
        facts = tuple(fact for fact in form.facts if fact != inside.facts[-1])
        return replace(form, squares=squares, facts=(*facts, *_other(inside, form, goal)))
    after = State(contents=form.contents, facts=form.facts)
    tests = [fact for fact in learned(inside, after) if respotted(fact, lambda spot: _away(spot, square)) != fact]
    deeds = tuple(deed for deed in form.deeds if deed.spot and _is_at(deed.spot, square))
    fact = joined("and", (*tests, *_other(inside, form, goal)))
    choice = Deed("one", square, fact=fact, deeds=deeds, squares=squares)
    return replace(
        form, contents=tuple((spot, contents) for spot, contents in form.contents if not _is_at(spot, square)),
        facts=tuple(fact for fact in form.facts if respotted(fact, lambda spot: _away(spot, square)) == fact),
        deeds=(*(deed for deed in form.deeds if deed not in deeds), choice))


def _other(inside: State, after: State | Form, goal: Spot) -> tuple[Condition, ...]:
    """Return the condition that the square is not the loop's end `goal`; () if their contents imply it."""
    contents = dict(inside.contents).get(goal, {FRIEND} if goal == Spot() else ON)
    mine = dict(after.contents).get(inside.here, ON)
    return (Fact("same?", False, inside.here, other=goal),) if contents & mine else ()


def _is_at(spot: Spot, other: Spot) -> bool:
    return (spot.base, spot.position) == (other.base, other.position)


def _away(spot: Spot, other: Spot) -> Spot:
    return Spot("", -1) if _is_at(spot, other) else spot
