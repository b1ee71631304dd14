"""Lints about boards, players, pieces and ends; a name counts as used if any game of the file uses it."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise

from zrf_py.author.lint.reach import flood, lint_immovable, lint_stranded
from zrf_py.author.lint.rows import lint_rows
from zrf_py.author.lint.subject import Subject, motions_of, types_made, words_of
from zrf_py.author.lint.turns import lint_turns, lint_winners
from zrf_py.author.lint.twins import lint_twins
from zrf_py.author.words.compass import SECTORS, Compass
from zrf_py.front import model, syntax
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import GAINING, PASSING, WRITING, Program
from zrf_py.run import goals
from zrf_py.run.faults import RulesFault
from zrf_py.run.position import Position
from zrf_py.run.rules import Rules
from zrf_py.text.grouping import by_key
from zrf_py.text.numbers import number
from zrf_py.text.source import Origin
from zrf_py.text.suggest import did_you_mean, listing, suggest


def lint_games(subject: Subject) -> None:
    """Report lints about symmetries, zones, pieces, players and ends."""
    tree = subject.stages.tree
    if tree is None or not subject.stages.programs:
        return
    _symmetries(subject)
    _zones(subject)
    _pieces(subject)
    lint_rows(subject)
    _neutral(subject)
    for program in subject.stages.programs:
        lint_turns(subject, program)
        lint_twins(subject, program)
        _one_way(subject, program)
        lint_immovable(subject, program)
        lint_stranded(subject, program)
        _ends(subject, program, tree)
        lint_winners(subject, program)


def _symmetries(subject: Subject) -> None:
    """Report symmetries that leave out a diagonal, or that map two directions to the same one, if that looks like a
    slip (for example, if both are used, or are mirror images on a grid)."""
    used = {program.game.board.directions[motion // 2] for program in subject.stages.programs
            for motion in motions_of(program.ops)}  # in a step or test of any block
    for board in subject.sections(syntax.Board):
        pairs: dict[str, list[tuple[str, str]]] = defaultdict(list)
        origins: dict[str, syntax.Symmetry] = {}
        for item in board.items:
            if isinstance(item, syntax.Symmetry):
                pairs[item.player.text] += [(a.text, b.text) for a, b in item.pairs]
                origins[item.player.text] = item
        grid = {name.text: steps
                for item in board.items if isinstance(item, syntax.Grid) for name, steps in item.directions}
        sizes = {name: [abs(step) for step in steps] for name, steps in grid.items()}
        for player, written in pairs.items():
            changed = dict(written)
            one_way = [(a, b) for a, b in changed.items() if a != b and b not in changed]
            slip = len(one_way) == 1 and len(changed) > 2 and grid.keys() >= set(one_way[0])  # only one lacks its pair
            twice = [(a, b, b) for a, b in one_way if {a, b} <= used or (slip and a in used) or (
                used & {a, b} and grid.get(a) != grid.get(b) and sizes.get(a) == sizes.get(b))]
            twice += [(a, other, b) for (a, b), (other, to) in combinations(changed.items(), 2)
                      if b == to and a in used]
            if twice:
                a, other, b = twice[0]
                missing = next((lost for lost in changed if lost not in changed.values()), a)
                back = changed.get(missing, b)
                help = f"change `({back} {changed[back]})` to `({back} {missing})`" if back in changed else ""
                subject.find("half-symmetry", origins[player].origin, player, a, other, b, missing, back, help=help)
            elif lost := list(_unturned([program for program in subject.stages.programs
                                         if board in subject.own(program, syntax.Board)], changed, grid)):
                more = " ".join(f"({a} {b}) ({b} {a})" for a, b in lost)
                subject.find("short-symmetry", origins[player].origin, player, listing(a for a, _ in lost), more)


def _unturned(
    programs: list[Program], changed: dict[str, str], grid: dict[str, tuple[int, ...]],
) -> Iterator[tuple[str, str]]:
    """Yield directions that a symmetry should change but doesn't, each with its mirror image: diagonals, if an axis is
    reversed, and directions midway between two that change. A direction counts only if some piece type has a block that
    steps in no other direction, but none that steps in the image."""
    used = [[{program.game.board.directions[op.a // 2] for op in r.code if op.name == "step"} for r in routines]
            for program in programs for routines in program.moves]
    turned = {at for a, b in changed.items() if {a, b} <= grid.keys() and sum(map(bool, grid[a])) == 1
              for at, step in enumerate(grid[a]) if step == -grid[b][at] != 0}
    for name, steps in grid.items():
        mirror = tuple(-step if at in turned else step for at, step in enumerate(steps))
        for pair in combinations(grid.keys() & {a for a, b in changed.items() if b in grid}, 2):
            between, image_of = ([(a + b) / 2 for a, b in zip(grid[one], grid[other], strict=True)]
                                 for one, other in (pair, [changed[name] for name in pair]))
            if between == [*steps]:  # symmetries are linear: the image of a midpoint is a midpoint
                mirror = tuple(map(int, image_of))
        image = next((other for other, those in grid.items() if those == mirror != steps), "")
        left = (all(steps) or not turned) and image and not {name, image} & changed.keys()
        if left and any({name} in of and not any(image in directions for directions in of) for of in used):
            yield name, image


def _one_way(subject: Subject, program: Program) -> None:
    """Report a piece type that advances in the same direction for two players at opposite ends of the board, or away
    from the other player."""
    game = program.game
    kinds = {type(item) for board in subject.sections(syntax.Board) for item in board.items}
    moving = {turn.side for turn in game.turns}
    if syntax.Grid not in kinds or len(moving) != 2 or subject.has("player-without-turn"):
        return  # on a track all may go the same way
    men = by_key(((side, piece), square) for side, piece, square in game.setup)
    first, second = sorted(moving)
    steps = program.steps[0]
    for piece in range(len(game.pieces)):
        mine, theirs = ({*men.get((side, piece), ())} for side in (first, second))
        used = {op.a for r in program.moves[piece] for op in r.code if op.name == "step"}
        if not mine or not theirs or not used:
            continue
        undone = (any(all(q < 0 or steps[back][q] in (p, -1) for p, q in enumerate(steps[motion]))
                      for back in used if back != motion) for motion in used)
        if all(undone):  # every motion is reversible
            continue
        tables = [steps[motion] for motion in used]
        apart = flood(mine, tables).isdisjoint(theirs)
        items = [item for board in subject.own(program, syntax.Board) for item in board.items]
        grids = [item for item in items if isinstance(item, syntax.Grid)]
        turned = [item for item in items if isinstance(item, syntax.Symmetry)
                  and item.player.text == game.players[first].name]
        if apart and program is subject.stages.programs[0] and (len(mine) > 1 or turned) and len(grids) == 1 and flood(
                theirs, [program.steps[second][motion] for motion in used]).isdisjoint(mine):
            subject.find("moves-away", turned[0].player.origin if turned else grids[0].dimensions[-1][0].origin,
                         game.pieces[piece].name, game.players[first].name, game.players[second].name,
                         help=f"write `{game.players[second].name}` here, or reverse the rows" if turned else "")
            return
        if program.drops[piece]:
            continue
        if syntax.Symmetry not in kinds and apart != flood(theirs, tables).isdisjoint(mine):
            subject.find("no-symmetry", game.pieces[piece].origin, game.pieces[piece].name, game.players[second].name,
                         game.players[first].name)
            return


def _zones(subject: Subject) -> None:
    used = words_of((*subject.stages.expanded.nodes, *subject.stages.forms))  # in uncalled macros, too
    reported: set[str] = set()  # a zone may be written once for each player
    for board in subject.sections(syntax.Board):
        zones = [item for item in board.items if isinstance(item, syntax.Zone) and item.name]
        for item in board.items:
            mine = item.origin.span.source is subject.source  # other files may use an included file's zones
            if not isinstance(item, syntax.Zone) or not item.name or not item.players:
                continue  # a zone without players is reported elsewhere
            if item.name.text not in used | reported and mine:
                reported.add(item.name.text)
                owners = {player.text for player in item.players}
                others = [zone.name.text for zone in zones if zone.name and zone.name.text in used
                          and owners.isdisjoint(player.text for player in zone.players)]
                subject.find("unused-zone", item.name.origin, item.name.text, help=did_you_mean(item.name.text, others))


def _neutral(subject: Subject) -> None:
    """Report tests of neutral pieces in files without such pieces, and a player who chooses what a die shows."""
    asking = [op for program in subject.stages.programs for op in program.ops if op.name == "neutral?"]
    for program in subject.stages.programs:
        game = program.game
        given = {op.b for op in program.ops if op.name == "create"} | {side for side, *_ in (*game.setup, *game.stores)}
        if program.uses("flip") or any(game.players[owner].kind == "neutral" for owner in given if owner >= 0):
            asking = []
        for mover in game.seats:
            sides = {turn.side for turn in game.turns if turn.mover == mover}
            kinds = {kind for side, kind, _ in (*game.setup, *game.stores) if side in sides}
            ends = [op for kind in kinds for r in (*program.moves[kind], *program.drops[kind]) for op in r.code
                    if op.name in WRITING]
            if len(ends) > 1 and len(game.movers) > 1 and {op.name for op in ends} <= PASSING:
                subject.find("die-chosen", game.pieces[min(kinds)].origin, game.players[mover].name)
    if asking:
        subject.find("never-neutral", asking[0].origin)


def _pieces(subject: Subject) -> None:
    """Report types that never reach the board in any game, drops without stock, and captured types without drops."""
    present: set[str] = set()
    stocked: set[str] = set()
    origins: dict[str, tuple[Origin | None, bool]] = {}
    for program in subject.stages.programs:
        game = program.game
        on_board = kinds_made(program)
        stock = {piece for _, piece, count in game.stores if count > 0}
        stock |= {game.pieces[kind].captured_as for kind in on_board} if game.options.recycle_captures else set()
        stock |= on_board if game.options.recycle_promotions else set()
        if not game.setup and not game.stores:
            continue  # nothing is set up at all: another finding reports that
        for kind, piece in enumerate(game.pieces):
            origins.setdefault(piece.name, (piece.origin, bool(piece.drops)))
            if kind in on_board:
                present.add(piece.name)
            if kind in stock or not piece.drops:
                stocked.add(piece.name)
        ends = [goal for end in game.ends for goal in leaves(end.goal) if isinstance(goal, model.Taken)]
        handed = on_board - {piece for goal in ends for piece in goal.pieces}
        for piece in (game.pieces[kind] for kind in sorted({game.pieces[kind].captured_as for kind in handed})):
            if game.options.recycle_captures == "captor" and subject.losing and not piece.drops:
                subject.find("never-dropped", piece.origin, piece.name)
    bare = [name for name, (_, drops) in origins.items() if drops and name not in stocked]
    rows = {re.sub("[0-9]+", "#", name) for name in present} - present  # a numbered series may have a spare member
    absent = [name for name in origins if name not in {*present, *bare} and re.sub("[0-9]+", "#", name) not in rows]
    if absent:
        suggestion = f"; or is it `{other}`?" if (other := suggest(absent[0], sorted(present))) else ""
        subject.find("piece-never-there", origins[absent[0]][0], listing(absent), absent[0], suggestion)
    if bare:
        again = ', or `(option "recycle captures" true)`' if bare[0] in present else ""
        subject.find("no-stock", origins[bare[0]][0], listing(bare), bare[0], again)


def kinds_made(program: Program) -> set[int]:
    """Return the piece types that may be on the board: set up, in hand, made by a drop, or made by such a type."""
    game = program.game
    todo = [piece for _, piece, _ in game.setup] + [piece for _, piece, count in game.stores if count > 0]
    anyone = [p for p in range(len(game.pieces)) if program.drops[p]]
    todo += [t for p in anyone for r in program.drops[p] for t in types_made(r.code)]
    return {*model.steps_from((piece for piece in todo if piece >= 0), lambda piece: [
        kind for r in (*program.moves[piece], *program.drops[piece]) for kind in types_made(r.code) if kind >= 0])}


def _ends(subject: Subject, program: Program, tree: syntax.FileTree) -> None:
    game = program.game
    origin = next((g.origin for g in tree.games), None)
    people = {turn.mover for turn in game.turns if turn.mover >= 0 and game.players[turn.mover].kind == "player"}
    if not game.ends and len(people) > 1 and any(op.name in WRITING for code in program.codes() for op in code):
        subject.find("no-end", origin, game.title)
    if not game.pieces:
        subject.find("no-pieces", origin, game.title)
    if program is subject.stages.programs[0] and "description" not in game.texts:
        subject.find("no-description", origin, game.title)
    if not game.turns:
        return
    rules = Rules(program)
    start = rules.start()
    side = game.turns[start.turn].side
    kinds = sorted({kind for player, kind, _ in (*game.setup, *game.stores) if player == side})
    if kinds and not any(game.pieces[kind].moves or game.pieces[kind].drops for kind in kinds):
        piece = game.pieces[kinds[0]]
        neither = f"`{piece.name}` has neither moves nor drops, nor does any other piece of {game.players[side].name}"
        subject.find("no-first-move", piece.origin, neither, help="add `(moves …)` to it")
    placed = any(side == player for player, *_ in game.setup)
    ready = bool(kinds) and any(op.name in WRITING for op in program.ops)
    blamed = subject.has("unknown-move-type", "never-true", "no-add", "unreachable", "endless-while", "no-stock",
                          "flag-never-set", "two-steps", "empty-verify", "same-direction",
                          "no-symmetry", "no-attribute", "moves-away", "bad-if",
                          "never-moves", "never-neutral", "captures-nothing")
    try:
        stuck = ready and not blamed and game.options.pass_turn != "always" and not rules.candidates(start)
    except RulesFault as fault:
        subject.find("endless-while", fault.diagnostics[0].origin)
        return
    if stuck:
        name = game.players[rules.player_to_move(start)].name
        turned = next((item.origin for board in subject.sections(syntax.Board) for item in board.items
                       if isinstance(item, syntax.Symmetry) and item.player.text == name), origin)
        subject.find("no-first-move", turned if placed else game.pieces[kinds[0]].origin,
                     f"{name} has no legal move at the start",
                     help="" if placed else "write `(verify empty?)` in the drop")
    _unreached(subject, program)
    _lines(subject, program)
    for end in game.ends:
        if end.result == "score" and game.score is None:
            subject.find("no-score", end.origin)
        _counts(subject, program, end)
        relative = [goal for goal in leaves(end.goal) if isinstance(goal, model.Relative)]
        if any(not isinstance(goal.items[-1], model.Occupant) for goal in relative):
            subject.find("no-direction", end.origin, "this configuration ends with a direction, which tests nothing",
                         help="write a piece after it, or remove it")
        neighbours = (pair for goal in relative for pair in pairwise(goal.items))
        if any(all(isinstance(item, model.Occupant) and not item.negated for item in pair) for pair in neighbours):
            subject.find("no-direction", end.origin, "two consecutive pieces of this configuration share a square")
            continue
        _holding(subject, program, end, start)
        for goal in (end.goal, *(goal for goal in leaves(end.goal, ("and", "or")) if goal in relative)):
            _men(subject, program, end, goal)


def _lines(subject: Subject, program: Program) -> None:
    """Report a condition met by rows in three of the four orientations, if no condition has rows in the fourth."""
    compass, ends = Compass(program.game), program.game.ends
    axes = [{SECTORS.index(word) % 4 for goal in leaves(end.goal, ("or",)) if isinstance(goal, model.Relative)
             if len(steps := {d for d in goal.items if isinstance(d, int)}) == 1 and (word := compass.word[min(steps)])}
            for end in ends]
    other = [name for name, word in zip(program.game.board.directions, compass.word, strict=True)
             if word and SECTORS.index(word) % 4 not in set().union(*axes)]
    for end in [end for end, lines in zip(ends, axes, strict=True) if len(lines) == 3 and other]:
        subject.find("row-missing", end.origin, other[0])


def _unreached(subject: Subject, program: Program) -> None:
    """Report conditions that need captures or repetition in a game without these, and wins of the checkmated side."""
    game = program.game
    for end in game.ends:
        for goal in leaves(end.goal, ("and",)):
            kinds = set(goal.pieces if isinstance(goal, model.Taken) and not goal.royal else ())
            if isinstance(goal, model.Count):
                counted = {goal.piece} if goal.piece >= 0 else {*range(len(game.pieces))}
                have = Counter(-1 if goal.everybody else player for player, kind, _ in game.setup if kind in counted)
                fewer = any(have[player] > goal.number for player in (-1, *(end.players or game.movers)))
                kinds = counted if fewer else set()
            names = [game.pieces[kind].name for kind in sorted(kinds)]
            if names and {"", *names}.isdisjoint(subject.losing):
                subject.find("goal-out-of-reach", end.origin, f"no move takes or changes {listing(names)}",
                             help="let a move take it; if a player who can't move should lose, write `stalemated`")
        if end.result == "win" and any(isinstance(goal, model.Taken) and goal.royal for goal in leaves(end.goal)):
            subject.find("mated-wins", end.origin)
        if goals.word_of(end.goal) == "repetition" and not program.aims.repetition:
            subject.find("goal-out-of-reach", end.origin, "repetition never ends this game",
                         help='one player: remove this condition; several players: remove `(option "repetition" none)`')


def _holding(subject: Subject, program: Program, end: model.EndCondition, start: Position) -> None:
    """Report a condition that decides the game at the start."""
    game, board = program.game, program.game.board
    blamed = subject.has("zone-twice", "zone-copied", "no-first-move")
    if end.result == "out" or goals.asks_state(end.goal) or blamed:
        return
    places = [place for goal in leaves(end.goal) if isinstance(goal, model.Absolute) for place in goal.places]
    zones = [board.zone_names[number] for is_zone, number in places if is_zone]
    for player in end.players if end.players is not None else sorted(game.movers):
        if player >= 0 and goals.holds(program, start, end.goal, player):
            uncounted = not game.options.include_off_pieces and any(owner == player for owner, *_ in game.stores)
            off = uncounted and any(isinstance(goal, model.Count) for goal in leaves(end.goal))
            help = 'to count the pieces in store as well, add `(option "include off-pieces" true)`' if off else ""
            if zones and not help:
                help = f"its pieces start in its zone `{zones[0]}`: name other squares there, or exchange zones"
            have = Counter(kind for owner, kind, _ in game.setup if owner == player)
            for goal in leaves(end.goal) if have and not help else ():
                if isinstance(goal, model.Count) and goal.piece >= 0 and not have[goal.piece]:
                    others = listing(game.pieces[kind].name for kind, count in have.items() if count > goal.number)
                    help = f"no `{game.pieces[goal.piece].name}` is on the board: name a piece that is, {others}"
            subject.find("true-at-start", end.origin, game.players[player].name, end.result, help=help)


def _counts(subject: Subject, program: Program, end: model.EndCondition) -> None:
    """Report numbers of pieces too large for the board or too small for the squares named, and squares named twice."""
    game = program.game
    squares = len(game.board.places)
    stock = sum(count for *_, count in game.stores) if game.options.include_off_pieces else 0
    counts = [goal.number for goal in leaves(end.goal) if isinstance(goal, model.Count)]
    if max(counts, default=0) > squares + stock:
        subject.find("goal-out-of-reach", end.origin, f"the board has only {number(squares, 'square')}",
                     help="write a smaller number")
    joined = list(leaves(end.goal, ("and",)))
    left = min((g.number for g in joined if isinstance(g, model.Count) and g.piece < 0), default=squares)
    held = [goal.places for goal in joined if isinstance(goal, model.Absolute)
            and all((occupant.owner, occupant.negated) == ("own", False) for occupant in goal.occupants)]
    if any(max(1, sum(not is_zone for is_zone, _ in set(places))) > left for places in held):
        problem = f"{number(left, 'piece')} can't stand on all squares named here"
        subject.find("goal-out-of-reach", end.origin, problem, help="write a larger number, or name fewer squares")
    for goal in leaves(end.goal):
        places = goal.places if isinstance(goal, model.Absolute) else ()
        if twice := [place for is_zone, place in places if not is_zone and places.count((False, place)) > 1]:
            subject.find("written-twice", end.origin, game.board.places[twice[0]].name)


def _men(subject: Subject, program: Program, end: model.EndCondition, goal: model.Goal) -> None:
    """Report a winning configuration, a row, or a number of remaining pieces that a player can't have."""
    game = program.game
    makes = types_made(program.ops)
    shared = game.options.recycle_captures or any(op.name in GAINING or op.is_copy for op in program.ops)
    if shared or "position-taken" in subject.codes:
        return
    if isinstance(goal, model.Count) and not goal.everybody:
        piece, least, less = goal.piece, goal.number, "a smaller number"
    elif isinstance(goal, model.Relative):
        (first, *others), steps = goal.items[::2], {*goal.items[1::2]}
        row = len(goal.items) % 2 and len(steps) == 1 and {*others} == {first}
        if not row or not isinstance(first, model.Occupant) or (first.owner, first.negated) != ("own", False):
            return
        piece, least, less = first.piece, len(others) + 1, "a shorter row"
    elif not isinstance(goal, model.Absolute) or end.result != "win" or [
            (occupant.negated, occupant.owner) for occupant in goal.occupants] != [(False, "own")]:
        return
    else:
        piece, less = goal.occupants[0].piece, "fewer squares"
        least = len({place for place in goal.places if not place[0]}) + sum(is_zone for is_zone, _ in goal.places)
    have = Counter(player for player, kind, _ in game.setup if piece in (kind, -1))
    for player, kind, count in game.stores:
        have[player] += count if piece in (kind, -1) else 0
    foreign = isinstance(goal, model.Absolute) and have and have.keys().isdisjoint(end.players or have)
    rich = [game.players[player].name for player in have if have[player] >= least and player in game.movers]
    if foreign:
        own = {f"`{game.pieces[kind].name}`, " for player, kind, _ in game.setup if player in (end.players or ())}
        less = (min(own) if rich and len(own) == 1 else "") + f"`(any-owner {game.pieces[piece].name})`"
        less += f" or the player {rich[0]}" if rich else ""
    for player in end.players or ():
        if player >= 0 and (piece < 0 or piece not in makes) and int(not foreign) <= have[player] < least:
            men = number(have[player], "piece")
            subject.find("too-few-men", end.origin, game.players[player].name, men, least, less)
