// One table on the wall: how it is drawn in its place, and everything about it when it was pressed.

import { el, redraw, svg } from "../../drawing/dom.js";
import { began, since } from "../../drawing/elapsed.js";
import { LAST_URGENT, needIcon, needOf } from "./needs.js";

/** @typedef {(table: string) => void} OnOpen */

/** A pace that is further below its target is marked. */
const SLOW = 0.85;

/** Whoever deals has a shape of their own, as every need has. */
const PERSON = "M12 4a4 4 0 1 0 .01 0M4.5 21a7.5 7.5 0 0 1 15 0";
const bets = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/**
 * A tile without its content: what is pressed for all of a table, and the way to its own page.
 *
 * @param {string} table
 * @param {OnOpen} onOpen
 */
export function tileNode(table, onOpen) {
  return el(
    "div",
    { class: "tile", "data-table": table },
    el(
      "button",
      { class: "face", type: "button", "aria-expanded": "false", onclick: () => onOpen(table) },
      el(
        "span",
        { class: "upper" },
        el("span", { class: "head" }, el("b", { class: "name" }, table), el("span", { class: "since" })),
        el(
          "span",
          { class: "need" },
          el("span", { class: "kind" }),
          el("span", { class: "who" }),
        ),
        el("span", { class: "what" }),
      ),
      el("span", { class: "lower" }),
    ),
    el("a", { class: "own", target: "_blank", rel: "noreferrer", hidden: true }, "↗"),
  );
}

/**
 * Marks the tile whose table is shown beside the wall, and no other.
 *
 * @param {HTMLElement} node
 * @param {boolean} opened
 */
export function markOpened(node, opened) {
  const now = String(opened);
  if (node.dataset.opened === now) return;
  node.dataset.opened = now;
  node.querySelector("button")?.setAttribute("aria-expanded", now);
}

/**
 * Draws the table into its tile, where anything of it changed; says whether it did. Of a table whose
 * tile has not come yet stands there what its place says.
 *
 * @param {HTMLElement} node
 * @param {Pit.WallPlace} place
 * @param {Pit.Tile | undefined} tile
 */
export function drawTile(node, place, tile) {
  const known = drawn.get(node);
  if (known && known.place === place && known.tile === tile) return false;
  drawn.set(node, { place, tile });
  const { tone } = needOf(place.need);
  if (node.dataset.need !== place.need) {
    node.dataset.tone = tone;
    node.dataset.need = place.need;
  }
  const [time, kind, who, what, lower] = partsOf(node);
  // With each card a table waits for something else: words are exchanged in their places, since an
  // element that is put in anew is laid out anew with all around it.
  began(time, place.since_ms);
  redraw(kind, place.need, drawKind);
  say(who, tile?.who ? `▸ ${tile.who}` : "");
  say(what, tile?.waiting_for ?? "");
  const about = tile && [tile.deals, tile.limits, tile.stakes, tile.seats, tile.seats_taken, tile.pace, tile.target];
  redraw(lower, { game: place.game, about }, () => drawLower(place, tile));
  const own = node.querySelector("a");
  if (own && tile && own.getAttribute("href") !== tile.page) {
    own.hidden = !tile.page;
    node.dataset.page = String(Boolean(tile.page));
    own.href = tile.page;
    own.ariaLabel = `${place.table}: the table's own page, its last rounds and their replay`;
  }
  return true;
}

/**
 * What each tile shows: of what did not come anew nothing is compared.
 *
 * @type {WeakMap<Element, { place: Pit.WallPlace, tile: Pit.Tile | undefined }>}
 */
const drawn = new WeakMap();


/** The places in a tile whose words change, found once. @type {WeakMap<Element, HTMLElement[]>} */
const parts = new WeakMap();

/** @param {HTMLElement} node */
function partsOf(node) {
  const known = parts.get(node);
  if (known) return known;
  /** @type {NodeListOf<HTMLElement>} */
  const all = node.querySelectorAll(".since, .kind, .who, .what, .lower");
  const found = [...all];
  parts.set(node, found);
  return found;
}

/** @param {string} need */
function drawKind(need) {
  return [needIcon(need), el("span", { class: "word" }, needOf(need).word)];
}

/**
 * @param {HTMLElement} node
 * @param {string} text
 */
