// A player at a distance: what the table shows, the own hands, and the keys that may be pressed now.

import { indexStyle, useIndexStyle } from "./drawing/cards.js";
import { at, atKind, el, redraw } from "./drawing/dom.js";
import { fan, note, total, verdict } from "./drawing/hands.js";
import { follow, NO_PLACE } from "./drawing/live.js";
import { clockText, Countdown } from "./drawing/table_time.js";
import { decimal, t } from "./drawing/words.js";

/** @typedef {Pick<Table.DealerView, "game" | "round" | "phase" | "hands" | "dealer" | "seats" | "words" | "window" | "players" | "limits" | "rule">} Shown */
/** @typedef {Omit<Studio.PlayerPageView, "table"> & { table: Shown | null }} View */

/** How long an answer is waited for, and how soon after a picture the next one is asked for. */
const ANSWER_MS = 8000;
const PICTURE_MS = 250;
const PICTURE_AGAIN_MS = 2000;
/** Chips by how many of the smallest bet they are. */
const CHIPS = [1, 2, 5, 10];
/** @type {View | null} */
let view = null;
/** An act is on its way: one at a time, so that a double tap is one. */
let asking = false;
const countdown = new Countdown(drawClock);

/** @param {number} minor */
const money = (minor) => decimal(minor / 100, 2);

// The page is written in English; the game server gives it the words of the table.
for (const node of document.querySelectorAll("title, body :is(h1, h2, p, label, button)")) {
  if (node.textContent) node.textContent = t(node.textContent);
}
for (const name of ["alt", "title", "aria-label"]) {
  for (const node of document.querySelectorAll(`[${name}]`)) {
    node.setAttribute(name, t(node.getAttribute(name) ?? ""));
  }
}

/** @param {View} newest */
function draw(newest) {
  view = newest;
  const { table, you } = view;
  document.body.toggleAttribute("data-joined", Boolean(you));
  atKind("join", HTMLFormElement).hidden = Boolean(you);
  at("leave").hidden = !you || you.leaving;
  at("money").textContent = you ? `${you.name} · ${money(you.left)}` : "";
  if (table) {
    useIndexStyle(table.words);
    at("game").textContent = table.game;
    at("limits").textContent = table.limits;
    document.title = t("{game} · play", { game: table.game });
  }
  countdown.show(table?.window ?? null);
  const [text, tone] = prompt(view);
  // What was said to an act is about what was asked then.
  if (at("prompt").textContent !== text && !asking) at("answer").textContent = "";
  at("prompt").textContent = text;
  at("prompt").dataset.tone = tone;
  const [result, how] = last(view);
  at("last").textContent = result;
  at("last").dataset.tone = how;
  const hands = table ? shownHands(table, you) : [];
  redraw(at("hands"), { hands, seat: you?.seat, words: table?.words }, drawHands);
  redraw(at("keys"), keysOf(view), drawKeys);
}

/**
 * The one thing that this player has to know now.
 *
 * @param {View} shown
 * @returns {[text: string, tone: string]}
 */
function prompt({ table, held, betting, you, choices }) {
  if (!table) return [t("The table does not answer. It is asked again…"), "held"];
  if (!you) return [t("Join the table, or look on"), "calm"];
  if (held) return [t("The table stands still for a moment"), "held"];
  // Whoever is on the way out has a hand still, and others wait for it.
  if (choices.length) return [t("Your turn: choose"), "act"];
  if (you.leaving) return [t("You are leaving the table"), "calm"];
  if (betting && !you.waits) {
    return you.bet ? [t("Your bet: {amount}", { amount: money(you.bet) }), "calm"] : [t("Place your bet"), "act"];
  }
  if (you.waits) return [t("{seat} is yours after this round", { seat: seatName(table, you.seat) }), "calm"];
  const { seat, window } = table.window ? { seat: table.window.seat, window: table.window } : {};
  if (window && window.kind !== "bets" && seat) return [t("{player} chooses", { player: playerAt(table, seat) }), "calm"];
  return [t(you.in_play ? "No more bets" : "Wait for the next round"), "calm"];
}

/**
 * What the last round brought, until the next one is dealt.
 *
 * @param {View} shown
 * @returns {[text: string, tone: string]}
 */
function last({ table, you }) {
  if (you && you.seat === null && !you.leaving && !you.bet) return [t("All seats are taken: bet behind a player"), "calm"];
  if (!you || you.won === null || !table || table.phase === "round") return ["", "calm"];
  if (you.won > 0) return [t("Last round: you won {amount}", { amount: money(you.won) }), "won"];
  return [you.won < 0 ? t("Last round: you lost {amount}", { amount: money(-you.won) }) : t("Last round: your bet came back"), "calm"];
}

/**
 * @param {Shown} table
 * @param {number | null} seat
 */
function seatName(table, seat) {
  const word = table.words.seat;
  return `${word[0].toUpperCase()}${word.slice(1)} ${seat ?? ""}`;
}

/**
 * @param {Shown} table
 * @param {number} seat
 */
function playerAt(table, seat) {
  return table.players.find((each) => each.seat === seat)?.name ?? seatName(table, seat);
}

/**
 * The dealer's hand, and those of the player's seat, or of the seat behind which the bet lies.
 *
 * @param {Shown} table
 * @param {Studio.OwnView | null} you
 */
