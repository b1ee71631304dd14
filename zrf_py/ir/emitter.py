"""Compile one instruction of move code to operations: conditions become tests and jumps, names become numbers."""

from collections.abc import Callable
from typing import NamedTuple

from zrf_py.front import model, syntax
from zrf_py.front.cures import as_form
from zrf_py.front.keywords import CONDITIONS, INSTRUCTIONS, PLUS_WORDS
from zrf_py.front.names import ELSE_IF, PARENTHESES, look_up, unknown, word_before
from zrf_py.front.nodes import Atom
from zrf_py.front.numbers import compare, number, where
from zrf_py.ir.ops import ATTACKING, BLOCK_END, COPIES, GO, GO_MARK, HERE, OPS, PARTIAL, SELF, Op, Routine
from zrf_py.ir.traits import Operand
from zrf_py.text import diagnostics, source, suggest

_STOP = -1
"""Label of the end of the block."""
MAX_FLAGS = 60


class Lowered(NamedTuple):
    """Compiled block: operations, errors reported in it, zone or position where it runs (-1: everywhere)."""

    zone: int
    position: int
    code: tuple[Op, ...]
    errors: frozenset[int]


_Piece = tuple[tuple[model.Routine, ...], tuple[Routine, ...], frozenset[int]]
"""A piece's source blocks, held so that their identities stay unique; compiled blocks; errors reported in them."""


class FileScope:
    """Caches and numberings shared by the games of one file while they are compiled.

    Flags and move types are numbered per file, not per variant, so that an instruction with the same meaning in two
    variants has one list of operations.
    """

    def __init__(self) -> None:
        self.flags: dict[str, int] = {}
        self.position_flags: dict[str, int] = {}
        self.code: dict[tuple[syntax.Instruction, int], tuple[tuple[Op, ...], frozenset[int]]] = {}
        """(Operations, reported errors) by (instruction, id of the symbol tables)."""
        self.blocks: dict[tuple[syntax.Block, int, bool], frozenset[int]] = {}
        """Errors reported in a block, by (block, id of the symbol tables, True if compiled as a drop)."""
        self.routines: dict[tuple[syntax.Block, int, bool], Lowered] = {}
        """Compiled blocks, by the same key as `blocks`."""
        self.pieces: dict[tuple[int, int, int, bool], _Piece] = {}
        """Compiled pieces, by (identity of the source blocks, piece number, id of the symbol tables, True if drops)."""
        self.then: dict[int, list[int]] = {}
        """Move types named in each `add` of a block (-1: none), by the identity of the block's operations."""
        self._tables: dict[object, int] = {}

    def names(self, s: model.Symbols) -> int:
        """Return an id for the symbol tables of a game; games with equal tables share it."""
        tables = tuple(tuple(t) for t in (
            s.positions, s.directions, s.players, s.pieces, s.attributes, s.zones, s.measures, s.counters,
            s.teams.items()))
        return self._tables.setdefault(tables, len(self._tables))


