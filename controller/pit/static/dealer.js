// The dealer display: lays out the picture that the table sends, and sends what is pressed.

import { send, takeToken } from "./commands.js";
import { at, el, redraw } from "./dom.js";
import { amount, bySeat, fan, gauge, indexStyle, total, verdict } from "./felt.js";
import { toneIcon, toneWord } from "./icons.js";
import { follow } from "./live.js";
import { Sheets } from "./sheets.js";

/** A press so soon after the keys changed was aimed at the picture before: nobody reads faster. */
const REACTION_MS = 150;

const style = indexStyle();
const token = takeToken();
const sheets = new Sheets(at("sheet"), style);
let view = null;
let live = false;
let sending = false;
let answer = "";
let before = { seq: 0, until: 0 };

/** The keys that may be pressed now: a hold's ways on, or what the rules allow. */
function keysOf(picture) {
  return picture.holds.length ? picture.holds[0].ways : picture.keys;
}

function spotsOpen(picture) {
  return Boolean(token) && picture.phase === "betting" && !picture.holds.length;
}

// Drawing

function draw(picture) {
  if (view && JSON.stringify([keysOf(view), view.phase]) !== JSON.stringify([keysOf(picture), picture.phase])) {
    before = { seq: view.seq, until: performance.now() + REACTION_MS };
  }
  if (view?.seq !== picture.seq) answer = "";
  view = picture;
  document.body.dataset.tone = picture.tone;
  document.body.dataset.held = String(picture.holds.length > 0);
  document.title = `${picture.headline} · Dealer display`;
  redraw(at("place"), [picture.game, picture.round], drawPlace);
  redraw(at("trouble"), picture.devices.filter((each) => !each.up), drawTrouble);
  redraw(at("shoe"), picture.shoe, gauge);
  redraw(at("tone"), picture.tone, (tone) => [toneIcon(tone), el("span", {}, toneWord(tone))]);
  redraw(at("versus"), versusOf(picture), (hands) => hands.map(drawVersus));
  redraw(at("sentence"), [picture.headline, picture.why, picture.holds], drawSentence);
  redraw(at("seats"), [bySeat(picture.hands, picture.seats), spotsOpen(picture)], drawSeats);
  drawLine();
  drawKeys();
  sheets.keepIf((owner) => stillOffered(owner));
  fit();
}

function drawPlace([game, round]) {
  const parts = [el("b", {}, game)];
  if (round) parts.push(el("span", {}, `Round ${round}`));
  if (!token) parts.push(el("span", { class: "view-only" }, "View only: opened without a token"));
  return parts;
}

function drawTrouble(down) {
  return down.map((each) => el("span", {}, `▲ ${each.name}: ${each.why}`));
}

function drawSentence([headline, why, holds]) {
  const cut = headline.indexOf(": ");
  const lead = cut < 0 ? headline : headline.slice(0, cut);
  const tail = cut < 0 ? null : el("span", { class: "tail" }, amount(headline.slice(cut + 2)));
  const text = holds.length ? holds[0].text : why;
  const next = holds.slice(1).map((each) => each.title).join(", ");
  const title = el(
    "h1", { id: "headline", class: "headline" },
    el("span", { class: "lead" }, lead),
    tail ? el("span", { class: "visually-hidden" }, ": ") : null, tail,
  );
  return [
    title,
    el("p", { id: "why", class: "why" }, text),
    el("p", { id: "more", class: "more" }, next ? `${holds.length - 1} more after this: ${next}` : ""),
  ];
}

/** The hand in question over the dealer's. */
function versusOf(picture) {
  const found = picture.seat ? picture.hands.filter((each) => each.seat === picture.seat) : [];
  const active = found.find((each) => each.active) ?? found[0];
  return [active, picture.dealer].filter((each) => each?.cards.length);
}

function drawVersus(hand) {
  const name = hand.seat ? `Seat ${hand.seat}` : "Dealer";
  return el(
    "div", { class: "versus-hand", "data-active": hand.active, "data-many": hand.cards.length > 5 },
    el("p", { class: "versus-name" }, name), fan(hand.cards, style), total(hand.total),
  );
}

function drawSeats([seats, open]) {
  return seats.map((hands, index) => drawSeat(index + 1, hands, open));
}

