// A premove, made during another player's turn: it is played when it is the user's turn, if it is legal then.
export class Premove {
  constructor() { this.clear(); }

  clear() { this.from = this.to = -1; }

  get isSet() { return this.from >= 0 && this.to >= 0; }

  /** Handle a click during another player's turn; `isOwn`: one of the user's own pieces stands there. */
  click(place, isOwn) {
    if (this.from >= 0 && this.to < 0 && place !== this.from) this.to = place;
    else if (isOwn && place !== this.from) { this.from = place; this.to = -1; }
    else this.clear();
  }

  /** Clear the premove; return the legal leg that it stands for, or null unless there is exactly one. */
  take(choosing) {
    const matches = (choosing.sources.get(this.from) ?? []).filter((leg) => leg[2] === this.to);
    this.clear();
    return matches.length === 1 ? matches[0] : null;
  }
}
