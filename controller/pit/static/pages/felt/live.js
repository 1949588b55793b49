// A table's live page in the pit: what it waits for, its felt, its last rounds. It asks for nothing.

import { at, el, redraw } from "../../drawing/dom.js";
import { since, span, tick } from "../../drawing/elapsed.js";
import { gauge } from "../../drawing/hands.js";
import { follow } from "../../drawing/live.js";
import { noteTableTime } from "../../drawing/table_time.js";
import { LAST_URGENT, needOf } from "../wall/needs.js";
import { showFelt } from "./felt.js";

/** Without a word of the pit for so long, what the page shows is not live. */
const SILENCE_MS = 2500;
/** What a table needs that cannot be seen now: what lies there is what it showed last. */
const NOT_NOW = new Set(["offline", "stopped", "unknown"]);

/** What says how the felt is. */
const OF_FELT = ["felt", "below", "rule", "last"];

const { table = "", replays, zone } = at("table").dataset;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", timeZone: zone });
let live = false;
let seen = false;

/** @param {Pit.LivePicture} picture */
function draw({ at_ms: nowMs, tile, felt, no_felt: noFelt }) {
  noteTableTime(nowMs);
  document.title = `${table}: ${tile.waiting_for || needOf(tile.need).word}`;
  redraw(at("waits"), tile.waiting_for, (text) => text);
  redraw(
    at("who"),
    { need: tile.need, urgent: tile.rank <= LAST_URGENT, who: tile.who, why: tile.why, since: tile.since_ms },
    drawWho,
  );
  redraw(at("wrong"), felt ? [...felt.holds, ...felt.alarms] : [], drawWrong);
  at("no-felt").textContent = noFelt;
  // What stood there is of a status that was read: below what cannot be, it would pass as live.
  for (const name of OF_FELT) at(name).hidden = !felt;
  seen = !NOT_NOW.has(tile.need);
  mark();
  if (!felt) return;
  at("game").textContent = `${tile.game}${tile.simulated ? ", simulated table" : ""}`;
  at("round").textContent = felt.round ? `Round ${felt.round}` : "";
  at("deals").textContent = tile.deals ? `Dealer: ${tile.deals}` : "";
  at("limits").textContent = felt.limits;
  at("rule").textContent = felt.rule;
  redraw(at("shoe"), felt.shoe, gauge);
  showFelt(at("felt"), felt);
  redraw(at("rounds"), felt.rounds, (rounds) => rounds.map(drawRound));
}

/** @param {{ need: string, urgent: boolean, who: string, why: string, since: number | null }} tile */
function drawWho({ need, urgent, who, why, since: sinceMs }) {
  return [
    el("b", {}, needOf(need).word),
    // That it plays is well however long: how long it has waited for this is what is said of it.
    sinceMs === null ? null : el("span", {}, urgent ? " for " : " · waits ", since(sinceMs)),
    who ? ` · ▸ ${who}` : "",
    why ? ` · ${why}` : "",
  ];
}

/** @param {{ title: string, text: string }[]} wrong */
function drawWrong(wrong) {
  return wrong.map(({ title, text }) => el("li", {}, el("b", {}, title), text ? `: ${text}` : ""));
}

/** @param {Pit.LiveRound} round */
function drawRound({ number, started_ms: startedMs, ended_ms: endedMs, void: isVoid, dummy }) {
  const name = `Round ${number}`;
  const address = `/rounds/${encodeURIComponent(table)}/${number}`;
  const marks = [isVoid ? "void" : "", dummy ? "without bets" : ""].filter(Boolean).join(", ");
  return el(
    "li",
    {},
    // Of a round in play the archive has what is on record by now.
    replays ? el("a", { href: address }, `${name}, replay`) : el("b", {}, name),
    el("span", {}, clock.format(startedMs)),
    el("span", { class: "quiet" }, endedMs === null ? "in play" : span(endedMs - startedMs)),
    marks ? el("strong", {}, marks) : null,
  );
}

function mark() {
  const chip = at("live");
  chip.dataset.live = String(live && seen);
  chip.textContent = !live ? "Not live" : seen ? "Live" : "The table is not heard: what it showed last";
  at("felt").toggleAttribute("data-old", !(live && seen));
}

follow(`/events/tables/${encodeURIComponent(table)}`, "table", {
  onView: draw,
  onLive(now) {
    live = now;
    mark();
  },
  silenceMs: SILENCE_MS,
  onSignedOut() {
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}&ended=1`);
  },
});
setInterval(() => tick(at("who")), 1000);
