// A table's felt in its place on a page of the pit, by what the players' display draws with.

import { useIndexStyle } from "../../drawing/cards.js";
import { redraw } from "../../drawing/dom.js";
import { drawMiddle, drawSeats } from "../../drawing/felt.js";

/**
 * What lies on a felt. `button` is the seat that deals, 0 where none does.
 *
 * @typedef {{
 *   hands: Table.HandView[], dealer: Table.HandView | null, pot: string, button: number,
 *   seats: number, words: Table.GameWords,
 * }} Felt
 */

/**
 * Shows the felt in `node`, whose first two children are its middle and the list of its seats.
 *
 * @param {HTMLElement} node
 * @param {Felt} felt
 */
export function showFelt(node, { hands, dealer, pot, button, seats, words }) {
  useIndexStyle(words);
  const [middle, places] = node.children;
  redraw(middle, { hand: dealer, pot, words }, drawMiddle);
  redraw(places, { hands, seats, button, players: [] }, drawSeats);
}
