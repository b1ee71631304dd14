"""Rules files on disk: found by name or path, read with what they include, compiled.

The only module that reads rules files. An included file must lie in the folder of the file that was asked for, below
it, or on the shelf; its name may use backslashes and other capitals than the disk does.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from zrf_py import archives
from zrf_py.data import data_file
from zrf_py.front.decode import decode
from zrf_py.kept import programs_of
from zrf_py.paths import base_name, below, parts_of, same_name
from zrf_py.text import asked
from zrf_py.text.diagnostics import Diagnostic, GaveUp, Report, ZrfError
from zrf_py.text.numbers import whole_number
from zrf_py.text.source import Origin, Source
from zrf_py.text.suggest import listing, suggest

if TYPE_CHECKING:
    from zrf_py.ir.ops import Program

MAX_BYTES = 16 * 1024 * 1024
MAX_NAMED = 30
"""Files of a folder that a message names."""
STDIN = "-"
"""What stands for the standard input."""
TEXT = "<text>"
"""What messages call a text that is in no file."""


@dataclass(frozen=True)
class RulesFile:
    """A compiled file: its programs (the game, then the variants) and what was found in it.

    `programs` can be played; `broken` are those of games with errors, which can't, and which must not be run.
    `included` are the files that it includes, and those that these include.
    """

    path: Path
    programs: tuple[Program, ...]
    report: Report
    broken: tuple[Program, ...] = ()
    included: tuple[Path, ...] = ()

    def check(self) -> None:
        """Raise what has been found if it leaves nothing to play.

        :raises ZrfError: with every problem of the file.
        """
        if not self.programs:
            self.report.check()

    def program(self, variant: str | int | None = None) -> Program:
        """One of the programs: by title (capitals and outer blanks don't matter), by number from 0, or the default.

        :raises ZrfError: if there is no such variant, or no game at all, or the one that is meant has errors.
        """
        asked.want("variant", variant, (str, int, NoneType), "the title of a variant, or its number from 0")
        every = sorted((*self.programs, *self.broken), key=lambda program: program.game.number)
        if not every:
            raise ZrfError(f"{self.path.name} holds no game", "missing-game")
        if variant is None:
            return self._sound(next((p for p in every if p.game.is_default), every[0]))
        if isinstance(variant, int):
            if 0 <= variant < len(every):
                return self._sound(every[variant])
            raise ZrfError(f"{self.path.name} has variants 0 to {len(every) - 1}, not {variant}", "unknown-variant")
        titles = {folded(p.game.title): p for p in reversed((*self.programs, *self.broken))}
        found = titles.get(folded(variant))
        if found is None and variant.isdecimal():
            return self.program(whole_number(variant))
        if found is None:
            guess = suggest(variant, [p.game.title for p in every])
            raise ZrfError([Diagnostic(
                "unknown-variant", f"{self.path.name} has no variant called `{variant}`", None,
                help=f"did you mean `{guess}`?" if guess else "`zrf show` lists the variants of a file")])
        return self._sound(found)

    def _sound(self, program: Program) -> Program:
        if program in self.programs:
            return program
        problems = self.report.errors_of(program.game.number)
        if self.programs:
            problems.append(Diagnostic(
                "variants-left", f"`{program.game.title}` can't be played; other variants of the file can", None,
                help="choose one of " + listing([f"`{p.game.title}`" for p in self.programs]), severity="note"))
        raise ZrfError(problems)


def folded(title: str) -> str:
    """A title as it is compared: without regard to capitals, blanks or the kind of quotation marks."""
    return " ".join(title.replace("`", '"').split()).casefold()


def shelf() -> dict[str, Path]:
    """The rules files that come with zrf_py, by name (the path below `rules/` without `.zrf`)."""
    root = data_file("rules")
    return {p.relative_to(root).with_suffix("").as_posix(): p for p in sorted(root.rglob("*.zrf"))}


def shelf_name(path: Path | None) -> str:
    """The name on the shelf of a rules file that comes with zrf_py; "" for any other."""
    root = data_file("rules")
    return path.relative_to(root).with_suffix("").as_posix() if path and path.is_relative_to(root) else ""


@dataclass(frozen=True)
class Entry:
    """A game of the catalogue; `name` is its file on the shelf, `uses` the parts of the language it needs."""

    id: str
    title: str
    name: str
    players: str
    board: str
    uses: str
    source: str
    status: str


_ROW = re.compile(r"^\| `([^`]+)` \| \[(.*?)\]\((.*?)\.zrf\)" + r" \| (.*?)" * 5 + r" \|$", re.M)


@cache
def catalogue() -> dict[str, Entry]:
    """The games that have an id, by id: from the table in `rules/README.md`, which tests keep as the rules files are.

    So a list needs to read one page and not a hundred games.
    """
    try:
        page = data_file("rules/README.md").read_text("utf-8")
    except FileNotFoundError:
        return {}
    return {row[0]: Entry(*row) for row in _ROW.findall(page)}


_FILE_ROW = re.compile(r"^\| \[(\S+)\]\(\S+\.zrf\) \| .*? \| (.*?) \| (.*?) \|", re.M)


@cache
def shelf_facts() -> dict[str, tuple[str, str]]:
    """Return players and board of the files without a place in the catalogue, by name: from the same page."""
    try:
        page = data_file("rules/README.md").read_text("utf-8")
    except FileNotFoundError:
        return {}
    return {name: (players, board) for name, players, board in _FILE_ROW.findall(page)}


def names() -> list[str]:
    """The names of all games that come with zrf_py: files without a place in the catalogue, then ids of it."""
    listed = {entry.id: entry.name for entry in catalogue().values() if entry.name in shelf()}
    return [*(name for name in shelf() if name not in listed.values()), *listed]


def named(name: str | Path, variant: str | int | None = None) -> tuple[str | Path, str | int | None]:
    """A file and a variant; the id of a game of the catalogue stands for both.

    :raises ZrfError: if the name is neither a text nor a path.
    """
    asked.want("name", name, (str, Path), "the name of a game, or the path of a rules file as `str` or `pathlib.Path`")
    entry = catalogue().get(str(name)) if variant is None and not Path(name).is_file() else None
    return (entry.name, entry.title) if entry else (name, variant)


def find(name: str | Path) -> Path:
    """The file a user means: an existing path, or the name of a rules file of the shelf, or the id of a game in one.

    :raises ZrfError: if there is neither.
    """
    path = Path(name)
    if name == "":
        raise ZrfError([Diagnostic("no-such-game", "the name of the file or game is empty", None,
                                   help="`zrf list` shows the games that come with zrf_py")])
    if path.is_file() or str(name) == STDIN:
        return only_rules_file(archives.unpacked(path), str(name)) if archives.is_archive(path) else path
    within = archives.inside(path)
    if within is not None:
        return within
    known = shelf()
    key = str(name).removesuffix(".zrf")
    by_stem = {p.stem: p for p in known.values()}
    ids = catalogue()
    found = known.get(key) or by_stem.get(key) or (known.get(ids[key].name) if key in ids else None)
    if found is None and path.is_dir():
        return only_rules_file(path, str(name))
    if found is None and _is_device(path):
        raise ZrfError([Diagnostic("not-a-file", f"{name} is neither a file nor a folder", None,
                                   help="`-` reads the standard input")])
    if found is None:
        guess = suggest(key, [*known, *by_stem, *ids])
        raise ZrfError([Diagnostic(
            "no-such-game", f"there is no file and no game called `{name}`", None,
            help=f"did you mean `{guess}`?" if guess else "`zrf list` shows the games that come with zrf_py")])
    return found


def _is_device(path: Path) -> bool:
    """Whether there is something that is neither a file nor a folder: a pipe that may never end, a terminal."""
    try:
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):
        return False


def rules_files(folder: Path) -> list[Path]:
    """The rules files of a folder and of those below it."""
    return [p for p in below(folder) if p.suffix.lower() == ".zrf"]


def only_rules_file(folder: Path, name: str) -> Path:
    """The rules file of a folder or archive that the user calls `name`.

    :raises ZrfError: if it holds none, or several.
    """
    found = rules_files(folder)
    if len(found) == 1:
        return found[0]
    inside = [p.relative_to(folder).as_posix() for p in found]
    raise ZrfError([Diagnostic(
        "not-a-file", f"{name} holds {len(found) or 'no'} rules files", None, notes=tuple(inside[:MAX_NAMED]),
        help=f"name one of them, such as `{name.rstrip('/')}/{inside[0]}`" if inside else "rules files end in .zrf")])


@cache
def _from_stdin() -> bytes:
    return sys.stdin.buffer.read(MAX_BYTES + 1)


def read_source(path: Path) -> Source:
    """The text of a file, or of the standard input.

    :raises ZrfError: if it can't be read, or is too large to be rules.
    """
    return Source(str(path), decode(contents(path)))


def contents(path: Path) -> bytes:
    """The contents of a file, which may lie in an archive (`games.zip/chess/Chess.zrf`).

    :raises ZrfError: if it can't be read, or is too large to be rules.
    """
    try:
        data = _from_stdin() if str(path) == STDIN else archives.member(path)
        if data is None:
            data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else bytes(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ZrfError(f"{path} is larger than {MAX_BYTES // 2**20} MiB: surely no rules file", "too-large")
        return data
    except OSError as error:
        raise ZrfError(f"{path} can't be read: {error.strerror or error}", "unreadable") from None


def load_file(name: str | Path, root: Path | None = None) -> RulesFile:
    """Compile a rules file; problems are in the result's `report`, whose `check()` raises them.

    What it includes must lie in its own folder, in one below it, on the shelf, or in the folder `root` that the user
    trusts.

    :raises ZrfError: if the file can't be found or read.
    """
    path = find(name)
    report = Report()
    return _compiled(path, read_source(path), includer(path, report, root), report)


def load_text(text: str | bytes, folder: str | Path | None = None) -> RulesFile:
    """Compile the text of a rules file that need not be on the disk, as `load_file` does a file.

    What it includes must lie in `folder` or below it, or on the shelf; without a folder, on the shelf.

    :raises ZrfError: if it is too large to be rules.
    """
    asked.want("text", text, (str, bytes), "the text of a rules file as `str` or `bytes`")
    asked.want("folder", folder, (str, Path, NoneType), "the path of a folder as `str` or `pathlib.Path`")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MAX_BYTES:
        raise ZrfError(f"this text is larger than {MAX_BYTES // 2**20} MiB: surely no rules file", "too-large")
    path = Path(data_file("rules") if folder is None else folder) / TEXT
    report = Report()
    return _compiled(Path(TEXT), Source(TEXT, decode(data)), includer(path, report), report)


def check(name: str | Path) -> list[Diagnostic]:
    """
    Every problem of a rules file, all its variants included; an empty list if there is none.

    Of each, `severity` is "error", "warning" or "note", `message` says what is wrong, `help` what to type instead,
    and `str(problem.origin)` is its place as `file:line:column`.

    >>> check("tictactoe")
    []

    :raises ZrfError: if the file can't be found or read.
    """
    return load_file(named(name)[0]).report.items


def _compiled(
    path: Path, source: Source, include: Callable[[str, Origin], Source | None], report: Report,
) -> RulesFile:
    programs: tuple[Program, ...] = ()
    included: dict[Path, None] = {}

    def noted(name: str, origin: Origin) -> Source | None:
        if (found := include(name, origin)) is not None:
            included[Path(found.name)] = None
        return found

    with suppress(GaveUp):
        programs = programs_of(source, noted, report)
    wrong = {program.game.number for program in programs if report.errors_of(program.game.number)}
    sound = tuple(program for program in programs if program.game.number not in wrong)
    broken = tuple(program for program in programs if program.game.number in wrong)
    return RulesFile(path, sound, report, broken, tuple(included))


def includer(
    path: Path, report: Report, root: Path | None = None, read: Callable[[Path], Source] = read_source,
) -> Callable[[str, Origin], Source | None]:
    """Reads the files that `path` includes: its own first, then those of the shelf, which every file may build on."""
    folder, shelves = path.resolve().parent, data_file("rules").resolve()
    trusted = [folder, shelves, *([root.resolve()] if root else [])]
    read = cache(read)

    def include(name: str, origin: Origin) -> Source | None:
        of = origin.span.source.name
        base = folder if of == TEXT else Path(of).resolve().parent
        parts = parts_of(name)
        target = same_name(base, parts) if parts else None
        if target is None or not target.is_file():
            target = _by_base_name(name, folder)
            if target is not None:
                report.add("include-elsewhere", f'"{name}" is not where the rules look for it', origin,
                           severity="warning", help=f"`{target.relative_to(folder).as_posix()}` is read instead")
            elif (target := _of_shelf(parts, shelves)) is None:
                _say_why_missing(name, base, origin, report)
                return None
        if not any(target.resolve().is_relative_to(place) for place in trusted):
            raise ZrfError([Diagnostic(
                "include-outside", f'"{name}" lies outside the folder of the rules file', origin,
                help="a rules file may include files of its own folder and the folders below it, and of the shelf")])
        return read(path if target.resolve() == path.resolve() else target)

    return include


def _say_why_missing(name: str, base: Path, origin: Origin, report: Report) -> None:
    """Of a name that no file can have; of others, whoever reads the rules says that there is no such file."""
    parts = parts_of(name)
    if not name.strip():
        report.add("missing-include", "the name of the file to include is empty", origin,
                   help='write `(include "file.inc")`')
    elif parts is None:
        report.add("missing-include", f"`{name}` is no path that counts from the folder of the rules file", origin,
                   label="not found", help=f"write `{base_name(name) or 'file.inc'}` if it lies there")
    elif ".." not in parts and (there := same_name(base, parts)) is not None and there.is_dir():
        report.add("missing-include", f"`{name}` is a folder", origin, label="no file",
                   help="name one of its files")


def _of_shelf(parts: Sequence[str] | None, shelves: Path) -> Path | None:
    """A file of the shelf by its path below `rules/`; one that is there to be included also by its name alone."""
    if not parts or ".." in parts:
        return None
    target = same_name(shelves, parts)
    if target is None and len(parts) == 1 and parts[0].casefold().endswith(".inc"):
        target = _by_base_name(parts[0], shelves)
    return target if target is not None and target.is_file() else None


def _by_base_name(name: str, folder: Path) -> Path | None:
    """The file of that name in a folder or below it, whatever its capitals, if there is just one."""
    wanted = base_name(name).casefold()
    found = list(islice((p for p in below(folder) if p.name.casefold() == wanted), 2)) if wanted else []
    return found[0] if len(found) == 1 else None
