// Hands, seats and the shoe gauge, as every page shows them.

import { card } from "./cards.js";
import { el, svg } from "./dom.js";
import { t } from "./words.js";

/** @typedef {import("./cards.js").IndexStyle} IndexStyle */
/** @typedef {import("./cards.js").Face} Face */

/**
 * An amount as people write it: a true minus sign.
 *
 * @param {string} text
 */
export function amount(text) {
  return text.replace(/^-/, "−");
}

/** Beside a card that lies face up, how much room one shows that lies face down. */
const BACK = 0.45;

/**
 * The cards of a hand, the later ones over the earlier ones so that every index shows.
 *
 * @param {Table.CardView[]} cards
 * @param {IndexStyle} style
 * @param {Face} [face]
 */
export function fan(cards, style, face = "plain") {
  const raised = cards.some((each) => each.raised);
  const node = el("div", { class: "fan", "data-raised": raised });
  let steps = 0;
  let last = 0;
  for (const each of cards) {
    steps += last;
    const one = card(each.code, { style, face, "data-raised": each.raised });
    one.style.setProperty("--at", String(steps));
    node.append(one);
    last = each.code ? 1 : BACK;
  }
  node.style.setProperty("--cards", String(steps + 1));
  return node;
}

/**
 * What a hand counts: each of its numbers large, with its word.
 *
 * @param {Table.HandView} hand
 */
export function total(hand) {
  const parts = hand.total_parts;
  const node = el(
    "p",
    {
      class: "total",
      "data-bust": parts.some((part) => part.over),
      "data-parts": parts.length > 1,
      // Not `:has(.total-word:not(:empty))`: WebKit does not notice that an element is empty no more.
      "data-wordless": parts.every((part) => !part.word),
    },
    ...parts.map((part) =>
      el(
        "span",
        { class: "total-part" },
        el("span", { class: "total-word" }, part.word),
        " ",
        el("b", {}, part.number),
      )
    ),
  );
  return fitted(node, hand.total);
}

/**
 * Says how long a text is, so that the style can make it fit the width that it has.
 *
 * @template {HTMLElement} T
 * @param {T} node
 * @param {string} text
 */
export function fitted(node, text) {
  node.style.setProperty("--chars", String(Math.max(1, text.length)));
  return node;
}

/** @type {Record<string, string>} */
const RESULTS = { win: "won", lose: "lost", push: "push", surrender: "lost" };

/**
 * What a hand says under its total: its result and what moved, or its state in a word.
 *
 * @param {Table.HandView} hand
 */
export function verdict(hand) {
  if (!hand.result) return fitted(el("p", { class: "verdict" }, hand.note), hand.note);
  const moved = hand.outcome === "push" ? "" : amount(hand.net);
  const node = el(
    "p",
    { class: "verdict", "data-result": RESULTS[hand.outcome] },
    `${hand.result} `,
    el("b", {}, moved),
  );
  node.style.setProperty("--longer", String(Math.max(hand.result.length, moved.length)));
  return fitted(node, `${hand.result} ${moved}`);
}

/**
 * What stays to be said of a hand with a result: that it was doubled, or folded.
 *
 * @param {Table.HandView} hand
 */
export function note(hand) {
  if (!hand.result || !hand.note) return null;
  return fitted(el("p", { class: "note" }, hand.note), hand.note);
}

/**
 * A side bet, which has no cards: its name, and what became of it.
 *
 * @param {Table.HandView} hand
 */
export function sideBet(hand) {
  const moved = hand.result ? amount(hand.net) || hand.result : hand.wager;
  const text = `${hand.note} ${moved}`;
  const state = { class: "side-bet", "data-result": RESULTS[hand.outcome] };
  return fitted(el("p", state, text), text);
}

/**
 * The hands of a seat that hold cards or a bet, and its side bets.
 *
 * @param {Table.HandView[]} hands
 */
export function apart(hands) {
  return [hands.filter((each) => each.hand > 0), hands.filter((each) => each.hand === 0)];
}

/** The disc of the seat that deals the round. */
export function dealsDisc() {
  return el(
    "span",
    { class: "deals", title: t("deals this round") },
    el("b", { "aria-hidden": "true" }, "D"),
    " ",
    el("span", {}, t("deals")),
  );
}

/**
 * What lies in the pot, large.
 *
 * @param {string} text
 */
export function potOf(text) {
  const sum = fitted(el("b", { class: "pot-sum" }, text), text);
  return el("div", { class: "pot" }, el("p", { class: "pot-name" }, t("Pot")), potChips(), sum);
}

function potChips() {
  /**
   * @param {number} y
   * @param {number} hue
   */
  const chip = (y, hue) =>
    svg("path", {
      class: `pot-chip pot-chip-${hue}`,
      d: `M4 ${y}A16 6 0 0 1 36 ${y}V${y + 5}A16 6 0 0 1 4 ${y + 5}Z`,
    });
  const box = { class: "pot-chips", viewBox: "0 0 40 34", "aria-hidden": "true" };
  return svg("svg", box, chip(22, 1), chip(15, 2), chip(8, 3));
}

/**
 * The game's own word for its dealer or its seats, with a capital.
 *
 * @param {Table.GameWords} words
 * @param {"dealer" | "seat"} which
 */
export function word(words, which) {
  const own = words[which];
  return own.charAt(0).toUpperCase() + own.slice(1);
}

/**
 * A hand in the game's words: "Dealer", "Seat 3", "Box 3, hand 2".
 *
 * @param {Table.HandView} hand
 * @param {Table.GameWords} words
 */
export function handName(hand, words) {
  if (!hand.seat) return word(words, "dealer");
  const seat = `${word(words, "seat")} ${hand.seat}`;
  return hand.hand > 1 ? t("{seat}, hand {hand}", { seat, hand: hand.hand }) : seat;
}

/**
 * The shoe: cards gone, the cut mark, and the numbers in words.
 *
 * @param {Table.ShoeView} shoe
 */
export function gauge(shoe) {
  if (!shoe.size) return el("div", { class: "gauge" });
  // A cut at the first card: the pack is shuffled for every round, which needs no mark.
  const cut = shoe.cut > 1;
  const due = cut && shoe.due;
  const gone = shoe.counted ? t("to be counted") : t("{gone} of {size} gone", { gone: shoe.gone, size: shoe.size });
  const words = cut ? t("{gone}, cut at {cut}", { gone, cut: shoe.cut }) : gone;
  const track = el(
    "div",
    { class: "gauge-track", role: "img", "aria-label": t("Shoe: {words}", { words }) },
    el("i", { class: "gauge-gone" }),
    cut ? el("i", { class: "gauge-cut" }) : null,
  );
  track.style.setProperty("--gone", String(shoe.counted ? 0 : shoe.gone / shoe.size));
  track.style.setProperty("--cut", String(shoe.cut / shoe.size));
  return el(
    "div",
    { class: "gauge", "data-due": due },
    el("span", { class: "gauge-name" }, t("Shoe {number}", { number: shoe.number || "" })),
    track,
    el("span", { class: "gauge-words" }, words),
    due ? el("span", { class: "gauge-state" }, shoe.state) : null,
  );
}

/**
 * The hands of each seat of the table, an empty list where nobody plays; `[0]` is seat 1.
 *
 * @param {Table.HandView[]} hands
 * @param {number} seats
 */
export function bySeat(hands, seats) {
  return Array.from({ length: seats }, (_, at) => hands.filter((each) => each.seat === at + 1));
}
