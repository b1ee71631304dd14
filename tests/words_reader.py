"""A reader of the rules in words: it derives the moves in a position from the described kinds of moves (`forms.py`).

The reader uses the interpreter only for the results of single tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from zrf_py.author.words.forms import Condition, Deed, Fact, Form, Loop, Many, Spot
from zrf_py.author.words.merging import PLACE, Group, placed, spots_of, turned
from zrf_py.author.words.squares import ANY, EMPTY, ENEMY, FRIEND, LAST_FROM, LAST_TO, NAMED, OFF
from zrf_py.ir.ops import SELF, Op, Program
from zrf_py.run.interpret import TABLE, Walker
from zrf_py.run.numbers import value
from zrf_py.run.position import ANY_TYPE, DROP, KEEP, NOBODY, NOT_PARTIAL, Move, Position

Seen = tuple[object, ...]


class Reader:
    """Derives one side's moves in one position from the described rules."""

    def __init__(self, program: Program, position: Position, side: int) -> None:
        self.program, self.position, self.side = program, position, side
        self.steps = program.steps[side]

    def moves(self, group: Group, kind: int, start: int) -> set[Seen]:
        """Return the moves of a group that a man of type `kind` may make from a square (or the drops onto it)."""
        found = set()
        forms = [placed(group.form, PLACE, Spot(NAMED, place)) for place in group.places] or [group.form]
        for form, motions in product(forms, group.motions):
            for choice in self._choices(form, motions, start):
                reading = _Reading(self, motions, start, choice, kind)
                if reading.allows(form):
                    on = form.chain is not None and self._goes_on(form, group, motions, reading.square(form.end), kind)
                    found |= reading.written(marking(form) if on else taking(form))
        return found

    def _goes_on(self, form: Form, group: Group, motions: tuple[int, ...], end: int, kind: int) -> bool:
        """Return whether the same kind of move is possible again from `end`, in any direction but back."""
        ways = [way for way in group.motions if not self._is_back(way[0], motions[0])]
        return any(_Reading(self, way, end, choice, kind).allows(form)
                   for way in ways for choice in self._choices(form, way, end))

    def _is_back(self, one: int, other: int) -> bool:
        return all(after < 0 or self.steps[one][after] in (-1, here) for here, after in enumerate(self.steps[other]))

    def row(self, square: int, directions: list[int], other: int, side: int) -> int:
        """Return the length of the longest row through a square. The rest of the row are pieces of the reader's side
        (`side` 0) or of other players (1); the square `other` counts as empty."""
        def there(one: int) -> bool:
            owner = self.position.owner[one] if one not in (-1, other) else NOBODY
            return owner != NOBODY and (owner != self.side) == bool(side)

        longest = 0
        for direction in directions:
            ring = {square}
            for motion in (2 * direction, 2 * direction + 1):
                here = self.steps[motion][square]
                while there(here) and here not in ring:
                    ring.add(here)
                    here = self.steps[motion][here]
            longest = max(longest, len(ring))
        return longest

    def _choices(self, form: Form, motions: tuple[int, ...], start: int) -> Iterator[dict[tuple[Spot, Loop], int]]:
        """Yield each choice of numbers of repetitions for the runs that may stop anywhere."""
        runs = list(dict.fromkeys((Spot(s.base, s.position, s.path[:n]), part) for s in spots_of(form)
                                  for n, part in enumerate(s.path) if isinstance(part, Loop) and not part.most))
        longest = len(self.position.owner) if runs else 0
        most = longest if len(runs) == 1 else min(longest, 10)
        for counts in product(range(most + 1), repeat=len(runs)):
            yield dict(zip(runs, counts, strict=True))


