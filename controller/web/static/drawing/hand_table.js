// The felt as a table of rows, for the status page and the replays.

import { card, indexStyle } from "./cards.js";
import { el } from "./dom.js";
import { verdict, word } from "./hands.js";
import { t } from "./words.js";

/**
 * Hands to be laid out. `button` is the seat that deals, 0 where none does.
 *
 * @typedef {{
 *   hands: Table.HandView[],
 *   dealer: Table.HandView | null,
 *   words: Table.GameWords,
 *   button?: number,
 * }} Hands
 */

/**
 * Rows of hands, the dealer's first if he has one: seat, wager, cards, total, how each stands.
 *
 * @param {Hands} hands
 */
export function handTable({ hands, dealer, words, button = 0 }) {
  const head = [word(words, "seat"), t("Wager"), t("Cards"), t("Total"), t("State")];
  const rows = dealer ? [dealer, ...hands] : hands;
  return el(
    "table",
    { class: "list felt-table" },
    el("thead", {}, el("tr", {}, ...head.map((each) => el("th", { scope: "col" }, each)))),
    el("tbody", {}, ...rows.map((each) => row(each, words, button))),
  );
}

/**
 * @param {Table.HandView} hand
 * @param {Table.GameWords} words
 * @param {number} button
 */
function row(hand, words, button) {
  const cards = hand.cards.map((each) =>
    card(each.code, { style: indexStyle(), face: "plain", "data-raised": each.raised })
  );
  return el(
    "tr",
    { "data-active": hand.active },
    el(
      "th",
      { scope: "row", "data-label": hand.seat ? word(words, "seat") : null },
      rowName(hand, words, button),
    ),
    el("td", { class: "number" }, hand.wager),
    el("td", {}, el("div", { class: "row-cards" }, ...cards)),
    el("td", { class: "row-total" }, hand.total),
    el("td", { class: "row-state" }, ...standing(hand)),
  );
}

/**
 * @param {Table.HandView} hand
 * @param {Table.GameWords} words
 * @param {number} button
 */
function rowName(hand, words, button) {
  if (!hand.seat) return word(words, "dealer");
  if (!hand.hand) return t("{seat}, side bet", { seat: hand.seat });
  if (hand.hand > 1) return t("{seat}, hand {hand}", { seat: hand.seat, hand: hand.hand });
  return hand.seat === button ? t("{seat}, deals", { seat: hand.seat }) : String(hand.seat);
}

/** @param {Table.HandView} hand */
function standing(hand) {
  if (hand.result) return [verdict(hand), hand.note ? el("p", { class: "quiet" }, hand.note) : null];
  const words = [hand.active ? t("in turn") : "", hand.note].filter((each) => each);
  return [words.join(", ")];
}
