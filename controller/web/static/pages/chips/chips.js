// The chips of a table: its rack is opened and closed, slips are signed, shifts are added up.

import { at, el, redraw } from "../../drawing/dom.js";
import { useTheme } from "../../drawing/theme.js";
import { money } from "../../parts/results.js";
import { errorText, send, takeToken } from "../../parts/commands.js";
import { SlipForm } from "../../parts/chips/slip_form.js";
import { drawSheet, TITLES } from "../../parts/chips/slip_sheet.js";

const AGAIN_MS = 3000;
const PATIENCE_MS = 8000;
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });

const token = takeToken();
useTheme();
const form = new SlipForm((command, once) => send(token, command, null, once), onSigned);
/** @type {Table.ChipsView | null} */
let view = null;

async function ask() {
  const headers = { Accept: "application/json", Authorization: `Bearer ${token}` };
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch("/api/v1/chips", { headers, signal });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail || `error ${answer.status}`);
    view = body;
    draw(body);
    at("live").textContent = "";
  } catch (error) {
    at("live").textContent = `Not live: ${errorText(error)}`;
    if (!view) at("rack").textContent = "The rack cannot be read";
  }
  document.body.dataset.old = String(at("live").textContent !== "");
}

async function follow() {
  await ask();
  setTimeout(follow, AGAIN_MS);
}

/** @param {string} act */
async function onSigned(act) {
  at("said").textContent = `${act}: signed, and on record.`;
  await ask();
}

/** @param {Table.ChipsView} now */
function draw(now) {
  document.title = `Chips of ${now.table}`;
  at("title").textContent = `Chips of ${now.table}`;
  const [newest] = now.shifts;
  if (!now.denominations.length) {
    at("rack").textContent = "This table keeps no account of its chips";
    at("box").textContent = "Name them under [chips] of its configuration.";
    return;
  }
  at("rack").textContent = now.open
    ? `The rack is open: shift ${newest?.number ?? ""}`
    : "The rack is closed: count its opener";
  at("box").textContent = now.box ? `Drop box ${now.box} is under the table.` : "No drop box is under the table.";
  redraw(at("acts"), [now.open, now.counting, now.denominations, now.box, toCount(now)], () => acts(now));
  redraw(at("shifts"), now, () => now.shifts.map((each) => drawShift(each, now)));
}

/** @param {Table.ChipsView} now */
function toCount(now) {
  return now.shifts.flatMap((shift) => shift.slips.filter((each) => each.to_count));
}

/** @param {Table.ChipsView} now */
function acts(now) {
  const rack = { denominations: now.denominations };
  const waits = now.counting ? "" : "between rounds";
  const keys = now.open
    ? [
      key("Fill", () => form.askSlip("fill", rack)),
      key("Credit", () => form.askSlip("credit", rack)),
      key("Closer", () => form.askCloser(rack), waits),
    ]
    : [key("Opener", () => form.askOpener(rack), waits)];
  if (now.shifts.length) keys.push(key("Drop box", () => form.askBox(now.box)));
  for (const each of toCount(now)) {
    keys.push(key(`Count box ${each.box}`, () => form.askCount(each)));
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
  const until = shift.open ? "goes on" : `to ${clock.format(shift.slips.findLast((each) => each.kind === "closer" && !each.void)?.at_ms)}`;
  return el(
    "section", { class: "shift" },
    el("h2", {}, `Shift ${shift.number}`, el("span", { class: "quiet" }, ` from ${from}, ${until}${shift.day ? `, day ${shift.day}` : ""}`)),
    shift.unclosed.length ? el("p", { class: "warn" }, `▲ The closer is missing of day ${shift.unclosed.join(", ")}.`) : null,
    el("div", { class: "shift-parts" }, drawWin(shift.win, now), drawSlips(shift, now)),
  );
}

/**
 * What a shift came to, line by line, as it is added up by hand.
 *
 * @param {Table.WinView} win
 * @param {Table.ChipsView} now
 */
function drawWin(win, now) {
  /** @type {[string, number | null, string][]} */
  const lines = [
    ["Closer", win.closer, "+"], ["Credits", win.credits, "+"], ["Drop", win.drop, "+"],
    ["Opener", win.opener, "−"], ["Fills", win.fills, "−"],
  ];
  const { first_round: first, last_round: last } = win;
  const played = last < first ? "rounds (none)" : first === last ? `round ${first}` : `rounds ${first} to ${last}`;
  const off = win.difference;
  return el(
    "div", { class: "win" },
    el(
      "table", {},
      el("caption", { class: "quiet" }, `Amounts in ${now.currency}`),
      ...lines.map(([name, sum, sign]) => line(name, sum === null ? "–" : `${sign} ${money(sum)}`)),
      line("Win by the chips", win.chips === null ? "–" : money(win.chips), "sum"),
      line(`Win by ${played}`, money(win.rounds)),
      line(
        "Difference",
        off === null ? "–" : off === 0 ? "✓ none" : `▲ ${off > 0 ? "+" : ""}${money(off)}`,
        off ? "sum off" : "sum",
      ),
    ),
    off ? el("p", { class: "warn" }, said(off, played), " ", el("a", { href: "/logbook" }, "Logbook")) : null,
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
    ? `▲ ${sum} less in chips than the rounds say: paid too much, a slip, or a miscount in ${played}.`
    : `▲ ${sum} more in chips than the rounds say: paid too little, a slip, or a miscount in ${played}.`;
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
        el("span", { class: "quiet who" }, `${clock.format(each.at_ms)}, ${each.by.join(" and ")}`),
        each.void
          ? el("span", { class: "warn who" }, `✕ Void: ${each.void.reason} (${each.void.by.join(" and ")}, ${clock.format(each.void.at_ms)})`)
          : null,
        el(
          "span", { class: "keys" },
          el("button", { type: "button", class: "slip-key", onclick: () => print(each, now) }, "Print"),
          each.may_void && token
            ? el("button", { type: "button", class: "slip-key", onclick: () => form.askVoid(each) }, "Make void")
            : null,
        ),
      )
    ),
  );
}

/** @param {Table.SlipView} slip */
function what(slip) {
  const name = TITLES[slip.kind] ?? slip.kind;
  if (slip.kind === "box") return slip.box ? `Drop box ${slip.box} taken, ${slip.placed} placed` : `Drop box ${slip.placed} placed`;
  if (slip.kind === "count") return `${name} of drop box ${slip.box}, taken by slip ${slip.taken}`;
  if (slip.rolled) return `${name}, as the closer was counted`;
  const off = slip.difference?.length
    ? slip.difference.map(({ chip, pieces }) => `${pieces > 0 ? "+" : "−"}${Math.abs(pieces)} of ${money(chip)}`).join(", ")
    : "";
  return off ? `${name}; to the closer before: ▲ ${off}` : name;
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
else at("rack").textContent = "To see the chips, open this page with the table’s token.";
