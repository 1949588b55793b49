// The status page: quiet when all is well; what waits, since when, and who must act.

import { badges, filterKeys } from "../parts/badges.js";
import { send, takeToken } from "../parts/commands.js";
import { Correction } from "../parts/correction.js";
import { at, el, redraw } from "../drawing/dom.js";
import { amount, gauge, potOf, word } from "../drawing/hands.js";
import { useIndexStyle } from "../drawing/cards.js";
import { drawLedger, LedgerList } from "../parts/ledger.js";
import { handTable } from "../drawing/hand_table.js";
import { follow } from "../drawing/live.js";
import { Replay } from "../parts/replay.js";
import { AlarmSound } from "../parts/alarm_sound.js";
import { LogDownload } from "../parts/log_download.js";
import { themeChoice } from "../drawing/theme.js";
import { Acknowledgement } from "../parts/acknowledgement.js";
import { since, span, tick as tickAll } from "../drawing/elapsed.js";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const dayEnd = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
/** @type {Record<string, string>} */
const OUTCOMES = { Wins: "won", Loses: "lost", Pushes: "push", Surrenders: "surrendered" };
const TROUBLED = new Set(["held", "safe"]);

const token = takeToken();
const correction = new Correction({
  touch: false,
  send: (command) => send(token, command, view.seq),
  onDone: (number) => replay.open(number, view.words),
});
/** @type {import("../parts/replay.js").OnCorrect} */
const openCorrection = (number, words) => correction.show(number, words, view.roles);
const acknowledgement = new Acknowledgement((command) => send(token, command, view.seq));
const closing = new Acknowledgement((command) => send(token, command, view.seq), "Close:");
/** @type {import("../parts/replay.js").OnCall} */
const call = async (round, what) => {
  const answer = await send(token, { do: "happened", what, round }, view.seq);
  return answer.refused;
};
const replay = new Replay(at("replay"), token ? openCorrection : null, call);
const sound = new AlarmSound();
const log = new LogDownload(token);
const sinceList = new LedgerList(at("since-list"));
/** @type {Table.Status} */
let view;
/** Whether a view has come, and when the last one did. */
let drawn = false;
let drawnAt = "";
/**
 * The marks that a round has to have to be listed; empty: all are.
 *
 * @type {Set<string>}
 */
const wanted = new Set();

/** @param {Table.Status} newest */
function draw(newest) {
  view = newest;
  useIndexStyle(view.words);
  drawn = true;
  drawnAt = clock.format(Date.now());
  document.title = `${view.table}: ${view.waiting_for}`;
  document.body.dataset.trouble = String(TROUBLED.has(view.tone));
  at("table").textContent = `Table ${view.table}`;
  at("game").textContent = view.round ? `${view.game}, round ${view.round}` : view.game;
  at("simulated").hidden = !view.simulated;
  at("software").textContent = view.software ? `tablectl ${view.software}` : "";
  at("waiting-for").textContent = amount(view.waiting_for);
  at("waiting-why").textContent = view.why;
  at("who").textContent = view.who;
  at("since-at").textContent = view.since_ms ? `at ${clock.format(view.since_ms)}` : "";
  at("since-at").title = view.since_ms ? full.format(view.since_ms) : "";
  at("pace").textContent = String(view.rounds_per_hour ?? "–");
  at("played").textContent = String(view.rounds_played);
  at("rule").textContent = view.rule;
  at("limits").textContent = view.limits;
  at("notice").hidden = !view.notice;
  redraw(at("notice"), view.notice, drawNotice);
  sound.hear(view.alarms);
  at("shoe-state").textContent = view.shoe.state;
  redraw(at("shoe"), view.shoe, gauge);
  redraw(at("ledger"), view.ledger, (ledger) => drawLedger(ledger, openList));
  redraw(
    at("alarms"),
    { alarms: view.alarms, holds: view.holds, devices: view.devices },
    ({ alarms, holds, devices }) => alarms.map((each) => drawAlarm(each, holds, devices)),
  );
  redraw(at("devices"), view.devices, drawDevices);
  at("pins-panel").hidden = !view.wrong_pins.length;
  redraw(at("pins"), view.wrong_pins, (found) => found.map(drawWrongPins));
  at("day-panel").hidden = !view.day;
  redraw(at("day"), view.day, drawDay);
  const { hands, words, button, pot } = view;
  const dealer = pot ? null : view.dealer;
  redraw(at("felt"), { hands, dealer, words, button, pot }, drawFelt);
  const on = [...wanted];
  redraw(at("rounds"), { rounds: view.rounds, seats: view.seats, words, pot, on }, drawRounds);
  tick();
}

