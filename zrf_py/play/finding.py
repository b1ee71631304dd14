"""What somebody typed → the legal moves that it fits."""

from collections.abc import Mapping, Sequence

from zrf_py.ir.ops import Program
from zrf_py.play.move import Move
from zrf_py.play.notation import PASS, is_written_so
from zrf_py.play.short import read_short
from zrf_py.run.position import MOVE


def recorded(moves: Sequence[Move], text: str) -> list[tuple[Move, bool]]:
    """
    The moves that the text of a record may stand for, each with whether the text calls it a leg.

    Those that are what the text calls them come first, and of these those that are written exactly so: moves with the
    same parts may differ in the number of `partial`.
    """
    words = text.split()
    readings = [(words, False)]
    if words and words[0].casefold() == "partial":
        readings.append((words[2:], True))
    found = [(move, is_leg) for rest, is_leg in readings for move in moves
             if _may_be(move, text) and is_written_so(rest, move.parts)]
    return sorted(found, key=lambda one: (one[0].is_partial != one[1], one[0].text.split() != words))


def _may_be(move: Move, text: str) -> bool:
    """Return whether a text can be a move's, as far as that can be seen without writing the move."""
    raw = move.raw
    if raw.is_pass or not raw.movements:
        return not raw.is_pass
    how, start, end, _ = raw.movements[0]
    name = move.program.game.board.places[end].name
    return name in text or (how == MOVE and start == end) or name.split() != [name]


def matching(
    program: Program, moves: Sequence[Move], shorts: Mapping[str, str], text: str,
) -> list[Move]:
    """The moves that are written as `text`: exactly; in any order of parts; as people write them (`shorts`, by full
    notation); by their squares."""
    wanted = " ".join(text.split())
    exact = [m for m in moves if m.text == wanted]
    if exact:
        return exact
    if wanted.casefold() == PASS.casefold():
        return [m for m in moves if m.raw.is_pass]
    found = recorded(moves, wanted)
    if found and wanted:
        return [move for move, _ in found]
    short = read_short(wanted, [shorts[m.text] for m in moves])
    if short:
        return [moves[i] for i in short]
    words = [w for w in wanted.replace("-", " ").split() if w != "x"]
    names = {place.name: i for i, place in enumerate(program.game.board.places)}
    keys = [names.get(w, -2) for w in words]
    if len(keys) == 1 and keys[0] >= 0:
        return [m for m in moves if not m.raw.is_pass and m.raw.key[1] == keys[0]]
    if len(keys) == 2:
        return [m for m in moves if not m.raw.is_pass and m.raw.key == (keys[0], keys[1])]
    return [m for m in moves if _is_coordinates(m, shorts[m.text], wanted.casefold())]


def _is_coordinates(move: Move, short: str, wanted: str) -> bool:
    """Whether a move is `e2e4`, or `e7e8q` where the man becomes a Queen."""
    if not move.start or not move.end:
        return False
    rest = wanted.removeprefix(f"{move.start}{move.end}".casefold())
    return rest != wanted and (not rest or short.casefold().endswith(f"={rest}"))


def same_effect(moves: Sequence[Move]) -> bool:
    """Two blocks may generate one and the same move."""
    first = moves[0].raw
    return all((m.raw.movements, m.raw.effects, m.raw.captures, m.raw.partial) ==
               (first.movements, first.effects, first.captures, first.partial) for m in moves)