class _Reading:
    """A form with its directions, applied from a square with given numbers of repetitions."""

    def __init__(self, reader: Reader, motions: tuple[int, ...], start: int, counts: dict[tuple[Spot, Loop], int],
                 kind: int) -> None:
        self.reader, self.motions, self.start, self.counts, self.kind = reader, motions, start, counts, kind
        self.swept: dict[int, int] = {}
        """The current square of each spot that stands for several squares in turn, by the number of the spot."""
        self.walker = Walker(reader.program, reader.position, reader.side, lambda move: None)
        self.walker.kind, self.walker.start, self.walker.marked = kind, start, -1

    def square(self, spot: Spot, here: int = -1) -> int:
        """Return the square of a spot (-1: none); `here` is where a repetition begins, for spots within one."""
        state = self.reader.position
        fixed = {NAMED: spot.position, ANY: self.swept.get(spot.position, -1), LAST_FROM: state.last_from,
                 LAST_TO: state.last_to}
        base = fixed.get(spot.base, self.start if here < 0 else here)
        for number, part in enumerate(spot.path):
            if base < 0:
                return -1
            if isinstance(part, Loop):
                count = -1 if part.most else self.counts[Spot(spot.base, spot.position, spot.path[:number]), part]
                squares = self.repetitions(base, part, count)
                base = -1 if squares is None else squares[-1]
            else:
                base = self.reader.steps[self.motions[part]][base]
        return base

    def repetitions(self, here: int, run: Loop, count: int) -> list[int] | None:
        """Return the squares where `count` repetitions begin (-1: as many as possible), then the square where the last
        one ends; None if one is impossible."""
        squares = [here]
        while count < 0 or len(squares) <= count:
            possible = (all(self.who(self.square(spot, here)) in who for spot, who in run.contents)
                        and all(self.holds(fact, here) for fact in run.facts))
            here = self.square(Spot(path=run.path), here) if possible else -1
            if here < 0:
                return squares if count < 0 else None
            squares.append(here)
        return squares

    def who(self, square: int) -> str:
        if square < 0:
            return OFF
        owner = self.reader.position.owner[square]
        return EMPTY if owner == NOBODY else FRIEND if owner == self.reader.side else ENEMY

    def holds(self, condition: Condition, here: int = -1) -> bool:
        """Return whether a condition holds; single tests are evaluated by the interpreter."""
        if isinstance(condition, Many):
            answers = [self.holds(part, here) for part in condition.parts]
            return all(answers) if condition.word == "and" else any(answers)
        if condition.name == "count?":
            assert condition.spot and condition.inner
            count = len(self.where(condition.spot, condition.inner, condition.squares))
            return (count >= condition.a) == condition.want
        square = self.square(condition.spot, here) if condition.spot else self.start
        other = self.square(condition.other, here) if condition.other else -1
        if condition.name == "row?":
            side, *directions = (number.a for number in condition.numbers)
            return (square >= 0 and self.reader.row(square, directions, other, side) >= condition.a) == condition.want
        if condition.name == "same?":
            return (square >= 0 and square == other) == condition.want
        if condition.name in ("equal?", "less?", "greater?"):
            self.walker.here = square
            op = Op(condition.name, condition.a, numbers=turned(condition.numbers, self.motions.__getitem__), target=5)
        elif square < 0:
            return not condition.want
        else:
            op = Op(condition.name, condition.a, where=square + 1, target=5)
        return (TABLE[condition.name](self.walker, op, 0) == 1) == condition.want

    def where(self, spot: Spot, condition: Condition, squares: Iterable[int]) -> list[int]:
        """Return those of `squares` where a condition holds."""
        before, found = dict(self.swept), []
        for self.swept[spot.position] in squares:
            found += [self.swept[spot.position]] if self.holds(condition) else []
        self.swept = before
        return found

    def allows(self, form: Form) -> bool:
        ends = [form.start, form.end, *(spot for pair in form.others for spot in pair)]
        ways = ((self.square(begin), run, count) for (begin, run), count in self.counts.items())
        return (all(self.square(spot) >= 0 for spot in ends) and self._there(form.end)
                and all(here >= 0 and self.repetitions(here, run, count) is not None for here, run, count in ways)
                and all(self.who(self.square(spot)) in who for spot, who in form.contents)
                and all(self.holds(fact) for fact in form.facts))

    def _there(self, end: Spot) -> bool:
        return all(self.square(Spot(end.base, end.position, end.path[:n])) >= 0 for n in range(len(end.path)))

    def written(self, form: Form) -> set[Seen]:
        """Return the moves that a form writes, each as `seen` would return it."""
        if form.passes:
            return {("pass",)}
        risen = form.rise is not None and self.holds(form.rise)
        types = form.types if form.rise is None or risen else ()
        if form.keeps is not None:  # the man may also keep its type
            kept = all(map(self.holds, form.keeps))
            if not (kept or types):
                return set()
            types = (*types, *((KEEP,) if kept else ()))
        others = {(self.square(a), self.square(b)) for a, b in form.others}
        told = [deed for one in ((*form.deeds, *form.rise_deeds) if risen else form.deeds)
                for deed in ((one,) if one.name != "when" else one.deeds if self.holds(one.fact) else ())]
        must = form.must or (risen and form.rise_must) or Deed("must-continue") in told
        told = [deed for deed in told if deed.name != "must-continue"]
        choices = [one for one in told if one.name == "one"]
        ways = [dict(zip(choices, squares, strict=True)) for squares in product(
            *(self.where(one.spot, one.fact, one.squares) for one in choices if one.spot))]
        return {move for way in ways for move in self._moves(form, types, told, way, others, must, risen)}

    def _moves(self, form: Form, types: tuple[int, ...], told: Iterable[Deed], way: dict[Deed, int],
               others: set[tuple[int, int]], must: bool, risen: bool) -> set[Seen]:
        """Return the moves with the effects `told`; `way` maps those named "one" to the squares chosen for them."""
        start, end = self.square(form.start), self.square(form.end)
        self.swept.update({one.spot.position: square for one, square in way.items() if one.spot})
        plain = [inner for one in told for inner in (one.deeds if one in way else (one,))]
        deeds = summed(deed for one in plain for deed in self._deeds(one))
        following = None if risen and form.rise_ends else form.partial
        partial = NOT_PARTIAL if following is None else following if following >= 0 else ANY_TYPE
        found: set[Seen] = set()
        for kind in types or (KEEP,):
            own = {(-1, end)} if form.drop else {(start, end)} if start != end or kind != KEEP or form.copy else set()
            moved = frozenset(pair for pair in others | own if pair[0] != pair[1] or kind != KEEP or form.copy)
            if form.drop and self.reader.position.stores[self.reader.side][self.kind] <= 0:
                continue
            if not form.drop and own and self.reader.position.owner[start] == NOBODY:
                continue
            if moved or deeds:
                became = self.kind if form.drop and kind == KEEP else kind
                found.add((moved, became, frozenset(deeds), partial, must and partial != NOT_PARTIAL))
        return found

    def _deeds(self, deed: Deed) -> Iterator[Seen]:
        if deed.name == "every":
            reading = _Reading(self.reader, tuple(range(2 * len(self.reader.steps))), self.start, {}, self.kind)
            for square in reading.where(Spot(ANY), deed.fact, deed.squares):
                for one in deed.deeds:
                    yield from reading._one(one, square)
        elif deed.name == "each" and deed.spot is not None:
            run = deed.spot.path[-1]
            assert isinstance(run, Loop)
            before = Spot(deed.spot.base, deed.spot.position, deed.spot.path[:-1])
            squares = self.repetitions(self.square(before), run, self.counts[before, run]) or []
            for here in squares[:-1]:
                for one in run.deeds:
                    yield from self._one(one, self.square(one.spot, here) if one.spot else -1)
        else:
            yield from self._one(deed, self.square(deed.spot) if deed.spot else -1)

    def _one(self, deed: Deed, square: int) -> Iterator[Seen]:
        reader = self.reader
        if deed.name in ("set-counter", "add-to-counter", "next-turn"):
            number = value(
                reader.program, reader.position, reader.side, turned(deed.numbers, self.motions.__getitem__)[0], square)
            yield deed.name, number, deed.a
        elif square >= 0:
            a, b = deed.a, deed.b
            if deed.name == "create":
                a, b = self.kind if a == SELF else a, reader.side if b == SELF else b
            if deed.name == "change-owner":
                a = reader.side
            yield deed.name, square, a if deed.name not in ("flip", "capture") else 0, b


