// The chips of a table: its rack is opened and closed, slips are signed, shifts are added up.

import { at, el, redraw, redrawInPlace } from "../../drawing/dom.js";
import { askForEditions } from "../../drawing/edition.js";
import { useTheme } from "../../drawing/theme.js";
import { money } from "../../parts/results.js";
import { errorText, send, takeToken } from "../../parts/commands.js";
import { SlipForm } from "../../parts/chips/slip_form.js";
import { drawSheet, TITLES } from "../../parts/chips/slip_sheet.js";
import { language, locale, spoken, t } from "../../drawing/words.js";

const AGAIN_MS = 3000;
const PATIENCE_MS = 8000;
const people = new Intl.ListFormat(language);
const clock = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short" });

const token = takeToken();
useTheme();
const form = new SlipForm((command, once) => send(token, command, null, once), onSigned);
/** @type {Table.ChipsView | null} */
let view = null;

let asked = 0;

/** Draws what is on record; an answer that comes after that of a later question is an old one. */
async function ask() {
  asked += 1;
  const mine = asked;
  const headers = { Accept: "application/json", Authorization: `Bearer ${token}` };
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(spoken("/api/v1/chips"), { headers, signal });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail || t("error {status}", { status: answer.status }));
    if (mine !== asked) return;
    view = body;
    draw(body);
    at("live").textContent = "";
  } catch (error) {
    if (mine !== asked) return;
    at("live").textContent = t("Not live: {error}", { error: errorText(error) });
    if (!view) at("rack").textContent = t("The rack cannot be read");
  }
  document.body.dataset.old = String(at("live").textContent !== "");
}

async function follow() {
  await ask();
  setTimeout(follow, AGAIN_MS);
}

/** @param {string} act */
async function onSigned(act) {
  at("said").textContent = t("{act}: signed, and on record.", { act });
  await ask();
}

/** @param {Table.ChipsView} now */
function draw(now) {
  document.title = t("Chips of {table}", { table: now.table });
  at("title").textContent = t("Chips of {table}", { table: now.table });
  const [newest] = now.shifts;
  if (!now.denominations.length) {
    at("rack").textContent = t("This table keeps no account of its chips");
    at("box").textContent = t("Name them under [chips] of its configuration.");
    return;
  }
  at("rack").textContent = now.open
    ? t("The rack is open: shift {number}", { number: newest?.number ?? "" })
    : t("The rack is closed: count its opener");
  at("box").textContent = now.box ? t("Drop box {box} is under the table.", { box: now.box }) : t("No drop box is under the table.");
  redrawInPlace(at("acts"), [now.open, now.counting, now.denominations, now.box, now.buy_ins, toCount(now)], () => acts(now));
  redraw(at("shifts"), now, () => now.shifts.map((each) => drawShift(each, now)));
}

/** @param {Table.ChipsView} now */
function toCount(now) {
  return now.shifts.flatMap((shift) => shift.slips.filter((each) => each.to_count));
}

/** @param {Table.ChipsView} now */
function acts(now) {
  const rack = { denominations: now.denominations };
  const waits = now.counting ? "" : t("between rounds");
  const keys = now.open
    ? [
      key(t("Fill"), () => form.askSlip("fill", rack)),
      key(t("Credit"), () => form.askSlip("credit", rack)),
      ...now.buy_ins ? [key(t("Buy-in"), () => form.askBuyIn(rack, now.seats), now.box ? "" : t("once a drop box is there"))] : [],
      key(t("Closer"), () => form.askCloser(rack), waits),
    ]
    : [key(t("Opener"), () => form.askOpener(rack), waits)];
  if (now.shifts.length) keys.push(key(t("Drop box"), () => form.askBox(now.box)));
  for (const each of toCount(now)) {
    keys.push(key(t("Count box {box}", { box: each.box }), () => form.askCount(each)));
  }
  return keys;
}

/**
 * @param {string} label
 * @param {() => void} onclick
 * @param {string} waits When it may be pressed, where that is not now.
 */
function key(label, onclick, waits = "") {
  const own = { class: "small", type: "button", onclick, disabled: waits !== "" || !token };
  return el("button", own, waits ? `${label} (${waits})` : label);
}

/**
 * @param {Table.RackShiftView} shift
 * @param {Table.ChipsView} now
 */
function drawShift(shift, now) {
  const from = clock.format(shift.slips[0]?.at_ms);
  const until = shift.open ? t("goes on") : t("to {closed}", { closed: clock.format(shift.slips.findLast((each) => each.kind === "closer" && !each.void)?.at_ms) });
  return el(
    "section", { class: "shift" },
    el("h2", {}, t("Shift {number}", { number: shift.number }), el("span", { class: "quiet" }, " ", shift.day ? t("from {from}, {until}, day {day}", { from, until, day: shift.day }) : t("from {from}, {until}", { from, until }))),
    shift.unclosed.length ? el("p", { class: "warn" }, `▲ ${t("The closer is missing of day {days}.", { days: shift.unclosed.join(", ") })}`) : null,
    el("div", { class: "shift-parts" }, drawWin(shift.win, now), drawSlips(shift, now)),
  );
}

