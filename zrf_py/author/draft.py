"""A rules text and all queries about it: the services of this folder as methods of one object."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.editor.balance import settled
from zrf_py.author.editor.complete import Completions, Signature, completions, signature
from zrf_py.author.editor.fixes import Fix, fixes
from zrf_py.author.editor.hover import Hover, hover
from zrf_py.author.editor.outline import Symbol, outline
from zrf_py.author.editor.problems import Problem, problems
from zrf_py.author.editor.rename import Edit, definitions, references, rename
from zrf_py.author.fix.fixing import Fixed, fix_text
from zrf_py.author.format.files import Formatted, encoded, format_text
from zrf_py.author.lint.linting import lints_of
from zrf_py.author.new.templates import new_game
from zrf_py.author.tests.running import LazyRules, Result, tests_of_text
from zrf_py.author.words.document import Rules as Words
from zrf_py.author.words.rules import rules_in_words
from zrf_py.front.decode import decode
from zrf_py.library import RulesFile, contents, find
from zrf_py.paths import replace_file
from zrf_py.play.game import Game
from zrf_py.text.diagnostics import Diagnostic, Report, ZrfError, writing
from zrf_py.text.source import Source, Span

UNNAMED = "draft.zrf"
"""Name of a text without a file, in messages."""


@dataclass(frozen=True)
class Draft:
    """An immutable rules text; methods that change it return a new draft.

    `path` is its file, which need not exist yet: included files are looked for beside it. Places are character offsets
    in `text`, from 0; `at` finds one. The text is compiled once, on first use.
    """

    text: str
    path: Path | None = None

    @classmethod
    def open(cls, name: str | Path) -> Draft:
        """Read a rules file, or a bundled game by its name.

        :raises ZrfError: if it doesn't exist, or can't be read.
        """
        path = find(name)
        return cls(decode(contents(path)), path)

    @classmethod
    def new(cls, kind: str, title: str, size: int = 5, board: str = "squares") -> Draft:
        """Return a small game to start from. `kind`: `men`, `row`, `drops` or `race`; `size`: its rows and columns;
        `board`: `squares`, `points` or `hexagons`.

        >>> Draft.new("row", "Three").problems
        ()

        :raises ZrfError: if there is no such kind, board or size, or the title is not allowed.
        """
        return cls(new_game(kind, title, size, board)).formatted()

    def save(self, path: Path | None = None) -> Draft:
        """Write the text to a file atomically, in the file's encoding; return the draft of that file.

        :raises ZrfError: if it can't be written, or no path is given and the draft has none.
        """
        target = path or self.path
        if target is None:
            raise ZrfError("this draft has no file yet: pass a path to `save`", "usage")
        with writing(target):
            replace_file(target, encoded(self.text, contents(target) if target.is_file() else b""))
        return Draft(self.text, target)

    @cached_property
    def analysis(self) -> Analysis:
        """Results of all stages of the compiler for the text, computed once."""
        return settled(analyse(Source(str(self.path or UNNAMED), self.text), self.path))

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Errors and warnings, each with its place in the text, its message and what to type instead.

        >>> [found.message.help for found in Draft("(gaem)").problems]
        ['did you mean `game`?', 'a rules file needs one `(game …)`']
        """
        return tuple(problems(self.analysis))

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The messages that prevent the games from being played."""
        return self.analysis.errors

    @cached_property
    def lints(self) -> tuple[Diagnostic, ...]:
        """Likely mistakes; none are reported while there are errors."""
        return lints_of(self.analysis)

    def fixes(self, message: Diagnostic) -> list[Fix]:
        """Return the possible fixes for a message; the last one for a lint is a comment that suppresses it."""
        return fixes(self.analysis, message)

    def fixed(self) -> Fixed:
        """Apply all safe fixes; the result lists the changes and the remaining problems."""
        return fix_text(self.analysis.source.name, self.text, self.path)

    def edited(self, edits: Iterable[Edit]) -> Draft:
        """Return the draft after edits of this text (from a `Fix` or `rename`); edits of other files are ignored."""
        text = self.text
        for edit in sorted(edits, key=lambda edit: -edit.span.start):
            if edit.span.source is self.analysis.source:
                text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        return Draft(text, self.path)

    def format(self) -> Formatted:
        """Format the text; the result holds both texts, and the problems if it can't be formatted."""
        return format_text(self.analysis.source.name, self.text, self.path)

    def formatted(self) -> Draft:
        """Return the formatted draft; the text is unchanged if it can't be formatted."""
        return Draft(self.format().after, self.path)

    def at(self, found: str, line: int = 1) -> int:
        """Return the offset of the first occurrence of `found`, from a line (counted from 1) on.

        >>> Draft("(game)").at("game")
        1

        :raises ValueError: if it isn't there.
        """
        before = self.text.split("\n")[: max(0, line - 1)]
        return self.text.index(found, sum(len(row) + 1 for row in before))

    def hover(self, at: int) -> Hover | None:
        """Explain the word at an offset, as Markdown; None if nothing is known about it."""
        return hover(self.analysis, at)

    def complete(self, at: int) -> Completions:
        """Return the words that may be typed at an offset, and completions of a half-typed one."""
        return completions(self.analysis, self.analysis.source, at)

    def signature(self, at: int) -> Signature | None:
        """Return the syntax of the form around an offset, and its active argument; None outside known forms."""
        return signature(self.analysis, self.analysis.source, at)

    def definitions(self, at: int) -> list[Span]:
        """Return the places that define the name at an offset."""
        return definitions(self.analysis, at)

    def references(self, at: int) -> list[Span]:
        """Return every occurrence of the name at an offset, in this text and its includes, definitions included."""
        return references(self.analysis, at)

    def rename(self, at: int, name: str) -> list[Edit]:
        """Return the edits that rename the name at an offset, in this text and its includes.

        :raises ZrfError: with the reason, if it can't be renamed, or not to `name`.
        """
        return rename(self.analysis, at, name)

    def outline(self) -> list[Symbol]:
        """Return the parts of the text, nested: games, boards, pieces, macros."""
        return outline(self.analysis)

    @cached_property
    def _file(self) -> RulesFile:
        report = Report(list(self.analysis.diagnostics))
        return RulesFile(self.path or Path(UNNAMED), () if self.errors else self.analysis.stages.programs, report)

    def game(self, variant: str | int | None = None) -> Game:
        """Return a game of the text, to play or to query with `why_move`: by title, by number from 0, or the default.

        :raises ZrfError: with every problem of the text if it has errors, or if there is no such game.
        """
        self._file.check()
        titles = tuple(program.game.title for program in self._file.programs)
        return Game(self._file.program(variant), titles, path=self.path)

    def words(self, language: str = "en", variant: str | int | None = None) -> Words:
        """Return the rules in words and pictures, in English (`en`) or German (`de`); `markdown`, `html` format them.

        :raises ZrfError: like `game`, or if there is no such language.
        """
        return rules_in_words(self.game(variant), language)

    def test(self, page: str = "") -> list[Result]:
        """Run the tests in the text's comments, then those of a Markdown page; return their results in this order.

        >>> passed, failed = Draft.open("tictactoe").test("```moves\\ncan: b2\\n```\\n```moves\\ncannot: b2\\n```")[-2:]
        >>> passed.problem == "", failed.problem == ""
        (True, False)

        :raises ZrfError: if the text has errors.
        """
        self._file.check()
        rules = LazyRules(self.path or Path(UNNAMED), self._file)
        return [test.run() for test in tests_of_text(self.path or Path(UNNAMED), self.text, page, rules)]