def marking(form: Form) -> Form:
    """Return the form of a step after which the chain goes on: captured pieces are only marked."""
    assert form.chain is not None and isinstance(form.chain[0].fact, Fact)
    marked = form.chain[0].fact.a
    deeds = tuple(Deed("set-attribute", d.spot, marked, 1) if d.name == "capture" else d for d in form.deeds)
    return replace(form, deeds=deeds, types=(), rise=None, chain=None)


def taking(form: Form) -> Form:
    """Return the form of the last step of a chain, which captures all marked pieces; any other form unchanged."""
    if form.chain is None:
        return form
    return replace(form, deeds=(*form.deeds, form.chain[0]), partial=form.chain[1], chain=None)


def seen(move: Move) -> Seen:
    """Return a move of the interpreter in the reader's form."""
    if move.is_pass:
        return ("pass",)
    pairs = frozenset((-1 if how == DROP else start, end) for how, start, end, _ in move.movements)
    kind = move.movements[-1][3] if move.movements else KEEP
    effects: list[Seen] = [("capture", square, 0, 0) for square in move.captures]
    for name, square, a, b in move.effects:
        if name in ("set-counter", "add-to-counter"):
            effects.append((name, a, square))
        elif name == "next-turn":
            effects.append((name, square, 0))
        else:
            effects.append((name, square, a, b if name in ("create", "set-attribute") else 0))
    return pairs, kind, frozenset(summed(effects)), move.partial, move.must


def summed(effects: Iterable[Seen]) -> set[Seen]:
    """Merge equal effects; increments of a counter are added up."""
    found: set[Seen] = set()
    grown: Counter[object] = Counter()
    for effect in effects:
        if effect[0] == "add-to-counter":
            assert isinstance(effect[1], int)
            grown[effect[2]] += effect[1]
        else:
            found.add(effect)
    return found | {("add-to-counter", amount, counter) for counter, amount in grown.items()}
