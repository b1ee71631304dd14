"""Lints about players, their turns and their goals."""

from itertools import pairwise

from zrf_py.author.lint.subject import Subject, words_of
from zrf_py.front import model, syntax
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import REMOVING, Program
from zrf_py.text.source import Origin


def lint_turns(subject: Subject, program: Program) -> None:
    """Report players and sides without turns or pieces, and problems of the turn order, move types and drops."""
    game = program.game
    turning = {p.game.players[n].name for p in subject.stages.programs for t in p.game.turns for n in (t.mover, t.side)}
    for end in game.ends:
        for name in (game.players[player].name for player in end.players or () if player >= 0):
            if name not in turning and end.result in ("win", "loss"):
                subject.find("player-without-turn", end.origin, name, f"a {end.result} condition")
    order, movers = subject.own(program, syntax.TurnOrder), {turn.mover for turn in game.turns}
    pieces = {game.players[side].name for side, *_ in (*game.setup, *game.stores)}
    idle = [name for name in sorted(pieces - turning) if name.startswith("?")]
    if len(movers) == 1 and movers.isdisjoint(turn.side for turn in game.turns):  # White moves Black's pieces
        first = [game.players[player].name for player in (game.turns[0].side, game.turns[0].mover)]
        idle += first[:1] if {*first} <= pieces else []
    if idle and order:
        subject.find("player-without-turn", order[0].origin, idle[0], "pieces to move")
    for before, after in pairwise(game.priorities):
        takes = [[any(op.name in REMOVING for op in r.code) for routines in program.moves for r in routines
                  if r.move_type == type] for type in (before, after)]
        if all(takes) and not any(takes[0]) and all(takes[1]):
            names = [part.origin for part in subject.sections(syntax.Names) if part.word == "move-priorities"]
            subject.find("late-captures", names[0], program.move_types[before], program.move_types[after])
    have = {side for side, *_ in (*game.setup, *game.stores)}
    for mover in sorted(movers & have & {*game.playing}) if len(movers) > 1 else ():
        sides = {turn.side for turn in game.turns if turn.mover == mover}
        if mover not in sides and sides <= have & {*game.playing}:
            name, other = game.players[mover].name, game.players[min(sides)].name
            subject.find("moves-others", _turn(subject, program, name), name, f"`{other}`")
    if not have & {*game.playing}:
        return
    _stores(subject, program)
    named = {player for end in game.ends for player in end.players or ()}
    sides = {turn.side for turn in game.turns} - have - {op.b for op in program.ops if op.name == "create"} - {-1}
    for side in sorted(sides) if not program.uses("flip") else ():
        name = game.players[side].name
        if side in named and side in game.playing:
            placed = [owner for setup in subject.own(program, syntax.Setup) for owner, _ in setup.sides]
            twice = [owner for n, owner in enumerate(placed) if owner.text in [other.text for other in placed[:n]]]
            form, others = next((form, side[1]) for form in subject.own(program, syntax.Setup) for side in form.sides)
            like = [f"({piece.text} {' '.join(at.text for at in places) if places[0].text == 'off' else '…'})"
                    for piece, places in others]
            subject.find("no-first-move", twice[0].origin if twice else form.origin, f"{name} has no pieces",
                         help=f"write `{name}` here: `{twice[0].text}` is already listed above" if twice else
                         f"add them to the set-up, for example `({name} {' '.join(like)})`")
        elif game.players[side].kind == "random":
            other = game.players[game.playing[0]].name
            subject.find("no-first-move", _turn(subject, program, name), f"{name} has no pieces to move in this turn",
                         help=f"write whose pieces it moves: `({name} {other} …)`")


def lint_winners(subject: Subject, program: Program) -> None:
    """Report a configuration that two players have to reach on the same squares, a zone of a player that only end
    conditions of others test, and end conditions under which only one of two players can win."""
    game = program.game
    movers, seen = set(game.seats), dict[tuple[str, model.Goal], tuple[int, ...]]()
    can: set[int] = set()
    for end in game.ends:
        players = set(movers if end.players is None else end.players)
        wins = {"win": players, "loss": movers - players or movers, "draw": set[int]()}
        can |= wins.get(end.result, movers) if players <= movers else movers
        other = seen.setdefault((end.result, end.goal), end.players or ())
        squares = [place for goal in leaves(end.goal) if isinstance(goal, model.Absolute)
                   for is_zone, place in goal.places if not is_zone]
        if other and players and players.isdisjoint(other) and end.result != "draw" and squares:
            subject.find("goal-copied", end.origin, game.players[min(players)].name, game.players[other[0]].name)
    for zone, owned in enumerate(game.board.zones):
        named = [(end, end.players or movers) for end in game.ends for goal in leaves(end.goal)
                 if isinstance(goal, model.Absolute) and (True, zone) in goal.places]
        left = [side for side in movers if named and owned[side] and not any(  # players may share a zone as their goal
            side in owners or owned[side] in [owned[owner] for owner in owners] for _, owners in named)]
        if left and (name := game.board.zone_names[zone]) not in words_of(
                (*subject.stages.expanded.nodes, *subject.stages.forms), ("zone", "absolute-config")):
            subject.find("zone-of-other", named[0][0].origin, game.players[left[0]].name, name)
    reported = subject.has("true-at-start", "zone-of-other") or game.score
    begun = [sorted(kind for owner, kind, _ in (*game.setup, *game.stores) if owner == mover) for mover in movers]
    if len(movers) == 2 and len(can & movers) == 1 and begun[0] == begun[1] and not reported:
        end = next(end for end in game.ends if end.result != "draw")
        subject.find("one-winner", end.origin, game.players[min(movers - can)].name)


def _stores(subject: Subject, program: Program) -> None:
    """Report pieces in a store that nobody can drop, unless a goal, promotion, counter or score may need them."""
    game = program.game
    counted = game.options.include_off_pieces or game.options.recycle_promotions or game.counters or game.score
    written = [(owner.text, piece) for setup in subject.own(program, syntax.Setup) for owner, pieces in setup.sides
               for piece, _ in pieces]
    for owner, kind, count in game.stores if not counted else ():
        types = {turn.move_type for turn in game.turns if turn.side == owner}
        player, piece = game.players[owner].name, game.pieces[kind]
        if count and not any({-1, routine.move_type} & types for routine in program.drops[kind]):
            place = next((atom.origin for name, atom in written if (name, atom.text) == (player, piece.name)), None)
            subject.find("idle-store", place, piece.name, player, help="" if not piece.drops else
                         f"give {player} a turn for its drops, or name another player here")


def _turn(subject: Subject, program: Program, player: str) -> Origin | None:
    """Return the place of a player's first turn in the turn order of a game, which a variant may inherit."""
    turns = (turn for order in subject.own(program, syntax.TurnOrder) for turn in order.turns)
    return next((turn.names[0].origin for turn in turns if player in [name.text for name in turn.names]), None)
