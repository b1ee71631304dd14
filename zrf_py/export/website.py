"""A whole site for any web server: home page, gallery, documentation, and a rules editor that runs in the browser.

```
DIR/index.html     the home page; sw.js caches visited pages for use without a network
    gallery/       a page for each game, with a list: site.py
    documents/     the pages of grammar/, with links that open each example in the editor: documents.py
    workshop/      the rules editor of `zrf serve --edit`, with Python in a web worker as its host: browser/
```
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from zrf_py.author.desk_answers import starts
from zrf_py.catalogue import LANGUAGES
from zrf_py.data import data_file
from zrf_py.export import wasm
from zrf_py.export.bundle import bundle
from zrf_py.export.documents import FOLDER, PAGES, documents, place
from zrf_py.export.python_package import LIBRARY, REST, archives, common
from zrf_py.export.site import THEME, Progress, Site, page_of_site, plain, site, write, write_start
from zrf_py.export.sources import content_of, modules, server_script, text_of
from zrf_py.library import contents, load_file
from zrf_py.play.gallery import Games
from zrf_py.play.game import Game
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.view.drawings import picture_svg

PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""Files of Pyodide's npm package that the site copies."""
COMMAND = "npm pack pyodide@314.0.7 && tar xzf pyodide-314.0.7.tgz && zrf site shelf -o site --pyodide package"
POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
          "connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; "
          "form-action 'none'")
_IMPORTED = re.compile(r'(?:from|import\() ?"\./([\w-]+)\.js"|"([\w-]+)\.js", import\.meta\.url|here\("([\w-]+)\.js"')
BUNDLED = ("board", "board-worker", "worker")
"""Scripts of the board, each joined with all that it imports, so that the board appears after fewer requests."""
STEPS = (
    ("gallery/index.html", "Play", "Each game is a single page with computer players. It works offline."),
    ("workshop/index.html", "Write", "The rules editor checks a game as you write it and shows its board."),
    (f"{FOLDER}/tutorial.html", "Learn", "A one-hour tutorial, the language reference, and recipes for many rules."))
TITLE = "Board games in your browser"
ABOUT = "Play games, change their rules, or write your own."
FEATURED = 10
"""Number of games that the home page shows."""


def website(games: str, folder: str | Path, pyodide: str | Path | None, tell: Progress = lambda line: None) -> Site:
    """Write a site with the games of a folder, of a file, or of the `shelf`. `pyodide` is the unpacked npm package of
    that name; `tell` is called with a line for each rules file and each further part.

    :raises ZrfError: if Pyodide is missing, there is no rules file, or the folder can't be written.
    """
    runtime = _runtime(pyodide)
    target = Path(folder)
    done = site(games, target / "gallery", tell, home="../index.html")
    documented = _documents(target)
    tell(f"documentation: {len(documented)} files")
    workshop = _workshop(target / "workshop", runtime)
    tell(f"rules editor: {sum(workshop.values()) / 1e6:.1f} MB")
    if REST not in workshop:
        tell("rules editor: it starts some seconds earlier if Node.js is installed when the site is made")
    _home(target, done.cards[:FEATURED], list(documented))
    return done


def _runtime(pyodide: str | Path | None) -> Path:
    """Return the folder of Pyodide.

    :raises ZrfError: if none is given, or it lacks one of Pyodide's files.
    """
    missing = [name for name in PYODIDE if pyodide is None or not (Path(pyodide) / name).is_file()]
    if pyodide is None or missing:
        problem = f"{pyodide} lacks {missing[0]}" if pyodide else "the rules editor needs Pyodide (Python for browsers)"
        raise ZrfError([Diagnostic("no-pyodide", problem, None, help=f"get it with npm: `{COMMAND}`")])
    return Path(pyodide)


# --------------------------------------------------------------------------------------------------------------- pages


def _page(title: str, body: list[str], up: str, translated: bool = True) -> str:
    """Return a page with the header that all pages of the site share; `up` is the relative path of the site's root."""
    return page_of_site(title, [_head(up), *body], "home", up, styles=("style.css", "website.css"),
                        translated=translated)


def _head(up: str) -> str:
    links = "".join(f'<a href="{up}{address}">{name}</a>' for address, name in (
        ("gallery/index.html", "Games"), ("workshop/index.html", "Editor"), (f"{FOLDER}/tutorial.html", "Docs")))
    return (f'<header class="top"><a class="home" href="{up}index.html"><img src="{up}icon.svg" width="26" height="26" '
            f'alt="">zrf</a><nav class="site" aria-label="Site">{links}</nav><span class="grow"></span>{THEME}'
            "</header>")


def _home(target: Path, cards: Sequence[str], documented: list[str]) -> None:
    """Write the files that make the site installable, then the home page; `cards` are the games that it shows,
    `documented` the files of the documentation."""
    body = [f'<main class="front"><h1>{TITLE}</h1><p class="soft">{ABOUT}</p><ul class="ways">']
    body += [f'<li><a class="card" href="{address}"><b>{name}</b><span>{about}</span></a></li>'
             for address, name, about in STEPS]
    body += ['</ul><ul class="cards">', *cards, "</ul></main>"]
    home = _page("zrf", body, "")
    names = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    made_here = {"sw.js", "index.html", "icon.svg", "manifest.webmanifest"}
    write_start(target, home, ["gallery/index.html", *documented], sorted(names - made_here))


