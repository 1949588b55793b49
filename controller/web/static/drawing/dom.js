// Builds elements. Text goes in as text nodes only, so data can never become markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element; `onclick` and the like are listeners, null children are left out. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The element of that id; a page without it is broken, and says so. */
export function at(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

const shown = new WeakMap();

/**
 * Draws `node` anew only if `data` differs from what it shows: a key under a finger stays itself.
 * Returns whether it did.
 */
export function redraw(node, data, draw) {
  const now = JSON.stringify(data);
  if (shown.get(node) === now) return false;
  shown.set(node, now);
  node.replaceChildren(...[draw(data)].flat().filter((child) => child !== null));
  return true;
}
