// What may be said of a step or a bet that was otherwise: another card, another decision, nothing.

import { Keyboard } from "../entry/keyboard.js";
import { card, cardName, indexStyle, RANKS, SUITS } from "../../drawing/cards.js";
import { el } from "../../drawing/dom.js";
import { minorUnits, noAmount } from "../entry/amount_pad.js";
import { cardText } from "../entry/card_picker.js";
import { BIDS, isWager } from "./round_steps.js";
import { actionText, t } from "../../drawing/words.js";

const MOST_LIKELY = 5;
const HOW = t(
  "The cards stay where they lie. Say here what the record should say: the round is played again from it, and what no longer fits is named.",
);
const FACE_DOWN = t("It lay face down: its card is put right where it was turned.");
const PAID = t("What is paid follows from the cards: put those right.");

/** @typedef {import("./round_steps.js").Row} Row */
/** @typedef {import("./round_steps.js").Wager} Wager */
/** @typedef {import("./round_steps.js").Change} Change */
/** @typedef {"" | "before" | "after"} Mode  Where a card is to be put in; empty: nowhere. */

/**
 * The editor of one step or bet. `likely` answers, later, which cards a step could have been;
 * `onChange` gets what was changed, `onMode` where a card is to be put in.
 */
export class StepEditor {
  node = el("section", {
    class: "correct-change",
    "data-may-cut": true,
    "aria-label": t("What it was"),
  });
  #touch;
  #steps;
  #joker;
  #titleOf;
  #likely;
  #onChange;
  #onMode;

  /**
   * @param {{
   *   touch: boolean,
   *   joker: boolean,
   *   steps: import("./round_steps.js").RoundSteps,
   *   titleOf: (each: Row | Wager) => string,
   *   likely: (row: Row) => Promise<string[]>,
   *   onChange: (chosen: Row | Wager | null) => void,
   *   onMode: (row: Row, mode: Mode) => void,
   * }} options
   */
  constructor({ touch, joker, steps, titleOf, likely, onChange, onMode }) {
    this.#touch = touch;
    this.#joker = joker;
    this.#steps = steps;
    this.#titleOf = titleOf;
    this.#likely = likely;
    this.#onChange = onChange;
    this.#onMode = onMode;
  }

