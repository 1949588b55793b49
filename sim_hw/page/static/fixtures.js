// What stands still on the drawn table: rail, cloth, printed lines, tray, spots, people.

import { svg } from "./drawing/dom.js";
import { arc, BOTTOM, DEALER, FELT, outline, RAIL, seatPlaces, TRAY } from "./layout.js";

/** What a lamp shows when its red, green and blue pins are on or off, in binary order from 001. */
export const LAMPS = [1, 2, 3, 4, 5, 6, 7].map((id) => {
  /** @param {number} bit */
  const on = (bit) => (id & bit ? 255 : 40);
  return { id, colour: `rgb(${on(4)} ${on(2)} ${on(1)})` };
});

/** Colours that run, and the line that the title is printed along. */
export function definitions() {
  /**
   * @param {number} offset
   * @param {string} colour
   * @param {number} [opacity]
   */
  const stop = (offset, colour, opacity = 1) =>
    svg("stop", { offset, "stop-color": colour, "stop-opacity": opacity });
  return [
    svg(
      "defs",
      {},
      svg(
        "radialGradient",
        { id: "cloth", cx: "50%", cy: "62%", r: "75%" },
        stop(0, "#17735a"),
        stop(0.55, "#0e5341"),
        stop(1, "#072f25"),
      ),
      svg(
        "linearGradient",
        { id: "leather", x1: 0, y1: 0, x2: 0, y2: 1 },
        stop(0, "#5b3a26"),
        stop(0.5, "#3a2418"),
        stop(1, "#22150e"),
      ),
      ...LAMPS.map((lamp) =>
        svg(
          "radialGradient",
          { id: `halo-${lamp.id}` },
          stop(0.5, lamp.colour, 0.7),
          stop(0.72, lamp.colour, 0.25),
          stop(1, lamp.colour, 0),
        )
      ),
      svg(
        "linearGradient",
        { id: "box", x1: 0, y1: 0, x2: 0, y2: 1 },
        stop(0, "#2b3138"),
        stop(1, "#12161a"),
      ),
      svg("path", { id: "title-arc", d: "M385 522Q550 470 715 522" }),
    ),
  ];
}

/** The table itself, with nothing on it. */
export function drawTable() {
  return [
    svg("path", {
      class: "table-shade",
      d: outline(RAIL, BOTTOM + 26, 46),
      transform: "translate(0 10)",
    }),
    svg("path", { class: "rail", d: outline(RAIL, BOTTOM + 20, 46) }),
    svg("path", {
      class: "rail-shine",
      d: outline({ rx: RAIL.rx - 8, ry: RAIL.ry - 8 }, BOTTOM + 13, 42),
    }),
    svg("path", { class: "cloth", d: outline(FELT, BOTTOM, 24) }),
    svg("path", { class: "cloth-line", d: arc({ rx: 287, ry: 315 }, 176, 4) }),
    svg("path", { class: "cloth-line", d: arc({ rx: 281, ry: 309 }, 176, 4) }),
    drawTray(),
  ];
}

function drawTray() {
  const colours = [100, 500, 1000, 2500, 10000, 50000, 10000, 2500, 1000, 500, 100];
  const rows = colours.map((kind, at) =>
    svg(
      "g",
      { class: `chip-${kind}`, transform: `translate(${-150 + at * 30} 0)` },
      svg("rect", { class: "tray-row", x: -12, y: -17, width: 24, height: 34, rx: 4 }),
      svg("path", { class: "tray-lines", d: "M-12 -11H12M-12 -5H12M-12 1H12M-12 7H12M-12 13H12" }),
    )
  );
  return svg(
    "g",
    { transform: `translate(${TRAY.x} ${TRAY.y})`, "aria-hidden": "true" },
    svg("rect", { class: "tray", x: -176, y: -25, width: 352, height: 50, rx: 10 }),
    ...rows,
  );
}

/**
 * What is printed on the cloth: the game and the rule in force, a sentence on each line.
 *
 * @param {{ title: string, rule: string }} printed
 */
export function drawLettering({ title, rule }) {
  const along = { href: "#title-arc", startOffset: "50%", "text-anchor": "middle" };
  const name = svg("text", { class: "cloth-title" }, svg("textPath", along, title));
  name.style.setProperty("--size", `${Math.min(40, TITLE_ROOM / title.length)}px`);
  const lines = sentences(rule).map((text, at) =>
    svg("text", { class: "cloth-rule", x: DEALER.x, y: 538 + at * 19 }, text)
  );
  return [name, ...lines];
}

/** The length of the line that the title is printed along, in letters of one unit. */
const TITLE_ROOM = 390;
const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });
const CLOTHES = ["#7a4b52", "#44607a", "#5f6f4a", "#7b6440", "#5a4f7a", "#43706b", "#7a5a45"];

/**
 * The sentences of a text, for a line each.
 *
 * @param {string} text
 */
function sentences(text) {
  return Array.from(SENTENCES.segment(text), ({ segment }) => segment.trim());
}

/**
 * A seat with nothing on it: its parts, to be filled as things happen.
 *
 * @param {number} seat
 * @param {number} seats
 */
export function buildSeat(seat, seats) {
  const places = seatPlaces(seat, seats);
  const { spot, person, name, tangent, side, button, cards } = places;
  /** @param {import("./layout.js").Point} to */
  const moved = ({ x, y }) => `translate(${x} ${y})`;
  const parts = {
    places,
    chips: svg("g", {}),
    halo: svg("circle", { class: "halo", r: 76, fill: "none" }),
    name: svg("text", {
      class: "name",
      transform: `translate(${name.x} ${name.y}) rotate(${tangent})`,
    }),
    bubble: svg("g", { class: "bubble" }),
    side: svg("g", { transform: moved(side), class: "side-bet" }),
    button: svg("g", { transform: moved(button), class: "button" }),
    cards: svg("g", { class: "seat-cards" }),
    hands: /** @type {SVGGElement[]} */ ([]),
    folded: svg("g", { transform: moved(cards), class: "folded" }),
  };
  const clothes = CLOTHES[(seat - 1) % CLOTHES.length];
  const drawnPerson = svg(
    "g",
    { transform: `translate(${person.x} ${person.y}) rotate(${tangent})`, class: "person" },
    svg("path", {
      fill: clothes,
      d: "M-46 26C-50 0-26-14 0-14S50 0 46 26C38 34 30 20 22 14H-22C-30 20-38 34-46 26Z",
    }),
    svg("circle", { class: "hair", r: 18, cy: -6 }),
    svg("circle", { class: "head", r: 12, cy: 1 }),
  );
  const drawnSpot = svg(
    "g",
    { class: "spot" },
    svg(
      "g",
      { transform: `translate(${spot.x} ${spot.y})` },
      parts.halo,
      svg("circle", { class: "ring", r: 40 }),
      svg("circle", { class: "ring-line", r: 33 }),
      svg("text", { class: "spot-number", y: 7 }, String(seat)),
      parts.chips,
    ),
    parts.name,
  );
  return { ...parts, person: drawnPerson, spot: drawnSpot };
}
