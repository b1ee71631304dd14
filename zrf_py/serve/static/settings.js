// The user's settings, in one dialog: how boards look and behave in this browser.
import { motion } from "./drawing.js";
import { wish } from "./fitting.js";
import { $, choice, make, recall, remember } from "./shared.js";
import { play, sounds } from "./sounds.js";
import { t, w } from "./words.js";

const CHOICES = {
  board: [w("Board"), [["wood", w("Wood")], ["green", w("Green")], ["blue", w("Blue")], ["grey", w("Grey")], ["rose", w("Rose")], ["night", w("Night")]]],
  coordinates: [w("Coordinates"), [["inside", w("Inside")], ["outside", w("Outside")], ["none", w("None")]]],
  motion: [w("Animation"), [["1", w("Normal")], ["2.5", w("Slow")], ["0", w("None")]]],
};
const SWITCHES = { sound: w("Sounds"), confirm: w("Confirm moves"), zen: w("Only the board"), letters: w("Letters on pieces") };

/** The current settings, by name. */
export const settings = { board: "wood", coordinates: "inside", motion: "1", sound: false, confirm: false, zen: false, letters: false, ...recall("zrf-settings", {}) };

function apply() {
  Object.assign(document.documentElement.dataset, { board: settings.board, zen: settings.zen });
  wish.coordinates = settings.coordinates;
  motion.slowness = Number(settings.motion);
  sounds.isOn = settings.sound;
}

function change(name, value, changed) {
  settings[name] = value;
  remember("zrf-settings", settings);
  apply();
  changed();
  if (name === "sound") play("move");
}

/** Create the dialog; `changed` is called after each change. */
export function prepareSettings(changed) {
  const questions = Object.entries(CHOICES).map(([name, [words, answers]]) => {
    const set = choice(name, t(words), answers.map(([value, label]) => [value, [t(label)]]), settings[name]);
    set.onchange = () => change(name, set.chosen, changed);
    return set;
  });
  const switches = Object.entries(SWITCHES).map(([name, words]) => {
    const onchange = ({ target }) => change(name, target.checked, changed);
    return make("label", {}, make("input", { type: "checkbox", id: name, checked: settings[name], onchange }), ` ${t(words)}`);
  });
  $("settings").querySelector("div").replaceChildren(...questions, make("p", { className: "checks" }, ...switches));
  $("options").onclick = () => $("settings").showModal();
}

apply();
