"""Forms -> fewer forms with the same meaning: alternative contents, promotions and directions are merged."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from zrf_py.author.words.forms import ANYONE, NAMED, Condition, Deed, Fact, Form, Many, Run, Spot, negated, opposite
from zrf_py.front.model import Number

MAX_FORMS = 300
"""Most forms of one piece that are compared in pairs."""


Either = TypeVar("Either", Form, Run)


@dataclass(frozen=True, slots=True)
class Group:
    """A form whose motions are numbers 0, 1, …, and the motions that these may be, together.

    With `places`, its square PLACE is any of these.
    """

    form: Form
    motions: tuple[tuple[int, ...], ...]
    places: tuple[int, ...] = ()


PLACE = Spot(NAMED, -2)
"""Placeholder for the square of a group that may be any of several."""


def merged(forms: Iterable[Form]) -> list[Form]:
    """Merge forms in pairs as long as two can be expressed as one."""
    left = list(dict.fromkeys(map(_plain, forms)))
    if len(left) > MAX_FORMS:
        return left
    for join in (_joined, _perhaps):
        while pair := next(((i, j, both) for j in range(len(left)) for i in range(j)
                            if (both := join(left[i], left[j])) is not None), None):
            left[pair[0]] = pair[2]
            del left[pair[1]]
    return left


def _plain(form: Form) -> Form:
    """Normalise a form: drop squares that anybody may stand on, and make the block's own piece the one that moves."""
    own = next((pair for pair in form.others if pair[0] == Spot()), None)
    if own is not None and form.start != Spot() and not form.types and form.partial is None and not form.copy:
        rest = tuple(pair for pair in form.others if pair != own)
        form = replace(form, start=own[0], end=own[1], others=(*rest, (form.start, form.end)))
    return replace(form, contents=tuple((spot, who) for spot, who in form.contents if who != ANYONE))


def _joined(one: Form, other: Form) -> Form | None:
    """Merge two forms that differ in the contents of one square, in one condition, in promotions, or in one condition
    and its effects; None if they differ otherwise."""
    if _bare(one) != _bare(other):
        return None
    happens = one.types == other.types and _same_but_types(one, other)
    if set(one.facts) == set(other.facts) and happens:
        return _either(one, other)
    if dict(one.contents) != dict(other.contents):
        return None
    if set(one.facts) == set(other.facts):
        same = happens or (one.types and other.types and _same_but_types(one, other))
        return replace(one, types=tuple(dict.fromkeys((*one.types, *other.types)))) if same else None
    return _whatever(one, other, happens)


def _bare(form: Form) -> Form:
    return replace(form, contents=(), facts=(), types=(), deeds=(), must=False, partial=None)


def _same_but_types(one: Form, other: Form) -> bool:
    return (one.deeds, one.must, one.partial) == (other.deeds, other.must, other.partial)


def _perhaps(one: Form, other: Form) -> Form | None:
    """Merge a form in which the piece stays what it is with one in which it becomes another; None if impossible."""
    if (bool(one.types) == bool(other.types) or _bare(one) != _bare(other)
            or dict(one.contents) != dict(other.contents)):
        return None
    if not _same_but_types(one, other) or one.rise or one.keeps is not None:
        return None
    staying, changing = (other, one) if one.types else (one, other)
    common = tuple(fact for fact in staying.facts if fact in changing.facts)
    more = tuple(fact for fact in changing.facts if fact not in common)
    keeps = tuple(fact for fact in staying.facts if fact not in common)
    if len(more) > 1 or len(keeps) > 1:
        return None
    return replace(staying, facts=common, types=changing.types, rise=more[0] if more else None, keeps=keeps)


def _either(one: Either, other: Either) -> Either | None:
    """Merge two that differ in the contents of one square at most; None if they differ in more."""
    first, second = dict(one.contents), dict(other.contents)
    differ = [spot for spot in {**first, **second} if first.get(spot, ANYONE) != second.get(spot, ANYONE)]
    if len(differ) > 1:
        return None
    for spot in differ:
        first[spot] = first.get(spot, ANYONE) | second.get(spot, ANYONE)
    return replace(one, contents=tuple((spot, who) for spot, who in first.items() if who != ANYONE))


def alike(one: Run, other: Run) -> Run | None:
    """Merge repetitions that differ in the contents of one square, or in one condition and its negation; else None."""
    if (one.way, one.deeds) != (other.way, other.deeds):
        return None
    mine, yours = set(one.facts) - set(other.facts), set(other.facts) - set(one.facts)
    if not mine and not yours:
        return _either(one, other)
    if one.contents != other.contents or not opposite(
            (f for f in one.facts if f in mine), (f for f in other.facts if f in yours)):
        return None
    return replace(one, facts=tuple(fact for fact in one.facts if fact not in mine))


