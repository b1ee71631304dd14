"""Export rules files as a folder for any web server: a list with pictures, and a page for each file.

Browsers can install the list as an app once it is served; every page that has been opened works offline.
"""

import hashlib
import html
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from zrf_py.author.sharing import link_of
from zrf_py.catalogue import LANGUAGES
from zrf_py.export.bundle import bundle
from zrf_py.export.page import document, games_of, page_of
from zrf_py.export.sources import content_of, modules, text_of
from zrf_py.hosts import Late, Lost, Pool
from zrf_py.paths import replace_file
from zrf_py.play.facts import Facts, facts_of
from zrf_py.play.gallery import Games, Served
from zrf_py.text.diagnostics import Diagnostic, ZrfError, writing
from zrf_py.view.drawings import picture_svg

SHELF = "shelf"
"""Name that stands for all games that come with zrf_py."""
PATIENCE = 1800.0
"""Seconds that making the page of a file may take before its process is killed."""
Progress = Callable[[str], None]
Part = TypeVar("Part")


@dataclass(frozen=True)
class Site:
    """Files written: `pages` maps names to sizes in bytes; `left_out` maps the files that can't be played to their
    problems. `cards` are the entries of the list as HTML, for a page in the parent folder."""

    pages: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, list[Diagnostic]] = field(default_factory=dict)
    cards: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Result:
    """Result for one file: its page, and pictures and facts of its games by title ("": the default), or problems."""

    page: str = ""
    pictures: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Facts] = field(default_factory=dict)
    problems: tuple[Diagnostic, ...] = ()


def site(
    what: str | Path, folder: str | Path, tell: Progress = lambda line: None, processes: int | None = None,
    learn: bool = False, small: bool = False, home: str = "",
) -> Site:
    """Write the site of a folder of rules files, of one file, or of the `shelf`; return what was written.

    Files that can't be played are left out. `tell` is called with a line for each file; `processes` run in parallel
    (default: as many as there are processors); for `learn` and `small` see `page`. `home` is the address of the site
    that this one is a part of; that site has the service worker.

    :raises ZrfError: if there is no rules file, or the folder can't be written.
    """
    games, listed = _listed(str(what))
    names = _names(listed)
    target, done, played = Path(folder), Site(), {}
    for path, result in _make_all(list(names), processes or os.cpu_count() or 1, learn, small):
        if result.problems:
            done.left_out[str(path)] = list(result.problems)
        else:
            done.pages[names[path]] = write(target / "games" / f"{names[path]}.html", result.page)
            played[path] = result
        tell(f"{names[path]}: " + ("left out" if result.problems else f"{len(result.page) / 1000:.0f} kB"))
    cards = [games.learn(game, _of(game, played[game.path].facts)) if game.is_own else game
             for game in listed if game.path in played]
    for game in cards:
        write(target / "pictures" / f"{plain(game.id)}.svg", _of(game, played[game.path].pictures))
    _write_index(target, cards, names, home)
    done.cards.extend(_card(game, names[game.path], f"{target.name}/") for game in cards)
    return done


def _listed(place: str) -> tuple[Games, list[Served]]:
    """Return all games of a place, and the list of those that get a card."""
    games = Games(None if place == SHELF else place)
    listed = [game for game in games.all() if game.is_own != (place == SHELF)] or [
        game for game in games.all() if game.id == games.start]
    if not listed:
        raise ZrfError(f"there is no rules file (.zrf) in {place}", "no-such-game")
    return games, listed


def _names(listed: list[Served]) -> dict[Path, str]:
    """Return a name for each file, unique without regard to case."""
    names: dict[Path, str] = {}
    used: set[str] = set()
    for game in listed:
        if game.path not in names:
            name = plain(game.path.stem)
            while name.casefold() in used:
                name += "-"
            used.add(name.casefold())
            names[game.path] = name
    return names


def plain(name: str) -> str:
    """Return a name that is valid in any file system and any URL."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:80] or "game"


def _make_all(paths: list[Path], processes: int, learn: bool, small: bool) -> Iterator[tuple[Path, _Result]]:
    if processes < 2 or len(paths) < 2:
        yield from ((path, _make(path, learn, small)) for path in paths)
        return
    pool = Pool(min(processes, len(paths)))
    try:
        running = [pool.submit(_make, path, learn, small, seconds=PATIENCE) for path in paths]
        for path, future in zip(paths, running, strict=True):
            try:
                result = future.result()
            except Late:
                result = _Result(problems=(Diagnostic("too-slow", f"it took longer than {PATIENCE:.0f} s", None),))
            except MemoryError:
                result = _Result(problems=(Diagnostic("too-large", "it needs more memory than is available", None),))
            except Lost as error:
                result = _Result(problems=(Diagnostic("worker-died", str(error), None),))
            yield path, result
    finally:
        pool.close()


def _make(path: Path, learn: bool, small: bool) -> _Result:
    try:
        games, first = games_of(path)
        pictures = {game.title: picture_svg(game.start()) for game in games}
        facts = {game.title: facts_of(game.program) for game in games}
        title = games[first].title
        return _Result(page_of(games, first, "../index.html", learn, small), {"": pictures[title], **pictures},
                     {"": facts[title], **facts})
    except ZrfError as error:
        return _Result(problems=tuple(error.diagnostics))


def _of(game: Served, results: dict[str, Part]) -> Part:
    """Return the result for the variant that a game's card opens."""
    return results.get(game.variant or "", results[""])


