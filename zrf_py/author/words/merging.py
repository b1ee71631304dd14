"""Merge forms into fewer forms with the same meaning: alternative contents, promotions and directions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, TypeVar

from zrf_py.author.words.forms import ALWAYS, NEVER, Condition, Deed, Fact, Form, Loop, Many, Spot
from zrf_py.author.words.logic import always_either, joined, negated, opposite, parts_of
from zrf_py.author.words.squares import ANYONE, NAMED
from zrf_py.front.model import Number

MAX_FORMS = 300
"""Maximum number of forms of one piece that are compared in pairs."""


Either = TypeVar("Either", Form, Loop)


@dataclass(frozen=True, slots=True)
class Group:
    """A form whose motions are numbered 0, 1, …, and the tuples of motions that the numbers may stand for.

    The form's square PLACE, if it has one, may be any of `places`.
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
    alike = cache(lambda first, second: _joined(first, second) if first.types == second.types else None)
    for join in (alike, cache(_joined), cache(_perhaps)):  # cached: a merge leaves most pairs as they were
        while pair := next(((i, j, both) for j in range(len(left)) for i in range(j)
                            if (both := join(left[i], left[j])) is not None), None):
            left[pair[0]] = pair[2]
            del left[pair[1]]
    return left


def _plain(form: Form) -> Form:
    """Normalise a form: put its own piece first, shorten conditions of effects, drop contents that allow anything."""
    own = next((pair for pair in form.others if pair[0] == Spot()), None)
    if own is not None and form.start != Spot() and not form.types and form.partial is None and not form.copy:
        rest = tuple(pair for pair in form.others if pair != own)
        form = replace(form, start=own[0], end=own[1], others=(*rest, (form.start, form.end)))
    deeds = tuple(replace(deed, fact=_shorter(deed.fact)) if deed.name == "when" else deed for deed in form.deeds
                  if deed.name != "when" or not always_either(negated(deed.fact), NEVER))
    contents = tuple((spot, contents) for spot, contents in form.contents if contents != ANYONE)
    return replace(form, contents=contents, deeds=deeds)


def _shorter(condition: Condition) -> Condition:
    """Return a condition without the parts that follow from the others, and the alternatives that these exclude."""
    parts = list(parts_of(condition, "and"))
    for part in sorted(parts, key=lambda part: isinstance(part, Fact)):
        others = [other for other in parts if other != part]
        left, either = negated(joined("and", others)), part.parts if isinstance(part, Many) else (part,)
        shorter = joined("or", (case for case in either if len(either) < 2 or not always_either(left, negated(case))))
        rest = [shorter if other == part else other for other in parts]
        parts = others if others and always_either(left, part) else rest
    return joined("and", parts)


def _joined(first: Form, second: Form) -> Form | None:
    """Merge two forms that differ in the contents of one square, in one condition, in promotions, or in one condition
    and its effects; None if they differ otherwise."""
    if first.rise and second.rise:
        first, second = _same_rise(first, second)
    if _bare(first) != _bare(second):
        return None
    happens = first.types == second.types and _same_but_types(first, second)
    if set(first.facts) == set(second.facts) and happens:
        return _either(first, second)
    if dict(first.contents) != dict(second.contents):
        return None
    if set(first.facts) == set(second.facts):
        same = happens or (first.types and second.types and _same_but_types(first, second))
        return replace(first, types=tuple(dict.fromkeys((*first.types, *second.types)))) if same else None
    return _whatever(first, second, happens)


def _bare(form: Form) -> Form:
    return replace(form, contents=(), facts=(), types=(), deeds=(), must=False, partial=None)


def _same_but_types(first: Form, second: Form) -> bool:
    return (first.deeds, first.must, first.partial) == (second.deeds, second.must, second.partial)


def _perhaps(first: Form, second: Form) -> Form | None:
    """Merge a form in which the piece keeps its type with one in which it changes type; None if impossible."""
    first, second = _unrisen(first), _unrisen(second)
    if (bool(first.types) == bool(second.types) or _bare(first) != _bare(second)
            or dict(first.contents) != dict(second.contents)):
        return None
    if not _same_but_types(first, second) or first.rise or first.keeps is not None:
        return None
    staying, changing = (second, first) if first.types else (first, second)
    common = tuple(fact for fact in staying.facts if fact in changing.facts)
    more = tuple(fact for fact in changing.facts if fact not in common)
    keeps = tuple(fact for fact in staying.facts if fact not in common)
    if len(more) > 1 or len(keeps) > 1:
        return None
    return replace(staying, facts=common, types=changing.types, rise=more[0] if more else None, keeps=keeps)


def _unrisen(form: Form) -> Form:
    """Return a form with the effects that depend on `rise` as a conditional effect, if nothing else depends on it."""
    if form.rise is None or form.types or form.rise_must or form.rise_ends or form.keeps is not None:
        return form
    also = Deed("when", fact=form.rise, deeds=form.rise_deeds)
    return replace(form, rise=None, rise_deeds=(), deeds=(*form.deeds, also))


