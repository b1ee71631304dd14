"""The pages of `grammar/` as pages of a site, with each example as a file that the rules editor opens.

Examples of the reference are completed to whole games, as in its tests; recipes of the cookbook are games already. The
steps of the tutorial change a file that `zrf new` writes; the editor opens that file as each step leaves it.
"""

import html
import re
import shlex
from contextlib import suppress
from dataclasses import dataclass, field
from posixpath import normpath
from typing import Any

from markdown_it import MarkdownIt

from zrf_py.author.fix.fixing import fix_text
from zrf_py.author.format.layout import formatted
from zrf_py.author.new.templates import new_game
from zrf_py.author.tests.pages import Example, examples, wrap
from zrf_py.data import data_file, data_text
from zrf_py.export.interface import interface
from zrf_py.text.diagnostics import ZrfError

PAGES = {"tutorial": "Tutorial", "README": "The language", "cookbook/README": "Cookbook",
         "tests": "Tests of games", "porting": "Porting", "formats": "File formats", "python": "Python interface",
         "inside": "From a text to a move"}
"""Titles of the pages in every page's menu, by file below `grammar/`; `python` is generated from docstrings."""
FOLDER = "documents"
SIZE = 5
"""Number of rows and columns of the game with which the tutorial begins."""
_WORKSHOP = "Open in the editor"


@dataclass(frozen=True)
class Documents:
    """Pages as (title, HTML) by path below `FOLDER`, examples by path below the site, pictures by path in `grammar`."""

    pages: dict[str, tuple[str, str]] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)
    pictures: list[str] = field(default_factory=list)


def documents() -> Documents:
    """Return all pages, with links between them; links to other files become plain text."""
    done = Documents()
    recipes = sorted(f"cookbook/{path.stem}" for path in data_file("grammar/cookbook").glob("*.md"))
    names = list(dict.fromkeys([*PAGES, *recipes]))
    for name in names:
        text = interface() if name == "python" else data_text(f"grammar/{name}.md")
        text = re.sub(r"^<!--.*?-->\n", "", text, flags=re.M)
        title = text.partition("\n")[0].lstrip("# ").replace("`", "")
        done.pages[place(name)] = title, _Page(name, names, done).html(text)
    return done


def place(name: str) -> str:
    """Return the path of a page below the folder of documents; the `README` of a subfolder becomes its index."""
    return re.sub(r"README$", "index" if "/" in name else "language", name) + ".html"


