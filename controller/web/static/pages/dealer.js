// The dealer display: lays out the view that the table sends, and sends what is pressed.

import { send, takeToken } from "../parts/commands.js";
import {
  drawCall,
  drawKey,
  drawLine,
  drawPlace,
  drawSeat,
  drawSentence,
  drawTrouble,
  drawVersus,
  versusOf,
} from "../parts/dealer_display.js";
import { whoOf } from "../parts/authorization.js";
import { Correction } from "../parts/correction.js";
import { at, atKind, el, redraw } from "../drawing/dom.js";
import { bySeat, gauge, word } from "../drawing/hands.js";
import { useIndexStyle } from "../drawing/cards.js";
import { toneIcon, toneWord } from "../drawing/tone_icons.js";
import { follow } from "../drawing/live.js";
import { amountText } from "../parts/amount_pad.js";
import { keepEssentials } from "../parts/essentials.js";
import { cardText } from "../parts/card_picker.js";
import { Dialogs } from "../parts/dialogs.js";
import { tick } from "../drawing/elapsed.js";

/** @typedef {Table.DealerView} View */
/** @typedef {import("../parts/commands.js").AnyCommand} AnyCommand */
/** @typedef {import("../parts/dialogs.js").Owner} Owner */

/** A press so soon after the keys changed was aimed at the view before: nobody reads faster. */
const REACTION_MS = 150;
const LEAST_FIT = 0.3;
/** As in the style: a screen such as a panel PC's. */
const small = matchMedia("(max-width: 1199px), (max-height: 679px)");
/** With more seats than these, each has room for the essential only. */
const ROOMY_SEATS = 7;
/** A key with more letters than these says a sentence. */
const WORD_CHARS = 13;
/** With more keys than these, the letter stands over the word. */
const ROOMY_KEYS = 3;
/** So many keys stand in one row: words, and sentences, on a large screen and on a small one. */
const IN_A_ROW = { large: { words: 7, sentences: 4 }, small: { words: 5, sentences: 3 } };
/** What the dialog is about on which people say what happened. */
const HAPPENED = "happened";

/**
 * What a number of cards is asked for, and by which name it is sent.
 *
 * @type {Record<string, { field: string, title: string, of: string }>}
 */
const COUNTED = {
  load_pack: { field: "counted", title: "How many cards has the pack?", of: "in all" },
  cut: { field: "at", title: "After how many cards is the cut card?", of: "before it" },
  close_shoe: { field: "left", title: "How many cards are left?", of: "left" },
  resolve: { field: "cards", title: "How many cards did you count?", of: "counted" },
};

const token = takeToken();
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
let sending = false;
let answer = "";
let before = { seq: 0, until: 0 };

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
 * Whether two views show the same: the answer to a press stands as long as they do.
 *
 * @param {View} one
 * @param {View} two
 */
function sameShown(one, two) {
  return JSON.stringify({ ...one, seq: 0 }) === JSON.stringify({ ...two, seq: 0 });
}

/** @param {View} shown */
function spotsOpen(shown) {
  return Boolean(token) && shown.phase === "betting" && !shown.holds.length;
}

/**
 * Whether what can be pressed is the same in two views.
 *
 * @param {View} one
 * @param {View} two
 */
function samePresses(one, two) {
  /** @param {View} shown */
  const presses = (shown) => JSON.stringify([shown.keys, spotsOpen(shown)]);
  return presses(one) === presses(two);
}

// Drawing

/**
 * Draws a view over the one before.
 *
 * @param {View} newest
 */
