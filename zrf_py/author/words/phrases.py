"""Phrases for the directions, squares, numbers and conditions of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zrf_py.author.words import forms, logic, squares
from zrf_py.author.words.bearings import Bearings, Names
from zrf_py.author.words.kinds import Kinds
from zrf_py.author.words.language import Language
from zrf_py.author.words.merging import respotted
from zrf_py.author.words.regions import Regions
from zrf_py.front import model
from zrf_py.ir.ops import COMPARING, HERE, OPS, TELLING, Program
from zrf_py.ir.traits import Operand

EACH = -9
"""Placeholder for a motion that stands for each of several in turn."""
WAYS = 3
"""A condition that is the same in at least this many directions is written only once."""
AHEAD = 2
"""Number of squares with a name (`ahead.1`, `ahead.2`) in each of several directions."""


class Phrases(Bearings):
    """Phrases for all sentences about a game."""

    def __init__(self, program: Program, say: Language) -> None:
        super().__init__(program, say)
        self.regions = Regions(program, say, self.compass)
        self.unmoved: frozenset[int] = frozenset()
        """Attributes that pieces have until they move."""
        self.kinds = Kinds(program, say, {})
        """Names of the move types; replaced once the blocks are read, as they depend on the moves of each type."""
        self.legs = program.has_legs
        self.last = say("last.legs" if self.legs else "last")
        """The name of the last action: a move, or a step of a turn."""
        self.clauses: list[str] = []
        """The conditions of all moves written so far."""
        self.squares: dict[str, str] = {}
        """Names of squares where runs end: the name as a subject → the name after "on"."""

    def piece(self, kind: int) -> str:
        """Return the name of a piece type."""
        name = self.game.pieces[kind].name
        return self.game.translations.get(name, name)

    def player(self, number: int) -> str:
        """Return the name of a player; a random player's without its `?`."""
        name = self.game.players[number].name
        return self.game.translations.get(name, name).lstrip("?")

    def place(self, position: int) -> str:
        """Return the name of a square, in quotation marks if it is a word."""
        name = self.game.board.places[position].name
        return self.say("quoted", name=name) if name.isalpha() and len(name) > 1 else name

    def run(self, run: forms.Loop, names: Names) -> str:
        """Return repeated steps as words."""
        motions = [part for part in run.path if isinstance(part, int)]
        dirs = " ".join(dict.fromkeys(map(names, motions)))
        if run.contents and not run.facts and all(contents == {squares.EMPTY} for _, contents in run.contents):
            return self.say("way.run-empty", dir=dirs)
        if run.contents and not run.facts and all(contents == {squares.ENEMY} for _, contents in run.contents):
            return self.say("way.run-enemy", dir=dirs)
        on_board = {forms.Spot(), forms.Spot(path=run.path)}  # a run ends anyway where one is off the board
        facts = [fact for fact in run.facts if fact not in {forms.Fact("on-board?", True, spot) for spot in on_board}]
        contents = [pair for pair in run.contents if not (pair[0] in on_board and pair[1] == squares.ON)]
        conditions = self.run_conditions(replace(run, facts=tuple(facts), contents=tuple(contents)), names)
        if not conditions:
            return self.say("way.run-free", dir=dirs)
        return self.say("way.run", dir=dirs, condition=self.say.both(conditions))

    def run_conditions(self, run: forms.Loop, names: Names) -> list[str]:
        """Return the conditions of each repetition as clauses; squares are relative to the one on which it begins."""
        spots = SpotNames(self, names, begin="that-square")
        return [*(self.contents(spot, contents, spots) for spot, contents in run.contents
                  if contents != squares.ANYONE and (spot, contents) != (forms.Spot(), squares.ON)),
                *(self.clause(fact, spots) for fact in run.facts)]

    def contents(self, spot: forms.Spot, contents: frozenset[str], spots: SpotNames) -> str:
        """Return a clause about the contents of a square."""
        if contents == {squares.EMPTY} and spots.stop(spot) == "-empty":
            return self.say("contents.exists", spot=spots.name(spot))
        return self.say(f"contents.{whom(contents)}", at=spots.at(spot), spot=spots.name(spot))

    def clause(self, condition: forms.Condition, spots: SpotNames) -> str:
        """Return a condition as part of a list: a compound one is put in parentheses."""
        text = self.condition(condition, spots)
        return f"({text})" if isinstance(condition, forms.Many) else text

    def condition(self, condition: forms.Condition, spots: SpotNames) -> str:
        """Return a condition as a clause."""
        if isinstance(condition, forms.Many):
            if of_types := self._of_types(condition, spots):
                return of_types
            types = _types_by_side(condition)
            parts, left = self._in_ways(condition, spots)
            for part in left:
                if part in types.values():  # the clause about the side of the piece names its type, too
                    continue
                if isinstance(part, forms.Fact) and part.spot and part in types:
                    key, name = f"piece?.{part.name.rstrip('?')}", self.piece(types[part].a)
                    parts.append(self.say(key, at=spots.at(part.spot), name=name))
                else:
                    parts.append(self.clause(part, spots))
                if condition.word == "and" and isinstance(part, forms.Fact) and part.name == "on-board?" and part.spot:
                    spots.there |= {part.spot} if part.want else set()
            spots.there.clear()
            return self.say.both(parts) if condition.word == "and" else self.say.either(parts)
        answer = "yes" if condition.want else "no"
        if condition.name in TELLING and condition.spot is not None:
            contents = frozenset({condition.name.removesuffix("?")})
            off = frozenset({squares.OFF} if spots.is_there(condition.spot) else ())
            return self.contents(condition.spot, contents if condition.want else squares.ANYONE - contents - off, spots)
        spot, at = (spots.name(condition.spot), spots.at(condition.spot)) if condition.spot else ("", "")
        if condition.name == "row?":
            side = "enemy" if condition.numbers[0].a else "friend"
            square_key = spots.fixed.get(condition.spot or forms.Spot(), "")[:1]
            makes = ".makes" if side == "friend" and condition.want and square_key in (("end",), ("dropped",)) else ""
            return self.say(f"row?.{side}.{answer}{makes}", spot=spot, at=at, **self.row(condition))
        if condition.name == "same?" and condition.other:
            return self.say(f"same?.{answer}", spot=spot, other=spots.name(condition.other))
        if condition.name == "count?" and condition.inner:
            return self._counted(condition, condition.inner, answer)
        if condition.name in COMPARING:
            return self.compared(condition.name, condition.want, condition.numbers, spots.around(condition.spot))
        if condition.name == "attribute?" and condition.a in self.unmoved:
            return self.say(f"unmoved.{answer}", at=at)
        zone = self.regions.zone(condition.a) if condition.name == "in-zone?" else ""
        return self.say(f"{condition.name}.{answer}", spot=spot, at=at, name=self.subject(condition.name, condition.a),
                        last=self.last, zone=zone)

    def _in_ways(self, condition: forms.Many, spots: SpotNames) -> tuple[list[str], list[forms.Condition]]:
        """Write the parts of a condition that differ only in direction as clauses; return these and the other parts."""
        shapes: dict[tuple[forms.Spot, forms.Condition], dict[int, forms.Condition]] = {}
        for part in condition.parts:
            if along := _along(part):
                shapes.setdefault(along[:2], {})[along[2]] = part
        many = {key: some for key, some in shapes.items() if len(some) >= WAYS}
        clauses = []
        for (origin, shape), some in many.items():
            dirs = self.say.either(map(spots.names, some)) if spots.names != self.direction else self.directions(some)
            inner = SpotNames(self, spots.each, spots.fixed | ahead(origin))
            clauses.append(self.say(f"in-ways.{condition.word}", dirs=dirs, at=spots.at(origin),
                                    condition=self.condition(shape, inner)))
        written = {part for some in many.values() for part in some.values()}
        return clauses, [part for part in condition.parts if part not in written]

    def _of_types(self, condition: forms.Many, spots: SpotNames) -> str:
        """Return a clause saying that a square's piece has one (or none) of several types; "" for other conditions."""
        facts = [part for part in condition.parts if isinstance(part, forms.Fact) and part.name == "piece?"
                 and part.want == (condition.word == "or")]
        if len(facts) < len(condition.parts) or len({fact.spot for fact in facts}) > 1 or not facts[0].spot:
            return ""
        return self.say(f"piece?.{'yes' if facts[0].want else 'no'}", at=spots.at(facts[0].spot),
                        name=self.say.either(self.piece(fact.a) for fact in facts))

    def _counted(self, condition: forms.Fact, inner: forms.Condition, answer: str) -> str:
        """Return a clause about the number of squares on which `inner` holds."""
        square = condition.spot or forms.Spot()
        count = self.say.count(condition.a)
        apart = forms.Fact("same?", False, square, other=forms.Spot())
        if inner == logic.joined("and", (forms.Fact("friend?", True, square), apart)):
            return self.say(f"count?.others.{answer}", count=count)
        if condition.a == 1 and answer == "yes" and all(isinstance(fact, forms.Fact) and fact.want and fact.name in (
                "friend?", "enemy?", "piece?") for fact in logic.parts_of(inner, "and")):
            return self.condition(inner, SpotNames(self, self.direction, {square: ("the-board", {})}))
        if condition.a == 1:
            return self.say(f"count?.some.{answer}", condition=self.condition(inner, self.anywhere(square)))
        return self.say(f"count?.{answer}", count=count, condition=self.condition(inner, self.anywhere(square)))

    def row(self, fact: forms.Fact) -> dict[str, str]:
        """Return the fields of sentences about a row: `count`, its length, and `dirs`, its directions."""
        return {"count": self.say.count(fact.a), "dirs": self.lines([2 * number.a for number in fact.numbers[1:]])}

    def anywhere(self, center: forms.Spot) -> SpotNames:
        """Return names for the squares around an arbitrary square."""
        return SpotNames(self, self.direction, {center: ("that-square", {})})

    def compared(self, word: str, want: bool, numbers: Sequence[model.Number], around: Names) -> str:
        """Return a comparison of numbers as a clause; `around` as in `number`."""
        if numbers[1] == model.Number("number") and word != "less?":
            some = self._some(numbers[0], "yes" if want == (word == "greater?") else "no")
            if some:
                return some
        left, right = (self.number(number, around) for number in numbers)
        return self.say(f"{word}.{'yes' if want else 'no'}", left=left, right=right)

    def _some(self, number: model.Number, answer: str) -> str:
        """Return a clause saying that a count, a sum of counts or the number of legs is positive ("yes") or zero
        ("no"); "" for other numbers."""
        if number.kind == "sum":
            parts = [self._some(part, answer) for part in number.parts]
            list_ = self.say.either if answer == "yes" else self.say.both
            return f"({list_(parts)})" if all(parts) else ""
        if number.kind == "legs-made":
            return self.say(f"legs-made.{answer}")
        if number.kind != "count":
            return ""
        pieces = self._owner_phrase("some", number.a, f".{answer}")
        return self.say("some", things=pieces, piece=self._of_type(number), zone=self._in_zone(number))

    def subject(self, name: str, a: int) -> str:
        """Return the name of the piece type, square, attribute or flag in a test; "" if there is none."""
        tables: dict[Operand, Sequence[str]] = {
            Operand.ATTRIBUTE: self.game.attributes, Operand.FLAG: self.program.flags,
            Operand.POSITION_FLAG: self.program.position_flags,
        }
        about = OPS[name].a if name in OPS else Operand.NONE
        if a >= 0 and about in (Operand.PIECE, Operand.POSITION):
            return self.piece(a) if about is Operand.PIECE else self.place(a)
        names = tables.get(about, ())
        return names[a] if 0 <= a < len(names) else ""

    def number(self, number: model.Number, around: Names = lambda where: "") -> str:
        """Return a numeric expression as a phrase; `around` names squares given as in `where` (`ir/ops.py`)."""
        player = self.player(number.a) if 0 <= number.a < len(self.game.players) else ""
        say = self.say
        match number.kind:
            case "number":
                return say("number", number=number.a)
            case "counter":
                name = self.game.counters[number.a].name
                owner = self.player(number.b) if number.b >= 0 else ""
                return say("counter-of", name=name, player=owner) if owner else say("counter", name=name)
            case "count":
                subject = self._owner_phrase("whose", number.a)
                return say("count", whose=subject, piece=self._of_type(number), zone=self._in_zone(number))
            case "turns-made":
                return say("turns-made-of", player=player) if number.a >= 0 else say("turns-made")
            case "legs-made":
                return say("legs-made")
            case "store":
                piece = self.piece(number.b)
                return say("store-of", piece=piece, player=player) if number.a >= 0 else say("store", piece=piece)
            case "at":
                spot = self.place(number.b - 1) if number.b > 0 else around(number.b)
                return say("at", name=self.game.board.measure_names[number.a], spot=spot)
            case "sum" if sorted((part.kind, part.a) for part in number.parts) == [("legs-made", 0), ("number", 1)]:
                return say("legs-made.next")
            case "sum":
                return say("sum", parts=say.both(self.number(part, around) for part in number.parts))
        left, right = (self.number(part, around) for part in number.parts)
        return say(number.kind, left=left, right=right)

    def _owner_phrase(self, key: str, owner: int, answer: str = "") -> str:
        words = {model.FRIEND: "friend", model.ENEMY: "enemy", model.ANYBODY: "anybody", model.NOBODY: "nobody"}
        player = self.player(owner) if owner >= 0 else ""
        return self.say(f"{key}.{words.get(owner, 'player')}{answer}", player=player)

    def _of_type(self, number: model.Number) -> str:
        return self.say("count.piece", piece=self.piece(number.b)) if number.b >= 0 else ""

    def _in_zone(self, number: model.Number) -> str:
        return self.say("count.zone", zone=self.regions.zone(number.c)) if number.c >= 0 else ""


