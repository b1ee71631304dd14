"""Rules files on disk: found by name or path, read with their includes, and compiled.

Only this module reads rules files. An included file must be in the folder of the rules file, below it, in `std/`, or on
the shelf (the rules files that ship with zrf_py); its name may contain backslashes, and case is ignored.
"""

from __future__ import annotations

import os
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
from zrf_py.catalogue import by_title, catalogue, folded
from zrf_py.data import data_file
from zrf_py.front.decode import decode
from zrf_py.kept import programs_of
from zrf_py.paths import base_name, below, parts_of, same_name
from zrf_py.text import arguments
from zrf_py.text.diagnostics import Diagnostic, GaveUp, Report, ZrfError
from zrf_py.text.numbers import whole_number
from zrf_py.text.source import Origin, Source
from zrf_py.text.suggest import clipped, did_you_mean, listing, suggest

if TYPE_CHECKING:
    from zrf_py.ir.ops import Program

MAX_BYTES = 16 * 1024 * 1024
MAX_NAMED = 30
"""Maximum number of files that a message lists."""
STDIN = "-"
"""File name that stands for standard input."""
STANDARD = Path(__file__).resolve().with_name("std")
"""Folder of the macros that come with zrf_py."""
TEXT = "<text>"
"""Name in messages for a text that is in no file."""


@dataclass(frozen=True)
class RulesFile:
    """A compiled file: its programs (the game, then the variants) and the report of its problems.

    `programs` are playable; `broken` holds those of games with errors, which must not be run.
    `included` holds the files that it includes, directly or indirectly.
    """

    path: Path
    programs: tuple[Program, ...]
    report: Report
    broken: tuple[Program, ...] = ()
    included: tuple[Path, ...] = ()

    def check(self) -> None:
        """Raise the file's errors if it has no playable program.

        :raises ZrfError: with every problem of the file.
        """
        if not self.programs:
            self.report.check()

    def program(self, variant: str | int | None = None) -> Program:
        """Return a program by title (ignoring case and extra blanks), by number from 0, or (None) the default one.

        :raises ZrfError: if there is no such variant or no game at all, or it has errors.
        """
        arguments.want("variant", variant, (str, int, NoneType), "a variant's title, or its number from 0")
        every = sorted((*self.programs, *self.broken), key=lambda program: program.game.number)
        name = self.path.name if shelf_name(self.path) else archives.shown(self.path)  # folders may have the same names
        if not every:
            raise ZrfError(f"{name} contains no game", "missing-game")
        if variant is None:
            return self._sound(next((p for p in every if p.game.is_default), every[0]))
        if isinstance(variant, int):
            if 0 <= variant < len(every):
                return self._sound(every[variant])
            others = f"they go from 0 to {len(every) - 1}" if len(every) > 1 else "its only game is number 0"
            raise ZrfError(f"{name} has no variant {variant}: {others}", "unknown-variant")
        titles = {folded(p.game.title): p for p in reversed((*self.programs, *self.broken))}
        program = titles.get(folded(variant))
        if program is None and variant.isdecimal():
            return self.program(whole_number(variant))
        if program is None:
            raise ZrfError(f"{name} has no variant called `{variant}`", "unknown-variant", help=did_you_mean(
                variant, [p.game.title for p in every], "`zrf show FILE` lists the variants of a file"))
        return self._sound(program)

    def _sound(self, program: Program) -> Program:
        if program in self.programs:
            return program
        problems = self.report.errors_of(program.game.number)
        if self.programs:
            problems.append(Diagnostic(
                "variants-left", f"`{program.game.title}` can't be played, but other variants of the file can", None,
                help="choose one of " + listing([f"`{p.game.title}`" for p in self.programs]), severity="note"))
        raise ZrfError(problems)


def shelf() -> dict[str, Path]:
    """Return the rules files that ship with zrf_py, by name (the path below `rules/` without `.zrf`)."""
    root = data_file("rules")
    return {p.relative_to(root).with_suffix("").as_posix(): p for p in sorted(root.rglob("*.zrf"))}


