// What players may see: the felt, what is waited for, the limits and the rule in force.

import { at, el, redraw } from "./dom.js";
import { bySeat, fan, indexStyle, total, verdict } from "./felt.js";
import { follow } from "./live.js";

const style = indexStyle();

function draw(view) {
  const playing = view.hands.some((hand) => hand.cards.length > 0 && !hand.settled);
  document.body.dataset.playing = String(playing);
  document.title = `${view.notice} · ${view.game}`;
  at("game").textContent = view.simulated ? `${view.game} · simulated table` : view.game;
  at("round").textContent = view.round ? `Round ${view.round}` : "";
  at("notice").textContent = view.notice;
  at("rule").textContent = view.rule;
  at("limits").textContent = view.limits;
  redraw(at("dealer"), view.dealer, drawDealer);
  redraw(
    at("seats"),
    bySeat(view.hands, view.seats),
    (seats) => seats.map((hands, index) => drawSeat(index + 1, hands)),
  );
}

function drawDealer(hand) {
  if (!hand?.cards.length) return [];
  return [el("p", { class: "dealer-name" }, "Dealer"), fan(hand.cards, style), total(hand.total)];
}

function drawSeat(seat, hands) {
  const node = el(
    "li",
    {
      class: "seat",
      "data-empty": !hands.length,
      "data-several": hands.length > 1,
      "data-active": hands.some((hand) => hand.active),
      "data-light": hands.find((hand) => hand.active)?.light ?? hands[0]?.light,
    },
    ...hands.filter((hand) => hand.cards.length).map(drawHand),
    el(
      "p",
      { class: "spot" },
      el("b", {}, String(seat)),
      hands.length ? el("span", {}, hands[0].wager) : null,
    ),
  );
  node.style.setProperty("--seat", seat);
  return node;
}

function drawHand(hand) {
  return el(
    "div",
    { class: "hand", "data-many": hand.cards.length > 5, "data-settled": hand.settled },
    fan(hand.cards, style),
    total(hand.total),
    verdict(hand),
  );
}

function onLive(now) {
  at("lost").hidden = now;
  at("table").dataset.old = String(!now);
}

follow("/events/players", "scene", { onPicture: draw, onLive });
