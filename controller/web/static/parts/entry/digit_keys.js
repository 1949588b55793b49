// The keys of a pad of digits: in the same order wherever digits are touched, as on a telephone.

import { el } from "../../drawing/dom.js";
import { t } from "../../drawing/words.js";

export const DELETE = "⌫";
/** Rows of digits; the last has room for a sign beside the 0. */
export const ROWS = [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]];

/**
 * The pad of digits; `sign` stands beside the 0, empty: nothing does.
 *
 * @param {string} sign
 * @param {(key: string) => void} typed
 */
export function digitKeys(sign, typed) {
  const keys = [...ROWS.flat(), sign, "0", DELETE].map((each) =>
    each
      ? el("button", {
        class: "pick",
        type: "button",
        "aria-label": each === DELETE ? t("Delete the last digit") : each,
        onclick: () => typed(each),
      }, el("b", {}, each))
      : el("span", {})
  );
  return el("div", { class: "pad-digits", role: "group", "aria-label": t("Digits") }, ...keys);
}
