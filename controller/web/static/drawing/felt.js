// The felt as it lies: the middle with the dealer's hand or the pot, and every seat with its hands.

import { indexStyle } from "./cards.js";
import { el } from "./dom.js";
import {
  apart,
  bySeat,
  dealsDisc,
  fan,
  fitted,
  handName,
  note,
  potOf,
  sideBet,
  total,
  verdict,
} from "./hands.js";

/**
 * What lies in the middle: the pot that is played for, or the dealer's hand.
 *
 * @param {{ hand: Table.HandView | null, pot: string, words: Table.GameWords }} middle
 */
export function drawMiddle({ hand, pot, words }) {
  if (pot) return potOf(pot);
  if (!hand?.cards.length) return [];
  const name = el("p", { class: "dealer-name" }, handName(hand, words));
  return [name, fan(hand.cards, indexStyle()), total(hand)];
}

/**
 * Every seat of the table, an empty one too, seat 1 first. `button` is the seat that deals, 0 where
 * none does.
 *
 * @param {{ hands: Table.HandView[], seats: number, button: number, players: Table.PlayerView[] }} felt
 */
export function drawSeats({ hands, seats, button, players }) {
  return bySeat(hands, seats).map((lying, index) => {
    const player = players.find((each) => each.seat === index + 1);
    return drawSeat(index + 1, lying, index + 1 === button, player);
  });
}

/**
 * @param {number} seat
 * @param {Table.HandView[]} hands
 * @param {boolean} deals
 * @param {Table.PlayerView | undefined} player
 */
function drawSeat(seat, hands, deals, player) {
  const [played, aside] = apart(hands);
  const lying = played.filter((hand) => hand.cards.length);
  const active = hands.find((hand) => hand.active);
  return el(
    "li",
    {
      class: "seat",
      "data-empty": !hands.length,
      "data-several": lying.length > 1,
      "data-active": Boolean(active),
      "data-light": active?.light ?? played[0]?.light,
    },
    lying.length ? el("div", { class: "hands" }, ...lying.map(drawHand)) : null,
    ...aside.map(sideBet),
    deals ? dealsDisc() : null,
    el(
      "p",
      { class: "spot" },
      player
        ? el("b", { class: "player", "data-away": player.away, "data-may-cut": true }, player.name)
        : el("b", {}, String(seat)),
      ...played.map((hand) => fitted(el("span", {}, hand.wager), hand.wager)),
    ),
  );
}

/** @param {Table.HandView} hand */
function drawHand(hand) {
  return el(
    "div",
    {
      class: "hand",
      "data-active": hand.active,
      "data-many": hand.cards.length > 5,
      "data-settled": hand.settled,
    },
    fan(hand.cards, indexStyle()),
    total(hand),
    note(hand),
    verdict(hand),
  );
}
