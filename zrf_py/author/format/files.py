"""Format rules files on disk, in their own encoding; files are replaced atomically.

A file is replaced only if its words and comments are unchanged, in the same order: rules hold nothing else. A file
included by another is formatted only if it is named itself.
"""

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from zrf_py import archives
from zrf_py.author.format.layout import comments, formatted, words
from zrf_py.author.format.tree import read
from zrf_py.front.decode import decode
from zrf_py.front.forms import MAX_TEXT, read_forms
from zrf_py.library import contents, includer
from zrf_py.paths import replace_file
from zrf_py.text.diagnostics import Diagnostic, Report, ZrfError, writing
from zrf_py.text.source import Source

ENDINGS = (".zrf", ".inc")
"""Suffixes of rules files in a folder."""
_BOM = b"\xef\xbb\xbf"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Formatted:
    """A text before and after formatting, and the problems that prevented it (empty: none)."""

    name: str
    before: str
    after: str
    problems: tuple[Diagnostic, ...] = ()

    @property
    def changed(self) -> bool:
        return self.before != self.after

    def edits(self) -> list[tuple[int, int, str]]:
        """Return the changed lines as (first, end, new text), counted from 0; `end` is exclusive."""
        before, after = _LINE.findall(self.before), _LINE.findall(self.after)
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        return [(first, last, "".join(after[new:end])) for tag, first, last, new, end in matcher.get_opcodes()
                if tag != "equal"]

    def diff(self) -> str:
        """Return the change as a unified diff."""
        return unified(self.name, self.before, self.after, "formatted")


def unified(name: str, before: str, after: str, label: str) -> str:
    """Return the change of a text as a unified diff; only a line feed ends a line."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
                   for line in difflib.unified_diff(old, new, name, f"{name} ({label})"))


def rules_files(names: Iterable[str | Path]) -> Iterator[Path]:
    """Yield the named files, and all rules files below the named folders.

    :raises ZrfError: if there is no such file or folder, or it is in an archive.
    """
    for name in names:
        path = Path(name)
        if packed := archives.holder(path / "it"):
            raise ZrfError([Diagnostic("not-a-file", f"{packed} is an archive; its files are never changed", None,
                                       help=f"unpack it: `python -m zipfile -e {packed} {packed.with_suffix('')}`")])
        if name and path.is_dir():
            yield from (p for p in sorted(path.rglob("*")) if p.suffix.lower() in ENDINGS and p.is_file())
        elif path.is_file():
            yield path
        else:
            raise ZrfError([Diagnostic("no-such-game", f"there is no file or folder `{name}`", None,
                                       help="name rules files, or folders that contain rules files")])


def format_bytes(name: str, data: bytes, path: Path | None = None) -> tuple[Formatted, bytes]:
    """Format the contents of a file; return the result and the new contents. Includes are resolved beside `path`."""
    text = decode(data)
    result = format_text(name, text, path)
    return result, encoded(result.after, data) if result.changed else data


def format_text(name: str, text: str, path: Path | None = None) -> Formatted:
    """Format a text; if its structure is unclear, return the text itself and the problems."""
    tree = read(text) if len(text) <= MAX_TEXT else None
    if tree is None or not tree.clean or not tree.balanced:
        report = Report()
        read_forms(Source(name, text), report, includer(path, report) if path else lambda file, origin: None)
        if report.errors:
            return Formatted(name, text, text, tuple(report.errors))
    after = formatted(text)
    if after == text:
        return Formatted(name, text, text)
    if words(after) == words(text) and comments(after) == comments(text):
        return Formatted(name, text, after)
    return Formatted(name, text, text, (Diagnostic(
        "internal", f"`{name}` would no longer be the same rules after formatting", None,
        help="the file is unchanged; please report this bug"),))


def format_file(path: Path, write: bool = True) -> Formatted:
    """Format a file, and replace it unless `write` is false; return the result.

    :raises ZrfError: if it can't be read or written.
    """
    data = contents(path)
    result, after = format_bytes(str(path), data, path)
    if write and result.changed:
        with writing(path):
            replace_file(path.resolve(), after)
    return result


def encoded(text: str, like: bytes) -> bytes:
    """Encode a text like the bytes `like`: UTF-8, with a byte order mark if they have one, or Windows-1252.

    A text that Windows-1252 can't hold becomes UTF-8.
    """
    body = like.removeprefix(_BOM)
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        with suppress(ValueError):
            return b"".join(_western(c) for c in text)
    return (_BOM if like.startswith(_BOM) else b"") + text.encode("utf-8")


def _western(character: str) -> bytes:
    try:
        return character.encode("cp1252")
    except UnicodeEncodeError:
        return bytes([ord(character)])  # one of the five bytes that Windows-1252 leaves undefined


