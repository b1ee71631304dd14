"""Facts about a position that a board in a browser needs, as plain lists and dicts.

Shapes are documented in `serve/README.md`; nothing here depends on the game.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from zrf_py.catalogue import LANGUAGES, translated
from zrf_py.play import aims, foreign, prisoners, turn_text
from zrf_py.play.game import Game, Move, Position
from zrf_py.play.reasons import Reason
from zrf_py.play.standing import shown
from zrf_py.text.display import display_lines, paragraphs, summary
from zrf_py.text.source import harmless
from zrf_py.view import looks

TEXTS = ("description", "history", "strategy", "help")


def describe_game(game: Game) -> dict[str, Any]:
    """Return the facts of a game that no move changes. For each type, `types` holds its name, `called` a short one if
    possible, `sides` a player who has such pieces at the start (0 if nobody has). `stores` holds [player, type] of
    pieces that may be off the board. `signs` is true if pieces show characters, as in shogi. `program` is a message
    about an engine DLL, `missing` the reason why no piece has moves if the DLL has the rules; both may be "". The
    author's texts are included; those in another language are under its code, such as `de` ({} if they are equal)."""
    rules = game.program.game
    texts, others = authors_texts(game), {language: authors_texts(game, language) for language in LANGUAGES}
    return {
        "title": harmless(game.title),
        "variants": [harmless(title) for title in game.variants],
        "players": _players(game),
        "places": [place.name for place in rules.board.places],
        "types": [piece.name for piece in rules.pieces],
        "called": [_called(piece.name, _lines(piece.description or piece.help)) for piece in rules.pieces],
        "program": harmless(foreign.foreign_note(game.program)),
        "missing": harmless(foreign.missing_rules(game.program)),
        "stores": [[player, kind] for player, kind, _ in rules.stores],
        "signs": bool(looks.Looks(rules).shape()),
        "sides": [next((p for p, k, _ in rules.setup if k == kind), 0) for kind in range(len(rules.pieces))],
        **texts, **{language: other if other != texts else {} for language, other in others.items()},
    }


def _players(game: Game) -> list[dict[str, Any]]:
    """Return the players: name, kind, colours, whether they sit at the top of the board, the squares of their goals."""
    rules = game.program.game
    return [{"name": player.name, "kind": player.kind, "fill": look.fill, "ink": look.ink,
             "above": looks.goes_down(rules, number), "goal": sorted(goal)}
            for number, (player, look, goal) in enumerate(
                zip(rules.players, looks.Looks(rules).players, aims.goals_of(game.program), strict=True))]


def authors_texts(game: Game, language: str = "en") -> dict[str, Any]:
    """Return the author's texts: a summary (`about`), the texts about the game and a line for each piece that has a
    description (`notes`), and these lines again by type (`help`)."""
    rules = game.program.game
    notes: list[dict[str, Any]] = [
        {"name": name.capitalize(), "lines": paragraphs(translated(text, language))}
        for name, text in rules.texts.items() if text and name in TEXTS]
    pieces = [[kind, line] for kind, piece in enumerate(rules.pieces)
              if not piece.dummy and (line := _piece_line(piece.name, piece.description or piece.help, language))]
    if lines := list(dict.fromkeys(line for _, line in pieces)):
        notes.append({"name": "Pieces", "lines": lines})
    return {"about": summary(translated(rules.texts.get("description", ""), language)), "notes": notes, "help": pieces}


def _piece_line(piece: str, text: str, language: str) -> str:
    """Return the description of a type on one line, after its name; a translation contains the translated name."""
    if (other := translated(text, language)) != text:
        return ": ".join(_lines(other))
    name, *rest = paragraphs = _lines(text)
    called = _called(piece, paragraphs)
    body = " ".join(rest if name.rstrip(":") == called and rest else (name, *rest)).strip()
    return body if not body or body.startswith(called) else f"{called}: {body}"


def _lines(text: str) -> list[str]:
    """Return the lines of a type's description; at least one, "" if there is none."""
    return [harmless(line) for line in display_lines(text) if line] or [""]


def _called(name: str, paragraphs: Sequence[str]) -> str:
    """Return a description's heading if the type's name has it ("South-Circle" has "Circle"), else the name."""
    heading = paragraphs[0].rstrip(":")
    return heading if len(paragraphs) > 1 and heading and heading in name else name


