// Clocks of the players: the same as serve/clock.py.
const MAX_SECONDS = 24 * 3600;
const MAX_INCREMENT = 600;

export class Clock {
  constructor(seconds, increment, players) {
    this.seconds = seconds; this.increment = increment; this.running = ""; this.since = 0;
    this.left = Object.fromEntries(players.map((name) => [name, seconds]));
  }

  /** The clock that a page requests, [seconds, increment]; null if the request is invalid. */
  static wished(wish, players) {
    if (!Array.isArray(wish) || wish.length !== 2 || !wish.every(Number.isFinite)) return null;
    const [seconds, increment] = wish;
    return seconds >= 1 && seconds <= MAX_SECONDS && increment >= 0 && increment <= MAX_INCREMENT ? new Clock(seconds, increment, players) : null;
  }

  now(player) { return (this.left[player] ?? 0) - (player === this.running ? (performance.now() - this.since) / 1000 : 0); }

  /** Start the clock of one player, or stop all (""); a player whose turn ends gets the increment. */
  run(player) {
    if (player === this.running) return;
    if (this.running) this.left[this.running] = Math.max(0, this.now(this.running)) + (player ? this.increment : 0);
    this.running = player in this.left ? player : "";
    this.since = performance.now();
  }

  /** The player whose time has run out; "" if there is none. */
  get over() { return this.running && this.now(this.running) <= 0 ? this.running : ""; }

  fresh() { return new Clock(this.seconds, this.increment, Object.keys(this.left)); }

  told() {
    const left = Object.fromEntries(Object.keys(this.left).map((name) => [name, Math.max(0, this.now(name))]));
    return { seconds: this.seconds, increment: this.increment, running: this.running, left };
  }
}
