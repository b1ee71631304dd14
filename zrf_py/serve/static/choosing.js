// Choosing a legal leg by clicks, drags and keys: pieces that can be selected, their destinations, and choices among several legs.
import { grouped } from "./grouping.js";

/** @type {[0, 1, 2, 3, 4, 5, 6, 7]} */
const [TEXT, FROM, TO, TYPE, SHORT, BECOMES, TAKEN, PLACED] = [0, 1, 2, 3, 4, 5, 6, 7];

export class Choosing {
  /** `types` are the names of the piece types; `side` is the player whose pieces move. @param {{ legs?: Leg[], side?: Index, inTurn?: boolean, types?: string[] }} position */
  constructor({ legs = [], side = -1, inTurn = false, types = [] }) {
    this.legs = legs;
    this.side = side;
    this.types = types;
    /** @type {{ from?: Index, type?: Index } | null} */
    this.chosen = null;
    this.open = null; // place → legs, while a further place is needed to tell several legs apart
    this.free = legs.filter((leg) => leg[FROM] < 0 && leg[TO] < 0);
    const travels = (leg) => leg[FROM] >= 0 && leg[TO] >= 0 && leg[TO] !== leg[FROM];
    this.sources = grouped(legs.filter(travels), fromOf);
    const onPlace = legs.filter((leg) => !travels(leg) && (leg[TO] >= 0 || leg[FROM] >= 0));
    this.here = grouped(onPlace, (leg) => (leg[TO] >= 0 ? leg[TO] : leg[FROM])); // legs that are chosen by their only place
    this.drops = grouped(legs.filter((leg) => leg[TYPE] >= 0), (leg) => leg[TYPE]);
    const only = [...this.sources.keys()];
    /** True if only one piece can continue the turn; that piece is selected automatically. */
    this.isForced = inTurn && only.length === 1 && this.here.size === 0;
    if (this.isForced) this.chosen = { from: only[0] };
  }

  get isPicked() { return this.chosen !== null || this.open !== null; }

  /** The legs of the selected piece. */
  picked() {
    if (!this.chosen) return [];
    return ("from" in this.chosen ? this.sources.get(this.chosen.from) : this.drops.get(this.chosen.type)) ?? [];
  }

  /** The places where a click can begin a move; none while a further place has to be chosen. */
  canStart() { return this.open ? new Set() : new Set([...this.sources.keys(), ...this.here.keys()]); }

  targets() { return this.open ? new Set(this.open.keys()) : new Set(this.picked().map((leg) => leg[TO])); }

  release() {
    this.open = null;
    this.chosen = this.isForced ? { from: [...this.sources.keys()][0] } : null;
  }

  /** Handle a click on a place: return the legs to play or to choose from; none if it only selected or deselected a piece. */
  click(place) {
    if (this.open) {
      const matches = this.open.get(place) ?? [];
      if (!matches.length) this.release();
      this.open = null;
      return matches;
    }
    const matches = this.picked().filter((leg) => leg[TO] === place);
    if (matches.length) return matches;
    if (this.sources.has(place) && this.chosen?.from !== place) { // a second click offers the legs that stay on this place
      this.chosen = { from: place };
      return [];
    }
    this.release();
    return this.here.get(place) ?? [];
  }

  /** Ask for the place that tells several legs apart: a captured or placed piece. Return whether there is such a place. */
  ask(legs) {
    const touched = legs.map((leg) => new Set([...(leg[TAKEN] ?? []), ...(leg[PLACED] ?? [])]));
    const common = [...touched[0]].filter((place) => touched.every((set) => set.has(place)));
    const open = new Map();
    for (const [i, set] of touched.entries()) {
      for (const place of common) set.delete(place);
      if (!set.size) return false;
      for (const place of set) open.set(place, [...open.get(place) ?? [], legs[i]]);
    }
    if (open.size < 2) return false;
    this.open = open;
    return true;
  }

  /** Handle a click on a piece that a player holds off the board. */
  clickStore(player, type) {
    const number = this.types.indexOf(type);
    const same = this.chosen?.type === number;
    this.release();
    if (player === this.side && this.drops.has(number) && !same) this.chosen = { type: number };
  }

  canDrop(player, type) { return player === this.side && this.drops.has(this.types.indexOf(type)); }
}

/** The index of the piece's type after a leg, or of the type dropped; -1: the type is unchanged. */
export const kindOf = (leg) => (leg[BECOMES] >= 0 ? leg[BECOMES] : leg[TYPE]);

/** Labels for several legs: the types that the piece becomes if these differ, else short notation. `own` is the type of the moving piece; `called` are shorter names of types, used where they are unique. */
export function labels(legs, types, own = -1, called = []) {
  const kinds = legs.map((leg) => (kindOf(leg) >= 0 ? kindOf(leg) : own));
  if (new Set(kinds).size < legs.length) return legs.map((leg) => leg[SHORT]);
  const names = kinds.map((kind) => called[kind] ?? types[kind]);
  return legs.map((leg, i) => (new Set(names).size < legs.length ? types[kinds[i]] : names[i]) ?? leg[SHORT]);
}

export const textOf = (leg) => leg[TEXT];
export const shortOf = (leg) => leg[SHORT];
export const fromOf = (leg) => leg[FROM];
export const toOf = (leg) => leg[TO];
