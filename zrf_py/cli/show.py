"""`zrf show`: show the contents of a rules file as the compiler understands them, or its board as a picture."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from zrf_py.cli.common import add_game, add_json, open_position, print_json, use_color, width
from zrf_py.cli.picture import add_picture, write_pictures
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.display import display_lines, display_text

if TYPE_CHECKING:
    from zrf_py.cli.draw import BoardView
    from zrf_py.front import model
    from zrf_py.play.game import Game, Position


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--program", action="store_true", help="also show the operations of each piece")
    parser.add_argument("--llvm", action="store_true", help="show the LLVM code of each block beside its source lines")
    parser.add_argument("--native", action="store_true", help="show which kind of native code runs the game, and why")
    parser.add_argument("--piece", metavar="NAME", help="limit --program or --llvm to this piece")
    parser.add_argument("--zones", action="store_true", help="also draw each zone for each player")
    parser.add_argument("--names", action="store_true", help="also draw the board with the names of its squares")
    add_json(parser)
    add_picture(parser)


def run(args: argparse.Namespace) -> int:
    from zrf_py.cli.draw import BoardView

    position = open_position(args)
    game = position.game
    if args.svg is not None or args.png is not None:
        write_pictures(position, args)
        return 0
    if args.llvm:
        from zrf_py.play.engines import listing

        names = _piece_names(game, args.piece)
        print("\n".join(listing(game.program, names.index(args.piece) if args.piece else None)))
        return 0
    if args.native:
        from zrf_py.play.engines import describe_native

        print("\n".join(describe_native(game.program)))
        return 0
    if args.json:
        print_json(_object(game))
        return 0
    view = BoardView(game.program, use_color("auto"), room=width() - 1)
    sections = [_overview(game, view, position), _pieces(game), _options(game), _texts(game)]
    if args.names or not view.layout.is_labelled:
        sections.append(iter(["Names", *view.names()]))
    if args.zones:
        sections += _zones(game, view)
    if args.program:
        sections = [*sections[: 0 if args.piece else None], *_program(game, args.piece)]
    print("\n\n".join("\n".join(lines) for section in sections if (lines := list(section))))
    return 0


def _object(game: Game) -> dict[str, object]:
    """Return the contents of a game as JSON values."""
    rules, board = game.program.game, game.program.game.board
    return {
        "title": rules.title, "variants": list(game.variants),
        "players": [{"name": p.name, "kind": p.kind} for p in rules.players], "turns": list(_turns(game)),
        "positions": [p.name for p in board.places], "directions": list(board.directions),
        "zones": list(board.zone_names), "attributes": list(rules.attributes),
        "pieces": [{"name": p.name, "moves": len(game.program.moves[i]), "drops": len(game.program.drops[i]),
                    "help": p.help, "images": {owner: list(names) for owner, names in p.images.items()}}
                   for i, p in enumerate(rules.pieces)],
        "options": dict(rules.options.written), "texts": dict(rules.texts),
    }


def _overview(game: Game, view: BoardView, position: Position) -> Iterator[str]:
    rules = game.program.game
    yield rules.title
    if len(game.variants) > 1:
        yield from _fact("Variants", (f"{i} {t}" for i, t in enumerate(game.variants)), "; ")
    yield from _fact("Players", (_player(p) for p in rules.players), ", ")
    yield from _fact("Turns", _turns(game), ", ")
    board = rules.board
    yield f"{'Board':<12}{len(board.places)} positions, directions {' '.join(board.directions)}"[: width()]
    yield ""
    yield from view.board(position.state)
    yield from view.stores(position.state)


def _player(player: model.Player) -> str:
    kinds = {"random": " (by chance)", "neutral": " (without turns)"}
    return player.name + kinds.get(player.kind, "")


def _turns(game: Game) -> Iterator[str]:
    rules = game.program.game
    for number, turn in enumerate(rules.turns):
        words = [rules.players[turn.mover].name]
        if turn.side != turn.mover:
            words.append(f"with {rules.players[turn.side].name}'s pieces")
        if turn.move_type >= 0:
            words.append(f"({game.program.move_types[turn.move_type]})")
        yield ("repeat from here: " if number and number == rules.repeat else "") + " ".join(words)


def _fact(name: str, values: Any, joint: str) -> Iterator[str]:
    """Yield lines with a name in the first column and its values, wrapped, in the second; yield none without values."""
    text = joint.join(values)
    if text:
        yield from textwrap.wrap(text, width(), initial_indent=f"{name:<12}", subsequent_indent=" " * 12)


def _pieces(game: Game) -> Iterator[str]:
    rules, program = game.program.game, game.program
    yield "Pieces"
    column = min(max((len(p.name) for p in rules.pieces), default=1), 24) + 2
    for i, piece in enumerate(rules.pieces):
        blocks = [f"{len(b)} {word} block{'s' * (len(b) > 1)}"
                  for word, b in (("move", program.moves[i]), ("drop", program.drops[i])) if b]
        marks = [a for bit, a in enumerate(rules.attributes) if piece.attributes >> bit & 1]
        facts = ", ".join([*blocks, *(["dummy"] if piece.dummy else []), *marks])
        words = display_lines(piece.help)[0].removeprefix(f"{piece.name}:").strip() if piece.help else ""
        line = f"  {piece.name:<{column}}{facts:<20}  {words}".rstrip()
        yield from textwrap.wrap(line, width(), subsequent_indent=" " * (column + 2), drop_whitespace=True)


def _options(game: Game) -> Iterator[str]:
    rules = game.program.game
    if rules.options.written:
        yield "Options"
        yield from (f"  {name:<24}{value}" for name, value in rules.options.written.items())


def _texts(game: Game) -> Iterator[str]:
    for name, text in game.program.game.texts.items():
        if text and name != "title":
            yield name.capitalize()
            yield display_text(text, width(), "  ")


def _zones(game: Game, view: BoardView) -> Iterator[Iterator[str]]:
    from zrf_py.cli.draw import ZONE

    board, empty = game.program.game.board, game.start().state
    for name, by_player in zip(board.zone_names, board.zones, strict=True):
        for places in dict.fromkeys(p for p in by_player if p):
            players = [p.name for p, own in zip(game.program.game.players, by_player, strict=True) if own == places]
            yield iter([f"Zone {name} of {', '.join(players)}", *view.board(empty, dict.fromkeys(places, ZONE))])


def _piece_names(game: Game, piece: str | None) -> list[str]:
    """Return the names of all pieces; raise `ZrfError` if `piece` is given but not among them."""
    names = [p.name for p in game.program.game.pieces]
    if piece and piece not in names:
        raise ZrfError(f"there is no piece `{piece}`; there are {', '.join(names)}", "unknown-piece")
    return names


def _program(game: Game, piece: str | None) -> Iterator[Iterator[str]]:
    from zrf_py.ir.show import show_piece

    names = _piece_names(game, piece)
    for i, name in enumerate(names):
        if piece in (None, name):
            yield iter([f"Program of {name}", *(f"  {line}".rstrip() for line in show_piece(game.program, i))])
