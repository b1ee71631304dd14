// A move made ahead while a computer thinks: played as soon as it is one's turn, if it is legal then.
export class Premove {
  constructor() { this.clear(); }

  clear() { this.from = this.to = -1; }

  get isSet() { return this.from >= 0 && this.to >= 0; }

  /** A click while somebody else is to move; `isOwn` whether a man of one's own stands there. */
  click(place, isOwn) {
    if (this.from >= 0 && this.to < 0 && place !== this.from) this.to = place;
    else if (isOwn && place !== this.from) { this.from = place; this.to = -1; }
    else this.clear();
  }

  /** The one leg that was meant, now that it may be played. */
  take(choosing) {
    const matches = (choosing.sources.get(this.from) ?? []).filter((leg) => leg[2] === this.to);
    this.clear();
    return matches.length === 1 ? matches[0] : null;
  }
}
