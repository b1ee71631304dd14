"""Lints about unchanged copies: end conditions and pieces that are the same as others."""

from zrf_py.author.lint.subject import Subject, types_made
from zrf_py.front import model
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import Program


def lint_copies(subject: Subject, program: Program) -> None:
    """Report goals copied from another player or given to one only, and pieces captured as another type."""
    game = program.game
    _winners(subject, game)
    becoming = [types_made(op for r in routines for op in r.code) for routines in program.moves]
    for kind, piece in enumerate(game.pieces):
        sources = {source for source, types in enumerate(becoming) if kind in types}
        sources |= {-1 for _, other_kind, _ in game.setup if other_kind == kind}  # some are there at the start
        if len(sources) == 1 and min(sources) >= 0 and piece.captured_as not in {kind, *sources}:
            subject.find("captured-as-other", piece.origin, piece.name, game.pieces[min(sources)].name,
                         game.pieces[piece.captured_as].name)


def _winners(subject: Subject, game: model.Game) -> None:
    """Report a configuration that two players have to reach on the same squares, and end conditions under which only
    one of two players can win."""
    movers, seen = game.movers & {*game.playing}, dict[tuple[str, model.Goal], tuple[int, ...]]()
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
    reported = subject.has("zone-of-other", "true-at-start") or game.score
    begun = [sorted(kind for owner, kind, _ in (*game.setup, *game.stores) if owner == mover) for mover in movers]
    if len(movers) == 2 and len(can & movers) == 1 and begun[0] == begun[1] and not reported:
        end = next(end for end in game.ends if end.result != "draw")
        subject.find("one-winner", end.origin, game.players[min(movers - can)].name)
