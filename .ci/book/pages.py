"""The pages of the book, as a hook of mkdocs: `mkdocs build -f .ci/book/mkdocs.yml` writes the site to `site/`.

Pages that exist in the repository are taken as they are; commands, keywords, messages and the Python interface are
generated from the package. `pages` needs no mkdocs, so that tests can read the pages without it.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from zrf_py import __all__ as PUBLIC  # noqa: E402
from zrf_py import author, envs, load  # noqa: E402
from zrf_py.author.explaining import explain  # noqa: E402
from zrf_py.cli.main import COMMANDS, make_parser  # noqa: E402
from zrf_py.front.keywords import KEYWORDS  # noqa: E402
from zrf_py.text.codes import CODES  # noqa: E402

COOKBOOK = "grammar/cookbook"
WRITTEN = ("README.md", "grammar/*.md", f"{COOKBOOK}/*.md", "rules/README.md", "rules/*/README.md", "tests/*.md",
           "tests/spec/*.md", "tests/benchmarks/*.md", "zrf_py/*.md", "zrf_py/**/README.md", ".github/*.md")
LEFT_OUT = {"node_modules", "bundle"}
SOURCE = {".zrf", ".inc", ".lark", ".py", ".js", ".md", ".yml", ".toml", ".json", ""}
"""Endings of linked files that become a page which shows their text."""
LINK = re.compile(r"(\]\(|\bsrc=\")([^)\s\"#]+)(#[^)\s\"]*)?(?=[)\"])")
FIRST = "---\nsearch:\n  boost: 100\n---\n\n"
"""Head of the pages that the search lists before all others."""
FENCE = re.compile(r"^(```+|~~~+)(\w*) ?(.*)$")


def place(path: str) -> str:
    """Return the place in the site of a file of the repository; hidden folders get a name that servers show."""
    return path.replace(".github/", "project/").replace(".ci/", "project/ci/")


def written() -> Iterator[str]:
    """The pages that exist, by their paths from the root of the repository, each once."""
    paths = dict.fromkeys(path for pattern in WRITTEN for path in sorted(ROOT.glob(pattern)))
    for path in paths:
        if not LEFT_OUT & set(path.relative_to(ROOT).parts):
            yield path.relative_to(ROOT).as_posix()


def pages() -> dict[str, str | Path]:
    """Return place in the site → text of a page, or the path of a file to copy."""
    written_pages = set(written())
    site: dict[str, str | Path] = {}
    linked: set[str] = set()
    for path in sorted(written_pages):
        text = (ROOT / path).read_text("utf-8")
        if path.startswith(COOKBOOK):
            text = recipe(path, text)
        site[place(path)] = fences(links(text, path, written_pages, linked))
    for path in sorted(linked - written_pages):
        if (ROOT / path).suffix in SOURCE:
            site[place(path) + ".md"] = source(path)
        else:
            site[place(path)] = ROOT / path
    for path in sorted((ROOT / COOKBOOK).glob("*.zrf")):
        site |= {f"{COOKBOOK}/{path.name}": path, f"{COOKBOOK}/{path.stem}.svg": load(path).start().svg()}
    return site | {"commands.md": commands(), "keywords.md": keywords(), "messages.md": messages(), **interface()}


def links(text: str, path: str, known: set[str], linked: set[str]) -> str:
    """Return a page with its links to files turned into links within the site; `linked` collects the files."""

    def moved(match: re.Match[str]) -> str:
        before, target, anchor = match[1], match[2], match[3] or ""
        if re.match(r"\w+:", target):
            return match[0]
        whole = os.path.normpath(Path(path).parent / target)
        whole = next((f for f in (whole, f"{whole}/README.md") if (ROOT / f).is_file()), whole)
        if not (ROOT / whole).is_file():
            return match[0]  # strict mkdocs reports it
        linked.add(whole)
        to = place(whole)
        if whole not in known and (ROOT / whole).suffix in SOURCE:
            to += ".md"
        return before + Path(os.path.relpath(to, Path(place(path)).parent)).as_posix() + anchor

    return outside_code(text, lambda line: LINK.sub(moved, line))


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return a page with its lines changed, those of fenced blocks left as they are."""
    lines, end = [], ""
    for line in text.split("\n"):
        fence = FENCE.match(line)
        lines.append(line if end or fence else change(line))
        if fence:
            end = "" if line == end else end or fence[1]
    return "\n".join(lines)


def fences(text: str) -> str:
    """Return a page whose fenced blocks have titles in the form that mkdocs reads: ` ```diff FILE ` has a title."""
    lines, end = [], ""
    for line in text.split("\n"):
        fence = FENCE.match(line)
        if not fence:
            lines.append(line)
        elif end:
            lines.append(line)
            end = "" if line == end else end
        else:
            end, kind, info = fence.groups()
            kind = {"moves": "text", "file": "text", "append": "zrf"}.get(kind, kind)
            title = info.replace('"', "&quot;")
            lines.append(f"{end}{kind}" + (f' title="{title}"' if title else ""))
    return "\n".join(lines)


def source(path: str) -> str:
    """Return the page that shows a file; the search leaves it out."""
    text = (ROOT / path).read_text("utf-8").rstrip("\n")
    kind = {".zrf": "zrf", ".inc": "zrf", ".py": "python", ".js": "javascript"}.get(Path(path).suffix, "text")
    return f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n~~~~~~{kind}\n{text}\n~~~~~~\n"