def shelf_name(path: Path | None) -> str:
    """Return a rules file's name on the shelf; "" if it is not there."""
    root = data_file("rules")
    return path.relative_to(root).with_suffix("").as_posix() if path and path.is_relative_to(root) else ""


def names() -> list[str]:
    """Return the names of all games that ship with zrf_py: files outside the catalogue, then the catalogue's ids."""
    listed = {entry.id: entry.name for entry in catalogue().values() if entry.name in shelf()}
    return [*(name for name in shelf() if name not in listed.values()), *listed]


def named(name: str | Path, variant: str | int | None = None) -> tuple[str | Path, str | int | None]:
    """Resolve a catalogue id or a title to (file, variant); with a `variant`, or any other name, return both unchanged.

    :raises ZrfError: if the name is neither a string nor a path.
    """
    arguments.want("name", name, (str, Path),
                   "the name of a game, or the path of a rules file as `str` or `pathlib.Path`")
    if variant is not None or os.path.isfile(name):
        return name, variant
    if entry := catalogue().get(str(name)):
        return entry.name, entry.title
    is_name = os.path.exists(name) or str(name).removesuffix(".zrf") in shelf()
    return (name, None) if is_name else by_title().get(folded(str(name)), (name, None))


def find(name: str | Path) -> Path:
    """Return the rules file that a name stands for: a path (file, folder, archive), a shelf name, a catalogue id or a
    title, English or German.

    :raises ZrfError: if there is none, or a folder or archive holds several.
    """
    if name == "":
        raise ZrfError("the name of the file or game is empty", "no-such-game",
                       help="`zrf list` lists the bundled games")
    path = archives.on_disk(Path(name))
    if path.suffix.lower() in archives.RECORDS and os.path.isfile(path):
        raise ZrfError(f"{name} is a saved game, not rules", "not-a-file",
                       help=f"play: `zrf play --load {name}`; review: `zrf analyse {name} --review`")
    if os.path.isfile(path) or str(name) == STDIN:
        return only_rules_file(archives.unpacked(path), str(name)) if archives.is_archive(path) else path
    files = shelf()
    key = str(name).removesuffix(".zrf")
    by_stem = {p.stem: p for p in files.values()}
    ids = catalogue()
    file = files.get(key) or by_stem.get(key) or (files.get(ids[key].name) if key in ids else None)
    if file is None and os.path.isdir(path):
        return only_rules_file(path, str(name))
    file = file or files.get(by_title().get(folded(key), ("", ""))[0])
    if file is None and os.path.lexists(path):
        kind = "a broken link" if path.is_symlink() else "neither a file nor a folder"
        raise ZrfError(f"{name} is {kind}", "not-a-file", help="`-` reads standard input")
    if file is None:
        meant = did_you_mean(key, [*files, *by_stem, *ids], "`zrf list` lists the bundled games")
        raise ZrfError(f"there is no file or bundled game called `{clipped(str(name))}`", "no-such-game", help=meant)
    return file


def rules_files(folder: Path) -> list[Path]:
    """Return the rules files of a folder and of its subfolders."""
    return [p for p in below(folder) if p.suffix.lower() == ".zrf"]


def only_rules_file(folder: Path, name: str) -> Path:
    """Return the only rules file of a folder or archive; messages call the folder `name`.

    :raises ZrfError: if it holds none, or several.
    """
    files = rules_files(folder)
    if len(files) == 1:
        return files[0]
    inside = [p.relative_to(folder).as_posix() for p in files or filter(archives.is_archive, below(folder))]
    raise ZrfError([Diagnostic(
        "not-a-file", f"{name} contains {len(files) or 'no'} rules files", None, notes=tuple(inside[:MAX_NAMED]),
        help=f"name one of them, such as `{name.rstrip('/')}/{inside[0]}`" if inside else "rules files end in .zrf")])


