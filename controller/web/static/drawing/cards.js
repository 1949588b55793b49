// Playing cards, drawn: pips, courts, Jokers and backs, in both index styles.
//
// The Finnish index prints 1, 13, 12, 11 on Ace, King, Queen and Jack, and nothing on a Joker; the
// Anglo index prints A, K, Q, J. A "full" face has pips and courts; a "plain" face has one large
// index and one large suit, to be read from afar or in a fan of which only the left half shows.

import { svg } from "./dom.js";

/** @typedef {"finnish" | "anglo"} IndexStyle */
/** @typedef {"full" | "plain"} Face */
/** @typedef {"c" | "d" | "h" | "s"} Suit */
/** @typedef {[kind: string, d: string][]} Paths  CSS class and outline of each part. */

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
/** @type {Suit[]} */
export const SUITS = ["c", "d", "h", "s"];
/** @type {Record<string, string>} */
export const SYMBOLS = { c: "♣", d: "♦", h: "♥", s: "♠" };
/** @type {Record<string, string>} */
const FINNISH = { A: "1", T: "10", J: "11", Q: "12", K: "13" };
/** @type {Record<string, string>} */
export const RANK_NAMES = {
  A: "Ace",
  2: "Two",
  3: "Three",
  4: "Four",
  5: "Five",
  6: "Six",
  7: "Seven",
  8: "Eight",
  9: "Nine",
  T: "Ten",
  J: "Jack",
  Q: "Queen",
  K: "King",
};
/** @type {Record<string, string>} */
const INKS = { c: "black", d: "red", h: "red", s: "black", o: "joker" };
/** @type {Record<string, string>} */
export const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

/** Card size in the drawing's own units; every face fills this box. */
export const WIDTH = 100;
export const HEIGHT = 140;

// Suits, drawn around (0, 0) in a box of about 20 by 20.
const STEM = "C1.1 7.9 2 9.6 3.8 10.6H-3.8C-2 9.6-1.1 7.9-.9 5.4";
/** @type {Record<string, string>} */
const PIPS = {
  h: "M0 9.5C-2.4 5.6-10 1.2-10-4.4C-10-8-7.6-10-5-10C-2.6-10-.8-8.6 0-6.2" +
    "C.8-8.6 2.6-10 5-10C7.6-10 10-8 10-4.4C10 1.2 2.4 5.6 0 9.5Z",
  d: "M0-11C1.9-7.4 5-3.4 8 0C5 3.4 1.9 7.4 0 11C-1.9 7.4-5 3.4-8 0C-5-3.4-1.9-7.4 0-11Z",
  s: "M0-10.5C2.4-6.2 10-1.9 10 3.4C10 6.6 7.7 8.3 5.4 8.3C3.4 8.3 1.7 7.2.9 5.4" + STEM +
    "C-1.7 7.2-3.4 8.3-5.4 8.3C-7.7 8.3-10 6.6-10 3.4C-10-1.9-2.4-6.2 0-10.5Z",
  c: "M0-10.5A4.7 4.7 0 0 1 3.7-2.9A4.9 4.9 0 1 1 .9 5.4" + STEM +
    "A4.9 4.9 0 1 1-3.7-2.9A4.7 4.7 0 0 1 0-10.5Z",
};

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

/**
 * @param {string} suit
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 * @param {{ upright?: boolean }} extra
 */
function pip(suit, x, y, scale, extra = {}) {
  const turn = y > 70 && !extra.upright ? " rotate(180)" : "";
  const place = `translate(${x} ${y}) scale(${scale})${turn}`;
  return svg("path", { class: "card-ink", d: PIPS[suit], transform: place });
}

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
  if (!code || code === "??") return "face-down card";
  return code === "Jo" ? "Joker" : `${RANK_NAMES[code[0]]} of ${SUIT_NAMES[code[1]]}`;
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

