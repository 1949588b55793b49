// One table on the wall: how it is drawn in its place, and everything about it when it was pressed.

import { el, redraw } from "../../drawing/dom.js";
import { since } from "../../drawing/elapsed.js";
import { needIcon, needOf } from "./needs.js";

/** @typedef {(table: string) => void} OnOpen */

/** A pace that is further below its target is marked. */
const SLOW = 0.85;

/**
 * A tile without its content.
 *
 * @param {string} table
 * @param {OnOpen} onOpen
 */
export function tileNode(table, onOpen) {
  return el("button", {
    class: "tile", type: "button", "data-table": table, onclick: () => onOpen(table),
  });
}

/**
 * Draws the table into its tile, if anything of it changed. Of a table whose tile has not come yet
 * stands there what its place says.
 *
 * @param {Element} node
 * @param {Pit.WallPlace} place
 * @param {Pit.Tile | undefined} tile
 * @param {number} clockMs the pit's clock less this machine's
 */
export function drawTile(node, place, tile, clockMs) {
  const { word, tone } = needOf(place.need);
  if (node.getAttribute("data-need") !== place.need) {
    node.setAttribute("data-tone", tone);
    node.setAttribute("data-need", place.need);
  }
  redraw(node, { place, tile, clockMs }, () => [
    el(
      "span",
      { class: "head" },
      el("b", { class: "name" }, place.table),
      place.since_ms === null ? null : since(place.since_ms - clockMs),
    ),
    el(
      "span",
      { class: "need" },
      needIcon(place.need),
      el("span", { class: "word" }, word),
      el("span", { class: "who" }, tile?.who ? `▸ ${tile.who}` : ""),
    ),
    el("span", { class: "what" }, tile?.waiting_for ?? ""),
    el(
      "span",
      { class: "foot" },
      el("span", { class: "game" }, place.game || "–"),
      tile?.seats ? seats(tile) : null,
      tile ? pace(tile) : null,
    ),
  ]);
}

/** @param {Pit.Tile} tile */
function seats({ seats_taken: taken, seats: all }) {
  return el(
    "span",
    { class: "seats", "aria-label": `${taken} of ${all} seats taken` },
    ...Array.from({ length: all }, (_, nth) => el("i", { "data-taken": String(nth < taken) })),
  );
}

/** @param {Pit.Tile} tile */
function pace(tile) {
  const now = tile.pace;
  if (now === null) return null;
  const { target } = tile;
  const slow = target !== null && now < target * SLOW;
  const of = target === null ? "" : ` of ${Math.round(target)}`;
  return el("span", { class: "pace", "data-slow": String(slow) }, `${Math.round(now)}${of}/h`);
}

/**
 * Everything that the wall knows of a table.
 *
 * @param {Pit.Tile} tile
 * @param {number} clockMs
 * @param {() => void} onClose
 */
export function tileDetails(tile, clockMs, onClose) {
  const { word } = needOf(tile.need);
  /** @type {[string, string][]} */
  const rows = [
    ["Who must act", tile.who],
    ["Game", tile.game],
    ["Limits", tile.limits],
    ["Round", tile.round ? `${tile.round}, ${tile.rounds_played} played` : `${tile.rounds_played} played`],
    ["Rounds an hour", paceText(tile)],
    ["Seats taken", tile.seats ? `${tile.seats_taken} of ${tile.seats}` : ""],
    ["Shoe", tile.seats ? `${Math.round(tile.shoe * 100)} % of what is dealt before the shuffle` : ""],
    ["Pit", tile.pit],
    ["Floor person", tile.floor],
    ["Record", tile.seq ? `${tile.seq} entries` : ""],
    ["Software", tile.software],
  ];
  return [
    el(
      "header",
      {},
      el("h2", {}, tile.table),
      el("button", { class: "small", type: "button", "aria-label": "Close", onclick: onClose }, "✕"),
    ),
    el(
      "p",
      { class: "need" },
      needIcon(tile.need),
      el("span", { class: "word" }, word),
      tile.since_ms === null ? null : el("span", {}, "for ", since(tile.since_ms - clockMs)),
    ),
    el("p", { class: "what" }, tile.waiting_for),
    el("p", { class: "why" }, tile.why),
    el(
      "dl",
      {},
      ...rows.filter(([, text]) => text).map(([name, text]) =>
        el("div", {}, el("dt", {}, name), el("dd", {}, text))),
    ),
    tile.house_loses ? el("p", { class: "loses" }, tile.house_loses) : null,
    tile.edge_note ? el("p", { class: "quiet" }, tile.edge_note) : null,
    tile.simulated ? el("p", { class: "quiet" }, "A simulated table") : null,
    el("p", {}, el("a", { href: `/tables/${encodeURIComponent(tile.table)}` }, "Ask the table"), ": a message, a fill, limits, closed or open"),
    tile.page
      ? el(
          "p",
          {},
          el("a", { href: tile.page, target: "_blank", rel: "noreferrer" }, "Open the table's page"),
          ": its felt, its last rounds and their replays",
        )
      : el("p", { class: "quiet" }, "wall.pages does not say where this table's own page is."),
  ];
}

/** @param {Pit.Tile} tile */
function paceText({ pace: now, target }) {
  if (now === null) return "";
  return target === null ? String(now) : `${now}, ${Math.round(target)} expected`;
}
