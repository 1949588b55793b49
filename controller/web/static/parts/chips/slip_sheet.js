// A slip as it is printed: number, chips, sum, and who signed it with a PIN.

import { el } from "../../drawing/dom.js";
import { money } from "../results.js";

/** What each kind of slip is called. */
/** @type {Record<string, string>} */
export const TITLES = {
  opener: "Opener", closer: "Closer", fill: "Fill", credit: "Credit", box: "Drop box", count: "Soft count",
};
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "medium" });

/**
 * @param {Table.SlipView} slip
 * @param {Table.ChipsView} view
 * @param {string} what
 */
export function drawSheet(slip, view, what) {
  const rows = slip.chips.filter((each) => each.pieces);
  return el(
    "article", {},
    el("h1", {}, `${TITLES[slip.kind] ?? slip.kind}, slip ${slip.number}`),
    el("p", {}, `Table ${view.table}, ${full.format(slip.at_ms)}`),
    el("p", {}, what),
    slip.void ? el("p", { class: "void" }, `VOID: ${slip.void.reason}. ${slip.void.by.join(" and ")}, ${full.format(slip.void.at_ms)}`) : null,
    rows.length
      ? el(
        "table", {},
        el("tr", {}, ...["Chip", "Pieces", view.currency].map((each) => el("th", { scope: "col" }, each))),
        ...rows.map(({ chip, pieces }) =>
          el("tr", {}, el("td", {}, money(chip)), el("td", {}, String(pieces)), el("td", {}, money(chip * pieces)))
        ),
      )
      : null,
    slip.kind === "box" ? null : el("p", { class: "total" }, `${money(slip.amount)} ${view.currency}`),
    el("p", {}, `Signed by PIN: ${slip.by.join(" and ")}`),
    el("p", { class: "lines" }, el("span", {}, "Dealer"), el("span", {}, "Floor"), el("span", {}, "Cage")),
  );
}
