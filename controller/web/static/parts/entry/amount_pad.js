// How much? A pad of chips, digits and, where the amount has bounds, the usual amounts.

import { el } from "../../drawing/dom.js";
import { DELETE, digitKeys } from "./digit_keys.js";
import { language, t } from "../../drawing/words.js";

const CHIPS = [5, 10, 25, 50, 100, 500];
const MOST_DIGITS = 7;
/** The usual amounts are these many times the least, and the most. */
const TIMES = [1, 2, 3, 5, 10, 20, 50];
const MOST_USUAL = 6;
/** @type {Record<string, number>} */
const STEPS = { ArrowUp: 1, "+": 1, ArrowDown: -1, "-": -1 };

/**
 * What may be entered, in minor units: whole numbers of `chip` from `low` to `high`.
 *
 * @typedef {Table.WagerView} Range
 */

/**
 * Something else that may be done.
 *
 * @typedef {{ label: string, go: () => void }} Alternative
 */

/**
 * The question of an amount: `verb` for the key that enters, `hint` beside the sum, `start` in minor
 * units, `besides`: what goes in besides, as the call below a raise, `chips`: chips are added up in place of the usual amounts, `others`: what else may be done.
 *
 * @typedef {{
 *   verb: string,
 *   hint: string,
 *   start?: number,
 *   range?: Range | null,
 *   besides?: number,
 *   chips?: boolean,
 *   others?: Alternative[],
 * }} AmountWanted
 */