class SpotNames:
    """Names squares in a sentence: those in `fixed` by their own name, others by the path to them."""

    def __init__(self, phrases: Phrases, names: Names,
                 fixed: dict[forms.Spot, tuple[str, dict[str, object]]] | None = None, begin: str = "start") -> None:
        self.phrases, self.names, self.say = phrases, names, phrases.say
        self.fixed = fixed or {}
        self.begin = begin
        self.stopped: set[forms.Spot] = set()
        """Ends of runs that can't go on there: repeating would contradict the contents that the sentence states."""
        self.there: set[forms.Spot] = set()
        """Squares that the sentence has stated to exist."""

    def each(self, motion: int) -> str:
        """Return the name of a motion that may be EACH."""
        return self.say("same-direction") if motion == EACH else self.names(motion)

    def around(self, spot: forms.Spot | None) -> Names:
        """Return a function that names squares given as in `where` (`ir/ops.py`), for a cursor on `spot`."""
        return lambda place: "" if spot is None else self.name(spot if place == HERE else spot.along(-place - 1))

    def stop(self, spot: forms.Spot) -> str:
        """Return the condition that ends the run to a square, as a clause; "-empty" if the run ends on an empty square;
        "" if it may end earlier, follows another run, or tests squares other than the current one."""
        *before, run = spot.path or (0,)
        if not isinstance(run, forms.Loop) or not (run.most or spot in self.stopped) or len(run.path) > 1 or any(
                isinstance(part, forms.Loop) for part in before):
            return ""
        current, ends = forms.Spot(), [squares.ON - contents for _, contents in run.contents if contents != squares.ON]
        if {spot for spot, _ in run.contents} - {current} or not all(ends) or not all(
                isinstance(fact, forms.Fact) and fact.spot == current for fact in run.facts):
            return ""
        if ends == [{squares.EMPTY}] and not run.facts:
            return "-empty"
        spots = SpotNames(self.phrases, self.names, {current: ("it", {})})
        return self.say.either([*(self.phrases.contents(current, contents, spots) for contents in ends),
                                *(self.phrases.clause(logic.negated(fact), spots) for fact in run.facts)])

    def is_there(self, spot: forms.Spot) -> bool:
        """Return whether a square certainly exists."""
        return not spot.path or spot in self.fixed or spot in self.there

    def name(self, spot: forms.Spot) -> str:
        """Return the name of a square as a subject."""
        return self._named(spot, "")

    def at(self, spot: forms.Spot) -> str:
        """Return the name of a square as it follows "on"."""
        return self._named(spot, ".at")

    def _named(self, spot: forms.Spot, case: str) -> str:
        if spot in self.fixed:
            key, fields = self.fixed[spot]
            return self.say(key + case, **fields)
        if not spot.path:
            if spot.base == squares.NAMED:
                return self.say("square" + case, name=self.phrases.place(spot.position))
            keys = {squares.START: self.begin, squares.LAST_FROM: "last-from", squares.LAST_TO: "last-to"}
            return self.say(keys.get(spot.base, "cursor") + case, last=self.phrases.last)
        last, count = spot.path[-1], 1
        if isinstance(last, forms.Loop):
            begin = replace(spot, path=spot.path[:-1])
            dirs = " ".join(dict.fromkeys(self.names(part) for part in last.path if isinstance(part, int)))
            if stop := self.stop(spot):
                onward = begin.path and begin.path[-1:] == last.path
                begin = replace(begin, path=begin.path[:-1]) if onward else begin
                key = f"first{stop if stop == '-empty' else ''}{'' if onward else '-here'}"
                fields = {"from_at": self.at(begin), "dir": dirs, "condition": stop}
                name, at = self.say(key, **fields), self.say(f"{key}.at", **fields)
                self.phrases.squares[name] = at
                return at if case else name
            conditions = self.phrases.run_conditions(last, self.names)
            while_ = self.say("while", condition=self.say.both(conditions)) if conditions else ""
            free = not last.most and spot not in self.stopped and {spot for spot, _ in last.contents} <= {forms.Spot()}
            key = "any-run" if free else "after-run"
            return self.say(key + case, from_at=self.at(begin), dir=dirs, while_=while_)
        before = forms.Spot(spot.base, spot.position, spot.path[:-1])
        while before not in self.fixed and before.path and before.path[-1] == last:
            before, count = forms.Spot(before.base, before.position, before.path[:-1]), count + 1
        near = not before.path and before.base == squares.START and self.begin in ("start", "dropped")
        key = "nth" if count > 1 else "near" if near else "next"
        return self.say(key + case, dir=self.names(last), from_at=self.at(before), count=self.say.count(count))


