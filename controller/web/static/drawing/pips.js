// Suits, drawn: the outline of each, and one in its place on a card.

import { svg } from "./dom.js";

// Suits, drawn around (0, 0) in a box of about 20 by 20.
const STEM = "C1.1 7.9 2 9.6 3.8 10.6H-3.8C-2 9.6-1.1 7.9-.9 5.4";
/** @type {Record<string, string>} */
export const PIPS = {
  h: "M0 9.5C-2.4 5.6-10 1.2-10-4.4C-10-8-7.6-10-5-10C-2.6-10-.8-8.6 0-6.2" +
    "C.8-8.6 2.6-10 5-10C7.6-10 10-8 10-4.4C10 1.2 2.4 5.6 0 9.5Z",
  d: "M0-11C1.9-7.4 5-3.4 8 0C5 3.4 1.9 7.4 0 11C-1.9 7.4-5 3.4-8 0C-5-3.4-1.9-7.4 0-11Z",
  s: "M0-10.5C2.4-6.2 10-1.9 10 3.4C10 6.6 7.7 8.3 5.4 8.3C3.4 8.3 1.7 7.2.9 5.4" + STEM +
    "C-1.7 7.2-3.4 8.3-5.4 8.3C-7.7 8.3-10 6.6-10 3.4C-10-1.9-2.4-6.2 0-10.5Z",
  c: "M0-10.5A4.7 4.7 0 0 1 3.7-2.9A4.9 4.9 0 1 1 .9 5.4" + STEM +
    "A4.9 4.9 0 1 1-3.7-2.9A4.7 4.7 0 0 1 0-10.5Z",
};

/**
 * @param {string} suit
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 * @param {{ upright?: boolean }} extra
 */
export function pip(suit, x, y, scale, extra = {}) {
  const turn = y > 70 && !extra.upright ? " rotate(180)" : "";
  const place = `translate(${x} ${y}) scale(${scale})${turn}`;
  return svg("path", { class: "card-ink", d: PIPS[suit], transform: place });
}
