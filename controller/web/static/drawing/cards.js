// Playing cards, drawn: pips, courts, Jokers and backs, in both index styles.
//
// The Finnish index prints 1, 13, 12, 11 on Ace, King, Queen and Jack, and nothing on a Joker; the
// Anglo index prints A, K, Q, J. A "full" face has pips and courts; a "plain" face has one large
// index and one large suit, to be read from afar or in a fan of which only the left half shows.

import { court, joker } from "./courts.js";
import { svg } from "./dom.js";
import { pip, PIPS } from "./pips.js";
import { t } from "./words.js";

/** @typedef {"finnish" | "anglo"} IndexStyle */
/** @typedef {"full" | "plain"} Face */
/** @typedef {"c" | "d" | "h" | "s"} Suit */

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
/** @type {Suit[]} */
export const SUITS = ["c", "d", "h", "s"];
/** @type {Record<string, string>} */
export const SYMBOLS = { c: "♣", d: "♦", h: "♥", s: "♠" };
/** @type {Record<string, string>} */
const FINNISH = { A: "1", T: "10", J: "11", Q: "12", K: "13" };
/** @type {Record<string, string>} */
export const RANK_NAMES = {
  A: t("Ace"),
  2: t("Two"),
  3: t("Three"),
  4: t("Four"),
  5: t("Five"),
  6: t("Six"),
  7: t("Seven"),
  8: t("Eight"),
  9: t("Nine"),
  T: t("Ten"),
  J: t("Jack"),
  Q: t("Queen"),
  K: t("King"),
};
/** @type {Record<string, string>} */
const INKS = { c: "black", d: "red", h: "red", s: "black", o: "joker" };
/** @type {Record<string, string>} */
export const SUIT_NAMES = {
  c: t("clubs"), d: t("diamonds"), h: t("hearts"), s: t("spades"),
};

/** Card size in the drawing's own units; every face fills this box. */
export const WIDTH = 100;
export const HEIGHT = 140;

// Where the pips of 2 to 10 lie: columns left, middle, right; the lower half stands on its head.
const [L, M, R] = [33, 50, 67];
/** @type {Record<string, [x: number, y: number][]>} */
const PLACES = {
  2: [[M, 30], [M, 110]],
  3: [[M, 30], [M, 70], [M, 110]],
  4: [[L, 30], [R, 30], [L, 110], [R, 110]],
  5: [[L, 30], [R, 30], [M, 70], [L, 110], [R, 110]],
  6: [[L, 30], [R, 30], [L, 70], [R, 70], [L, 110], [R, 110]],
  7: [[L, 30], [R, 30], [M, 50], [L, 70], [R, 70], [L, 110], [R, 110]],
  8: [[L, 30], [R, 30], [M, 50], [L, 70], [R, 70], [M, 90], [L, 110], [R, 110]],
  9: [[L, 28], [R, 28], [L, 56], [R, 56], [M, 70], [L, 84], [R, 84], [L, 112], [R, 112]],
  T: [[L, 28], [R, 28], [M, 42], [L, 56], [R, 56], [L, 84], [R, 84], [M, 98], [L, 112], [R, 112]],
};

/** @type {IndexStyle} What the cards of this page's table print; a view says it in its words. */
let printed = "finnish";

/** @returns {IndexStyle} */
export function indexStyle() {
  return printed;
}

/** @param {{ index: IndexStyle }} words Those of the newest view: cards are drawn as it says. */
export function useIndexStyle({ index: style }) {
  printed = style;
}

/**
 * The index of a card in a style; empty for the Joker's in the Finnish one.
 *
 * @param {string} code
 * @param {IndexStyle} style
 */
export function index(code, style) {
  if (code === "Jo") return "";
  const rank = code[0];
  if (style === "finnish") return FINNISH[rank] ?? rank;
  return rank === "T" ? "10" : rank;
}

/**
 * A suit by itself, in the colour of the text around it.
 *
 * @param {Suit} suit
 */
export function suitMark(suit) {
  const box = { class: "mark", viewBox: "-12 -12 24 24", "aria-hidden": "true" };
  return svg("svg", box, svg("path", { d: PIPS[suit] }));
}

