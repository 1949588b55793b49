// What comes and goes on the drawn table: words, the shoe, the rack, the dealer.

import { svg } from "./drawing/dom.js";
import { BOTTOM, DEALER, RACK, SHOE, VIEW } from "./layout.js";

/**
 * Who deals, at the dealer's side.
 *
 * @param {string} dealer
 */
export function drawHost(dealer) {
  return [
    svg(
      "g",
      { class: "person", transform: `translate(${DEALER.x} ${BOTTOM + 34})` },
      svg("path", { fill: "#d8d2c4", d: "M-54 -24C-58 4-30 20 0 20S58 4 54-24Z" }),
      svg("path", { fill: "#3a1f26", d: "M-30 -24C-30 8-16 20 0 20S30 8 30-24Z" }),
      svg("circle", { class: "hair", r: 18, cy: 6 }),
      svg("circle", { class: "head", r: 12, cy: -1 }),
    ),
    svg(
      "text",
      { class: "caption", x: DEALER.x + 74, y: BOTTOM + 48, "text-anchor": "start" },
      dealer === "visitor" ? "You deal" : "The robot deals",
    ),
  ];
}

/**
 * What a player says, over the head.
 *
 * @param {string} words
 * @param {import("./layout.js").Point} person
 */
export function drawBubble(words, person) {
  const width = 26 + words.length * 10;
  const x = Math.min(Math.max(person.x, width / 2 + 6), VIEW.width - width / 2 - 6);
  const y = Math.max(person.y - 50, 26);
  return [
    svg("path", {
      class: "bubble-body",
      d: `M${x - 8} ${y + 14}L${person.x} ${person.y - 18}L${x + 8} ${y + 14}Z`,
    }),
    svg("rect", { class: "bubble-body", x: x - width / 2, y: y - 19, width, height: 36, rx: 18 }),
    svg("text", { class: "bubble-text", x, y: y + 6 }, words),
  ];
}

/**
 * The shoe, emptying, with its cut card and the scanner at its mouth.
 *
 * @param {{ shoe: World.ShoeLeft, scanner: World.ScannerView }} world
 */
export function drawShoe({ shoe, scanner }) {
  const [length, depth] = [150, 58];
  const left = (shoe.left / shoe.size) * length;
  const cut = (shoe.cut / shoe.size) * length;
  const edges = Array.from(
    { length: Math.round(left / 4) },
    (_, at) => `M${length / 2 - 2 - at * 4} ${-depth / 2 + 5}V${depth / 2 - 5}`,
  );
  const inside = [svg("path", { class: "shoe-cards", d: edges.join("") })];
  if (shoe.left > shoe.cut) {
    inside.push(
      svg("path", {
        class: "shoe-cut",
        d: `M${length / 2 - left + cut} ${-depth / 2 + 1}V${depth / 2 - 1}`,
      }),
    );
  }
  const under = { x: SHOE.x, y: SHOE.y + 60 };
  const plug = scanner.plugged
    ? "M14 -34C14 -60 -60 -52 -100 -46"
    : "M14 -34C14 -52 -6 -58 -22 -60";
  return [
    svg(
      "g",
      { transform: `translate(${SHOE.x} ${SHOE.y}) rotate(${SHOE.turn})` },
      svg("path", { class: "cable", d: plug, transform: "translate(70 0)" }),
      svg("rect", {
        class: "box",
        x: -length / 2 - 8,
        y: -depth / 2 - 6,
        width: length + 16,
        height: depth + 12,
        rx: 9,
      }),
      ...inside,
      svg("rect", {
        class: "scanner",
        x: length / 2 - 2,
        y: -depth / 2 - 10,
        width: 24,
        height: depth + 20,
        rx: 6,
      }),
      svg("circle", {
        class: `scanner-lamp${scanner.plugged ? " on" : ""}${scanner.busy ? " busy" : ""}`,
        cx: length / 2 + 10,
        cy: -depth / 2,
        r: 4.5,
      }),
    ),
    scanner.plugged
      ? svg("text", { class: "caption", ...under }, `${shoe.left} of ${shoe.size} in the shoe`)
      : svg("text", { class: "caption alarm", ...under }, `✕ ${scanner.name} unplugged`),
  ];
}

/**
 * The discards, as high as they are many.
 *
 * @param {{ discard: number, burned: number, ready: number }} world
 */
export function drawRack({ discard, burned, ready }) {
  const height = Math.min(52, 4 + discard * 0.2);
  const lines = Array.from({ length: Math.ceil(height / 4) }, (_, at) => `M-40 ${30 - at * 4}H40`);
  return [
    svg(
      "g",
      { transform: `translate(${RACK.x} ${RACK.y}) rotate(${RACK.turn})` },
      svg("rect", { class: "box", x: -54, y: -34, width: 108, height: 72, rx: 9 }),
      discard ? svg("path", { class: "shoe-cards", d: lines.join("") }) : null,
    ),
    svg(
      "text",
      { class: "caption", x: RACK.x, y: RACK.y + 60 },
      [`${discard} discards`, burned && `${burned} burned`, ready && `${ready} ready`].filter(Boolean).join(", "),
    ),
  ];
}
