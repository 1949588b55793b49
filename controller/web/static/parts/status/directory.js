// The pit's directory of people that is in force here: which one, and how late a change of it may be.

import { el } from "../../drawing/dom.js";
import { locale, t } from "../../drawing/words.js";

const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

/**
 * Which directory it is, who signed it, and until when it is good; `old`: it no longer is.
 *
 * @param {Table.DirectoryView | null} found
 * @param {boolean} old
 */
export function drawDirectory(found, old) {
  if (!found) return [];
  const { serial, issued_ms, good_until_ms, people, by, away_since_ms } = found;
  const late = away_since_ms !== null || old;
  return [
    el(
      "li",
      { "data-up": String(!late) },
      el("i", { "aria-hidden": "true" }, late ? "▲" : "●"),
      el("b", {}, t("Directory {serial}", { serial })),
      el("span", {}, t("made {made}, good until {until}, {people:person|people}, signed by the key {by}", {
        made: moment.format(issued_ms), until: moment.format(good_until_ms), people, by,
      })),
    ),
  ];
}

/**
 * How long it takes until somebody who is taken out at the pit is out here.
 *
 * @param {Table.DirectoryView | null} found
 */
export function delayOf(found) {
  if (!found) return "";
  if (found.by_file) {
    return t("It is brought as a file: whoever is taken out at the pit is out here once the next one is.");
  }
  if (found.away_since_ms !== null) {
    return t("Not heard from the pit since {time}: whoever is taken out there meanwhile can act here until the line is back.", {
      time: moment.format(found.away_since_ms),
    });
  }
  return t("Whoever is taken out at the pit is out here within seconds, at their next PIN.");
}
