"""Whole transcripts of the command: what each line prints, on which stream, and how it ends."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from zrf_py import library
from zrf_py.cli.main import main

FOLDER = Path(__file__).parent / "transcripts"
TIME = re.compile(r"\b[0-9.]+ s\b(, [0-9,]+ a second)?|(?<=\"seconds\": )[0-9.]+|(?<= time=\")[0-9.]+")


def run(line: str, typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """What a command prints: standard output, standard error with a ! before each line, the exit code unless 0."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8"))
    words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", line)]
    library._from_stdin.cache_clear()
    code = main(words)
    out, err = capsys.readouterr()
    said = out + "".join(f"! {line}\n" for line in err.splitlines()) + (f"exit {code}\n" if code else "")
    return TIME.sub("… s", said.replace(str(Path.cwd()), "."))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_transcript(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each `$ command`, with lines typed after `<`, prints what stands below; `ZRF_WRITE_GOLDEN=1` writes it again."""
    for file in (*FOLDER.glob("*.zrf"), *FOLDER.glob("*.md"), *FOLDER.parent.glob("words/*.zrf"),
                 *FOLDER.parent.glob("sessions/*.zrf")):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("ZRF_STATE", str(tmp_path / "state"))
    parts = re.split(r"(?m)^\$ zrf ", path.read_text("utf-8"))[1:]
    made = []
    for part in parts:
        line, _, rest = part.partition("\n")
        typed = re.findall(r"(?m)^<(?: (.*))?$", rest)
        said = run(line, "".join(f"{word}\n" for word in typed), capsys, monkeypatch)
        made.append(f"$ zrf {line}\n" + "".join(f"< {word}".rstrip() + "\n" for word in typed) + said)
    text = "".join(made)
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert made and text.splitlines() == path.read_text("utf-8").splitlines()
