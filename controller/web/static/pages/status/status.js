// The status page: quiet when all is well; what waits, since when, and who must act.

import { AlarmList } from "../../parts/status/alarm_list.js";
import { send, takeToken } from "../../parts/commands.js";
import { Correction } from "../../parts/correction/correction.js";
import { at, el, redraw, redrawInPlace } from "../../drawing/dom.js";
import { amount, gauge, potOf } from "../../drawing/hands.js";
import { useIndexStyle } from "../../drawing/cards.js";
import { drawLedger, LedgerList } from "../../parts/status/ledger.js";
import { handTable } from "../../drawing/hand_table.js";
import { follow, NO_PLACE } from "../../drawing/live.js";
import { Replay } from "../../parts/status/replay.js";
import { RoundList } from "../../parts/status/round_list.js";
import { AlarmSound } from "../../parts/status/alarm_sound.js";
import { delayOf, drawDirectory } from "../../parts/status/directory.js";
import { DayResults } from "../../parts/status/day_results.js";
import { ChipsPanel } from "../../parts/status/chips_panel.js";
import { LogDownload } from "../../parts/status/log_download.js";
import { themeChoice } from "../../drawing/theme.js";
import { Acknowledgement } from "../../parts/status/acknowledgement.js";
import { span, tick as tickAll } from "../../drawing/elapsed.js";
import { tableTime } from "../../drawing/table_time.js";
import { locale, t } from "../../drawing/words.js";

const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
const dayEnd = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const full = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" });
const TROUBLED = new Set(["held", "safe"]);

const token = takeToken();
const correction = new Correction({
  touch: false,
  send: (command) => send(token, command, view.seq),
  onDone: (number) => replay.open(number, view.words),
});
/** @type {import("../../parts/status/replay.js").OnCorrect} */
const openCorrection = (number, words) => correction.show(number, words, view.roles);
const acknowledgement = new Acknowledgement((command) => send(token, command, view.seq));
const alarms = new AlarmList(token ? (title, key) => acknowledgement.ask(title, key) : null);
const closing = new Acknowledgement((command) => send(token, command, view.seq), t("Close:"));
/** @type {import("../../parts/status/replay.js").OnCall} */
const call = async (round, what) => {
  const answer = await send(token, { do: "happened", what, round }, view.seq);
  return answer.refused;
};
const replay = new Replay(at("replay"), token ? openCorrection : null, call);
const rounds = new RoundList(drawRounds, (number) => replay.open(number, view.words));
const sound = new AlarmSound();
const log = new LogDownload(token);
const results = new DayResults(token);
const sinceList = new LedgerList(at("since-list"));
/** @type {Table.Status} */
let view;
/** Whether a view has come, and when the last one did. */
let drawn = false;
let drawnAt = "";
/** @param {Table.Status} newest */
function draw(newest) {
  view = newest;
  useIndexStyle(view.words);
  drawn = true;
  drawnAt = clock.format(Date.now());
  document.title = `${view.table}: ${view.waiting_for}`;
  document.body.dataset.trouble = String(TROUBLED.has(view.tone));
  at("table").textContent = t("Table {table}", { table: view.table });
  at("game").textContent = view.round ? t("{game}, round {round}", { game: view.game, round: view.round }) : view.game;
  at("simulated").hidden = !view.simulated;
  at("software").textContent = view.software ? `tablectl ${view.software}` : "";
  redraw(at("waiting-for"), view.waiting_for, amount);
  at("waiting-why").textContent = view.why;
  at("who").textContent = view.who;
  at("deals-fact").hidden = !view.deals;
  at("deals").textContent = view.deals;
  at("since-at").textContent = view.since_ms ? t("at {time}", { time: clock.format(view.since_ms) }) : "";
  at("since-at").title = view.since_ms ? full.format(view.since_ms) : "";
  at("pace").textContent = String(view.rounds_per_hour ?? "–");
  at("played").textContent = String(view.rounds_played);
  results.update(view.rounds_played);
  at("rule").textContent = view.rule;
  at("house-loses").hidden = !view.house_loses;
  at("house-loses").textContent = view.house_loses;
  at("edge-note").hidden = !view.edge_note;
  at("edge-note").textContent = view.edge_note;
  at("limits").textContent = view.limits;
  at("notice").hidden = !view.notice.length;
  redraw(at("notice"), view.notice, drawNotice);
  sound.hear(view.alarms);
  at("shoe-state").textContent = view.shoe.state;
  redraw(at("shoe"), view.shoe, gauge);
  redrawInPlace(at("ledger"), view.ledger, (ledger) => drawLedger(ledger, openList));
  redrawInPlace(
    at("alarms"),
    { alarms: view.alarms, holds: view.holds, devices: view.devices, said: view.why },
    (shown) => alarms.draw(shown),
  );
  redraw(at("devices"), view.devices, drawDevices);
  at("directory-panel").hidden = !view.directory;
  at("directory-delay").textContent = delayOf(view.directory);
  at("pins-panel").hidden = !view.wrong_pins.length;
  at("day-panel").hidden = !view.day;
  redraw(at("day"), view.day, drawDay);
  const { hands, words, button, pot } = view;
  const dealer = pot ? null : view.dealer;
  redraw(at("felt"), { hands, dealer, words, button, pot }, drawFelt);
  drawRounds();
  tick();
}

