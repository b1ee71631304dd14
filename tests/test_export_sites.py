"""Sites of many files, and the contents of pages; the engines of pages are not compiled."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")

import importlib

from tests.playing import RULES, counted
from zrf_py.author.sharing import link_of
from zrf_py.export import wasm
from zrf_py.export.contents import _plain, prepare
from zrf_py.export.facts import facts
from zrf_py.export.page import _markup, games_of
from zrf_py.export.payload import Payload
from zrf_py.hosts import Late, Lost
from zrf_py.jit.wasm_link import Linked
from zrf_py.library import load_file
from zrf_py.native import code, extension
from zrf_py.play.game import Game, load, loads
from zrf_py.search.game_search import search_for
from zrf_py.text.diagnostics import ZrfError
from zrf_py.view.drawings import picture_svg

sites = importlib.import_module("zrf_py.export.site")

SMALL = """(game (title "{title}") (description "A text.") (players A B) (turn-order A B)
  (board (positions (p 0 0 48 48) (q 48 0 96 48)) (links e (p q)))
  (piece (name Man) (moves (e (verify empty?) add)))
  (board-setup (A (Man p))))
(variant (title "Other") (board-setup (A (Man q))))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of rules files, one of them with errors, two with names that some file systems consider equal."""
    def page_of(games: list[Game], first: int, home: str, learn: bool, small: bool) -> str:
        return f"<page {games[first].title} of {len(games)} home {home} {learn} {small}>"

    monkeypatch.setattr(sites, "page_of", page_of)
    rules = tmp_path / "rules"
    (rules / "deep").mkdir(parents=True)
    (rules / "one.zrf").write_text(SMALL.format(title="One &lt; <two>"), "utf-8")
    (rules / "deep" / "ONE.zrf").write_text(SMALL.format(title="Another"), "utf-8")
    (rules / "b c.zrf").write_text(SMALL.format(title="Spaced"), "utf-8")
    (rules / "broken.zrf").write_text(SMALL.format(title="Broken").replace("add", "ad"), "utf-8")
    return rules


def names_in(target: Path) -> list[str]:
    return sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file())


def test_a_site_has_all_its_files(folder: Path, tmp_path: Path) -> None:
    target, told = tmp_path / "site", []
    done = sites.site(folder, target, told.append, processes=1, learn=True)
    titles = {"ONE": "Another", "one": "One", "b-c": "Spaced"}
    assert {name.strip("-") for name in done.pages} == {"ONE", "one", "b-c"}
    assert len({name.casefold() for name in done.pages}) == 3
    for name, size in done.pages.items():
        text = (target / "games" / f"{name}.html").read_text("utf-8")
        assert f"<page {titles[name.strip('-')]}" in text and text.endswith(" of 2 home ../index.html True False>")
        assert size == len(text.encode())
    assert [(Path(path).name, [p.code for p in problems if p.severity == "error"])
            for path, problems in done.left_out.items()] == [("broken.zrf", ["unknown-instruction"])] or done.left_out
    assert sorted(line.partition(":")[2] for line in told) == [" 0 kB"] * 3 + [" left out"]
    assert len([name for name in names_in(target) if name.startswith("pictures/")]) == 3
    assert {"index.html", "icon.svg", "manifest.webmanifest", "sw.js"} <= set(names_in(target))
    spaced = load(folder / "b c.zrf")
    assert picture_svg(spaced.start()) in {p.read_text("utf-8") for p in (target / "pictures").iterdir()}
    index = (target / "index.html").read_text("utf-8")
    cards = re.findall(r'<li data-words="([^"]*)"><a class="card" href="([^"]*)">(.*?)</a></li>', index)
    assert sorted(href for _, href, _ in cards) == sorted(f"games/{name}.html" for name in done.pages)
    for words, href, inner in cards:
        picture = re.search(r'src="(pictures/[^"]*)"', inner)
        assert picture and (target / picture[1]).is_file() and words and href
    assert "One &amp;lt; &lt;two&gt;" in index and "<two>" not in index
    assert sum(int(n) for n in re.findall(r"<h2>[^<]*<small>(\d+)</small>", index)) == 3


def test_browsers_get_a_new_list_when_a_page_changes(folder: Path, tmp_path: Path) -> None:
    """The service worker then has another version, and only then; when it is installed it fetches the files that the
    list needs."""
    def version() -> str:
        sites.site(folder, tmp_path / "site", processes=1)
        script = (tmp_path / "site" / "sw.js").read_text("utf-8")
        first = json.loads(re.search(r"const FIRST = (\[.*?\]);", script)[1])  # type: ignore[index]
        assert first[:4] == ["./", "index.html", "icon.svg", "manifest.webmanifest"] and len(first) == 7
        return re.search(r'const VERSION = "zrf-([0-9a-f]{16})";', script)[1]  # type: ignore[index]

    before = version()
    assert version() == before
    (folder / "b c.zrf").write_text(SMALL.format(title="Spaced out"), "utf-8")
    assert version() != before
    manifest = json.loads((tmp_path / "site" / "manifest.webmanifest").read_text("utf-8"))
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("index.html", "./", "standalone")


def test_a_page_of_the_same_size_is_another_version(tmp_path: Path) -> None:
    """The version changes even if only the contents of a page differ, and not its size."""
    scripts = set()
    for text in ("one", "two"):
        sites.write(tmp_path / "games" / "a.html", text)
        sites.write_start(tmp_path, "<ul></ul>", [], ["games/a.html"])
        scripts.add((tmp_path / "sw.js").read_text("utf-8"))
    assert len(scripts) == 2


def test_games_of_the_shelf_open_at_their_title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = sites._Result("page", {"": "<svg/>"}, {})
    monkeypatch.setattr(sites, "_make", lambda path, learn, small: made)
    monkeypatch.setattr(sites, "_names", lambda listed: {game.path: game.path.stem for game in listed})
    done = sites.site("shelf", tmp_path, processes=1)
    index = (tmp_path / "index.html").read_text("utf-8")
    shelf = sites.Games(None).all()
    assert len(re.findall(r'class="card"', index)) == len(shelf) > len(done.pages) > 20
    for game in counted(shelf):
        assert f'href="games/{game.path.stem}.html{f"#{link_of(game.variant)}" if game.variant else ""}"' in index


def test_a_file_that_kills_or_stalls_its_process_is_left_out(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If a file takes too long or too much memory, or kills its process, the others are still written."""
    failures = {"one": Late(-9), "ONE": MemoryError(), "broken": Lost(-11)}
    closed: list[int] = []

    class Pool:
        def __init__(self, count: int) -> None:
            closed.append(count)

        def submit(self, make: Callable[..., Any], path: Path, *more: Any, seconds: float) -> Future[Any]:
            future: Future[Any] = Future()
            if path.stem in failures:
                future.set_exception(failures[path.stem])
            else:
                future.set_result(make(path, *more))
            assert seconds == sites.PATIENCE
            return future

        def close(self) -> None:
            closed.append(-1)

    monkeypatch.setattr(sites, "Pool", Pool)
    done = sites.site(folder, tmp_path / "site", processes=3)
    assert [*done.pages] == ["b-c"] and closed == [3, -1]
    assert {Path(path).stem: [p.code for p in found] for path, found in done.left_out.items()} == {
        "one": ["too-slow"], "ONE": ["too-large"], "broken": ["worker-died"]}


