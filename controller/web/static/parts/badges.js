// What a round is to be noticed for: a small sign with a word for each mark of its log.

import { el } from "../drawing/dom.js";

/**
 * The marks in their order, each with the word on its badge and what it means.
 *
 * @type {[mark: string, word: string, meaning: string][]}
 */
export const MARKS = [
  ["hold", "Hold", "The table was held"],
  ["alarm", "Alarm", "An alarm called somebody"],
  ["person", "PIN", "Somebody gave their PIN"],
  ["entry", "By hand", "A card was entered by hand"],
  ["refusal", "Refused", "Something was refused"],
  ["doubt", "Reader doubt", "A reader was not sure"],
  ["picture", "Picture", "There is a picture of a card"],
  ["device", "Device", "A device failed or came back"],
  ["correction", "Corrected", "The record was corrected"],
  ["void", "Void", "The round is void"],
  ["aside", "Put aside", "A card was put aside, kept or taken back"],
  ["restart", "Restart", "The service was started again"],
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
    const title = count > 1 ? `${meaning}: ${count} times` : meaning;
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
  return el("p", { class: "filters" }, el("span", { class: "quiet" }, "Only rounds with"), ...keys);
}