export function draw(newest) {
  if (drawn && !samePresses(view, newest)) {
    before = { seq: view.seq, until: performance.now() + REACTION_MS };
  }
  if (drawn && !sameShown(view, newest)) answer = "";
  view = newest;
  drawn = true;
  useIndexStyle(view.words);
  dialogs.joker = view.words.joker;
  document.body.dataset.tone = view.tone;
  document.body.dataset.held = String(view.holds.length > 0);
  document.title = `${view.headline} · Dealer display`;
  const marks = [
    view.dummy ? "No bets: dummy round" : "",
    view.simulated ? "Simulated table" : "",
    token ? "" : "View only: no token",
  ].filter((each) => each);
  redraw(at("place"), { game: view.game, round: view.round, marks }, drawPlace);
  redraw(at("trouble"), view.devices.filter((each) => !each.up), drawTrouble);
  redraw(at("shoe"), view.shoe, gauge);
  redraw(at("tone"), view.tone, (tone) => [toneIcon(tone), el("span", {}, toneWord(tone))]);
  redraw(
    at("versus"),
    { hands: versusOf(view), pot: view.pot, words: view.words },
    (shown) => drawVersus(shown),
  );
  const { lead, detail, choices, why, bonus, holds } = view;
  redraw(at("sentence"), { lead, detail, choices, why, bonus, holds }, drawSentence);
  redraw(
    at("seats"),
    { hands: bySeat(view.hands, view.seats), open: spotsOpen(view), button: view.button },
    ({ hands: ofSeats, open, button }) =>
      ofSeats.map((hands, index) =>
        drawSeat(index + 1, hands, {
          deals: index + 1 === button,
          onBet: open ? askBet : null,
        })
      ),
  );
  at("seats").dataset.crowded = String(view.seats > ROOMY_SEATS);
  showLine();
  showCall();
  showKeys();
  dialogs.keepIf(stillOffered);
  fit();
  document.body.dataset.seq = String(view.seq);
}

function showLine() {
  const refusal = answer || view.refusal;
  const { rule, limits, done } = view;
  redraw(at("line"), { refusal, done, rule, limits }, drawLine);
  at("line").dataset.refused = String(Boolean(refusal));
  at("line").dataset.done = String(Boolean(done) && !refusal);
}

/** Who is called, and the key that says it was heard. */
function showCall() {
  const { alarm } = view;
  const { called, quiet } = { called: at("call"), quiet: at("quiet") };
  called.hidden = !alarm;
  called.dataset.level = String(alarm && !alarm.heard ? alarm.level : 0);
  redraw(called, alarm, (shown) => (shown ? drawCall(shown) : []));
  redraw(quiet, alarm?.key ?? null, (key) => (key ? drawKey(key, !token, press) : []));
}

function showKeys() {
  const { keys } = view;
  const plays = keys.filter((each) => each.command.do !== "call_floor");
  redraw(at("keys"), { keys, hint: whatToDo() }, (shown) => [
    plays.length ? null : el("p", { class: "keys-none" }, shown.hint),
    ...shown.keys.map((each) => drawKey(each, !token, press)),
  ]);
  at("happened").hidden = !token || !view.happened.length;
  at("keys").dataset.only = String(plays.length === 1);
  at("keys").dataset.many = String(plays.length > ROOMY_KEYS);
  layKeys(plays);
}

/**
 * In one row or two, by how many there are and how much they say.
 *
 * @param {Table.Key[]} plays
 */
function layKeys(plays) {
  const long = plays.some((each) => each.label.length > WORD_CHARS);
  const most = IN_A_ROW[small.matches ? "small" : "large"][long ? "sentences" : "words"];
  const rows = plays.length > most ? 2 : 1;
  at("keys").dataset.long = String(long);
  at("bottom").dataset.rows = String(rows);
  at("bottom").style.setProperty("--columns", String(Math.max(1, Math.ceil(plays.length / rows))));
}

/** What stands where the keys would be when there are none. */
function whatToDo() {
  if (spotsOpen(view)) return "Touch a seat, or press its number, to place a bet.";
  if (view.phase === "betting") return "No bets are placed yet.";
  return "No key is needed: draw the card.";
}

/** Makes the sentence as large as its room allows, and leaves out at the seats what has none. */
function fit() {
  fitSentence();
  keepEssentials(at("seats"));
}

/** The sentence is never smaller than the page's least; before it would be, the hands beside it go. */
function fitSentence() {
  const room = at("sentence");
  for (const tight of ["false", "true"]) {
    at("table").dataset.tight = tight;
    for (let size = 1; size > LEAST_FIT; size -= 0.05) {
      room.style.setProperty("--fit", size.toFixed(2));
      if (room.scrollHeight <= room.clientHeight && room.scrollWidth <= room.clientWidth) return;
    }
  }
}

