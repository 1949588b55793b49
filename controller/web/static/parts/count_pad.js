// How many cards? A pad of digits for one whole number.

import { el } from "../drawing/dom.js";

const DIGITS = ["7", "8", "9", "4", "5", "6", "1", "2", "3", "", "0", "⌫"];
const MOST_DIGITS = 3;

/**
 * The question of a number of cards: `verb` and `of` for the key that enters, a `hint` beside it.
 *
 * @typedef {{ verb: string, of: string, hint: string }} CountWanted
 */

/** A pad for a number of cards. */
export class CountPad {
  #text = "";
  #wanted;
  #sum = el("output", { class: "pad-sum" });
  #says = el("span", {});
  #go;

  /**
   * @param {CountWanted} wanted
   * @param {(count: number) => void} onEnter
   */
  constructor(wanted, onEnter) {
    this.#wanted = wanted;
    const enter = { class: "key confirm", type: "button", onclick: () => onEnter(this.entered) };
    this.#go = el("button", enter, el("kbd", {}, "Enter"), this.#says);
    this.node = el(
      "div",
      { class: "pad" },
      el("div", { class: "pad-left" }, this.#sum, el("p", { class: "pad-limits" }, wanted.hint)),
      el("div", { class: "pad-digits", role: "group", "aria-label": "Digits" }, ...this.#digits()),
      el("div", { class: "pad-actions" }, this.#go),
    );
    this.#paint();
  }

  /** The number that stands there. */
  get entered() {
    return Number(this.#text);
  }

  /** Why what stands there cannot be entered, or nothing; none at all is a number too. */
  get problem() {
    return this.#text ? "" : "No number yet.";
  }

  /**
   * A key of the keyboard; whether it meant something here.
   *
   * @param {string} key
   */
  typed(key) {
    if (key === "⌫" || key === "Backspace") this.#text = this.#text.slice(0, -1);
    else if (!/^\d$/.test(key)) return false;
    else if (this.#text.length < MOST_DIGITS) this.#text += key;
    this.#paint();
    return true;
  }

  #paint() {
    const cards = this.entered === 1 ? "card" : "cards";
    this.#sum.textContent = this.#text || "–";
    this.#says.textContent = this.#text ? `${this.entered} ${cards} ${this.#wanted.of}` : this.#wanted.verb;
    this.#go.disabled = Boolean(this.problem);
  }

  #digits() {
    return DIGITS.map((each) =>
      each
        ? el("button", {
          class: "pick",
          type: "button",
          "aria-label": each === "⌫" ? "Delete the last digit" : each,
          onclick: () => this.typed(each),
        }, el("b", {}, each))
        : el("span", {})
    );
  }
}