class Emitter:
    """Emitter for one instruction; jump targets are labels until `finish` makes them relative."""

    def __init__(
        self, symbols: model.Symbols, report: diagnostics.Report, scope: FileScope,
        code: Callable[[syntax.Instruction], tuple[Op, ...]],
    ) -> None:
        """`code` returns the operations of a nested instruction."""
        self.symbols = symbols
        self.report = report
        self.scope = scope
        self.code = code
        self.ops: list[Op] = []
        self.jumps: list[tuple[int, int]] = []
        """(index of the operation, label) for each unresolved jump."""
        self.labels: list[int] = []

    def finish(self) -> tuple[Op, ...]:
        for at, label in self.jumps:
            target = BLOCK_END if label == _STOP else self.labels[label] - at
            op = self.ops[at]  # `replace` would take four times as long
            self.ops[at] = Op(op.name, op.a, op.b, op.where, op.types, op.want, target, op.origin, op.numbers)
        return tuple(self.ops)

    def _label(self) -> int:
        self.labels.append(-1)
        return len(self.labels) - 1

    def _set(self, label: int) -> None:
        self.labels[label] = len(self.ops)

    def _emit(
        self, name: str, origin: source.Origin | None, a: int = 0, b: int = 0, where: int = HERE,
        types: tuple[int, ...] = (), want: bool = True, label: int | None = None,
        numbers: tuple[model.Number, ...] = (),
    ) -> None:
        if label is not None:
            self.jumps.append((len(self.ops), label))
        self.ops.append(Op(name, a, b, where, types, want, 0, origin, numbers))

    # ------------------------------------------------------------------------------------------------ instructions

    def body(self, instructions: tuple[syntax.Instruction, ...]) -> None:
        """Emit nested instructions: each is compiled once, then copied in."""
        for instruction in instructions:
            self.ops.extend(self.code(instruction))

    def instruction(self, tree: syntax.Instruction) -> None:
        match tree:
            case syntax.Command():
                self._command(tree)
            case syntax.Verify():
                for condition in tree.conditions:
                    self.unless(condition, _STOP)
            case syntax.If():
                self._if(tree)
            case syntax.While():
                self._while(tree)

    def _if(self, tree: syntax.If) -> None:
        otherwise = self._label()
        self.unless(tree.condition, otherwise)
        self.body(tree.then)
        if tree.otherwise:
            done = self._label()
            self._emit("goto", tree.origin, label=done)
            self._set(otherwise)
            self.body(tree.otherwise)
            self._set(done)
        else:
            self._set(otherwise)

    def _while(self, tree: syntax.While) -> None:
        again, done = self._label(), self._label()
        self._set(again)
        self.unless(tree.condition, done)
        self.body(tree.body)
        self._emit("goto", tree.origin, label=again)
        self._set(done)

    def _command(self, tree: syntax.Command) -> None:
        word, origin = tree.word, tree.origin
        match word:
            case "step":
                self._step(tree)
            case "back":
                self._emit("go", origin, GO_MARK)
            case "go":
                self._emit("go", origin, GO.index(tree.names[0].text))
            case "set-counter" | "add-to-counter" | "next-turn":
                self._count(tree)
            case "create":
                self._create(tree)
            case "set-attribute" | "set-flag" | "set-position-flag":
                self._assign(tree)
            case _ if word.startswith("add") and word != "add-pass":
                self._add(tree)
            case _:
                piece = self._piece(tree.names[0]) if OPS[word].a is Operand.PIECE else 0
                self._emit(word, origin, piece, where=self._where(tree.place))

    def _step(self, tree: syntax.Command) -> None:
        name, s = tree.names[0], self.symbols
        if name.text in s.directions:
            self._emit("step", tree.origin, 2 * s.directions[name.text] + (tree.place is not None))
        elif name.text in s.positions and tree.place is None:
            self._emit("jump", tree.origin, s.positions[name.text])
        else:
            others = [*s.positions, *INSTRUCTIONS, *self.report.macros]
            excerpt = suggest.clipped(name.text)
            macro = "macro, " if name.origin.span.source.text[: name.origin.span.start].endswith("(") else ""
            message = (f"`{excerpt}` needs parentheses" if name.text in INSTRUCTIONS
                       else f"`{excerpt}` is neither an instruction nor a {macro}direction or position of this game")
            if name.text in PLUS_WORDS:
                message = f"`{name.text}` is a keyword of ZRF+, but this file does not declare `(version \"zrf+\")`"
            unknown(s.directions, name, "direction", self.report, others, message, help=self._hint(name),
                    otherwise=f"if this should be a macro, `(define {excerpt} …)` is missing; " if macro else "")

    def _hint(self, name: Atom) -> str:
        """Return the correction of a word that is often mistaken for an instruction; "" if there is none."""
        word = name.text
        if word in PLUS_WORDS:
            return 'write `(version "zrf+")` at the top of the file'
        if word in INSTRUCTIONS:
            return f"{PARENTHESES}: `{as_form(name)}`"
        if word in CONDITIONS:
            return f"write `(verify {word})`"
        if word == "then":
            return "leave out `then`, as in `(if (enemy? n) capture else add)`"
        if word in ("elseif", "elif", "else-if", "elsif"):
            return f"{ELSE_IF}: `else` may be followed by another `if`"
        before, written = word_before(name)
        if word in self.symbols.move_types and before in ("add-partial", "add-copy-partial"):
            return f"write `({before} {written})`"
        if before in ("create", "change-type") and word in self.symbols.pieces.keys() | self.symbols.players:
            return f"{PARENTHESES}: `({before} {as_form(name, int(word in self.symbols.players))[1:]}`"
        if word in self.symbols.pieces and (before == "add" or word == written):
            return f"to turn the moving piece into this type, write `(add {written})`"
        return ""

    def _create(self, tree: syntax.Command) -> None:
        s = self.symbols
        names = list(tree.names)
        player = piece = SELF
        if names and names[0].text in s.players and (
            names[0].text not in s.pieces or (len(names) > 1 and names[1].text in s.pieces)
        ):
            player = s.players[names.pop(0).text]
        if names and names[0].text in s.pieces:
            piece = s.pieces[names.pop(0).text]
        place = tree.place
        places = {*s.directions, *s.positions}
        if len(names) > 1 or (names and (place or (piece == SELF and names[0].text not in places))):
            first = player == SELF and names[-1].text in s.pieces  # True: an unknown player precedes the piece
            rest, help = " ".join(name.text for name in names[1:]), ""
            if first and names[0].text in places:
                help = f"the square comes last: `(create {rest} {names[0].text})`"
            elif piece != SELF and names[0].text in s.players:
                help = f"the player comes first: `(create {names[0].text} {tree.names[0].text})`"
            unknown(s.players if first else s.pieces, names[0], "player" if first else "piece", self.report,
                    () if place else places, help=help, message="" if place or len(names) > 1 else
                    f"`{suggest.clipped(names[0].text)}` is neither a piece nor a direction or position of this game")
        elif names:
            place = syntax.Place(names[0])
        self._emit("create", tree.origin, piece, player, self._where(place))

    def _assign(self, tree: syntax.Command) -> None:
        word, name = tree.word, tree.names[0]
        number = self._assigned(word, name)
        where = self._where(tree.place)
        match tree.condition:
            case syntax.Constant(value):
                self._emit(word, tree.origin, number, int(value), where)
            case None:
                self._emit(word, tree.origin, number, 1, where)
            case condition:
                no, done = self._label(), self._label()
                self.unless(condition, no)
                self._emit(word, tree.origin, number, 1, where)
                self._emit("goto", tree.origin, label=done)
                self._set(no)
                self._emit(word, tree.origin, number, 0, where)
                self._set(done)

    def _assigned(self, word: str, name: Atom) -> int:
        if word == "set-attribute":
            return look_up(self.symbols.attributes, name, "attribute", self.report)
        return self._flag(name, self.scope.flags if word == "set-flag" else self.scope.position_flags)

    def _count(self, tree: syntax.Command) -> None:
        """Emit a ZRF+ effect that changes a counter or the turn order."""
        s = self.symbols
        value = number(tree.number, s, self.report) if tree.number else model.Number("number")
        counter = look_up(s.counters, tree.names[0], "counter", self.report) if tree.names else 0
        player = look_up(s.players, tree.names[1], "player", self.report) if len(tree.names) > 1 else SELF
        self._emit(tree.word, tree.origin, counter, player, numbers=(value,))

    def _flag(self, name: Atom, table: dict[str, int]) -> int:
        number = table.setdefault(name.text, len(table))
        if number >= MAX_FLAGS:
            self.report.add("too-many-flags", f"this file uses more than {MAX_FLAGS} flags of one kind", name.origin)
        return number

    def _add(self, tree: syntax.Command) -> None:
        names = list(tree.names)
        partial = tree.word.endswith("partial")
        move_type = -1
        if partial and names and names[-1].text not in self.symbols.pieces:
            move_type = self._move_type(names.pop())
        turned = f"the move type comes last: `({tree.word} {names[-1].text} {names[0].text})`" if len(names) > 1 else ""
        types = tuple(self._piece(name, turned * (name.text in self.symbols.move_types)) for name in names)
        kind = (COPIES if "copy" in tree.word else 0) | (PARTIAL if partial else 0)
        self._emit("add", tree.origin, kind, move_type, types=types)

    def _move_type(self, name: Atom) -> int:
        table = self.symbols.move_types
        return table.setdefault(name.text, len(table))

    def _piece(self, name: Atom, help: str = "") -> int:
        return look_up(self.symbols.pieces, name, "piece", self.report, help=help)

    def _where(self, place: syntax.Place | None) -> int:
        return where(place, self.symbols, self.report)

    # -------------------------------------------------------------------------------------------------- conditions

    def unless(self, condition: syntax.Condition, label: int) -> None:
        """Emit a jump to `label` that is taken if the condition is false."""
        self._branch(condition, True, label)

    def _branch(self, condition: syntax.Condition, want: bool, label: int) -> None:
        """Emit a jump to `label` that is taken if the condition is not `want`."""
        match condition:
            case syntax.Constant(value):
                if value != want:
                    self._emit("goto", None, label=label)
            case syntax.Logic(word="not"):
                self._branch(condition.parts[0], not want, label)
            case syntax.Logic():
                self._logic(condition, want, label)
            case syntax.Test():
                self._test(condition, want, label)
            case syntax.Comparison():
                test = compare(condition, self.symbols, self.report)
                self._emit(condition.word, condition.origin, want=want, label=label, numbers=(test.left, test.right))

    def _logic(self, tree: syntax.Logic, want: bool, label: int) -> None:
        if (tree.word == "and") == want:  # every part must be `want`
            for part in tree.parts:
                self._branch(part, want, label)
            return
        if not tree.parts:
            self._emit("goto", tree.origin, label=label)
            return
        enough = self._label()
        for part in tree.parts[:-1]:
            self._branch(part, not want, enough)
        self._branch(tree.parts[-1], want, label)
        self._set(enough)

    def _test(self, tree: syntax.Test, want: bool, label: int) -> None:
        word = tree.word
        if word.startswith("not-"):
            word, want = word.removeprefix("not-"), not want
        name = tree.name
        if word == "attribute" and name is not None and name.text not in self.symbols.attributes:
            self._unknown_condition(name)
            return
        table = {"in-zone?": self.symbols.zones, "piece?": self.symbols.pieces}.get(word, {})
        if name and tree.place and name.text not in table and tree.place.name.text in table:
            place, code = tree.place.name.text, f"unknown-{word.removeprefix('in-')[:-1]}"
            self.report.add(code, f"`{name.text}` and `{place}` are in the wrong order", name.origin,
                            help=f"write `({tree.word} {place} {name.text})`")
            return
        number, operand = 0, self._where(tree.place)
        if word in ATTACKING:
            number, operand = self._attack(name, operand)
        elif name is not None:
            word, number = self._subject(word, name)
        self._emit(word, tree.origin, number, where=operand, want=want, label=label)

    def _attack(self, name: Atom | None, where: int) -> tuple[int, int]:
        s = self.symbols
        if name is None:
            return -1, where
        if where == HERE and (name.text in s.directions or name.text in s.positions):
            return -1, self._where(syntax.Place(name))
        return self._move_type(name), where

    def _subject(self, word: str, name: Atom) -> tuple[str, int]:
        s = self.symbols
        match word:
            case "piece?":
                return word, self._piece(name)
            case "in-zone?":
                return word, look_up(s.zones, name, "zone", self.report)
            case "position?":
                return self._position(name)
            case "flag?":
                return word, self._flag(name, self.scope.flags)
            case "position-flag?":
                return word, self._flag(name, self.scope.position_flags)
            case _:
                return "attribute?", self.symbols.attributes[name.text]

    def _position(self, name: Atom) -> tuple[str, int]:
        """Return ("position?", number); number -2 (always false) for unknown names, and for directions in old files."""
        s = self.symbols
        if name.text in s.positions:
            return "position?", s.positions[name.text]
        if name.text not in s.directions:
            unknown(s.positions, name, "position", self.report)
        return "position?", -2

    def _unknown_condition(self, name: Atom) -> None:
        if name.text in CONDITIONS:
            unknown([*CONDITIONS], name, "condition", self.report, (), f"`{name.text}` is not complete without "
                    "parentheses", help=f"{PARENTHESES}: `{as_form(name)}`")
            return
        before, written = word_before(name)
        test = before if before in CONDITIONS and (
            name.text in self.symbols.directions or name.text in self.symbols.positions) else ""
        unknown([*CONDITIONS, *self.symbols.attributes], name, "condition", self.report, self.report.macros,
                f"`{name.text}` is neither a condition nor an attribute of this game",
                help=f"write `({test} {written})`" if test else
                f"write `(flag? {name.text})`" if name.text in self.scope.flags else "")
