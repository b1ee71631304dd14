"""Phrases for the directions, squares, numbers and conditions of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from zrf_py.author.words import forms
from zrf_py.author.words.compass import DIAGONAL, SECTORS, STRAIGHT, Compass
from zrf_py.author.words.kinds import Kinds
from zrf_py.author.words.language import Language
from zrf_py.author.words.regions import Regions
from zrf_py.front import model
from zrf_py.ir.ops import HERE, Program

Names = Callable[[int], str]
"""Maps a motion to its name in the sentence at hand."""


class Phrases:
    """Phrases for all sentences about a game."""

    def __init__(self, program: Program, say: Language) -> None:
        self.program, self.game, self.say = program, program.game, say
        self.compass = Compass(program.game)
        self.regions = Regions(program, say, self.compass)
        self.unmoved: frozenset[int] = frozenset()
        """Attributes that pieces have until they move."""
        self.kinds = Kinds(program, say, {})
        """Names of the move types; replaced once the blocks are read, as they depend on the moves of each type."""
        self.legs = program.uses("add", suits=lambda op: bool(op.a & 2))
        self.last = say("last.legs" if self.legs else "last")
        """The name of the last action: a move, or a step of a turn."""
        self.clauses: list[str] = []
        """The conditions of all moves written so far."""
        self.named: set[int] = set()
        """Motions called by the name of their direction, which the board section must explain."""

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

    # -------------------------------------------------------------------------------------------------- directions

    def sector(self, word: str) -> str:
        """Return a compass word; "forward" and "backward" if players face each other."""
        if self.compass.facing:
            word = word.replace("up", "forward").replace("down", "backward")
        return self.say(word)

    def direction(self, motion: int) -> str:
        """Return a motion as a phrase: `up left`, `in the direction ‘next’`."""
        word = "" if motion % 2 else self.compass.word[motion // 2]
        if word:
            return self.sector(word)
        name = self.game.board.directions[motion // 2]
        self.named.add(motion)
        return self.say("against" if motion % 2 else "named-direction", name=name)

    def directions(self, motions: Iterable[int]) -> str:
        """Return a phrase for a choice among motions."""
        motions = list(dict.fromkeys(motions))
        words = {m: "" if m % 2 else self.compass.word[m // 2] for m in motions}
        drawn = {2 * d for d, vector in enumerate(self.compass.vectors) if vector}
        if len(drawn) > 2 and drawn == set(motions) and set(words.values()) not in (set(SECTORS), STRAIGHT, DIAGONAL):
            return self.say("all-n", count=self.say.count(len(motions)))
        return self.sectors(words)

    def sectors(self, words: dict[int, str]) -> str:
        """Return a phrase for a choice among motions, given their compass words ("": the direction's name)."""
        present = set(words.values()) - {""}
        facing = self.compass.facing
        if len(present) == len(words):
            for group, key in ((STRAIGHT, "straight-facing" if facing else "straight"), (DIAGONAL, "diagonally"),
                               (set(SECTORS), "all-8")):
                if present == set(group):
                    return self.say(key)
        phrases = []
        for pair, key in (({"up-left", "up-right"}, "diagonally-forward"), ({"left", "right"}, "sideways"),
                          ({"down-left", "down-right"}, "diagonally-backward")):
            if pair <= present and (facing or key == "sideways"):
                phrases.append(self.say(key))
                words = {m: word for m, word in words.items() if word not in pair}
        rest = (self.sector(word) if word else self.direction(motion) for motion, word in words.items())
        return self.say.either([*rest, *phrases])

    def lines(self, motions: Sequence[int]) -> str:
        """Return a phrase for the directions of rows along these motions, either way."""
        board = self.game.board
        both = {d for m in motions for d, links in enumerate(board.links) if links in (
            board.links[m // 2], board.reverse[m // 2])}
        numbers = [SECTORS.index(word) for d in both if (word := self.compass.word[d])]
        words = {SECTORS[(number + turn) % 8] for number in numbers for turn in (0, 4)}
        return (self.say("row.all") if words == set(SECTORS) else self.say("row.straight") if words == STRAIGHT
                else self.directions(motions))

    def path_words(self, motions: Iterable[int], names: Names) -> str:
        """Return steps as words: `two squares up, then one square left`."""
        phrases = [self.say("way.steps" if count > 1 else "way.step", count=self.say.count(count), dir=names(motion))
                   for motion, run in groupby(motions) if (count := len(list(run)))]
        return f", {self.say('way.then')} ".join(phrases)

    def run(self, run: forms.Loop, names: Names) -> str:
        """Return repeated steps as words."""
        motions = [part for part in run.path if isinstance(part, int)]
        dirs = " ".join(dict.fromkeys(map(names, motions)))
        if run.contents and not run.facts and all(contents == {forms.EMPTY} for _, contents in run.contents):
            return self.say("way.run-empty", dir=dirs)
        if run.contents and not run.facts and all(contents == {forms.ENEMY} for _, contents in run.contents):
            return self.say("way.run-enemy", dir=dirs)
        conditions = self.run_conditions(run, names)
        if not conditions:
            return self.say("way.run-free", dir=dirs)
        return self.say("way.run", dir=dirs, condition=self.say.both(conditions))

    def run_conditions(self, run: forms.Loop, names: Names) -> list[str]:
        """Return the conditions of each repetition as clauses; squares are relative to its first one."""
        spots = SpotNames(self, names, begin="that-square")
        return [*(self.contents(spot, contents, spots) for spot, contents in run.contents if contents != forms.ANYONE),
                *(self.clause(fact, spots) for fact in run.facts)]

    # -------------------------------------------------------------------------------------------------- conditions

    def contents(self, spot: forms.Spot, contents: frozenset[str], spots: SpotNames) -> str:
        """Return a clause about the contents of a square."""
        return self.say(f"contents.{whom(contents)}", at=spots.at(spot), spot=spots.name(spot))

    def clause(self, condition: forms.Condition, spots: SpotNames) -> str:
        """Return a condition as part of a list: a compound one stands in parentheses."""
        text = self.condition(condition, spots)
        return f"({text})" if isinstance(condition, forms.Many) else text

    def condition(self, condition: forms.Condition, spots: SpotNames) -> str:
        """Return a condition as a clause."""
        if isinstance(condition, forms.Many):
            if of_types := self._of_types(condition, spots):
                return of_types
            types = _types_by_side(condition)
            parts = []
            for part in condition.parts:
                if part in types.values():  # the clause of the side names the type
                    continue
                if isinstance(part, forms.Fact) and part in types:
                    parts.append(self._piece_there(part, types[part], spots))
                else:
                    parts.append(self.clause(part, spots))
                if condition.word == "and" and isinstance(part, forms.Fact) and part.name == "on-board?" and part.spot:
                    spots.there |= {part.spot} if part.want else set()
            spots.there.clear()
            return self.say.both(parts) if condition.word == "and" else self.say.either(parts)
        answer = "yes" if condition.want else "no"
        if condition.name in ("empty?", "friend?", "enemy?") and condition.spot is not None:
            contents = frozenset({condition.name.removesuffix("?")})
            off = frozenset({forms.OFF} if spots.is_there(condition.spot) else ())
            return self.contents(condition.spot, contents if condition.want else forms.ANYONE - contents - off, spots)
        spot, at = (spots.name(condition.spot), spots.at(condition.spot)) if condition.spot else ("", "")
        if condition.name == "row?":
            side = "enemy" if condition.numbers[0].a else "friend"
            makes = ".makes" if condition.want and spots.fixed.get(condition.spot or forms.Spot(), "")[:1] in (
                ("end",), ("dropped",)) else ""
            return self.say(f"row?.{side}.{answer}{makes}", spot=spot, at=at, **self.row(condition))
        if condition.name == "same?" and condition.other:
            return self.say(f"same?.{answer}", spot=spot, other=spots.name(condition.other))
        if condition.name == "count?" and condition.inner:
            return self._counted(condition, condition.inner, answer)
        if condition.name in ("equal?", "less?", "greater?"):
            return self.compared(condition.name, condition.want, condition.numbers, spots.around(condition.spot))
        if condition.name == "attribute?" and condition.a in self.unmoved:
            return self.say(f"unmoved.{answer}", at=at)
        zone = self.regions.zone(condition.a) if condition.name == "in-zone?" else ""
        return self.say(f"{condition.name}.{answer}", spot=spot, at=at, name=self.subject(condition.name, condition.a),
                        last=self.last, zone=zone)

    def _piece_there(self, side: forms.Fact, kind: forms.Fact, spots: SpotNames) -> str:
        """Return a clause that a piece of a side and type is on a square."""
        at = spots.at(kind.spot) if kind.spot else ""
        return self.say(f"piece?.{side.name.rstrip('?')}", at=at, name=self.piece(kind.a))

    def _of_types(self, condition: forms.Many, spots: SpotNames) -> str:
        """Return a clause that the piece on one square is of one (or none) of several types; else ""."""
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
        if inner == forms.joined("and", (forms.Fact("friend?", True, square), apart)):
            return self.say(f"count?.others.{answer}", count=count)
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
        """Return a clause that a count is positive ("yes") or zero ("no"); "" if the number is not a count."""
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
        tables: dict[str, Sequence[str]] = {
            "attribute?": self.game.attributes, "flag?": self.program.flags,
            "position-flag?": self.program.position_flags,
        }
        if a >= 0 and name in ("piece?", "position?"):
            return self.piece(a) if name == "piece?" else self.place(a)
        names = tables.get(name, ())
        return names[a] if 0 <= a < len(names) else ""

    # ----------------------------------------------------------------------------------------------------- numbers

    def number(self, number: model.Number, around: Names = lambda where: "") -> str:
        """Return a number of the rules as a phrase; `around` names squares given as in `where` (`ir/ops.py`)."""
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
                return say("at", name=self.game.board.measure_names[number.a], spot=self._measured(number, around))
            case "sum" if sorted((part.kind, part.a) for part in number.parts) == [("legs-made", 0), ("number", 1)]:
                return say("legs-made.next")
            case "sum":
                return say("sum", parts=say.both(self.number(part, around) for part in number.parts))
        left, right = (self.number(part, around) for part in number.parts)
        return say(number.kind, left=left, right=right)

    def _measured(self, number: model.Number, around: Names) -> str:
        return self.place(number.b - 1) if number.b > 0 else around(number.b)

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
        self.there: set[forms.Spot] = set()
        """Squares that the sentence has stated to exist."""

    def around(self, spot: forms.Spot | None) -> Names:
        """Return a function that names squares given as in `where` (`ir/ops.py`), for a cursor on `spot`."""
        return lambda place: "" if spot is None else self.name(spot if place == HERE else spot.along(-place - 1))

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
            if spot.base == forms.NAMED:
                return self.say("square" + case, name=self.phrases.place(spot.position))
            keys = {forms.START: self.begin, forms.LAST_FROM: "last-from", forms.LAST_TO: "last-to"}
            return self.say(keys.get(spot.base, "cursor") + case, last=self.phrases.last)
        last, count = spot.path[-1], 1
        if isinstance(last, forms.Loop):
            from_at = self.at(forms.Spot(spot.base, spot.position, spot.path[:-1]))
            dirs = " ".join(dict.fromkeys(self.names(part) for part in last.path if isinstance(part, int)))
            conditions = self.phrases.run_conditions(last, self.names)
            while_ = self.say("while", condition=self.say.both(conditions)) if conditions else ""
            return self.say("after-run" + case, from_at=from_at, dir=dirs, while_=while_)
        before = forms.Spot(spot.base, spot.position, spot.path[:-1])
        while before not in self.fixed and before.path and before.path[-1] == last:
            before, count = forms.Spot(before.base, before.position, before.path[:-1]), count + 1
        near = not before.path and before.base == forms.START and self.begin in ("start", "dropped")
        key = "nth" if count > 1 else "near" if near else "next"
        return self.say(key + case, dir=self.names(last), from_at=self.at(before), count=self.say.count(count))


def whom(contents: frozenset[str]) -> str:
    """Return the part of a sentence's key for the possible contents of a square: `empty+enemy`; `any` for all."""
    return "any" if contents == forms.ON else "+".join(sorted(contents))


def _types_by_side(condition: forms.Many) -> dict[forms.Condition, forms.Fact]:
    """Return the tests for a piece of a side on a square, each with the test for its type on the same square."""
    facts = [part for part in condition.parts if isinstance(part, forms.Fact) and part.spot and part.want]
    kinds = {fact.spot: fact for fact in facts if fact.name == "piece?"} if condition.word == "and" else {}
    return {fact: kinds[fact.spot] for fact in facts if fact.name in ("friend?", "enemy?") and fact.spot in kinds}
