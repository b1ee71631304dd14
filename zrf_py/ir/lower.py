"""Checked game → program: move code becomes operations.

This is where the meaning of move code is decided, once for all engines. Names in move code are looked up here, in the
same pass that needs their numbers.

Reports: unknown-direction, unknown-piece, unknown-player, unknown-zone, unknown-condition, too-many-flags.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from zrf_py.front import model, syntax
from zrf_py.front.keywords import CONDITIONS, INSTRUCTIONS, PLUS_WORDS
from zrf_py.front.names import look_up, unknown
from zrf_py.front.nodes import Atom
from zrf_py.front.numbers import compare, number, where
from zrf_py.ir.ops import BLOCK_END, GO_FROM, GO_LAST_FROM, GO_LAST_TO, GO_MARK, GO_TO, HERE, SELF, Op, Program, Routine
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Origin
from zrf_py.text.suggest import clipped

_GO = {"from": GO_FROM, "to": GO_TO, "mark": GO_MARK, "last-from": GO_LAST_FROM, "last-to": GO_LAST_TO}
_ADD_COPY, _ADD_PARTIAL = 1, 2
_STOP = -1
"""The label of the end of the block."""
MAX_FLAGS = 60



class FileScope:
    """What the games of one file share while they are lowered.

    Flags and move types are numbered for the whole file and not for each variant, so that an instruction that means
    the same in two variants has one list of operations.
    """

    def __init__(self, macros: Iterable[str] = ()) -> None:
        self.macros = tuple(macros)
        """Names of macros, for suggestions."""
        self.flags: dict[str, int] = {}
        self.position_flags: dict[str, int] = {}
        self.code: dict[tuple[syntax.Instruction, int], tuple[Op, ...]] = {}
        self._tables: dict[object, int] = {}

    def names(self, s: model.Symbols) -> int:
        """A number for the names in force; equal for games in which every name has the same number."""
        tables = tuple(tuple(t) for t in (
            s.positions, s.directions, s.players, s.pieces, s.attributes, s.zones, s.measures, s.counters,
            s.teams.items()))
        return self._tables.setdefault(tables, len(self._tables))


def lower(game: model.Game, report: Report, scope: FileScope) -> Program:
    """The program of one game of a file."""
    lowering = _Lowering(game, report, scope)
    pieces = range(len(game.pieces))
    moves = tuple(tuple(lowering.routine(i, r, False) for r in game.pieces[i].moves) for i in pieces)
    drops = tuple(tuple(lowering.routine(i, r, True) for r in game.pieces[i].drops) for i in pieces)
    board = game.board
    return Program(
        game, moves, drops, _steps(board), tuple(tuple(frozenset(s) for s in zone) for zone in board.zones),
        tuple(tuple(dict.fromkeys(t[p] for t in board.links if t[p] >= 0)) for p in range(len(board.places))),
        frozenset(_goal_positions(game)), tuple(game.symbols.move_types), _ordinals(game, moves, drops),
        tuple(scope.flags), tuple(scope.position_flags),
    )


def _ordinals(
    game: model.Game, moves: tuple[tuple[Routine, ...], ...], drops: tuple[tuple[Routine, ...], ...],
) -> tuple[int, ...]:
    """Numbers as the original gives them: turn order and priorities from their ends, then pieces from the last on.

    Found by comparing with recorded games: this order explains 37 of 40 (number, name) pairs they contain.
    """
    named = [turn.move_type for turn in reversed(game.turns)] + list(reversed(game.priorities))
    for piece in reversed(range(len(game.pieces))):
        for routine in (*moves[piece], *drops[piece]):
            named.append(routine.move_type)
            named += [op.b for op in routine.code if op.name == "add"]
    order = {name: i for i, name in enumerate(dict.fromkeys(n for n in named if n >= 0), 1)}
    return tuple(order.get(name, 0) for name in range(len(game.symbols.move_types)))


def _steps(board: model.Board) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(
        tuple(table for d in range(len(board.directions)) for table in (board.links[side[d]], board.reverse[side[d]]))
        for side in board.symmetry
    )


def _goal_positions(game: model.Game) -> set[int]:
    found: set[int] = set()
    goals: list[model.Goal] = [end.goal for end in game.ends]
    while goals:
        goal = goals.pop()
        if isinstance(goal, model.AllOf):
            goals.extend(goal.parts)
        elif isinstance(goal, model.Absolute):
            for is_zone, number in goal.places:
                found.update(*game.board.zones[number]) if is_zone else found.add(number)
    return found


class _Lowering:
    """Lowers the blocks of one game."""

    def __init__(self, game: model.Game, report: Report, scope: FileScope) -> None:
        self.report = report
        self.symbols = game.symbols
        self.scope = scope
        self.names = scope.names(game.symbols)

    def routine(self, piece: int, routine: model.Routine, drop: bool) -> Routine:
        """Lower one block; a drop block may start with the zone or position where it runs."""
        body = routine.block.body
        zone = position = -1
        if drop and body and (name := _bare_name(body[0])) and name.text not in self.symbols.directions:
            if name.text in self.symbols.zones:
                zone, body = self.symbols.zones[name.text], body[1:]
            elif name.text in self.symbols.positions:
                position, body = self.symbols.positions[name.text], body[1:]
        ops = [op for instruction in body for op in self.code(instruction)]
        ops.append(Op("end", origin=routine.block.origin))
        return Routine(piece, routine.move_type, tuple(ops), zone, position)

    def code(self, instruction: syntax.Instruction) -> tuple[Op, ...]:
        """The operations of one instruction; jumps are relative, so the same list serves wherever it stands."""
        key = (instruction, self.names)
        found = self.scope.code.get(key)
        if found is None:
            emitter = _Emitter(self)
            emitter.instruction(instruction)
            found = self.scope.code[key] = emitter.finish()
        return found


def _bare_name(instruction: syntax.Instruction) -> Atom | None:
    if isinstance(instruction, syntax.Command) and instruction.word == "step" and instruction.place is None:
        return instruction.names[0]
    return None


class _Emitter:
    """Writes the operations of one instruction; jump targets are labels until `finish` makes them relative."""

    def __init__(self, lowering: _Lowering) -> None:
        self.lowering = lowering
        self.symbols = lowering.symbols
        self.report = lowering.report
        self.ops: list[Op] = []
        self.jumps: list[tuple[int, int]] = []
        """(operation, label) for each jump still to be resolved."""
        self.labels: list[int] = []

    def finish(self) -> tuple[Op, ...]:
        for at, label in self.jumps:
            target = BLOCK_END if label == _STOP else self.labels[label] - at
            self.ops[at] = replace(self.ops[at], target=target)
        return tuple(self.ops)

    def _label(self) -> int:
        self.labels.append(-1)
        return len(self.labels) - 1

    def _set(self, label: int) -> None:
        self.labels[label] = len(self.ops)

    def _emit(
        self, name: str, origin: Origin | None, a: int = 0, b: int = 0, where: int = HERE,
        types: tuple[int, ...] = (), want: bool = True, label: int | None = None,
        numbers: tuple[model.Number, ...] = (),
    ) -> None:
        if label is not None:
            self.jumps.append((len(self.ops), label))
        self.ops.append(Op(name, a, b, where, types, want, 0, origin, numbers))

    # ------------------------------------------------------------------------------------------------ instructions

    def body(self, instructions: tuple[syntax.Instruction, ...]) -> None:
        """Instructions inside another one: their code is made once and copied in."""
        for instruction in instructions:
            self.ops.extend(self.lowering.code(instruction))

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
                self._emit("go", origin, _GO[tree.names[0].text])
            case "set-counter" | "add-to-counter" | "next-turn":
                self._count(tree)
            case "from" | "to" | "cascade" | "must-continue" | "add-pass":
                self._emit(word, origin)
            case "mark" | "capture" | "flip" | "change-owner":
                self._emit(word, origin, where=self._where(tree.place))
            case "change-type":
                self._emit(word, origin, self._piece(tree.names[0]), where=self._where(tree.place))
            case "create":
                self._create(tree)
            case "set-attribute" | "set-flag" | "set-position-flag":
                self._assign(tree)
            case _:
                self._add(tree)

    def _step(self, tree: syntax.Command) -> None:
        name, s = tree.names[0], self.symbols
        if name.text in s.directions:
            self._emit("step", tree.origin, 2 * s.directions[name.text] + (tree.place is not None))
        elif name.text in s.positions and tree.place is None:
            self._emit("jump", tree.origin, s.positions[name.text])
        else:
            others = [*s.positions, *INSTRUCTIONS, *self.lowering.scope.macros]
            message = f"`{clipped(name.text)}` is neither an instruction nor a direction or position of this game"
            if name.text in PLUS_WORDS:
                others = []
                message = f"`{name.text}` is a word of ZRF+; this file does not say `(version \"zrf+\")`"
            unknown(s.directions, name, "direction", self.report, others, message)

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
        if len(names) > 1 or (names and place):
            others = s.players if player == SELF else ()
            unknown(s.pieces, names[0], "piece", self.report, others)
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
        return self._flag(name, self.lowering.scope.flags if word == "set-flag" else self.lowering.scope.position_flags)

    def _count(self, tree: syntax.Command) -> None:
        """The effects of ZRF+ that change a counter or the order of turns."""
        s = self.symbols
        value = number(tree.number, s, self.report) if tree.number else model.Number("number")
        counter = look_up(s.counters, tree.names[0], "counter", self.report) if tree.names else 0
        player = look_up(s.players, tree.names[1], "player", self.report) if len(tree.names) > 1 else SELF
        self._emit(tree.word, tree.origin, counter, player, numbers=(value,))

    def _flag(self, name: Atom, table: dict[str, int]) -> int:
        number = table.setdefault(name.text, len(table))
        if number >= MAX_FLAGS:
            self.report.add("too-many-flags", f"more than {MAX_FLAGS} flags of one kind", name.origin)
        return number

    def _add(self, tree: syntax.Command) -> None:
        names = list(tree.names)
        partial = tree.word.endswith("partial")
        move_type = -1
        if partial and names and names[-1].text not in self.symbols.pieces:
            move_type = self._move_type(names.pop())
        types = tuple(self._piece(name) for name in names)
        kind = (_ADD_COPY if "copy" in tree.word else 0) | (_ADD_PARTIAL if partial else 0)
        self._emit("add", tree.origin, kind, move_type, types=types)

    def _move_type(self, name: Atom) -> int:
        table = self.lowering.symbols.move_types
        return table.setdefault(name.text, len(table))

    def _piece(self, name: Atom) -> int:
        return look_up(self.symbols.pieces, name, "piece", self.report)

    def _where(self, place: syntax.Place | None) -> int:
        return where(place, self.symbols, self.report)

    # -------------------------------------------------------------------------------------------------- conditions

    def unless(self, condition: syntax.Condition, label: int) -> None:
        """Go to `label` if the condition is false."""
        self._branch(condition, True, label)

    def _branch(self, condition: syntax.Condition, want: bool, label: int) -> None:
        """Go to `label` if the condition's answer is not `want`."""
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
                found = compare(condition, self.symbols, self.report)
                self._emit(condition.word, condition.origin, want=want, label=label, numbers=(found.left, found.right))

    def _logic(self, tree: syntax.Logic, want: bool, label: int) -> None:
        if (tree.word == "and") == want:  # every part must answer `want`
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
        number, where = 0, self._where(tree.place)
        if word in ("attacked?", "defended?"):
            number, where = self._attack(name, where)
        elif name is not None:
            word, number = self._subject(word, name)
        self._emit(word, tree.origin, number, where=where, want=want, label=label)

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
                return word, self._flag(name, self.lowering.scope.flags)
            case "position-flag?":
                return word, self._flag(name, self.lowering.scope.position_flags)
            case _:
                return "attribute?", self.symbols.attributes[name.text]

    def _position(self, name: Atom) -> tuple[str, int]:
        """`(position? n)` with a direction asks nothing that could be true; real files hold it all the same."""
        s = self.symbols
        if name.text in s.positions:
            return "position?", s.positions[name.text]
        if name.text not in s.directions:
            unknown(s.positions, name, "position", self.report)
        return "position?", -2

    def _unknown_condition(self, name: Atom) -> None:
        unknown([*CONDITIONS, *self.symbols.attributes], name, "condition", self.report, self.lowering.scope.macros,
                f"`{name.text}` is neither a condition nor an attribute of this game")
