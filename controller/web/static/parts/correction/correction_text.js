// What is written of the changes of a correction: in their list, and beside their own steps.

import { word } from "../../drawing/hands.js";
import { amountText } from "../entry/amount_pad.js";
import { cardText } from "../entry/card_picker.js";
import { isWager } from "./round_steps.js";
import { actionText, t } from "../../drawing/words.js";

/** @typedef {import("./round_steps.js").Row} Row */
/** @typedef {import("./round_steps.js").Wager} Wager */
/** @typedef {import("./round_steps.js").Change} Change */

/**
 * A change that was asked for: its row or bet, with the change.
 *
 * @typedef {(Row | Wager) & { change: Change }} Changed
 */

/**
 * What is written beside a step that is no longer part of the round.
 *
 * @type {Record<string, string>}
 */
const OUT = { remove: t("taken out"), burn: t("put aside") };

export class CorrectionText {
  #words;

  /**
   * @param {Table.GameWords} words
   */
  constructor(words) {
    this.#words = words;
  }

  /**
   * A change by itself: "step 3 was 7♥".
   *
   * @param {Changed} each
   */
  ofChange(each) {
    const { change } = each;
    if (isWager(each)) {
      const bet = this.#betOf(each);
      return change.do === "dead" ? t("{bet}: no card, goes back", { bet }) : `${bet}: ${betText(change)}`;
    }
    if (change.do === "insert") return t("put in {card}", { card: cardText(change.card ?? "") });
    const place = t("step {from}", { from: (each.from ?? 0) + 1 });
    if (OUT[change.do]) return `${place} ${OUT[change.do]}`;
    return t("{place} was {change}", { place, change: this.#was(change) });
  }

  /**
   * The same beside its own step.
   *
   * @param {Changed} each
   */
  ofRow(each) {
    const { change } = each;
    if (change.do === "dead") return t("got no card: goes back");
    if (isWager(each)) return t("was {change}", { change: betText(change) });
    if (change.do === "replace") return t("was {change}", { change: this.#was(change) });
    return OUT[change.do] ?? this.ofChange(each);
  }

  /** @param {Row | Wager} each */
  titleOf(each) {
    if (isWager(each)) return `${this.#betOf(each)}: ${each.wager}`;
    return each.kind === "put" ? t("Put in: {code}", { code: cardText(each.code) }) : each.text;
  }

  /** @param {Change} change */
  #was({ card: code, action, amount }) {
    if (code) return cardText(code);
    const said = actionText(action ?? "");
    return amount ? `${said} ${amountText(amount)}` : said;
  }

  /** @param {Wager} wager */
  #betOf({ seat }) {
    return t("Bet of {seat}", { seat: `${word(this.#words, "seat").toLowerCase()} ${seat}` });
  }
}

/**
 * @param {Row | Wager} each
 * @returns {each is Changed}
 */
export function hasChange(each) {
  return each.change !== null;
}

/** @param {Change} change */
function betText({ amount = null }) {
  return amount === null ? t("not tracked") : amountText(amount);
}
