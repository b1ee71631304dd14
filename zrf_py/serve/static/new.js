// /new?game=ID[&variant=TITLE][&players=human,greedy][&puzzle=NUMBER], or /new#LINK: creates a board and goes there.
import { keepBoard, post } from "./boards.js";
import { $, followTheme, recall } from "./shared.js";
import { t, told, translatePage } from "./words.js";

translatePage();
followTheme();

function wish() {
  const query = new URLSearchParams(location.search);
  const seats = (query.get("players") ?? "").split(",").filter(Boolean);
  if (location.hash.length > 1) return { link: location.hash.slice(1), seats };
  return { game: query.get("game") ?? "", variant: query.get("variant"), seats, puzzle: Number(query.get("puzzle")) };
}

function fail(problem) {
  $("status").hidden = true;
  $("problem").hidden = false;
  $("problem").querySelector("h2").textContent = problem.text ? t("These rules have errors") : told(problem.summary);
  $("problem").querySelector("pre").textContent = problem.text || problem.help || "";
  $("problem").querySelector("pre").hidden = !(problem.text || problem.help);
}

/** Try again soon if the server watches the rules file, until its errors are corrected; if it can be edited, show where. */
async function again() {
  const { watch, edited } = await (await fetch("/api/site")).json();
  $(recall("zrf-desk-token", "") ? "edit" : "edit-where").hidden = !edited || edited !== wish().game;
  if (watch) setTimeout(open, 1500);
}

async function open() {
  try {
    const reply = await post("/api/tables", wish());
    if (reply.error) { fail(reply.error); await again(); }
    else {
      keepBoard(reply.id, { token: reply.token });
      location.replace(`/t/${reply.id}`);
    }
  } catch {
    fail({ summary: t("The server isn't responding.") });
  }
}

await open();
