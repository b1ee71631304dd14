"""Exported pages, run in node, play, search, describe and draw as Python does, ply by ply in random games."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")

import zrf_py
from tests import test_faults as faults
from tests.exporting import Paged, compare, follow, measured_once, paged
from tests.playing import counted
from zrf_py.export.bundle import BundleError, bundle
from zrf_py.export.contents import contents
from zrf_py.export.page import games_of
from zrf_py.library import shelf
from zrf_py.native import code

MANY = ["chess", "halma", "shogi", "othello", "checkers", "wuerfel-2p", "peg-solitaire", "platonic-adv-3p",
        "monks-sol-I", "stern-4p", "gefangen2-3p", "highscore-square"]


@pytest.fixture(autouse=True)
def _measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    measured_once(monkeypatch)


def agree(name: str, folder: Path, plies: int = 40) -> None:
    game = zrf_py.load(name)
    with paged(game, folder) as page:
        compare(page, game, plies // 2)
        page("start")
        follow(page, game, plies, 1)


@pytest.mark.slow
def test_a_page_plays_and_searches_like_python(tmp_path: Path) -> None:
    agree("tictactoe", tmp_path)


@pytest.mark.share(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_pages_of_many_kinds_agree(name: str, tmp_path: Path) -> None:
    agree(name, tmp_path)


@pytest.mark.share(10)
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shelf()))
def test_every_variant_of_the_shelf_agrees(name: str, tmp_path: Path) -> None:
    """One page has all variants of a file. Perft, random games, searches and views are compared; the latter two over
    fewer plies for further titles than for the first."""
    games, _ = games_of(name)
    page = Paged(games, tmp_path)
    try:
        for number, game in enumerate(counted(games)):
            assert page("open", number) == game.title.replace("`", '"')
            plies = 2 if number else 6
            compare(page, game, plies)
            page("start")
            follow(page, game, plies, 1)
    finally:
        page.close()


@pytest.mark.slow
def test_game_too_large_for_its_own_code_uses_the_generic_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(code, "LARGEST", 1)
    game = zrf_py.load("breakthrough")
    _, tables = contents([game])
    assert tables["images"][0]["binds"]
    with paged(game, tmp_path) as page:
        compare(page, game, 6)


# ------------------------------------------------------------------------------------------------------------- scripts


def test_modules_become_one_script() -> None:
    script = bundle({"a": 'import { b, c as d } from "./b.js";\nconsole.log(b, d());\n',
                     "b": "// words\nexport const b = [1, 2];\nexport function c() { return b; }\n"}, "a")
    assert "const { b, c: d } = $b;" in script and "return { b, c };" in script and "words" not in script


def test_scripts_lose_nothing_but_comments() -> None:
    kept = ['`${a ? `${b} , c` : "d = e"} = f`', '"g = h // i"', '/[ ="/] , /g', "`${{ j: '}' }.j} ; `", "`one\n two`"]
    script = bundle({"a": "".join(f"// said = so\n  k({text} , l );\n" for text in kept)}, "a")
    assert "".join(f"  k({text} , l );\n" for text in kept) in script and "so" not in script


@pytest.mark.parametrize("text", [
    "export const a = 0, b = 1;", "export const a = f(1, 2), b = 1;", "export { a };", "export default 1;",
    'export * from "./b.js";', 'import a from "./b.js";', 'import "./b.js";', "export let a = 1;",
    "export const { a, b } = c;",
])
def test_unknown_syntax_is_refused_by_the_bundler(text: str) -> None:
    with pytest.raises(BundleError):
        bundle({"a": text + "\n", "b": "export const a = 1;\n"}, "a")


def test_missing_modules_and_circular_imports_are_refused() -> None:
    with pytest.raises(BundleError, match="there is no module b"):
        bundle({"a": 'import { b } from "./b.js";\n'}, "a")
    with pytest.raises(BundleError, match="circular imports"):
        bundle({"a": 'import { b } from "./b.js";\n', "b": 'import { a } from "./a.js";\n'}, "a")


@pytest.mark.slow
def test_page_allows_no_castling_out_of_check(tmp_path: Path) -> None:
    """Attacks computed for one position are not reused for the next."""
    game = zrf_py.load("chess")
    position = game.start()
    with paged(game, tmp_path) as page:
        for move in ["e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5", "d3", "d6", "Bb5"]:
            page("play", [position.find(move).text])
            position = position.play(move)
            assert [leg[0] for leg in page("legs")] == [leg.text for leg in position.moves()]
    assert "O-O" not in {position.short(leg) for leg in position.moves()}


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "moves", "why"), [
    (faults.STUCK.format(before="").replace("not-friend?", "(enemy? b2)"), ["Ox a2 - b2", ""], "loop forever"),
    (faults.LOOK.format(block="").replace("(empty? c3)", "(and (empty? c3) (friend? c1) (enemy? a1))"), [""],
     "loop forever"),
    (faults.DROP.format(imps=0), ["Man a1 - a2", "Man b1 - b2"], ""),
    (faults.SCORE, ["partial 0 Man a1 - a2", "Man a2 - b2"], "too large")])
def test_faults_of_rules_are_reported_in_pages(
    rules: str, moves: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fault occurs at the same call as in Python: when the last of `moves` is played or, if that move is "", when
    moves are listed. If `why` is "", there is no fault."""
    measured_once(monkeypatch)
    with paged(zrf_py.loads(faults.HEAD + rules), tmp_path) as page:
        for move in moves[:-1] if why else moves:
            page("play", [move])
        if why:
            with pytest.raises(AssertionError, match=why):
                page(*(("play", [moves[-1]]) if moves[-1] else ("legs",)))
