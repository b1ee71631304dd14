"""Helpers of the commands: games by name, positions from the command line, colour, output."""

from __future__ import annotations

import argparse
import codecs
import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from zrf_py.paths import replace_file
from zrf_py.text.diagnostics import Diagnostic, ZrfError, writing_result
from zrf_py.text.numbers import number
from zrf_py.text.render import render

if TYPE_CHECKING:
    from zrf_py.play.game import Game, Position

_EDIT = re.compile(r"\([^()]*\)")
_COMMENT = re.compile(r"^\s*;.*", re.M)


def use_color(wish: str, stream: TextIO | None = None) -> bool:
    """Return whether to use colour: "always", "never", or "auto", which depends on the stream and the environment."""
    if wish != "auto":
        return wish == "always"
    stream = stream or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def add_color(parser: argparse.ArgumentParser) -> None:
    """Add `--color`, the same for all commands."""
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto",
                        help="colour the output (default: %(default)s)")


def add_json(parser: argparse.ArgumentParser, text: str = "print JSON") -> None:
    """Add `--json`; `text` is its help."""
    parser.add_argument("--json", action="store_true", help=text)


def print_json(value: object) -> None:
    """Print plain values as JSON; unless standard output has a Unicode encoding, escape all but ASCII characters."""
    print(json.dumps(value, ensure_ascii=not is_unicode(sys.stdout), indent=2))


def print_problems(problems: Iterable[Diagnostic], color: str = "auto", stream: TextIO | None = None) -> None:
    """Print diagnostics with their source lines, by default to standard output; `color` as in `use_color`."""
    print(render(problems, color=use_color(color, stream), width=width()), file=stream)


def print_left_out(left_out: Mapping[str, Iterable[Diagnostic]]) -> int:
    """Print the rules files that a website leaves out, with their problems; return the exit code."""
    for path, problems in left_out.items():
        print(f"\n{path} was skipped:", file=sys.stderr)
        print_problems(problems, stream=sys.stderr)
    return int(bool(left_out))


def is_unicode(stream: TextIO) -> bool:
    """Return whether the stream has a Unicode encoding."""
    return (stream.encoding or "ascii").lower().replace("-", "").startswith("utf")


