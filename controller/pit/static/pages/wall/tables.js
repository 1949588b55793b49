// The tables that the wall knows: how many need what, and which are to be seen, in which order.

import { LAST_URGENT, needOf } from "./needs.js";

/** @typedef {Pit.WallPlace} Place */

const natural = new Intl.Collator(undefined, { numeric: true });

/** The place of every table of the pit. */
export class Tables {
  /** @type {Map<string, Place>} */
  #places = new Map();
  /** The place of each table by its name. @type {Map<string, number>} */
  #byName = new Map();

  get size() {
    return this.#places.size;
  }

  /** @param {string} table */
  place(table) {
    return this.#places.get(table);
  }

  /** @param {Place[]} places those that are new or have changed */
  take(places) {
    for (const each of places) this.#places.set(each.table, each);
    this.#orderNames();
  }

  clear() {
    this.#places.clear();
    this.#byName.clear();
  }

  /**
   * Those that need somebody, up to that rank.
   *
   * @param {number} most
   */
  upTo(most) {
    return [...this.#places.values()].filter((each) => each.rank <= most);
  }

  /** How many tables need what. */
  counted() {
    /** @type {Record<string, number>} */
    const found = {};
    for (const { need } of this.#places.values()) found[need] = (found[need] ?? 0) + 1;
    return found;
  }

  /**
   * The tables that are to be seen, group by group, in their order.
   *
   * @param {string} text every word of it stands at a table that is to be seen
   * @param {Set<string>} wanted needs that alone are to be seen; empty: all
   * @param {string} by what they are grouped by; empty: by nothing
   */
  chosen(text, wanted, by) {
    const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
    const found = [...this.#places.values()].filter(
      (each) => (!wanted.size || wanted.has(each.need)) && hasAll(each, words),
    );
    found.sort((one, other) => this.#inOrder(one, other));
    /** @type {Map<string, Place[]>} */
    const groups = new Map();
    for (const each of found) {
      const name = groupOf(each, by);
      const known = groups.get(name);
      if (known) known.push(each);
      else groups.set(name, [each]);
    }
    return [...groups].sort(([one], [other]) => natural.compare(one, other));
  }

  /**
   * Those that need somebody first, who has waited longest before the others; then by name, so that
   * tables where all is well keep their places.
   *
   * @param {Place} one
   * @param {Place} other
   */
  #inOrder(one, other) {
    const urgent = Math.min(one.rank, LAST_URGENT + 1) - Math.min(other.rank, LAST_URGENT + 1);
    if (urgent) return urgent;
    const waited = one.rank > LAST_URGENT ? 0 : (one.since_ms ?? 0) - (other.since_ms ?? 0);
    return waited || (this.#byName.get(one.table) ?? 0) - (this.#byName.get(other.table) ?? 0);
  }

  /** Puts the names of tables in their order, once there is another: to compare names is dear. */
  #orderNames() {
    if (this.#byName.size === this.#places.size) return;
    const names = [...this.#places.keys()].sort(natural.compare);
    names.forEach((table, nth) => this.#byName.set(table, nth));
  }
}

/**
 * @param {Place} place
 * @param {string[]} words
 */
function hasAll(place, words) {
  if (words.length === 0) return true;
  const { table, game, pit, floor, need } = place;
  const text = `${table} ${game} ${pit} ${floor} ${needOf(need).word}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * @param {Place} place
 * @param {string} by
 */
function groupOf(place, by) {
  if (by === "pit") return place.pit || "No pit";
  if (by === "game") return place.game || "No game";
  return by === "floor" ? place.floor || "Nobody's" : "";
}
