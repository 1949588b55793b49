// Spans of time in words, and the places of a page that show how long something has been so: by the
// table's clock, in whose time all moments are; that of the browser may be a day off.

import { el } from "./dom.js";
import { tableTime } from "./table_time.js";

/**
 * A span of time in the largest two units that say something: 7 s, 3 min 05 s, 2 h 10 min.
 *
 * @param {number} ms
 */
export function span(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  /** @param {number} count */
  const two = (count) => String(count).padStart(2, "0");
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds / 60) % 60)} min`;
}

/**
 * How long it has been since `ms`; `tick` keeps it true. As a timer it is read out when it is asked
 * for: within an alert it would be read out each second.
 *
 * @param {number} ms
 */
export function since(ms) {
  return el("span", { class: "since", role: "timer", "data-since": ms }, span(tableTime() - ms));
}

/**
 * Lets a place show how long it has been since `ms`, null: nothing.
 *
 * @param {HTMLElement} node
 * @param {number | null} ms
 */
export function began(node, ms) {
  if (ms === null) delete node.dataset.since;
  else if (node.dataset.since !== String(ms)) node.dataset.since = String(ms);
  const text = ms === null ? "" : span(tableTime() - ms);
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Brings every such place below `root` up to date; to be called once a second.
 *
 * @param {ParentNode} [root]
 */
export function tick(root = document) {
  const now = tableTime();
  /** @type {NodeListOf<HTMLElement>} */
  const places = root.querySelectorAll("[data-since]");
  for (const node of places) {
    const text = span(now - Number(node.dataset.since));
    if (node.textContent !== text) node.textContent = text;
  }
}
