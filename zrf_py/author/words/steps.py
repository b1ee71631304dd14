"""Write a block as a list of instructions in words, for blocks too intricate for one sentence."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from zrf_py.author.words.bearings import Names
from zrf_py.author.words.document import TextLine
from zrf_py.author.words.folding import Folding, sign
from zrf_py.author.words.forms import ALWAYS, NEVER, Condition, Deed, Fact, Form, Spot
from zrf_py.author.words.language import sentence
from zrf_py.author.words.merging import Group
from zrf_py.author.words.phrases import Phrases, SpotNames
from zrf_py.author.words.reader import Reader
from zrf_py.author.words.sentences import MoveSentence
from zrf_py.front import model, syntax
from zrf_py.front.goals import instructions
from zrf_py.ir.ops import GO_MARK, HERE, OPS, Op
from zrf_py.ir.traits import Kind, Operand


class _Signs(Phrases):
    """Phrases with placeholders (`folding.sign`) for directions, squares, piece types and numbers."""

    def __init__(self, phrases: Phrases) -> None:
        self.__dict__.update(phrases.__dict__)

    def direction(self, motion: int) -> str:
        return sign("m", motion)

    def place(self, position: int) -> str:
        return sign("p", position)

    def piece(self, kind: int) -> str:
        return sign("k", kind)

    def number(self, number: model.Number, around: Names = lambda where: "") -> str:
        return sign("n", number.a) if number.kind == "number" else super().number(number, around)


@dataclass(frozen=True)
class Outflanked:
    """Instructions about a row of enemies with a friend behind it: its direction `motion`, the effect `deed` on each
    enemy, and the flag that is set (-1: none)."""

    motion: int
    deed: str
    flag: int


class Steps:
    """Writes blocks of one piece type step by step."""

    def __init__(self, phrases: Phrases, reader: Reader, piece: int) -> None:
        self.reader, self.say, self.piece = reader, phrases.say, piece
        self.words, self.phrases = phrases, _Signs(phrases)
        self.drop = False
        """True while writing about a drop block."""
        self.spots = SpotNames(self.phrases, self.phrases.direction, begin="cursor")

    def listings(self, routines: Iterable[model.Routine], drop: bool) -> list[tuple[TextLine, ...]]:
        """Return the instructions of blocks; blocks that are alike are written once."""
        folding = Folding(self.say, self._word)
        different = {tuple(map(id, routine.block.body)): routine for routine in routines}.values()
        return folding.blocks([lines for routine in different if (lines := self.lines(routine, drop))])

    def summary(self, routines: Iterable[model.Routine]) -> Iterator[str]:
        """Yield sentences about blocks too long to be written: the directions of steps, and each possible effect."""
        words, game = self.words, self.words.game
        ops = [op for routine in routines for tree in routine.block.body for op in self.reader.ops(tree)]
        yield self.say("brief")
        if motions := sorted({self.reader.motion(op.a) for op in ops if op.name == "step"}):
            yield sentence(self.say("brief.step", dirs=words.directions(motions)))
        tables = {Operand.PIECE: list(map(words.piece, range(len(game.pieces)))), Operand.ATTRIBUTE: game.attributes,
                  Operand.COUNTER: [counter.name for counter in game.counters]}
        effects: dict[str, set[int]] = {}
        for op in ops:
            if OPS[op.name].kind is Kind.EFFECT or op.types:
                effects.setdefault(op.name, set()).update(op.types or (op.a if op.a >= 0 else self.piece,))
        for name, numbers in effects.items():
            table = tables.get(Operand.PIECE if name == "add" else OPS[name].a, ())
            names = self.say.either(table[number] for number in sorted(numbers) if table)
            yield sentence(self.say(f"brief.{name}", names=names))

    def _word(self, sign: str) -> str:
        words: dict[str, Names] = {"m": self.words.direction, "p": self.words.place, "k": self.words.piece, "n": str}
        return words[sign[0]](int(sign[1:]))

    def lines(self, routine: model.Routine, drop: bool) -> tuple[TextLine, ...]:
        """Return the instructions of a block, with signs (`folding.py`); () if it can't write a move."""
        body = routine.block.body
        self.drop = drop
        for tree in body:
            if isinstance(tree, syntax.Verify) and any(self._condition(part) == NEVER for part in tree.conditions):
                return ()
            if _writes(tree):
                break
        in_zone = drop and self.reader.restricted(routine) in self.reader.game.symbols.zones
        return tuple(self._all(body[1:] if in_zone else body))

    def _all(self, body: Sequence[syntax.Instruction]) -> Iterator[TextLine]:
        at_start = True
        """True while the cursor is on the square where the block began, and no other square is marked."""
        rest = list(body)
        while rest:
            tree = rest.pop(0)
            if (row := self._outflanks(tree, rest[:2])) and at_start:
                yield TextLine(row)
                del rest[:2]
                continue
            if rest and (text := self._steps_if(tree, rest[0])):
                yield TextLine(text)
                del rest[0]
                at_start = False
                continue
            at_start = at_start and isinstance(tree, (syntax.Verify, syntax.Command)) and not (
                isinstance(tree, syntax.Command) and {op.name for op in self.reader.ops(tree)} - {"set-flag"})
            yield from self._instruction(tree)

    def outflanking(self, routine: model.Routine) -> str:
        """Return sentences about a drop that must outflank a row of enemies and changes all such rows; "" if not."""
        body = routine.block.body
        if len(body) < 7 or not isinstance(body[0], syntax.Verify) or not isinstance(body[-2], syntax.Verify):
            return ""
        inner = body[2:-2]
        rows = [self._outflanked(inner[n], inner[n + 1 : n + 3]) for n in range(0, len(inner), 3)]
        if None in rows or len({(row.flag, row.deed) for row in rows if row}) > 1 or not rows[0]:
            return ""
        tests = [(op.name, op.want, op.where, op.a) for tree in (body[0], body[-2]) if len(tree.conditions) == 1
                 for part in tree.conditions if isinstance(part, syntax.Test) for op in [self.reader.test(part)]]
        others = [(op.name, op.a, op.b, op.types) for op in self.reader.plain([body[1], body[-1]])]
        if tests != [("empty?", True, HERE, 0), ("flag?", True, HERE, rows[0].flag)] or others != [
                ("set-flag", rows[0].flag, 0, ()), ("add", 0, -1, ())]:
            return ""
        dirs = self.words.directions([row.motion for row in rows if row])
        return sentence(self.say("outflank", dirs=dirs)) + " " + sentence(self.say(f"outflank.{rows[0].deed}"))

    def _outflanks(self, tree: syntax.Instruction, following: Sequence[syntax.Instruction]) -> str:
        """Return a line about an outflanked row; "" for other instructions."""
        row = self._outflanked(tree, following)
        if row is None:
            return ""
        name = self.phrases.subject("flag?", row.flag) if row.flag >= 0 else ""
        return self.say(f"steps.outflank{'-flag' if name else ''}", dir=self.phrases.direction(row.motion), name=name,
                        deeds=self.say(f"deed.each.{row.deed}"))

    def _outflanked(self, tree: syntax.Instruction, following: Sequence[syntax.Instruction]) -> Outflanked | None:
        """Recognise three instructions that change enemies with a friend behind them and go back; None for others."""
        behind = following[0] if len(following) == 2 else tree
        if not isinstance(tree, syntax.While) or not isinstance(behind, syntax.If) or len(behind.then) != 1:
            return None
        back, motion = behind.then[0], self.reader.only_step(tree.body)
        if behind.otherwise or not isinstance(back, syntax.While) or motion < 0:
            return None
        *deeds, last = self.reader.plain(back.body) or [Op("end")]
        flags = [op for op in deeds if op.name == "set-flag" and op.b]
        (deed, *more) = [op for op in deeds if op not in flags] or [last]
        tests = [self._tested(part) for part in (tree.condition, behind.condition, back.condition)]
        pattern = [("enemy?", -motion - 1), ("friend?", -motion - 1), ("enemy?", HERE)]
        returns = last.name == "step" and self.reader.motion(last.a) == self.reader.motion(motion ^ 1)
        looks_back = [(op.name, op.a) for op in self.reader.plain(following[1:])] == [("go", GO_MARK)]
        known = deed.where == HERE and self.say.has(f"deed.each.{deed.name}")
        if tests != pattern or not returns or not looks_back or more or not known:
            return None
        return Outflanked(motion, deed.name, flags[0].a if flags else -1)

    def _tested(self, tree: syntax.Condition) -> tuple[str, int]:
        """Return the name and `where` of a condition that is one positive test; ("", 0) for other conditions."""
        op = self.reader.test(tree) if isinstance(tree, syntax.Test) else Op("")
        return (op.name, op.where) if op.want else ("", 0)

    def _instruction(self, tree: syntax.Instruction) -> Iterator[TextLine]:
        say = self.say
        match tree:
            case syntax.Verify():
                conditions = [self.condition(part) for part in tree.conditions if self._condition(part) != ALWAYS]
                if conditions:
                    yield TextLine(say("steps.verify", condition=say.both(conditions)))
            case syntax.If() if (value := self._condition(tree.condition)) in (ALWAYS, NEVER):
                yield from self._all(tree.then if value == ALWAYS else tree.otherwise)
            case syntax.If() if (flag := self._noted(tree)) is not None:
                yield TextLine(say("steps.note-flag", name=self.phrases.subject("flag?", flag),
                                   condition=self.condition(tree.condition)))
            case syntax.If():
                body, otherwise = tuple(self._all(tree.then)), tuple(self._all(tree.otherwise))
                if body:
                    yield TextLine(say("steps.if", condition=self.condition(tree.condition)), body)
                if otherwise and body:
                    yield TextLine(say("steps.else"), otherwise)
                elif otherwise:
                    yield TextLine(say("steps.if", condition=self.condition(tree.condition, False)), otherwise)
            case syntax.While() if (motion := self.reader.only_step(tree.body)) >= 0:
                yield TextLine(say("steps.run", dir=self.phrases.direction(self.reader.motion(motion)),
                               condition=self.condition(tree.condition)))
            case syntax.While():
                body = tuple(self._all(tree.body))
                yield TextLine(say("steps.while", condition=self.condition(tree.condition)), body)
            case syntax.Command() if (assigned := self.reader.as_if(tree)) is not None:
                yield from self._instruction(assigned)
            case syntax.Command():
                for op in self.reader.ops(tree):
                    yield self._operation(op)

    def _steps_if(self, tree: syntax.Instruction, following: syntax.Instruction) -> str:
        """Return a line about a step and the conditions of the square it leads to; "" for other instructions."""
        ops = self.reader.plain([tree])
        if [op.name for op in ops] != ["step"] or not isinstance(following, syntax.Verify):
            return ""
        conditions = [self.condition(part) for part in following.conditions if self._condition(part) != ALWAYS]
        return "" if not conditions else self.say("steps.step-if", condition=self.say.both(conditions),
                                       dir=self.phrases.direction(self.reader.motion(ops[0].a)))

    def _noted(self, tree: syntax.If) -> int | None:
        """Return the flag that is set if a condition holds, and cleared if not; None for other instructions."""
        ops = [self.reader.plain(body) for body in (tree.then, tree.otherwise)]
        flags = [body[0].a for body, on in zip(ops, (1, 0), strict=True)
                 if len(body) == 1 and (body[0].name, body[0].b) == ("set-flag", on)]
        return flags[0] if len(flags) == 2 and flags[0] == flags[1] else None

    def condition(self, tree: syntax.Condition, want: bool = True) -> str:
        """Return a condition as a clause."""
        return self.phrases.condition(self._condition(tree, want), self.spots)

    def _condition(self, tree: syntax.Condition, want: bool = True) -> Condition:
        return self.reader.condition(tree, want, self._fact)

    def _fact(self, op: Op, want: bool) -> Fact:
        spot = self.reader.spot(op, Spot()) if OPS[op.name].where or op.numbers else None
        return Fact(op.name, want == op.want, spot, op.a, op.numbers)

    def _operation(self, op: Op) -> TextLine:
        say, phrases = self.say, self.phrases
        spot = self.reader.spot(op, Spot()) if OPS[op.name].where else Spot()
        match op.name:
            case "step":
                return TextLine(say("steps.step", dir=phrases.direction(self.reader.motion(op.a))))
            case "jump":
                return TextLine(say("steps.jump", name=phrases.place(op.a)))
            case "go":
                return TextLine(say(f"steps.go.{op.a}", last=phrases.last))
            case "set-flag":
                return TextLine(say(f"steps.set-flag.{op.b}", name=phrases.subject("flag?", op.a)))
            case "set-position-flag":
                return TextLine(say(f"steps.set-position-flag.{op.b}", spot=self.spots.name(spot),
                                name=phrases.subject("position-flag?", op.a)))
            case "add":
                return TextLine(self._added(op))
        if OPS[op.name].kind is Kind.EFFECT:
            deed = Deed(op.name, spot if OPS[op.name].where or op.numbers else None, op.a, op.b, op.numbers)
            writer = MoveSentence(phrases, Group(Form(Spot(), Spot(path=(-1,))), ((),)), self.piece)
            return TextLine(say("steps.deed", deed=writer.deed(deed, self.spots)))
        return TextLine(say(f"steps.{op.name}", spot=self.spots.name(spot), at=self.spots.at(spot)))

    def _added(self, op: Op) -> str:
        say, spot = self.say, self.spots.name(Spot())
        put = "-drop" if self.drop else "-copy" if op.is_copy else ""
        names = [self.phrases.piece(kind) for kind in op.types]
        text = say(f"steps.add{'-types' if names else ''}{put}", spot=spot, at=self.spots.at(Spot()),
                   types=say.either(names))
        if op.is_partial:
            text += " " + sentence(self.phrases.kinds.goes_on(op.b, self.phrases.game.options.pass_partial))
        return text


def _writes(tree: syntax.Instruction) -> bool:
    """Return whether an instruction may write a move."""
    return any(isinstance(inner, syntax.Command) and inner.word.startswith("add") and inner.word != "add-to-counter"
               for inner in instructions((tree,), set()))
