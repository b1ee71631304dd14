"""Symbolic execution of a block of the rules: the forms of moves that it writes; loops become `Loop`s in paths."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from zrf_py.author.words.forms import ALWAYS, NEVER, Condition, Deed, Fact, Form, Loop, Spot, Unclear
from zrf_py.author.words.logic import joined, negated
from zrf_py.author.words.lookahead import any_of, look, rejoined
from zrf_py.author.words.merging import alike, respotted
from zrf_py.author.words.reader import Reader, size
from zrf_py.author.words.rings import go_round
from zrf_py.author.words.rows import with_rows
from zrf_py.author.words.squares import ANYONE, EMPTY, ENEMY, FRIEND, NAMED, OFF
from zrf_py.author.words.state import (
    UNKNOWN,
    State,
    counted,
    go_target,
    inside,
    numbers_in,
    outside,
    repeated,
    repetition,
    run_deeds,
    with_flags,
)
from zrf_py.author.words.sweeps import SWEPT, over_the_board, swept
from zrf_py.front import model, syntax
from zrf_py.ir import traits
from zrf_py.ir.ops import HERE, OPS, PASSING, TELLING, Op

MAX_SIZE, MAX_PATHS, MAX_FACTS, MAX_TESTS, MAX_ALL_TESTS = 160, 200, 24, 1000, 30_000
"""Maximum numbers of instructions of a block, of paths through it, of conditions on a path, and of conditions examined
on all paths, of one block and of all blocks of a game; a block with more is written step by step."""
_MET = ("position-flag?", "marked?")
_CONTENTS = {name: frozenset(content for content, answer in (
    (EMPTY, row.says.empty), (FRIEND, row.says.friend), (ENEMY, row.says.other)) if answer is not traits.Answer.NO)
    for name, row in OPS.items() if row.says}
"""Test → the contents of its square with which it may be true; a test in `TELLING` is true with exactly these."""


def forms(reader: Reader, body: Sequence[syntax.Instruction], drop: bool, effects: bool = False) -> tuple[Form, ...]:
    """Return the kinds of moves of a block, given its instructions, in the order in which it writes them. With
    `effects`, paths that differ only in their effects are one kind, whose effects have conditions.

    :raises Unclear: if forms can't express them.
    """
    if size(body) > MAX_SIZE:
        raise Unclear("the block is too long")
    execution = _Execution(reader, drop, effects)
    execution.all(body, [State()])
    return tuple(dict.fromkeys(with_rows(reader, form) for form in execution.forms))


class _Execution:
    def __init__(self, reader: Reader, drop: bool, effects: bool = False, looks: bool = True) -> None:
        self.reader, self.drop, self.effects = reader, drop, effects
        self.own = not drop  # True while `Spot()` is the square of the moving piece, not the start of a repetition
        self.forms: list[Form] = []
        self.sure = True  # false once the cursor has gone to a square that may not exist
        self.dead_ends: set[int] = set()  # ids of instructions after which paths could not be joined
        self.last_test = min(reader.tests + MAX_TESTS, MAX_ALL_TESTS)
        self.looks, self.depth = looks, 0  # whether to join paths after tests; nesting depth of loops round a ring

    def all(self, body: Iterable[syntax.Instruction], states: list[State]) -> list[State]:
        """Execute instructions; return the states after them, one for each path. Paths that end are left out."""
        rest = list(body)
        while rest:
            if sweep := over_the_board(self.reader, rest, self._at_any):
                del rest[: sweep[0]]
                states = [swept(sweep[1], state) for state in states]
                continue
            if looked := self._looked(rest, states):
                del rest[: looked[0]]
                states = looked[1]
                continue
            instruction = rest.pop(0)
            states = list(dict.fromkeys(after for state in states for after in self._instruction(instruction, state)))
            if max(len(states), len(self.forms)) > MAX_PATHS or any(len(s.facts) > MAX_FACTS for s in states):
                raise Unclear("the block has too many paths or conditions")
        return states

    def _looked(self, body: list[syntax.Instruction], states: list[State]) -> tuple[int, list[State]] | None:
        """Return the number of leading instructions whose paths can be joined (`look`), and the states after these;
        None if there are no such instructions or their results aren't certain."""
        for count in look(self.reader, body, self.effects) if self.looks and id(body[0]) not in self.dead_ends else ():
            results: list[State] = []
            before, self.sure = self.sure, True
            for state in states:
                ends = [state]
                for tree in body[:count]:
                    ends = [after for end in ends for after in self._instruction(tree, end)]
                results += [after] if (after := rejoined(state, ends)) else []
            sure, self.sure = self.sure, before
            if sure and len(results) == len(states):
                return count, results
        self.dead_ends.add(id(body[0]))
        return None

    def _at_any(self, tree: syntax.Instruction) -> list[State]:
        """Execute an instruction on an arbitrary square."""
        return _Execution(self.reader, self.drop, looks=False).all([tree], [State(here=SWEPT)])

    def _instruction(self, tree: syntax.Instruction, state: State) -> list[State]:
        match tree:
            case syntax.Verify():
                return self.assume(state, syntax.Logic("and", tree.conditions, tree.origin), True)
            case syntax.If() if (flagged := self.reader.flags_there(tree)):
                return [self._after(flagged, state)]
            case syntax.If():
                chosen = self.all(tree.then, self.assume(state, tree.condition, True))
                return chosen + self.all(tree.otherwise, self.assume(state, tree.condition, False))
            case syntax.While():
                before = self.effects, self.own
                self.effects = self.own = False  # loops with conditional effects are written step by step
                states = self._round(tree, state) or self._while(tree, state)
                self.effects, self.own = before
                return states
        if assigned := self.reader.as_if(tree):
            return self._instruction(assigned, state)
        for op in self.reader.ops(tree):
            state = self._after(op, state)
        return [state]

    def _round(self, tree: syntax.While, state: State) -> list[State]:
        """Execute a loop round a ring of squares; return [] for any other loop."""
        self.depth, looks, self.looks = self.depth + 1, self.looks, False
        states = go_round(self.reader, self.all, self.forms, tree, state, self.depth)
        self.depth, self.looks = self.depth - 1, looks
        return states

    def _while(self, tree: syntax.While, state: State) -> list[State]:
        state = self._run(tree, state)
        self.all(tree.body, self.assume(state, tree.condition, True))  # collect the moves that the loop writes
        return self.assume(state, tree.condition, False)

    def _run(self, tree: syntax.While, state: State) -> State:
        """Execute one repetition of a loop, relative to the cursor; return the state after any number of them."""
        before = len(self.forms)
        begin = State(flags=tuple((flag, respotted(held, outside)) for flag, held in state.flags),
                      square_flags=tuple(((flag, outside(spot)), on) for (flag, spot), on in state.square_flags),
                      marked=state.marked and outside(state.marked))
        plain = begin._replace(square_flags=(), marked=None)  # the loop's condition is tested again each time
        ends = self.all(tree.body, [start._replace(square_flags=begin.square_flags, marked=begin.marked)
                                    for start in self.assume(plain, tree.condition, True)])
        writes = len(self.forms) > before
        del self.forms[before:]
        if not ends:
            raise Unclear("the body of a loop always ends the block")
        runs = [repetition(begin, end, writes) for end in ends]
        while len(runs) > 1:
            pairs = ((i, j, alike(runs[i], runs[j])) for j in range(len(runs)) for i in range(j))
            pair = next(((i, j, both) for i, j, both in pairs if both), None)
            if pair is None:
                runs = [any_of(runs)]
                break
            runs[pair[0]] = pair[2]
            del runs[pair[1]]
        run = runs[0]
        if respotted(run.facts, inside) != run.facts:
            raise Unclear("a loop tests squares that were reached before it began")
        facts = tuple(fact for fact in run.facts if not self.reader.is_idle(fact, run.path))
        return repeated(state, replace(run, facts=facts), begin, ends)

    def assume(self, state: State, tree: syntax.Condition, want: bool) -> list[State]:
        """Return one state for each way in which a condition evaluates to `want`; [] if it can't."""
        self.reader.tests += 1
        if self.reader.tests > self.last_test:
            raise Unclear("the paths of the block, or of the game, test too many conditions")
        match tree:
            case syntax.Constant(value):
                return [state] if value == want else []
            case syntax.Logic(word="not"):
                return self.assume(state, tree.parts[0], not want)
            case syntax.Logic() if (tree.word == "and") == want:
                states = [state]
                for part in tree.parts:
                    states = [after for branch in states for after in self.assume(branch, part, want)]
                return states
            case syntax.Logic():
                return self._any_part(state, tree.parts, want)
        after = self._answered(self.reader.test(tree), state, want)
        return [after] if after is not None else []

    def _any_part(self, state: State, parts: tuple[syntax.Condition, ...], want: bool) -> list[State]:
        """Return the states in which at least one of the conditions evaluates to `want`; states exclude each other."""
        possible = [(part, self.assume(state, part, want)) for part in parts]
        if any(states == [state] for _, states in possible):
            return [state]
        possible = [(part, states) for part, states in possible if states]
        if len(possible) < 2 or any(self._asks_here(part, state) for part, _ in possible):
            results: list[State] = []
            before = [state]
            for part, _ in possible:  # split by the first part that is `want`, so that paths are disjoint
                results += [after for branch in before for after in self.assume(branch, part, want)]
                before = [after for branch in before for after in self.assume(branch, part, not want)]
            return results
        after = state.having(joined("or", [self._facts_of(part, state, want) for part, _ in possible]))
        return [after] if after is not None else []

    def _asks_here(self, tree: syntax.Condition, state: State) -> bool:
        """Return whether a condition tests the contents of the cursor's square, or a flag with a known value."""
        match tree:
            case syntax.Logic():
                return any(self._asks_here(part, state) for part in tree.parts)
            case syntax.Test():
                op = self.reader.test(tree)
                if op.name == "flag?":
                    return isinstance(dict(state.flags).get(op.a, False), bool)
                return op.name in TELLING and op.where == HERE
        return False

    def _facts_of(self, tree: syntax.Condition, state: State, want: bool) -> Condition:
        """Convert a condition to a tree of facts."""
        def fact(op: Op, answer: bool) -> Condition:
            if op.name == "flag?":
                return state.flag(op.a, answer == op.want)
            fact = self._fact(op, state, answer)
            return self._met(fact, state) if op.name in _MET else fact

        return self.reader.condition(tree, want, fact)

    def _fact(self, op: Op, state: State, want: bool) -> Fact:
        spot = self._spot(op, state) if OPS[op.name].where else None
        op = replace(op, numbers=self.reader.fold_constants(op.numbers)) if op.numbers else op
        if op.numbers and all(number.kind == "number" for number in op.numbers):
            left, right = (number.a for number in op.numbers)
            holds = left == right if op.name == "equal?" else left < right if op.name == "less?" else left > right
            return ALWAYS if (want == op.want) == holds else NEVER
        if op.name == "on-board?" and spot is not None and state.is_there(spot):
            return ALWAYS if want == op.want else NEVER
        if spot is None and any(number.kind == "at" for number in numbers_in(op.numbers)):
            spot = state.here
            if (before := self._measured_before(op.numbers, spot)) is not None:
                return Fact(op.name, want == op.want, before[0], op.a, before[1])
        return Fact(op.name, want == op.want, spot, op.a, op.numbers)

    def _met(self, fact: Fact, state: State) -> Condition:
        """Return the condition that a square has (or lacks) a position flag or mark set earlier on the path."""
        goals = [goal for (flag, goal), _ in state.square_flags if flag == fact.a]
        if fact.name == "marked?":
            goals = [state.marked] if state.marked else []
        if UNKNOWN in goals:
            raise Unclear("the marked square is unknown")
        condition = joined("or", [self.reader.same(fact.spot or state.here, goal) for goal in goals])
        return condition if fact.want else negated(condition)

    def _measured_before(
        self, numbers: tuple[model.Number, ...], cursor: Spot,
    ) -> tuple[Spot, tuple[model.Number, ...]] | None:
        """Return (the previous square, numbers seen from it) if all are measured there or at the cursor; else None."""
        last = cursor.path[-1] if cursor.path else None
        if not isinstance(last, int) or any(n.kind != "at" or n.b > 0 for n in numbers):
            return None
        if all(n.b == HERE or self.reader.motion(-n.b - 1) == self.reader.motion(last ^ 1) for n in numbers):
            ahead = -last - 1
            return replace(cursor, path=cursor.path[:-1]), tuple(
                replace(n, b=ahead if n.b == HERE else HERE) for n in numbers)
        return None

    def _answered(self, op: Op, state: State, want: bool) -> State | None:
        """Return the state after a test evaluates to `want`; None if it can't."""
        name, answer = op.name, want == op.want
        if name == "flag?":
            return state.holding(state.flag(op.a, answer))
        fact = self._fact(op, state, want)
        spot = fact.spot
        if spot is None:
            return state.having(fact)
        if name in _MET:
            return state.holding(self._met(fact, state))
        if name in TELLING and self.own and spot == Spot():
            return state if answer == (name == "friend?") else None
        if name in TELLING:
            return state.knowing(spot, _CONTENTS[name] if answer else ANYONE - _CONTENTS[name])
        if name in _CONTENTS and answer:
            after = state.knowing(spot, _CONTENTS[name])
            if after is None or (name == "piece?" and any(
                    isinstance(f, Fact) and (f.name, f.want, f.spot) == (name, True, spot) and f.a != fact.a
                    for f in state.facts)):
                return None
            state = after
        if name in _CONTENTS and dict(state.contents).get(spot, ANYONE) <= {EMPTY, OFF}:
            return None if answer else state
        if name == "position?" and spot.base == NAMED and not spot.path:
            return state if (spot.position == op.a) == answer else None
        return state.having(fact)

    def _spot(self, op: Op, state: State) -> Spot:
        if state.here.base == UNKNOWN.base:
            raise Unclear("the cursor is at an unknown square after a loop")
        return self.reader.spot(op, state.here)

    def _after(self, op: Op, state: State) -> State:
        """Return the state after an operation other than a test."""
        match op.name:
            case "step":
                if state.here == UNKNOWN:
                    raise Unclear("a step begins at an unknown square")
                return self._stepped(state, self.reader.step(state.here, op.a))
            case "jump":
                return state._replace(here=Spot(NAMED, op.a))
            case "go":
                cursor = go_target(op.a, state)
                if cursor == UNKNOWN:
                    raise Unclear("the cursor goes to an unknown square")
                return state._replace(here=cursor)
            case "mark":
                spot = self._spot(op, state)
                return state._replace(mark=spot, marked=spot)
            case "from":
                return state._replace(from_=state.here)
            case "to":
                return state._replace(to=state.here)
            case "set-flag":
                return state._replace(flags=with_flags(state, {op.a: bool(op.b)}))
            case "set-position-flag":
                spot = self._spot(op, state)
                if any(isinstance(part, Loop) for part in spot.path):
                    raise Unclear("a flag is set on a square reached by a loop")
                squares = {**dict(state.square_flags), (op.a, spot): True}
                if not op.b:
                    del squares[op.a, spot]
                    if any(flag == op.a for flag, _ in squares):
                        raise Unclear("a flag is cleared on one of several squares")
                return state._replace(square_flags=tuple(squares.items()))
            case "must-continue":
                return state._replace(must=True)
            case "cascade":
                return self._cascaded(state)
            case "add" | "add-pass":
                return self._added(op, state)
        if OPS[op.name].kind is not traits.Kind.EFFECT:
            raise Unclear(op.name)
        at = self._spot(op, state) if OPS[op.name].where else None
        if at is None and any(number.kind == "at" for number in numbers_in(op.numbers)):
            at = state.here
        deed = Deed(op.name, at, op.a, op.b, self.reader.fold_constants(op.numbers))
        if deed.name == "add-to-counter":
            return state._replace(deeds=counted(state.deeds, deed))
        return state if deed in state.deeds else state._replace(deeds=(*state.deeds, deed))

    def _stepped(self, state: State, cursor: Spot) -> State:
        """Return the state after the cursor moves to a square; OFF is removed from its possible contents."""
        self.sure = self.sure and (state.is_there(cursor) or OFF not in dict(state.contents).get(cursor, ANYONE)
                                   or Fact("on-board?", True, cursor) in state.facts)
        contents = tuple((spot, allowed - {OFF} if spot == cursor else allowed) for spot, allowed in state.contents)
        return state._replace(here=cursor, contents=contents)

    def _cascaded(self, state: State) -> State:
        if self.drop:
            raise Unclear("a drop places several pieces")
        end = state.to if state.to is not None else state.here
        others = (*state.others, (state.from_, end)) if state.from_ != end else state.others
        return state._replace(others=others, from_=state.here, to=None)

    def _added(self, op: Op, state: State) -> State:
        end = state.to if state.to is not None else state.here
        if UNKNOWN in (end, state.from_):
            raise Unclear("a move begins or ends on an unknown square")
        runs = tuple(deed for deed in run_deeds(state) if deed not in state.deeds)
        partial = (op.b if op.b >= 0 else -1) if op.is_partial else None
        start, passes = state.from_, op.name in PASSING
        if passes:
            start = end = Spot()
        self.forms.append(Form(start, end, state.contents, state.facts, (*state.deeds, *runs), state.others, op.types,
                               copy=op.is_copy, partial=partial, must=state.must and not passes, drop=self.drop,
                               passes=passes))
        return state._replace(deeds=(), must=False, from_=Spot(), to=None,
                       others=state.others if self.reader.keeps else ())
