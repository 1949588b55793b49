// The view that a press was aimed at: what its dealer could have read, not what came under the finger.

import { betsOpen } from "./questions/key_questions.js";

/** @typedef {Table.DealerView} View */
/** @typedef {import("./commands.js").AnyCommand} AnyCommand */

/** A press so soon after the keys changed was aimed at the view before: nobody reads faster. */
const REACTION_MS = 150;
/** A table that stops is no picture that anybody waited for, and its keys have letters of plays. */
const SURPRISE_MS = 1000;
/** The second tap of a double tap means what the first one meant: “Done” is not the next payment's. */
const DOUBLE_TAP_MS = 400;
/** Where the same again is meant, as antes one after the other; and what is meant whatever is shown. */
const AGAIN = new Set(["place_wager", "remove_wager", "acknowledge", "read_note", "call_floor"]);
const WHATEVER_IS_SHOWN = new Set(["acknowledge", "call_floor"]);

/** Follows the views of one display, and its presses. */
export class Aim {
  #before = { seq: 0, until: 0 };
  #last = { what: "", at: -Infinity, seq: 0 };

  /**
   * A view takes the place of another.
   *
   * @param {View} view
   * @param {View} newest
   */
  changed(view, newest) {
    if (samePresses(view, newest)) return;
    const now = performance.now();
    const stops = newest.holds.length > view.holds.length;
    const until = now + (stops ? SURPRISE_MS : REACTION_MS);
    // What nobody has read yet was aimed at by nobody.
    const seq = now < this.#before.until ? this.#before.seq : view.seq;
    this.#before = { seq, until: Math.max(until, this.#before.until) };
  }

  /**
   * The number of the view that a press was aimed at which is sent now.
   *
   * @param {AnyCommand} command
   * @param {View} view
   */
  seqOf(command, view) {
    const now = performance.now();
    const { do: does, action = "", resolution = "" } = /** @type {Record<string, unknown>} */ (command);
    if (WHATEVER_IS_SHOWN.has(String(does))) return view.seq;
    const what = `${does} ${action}${resolution}`;
    const tappedTwice = !AGAIN.has(String(does)) && what === this.#last.what && now - this.#last.at < DOUBLE_TAP_MS;
    const unread = now < this.#before.until ? this.#before.seq : view.seq;
    const seq = tappedTwice ? Math.min(this.#last.seq, unread) : unread;
    this.#last = { what, at: now, seq };
    return seq;
  }
}

/**
 * Whether a press means the same in two views. The same key may stand there for the next card.
 *
 * @param {View} one
 * @param {View} two
 */
function samePresses(one, two) {
  /** @param {View} shown */
  const presses = (shown) => {
    // Where bets come, hands do: whoever closes them had not to read the newest one.
    const cards = [...shown.hands, shown.dealer].map((each) => each?.cards).filter((each) => each?.length);
    return JSON.stringify([shown.keys, betsOpen(shown), cards]);
  };
  return presses(one) === presses(two);
}