def test_a_site_may_have_one_file_but_no_unwritable_folder(folder: Path, tmp_path: Path) -> None:
    done = sites.site(folder / "b c.zrf", tmp_path / "site")
    assert [*done.pages] == ["b-c"]
    (tmp_path / "file").write_text("")
    with pytest.raises(ZrfError):
        sites.site(folder, tmp_path / "file", processes=1)


# ------------------------------------------------------------------------------------------------------- pages' markup


def test_a_page_has_a_title_a_drawing_and_a_link_to_the_list(folder: Path) -> None:
    """The page has the drawing, the title (a choice if the file has several), no rules editor, and a link to the list
    of games if there is one."""
    games, first = games_of(folder / "b c.zrf", "Other")
    assert first == 1 and [game.title for game in games] == ["Spaced", "Other"]
    text = _markup(games[first], "../in&dex.html", "<svg>drawn</svg>")
    assert re.search(r'<a class="home" href="\.\./in&amp;dex\.html" title="All games"><svg .*</svg>zrf</a>', text)
    assert re.search(r'<div id="board"[^>]*><svg>drawn</svg></div>', text) and '<aside class="right" hidden' in text
    assert "<option>Spaced</option><option selected>Other</option>" in text
    assert '<h1 id="title" class="sr">Other</h1>' in text and '<details class="panel" id="desk" hidden>' in text
    alone = loads(SMALL.format(title="A < B").partition("(variant")[0])
    text = _markup(alone, "", "<svg/>")
    assert 'class="home"' not in text and '<h1 id="title">A &lt; B</h1>' in text
    assert '<select id="variant" hidden autocomplete="off"></select>' in text and "<noscript>" in text


