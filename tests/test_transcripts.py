"""Transcripts of commands: standard output, standard error, and exit codes."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from zrf_py import library
from zrf_py.cli.main import _parse, main

FOLDER = Path(__file__).parent / "transcripts"
TIME = re.compile(r"\b[0-9.]+ s\b(, [0-9,]+ a second)?|(?<=\"seconds\": )[0-9.]+|(?<= time=\")[0-9.]+")


def run(line: str, typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the output of a command: standard output, standard error with a ! before each line, and the exit code if
    it is not 0."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8"))
    words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", line)]
    library._from_stdin.cache_clear()
    code = main(words)
    out, err = capsys.readouterr()
    said = out + "".join(f"! {line}\n" for line in err.splitlines()) + (f"exit {code}\n" if code else "")
    return TIME.sub("… s", said.replace(str(Path.cwd()), "."))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_transcript_matches_its_golden_file(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each `$ command`, given the lines after `<` as input, prints the text below; `ZRF_WRITE_GOLDEN=1` renews it."""
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


LINES = """\
agree chess; agree chess --seed 3 --plies 9 --json; analyse chess; analyse chess --time 2 --lines 4 --level 3; \
analyse chess --review --depth 5 --nodes 100 --kind mcts --seed 4; cache; cache --clear --json; check a b; check \
--strict a; check --full --format short a; check --lint a; completion bash; explain; explain verify --json; export \
chess; export chess -o x.html --variant 1 --learn --small; export --site shelf -o out; fix a; fix a --write; fmt a \
--check; fmt a --diff; judge chess; judge chess --games 60 --levels 1,3 --time 0.5 --max-turns 50 --seed 2 --json \
--html x.html --workers 3; judge chess --against halma --against-variant 2 --nodes 500; lint a --json; list; list \
a --players 2 --source x --json; lsp; mcp; mcp folder; match ai:1 ai:2 --game chess; match a b --game x --games 7 \
--opening 3 --max-turns 9 --save s --nodes 5 --workers 2; moves chess; moves chess --turns --json --engine native; \
new x.zrf; new x.zrf --kind race --board points --size 9 --title T; perft chess 3; perft chess 3 --divide --turns \
--engine interpret; play chess; play chess --players human,ai:3 --plies 4 --seed 5; play chess --ascii --color \
always --screen --load x.zsg; port a; port a -o out --html --workers 2 --fresh --json; replay a; replay a --rules \
b --variant c --show --json; selfplay chess -o x; selfplay chess -o x --games 5 --players a,b --opening 1 --seed \
2; serve; serve chess --port 81 --host h --open --watch; serve --edit x.zrf; show chess; show chess --svg x --png \
y --width 99; solve p; solve p --time 3 --shortest --seed 2 --save x; test a; test a --junit x -v; train a; train a \
--hours 2 --rounds 4 --workers 2 --seed 3 -o x; why chess e4 --full --json; why chess --end; words chess; words \
chess --html -o x --lang de --variant 1"""
"""Command lines; their parsed options, including default values, are compared with a golden file."""


def test_options_and_their_defaults_match_the_golden_file() -> None:
    made = []
    for line in LINES.split(";"):
        found = vars(_parse(line.split()))
        shown = {name: value if isinstance(value, (str, int, float, list, tuple, type(None))) else type(value).__name__
                 for name, value in sorted(found.items()) if not callable(value)}
        made.append(f"{line.strip()}: {shown}")
    golden = FOLDER / "options.golden"
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        golden.write_text("\n".join(made) + "\n", "utf-8")
    assert made == golden.read_text("utf-8").splitlines()