// A court is half a figure, and the same half turned round. The figure is drawn from the back to
// the front: hair, robe, collar, face and features, what is on the head.
const ROBE = "M27 70V66C29 58 36 55.5 43 53.5L50 62L57 53.5C64 55.5 71 58 73 66V70Z";
const COLLAR = "M43 53.5L50 62L57 53.5L61 54.7L50 68.5L39 54.7Z";
const FEATURES = "M45.5 39.5H47.5M52.5 39.5H54.5M50 40V44M47.5 47.2C49 48 51 48 52.5 47.2";
/** @type {Record<string, { hair: string, face: string, over: Paths }>} */
const COURTS = {
  K: {
    hair: "M38 33C36 44 37 52 42 55H58C63 52 64 44 62 33Z",
    face: "M42 33H58V43C58 49 54 52 50 52C46 52 42 49 42 43Z",
    over: [
      ["card-gold", "M37 33L34 17L43 25L50 13L57 25L66 17L63 33Z"],
      ["card-line", "M37 33H63M37.6 29.5H62.4"],
      [
        "card-hair",
        "M42 44C45 47.5 46 45.6 50 45.6C54 45.6 55 47.5 58 44V49C57 54 53 56.5 50 57.5" +
        "C47 56.5 43 54 42 49Z",
      ],
      ["card-line", "M47.5 49.3C49 50 51 50 52.5 49.3"],
    ],
  },
  Q: {
    hair: "M37 32C33 42 34 54 38 60H62C66 54 67 42 63 32Z",
    face: "M42 32C47 30 53 30 58 32V42C58 48 54 51.5 50 51.5C46 51.5 42 48 42 42Z",
    over: [
      [
        "card-gold",
        "M38 32C36 26 36 22 38 20C41 24 44 24 45 19C47 22 48.5 20 50 15" +
        "C51.5 20 53 22 55 19C56 24 59 24 62 20C64 22 64 26 62 32Z",
      ],
      ["card-line", "M38 32C46 28.5 54 28.5 62 32"],
    ],
  },
  J: {
    hair: "M38 31C35 40 36 49 39 51H61C64 49 65 40 62 31Z",
    face: "M42 31H58V42C58 47.5 54 51 50 51C46 51 42 47.5 42 42Z",
    over: [
      ["card-ink", "M36 31C34 23 42 18 52 19C60 20 65 24 64 31Z"],
      ["card-gold", "M36 31H64V28H36Z"],
      ["card-gold", "M60 27C64 20 70 15 74 14C73 20 69 26 63 28.5Z"],
    ],
  },
};

/** @param {Paths} list */
function paths(list) {
  return list.map(([kind, d]) => svg("path", { class: kind, d }));
}

/** @param {string} rank */
function half(rank) {
  const { hair, face, over } = COURTS[rank];
  /** @type {Paths} */
  const body = [["card-hair", hair], ["card-robe", ROBE], ["card-gold", COLLAR]];
  return svg("g", {}, ...paths([...body, ["card-skin", face], ["card-line", FEATURES], ...over]));
}

/** @param {string} code */
function court(code) {
  const [rank, suit] = code;
  const lower = half(rank);
  lower.setAttribute("transform", "rotate(180 50 70)");
  return [
    svg("rect", { class: "card-frame", x: 27, y: 12, width: 46, height: 116, rx: 3 }),
    half(rank),
    lower,
    svg("path", { class: "card-line", d: "M27 70H73" }),
    pip(suit, 33.5, 19.5, 0.5),
    pip(suit, 66.5, 120.5, 0.5),
  ];
}

/** @param {string} suit */
function ace(suit) {
  /** @type {SVGElement[]} */
  const parts = [pip(suit, 50, 70, 2.3, { upright: true })];
  if (suit === "s") parts.push(svg("circle", { class: "card-ring", cx: 50, cy: 70, r: 33 }));
  return parts;
}

// The Joker: a cap of three points with bells over a laughing face.
/** @type {Paths} */
const JESTER = [
  ["card-joker-a", "M50 66C48 48 36 38 22 44C28 47 31 56 33 68Z"],
  ["card-joker-b", "M50 66C52 48 64 38 78 44C72 47 69 56 67 68Z"],
  ["card-gold", "M36 66C38 50 44 38 50 30C56 38 62 50 64 66Z"],
  ["card-skin", "M36 66H64V80C64 91 57 97 50 97C43 97 36 91 36 80Z"],
  ["card-joker-b", "M32 64H68V71H32Z"],
  ["card-line", "M43 77H47M53 77H57M42 86C46 91 54 91 58 86"],
  ["card-joker-a", "M36 92L43 97L50 95L57 97L64 92L70 104L60 102L50 110L40 102L30 104Z"],
];

/**
 * @param {number} x
 * @param {number} y
 */
function joker(x, y) {
  const bells = [[22, 45], [78, 45], [50, 29]];
  return svg(
    "g",
    { transform: `translate(${x - 50} ${y - 70})` },
    ...paths(JESTER),
    ...bells.map(([cx, cy]) => svg("circle", { class: "card-gold", cx, cy, r: 4.2 })),
  );
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
