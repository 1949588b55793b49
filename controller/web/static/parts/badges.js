// What a round is to be noticed for: a small sign with a word for each mark of its log.

import { el } from "../drawing/dom.js";
import { t } from "../drawing/words.js";

/**
 * The marks in their order, each with the word on its badge and what it means.
 *
 * @type {[mark: string, word: string, meaning: string][]}
 */
export const MARKS = [
  ["hold", t("Hold"), t("The table was held")],
  ["alarm", t("Alarm"), t("An alarm called somebody")],
  ["person", "PIN", t("Somebody gave their PIN")],
  ["entry", t("By hand"), t("A card was entered by hand")],
  ["refusal", t("Refused"), t("Something was refused")],
  ["doubt", t("Reader doubt"), t("A reader was not sure")],
  ["picture", t("Picture"), t("There is a picture of a card")],
  ["device", t("Device"), t("A device failed or came back")],
  ["correction", t("Corrected"), t("The record was corrected")],
  ["void", t("Void"), t("The round is void")],
  ["aside", t("Put aside"), t("A card was put aside, kept or taken back")],
  ["restart", t("Restart"), t("The service was started again")],
];

/**
 * Badges as they stand in a row.
 *
 * @param {Table.Badge[]} found
 */
export function badges(found) {
  const known = new Map(found.map((each) => [each.mark, each.count]));
  const shown = MARKS.filter(([mark]) => known.has(mark)).map(([mark, word, meaning]) => {
    const count = known.get(mark) ?? 0;
    const title = count > 1 ? t("{meaning}: {count} times", { meaning, count }) : meaning;
    return el("li", { class: "badge", "data-mark": mark, title }, word, count > 1 ? ` ${count}` : "");
  });
  return el("ul", { class: "badges" }, ...shown);
}

/**
 * Keys to show only rounds with some marks; `change` is given those that are on.
 *
 * @param {Set<string>} there
 * @param {Set<string>} on
 * @param {() => void} change
 */
export function filterKeys(there, on, change) {
  const keys = MARKS.filter(([mark]) => there.has(mark)).map(([mark, word, meaning]) => {
    const pressed = on.has(mark);
    const toggle = () => {
      if (!on.delete(mark)) on.add(mark);
      change();
    };
    const button = { class: "small", type: "button", "aria-pressed": String(pressed), onclick: toggle };
    return el("button", { ...button, title: meaning, "data-filter": mark }, word);
  });
  if (!keys.length) return null;
  return el("p", { class: "filters" }, el("span", { class: "quiet" }, t("Only rounds with")), ...keys);
}
