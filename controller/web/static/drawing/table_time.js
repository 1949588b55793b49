// The table's wall time, as its stream tells it, and what counts down to a moment of it.

/** So many of the newest times are looked at: the browser's own clock may be set meanwhile. */
const NEWEST = 30;
/** How often a countdown is looked at. */
const LOOK_MS = 100;
/** @type {number[]} */
const ahead = [];

/**
 * The table has said that it is `nowMs` there. It says so a moment late, never early.
 *
 * @param {number | null} nowMs null: a beat of a stream that tells no time
 * @param {boolean} [anew] what was said before does not count: either clock may have been set
 */
export function noteTableTime(nowMs, anew = false) {
  if (nowMs === null) return;
  if (anew) ahead.length = 0;
  ahead.push(nowMs - Date.now());
  if (ahead.length > NEWEST) ahead.shift();
}

/** Whether the table has said what time it is there. */
export function isTableTimeKnown() {
  return ahead.length > 0;
}

/** What time it is at the table, in ms since the epoch; by the browser until the table has said. */
export function tableTime() {
  return Date.now() + (ahead.length ? Math.max(...ahead) : 0);
}

/**
 * How long a window lasts still, in whole seconds rounded up.
 *
 * @param {Table.WindowView} shown
 */
export function secondsLeft(shown) {
  const leftMs = shown.left_ms ?? shown.closes_at_ms - tableTime();
  return shown.expired ? 0 : Math.max(0, Math.ceil(leftMs / 1000));
}

/**
 * So many seconds as they are read at a glance: 8 s, or 12:05 where it is long.
 *
 * @param {number} seconds
 */
export function clockText(seconds) {
  if (seconds < 100) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Calls `draw` with the seconds left of the window that is shown, whenever they change. */
export class Countdown {
  /** @param {(shown: Table.WindowView | null, seconds: number) => void} draw */
  constructor(draw) {
    this.draw = draw;
    /** @type {Table.WindowView | null} */
    this.shown = null;
    this.seconds = -1;
    this.timer = 0;
  }

  /** @param {Table.WindowView | null} shown */
  show(shown) {
    this.shown = shown;
    this.seconds = -1;
    clearInterval(this.timer);
    this.look();
    const runs = shown && shown.left_ms === null && !shown.expired;
    if (runs) this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  look() {
    const seconds = this.shown ? secondsLeft(this.shown) : 0;
    if (seconds === this.seconds) return;
    this.seconds = seconds;
    this.draw(this.shown, seconds);
  }
}
