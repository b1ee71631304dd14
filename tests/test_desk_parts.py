"""Two parts of the desk's page in node: the stepper through a move, and the set-up, with the server's answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the desk needs the extra `board`")

import zrf_py
from tests.test_page_dom import on_page
from zrf_py.author.desk_answers import board, explained

RULES = """(define jump ($1 (verify enemy?) capture $1 (verify empty?) (set-flag far true) add))
(game (title "Steps") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 60 40) (dimensions ("a/b/c/d" (60 0)) ("3/2/1" (0 40)))
    (directions (n 0 -1) (e 1 0))) (zone (name goal) (players White) (positions c3 d3)))
  (piece (name Man) (moves (jump e) (n (verify empty?) mark (set-position-flag met true) add)
    (n (verify (not-in-zone? goal)) (if empty? (go from) else back) e to add)) (drops ((verify empty?) add)))
  (piece (name King) (moves (e add)))
  (board-setup (White (Man a1 off 2) (King c1)) (Black (Man b1 off 1))) (loss-condition (White Black) stalemated))"""
QUESTIONS = ["a1 a2", "a1 c1", "b1 c2", "a1", "Man@a1", "a1 d3", "d3"]
BEFORE = """globalThis.CSS = { escape: (name) => name };
globalThis.Option = function Option(text, value) {
  return Object.assign(document.createElement("option"), { textContent: text, value: String(value) });
};
"""
STEPS = """import { Stepper } from "./desk-why.js";
const selected = [];
const questions = [];
const answers = ANSWERS;
const desk = { title: () => "Steps", select: (place) => selected.push(place),
  async ask(what, message) { questions.push([what, message]); return answers[message.question]; } };