def test_equal_parts_of_a_page_are_stored_once() -> None:
    payload = Payload()
    assert [payload.add(b"one"), payload.add(b"two"), payload.add(b"one")] == [0, 1, 0]
    payload.name("text", "zw\u00f6lf")
    rising = b"".join(n.to_bytes(4, "little") for n in range(7, 4007, 4))
    noise = bytes((n * n * 31 + n // 7) % 251 for n in range(1000))
    writes = [(64, rising), (5000, b"short"), (6000, noise)]
    image = wasm.Image(b"module", writes, [(1, 2)], {"state": 64}, {"moves": 1}, 7000)
    tables = payload.page([({"a": 1, "b": {"c": [1, 2]}}, image), ({"a": 1, "b": {"c": [1, 2], "d": 1}}, image)])
    assert tables["shared"] == [1, [1, 2]]
    assert tables["games"] == [{"a": 0, "b": {"c": 1}}, {"a": 0, "b": {"c": 1, "d": 0}}]
    (first, steps), (second, same) = [(i["writes"], i["writes"][0][2:]) for i in tables["images"]]
    assert first == second and steps == same == [1] and len(first[1]) == len(first[2]) == 2
    packed = payload.packed({"x": 1})
    size = int.from_bytes(packed[:4], "little")
    index = json.loads(packed[4 : 4 + size])
    parts = [packed[4 + size + at :][:length] for at, length in index["parts"]]
    assert parts == payload.parts and parts[index["names"]["text"]].decode() == "zw\u00f6lf"
    found, numbers = 0, []
    for step in range(0, len(rising), 4):  # decoded from differences
        found = found + int.from_bytes(parts[first[0][1]][step : step + 4], "little") & 0xFFFFFFFF
        numbers.append(found)
    assert numbers == [*range(7, 4007, 4)] and parts[first[2][1]] == noise and parts[first[1][1]] == b"short"


# --------------------------------------------------------------------------------------------------------- facts


def all_facts() -> Iterator[str]:
    """Yield titles, and the facts that pages hold about games (no descriptions, links or positions), one a line."""
    for path in sorted((Path(__file__).parent / "words").glob("*.zrf")):
        for program in load_file(path).programs:
            yield f"==== {program.game.title}"
            for name, value in facts(Game(program), _plain(Game(program)).layout).items():
                if name not in ("info", "sentences", "numbers", "start"):
                    shown = {k: v for k, v in value.items() if k != "links"} if isinstance(value, dict) else value
                    yield f"{name}: {json.dumps(shown, ensure_ascii=False)}"


def test_the_facts_in_a_page_match_the_game() -> None:
    golden, made = Path(__file__).parent / "golden" / "facts.txt", [*all_facts()]
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        golden.write_text("\n".join(made) + "\n", "utf-8")
    assert made == golden.read_text("utf-8").splitlines()


# -------------------------------------------------------------------------------------------------------- memory


def test_arrays_of_the_generic_kernel_do_not_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each holds its own contents; arrays that the page allocates later have no address."""
    monkeypatch.setattr(wasm, "kernel", lambda kinds: Linked(b"kernel", {}, 1000))
    prepared = _plain(loads(SMALL.format(title="x")))
    image = wasm.any_game(prepared.parts, {""})
    layout = wasm.for_any_game(prepared.layout)
    arrays = extension.ARRAYS + wasm.SEARCH.arrays
    assert {number for number, _ in image.binds} | {*image.late.values()} == set(range(len(arrays)))
    assert image.module == b"kernel" and {arrays[number].name for number in image.late.values()} == {*image.late}
    ends = 1000
    for number, address in counted(image.binds):
        where = arrays[number]
        table = layout.tables.get(where.name)
        data = table.tobytes() if table is not None else b""
        assert address % wasm.ALIGNED == 0 and ends <= address < ends + wasm.ALIGNED
        assert not data or dict(image.writes).get(address, b"\0" * len(data)) == data
        assert (where.name in image.at) == (where.name in wasm.NEEDED) and image.at.get(where.name, address) == address
        ends = address + max(len(data), layout.sizes.get(where.name, 0) * where.bits // 8)
    assert image.end == ends and {at for at, _ in image.writes} <= {address for _, address in image.binds}


def test_the_exports_of_a_page_are_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = _plain(loads(SMALL.format(title="x"))).parts
    assert set(wasm.PLAYING) - set(parts.exports) == {"bind"} and parts.extension.modules[-1] == wasm.TELLING
    searching = wasm.replace(parts, kind="mcts", also=wasm.SEARCH)
    assert set(searching.exports) == {*wasm.PLAYING, *wasm.SEARCHING["mcts"]}
    asked: list[Any] = []
    monkeypatch.setattr(wasm.code, "code_elsewhere", lambda *found: asked.append(found) or b"object")
    monkeypatch.setattr(wasm, "link", lambda found, exports: (found, tuple(exports)))
    wasm.kernel.cache_clear()
    try:
        for kinds, modules in (({"mcts"}, wasm.SEARCH.modules), ({"beam", "mcts"}, wasm.BEAMS.modules)):
            found, exports = wasm.kernel(frozenset(kinds))
            called = {*wasm.PLAYING, *(name for kind in kinds for name in wasm.SEARCHING[kind])}
            assert found == b"object" and set(exports) == called
            assert asked[-1][2].modules == (*modules, wasm.TELLING)
    finally:
        wasm.kernel.cache_clear()


def test_tables_of_a_game_with_its_own_code_are_in_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = _plain(load(RULES / "tictactoe.zrf")).parts
    tables = {name: table for name, table in parts.layout.tables.items() if len(table) > extension.INLINE}
    addresses = {f"array.{name}": 64 * n for n, name in enumerate([*tables, "state", "measured"], 1)}
    monkeypatch.setattr(wasm.code, "code_elsewhere", lambda *found: b"object")
    monkeypatch.setattr(wasm, "link", lambda found, exports: Linked(found, addresses, 9_999))
    late = SimpleNamespace(name="moves")
    also = wasm.replace(parts.also, late=(late,))
    image = wasm.own(wasm.replace(parts, measured={"measured": b"abc", "nowhere": b"x"}, also=also))
    written = {name: table.tobytes() for name, table in tables.items() if name not in {"moves", *extension.LEFT_OUT}}
    assert {name: dict(image.writes)[addresses[f"array.{name}"]] for name in written} == written
    assert len(image.writes) == len(written) + 1 and (addresses["array.measured"], b"abc") in image.writes
    assert (image.module, image.binds, image.end, image.late) == (b"object", [], 9_999, {"moves": 0})
    assert image.at == {n: addresses[f"array.{n}"] for n in wasm.NEEDED if f"array.{n}" in addresses}


@pytest.mark.parametrize("titles", [1, 2, 3])
def test_few_small_variants_have_their_own_engines(titles: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three variants share the generic kernel, which also plays a variant that is too large for its own code."""
    parts = importlib.import_module("zrf_py.export.contents")
    made: list[Any] = []
    image = wasm.Image(b"module", [], [], {}, {}, 5)
    monkeypatch.setattr(wasm, "own", lambda parts: made.append("own") or image)
    monkeypatch.setattr(wasm, "any_game", lambda parts, kinds: made.append(sorted(kinds)) or image)
    text = SMALL.format(title="First") + '(variant (title "Third") (board-setup (A (Man p)) (B (Man q))))'
    games = [loads(text, number) for number in range(titles)]
    kinds = sorted({parts.prepare(game).parts.kind for game in games})
    _, page = parts.contents(games)
    assert made == (["own"] * titles if titles < 3 else [kinds] * 3)
    assert [variant["title"] for variant in (unshared(page, row) for row in page["games"])] == [
        "First", "Other", "Third"][:titles]
    prepare = parts.prepare
    monkeypatch.setattr(parts, "prepare", lambda game: replace(prepare(game), is_small=game.title != "Other"))
    made.clear()
    parts.contents(games)
    assert made == (["own", kinds][:titles] if titles < 3 else [kinds] * 3)


@pytest.mark.parametrize("is_small", [True, False])
def test_only_a_small_game_has_tables_for_its_own_code(is_small: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without these tables, a page with code of its own for the game would play the same moves, but slowly."""
    text = SMALL.format(title="One").replace("(A (Man p))", "(A (Man p))) (loss-condition (A B) (checkmated Man)")
    game = loads(text)
    base = search_for(game.program).base
    assert base is not None and base.searcher.machine.layout is not None
    plain = base.searcher.machine.layout.tables
    own = code.knowing(game.program, base.searcher.machine.layout).tables
    monkeypatch.setattr(code, "is_small", lambda layout: is_small)
    assert prepare(game).layout.tables == (own if is_small else plain) and own != plain


def unshared(page: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a variant, looked up among the page's shared values."""
    return {name: page["shared"][value] for name, value in row.items() if isinstance(value, int)}
