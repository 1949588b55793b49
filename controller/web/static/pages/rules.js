// The rules as they are enforced at this table: sections of lines and tables, from the API.
// `?at=dealer` or `?at=players` keeps the table's sentence in sight, and a way back to that page.

import { at, atKind, el } from "../drawing/dom.js";
import { follow } from "../drawing/live.js";

/** The display that the page was opened from. */
const DISPLAYS = {
  dealer: { back: "Back to the dealer display" },
  players: { back: "Back to the table" },
};
const RETRY_MS = 2000;
const from = displayOf(new URLSearchParams(location.search).get("at"));

/**
 * @param {string | null} name
 * @returns {keyof typeof DISPLAYS | null}
 */
function displayOf(name) {
  return name === "dealer" || name === "players" ? name : null;
}

/** @param {Table.RuleBook} book */
function draw(book) {
  document.title = `${book.title} · rules`;
  at("title").textContent = book.title;
  at("rule").textContent = book.rule;
  // The house's edge is for who runs the table, not for the displays on it.
  at("edge").hidden = from !== null;
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

/**
 * A text whose ranges (`soft 15-24`) stay whole and whose option names may break after `_`. This is
 * about where a line may break, not about what it says.
 *
 * @param {string} text
 */
function words(text) {
  return text.split(/((?:(?:hard|soft|low|high) )?\S*\d-\S+)/).map((part, index) => (
    index % 2
      ? el("span", { class: "whole" }, part)
      : part.split(/(?<=_)/).flatMap((piece, nth) => (nth ? [el("wbr"), piece] : [piece]))
  )).flat();
}

/**
 * @param {Table.Section} section
 * @param {number} index
 */
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

/**
 * @param {Table.Grid} grid
 * @param {string} title
 */
function drawGrid(grid, title) {
  return el(
    "table",
    { class: "grid", "aria-labelledby": title },
    el("thead", {}, el("tr", {}, grid.head.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, grid.rows.map((row, index) => drawRow(grid, row, index))),
  );
}

/**
 * A row; a first cell that the rows below share is written once and spans them.
 *
 * @param {Table.Grid} grid
 * @param {string[]} row
 * @param {number} index
 */
function drawRow(grid, row, index) {
  const shared = grid.head.length > 2;
  const again = shared && index > 0 && grid.rows[index - 1][0] === row[0];
  const below = shared ? grid.rows.slice(index) : [row];
  const other = below.findIndex((each) => each[0] !== row[0]);
  const span = other < 0 ? below.length : other;
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

/** @param {keyof typeof DISPLAYS} name */
function followDisplay(name) {
  const back = atKind("back", HTMLAnchorElement);
  at("now").hidden = false;
  back.textContent = DISPLAYS[name].back;
  // As the display was opened, before the contents change the address.
  const address = new URL(location.href);
  address.pathname = `/${name}`;
  address.searchParams.delete("at");
  back.href = address.href;
  /** @param {Table.DealerView | Table.PlayersView} view */
  const onView = (view) => {
    const dealers = "headline" in view;
    at("headline").textContent = dealers ? view.headline : view.notice;
    at("now").dataset.tone = dealers ? view.tone : "";
  };
  follow(`/events/${name}`, "scene", {
    onView,
    onLive: (live) => {
      at("now").dataset.live = String(live);
      if (!live) at("headline").textContent = "No connection to the table: look at the felt.";
    },
  });
}

if (from) followDisplay(from);
load();
