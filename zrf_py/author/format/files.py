"""Change rules files on disk, in their own encoding, and format them; files are replaced atomically.

Formatting replaces a file only if its words and comments are unchanged and in the same order; a rules file contains
nothing else. Files that it includes are not formatted with it.
"""

import codecs
import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeVar

from zrf_py import archives
from zrf_py.author.format.layout import comments, formatted, words
from zrf_py.author.format.tree import read
from zrf_py.front.decode import WESTERN, decode
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
class Rewritten:
    """A text before and after a change."""

    name: str
    before: str
    after: str
    LABEL: ClassVar[str]
    """Name of the kind of change, in a diff."""

    @property
    def changed(self) -> bool:
        """True if the text changed."""
        return self.before != self.after

    def diff(self) -> str:
        """Return the change as a unified diff; only a line feed ends a line."""
        old, new = _LINE.findall(self.before), _LINE.findall(self.after)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
                       for line in difflib.unified_diff(old, new, self.name, f"{self.name} ({self.LABEL})"))


Result = TypeVar("Result", bound=Rewritten)
Rewrite = Callable[[str, str, Path | None], Result]
"""Function of a text's name, the text, and the path beside which includes are resolved."""


@dataclass(frozen=True)
class Formatted(Rewritten):
    """A text before and after formatting, and the problems that prevented it (empty: none)."""

    LABEL = "formatted"
    problems: tuple[Diagnostic, ...] = ()

    def edits(self) -> list[tuple[int, int, str]]:
        """Return the changed lines as (first, end, new text), counted from 0; `end` is exclusive."""
        before, after = _LINE.findall(self.before), _LINE.findall(self.after)
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        return [(first, last, "".join(after[new:end])) for tag, first, last, new, end in matcher.get_opcodes()
                if tag != "equal"]


def rules_files(names: Iterable[str | Path]) -> Iterator[Path]:
    """Yield the named files, and all rules files below the named folders.

    :raises ZrfError: if there is no such file or folder, if it is in an archive, or if a folder has no rules files.
    """
    for name in names:
        path = Path(name)
        if packed := archives.holder(path / "it"):
            raise ZrfError([Diagnostic("not-a-file", f"{packed} is an archive; its files are never changed", None,
                                       help=f"unpack it: `python -m zipfile -e {packed} {packed.with_suffix('')}`")])
        if name and path.is_dir():
            inside = sorted(path.rglob("*"))
            files = [p for p in inside if p.suffix.lower() in ENDINGS and p.is_file()]
            if not files and not any(map(archives.is_archive, inside)):
                raise ZrfError(f"{name} contains no rules files", "not-a-file", help="rules files end in .zrf or .inc")
            yield from files
        elif path.is_file():
            yield path
        else:
            raise ZrfError([Diagnostic("no-such-game", f"there is no file or folder `{name}`", None,
                                       help="name rules files, or folders that contain rules files")])


def rewrite_bytes(rewrite: Rewrite[Result], name: str, data: bytes, path: Path | None = None) -> tuple[Result, bytes]:
    """Change the contents of a file; return the result and the new contents, in the same encoding."""
    result = rewrite(name, decode(data), path)
    return result, encoded(result.after, data) if result.changed else data


def rewrite_file(rewrite: Rewrite[Result], path: Path, write: bool) -> Result:
    """Change a file, or if `write` is false only compute the change; return the result.

    :raises ZrfError: if it can't be read or written.
    """
    result, after = rewrite_bytes(rewrite, str(path), contents(path), path)
    if write and result.changed:
        with writing(path):
            replace_file(path.resolve(), after)
    return result


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
        "internal", f"formatting would change the rules in `{name}`", None,
        help="the file is unchanged; please report this bug"),))


def encoded(text: str, like: bytes) -> bytes:
    """Encode a text like the bytes `like`: UTF-8, with a byte order mark if they have one, or Windows-1252.

    A text that Windows-1252 can't hold becomes UTF-8.
    """
    body = like.removeprefix(_BOM)
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        with suppress(ValueError):
            return codecs.charmap_encode(text, "strict", codecs.charmap_build(WESTERN))[0]
    return (_BOM if like.startswith(_BOM) else b"") + text.encode("utf-8")