def _documents(target: Path) -> dict[str, int]:
    content = documents()
    files: dict[str, str] = dict(content.examples)
    for address, (title, text) in content.pages.items():
        up = "../" * (1 + address.count("/"))
        body = [f'<div class="reading"><nav aria-label="Documentation">{_contents(address, up)}</nav>',
                f'<main lang="en">{text}</main></div>']
        files[f"{FOLDER}/{address}"] = _page(title, body, up, translated=False)
    files |= {f"{FOLDER}/{name}": content_of(data_file("grammar") / name).decode() for name in content.pictures}
    return {name: write(target / name, text) for name, text in files.items()}


def _contents(shown: str, up: str) -> str:
    """Return links to the documents of `PAGES`, with the current one marked."""
    marks = {shown: ' aria-current="page"'}
    return "".join(f'<a href="{up}{FOLDER}/{place(name)}"{marks.get(place(name), "")}>{title}</a>'
                   for name, title in PAGES.items())


# ------------------------------------------------------------------------------------------------------------ workshop


def _workshop(target: Path, runtime: Path) -> dict[str, int]:
    """Write the rules editor (pages, scripts, zrf_py, games) and a list of its files; return their sizes in bytes."""
    scripts = modules() | {"translations": server_script("translations")}  # loads words from files, as with a server
    files: dict[str, str | bytes] = {f"{name}.js": text for name, text in _scripts(scripts).items()}
    engine = {"kernel.wasm": wasm.kernel(wasm.SEARCHES).module, "common.bin": common()}
    files |= {**engine, "early.js": f'self.format = "{_digest(engine.values())[:8]}";\n{files["early.js"]!s}'}
    words = [f"{name}-{language}.json" for name in ("words", "desk") for language in LANGUAGES]
    files |= {name: text_of(name) for name in ("style.css", "desk.css", "icon.svg", *words)}
    files |= {"index.html": _desk(), "board.html": _board(), **_beginnings()}
    files |= {f"pyodide/{name}": content_of(runtime / name) for name in PYODIDE if name != LIBRARY}
    python = archives(content_of(runtime / LIBRARY), runtime, contents(Games().all()[0].path))
    version = _digest([content_of(runtime / "pyodide.asm.wasm"), *python.values()])[:16]
    files["desk-python.js"] = f'const VERSION = "{version}";\n{files["desk-python.js"]!s}'
    files |= {f"pyodide/{LIBRARY}": python.pop(LIBRARY), **python}
    lock = json.loads(files["pyodide/pyodide-lock.json"])
    files["pyodide/pyodide-lock.json"] = json.dumps({**lock, "packages": {}})
    stored = [name for name in files if not name.startswith("pictures/")]  # pictures are stored once they are seen
    files["files.json"] = json.dumps(sorted([*stored, "files.json"]))
    return {name: write(target / name, content) for name, content in files.items()}


def _digest(contents: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(contents)).hexdigest()


def _scripts(available: Mapping[str, str]) -> dict[str, str]:
    """Return the modules that the rules editor loads, at once or later."""
    loaded: dict[str, str] = {}
    todo = ["early", "desk", "frame"]
    while todo:
        name = todo.pop()
        if name not in loaded:
            loaded[name] = bundle(available, name) if name in BUNDLED else available[name]
            todo += [next(filter(None, match)) for match in _IMPORTED.findall(loaded[name])]
    return loaded


def _with_policy(page: str, title: str) -> str:
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    page = page.replace("/static/", "").replace("<title>", f"{policy}<title>", 1)
    return re.sub(r"<title>.*?</title>", f"<title>{title}</title>", page, count=1)


def _desk() -> str:
    page = text_of("desk.html").replace('class="home" href="/"', 'class="home" href="../index.html"')
    page = page.replace("<link ", '<script src="early.js"></script>\n<link ', 1)
    page = page.replace('<script type="module" src="/static/desk.js"></script>\n', "", 1)  # early.js loads it
    return _with_policy(page, "Rules editor")


def _board() -> str:
    """Return the page of the board beside the text; the enclosing page provides its game."""
    page = re.sub(r'^\s*<a class="home".*?</a>\n', "", text_of("board.html"), flags=re.M)
    page = re.sub(r'src="[^"]*board\.js"', 'src="/static/frame.js"', page)
    page = page.replace('<details class="panel" id="desk">', '<details class="panel" id="desk" hidden>')
    return _with_policy(page.replace('<aside class="right"', '<aside class="right" hidden', 1), "Board")


def _beginnings() -> dict[str, str | bytes]:
    """Return the list of templates and bundled games for use before Python has loaded, and the games with pictures."""
    games = Games().all()
    rows = [{"id": game.id, "title": game.title, "about": game.about, "picture": f"pictures/{plain(game.id)}.svg",
             "file": f"rules/{game.path.name}"} for game in games]
    listed = json.dumps({**starts(Path("my-game.zrf")), "games": rows}, ensure_ascii=False)
    files: dict[str, str | bytes] = {"starts.json": listed}
    for row, game in zip(rows, games, strict=True):
        files[row["file"]] = contents(game.path)
        files[row["picture"]] = picture_svg(Game(load_file(game.path).program(game.variant)).start())
    return files
