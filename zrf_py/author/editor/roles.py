"""The names in syntax trees, each with the kind of thing it names, as far as its context determines that.

Expansions shared by several macro calls are walked once. A name keeps the place where it was typed: for a macro's
argument, the place in the call.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from zrf_py.author.editor import analysis as kinds
from zrf_py.author.editor.analysis import Known
from zrf_py.front import syntax as s
from zrf_py.front.goals import instructions
from zrf_py.front.nodes import Atom
from zrf_py.ir.ops import ATTACKING, OPS
from zrf_py.ir.traits import Operand

WHO = frozenset({"friend", "enemy", "anybody", "nobody"})
_OF_OPERANDS = {Operand.ATTRIBUTE: kinds.ATTRIBUTE, Operand.FLAG: kinds.FLAG, Operand.PIECE: kinds.PIECE,
                Operand.POSITION_FLAG: kinds.POSITION_FLAG, Operand.ZONE: kinds.ZONE}
_OF_WORDS: dict[str, tuple[str, ...]] = {
    **{name: (_OF_OPERANDS[row.a],) for name, row in OPS.items() if row.a in _OF_OPERANDS},
    "create": (kinds.PIECE, kinds.PLAYER, kinds.DIRECTION, kinds.POSITION),
    **dict.fromkeys(("add", "add-copy"), (kinds.PIECE,)),
    **dict.fromkeys(("add-partial", "add-copy-partial"), (kinds.PIECE, kinds.MOVE_TYPE)),
    "position?": (kinds.POSITION, kinds.DIRECTION),
    **dict.fromkeys(ATTACKING, (kinds.DIRECTION, kinds.POSITION, kinds.MOVE_TYPE))}
"""Kinds of names after a word of move code, in the order in which they are tried; unlisted tests take attributes."""
_OF_NUMBERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "counter": ((kinds.COUNTER,), (kinds.PLAYER,)), "count": ((kinds.TEAM, kinds.PLAYER), (kinds.PIECE, kinds.ZONE)),
    "turns-made": ((kinds.PLAYER,), ()), "store": ((kinds.PIECE,), (kinds.PLAYER,)),
    "at": ((kinds.MEASURE,), (kinds.DIRECTION, kinds.POSITION))}
"""Keyword of a numeric expression → kinds of its first name, kinds of the names after that."""
Role = tuple[Atom, str, bool]
"""A name, the kind of thing it names, and whether it is defined here."""


@dataclass
class Roles:
    """Walks syntax trees. `known` decides the kind of a name where the grammar leaves it open."""

    known: Known
    roles: list[Role] = field(default_factory=list)
    _seen: set[int] = field(default_factory=set)

    def add(self, kind: str, *names: Atom | None, defines: bool = False) -> None:
        self.roles += [(name, kind, defines) for name in names if name is not None]

    def either(self, name: Atom, *choice: str, defines: bool = False) -> None:
        """Add a name under the first of these kinds that has such a name; under the last one if none has."""
        self.add(next((kind for kind in choice if name.text in self.known.of(kind)), choice[-1]), name, defines=defines)

    def file(self, tree: s.FileTree) -> None:
        for game in tree.games:
            for section in game.sections:
                if id(section) not in self._seen:
                    self._seen.add(id(section))
                    self.section(section)

    def section(self, section: s.Section) -> None:
        match section:
            case s.Names(word="players"):
                self.add(kinds.PLAYER, *section.names, defines=True)
            case s.Names():
                self.add(kinds.MOVE_TYPE, *section.names)
            case s.TurnOrder():
                for turn in section.turns:
                    self.turn(turn)
            case s.Board():
                for item in section.items:
                    self.board(item)
            case s.Setup():
                self.setup(section)
            case s.Piece():
                self.piece(section)
            case s.EndCondition():
                self.add(kinds.PLAYER, *(section.players or ()))
                self.add(kinds.ZONE, section.remove)
                self.goal(section.goal)
            case s.Counter():
                self.add(kinds.COUNTER, section.name, defines=True)
            case s.Team():
                self.add(kinds.TEAM, section.name, defines=True)
                self.add(kinds.PLAYER, *section.players)
            case s.Score():
                self.number(section.number)

    def turn(self, turn: s.Turn) -> None:
        for goal in turn.when:
            self.goal(goal)
        for name in turn.names:
            if name.text != "repeat":
                self.either(name, kinds.PLAYER, kinds.MOVE_TYPE)

    def board(self, item: s.BoardItem) -> None:
        match item:
            case s.Grid():
                self.add(kinds.DIRECTION, *(name for name, _ in item.directions), defines=True)
            case s.Positions():
                self.add(kinds.POSITION, *(name for name, _ in item.items), defines=True)
            case s.Names():
                self.add(kinds.POSITION, *item.names, defines=item.word == "dummy")
            case s.Links():
                self.add(kinds.DIRECTION, item.direction, defines=True)
                self.add(kinds.POSITION, *(name for pair in item.pairs for name in pair))
            case s.Unlink():
                for names in item.items:
                    self.add(kinds.POSITION, names[0])
                    for name in names[1:]:
                        self.either(name, kinds.DIRECTION, kinds.POSITION)
            case s.Zone():
                self.add(kinds.ZONE, item.name, defines=True)
                self.add(kinds.PLAYER, *item.players)
                self.add(kinds.POSITION, *item.positions)
            case s.Measure():
                self.add(kinds.MEASURE, item.name, defines=True)
                self.add(kinds.PLAYER, *item.players)
                self.add(kinds.POSITION, *(name for _, names in item.values for name in names))
            case s.Symmetry():
                self.add(kinds.PLAYER, item.player)
                self.add(kinds.DIRECTION, *(name for pair in item.pairs for name in pair))

    def setup(self, setup: s.Setup) -> None:
        for player, placements in setup.sides:
            self.add(kinds.PLAYER, player)
            for piece, places in placements:
                self.add(kinds.PIECE, piece)
                self.add(kinds.POSITION, *_squares(places))

    def piece(self, piece: s.Piece) -> None:
        self.add(kinds.PIECE, piece.name, defines=True)
        for image in piece.images:
            self.add(kinds.PLAYER, *(a for a in image.items if a.text in self.known.of(kinds.PLAYER)))
        for attribute in piece.attributes:
            self.add(kinds.ATTRIBUTE, attribute.name, defines=True)
        for code in piece.codes:
            for item in code.items:
                if isinstance(item, s.MoveType):
                    self.add(kinds.MOVE_TYPE, item.name, defines=True)
                elif id(item) not in self._seen:
                    self._seen.add(id(item))
                    self.block(item, code.word == "drops")

    def block(self, block: s.Block, drop: bool) -> None:
        body = block.body
        if drop and body and isinstance(body[0], s.Command) and body[0].word == "step" and not body[0].place:
            self.either(body[0].names[0], kinds.DIRECTION, kinds.ZONE, kinds.POSITION)
            body = body[1:]
        self.code(body)

    def code(self, body: Iterable[s.Instruction]) -> None:
        for instruction in instructions(body, self._seen):
            match instruction:
                case s.Verify():
                    for condition in instruction.conditions:
                        self.condition(condition)
                case s.If() | s.While():
                    self.condition(instruction.condition)
                case s.Command():
                    self.command(instruction)

    def command(self, command: s.Command) -> None:
        word, names = command.word, command.names
        if word == "step":
            self.either(names[0], kinds.DIRECTION, kinds.POSITION)
            return
        if command.condition is not None:
            self.condition(command.condition)
        if command.number is not None:
            self.number(command.number)
        self.place(command.place)
        if word.endswith("-counter"):
            self.add(kinds.COUNTER, *names[:1])
            self.add(kinds.PLAYER, *names[1:])
            return
        for name in names if word in _OF_WORDS else ():
            self.either(name, *_OF_WORDS[word], defines=word.endswith("-flag"))

    def place(self, place: s.Place | None) -> None:
        if place is not None:
            self.either(place.name, kinds.DIRECTION, kinds.POSITION)

    def condition(self, condition: s.Condition) -> None:
        todo: list[s.Condition] = [condition]
        while todo:
            match todo.pop():
                case s.Logic(parts=parts):
                    todo += parts
                case s.Test() as test:
                    self.test(test)
                case s.Comparison() as comparison:
                    self.number(comparison.left)
                    self.number(comparison.right)

    def test(self, test: s.Test) -> None:
        self.place(test.place)
        if test.name is not None:
            self.either(test.name, *_OF_WORDS.get(test.word.removeprefix("not-"), (kinds.ATTRIBUTE,)))

    def number(self, number: s.Number) -> None:
        self.place(number.place)
        for part in number.parts:
            self.number(part)
        for place, name in enumerate(number.names):
            if number.word != "count" or name.text not in WHO:
                self.either(name, *_OF_NUMBERS[number.word][min(place, 1)])

    def goal(self, goal: s.GoalTree) -> None:
        match goal:
            case s.GoalLogic():
                for part in goal.parts:
                    self.goal(part)
            case s.Config():
                self.config(goal)
            case s.Goal():
                self.add(kinds.PIECE, *goal.names)
            case s.Comparison():
                self.number(goal.left)
                self.number(goal.right)

    def config(self, config: s.Config) -> None:
        places = {*self.known.of(kinds.DIRECTION)} if config.word == "relative-config" else set()
        for occupant in config.occupants:
            self.add(kinds.DIRECTION if occupant.name.text in places else kinds.PIECE, occupant.name)
        for name in config.places:
            self.either(name, kinds.ZONE, kinds.POSITION)


def _squares(places: tuple[Atom, ...]) -> Iterator[Atom]:
    """Yield the positions of a row of the set-up, without `off` and its number."""
    numbers = False
    for atom in places:
        if atom.text != "off" and not numbers:
            yield atom
        numbers = atom.text == "off"