@cache
def _from_stdin() -> bytes:
    return sys.stdin.buffer.read(MAX_BYTES + 1)


def read_source(path: Path) -> Source:
    """Read and decode a rules file, or the standard input.

    :raises ZrfError: if it can't be read, or is too large to be rules.
    """
    return Source(str(archives.shown(path)), decode(contents(path)))


def contents(path: Path, kind: str = "rules file") -> bytes:
    """Return the bytes of a file, which may be in an archive (`games.zip/chess/Chess.zrf`), or of standard input.

    :raises ZrfError: if it can't be read, or is larger than `MAX_BYTES`.
    """
    try:
        data = _from_stdin() if str(path) == STDIN else archives.member(path)
        if data is None:
            file = archives.on_disk(path)
            data = file.read_bytes() if file.stat().st_size <= MAX_BYTES else bytes(MAX_BYTES + 1)
    except OSError as error:
        raise ZrfError(f"{archives.shown(path)} can't be read: {error.strerror or error}", "unreadable") from None
    if len(data) > MAX_BYTES:
        raise ZrfError(f"{archives.shown(path)} is larger than {MAX_BYTES >> 20} MiB: not a {kind}", "too-large")
    return data


def load_file(name: str | Path, root: Path | None = None) -> RulesFile:
    """Compile a rules file; problems are in the result's `report`, whose `check()` raises them.

    Included files must be in its own folder, below it, in `std/`, on the shelf, or in the trusted folder `root`.

    :raises ZrfError: if the file can't be found or read, or an include leads outside these folders.
    """
    path = find(name)
    report = Report()
    return _compiled(path, read_source(path), includer(path, report, root), report)


def load_text(text: str | bytes, folder: str | Path | None = None) -> RulesFile:
    """Compile the text of a rules file, which need not be on disk; see `load_file`.

    Included files must be in `folder` (if one is given), below it, in `std/`, or on the shelf.

    :raises ZrfError: if the text is too large to be rules, or an include leads outside these folders.
    """
    arguments.want("text", text, (str, bytes), "the text of a rules file as `str` or `bytes`")
    if folder is not None and not (isinstance(folder, str | Path) and os.path.isdir(folder)):
        raise arguments.bad("folder", folder, "give the path of a folder that exists, as `str` or `pathlib.Path`")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MAX_BYTES:
        raise ZrfError(f"this text is larger than {MAX_BYTES // 2**20} MiB: not a rules file", "too-large")
    path = Path(data_file("rules") if folder is None else folder) / TEXT
    report = Report()
    return _compiled(Path(TEXT), Source(TEXT, decode(data)), includer(path, report), report)


def check(name: str | Path) -> list[Diagnostic]:
    """Return every problem of a rules file, including its variants; an empty list if there is none.

    Each has a `severity` ("error", "warning" or "note"), a `message`, a `help` text with what to type instead, and a
    location, `file:line:column` as `str(problem.origin)`.

    >>> check("tictactoe")
    []

    :raises ZrfError: if the file can't be found or read, or an include leads outside its folder and the shelf.
    """
    return load_file(named(name)[0]).report.items


def _compiled(
    path: Path, source: Source, include: Callable[[str, Origin], Source | None], report: Report,
) -> RulesFile:
    programs: tuple[Program, ...] = ()
    included: dict[Path, None] = {}

    def recording(name: str, origin: Origin) -> Source | None:
        if (part := include(name, origin)) is not None:
            included[archives.on_disk(Path(part.name))] = None
        return part

    with suppress(GaveUp):
        programs = programs_of(source, recording, report)
    wrong = {program.game.number for program in programs if report.errors_of(program.game.number)}
    sound = tuple(program for program in programs if program.game.number not in wrong)
    broken = tuple(program for program in programs if program.game.number in wrong)
    return RulesFile(path, sound, report, broken, tuple(included))


