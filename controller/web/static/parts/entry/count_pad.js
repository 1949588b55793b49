// How many cards? A pad of digits for one whole number.

import { el } from "../../drawing/dom.js";
import { DELETE, digitKeys } from "./digit_keys.js";
import { t } from "../../drawing/words.js";

const MOST_DIGITS = 3;

/** The key of a keyboard that goes back. */
const BACK = "b";

/**
 * The question of a number of cards: `verb` and `of` for the key that enters, a `hint` beside it;
 * `start` is proposed, and `back` leads to the question before this one.
 *
 * @typedef {{
 *   verb: string,
 *   of: string,
 *   hint: string,
 *   start?: number,
 *   back?: import("./amount_pad.js").Alternative,
 * }} CountWanted
 */

/** A pad for a number of cards. */
export class CountPad {
  #text = "";
  /** The next digit begins anew: what stands there was only proposed. */
  #proposed = true;
  #wanted;
  #onBack;
  #sum = el("output", { class: "pad-sum" });
  #says = el("span", {});
  #go;

  /**
   * @param {CountWanted} wanted
   * @param {(count: number) => void} onEnter
   * @param {(go: () => void) => void} onBack
   */
  constructor(wanted, onEnter, onBack) {
    this.#wanted = wanted;
    this.#onBack = onBack;
    this.#text = wanted.start === undefined ? "" : String(wanted.start);
    const enter = { class: "key confirm", type: "button", onclick: () => onEnter(this.entered) };
    this.#go = el("button", enter, el("kbd", {}, "Enter"), this.#says);
    this.node = el(
      "div",
      { class: "pad" },
      el("div", { class: "pad-left" }, this.#sum, el("p", { class: "pad-limits" }, wanted.hint)),
      digitKeys("", (key) => this.typed(key)),
      el("div", { class: "pad-actions" }, this.#go, this.#backKey()),
    );
    this.#paint();
  }

  /** The number that stands there. */
  get entered() {
    return Number(this.#text);
  }

  /** Why what stands there cannot be entered, or nothing; none at all is a number too. */
  get problem() {
    return this.#text ? "" : t("No number yet.");
  }

  /**
   * A key of the keyboard; whether it meant something here.
   *
   * @param {string} key
   */
  typed(key) {
    const before = this.#proposed ? "" : this.#text;
    if (key === BACK && this.#wanted.back) {
      this.#onBack(this.#wanted.back.go);
      return true;
    }
    if (key === DELETE || key === "Backspace") this.#text = this.#text.slice(0, -1);
    else if (!/^\d$/.test(key)) return false;
    else if (before.length < MOST_DIGITS) this.#text = before + key;
    this.#proposed = false;
    this.#paint();
    return true;
  }

  #paint() {
    this.#sum.textContent = this.#text || "–";
    this.#says.textContent = this.#text ? `${t("{count:card|cards}", { count: this.entered })} ${this.#wanted.of}` : this.#wanted.verb;
    this.#go.disabled = Boolean(this.problem);
  }

  #backKey() {
    const { back } = this.#wanted;
    if (!back) return null;
    const go = { class: "key", type: "button", onclick: () => this.#onBack(back.go) };
    return el("button", go, el("kbd", {}, BACK.toUpperCase()), el("span", {}, `‹ ${back.label}`));
  }
}
