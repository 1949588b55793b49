// A sheet of sections as the rules and the manual show it: lines of text and tables.

import { el } from "../drawing/dom.js";

/**
 * A text; what stands between backticks is typed.
 *
 * @param {string} text
 */
function words(text) {
  return text.split("`").flatMap((part, index) => (index % 2 ? [el("code", {}, part)] : plain(part)));
}

/**
 * A text whose words are not broken at their hyphens: `15-24` stays on one line.
 *
 * @param {string} text
 */
function plain(text) {
  return text.split(" ").flatMap((word, index) => [
    index ? " " : "",
    word.includes("-") ? el("span", { class: "whole" }, word) : word,
  ]);
}

/**
 * The list of contents of sections whose ids begin with `prefix`.
 *
 * @param {Table.Section[]} sections
 * @param {string} [prefix]
 */
export function drawContents(sections, prefix = "section") {
  return el(
    "ol",
    {},
    sections.map((section, index) => (
      el("li", {}, el("a", { href: `#${prefix}-${index}` }, section.title))
    )),
  );
}

/**
 * @param {Table.Section} section
 * @param {number} index
 * @param {string} [prefix]
 */
export function drawSection(section, index, prefix = "section") {
  return el(
    "section",
    {
      class: "panel",
      id: `${prefix}-${index}`,
      "aria-labelledby": `${prefix}-title-${index}`,
      "data-columns": section.grid?.head.length,
      "data-wide": (section.grid?.head.length ?? 0) > 2,
    },
    el("h2", { id: `${prefix}-title-${index}` }, section.title),
    section.lines.length
      ? el("ul", { class: "lines" }, section.lines.map((line) => el("li", {}, words(line))))
      : null,
    section.grid ? drawGrid(section.grid, `${prefix}-title-${index}`) : null,
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
      { "data-label": grid.head[column], "data-forced": grid.forced.some(([at, cell]) => at === index && cell === column) },
      words(text),
    );
  });
  return el("tr", { "data-first": !again }, cells);
}
