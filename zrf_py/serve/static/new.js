// /new?game=ID[&variant=TITLE][&players=human,greedy], or /new#LINK: makes a board and goes there.
import { $, followTheme, keepBoard, post } from "./shared.js";

followTheme();

function wish() {
  const query = new URLSearchParams(location.search);
  const seats = (query.get("players") ?? "").split(",").filter(Boolean);
  if (location.hash.length > 1) return { link: location.hash.slice(1), seats };
  return { game: query.get("game") ?? "", variant: query.get("variant"), seats };
}

function fail(problem) {
  $("status").hidden = true;
  $("problem").hidden = false;
  $("problem").querySelector("h2").textContent = problem.summary;
  $("problem").querySelector("pre").textContent = problem.text ?? problem.help ?? "";
}

try {
  const made = await post("/api/tables", wish());
  if (made.error) fail(made.error);
  else {
    keepBoard(made.id, { token: made.token });
    location.replace(`/t/${made.id}`);
  }
} catch {
  fail({ summary: "The server doesn't answer." });
}
