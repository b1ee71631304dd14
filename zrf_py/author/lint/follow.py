"""Follow a block: the facts known about squares at each operation, on every path.

A fact is a test with its answer. It holds as long as the cursor stays, since the position never changes while moves are
generated; after a step, the facts about its target square are kept. Tests of flags, which blocks change, give no facts.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from zrf_py.front.model import Number, steps_from
from zrf_py.ir.ops import GO_FROM, GO_MARK, GO_TO, HERE, OPS, WRITING, Op, Program, those
from zrf_py.ir.traits import Answer, Changes, Kind, Operand, Reads, Writes
from zrf_py.text.source import Origin

Question = tuple[str, int, int, tuple[Number, ...]]
"""Name, operand, square and numbers of a test."""
Facts = frozenset[tuple[Question, bool]]
MOVES_CURSOR = those(lambda row: row.writes & Writes.CURSOR)
OWN: Facts = frozenset({(("friend?", 0, HERE, ()), True)})
"""The facts at the start of a block of moves: it starts on a piece of the mover."""
_FACTS = those(lambda row: row.is_test and not row.reads & (Reads.FLAGS | Reads.POSITION_FLAGS | Reads.PLACES))
_TAKING = WRITING | those(lambda row: row.removes or row.writes & (Writes.TO | Writes.MOVEMENT))
"""Operations that may capture a piece."""
_ENDING = those(lambda row: row.writes & (Writes.FROM | Writes.TO | Writes.MOVE | Writes.PASS))
"""Operations that end a movement, or start it elsewhere."""
_LASTING = those(lambda row: row.kind is Kind.EFFECT or row.writes & ~Writes.CURSOR)
_MOST = 8
"""Maximum number of states kept apart at an operation; beyond it only their common facts are kept."""


def _occupants(name: str, answer: bool) -> int:
    """Return the kinds of squares on which a test may have this answer, as bits: 1 empty, 2 with a piece of the mover,
    4 with another piece, 8 off the board."""
    if not (row := OPS[name].says):
        return 7 if answer else 8 if name == "on-board?" else 15
    bar = Answer.NO if answer else Answer.YES
    return sum(bit for bit, it in ((1, row.empty), (2, row.friend), (4, row.other)) if it is not bar) | 8 * (not answer)


_OCCUPANTS = {(name, answer): _occupants(name, answer) for name in OPS for answer in (True, False)}


def occupants(facts: Facts, place: int = HERE) -> int:
    """Return the possible occupants of a square, as the bits of `_occupants`; 0 if facts exclude each other."""
    possible = 15 if place < HERE else 7
    for (name, _, square, _), answer in facts:
        if square == place:
            possible &= _OCCUPANTS[name, answer]
    return possible


def types_there(facts: Facts, place: int) -> set[int]:
    """Return the types that the piece on a square is known to have: none or one, unless facts exclude each other."""
    return {kind for (name, kind, square, _), answer in facts if (name, square, answer) == ("piece?", place, True)}


class Knowledge:
    """Conclusions drawn from facts in one game."""

    def __init__(self, program: Program, declared: set[tuple[str, str]]) -> None:
        """`declared`: the attributes of each type of piece, as pairs of names."""
        self.attributes = [{number for number, name in enumerate(program.game.attributes)
                            if (piece.name, name) in declared} for piece in program.game.pieces]
        self.zones, self.squares = program.zone_sets, range(len(program.game.board.places))
        self.sides = {turn.side for turn in program.game.turns} & {*range(min(map(len, self.zones), default=0))}
        self._after: dict[tuple[Question, Facts], tuple[Facts | None, Facts | None]] = {}

    def after(self, op: Op, facts: Facts) -> tuple[Facts | None, Facts | None]:
        """Return (facts if a test holds, facts if it fails), with None for a result that `facts` exclude."""
        if op.name not in _FACTS:
            return facts, facts
        question = op.name, op.a, op.where, op.numbers
        if (question, facts) not in self._after:
            holds, fails = (facts | {(question, answer)} for answer in (True, False))
            self._after[question, facts] = (holds if self._possible(holds, op.where) else None,
                                            fails if self._possible(fails, op.where) else None)
        return self._after[question, facts]

    def is_whole(self, op: Op) -> bool:
        """Return whether a test is for a zone that contains all squares of the board."""
        return op.name == "in-zone?" and op.where >= HERE and self.after(op, frozenset())[1] is None

    def lacks(self, types: Collection[int], attribute: int) -> bool:
        """Return whether pieces are known to lack an attribute, because none of their types declares it."""
        return bool(types) and all(attribute not in self.attributes[kind] for kind in types)

    def _possible(self, facts: Facts, place: int) -> bool:
        """Return whether the facts about a square can be true together."""
        if not occupants(facts, place) or len(types_there(facts, place)) > 1 or len(dict(facts)) < len(facts):
            return False
        zones = [(zone, answer) for (name, zone, square, _), answer in facts if (name, square) == ("in-zone?", place)]
        return not (zones and self.sides) or (place < HERE and not any(answer for _, answer in zones)) or any(
            all((square in self.zones[zone][side]) == answer for zone, answer in zones)
            for side in self.sides for square in self.squares)


class FollowedBlock:
    """Follows a block on all paths. A state is a set of facts; it is dropped if another state at the same operation is
    a subset of it. A macro call starts without facts, since the macro is written for other places, too, and may repeat
    tests that are decided here; only the facts of `OWN` are kept, until the cursor moves.

    `states`: the sets of facts at each operation; `visited`: operations that are reached; `answers`: the possible
    answers of each test; `before_add`: operations after which a move may be written; `ends`: the `to`s that are read,
    by an `add`, `cascade` or `(go to)`; `marks`: the `mark`s that are used, by `back` or a test; `writes`: True if the
    block ever writes a move; `victims`: the types that it may capture (-1: any); `first`: the first operation that
    moves the cursor; `last`: the last one that does more than move the cursor, or jumps back; `fixed`: the squares of
    `go`, by number, that are always the square where the block starts.
    """

    def __init__(self, knowledge: Knowledge, code: tuple[Op, ...], start: Facts) -> None:
        self.knowledge, self.code, self.start = knowledge, code, start
        self.origins = list[Origin | None]()
        for op in code:  # code from a macro's argument gets the origin of the operation before it
            self.origins.append(self.origins[-1] if self.origins and op.origin and op.origin.slots else op.origin)
        writes = [OPS[op.name].writes for op in code]
        self.fixed = {place for place, changes in ((GO_FROM, Writes.FROM), (GO_MARK, Writes.MARK))
                      if not any(write & changes for write in writes)}
        self.answers: dict[int, set[bool]] = defaultdict(set)
        self.onward, edges = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
        self.unset: dict[int, set[int]] = {}
        self.first = next((at for at, op in enumerate(code) if op.name in MOVES_CURSOR), len(code) - 1)
        todo = [(0, start)]
        states = self.states = {0: [todo[0][1]]}
        while todo:
            at, facts = todo.pop()
            for target, after in self._steps(at, facts):
                self.onward[at].add(target)
                edges[target].add(at)
                others = states.setdefault(target, [])
                for other in others:
                    if other <= after:
                        break
                else:
                    if len(others) == _MOST:
                        after = after.intersection(*others)
                        others.clear()
                    others.append(after)
                    todo.append((target, after))
        self.visited = states.keys()
        stays = {at + 1 for at, op in enumerate(code) if OPS[op.name].a is Operand.PLACE and op.a in self.fixed}
        self.victims = {kind for at in self.visited if code[at].name in _TAKING and at not in stays
                        for facts in states[at] if occupants(facts, code[at].where) & 6
                        for kind in types_there(facts, code[at].where) or {-1}}
        moves = [at for at in self.visited if code[at].name in WRITING]
        self.writes = bool(moves)
        self.last = max(at for at, op in enumerate(code) if not at or op.name in _LASTING or -len(code) < op.target < 0)
        self.before_add = _before(list(moves), edges)
        readers = [at for at in self.visited if code[at].name == "cascade"
                   or (code[at].name == "go" and code[at].a == GO_TO)]
        starts = frozenset(at for at, op in enumerate(code) if OPS[op.name].writes & (Writes.FROM | Writes.TO))
        self.ends = _before(moves + readers, edges, starts)
        marks = frozenset(at for at, op in enumerate(code) if OPS[op.name].writes & Writes.MARK)
        self.marks = _before([at for at in self.visited if OPS[code[at].name].reads & Reads.PLACES
                              and (OPS[code[at].name].is_test or code[at].a == GO_MARK)], edges, marks)

    def is_stale(self, at: int) -> bool:
        """Return whether a flag that this block sets to true may be tested before the block has set it."""
        flag = self.code[at].a
        if flag not in self.unset:
            sets = {n: op.b for n, op in enumerate(self.code) if OPS[op.name].writes & Writes.FLAGS and op.a == flag}
            self.unset[flag] = _reached([0], self.onward, sets.keys()) if 1 in sets.values() else set()
        return at in self.unset[flag]

    def astray(self) -> Iterator[Op]:
        """Yield changes of attributes on a square that may be empty and that the cursor leaves to begin a movement."""
        for at in self.before_add:
            op, then = self.code[at], (op.name for op in self.code[at:] if op.name in _ENDING)
            lost = OPS[op.name].changes is Changes.ATTRIBUTES and OPS[next(then, "end")].writes == Writes.FROM
            if lost and op.where == HERE and not self.begins(at) and all(occupants(f) & 1 for f in self.states[at]):
                yield op

    def leaves_loop(self, at: int) -> bool:
        """Return whether the loop just before a test decides its answer, and writes moves to occupied squares."""
        loop = min(self.code[at - 1].target, 0) if at and OPS[self.code[at - 1].name].kind is Kind.JUMP else 0
        return len(self.answers[at]) == 1 and any(
            self.code[n].name in WRITING and not any(occupants(facts) & 1 for facts in self.states[n])
            for n in range(at - 1 + loop, at) if n in self.visited)

    def runs_once(self, at: int) -> bool:
        """Return whether a loop that ends with this jump never passes its test again."""
        begin = at + self.code[at].target
        test = self.code[begin] if 0 <= begin < at else self.code[at]
        return OPS[test.name].is_test and begin + test.target == at + 1 and all(
            self.knowledge.after(test, facts)[not test.want] is None for facts in self.states[at])

    def losing(self, types: tuple[int, ...]) -> set[int]:
        """Return the types of which a player may have fewer pieces after a move (-1: any); the block moves `types`."""
        ops = [self.code[at] for at in self.visited]
        changing = any(OPS[op.name].changes & Changes.CONTENT and not OPS[op.name].removes for op in ops)
        return self.victims | ({-1} if changing else set()) | ({*types} if any(op.types for op in ops) else set())

    def begins(self, at: int) -> bool:
        """Return whether an operation concerns the square of the piece that moves, before the cursor leaves it."""
        return self.code[at].where == HERE and at <= self.first and all(facts >= OWN for facts in self.states[at])

    def _steps(self, at: int, facts: Facts) -> Iterator[tuple[int, Facts]]:
        """Yield the operations that may follow, each with the facts known there."""
        op = self.code[at]
        kind = OPS[op.name].kind
        if kind is Kind.TEST:
            for answer, after in zip((True, False), self.knowledge.after(op, facts), strict=True):
                target = at + (1 if answer == op.want else op.target)
                if after is not None:
                    self.answers[at].add(answer)
                    if 0 <= target < len(self.code):
                        yield target, self._entering(at, target, after)
            return
        after = _moved(op.name, op.a, facts) if op.name in MOVES_CURSOR else facts
        if OPS[op.name].a is Operand.PLACE and op.a in self.fixed:
            after = self.start
        target = at + (op.target if kind is Kind.JUMP else 1)
        if kind is not Kind.END and target >= 0:
            yield target, self._entering(at, target, after)

    def _entering(self, at: int, target: int, facts: Facts) -> Facts:
        """Return the facts that are kept on the way from `at` to `target`: all, or fewer on entering a macro call."""
        before, after = self.origins[at], self.origins[target]
        if not facts or after is None or after.via is None or (before and before.via is after.via):
            return facts
        if before and before.via and before.via.macro == after.via.macro and (
                target <= at or before.span.start < after.span.end):
            return facts  # calls share code that has no arguments
        via = before.via if before else None
        while via and via.call != after.via.call:
            via = via.parent
        return facts if via else facts & OWN if target <= self.first else frozenset()


@lru_cache(maxsize=1 << 12)
def _moved(name: str, operand: int, facts: Facts) -> Facts:
    """Return the facts after the cursor moves: those about the square on which a step or jump ends."""
    place = {"step": -operand - 1, "jump": operand + 1}.get(name, HERE)
    return frozenset(((test, a, HERE, numbers), answer) for (test, a, square, numbers), answer in facts
                     if square == place != HERE)


def _before(todo: list[int], edges: dict[int, set[int]], stops: Collection[int] = ()) -> set[int]:
    """Return operations that can reach one of `todo` without passing one of `stops`; `edges` lead backwards."""
    return _reached((earlier for op in todo for earlier in edges[op]), edges, stops)


def _reached(start: Iterable[int], edges: dict[int, set[int]], stops: Collection[int]) -> set[int]:
    """Return operations that edges lead to from `start` without passing one of `stops`."""
    return {*steps_from(start, lambda op: () if op in stops else edges[op])}
