"""Join paths that differ only in the results of tests; the values of their flags become conditions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from zrf_py.author.words.forms import ALWAYS, NEVER, Condition, Deed, Fact, Loop, Many, Spot, Unclear
from zrf_py.author.words.logic import joined, negated, parts_of
from zrf_py.author.words.merging import respotted
from zrf_py.author.words.reader import Reader
from zrf_py.author.words.squares import ANYONE, EMPTY, OFF, ON
from zrf_py.author.words.state import SOMEBODY, UNKNOWN, State, Value, with_flags
from zrf_py.front import syntax
from zrf_py.front.goals import instructions
from zrf_py.ir.ops import COLLECTED, TELLING

_LOOKS = {"step", "go", "set-flag"}
_EFFECTS = COLLECTED - {"add-to-counter"} | {"mark", "must-continue"}
MAX_LOOK = 3
"""Maximum number of instructions that only look at other squares: a loop, a test, the way back."""


def look(reader: Reader, body: Sequence[syntax.Instruction], effects: bool) -> Iterator[int]:
    """Yield the lengths, up to `MAX_LOOK`, of the prefixes of a body that only move the cursor and set at least one
    flag. The first instruction must be an `if`, a loop, or the setting of a flag to the value of a test. With
    `effects`, a prefix may have effects, also instead of flags, but no loops."""
    if not body or (isinstance(body[0], syntax.Command) and reader.as_if(body[0]) is None):
        return
    words: set[str] = set()
    for count, tree in enumerate(body[:MAX_LOOK], 1):
        words |= set(_words_of(reader, tree))
        if not words <= _LOOKS | (_EFFECTS if effects else {"while"}):
            return
        if words & ({"set-flag"} | _EFFECTS):
            yield count


def _words_of(reader: Reader, tree: syntax.Instruction) -> Iterator[str]:
    """Yield an instruction's operations by name, without tests; "while" for a loop, "verify" for a `verify`."""
    for inner in instructions((tree,), set()):
        if isinstance(inner, syntax.Command):
            assigned = reader.as_if(inner)
            yield from (op.name for op in reader.ops(assigned.then[0] if assigned else inner))
        elif not isinstance(inner, syntax.If):
            yield "while" if isinstance(inner, syntax.While) else "verify"


def rejoined(before: State, ends: list[State]) -> State | None:
    """Join the states after tests that cover all cases, if they differ only in flags and test results. A flag's value
    becomes the condition under which it is set; effects that only some states have get conditions. Return None if the
    states differ in more."""
    bare = _bare(before)
    deeds = _deeds_when(before, ends)
    if not ends or deeds is None or any(_bare(end) != bare for end in ends):
        return None
    values: dict[int, Value] = {}
    for flag in {flag for end in ends for flag, _ in end.flags}:
        old, new = dict(before.flags).get(flag, False), [dict(end.flags).get(flag, False) for end in ends]
        if len(set(new)) > 1 and None in (old, *new):
            return None
        values[flag] = new[0] if len(set(new)) == 1 else _value(
            old, [(joined("and", learned(before, end)), value) for end, value in zip(ends, new, strict=True)])
    marks = {(end.mark, end.marked) for end in ends}
    mark, marked = marks.pop() if len(marks) == 1 else (UNKNOWN, UNKNOWN)
    flags = with_flags(before, {flag: farthest(before, held) for flag, held in values.items()})
    return before._replace(flags=flags, deeds=(*before.deeds, *deeds), mark=mark, marked=marked)


def _bare(state: State) -> State:
    return state._replace(contents=(), facts=(), flags=(), deeds=(), must=False, mark=UNKNOWN, marked=None)


def _deeds_when(before: State, ends: Sequence[State]) -> tuple[Deed, ...] | None:
    """Return the effects that were added, each with its conditions; None if the effects from before changed."""
    count = len(before.deeds)
    if any(end.deeds[:count] != before.deeds for end in ends):
        return None
    cases: dict[tuple[Deed, ...], list[Condition]] = {}
    for end in ends:
        must = [Deed("must-continue")] if end.must and not before.must else []
        cases.setdefault((*end.deeds[count:], *must), []).append(joined("and", learned(before, end)))
    added: list[Deed] = []
    for deeds, conditions in cases.items():
        case = joined("or", conditions) if len(cases) > 1 else ALWAYS
        plain = tuple(deed for deed in deeds if deed.name != "when")
        added += [Deed("when", fact=_brief(case), deeds=plain)] if plain else []
        added += [replace(deed, fact=_brief(joined("and", (case, deed.fact)))) for deed in deeds if deed.name == "when"]
    return tuple(added)


