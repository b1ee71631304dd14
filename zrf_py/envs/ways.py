"""One block → every leg it can write from a square, by taking each test both ways.

What the board as it was drawn decides (links, zones, names) is decided; of what the position decides no more is known
than what the block has asked of the square under its cursor. Ways meet where they have the same future.
"""

from collections.abc import Callable, Sequence

from zrf_py.envs.live import FROM, MARK, MARKED, TO, flag, live, reachable, square_flag
from zrf_py.envs.walk_state import END, State, capture, go, mark, put_cursor, set_flag, who_may
from zrf_py.envs.written import CAPTURE, MOVEMENT, PROMOTION, Found, Leg, TooMany
from zrf_py.ir.ops import BLOCK_END, GO_LAST_FROM, HERE, OPS, SELF, WRITING, Op, Program, Routine, those
from zrf_py.ir.traits import Kind
from zrf_py.run.numbers import counter_place
from zrf_py.run.position import ANY_TYPE, COPY, DROP, KEEP, MOVE, NOT_PARTIAL, Movement

BUDGET = 400_000
"""Operations of one block from one square."""

EFFECTS = those(lambda row: row.kind is Kind.EFFECT) - {CAPTURE}
NUMBERED = ("set-counter", "add-to-counter", "next-turn")
_SILENT = EFFECTS | {CAPTURE}

Doing = Callable[[State], None]
Asking = Callable[[State], Sequence[int]]


