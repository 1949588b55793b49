// The other pages of the pit that whoever looks at the wall may open.

import { el, redraw } from "../../drawing/dom.js";

/** Where everybody may sign out, whatever else the pit does not say. */
const MINE = { path: "/sessions", name: "My sessions" };

/**
 * Draws a link to each page, and marks what the page's reader may not do: nobody is offered what
 * would be refused. Where the pit does not say, it stays as it is: asked again with the next line.
 *
 * @param {HTMLElement} node
 */
export async function drawMenu(node) {
  if (!node.children.length) draw(node, [MINE]);
  try {
    const answer = await fetch("/api/v1/me");
    if (!answer.ok) return;
    /** @type {{ asks_tables: boolean, answers: string, pages: { path: string, name: string }[] }} */
    const me = await answer.json();
    const { dataset } = document.body;
    dataset.asks = String(me.asks_tables);
    dataset.answers = me.answers;
    dataset.rounds = String(me.pages.some(({ path }) => path === "/rounds"));
    draw(node, me.pages);
  } catch {
    // The wall itself says that the pit does not answer.
  }
}

/**
 * @param {HTMLElement} node
 * @param {{ path: string, name: string }[]} pages
 */
function draw(node, pages) {
  redraw(node, pages, (shown) => shown.map(({ path, name }) => el("a", { href: path }, name)));
}