def _either(one: Either, other: Either) -> Either | None:
    """Merge two forms or repetitions that differ in the contents of one square at most; None if they differ in more."""
    first, second = dict(one.contents), dict(other.contents)
    differ = [spot for spot in {**first, **second} if first.get(spot, ANYONE) != second.get(spot, ANYONE)]
    if len(differ) > 1:
        return None
    for spot in differ:
        first[spot] = first.get(spot, ANYONE) | second.get(spot, ANYONE)
    return replace(one, contents=tuple((spot, contents) for spot, contents in first.items() if contents != ANYONE))


def alike(first: Loop, second: Loop) -> Loop | None:
    """Merge repetitions that differ in the contents of one square, or in one condition and its negation; else None."""
    if (first.path, first.deeds) != (second.path, second.deeds):
        return None
    mine, yours = set(first.facts) - set(second.facts), set(second.facts) - set(first.facts)
    if not mine and not yours:
        return _either(first, second)
    if first.contents != second.contents or not opposite(
            (f for f in first.facts if f in mine), (f for f in second.facts if f in yours)):
        return None
    return replace(first, facts=tuple(fact for fact in first.facts if fact not in mine))


def _whatever(first: Form, second: Form, happens: bool) -> Form | None:
    """Merge forms with the same effects (`happens`), or forms that exclude each other; None if that is impossible."""
    mine, yours = set(first.facts) - set(second.facts), set(second.facts) - set(first.facts)
    for few, many, form in ((mine, yours, first), (yours, mine, second)):  # "A, or B without A" becomes "A or B"
        if happens and len(few) == 1 and len(many) == 2 and (rest := many - {negated(fact) for fact in few}) != many:
            either = Many("or", (*few, *rest))
            return replace(form, facts=tuple(either if fact in few else fact for fact in form.facts))
    facts = tuple(fact for fact in first.facts if fact not in mine)
    left, right = (joined("and", (f for f in form.facts if f not in facts)) for form in (first, second))
    if happens:
        return replace(first, facts=facts) if always_either(left, right) else None
    if first.keeps is not None or not (_less(first, second) or _less(second, first)):
        return None
    order = ((first, left), (second, right))
    (staying, unlike), (changing, rise) = order if _less(first, second) else order[::-1]
    split = ((), rise) if opposite((left,), (right,)) else _split(unlike, rise)
    if split is None:
        return None
    facts, rise = (*facts, *split[0]), split[1]
    more = tuple(deed for deed in changing.deeds if deed not in staying.deeds)
    if first.rise or first.types == second.types != ():
        same = (first.types, first.must, first.partial) == (second.types, second.must, second.partial)
        also = Deed("when", fact=rise, deeds=more)
        return replace(staying, facts=facts, deeds=(*staying.deeds, also)) if same else None
    return replace(staying, facts=facts, types=changing.types, rise=rise, rise_deeds=more,
                   rise_must=changing.must and not staying.must, rise_ends=changing.partial != staying.partial)


def _same_rise(first: Form, second: Form) -> tuple[Form, Form]:
    """Return the two forms; both get the `rise` of one of them if it would have the same meaning in the other."""
    for rise, form, other in ((first.rise, second, first), (second.rise, first, second)):
        own = [fact for fact in form.facts if fact not in other.facts]
        mine, theirs = (joined("and", (condition, *own)) for condition in (form.rise or ALWAYS, rise or ALWAYS))
        if opposite((mine,), (negated(theirs),)):
            return replace(first, rise=rise), replace(second, rise=rise)
    return first, second


def _split(rest: Condition, rise: Condition) -> tuple[tuple[Condition, ...], Condition] | None:
    """Return conditions that all hold if and only if `rest` or `rise` holds, and a short condition that distinguishes
    `rise` from `rest`; None if both may hold together, or no such conditions are found."""
    if not always_either(negated(rest), negated(rise)):
        return None
    parts = dict.fromkeys((*parts_of(rest, "and"), *parts_of(rise, "and")))
    shared = tuple(part for part in parts if all(always_either(negated(case), part) for case in (rest, rise)))
    if not always_either(negated(joined("and", shared)), joined("or", (rest, rise))):
        return None
    telling = list(parts_of(rise, "and"))
    for part in parts_of(rise, "and"):
        fewer = [other for other in telling if other != part]
        if always_either(negated(joined("and", fewer)), negated(rest)):
            telling = fewer
    return shared, joined("and", telling)


def _less(first: Form, second: Form) -> bool:
    """Return whether `second` has all effects of `first`, forbids ending the turn if `first` does, and has the same
    next leg or ends the turn; False if `first` changes the piece's type and `second` does not do the same."""
    return (first.types in ((), second.types) and first.must <= second.must and set(first.deeds) <= set(second.deeds)
            and second.partial in (first.partial, None))