function drawSeat(seat, hands, open) {
  const wager = hands.length ? hands[0].wager : "";
  const played = hands.filter((each) => each.cards.length);
  const settled = hands.length > 0 && hands.every((each) => each.settled);
  const inside = [
    el(
      "p", { class: "seat-head" },
      el("b", { class: "seat-number" }, String(seat)),
      el("span", { class: "seat-wager" }, played.length ? wager : ""),
      settled ? el("span", { class: "seat-done", role: "img", "aria-label": "settled" }, "✓") : null,
    ),
    played.length ? played.map(drawHand) : el("p", { class: "seat-bet" }, wager),
  ];
  const state = {
    class: "seat", "data-seat": seat, "data-empty": !hands.length,
    "data-light": hands.find((each) => each.active)?.light ?? hands[0]?.light,
    "data-active": hands.some((each) => each.active), "data-several": hands.length > 1,
    "data-settled": settled,
  };
  if (!open) return el("li", {}, el("div", state, ...inside));
  const invite = el("p", { class: "seat-invite" }, hands.length && !played.length ? "Change" : "Bet");
  return el("li", {}, el("button", { ...state, type: "button", onclick: () => askBet(seat) }, ...inside, invite));
}

function drawHand(hand) {
  return el(
    "div", { class: "hand", "data-active": hand.active, "data-many": hand.cards.length > 5 },
    fan(hand.cards, style), total(hand.total), verdict(hand),
  );
}

function drawLine() {
  const told = answer || view.told;
  redraw(at("line"), [told, view.rule, view.limits], () =>
    told
      ? [el("b", { "aria-hidden": "true" }, "✕"), el("span", { class: "told" }, told)]
      : [el("span", {}, view.rule), el("span", {}, view.limits)],
  );
  at("line").dataset.told = String(Boolean(told));
}

function drawKeys() {
  const keys = keysOf(view);
  const none = spotsOpen(view)
    ? "Touch a seat, or press its number, to place a bet."
    : view.phase === "betting" ? "No bets are placed yet." : "No key is needed: draw the card.";
  redraw(at("keys"), [keys, none], () =>
    keys.length ? keys.map(drawKey) : el("p", { class: "keys-none" }, none),
  );
  at("keys").dataset.only = String(keys.length === 1);
}

function drawKey(key) {
  const quiet = key.command.do === "call_floor";
  return el(
    "button", { class: "key", type: "button", disabled: !token, "data-quiet": quiet, onclick: () => press(key) },
    key.key ? el("kbd", {}, key.key.length === 1 ? key.key.toUpperCase() : key.key) : null,
    el("span", {}, key.label),
  );
}

/** Makes the sentence as large as its room allows, and never smaller than the page's least. */
function fit() {
  const room = at("sentence");
  for (let size = 1; size > 0.4; size -= 0.05) {
    room.style.setProperty("--fit", size.toFixed(2));
    if (room.scrollHeight <= room.clientHeight && room.scrollWidth <= room.clientWidth) return;
  }
}

// Pressing

function stillOffered(owner) {
  if (typeof owner === "number") return spotsOpen(view) && owner <= view.seats;
  return keysOf(view).some((each) => JSON.stringify(each.command) === JSON.stringify(owner));
}

function press(key) {
  if (key.needs === "card") {
    sheets.askCard(key.label, key.command, (code) => act({ ...key.command, card: code }));
  } else if (key.needs === "amount") {
    sheets.askAmount(key.label, view.limits, key.command, (sum) => act({ ...key.command, amount: sum }));
  } else {
    act(key.command);
  }
}

function askBet(seat) {
  const now = view.hands.find((each) => each.seat === seat && !each.cards.length)?.wager ?? "";
  const ways = [{ label: "Bet, amount not tracked", go: () => act({ do: "place_wager", seat, amount: null }) }];
  if (now) ways.push({ label: `Remove ${now}`, go: () => act({ do: "remove_wager", seat }) });
  sheets.askAmount(
    `Bet at seat ${seat}`, view.limits, seat,
    (sum) => act({ do: "place_wager", seat, amount: sum }), ways,
  );
}

async function act(command) {
  if (sending || !live || !token) return;
  sending = true;
  document.body.dataset.sending = "true";
  const made = performance.now() < before.until ? before.seq : view.seq;
  const refused = await send(token, command, made);
  sending = false;
  document.body.dataset.sending = "false";
  answer = refused;
  drawLine();
}

function typed(event) {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!live || !view || !token || sheets.open) return;
  const same = (key) => key.length === 1 ? key.toLowerCase() === event.key.toLowerCase() : key === event.key;
  const key = keysOf(view).find((each) => each.key && same(each.key));
  const seat = Number(event.key);
  if (key) press(key);
  else if (spotsOpen(view) && seat >= 1 && seat <= view.seats) askBet(seat);
  else return;
  event.preventDefault();
}

function onLive(now) {
  live = now;
  at("lost").hidden = now;
  at("table").inert = !now;
  if (!now) sheets.close();
}

addEventListener("keydown", typed);
addEventListener("resize", fit);
follow("/events/dealer", "scene", { onPicture: draw, onLive });
