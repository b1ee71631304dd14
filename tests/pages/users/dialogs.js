import { showLink, sure } from "./dialogs.js";
Object.defineProperty(globalThis, "navigator", { value: { clipboard: { writeText: async (text) => asked.push(["copied", text]) } } });
document.execCommand = (what) => asked.push(what);
showLink("Share", "words", "http://x/#1");
show([it("link").open, it("link-title").textContent, it("link-words").textContent, it("link-text").value, it("link-more").children.length, it("link").dataset.seat]);
showLink("Share", "start the server with `--host 0.0.0.0`.", "http://x/#1");
show([it("link-words").textContent, it("link-words").querySelectorAll("code").map((part) => part.textContent)]);
showLink("Play", "more", "http://x/#2", { player: "Black", ask });
show([it("link-more").querySelectorAll(".qr").length, it("link-more").querySelectorAll("input").map((one) => one.type), it("link").dataset.seat]);
it("listed").onchange({ target: { checked: true } });
(async () => {
  it("link-copy").click(); await null; await null; await null; show([asked.splice(0), it("toast").textContent]);
  navigator.clipboard.writeText = async () => { throw new Error("no"); };
  it("link-copy").click(); await null; await null; await null; show(asked.splice(0));
  const answers = [];
  for (const id of ["sure-yes", "sure-no", ""]) {
    const answer = sure("Really?", "Yes!", "No!");
    if (id === "sure-yes") show([it("sure").open, it("sure-words").textContent, it("sure-yes").textContent, it("sure-no").textContent]);
    if (id) it(id).click(); else it("sure").close();
    answers.push(await answer);
  }
  show(answers);
})();
