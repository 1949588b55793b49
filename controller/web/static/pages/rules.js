// The rules as they are enforced at this table: sections of lines and tables, as the API tells them.
// `?at=dealer` or `?at=players` keeps the table's sentence in sight, and a way back to that page.

import { at, el } from "../drawing/dom.js";
import { follow } from "../drawing/live.js";

const PAGES = {
  dealer: { says: (view) => view.headline, back: "Back to the dealer display" },
  players: { says: (view) => view.notice, back: "Back to the table" },
};
const RETRY_MS = 2000;
const from = new URLSearchParams(location.search).get("at");

function draw(book) {
  document.title = `${book.title} · rules`;
  at("title").textContent = book.title;
  at("rule").textContent = book.rule;
  // The house's edge is for who runs the table, not for the displays on it.
  at("edge").hidden = Object.hasOwn(PAGES, from);
  at("edge").textContent = book.edge;
  at("top").dataset.loses = String(book.house_loses && !at("edge").hidden);
  at("contents").replaceChildren(
    el("ol", {}, book.sections.map((section, index) => (
      el("li", {}, el("a", { href: `#section-${index}` }, section.title))
    ))),
  );
  at("sections").replaceChildren(...book.sections.map(drawSection));
  at("sections").removeAttribute("aria-busy");
}

/** A text whose ranges (`soft 15-24`) stay whole and whose option names may break after `_`. */
function words(text) {
  return text.split(/((?:(?:hard|soft|low|high) )?\S*\d-\S+)/).map((part, index) => (
    index % 2
      ? el("span", { class: "whole" }, part)
      : part.split(/(?<=_)/).flatMap((piece, nth) => (nth ? [el("wbr"), piece] : [piece]))
  )).flat();
}

function drawSection(section, index) {
  return el(
    "section",
    {
      class: "panel",
      id: `section-${index}`,
      "aria-labelledby": `title-${index}`,
      "data-columns": section.grid?.head.length,
      "data-wide": (section.grid?.head.length ?? 0) > 2,
    },
    el("h2", { id: `title-${index}` }, section.title),
    section.lines.length
      ? el("ul", { class: "lines" }, section.lines.map((line) => el("li", {}, words(line))))
      : null,
    section.grid ? drawGrid(section.grid, `title-${index}`) : null,
  );
}

function drawGrid(grid, title) {
  return el(
    "table",
    { class: "grid", "aria-labelledby": title },
    el("thead", {}, el("tr", {}, grid.head.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, grid.rows.map((row, index) => drawRow(grid, row, index))),
  );
}

/** A row; a first cell that the rows below share is written once and spans them. */
function drawRow(grid, row, index) {
  const shared = grid.head.length > 2;
  const again = shared && index > 0 && grid.rows[index - 1][0] === row[0];
  let span = 1;
  while (shared && grid.rows[index + span]?.[0] === row[0]) span += 1;
  const cells = row.map((text, column) => {
    if (column === 0) {
      const head = { scope: "rowgroup", rowspan: span, "data-label": grid.head[0] };
      return again ? null : el("th", head, words(text));
    }
    return el(
      "td",
      { "data-label": grid.head[column], "data-forced": text.startsWith("must ") },
      words(text),
    );
  });
  return el("tr", { "data-first": !again }, cells);
}

async function load() {
  try {
    const answer = await fetch("/api/v1/rules");
    if (!answer.ok) throw new Error(`the table answered ${answer.status}`);
    draw(await answer.json());
    at("trouble").hidden = true;
  } catch (error) {
    at("trouble").textContent = "The rules cannot be fetched from the table. Trying again…";
    at("trouble").hidden = false;
    setTimeout(load, RETRY_MS);
    if (!(error instanceof TypeError)) throw error;
  }
}

function stayInTouch(name) {
  const { says, back } = PAGES[name];
  at("now").hidden = false;
  at("back").textContent = back;
  // As the display was opened, before the contents change the address.
  const address = new URL(location.href);
  address.pathname = `/${name}`;
  address.searchParams.delete("at");
  at("back").href = address.href;
  follow(`/events/${name}`, "scene", {
    onPicture: (view) => {
      at("headline").textContent = says(view);
      at("now").dataset.tone = view.tone ?? "";
    },
    onLive: (live) => {
      at("now").dataset.live = String(live);
      if (!live) at("headline").textContent = "No connection to the table: look at the felt.";
    },
  });
}

if (Object.hasOwn(PAGES, from)) stayInTouch(from);
load();
