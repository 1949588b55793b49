// Which card? Chosen on a picker, and then, elsewhere on the dialog, confirmed.

import { card, indexStyle } from "../../drawing/cards.js";
import { el } from "../../drawing/dom.js";
import { CardPicker, cardText } from "../entry/card_picker.js";
import { onButton } from "./dialogs.js";
import { t } from "../../drawing/words.js";

/** @typedef {import("./dialogs.js").Dialogs} Dialogs */
/** @typedef {import("./dialogs.js").Owner} Owner */

/**
 * What becomes of a card that was chosen: `onNamed` tells the table which, and answers "" if it can
 * be, `onCard` that it is.
 *
 * @typedef {{
 *   onNamed: (code: string) => Promise<string>,
 *   onCard: (code: string) => void,
 * }} CardHandlers
 */

/**
 * Asks for a card: rank and suit, and then whether it is the one.
 *
 * @param {Dialogs} dialogs
 * @param {string} title
 * @param {Owner} owner
 * @param {CardHandlers} handlers
 * @param {string} [chosen]
 */
export function askCard(dialogs, title, owner, handlers, chosen = "") {
  let naming = false;
  const enter = async () => {
    if (naming) return;
    naming = true;
    const named = picker.code;
    const refused = await handlers.onNamed(named);
    naming = false;
    // The dialog may have been closed meanwhile, or another card be chosen.
    if (!picker.node.isConnected) return;
    if (refused) dialogs.close();
    else if (picker.code === named) askAgain(dialogs, title, owner, named, handlers);
  };
  const picker = new CardPicker(dialogs.joker, chosen, enter, () => dialogs.focus());
  dialogs.show(title, owner, picker.node, (key) => {
    if (key !== "Enter") return picker.typed(key);
    if (!picker.code || onButton()) return false;
    enter();
    return true;
  });
}

/**
 * The second question, with its Yes far from the key that chose, and another on the keyboard.
 *
 * @param {Dialogs} dialogs
 * @param {string} title
 * @param {Owner} owner
 * @param {string} code
 * @param {CardHandlers} handlers
 */
function askAgain(dialogs, title, owner, code, handlers) {
  const yes = () => {
    dialogs.close();
    handlers.onCard(code);
  };
  const no = () => askCard(dialogs, title, owner, handlers, code);
  /**
   * @param {string} kind
   * @param {string[]} letters
   * @param {string} text
   * @param {() => void} go
   */
  const key = (kind, letters, text, go) =>
    el(
      "button",
      { class: kind, type: "button", onclick: go },
      ...letters.map((each) => el("kbd", {}, each)),
      el("span", {}, text),
    );
  const question = el(
    "div",
    { class: "again" },
    el("p", { class: "again-question" }, t("Enter {code}?", { code: cardText(code) })),
    card(code, { style: indexStyle() }),
    el(
      "div",
      { class: "again-keys" },
      key("key confirm", ["Y"], t("Yes, enter it"), yes),
      key("key", ["N", "Esc"], t("No, go back"), no),
    ),
  );
  dialogs.show(title, owner, question, (pressed) => {
    const letter = pressed.toLowerCase();
    if (letter === "y") yes();
    else if (letter === "n" || letter === "escape") no();
    // Enter chose the card: it does not confirm it too.
    else return letter === "enter" && !onButton();
    return true;
  });
}