// Pressing

/**
 * Whether a dialog's question is still asked: about a seat's bet, or a command with a gap.
 *
 * @param {Owner} owner
 */
function stillOffered(owner) {
  if (owner === HAPPENED) return view.happened.length > 0;
  if (typeof owner === "number") return spotsOpen(view) && owner <= view.seats;
  const same = JSON.stringify(owner);
  return allKeysOf(view).some((each) => JSON.stringify(each.command) === same);
}

/** @param {Table.Key} key */
function press(key) {
  const { command, label, needs } = key;
  if (needs === "card") {
    dialogs.askCard(label, command, {
      onNamed: (card) => name({ ...command, card }),
      onCard: (card) => authorize(key, { ...command, card }),
    });
  } else if (needs === "amount") {
    askBid(key);
  } else if (needs === "count") {
    const { field, title, of } = COUNTED[String(command.do)];
    const wanted = { verb: "How many?", hint: view.why, of };
    dialogs.askCount(title, command, wanted, (count) => authorize(key, { ...command, [field]: count }));
  } else if (needs === "counts") {
    askSeats(key, seatsInPlay(), []);
  } else if (needs === "seat") {
    askSeat(key);
  } else if (needs === "correction") {
    correction.show(Number(command.round), view.words, view.roles, view.holds[0]?.reason);
  } else {
    authorize(key, command);
  }
}

/** The seats whose cards are counted: those that play, then the dealer's (0) where there is one. */
function seatsInPlay() {
  const seats = [...new Set(view.hands.map((each) => each.seat))];
  return view.pot || !view.dealer ? seats : [...seats, 0];
}

/**
 * Asks how many cards lie at one seat after the other.
 *
 * @param {Table.Key} key
 * @param {number[]} left
 * @param {{ seat: number, cards: number }[]} counted
 */
function askSeats(key, left, counted) {
  const [seat, ...others] = left;
  const wanted = { verb: "How many?", hint: view.holds[0]?.text ?? "", of: "counted" };
  const who = seat ? `${word(view.words, "seat")} ${seat}` : word(view.words, "dealer");
  dialogs.askCount(`${who}: how many cards?`, key.command, wanted, (cards) => {
    const seats = [...counted, { seat, cards }];
    if (others.length) askSeats(key, others, seats);
    else authorize(key, { ...key.command, seats });
  });
}

/**
 * Names to the table which card it is, which counts once it is sent again; answers "" or why not.
 *
 * @param {AnyCommand} command
 */
async function name(command) {
  answer = (await post(command)).refused;
  showLine();
  return answer;
}

/**
 * Sends what a key stands for, after those who authorize it have given name and PIN.
 *
 * @param {Table.Key} key
 * @param {import("../parts/commands.js").KeyCommand} command
 */
function authorize({ label, who, command: owner }, command) {
  if (!who) {
    act(command);
    return;
  }
  const verb = command.card ? `Enter ${cardText(String(command.card))}` : label;
  const why = command.do !== "acknowledge";
  const asked = { who: whoOf(who), about: String(command.resolution ?? ""), verb, why };
  dialogs.askPeople(verb, owner, asked, async (entered) => {
    return await post({ ...command, ...entered });
  });
}

/**
 * Whose hand is meant, of those that play.
 *
 * @param {Table.Key} key
 */
function askSeat(key) {
  const seats = [...new Set(view.hands.filter((each) => !each.settled).map((each) => each.seat))];
  const choices = seats.map((seat) => ({
    label: `${word(view.words, "seat")} ${seat}`,
    go: () => askAtSeat(key, seat),
  }));
  dialogs.askChoice(key.label, key.command, "Whose hand? Its bet goes back.", choices);
}

/**
 * How many cards lie at a hand that is to be out: only one that got none can be.
 *
 * @param {Table.Key} key
 * @param {number} seat
 */
function askAtSeat(key, seat) {
  const wanted = { verb: "How many?", hint: "0: it got no card.", of: "counted" };
  const title = `${word(view.words, "seat")} ${seat}: how many cards?`;
  const go = (/** @type {number} */ cards) => authorize(key, { ...key.command, seat, cards });
  dialogs.askCount(title, key.command, wanted, go);
}

