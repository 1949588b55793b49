// The dealer display: lays out the view that the table sends, and sends what is pressed.

import { Aim } from "../../parts/aim.js";
import { takeToken } from "../../parts/commands.js";
import {
  drawCall,
  drawKey,
  drawLine,
  drawPlace,
  drawSeat,
  drawSentence,
  drawTrouble,
  drawVersus,
  isBeside,
  versusOf,
} from "../../parts/dealer_display.js";
import { Correction } from "../../parts/correction/correction.js";
import { at, atKind, el, redraw } from "../../drawing/dom.js";
import { bySeat, gauge } from "../../drawing/hands.js";
import { useIndexStyle } from "../../drawing/cards.js";
import { toneIcon, toneWord } from "../../drawing/tone_icons.js";
import { follow, NO_PLACE } from "../../drawing/live.js";
import { clockText, Countdown } from "../../drawing/table_time.js";
import { fit, layKeys } from "../../parts/dealer_room.js";
import { Dialogs } from "../../parts/questions/dialogs.js";
import { betsOpen, KeyQuestions } from "../../parts/questions/key_questions.js";
import { tick } from "../../drawing/elapsed.js";
import { Sender } from "../../parts/sender.js";
import { noMenuByTouch, pressByTouch } from "../../parts/touch.js";
import { t } from "../../drawing/words.js";

/** @typedef {Table.DealerView} View */
/** @typedef {import("../../parts/commands.js").AnyCommand} AnyCommand */

/** With more seats than these, each has room for the essential only. */
const ROOMY_SEATS = 7;
/** With more keys than these, the letter stands over the word. */
const ROOMY_KEYS = 3;
const token = takeToken();
const sender = new Sender(token);
const dialogs = new Dialogs(atKind("dialog", HTMLDialogElement));
const correction = new Correction({
  touch: true,
  send: (command) => post(command),
  onDone: () => {},
});
/** @type {View} */
let view;
/** Whether a view has come. */
let drawn = false;
let live = false;
/**
 * The round at which the line was lost, until it is back.
 *
 * @type {View["round"] | null}
 */
let lostIn = null;
let answer = "";
/**
 * What the last press has done, while that `stands`; `shown`: a view came in which it does.
 *
 * @type {{ text: string, stands: (view: View) => boolean, shown: boolean } | null}
 */
let noted = null;
const aim = new Aim();
const questions = new KeyQuestions({
  dialogs,
  correction,
  view: () => view,
  act,
  post: (command) => post(command),
  refused: (text) => {
    answer = text;
    showLine();
  },
  done: (text, stands) => {
    noted = { text, stands, shown: false };
    showLine();
  },
});

/**
 * The keys that may be pressed now, and the one that makes an alarm quiet.
 *
 * @param {View} shown
 */
function allKeysOf(shown) {
  const quiet = shown.alarm?.key;
  return quiet ? [...shown.keys, quiet] : shown.keys;
}

/**
 * Whether two views show the same, by whatever record and when: the answer to a press stands as
 * long as they do.
 *
 * @param {View} one
 * @param {View} two
 */
function sameShown(one, two) {
  /** @param {View} either */
  const picture = (either) => JSON.stringify({ ...either, seq: 0, at_ms: 0 });
  return picture(one) === picture(two);
}

/** @param {View} shown */
function spotsOpen(shown) {
  return Boolean(token) && betsOpen(shown);
}

// Drawing

/**
 * Draws a view over the one before.
 *
 * @param {View} newest
 */
export function draw(newest) {
  if (drawn) aim.changed(view, newest);
  if (drawn && !sameShown(view, newest)) answer = "";
  view = newest;
  drawn = true;
  useIndexStyle(view.words);
  dialogs.joker = view.words.joker;
  document.body.dataset.tone = view.tone;
  document.body.dataset.held = String(view.holds.length > 0);
  document.title = t("{headline} · Dealer display", { headline: view.headline });
  const marks = [
    view.dummy ? t("No bets: dummy round") : "",
    view.simulated ? t("Simulated table") : "",
    token ? "" : t("View only: no token"),
  ].filter((each) => each);
  redraw(at("place"), { game: view.game, round: view.round, marks }, drawPlace);
  const down = view.devices.filter((each) => !each.up);
  // Not `:has(.trouble:not(:empty))`: WebKit does not notice that an element is empty no more.
  document.body.dataset.deviceDown = String(down.length > 0);
  redraw(at("trouble"), down, drawTrouble);
  redraw(at("shoe"), view.shoe, gauge);
  redraw(at("tone"), view.tone, (tone) => [
    toneIcon(tone),
    el("span", {}, toneWord(tone)),
    el("b", { id: "clock", class: "clock", role: "timer" }),
  ]);
  countdown.show(view.window);
  redraw(
    at("versus"),
    { hands: versusOf(view), pot: view.pot, words: view.words },
    (shown) => drawVersus(shown),
  );
  const { lead, detail, choices, why, bonus, holds } = view;
  redraw(at("sentence"), { lead, detail, choices, why, bonus, holds }, drawSentence);
  redraw(
    at("seats"),
    {
      hands: bySeat(view.hands, view.seats),
      open: spotsOpen(view),
      button: view.button,
      asked: view.holds.length ? view.seat : null,
      spots: view.spots,
      players: view.players,
    },
    ({ hands: ofSeats, open, button, asked, spots, players }) =>
      ofSeats.map((hands, index) =>
        drawSeat(index + 1, hands, {
          deals: index + 1 === button,
          asked: index + 1 === asked,
          onBet: open ? (seat) => questions.askBet(seat) : null,
          spot: spots.find((each) => each.seat === index + 1),
          player: players.find((each) => each.seat === index + 1),
        })
      ),
  );
  at("seats").dataset.crowded = String(view.seats > ROOMY_SEATS);
  showLine();
  showCall();
  showKeys();
  // After a lost line a seat may be asked for its bet again, in another round: that is another question.
  const sameRound = lostIn === null || lostIn === view.round;
  dialogs.keepIf((owner) => sameRound && questions.stillAsked(owner, allKeysOf(view)));
  fit();
  document.body.dataset.seq = String(view.seq);
}