PLAIN = str.maketrans({"−": "-", "∞": "inf", "…": "...", "·": "-", "×": "x", "≈": "~", "→": "->", "│": "|", "─": "-",
                       "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "●": "*", "○": "o", "✓": "+"})


def write_anywhere(streams: Iterable[TextIO]) -> None:
    """Make streams write plain substitutes or `?` for characters that their encoding lacks, instead of failing.

    UTF-8 lacks only lone surrogates, which stand for invalid bytes in file names.
    """
    def plain(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        bad = error.object[error.start : error.end].translate(PLAIN)
        return "".join(c if c.isascii() else "?" for c in bad), error.end

    codecs.register_error("zrf-plain", plain)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="zrf-plain")


def _edited(game: Game, edits: str) -> Position:
    """Return the position for `edits`: changes to the start, or the name of a file (changes or a saved game)."""
    from zrf_py.library import contents
    from zrf_py.play.formats.record_files import is_record, position_after, read_record, text_of

    text = edits if edits.lstrip().startswith("(") else text_of(contents(Path(edits)))
    if text is not edits and is_record(text, edits):
        return position_after(read_record(text, Path(edits).name, game), edits, game)
    return game.position("\n".join(_changes(text)))


def _changes(text: str) -> list[str]:
    text = _COMMENT.sub("", text)
    if rest := _EDIT.sub("", text).strip():
        raise ZrfError(f"`{rest[:60]}` is not a valid change to the board", "bad-edit",
                       help="put each change in parentheses, such as `(x a1) (White King e1)`")
    return _EDIT.findall(text)


def write_file(name: str, data: bytes) -> None:
    """Write a file named by an option; - is standard output.

    :raises ZrfError: if it can't be written; an existing file is left as it was.
    """
    if name == "-":
        sys.stdout.buffer.write(data)
        return
    with writing_result(name or "a file without a name"):
        replace_file(Path(name), data)


def can_write(name: str | None, check: Callable[[object], AbstractContextManager[None]] = writing_result) -> None:
    """Check that a file can be written before its contents are computed.

    :raises ZrfError: if its folder doesn't exist, or the name is that of a folder or refused by `check`.
    """
    if not name or name == "-":
        return
    with check(name):
        path = Path(name).absolute()
        reason = "is a folder" if path.is_dir() else "" if path.parent.is_dir() else "is in a folder that doesn't exist"
    if reason:
        raise ZrfError(f"{name} can't be written: it {reason}", "unwritable", help="name a file in an existing folder")


@contextmanager
def live(describe: Callable[[Any], str]) -> Iterator[Callable[[Any], None] | None]:
    """Yield a callback that shows `describe(value)` on standard error in place of the previous text; yield None if
    standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.status import Status
    from rich.text import Text

    with Status("searching", console=Console(stderr=True)) as status:
        yield lambda value: status.update(Text(describe(value)))


@contextmanager
def beside(output: str | None) -> Iterator[None]:
    """Redirect printed text to standard error if `output` is "-", so that standard output holds only the data."""
    if output != "-":
        yield
        return
    with redirect_stdout(sys.stderr):
        yield


def one_output(*names: str | None) -> None:
    """Check that at most one output goes to standard output; callers pass "-" for `--json`.

    :raises ZrfError: if more than one name is "-".
    """
    if names.count("-") > 1:
        raise ZrfError("only one output can go to standard output", "usage", help="write one of them to a file")


def no_output(option: str, name: str | None, noun: str) -> None:
    """Check that an option which can't be a stream, such as a folder or a database, is not "-".

    :raises ZrfError: if `name` is "-".
    """
    if name == "-":
        raise ZrfError(f"`{option} -`: standard output can't be used as a {noun}", "usage",
                       help=f"type the path of a {noun}; if its name is `-`, type `./-`")


def width(limit: int = 100) -> int:
    """Return the number of columns of the terminal, but at least 40 and at most `limit`."""
    return max(40, min(shutil.get_terminal_size((80, 24)).columns, limit))


def add_game(parser: argparse.ArgumentParser, other: str = "") -> None:
    """Add the arguments that name a game; `other` continues the help text."""
    parser.add_argument("name", metavar="NAME|FILE", help=f"a bundled game (see `zrf list`) or a rules file{other}")
    parser.add_argument("--variant", metavar="V", help="title or number of a variant (the first is 0)")


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add the command-line options that `open_position` takes."""
    parser.add_argument("--position", metavar="FILE|EDITS",
                        help="changes to the start position, such as '(x a1) (White King e1)', a file of changes, "
                        "or a saved game (.zsg, .pgn, .fen and the other formats of `zrf convert`)")
    parser.add_argument("--play", metavar="MOVES", help="moves to play first, separated by semicolons or commas")


def add_engine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--engine", choices=("interpret", "native", "auto"), default="auto",
                        help="engine that runs the rules (default: %(default)s)")


def open_game(name: str, variant: str | None = None, engine: str = "auto") -> Game:
    """Load the game that the user names; warnings about its rules are left to `zrf check`.

    :raises ZrfError: if it can't be found or its rules have errors.
    """
    from zrf_py.library import load_file, named
    from zrf_py.play.engines import make_engine
    from zrf_py.play.game import Game

    path, chosen = named(name, variant)
    file = load_file(path)
    file.check()
    titles = [p.game.title for p in file.programs]
    program = file.program(chosen)
    return Game(program, tuple(titles), make_engine(program, engine, patient=True), file.path)


def open_position(args: argparse.Namespace, engine: str = "auto") -> Position:
    """Return the position that the options of `add_game` and `add_position` describe.

    :raises ZrfError: if there is no such game, a change names something unknown, or a move isn't legal.
    """
    from zrf_py.play.foreign import foreign_note, missing_rules
    from zrf_py.play.turn_text import played_on

    game = open_game(args.name, args.variant, engine)
    if missing_rules(game.program):
        print(f"note: {foreign_note(game.program)}", file=sys.stderr)
    position = _edited(game, args.position) if args.position else game.start()
    return played_on(position, args.play) if args.play else position


def note_archives(names: Iterable[str]) -> None:
    """Print how many archives the named folders contain, if any, since files in archives are not changed."""
    from zrf_py.archives import is_archive

    count = sum(is_archive(path) for name in names for path in Path(name).rglob("*"))
    if count:
        print(f"({number(count, 'archive')} unchanged: to change files in an archive, unpack it)", file=sys.stderr)


def typed(convert: Callable[[str], float], noun: str, accepts: Callable[[float], bool] = lambda number: True,
          ) -> Callable[[str], float]:
    """Return an argument type for `argparse`: `convert`, with the message "not NOUN" for texts that it refuses."""
    def checked(text: str) -> float:
        with suppress(ValueError):
            if accepts(number := convert(text)):
                return number
        raise argparse.ArgumentTypeError(f"`{text[:40]}` is not {noun}")

    return checked


def whole(least: int, most: int = 2**31 - 1) -> Callable[[str], float]:
    """Return an argument type for `argparse`: a whole number from `least` to `most`, written in digits alone."""
    return typed(lambda text: int(text if text.isdecimal() else ""), f"a whole number from {least:,} to {most:,}",
                 lambda number: least <= number <= most)


above_zero = typed(float, "a number above 0", lambda number: 0 < number < 1e7)


def is_place(name: str) -> bool:
    """Return True for the name of a folder or an archive, unless a bundled game has that name, too."""
    from zrf_py.archives import is_archive
    from zrf_py.library import shelf

    return bool(name) and name not in shelf() and (Path(name).is_dir() or is_archive(Path(name)))
