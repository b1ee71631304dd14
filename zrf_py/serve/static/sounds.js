// Short sounds, from the rules file or synthesised; off by default.
import { soundAt } from "./server.js";

let context = null;
export const sounds = { isOn: false };

/** Set the events for which the rules file has sounds of its own. */
export function ownSounds(kinds = []) {
  own = new Map(kinds.map((kind) => [kind, Object.assign(new Audio(), { preload: "none", src: soundAt(kind) })]));
}

let own = new Map();
const KINDS = { drop: [[280, .06]], move: [[320, .05]], take: [[180, .09]], end: [[392, .12], [523, .2]], check: [[620, .08]], low: [[880, .07], [880, .07]] };

export function play(kind) {
  if (!sounds.isOn) return;
  const sound = own.get(kind);
  if (sound) {
    sound.currentTime = 0;
    sound.play().catch(() => {}); // the file may not be a sound
    return;
  }
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length] of KINDS[kind]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(.25, at);
    volume.gain.exponentialRampToValueAtTime(.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length;
  }
}
