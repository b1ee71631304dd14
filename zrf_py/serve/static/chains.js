// Whole chains of legs: where a man may come to in one turn is asked of the server; a click there plays leg after leg.
export class Chains {
  constructor(ask) {
    this.ask = ask;
    this.forget();
  }

  forget() {
    this.from = -1;
    this.ways = new Map(); // place → texts of the legs that lead there
    this.left = []; // legs of the way that was chosen and are still to be played
  }

  /** A man was taken up; only where turns have several legs is there anything to ask. */
  look(from, legs, ply) {
    if (from === this.from || this.left.length || !legs.some((leg) => leg[0].startsWith("partial "))) return;
    this.forget();
    this.from = from;
    this.ask({ type: "reach", ply, from });
  }

  tell({ from, ways }) {
    if (from === this.from) this.ways = new Map(ways);
  }

  /** The first leg of the way to a place that was clicked on; the others follow as the board goes on. */
  begin(place) {
    const path = this.ways.get(place);
    if (!path) return "";
    this.forget();
    this.left = path.slice(1);
    return path[0];
  }

  /** The next leg, if it may be played now. */
  next(legs) {
    const leg = this.left.length ? legs.find((l) => l[0] === this.left[0]) : null;
    if (leg) this.left.shift();
    else this.left = [];
    return leg;
  }
}
