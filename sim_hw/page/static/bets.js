// What is played for, as it lies there: bets, side bets, the pot, the button, folded hands.

import { amountText, chips, stack } from "./chips.js";
import { svg } from "./drawing/dom.js";
import { DEALER } from "./layout.js";

const BESIDE = 25;
const STACKS_APART = 46;
const MOST_STACKS = 5;
const LETTER = 9.5;

/**
 * @param {string} text
 * @param {number} y
 */
function label(text, y) {
  const width = 18 + text.length * LETTER;
  return [
    svg("rect", { class: "bet-label", x: -width / 2, y, width, height: 23, rx: 11.5 }),
    svg("text", { class: "bet-text", y: y + 17 }, text),
  ];
}

/**
 * Stacks side by side around (0, 0).
 *
 * @param {number[]} amounts
 * @param {number} apart
 */
function row(amounts, apart) {
  const left = (-apart * (amounts.length - 1)) / 2;
  return amounts.map((amount, at) =>
    svg("g", { transform: `translate(${left + at * apart} 0)` }, ...chips(amount))
  );
}

/**
 * The bets of a seat's hands on its spot; the second half of a doubled one lies beside it.
 *
 * @param {World.PlayedHandView[]} hands
 */
export function drawBets(hands) {
  const bets = hands.filter((hand) => hand.bet > 0);
  if (!bets.length) return [];
  const stacks = bets.flatMap(({ bet, doubled }) => (doubled ? [bet / 2, bet / 2] : [bet]));
  const each = bets.map(({ bet }) => amountText(bet));
  const alike = each.length > 1 && new Set(each).size === 1;
  const text = alike ? `${each.length} × ${each[0]}` : each.join(" + ");
  return [...row(stacks, Math.min(BESIDE, 60 / stacks.length)), ...label(text, 29)];
}

/**
 * A side bet before the cards; 0 is none.
 *
 * @param {number} amount
 */
export function drawSideBet(amount) {
  if (!amount) return [];
  return [
    svg("g", { transform: "scale(0.7)" }, ...chips(amount)),
    svg("text", { class: "side-text", y: 28 }, "insurance"),
    svg("text", { class: "side-text", y: 42 }, amountText(amount)),
  ];
}

/**
 * The chips in the middle, a stack for each kind of chip, and what they come to.
 *
 * @param {{ vying: boolean, pot: number }} middle
 */
export function drawPot({ vying, pot }) {
  if (!vying) return [];
  const kinds = new Map();
  for (const kind of stack(pot)) kinds.set(kind, (kinds.get(kind) ?? 0) + kind);
  const stacks = [...kinds.values()].slice(0, MOST_STACKS);
  const text = `pot ${amountText(pot)}`;
  const width = 34 + text.length * 14;
  const place = `translate(${DEALER.x} ${DEALER.y})`;
  return svg(
    "g",
    { transform: place },
    ...row(stacks, STACKS_APART),
    svg("rect", { class: "bet-label", x: -width / 2, y: 30, width, height: 36, rx: 18 }),
    svg("text", { class: "pot-text", y: 57 }, text),
  );
}

/**
 * The disc of the seat that deals.
 *
 * @param {boolean} here
 */
export function drawButton(here) {
  if (!here) return [];
  return [
    svg("circle", { class: "button-disc", r: 15 }),
    svg("text", { class: "button-text", y: 6 }, "D"),
  ];
}

/**
 * The word over a hand that was folded.
 *
 * @param {boolean} folded
 */
export function drawFolded(folded) {
  return folded ? label("folded", -12) : [];
}
