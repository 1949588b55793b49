// The one dialog over the dealer display: a question, its keys, and the keyboard's.

import { CountPad } from "../entry/count_pad.js";
import { el } from "../../drawing/dom.js";
import { AmountPad } from "../entry/amount_pad.js";
import { Authorization } from "./authorization.js";
import { phone } from "../entry/screen.js";
import { t } from "../../drawing/words.js";

/** @typedef {import("../entry/amount_pad.js").AmountWanted} AmountWanted */
/** @typedef {import("../entry/amount_pad.js").Alternative} Alternative */
/** @typedef {import("../entry/count_pad.js").CountWanted} CountWanted */
/** @typedef {import("./authorization.js").Asked} Asked */
/** @typedef {import("./authorization.js").OnGo} OnGo */

/**
 * What a dialog is about: a seat, the command that it completes, or a name.
 *
 * @typedef {number | string | Table.Key["command"]} Owner
 */

/** @typedef {(key: string) => boolean} OnKey  Whether a key of the keyboard meant something. */

/** The keys of choices, in their order: digits first. */
const CHOICE_KEYS = "1234567890abcdefghijklmnopqrstuvwxyz";
/** More choices than these stand in columns. */
const FEW_CHOICES = 4;

/** One dialog at a time over the dealer display. */
export class Dialogs {
  #dialog;
  /** @type {Owner | null} */
  #owner = null;
  /** @type {OnKey} */
  #typed = () => false;
  /** Whether it waits, unseen, for the line to come back. */
  #aside = false;
  /** Whether the pack has Jokers: where it has none, none can be chosen. */
  joker = false;

