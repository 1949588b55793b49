// The manual of this table: a part for dealers, one for the floor, one for engineers; printable.
// `?for=floor` opens that part; what is printed is the part that is open.

import { at, el } from "../../drawing/dom.js";
import { askForEditions } from "../../drawing/edition.js";
import { themeChoice } from "../../drawing/theme.js";
import { drawContents, drawSection } from "../../parts/sheet.js";
import { spoken, t } from "../../drawing/words.js";

const RETRY_MS = 2000;

/** @param {Table.Manual} book */
function draw(book) {
  const asked = new URLSearchParams(location.search).get("for");
  const part = book.parts.find((each) => each.name === asked) ?? book.parts[0];
  document.title = t("{title} · table {table}", { title: part.title, table: book.table });
  at("title").textContent = part.title;
  at("rule").textContent = t("Table {table}, {game}", { table: book.table, game: book.game });
  const links = book.parts.map((each) => {
    const now = each.name === part.name ? { "aria-current": "page" } : {};
    return el("a", { href: `/manual?for=${each.name}`, ...now }, each.title);
  });
  const print = { class: "small", type: "button", onclick: () => globalThis.print() };
  at("parts").replaceChildren(...links, el("button", print, t("Print")), themeChoice());
  at("contents").replaceChildren(drawContents(part.sections));
  at("sections").replaceChildren(...part.sections.map((each, index) => drawSection(each, index)));
  at("sections").removeAttribute("aria-busy");
}

async function load() {
  try {
    const answer = await fetch(spoken("/api/v1/manual"));
    if (!answer.ok) throw new Error(`the table answered ${answer.status}`);
    draw(await answer.json());
    at("trouble").hidden = true;
  } catch (error) {
    at("trouble").textContent = t("The manual cannot be fetched from the table. Trying again…");
    at("trouble").hidden = false;
    setTimeout(load, RETRY_MS);
    if (!(error instanceof TypeError)) throw error;
  }
}

load();
askForEditions();
