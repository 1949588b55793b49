// What the address of an overlay asks for, and views that are shown so much later.

import { isTableTimeKnown, tableTime } from "../../drawing/table_time.js";
import { t } from "../../drawing/words.js";

/** No encoder is later. */
const MOST_MS = 60_000;
const MODES = ["table", "prompter"];
/** What a clock and a timer of whole milliseconds may be short of. */
const GRAIN_MS = 1;
/** So much later than by its delay from when it came, no view is kept back. */
const SLACK_MS = 100;

/** @typedef {{ delayMs: number, mode: string }} Settings */

/** The address asks for what is not; the message says what to write. */
export class BadOverlay extends Error {}

/**
 * @param {URLSearchParams} asked
 * @returns {Settings}
 */
export function readSettings(asked) {
  for (const name of asked.keys()) {
    if (!["delay_ms", "mode", "lang"].includes(name)) {
      throw new BadOverlay(t("{name}: an overlay takes delay_ms and mode", { name }));
    }
  }
  const delay = asked.get("delay_ms") ?? "0";
  const delayMs = Number(delay);
  if (!/^\d+$/.test(delay) || delayMs > MOST_MS) {
    throw new BadOverlay(t("delay_ms={delay}: write whole milliseconds, 0 to {most}", { delay, most: MOST_MS }));
  }
  const mode = asked.get("mode") ?? "table";
  if (!MODES.includes(mode)) throw new BadOverlay(t("mode={mode}: write table or prompter", { mode }));
  return { delayMs, mode };
}

/**
 * Views that are drawn `delayMs` after the table recorded what they show, in their order, each once:
 * of several that are due at once the newest. Whatever clock is wrong, or set meanwhile: none
 * is drawn before that, and none waits much longer.
 *
 * @template {{ at_ms: number }} T
 */
export class Delayed {
  /**
   * @param {number} delayMs
   * @param {(view: T) => void} draw
   */
  constructor(delayMs, draw) {
    this.delayMs = delayMs;
    this.draw = draw;
    /** @type {{ view: T, latest: number }[]} `latest`: by the page's own monotonic clock */
    this.waiting = [];
  }

  /**
   * It is looked at when it is due, and not only at the next frame, which may be one too late.
   *
   * @param {T} view
   */
  add(view) {
    this.waiting.push({ view, latest: performance.now() + this.delayMs + SLACK_MS });
    const dueMs = view.at_ms + this.delayMs - tableTime();
    setTimeout(() => this.look(), Math.min(this.delayMs, Math.max(0, dueMs)) + GRAIN_MS);
  }

  /** Draws what is due. */
  look() {
    let due = null;
    while (this.waiting.length && this.#isDue(this.waiting[0])) due = this.waiting.shift();
    if (due) this.draw(due.view);
  }

  /** @param {{ view: T, latest: number }} waiting */
  #isDue({ view, latest }) {
    if (latest <= performance.now()) return true;
    return isTableTimeKnown() && view.at_ms + this.delayMs <= tableTime();
  }
}