def _brief(condition: Condition) -> Condition:
    """Remove tests that a square exists where another test of the same conjunction implies it."""
    if isinstance(condition, Many) and condition.word == "or":
        return joined("or", map(_brief, condition.parts))
    parts = [part if isinstance(part, Fact) else _brief(part) for part in parts_of(condition, "and")]
    there = [part.spot for part in parts if isinstance(part, Fact) and part.spot and part.want]
    return joined("and", (part for part in parts if not (
        isinstance(part, Fact) and part.name == "on-board?" and part.want and part.spot and any(
            (spot.base == part.spot.base and spot.path[: len(part.spot.path)] == part.spot.path and spot != part.spot)
            or any(Fact(name, True, part.spot) in parts for name in TELLING)
            for spot in there))))


def _value(old: Value, cases: list[tuple[Condition, Value]]) -> Value:
    """Return the condition that some case holds with its value; `old` is factored out if all values include it."""
    before = _parts(old)
    grows = all(value is True or set(before) <= set(_parts(value)) for _, value in cases)
    added = [joined("and", (case, joined("or", [part for part in _parts(value) if not grows or part not in before])))
             for case, value in cases]
    result = joined("or", (*(before if grows else ()), *added))
    return result == ALWAYS if result in (ALWAYS, NEVER) else result


def _parts(value: Value) -> tuple[Condition, ...]:
    """Return the conditions whose disjunction is a flag's value; () for false or unknown."""
    return () if value is None or value is False else (ALWAYS,) if value is True else parts_of(value, "or")


def any_of(runs: Sequence[Loop]) -> Loop:
    """Merge repetitions that differ only in their conditions; the result requires the conditions of any one of them.

    :raises Unclear: if they differ in more.
    """
    if any((run.path, run.deeds) != (runs[0].path, runs[0].deeds) for run in runs):
        raise Unclear("a loop has paths with different steps or effects")
    ends = [State(contents=run.contents, facts=run.facts) for run in runs]
    conditions = [learned(State(), end) for end in ends]
    common = tuple(dict.fromkeys(fact for fact in conditions[0] if all(fact in some for some in conditions)))
    rest = [[fact for fact in some if fact not in common] for some in conditions]
    denied = {negated(some[0]) for some in rest if len(some) == 1}  # "not A, or A and B" is "not A, or B"
    either = joined("or", (joined("and", (f for f in some if len(some) == 1 or f not in denied)) for some in rest))
    return replace(runs[0], contents=(), facts=(*common, either))


def learned(before: State, after: State) -> list[Condition]:
    """Return the conditions established by the tests between two states."""
    earlier = dict(before.contents)
    facts = [fact for fact in after.facts if fact not in before.facts]
    implied = {(fact.spot, ON - {EMPTY}) for fact in facts if isinstance(fact, Fact) and fact.want
               and fact.name in SOMEBODY}  # `friend?` and the like imply that a piece is there
    tests = [fact for spot, held in after.contents if earlier.get(spot, ANYONE) != held and (spot, held) not in implied
             for fact in _tests_of(spot, held)]
    return [*tests, *facts]


def farthest(before: State, condition: Any) -> Any:
    """Return a condition whose runs to its squares go as far as they can (`most`), except runs made in `before`."""
    paths = before.here.path, before.mark.path, (before.to or Spot()).path
    old = {path[:n] for path in paths for n in range(len(path) + 1)}

    def spot(place: Spot) -> Spot:
        return replace(place, path=tuple(
            replace(part, most=True) if isinstance(part, Loop) and place.path[: n + 1] not in old else part
            for n, part in enumerate(place.path)))

    return respotted(condition, spot)


def _tests_of(spot: Spot, contents: frozenset[str]) -> Iterator[Fact]:
    """Yield the tests of a square whose conjunction is equivalent to these possible contents."""
    if len(contents) == 1 and OFF not in contents:
        yield Fact(f"{next(iter(contents))}?", True, spot)
        return
    if OFF not in contents or len(contents) == 1:
        yield Fact("on-board?", OFF not in contents, spot)
    yield from (Fact(f"{other}?", False, spot) for other in sorted(ON - contents) if contents != {OFF})
