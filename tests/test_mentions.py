"""Files and names in back-ticks, in docstrings, comments and READMEs, exist."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "zrf_py"
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)
SCRIPTS = sorted(path for path in PACKAGE.rglob("*.js") if path.name != "desk-editor.js")
QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
A_FILE = re.compile(r"[a-z0-9_/-]+\.(py|js|lark|zrf|json|css|html)")
EXAMPLES = {"fr.json", "shared.zrf"}
"""A file that a translator would add, and one in a visitor's browser."""
OUTSIDE = {"MaskablePPO", "make_vec", "clock_getcpuclockid", "MAY_IMPORT", "WhiteMan"}
"""Names of other packages, of tests, of rules files."""
A_NAME = re.compile(r"[a-z]+_[a-z_]+|[A-Z][a-z]+[A-Z]\w+|[A-Z]+_[A-Z_]+")


@cache
def texts() -> dict[str, list[str]]:
    """Return the texts for readers by file: docstrings, comments, READMEs."""
    found = {}
    for path in FILES:
        tokens = list(tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline))
        starts = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
        found[str(path.relative_to(PACKAGE))] = [
            token.string for before, token in zip([tokens[0], *tokens], tokens, strict=False)
            if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and before.type in starts)]
    return found | {str(path.relative_to(PACKAGE)): [path.read_text("utf-8")] for path in PACKAGE.rglob("README.md")}


def quoted(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield (file, text) for all texts in back-ticks that match a pattern."""
    for file, parts in texts().items():
        yield from ((file, text) for part in parts for text in QUOTED.findall(part) if pattern.fullmatch(text))


def test_mentioned_files_exist() -> None:
    root = PACKAGE.parent
    folders = [root / name for name in (".ci", ".github", "grammar", "rules", "tests", "zrf_py")]
    paths = [path.relative_to(root).parts for folder in folders for path in folder.rglob("*.*")]
    ends = {"/".join(parts[n:]) for parts in paths for n in range(len(parts))}
    missing = [(file, text) for file, text in quoted(A_FILE) if text not in ends | EXAMPLES]
    assert len(list(quoted(A_FILE))) > 600 and not missing


def test_mentioned_names_exist() -> None:
    words = set()
    for path in [*FILES, *SCRIPTS, *(PACKAGE.parent / "grammar").glob("*.lark")]:
        text = path.read_text("utf-8")
        words |= set(re.findall(r"\w+", QUOTED.sub("", text)))
    missing = [(file, text) for file, text in quoted(A_NAME) if text not in words | OUTSIDE]
    assert len(list(quoted(A_NAME))) > 250 and not missing