function shownHands(table, you) {
  const seat = you && (you.seat ?? (you.bet ? you.behind : null));
  const own = table.hands.filter((hand) => hand.seat === seat && hand.cards.length);
  const dealer = table.dealer?.cards.length ? [table.dealer] : [];
  return own.length ? [...own, ...dealer] : [];
}

/** @param {{ hands: Table.HandView[], words: Table.GameWords | undefined }} shown */
function drawHands({ hands, words }) {
  return hands.map((hand) =>
    el(
      "div",
      { class: "mine", "data-active": hand.active },
      el("p", { class: "who" }, hand.seat ? t("Bet {amount}", { amount: hand.wager }) : words?.dealer ?? ""),
      fan(hand.cards, indexStyle()),
      total(hand),
      hand.seat ? note(hand) : null,
      hand.seat ? verdict(hand) : null,
    )
  );
}

/** @typedef {{ kind: string, label: string, act: Record<string, unknown>, off?: boolean, on?: boolean }} PlayKey */

/**
 * @param {View} shown
 * @returns {PlayKey[]}
 */
function keysOf(shown) {
  const { table, you, choices, hand, betting, held } = shown;
  if (!table || !you) return [];
  if (choices.length && !held) {
    return choices.map(({ action, label }) => ({
      kind: "choice", label, act: { do: "decide", seat: you.seat, hand, action },
    }));
  }
  if (you.leaving) return [];
  if (you.may_buy) {
    return [{ kind: "wide", label: t("Get new play money"), act: { do: "buy" } }];
  }
  if (!betting || you.waits) return [];
  return [...(you.seat ? [] : seatKeys(table, you)), ...chipKeys(shown, you)];
}

/**
 * Behind whom to bet, for who has no seat.
 *
 * @param {Shown} table
 * @param {Studio.OwnView} you
 * @returns {PlayKey[]}
 */
function seatKeys(table, you) {
  return Array.from({ length: table.seats }, (_, index) => index + 1).map((seat) => ({
    kind: "seat",
    label: t("Behind {player}", { player: playerAt(table, seat) }),
    on: seat === you.behind,
    act: { do: "bet", amount: you.bet, behind: seat },
  }));
}

/**
 * @param {View} shown
 * @param {Studio.OwnView} you
 * @returns {PlayKey[]}
 */
function chipKeys({ least, most }, you) {
  const add = CHIPS.map((count) => {
    const amount = you.bet + count * least;
    const off = count * least > you.left || amount > most;
    return {
      kind: "chip", label: `+${decimal(count * least / 100, count * least % 100 ? 2 : 0)}`, off,
      act: { do: "bet", amount, behind: you.behind },
    };
  });
  const back = { kind: "wide", label: t("Take the bet back"), act: { do: "bet", amount: 0, behind: you.behind } };
  return you.bet ? [...add, back] : add;
}

/** @param {PlayKey[]} keys */
function drawKeys(keys) {
  return keys.map(({ kind, label, act, off, on }) =>
    el(
      "button",
      {
        class: `key ${kind}`, type: "button", disabled: Boolean(off),
        "aria-pressed": on === undefined ? null : String(on),
        onclick: () => ask(act),
      },
      label,
    )
  );
}

/**
 * @param {Table.WindowView | null} window
 * @param {number} seconds
 */
function drawClock(window, seconds) {
  const node = at("clock");
  const mine = window && (window.kind === "bets" || window.seat === view?.you?.seat);
  node.textContent = !mine ? "" : window.expired ? t("Time is over") : clockText(seconds);
  node.toggleAttribute("data-soon", Boolean(mine && (window.last_called || seconds <= 3)));
}

/** @param {Record<string, unknown>} act */
async function ask(act) {
  if (asking) return;
  asking = true;
  at("answer").textContent = "";
  try {
    const answer = await fetch("/act", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(act),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { done, why, values } = await answer.json();
    if (!done) say(t(why, values));
    // Somebody may have joined in another tab of this browser.
    if (act.do === "join") line.reopen();
  } catch {
    say(t("The line is lost. Once it is back, look at what was taken, and try again"));
  } finally {
    asking = false;
  }
}

/** @param {string} why */
function say(why) {
  at("answer").textContent = `${why[0].toUpperCase()}${why.slice(1)}.`;
}

atKind("join", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  ask({ do: "join", name: atKind("name", HTMLInputElement).value });
});
at("leave").addEventListener("click", () => ask({ do: "leave" }));

/** A picture after the other, not a stream: a browser has few connections for one server. */
const camera = atKind("camera", HTMLImageElement);
let pictures = 0;
/** @param {number} after */
const nextPicture = (after) => setTimeout(() => { camera.src = `/table.jpg?${(pictures += 1)}`; }, after);
/**
 * A picture that did not come leaves the bare felt: no torn one, and no old one that looks new.
 *
 * @param {boolean} came
 */
function pictureAsked(came) {
  camera.toggleAttribute("data-lost", !came);
  nextPicture(came ? PICTURE_MS : PICTURE_AGAIN_MS);
}
camera.addEventListener("load", () => pictureAsked(true));
camera.addEventListener("error", () => pictureAsked(false));
nextPicture(0);

const lost = at("lost").textContent;
const line = follow("/events", "player", {
  onView: draw,
  onLive: (live, noPlace) => {
    at("lost").hidden = live;
    at("lost").textContent = noPlace ? NO_PLACE : lost;
  },
});