const stepper = new Stepper(desk);
const svg = () => it("why-board").firstElementChild;
const frames = () => svg().querySelectorAll(".marked").map((frame) => {
  const place = svg().querySelectorAll(".place").find((one) => one.dataset.place === frame.dataset.square);
  const [, dx, dy, size] = /^translate\\((\\S+) (\\S+)\\) scale\\((\\S+)\\)$/.exec(frame.getAttribute("transform"));
  const { x, y, width, height } = place.getBBox();
  const [cx, cy] = [x + width / 2, y + height / 2];
  const isCentred = Math.abs(size * cx + Number(dx) - cx) + Math.abs(size * cy + Number(dy) - cy) < 1e-9 && cx * cy > 0;
  const same = ["d", "points", "cx", "cy", "r", "x", "y", "width", "height"]
    .every((name) => place.getAttribute(name) === frame.getAttribute(name));
  return [frame.classes[1], frame.dataset.square, Number(size), isCentred && same && frame.tagName === place.tagName];
});
const now = () => [it("number").textContent, it("step").textContent, frames(), selected.splice(0)];
(async () => {
  it("question").value = " ";
  await stepper.ask();
  show([it("verdict").textContent, questions.length]);
  it("played").value = "";
  for (const question of Object.keys(answers)) {
    it("question").value = ` ${question} `;
    await stepper.ask();
    show([it("verdict").textContent, it("block").hidden, it("stepper").hidden, it("block").value,
      it("block").children.map((option) => [option.textContent, option.value]), questions.splice(0),
      selected.splice(0), it("stop").textContent]);
    const walks = [];
    for (const option of it("block").children) {
      it("block").value = option.value;
      it("block").onchange();
      const { steps } = stepper;
      const walk = [it("stepper").hidden, steps.length ? now() : selected.splice(0)];
      for (let i = 0; i < steps.length; i += 1) { it("forward").click(); walk.push(now()); }
      if (steps.length) for (const id of ["back", "first", "back", "last"]) { it(id).click(); walk.push(now()[0]); }
      it("why").dispatch("keydown", { key: "ArrowLeft", target: svg() });
      walk.push(steps.length ? now()[0] : "");
      it("why").dispatch("keydown", { key: "ArrowRight", target: svg() });
      it("why").dispatch("keydown", { key: "ArrowLeft", target: { tagName: "INPUT" } });
      walk.push(steps.length ? now()[0] : "");
      walks.push(walk);
    }
    show(walks);
  }
  desk.ask = async () => null;
  const kept = it("verdict").textContent;
  await stepper.ask();
  show(it("verdict").textContent === kept);
  for (const help of ["help", ""]) {
    desk.ask = async () => { throw Object.assign(new Error("wrong"), { help }); };
    await stepper.ask();
    show([it("verdict").textContent, it("block").hidden, it("stepper").hidden, it("step").textContent,
      it("stop").textContent, stepper.steps]);
  }
})();
"""


def lines(step: dict[str, Any]) -> str:
    """Return a step in words."""
    parts = []
    if step["is_test"] or not step["ends"]:
        parts.append((step["text"] or step["operation"]) + (f" (in {step['macro']})" if step["macro"] else ""))
    found = step["found"] or ""
    if step["is_test"]:
        found = ("yes" if step["holds"] else "no") + (f": {found}" if found else "")
    parts += [found, f"flags: {', '.join(step['flags'])}" if step["flags"] else "",
              f"sets {'; '.join(step['writes'])}" if step["writes"] else "",
              "the block ends here" if step["ends"] else ""]
    return " · ".join(part for part in parts if part)


def frames(step: dict[str, Any]) -> list[list[Any]]:
    """Return the frames of a step on the board, in the order in which they are drawn."""
    found = [["from", step["from"], 0.96], ["to", step["to"], 0.86], ["mark", step["mark"], 0.76]]
    found += [["captures", square, 0.92] for square in step["captures"]]
    found += [["flag", square, 0.68] for squares in step["position_flags"].values() for square in squares]
    return [[*frame, True] for frame in [*found, ["cursor", step["cursor"], 0.9]] if frame[1]]


def test_a_move_is_followed_step_by_step() -> None:
    """Every block of every answer is followed, forwards and backwards, to both ends, by buttons and keys."""
    game = zrf_py.loads(RULES)
    answers = json.loads(json.dumps({question: explained(game, "", question) for question in QUESTIONS}, default=list))
    first, *shown = on_page(STEPS.replace("ANSWERS", json.dumps(answers)), "desk.html", before=BEFORE)
    assert first[0].startswith("Enter a move") and first[1] == 0
    kinds, counts = set(), []
    for question, head, walks in zip(QUESTIONS, shown[:-3:2], shown[1:-3:2], strict=True):
        answer = answers[question]["answer"]
        blocks = answer["blocks"]
        verdict = [f"{answer['question']}: " + ("legal" if answer["legal"] else "not legal"),
                   "" if answer["legal"] else answer["verdict"], *answer["remarks"]]
        best = next((n for n, block in enumerate(blocks) if any(move["asked"] for move in block["moves"])), None)
        near = next((n for n, block in enumerate(blocks) if block["steps"]), 0)
        options = [[f"{block.get('man') or block['piece']}: {block['block']}"
                    + (f" — {block['stop']}" if block["stop"] else ""), str(n)] for n, block in enumerate(blocks)]
        chosen = near if best is None else best
        assert head == [" · ".join(part for part in verdict if part), not blocks,
                        not (blocks and blocks[chosen]["steps"]), str(chosen), options,
                        [["why", {"title": "Steps", "play": "", "question": question}]],
                        [step["place"] for block in blocks[chosen:chosen + 1] for step in block["steps"][:1]
                         if step["place"]], blocks[chosen]["stop"] or "" if blocks else ""]
        for block, walk in zip(blocks, walks, strict=True):
            steps = block["steps"]
            counts.append(len(steps))
            if not steps:
                assert walk == [True, [], "", ""]
                continue
            total = len(steps)
            states = [[f"{n + 1} / {total}", lines(step), frames(step), [step["place"]] if step["place"] else []]
                      for n, step in enumerate(steps)]
            numbers = [state[0] for state in states]
            assert walk == [False, *states, states[-1], numbers[max(total - 2, 0)], numbers[0], numbers[0], numbers[-1],
                            numbers[max(total - 2, 0)], numbers[-1]]
            kinds |= {kind for state in states for kind, *_ in state[2]}
    assert kinds >= {"from", "to", "mark", "captures", "flag", "cursor"} and max(counts) > 4
    assert shown[-3:] == [True, ["wrong: help", True, True, "", "", []], ["wrong", True, True, "", "", []]]


SETUP = """import { Setup } from "./desk-setup.js";
const questions = [];
const said = [];
let answer = BOARD;
const desk = { title: () => "Steps", say: (...it) => said.push(it),
  async ask(what, message) {
    questions.push([what, message]);
    return answer;
  },
  async edit(what, message) {
    const edits = await this.ask(what, { title: this.title(), ...message });
    if (edits) said.push(edits);
    return Boolean(edits);
  } };