def grouped(forms: Iterable[Form]) -> list[Group]:
    """Group forms that differ in their motions alone, or in the one named square that they mention."""
    by_shape: dict[Form, list[tuple[int, ...]]] = {}
    places: dict[Form, list[int]] = {}
    for form in forms:
        if form.squares:
            form = placed(form, form.end, PLACE)
        is_named = form.end.base == NAMED and not form.end.path and not form.squares
        if is_named and set(spots_of(form)) <= {form.end, Spot()}:
            places.setdefault(placed(form, form.end, PLACE), []).append(form.end.position)
            continue
        effects = {(deed.name, *(part.name for part in deed.deeds)) for deed in form.deeds}
        if effects == {("when", "capture")} or all(way_of(form, deed) >= 0 for deed in form.deeds):
            form = replace(form, deeds=tuple(sorted(form.deeds, key=partial(_rank, form))))
        shape, seen = _numbered(form)
        motions = by_shape.setdefault(replace(shape, contents=tuple(sorted(shape.contents, key=repr))), [])
        if seen not in motions:
            motions.append(seen)
    return [*(Group(form, tuple(motions), tuple(sorted(form.squares))) for form, motions in by_shape.items()),
            *(Group(form, ((),), tuple(dict.fromkeys(some))) for form, some in places.items())]


def _rank(form: Form, deed: Deed) -> tuple[bool, str, tuple[int, ...]]:
    """Return a key for the order of conditional effects, the same whichever way the form goes: straight ahead first."""
    shape, motions = _numbered(Form(Spot(), form.end, deeds=(deed,)))
    motion = way_of(form, deed)
    return motion < 0, repr(shape.deeds) if motion < 0 else str(motion not in form.end.path), motions


def _numbered(form: Form) -> tuple[Form, tuple[int, ...]]:
    """Return a form with its motions numbered in order of appearance, and these motions."""
    seen: dict[int, int] = {}

    def name(motion: int) -> int:
        return seen.setdefault(motion, len(seen))

    def spot(one: Spot) -> Spot:
        return replace(one, path=tuple(name(part) if isinstance(part, int) else run(part) for part in one.path))

    def run(part: Loop) -> Loop:
        contents, facts, deeds = respotted((part.contents, part.facts, part.deeds), spot, name)
        return Loop(spot(Spot(path=part.path)).path, contents, facts, deeds, part.most)

    return respotted(form, spot, name), tuple(seen)


def placed(form: Form, old: Spot, new: Spot) -> Any:
    """Return a form with one of its squares replaced by another."""
    return respotted(form, lambda spot: new if spot == old else spot)


_PARTS = ("end", "start", "contents", "facts", "deeds", "others", "rise", "rise_deeds", "keeps")
"""The parts of a form that mention squares, the path to its end first."""


def respotted(value: Any, spot: Callable[[Spot], Spot], name: Callable[[int], int] = int) -> Any:
    """Apply `spot` to the squares in a form or a part of one, and `name` to the motions in its numbers."""
    match value:
        case Form():
            return replace(value, **{part: respotted(getattr(value, part), spot, name) for part in _PARTS})
        case Spot():
            return spot(value)
        case Fact(name="count?") | Deed(name="one"):  # squares inside these are absolute
            return value
        case Deed(name="when"):
            return replace(value, fact=respotted(value.fact, spot, name), deeds=respotted(value.deeds, spot, name))
        case Fact() | Deed():  # squares inside an "every" effect are absolute
            if isinstance(value, Fact) and value.other:
                value = replace(value, other=spot(value.other))
            return replace(value, spot=respotted(value.spot, spot), numbers=turned(value.numbers, name))
        case Many():
            return Many(value.word, respotted(value.parts, spot, name))
        case tuple():
            return tuple(respotted(part, spot, name) for part in value)
    return value


def turned(numbers: tuple[Number, ...], name: Callable[[int], int]) -> tuple[Number, ...]:
    """Apply `name` to the motions in numbers about neighbouring squares."""
    return tuple(replace(n, b=-name(-n.b - 1) - 1 if n.kind == "at" and n.b < 0 else n.b, parts=turned(n.parts, name))
                 for n in numbers)


def spots_of(value: Any) -> list[Spot]:
    """Return every square that a form, or a part of one, mentions, except the absolute ones that `respotted` keeps."""
    spots: list[Spot] = []

    def spot(one: Spot) -> Spot:
        spots.append(one)
        return one

    respotted(value, spot)
    return spots


def way_of(form: Form, deed: Deed) -> int:
    """Return the only motion from the end square to the squares of a conditional effect; -1 if there isn't just one."""
    end, size = form.end, len(form.end.path)
    far = set(spots_of(deed)) - {Spot(), end} if deed.name == "when" else set()
    motions = {motion for spot in far for motion in spot.path[size:]}
    near = all((spot.base, spot.path[:size]) == (end.base, end.path) for spot in far)
    motion = motions.pop() if near and len(motions) == 1 else -1
    return motion if isinstance(motion, int) else -1