/** What people may say that happened, likeliest first; the table stops for it. */
function askHappened() {
  const incidents = view.happened.map(({ label, command }) => ({ label, go: () => act(command) }));
  if (view.phase === "round") {
    const go = () => correction.show(view.round, view.words, view.roles);
    incidents.push({ label: "Correct the record", go });
  }
  const hint = "Leave cards and chips where they lie. The table stops and says how it goes on.";
  dialogs.askChoice("What happened?", HAPPENED, hint, incidents);
}

/**
 * How much a player bets or raises: what the rules allow, the least proposed.
 *
 * @param {Table.Key} key
 */
function askBid({ command, label, low, high, chip }) {
  const raise = command.action === "raise" ? ` above the call. ${view.headline}` : "";
  const wanted = {
    verb: label,
    hint: `${amountText(low)} to ${amountText(high)}${raise}.`,
    start: low,
    range: { low, high, chip },
  };
  const title = `${label} of ${word(view.words, "seat").toLowerCase()} ${command.seat}`;
  dialogs.askAmount(title, command, wanted, (amount) => act({ ...command, amount }));
}

/** @param {number} seat */
function askBet(seat) {
  const { low, high, chip } = view.wager;
  const placed = view.hands.find((each) => each.seat === seat && !each.cards.length)?.wager;
  /** @param {number | null} amount */
  const place = (amount) => act({ do: "place_wager", seat, amount });
  const others = placed
    ? [{ label: `Remove ${placed}`, go: () => act({ do: "remove_wager", seat }) }]
    : [];
  const title = `${view.pot ? "Ante" : "Bet"} at ${word(view.words, "seat").toLowerCase()} ${seat}`;
  if (low === high) {
    // Everybody puts in the same: there is nothing to ask.
    if (placed) dialogs.askChoice(title, seat, `${placed} lies there.`, others);
    else place(low);
    return;
  }
  // What is played for a pot is counted.
  if (!view.pot) others.unshift({ label: "Bet, amount not tracked", go: () => place(null) });
  const wanted = { verb: "Place", hint: view.limits, range: { low, high, chip }, chips: true, others };
  dialogs.askAmount(title, seat, wanted, place);
}

/**
 * Sends a command, one at a time, with the view that it was made on.
 *
 * @param {AnyCommand} command
 */
async function act(command) {
  if (sending || !live || !token) return;
  const viewSeq = performance.now() < before.until ? before.seq : view.seq;
  answer = (await post(command, viewSeq)).refused;
  showLine();
}

/**
 * Sends a command, one at a time.
 *
 * @param {AnyCommand} command
 * @param {number} [viewSeq]
 * @returns {Promise<import("../parts/commands.js").Answer>}
 */
async function post(command, viewSeq = view.seq) {
  if (sending) return { refused: "Wait for the answer to the press before." };
  sending = true;
  document.body.dataset.sending = "true";
  const sent = await send(token, command, viewSeq);
  sending = false;
  document.body.dataset.sending = "false";
  return sent;
}

/** @param {KeyboardEvent} event */
function typed(event) {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!live || !drawn || !token || dialogs.open || correction.open) return;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const key = allKeysOf(view).find((each) => each.key === pressed);
  const seat = Number(event.key) || (event.key === "0" ? 10 : 0);
  if (key) press(key);
  else if (pressed === "?" && view.happened.length) askHappened();
  else if (spotsOpen(view) && seat >= 1 && seat <= view.seats) askBet(seat);
  else return;
  event.preventDefault();
}

/** @param {boolean} now */
function onLive(now) {
  live = now;
  at("lost").hidden = now;
  at("table").inert = !now;
  if (!now) dialogs.close();
  correction.live(now);
}

addEventListener("keydown", typed);
at("happened").addEventListener("click", askHappened);
setInterval(tick, 1000);
addEventListener("resize", () => {
  if (!drawn) return;
  showKeys();
  fit();
});
follow("/events/dealer", "scene", { onView: draw, onLive, token });
