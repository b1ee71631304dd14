"""Lints about players and their turns."""

from collections import Counter

from zrf_py.author.lint.subject import Subject
from zrf_py.front import syntax
from zrf_py.ir.ops import Program
from zrf_py.text.source import Origin


def lint_turns(subject: Subject, program: Program) -> None:
    """Report players with end conditions but no turns, turns without pieces, and placing that begins again."""
    game = program.game
    turning = {p.game.players[n].name for p in subject.stages.programs for t in p.game.turns for n in (t.mover, t.side)}
    for end in game.ends:
        for name in (game.players[player].name for player in end.players or () if player >= 0):
            if name not in turning and end.result in ("win", "loss"):
                subject.find("player-without-turn", end.origin, name, end.result)
    have = {side for side, *_ in (*game.setup, *game.stores)}
    gains = any(op.name in ("create", "flip", "change-owner") for op in program.ops) or game.options.recycle_captures
    if gains or not have & {*game.playing}:
        return
    named = {player for end in game.ends for player in end.players or ()}
    sides = {turn.side for turn in game.turns if turn.side >= 0} - have
    for side in sorted(sides):
        name, chance = game.players[side].name, game.players[side].kind == "random"
        if side in named and side in game.playing:
            subject.find("no-first-move", game.ends[0].origin, f"{name} has no pieces", help="add some")
        elif chance and game.options.pass_turn == "never":
            other = game.players[game.playing[0]].name
            subject.find("no-first-move", _turn(subject, program, name), f"{name} has no pieces to move in this turn",
                         help=f"write whose pieces it moves: `({name} {other} …)`")
    if not game.repeat and game.options.pass_turn == "never":
        _placing_again(subject, program)


def _placing_again(subject: Subject, program: Program) -> None:
    """Report turns for drops that come again after the store is empty, since `repeat` is missing."""
    game = program.game
    moving = {routine.move_type for routines in program.moves for routine in routines}
    placing = [turn for turn in game.turns if turn.move_type >= 0 and turn.move_type not in moving and not turn.guards]
    turns = Counter(turn.side for turn in placing) if len(placing) < len(game.turns) else {}
    stock = {side: sum(count for owner, _, count in game.stores if owner == side) for side in sorted(turns)}
    if name := next((game.players[side].name for side in stock if 0 < stock[side] <= turns[side]), ""):
        subject.find("no-repeat", _turn(subject, program, name), name)


def _turn(subject: Subject, program: Program, player: str) -> Origin | None:
    """Return the place of a player's first turn in the turn order of a game, which a variant may inherit."""
    number, games = program.game.number, subject.stages.tree.games if subject.stages.tree else ()
    trees = sorted(games, key=lambda tree: tree.number != number)
    turns = next((part.turns for tree in trees for part in tree.sections if isinstance(part, syntax.TurnOrder)), ())
    return next((turn.names[0].origin for turn in turns if player in [name.text for name in turn.names]), None)
