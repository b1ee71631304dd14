"""The page of the desk in node, at a real server, beside other programs and other pages: no work is lost."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from seats import Listening, listening

from tests.playing import HANG, ROOT
from zrf_py.export.bundle import bundle
from zrf_py.export.sources import modules

RULES = """(game (title "Race") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 60 60) (dimensions ("a/b/c" (60 0)) ("3/2/1" (0 60))) (directions (n 0 -1))))
  (piece (name Man) (moves (n (verify empty?) add)))
  (board-setup (White (Man a1)) (Black (Man c3)))
  (win-condition (White Black) stalemated))
"""
EDITOR = """export function make(place, text, name, asks) {
  const type = (it) => { text = it; asks.changed(text); };
  const put = (now, [from, to, part]) => now.slice(0, from) + part + now.slice(to);
  const select = (from, to) => { editors.selected = text.slice(from, to); };
  const apply = (edits) => type(edits.reduce(put, text));
  return editors[name] = { text: () => text, type, replace: type, apply, select, save: asks.save,
    focus() {}, problems() {} };
}
"""
"""The part of an editor that a test needs to type into it."""
HOST = (ROOT / "zrf_py/serve/static/desk-host.js").read_text("utf-8")
BROWSER = r"""
const fs = require("fs"), http = require("http"), crypto = require("crypto");
const show = (it) => console.log(JSON.stringify(it));
const wait = (time) => new Promise((done) => setTimeout(done, time));

/** A WebSocket: it receives texts, which a server doesn't mask, and masks what it sends with zeros. */
class Socket {
  constructor(url) {
    const headers = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": crypto.randomBytes(16).toString("base64") };
    this.readyState = 0;
    http.get(url.replace("ws:", "http:"), { headers, agent: false }).on("upgrade", (_, wire, head) => {
      Object.assign(this, { wire, readyState: Socket.OPEN, got: head });
      wire.on("data", (data) => { this.got = Buffer.concat([this.got, data]); this.read(); });
      wire.on("close", () => { this.readyState = 3; this.onclose(); });
      this.onopen();
      this.read();
    });
  }
  addEventListener(name, act) { this[`on${name}`] = act; }
  read() {
    for (;;) {
      const { got } = this;
      const short = got[1] & 127;
      const head = { 126: 4, 127: 10 }[short] ?? 2;
      if (got.length < head) return;
      const size = head === 2 ? short : head === 4 ? got.readUInt16BE(2) : Number(got.readBigUInt64BE(2));
      if (got.length < head + size) return;
      this.got = got.subarray(head + size);
      if ((got[0] & 15) === 1) this.onmessage({ data: got.toString("utf8", head, head + size) });
    }
  }
  send(text) {
    const data = Buffer.from(text), head = Buffer.alloc(14);
    head[0] = 129; head[1] = 255;
    head.writeBigUInt64BE(BigInt(data.length), 2);
    this.wire.write(Buffer.concat([head, data]));
  }
}
Socket.OPEN = 1;