/** How long players at a distance have still, below the sign; nothing where no clock is set. */
const countdown = new Countdown((shown, seconds) => {
  const [number, unit] = clockText(seconds).split(" ");
  at("clock").replaceChildren(
    ...(shown ? [el("span", { class: "clock-number", "data-long": !unit }, number), unit ? ` ${unit}` : ""] : []),
  );
  at("clock").dataset.stands = String(shown !== null && shown.left_ms !== null);
});

function showLine() {
  const refusal = answer || view.refusal;
  const { rule, why } = view;
  // Before the first bet the sentence says them.
  const limits = why === view.limits ? "" : view.limits;
  const done = view.done || view.note || notedNow();
  redraw(at("line"), { refusal, done, rule, limits }, drawLine);
  at("line").dataset.refused = String(Boolean(refusal));
  at("line").dataset.done = String(Boolean(done) && !refusal);
}

/** What the last press has done: said once a view shows it, until one does not any more. */
function notedNow() {
  if (!noted) return "";
  const stands = noted.stands(view);
  if (noted.shown && !stands) noted = null;
  else noted.shown = stands;
  return stands && noted ? noted.text : "";
}

/** Who is called, and the key that says it was heard. */
function showCall() {
  const { alarm } = view;
  const { called, quiet } = { called: at("call"), quiet: at("quiet") };
  called.hidden = !alarm;
  called.dataset.level = String(alarm && !alarm.heard ? alarm.level : 0);
  redraw(called, alarm, (shown) => (shown ? drawCall(shown) : []));
  redraw(quiet, alarm?.key ?? null, (key) => (key ? drawKey(key, !token, (each) => questions.press(each)) : []));
}

function showKeys() {
  const { keys } = view;
  const plays = keys.filter((each) => each.command.do !== "call_floor");
  const next = plays.filter((each) => !isBeside(each));
  const hint = next.length || (plays.length && view.holds.length) ? "" : whatToDo();
  redraw(at("keys"), { keys, hint }, (shown) => [
    shown.hint ? el("p", { class: "keys-none" }, shown.hint) : null,
    ...shown.keys.map((each) => drawKey(each, !token, (key) => questions.press(key))),
  ]);
  at("happened").hidden = !token || !view.happened.length;
  at("keys").dataset.only = String(next.length === 1);
  at("keys").dataset.many = String(plays.length > ROOMY_KEYS);
  layKeys(plays, hint ? 1 : 0);
}

/** What stands where the keys would be when there are none. */
function whatToDo() {
  if (spotsOpen(view)) return t("Touch a seat, or press its number, to place a bet.");
  if (view.phase === "betting") return t("No bets are placed yet.");
  return t("No key is needed: draw the card.");
}

// Pressing

/**
 * Sends a command, one at a time, with the view that it was made on; answers whether it was taken.
 *
 * @param {AnyCommand} command
 */
async function act(command) {
  if (!live || !token) return false;
  const sent = await sender.inTurn(command, aim.seqOf(command, view));
  if (!sent) return false;
  noted = null;
  answer = sent.refused;
  showLine();
  return !answer;
}

/**
 * Sends a command, one at a time.
 *
 * @param {AnyCommand} command
 * @param {number} [viewSeq]
 */
function post(command, viewSeq = view.seq) {
  return sender.post(command, viewSeq);
}

/** @param {KeyboardEvent} event */
function typed(event) {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!live || !drawn || !token || dialogs.open || correction.open) return;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const key = allKeysOf(view).find((each) => each.key === pressed);
  const seat = Number(event.key) || (event.key === "0" ? 10 : 0);
  if (key) questions.press(key);
  else if (pressed === "?" && view.happened.length) questions.askHappened();
  else if (spotsOpen(view) && seat >= 1 && seat <= view.seats) questions.askBet(seat);
  else return;
  event.preventDefault();
}

/**
 * @param {boolean} now
 * @param {boolean} noPlace
 */
function onLive(now, noPlace) {
  live = now;
  at("lost").hidden = now;
  at("lost-text").textContent = noPlace ? NO_PLACE : t("Do not rely on it. Connecting again…");
  at("table").inert = !now;
  if (now) {
    lostIn = null;
    dialogs.resume();
  } else {
    lostIn ??= drawn ? view.round : null;
    dialogs.setAside();
  }
  correction.live(now);
}

addEventListener("keydown", typed);
pressByTouch(() => {
  if (!live || !drawn || !token) return;
  answer = t("Two keys were touched at once, and none was pressed: press one.");
  showLine();
});
noMenuByTouch();
at("happened").addEventListener("click", () => questions.askHappened());
setInterval(tick, 1000);
addEventListener("resize", () => {
  if (!drawn) return;
  showKeys();
  fit();
});
follow("/events/dealer", "scene", { onView: draw, onLive, token });
