// The status page: quiet when all is well; what waits, since when, and who must act.

import { send, takeToken } from "./commands.js";
import { Correction } from "./correct.js";
import { at, el, redraw } from "./dom.js";
import { amount, gauge, indexStyle, potOf, word } from "./felt.js";
import { drawLedger, LedgerList } from "./ledger.js";
import { feltTable } from "./list.js";
import { follow } from "./live.js";
import { Replay } from "./replay.js";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const OUTCOMES = { Wins: "won", Loses: "lost", Pushes: "push", Surrenders: "surrendered" };
const TROUBLED = new Set(["held", "safe"]);

const style = indexStyle();
const token = takeToken();
const correction = new Correction({
  style,
  touch: false,
  send: (command) => send(token, command, view.seq),
  onDone: (number) => replay.open(number, view.words),
});
const correct = token ? (number, words) => correction.show(number, words) : null;
const replay = new Replay(at("replay"), style, correct);
const sinceList = new LedgerList(at("since-list"));
let view = null;
let seenAt = "";

/** A span of time in the largest two units that say something: 7 s, 3 min 05 s, 2 h 10 min. */
export function span(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (count) => String(count).padStart(2, "0");
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds / 60) % 60)} min`;
}

function draw(picture) {
  view = picture;
  seenAt = clock.format(Date.now());
  document.title = `${view.table}: ${view.waiting_for}`;
  document.body.dataset.trouble = String(TROUBLED.has(view.tone));
  at("table").textContent = `Table ${view.table}`;
  at("game").textContent = view.round ? `${view.game}, round ${view.round}` : view.game;
  at("simulated").hidden = !view.simulated;
  at("software").textContent = view.software ? `tablectl ${view.software}` : "";
  at("waiting-for").textContent = amount(view.waiting_for);
  at("waiting-why").textContent = view.why ?? "";
  at("who").textContent = view.who;
  at("since-at").textContent = view.since_ms ? `at ${clock.format(view.since_ms)}` : "";
  at("since-at").title = view.since_ms ? full.format(view.since_ms) : "";
  at("pace").textContent = view.rounds_per_hour ?? "–";
  at("played").textContent = view.rounds_played;
  at("rule").textContent = view.rule;
  at("limits").textContent = view.limits;
  at("shoe-state").textContent = view.shoe.state;
  redraw(at("shoe"), view.shoe, gauge);
  redraw(at("ledger"), view.ledger, (ledger) => drawLedger(ledger, openList));
  redraw(at("holds"), view.holds, (holds) => holds.map(drawHold));
  redraw(at("devices"), view.devices, drawDevices);
  const { hands, words, button, pot } = view;
  const dealer = pot ? null : view.dealer;
  redraw(at("felt"), { hands, dealer, words, button, pot }, drawFelt);
  redraw(at("rounds"), [view.rounds, view.seats, words, pot], drawRounds);
  tick();
}

function openList() {
  sinceList.open(view.words);
}

function tick() {
  if (!view) return;
  const now = Date.now();
  at("since").textContent = view.since_ms ? span(now - view.since_ms) : "–";
  for (const node of document.querySelectorAll("[data-since]")) {
    node.textContent = span(now - Number(node.dataset.since));
  }
}

function drawHold(hold) {
  return el(
    "li",
    {},
    el("b", {}, `Hold ${hold.number}: ${hold.title}`),
    el("span", {}, hold.text),
    el("span", { class: "quiet" }, "open for ", el("span", { "data-since": hold.since_ms })),
  );
}

function drawDevices(devices) {
  if (!devices.length) return el("li", { class: "quiet" }, "No device has reported yet.");
  return devices.map((each) =>
    el(
      "li",
      { "data-up": String(each.up) },
      el("i", { "aria-hidden": "true" }, each.up ? "●" : "▲"),
      el("b", {}, each.name),
      el("span", {}, each.up ? "works" : each.why),
    )
  );
}

function drawFelt(shown) {
  const pot = shown.pot ? potOf(shown.pot) : null;
  if (shown.hands.length) return [pot, feltTable(shown, style)];
  return [pot, el("p", { class: "quiet" }, "No bets and no cards on the felt.")];
}

function drawRounds([rounds, seats, words, pot]) {
  if (!rounds.length) {
    const text = "No round has been played yet. The last ten will be listed here, to be replayed.";
    return el("p", { class: "quiet" }, text);
  }
  const numbers = Array.from({ length: seats }, (_, index) => index + 1);
  const head = [
    "Round",
    "Began",
    "Took",
    ...numbers.map((each) => `${word(words, "seat")} ${each}`),
    // In a pot, what one player wins the others lose.
    ...(pot ? [] : ["Players’ net"]),
    "",
  ];
  return el(
    "table",
    { class: "list" },
    el("thead", {}, el("tr", {}, ...head.map((each) => el("th", { scope: "col" }, each)))),
    el("tbody", {}, ...rounds.map((round) => drawRound(round, numbers, pot, words))),
  );
}

function drawRound(round, numbers, pot, words) {
  const open = () => replay.open(round.number, words);
  const label = `Replay round ${round.number}`;
  const net = el("td", { class: "number" }, round.void ? "void" : amount(round.net));
  return el(
    "tr",
    { "data-round": round.number, onclick: open },
    el("th", { scope: "row" }, String(round.number)),
    el("td", { title: full.format(round.started_ms) }, clock.format(round.started_ms)),
    el("td", {}, round.ended_ms ? span(round.ended_ms - round.started_ms) : "in play"),
    ...numbers.map((seat) => drawOutcomes(round.seats.filter((each) => each.seat === seat))),
    pot ? null : net,
    el("td", {}, el("button", { class: "small", type: "button", "aria-label": label }, "Replay")),
  );
}

/** How each wager of a seat did, in a word, and what moved; the wager is told on pointing at it. */
function drawOutcomes(results) {
  const known = results.filter((each) => each.outcome);
  return el("td", { class: "outcomes" }, ...known.map(drawOutcome));
}

function drawOutcome({ wager, outcome, net }) {
  const told = OUTCOMES[outcome] ?? outcome;
  return el(
    "p",
    { title: `wager ${wager}`, "data-outcome": told },
    `${told} `,
    el("small", {}, amount(net)),
  );
}

function onLive(now) {
  const node = at("live");
  node.dataset.live = String(now);
  node.textContent = now
    ? "Live"
    : `Not live${seenAt ? `: as it was at ${seenAt}` : ""}. Connecting…`;
  document.body.dataset.old = String(!now);
  correction.live(now);
}

setInterval(tick, 1000);
follow("/events/status", "status", { onPicture: draw, onLive });
