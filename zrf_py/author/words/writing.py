"""Write the rules in words as Markdown with boards of characters, or as a self-contained HTML page with pictures."""

from collections.abc import Iterator
from dataclasses import replace
from html import escape

from zrf_py.author.words.document import Block, Listing, Paragraph, Picture, Rules, Section, TextLine
from zrf_py.author.words.language import Language

_STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#222}
figure{margin:1rem 0}figure svg{width:100%;max-width:24rem;height:auto}figcaption{color:#555;font-size:.9em}
.area{display:inline-block;width:12rem;margin:.3rem 1rem .3rem 0}
li{margin:.2rem 0}h3{margin-bottom:.3rem}
@media(prefers-color-scheme:dark){body{background:#1c1b19;color:#e8e4da}figcaption{color:#b5ad9d}}"""


def markdown(rules: Rules) -> str:
    """Format the rules as Markdown; boards are drawn with characters."""
    lines = [f"# {_plain(rules.title)}", ""]
    if _has_moves(rules):
        lines += [Language(rules.language)("marks"), ""]
    for section in rules.sections:
        lines += [f"{'#' * section.level} {_plain(section.title)}", ""]
        for block in section.blocks:
            lines += [*_markdown(block), ""]
    return "\n".join(lines).rstrip() + "\n"


def _has_moves(rules: Rules) -> bool:
    """Return whether some picture has marks, which must be explained."""
    return any(isinstance(block, Picture) and (block.quiet or block.takes)
               for section in rules.sections for block in section.blocks)


def _markdown(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield _plain(text)
        case Listing(lines):
            yield from _items(lines, 0)
        case Picture():
            yield from ("```text", *block.text.splitlines(), "```", "", _plain(block.caption))


def _items(lines: tuple[TextLine, ...], depth: int) -> Iterator[str]:
    for line in lines:
        yield f"{'  ' * depth}- {_plain(line.text)}"
        yield from _items(line.inner, depth + 1)


def _plain(text: str) -> str:
    """Escape a text for Markdown, on one line."""
    for sign in "\\*_<>#[]":
        text = text.replace(sign, "\\" + sign)
    return " ".join(text.split())


def html(rules: Rules) -> str:
    """Format the rules as an HTML page; boards are SVG."""
    say = Language(rules.language)
    return (f'<!doctype html>\n<html lang="{rules.language}">\n<head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width"><title>{escape(rules.title)}</title>\n'
            f"<style>{_STYLE}</style></head>\n<body>\n{fragment(rules)}\n"
            f"<p><small>{escape(say('made'))}</small></p>\n</body></html>\n")


def fragment(rules: Rules) -> str:
    """Format the rules as a fragment of a page, without a style of its own.

    First come the players, the ends of the game, pictures of the board, and the pieces (only pictures and the author's
    words, if there are both); then, folded under "Exactly", the whole text without pictures.
    """
    say = Language(rules.language)
    game, board, _, _, _, ends = (section for section in rules.sections if section.level == 2)
    pieces = [_brief(section) for section in rules.sections if section.level == 3]
    first = [game, ends, replace(board, blocks=_pictures(board)), *pieces]
    exactly = [replace(section, blocks=tuple(block for block in section.blocks if not isinstance(block, Picture)))
               for section in rules.sections]
    lines = [f"<h1>{escape(rules.title)}</h1>", *(line for section in first for line in _section(section))]
    if _has_moves(rules):
        lines.append(f"<p>{escape(say('marks.html'))}</p>")
    return "\n".join([*lines, f'<details class="exactly"><summary>{escape(say("exactly"))}</summary>',
                      *(line for section in exactly for line in _section(section)), "</details>"])


def _brief(section: Section) -> Section:
    """Return the section of a piece with only the author's words and the pictures if it has both, else unchanged."""
    own = [Paragraph(block.author) for block in section.blocks if isinstance(block, Paragraph) and block.author]
    pictures = _pictures(section)
    return replace(section, blocks=(*own, *pictures)) if own and pictures else section


def _pictures(section: Section) -> tuple[Block, ...]:
    return tuple(block for block in section.blocks if isinstance(block, Picture))


def _section(section: Section) -> Iterator[str]:
    yield f"<h{section.level}>{escape(section.title)}</h{section.level}>"
    for block in section.blocks:
        match block:
            case Paragraph(text):
                yield f"<p>{escape(text)}</p>"
            case Listing(lines):
                yield from _list(lines)
            case Picture():
                area = ' class="area"' if block.quiet and block.start < 0 else ""
                caption = " ".join(filter(None, [block.caption, block.colours]))
                yield f"<figure{area}>{block.svg}<figcaption>{escape(caption)}</figcaption></figure>"


def _list(lines: tuple[TextLine, ...]) -> Iterator[str]:
    yield "<ul>"
    for line in lines:
        yield f"<li>{escape(line.text)}"
        if line.inner:
            yield from _list(line.inner)
        yield "</li>"
    yield "</ul>"
