"""Rules files on disk: found by name or path, read with what they include, compiled.

The only module that reads rules files. An included file must lie in the folder of the file that was asked for, or
below it; its name may use backslashes and other capitals than the disk does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PureWindowsPath

from zrf_py.compile import compile_source
from zrf_py.data import data_file
from zrf_py.front.forms import decode
from zrf_py.ir.ops import Program
from zrf_py.text.diagnostics import Diagnostic, GaveUp, Report, ZrfError
from zrf_py.text.source import Origin, Source
from zrf_py.text.suggest import suggest

MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True)
class RulesFile:
    """A compiled file: its programs (the game, then the variants) and what was found in it."""

    path: Path
    programs: tuple[Program, ...]
    report: Report

    def program(self, variant: str | int | None = None) -> Program:
        """One of the programs: by title (capitals and outer blanks don't matter), by number from 0, or the default.

        :raises ZrfError: if there is no such variant, or no game at all.
        """
        if not self.programs:
            raise ZrfError(f"{self.path.name} holds no game", "missing-game")
        if variant is None:
            return next((p for p in self.programs if p.game.is_default), self.programs[0])
        if isinstance(variant, int):
            if 0 <= variant < len(self.programs):
                return self.programs[variant]
            raise ZrfError(f"{self.path.name} has variants 0 to {len(self.programs) - 1}, not {variant}",
                           "unknown-variant")
        titles = {folded(p.game.title): p for p in reversed(self.programs)}
        found = titles.get(folded(variant))
        if found is None:
            guess = suggest(variant, [p.game.title for p in self.programs])
            raise ZrfError([Diagnostic(
                "unknown-variant", f"{self.path.name} has no variant called `{variant}`", None,
                help=f"did you mean `{guess}`?" if guess else "`zrf show` lists the variants of a file")])
        return found


def folded(title: str) -> str:
    """A title as it is compared: without regard to capitals, blanks or the kind of quotation marks."""
    return " ".join(title.replace("`", '"').split()).casefold()


def shelf() -> dict[str, Path]:
    """The rules files that come with zrf_py, by name (the path below `rules/` without `.zrf`)."""
    root = data_file("rules")
    return {p.relative_to(root).with_suffix("").as_posix(): p for p in sorted(root.rglob("*.zrf"))}


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


def named(name: str | Path, variant: str | int | None = None) -> tuple[str | Path, str | int | None]:
    """A file and a variant; the id of a game of the catalogue stands for both."""
    entry = catalogue().get(str(name)) if variant is None and not Path(name).exists() else None
    return (entry.name, entry.title) if entry else (name, variant)


def find(name: str | Path) -> Path:
    """The file a user means: an existing path, or the name of a rules file of the shelf, or the id of a game in one.

    :raises ZrfError: if there is neither.
    """
    path = Path(name)
    if path.is_file():
        return path
    if path.is_dir():
        raise ZrfError([Diagnostic("not-a-file", f"{name} is a folder", None,
                                   help="name one of the rules files in it")])
    known = shelf()
    key = str(name).removesuffix(".zrf")
    by_stem = {p.stem: p for p in known.values()}
    ids = catalogue()
    found = known.get(key) or by_stem.get(key) or (known.get(ids[key].name) if key in ids else None)
    if found is None:
        guess = suggest(key, [*known, *by_stem, *ids])
        raise ZrfError([Diagnostic(
            "no-such-game", f"there is no file and no game called `{name}`", None,
            help=f"did you mean `{guess}`?" if guess else "`zrf list` shows the games that come with zrf_py")])
    return found


def read_source(path: Path) -> Source:
    """The text of a file.

    :raises ZrfError: if it can't be read, or is too large to be rules.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ZrfError(f"{path} is larger than {MAX_BYTES // 2**20} MiB: surely no rules file", "too-large")
        return Source(str(path), decode(path.read_bytes()))
    except OSError as error:
        raise ZrfError(f"{path} can't be read: {error.strerror or error}", "unreadable") from None


def load_file(name: str | Path) -> RulesFile:
    """Compile a rules file; problems are in the result's `report`, whose `check()` raises them.

    :raises ZrfError: if the file can't be found or read.
    """
    path = find(name)
    report = Report()
    source = read_source(path)
    programs: tuple[Program, ...] = ()
    with suppress(GaveUp):
        programs = compile_source(source, _includer(path), report)
    return RulesFile(path, programs, report)


def _includer(path: Path) -> Callable[[str, Origin], Source | None]:
    """Reads files that `path` includes."""
    folder = path.resolve().parent
    read = cache(read_source)

    def include(name: str, origin: Origin) -> Source | None:
        wanted = PureWindowsPath(name)
        base = Path(origin.span.source.name).resolve().parent
        try:
            target = _on_disk(base, wanted)
        except OSError:  # a name no file can have
            target = None
        if target is None:
            return None
        if not target.resolve().is_relative_to(folder):
            raise ZrfError([Diagnostic(
                "include-outside", f'"{name}" lies outside the folder of the rules file', origin,
                help="a rules file may include files of its own folder and the folders below it")])
        return read(target)

    return include


def _on_disk(base: Path, wanted: PureWindowsPath) -> Path | None:
    """The existing file for a relative path, whatever its capitals."""
    if wanted.is_absolute() or wanted.drive or wanted.root:
        return None
    here = base
    for part in wanted.parts:
        step = here / part
        if not step.exists():
            try:
                same = [p for p in here.iterdir() if p.name.casefold() == part.casefold()]
            except OSError:
                same = []
            if not same:
                return None
            step = same[0]
        here = step
    return here if here.is_file() else None
