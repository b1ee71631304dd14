// Chains of legs: the server lists the places that a piece can reach in one turn; a click there plays leg after leg.
export class Chains {
  constructor(ask) {
    this.ask = ask;
    this.forget();
  }

  forget() {
    this.from = -1;
    this.ways = new Map(); // place → texts of the legs that lead there
    this.left = []; // legs of the chosen path that have not been played yet
  }

  /** Query the server about a selected piece, if its turn may have several legs. @param {Index} from @param {Leg[]} legs */
  look(from, legs) {
    if (from === this.from || this.left.length || !legs.some((leg) => leg[0].startsWith("partial "))) return;
    this.forget();
    this.from = from;
    this.ask({ type: "reach", from });
  }

  tell({ from, ways }) { if (from === this.from) this.ways = new Map(ways); }

  /** Return the first leg of the path to the clicked place; the others follow as the board is updated. */
  begin(place) {
    const path = this.ways.get(place);
    if (!path) return "";
    this.forget();
    this.left = path.slice(1);
    return path[0];
  }

  /** Return the next leg if it can be played now; otherwise forget the chain. @param {Leg[]} legs */
  next(legs) {
    const leg = legs.find((l) => l[0] === this.left[0]);
    this.left = leg ? this.left.slice(1) : [];
    return leg;
  }
}