function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * @param {Pit.WallPlace} place
 * @param {Pit.Tile | undefined} tile
 */
function drawLower(place, tile) {
  return [
    el(
      "span",
      { class: "plays" },
      el("span", { class: "game" }, place.game || "–"),
      tile?.deals ? dealer(tile.deals) : null,
    ),
    el(
      "span",
      { class: "foot" },
      tile ? el("span", { class: "stakes", title: tile.limits }, stakes(tile)) : null,
      tile?.seats ? seats(tile) : null,
      tile ? pace(tile) : null,
    ),
  ];
}

/** @param {string} name */
function dealer(name) {
  return el(
    "span",
    { class: "deals", title: `Dealer: ${name}` },
    svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PERSON })),
    el("span", { class: "visually-hidden" }, "dealer "),
    el("span", { class: "dealer-name" }, name),
  );
}

/**
 * The least and the largest bet; what is not known is left out.
 *
 * @param {Pit.Tile} tile
 */
function stakes({ stakes: [least, most] }) {
  return most ? `${bets.format(least / 100)}–${bets.format(most / 100)}` : "";
}

/** @param {Pit.Tile} tile */
function seats({ seats_taken: taken, seats: all }) {
  return el(
    "span",
    { class: "seats", role: "img", "aria-label": `${taken} of ${all} seats taken` },
    ...Array.from({ length: all }, (_, nth) => el("i", { "data-taken": String(nth < taken) })),
    el("span", { class: "taken" }, `${taken}/${all}`),
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
 * Draws everything that the wall knows of a table. What is pressed there stays itself while the
 * table plays on: a link that is put in anew between press and release leads nowhere.
 *
 * @param {HTMLElement} node
 * @param {Pit.Tile} tile
 * @param {() => void} onClose
 */
export function drawDetails(node, tile, onClose) {
  redraw(node, tile.table, () => [
    el(
      "header",
      {},
      el("h2", {}, tile.table),
      el("button", { class: "small", type: "button", "aria-label": "Close", onclick: onClose }, "✕"),
    ),
    el("div", { class: "said" }),
    el("div", { class: "ways" }),
  ]);
  const [, said, ways] = node.children;
  redraw(said, tile, saidOf);
  redraw(ways, { table: tile.table, page: tile.page }, waysOn);
}

/** @param {Pit.Tile} tile */
function saidOf(tile) {
  const { word } = needOf(tile.need);
  const isUrgent = tile.rank <= LAST_URGENT;
  /** @type {[string, string][]} */
  const rows = [
    ["Who must act", tile.who],
    ["Game", tile.game],
    ["Limits", tile.limits],
    ["Dealer", tile.seats ? tile.deals || "not named at the table" : ""],
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
      "p",
      { class: "need" },
      needIcon(tile.need),
      el("span", { class: "word" }, word),
      tile.since_ms === null || !isUrgent ? null : el("span", {}, "for ", since(tile.since_ms)),
    ),
    el(
      "p", { class: "what" }, tile.waiting_for,
      // That it plays is well however long; how long it has waited for this is another thing.
      tile.since_ms === null || isUrgent ? null : el("span", { class: "quiet" }, " ", since(tile.since_ms)),
    ),
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
  ];
}

/** @param {{ table: string, page: string }} of */
function waysOn({ table, page }) {
  return [
    el("p", {}, el("a", { href: `/tables/${encodeURIComponent(table)}/live` }, "Its felt, live"), ", and its last rounds", el("span", { class: "of-rounds" }, ", replayed")),
    el("p", { class: "ask" }, el("a", { href: `/tables/${encodeURIComponent(table)}` }, "Ask the table"), ": a message, a fill, limits, closed or open"),
    page
      ? el(
          "p",
          {},
          el("a", { href: page, target: "_blank", rel: "noreferrer" }, "Open the table's page"),
          ": with pictures of its last cards, from where it is reached",
        )
      : null,
    el("p", { class: "of-rounds" }, el("a", { href: `/rounds?table=${encodeURIComponent(table)}` }, "Its rounds"), ": any of them, by card, seat or amount"),
  ].filter((each) => each !== null);
}

/** @param {Pit.Tile} tile */
function paceText({ pace: now, target }) {
  if (now === null) return "";
  return target === null ? String(now) : `${now}, ${Math.round(target)} expected`;
}
