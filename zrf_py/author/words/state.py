"""State of one path through a block under symbolic execution, and the effect of loops on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from zrf_py.author.words.forms import ALWAYS, NEVER, Condition, Deed, Fact, Loop, Spot, Unclear
from zrf_py.author.words.logic import negated, parts_of
from zrf_py.author.words.squares import ANY, ANYONE, ENEMY, FRIEND, LAST_FROM, LAST_TO, NAMED, OFF, START
from zrf_py.front import model
from zrf_py.ir.ops import GO_FROM, GO_LAST_FROM, GO_MARK, GO_TO, those
from zrf_py.ir.traits import Answer

SOMEBODY = those(lambda row: row.says and row.says.friend is Answer.MAYBE)
"""Tests of the type or of an attribute of a piece, regardless of its owner."""
UNKNOWN = Spot("unknown")
"""A square that is unknown, such as one that a loop has set."""
Known = tuple[tuple[Spot, frozenset[str]], ...]
Value = bool | Condition | None
"""Value of a flag: true or false, the condition under which it is set, or None if the number of repetitions decides."""


class State(NamedTuple):
    """State after some instructions on one path through a block."""

    here: Spot = Spot()
    from_: Spot = Spot()
    to: Spot | None = None
    mark: Spot = Spot()
    marked: Spot | None = None
    contents: Known = ()
    facts: tuple[Condition, ...] = ()
    deeds: tuple[Deed, ...] = ()
    others: tuple[tuple[Spot, Spot], ...] = ()
    flags: tuple[tuple[int, Value], ...] = ()
    square_flags: tuple[tuple[tuple[int, Spot], bool], ...] = ()
    must: bool = False

    def knowing(self, spot: Spot, contents: frozenset[str]) -> State | None:
        """Return the state with the possible contents of a square narrowed; None if no contents remain."""
        contents_by_spot = dict(self.contents)
        left = contents_by_spot.get(spot, ANYONE) & contents - ({OFF} if self.is_there(spot) else set())
        return self._replace(contents=tuple({**contents_by_spot, spot: left}.items())) if left else None

    def is_there(self, spot: Spot) -> bool:
        """Return whether a square certainly exists: it is on the cursor's path, or it is a base square itself."""
        cursor = self.here
        same_base = (spot.base, spot.position) == (cursor.base, cursor.position)
        return (same_base and cursor.path[: len(spot.path)] == spot.path) or (
            not spot.path and spot.base in (START, NAMED, ANY))

    def is_implied(self, spot: Spot) -> bool:
        """Return whether tests of the piece's type or attributes on this square imply all that `contents` states."""
        named = any(isinstance(f, Fact) and f.want and f.spot == spot and f.name in SOMEBODY
                    for f in self.facts)
        return not self.contents or (named and self.contents == ((spot, frozenset({FRIEND, ENEMY})),))

    def flag(self, flag: int, answer: bool) -> Condition:
        """Return the condition that a flag has this value."""
        held = dict(self.flags).get(flag, False)
        if held is None:
            raise Unclear("the value of a flag is unknown after a loop")
        condition = held if not isinstance(held, bool) else ALWAYS if held else NEVER
        return condition if answer else negated(condition)

    def having(self, condition: Condition) -> State | None:
        """Return the state with one more condition; None if it is NEVER, or its negation is already assumed."""
        if negated(condition) in self.facts or condition == NEVER:
            return None
        return self if condition in (*self.facts, ALWAYS) else self._replace(facts=(*self.facts, condition))

    def holding(self, condition: Condition) -> State | None:
        """Return the state with a condition added, the parts of an "and" one by one; None if it can't hold."""
        after: State | None = self
        for part in parts_of(condition, "and"):
            after = after.having(part) if after else None
        return after


def changed_flags(before: State, ends: Iterable[State]) -> set[int]:
    """Return the flags whose value in one of the states `ends` differs from that in `before`."""
    return {flag for end in ends for flag, held in end.flags if held != dict(before.flags).get(flag, False)}


def repeated(state: State, run: Loop, begin: State, ends: Sequence[State]) -> State:
    """Return the state after any number of repetitions of a loop; flags and squares that differ between the beginning
    and any end of one repetition become unknown."""
    squares: dict[str, Any] = {name: UNKNOWN for name in ("from_", "to", "mark", "marked")
                               if any(getattr(end, name) != getattr(begin, name) for end in ends)}
    flags = with_flags(state, dict.fromkeys(changed_flags(begin, ends)))
    return state._replace(here=state.here.along(run), flags=flags, **squares)


def go_target(mark: int, state: State) -> Spot:
    """Return the square that `go` leads to."""
    if mark == GO_FROM:
        return state.from_
    if mark == GO_TO:
        return state.to if state.to is not None else state.here
    if mark == GO_MARK:
        return state.mark
    return Spot(LAST_FROM if mark == GO_LAST_FROM else LAST_TO)


def run_deeds(state: State) -> Iterator[Deed]:
    """Yield the effects of runs on the paths to the cursor, the from and to squares and the mark."""
    for spot in (state.here, state.from_, state.to or state.here, state.mark):
        for number, part in enumerate(spot.path):
            if isinstance(part, Loop) and part.deeds:
                yield Deed("each", Spot(spot.base, spot.position, spot.path[: number + 1]))


def repetition(begin: State, end: State, writes: bool) -> Loop:
    """Return a loop's body as a run, from the states at its beginning and end.

    :raises Unclear: if it has effects that a run can't express, or leaves the cursor on the square where it was.
    """
    if end.here.base != START or end.others or end.square_flags != begin.square_flags or (end.deeds and writes):
        raise Unclear("a loop has effects that repetition can't express")
    if not end.here.path:
        raise Unclear("each round of a loop ends on the square where it began")
    return Loop(end.here.path, end.contents, end.facts, end.deeds)


def with_flags(state: State, values: Mapping[int, Value]) -> tuple[tuple[int, Value], ...]:
    """Return the flags of a state, those in `values` with new values."""
    return tuple(sorted({**dict(state.flags), **values}.items(), key=lambda item: item[0]))


def counted(deeds: tuple[Deed, ...], deed: Deed) -> tuple[Deed, ...]:
    """Append the increment of a counter to effects; increments of the same counter are added up."""
    for n, other in enumerate(deeds):
        if replace(other, numbers=deed.numbers) == deed:
            parts = other.numbers[0], deed.numbers[0]
            plain = all(part.kind == "number" for part in parts)
            number = model.Number("number", sum(p.a for p in parts)) if plain else model.Number("sum", parts=parts)
            return (*deeds[:n], replace(deed, numbers=(number,)), *deeds[n + 1 :])
    return (*deeds, deed)


def outside(spot: Spot) -> Spot:
    """Rebase a square of the block for use in a loop, where START is the start of one repetition."""
    return replace(spot, base="block") if spot.base == START else spot


def inside(spot: Spot) -> Spot:
    """Return START for a square that `outside` has rebased, any other square unchanged. If this changes a condition,
    the condition mentions squares outside of the loop."""
    return Spot() if spot.base == "block" else spot


def numbers_in(numbers: Iterable[model.Number]) -> Iterator[model.Number]:
    """Yield numbers, each followed by its parts at all depths."""
    for number in numbers:
        yield number
        yield from numbers_in(number.parts)
