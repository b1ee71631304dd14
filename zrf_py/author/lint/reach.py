"""Lints about reachability: zones and goals that no piece can reach, and squares that a piece can't leave.

Reachability is overestimated: any step of any block, by any player, in any order.
"""

from collections.abc import Iterable, Iterator
from itertools import product

from zrf_py.author.lint.follow import MOVES_CURSOR
from zrf_py.author.lint.subject import Subject, motions_of, types_made
from zrf_py.front import goals, model
from zrf_py.ir.ops import CASCADING, FIXED, GAINING, HERE, MAKING, OPS, RETYPING, WRITING, Op, Program, Routine
from zrf_py.ir.traits import Operand, Writes
from zrf_py.run.interpret import drop_squares

_MOST = 30_000
"""Maximum product of squares and operations of a piece type that is examined: about a quarter of a second of work."""


def lint_reach(subject: Subject) -> None:
    """Report zones and goals that no piece can reach."""
    for program in subject.stages.programs:
        if squares := _reached(program):
            _goals(subject, program, squares)
    _zones(subject)


def _reached(program: Program) -> set[int]:
    """Return the squares that some piece may reach (flood fill); empty if no piece is ever on the board."""
    sides = {turn.side for turn in program.game.turns}
    squares = {square for _, _, square in program.game.setup} | {
        square for routines in program.drops for r in routines for side in sides
        for square in drop_squares(program, r, side)}
    if squares:
        squares |= {op.where - 1 for op in program.ops if op.where > 0}
        squares |= {op.a for op in program.ops if op.name == "jump"}
    return flood(squares, [program.steps[side][motion] for side in sides for motion in motions_of(program.ops)])


def _zones(subject: Subject) -> None:
    """Report a zone that a block tests but that no piece of its type and player can enter in any game of the file, such
    as a zone on the wrong side. Types dropped or promoted to are left out."""
    entered: dict[tuple[str, str, str], bool] = {}
    asking: dict[tuple[str, str, str], Op] = {}
    for program in subject.stages.programs:
        game = program.game
        promoted = types_made(program.ops)
        pushing = [op for code in program.codes() if any(op.name in ("from", "cascade") for op in code) for op in code]
        begun = {(side, kind) for side, kind, _ in game.setup}
        for side, kind in begun:
            begin = {square for *owned, square in game.setup if owned == [side, kind]}
            code = [op for routine in program.moves[kind] for op in routine.code]
            anywhere = kind in promoted or program.drops[kind] or any(op.name == "jump" for op in (*code, *pushing))
            tables = [program.steps[side][motion] for motion in motions_of((*code, *pushing))]
            squares = flood(begin, tables)
            moved = {table[square] for square in squares for table in tables} - {-1}
            for op, after in _tests(program.moves[kind]):
                zone = game.board.zones[op.a][side]
                key = game.pieces[kind].name, game.players[side].name, game.board.zone_names[op.a]
                asking.setdefault(key, op)
                mirrored = any(game.board.zones[op.a][other] and program.steps[other] != program.steps[side]
                               for other, same in begun if same == kind)
                mirrored = mirrored and not subject.has("unused-zone")  # the unused zone may be this one, misspelt
                entered[key] = (entered.get(key, False) or bool(anywhere) or not (zone or mirrored)
                                or not (moved if after else squares).isdisjoint(zone))
    for (piece, player, zone_name), is_entered in entered.items():
        if not is_entered and not subject.has("no-symmetry", "moves-away", "never-moves"):
            subject.find("zone-out-of-reach", asking[piece, player, zone_name].origin, piece, player, zone_name)


def lint_immovable(subject: Subject, program: Program) -> None:
    """Report a piece type that has moves, but none from the squares where a player's pieces of this type start."""
    game, everywhere = program.game, range(len(program.game.board.places))
    shifts = program.uses("from", *CASCADING, *GAINING, *RETYPING)  # they may put pieces elsewhere
    blamed = shifts or subject.has("no-symmetry", "moves-away", "bad-if", "link-replaced")
    for side, kind in sorted({(side, kind) for side, kind, _ in game.setup}) if not blamed else ():
        begin = [square for *owned, square in game.setup if owned == [side, kind]]
        routines, piece = program.moves[kind], game.pieces[kind]
        elsewhere = program.drops[kind] or kind in types_made(program.ops) or side not in {t.side for t in game.turns}
        if elsewhere or any(any(_arrivals(program, r, side, begin)) for r in routines):
            continue
        if stuck := [op for r in routines if any(_arrivals(program, r, side, everywhere)) for op in r.code]:
            zone = next((game.board.zone_names[op.a] for op in stuck if op.name == "in-zone?"), "")
            subject.find("never-moves", piece.origin, piece.name, game.players[side].name, help=zone and
                         f"write `else add` for the squares outside of `{zone}`, or name another zone")