/**
 * What a shift came to, line by line, as it is added up by hand.
 *
 * @param {Table.RackWin} win
 * @param {Table.ChipsView} now
 */
function drawWin(win, now) {
  /** @type {[string, number | null, string][]} */
  const lines = [
    [t("Closer"), win.closer, "+"], [t("Credits"), win.credits, "+"], [t("Drop"), win.drop, "+"],
    [t("Opener"), win.opener, "−"], [t("Fills"), win.fills, "−"],
  ];
  // Part of the drop, no sum of its own.
  const bought = win.buy_ins ? line(t("Bought in, of the drop"), money(win.buy_ins), "quiet") : null;
  const { first_round: first, last_round: last } = win;
  const played = last < first ? t("rounds (none)") : first === last ? t("round {first}", { first }) : t("rounds {first} to {last}", { first, last });
  const off = win.difference;
  return el(
    "div", { class: "win" },
    el(
      "table", {},
      el("caption", { class: "quiet" }, t("Amounts in {currency}", { currency: now.currency })),
      ...lines.map(([name, sum, sign]) => line(name, sum === null ? "–" : `${sign} ${money(sum)}`)),
      bought,
      line(t("Win by the chips"), win.chips === null ? "–" : money(win.chips), "sum"),
      line(t("Win by {played}", { played }), money(win.rounds)),
      line(
        t("Difference"),
        off === null ? "–" : off === 0 ? `✓ ${money(0)}` : `▲ ${off > 0 ? "+" : ""}${money(off)}`,
        off ? "sum off" : "sum",
      ),
    ),
    off ? el("p", { class: "warn" }, said(off, played), " ", el("a", { href: "/logbook" }, t("Logbook"))) : null,
    ...win.missing.map((each) => el("p", { class: "quiet" }, `${each}.`)),
  );
}

/**
 * @param {number} off
 * @param {string} played
 */
function said(off, played) {
  const sum = money(Math.abs(off));
  return off < 0
    ? t("▲ {sum} less in chips than the rounds say: paid too much, a slip, or a miscount in {played}.", { sum, played })
    : t("▲ {sum} more in chips than the rounds say: paid too little, a slip, or a miscount in {played}.", { sum, played });
}

/**
 * @param {string} name
 * @param {string} figure
 * @param {string} kind
 */
function line(name, figure, kind = "") {
  return el("tr", { class: kind || null }, el("th", { scope: "row" }, name), el("td", { class: "amount" }, figure));
}

/**
 * @param {Table.RackShiftView} shift
 * @param {Table.ChipsView} now
 */
function drawSlips(shift, now) {
  return el(
    "ol", { class: "slips" },
    ...shift.slips.map((each) =>
      el(
        "li", { "data-void": each.void ? "" : null },
        el("b", { class: "number" }, `${each.number}`),
        el("span", { class: "what" }, what(each)),
        el("span", { class: "amount" }, each.kind === "box" ? "" : money(each.amount)),
        el("span", { class: "quiet who" }, `${clock.format(each.at_ms)}, ${people.format(each.by)}`),
        each.void
          ? el("span", { class: "warn who" }, `✕ ${t("Void: {reason} ({people}, {time})", { reason: each.void.reason, people: each.void.by.join(", "), time: clock.format(each.void.at_ms) })}`)
          : null,
        el(
          "span", { class: "keys" },
          el("button", { type: "button", class: "slip-key", onclick: () => print(each, now) }, t("Print")),
          each.may_void && token
            ? el("button", { type: "button", class: "slip-key", onclick: () => form.askVoid(each) }, t("Make void"))
            : null,
        ),
      )
    ),
  );
}

/** @param {Table.SlipView} slip */
function what(slip) {
  const name = TITLES[slip.kind] ?? slip.kind;
  if (slip.kind === "box") return slip.box ? t("Drop box {box} taken, {placed} placed", { box: slip.box, placed: slip.placed }) : t("Drop box {placed} placed", { placed: slip.placed });
  if (slip.kind === "count") return t("{name} of drop box {box}, taken by slip {taken}", { name, box: slip.box, taken: slip.taken });
  if (slip.kind === "buy_in") {
    return slip.seat
      ? t("{name} at seat {seat}, cash into drop box {box}", { name, seat: slip.seat, box: slip.box })
      : t("{name}, cash into drop box {box}", { name, box: slip.box });
  }
  if (slip.rolled) return t("{name}, as the closer was counted", { name });
  const off = slip.difference?.length
    ? slip.difference.map(({ chip, pieces }) => t("{pieces} of {chip}", { pieces: `${pieces > 0 ? "+" : "−"}${Math.abs(pieces)}`, chip: money(chip) })).join(", ")
    : "";
  return off ? t("{name}; to the closer before: ▲ {off}", { name, off }) : name;
}

/**
 * @param {Table.SlipView} slip
 * @param {Table.ChipsView} now
 */
function print(slip, now) {
  at("sheet").replaceChildren(drawSheet(slip, now, what(slip)));
  globalThis.print();
}

if (token) follow();
else at("rack").textContent = t("To see the chips, open this page with the table’s token.");
askForEditions();
