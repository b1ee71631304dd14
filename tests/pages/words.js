import { t, told, translatePage, called, man, reason, language } from "./words.js";
show([language, t("Draw: {why}", { why: "X" }), t("Draw: {why}"), t("nothing {of} it", { of: 3 }), called("?Dice"), called("White"), called(""), called(), man("White", "Pawn")]);
show([told(), told("The server isn't responding."), told("nothing known"), told("nothing known: The server isn't responding."), told("The server isn't responding. nothing known")]);
show(["`a` 5 x.dll", "there is no game `x`", "Far.dll: nothing"].map((one) => told(one)));
show(told("A move of the record is illegal under these rules: move 82, `Man f7 - f8`: no legal move of `Black` matches"));
show(told("A move of the record is illegal under these rules: move 1, `Man f7 - f8`: its rules are in the engine DLL ../a.dll, which zrf does not run"));
translatePage();
show([document.documentElement.lang, it("hint").getAttribute("title"), it("list").parentNode.querySelector("h2").textContent]);
show(reason({ reason: "checkmate", number: "", name: "" }));
