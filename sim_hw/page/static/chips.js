// Chips as they lie: a stack of the fewest chips that make an amount, seen from above.

import { svg } from "./drawing/dom.js";

// Worth in minor units; the colour is in felt.css.
const KINDS = [100000, 50000, 10000, 2500, 1000, 500, 100, 50];
const SHOWN = 9;
const STEP = 3.4;

/**
 * The fewest chips that make `amount`, largest first.
 *
 * @param {number} amount
 */
export function stack(amount) {
  /** @type {number[]} */
  const kinds = [];
  let left = amount;
  for (const kind of KINDS) {
    for (; left >= kind && kinds.length < 40; left -= kind) kinds.push(kind);
  }
  return kinds;
}

/**
 * An amount in minor units, as people write it: 25, 12.50, 1,250.
 *
 * @param {number} amount
 */
export function amountText(amount) {
  const digits = amount % 100 ? 2 : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return (amount / 100).toLocaleString("en-US", options).replace("-", "−");
}

/**
 * One chip, drawn around (0, 0).
 *
 * @param {number} kind
 */
export function chip(kind) {
  return svg(
    "g",
    { class: `chip chip-${kind}` },
    svg("circle", { class: "chip-body", r: 19 }),
    svg("circle", { class: "chip-edge", r: 16 }),
    svg("circle", { class: "chip-face", r: 11.5 }),
  );
}

/**
 * A stack of chips around (0, 0); a high one is cut to what can be told apart.
 *
 * @param {number} amount
 */
export function chips(amount) {
  const shown = stack(amount).slice(0, SHOWN);
  return shown.map((kind, at) => {
    const one = chip(kind);
    one.setAttribute("transform", `translate(0 ${(shown.length - 1) * STEP * 0.5 - at * STEP})`);
    return one;
  });
}