function openList() {
  sinceList.open(view.words);
}

function tick() {
  if (!drawn) return;
  at("since").textContent = view.since_ms ? span(Date.now() - view.since_ms) : "–";
  tickAll();
}

/**
 * Something that is wrong: what, whom it calls, since when, and the key that acknowledges it.
 *
 * @param {Table.AlarmView} alarm
 * @param {Table.OpenHold[]} holds
 * @param {Table.DeviceView[]} devices
 */
function drawAlarm(alarm, holds, devices) {
  /** @type {Record<string, () => string | undefined>} */
  const about = {
    hold: () => holds.find((each) => String(each.number) === alarm.about)?.text,
    device: () => devices.find((each) => each.name === alarm.about)?.why,
    pack: () => "Count it card by card, or take another one.",
  };
  const key = token ? alarm.key : null;
  const held = alarm.trouble === "hold" && holds.find((each) => String(each.number) === alarm.about);
  const owed = held ? held.owed : [];
  return el(
    "li",
    { "data-level": alarm.level, "data-heard": String(alarm.heard) },
    el(
      "p",
      { class: "alarm-what" },
      el("b", {}, alarm.trouble === "hold" ? `Hold ${alarm.about}: ${alarm.title}` : alarm.title),
      owed.length ? null : el("span", {}, about[alarm.trouble]()),
    ),
    owed.length ? el("ul", { class: "owed" }, ...owed.map((each) => el("li", {}, amount(each)))) : null,
    el(
      "p",
      { class: "alarm-calls" },
      el("em", {}, alarm.text),
      el("span", { class: "quiet" }, "for ", since(alarm.since_ms)),
      key ? drawAcknowledge(alarm.title, key) : null,
    ),
  );
}

/**
 * @param {string} title
 * @param {Table.Key} key
 */
function drawAcknowledge(title, key) {
  const open = () => acknowledgement.ask(title, key);
  const name = `Seen: ${title}`;
  const button = { class: "small", type: "button", "aria-label": name, onclick: open };
  return el("button", button, key.label);
}

/**
 * The gaming day, when it is planned to end, and the key that closes it.
 *
 * @param {Table.DayView | null} day
 */
function drawDay(day) {
  if (!day) return [];
  const ends = `${day.label}, ends ${dayEnd.format(day.ends_ms)} `;
  const key = token ? day.close : null;
  if (!key) return [ends];
  const open = () => closing.ask(`Gaming day ${day.label}`, key);
  return [ends, el("button", { class: "small", type: "button", onclick: open }, key.label)];
}

/**
 * What the technician has to know of the configuration: a sentence, and the detail behind it.
 *
 * @param {string} notice
 */
function drawNotice(notice) {
  const [sentence, ...detail] = notice.split("\n");
  return [el("summary", {}, sentence), detail.length ? el("pre", {}, detail.join("\n")) : null];
}

/**
 * Wrong PINs for somebody, and the lock-out that they led to.
 *
 * @param {Table.WrongPinsView} found
 */
function drawWrongPins({ who, wrong, at_ms, locked_until_ms }) {
  const count = wrong === 1 ? "1 wrong PIN" : `${wrong} wrong PINs`;
  const locked = locked_until_ms ? `, locked until ${clock.format(locked_until_ms)}` : "";
  return el(
    "li",
    { "data-up": String(!locked_until_ms) },
    el("i", { "aria-hidden": "true" }, locked_until_ms ? "▲" : "●"),
    el("b", {}, who || "Unknown names"),
    el("span", {}, `${count}${locked}, last at ${clock.format(at_ms)}`),
  );
}

