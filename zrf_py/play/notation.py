"""Full move notation, as in saved games of Zillions: writing, and matching of recorded texts.

A move is written as a list of its parts, in order:

    Pawn e2 - e4            a movement to an empty square; `x` instead of `-` where the square was occupied
    White Pawn e4           a new piece: a drop, a copy or a creation
    = Queen on e8           a change of type, or of owner where the name is a player's
    flip e4                 the piece changes to the player before its owner
    @ e4 0 1                attribute number 0 becomes true (they are numbered from the last declaration to the first)
    x e5                    a capture other than by landing
    # pips 6                a counter becomes 6 (`+1`: grows by one); ZRF+ only, as `# next-turn 0`

`on e8` is left out right after a part that ends on e8. A leg after which its turn may go on starts with `partial N`:
N is the number of the next leg's move type, 0 for any.
"""

from collections.abc import Iterable, Iterator, Sequence

from zrf_py.front.model import Game
from zrf_py.ir.ops import OPS, Program
from zrf_py.ir.traits import Operand
from zrf_py.run.position import COPY, DROP, KEEP, MOVE, NOBODY, NOT_PARTIAL, Move, Position

Part = tuple[str, ...]
"""("move", type, from, "-" | "x", to), ("place", player, type, square), ("=", name, square), ("flip", square),
("@", square, index, value), ("#", counter, value) or ("x", square)."""

PASS = "Pass"


def parts(program: Program, position: Position, move: Move) -> list[Part]:
    """Return the parts of a move in the order in which they are written; `position` is the one before it."""
    game = program.game
    places = game.board.places
    written: list[Part] = []
    promotions: list[Part] = []
    for action, start, end, kind in move.movements:
        if action == MOVE:
            if start != end:
                mark = "x" if position.owner[end] != NOBODY else "-"
                written.append(("move", game.pieces[position.piece[start]].name, places[start].name, mark,
                                places[end].name))
            if kind != KEEP:
                promotions.append(("=", game.pieces[kind].name, places[end].name))
        else:
            owner = move.side if action == DROP else position.owner[start]
            piece = position.piece[start] if action == COPY and kind == KEEP else kind
            written.append(("place", game.players[owner].name, game.pieces[piece].name, places[end].name))
    for name, square, a, b in move.effects:
        if name.endswith("-counter"):
            written.append(("#", game.counters[square].name, f"{a:+d}" if name == "add-to-counter" else str(a)))
        elif name == "next-turn":
            written.append(("#", name, str(square)))
        else:
            written.append(_effect(game, name, places[square].name, a, b))
    written += [("x", places[square].name) for square in move.captures]
    return written + promotions


def _effect(game: Game, name: str, square: str, a: int, b: int) -> Part:
    match OPS[name].a, OPS[name].b:
        case Operand.PIECE, Operand.PLAYER:
            return "place", game.players[b].name, game.pieces[a].name, square
        case Operand.PIECE, _:
            return "=", game.pieces[a].name, square
        case Operand.SIDE, _:
            return "=", game.players[a].name, square
        case Operand.NONE, _:
            return name, square
    return "@", square, str(a), str(b)


def write_parts(written: Iterable[Part]) -> str:
    """Join parts to text, with the abbreviations of the notation."""
    words: list[str] = []
    end = ""
    last_name = ""
    for part in written:
        match part:
            case ("move", kind, start, mark, end):
                words += [kind, start, mark, end]
            case ("place", player, kind, end):
                words += [player, kind, end]
            case ("=", name, square) if name == last_name and words[-1] != name:
                words.append(square)
            case ("=", name, square):
                words += ["=", name] if square == end else ["=", name, "on", square]
            case ("#", name, value):
                words += ["#", name, value]
            case ("@", square, index, value):
                words += ["@", square, index, value]
            case (word, square):
                words += [word, square]
        if part[0] not in ("move", "place"):
            end = ""
        last_name = part[1] if part[0] == "=" else ""
    return " ".join(words)


def move_text(program: Program, position: Position, move: Move) -> str:
    """Return the notation of a move, without its number."""
    if move.is_pass:
        return PASS
    text = write_parts(parts(program, position, move))
    if move.partial == NOT_PARTIAL:
        return text
    return f"partial {program.ordinals[move.partial] if move.partial >= 0 else 0} {text}"


def is_written_so(words: Sequence[str], written: Sequence[Part]) -> bool:
    """Return True if a recorded text, split at its blanks, consists of exactly these parts, in any order.

    Backtracking search over the order of the parts. The text is compared with known parts, not parsed, so names are
    unrestricted: a square may have the name of a player or piece, and a name may contain blanks.
    """
    begin: _State = 0, tuple(written), "", ""
    visited, stack = {begin}, [iter([begin])]
    while stack:
        state = next(stack[-1], None)
        if state is None:
            stack.pop()
        elif state[0] == len(words) and not state[1]:
            return True
        else:
            stack.append(step for step in _steps(words, state) if step not in visited)
            visited.add(state)
    return False


_State = tuple[int, tuple[Part, ...], str, str]
"""State of the search: number of words read, remaining parts, the square for which `on` may be omitted, and the name
whose squares are being listed."""


def _steps(words: Sequence[str], state: _State) -> Iterator[_State]:
    """Yield the states after one more part."""
    at, left, end, listed = state
    for i, part in enumerate(left):
        for form in _forms(part, end, listed):
            spaced = " ".join(form).split()
            if words[at : at + len(spaced)] == spaced:
                rest = left[:i] + left[i + 1 :]
                last = part[-1] if part[0] in ("move", "place") else end
                yield at + len(spaced), rest, last, part[1] if part[0] == "=" and form[-1] == part[2] else ""


def _forms(part: Part, end: str, listed: str) -> Iterator[Part]:
    """Yield the spellings of a part. A change is shorter after the same change, or a part that ends on its square."""
    match part:
        case ("move" | "place", *rest):
            yield tuple(rest)
        case ("=", name, square):
            if name == listed:
                yield (square,)
            yield "=", name, "on", square
            if square == end:
                yield "=", name
        case _:
            yield part
