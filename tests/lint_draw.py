"""Draw a sample of lint findings from a folder of rules files, for a human to judge.

    python -m tests.lint_draw FOLDER [--seed N] [--count N] [--judged FILE]

The sample has one finding of each kind in the files of each author; the rest is random. Copies (the same
message in files of one name, or in versions of one file) count once. With `--judged`, a file of lines
`NUMBER real|doubtful|false`, the table of the verdicts is printed in place of the findings.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from tests.playing import HANG
from zrf_py.author.lint.linting import lint_file
from zrf_py.library import read_source

VERDICTS = ("real", "doubtful", "false")
UNNAMED = "unnamed"
_NAME = r"([A-Z][a-z]+(?: (?:& )?[A-Z][\w.]*)+)"
_SIGNED = (
    rf"^;[ *]*(?:By|by|Author:?) {_NAME}",
    rf"^;.*(?:[Uu]pgraded version|updated) \(?(?:by )?{_NAME}",
    rf"(?:[Ii]mplement|[Pp]rogramm|[Cc]od)ed(?: for Zillions)?:? by:? {_NAME}(?! in \d)",
    rf"^;.*[Cc]opyright (?:\([cC]\) )?[\d-]+,? {_NAME}",
)
"""Signatures of a file's author, the surest first; an inventor of the game does not count."""
_VERSION = re.compile(r"^\d+\.|[ _-]*(\[[^]]*\]|v?\d+(\.\d+)*|original|mnemonic|advanced)", re.I)


@dataclass(frozen=True)
class Finding:
    """A lint of a file, with the name of the file's author and the lines around it."""

    kind: str
    author: str
    path: Path
    line: int
    message: str
    code: str


def author(text: str, beside: str = "") -> str:
    """Return the name in the first signature of a file's text or of the readme beside it.

    >>> author("; *** By Ann Lee"), author("(history 'invented by Ann Lee')"), author("", "Programmed by Al B. Ox")
    ('Ann Lee', 'unnamed', 'Al B. Ox')
    """
    for place in (text, beside):
        for signature in _SIGNED:
            if match := re.search(signature, place, re.M):
                return match[1]
    return UNNAMED


def findings(folder: Path) -> list[Finding]:
    """Return the findings in all rules files below a folder, without copies; files slower than `HANG` are left out."""
    found: dict[tuple[str, str, str], Finding] = {}
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".zrf"):
        signal.alarm(int(HANG))
        try:
            lints = lint_file(path).lints or ()
        except TimeoutError:
            print(f"left out after {HANG} s: {path}", file=sys.stderr)
            continue
        finally:
            signal.alarm(0)
        text = read_source(path).text
        readme = next((p for p in path.parent.iterdir() if p.name.lower() == "readme.txt"), None)
        signed = author(text, readme.read_text("cp1252", "replace") if readme else "")
        for lint in lints:
            span = lint.origin.span if lint.origin else None
            line = span.source.position(span.start)[0] if span else 0
            lines = span.source.text.splitlines()[max(0, line - 3) : line + 5] if span else []
            copies = (_VERSION.sub("", path.stem.lower()), lint.code, lint.message)
            found.setdefault(copies, Finding(lint.code, signed, path, line, lint.message, "\n".join(lines)))
    return list(found.values())


def draw(found: Sequence[Finding], count: int, seed: int) -> list[Finding]:
    """Return at least `count` findings (all if there are fewer): one of each kind and author, then others at random."""
    shuffled = list(found)
    random.Random(seed).shuffle(shuffled)
    first = {(finding.kind, finding.author): finding for finding in reversed(shuffled)}.values()
    rest = [finding for finding in shuffled if finding not in first]
    return sorted([*first, *rest[: max(0, count - len(first))]], key=lambda f: (f.kind, f.author, f.path, f.line))


def table(found: Sequence[Finding], drawn: Sequence[Finding], verdicts: Sequence[str]) -> str:
    """Return a Markdown table: real/drawn by kind and author, verdicts by kind; below it, the share of real ones."""
    authors = [name for name, _ in Counter(finding.author for finding in drawn).most_common()]
    all_of = Counter(finding.kind for finding in found)
    rows = [f"| kind | findings | {' | '.join(authors)} | real | doubtful | false |", "|---" * (len(authors) + 5) + "|"]
    share = 0.0
    for kind, total in all_of.most_common():
        judged = [(f.author, verdict) for f, verdict in zip(drawn, verdicts, strict=True) if f.kind == kind]
        real = Counter(verdict for _, verdict in judged)
        share += total * real["real"] / len(judged)
        by = [[v for a, v in judged if a == name] for name in authors]
        cells = [f"{of.count('real')}/{len(of)}" if of else "" for of in by]
        rows.append(f"| `{kind}` | {total} | {' | '.join(cells)} | {' | '.join(str(real[v]) for v in VERDICTS)} |")
    real = Counter(verdicts)
    return "\n".join([*rows, "", f"{real['real']} of {len(drawn)} real; weighted by kinds {share / len(found):.0%}"])


def main() -> None:
    """Print the sample, or the table of its verdicts."""
    parser = argparse.ArgumentParser(description="draw lint findings to be judged")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--judged", type=Path, help="file of verdicts, one `NUMBER real|doubtful|false` a line")
    options = parser.parse_args()

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    found = findings(options.folder)
    drawn = draw(found, options.count, options.seed)
    if options.judged:
        given = dict(line.split()[:2] for line in options.judged.read_text().splitlines() if line.strip())
        print(table(found, drawn, [given[str(number)] for number in range(1, len(drawn) + 1)]))
        return
    for number, finding in enumerate(drawn, 1):
        print(f"{number}. {finding.kind} ({finding.author}) {finding.path}:{finding.line}\n   {finding.message}")
        print("".join(f"   | {line}\n" for line in finding.code.splitlines()))


if __name__ == "__main__":
    main()
