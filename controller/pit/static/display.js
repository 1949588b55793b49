// The parts of the dealer display, each drawn from its piece of the picture.

import { el } from "./dom.js";
import { amount, fan, total, verdict } from "./felt.js";

/** Game and round; `marks` are quiet words such as "view only". */
export function drawPlace([game, round, marks]) {
  return [
    el("b", {}, game),
    round ? el("span", {}, `Round ${round}`) : null,
    ...marks.map((each) => el("span", { class: "mark-word" }, each)),
  ];
}

/** Devices that are down, and why. */
export function drawTrouble(down) {
  return down.map((each) => el("span", {}, `▲ ${each.name}: ${each.why}`));
}

/** The sentence: what comes before its colon leads, what comes after it stands out. */
export function drawSentence([headline, why, holds]) {
  const [lead, tail] = headline.split(/: (.*)/s);
  const text = holds.length ? holds[0].text : why;
  const next = holds.slice(1).map((each) => each.title).join(", ");
  const after = tail && [
    el("span", { class: "visually-hidden" }, ": "),
    el("span", { class: "tail" }, amount(tail)),
  ];
  return [
    el(
      "h1",
      { id: "headline", class: "headline" },
      el("span", { class: "lead" }, lead),
      ...(after ?? []),
    ),
    el("p", { id: "why", class: "why" }, text),
    el("p", { id: "more", class: "more" }, next && `${holds.length - 1} more after this: ${next}`),
  ];
}

/** The hand in question, and the dealer's: those of them that have cards. */
export function versusOf(picture) {
  const found = picture.seat ? picture.hands.filter((each) => each.seat === picture.seat) : [];
  const asked = found.find((each) => each.active) ?? found[0];
  return [asked, picture.dealer].filter((each) => each?.cards.length);
}

/** One of the two hands that are compared. */
export function drawVersus(hand, style) {
  return el(
    "div",
    {
      class: "versus-hand",
      "data-active": hand.active,
      "data-many": hand.cards.length > 5,
    },
    el("p", { class: "versus-name" }, hand.seat ? `Seat ${hand.seat}` : "Dealer"),
    fan(hand.cards, style),
    total(hand.total),
  );
}

/** A seat with its hands. `onBet`: bets are open, and the seat is a key that asks for one. */
export function drawSeat(seat, hands, style, onBet) {
  const played = hands.filter((each) => each.cards.length);
  const settled = hands.length > 0 && hands.every((each) => each.settled);
  const active = hands.find((each) => each.active);
  const state = {
    class: "seat",
    "data-seat": seat,
    "data-empty": !hands.length,
    "data-light": (active ?? hands[0])?.light,
    "data-active": Boolean(active),
    "data-several": hands.length > 1,
    "data-settled": settled,
  };
  const wager = hands[0]?.wager ?? "";
  const inside = [
    el(
      "p",
      { class: "seat-head" },
      el("b", { class: "seat-number" }, String(seat)),
      el("span", { class: "seat-wager" }, played.length ? wager : ""),
      settled
        ? el("span", { class: "seat-done", role: "img", "aria-label": "settled" }, "✓")
        : null,
    ),
    ...(played.length
      ? played.map((each) => drawHand(each, style))
      : [el("p", { class: "seat-bet" }, wager)]),
  ];
  if (!onBet) return el("li", {}, el("div", state, ...inside));
  const invite = hands.length && !played.length ? "Change" : "Bet";
  const key = { ...state, type: "button", onclick: () => onBet(seat) };
  return el("li", {}, el("button", key, ...inside, el("p", { class: "seat-invite" }, invite)));
}

function drawHand(hand, style) {
  return el(
    "div",
    { class: "hand", "data-active": hand.active, "data-many": hand.cards.length > 5 },
    fan(hand.cards, style),
    total(hand.total),
    verdict(hand),
  );
}

/** The rule in force, or why the last press was refused. */
export function drawLine([told, rule, limits]) {
  if (!told) return [el("span", {}, rule), el("span", {}, limits)];
  return [el("b", { "aria-hidden": "true" }, "✕"), el("span", { class: "told" }, told)];
}

/** A key with the letter that does the same. */
export function drawKey(key, off, onPress) {
  const name = key.key.length === 1 ? key.key.toUpperCase() : key.key;
  return el(
    "button",
    {
      class: "key",
      type: "button",
      disabled: off,
      "data-quiet": key.command.do === "call_floor",
      onclick: () => onPress(key),
    },
    name ? el("kbd", {}, name) : null,
    el("span", {}, key.label),
  );
}