/** The rounds that are listed, by the marks that are asked for. */
function drawRounds() {
  const { rounds: played, seats, words, pot } = view;
  redrawInPlace(at("rounds"), { rounds: played, seats, words, pot, on: rounds.wanted }, (shown) =>
    rounds.draw(shown));
}

function openList() {
  sinceList.open(view.words);
}

function tick() {
  if (!drawn) return;
  at("since").textContent = view.since_ms ? span(tableTime() - view.since_ms) : "–";
  tickAll();
  drawWhatEnds();
}

/** What the passing of time alone changes: a lock-out that is over, a directory that is too old. */
function drawWhatEnds() {
  const now = tableTime();
  const { directory, wrong_pins: pins } = view;
  const old = Boolean(directory && directory.good_until_ms <= now);
  redraw(at("directory"), { directory, old }, (shown) => drawDirectory(shown.directory, shown.old));
  const listed = pins.map((each) => ({ ...each, locked: (each.locked_until_ms ?? 0) > now }));
  redraw(at("pins"), listed, (found) => found.map(drawWrongPins));
}

/**
 * The gaming day, when it is planned to end, and the key that closes it.
 *
 * @param {Table.DayView | null} day
 */
function drawDay(day) {
  if (!day) return [];
  const ends = `${t("{day}, ends {time}", { day: day.label, time: dayEnd.format(day.ends_ms) })} `;
  const key = token ? day.close : null;
  if (!key) return [ends];
  const open = () => closing.ask(t("Gaming day {label}", { label: day.label }), key);
  return [ends, el("button", { class: "small", type: "button", onclick: open }, key.label)];
}

/**
 * What the technician has to know of the configuration: a sentence, and the detail behind it.
 *
 * @param {string[]} notice
 */
function drawNotice([sentence, ...detail]) {
  return [el("summary", {}, sentence), detail.length ? el("pre", {}, detail.join("\n")) : null];
}

/**
 * Wrong PINs for somebody, and the lock-out that they led to, while it lasts.
 *
 * @param {Table.WrongPinsView & { locked: boolean }} found
 */
function drawWrongPins({ who, wrong, at_ms, locked_until_ms, locked }) {
  const count = t("{wrong:wrong PIN|wrong PINs}", { wrong });
  const times = { count, last: clock.format(at_ms), until: clock.format(locked_until_ms ?? 0) };
  return el(
    "li",
    { "data-up": String(!locked) },
    el("i", { "aria-hidden": "true" }, locked ? "▲" : "●"),
    el("b", {}, who || t("Unknown names")),
    el("span", {}, locked_until_ms
      ? t("{count}, locked until {until}, last at {last}", times)
      : t("{count}, last at {last}", times)),
  );
}

/** @param {Table.DeviceView[]} devices */
function drawDevices(devices) {
  if (!devices.length) return el("li", { class: "quiet" }, t("No device has reported yet."));
  return devices.map((each) =>
    el(
      "li",
      { "data-up": String(each.up) },
      el("i", { "aria-hidden": "true" }, each.up ? "●" : "▲"),
      el("b", {}, t(each.name)),
      el("span", {}, each.up ? t("works") : each.why),
    )
  );
}

/** @param {import("../../drawing/hand_table.js").Hands & { pot: string }} shown */
function drawFelt(shown) {
  const pot = shown.pot ? potOf(shown.pot) : null;
  if (shown.hands.length) return [pot, handTable(shown)];
  return [pot, el("p", { class: "quiet" }, t("No bets and no cards on the felt."))];
}

/**
 * @param {boolean} now
 * @param {boolean} noPlace
 */
function onLive(now, noPlace) {
  const node = at("live");
  node.dataset.live = String(now);
  if (noPlace) node.textContent = NO_PLACE;
  else node.textContent = now
    ? t("Live")
    : (drawnAt ? t("Not live: as it was at {time}. Connecting…", { time: drawnAt }) : t("Not live. Connecting…"));
  document.body.dataset.old = String(!now);
  correction.live(now);
}

at("preferences").append(sound.node, themeChoice());
if (token) {
  const open = () => log.ask(view.roles);
  at("log").append(el("button", { class: "small", type: "button", onclick: open }, t("Download the log")));
}
setInterval(tick, 1000);
new ChipsPanel(token);
follow("/events/status", "status", { onView: draw, onLive, token });