  /**
   * Draws what may be said of `each`; `mode`: a card is put in `before` it, or `after`.
   *
   * @param {Row | Wager | null} each
   * @param {Mode} mode
   */
  draw(each, mode) {
    this.node.replaceChildren(...this.#parts(each, mode));
  }

  /** Ready to be typed into, where an amount is asked. */
  begin() {
    const field = this.node.querySelector("input");
    if (!field) return;
    if (this.#touch) {
      const keyboard = new Keyboard();
      keyboard.serve(this.node);
      this.node.append(keyboard.node);
    }
    field.focus();
  }

  /**
   * @param {Row | Wager | null} each
   * @param {Mode} mode
   */
  #parts(each, mode) {
    if (!each) return [el("p", { class: "correct-how" }, HOW)];
    if (isWager(each)) return this.#wager(each);
    const head = el("h3", {}, this.#titleOf(each));
    if (mode) {
      const question = mode === "before" ? t("Which card was before this step?") : t("Which card was after this step?");
      /** @param {string} code */
      const put = (code) => this.#onChange(this.#steps.putIn(each, code, mode === "after"));
      return [head, el("p", { class: "correct-how" }, question), this.#cardGrid(put)];
    }
    return [head, this.#changes(each), ...this.#instead(each)];
  }

  /** @param {Row} row */
  #changes(row) {
    const put = row.kind === "put";
    const can = !put && row.kind !== "paid" && !row.change;
    return el(
      "div",
      { class: "correct-choices" },
      row.change ? key(t("As it was recorded"), () => this.#back(row)) : null,
      can ? key(t("Take it out"), () => this.#set(row, { do: "remove" })) : null,
      can && row.kind === "card" ? key(t("Put it aside"), () => this.#set(row, { do: "burn" })) : null,
      key(t("Put a card in before"), () => this.#onMode(row, "before")),
      key(t("Put a card in after"), () => this.#onMode(row, "after")),
    );
  }

  /** @param {Row} row */
  #instead(row) {
    /** @param {Omit<Change, "do">} was */
    const replace = (was) => this.#set(row, { do: "replace", ...was });
    if (row.kind === "card") {
      /** @param {string} code */
      const take = (code) => replace({ card: code });
      return [
        el("p", { class: "correct-how" }, t("Which card was it? The likeliest first.")),
        this.#likeliest(row, take),
        this.#cardGrid(take, row.code),
      ];
    }
    if (row.kind === "hidden") {
      return [el("p", { class: "correct-how" }, FACE_DOWN)];
    }
    if (row.kind === "paid") {
      return [el("p", { class: "correct-how" }, PAID)];
    }
    return row.kind === "put" ? [] : [this.#decisions(row, replace)];
  }

  /**
   * @param {Row} row
   * @param {(was: Omit<Change, "do">) => void} replace
   */
  #decisions(row, replace) {
    const choices = this.#steps.choices(row);
    const bids = choices.some((each) => BIDS.has(each));
    const field = bids ? amountField(t("Amount of a bet or raise"), this.#touch) : null;
    /** @param {Table.Action} action */
    const take = (action) => {
      if (!field || !BIDS.has(action)) {
        replace({ action });
        return;
      }
      const amount = field.entered();
      if (amount) replace({ action, amount });
    };
    const keys = choices.map((action) => key(capital(actionText(action)), () => take(action)));
    const question = choices.length
      ? t("What was said instead?")
      : t("It follows from what was said before: put that right, or take it out.");
    return el(
      "div",
      { class: "correct-decisions" },
      el("p", { class: "correct-how" }, question),
      field?.node,
      el("div", { class: "correct-choices" }, ...keys),
    );
  }

  /** @param {Wager} each */
  #wager(each) {
    const field = amountField(t("What lay there"), this.#touch);
    /** @param {number | null} amount */
    const take = (amount) => this.#set(each, { do: "wager", amount });
    const enter = () => {
      const amount = field.entered();
      if (amount) take(amount);
    };
    field.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") enter();
    });
    return [
      el("h3", {}, this.#titleOf(each)),
      field.node,
      el(
        "div",
        { class: "correct-choices" },
        key(t("Change the bet"), enter),
        key(t("Amount not tracked"), () => take(null)),
        key(t("Got no card: goes back"), () => this.#set(each, { do: "dead" })),
        each.change ? key(t("As it was recorded"), () => this.#back(each)) : null,
      ),
    ];
  }

  /**
   * @param {Row} row
   * @param {(code: string) => void} take
   */
  #likeliest(row, take) {
    const node = el("div", { class: "correct-likely", role: "group", "aria-label": t("Likeliest") });
    this.#likely(row).then((codes) => {
      node.replaceChildren(
        ...codes.slice(0, MOST_LIKELY).map((code) =>
          el(
            "button",
            { type: "button", onclick: () => take(code) },
            card(code, { style: indexStyle(), face: "plain" }),
          )
        ),
      );
      if (!codes.length) return;
      /** @type {NodeListOf<HTMLElement> | undefined} */
      const keys = node.parentElement?.querySelectorAll(".correct-cards button");
      for (const each of keys ?? []) {
        each.toggleAttribute("data-unlikely", !codes.includes(each.dataset.code ?? ""));
      }
    });
    return node;
  }

  /**
   * @param {(code: string) => void} take
   * @param {string} [now]
   */
  #cardGrid(take, now = "") {
    /** @param {string} code */
    const pick = (code) =>
      el(
        "button",
        {
          type: "button",
          "data-code": code,
          "data-suit": code[1],
          "aria-label": cardName(code),
          disabled: code === now,
          onclick: () => take(code),
        },
        cardText(code),
      );
    const rows = SUITS.map((suit) => RANKS.map((rank) => pick(rank + suit)));
    return el(
      "div",
      { class: "correct-cards", role: "group", "aria-label": t("All cards") },
      ...rows.flat(),
      this.#joker ? pick("Jo") : null,
    );
  }

  /**
   * @param {Row | Wager} each
   * @param {Change} change
   */
  #set(each, change) {
    each.change = change;
    this.#onChange(each);
  }

  /** @param {Row | Wager} each */
  #back(each) {
    this.#steps.restore(each);
    this.#onChange(!isWager(each) && each.kind === "put" ? null : each);
  }
}

/**
 * @param {string} label
 * @param {() => void} go
 */
function key(label, go) {
  return el("button", { class: "correct-key", type: "button", onclick: go }, label);
}

/**
 * @param {string} label
 * @param {boolean} touch
 */
function amountField(label, touch) {
  const input = el("input", {
    type: "text",
    maxlength: 12,
    autocomplete: "off",
    inputmode: touch ? "none" : "decimal",
    "data-keys": "digits",
  });
  const why = el("p", { class: "correct-how", role: "alert" });
  const field = el("label", { class: "authorize-field" }, el("span", {}, label), input);
  /** The amount that stands there; null, with the reason said, where none does. */
  const entered = () => {
    const amount = minorUnits(input.value);
    why.textContent = amount ? "" : noAmount(input.value);
    if (!amount) input.focus();
    return amount;
  };
  return { input, entered, node: el("div", {}, field, why) };
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
