// What players may see: the felt, what is waited for, the limits and the rule in force.

import { at, el, redraw } from "../../drawing/dom.js";
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
} from "../../drawing/hands.js";
import { indexStyle, useIndexStyle } from "../../drawing/cards.js";
import { follow } from "../../drawing/live.js";
import { clockText, Countdown } from "../../drawing/table_time.js";
import { t } from "../../drawing/words.js";

/** With more seats than these, each has room for the essential only. */
const ROOMY_SEATS = 7;

/** @param {Table.PlayersView} view */
function draw(view) {
  useIndexStyle(view.words);
  const playing = view.hands.some((hand) => hand.cards.length > 0 && !hand.settled);
  document.body.dataset.playing = String(playing);
  document.title = `${view.notice} · ${view.game}`;
  at("game").textContent = view.simulated ? t("{game} · simulated table", { game: view.game }) : view.game;
  at("round").textContent = view.round ? t("Round {round}", { round: view.round }) : "";
  at("notice").textContent = view.notice;
  at("rule").textContent = view.rule;
  at("limits").textContent = view.limits;
  countdown.show(view.window);
  redraw(at("dealer"), { hand: view.dealer, pot: view.pot, words: view.words }, drawMiddle);
  redraw(
    at("seats"),
    { seats: bySeat(view.hands, view.seats), button: view.button, players: view.players },
    ({ seats, button, players }) =>
      seats.map((hands, index) => {
        const player = players.find((each) => each.seat === index + 1);
        return drawSeat(index + 1, hands, index + 1 === button, player);
      }),
  );
  at("seats").dataset.crowded = String(view.seats > ROOMY_SEATS);
}

const countdown = new Countdown((shown, seconds) => {
  at("clock").textContent = shown ? windowText(shown, clockText(seconds)) : "";
  at("clock").dataset.soon = String(Boolean(shown?.last_called));
});

/**
 * How long there is still to bet, or to answer at a seat.
 *
 * @param {Table.WindowView} shown
 * @param {string} left
 */
function windowText(shown, left) {
  if (shown.expired) return t("Time is over");
  if (shown.left_ms !== null) return t("The clock stands: {left} left", { left });
  if (shown.kind !== "bets") return t("Seat {seat}: {left}", { seat: shown.seat, left });
  return shown.last_called ? t("Last bets: {left}", { left }) : t("Bets close in {left}", { left });
}

/**
 * What lies in the middle: the pot that is played for, or the dealer's hand.
 *
 * @param {{ hand: Table.HandView | null, pot: string, words: Table.GameWords }} middle
 */
function drawMiddle({ hand, pot, words }) {
  if (pot) return potOf(pot);
  if (!hand?.cards.length) return [];
  const name = el("p", { class: "dealer-name" }, handName(hand, words));
  return [name, fan(hand.cards, indexStyle()), total(hand)];
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

/** @param {boolean} now */
function onLive(now) {
  at("lost").hidden = now;
  at("table").dataset.old = String(!now);
}

follow("/events/players", "scene", { onView: draw, onLive });
