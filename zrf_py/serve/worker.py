"""Worker process that applies the rules: it answers questions; questions and answers are JSON.

Rules files come from strangers and may be slow or need much memory; here they do no harm, since the server can kill the
process and start another. Its state is only a cache: each question contains all the data that it needs.

    {"op": "view", "game": {"path": …, "variant": …, "stamp": …}, "board": "key", "line": ["Pawn e2 - e4", …]}
    {"ok": {…}, "took": 0.02}  or  {"error": {"code": …, "text": …, "summary": …}, "took": …}

`took` is the processor time in seconds, excluding the time for reading rules.
"""

import base64
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from zrf_py.library import load_file
from zrf_py.play.engines import make_engine
from zrf_py.play.facts import facts_of
from zrf_py.play.formats.record_files import read_record
from zrf_py.play.game import Game
from zrf_py.play.shipped_puzzles import puzzle_at, puzzles_of
from zrf_py.play.zsg import SavedGame, record, write_game
from zrf_py.run.faults import RulesFault
from zrf_py.serve.drafts import draft
from zrf_py.serve.lines import GameLine
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.render import render
from zrf_py.view import drawings
from zrf_py.view.describe import describe, describe_game, destinations
from zrf_py.view.noises import noise, noises

MAX_GAMES, MAX_LINES = 24, 48
"""Maximum numbers of games and of lines in the caches."""
MAX_MESSAGES = 20
UNNOTICED = 0.05
"""Seconds of each answer that don't count towards the switch to machine code: quick rules never need it."""

Question = dict[str, Any]


class Desk:
    """A worker's caches: compiled games and the lines of boards."""

    def __init__(self) -> None:
        self.compiled = lru_cache(MAX_GAMES)(self._compiled)
        self.begun = lru_cache(MAX_LINES)(self._begun)
        self.reading = 0.0
        """Processor time spent on reading rules, in seconds."""

    def game(self, rules: Question) -> Game:
        """Return the game of a question, compiled unless it is cached.

        :raises ZrfError: if its rules have errors.
        """
        return self.compiled(*_key(rules))[0]

    def warnings(self, rules: Question) -> str:
        """Return the warnings about the rules of a question as text; such rules can be played nevertheless."""
        return _text(self.compiled(*_key(rules))[1], rules)

    def _compiled(self, path: str, variant: str | None, stamp: str) -> tuple[Game, list[Diagnostic]]:
        """Return a game and the warnings about its rules; `stamp` changes with the contents of the file."""
        began = time.process_time()
        file = load_file(Path(path))
        file.check()
        program = file.program(variant)
        engine = make_engine(program, "auto", patient=True, unnoticed=UNNOTICED)
        game = Game(program, tuple(p.game.title for p in file.programs), engine, file.path)
        self.reading += time.process_time() - began
        return game, file.report.items

    def _begun(self, board: str | None, *key: Any) -> GameLine:
        return GameLine(self.compiled(*key)[0].start())

    def line(self, question: Question, is_whole: bool = False) -> GameLine:
        """Return the line of a board, advanced to the end of the question's record, or to its first illegal move; with
        `is_whole`, raise `ZrfError` if there is one."""
        line = self.begun(question.get("board"), *_key(question["game"]))
        line.go(question.get("line", ()))
        if is_whole and line.stop:
            raise ZrfError(line.stop, "bad-record")
        return line

    def forget(self) -> None:
        """Clear the caches."""
        self.begun.cache_clear()
        self.compiled.cache_clear()


def _key(rules: Question) -> tuple[str, str | None, str]:
    return rules["path"], rules["variant"], rules["stamp"]


def op_open(desk: Desk, question: Question) -> Any:
    """Return the facts of a game that no move changes."""
    rules = question["game"]
    game = desk.game(rules)
    return {**describe_game(game), "warnings": desk.warnings(rules), "sounds": sorted(noises(game)),
            "puzzles": [row["level"] for row in puzzles_of(game.path, game.title)]}


def op_view(desk: Desk, question: Question) -> Any:
    """Return the drawn position at the end of a record; `stop`: why the record couldn't be followed to its end."""
    return _view(desk.line(question), question)


def op_play(desk: Desk, question: Question) -> Any:
    """Return the view after one more move, which must be legal and written exactly as listed.

    :raises ZrfError: if it isn't.
    """
    line = desk.line(question, is_whole=True)
    text = question["move"]
    if all(move.text != text for move in line.position.moves()):
        line.position.find(text)  # raises an error that names the fault
        raise ZrfError(f"`{text}` is not a legal move here", "no-such-move")
    line.go([*line.texts, text])
    return _view(line, question)


def _view(line: GameLine, question: Question) -> Any:
    drawing, bitmaps = drawings.board_svg(line.position)
    return {**describe(line.position), "svg": drawing, "bitmaps": bitmaps,
            "count": len(line.texts), "plies": line.plies[question.get("plies", 0):], "stop": line.stop,
            "puzzle": puzzle_at(line.position.game.path, line.position.game.title, line.texts)}


def op_think(desk: Desk, question: Question) -> Any:
    """Return a turn of a computer player."""
    from zrf_py.serve import opponents  # workers that only check rules start faster without it

    return {"legs": opponents.choose(desk.line(question).position, question["who"], question["seed"],
                                     question.get("seconds"))}


