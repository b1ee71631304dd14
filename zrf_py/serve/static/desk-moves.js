/* The Pieces tab of the rules editor: a click on a square adds or removes a step, leap or slide of a piece, and a button
   writes them into the text. Moves of other kinds are shown, as the rules play them, but can't be changed. */
import { drawing, middle, options, pickable, placeOf } from "./desk-setup.js";
import { $, draw, make } from "./shared.js";
import { t } from "./words.js";

const DEEPEST = 4; // maximum number of steps of a leap
const AROUND = 4.6; // steps from the piece to the edge of the picture

export class Moves {
  constructor(desk) {
    this.desk = desk;
    this.piece = this.start = "";
    this.turn = 0; // number of the last question or edit; answers to earlier questions are dropped
    $("piece").onchange = () => { this.start = ""; this.load($("piece").value); };
    $("from").onchange = () => { this.start = $("from").value; this.load(this.piece); };
    $("add-piece").onclick = () => this.add($("new-piece").value.trim());
    $("write-moves").onclick = () => this.write(this.piece, this.drawn);
    $("reload-moves").onclick = () => this.load(this.piece);
    $("turn-zone").onchange = () => { $("becomes").disabled = !$("turn-zone").value; };
  }

  /** Load the moves of a piece from the text; "": of the piece at the cursor. */
  async load(piece = this.piece) {
    const turn = ++this.turn;
    const answer = await this.desk.ask("moves", { title: this.desk.title(), piece, at: this.desk.cursor(), start: this.start });
    if (!answer || turn !== this.turn) return;
    if (this.piece !== answer.piece) this.start = "";
    this.answer = answer;
    ({ piece: this.piece, drawn: this.drawn } = answer);
    options($("piece"), answer.pieces.map((name) => [name, name]), answer.piece);
    options($("from"), [["", t("the square with the most moves")], ...answer.squares.map((name) => [name, name])], this.start);
    options($("turn-zone"), [["", t("no zone")], ...answer.zones.map((name) => [name, name])], $("turn-zone").value);
    options($("becomes"), answer.pieces.map((name) => [name, name]), $("becomes").value || answer.pieces.at(-1));
    $("turn-zone").onchange();
    this.show();
  }

  show() {
    const { answer, drawn } = this;
    const svg = drawing($("moves-board"), answer.svg);
    const targets = new Map();
    for (const move of drawn) for (const square of this.ends(move)) targets.set(square, [...targets.get(square) ?? [], move]);
    const first = this.covered(answer.drawn);
    const other = { quiet: answer.moves.filter((square) => !first.quiet.has(square)), taking: answer.takes.filter((square) => !first.taking.has(square)) };
    const now = this.covered(drawn);
    this.crop(svg);
    this.marks(svg, "kept", other.quiet, other.taking, answer.slides.filter((square) => !first.quiet.has(square) && !first.taking.has(square)));
    this.marks(svg, "drawn", now.quiet, now.taking, drawn.filter(([, slides]) => slides).map((move) => this.ends(move).at(-1)).filter(Boolean));
    const isLocked = Boolean(answer.problem);
    pickable(svg, (square) => { if (square && !isLocked) this.click(square); },
      (square) => [square, ...(targets.get(square) ?? []).map((move) => this.words(move))].join(" · "));
    $("write-moves").disabled = isLocked;
    $("moves-note").textContent = {
      macro: t("These moves come from a macro or another file. They are shown, but can't be changed here."),
      types: t("These moves have move types. They are shown, but can't be changed here."),
    }[answer.problem] ?? (answer.kept.length ? t("Shown in grey, and can't be changed here: {code}", { code: answer.kept.join(" ").replace(/\s+/g, " ") }) : t("Click the squares that the piece can move to."));
    $("moves-list").replaceChildren(...drawn.map((move) => {
      const words = this.words(move);
      const button = make("button", { className: "button fix", textContent: t("Remove"), "aria-label": t("Remove: {move}", { move: words }), onclick: () => this.toggle(move) });
      return make("li", {}, words, ...(isLocked ? [] : [button]));
    }));
  }

  words([path, slides, takes, zone, becomes]) {
    const what = { both: t("move or capture"), move: t("move only"), take: t("capture only") }[takes];
    const way = `${slides ? t("slide") : path.length > 1 ? t("leap") : t("step")} ${path.join(" ")}`;
    return `${way}: ${what}${zone ? `, ${t("promotes to {piece} in {zone}", { zone, piece: becomes })}` : ""}`;
  }

