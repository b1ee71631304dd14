"""Move ⇄ text, in the notation of the original program's saved games.

A move is written as its parts, in the order they happen:

    Pawn e2 - e4            a movement to an empty square; `x` instead of `-` where the square was occupied
    White Pawn e4           a drop, a copy or a creation
    = Queen on e8           a change of type, or of owner where the name is a player's
    flip e4                 the piece goes to the player before its owner
    @ e4 0 1                attribute number 0 becomes true (they are numbered from the last declaration to the first)
    x e5                    a capture other than by landing
    # pips 6                a counter becomes 6 (`+1`: grows by one); ZRF+ only, as `# next-turn 0`

`on e8` is left out right after a part that ends on e8. A leg of a longer turn starts with `partial N`.
"""

from collections.abc import Iterable

from zrf_py.front.model import Game
from zrf_py.ir.ops import Program
from zrf_py.run.position import COPY, DROP, KEEP, MOVE, NOBODY, NOT_PARTIAL, Move, Position

Part = tuple[str, ...]
"""("move", type, from, "-" | "x", to), ("place", player, type, square), ("=", name, square), ("flip", square),
("@", square, index, value) or ("x", square)."""

PASS = "Pass"


def parts(program: Program, position: Position, move: Move) -> list[Part]:
    """The parts of a move played in a position, in the order they are written."""
    game = program.game
    names = [place.name for place in game.board.places]
    written: list[Part] = []
    promotion: Part | None = None
    for how, start, end, kind in move.movements:
        if how == MOVE:
            if start != end:
                mark = "x" if position.owner[end] != NOBODY else "-"
                written.append(("move", game.pieces[position.piece[start]].name, names[start], mark, names[end]))
            if kind != KEEP:
                promotion = ("=", game.pieces[kind].name, names[end])
        else:
            owner = move.side if how == DROP else position.owner[start]
            shown = position.piece[start] if how == COPY and kind == KEEP else kind
            written.append(("place", game.players[owner].name, game.pieces[shown].name, names[end]))
    for name, square, a, b in move.effects:
        if name.endswith("-counter"):
            written.append(("#", game.counters[square].name, f"{a:+d}" if name == "add-to-counter" else str(a)))
        elif name == "next-turn":
            written.append(("#", name, str(square)))
        else:
            written.append(_effect(game, name, names[square], a, b))
    written += [("x", names[square]) for square in move.captures]
    return [*written, promotion] if promotion else written


def _effect(game: Game, name: str, square: str, a: int, b: int) -> Part:
    match name:
        case "create":
            return "place", game.players[b].name, game.pieces[a].name, square
        case "change-type":
            return "=", game.pieces[a].name, square
        case "change-owner":
            return "=", game.players[a].name, square
        case "flip":
            return "flip", square
    return "@", square, str(a), str(b)


def write_parts(written: Iterable[Part]) -> str:
    """Parts as text."""
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
    """A move as a saved game has it, without its number."""
    if move.is_pass:
        return PASS
    text = write_parts(parts(program, position, move))
    if move.partial == NOT_PARTIAL:
        return text
    return f"partial {program.ordinals[move.partial] if move.partial >= 0 else 0} {text}"


def read_parts(text: str) -> list[Part] | None:
    """The parts of a recorded move, `partial N` left aside; None if the text is no move."""
    words = text.split()
    if words[:1] == ["partial"]:
        words = words[2:]
    found: list[Part] = []
    end = ""
    at = 0
    while at < len(words):
        rest = words[at:]
        match rest:
            case ["=", name, "on", square, *_]:
                at += 3
                while at < len(words) and not _starts_part(words, at):
                    found.append(("=", name, words[at]))
                    at += 1
            case ["=", name, *_]:
                found.append(("=", name, end))
                at += 2
            case ["flip" | "x" as word, square, *_]:
                found.append((word, square))
                at += 2
            case ["#", name, value, *_]:
                found.append(("#", name, value))
                at += 3
            case ["@", square, index, value, *_]:
                found.append(("@", square, index, value))
                at += 4
            case [kind, start, "-" | "x" as mark, end, *_]:
                found.append(("move", kind, start, mark, end))
                at += 4
            case [player, kind, end, *_]:
                found.append(("place", player, kind, end))
                at += 3
            case _:
                return None
    return found


def _starts_part(words: list[str], at: int) -> bool:
    """After `= T on p` further squares may follow; a new part starts with a mark, or is a movement or a placing.

    A movement has its mark as the third word; a placing has three names, so a lone further name can't start one.
    """
    if words[at] in ("=", "flip", "x", "@", "#"):
        return True
    following = words[at + 1 : at + 3]
    return len(following) == 2 and (following[1] in ("-", "x") or not {"=", "flip", "x", "@", "#"} & set(following))