def op_at_once(desk: Desk, question: Question) -> Any:
    """Return a quickly chosen turn, for when the computer player isn't ready yet."""
    from zrf_py.serve import opponents

    return {"legs": opponents.at_once(desk.line(question).position, question["seed"])}


def op_prepare(desk: Desk, question: Question) -> Any:
    """Do the slow preparations for a computer player's first move in a game."""
    from zrf_py.serve import opponents

    opponents.prepare(desk.game(question["game"]).start())


def op_look(desk: Desk, question: Question) -> Any:
    """Return the best lines of play, and each side's chances."""
    from zrf_py.serve import opponents

    return opponents.look(desk.line(question, is_whole=True).position, question["learn"])


def op_picture(desk: Desk, question: Question) -> Any:
    """Return a small picture of the start position or the end of a record; raise if its moves can't be listed."""
    position = desk.line(question).position if "line" in question else desk.game(question["game"]).start()
    position.moves()
    return {"text": drawings.picture_svg(position)}


def op_facts(desk: Desk, question: Question) -> Any:
    """Return the facts for a game's card, as JSON text."""
    return {"text": json.dumps(asdict(facts_of(desk.game(question["game"]).program)))}


def op_overlay(desk: Desk, question: Question) -> Any:
    """Return the board drawn with a browser's overlays, with or without bitmaps, with signs or letters."""
    drawing, bitmaps = drawings.board_svg(desk.line(question).position, question["overlays"], question["plain"],
                                 question["letters"])
    return {"svg": drawing, "bitmaps": bitmaps}


def op_draft(desk: Desk, question: Question) -> Any:
    """Return a position that a user sets up."""
    return draft(desk.game(question["game"]), question["rules"], question["men"], question["stores"],
                 question["player"])


def op_reach(desk: Desk, question: Question) -> Any:
    """Return the places that the piece on a place can reach only by several legs."""
    return {"ways": destinations(desk.line(question).position, question["start"])}


def op_bitmap(desk: Desk, question: Question) -> Any:
    """Return a bitmap of a rules file, as PNG in base 64; "" if it can't be read."""
    return {"png": drawings.bitmap(question["path"], question["transparent"])}


def op_words(desk: Desk, question: Question) -> Any:
    """Return the rules in words and pictures, as an HTML fragment."""
    from zrf_py.author.words.rules import rules_in_words
    from zrf_py.author.words.writing import fragment

    return {"html": fragment(rules_in_words(desk.game(question["game"]), question["language"]))}


def op_sound(desk: Desk, question: Question) -> Any:
    """Return a sound of a rules file as WAV in base 64; "" if there is none."""
    return {"wav": base64.b64encode(noise(desk.game(question["game"]), question["kind"])).decode("ascii")}


def op_write(desk: Desk, question: Question) -> Any:
    """Return the record as a saved game."""
    line = desk.line(question)
    saved = replace(record(line.position, question["rules"], question["seats"]),
                    variations=tuple((int(parent), str(text)) for parent, text in question.get("variations", ())))
    return {"text": write_game(saved)}


def op_read(desk: Desk, question: Question) -> Any:
    """Parse a saved game: return its rules file, variant, controllers, moves and variations."""
    saved: SavedGame = read_record(question["text"], question.get("name", "this"))
    return {"rules": saved.rules_file, "variant": saved.variant, "seats": saved.seats(),
            "line": [entry.text for entry in saved.entries], "variations": saved.variations}


OPS: dict[str, Callable[[Desk, Question], Any]] = {
    name.removeprefix("op_").replace("_", " "): op for name, op in list(globals().items()) if name.startswith("op_")}


desk = Desk()
"""The caches of this process."""


def answer(text: str) -> bytes:
    """Answer one question; a failure is returned as an answer, too."""
    began = time.process_time() - desk.reading
    question = json.loads(text)
    try:
        reply = {"ok": OPS[question["op"]](desk, question)}
    except ZrfError as error:
        reply = _problem(error, question)
    except MemoryError:
        desk.forget()
        reply = _problem(ZrfError("these rules need more memory than is available", "too-large"), question)
    except RecursionError:
        reply = _problem(ZrfError("these rules are nested too deeply", "too-deep"), question)
    except Exception as error:
        reply = _problem(ZrfError(f"zrf itself failed: {type(error).__name__}: {error}", "internal"), question)
    reply["took"] = time.process_time() - desk.reading - began
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _problem(error: ZrfError, question: Question) -> dict[str, Any]:
    first = next((d for d in error.diagnostics if d.severity == "error"), error.diagnostics[0])
    game = question.get("game", {})
    summary = f"the rules fail in this position: {first.message}" if isinstance(error, RulesFault) else first.message
    return {"error": {"code": first.code, "summary": _inside(summary, game), "text": _text(error.diagnostics, game)}}


def _text(diagnostics: list[Diagnostic], game: Question) -> str:
    """Format messages for users."""
    return _inside(render(diagnostics[:MAX_MESSAGES], width=96), game)


def _inside(text: str, game: Question) -> str:
    """Shorten the paths of files in a text to the parts below the served folder (`games.zip/old/Chess.zrf`), so that
    remote players do not learn where that folder is."""
    below, slash, _ = game.get("name", "").rpartition("/")
    return text.replace(str(Path(game.get("path", "")).parent) + os.sep, below + slash)