/**
 * A card in words, for those who hear the page.
 *
 * @param {string} code
 */
export function cardName(code) {
  if (!code || code === "??") return t("face-down card");
  return code === "Jo" ? t("Joker") : t("{rank} of {suit}", { rank: RANK_NAMES[code[0]], suit: SUIT_NAMES[code[1]] });
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} widest
 */
function figures(text, x, y, size, widest) {
  const wide = text.length > 1 ? { textLength: widest, lengthAdjust: "spacingAndGlyphs" } : {};
  const place = { class: "card-index", x, y, "font-size": size, "text-anchor": "middle" };
  return svg("text", { ...place, ...wide }, text);
}

/**
 * @param {string} code
 * @param {IndexStyle} style
 */
function corner(code, style) {
  const text = index(code, style);
  return svg("g", {}, figures(text, 14, 25, 25, 21), pip(code[1], 14, 37, 0.72));
}

/** @param {string} suit */
function ace(suit) {
  /** @type {SVGElement[]} */
  const parts = [pip(suit, 50, 70, 2.3, { upright: true })];
  if (suit === "s") parts.push(svg("circle", { class: "card-ring", cx: 50, cy: 70, r: 33 }));
  return parts;
}

/**
 * @param {string} code
 * @param {IndexStyle} style
 */
function fullFace(code, style) {
  if (code === "Jo") return jokerFace(style);
  const [rank, suit] = code;
  const middle = rank === "A"
    ? ace(suit)
    : rank in PLACES
    ? PLACES[rank].map(([x, y]) => pip(suit, x, y, 0.92))
    : court(code);
  const lower = corner(code, style);
  lower.setAttribute("transform", "rotate(180 50 70)");
  return [...middle, corner(code, style), lower];
}

/** @param {IndexStyle} style */
function jokerFace(style) {
  return style === "anglo" ? [joker(56, 73), vertical("JOKER")] : [joker(50, 73)];
}

/** @param {string} word */
function vertical(word) {
  const letters = [...word].map((letter, i) => figures(letter, 11, 22 + i * 12.5, 13, 10));
  return svg("g", {}, ...letters);
}

/**
 * @param {string} code
 * @param {IndexStyle} style
 */
function plainFace(code, style) {
  if (code === "Jo") return jokerFace(style);
  const text = index(code, style);
  return [
    figures(text, 23, 54, 54, 37),
    pip(code[1], 23, 80, 1.6, { upright: true }),
    pip(code[1], 66, 104, 2.6, { upright: true }),
  ];
}

function back() {
  const lines = [];
  for (let at = -120; at <= 120; at += 12) {
    lines.push(`M${at} 10L${at + 120} 130M${at + 100} 10L${at - 20} 130`);
  }
  return [
    svg("rect", { class: "card-back", x: 6, y: 6, width: 88, height: 128, rx: 5 }),
    svg(
      "svg",
      { x: 9, y: 9, width: 82, height: 122, viewBox: "9 9 82 122", "aria-hidden": "true" },
      svg("path", { class: "card-lattice", d: lines.join("") }),
    ),
    svg("circle", { class: "card-back", cx: 50, cy: 70, r: 19 }),
    svg("circle", { class: "card-back-ring", cx: 50, cy: 70, r: 14 }),
    svg("circle", { class: "card-back-ring", cx: 50, cy: 70, r: 7 }),
  ];
}

/**
 * One card as an SVG element. `code` as in `Th`, `As`, `Jo`; empty or `??` lies face down.
 *
 * @param {string} code
 * @param {{ style?: IndexStyle, face?: Face } & import("./dom.js").Attributes} [options]
 */
export function card(code, { style = "finnish", face = "full", ...attributes } = {}) {
  const down = !code || code === "??";
  const colour = down ? "back" : INKS[code[1]];
  const inside = down ? back() : face === "plain" ? plainFace(code, style) : fullFace(code, style);
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      role: "img",
      "aria-label": cardName(code),
      class: `card card-${colour}`,
      ...attributes,
    },
    svg("rect", { class: "card-paper", x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8 }),
    ...inside,
  );
}
