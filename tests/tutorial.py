"""Run the steps of the tutorial: commands with their output, edits of files, new files.

`python -m tests.tutorial` replaces the output on the page by what its commands print now, except output with `…` in it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from zrf_py.cli.main import main
from zrf_py.data import data_file

PAGE = Path(str(data_file("grammar/tutorial.md")))
_FENCED = re.compile(r"^(```|~~~)(\w+) ?(.*)\n((?:.*\n)*?)\1$", re.M)
ANY = "…"
"""A placeholder for any output: on a line of its own, any number of lines; within a line, any text."""


@dataclass(frozen=True)
class Step:
    """A fenced block: `console` (commands after `$`, and their output), `diff FILE`, `append FILE` or `file NAME`."""

    kind: str
    info: str
    text: str
    start: int
    """Offset of its text in the page."""


def steps(page: str) -> list[Step]:
    return [Step(match[2], match[3], match[4], match.start(4)) for match in _FENCED.finditer(page)]


def commands(step: Step) -> Iterator[tuple[str, str]]:
    """Yield the commands of a block, each with the output that the page shows for it."""
    for part in re.split(r"^\$ ", step.text, flags=re.M)[1:]:
        command, _, said = part.partition("\n")
        yield command, said


def done(command: str) -> str:
    """Return the output and messages of a command, at a width of 100 columns and without input."""
    words = shlex.split(command)
    assert words[0] == "zrf", command
    kept = io.BytesIO()
    out = io.TextIOWrapper(kept, "utf-8", write_through=True)
    with redirect_stdout(out), redirect_stderr(out), patch.object(sys, "stdin", io.StringIO("")), \
            patch.dict(os.environ, COLUMNS="100", NO_COLOR="1"), contextlib.suppress(SystemExit):
        main(words[1:])
    return "\n".join(line.rstrip() for line in kept.getvalue().decode().splitlines()).strip("\n") + "\n"


def fits(said: str, found: str) -> bool:
    """Return whether the output of a command is the one on the page."""
    pattern = "".join(
        "(?:.*\n)*?" if line.strip() == ANY else ".*".join(map(re.escape, line.split(ANY))) + "\n"
        for line in said.strip("\n").splitlines())
    return re.fullmatch(pattern, found) is not None


def change(step: Step) -> None:
    """Edit a file by a diff, whose old lines must occur in the file exactly once."""
    path = Path(step.info)
    text = path.read_text("utf-8")
    lines = step.text.splitlines()
    old = "".join(line[1:] + "\n" for line in lines if not line.startswith("+"))
    new = "".join(line[1:] + "\n" for line in lines if not line.startswith("-"))
    assert text.count(old) == 1, f"this stands {text.count(old)} times in {path}:\n{old}"
    path.write_text(text.replace(old, new), "utf-8")


def do(step: Step) -> Iterator[tuple[str, str, str]]:
    """Carry out a step in the current folder; yield each command with its output on the page and its actual output."""
    if step.kind == "console":
        for command, said in commands(step):
            yield command, said, done(command)
    elif step.kind == "diff":
        change(step)
    elif step.kind in ("file", "append"):
        with open(step.info, "w" if step.kind == "file" else "a", encoding="utf-8") as file:
            file.write(step.text)


def rewritten(page: str) -> str:
    """Return the page with the current output of its commands; output with `…` in it stays as it is."""
    parts, at = [], 0
    for step in steps(page):
        text = step.text
        for command, said, found in do(step):
            if ANY in said and not fits(said, found):
                print(f"look at: {command}\n{found}")
            elif ANY not in said:
                text = text.replace(f"$ {command}\n{said}", f"$ {command}\n{found}", 1)
        parts += [page[at : step.start], text]
        at = step.start + len(step.text)
    return "".join([*parts, page[at:]])


if __name__ == "__main__":
    begin = PAGE.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        new = rewritten(begin)
    PAGE.write_text(new, "utf-8")
