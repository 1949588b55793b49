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
 * Takes away at each seat what does not fit. Everything is there again after a change of size. All
 * seats are looked at before any is changed: each look after a change lays the page out anew.
 *
 * @param {HTMLElement} seats
 */
export function keepEssentials(seats) {
  for (const gone of seats.querySelectorAll("[data-gone]")) gone.removeAttribute("data-gone");
  for (const tight of seats.querySelectorAll("[data-tight]")) tight.removeAttribute("data-tight");
  let full = [...seats.querySelectorAll(".seat")].filter(overflows);
  for (const selector of GIVES_WAY) {
    const taken = full.flatMap((seat) => [...seat.querySelectorAll(selector)]);
    for (const node of taken) node.setAttribute("data-gone", "");
    if (taken.length) full = full.filter(overflows);
  }
  // At last its cards are drawn smaller.
  for (const seat of full) seat.setAttribute("data-tight", "");
}
