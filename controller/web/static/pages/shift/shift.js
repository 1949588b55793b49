// The sheet of a shift: the figures of a gaming day or of hours of it, and where the record ends.

import { at, atKind, el } from "../../drawing/dom.js";
import { askForEditions } from "../../drawing/edition.js";
import { useTheme } from "../../drawing/theme.js";
import { errorText, takeToken } from "../../parts/commands.js";
import { spoken, t } from "../../drawing/words.js";

const token = takeToken();
useTheme();
const form = atKind("asked", HTMLFormElement);
const print = atKind("print", HTMLButtonElement);

async function show() {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) asked.set(name, String(value));
  const button = atKind("show", HTMLButtonElement);
  button.disabled = true;
  at("said").textContent = t("The record is being read…");
  at("sheet").hidden = print.hidden = true;
  try {
    const headers = { Accept: "application/json", Authorization: `Bearer ${token}` };
    const answer = await fetch(spoken(`/api/v1/record/shift?${asked}`), { headers });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail || t("error {status}", { status: answer.status }));
    draw(body);
    at("said").textContent = "";
  } catch (error) {
    at("said").textContent = t("Not read: {error}", { error: errorText(error) });
  } finally {
    button.disabled = false;
  }
}

/** @param {Table.ShiftSheet} sheet */
function draw(sheet) {
  document.title = t("Shift sheet of {table}, {day}", { table: sheet.table, day: sheet.day });
  at("title").textContent = t("Shift sheet of {table}", { table: sheet.table });
  at("lines").replaceChildren(
    ...sheet.lines.map(([name, value]) => {
      const shown = value === sheet.head ? { class: "head" } : {};
      return el("tr", {}, el("th", { scope: "row" }, name), el("td", shown, value));
    }),
  );
  at("sheet").hidden = print.hidden = false;
  at("sheet").focus({ preventScroll: true });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
print.addEventListener("click", () => globalThis.print());
if (token) show();
else at("said").textContent = t("To read the record, open this page with the table’s token.");
askForEditions();
