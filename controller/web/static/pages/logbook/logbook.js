// The logbook: what an auditor asks of the record, by day, time of day, mark, person and round.

import { at, atKind, el } from "../../drawing/dom.js";
import { askForEditions } from "../../drawing/edition.js";
import { amount } from "../../drawing/hands.js";
import { span } from "../../drawing/elapsed.js";
import { useTheme } from "../../drawing/theme.js";
import { badges, MARKS } from "../../parts/badges.js";
import { errorText, takeToken } from "../../parts/commands.js";
import { decimal, locale, spoken, t } from "../../drawing/words.js";

const moment = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "medium" });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" });
const token = takeToken();
useTheme();
const form = atKind("asked", HTMLFormElement);
const show = atKind("show", HTMLButtonElement);
const older = atKind("older", HTMLButtonElement);

/** What the list that is shown was asked with, and where it ends: `before` asks for what follows. */
let shown = { address: "", entries: true, lines: 0, before: 0 };

/** @param {FormData} given */
function query(given) {
  const found = new URLSearchParams();
  const entries = given.get("list") === "logbook";
  for (const name of ["first", "last", ...(entries ? ["since", "until", "by", "round"] : [])]) {
    const value = String(given.get(name) ?? "").trim();
    if (value) found.set(name, value);
  }
  const marks = given.getAll("mark").join(",");
  if (marks) found.set("with", marks);
  return `/api/v1/record/${entries ? "logbook" : "rounds"}?${found}`;
}

/**
 * A record that the address asks for (`?record=412`, with its `round` or without): it is shown with
 * what stands around it, and stands out.
 */
const address = new URLSearchParams(location.search);
const wanted = Number(address.get("record"));
/** So many records after it are shown too, where no round is asked for. */
const AFTER = 10;
/** A round is looked through so far for it, in lists of the table's own length. */
const MOST_LISTS = 10;

function showWanted() {
  const round = address.get("round") ?? "";
  atKind("round", HTMLInputElement).value = round;
  const before = wanted && !round ? wanted + AFTER : 0;
  shown = { address: query(new FormData(form)), entries: true, lines: 0, before };
  return readToWanted(MOST_LISTS);
}

/**
 * @param {number} most Lists that are read for it.
 * @returns {Promise<void>}
 */
async function readToWanted(most) {
  await read();
  const row = at("found").querySelector(`[data-record="${wanted}"]`);
  row?.setAttribute("aria-current", "true");
  row?.scrollIntoView({ block: "center" });
  if (!row && shown.before && most > 1) await readToWanted(most - 1);
}

/** The newest lines of what is asked for now. */
function showNewest() {
  const given = new FormData(form);
  const entries = given.get("list") === "logbook";
  shown = { address: query(given), entries, lines: 0, before: 0 };
  return read();
}

/** What follows in the list: its newest lines, or those before the last one that stands there. */
async function read() {
  const { address: list, entries, before } = shown;
  show.disabled = older.disabled = true;
  at("said").textContent = t("The record is being read…");
  try {
    const headers = { Accept: "application/json", Authorization: `Bearer ${token}` };
    const page = before ? `${list}&before=${before}` : list;
    const answer = await fetch(spoken(page), { headers });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail || t("error {status}", { status: answer.status }));
    const rows = entries ? entryRows(body) : roundRows(body);
    if (shown.lines) at("found").querySelector("tbody")?.append(...rows);
    else at("found").replaceChildren(...(rows.length ? [table(entries, rows)] : []));
    const last = body.lines.at(-1);
    shown.lines += rows.length;
    shown.before = body.more ? (entries ? last.seq : last.number) : 0;
    at("said").textContent = summary(body.problem);
  } catch (error) {
    if (!before) at("found").replaceChildren();
    at("said").textContent = t("Not read: {error}", { error: errorText(error) });
  } finally {
    show.disabled = older.disabled = false;
    older.hidden = !shown.before;
    older.textContent = entries ? t("Older entries") : t("Older rounds");
  }
}

/** @param {string} problem What ended the reading early. */
function summary(problem) {
  const { lines } = shown;
  const none = shown.entries ? t("No such entries.") : t("No such rounds.");
  const count = shown.entries
    ? t("{lines:entry|entries}, the newest first", { lines })
    : t("{lines:round|rounds}, the newest first", { lines });
  const rest = shown.before ? `; ${t("there are older ones")}` : "";
  return `${problem ? `${problem} ` : ""}${lines ? count + rest : none}`;
}

/** @param {Table.LogbookAnswer} answer */
function entryRows({ lines }) {
  return lines.map((line) =>
    el(
      "tr",
      { "data-record": line.seq },
      el("td", { title: exact.format(line.at_ms) }, moment.format(line.at_ms)),
      el("td", { class: "number round", "data-label": t("Round") }, line.round ? String(line.round) : ""),
      el("td", { class: "said" }, line.text),
      el("td", {}, badges(line.marks.map((mark) => ({ mark, count: 1 })))),
    )
  );
}

/** @param {Table.RoundsAnswer} answer */
function roundRows({ lines }) {
  return lines.map((round) =>
    el(
      "tr",
      { "data-round": round.number },
      el("td", { class: "number round", "data-label": t("Round") }, String(round.number)),
      el("td", { title: exact.format(round.started_ms) }, moment.format(round.started_ms)),
      el("td", {}, round.ended_ms ? span(round.ended_ms - round.started_ms) : t("in play")),
      el("td", { class: "number" }, round.void ? t("void") : amount(decimal(round.net / 100, 2))),
      el("td", {}, badges(round.badges)),
    )
  );
}

/**
 * @param {boolean} entries
 * @param {HTMLElement[]} rows
 */
function table(entries, rows) {
  const head = entries
    ? [t("When"), t("Round"), t("What"), ""]
    : [t("Round"), t("Began"), t("Took"), t("Players’ net"), t("What happened")];
  const titles = head.map((each) => el("th", { scope: "col" }, each));
  return el(
    "table",
    { class: "list" },
    el("thead", {}, el("tr", {}, ...titles)),
    el("tbody", {}, ...rows),
  );
}

at("marks").replaceChildren(
  ...MARKS.map(([mark, word, meaning]) =>
    el(
      "label",
      { title: meaning },
      el("input", { type: "checkbox", name: "mark", value: mark }),
      ` ${word}`,
    )
  ),
);
form.addEventListener("change", () => {
  const rounds = new FormData(form).get("list") === "rounds";
  document.body.dataset.list = rounds ? "rounds" : "logbook";
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  showNewest();
});
older.addEventListener("click", read);
// Beside the list where there is room; on a small screen the list comes first.
atKind("filters", HTMLDetailsElement).open = matchMedia("(min-width: 60rem)").matches;
if (token) {
  fetch("/api/v1/table")
    .then((answer) => answer.json())
    .then((/** @type {Table.Status} */ status) => {
      document.title = t("Logbook of {table}", { table: status.table });
    })
    .catch((error) => {
      at("said").textContent = t("The table does not answer: {error}", { error: errorText(error) });
    });
  if (wanted || address.has("round")) showWanted();
  else showNewest();
} else {
  at("said").textContent = t("To read the record, open this page with the table’s token.");
}
askForEditions();
