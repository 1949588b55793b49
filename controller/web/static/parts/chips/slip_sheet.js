// A slip as it is printed: number, chips, sum, and who signed it with a PIN.

import { el } from "../../drawing/dom.js";
import { money } from "../results.js";
import { locale, t } from "../../drawing/words.js";

/** What each kind of slip is called. */
/** @type {Record<string, string>} */
export const TITLES = {
  opener: t("Opener"), closer: t("Closer"), fill: t("Fill"), credit: t("Credit"), buy_in: t("Buy-in"), box: t("Drop box"), count: t("Soft count"),
};
const full = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "medium" });

/**
 * @param {Table.SlipView} slip
 * @param {Table.ChipsView} view
 * @param {string} what
 */
export function drawSheet(slip, view, what) {
  const rows = slip.chips.filter((each) => each.pieces);
  return el(
    "article", {},
    el("h1", {}, t("{title}, slip {number}", { title: TITLES[slip.kind] ?? slip.kind, number: slip.number })),
    el("p", {}, t("Table {table}, {time}", { table: view.table, time: full.format(slip.at_ms) })),
    el("p", {}, what),
    slip.void ? el("p", { class: "void" }, t("VOID: {reason}. {people}, {time}", { reason: slip.void.reason, people: slip.void.by.join(", "), time: full.format(slip.void.at_ms) })) : null,
    rows.length
      ? el(
        "table", {},
        el("tr", {}, ...[t("Chip"), t("Pieces"), view.currency].map((each) => el("th", { scope: "col" }, each))),
        ...rows.map(({ chip, pieces }) =>
          el("tr", {}, el("td", {}, money(chip)), el("td", {}, String(pieces)), el("td", {}, money(chip * pieces)))
        ),
      )
      : null,
    slip.kind === "box" ? null : el("p", { class: "total" }, `${money(slip.amount)} ${view.currency}`),
    el("p", {}, t("Signed by PIN: {people}", { people: slip.by.join(", ") })),
    el("p", { class: "lines" }, el("span", {}, t("Dealer")), el("span", {}, t("Floor")), el("span", {}, t("Cage"))),
  );
}
