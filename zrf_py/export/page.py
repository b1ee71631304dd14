"""Export a rules file as a single web page that contains the engine and works offline, from disk."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from zrf_py.author.words.rules import rules_in_words
from zrf_py.author.words.writing import fragment
from zrf_py.catalogue import LANGUAGES
from zrf_py.export.bundle import bundle
from zrf_py.export.contents import MOST_OWN, contents
from zrf_py.export.payload import Payload, compressed
from zrf_py.export.sources import modules, text_of
from zrf_py.library import load_file, named
from zrf_py.play.game import Game
from zrf_py.play.reasons import NUMBERS, SENTENCES, STANDINGS
from zrf_py.text.diagnostics import ZrfError
from zrf_py.view.describe import TEXTS, describe_game
from zrf_py.view.scene import scene
from zrf_py.view.svg import Style, svg

_BODY = re.compile(r"<body>\n(.*)</body>", re.S)
_HOME = re.compile(r'^\s*<a class="home".*?</a>\n', re.M)
_DESK = re.compile(r'<details class="panel" id="desk">')
_BOARD = re.compile(r'(<div id="board"[^>]*)></div>')
_BESIDE = '<aside class="right"'
_FIRST_FRAME = '<link rel="expect" href="#boot" blocking="render">'
"""Delays the first paint until the markup after the board has loaded: one complete frame is faster than two."""
_PICTURES = re.compile(r"(<svg.*?</svg>)", re.S)
_COMMENT = re.compile(r"/\*.*?\*/\s*", re.S)


def page(what: Game | str | Path, variant: str | int | None = None, home: str = "", learn: bool = False,
         small: bool = False) -> str:
    """Return the page of a game, or of a rules file given by name or path: all its variants, with `variant` (a title or
    a number) shown first. `home` is the address of a page that lists more games, if there is one.

    Winning chances are shown where their weights are known; `learn` plays games to fit them where they are not, which
    takes up to a minute for each variant. If zopfli is installed, `small` saves about 3% for half a second more.

    :raises ZrfError: if there is no such file or variant, its rules have errors, or a game is too large for a page.
    """
    games, first = games_of(what, variant)
    return page_of(games, first, home, learn, small)


def page_of(games: list[Game], first: int = 0, home: str = "", learn: bool = False, small: bool = False) -> str:
    """Return the page of games of one file; the one with index `first` is shown first."""
    picture = svg(scene(games[first].start(), held=False), style=Style(every=True))
    payload, tables = contents(games, learn)
    scripts = modules()
    markup = _markup(games[first], home, picture)
    names = [name for game in games for name in (
        game.title, *(kind.name for kind in game.program.game.pieces),
        *(player.name for player in game.program.game.players))]
    texts = {name: bundle(scripts, name) for name in ("board", "worker")}
    words = {language: _words(language, [markup, *texts.values(), *names]) for language in LANGUAGES}
    for name, text in {**texts, "words": json.dumps(words, ensure_ascii=False, separators=(",", ":"))}.items():
        payload.name(name, text)
    for number in {first, *range(len(games) if len(games) <= MOST_OWN else 0)}:
        _add_rules(payload, games[number], number)
    icon = base64.b64encode(text_of("icon.svg").encode()).decode()
    return document(
        games[first].title, [markup], bundle(scripts, "start"),
        "script-src {script} blob: 'wasm-unsafe-eval'; img-src data: blob:; worker-src blob:",
        head=[f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">', _FIRST_FRAME],
        late=[_data_element("boot", bundle(scripts, "boot")),
              _data_element("packed", compressed(payload.packed({**tables, "first": first}), small))])


def _add_rules(payload: Payload, game: Game, number: int) -> None:
    """Add the rules of a game in words: a list of parts for each language, so that the pictures are stored once."""
    for language in ("en", *LANGUAGES):
        with suppress(ZrfError):
            parts = _PICTURES.split(fragment(rules_in_words(game, language)))
            payload.name(f"rules-{language}-{number}", json.dumps([payload.add(part.encode()) for part in parts]))


def _data_element(name: str, text: str) -> str:
    """Return an element of the page that contains a text, which is neither shown nor run."""
    return f'<script type="text/plain" id="{name}">{text}</script>'


def games_of(game: Game | str | Path, variant: str | int | None = None) -> tuple[list[Game], int]:
    """Return all games of a file, or only the game given, and the index of the chosen one.

    :raises ZrfError: if there is no such file or variant, or one of the games has errors.
    """
    if isinstance(game, Game):
        return [game], 0
    path, chosen = named(game, variant)
    file = load_file(path)
    file.report.check()
    first = file.program(chosen)
    titles = tuple(program.game.title for program in file.programs)
    return [Game(p, titles, path=file.path) for p in file.programs], file.programs.index(first)


def _markup(game: Game, home: str, picture: str) -> str:
    """Return the markup of a game's page before any script has run; `picture` is its start position as SVG."""
    body = _BODY.search(text_of("board.html"))
    assert body
    info = describe_game(game)
    back = f'  <a class="home" href="{html.escape(home)}" title="All games">{text_of("icon.svg").strip()}zrf</a>\n'
    inner = _DESK.sub('<details class="panel" id="desk" hidden>', _HOME.sub(lambda _: back if home else "", body[1]))
    inner = _replaced(inner, "<p class=\"note away\"", '<noscript><p class="note">This page needs JavaScript.</p>'
                      "</noscript>\n      <p class=\"note away\"")
    players = [player for player in info["players"] if player["kind"] == "player"]
    is_turned = all(player["above"] for player in players)
    strips = {1: "table solo", 2: "table"}.get(len(players), "table many")  # `panels.js` sets the same classes
    inner = _replaced(inner, '<main class="table">', f'<main class="{strips}">')
    turned = ' data-turned="1"' if is_turned else ""
    inner = _BOARD.sub(lambda match: f"{match[1]}{turned}>{picture}</div>", inner, count=1)
    inner = _replaced(inner, _BESIDE, f"{_BESIDE} hidden")  # hidden until the board is visible
    title = f'<h1 id="title">{html.escape(info["title"])}</h1>'
    if len(info["variants"]) > 1:
        title = title.replace(' id="title"', ' id="title" class="sr"')
        options = "".join(f"<option{' selected' if variant == info['title'] else ''}>{html.escape(variant)}</option>"
                          for variant in info["variants"])
        inner = _replaced(inner, '<select id="variant" hidden autocomplete="off"></select>',
                          f'<select id="variant" autocomplete="off">{options}</select>')
    return _replaced(inner, '<h1 id="title">…</h1>', title).rstrip("\n")


