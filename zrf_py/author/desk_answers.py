"""Answers, as JSON, to the rules editor's requests about a text; every host of the editor's page uses them.

`serve/desk.py` is the host on a server. Offsets are in UTF-16 code units, as in browsers.
"""

from pathlib import Path
from typing import Any

from zrf_py.author.desk_state import Message, Units, edits_here, state
from zrf_py.author.editor import setup
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.complete import completions
from zrf_py.author.editor.hover import hover
from zrf_py.author.editor.rename import Edit, definitions, rename
from zrf_py.author.editor.room import Bench
from zrf_py.author.editor.workshop import Document
from zrf_py.author.format.files import format_text
from zrf_py.author.format.layout import formatted
from zrf_py.author.new.templates import BOARDS, KINDS, new_game
from zrf_py.author.visual import boards
from zrf_py.author.visual.drawn import Drawn, code_of, piece_at, redraw
from zrf_py.author.visual.played import picture_of
from zrf_py.author.why.explainer import why_move
from zrf_py.author.why.objects import Objects
from zrf_py.author.words.rules import rules_in_words
from zrf_py.author.words.writing import fragment
from zrf_py.catalogue import catalogue, folded
from zrf_py.front.decode import decode
from zrf_py.library import contents, load_text, shelf
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game, Position
from zrf_py.play.turn_text import played_on
from zrf_py.run.position import NOBODY
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source

MAX_SQUARES = 2_000
SIZE = 5
"""Rows and columns of a new game."""


def completed(analysis: Analysis, source: Source, message: Message) -> Message:
    """Return the completions at the message's offset; the analysis may be of an earlier text."""
    units = Units(source.text)
    offered = completions(analysis, source, units.back(int(message["at"])))
    return {"from": units.out(offered.start), "to": units.out(offered.end), "complete": offered.complete,
            "items": [[i.word, i.kind, i.detail] for i in offered.items]}


def laid_out(path: Path, text: str) -> Message:
    """Return a text in the standard style.

    :raises ZrfError: if it can't be formatted.
    """
    result = format_text(str(path), text, path)
    if result.problems:
        raise ZrfError(list(result.problems))
    return {"text": result.after}


def starts(path: Path) -> Message:
    """Return the kinds of templates, and each kind's small game (text, picture) on each board; `path` names it."""
    title = path.stem.replace("-", " ").title()
    return {"kinds": KINDS, "small": {board: {kind: _small(kind, title, board) for kind in KINDS} for board in BOARDS}}


def _small(kind: str, title: str, board: str) -> Message:
    text = formatted(new_game(kind, title, SIZE, board))
    program = load_text(text).program()
    return {"text": text, "svg": Game(program, (), make_engine(program, "interpret"), None).start().svg()}


def bundled(name: str) -> Message:
    """Return the text of a bundled game."""
    return {"text": decode(contents(shelf()[catalogue()[name].name if name in catalogue() else name]))}


def news(bench: Bench, document: Document, analysis: Analysis) -> Message | None:
    """Return the `state` of a text in a room, with the paths of all files read; None before it is compiled."""
    included = [Path(source.name).resolve() for source in analysis.files]
    return None if analysis.quick else {**state(analysis, document.version), "included": included}


def reply(bench: Bench, document: Document, message: Message) -> Any:
    """Answer a request about a document that is open in the editor."""
    if message["what"] == "complete":
        return completed(document.analysis or bench.current(document), document.source, message)
    if message["what"] == "format":
        return laid_out(document.path or Path(document.name), document.source.text)
    return answered(bench.current(document), message)


def answered(analysis: Analysis, message: Message) -> Any:
    """Answer a request about a compiled text."""
    units = Units(analysis.source.text)
    at = units.back(int(message.get("at", 0)))
    match message["what"]:
        case "hover":
            info = hover(analysis, at)
            return info and {"from": units.out(info.start), "to": units.out(info.end), "text": info.text}
        case "definition":
            spans = [s for s in definitions(analysis, at) if s.source is analysis.source]
            return [[units.out(s.start), units.out(s.end)] for s in spans]
        case "rename":
            return edits_here(analysis, rename(analysis, at, str(message["name"])), units)
        case "board":
            return board(game_of(analysis, str(message["title"])))
        case "set-up":
            men = {str(s): (str(p), str(k)) for s, p, k in message["men"][:MAX_SQUARES]}
            stores = {(str(p), str(k)): int(n) for p, k, n in message["stores"][:MAX_SQUARES]}
            return edits_here(analysis, setup.set_up(analysis, str(message["title"]), men, stores), units)
        case "moves":
            return moves_of(analysis, message, at)
        case "draw-moves":
            drawn = [Drawn(tuple(map(str, path)), bool(slides), str(takes), str(zone), str(becomes))
                     for path, slides, takes, zone, becomes in message["moves"][:MAX_SQUARES]]
            return edits_here(analysis, redraw(analysis, str(message["title"]), str(message["piece"]), drawn), units)
        case "board-parts" if not analysis.source.text.strip():
            lists = dict.fromkeys(("zones", "players", "points", "links"), ())
            return {**lists, "svg": '<svg xmlns="http://www.w3.org/2000/svg"/>'}
        case "make-board" if not analysis.source.text.strip():
            title = Path(analysis.source.name).stem.replace("-", " ").title()
            return [[0, units.out(len(analysis.source.text)), boards.first_game(title, made_board(message, None))]]
        case "board-parts":
            return boards.parts_of(game_of(analysis, str(message["title"])))
        case "make-board":
            return edits_here(analysis, new_board(analysis, message), units)
        case "zone":
            players, squares = (list(map(str, message[name])) for name in ("players", "squares"))
            zone = boards.paint(analysis, str(message["title"]), str(message["name"]), players, squares[:MAX_SQUARES])
            return edits_here(analysis, zone, units)
        case "why":
            return explained(game_of(analysis, str(message["title"])), str(message["play"]), str(message["question"]))
        case "words":
            game = game_of(analysis, str(message["title"]))
            return {"html": fragment(rules_in_words(game, str(message["language"])))}
    raise KeyError(message["what"])


