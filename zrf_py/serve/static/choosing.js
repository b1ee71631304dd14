// Legal legs → clicks, drags and keys: what may be chosen first, where it may go then, and what is asked if there are several.

const [TEXT, FROM, TO, TYPE, LABEL] = [0, 1, 2, 3, 4];

export class Choosing {
  /** `types` are the names of piece types; `side` the player whose pieces move. */
  constructor({ legs = [], side = -1, inTurn = false, types = [] }) {
    this.legs = legs;
    this.side = side;
    this.types = types;
    this.chosen = null; // {from: index} or {type: number}
    this.free = legs.filter((leg) => leg[FROM] < 0 && leg[TO] < 0);
    this.sources = new Map();
    this.here = new Map(); // legs that are chosen by their one place alone
    this.drops = new Map();
    for (const leg of legs) {
      if (leg[FROM] >= 0 && leg[TO] !== leg[FROM] && leg[TO] >= 0) add(this.sources, leg[FROM], leg);
      else if (leg[TO] >= 0 || leg[FROM] >= 0) add(this.here, leg[TO] >= 0 ? leg[TO] : leg[FROM], leg);
      if (leg[TYPE] >= 0) add(this.drops, leg[TYPE], leg);
    }
    const only = [...this.sources.keys()];
    /** In the middle of a turn there is nothing to choose from: the piece is taken up by itself. */
    this.isForced = inTurn && only.length === 1 && this.here.size === 0;
    if (this.isForced) this.chosen = { from: only[0] };
  }

  get isPicked() { return this.chosen !== null; }

  /** Legs of what is taken up. */
  picked() {
    if (!this.chosen) return [];
    return ("from" in this.chosen ? this.sources.get(this.chosen.from) : this.drops.get(this.chosen.type)) ?? [];
  }

  /** Places where a click does something now. */
  canStart() { return new Set([...this.sources.keys(), ...this.here.keys()]); }

  targets() { return new Set(this.picked().map((leg) => leg[TO])); }

  release() { this.chosen = this.isForced ? { from: [...this.sources.keys()][0] } : null; }

  /** A click on a place: legs to play or to choose from; none if something was taken up or put down. */
  click(place) {
    if (this.chosen) {
      const found = this.picked().filter((leg) => leg[TO] === place);
      if (found.length) return found;
      if (this.chosen.from === place) { this.release(); return []; }
    }
    if (this.sources.has(place)) {
      this.chosen = { from: place };
      return this.here.get(place) ?? [];
    }
    this.release();
    return this.here.get(place) ?? [];
  }

  /** A click on what a player holds off the board. */
  clickStore(player, type) {
    const number = this.types.indexOf(type);
    const same = this.chosen?.type === number;
    this.release();
    if (player === this.side && this.drops.has(number) && !same) this.chosen = { type: number };
  }

  canDrop(player, type) { return player === this.side && this.drops.has(this.types.indexOf(type)); }
}

function add(map, key, leg) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(leg);
}

/** What to call each of several legs: how they differ, if they do in their types, else their notation. */
export function labels(legs) {
  const short = legs.map((leg) => leg[LABEL]);
  const clear = new Set(short).size === legs.length;
  return legs.map((leg, i) => (clear ? short[i] || leg[TEXT] : leg[TEXT]));
}

export const labelOf = (leg) => leg[LABEL];
export const textOf = (leg) => leg[TEXT];
export const fromOf = (leg) => leg[FROM];
export const toOf = (leg) => leg[TO];
