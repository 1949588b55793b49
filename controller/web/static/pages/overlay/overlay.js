// Graphics for a studio's picture: what players may see, so much later than the table shows it.

import { at, el, redraw } from "../../drawing/dom.js";
import { bySeat, fan, handName, note, total, verdict } from "../../drawing/hands.js";
import { indexStyle, useIndexStyle } from "../../drawing/cards.js";
import { follow } from "../../drawing/live.js";
import { clockText, secondsLeft, tableTime } from "../../drawing/table_time.js";
import { BadOverlay, Delayed, readSettings } from "./delayed.js";
import { t } from "../../drawing/words.js";

/** @typedef {Table.PlayersView | Table.DealerView} View */
/** @type {import("./delayed.js").Settings} */
let settings = { delayMs: 0, mode: "table" };
/** @type {View | null} */
let shown = null;

/** @param {View} view */
function draw(view) {
  shown = view;
  useIndexStyle(view.words);
  const prompter = settings.mode === "prompter";
  at("game").textContent = view.game;
  at("notice").textContent = prompter ? promptOf(view) : noticeOf(view);
  at("limits").textContent = view.limits;
  redraw(at("dealer"), { hand: view.dealer, words: view.words }, drawDealer);
  redraw(
    at("seats"),
    { seats: bySeat(view.hands, view.seats), players: view.players },
    ({ seats, players }) =>
      seats.map((hands, index) =>
        drawSeat(index + 1, hands, players.find((each) => each.seat === index + 1))
      ),
  );
  drawClock();
  // What was drawn, and when by the table's time: for whoever measures.
  Object.assign(document.body.dataset, { seq: view.seq, drawn: tableTime() });
}

/** @param {View} view */
function noticeOf(view) {
  return "notice" in view ? view.notice : view.headline;
}

/** @param {View} view */
function promptOf(view) {
  return "headline" in view ? view.headline : view.notice;
}

/** The seconds that are left, as late as everything else. */
function drawClock() {
  const { window = null } = shown ?? {};
  const node = at("clock");
  node.toggleAttribute("data-soon", Boolean(window?.last_called));
  if (!window) {
    node.textContent = "";
  } else if (window.expired) {
    node.textContent = t("Time is over");
  } else {
    const late = { ...window, closes_at_ms: window.closes_at_ms + settings.delayMs };
    node.textContent = clockText(secondsLeft(late));
  }
}

/** @param {{ hand: Table.HandView | null, words: Table.GameWords }} middle */
function drawDealer({ hand, words }) {
  if (!hand?.cards.length) return [];
  return [
    fan(hand.cards, indexStyle()),
    el("p", { class: "plate", "aria-label": handName(hand, words) }, total(hand)),
  ];
}

/**
 * @param {number} seat
 * @param {Table.HandView[]} hands
 * @param {Table.PlayerView | undefined} player
 */
function drawSeat(seat, hands, player) {
  const lying = hands.filter((hand) => hand.hand > 0 && hand.cards.length);
  const active = hands.find((hand) => hand.active);
  const wager = hands.find((hand) => hand.hand === 1)?.wager ?? "";
  return el(
    "li",
    {
      class: "seat",
      "data-empty": !hands.length,
      "data-taken": Boolean(player),
      "data-active": Boolean(active),
      "data-light": active?.light ?? hands[0]?.light,
    },
    lying.length ? el("div", { class: "hands" }, ...lying.map(drawHand)) : null,
    el(
      "p",
      { class: "spot plate", "data-may-cut": true },
      el("b", {}, player ? player.name : String(seat)),
      wager,
    ),
  );
}

/** @param {Table.HandView} hand */
function drawHand(hand) {
  const under = el("div", { class: "plate" }, total(hand), note(hand), verdict(hand));
  return el("div", { class: "hand" }, fan(hand.cards, indexStyle()), under);
}

function begin() {
  settings = readSettings(new URLSearchParams(location.search));
  document.body.dataset.mode = settings.mode;
  const views = new Delayed(settings.delayMs, draw);
  const page = settings.mode === "prompter" ? "dealer" : "players";
  follow(`/events/${page}`, "scene", {
    onView: (/** @type {View} */ view) => views.add(view),
    onLive: (live) => document.body.toggleAttribute("data-old", !live),
  });
  const frame = () => {
    views.look();
    drawClock();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

try {
  begin();
} catch (error) {
  if (!(error instanceof BadOverlay)) throw error;
  at("problem").hidden = false;
  at("problem").textContent = error.message;
  at("table").hidden = true;
}
