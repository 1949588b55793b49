// Hands, seats and the shoe gauge, as every page shows them.

import { card } from "./cards.js";
import { el } from "./dom.js";

/** The index style of the cards in use: `?index=anglo` for decks with A, K, Q, J. */
export function indexStyle() {
  return new URLSearchParams(location.search).get("index") === "anglo" ? "anglo" : "finnish";
}

/** An amount as people write it: a true minus sign. */
export function amount(text) {
  return text.replace(/^-/, "−");
}

/** The cards of a hand, the later ones over the earlier ones so that every index shows. */
export function fan(cards, style, face = "plain") {
  const node = el("div", { class: "fan" });
  node.style.setProperty("--cards", cards.length);
  const drawn = cards.map((each, at) => {
    const one = card(each.code, { style, face });
    one.style.setProperty("--at", at);
    return one;
  });
  node.append(...drawn);
  return node;
}

/** "hard 13" as its number, large, and its word. */
export function total(text) {
  const [, word, number] = /^(.*?)\s*(\d+)$/.exec(text) ?? [null, "", text];
  return el(
    "p",
    { class: "total", "data-bust": word === "bust" },
    el("span", { class: "total-word" }, word),
    " ",
    el("b", {}, number),
  );
}

const RESULTS = { Wins: "won", Loses: "lost", Pushes: "push" };

/** What a hand says under its total: its result and what moved, or its state in a word. */
export function verdict(hand) {
  if (!hand.result) return el("p", { class: "verdict" }, hand.note);
  const moved = hand.result === "Pushes" ? "" : amount(hand.net);
  return el(
    "p",
    { class: "verdict", "data-result": RESULTS[hand.result] },
    `${hand.result} `,
    el("b", {}, moved),
  );
}

/** The shoe: cards gone, the cut mark, and the numbers in words. */
export function gauge(shoe) {
  if (!shoe.size) return el("div", { class: "gauge" });
  const words = `${shoe.gone} of ${shoe.size} gone, cut at ${shoe.cut}`;
  const track = el(
    "div",
    { class: "gauge-track", role: "img", "aria-label": `Shoe: ${words}` },
    el("i", { class: "gauge-gone" }),
    el("i", { class: "gauge-cut" }),
  );
  track.style.setProperty("--gone", shoe.gone / shoe.size);
  track.style.setProperty("--cut", shoe.cut / shoe.size);
  return el(
    "div",
    { class: "gauge", "data-due": shoe.due },
    el("span", { class: "gauge-name" }, `Shoe ${shoe.number || ""}`),
    track,
    el("span", { class: "gauge-words" }, shoe.due ? `${words}: ${shoe.state}` : words),
  );
}

/** The hands of each seat of the table, an empty list where nobody plays; `[0]` is seat 1. */
export function bySeat(hands, seats) {
  return Array.from({ length: seats }, (_, at) => hands.filter((each) => each.seat === at + 1));
}

/** The felt as a table of rows, the dealer's first: seat, wager, cards, total, how it stands. */
export function feltTable(hands, dealer, style) {
  const head = ["Seat", "Wager", "Cards", "Total", "State"];
  const rows = [dealer, ...hands].filter((each) => each).map((each) => feltRow(each, style));
  return el(
    "table",
    { class: "list felt-table" },
    el("thead", {}, el("tr", {}, ...head.map((each) => el("th", { scope: "col" }, each)))),
    el("tbody", {}, ...rows),
  );
}

function feltRow(hand, style) {
  const name = hand.seat ? `${hand.seat}${hand.hand > 1 ? `, hand ${hand.hand}` : ""}` : "Dealer";
  const cards = hand.cards.map((each) => card(each.code, { style, face: "plain" }));
  const state = hand.result ? verdict(hand) : hand.active ? "in turn" : hand.note;
  return el(
    "tr",
    { "data-active": hand.active },
    el("th", { scope: "row" }, name),
    el("td", { class: "number" }, hand.wager),
    el("td", {}, el("div", { class: "row-cards" }, ...cards)),
    el("td", {}, hand.total),
    el("td", {}, state),
  );
}