class _Page:
    """Renderer of one page."""

    def __init__(self, name: str, names: list[str], done: Documents) -> None:
        self.name, self.names, self.done = name, names, done
        self.files: dict[str, str] = {}
        """Contents of the files that the page tells readers to write, up to this point, by name."""
        self.examples: dict[str, Example] = {}
        """Examples of rules, each with its first position, by the text of their rules."""
        self.parser = MarkdownIt("commonmark", {"html": False}).enable("table")
        self.parser.add_render_rule("fence", lambda _, tokens, i, options, env: self._fence(tokens[i]))

    def html(self, text: str) -> str:
        text = _with_rules(self.name, text)
        if "```zrf" in text:
            self.examples = {example.rules.text: example for example in reversed(examples(text))}
        tokens = self.parser.parse(text)
        for i, token in enumerate(tokens):
            if token.type == "heading_open":
                token.attrSet("id", anchor(tokens[i + 1].content))
            if token.type in ("table_open", "code_block"):
                token.attrSet("tabindex", "0")  # arrow keys scroll it on a narrow screen
            for child in token.children or ():
                self._link(child)
        return str(self.parser.renderer.render(tokens, self.parser.options, {}))

    def _link(self, token: Any) -> None:
        """Point a link to a page of the site, or remove its address if there is no such page; collect pictures."""
        at = {"link_open": "href", "image": "src"}.get(token.type)
        if at is None:
            return
        target, sign, rest = str(token.attrGet(at)).partition("#")
        if re.match(r"\w+:", target) or (not target and at == "href"):
            return
        path = normpath(f"{self.name}/../{target}")
        page = path.removesuffix(".md") if path.endswith(".md") else ""
        if at == "src":
            self.done.pictures.append(path)
        elif page in self.names:
            token.attrSet("href", "../" * self.name.count("/") + place(page) + sign + rest)
        else:
            del token.attrs["href"]

    def _fence(self, token: Any) -> str:
        kind, _, info = token.info.partition(" ")
        text = self._example(kind, info.strip(), token.content)
        caption = f"<figcaption>{html.escape(info)}</figcaption>" if info else ""
        block = f'<pre tabindex="0"><code>{html.escape(token.content)}</code></pre>'
        return f"<figure>{caption}{block}{self._button(text) if text else ''}</figure>\n"

    def _example(self, kind: str, info: str, text: str) -> str:
        """Apply a code block to `files`; return the full text of the game that it shows or writes, or ""."""
        match kind:
            case "zrf":
                return _completed(self.examples[text.rstrip("\n")])
            case "console":
                for line in text.splitlines():
                    if line.startswith("$ "):
                        self._obey(shlex.split(line[2:]))
            case "file" | "append":
                self.files[info] = (self.files.get(info, "") if kind == "append" else "") + text
            case "diff":
                self.files[info] = _changed(self.files.get(info, ""), text)
        return self.files.get(info, "") if kind in ("file", "append", "diff") and info.endswith(".zrf") else ""

    def _obey(self, words: list[str]) -> None:
        """Apply a command `zrf new`, `zrf fix` or `zrf fmt` to the page's files; ignore other commands."""
        match words:
            case ["zrf", "new", name, *options]:
                self.files[name] = _begun(name, dict(zip(options[::2], options[1::2], strict=False)))
            case ["zrf", "fix", "--write", name]:
                self.files[name] = fix_text(name, self.files[name]).after
            case ["zrf", "fmt", name]:
                self.files[name] = formatted(self.files[name])

    def _button(self, text: str) -> str:
        number = sum(name.startswith(f"{FOLDER}/examples/{self._stem}") for name in self.done.examples)
        path = f"{FOLDER}/examples/{self._stem}{f'-{number + 1}' if number else ''}.zrf"
        self.done.examples[path] = text
        up = "../" * (1 + self.name.count("/"))
        return f'<a class="button" href="{up}workshop/index.html#open={path}">{_WORKSHOP}</a>'

    @property
    def _stem(self) -> str:
        return "language" if self.name == "README" else self.name.replace("/README", "").rpartition("/")[2]


def _with_rules(name: str, text: str) -> str:
    """Return the page of a recipe with its rules before the positions that test them; any other page unchanged."""
    if not (data_file("grammar") / f"{name}.zrf").is_file():
        return text
    words, heading, positions = text.partition("\n## ")
    rules = data_text(f"grammar/{name}.zrf").rstrip()
    return f"{words}\n```zrf {name.rpartition('/')[2]}.zrf\n{rules}\n```\n{heading}{positions}"


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _completed(example: Example) -> str:
    """Return the rules of an example as a whole game, in the standard style if they can be read."""
    text = wrap(example).text
    with suppress(ZrfError):
        return formatted(text)
    return text


def _begun(name: str, options: dict[str, str]) -> str:
    """Return the game that `zrf new` writes to a file."""
    title = options.get("--title", name.removesuffix(".zrf"))
    return formatted(new_game(options.get("--kind", "men"), title, SIZE, options.get("--board", "squares")))


def _changed(text: str, diff: str) -> str:
    """Apply a diff of lines that begin with a blank, `-` or `+`; a text without the old lines is left unchanged."""
    lines = diff.splitlines()
    old = "".join(line[1:] + "\n" for line in lines if not line.startswith("+"))
    new = "".join(line[1:] + "\n" for line in lines if not line.startswith("-"))
    return text.replace(old, new, 1)
