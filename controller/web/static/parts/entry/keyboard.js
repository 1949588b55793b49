// Keys on the screen, for displays without a keyboard: they type into the field that has the focus.

import { el } from "../../drawing/dom.js";
import { DELETE, ROWS } from "./digit_keys.js";
import { t } from "../../drawing/words.js";

const SHIFT = "⇧";
const SPACE = "␣";
/** @type {Record<string, string>} */
const NAMES = { [DELETE]: t("Delete"), [SHIFT]: t("Capital"), [SPACE]: t("Space") };
const LETTERS = ["1234567890-", "qwertyuiopå", "asdfghjklöä", `${SHIFT}zxcvbnm.${SPACE}${DELETE}`];
const DIGITS = [...ROWS.map((row) => row.join("")), `.0${DELETE}`];

/** A field says by `data-keys` what it takes: `letters`, or `digits`. */
export class Keyboard {
  node = el("div", { class: "keyboard", role: "group", "aria-label": t("Keys on the screen") });
  /** @type {HTMLInputElement | null} */
  #field = null;
  #capital = false;

  /**
   * Types into whichever field of `root` has the focus.
   *
   * @param {HTMLElement} root
   */
  serve(root) {
    root.addEventListener("focusin", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      this.#field = target;
      this.#draw(target.dataset.keys ?? "letters");
    });
  }

  /** @param {string} kind */
  #draw(kind) {
    this.node.dataset.keys = kind;
    const rows = kind === "digits" ? DIGITS : LETTERS;
    this.node.replaceChildren(
      ...rows.map((row) => {
        const keys = [...row].map((each) => this.#key(each));
        return el("div", { class: "keyboard-row" }, ...keys);
      }),
    );
  }

  /** @param {string} sign */
  #key(sign) {
    const shown = this.#capital && sign.length === 1 ? sign.toUpperCase() : sign;
    return el(
      "button",
      {
        type: "button",
        tabindex: "-1",
        "aria-label": NAMES[sign] ?? shown,
        "aria-pressed": sign === SHIFT ? String(this.#capital) : null,
        // The field keeps the focus: it is typed into.
        onpointerdown: (event) => event.preventDefault(),
        onclick: () => this.#type(sign, shown),
      },
      shown,
    );
  }

  /**
   * @param {string} sign
   * @param {string} shown
   */
  #type(sign, shown) {
    const field = this.#field;
    if (!field) return;
    field.focus();
    if (sign === SHIFT) {
      this.#capital = !this.#capital;
    } else {
      const typed = sign === SPACE ? " " : shown;
      const value = sign === DELETE ? field.value.slice(0, -1) : field.value + typed;
      field.value = value.slice(0, field.maxLength);
      this.#capital = false;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    this.#draw(field.dataset.keys ?? "letters");
  }
}