def _replaced(text: str, part: str, by: str) -> str:
    """Replace a part of the markup that must occur exactly once: exported pages and the server share one file."""
    assert text.count(part) == 1, part
    return text.replace(part, by)


def _words(language: str, texts: Sequence[str]) -> dict[str, str]:
    """Return the translations of the phrases in a page's texts, and of all phrases with placeholders such as `{0}`."""
    table: dict[str, str] = json.loads(text_of(f"words-{language}.json"))
    page_text = "\n".join((*texts, *NUMBERS, *SENTENCES.values(), *STANDINGS.values(), *map(str.capitalize, TEXTS)))
    written = {english: json.dumps(english, ensure_ascii=False)[1:-1] for english in table}
    return {english: other for english, other in table.items()
            if re.search(r"\{\d\}", english) or english in page_text or written[english] in page_text}


def document(title: str, body: Sequence[str], script: str, allowed: str, *, head: Sequence[str] = (),
             late: Sequence[str] = (), styles: Sequence[str] = ("style.css", "alone.css")) -> str:
    """Return a page with one script and the style sheets `styles`. `allowed` are the directives of its
    Content-Security-Policy, with `{script}` for the script's hash; `late` is markup that follows the script."""
    script, style = f"\n{script}", f"\n{_style(styles)}"
    policy = f"default-src 'none'; style-src {_hash(style)}; base-uri 'none'; form-action 'none'; " + allowed.format(
        script=_hash(script))
    return "\n".join([
        "<!doctype html>", '<html lang="en">', '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">', f"<title>{html.escape(title)}</title>",
        *head, f"<style>{style}</style>", "<body>", *body, f"<script>{script}</script>", *late,
        "</body>", "</html>", ""])


def _style(names: Sequence[str]) -> str:
    """Return style sheets as one, minified."""
    text = _COMMENT.sub("", "".join(map(text_of, names)))
    return re.sub(r" ?([{;,]|: ) ?", lambda match: match[1].strip(), re.sub(r"\n\s+", "\n", text))


def _hash(text: str) -> str:
    """Return the hash of a script or style, as a source expression of a Content-Security-Policy."""
    digest = hashlib.sha256(text.encode("utf-8", "replace")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