# --------------------------------------------------------------------------------------------------------------- files


def write(path: Path, text: str | bytes) -> int:
    """Write a file atomically, with its folder; return its size in bytes.

    :raises ZrfError: if it can't be written.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")  # file names may hold lone surrogates
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, data)
    return len(data)


def _write_index(target: Path, games: list[Served], names: dict[Path, str], home: str) -> None:
    """Write the list and the files that make it installable; the list last, once all files that it names exist."""
    index = page_of_site("Games", _body(games, names, home), "site")
    pictures = [f"pictures/{plain(game.id)}.svg" for game in games]
    pages = sorted({f"games/{names[game.path]}.html" for game in games})
    write_start(target, index, pictures, None if home else [*pictures, *pages])


def page_of_site(title: str, body: Iterable[str], script: str, up: str = "", *,
                 styles: Sequence[str] = ("style.css", "alone.css"), translated: bool = True) -> str:
    """Return a page of a site; it runs the module `script`. `up` is the relative path of the site's root, and
    `translated` pages include the translations of their texts."""
    words = {name: json.loads(text_of(f"words-{name}.json")) for name in LANGUAGES if translated}
    table = json.dumps({"words": words}, ensure_ascii=False).replace("<", "\\u003c")
    return document(
        title, [*body], f"globalThis.zrfAlone = {table};\n" + bundle(modules(), script),
        "script-src {script}; img-src 'self' file: data:; worker-src 'self'; manifest-src 'self'",
        head=[f'<link rel="icon" href="{up}icon.svg">', f'<link rel="manifest" href="{up}manifest.webmanifest">'],
        styles=styles)


def write_start(target: Path, index: str, first: Sequence[str], names: Sequence[str] | None) -> None:
    """Write the files that make a site installable: an icon, a manifest, and a service worker, which caches the start
    page and the files `first` at once. Write the start page `index` last, once all others exist.

    :param names: the files whose contents determine the worker's version; None if the site has no worker.
    """
    write(target / "icon.svg", text_of("icon.svg"))
    manifest = {
        "name": "Games", "short_name": "Games", "start_url": "index.html", "scope": "./", "display": "standalone",
        "background_color": "#f4f1ea", "theme_color": "#0c6b63",
        "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}]}
    write(target / "manifest.webmanifest", json.dumps(manifest, indent=1))
    if names is not None:
        sha = hashlib.sha256(index.encode("utf-8", "replace"))
        for name in names:
            sha.update(content_of(target / name))
        listed = json.dumps(["./", "index.html", "icon.svg", "manifest.webmanifest", *first])
        lines = (f'const VERSION = "zrf-{sha.hexdigest()[:16]}";', f"const FIRST = {listed};", text_of("sw.js"))
        write(target / "sw.js", "\n".join(lines))
    write(target / "index.html", index)


THEME = ('<button class="button icon" id="theme" type="button" aria-label="Switch between light and dark">'
         '<svg viewBox="0 0 24 24"><path d="M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z"/></svg></button>')


def _body(cards: list[Served], names: dict[Path, str], home: str) -> Iterator[str]:
    """Yield the markup of the list: a header, the search fields, and a card for each game, under headings."""
    icon = '<img src="icon.svg" width="26" height="26" alt="">'
    back = f'<a class="home" href="{html.escape(home)}">{icon}zrf</a>' if home else ""
    yield f'<header class="top">{back}<h1>Games</h1><span class="grow"></span>{THEME}</header>'
    worker = f' data-worker="{html.escape(home.replace("index.html", "sw.js"))}"' if home else ""
    yield (f'<main class="gallery"{worker}><div class="welcome"><p>Board games whose rules are text files. '
           'Play alone, against the computer, or with somebody beside you; everything works offline.</p>'
           '<ul class="cards" id="today"></ul></div>'
           '<div class="search"><input id="search" type="search" autocomplete="off" '
           'placeholder="Search by name, board, source …" aria-label="Search games"></div>'
           '<div class="search" id="filters"><p class="soft" id="count" role="status"></p></div><div id="games">')
    for group in dict.fromkeys(game.group for game in cards):
        own = [game for game in cards if game.group == group]
        yield f"<section><h2>{html.escape(group)}<small>{len(own)}</small></h2><ul class=\"cards\">"
        yield from (_card(game, names[game.path]) for game in own)
        yield "</ul></section>"
    yield "</div></main>"


def _card(game: Served, name: str, folder: str = "") -> str:
    address = f"{folder}games/{name}.html" + (f"#{link_of(game.variant)}" if game.variant else "")
    about = f"<span>{html.escape(game.about)}</span>" if game.about else ""
    picture = f'<img loading="lazy" decoding="async" alt="" src="{folder}pictures/{plain(game.id)}.svg">'
    inner = f'<div class="picture">{picture}</div><div class="words"><b>{html.escape(game.title)}</b>{about}</div>'
    return f'<li data-words="{html.escape(game.words)}"><a class="card" href="{html.escape(address)}">{inner}</a></li>'