  /** The squares where a move ends on an empty board. */
  ends([path, slides]) {
    const { links, start } = this.answer;
    const squares = [];
    let square = start;
    for (let n = 0; slides || n < path.length; n++) {
      square = links[path[slides ? 0 : n]]?.[square];
      if (!square || square === start || (slides && squares.includes(square))) break;
      squares.push(square);
    }
    return slides ? squares : squares.slice(path.length - 1);
  }

  /** The squares that moves can reach without capturing (`quiet`) and by capturing (`taking`). */
  covered(moves) {
    const of = (...kinds) => new Set(moves.filter(([, , takes]) => kinds.includes(takes)).flatMap((move) => this.ends(move)));
    return { quiet: of("both", "move"), taking: of("both", "take") };
  }

  /** Crop a large board to the part around the piece. */
  crop(svg) {
    const { links, start } = this.answer;
    const at = (square) => middle(placeOf(svg, square));
    const [x, y] = at(start);
    const far = (square) => Math.hypot(at(square)[0] - x, at(square)[1] - y);
    const steps = Object.values(links).map((way) => way[start]).filter((square) => square && square !== start).map(far);
    const leaps = this.drawn.filter(([, slides]) => !slides).flatMap((move) => this.ends(move)).map(far);
    if (!steps.length) return;
    const room = Math.max(AROUND * Math.min(...steps), Math.max(0, ...leaps) + Math.min(...steps));
    const { x: left, y: top, width, height } = svg.viewBox.baseVal;
    const [x0, y0] = [Math.max(left, x - room), Math.max(top, y - room)];
    const [x1, y1] = [Math.min(left + width, x + room), Math.min(top + height, y + room)];
    svg.setAttribute("viewBox", `${x0} ${y0} ${x1 - x0} ${y1 - y0}`);
    for (const name of ["width", "height"]) svg.removeAttribute(name);
  }

  /** Draw dots for moves, rings for captures, arrows for slides. */
  marks(svg, name, quiet, taking, slides) {
    const group = draw("g", { class: `marks ${name}` });
    const place = (square) => placeOf(svg, square);
    const circle = (square, kind, share) => {
      const { width, height } = place(square).getBBox();
      const [cx, cy] = middle(place(square));
      group.append(draw("circle", { class: kind, cx, cy, r: share * Math.min(width, height) }));
    };
    const from = middle(place(this.answer.start));
    for (const square of slides) {
      const to = middle(place(square));
      const turn = Math.atan2(to[1] - from[1], to[0] - from[0]);
      const head = [turn + 2.6, turn - 2.6].map((angle) => `${to[0] + 9 * Math.cos(angle)} ${to[1] + 9 * Math.sin(angle)}`);
      group.append(draw("path", { class: "sliding", d: `M${from.join(" ")}L${to.join(" ")}M${head[0]}L${to.join(" ")}L${head[1]}` }));
    }
    for (const square of taking) circle(square, "taking", 0.36);
    for (const square of quiet) circle(square, "quiet", 0.16);
    svg.append(group);
  }

  /** The shortest path of named steps to a square; for a slide, the direction that leads there. */
  path(square, slides) {
    const { links, start } = this.answer;
    if (slides) return Object.keys(links).filter((way) => this.ends([[way], true]).includes(square)).slice(0, 1);
    let ways = [[start, []]];
    const seen = new Set([start]);
    for (let n = 0; n < DEEPEST; n++) {
      const next = [];
      for (const [at, path] of ways) {
        for (const [way, steps] of Object.entries(links)) {
          const to = steps[at];
          if (to === square) return [...path, way];
          if (to && !seen.has(to)) { seen.add(to); next.push([to, [...path, way]]); }
        }
      }
      ways = next;
    }
    return [];
  }

  click(square) {
    const slides = $("reach").value === "slide";
    const path = this.path(square, slides);
    if (!path.length) return this.desk.say(slides ? t("no direction leads there") : t("no short path leads there"), true);
    const zone = $("turn-zone").value;
    this.toggle([path, slides, $("takes").value, zone, zone ? $("becomes").value : ""]);
  }

  /** Remove a move if it exists; otherwise add it, replacing moves along the same path. */
  toggle(move) {
    const same = (other) => JSON.stringify(other) === JSON.stringify(move);
    const way = ([path, slides]) => JSON.stringify([path, slides]);
    const isThere = this.drawn.some(same);
    this.drawn = isThere ? this.drawn.filter((other) => !same(other)) : [...this.drawn.filter((other) => way(other) !== way(move)), move];
    this.show();
  }

  add(name) {
    if (!name) return $("new-piece").focus();
    $("new-piece").value = "";
    this.write(name, []);
  }

  async write(piece, moves) {
    if (!await this.desk.edit("draw-moves", { piece, moves })) return;
    this.turn += 1;
    if (piece !== this.piece) this.start = "";
    this.piece = piece;
  }
}
