"""Move matching: find the legal moves that the text of a typed or recorded move may mean."""

from collections.abc import Mapping, Sequence

from zrf_py.play.move import Move
from zrf_py.play.move_parser import MoveReader
from zrf_py.play.notation import PASS, is_written_so
from zrf_py.play.short import read_short
from zrf_py.run.position import MOVE
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import clipped, did_you_mean


def recorded(moves: Sequence[Move], text: str) -> list[tuple[Move, bool]]:
    """Return the moves that a recorded text may stand for, as (move, True if the text marks it as a leg).

    Moves that are legs come first if the text marks a leg, else last. In each group, those with exactly this text come
    first, because moves with the same parts may differ in the number after `partial`.
    """
    words = text.split()
    readings = [(words, False)]
    if words and words[0].casefold() == "partial":
        readings.append((words[2:], True))
    pairs = [(move, is_leg) for rest, is_leg in readings for move in moves
             if _may_be(move, text) and is_written_so(rest, move.parts)]
    return sorted(pairs, key=lambda pair: (pair[0].is_partial != pair[1], pair[0].text.split() != words))


def _may_be(move: Move, text: str) -> bool:
    """Return False if a text can't be the notation of this move: a cheap filter, so that few moves must be written."""
    raw = move.raw
    if raw.is_pass or not raw.movements:
        return not raw.is_pass
    kind, start, end, _ = raw.movements[0]
    name = move.program.game.board.places[end].name
    return name in text or (kind == MOVE and start == end) or name.split() != [name]


def matching(reader: MoveReader, moves: Sequence[Move], shorts: Mapping[str, str], text: str) -> list[Move]:
    """Return the moves that match `text` in the first notation that has a match: full notation; the same with parts in
    any order; short notation (`shorts` maps full notation to it); squares and piece types.

    :raises ZrfError: if the text is not a move of this game, legal or not.
    """
    normal = " ".join(text.split())
    exact = [m for m in moves if m.text == normal]
    if exact:
        return exact
    pairs = recorded(moves, normal)
    if pairs and normal:
        return [move for move, _ in pairs]
    short = [] if normal.casefold() == PASS.casefold() else read_short(normal, [shorts[m.text] for m in moves])
    if short:
        return [moves[i] for i in short]
    entry = reader.read(normal)
    if entry is None:
        unknown = reader.unknown(normal)
        missing = f": there is no `{clipped(unknown)}`" if unknown not in ("", normal) else ""
        raise ZrfError(f"`{clipped(text)}` is not a move of this game{missing}", "not-a-move", help=did_you_mean(
            normal, [*shorts, *shorts.values()], "write FROM TO, or a notation from the list of legal moves"
        ) if "," not in normal else "write one move")
    return [move for move in moves if reader.fits(entry, move)]


def only(moves: Sequence[Move], text: str, shorts: Mapping[str, str]) -> Move:
    """Return the only move among `moves`, the matches of a text; moves with the same effect count as one.

    :raises ZrfError: if there is none, or several that differ.
    """
    if len({m.text for m in moves}) == 1 or (moves and same_effect(moves)):
        return moves[0]
    if moves:
        raise ZrfError(f"`{text}` matches {len(moves)} moves", "ambiguous-move",
                       help="; ".join(m.text for m in moves[:6]))
    raise ZrfError(f"`{text}` is not a legal move here", "no-such-move",
                   help=did_you_mean(text, [*shorts, *shorts.values()]))


def same_effect(moves: Sequence[Move]) -> bool:
    """Return True if all moves have the same effect: several blocks may generate the same move."""
    first = moves[0].raw
    return all((m.raw.movements, m.raw.effects, m.raw.captures, m.raw.partial) ==
               (first.movements, first.effects, first.captures, first.partial) for m in moves)
