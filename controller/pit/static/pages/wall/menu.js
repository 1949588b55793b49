// The other pages of the pit that whoever looks at the wall may open.

import { el } from "../../drawing/dom.js";

/** Where everybody may sign out, whatever else the pit does not say. */
const MINE = { path: "/sessions", name: "My sessions" };

/**
 * Draws a link to each page, and marks a page whose reader may ask nothing of tables; asked once, as
 * roles change with a new sign-in alone.
 *
 * @param {HTMLElement} node
 */
export async function drawMenu(node) {
  let pages = [MINE];
  try {
    const answer = await fetch("/api/v1/me");
    if (answer.ok) {
      const me = await answer.json();
      ({ pages } = me);
      document.body.dataset.asks = String(me.asks_tables);
    }
  } catch {
    // The wall itself says that the pit does not answer.
  }
  node.replaceChildren(...pages.map(({ path, name }) => el("a", { href: path }, name)));
}
