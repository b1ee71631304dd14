"""A position → what a board in a browser needs to know of it, as plain lists and dicts.

Shapes are documented in this folder's README; nothing here depends on the game.
"""

from __future__ import annotations

from typing import Any

from zrf_py.play.game import Game, Move, Position
from zrf_py.run.position import DROP, KEEP, MOVE
from zrf_py.text.display import display_lines
from zrf_py.text.render import harmless

MAX_LEGS = 20_000
"""Legal moves that are told; more no board can show."""

TEXTS = ("description", "history", "strategy", "help")


def describe_game(game: Game) -> dict[str, Any]:
    """What stays as it is during a game: title, variants, players, places, notes."""
    rules = game.program.game
    return {
        "title": harmless(game.title),
        "variants": [harmless(title) for title in game.variants],
        "players": [{"name": p.name, "kind": p.kind} for p in rules.players],
        "places": [place.name for place in rules.board.places],
        "types": [piece.name for piece in rules.pieces],
        "notes": _notes(game),
    }


def _notes(game: Game) -> list[dict[str, Any]]:
    """The rules' own texts: those of the game, then a line for each piece that says something about itself."""
    rules = game.program.game
    notes = [{"name": name.capitalize(), "lines": display_lines(text)}
             for name, text in rules.texts.items() if text and name in TEXTS]
    pieces = [" ".join(display_lines(piece.description or piece.help)).strip() for piece in rules.pieces]
    lines = [line if line.startswith(piece.name) else f"{piece.name}: {line}"
             for piece, line in zip(rules.pieces, pieces, strict=True) if line]
    return [*notes, *([{"name": "Pieces", "lines": [harmless(line) for line in lines]}] if lines else [])]


def describe(position: Position) -> dict[str, Any]:
    """What changes with every move: who is to move, the legal legs, how the game ended, what the last move did."""
    outcome = position.outcome()
    rules = position.game.program.game
    turn = rules.turns[position.state.turn] if rules.turns else None
    return {
        "player": position.player,
        "side": turn.side if turn else -1,
        "inTurn": position.in_turn,
        "legs": [] if outcome else legs(position),
        "outcome": None if outcome is None else {
            "text": harmless(str(outcome)), "winners": outcome.winners, "losers": outcome.losers},
        "scores": [[name, score] for name, score in position.scores()],
        "moved": [] if position.move is None else moved(position.move),
    }


def legs(position: Position) -> list[list[Any]]:
    """[text, from, to, type, label] of each legal leg that is written differently; see `_leg`."""
    found: dict[str, list[Any]] = {}
    for move in position.moves()[:MAX_LEGS]:
        if move.text not in found:
            found[move.text] = _leg(position, move)
    return list(found.values())


def _leg(position: Position, move: Move) -> list[Any]:
    """Place indexes, -1 for none; `type` is what is taken from the store, -1 unless it is a drop.

    `label` is how the move differs from others that start and end on the same squares: the type a piece becomes.
    """
    raw, rules = move.raw, position.game.program.game
    if raw.is_pass:
        return [move.text, -1, -1, -1, move.text]
    start, end = raw.key
    kind = -1
    label = ""
    if raw.movements:
        how, _, _, new = raw.movements[0]
        if how == DROP:
            start, kind = -1, new
            label = rules.pieces[new].name
        elif new != KEEP:
            label = rules.pieces[new].name
    elif start < 0 and end < 0:
        end = _first_square(move)
    return [move.text, start, end, kind, label]


def _first_square(move: Move) -> int:
    """Where a move that moves nothing does something, -1 if that is nowhere on the board."""
    for name, square, _, _ in move.raw.effects:
        if not name.endswith("-counter") and name != "next-turn":
            return square
    return move.raw.captures[0] if move.raw.captures else -1


def moved(move: Move) -> list[list[int]]:
    """[from, to] of what travels over the board in a move."""
    return [[start, end] for how, start, end, _ in move.raw.movements if how == MOVE and start != end]


def describe_ply(before: Position, after: Position) -> list[Any]:
    """[text, player, whether the turn goes on, whether it is a change of the board and no move, whether a round of the
    turn order ends with it]: what the list of moves shows."""
    if after.move is None:
        return [after.change, "", False, True, False]
    ends_round = not after.in_turn and after.state.turn == after.game.program.game.repeat
    return [after.move.text, before.player, after.in_turn, False, ends_round]
