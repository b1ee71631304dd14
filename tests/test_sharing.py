"""Texts in links: the same from a browser and from Python, complete or refused."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path

import pytest

from tests.playing import RULES
from tests.test_page_dom import on_page
from zrf_py.author.sharing import MAX_TEXT, packed, unpacked
from zrf_py.cli.main import main
from zrf_py.text.diagnostics import ZrfError

TEXTS = ["", "(game)", "; 😀 ü\r\n" * 50, (RULES / "chess.zrf").read_text("utf-8")]


def raw(data: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


HOSTILE = ["!!", "é", packed(TEXTS[3])[:-8], packed(TEXTS[3])[8:], raw(b"\xff\xfe"), "", raw(bytes(MAX_TEXT + 1)),
           raw(bytes(MAX_TEXT * 50)), "A" * 300_000, "AA==AA", packed("x") + packed("y")]
"""Links that are damaged, cut off, not text, or that unpack to more than a text may hold."""


@pytest.mark.parametrize("text", TEXTS, ids=len)
def test_a_link_holds_the_whole_text(text: str) -> None:
    assert unpacked(packed(text)) == text == unpacked(f"https://a.b/desk#z={packed(text)}")


def test_chess_fits_in_a_short_link() -> None:
    assert len(packed(TEXTS[3])) < 4_000


@pytest.mark.parametrize("link", HOSTILE, ids=lambda link: f"{link[:8]}-{len(link)}")
def test_a_hostile_link_is_refused(link: str) -> None:
    with pytest.raises(ZrfError, match="damaged"):
        unpacked(link)


def test_the_browser_packs_and_unpacks_the_same() -> None:
    """Python reads the browser's links, the browser reads Python's, and it refuses what Python refuses (except data
    after the end, which not every browser rejects)."""
    script = f"""import {{ isShared, pack, unpack }} from "./packing.js";
    const texts = {TEXTS!r}, links = {[packed(text) for text in TEXTS]!r}, hostile = {HOSTILE[:-1]!r};
    const long = {[packed(chr(10) + 'x' * n) for n in (20_000, 20_001)]!r};
    (async () => {{
      show(await Promise.all(texts.map(pack)));
      const read = await Promise.all(links.map((link) => unpack(`http://a.b/desk#z=${{link}}`)));
      show(read.map((text, n) => text === texts[n]));
      show(await Promise.all(hostile.map((link) => unpack(`#z=${{link}}`).then(() => "", ({{ message }}) => message))));
      show([isShared("http://a.b/desk#token"), isShared("#z=x")]);
      show(await Promise.all(long.map((link) => unpack(link).then((text) => text.length, ({{ message }}) => message))));
    }})();"""
    made, same, refused, shared, long = on_page(script, "desk.html")
    assert [unpacked(link) for link in made] == TEXTS and same == [True] * len(TEXTS) and shared == [False, True]
    assert long == [20_001, "the text of this link has a line of more than 20,000 characters"]
    assert set(refused) == {"this link is damaged", "the text of this link is too long"}


def test_the_text_of_a_link_is_written_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "own.zrf"
    assert main(["new", str(target), "--link", f"http://a.b/desk#z={packed(TEXTS[3])}"]) == 0
    assert target.read_text("utf-8") == TEXTS[3]
    assert main(["new", str(tmp_path / "other.zrf"), "--link", "#z=!!"]) == 1
    assert "this link is damaged" in capsys.readouterr().err and not (tmp_path / "other.zrf").exists()
