// The logbook: what an auditor asks of the record, by day, time of day, mark, person and round.

import { at, atKind, el } from "../drawing/dom.js";
import { amount } from "../drawing/hands.js";
import { span } from "../drawing/elapsed.js";
import { useTheme } from "../drawing/theme.js";
import { badges, MARKS } from "../parts/badges.js";
import { errorText, takeToken } from "../parts/commands.js";

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const token = takeToken();
useTheme();
const form = atKind("asked", HTMLFormElement);

/** @param {FormData} given */
function query(given) {
  const asked = new URLSearchParams();
  const entries = given.get("list") === "logbook";
  for (const name of ["first", "last", ...(entries ? ["since", "until", "by", "round"] : [])]) {
    const value = String(given.get(name) ?? "").trim();
    if (value) asked.set(name, value);
  }
  const marks = given.getAll("mark").join(",");
  if (marks) asked.set("with", marks);
  return `/api/v1/record/${entries ? "logbook" : "rounds"}?${asked}`;
}

async function show() {
  const given = new FormData(form);
  const entries = given.get("list") === "logbook";
  const button = atKind("show", HTMLButtonElement);
  button.disabled = true;
  at("said").textContent = "The record is being read…";
  try {
    const headers = { Accept: "application/json", Authorization: `Bearer ${token}` };
    const answer = await fetch(query(given), { headers });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail || `error ${answer.status}`);
    at("found").replaceChildren(...(entries ? drawEntries(body) : drawRounds(body)));
    at("said").textContent = summary(body, entries ? "entries" : "rounds");
  } catch (error) {
    at("found").replaceChildren();
    at("said").textContent = `Not read: ${errorText(error)}`;
  } finally {
    button.disabled = false;
  }
}

/**
 * @param {Table.LogbookAnswer | Table.RoundsAnswer} answer
 * @param {string} things
 */
function summary({ lines, more, problem }, things) {
  const count = `${lines.length} ${things}`;
  const rest = more ? ": the first ones; ask for less to see the rest" : "";
  return `${problem ? `${problem} ` : ""}${lines.length ? count + rest : `No such ${things}.`}`;
}

/** @param {Table.LogbookAnswer} answer */
function drawEntries({ lines }) {
  if (!lines.length) return [];
  const rows = lines.map((line) =>
    el(
      "tr",
      { "data-record": line.seq },
      el("td", { title: exact.format(line.at_ms) }, moment.format(line.at_ms)),
      el("td", { class: "number" }, line.round ? String(line.round) : ""),
      el("td", { class: "said" }, line.text),
      el("td", {}, badges(line.marks.map((mark) => ({ mark, count: 1 })))),
    )
  );
  return [table(["When", "Round", "What", ""], rows)];
}

/** @param {Table.RoundsAnswer} answer */
function drawRounds({ lines }) {
  if (!lines.length) return [];
  const rows = lines.map((round) =>
    el(
      "tr",
      { "data-round": round.number },
      el("td", { class: "number" }, String(round.number)),
      el("td", { title: exact.format(round.started_ms) }, moment.format(round.started_ms)),
      el("td", {}, round.ended_ms ? span(round.ended_ms - round.started_ms) : "in play"),
      el("td", { class: "number" }, round.void ? "void" : amount((round.net / 100).toFixed(2))),
      el("td", {}, badges(round.badges)),
    )
  );
  return [table(["Round", "Began", "Took", "Players’ net", "What happened"], rows)];
}

/**
 * @param {string[]} head
 * @param {HTMLElement[]} rows
 */
function table(head, rows) {
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
  show();
});
if (token) {
  fetch("/api/v1/table")
    .then((answer) => answer.json())
    .then((/** @type {Table.Status} */ status) => {
      document.title = `Logbook of ${status.table}`;
      if (status.day) atKind("first", HTMLInputElement).value = status.day.label;
    })
    .catch((error) => {
      at("said").textContent = `The table does not answer: ${errorText(error)}`;
    });
} else {
  at("said").textContent = "To read the record, open this page with the table’s token.";
}
