// What players may see: the felt, what is waited for, the limits and the rule in force.

import { at, redraw } from "../../drawing/dom.js";
import { useIndexStyle } from "../../drawing/cards.js";
import { drawMiddle, drawSeats } from "../../drawing/felt.js";
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
  redraw(at("notice"), view.notice, (notice) => notice);
  at("rule").textContent = view.rule;
  at("limits").textContent = view.limits;
  countdown.show(view.window);
  redraw(at("dealer"), { hand: view.dealer, pot: view.pot, words: view.words }, drawMiddle);
  const { hands, seats, button, players } = view;
  redraw(at("seats"), { hands, seats, button, players }, drawSeats);
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
 * @param {boolean} now
 * @param {boolean} noPlace
 */
function onLive(now, noPlace) {
  at("lost").hidden = now;
  at("lost").textContent = noPlace
    ? t("As many displays look on as may. Please watch the dealer: this one goes on by itself.")
    : t("This display has lost its connection. Please watch the dealer.");
  at("table").dataset.old = String(!now);
}

follow("/events/players", "scene", { onView: draw, onLive });