def describe(position: Position) -> dict[str, Any]:
    """Return the facts that change with every move: player to move, legal legs, result, effects of the last move."""
    outcome = position.outcome()
    rules = position.game.program.game
    turn = rules.turns[position.state.turn] if rules.turns else None
    return {
        "player": position.player,
        "side": turn.side if turn else -1,
        "inTurn": position.in_turn,
        "legs": [] if outcome else legs(position),
        "outcome": None if outcome is None else {
            "text": harmless(outcome), "winners": outcome.winners, "losers": outcome.losers,
            **(why_of(outcome.why) if outcome.why else {})},
        "check": [] if outcome else list(turn_text.checked(position)),
        "held": _held(position),
        "taken": [[*key, number] for key, number in sorted(prisoners.taken(position).items())],
        "scores": shown(position.game.program, position.state, outcome is not None),
        "moved": [] if position.move is None else [list(ends) for ends in position.move.diff.moved],
    }


def _held(position: Position) -> list[list[int]]:
    """Return the pieces that players have off the board, as rows [player, type, number]."""
    rules = position.game.program.game
    return [[player, kind, number] for player, row in enumerate(position.state.stores)
            for kind, number in enumerate(row)
            if number > 0 and rules.players[player].kind == "player" and not rules.pieces[kind].dummy]


def why_of(why: Reason) -> dict[str, Any]:
    """Return the reason for the end of a game, for pages in any language: see `play/reasons.py`."""
    return {"sentence": why.sentence, "number": why.spelt, "name": harmless(why.name), "reason": harmless(why.words),
            "places": why.places}


def describe_ply(before: Position, after: Position) -> list[Any]:
    """Return the entry for the list of moves: [text, player, whether the turn goes on, whether it is an edit (not a
    move), whether it ends a round of the turn order, the turn so far in short notation]."""
    if after.move is None:
        return [after.change, "", False, True, False, after.change]
    ends_round = not after.in_turn and after.state.turn == after.game.program.game.repeat
    return [after.move.text, before.player, after.in_turn, False, ends_round, turn_text.played_turn(after)]


MAX_LEGS = 20_000
"""Maximum number of legal moves returned, more than a board can show."""


def legs(position: Position) -> list[list[Any]]:
    """Return [text, from, to, type, short, becomes, taken, placed] for each legal leg with a distinct text.

    `from` and `to` are place indexes, `type` is the dropped type and `becomes` the piece's new type; -1 means none.
    `short` is the short notation. `taken` and `placed` are the other places where pieces are removed or put.
    """
    by_text: dict[str, list[Any]] = {}
    for move in position.moves()[:MAX_LEGS]:
        if move.text not in by_text:
            by_text[move.text] = _leg(position, move)
    return list(by_text.values())


def _leg(position: Position, move: Move) -> list[Any]:
    diff = move.diff
    kind = diff.piece if move.is_drop else -1
    captured = [square for square in diff.taken if square not in (diff.start, diff.end)]
    placed = [square for square, origin, *_ in diff.men if square not in (origin, diff.end)]
    return [move.text, diff.start, diff.end, kind, position.short(move), diff.becomes, captured, placed]


MAX_POSITIONS = 250
"""Maximum number of positions within a turn that `destinations` visits, breadth first."""


def destinations(position: Position, start: int) -> list[list[object]]:
    """Return [place, [texts of legs]] for each place that the piece on `start` reaches only by two or more legs."""
    legs_to: dict[int, list[str]] = {}
    near = {move.raw.key[1] for move in position.moves() if move.raw.key[0] == start}
    queue: list[tuple[Position, int, list[str]]] = [(position, start, [])]
    for reached, square, legs in islice(queue, MAX_POSITIONS):  # which grows meanwhile
        for move in reached.moves():
            origin, end = move.raw.key
            if move.raw.is_pass or origin != square or end in legs_to or (legs and end in {*near, start}):
                continue
            after = reached.play(move)
            if legs:
                legs_to[end] = [*legs, move.text]
            if after.in_turn:
                queue.append((after, end, [*legs, move.text]))
    return [[place, legs] for place, legs in legs_to.items()]
