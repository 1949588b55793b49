// Sends what is pressed, one command after the other.

import { send } from "./commands.js";
import { t } from "../drawing/words.js";

/** @typedef {import("./commands.js").AnyCommand} AnyCommand */
/** @typedef {import("./commands.js").Answer} Answer */

/** The presses of one display. */
export class Sender {
  #token;
  /**
   * What is being sent, until the answer is there.
   *
   * @type {{ command: AnyCommand, over: Promise<unknown> } | null}
   */
  #under = null;

  /** @param {string} token */
  constructor(token) {
    this.#token = token;
  }

  /**
   * Sends a command when its turn has come; null: it was none. Bets at other seats wait for theirs,
   * however slow the line is: each was meant. Any other press waits for nothing.
   *
   * @param {AnyCommand} command
   * @param {number} viewSeq
   * @returns {Promise<Answer | null>}
   */
  async inTurn(command, viewSeq) {
    for (let before = this.#under; before; before = this.#under) {
      if (!areBetsApart(command, before.command)) return null;
      // eslint-disable-next-line no-await-in-loop -- one is sent after the other
      await before.over;
    }
    return await this.post(command, viewSeq);
  }

  /**
   * Sends a command that was made on view number `viewSeq`, unless another is being sent.
   *
   * @param {AnyCommand} command
   * @param {number} viewSeq
   * @returns {Promise<Answer>}
   */
  async post(command, viewSeq) {
    if (this.#under) return { refused: t("Wait for the answer to the press before.") };
    const over = send(this.#token, command, viewSeq);
    this.#under = { command, over };
    document.body.dataset.sending = "true";
    const sent = await over;
    this.#under = null;
    document.body.dataset.sending = "false";
    return sent;
  }
}

/**
 * Whether both place a bet, at one seat and at another.
 *
 * @param {AnyCommand} one
 * @param {AnyCommand} other
 */
function areBetsApart(one, other) {
  const bets = one.do === "place_wager" && other.do === "place_wager";
  return bets && one.seat !== other.seat;
}