const WRITTEN = new Intl.NumberFormat(language, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: true,
});
/** By which the reader's language divides what is whole from hundredths. */
const POINT = WRITTEN.formatToParts(0.5).find(({ type }) => type === "decimal")?.value;
/** Up to nine digits, and hundredths behind a point or a comma. */
const PLAIN = /^(\d{1,9})(?:[.,](\d{0,2}))?$/;
/** The same in threes, which another mark divides: 1,250.50, 1.250,50, 1 250,50. */
const IN_THREES = /^(\d{1,3}(?:([,.\s’'])\d{3})(?:\2\d{3})?)(?:(?!\2)[.,](\d{0,2}))?$/;

/**
 * "25", "25.5", "25,50", "1,250.50" or "1 250,50" as minor units; null where it is no amount. What
 * would be a thousand for one reader and one for another is none.
 *
 * @param {string} text
 */
export function minorUnits(text) {
  const typed = text.trim();
  const plain = PLAIN.exec(typed);
  if (plain) return asMinor(plain[1], plain[2]);
  const [, threes, mark, cents] = IN_THREES.exec(typed) ?? [];
  if (threes === undefined || (cents === undefined && mark === POINT)) return null;
  return asMinor(threes.replaceAll(mark, ""), cents);
}

/**
 * Why what somebody typed is no amount; empty where nothing stands there.
 *
 * @param {string} text
 */
export function noAmount(text) {
  const typed = text.trim();
  return typed && t("{text} is no amount: write it as 25 or 12.50.", { text: typed });
}

/**
 * @param {string} whole
 * @param {string} [cents]
 */
function asMinor(whole, cents = "") {
  return Number(whole) * 100 + Number(cents.padEnd(2, "0"));
}

/**
 * Minor units as the table writes them: 1,250.50.
 *
 * @param {number} minor
 */
export function amountText(minor) {
  return WRITTEN.format(minor / 100);
}

/**
 * The least, some steps and the most of a range.
 *
 * @param {Range} range
 */
export function usual({ low, high, chip }) {
  const steps = TIMES.map((times) => times * low).filter((each) => each < high && !(each % chip));
  return [...steps.slice(0, MOST_USUAL - 1), high];
}

/** A pad for one amount. */
export class AmountPad {
  #text = "";
  /** The next digit begins anew: what stands there was only proposed. */
  #proposed = true;
  #wanted;
  #sum = el("output", { class: "pad-sum" });
  #hint = el("p", { class: "pad-limits", "aria-live": "polite" });
  #place = el("span", {});
  #go;

  /**
   * @param {AmountWanted} wanted
   * @param {(minor: number) => void} onEnter
   * @param {(go: () => void) => void} onOther
   */
  constructor(wanted, onEnter, onOther) {
    this.#wanted = wanted;
    const enter = { class: "key confirm", type: "button", onclick: () => onEnter(this.minor) };
    this.#go = el("button", enter, el("kbd", {}, "Enter"), this.#place);
    const others = (wanted.others ?? []).map((other) =>
      el(
        "button",
        { class: "key", type: "button", onclick: () => onOther(other.go) },
        el("span", {}, other.label),
      )
    );
    this.node = el(
      "div",
      { class: "pad" },
      el("div", { class: "pad-left" }, this.#sum, this.#hint, ...this.#proposals()),
      digitKeys(".", (key) => this.typed(key)),
      el("div", { class: "pad-actions" }, this.#go, ...others),
    );
    this.#set(wanted.start ?? 0);
    this.#proposed = true;
  }

  /** What stands there, in minor units. */
  get minor() {
    return minorUnits(this.#text) ?? 0;
  }

  /** Why what stands there cannot be entered, or nothing. */
  get problem() {
    const { range } = this.#wanted;
    if (!this.minor) return t("No amount yet.");
    if (!range) return "";
    if (this.minor < range.low) return t("The least is {low}.", { low: amountText(range.low) });
    if (this.minor > range.high) return t("The most is {high}.", { high: amountText(range.high) });
    if (this.minor % range.chip) return t("The smallest chip is {chip}.", { chip: amountText(range.chip) });
    return "";
  }

  /**
   * A key of the keyboard; whether it meant something here.
   *
   * @param {string} key
   */
  typed(key) {
    const { range } = this.#wanted;
    if (range && key in STEPS) this.#step(range, STEPS[key]);
    else if (key === DELETE || key === "Backspace") this.#type(this.#text.slice(0, -1));
    else if (/^[.,]$/.test(key)) this.#point();
    else if (/^\d$/.test(key)) this.#digit(key);
    else return false;
    return true;
  }

  /** @param {string} digit */
  #digit(digit) {
    const before = this.#proposed ? "" : this.#text;
    if (/\.\d\d$/.test(before) || before.length >= MOST_DIGITS) return;
    this.#type(before === "0" ? digit : before + digit);
  }

  #point() {
    if (this.#text && !this.#proposed && !this.#text.includes(".")) this.#type(`${this.#text}.`);
  }

  /** @param {string} text */
  #type(text) {
    this.#text = text;
    this.#proposed = false;
    this.#paint();
  }

  /** @param {number} minor */
  #set(minor) {
    const cents = minor % 100 ? `.${String(minor % 100).padStart(2, "0")}` : "";
    this.#type(minor ? `${Math.floor(minor / 100)}${cents}` : "");
  }

  /**
   * To the next whole number of chips within the range.
   *
   * @param {Range} range
   * @param {number} by
   */
  #step({ low, high, chip }, by) {
    const chips = by > 0 ? Math.floor(this.minor / chip) : Math.ceil(this.minor / chip);
    this.#set(Math.min(high, Math.max(low, (chips + by) * chip)));
  }

  #paint() {
    const { hint, verb } = this.#wanted;
    const minor = this.minor;
    this.#sum.textContent = /\.\d?$/.test(this.#text) ? this.#text : amountText(minor);
    const problem = minor && this.problem ? `✕ ${this.problem}` : "";
    this.#hint.textContent = problem || hint;
    this.#hint.dataset.problem = String(Boolean(problem));
    this.#place.textContent = minor ? this.#said(minor) : verb;
    this.#go.disabled = Boolean(this.problem);
    /** @type {NodeListOf<HTMLElement>} */
    const usualAmounts = this.node.querySelectorAll("[data-amount]");
    for (const node of usualAmounts) {
      node.setAttribute("aria-pressed", String(Number(node.dataset.amount) === minor));
    }
  }

  /**
   * What the key enters; whoever counts the chips has to know how many that are altogether.
   *
   * @param {number} minor
   */
  #said(minor) {
    const { verb, besides = 0 } = this.#wanted;
    const said = `${verb} ${amountText(minor)}`;
    return besides ? t("{said}: {all} in all", { said, all: amountText(besides + minor) }) : said;
  }

  #proposals() {
    const { range, chips } = this.#wanted;
    if (!range) return [this.#chips(CHIPS)];
    /**
     * @param {number} by
     * @param {string} sign
     */
    const stepKey = (by, sign) =>
      el(
        "button",
        { class: "pick", type: "button", onclick: () => this.#step(range, by) },
        el("b", {}, `${sign} ${amountText(range.chip)}`),
      );
    const stepper = [stepKey(-1, "−"), stepKey(1, "+")];
    const sums = usual(range).map((each) => this.#usual(range, each));
    return [
      chips
        ? this.#chips(CHIPS.filter((each) => each * 100 <= range.high && !(each * 100 % range.chip)))
        : el("div", { class: "pad-usual", role: "group", "aria-label": t("Usual amounts") }, ...sums),
      el("div", { class: "pad-steps", role: "group", "aria-label": t("By a chip") }, ...stepper),
    ];
  }

  /**
   * @param {Range} range
   * @param {number} minor
   */
  #usual({ low, high }, minor) {
    const name = minor === low ? t("least") : minor === high ? t("most") : "";
    return el(
      "button",
      { class: "pick", type: "button", "data-amount": minor, onclick: () => this.#set(minor) },
      el("b", {}, amountText(minor)),
      el("span", {}, name),
    );
  }

  /** @param {number[]} values */
  #chips(values) {
    /** @param {number} chip */
    const add = (chip) => this.#set(this.minor + chip * 100);
    const buttons = values.map((chip) =>
      el("button", {
        class: "chip",
        type: "button",
        "data-chip": chip,
        "aria-label": t("Add {chip}", { chip }),
        onclick: () => add(chip),
      }, String(chip))
    );
    return el(
      "div",
      { class: "pad-chips", role: "group", "aria-label": t("Add a chip") },
      ...buttons,
    );
  }
}