def board(game: Game) -> Message:
    """Return a game's start position for the board editor: the drawing, the pieces, the players and piece types."""
    position = game.start()
    rules = game.program.game
    stores = [[rules.players[p].name, rules.pieces[k].name, n] for p, row in enumerate(position.state.stores)
              for k, n in enumerate(row) if n]
    return {"svg": position.svg(overlays=("zones",)), "men": men_of(position), "stores": stores,
            "players": [p.name for p in rules.players], "pieces": [p.name for p in rules.pieces]}


def new_board(analysis: Analysis, message: Message) -> list[Edit]:
    """Return the edits that replace the board by the one in the message; pieces stay if both boards have their square.

    :raises ZrfError: if the board can't be made.
    """
    game = game_of(analysis, str(message["title"]))
    new = made_board(message, game)
    edits, old = boards.make_board(analysis, game, new), board(game)
    rest = {square: (player, piece) for square, player, piece in old["men"] if square in new.squares}
    stores = {(player, piece): number for player, piece, number in old["stores"]}
    return edits + (setup.set_up(analysis, game.title, rest, stores) if len(rest) < len(old["men"]) else [])


def made_board(message: Message, game: Game | None) -> boards.Made:
    """Return the board that a message gives by kind and size, or by points and links; raise `ZrfError` if it is bad."""
    if message["kind"] == "points":
        points = {str(name): (int(x), int(y)) for name, x, y in message["points"][:MAX_SQUARES]}
        links = {str(direction): [(str(a), str(b)) for a, b in steps] for direction, steps in message["links"].items()}
        return boards.pointed(points, links, game.program.game.board if game else None)
    return boards.shaped(str(message["kind"]), int(message["columns"]), int(message["rows"]))


def moves_of(analysis: Analysis, message: Message, at: int) -> Message:
    """Return the picture and editable moves of the `piece` in the message (default: the one at `at`, or the first)."""
    title = str(message["title"])
    game = game_of(analysis, title)
    rules = game.program.game
    pieces = [piece.name for piece in rules.pieces]
    piece = message.get("piece") or piece_at(analysis, title, at)
    piece = piece if piece in pieces else pieces[0]
    code = code_of(analysis, title, piece)
    return {**picture_of(game, piece, str(message.get("start", "")))._asdict(), "piece": piece, "pieces": pieces,
            "drawn": code.drawn, "kept": code.opaque, "problem": code.problem,
            "zones": list(rules.board.zone_names), "squares": [place.name for place in rules.board.places]}


def men_of(position: Position) -> list[list[str]]:
    """Return the pieces on the board, each as [square, player, type]."""
    rules, state = position.game.program.game, position.state
    return [[place.name, rules.players[state.owner[i]].name, rules.pieces[state.piece[i]].name]
            for i, place in enumerate(rules.board.places) if state.owner[i] != NOBODY]


def explained(game: Game, played: str, question: str) -> Message:
    """Explain why a move is legal or not after the moves `played`; `svg` is the board on which to show each step."""
    position = played_on(game.start(), played)
    return {"svg": position.svg(), "answer": Objects(position).answer(why_move(position, question))}


def game_of(analysis: Analysis, title: str) -> Game:
    """Return the game with this title, or else the first; it is interpreted, as texts change too often to compile it.

    :raises ZrfError: if the text has errors, or no game.
    """
    if analysis.errors or not analysis.stages.programs:
        raise ZrfError("the rules have errors; fix them first", "rules-with-errors")
    programs = analysis.stages.programs
    program = next((p for p in programs if folded(p.game.title) == folded(title)), programs[0])
    return Game(program, tuple(p.game.title for p in programs), make_engine(program, "interpret"), analysis.path)