class Ways:
    """The ways of one block for one side; `from_square` follows them from each start."""

    def __init__(self, program: Program, routine: Routine, side: int, drop: bool, kinds: frozenset[str]) -> None:
        self.program = program
        self.routine = routine
        self.side = side
        self.drop = drop
        self.kinds = kinds
        self.steps = program.steps[side]
        self.squares = len(program.game.board.places)
        self.discards = program.game.options.discard_cascades
        self.more = any(op.name in _SILENT and op.name not in kinds for op in routine.code)
        """Whether a leg may do something that its name leaves out."""
        names = {op.name for op in routine.code}
        self.exact = not self.more and (MOVEMENT in kinds or "cascade" not in names)
        """Whether legs of one name do the same."""
        self.noted = kinds | {"change-type"} if PROMOTION in kinds else kinds
        self.hurries = MOVEMENT not in kinds and not names & (kinds | {"must-continue"})
        """Whether nothing behind the first movement matters to the name, unless the turn goes on."""
        self.start = 0
        self.written: list[tuple[Leg, int]] = []
        self.node = 0
        code = routine.code
        self.live = live(code)
        flags, square_flags = range(len(program.flags)), range(len(program.position_flags))
        board = (1 << self.squares) - 1
        self.flags = [sum(1 << i for i in flags if asked & flag(i)) for asked in self.live]
        self.square_flags = [sum(board << i * self.squares for i in square_flags if asked & square_flag(i))
                             for asked in self.live]
        """What of the flags is still asked for."""
        self.next = [self._skip(at) for at in range(len(code))]
        self.doing = [None if _asks(op) else self._doing(op, at) for at, op in enumerate(code)]
        self.asking = [self._asking(op) if _asks(op) else None for op in code]

    # ------------------------------------------------------------------------------------------------ short cuts

    def _skip(self, at: int) -> int:
        """The first operation from here on that matters to the name of a leg; END if none does."""
        code = self.routine.code
        for _ in range(len(code)):
            if at < 0 or at >= len(code):
                return END
            op = code[at]
            kind = OPS[op.name].kind
            if kind is Kind.END:
                return END
            if kind is Kind.JUMP:
                at += op.target
            elif op.name in _SILENT and op.name not in self.noted:
                at += 1
            elif kind is Kind.TEST and op.target > 0 and self._is_idle(at, at + op.target):
                at += op.target
            else:
                return at
        return END

    def _is_idle(self, at: int, end: int) -> bool:
        """Whether a test leads to one place whatever its answer is, past nothing that matters."""
        code = self.routine.code
        return end - at <= 8 and end < len(code) and all(
            op.name in _SILENT and op.name not in self.noted for op in code[at + 1 : end])

    # ------------------------------------------------------------------------------------------------------- ways

    def from_square(self, start: int) -> Found:
        """:raises TooMany: if there are more ways than anybody wants to look through."""
        self.start = start
        self.written = []
        first = State(start)
        first.at = self.next[0]
        edges: list[list[int]] = [[]]
        numbers: dict[tuple[object, ...], int] = {}
        waiting = [(0, first)]
        steps = 0
        while waiting:
            self.node, state = waiting.pop()
            steps += self._run(state)
            if steps > BUDGET:
                raise TooMany
            if state.at < 0:
                continue
            self._forget(state)
            key = state.key()
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(edges)
                edges.append([])
                for answer in self.asking[state.at](state):  # type: ignore[misc]
                    other = state.copy()
                    self._take(other, answer)
                    edges[number].append(len(edges))
                    waiting.append((len(edges), other))
                    edges.append([])
            edges[self.node].append(number)
        return Found(self.written, edges, steps, self.exact)

    def _run(self, state: State) -> int:
        """Go on until an answer is open or the block ends; how many operations that were."""
        doing, asking = self.doing, self.asking
        steps = 0
        while state.at >= 0 and steps < BUDGET:
            steps += 1
            do = doing[state.at]
            if do is not None:
                do(state)
                continue
            answers = asking[state.at](state)  # type: ignore[misc]
            if len(answers) > 1:
                break
            self._take(state, answers[0])
        return steps

    def _forget(self, state: State) -> None:
        """Leave out what nobody asks for any more."""
        live = self.live[state.at]
        if not live & FROM:
            state.from_ = self.start
        if not live & TO:
            state.to = -1
        if not live & MARK:
            state.mark = -1
        if not live & MARKED:
            state.marked = -1
        state.known_flags &= self.flags[state.at]
        state.set_flags &= self.flags[state.at]
        state.squares &= self.square_flags[state.at]

    def _take(self, state: State, answer: int) -> None:
        """Go on with an answer: a truth, or the square of a `go`."""
        op = self.routine.code[state.at]
        if op.name == "go":
            state.here = answer
            state.forget()
            state.at = self._following(state.at, 1)
            return
        if op.name == "flag?":
            state.known_flags |= 1 << op.a
            state.set_flags = state.set_flags & ~(1 << op.a) | answer << op.a
        elif op.where == HERE and OPS[op.name].says:
            self._learn(state, op, bool(answer))
        state.at = self._following(state.at, 1 if answer == op.want else op.target)

    def _following(self, at: int, by: int) -> int:
        return END if by == BLOCK_END or not 0 <= at + by < len(self.next) else self.next[at + by]

    # ------------------------------------------------------------------------------------------------------- tests

    def _learn(self, state: State, op: Op, answer: bool) -> None:
        """What an answer says about the square under the cursor."""
        state.who &= who_may(op, answer)
        if op.name == "piece?":
            if answer:
                state.kind = op.a
            else:
                state.no_kinds |= 1 << op.a

    def _asking(self, op: Op) -> Asking:
        """What a test may say: both, unless the board as it was drawn, or what was asked before, decides."""
        if op.name == "go":
            return lambda state: range(self.squares)
        if op.name == "flag?":
            return lambda s: (s.set_flags >> op.a & 1,) if s.known_flags >> op.a & 1 else BOTH
        if not OPS[op.name].where:
            return lambda state: BOTH
        where = self._where(op)
        fixed = self._fixed(op)
        if fixed is not None:
            answers = fixed
            return lambda state: (int((square := where(state)) >= 0 and answers(state, square)),)
        if op.where == HERE and OPS[op.name].says:
            return lambda state: self._known(state, op)
        return lambda state: BOTH if where(state) >= 0 else (0,)

    def _fixed(self, op: Op) -> Callable[[State, int], bool] | None:
        """The answer on a square, if the position has no part in it."""
        program, squares = self.program, self.squares
        match op.name:
            case "in-zone?":
                members = program.zone_sets[op.a][self.side]
                return lambda state, square: square in members
            case "position?":
                return lambda state, square: square == op.a
            case "on-board?":
                return lambda state, square: True
            case "marked?":
                return lambda state, square: square == state.marked
            case "goal-position?":
                return lambda state, square: square in program.goal_positions
            case "position-flag?":
                return lambda state, square: bool(state.squares >> (op.a * squares + square) & 1)
        return None

    def _known(self, state: State, op: Op) -> Sequence[int]:
        """The answers that agree with what is known of the square under the cursor."""
        if op.name == "piece?" and (state.kind >= 0 or state.no_kinds >> op.a & 1):
            return (int(state.kind == op.a),)
        yes, no = state.who & who_may(op, True), state.who & who_may(op, False)
        return BOTH if yes and no else (int(bool(yes)),)

    def _where(self, op: Op) -> Callable[[State], int]:
        where = op.where
        if where == HERE:
            return lambda state: state.here
        if where > 0:
            return lambda state: where - 1
        row = self.steps[-where - 1]
        return lambda state: row[state.here]

    # ----------------------------------------------------------------------------------------------------- actions

    def _doing(self, op: Op, at: int) -> Doing:
        """An operation that asks nothing, as a function; it also goes on to the next one."""
        following = self._following(at, 1)
        do = self._act(op, at)

        def run(state: State) -> None:
            state.at = following
            do(state)

        return run

    def _act(self, op: Op, at: int) -> Doing:
        match op.name:
            case "step":
                return self._step(self.steps[op.a])
            case "jump":
                return lambda state: put_cursor(state, op.a)
            case "go":
                return lambda state: go(state, op.a)
            case "mark":
                where = self._where(op)
                return lambda state: mark(state, where(state))
            case "from":
                return lambda state: setattr(state, "from_", state.here)
            case "to":
                return lambda state: setattr(state, "to", state.here)
            case "cascade":
                lone = self._lone_add(at + 1) if self.hurries else None
                rises = self._rises(at + 1) if PROMOTION in self.kinds else ()
                return lambda state: self._cascade(state, lone, rises)
            case name if name in WRITING:
                return lambda state: self._add(state, op)
            case "must-continue":
                return lambda state: setattr(state, "must", True)
            case "set-flag":
                return lambda state: set_flag(state, op)
            case "set-position-flag":
                where = self._where(op)
                return lambda state: self._set_position_flag(state, op, where(state))
            case "capture" if CAPTURE in self.kinds:
                where = self._where(op)
                return lambda state: capture(state, where(state))
            case name if name in EFFECTS and name in self.noted:
                return lambda state: self._effect(state, op)
        return lambda state: None

    def _step(self, row: Sequence[int]) -> Doing:
        def step(state: State) -> None:
            state.here = row[state.here]
            state.forget()
            if state.here < 0:
                state.at = END

        return step

    def _set_position_flag(self, state: State, op: Op, square: int) -> None:
        if square >= 0:
            bit = 1 << (op.a * self.squares + square)
            state.squares = state.squares | bit if op.b else state.squares & ~bit

    # -------------------------------------------------------------------------------------------------- collecting

    def _lone_add(self, at: int) -> Op | None:
        """The one operation behind a place that writes legs, at most once in a run; None if there are more."""
        code = self.routine.code
        adds = [way for way in reachable(code, at) if code[way].name in WRITING]
        alone = len(adds) == 1 and not code[adds[0]].a & 2 and adds[0] not in reachable(code, adds[0] + 1)
        return code[adds[0]] if alone else None

    def _rises(self, at: int) -> tuple[int, ...]:
        """The types that something may become behind a place."""
        code = self.routine.code
        return tuple(sorted({code[way].a for way in reachable(code, at) if code[way].name == "change-type"}))

    def _cascade(self, state: State, lone: Op | None, rises: Sequence[int]) -> None:
        end = state.to if state.to >= 0 else state.here
        if not (state.cascades and MOVEMENT not in self.kinds):
            if self.drop:
                state.cascades += ((DROP, -1, end, self.routine.piece),)
            elif state.from_ != end:
                state.cascades += ((MOVE, state.from_, end, KEEP),)
        state.from_, state.to = state.here, -1
        if lone and state.cascades and state.at >= 0:
            before = state.effects
            self._add(state, lone)
            for kind in rises:  # it may be somebody else's: then no position has the leg
                state.effects = (*before, ("change-type", state.cascades[0][2], kind, 0))
                self._add(state, lone)
            state.at = END

    def _effect(self, state: State, op: Op) -> None:
        """Note an effect as `run/position.py` has it, unless its square is off the board."""
        if op.name in NUMBERED:
            number = op.numbers[0].a
            counter = op.name != "next-turn"
            state.effects += ((op.name, op.a, number, counter_place(self.program, op.a, op.b, self.side))
                              if counter else (op.name, number, 0, 0),)
            return
        square = self._where(op)(state)
        if square < 0:
            return
        match op.name:
            case "change-owner":
                rest = self.side, 0
            case "create":
                rest = self.routine.piece if op.a == SELF else op.a, self.side if op.b == SELF else op.b
            case "set-attribute":
                rest = op.a, op.b
            case "change-type":
                rest = op.a, 0
            case _:
                rest = 0, 0
        state.effects += ((op.name, square, *rest),)

    # ----------------------------------------------------------------------------------------------------- writing

    def _add(self, state: State, op: Op) -> None:
        end = state.to if state.to >= 0 else state.here
        for kind in op.types or (KEEP,):
            self._write(state, op, end, kind)
        state.effects, state.captures, state.must = (), (), False
        state.from_, state.to = self.start, -1
        if self.discards:
            state.cascades = ()

    def _write(self, state: State, op: Op, end: int, kind: int) -> None:
        last: Movement | None = None
        if op.name == "add-pass":
            end = -1
        elif self.drop:
            own = self.routine.piece
            last = DROP, -1 if kind in (KEEP, own) else -2 - own, end, own if kind == KEEP else kind
        elif op.a & 1 or state.from_ != end or kind != KEEP:
            last = COPY if op.a & 1 else MOVE, state.from_, end, kind
        movements = state.cascades
        if last and not (movements and MOVEMENT not in self.kinds):
            movements = (*movements, last)
        if not (movements or state.effects or state.captures or self.more):
            return
        effects = state.effects
        if PROMOTION in self.kinds and "change-type" not in self.kinds:
            effects = tuple(e for e in effects if e[0] != "change-type" or (movements and e[1] == movements[0][2]))
        partial = (op.b if op.b >= 0 else ANY_TYPE) if op.a & 2 else NOT_PARTIAL
        ends = (-1, end) if partial != NOT_PARTIAL else (-1, -1)
        if not movements:
            ends = self.start if end < 0 else state.from_, end
        self.written.append((Leg(movements, ends, partial, state.must and partial != NOT_PARTIAL, effects,
                                 state.captures), self.node))


BOTH = (1, 0)


def _asks(op: Op) -> bool:
    """Whether the position may have a say in how the block goes on."""
    return OPS[op.name].kind is Kind.TEST or (op.name == "go" and op.a >= GO_LAST_FROM)
