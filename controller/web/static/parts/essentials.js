// Where there is no room for everything at a seat, the less needed gives way: never its cards.

/** What gives way, the least needed first. */
const GIVES_WAY = [
  ".note",
  ".sensed:not([data-differs])",
  ".seat-wager",
  ".hand-wager",
  ".verdict:not([data-result])",
  ".verdict b",
  ".total-word",
  ".seat-invite",
  ".verdict",
  ".side-bet",
];
const SLACK = 1;

/** @param {Element} node */
function tooWide(node) {
  return node.scrollWidth > node.clientWidth + SLACK;
}

/** @param {Element} seat */
function overflows(seat) {
  return tooWide(seat) || seat.scrollHeight > seat.clientHeight + SLACK ||
    [...seat.querySelectorAll(".hand, .seat-head, .total, .verdict, .note, .side-bet")].some(tooWide);
}

/**
 * Takes away, seat by seat, what does not fit. Everything is there again after a change of size.
 *
 * @param {HTMLElement} seats
 */
export function keepEssentials(seats) {
  for (const gone of seats.querySelectorAll("[data-gone]")) gone.removeAttribute("data-gone");
  for (const tight of seats.querySelectorAll("[data-tight]")) tight.removeAttribute("data-tight");
  for (const seat of seats.querySelectorAll(".seat")) {
    for (const selector of GIVES_WAY) {
      if (!overflows(seat)) break;
      for (const node of seat.querySelectorAll(selector)) node.setAttribute("data-gone", "");
    }
    // At last its cards are drawn smaller.
    if (overflows(seat)) seat.setAttribute("data-tight", "");
  }
}
