"""Forms -> fewer forms that say the same: squares that may hold this or that, promotions, directions."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from zrf_py.author.words.forms import ANYONE, NAMED, Condition, Deed, Fact, Form, Many, Run, Spot, Way, negated
from zrf_py.front.model import Number

MAX_FORMS = 300
"""Forms of one piece that are compared with each other."""


@dataclass(frozen=True, slots=True)
class Group:
    """A form whose motions are numbers 0, 1, …, and the motions that these may be, together."""

    form: Form
    motions: tuple[tuple[int, ...], ...]


def merged(forms: Iterable[Form]) -> list[Form]:
    """The forms, joined two by two as long as two can be said in one."""
    left = list(dict.fromkeys(map(_plain, forms)))
    if len(left) > MAX_FORMS:
        return left
    again = True
    while again:
        again = False
        for i, one in enumerate(left):
            for j in range(i + 1, len(left)):
                both = _joined(one, left[j])
                if both is not None:
                    left[i] = both
                    del left[j]
                    again = True
                    break
            if again:
                break
    return left


def _plain(form: Form) -> Form:
    """The form without squares on which anybody may stand, told of the man whose block it is."""
    own = next((pair for pair in form.others if pair[0] == Spot()), None)
    if own is not None and form.start != Spot() and not form.types and form.partial is None and not form.copy:
        rest = tuple(pair for pair in form.others if pair != own)
        form = replace(form, start=own[0], end=own[1], others=(*rest, (form.start, form.end)))
    return replace(form, contents=tuple((spot, who) for spot, who in form.contents if who != ANYONE))


def _joined(one: Form, other: Form) -> Form | None:
    """Two forms as one, where they differ in who stands on one square, in one answer, in what the man becomes, or in
    one answer and what happens then."""
    if _bare(one) != _bare(other):
        return None
    happens = (one.types, one.deeds, one.must) == (other.types, other.deeds, other.must)
    if set(one.facts) == set(other.facts) and happens:
        return _either(one, other)
    if dict(one.contents) != dict(other.contents):
        return None
    if set(one.facts) == set(other.facts):
        same = (one.deeds, one.must) == (other.deeds, other.must) and one.types and other.types
        return replace(one, types=tuple(dict.fromkeys((*one.types, *other.types)))) if same else None
    return _whatever(one, other, happens)


def _bare(form: Form) -> Form:
    return replace(form, contents=(), facts=(), types=(), deeds=(), must=False)


def _either(one: Form, other: Form) -> Form | None:
    first, second = dict(one.contents), dict(other.contents)
    spots = {**first, **second}
    differ = [spot for spot in spots if first.get(spot, ANYONE) != second.get(spot, ANYONE)]
    if len(differ) > 1:
        return None
    for spot in differ:
        first[spot] = first.get(spot, ANYONE) | second.get(spot, ANYONE)
    return _plain(replace(one, contents=tuple(first.items())))


def _whatever(one: Form, other: Form, happens: bool) -> Form | None:
    """Two forms of which one holds if something does, and the other if not; `happens`: the same comes of both."""
    mine, yours = set(one.facts) - set(other.facts), set(other.facts) - set(one.facts)
    if len(mine) != 1 or len(yours) != 1:
        return None
    fact = mine.pop()
    if negated(fact) != yours.pop():
        return None
    facts = tuple(f for f in one.facts if f != fact)
    if happens:
        return replace(one, facts=facts)
    if one.rise or not (_less(one, other) or _less(other, one)):
        return None
    staying, changing = (one, other) if _less(one, other) else (other, one)
    rise = next(f for f in (fact, negated(fact)) if f in changing.facts)
    more = tuple(deed for deed in changing.deeds if deed not in staying.deeds)
    return replace(staying, facts=facts, types=changing.types, rise=rise, rise_deeds=more,
                   rise_must=changing.must and not staying.must)


def _less(one: Form, other: Form) -> bool:
    """Whether all that happens in a form happens in another, too, and the man becomes something there alone, if at
    all."""
    return not one.types and one.must <= other.must and set(one.deeds) <= set(other.deeds)


# --------------------------------------------------------------------------------------------------------- directions


def grouped(forms: Iterable[Form]) -> list[Group]:
    """Forms that differ in their motions alone, together."""
    found: dict[Form, list[tuple[int, ...]]] = {}
    for form in forms:
        seen: dict[int, int] = {}
        shape = _renamed(form, lambda motion: seen.setdefault(motion, len(seen)))  # noqa: B023
        ways = found.setdefault(_sorted(shape), [])
        if tuple(seen) not in ways:
            ways.append(tuple(seen))
    return [Group(form, tuple(ways)) for form, ways in found.items()]


def _sorted(form: Form) -> Form:
    return replace(form, contents=tuple(sorted(form.contents, key=repr)))


def _renamed(form: Form, name: Callable[[int], int]) -> Form:
    """The form with other motions, named in the order of the way to its end, then of the rest."""
    return _map(form, name, ("end", "start", "contents", "facts", "deeds", "others", "rise", "rise_deeds"))


def _map(form: Form, name: Callable[[int], int], order: tuple[str, ...]) -> Form:
    return replace(form, **{part: _rename(getattr(form, part), name) for part in order})


def _rename(value: Any, name: Callable[[int], int]) -> Any:
    match value:
        case Spot():
            return replace(value, way=_way(value.way, name))
        case Fact() | Deed():
            return replace(value, spot=_rename(value.spot, name), numbers=turned(value.numbers, name))
        case Many():
            return Many(value.word, _rename(value.parts, name))
        case Run():
            return Run(_way(value.way, name), _rename(value.contents, name), _rename(value.facts, name),
                       _rename(value.deeds, name))
        case tuple():
            return tuple(_rename(part, name) for part in value)
    return value


def turned(numbers: tuple[Number, ...], name: Callable[[int], int]) -> tuple[Number, ...]:
    """Numbers about squares beside another, with other motions to them."""
    return tuple(replace(n, b=-name(-n.b - 1) - 1 if n.kind == "at" and n.b < 0 else n.b, parts=turned(n.parts, name))
                 for n in numbers)


def _way(way: Way, name: Callable[[int], int]) -> Way:
    return tuple(name(part) if isinstance(part, int) else _rename(part, name) for part in way)


def spots_of(form: Form) -> Iterator[Spot]:
    """Every square a form speaks of."""
    yield form.start
    yield form.end
    for spot, _ in form.contents:
        yield spot
    for condition in (*form.facts, *([form.rise] if form.rise else [])):
        yield from _asked(condition)
    for deed in (*form.deeds, *form.rise_deeds):
        if deed.spot is not None:
            yield deed.spot
    for pair in form.others:
        yield from pair


def _asked(condition: Condition) -> Iterator[Spot]:
    if isinstance(condition, Many):
        for part in condition.parts:
            yield from _asked(part)
    elif condition.spot is not None:
        yield condition.spot


def is_named(spot: Spot) -> bool:
    """Whether a square is one of the board, whoever asks."""
    return spot.base == NAMED and not spot.way
