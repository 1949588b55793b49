// The other pages of the pit that whoever looks at the wall may open.

import { el, redraw } from "../../drawing/dom.js";

/** Where everybody may sign out, whatever else the pit does not say. */
const MINE = { path: "/sessions", name: "My sessions" };

/**
 * Draws a link to each page, and marks a page whose reader may ask nothing of tables. Where the pit
 * does not say, it stays as it is: asked again with the next line to it.
 *
 * @param {HTMLElement} node
 */
export async function drawMenu(node) {
  if (!node.children.length) draw(node, [MINE]);
  try {
    const answer = await fetch("/api/v1/me");
    if (!answer.ok) return;
    const me = await answer.json();
    document.body.dataset.asks = String(me.asks_tables);
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