/** @param {Table.DeviceView[]} devices */
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

/** @param {import("../drawing/hand_table.js").Hands & { pot: string }} shown */
function drawFelt(shown) {
  const pot = shown.pot ? potOf(shown.pot) : null;
  if (shown.hands.length) return [pot, handTable(shown)];
  return [pot, el("p", { class: "quiet" }, "No bets and no cards on the felt.")];
}

/** @param {Pick<Table.Status, "rounds" | "seats" | "words" | "pot"> & { on: string[] }} played */
function drawRounds({ rounds, seats, words, pot, on }) {
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
  const there = new Set(rounds.flatMap((round) => round.badges.map((each) => each.mark)));
  const listed = rounds.filter((round) =>
    on.every((mark) => round.badges.some((each) => each.mark === mark))
  );
  const keys = filterKeys(new Set([...there, ...on]), wanted, () => draw(view));
  if (!listed.length) return [keys, el("p", { class: "quiet" }, "No such round among the last ten.")];
  return [
    keys,
    el(
      "table",
      { class: "list" },
      el("thead", {}, el("tr", {}, ...head.map((each) => el("th", { scope: "col" }, each)))),
      el("tbody", {}, ...listed.flatMap((round) => drawRound(round, numbers, pot, words))),
    ),
  ];
}

/**
 * @param {Table.RoundSummary} round
 * @param {number[]} numbers
 * @param {string} pot
 * @param {Table.GameWords} words
 */
function drawRound(round, numbers, pot, words) {
  const open = () => replay.open(round.number, words);
  const label = `Replay round ${round.number}`;
  const net = el("td", { class: "number" }, round.void ? "void" : amount(round.net));
  const noticed = el("td", { colspan: numbers.length + 5 }, badges(round.badges));
  const row = el(
    "tr",
    { "data-round": round.number, onclick: open },
    el("th", { scope: "row" }, String(round.number)),
    el("td", { title: full.format(round.started_ms) }, clock.format(round.started_ms)),
    el("td", {}, round.ended_ms ? span(round.ended_ms - round.started_ms) : "in play"),
    ...numbers.map((seat) => drawOutcomes(round.seats.filter((each) => each.seat === seat))),
    pot ? null : net,
    el("td", {}, el("button", { class: "small", type: "button", "aria-label": label }, "Replay")),
  );
  return round.badges.length ? [row, el("tr", { class: "noticed", onclick: open }, noticed)] : [row];
}

/**
 * How each wager of a seat did, in a word, and what moved; pointing at it shows the wager.
 *
 * @param {Table.SeatResult[]} results
 */
function drawOutcomes(results) {
  const known = results.filter((each) => each.outcome);
  return el("td", { class: "outcomes" }, ...known.map(drawOutcome));
}

/** @param {Table.SeatResult} result */
function drawOutcome({ wager, outcome, net }) {
  const name = OUTCOMES[outcome] ?? outcome;
  return el(
    "p",
    { title: `wager ${wager}`, "data-outcome": name },
    `${name} `,
    el("small", {}, amount(net)),
  );
}

/** @param {boolean} now */
function onLive(now) {
  const node = at("live");
  node.dataset.live = String(now);
  node.textContent = now
    ? "Live"
    : `Not live${drawnAt ? `: as it was at ${drawnAt}` : ""}. Connecting…`;
  document.body.dataset.old = String(!now);
  correction.live(now);
}

at("preferences").append(sound.node, themeChoice());
if (token) {
  const open = () => log.ask(view.roles);
  at("log").append(el("button", { class: "small", type: "button", onclick: open }, "Download the log"));
}
setInterval(tick, 1000);
follow("/events/status", "status", { onView: draw, onLive, token });
