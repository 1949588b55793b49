// What a correction's panel lists: the changes so far, and every bet and step of the round.

import { el } from "../../drawing/dom.js";
import { hasChange } from "./correction_text.js";
import { t } from "../../drawing/words.js";

/** @typedef {import("./round_steps.js").Row} Row */
/** @typedef {import("./round_steps.js").Wager} Wager */
/** @typedef {import("./correction_text.js").Changed} Changed */
/** @typedef {import("./correction_text.js").CorrectionText} CorrectionText */
/** @typedef {import("./round_steps.js").RoundSteps} RoundSteps */

/**
 * The changes so far, each with a key that takes it back; what is wrong; and the key to go on.
 *
 * @param {Changed[]} changed
 * @param {CorrectionText} text
 * @param {string} problem
 * @param {(each: Changed) => void} takeBack
 * @param {() => void} goOn
 */
export function drawChanges(changed, text, problem, takeBack, goOn) {
  /** @param {Changed} each */
  const back = (each) => {
    const label = t("Take back: {each}", { each: text.ofChange(each) });
    return el("button", { type: "button", "aria-label": label, onclick: () => takeBack(each) }, "✕");
  };
  const listed = changed.map((each) =>
    el("li", {}, el("span", {}, text.ofChange(each)), back(each))
  );
  const none = el("li", { class: "correct-none" }, t("Choose the step or bet that was otherwise."));
  return el(
    "div",
    { class: "correct-sum" },
    el(
      "ul",
      { class: "correct-list", "data-may-cut": true, "aria-label": t("Changes") },
      ...(listed.length ? listed : [none]),
    ),
    el("p", { class: "correct-problem", role: "alert" }, problem && `✕ ${problem}`),
    el(
      "button",
      { class: "correct-go", type: "button", disabled: !changed.length, onclick: goOn },
      t("Go on: say why"),
    ),
  );
}

/**
 * Every bet and step, with its change. `refused`: the one that does not fit, and why.
 *
 * @param {RoundSteps} steps
 * @param {CorrectionText} text
 * @param {Row | Wager | null} chosen
 * @param {{ row: Row, text: string } | null} refused
 * @param {(each: Row | Wager) => void} choose
 */
export function drawSteps(steps, text, chosen, refused, choose) {
  /**
   * @param {Row | Wager} each
   * @param {string} number
   * @param {string} was
   */
  const line = (each, number, was) => {
    const misfit = refused?.row === each ? refused.text : "";
    return el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          "data-now": each === chosen,
          "data-changed": hasChange(each),
          onclick: () => choose(each),
        },
        el("i", {}, number),
        el(
          "span",
          {},
          hasChange(each) && was ? el("s", {}, was) : was,
          hasChange(each) ? el("b", {}, text.ofRow(each)) : null,
        ),
      ),
      misfit ? el("p", { class: "correct-misfit", role: "alert" }, `✕ ${misfit}`) : null,
    );
  };
  return el(
    "ol",
    { class: "correct-steps", "data-may-cut": true, tabindex: "-1", "aria-label": t("Steps") },
    ...steps.wagers.map((each) => line(each, "", text.titleOf(each))),
    ...steps.rows.map((row) =>
      line(row, row.from === undefined ? "+" : String(row.from + 1), row.kind === "put" ? "" : row.text)
    ),
  );
}
