// How much? A pad of chips, digits and, where the amount has bounds, the usual amounts.

import { el } from "../drawing/dom.js";

const CHIPS = [5, 10, 25, 50, 100, 500];
const DIGITS = ["7", "8", "9", "4", "5", "6", "1", "2", "3", ".", "0", "⌫"];
const MOST_DIGITS = 7;
/** The usual amounts are these many times the least, and the most. */
const TIMES = [1, 2, 3, 5, 10, 20, 50];
const MOST_USUAL = 6;
const STEPS = { ArrowUp: 1, "+": 1, ArrowDown: -1, "-": -1 };

/** "25", "25.5", "25.50" or "1,250.50" as minor units; null where it is no amount. */
export function minorUnits(text) {
  const plain = text.replaceAll(",", "");
  const [, whole, cents = ""] = /^(\d+)(?:\.(\d{0,2}))?$/.exec(plain) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(cents.padEnd(2, "0"));
}

/** Minor units as the table writes them: 1,250.50. */
export function written(minor) {
  const cents = String(minor % 100).padStart(2, "0");
  return `${Math.floor(minor / 100).toLocaleString("en-US")}.${cents}`;
}

/** The least, some steps and the most of a range. */
export function usual({ low, high, chip }) {
  const steps = TIMES.map((times) => times * low).filter((each) => each < high && !(each % chip));
  return [...steps.slice(0, MOST_USUAL - 1), high];
}

/**
 * A pad for one amount. `wanted`: `verb` for the key that enters, `hint` beside the sum, `start` in
 * minor units, `range` ({low, high, chip}) or null, `chips`: chips are added up instead of the usual
 * amounts, `ways`: other things that may be done instead.
 */
export class AmountPad {
  #text = "";
  /** The next digit begins anew: what stands there was only proposed. */
  #proposed = true;
  #wanted;
  #sum = el("output", { class: "pad-sum" });
  #hint = el("p", { class: "pad-limits", "aria-live": "polite" });
  #place = el("span", {});
  #go;

  constructor(wanted, onEnter, onWay) {
    this.#wanted = wanted;
    const enter = { class: "key confirm", type: "button", onclick: () => onEnter(this.minor) };
    this.#go = el("button", enter, el("kbd", {}, "Enter"), this.#place);
    const ways = (wanted.ways ?? []).map((way) =>
      el(
        "button",
        { class: "key", type: "button", onclick: () => onWay(way.go) },
        el("span", {}, way.label),
      )
    );
    this.node = el(
      "div",
      { class: "pad" },
      el("div", { class: "pad-left" }, this.#sum, this.#hint, ...this.#proposals()),
      this.#digits(),
      el("div", { class: "pad-ways" }, this.#go, ...ways),
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
    if (!this.minor) return "No amount yet.";
    if (!range) return "";
    if (this.minor < range.low) return `The least is ${written(range.low)}.`;
    if (this.minor > range.high) return `The most is ${written(range.high)}.`;
    if (this.minor % range.chip) return `The smallest chip is ${written(range.chip)}.`;
    return "";
  }

  /** A key of the keyboard; whether it meant something here. */
  typed(key) {
    const { range } = this.#wanted;
    if (range && key in STEPS) this.#step(STEPS[key]);
    else if (key === "⌫" || key === "Backspace") this.#type(this.#text.slice(0, -1));
    else if (/^[.,]$/.test(key)) this.#point();
    else if (/^\d$/.test(key)) this.#digit(key);
    else return false;
    return true;
  }

  #digit(digit) {
    const before = this.#proposed ? "" : this.#text;
    if (/\.\d\d$/.test(before) || before.length >= MOST_DIGITS) return;
    this.#type(before === "0" ? digit : before + digit);
  }

  #point() {
    if (this.#text && !this.#proposed && !this.#text.includes(".")) this.#type(`${this.#text}.`);
  }

  #type(text) {
    this.#text = text;
    this.#proposed = false;
    this.#paint();
  }

  #set(minor) {
    const cents = minor % 100 ? `.${String(minor % 100).padStart(2, "0")}` : "";
    this.#type(minor ? `${Math.floor(minor / 100)}${cents}` : "");
  }

  /** To the next whole number of chips within the range. */
  #step(by) {
    const { low, high, chip } = this.#wanted.range;
    const chips = by > 0 ? Math.floor(this.minor / chip) : Math.ceil(this.minor / chip);
    this.#set(Math.min(high, Math.max(low, (chips + by) * chip)));
  }

  #paint() {
    const { hint, range, verb } = this.#wanted;
    const minor = this.minor;
    this.#sum.textContent = /\.\d?$/.test(this.#text) ? this.#text : written(minor);
    const told = minor && this.problem ? `✕ ${this.problem} ` : "";
    this.#hint.textContent = `${told}${hint}`;
    this.#hint.dataset.told = String(Boolean(told));
    this.#place.textContent = minor ? `${verb} ${written(minor)}` : verb;
    this.#go.disabled = Boolean(this.problem);
    for (const node of range ? this.node.querySelectorAll("[data-amount]") : []) {
      node.setAttribute("aria-pressed", String(Number(node.dataset.amount) === minor));
    }
  }

  #proposals() {
    const { range, chips } = this.#wanted;
    if (!range) return [this.#chips(CHIPS)];
    const stepper = [[-1, "−"], [1, "+"]].map(([by, sign]) =>
      el(
        "button",
        { class: "pick", type: "button", onclick: () => this.#step(by) },
        el("b", {}, `${sign} ${written(range.chip)}`),
      )
    );
    const sums = usual(range).map((each) => this.#usual(each));
    return [
      chips
        ? this.#chips(CHIPS.filter((each) => each * 100 <= range.high && !(each * 100 % range.chip)))
        : el("div", { class: "pad-usual", role: "group", "aria-label": "Usual amounts" }, ...sums),
      el("div", { class: "pad-steps", role: "group", "aria-label": "By a chip" }, ...stepper),
    ];
  }

  #usual(minor) {
    const { low, high } = this.#wanted.range;
    const name = minor === low ? "least" : minor === high ? "most" : "";
    return el(
      "button",
      { class: "pick", type: "button", "data-amount": minor, onclick: () => this.#set(minor) },
      el("b", {}, written(minor)),
      el("span", {}, name),
    );
  }

  #chips(values) {
    const add = (chip) => this.#set(this.minor + chip * 100);
    const buttons = values.map((chip) =>
      el("button", {
        class: "chip",
        type: "button",
        "data-chip": chip,
        "aria-label": `Add ${chip}`,
        onclick: () => add(chip),
      }, String(chip))
    );
    return el(
      "div",
      { class: "pad-chips", role: "group", "aria-label": "Add a chip" },
      ...buttons,
    );
  }

  #digits() {
    const buttons = DIGITS.map((each) =>
      el("button", {
        class: "pick",
        type: "button",
        "aria-label": each === "⌫" ? "Delete the last digit" : each,
        onclick: () => this.typed(each),
      }, el("b", {}, each))
    );
    return el("div", { class: "pad-digits", role: "group", "aria-label": "Digits" }, ...buttons);
  }
}