def includer(
    path: Path, report: Report, root: Path | None = None, read: Callable[[Path], Source] = read_source,
) -> Callable[[str, Origin], Source | None]:
    """Return a function that reads the files that `path` includes: from its folders first, then `std/`, then the shelf.

    The function returns None for a missing file, and raises `ZrfError` for one outside the trusted folders.
    """
    folder, shelves = path.resolve().parent, data_file("rules").resolve()
    trusted = [folder, shelves, STANDARD, *([root.resolve()] if root else [])]
    read = cache(read)

    def include(name: str, origin: Origin) -> Source | None:
        of = origin.span.source.name
        base = folder if of == TEXT else archives.on_disk(Path(of)).resolve().parent
        parts = parts_of(name)
        target = same_name(base, parts) if parts else None
        if target is None or not target.is_file():
            target = _standard(parts) or _by_base_name(name, folder)
            if target is not None and not target.is_relative_to(STANDARD):
                report.add("include-elsewhere", f'"{name}" is not at this path', origin,
                           severity="warning", help=f"`{target.relative_to(folder).as_posix()}` is read instead")
            elif target is None and (target := _of_shelf(parts, shelves)) is None:
                _report_missing(name, base, origin, report)
                return None
        if not any(target.resolve().is_relative_to(place) for place in trusted):
            raise ZrfError([Diagnostic(
                "include-outside", f'"{name}" is outside the folder of the rules file', origin,
                help="a rules file may include files from its folder, from subfolders, and from the bundled rules")])
        return read(path if target.resolve() == path.resolve() else target)

    return include


def _report_missing(name: str, base: Path, origin: Origin, report: Report) -> None:
    """Report an empty, absolute or misspelt name, or a folder; `read_forms` reports any other missing file."""
    parts = parts_of(name)
    if not name.strip():
        report.add("missing-include", "the name of the file to include is empty", origin,
                   help='write `(include "file.inc")`')
    elif parts is None:
        report.add("missing-include", f"`{name}` is not a path relative to the folder of the rules file", origin,
                   label="not found", help=f"write `{base_name(name) or 'file.inc'}` if the file is in that folder")
    elif ".." not in parts and (other := same_name(base, parts)) is not None and other.is_dir():
        report.add("missing-include", f"`{name}` is a folder", origin, label="a folder",
                   help="name one of its files")
    else:
        base = STANDARD if parts and parts[0] == STANDARD.name else base
        files = {path.stem: path.name for path in base.iterdir() if path.suffix.lower() in (".zrf", ".inc")}
        if near := suggest(base_name(name).rpartition(".")[0], files):
            report.add("missing-include", f"there is no file `{name}` to include", origin, label="not found",
                       help=f"did you mean `{name[: -len(base_name(name))]}{files[near]}`?")


def _standard(parts: Sequence[str] | None) -> Path | None:
    """Return the bundled file of macros that is included as `std/NAME.zrf`; None for other names."""
    target = STANDARD / parts[1] if parts and len(parts) == 2 and parts[0] == STANDARD.name else None
    return target if target is not None and target.suffix == ".zrf" and target.is_file() else None


def _of_shelf(parts: Sequence[str] | None, shelves: Path) -> Path | None:
    """Return a bundled file by its path below `rules/`, or an `.inc` file by its unique base name; None if missing."""
    if not parts or ".." in parts:
        return None
    target = same_name(shelves, parts)
    if target is None and len(parts) == 1 and parts[0].casefold().endswith(".inc"):
        target = _by_base_name(parts[0], shelves)
    return target if target is not None and target.is_file() else None


def _by_base_name(name: str, folder: Path) -> Path | None:
    """Return the only file with a base name (ignoring case) in or below a folder; None unless there is exactly one."""
    folded = base_name(name).casefold()
    files = list(islice((p for p in below(folder) if p.name.casefold() == folded and p.is_file()), 2)) if folded else []
    return files[0] if len(files) == 1 else None
