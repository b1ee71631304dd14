"""Format rules text in the standard style, which is that of the games that come with zrf_py.

The author's line breaks stay; indentation, spacing and lines that are too long change:

* the contents of a form are indented by two columns from its parenthesis, by one if they begin with a form; `else`
  is indented by one;
* the code on a line has at most 100 columns; only long words and strings exceed that;
* closing parentheses directly follow what they close; those with a comment of their own stay with it;
* one blank between words, except in aligned columns; at most one empty line; comments after the code
  of consecutive lines are aligned.

Columns are aligned if the author has aligned some (two blanks or a tab within a row), and always in `positions`. Rows
of only words may be a drawing of the board: these words keep their relative places.

Strings are unchanged. Reading the result gives the same sequence of words and comments.
"""

from dataclasses import dataclass
from itertools import groupby

from zrf_py.author.format.tree import Item, flat, measure, pieces, read
from zrf_py.front.keywords import BODIES

FILLED = frozenset({"positions", "links", "dimensions", "directions", "turn-order", "players", "symmetry", "image",
                    "kill-positions", "dummy", "unlink", "board-setup", "values", "move-priorities", "absolute-config",
                    "relative-config", "define", "moves", "drops"})
"""Forms whose items are wrapped to fill the lines if they are too long; in others, each form inside begins a line."""
MAX_ROUNDS = 8


def formatted(text: str) -> str:
    """Return the text in the standard style, or the text itself if its structure is unclear.

    All line ends become the kind that prevails, LF or CRLF; those inside strings stay, and are not counted.

    >>> formatted("(define step ( $1\\n  (verify empty?)\\n add\\n )\\n)")
    '(define step ($1\\n               (verify empty?)\\n               add))\\n'
    """
    end = _line_end(text)
    for _ in range(MAX_ROUNDS):
        again = _round(text, end)
        if again == text:
            return text
        text = again
    return text


def _line_end(text: str) -> str:
    inside = [text[start:end] for kind, start, end in pieces(text) if kind == "STRING"]
    long = text.count("\r\n") - sum(string.count("\r\n") for string in inside)
    every = text.count("\n") - sum(string.count("\n") for string in inside)
    return "\r\n" if long * 2 > every else "\n"


def words(text: str) -> list[str]:
    """Return the words, strings and parentheses of a text: texts that agree in them have the same rules."""
    return [text[start:end] for kind, start, end in pieces(text) if kind != "COMMENT"]


def comments(text: str) -> list[str]:
    """Return the comments of a text, in order, without trailing blanks."""
    return [text[start:end].rstrip() for kind, start, end in pieces(text) if kind == "COMMENT"]


def _round(text: str, end: str) -> str:
    tree = read(text)
    if not tree.clean or not any(item.is_form for item in tree.items):
        return text
    measure(tree.items)
    align("", tree.items)
    measure(tree.items)  # again, with the padding of columns
    writer = _LayoutWriter()
    writer.top(tree.items)
    return writer.finish(end) + tree.tail


@dataclass(slots=True)
class _Line:
    """An output line; `column` is the original column of a comment after code or of its continuation (-1: none)."""

    code: str = ""
    comment: str = ""
    column: int = -1
    empty_before: bool = False
    continues: bool = False

    @property
    def width(self) -> int:
        return len(self.code.rpartition("\n")[2])


class _LayoutWriter:
    def __init__(self) -> None:
        self.lines: list[_Line] = [_Line()]

    @property
    def line(self) -> _Line:
        return self.lines[-1]

    def finish(self, end: str) -> str:
        """Return the whole text, with `end` at the end of each line."""
        _finish_comments(self.lines)
        return "".join((end if line.empty_before else "") + (line.code + line.comment).rstrip(" \t") + end
                       for line in self.lines)

    def newline(self, indent: int, empty: bool = False) -> None:
        if self.line.code.strip() or self.line.comment:
            self.lines.append(_Line())
        self.line.code = " " * indent
        self.line.empty_before = self.line.empty_before or (empty and len(self.lines) > 1)

    def top(self, items: list[Item]) -> None:
        for number, item in enumerate(items):
            follows = number and not item.lines and not self.line.comment
            if item.is_comment:
                self.comment(item, 0, bool(follows))
                continue
            if follows and self.line.width + 1 + item.pad + max(item.width, 0) <= WIDTH:
                self.line.code += " " * (1 + item.pad)
            else:
                self.newline(0, item.lines > 1)
            self.item(item, 0, _lone(items, number))

    def comment(self, item: Item, indent: int, behind: bool) -> None:
        """Write a comment: after code, on a line of its own, or as the continuation of one after the code above."""
        before = self.line
        if behind and before.code.strip() and not before.comment:
            before.comment, before.column = item.text, item.column
            return
        self.newline(indent, item.lines > 1)
        self.line.comment = item.text
        if before.column >= 0 and before.column == item.column and item.lines == 1:
            self.line.column, self.line.continues = item.column, True

    def item(self, item: Item, closers: int, lone: bool = False) -> None:
        """Write an item; `closers` is the number of parentheses that must fit after it."""
        if item.items is None:
            self.line.code += item.text
            return
        column = self.line.width
        self.line.code += "("
        self.inside(item, column, closers + 1)
        own_line = self.line.comment and not self.line.code.strip()
        if own_line or (lone and item.items):
            self.newline(column)
        if item.closed:
            self.line.code += ")"

    def inside(self, form: Item, column: int, closers: int) -> None:
        items = form.items or []
        indent = column + (1 if items and (items[0].is_form or items[0].is_comment) else 2)
        spread = form.width >= 0 and column + form.width + closers - 1 > WIDTH and form.head not in FILLED
        last = max((n for n, item in enumerate(items) if not item.is_comment), default=-1)
        forms = 0
        for number, item in enumerate(items):
            if item.is_comment:
                self.comment(item, indent, not item.lines)
                continue
            own = closers if number == last else 0
            forms += item.is_form
            hang = column + 1 if item.text == "else" and form.head in BODIES else indent
            broken = spread and item.is_form and not (forms == 1 and form.head in BODIES)  # conditions stay beside `if`
            opens_line = bool(item.items) and bool(item.items[0].lines)  # type: ignore[index]
            broken = broken or opens_line or not self.fits(item, own, indent)  # the next line has more room
            if number and (item.lines or broken or self.line.comment):
                self.newline(hang + item.pad * bool(item.lines), item.lines > 1)
            elif number:
                self.line.code += " " * (1 + item.pad)
            elif self.line.comment:
                self.newline(hang)
            self.item(item, own, _lone(items, number))

    def fits(self, item: Item, closers: int, indent: int) -> bool:
        """Return whether an item fits on this line, or would gain no room on the next."""
        at = self.line.width + 1 + item.pad
        if item.kind == "STRING":
            return True  # strings can't be broken; they stay beside their name
        return at + _lead(item) + closers <= WIDTH or at <= indent