const setup = new Setup(desk);
const replace = it("men").replaceChildren;
it("men").replaceChildren = function (...options) { replace.apply(this, options); this.value = options[0].value; };
const svg = () => it("setup-board").firstElementChild;
let below = [];
document.elementsFromPoint = () => below;
const put = (who, square) => {
  it("men").value = who && JSON.stringify(who);
  const strange = document.createElement("i");
  below = [strange, ...svg().querySelectorAll(".place").filter((place) => place.dataset.place === square)];
  svg().dispatch("click", { clientX: 1, clientY: 2 });
  return [svg().querySelectorAll(".piece").map((piece) => piece.dataset.place),
    svg().querySelectorAll(".new-man").map((text) => [text.textContent, ...["x", "y", "font-size", "text-anchor"]
      .map((name) => text.getAttribute(name))])];
};
(async () => {
  await it("reload").onclick();
  show([questions.splice(0), it("men").children.map((option) => [option.textContent, option.value]),
    svg().querySelectorAll(".piece").map((piece) => piece.dataset.place), it("stores").textContent]);
  for (const [who, square] of CLICKS) show(put(who, square));
  const inputs = it("stores").querySelectorAll("input");
  show(inputs.map(({ type, min, max, value }) => [type, min, max, value]));
  Object.assign(inputs[0], { value: "7" }).onchange();
  Object.assign(inputs[1], { value: "x" }).onchange();
  const { board } = setup;
  answer = ["edits"];
  await it("write").onclick();
  show([questions.splice(0), said.splice(0), board.stores]);
  answer = null;
  await it("write").onclick();
  await it("reload").onclick();
  show([said.length, [...setup.men].length, questions.splice(0).length]);
  answer = board;
  it("men").value = JSON.stringify(["Black", "King"]);
  await setup.load();
  const kept = it("men").value;
  it("men").value = JSON.stringify(["Green", "King"]);
  await setup.load();
  show([kept, it("men").value, setup.stores, [...setup.men].length]);
})();
"""
CLICKS: list[tuple[list[str] | None, str]] = [
    (["Black", "King"], "d2"), (["White", "Man"], "a1"), (["White", "Man"], "a1"), (["White", "King"], "b1"),
    (None, "c1"), (["Black", "King"], "d2"), (["Black", "Man"], "d3"), (["Black", "Man"], "b1"), (None, "a3")]


def test_a_board_is_set_up_by_clicks() -> None:
    """Pieces are placed, replaced and removed; a piece that is placed is written on its square as two letters."""
    game = zrf_py.loads(RULES)
    start = json.loads(json.dumps(board(game), default=list))
    script = SETUP.replace("BOARD", json.dumps(start)).replace("CLICKS", json.dumps(CLICKS))
    first, *shown = on_page(script, "desk.html", before=BEFORE)
    names = [(player, piece) for player in ("White", "Black") for piece in ("Man", "King")]
    stores = [["White", "Man", 2], ["Black", "Man", 1]]
    assert first == [[["board", {"title": "Steps"}]],
                     [*[[" ".join(name), json.dumps(name, separators=(",", ":"))] for name in names],
                      ["empty square", ""]],
                     [square for square, *_ in sorted(start["men"], key=lambda man: man[0])],
                     "".join(f"{player} {piece} in the store  " for player, piece, _ in stores)]
    before = {square: man for square, *man in start["men"]}
    men = dict(before)
    for (man, square), (pieces, letters) in zip(CLICKS, shown, strict=False):
        if man is None or men.get(square) == man:
            men.pop(square, None)
        else:
            men[square] = man
        assert sorted(pieces) == sorted(at for at in men if men[at] == before.get(at))
        fresh = [at for at in men if men[at] != before.get(at)]
        assert [text for text, *_ in letters] == [men[at][0][0] + men[at][1][0] for at in fresh]
        middles = {at: (60 * "abcd".index(at[0]) + 30, 40 * (3 - int(at[1])) + 20) for at in fresh}
        for at, (_, x, y, size, anchor) in zip(fresh, letters, strict=True):
            assert (float(x), float(y)) == pytest.approx(middles[at], abs=40) and anchor == "middle"
            assert 8 < float(size) < 20
    fields, written, quiet, again = shown[len(CLICKS):]
    assert fields == [["number", 0, 999, 2], ["number", 0, 999, 1]]
    wish = {"title": "Steps", "men": [[at, *man] for at, man in men.items()],
            "stores": [["White", "Man", 7], ["Black", "Man", 0]]}
    assert written == [[["set-up", wish]], [["edits"]], stores]
    assert quiet == [0, len(men), 2]
    assert again == ['["Black","King"]', '["White","Man"]', stores, len(before)]