def whom(contents: frozenset[str]) -> str:
    """Return the part of a sentence's key for the possible contents of a square: `empty+enemy`; `any` for all."""
    return "any" if contents == squares.ON else "+".join(sorted(contents))


def ahead(origin: forms.Spot) -> dict[forms.Spot, tuple[str, dict[str, object]]]:
    """Return names for the first `AHEAD` squares from `origin` along EACH: square → (key of the name, its fields)."""
    return {origin.along(*[EACH] * n): (f"ahead.{n}", {}) for n in range(1, AHEAD + 1)}


def _along(condition: forms.Condition) -> tuple[forms.Spot, forms.Condition, int] | None:
    """Return (origin, condition with EACH as motion, motion) for a condition on squares in one direction, else None."""
    facts = list(logic.facts_of(condition))
    spots = [fact.spot for fact in facts if fact.spot]
    motion = next((spot.path[-1] for spot in spots if spot.path), None)
    if not isinstance(motion, int) or any(fact.numbers or fact.inner for fact in facts):
        return None
    origins = {replace(spot, path=spot.path[: (*spot.path, motion).index(motion)]) for spot in spots}
    shape = respotted(condition, lambda spot: replace(spot, path=tuple(
        EACH if part == motion else part for part in spot.path)))
    return (origins.pop(), shape, motion) if len(origins) == 1 else None


def _types_by_side(condition: forms.Many) -> dict[forms.Condition, forms.Fact]:
    """Map each test for a friend or an enemy to the test for a piece type on the same square; {} for an "or"."""
    facts = [part for part in condition.parts if isinstance(part, forms.Fact) and part.spot and part.want]
    kinds = {fact.spot: fact for fact in facts if fact.name == "piece?"} if condition.word == "and" else {}
    return {fact: kinds[fact.spot] for fact in facts if fact.name in ("friend?", "enemy?") and fact.spot in kinds}
