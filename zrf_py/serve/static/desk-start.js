/* Ways to start an empty file, as cards: small games of several kinds and boards, and the bundled games. */
import { drawing } from "./desk-setup.js";
import { $, make } from "./shared.js";
import { facts, titled } from "./words.js";

export class Start {
  /** `starts` returns the games to start from (see `Host`), `put` puts a text into the editor, `fault` shows a problem. */
  constructor(desk) {
    this.desk = desk;
    this.isFilled = false;
  }

  show(isEmpty) {
    $("start").hidden = !isEmpty;
    if (isEmpty) $("no-board").hidden = $("board").hidden = $("remembering").hidden = true;
    else $("no-board").hidden = !$("board").hidden;
    if (!isEmpty || this.isFilled) return;
    this.isFilled = true;
    this.fill().catch((problem) => { $("start").textContent = problem.message; });
  }

  async fill() {
    const { kinds, small, games } = await this.desk.starts();
    for (const [board, ofKinds] of Object.entries(small)) {
      for (const [kind, { text, svg }] of Object.entries(ofKinds)) {
        drawing(this.card("small", `${kind}, ${board}`, kinds[kind], () => text), svg);
      }
    }
    for (const { title, about, picture, text } of games) {
      this.card("shelf", titled(title), facts(about), text).append(make("img", { loading: "lazy", decoding: "async", alt: "", src: picture }));
    }
  }

  /** Add a card to a list; return the element for its picture. */
  card(list, title, about, text) {
    const picture = make("span", { className: "picture" });
    const words = make("span", { className: "words" }, make("b", { textContent: title }), make("span", { textContent: about }));
    const button = make("button", { className: "card", type: "button" }, picture, words);
    button.onclick = async () => { try { this.desk.put(await text()); } catch (problem) { this.desk.fault(problem); } };
    $(list).append(make("li", {}, button));
    return picture;
  }
}
