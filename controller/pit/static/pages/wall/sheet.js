// The sheet that tiles lie on: where each stands, and what stands above a group of them. What is
// written to it costs a layout of all of them: it is written only where it is another.

import { at, el } from "../../drawing/dom.js";

/** @typedef {import("./layout.js").Layout} Layout */

const tiles = at("tiles");

/** What the sheet offers, as `layout` takes it. @param {number} height */
export function room(height) {
  return { width: tiles.clientWidth, height, em: parseFloat(getComputedStyle(tiles).fontSize) };
}

/**
 * How high the sheet is, and how its tiles are written.
 *
 * @param {Layout} made
 */
export function laySheet(made) {
  if (tiles.dataset.whole !== String(made.whole)) {
    tiles.dataset.whole = String(made.whole);
    tiles.style.blockSize = `${made.whole}px`;
  }
  if (tiles.dataset.size !== made.size) tiles.dataset.size = made.size;
  style("--scale", made.scale.toFixed(2));
  style("--lines", String(made.lines));
  drawHeads(made.heads);
}

/**
 * @param {string} name
 * @param {string} value
 */
function style(name, value) {
  if (tiles.style.getPropertyValue(name) !== value) tiles.style.setProperty(name, value);
}

/** @param {Layout["heads"]} heads */
function drawHeads(heads) {
  const shown = JSON.stringify(heads);
  if (tiles.dataset.heads === shown) return;
  tiles.dataset.heads = shown;
  tiles.querySelectorAll("h2").forEach((each) => each.remove());
  for (const { top, name, count } of heads) {
    const node = el("h2", {}, name, " ", el("small", {}, String(count)));
    node.style.transform = `translate(0, ${top}px)`;
    tiles.append(node);
  }
}

/**
 * Puts a tile in its place.
 *
 * @param {HTMLElement} node
 * @param {number} left
 * @param {number} top
 * @param {{ width: number, height: number }} size
 */
export function putTile(node, left, top, { width, height }) {
  const place = `${left} ${top} ${width} ${height}`;
  if (node.dataset.place === place) return;
  node.dataset.place = place;
  node.style.transform = `translate(${left}px, ${top}px)`;
  node.style.inlineSize = `${width}px`;
  node.style.blockSize = `${height - 0.5}px`;
}