  /**
   * @param {HTMLDialogElement} dialog
   */
  constructor(dialog) {
    this.#dialog = dialog;
    dialog.addEventListener("cancel", (event) => {
      // Escape: what was typed is gone with the dialog, not a moment later.
      event.preventDefault();
      this.close();
    });
    dialog.addEventListener("close", () => {
      // Another dialog may have been opened before this event comes.
      if (!dialog.open && !this.#aside) this.#forget();
    });
    dialog.addEventListener("keydown", (event) => {
      // A digit that was touched keeps the focus; Enter is for what stands there, never for it again.
      if (event.key === "Enter" && onPadKey()) event.preventDefault();
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      if (this.#typed(event.key)) event.preventDefault();
    });
  }

  get open() {
    return this.#dialog.open;
  }

  /** Enter is for what is asked now, not for the button that was pressed last. */
  focus() {
    this.#dialog.focus();
  }

  close() {
    if (!this.open && !this.#aside) return;
    this.#dialog.close();
    this.#forget();
  }

  /**
   * Hides the dialog while the display is not live, so that nobody answers an old question and
   * everybody sees why. What was typed stays, but for the PINs: whoever typed them may have left.
   */
  setAside() {
    if (!this.open) return;
    this.#aside = true;
    for (const each of this.#dialog.querySelectorAll("input")) if (each.type === "password") each.value = "";
    this.#dialog.close();
  }

  /** Shows again what was set aside, where `keepIf` has left it. */
  resume() {
    if (!this.#aside) return;
    this.#aside = false;
    this.#dialog.showModal();
    this.#dialog.focus();
  }

  /** Nothing that was asked or typed outlives its dialog. */
  #forget() {
    this.#aside = false;
    this.#owner = null;
    this.#typed = () => false;
    this.#dialog.replaceChildren();
  }

  /**
   * Closes the dialog if what it was opened for is no longer offered.
   *
   * @param {(owner: Owner) => boolean} offered
   */
  keepIf(offered) {
    if (this.#owner !== null && !offered(this.#owner)) this.close();
  }

  /**
   * Opens the dialog, or puts this in the place of what it shows.
   *
   * @param {string} title
   * @param {Owner | null} owner
   * @param {HTMLElement} content
   * @param {OnKey} typed
   */
  show(title, owner, content, typed) {
    this.#aside = false;
    this.#owner = owner;
    this.#typed = typed;
    const head = el(
      "header",
      { class: "dialog-head" },
      el("h2", { id: "dialog-title" }, title),
      el(
        "button",
        { class: "key", type: "button", onclick: () => this.close() },
        el("kbd", {}, "Esc"),
        el("span", {}, t("Close")),
      ),
    );
    this.#dialog.setAttribute("aria-labelledby", "dialog-title");
    this.#dialog.replaceChildren(head, content);
    if (!this.open) this.#dialog.showModal();
    this.#dialog.focus();
  }

  /**
   * Asks who authorizes a command, and why. `onGo` answers whether it was taken, and otherwise why
   * not, which the form shows: nothing that was typed is lost, but for the PINs.
   *
   * @param {string} title
   * @param {Owner} owner
   * @param {Omit<Asked, "touch">} asked
   * @param {OnGo} onGo
   */
  askPeople(title, owner, { who, about, verb, why }, onGo) {
    /** @type {OnGo} */
    const go = async (entered) => {
      const answer = await onGo(entered);
      if (!answer.refused && form.node.isConnected) this.close();
      return answer;
    };
    const form = new Authorization({ who, about, verb, why, touch: !phone.matches }, go);
    this.show(title, owner, form.node, () => false);
    form.begin();
  }

  /**
   * Asks which of some things is meant; each has a key of the keyboard: its own, or else by its
   * place, the first ten a digit.
   *
   * @param {string} title
   * @param {Owner} owner
   * @param {string} hint
   * @param {(Alternative & { key?: string })[]} choices
   */
  askChoice(title, owner, hint, choices) {
    /** @param {Alternative} choice */
    const take = (choice) => {
      this.close();
      choice.go();
    };
    /** @param {number} at */
    const keyOf = (at) => choices[at].key ?? CHOICE_KEYS[at];
    /** @param {number} at */
    const letter = (at) => el("kbd", {}, keyOf(at).toUpperCase());
    const keys = choices.map((choice, at) =>
      el(
        "button",
        { class: "key", type: "button", onclick: () => take(choice) },
        letter(at),
        el("span", {}, choice.label),
      )
    );
    const content = el(
      "div",
      { class: "choices", "data-many": choices.length > FEW_CHOICES },
      el("p", { class: "picker-hint" }, hint),
      ...keys,
    );
    this.show(title, owner, content, (pressed) => {
      const choice = choices.find((_, at) => keyOf(at) === pressed.toLowerCase());
      if (choice) take(choice);
      return Boolean(choice);
    });
  }

  /**
   * Asks for an amount.
   *
   * @param {string} title
   * @param {Owner} owner
   * @param {AmountWanted} wanted
   * @param {(minor: number) => void} onAmount
   */
  askAmount(title, owner, wanted, onAmount) {
    /** @param {number} minor */
    const go = (minor) => {
      this.close();
      onAmount(minor);
    };
    /** @param {() => void} then */
    const close = (then) => {
      this.close();
      then();
    };
    const pad = new AmountPad(wanted, go, close);
    this.#showPad(title, owner, pad, () => go(pad.minor));
  }

  /**
   * Asks for a number of cards.
   *
   * @param {string} title
   * @param {Owner} owner
   * @param {CountWanted} wanted
   * @param {(count: number) => void} onCount
   */
  askCount(title, owner, wanted, onCount) {
    /** @param {number} number */
    const go = (number) => {
      this.close();
      onCount(number);
    };
    const close = (/** @type {() => void} */ then) => {
      this.close();
      then();
    };
    const pad = new CountPad(wanted, go, close);
    this.#showPad(title, owner, pad, () => go(pad.entered));
  }

  /**
   * @param {string} title
   * @param {Owner} owner
   * @param {AmountPad | CountPad} pad
   * @param {() => void} enter
   */
  #showPad(title, owner, pad, enter) {
    this.show(title, owner, pad.node, (key) => {
      if (key !== "Enter") return pad.typed(key);
      if (pad.problem || onButton()) return false;
      enter();
      return true;
    });
  }
}

/** Whether a key of a pad, which only changes what stands there, has the focus. */
function onPadKey() {
  return Boolean(document.activeElement?.closest(".pad .pick, .pad .chip"));
}

/** Whether Enter belongs to a button that has the focus. */
export function onButton() {
  return document.activeElement instanceof HTMLButtonElement && !onPadKey();
}