def _lone(items: list[Item], number: int) -> bool:
    """Return whether a closing parenthesis stays on a line of its own, because a comment follows it there."""
    after = items[number + 1] if number + 1 < len(items) else None
    return items[number].lone_close and after is not None and after.is_comment and not after.lines


def _lead(item: Item) -> int:
    """Return the number of columns an item takes on the line where it begins."""
    if item.width >= 0:
        return item.width
    if item.items is None:
        return len(item.text.partition("\n")[0])
    return 1 + (_lead(item.items[0]) if item.items and not item.items[0].is_comment else 0)


def _finish_comments(lines: list[_Line]) -> None:
    """Align the comments after code on neighbouring lines."""
    group: list[_Line] = []
    for line in [*lines, _Line()]:
        if line.comment and (line.code.strip() or line.continues) and not (group and line.empty_before):
            group.append(line)
            continue
        _column(group)
        group = [line] if line.comment and line.code.strip() else []
    _column(group)


def _column(group: list[_Line]) -> None:
    widths = [line.width for line in group if not line.continues]
    wide = max(widths, default=0)
    if widths and wide + 2 + max(len(line.comment) for line in group) > WIDTH + 20:
        wide = -1  # one long line would push the comments of all the others far to the right
    for line in group:
        if line.continues:
            line.code = " " * max(wide if wide >= 0 else widths[-1], 0)
        line.code += " " * max((wide if wide >= 0 else line.width) - line.width, 0) + "  "


TABLES = frozenset({"positions"})
"""Forms whose rows are always aligned."""
MIXED = frozenset({"positions", "dimensions", "directions", "links", "board-setup", "image"})
"""Forms whose rows are aligned together although they begin with different words."""
WIDTH = 100


def align(parent: str, items: list[Item], depth: int = 0) -> None:
    """Set `pad` in the rows of a form and of all forms inside it."""
    for item in items:
        if item.items is not None:
            align(item.head, item.items, depth + 1)
    for _, group in groupby(_rows(items), key=lambda row: _kind(row, parent)):
        rows = list(group)
        if len(rows) < 2 or _kind(rows[0], parent) is None:
            continue
        if all(not item.is_form for row in rows for item in row):
            _drawing(rows)
        else:
            _straighten([row if len(row) > 1 else row[0].items or [] for row in rows], parent in TABLES, depth)


def _rows(items: list[Item]) -> list[list[Item]]:
    """Return the items of each line but the first, without comments after code; a blank line adds an empty row."""
    rows: list[list[Item]] = []
    current: list[Item] | None = None
    for item in items:
        if item.is_comment and not item.lines:
            continue
        if item.lines:
            if item.lines > 1:
                rows.append([])
            current = []
            rows.append(current)
        if current is not None:
            current.append(item)
    return rows


def _kind(row: list[Item], parent: str) -> object:
    """Return a key that is equal for rows to align together; None for a row that stays apart, such as one with a long
    item or one that begins with `else`."""
    if not row or any(item.width < 0 for item in row) or (row[0].text == "else" and parent in BODIES):
        return None
    if all(not item.is_form for item in row):
        return "words"
    if len(row) > 1:
        return tuple(item.is_form for item in row)
    inside = row[0].items or []
    head = "" if parent in MIXED else row[0].head
    return (head, *(item.is_form for item in inside))


def _has_wide_gaps(rows: list[list[Item]]) -> bool:
    return any(item.gap > 1 for row in rows for item in row[1:])


def _drawing(rows: list[list[Item]]) -> None:
    """Keep the columns of the words, relative to the leftmost one, if there are wide gaps between words."""
    if not _has_wide_gaps(rows):
        return
    left = min(row[0].column for row in rows)
    for row in rows:
        row[0].pad = row[0].column - left
        for item in row[1:]:
            item.pad = item.gap - 1


def _straighten(rows: list[list[Item]], always: bool, depth: int) -> None:
    if not always and not _has_wide_gaps(rows):
        return
    count = len(rows[0])
    texts = [[flat(item) for item in row] for row in rows]
    widths = [max(len(row[n]) for row in texts) for n in range(count)]
    if sum(widths) + count + 2 * depth + 4 > WIDTH:
        return
    for n in range(1, count):
        right = all(row[n].kind == "NUMBER" for row in rows)
        for row, text in zip(rows, texts, strict=True):
            if right:
                row[n].pad += widths[n] - len(text[n])
            if not (n > 1 and all(r[n - 1].kind == "NUMBER" for r in rows)):
                row[n].pad += widths[n - 1] - len(text[n - 1])
