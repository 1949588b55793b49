// How many of each chip: a field for each, and what they come to together.

import { el } from "../../drawing/dom.js";
import { amountText } from "../entry/amount_pad.js";
import { money } from "../results.js";
import { t } from "../../drawing/words.js";

const PIECES_MAX = 1_000_000;

/** The fields. */
export class Pieces {
  #inputs;
  #whole;
  #sum = el("output", { class: "sum" }, "0.00");

  /**
   * @param {number[]} denominations
   * @param {boolean} whole Whether every chip is to be counted, 0 where there is none.
   */
  constructor(denominations, whole) {
    this.#whole = whole;
    this.#inputs = denominations.map((chip) => ({
      chip,
      input: el("input", { type: "text", inputmode: "numeric", maxlength: 7, autocomplete: "off", oninput: () => this.#add() }),
    }));
    this.node = el(
      "table", { class: "pieces" },
      el("tr", {}, el("th", { scope: "col" }, t("Chip")), el("th", { scope: "col" }, t("Pieces"))),
      ...this.#inputs.map(({ chip, input }) => {
        const name = money(chip);
        input.setAttribute("aria-label", t("Pieces of {name}", { name }));
        return el("tr", {}, el("td", { class: "amount" }, name), el("td", {}, input));
      }),
      el("tr", { class: "sum" }, el("td", {}, t("Together")), el("td", { class: "amount" }, this.#sum)),
    );
  }

  #add() {
    const known = this.#inputs.map(({ chip, input }) => chip * (pieces(input) ?? 0));
    this.#sum.textContent = amountText(known.reduce((sum, each) => sum + each, 0));
  }

  /** What is wrong with what was entered; empty where nothing is. */
  problem() {
    for (const { chip, input } of this.#inputs) {
      const many = pieces(input);
      if (many === undefined) return t("Pieces of {chip}: a whole number.", { chip: money(chip) });
      if (many === null && this.#whole) return t("Still empty: pieces of {chip}, 0 where there is none.", { chip: money(chip) });
    }
    return this.chips().length ? "" : t("Still empty: the chips.");
  }

  chips() {
    return this.#inputs
      .map(({ chip, input }) => ({ chip, pieces: pieces(input) ?? 0 }))
      .filter((each) => this.#whole || each.pieces);
  }
}

/**
 * The pieces in a field: null where it is empty, undefined where they are no whole number.
 *
 * @param {HTMLInputElement} input
 */
function pieces(input) {
  const text = input.value.trim();
  if (!text) return null;
  const many = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return many <= PIECES_MAX ? many : undefined;
}