def is_source(where: str) -> bool:
    """Return whether a place in the site is that of a page which shows a file, such as `rules/chess.zrf.md`."""
    return where.endswith(".md") and "." in where.rpartition("/")[2].removesuffix(".md") and "api/" not in where


def recipe(path: str, text: str) -> str:
    """Return the page of a recipe with its first board and its rules before the positions that test them."""
    rules = (ROOT / path).with_suffix(".zrf")
    if not rules.is_file():
        return text
    words, heading, positions = text.partition("\n## ")
    return (f"{words}\n![The board at the start]({rules.stem}.svg){{ .board }}\n\n"
            f"```zrf {rules.name}\n{rules.read_text('utf-8').rstrip()}\n```\n{heading}{positions}")


def commands() -> str:
    """Return the page of commands, generated from `--help`."""
    with patch.dict(os.environ, COLUMNS="90"):
        parser, each = make_parser()
        parts = [FIRST + "# Commands", "Generated from `zrf COMMAND --help`.", "## zrf", help_block(parser)]
        for name in COMMANDS:
            parts += [f"## zrf {name}", help_block(each[name])]
    return "\n\n".join(parts) + "\n"


def help_block(parser: argparse.ArgumentParser) -> str:
    return f"```text\n{parser.format_help().rstrip()}\n```"


def keywords() -> str:
    """Return the page of keywords: each with its form, its meaning, an example, and the pages that show it."""
    spec = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "tests/spec").glob("*.md"))
            if path.name != "README.md"}
    parts = [FIRST + "# Keywords", "Every word of the language, generated from the table behind `zrf explain WORD`. "
             "The [reference](grammar/README.md) explains how they work together."]
    for where in dict.fromkeys(word.where for word in KEYWORDS.values()):
        parts.append(f"## {where[0].upper()}{where[1:]}")
        for word, row in KEYWORDS.items():
            if row.where != where:
                continue
            kept = " (Kept, not needed for play.)" if row.ignored else ""
            shown = [f"[{title(text)}](tests/spec/{stem}.md)" for stem, text in spec.items()
                     if re.search(rf"^## .*`\(?{re.escape(word)}[ `)]", text, re.M)]
            parts += [f"### `{word}` {{ #{anchor(word)} }}", f"{row.meaning[0].upper()}{row.meaning[1:]}.{kept}",
                      f"```zrf title=\"form\"\n{row.form}\n```", f"```zrf title=\"example\"\n{row.example}\n```"]
            if shown:
                parts.append(f"Shown in diagrams: {', '.join(shown)}.")
    return "\n\n".join(parts) + "\n"


def title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


def anchor(word: str) -> str:
    """Return the anchor of a keyword; two of them hold no letter that an anchor may have."""
    return {"$n": "word-argument", ";": "word-comment"}.get(word, "word-" + word.replace("?", "-q"))


def messages() -> str:
    """Return the page of messages: each code with its meaning, a text that causes it, and a corrected one."""
    parts = ["# Messages", "Every code that a message may have, generated from the table behind `zrf explain CODE`."]
    for code in CODES:
        message = explain(code)[1]
        assert message
        parts += [f"## `{code}` {{ #{code} }}", message.meaning]
        for name, text in (("causes it", message.wrong), ("corrected", message.right)):
            if text:
                parts.append(f"~~~zrf title=\"{name}\"\n{text}\n~~~")
    return "\n\n".join(parts) + "\n"


def interface() -> dict[str, str]:
    """Return the pages of the Python interface; mkdocstrings fills them in from the docstrings."""
    return {f"api/{module}.md": f"# {module}\n\n::: {module}\n    options:\n      members: [{', '.join(names)}]\n"
            for module, names in (("zrf_py", PUBLIC), ("zrf_py.author", author.__all__),
                                  ("zrf_py.envs", envs.__all__))}


def on_config(config: Any) -> Any:
    """Teach Pygments the language (called by mkdocs)."""
    from pygments import lexers

    sys.path.insert(0, str(Path(__file__).parent))
    lexers.LEXERS["ZrfLexer"] = ("zrf_lexer", "ZRF", ("zrf",), ("*.zrf",), ())
    return config


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Load the script for pages opened from a disk from beside the page, not from elsewhere (called by mkdocs)."""
    return output.replace("https://unpkg.com/iframe-worker/shim", "../" * page.url.count("/") + "book.js")


def on_files(files: Any, config: Any) -> Any:
    """Replace the files that mkdocs found, apart from the theme's, by those of the book (called by mkdocs)."""
    from mkdocs.structure.files import File, Files, InclusionLevel

    made = [file for file in files if file.src_dir != config.docs_dir]
    made += [File.generated(config, name, abs_src_path=str(Path(__file__).parent / name))
             for name in ("book.css", "book.js")]
    for where, content in pages().items():
        given = {"abs_src_path": str(content)} if isinstance(content, Path) else {"content": content}
        shown = InclusionLevel.NOT_IN_NAV if is_source(where) else InclusionLevel.INCLUDED
        made.append(File.generated(config, where, inclusion=shown, **given))
    return Files(made)
