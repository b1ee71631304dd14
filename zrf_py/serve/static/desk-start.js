/* Ways to start an empty file, as cards: small games of several kinds and boards, and the bundled games. */
import { drawing } from "./desk-setup.js";
import { $, make } from "./shared.js";
import { facts, titled } from "./words.js";

export class Start {
  /** `put` puts a text into the editor. */
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
    const { kinds, boards } = await this.desk.ask("starts", {}, true);
    const small = boards.flatMap((board) => Object.entries(kinds).map(([kind, about]) => [board, kind, about]));
    const cards = small.map(([board, kind, about]) => this.card(`${kind}, ${board}`, about, { kind, board }));
    $("small").replaceChildren(...cards.map(({ item }) => item));
    $("shelf").replaceChildren(...(await this.desk.games()).map(({ id, title, about, picture: address }) => {
      const { item, picture } = this.card(titled(title), facts(about), { game: id });
      picture.append(make("img", { loading: "lazy", decoding: "async", alt: "", src: address }));
      return item;
    }));
    for (const { picture, wish } of cards) drawing(picture, (await this.desk.ask("start", wish, true)).svg);
  }

  card(title, about, wish) {
    const picture = make("span", { className: "picture" });
    const words = make("span", { className: "words" }, make("b", { textContent: title }), make("span", { textContent: about }));
    const button = make("button", { className: "card", type: "button" }, picture, words);
    button.onclick = async () => this.desk.put((await this.desk.ask("start", wish, true)).text);
    return { item: make("li", {}, button), picture, wish };
  }
}