def lint_stranded(subject: Subject, program: Program) -> None:
    """Report a block with which a piece comes to a square where no block of its type applies, if another block changes
    its type on this square. Squares of configurations are left out, since the game may end there."""
    game, everywhere = program.game, range(len(program.neighbours))
    for side, (kind, routines) in product(sorted({turn.side for turn in game.turns}), enumerate(program.moves)):
        adds = [op for r in routines for op in r.code if op.name == "add" and kind not in op.types]
        simple = [r for r in routines if not any(OPS[op.name].a is Operand.PLACE or op.name in MAKING
                                                 or OPS[op.name].writes & (Writes.TO | Writes.FROM) for op in r.code)]
        if len({bool(op.types) for op in adds}) < 2 or len(everywhere) * sum(len(r.code) for r in routines) > _MOST:
            continue
        squares: Iterable[int] = flood(
            {square for *owned, square in game.setup if owned == [side, kind]},
            [program.steps[side][motion] for motion in motions_of(op for r in routines for op in r.code)])
        if kind in types_made(program.ops) or program.drops[kind] or len(simple) < len(routines):
            squares = everywhere
        ends = [(op, square, n) for n, r in enumerate(simple) for op, square in _arrivals(program, r, side, squares)
                if op in adds]
        changed = {square: op for op, square, _ in ends if op.types}
        both = {(square, n) for op, square, n in ends if op.types}  # (square, number of a block that changes the type)
        stays = {square: op for op, square, n in ends if not op.types and not op.is_copy and (square, n) not in both}
        square = next((square for square in sorted(stays.keys() & changed.keys() - program.goal_positions) if not any(
            any(_arrivals(program, r, side, [square])) for r in routines)), -1)
        if square >= 0 and not subject.has("stranded", "moves-away", "bad-if"):
            piece, other = game.pieces[kind].name, game.pieces[changed[square].types[0]].name
            zone = next((game.board.zone_names[op.a] for op in program.ops if op.name in FIXED
                         and OPS[op.name].a is Operand.ZONE and square in program.zone_sets[op.a][side]), "…")
            subject.find("stranded", stays[square].origin, piece, game.board.places[square].name, zone, other)


def _arrivals(program: Program, routine: Routine, side: int, begin: Iterable[int]) -> Iterator[tuple[Op, int]]:
    """Yield the operations of a block that may write a move from one of the squares, whatever stands on the board, each
    with the square of the cursor there."""
    code, motions, board = routine.code, program.steps[side], set(range(len(program.neighbours)))
    reached: list[set[int]] = [set() for _ in code]  # for each operation, the squares of the cursor before it
    todo = [(0, set(begin))] if code else []
    while todo:
        at, squares = todo.pop()
        new = squares - reached[at]
        reached[at] |= new
        op, row, spot = code[at], OPS[code[at].name], code[at].where
        branches = [(op.target or 1, board if op.name in MOVES_CURSOR else new)]
        if op.name == "step":
            branches = [(op.target or 1, {motions[op.a][square] for square in new} - {-1})]
        elif row.is_test:
            yes = no = new
            if op.name in FIXED or spot < 0:
                spots = motions[-spot - 1] if spot < 0 else [spot - 1] * len(board) if spot else sorted(board)
                zone = program.zone_sets[op.a][side] if row.a is Operand.ZONE else program.goal_positions
                holding = {"on-board?": board, "position?": {op.a}}.get(op.name, zone) if op.name in FIXED else board
                yes = {square for square in new if spots[square] in holding}
                no = new - yes if op.name in FIXED else new
            branches = [(1, yes if op.want else no), (op.target, no if op.want else yes)]
        todo += [(to, after) for step, after in branches if 0 <= (to := at + step) < len(code) and after - reached[to]]
    return ((op, square) for op, squares in zip(code, reached, strict=True) if op.name in WRITING for square in squares)


def _tests(routines: tuple[Routine, ...]) -> Iterator[tuple[Op, bool]]:
    """Yield the tests for a zone at the cursor, each with True if the cursor has certainly made a step before it."""
    for code in (routine.code for routine in routines):
        for at, op in enumerate(code):
            if op.name == "in-zone?" and op.where == HERE:
                before = MOVES_CURSOR.intersection(op.name for op in code[:at])
                yield op, bool(before) and all(OPS[name].a is Operand.MOTION for name in before)


def flood(start: set[int], tables: list[tuple[int, ...]]) -> set[int]:
    """Return the squares reachable by steps of these tables."""
    return {*model.steps_from(start, lambda square: [table[square] for table in tables if table[square] >= 0])}


def _goals(subject: Subject, program: Program, reached: set[int]) -> None:
    """Report configurations on unreachable squares."""
    board = program.game.board
    movers = sorted(program.game.movers)
    for end in program.game.ends:
        for goal in goals.leaves(end.goal, ("and",)):
            if not isinstance(goal, model.Absolute) or any(occupant.negated for occupant in goal.occupants):
                continue
            for player in end.players if end.players is not None else movers:
                missed = [p for p in goal.places if player >= 0 and reached.isdisjoint(board.squares(p, player))]
                if missed:
                    is_zone, number = missed[0]
                    name = board.zone_names[number] if is_zone else board.places[number].name
                    subject.find("goal-out-of-reach", end.origin, f"no piece can ever reach `{name}`")
                    break