def _whatever(one: Form, other: Form, happens: bool) -> Form | None:
    """Merge two forms with opposite conditions; `happens`: their effects are the same. None if impossible."""
    mine, yours = set(one.facts) - set(other.facts), set(other.facts) - set(one.facts)
    for few, many, form in ((mine, yours, one), (yours, mine, other)):  # "A, or B without A" becomes "A or B"
        if happens and len(few) == 1 and len(many) == 2 and (rest := many - {negated(fact) for fact in few}) != many:
            either = Many("or", (*few, *rest))
            return replace(form, facts=tuple(either if fact in few else fact for fact in form.facts))
    if len(mine) != 1 or len(yours) != 1:
        return None
    fact = mine.pop()
    if negated(fact) != yours.pop():
        return None
    facts = tuple(f for f in one.facts if f != fact)
    if happens:
        return replace(one, facts=facts)
    if one.rise or one.keeps is not None or not (_less(one, other) or _less(other, one)):
        return None
    staying, changing = (one, other) if _less(one, other) else (other, one)
    rise = next(f for f in (fact, negated(fact)) if f in changing.facts)
    more = tuple(deed for deed in changing.deeds if deed not in staying.deeds)
    return replace(staying, facts=facts, types=changing.types, rise=rise, rise_deeds=more,
                   rise_must=changing.must and not staying.must, rise_ends=changing.partial != staying.partial)


def _less(one: Form, other: Form) -> bool:
    """Return whether `other` has all effects of `one`, and only it may change the piece's type."""
    return (not one.types and one.must <= other.must and set(one.deeds) <= set(other.deeds)
            and other.partial in (one.partial, None))


# --------------------------------------------------------------------------------------------------------- directions


def grouped(forms: Iterable[Form]) -> list[Group]:
    """Group forms that differ in their motions alone, or in the one named square that they mention."""
    found: dict[Form, list[tuple[int, ...]]] = {}
    places: dict[Form, list[int]] = {}
    for form in forms:
        if form.squares:
            form = placed(form, form.end, PLACE)
        if is_named(form.end) and not form.squares and all(spot in (form.end, Spot()) for spot in spots_of(form)):
            places.setdefault(placed(form, form.end, PLACE), []).append(form.end.position)
            continue
        seen: dict[int, int] = {}
        shape = _renamed(form, lambda motion: seen.setdefault(motion, len(seen)))  # noqa: B023
        ways = found.setdefault(_sorted(shape), [])
        if tuple(seen) not in ways:
            ways.append(tuple(seen))
    return [*(Group(form, tuple(ways), tuple(sorted(form.squares))) for form, ways in found.items()),
            *(Group(form, ((),), tuple(dict.fromkeys(some))) for form, some in places.items())]


def placed(form: Form, here: Spot, there: Spot) -> Form:
    """Replace a square of a form by another."""
    def spot(one: Spot) -> Spot:
        return there if one == here else one

    return replace(form, **{part: respotted(getattr(form, part), spot) for part in _PARTS})


def _sorted(form: Form) -> Form:
    return replace(form, contents=tuple(sorted(form.contents, key=repr)))


def _renamed(form: Form, name: Callable[[int], int]) -> Form:
    """Rename the motions of a form, in the order of the path to its end, then of the rest."""
    def spot(one: Spot) -> Spot:
        return replace(one, way=tuple(name(part) if isinstance(part, int) else run(part) for part in one.way))

    def run(part: Run) -> Run:
        values = (respotted(value, spot, name) for value in (part.contents, part.facts, part.deeds))
        contents, facts, deeds = values
        return Run(spot(Spot(way=part.way)).way, contents, facts, deeds, part.most)

    return replace(form, **{part: respotted(getattr(form, part), spot, name) for part in _PARTS})


_PARTS = ("end", "start", "contents", "facts", "deeds", "others", "rise", "rise_deeds", "keeps")


def respotted(value: Any, spot: Callable[[Spot], Spot], name: Callable[[int], int] = int) -> Any:
    """Rename the squares in a part of a form, and the motions in its numbers."""
    match value:
        case Spot():
            return spot(value)
        case Fact(name="count?") | Deed(name="one"):  # about squares of the board
            return value
        case Fact() | Deed():  # those inside an effect on every square stay the board's
            if isinstance(value, Fact) and value.other:
                value = replace(value, other=spot(value.other))
            return replace(value, spot=respotted(value.spot, spot), numbers=turned(value.numbers, name))
        case Many():
            return Many(value.word, respotted(value.parts, spot, name))
        case tuple():
            return tuple(respotted(part, spot, name) for part in value)
    return value


def turned(numbers: tuple[Number, ...], name: Callable[[int], int]) -> tuple[Number, ...]:
    """Rename the motions in numbers about neighbouring squares."""
    return tuple(replace(n, b=-name(-n.b - 1) - 1 if n.kind == "at" and n.b < 0 else n.b, parts=turned(n.parts, name))
                 for n in numbers)


def spots_of(form: Form) -> Iterator[Spot]:
    """Yield every square that a form mentions."""
    yield form.start
    yield form.end
    for spot, _ in form.contents:
        yield spot
    for condition in (*form.facts, *([form.rise] if form.rise else []), *(form.keeps or ())):
        yield from _asked(condition)
    for deed in (*form.deeds, *form.rise_deeds):
        if deed.spot is not None and deed.name != "one":
            yield deed.spot
    for pair in form.others:
        yield from pair


def _asked(condition: Condition) -> Iterator[Spot]:
    if isinstance(condition, Many):
        for part in condition.parts:
            yield from _asked(part)
    elif condition.spot is not None and condition.name != "count?":
        yield from (condition.spot, condition.other or condition.spot)


def is_named(spot: Spot) -> bool:
    """Return whether a square is named by its position, not relative to the piece."""
    return spot.base == NAMED and not spot.way
