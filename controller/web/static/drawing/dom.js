// Builds elements. Text goes in as text nodes only, so data can never become markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined} Child */

/**
 * Attributes by name; `onclick` and the like are listeners. What is null or false is left out.
 *
 * @typedef {{
 *   onclick?: (event: MouseEvent) => void,
 *   onpointerdown?: (event: PointerEvent) => void,
 *   [name: string]: string | number | boolean | null | undefined | ((event: never) => void),
 * }} Attributes
 */

/**
 * @template {Element} T
 * @param {T} node
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") {
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...present(children.flat()));
  return node;
}

/** @param {Child[]} children */
function present(children) {
  return children.filter((child) => child !== null && child !== undefined);
}

/**
 * An HTML element; children that are null are left out.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * The element of that id and kind; a page without it is broken, and says so.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function atKind(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

/**
 * The element of that id, of whatever kind.
 *
 * @param {string} id
 */
export function at(id) {
  return atKind(id, HTMLElement);
}

/** @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * Draws `node` anew only if `data` differs from what it shows: a key under a finger stays itself.
 * Returns whether it did.
 *
 * @template T
 * @param {Element} node
 * @param {T} data
 * @param {(data: T) => Child | Child[]} draw
 */
export function redraw(node, data, draw) {
  const now = JSON.stringify(data);
  if (shown.get(node) === now) return false;
  shown.set(node, now);
  node.replaceChildren(...present([draw(data)].flat()));
  return true;
}

/**
 * The same for what is read and pressed in peace: whoever has come to a button there by the keyboard
 * stays at the one of that name. Not for keys of play, where the next press means something else.
 *
 * @template T
 * @param {Element} node
 * @param {T} data
 * @param {(data: T) => Child | Child[]} draw
 */
export function redrawInPlace(node, data, draw) {
  const held = document.activeElement;
  const name = held instanceof HTMLButtonElement && node.contains(held) ? nameOf(held) : "";
  const drawn = redraw(node, data, draw);
  if (drawn && name) [...node.querySelectorAll("button")].find((each) => nameOf(each) === name)?.focus();
  return drawn;
}

/**
 * What a button is called, where its text holds a figure too: `data-name`.
 *
 * @param {HTMLButtonElement} button
 */
function nameOf(button) {
  return button.dataset.name ?? button.ariaLabel ?? button.textContent ?? "";
}