/** A page of the rules editor: its elements by id, what its browser has stored, and a clock ten times as fast. */
class Page {
  constructor(address, stored = new Map()) {
    const made = () => ({
      dataset: {}, options: [], children: [], hidden: true, checked: true, textContent: "", value: "",
      classList: { toggle() {} }, append(...them) { this.children.push(...them); }, setAttribute() {},
      addEventListener() {}, querySelector(name) { return (this.inner ??= {})[name] ??= made(); },
      replaceChildren(...them) { this.options = them; } });
    const homes = {};
    const at = (id) => (homes[id] ??= made());
    const url = new URL(address);
    this.at = at;
    this.stored = stored;
    const given = {
      document: { body: made(), createElement: made, getElementById: at, querySelectorAll: () => [] },
      navigator: { language: "en" },
      sessionStorage: { getItem: () => this.token, setItem: (_, token) => { this.token = token; } },
      location: { protocol: "http:", host: url.host, hash: url.hash, search: "" },
      localStorage: { getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => stored.set(name, text) },
      WebSocket: class extends Socket { constructor(to) { super(to); page.socket = this; } },
      Option: class { constructor(name) { this.value = name; } },
      addEventListener: (name, act) => { this.leave = () => { act(); this.isGone = true; }; },
      setTimeout: (act, time) => setTimeout(() => { if (!this.isGone) act(); }, time / 10),
      editors: this.editors = {},
    };
    const page = this;
    Function(...Object.keys(given), PAGE)(...Object.values(given));
  }
  get editor() { return this.editors["race.zrf"]; }
  get said() { return this.at("saved").textContent; }
  /** Wait until the message of the page begins with one of these words; if it never does, raise an error with it. */
  async says(...words) {
    for (let n = 0; n < 8000; n++) {
      if (words.some((word) => this.said.startsWith(word))) return;
      await wait(5);
    }
    throw new Error(`${words} is not said, but ${this.said}`);
  }
}
Page.prototype.shows = async function shows(end) {
  for (let n = 0; n < 8000 && !this.editor.text().endsWith(end); n++) await wait(5);
};
const open = async (...how) => {
  const page = new Page(ADDRESS, ...how);
  await page.says("saved", "new file");
  return page;
};
const disk = () => fs.readFileSync(FILE, "utf8");
(async () => {
"""


def at_desk(server: Listening, path: Path, script: str) -> Any:
    """Return the values shown by a script that opens pages of the desk."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    page = bundle({**modules(), "desk-editor": EDITOR, "desk-host": HOST}, "desk")
    given = f"const [PAGE, ADDRESS, FILE] = {json.dumps([page, server.address, str(path)])};"
    text = "\n".join([given, BROWSER, script, "process.exit(0);",
                      "})().catch((problem) => { console.error(problem); process.exit(1); });"])
    done = subprocess.run([node, "-e", text], capture_output=True, text=True, encoding="utf-8", timeout=HANG)
    assert done.returncode == 0, done.stderr[-1000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    """A function that runs a script in which the desk edits a file."""
    path = tmp_path / "race.zrf"
    path.write_text(RULES, "utf-8")
    with listening(tmp_path / "boards", wish=str(path), edit=True) as server:
        yield lambda script: at_desk(server, path, script)


OURS, THEIRS = "; ours", "; theirs"
EDIT = f'page.editor.type(page.editor.text() + {OURS!r}); await page.says("saved", "not saved:");'
"""Script that types a text, which the page saves by itself if it may."""


def test_problems_are_listed_and_fixed_by_clicks(desk: Any) -> None:
    """Each is shown with its severity, text, help and fixes: a click goes to its place, and a click on a fix applies
    it."""
    script = """
    const page = await open();
    const text = page.editor.text();
    const told = (it) => (typeof it === "string" ? it : it.textContent + it.children.map(told).join(""));
    const until = async (count) => {
      for (let n = 0; n < 8000 && page.at("count").textContent !== count; n += 1) await wait(5);
      return page.at("problems").querySelector("ul").options;
    };
    show((await until("no problems")).length);
    page.editor.type(text.replace("(verify", "(verfy").replace("stalemated", "stalemeted"));
    for (const row of await until("2 problems")) {
      const [go, ...more] = row.children;
      go.onclick();
      show([go.children[0].className, told(go), more.map((it) => [it.className, told(it)]), page.editors.selected]);
    }
    show(page.said);
    const [, ...more] = (await until("2 problems"))[0].children;
    more.find((it) => it.className === "button fix").onclick();
    const [row] = await until("1 problem");
    row.children.find((it) => it.className === "button fix").onclick();
    show([(await until("no problems")).length, page.editor.text() === text]);"""
    first, *rows, said, last = desk(script)
    assert (first, last) == (0, [0, True]) and said.startswith("not saved: ") and len(rows) == 2
    assert {row[3] for row in rows} == {"verfy", "stalemeted"}
    for severity, text, more, word in rows:
        assert severity == "error" and text.startswith("error ") and word in text
        assert ["button fix", f"Change to `{ {'verfy': 'verify', 'stalemeted': 'stalemated'}[word]}`"] in more


ELSEWHERE = "not saved: the file has been changed elsewhere"


def test_another_programs_changes_are_overwritten_only_if_the_user_chooses(desk: Any) -> None:
    """They are noticed without typing. Saving, automatic or not, and going back leave them alone, and the page never
    says that its text is saved, until the user has loaded or overwritten the file."""
    script = f"""
    const page = await open();
    const text = page.editor.text();
    const bar = () => page.at("theirs").hidden;
    page.at("auto").checked = false;
    page.editor.type(text + {OURS!r});
    fs.writeFileSync(FILE, {THEIRS!r});
    await page.says({ELSEWHERE!r});
    show([bar(), page.at("theirs-why").textContent]);
    page.at("auto").checked = true;
    page.at("save").onclick();
    page.editor.save();
    page.at("revert").onclick();
    await wait(200);
    show([page.said, page.editor.text() === text, disk()]);
    page.at("load").onclick();
    show([page.said, page.editor.text(), bar(), page.at("revert").disabled]);
    page.editor.type({THEIRS + OURS!r});
    fs.writeFileSync(FILE, text);
    await page.says({ELSEWHERE!r});
    page.at("overwrite").onclick();
    await page.says("saved");
    show([page.said, bar(), disk()]);"""
    assert desk(script) == [
        [False, "race.zrf has been changed in another program or window."], [ELSEWHERE, True, THEIRS],
        ["saved", THEIRS, True, False], ["saved", True, THEIRS + OURS]]


def test_a_text_without_changes_follows_its_file(desk: Any) -> None:
    """Changes by another program appear in the editor, but a file that is deleted does not take the text with it."""
    script = f"""
    const page = await open();
    fs.appendFileSync(FILE, {THEIRS!r});
    await page.shows({THEIRS!r});
    show([page.said, page.editor.text() === disk(), page.editor.text().endsWith({THEIRS!r})]);
    fs.unlinkSync(FILE);
    await page.says({ELSEWHERE!r});
    show([page.editor.text().endsWith({THEIRS!r}), page.at("theirs-why").textContent]);
    page.at("overwrite").onclick();
    await page.says("saved");
    show([page.said, page.editor.text() === disk()]);"""
    assert desk(script) == [
        ["saved", True, True], [True, "race.zrf has been emptied or deleted by another program or window."],
        ["saved", True]]


def test_nothing_goes_back_to_an_empty_text(tmp_path: Path) -> None:
    """In a file that was empty when the page was opened, "Undo all" has nothing to go back to."""
    script = f"""
    const page = await open();
    const states = [page.at("revert").disabled];
    page.editor.type({RULES!r});
    states.push(page.at("revert").disabled);
    show(states);"""
    path = tmp_path / "race.zrf"
    path.touch()
    with listening(tmp_path / "boards", wish=str(path), edit=True) as server:
        assert at_desk(server, path, script) == [[True, True]]


@pytest.mark.slow
def test_a_reconnected_page_does_not_overwrite_newer_changes(desk: Any) -> None:
    """It overwrites neither the changes of another program while the server was away, nor those of another page of the
    desk."""
    script = f"""
    const page = await open();
    page.at("auto").checked = false;
    page.editor.type(page.editor.text() + {OURS!r});
    fs.writeFileSync(FILE, disk() + {THEIRS!r});
    page.socket.wire.destroy();
    await page.says("the server is not responding");
    await page.says({ELSEWHERE!r});
    page.at("overwrite").onclick();
    await page.says("saved");
    show([disk().endsWith({OURS!r})]);
    const other = await open();
    other.editor.type(other.editor.text() + {THEIRS!r});
    await other.says("saved");
    await page.shows({OURS + THEIRS!r});
    show([page.said]);"""
    assert desk(script) == [[True], ["saved"]]


def test_unsaved_text_is_offered_until_taken_or_refused(desk: Any) -> None:
    """Every page that opens the file offers it, again and again, whatever else is typed and saved meanwhile."""
    script = f"""
    let page = await open();
    const stored = page.stored;
    page.at("auto").checked = false;
    page.editor.type({OURS!r});
    const again = async () => {{
      page.leave();
      page = await open(stored);
      show([page.at("kept").hidden, page.at("kept-why").textContent.includes("has changed since"), page.said]);
    }};
    await again();
    fs.appendFileSync(FILE, "; more");
    await again();
    page.at("auto").checked = true;
    {EDIT}
    await again();
    page.at("put-back").onclick();
    show([page.at("kept").hidden, page.editor.text()]);
    await again();
    page.at("forget").onclick();
    show([page.at("kept").hidden]);
    await again();"""
    assert desk(script) == [
        [False, False, "saved"], [False, True, "saved"], [False, True, "saved"], [True, OURS],
        [False, False, "saved"], [True], [True, False, "saved"]]


def test_a_file_that_is_only_read_stays_unchanged(tmp_path: Path) -> None:
    """An edited file keeps its line ends, and its encoding if that can express the new text."""
    path = tmp_path / "race.zrf"
    old = RULES.replace("\n", "\r\n").encode() + "; caf\xe9\r\n".encode("cp1252")
    path.write_bytes(old)
    script = f"""
    const page = await open();
    await wait(150);
    show([page.said, fs.readFileSync(FILE).toString("latin1")]);
    {EDIT}
    show([page.said, fs.readFileSync(FILE).toString("latin1")]);
    page.editor.type(page.editor.text() + "\\u2654\\u0416");
    await wait(100);
    await page.says("saved", "not saved:");
    show([page.said, disk()]);"""
    with listening(tmp_path / "boards", wish=str(path), edit=True) as server:
        found = at_desk(server, path, script)
    now = old.decode("latin-1")
    assert found == [["saved", now], ["saved", now + OURS], ["saved", now + OURS + "\u2654\u0416"]]
