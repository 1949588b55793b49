// Courts and the Joker, drawn part by part.

import { svg } from "./dom.js";
import { pip } from "./pips.js";

/** @typedef {[kind: string, d: string][]} Paths  CSS class and outline of each part. */

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
export function court(code) {
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
export function joker(x, y) {
  const bells = [[22, 45], [78, 45], [50, 29]];
  return svg(
    "g",
    { transform: `translate(${x - 50} ${y - 70})` },
    ...paths(JESTER),
    ...bells.map(([cx, cy]) => svg("circle", { class: "card-gold", cx, cy, r: 4.2 })),
  );
}
