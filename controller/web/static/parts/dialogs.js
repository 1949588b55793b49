// What the dealer display asks before it sends: which card, and how much.

import { card, cardName, index, RANKS, suitMark, SUITS, SYMBOLS } from "../drawing/cards.js";
import { CountPad } from "./count_pad.js";
import { el } from "../drawing/dom.js";
import { AmountPad } from "./amount_pad.js";
import { Authorization } from "./authorization.js";

/** Rank keys beside the ranks' own letters: 1 and 0 of a keypad, O for the Joker. */
const RANK_KEYS = { 1: "A", 0: "T", O: "Jo" };

/** More ways than these stand in columns. */
const FEW_WAYS = 4;

/** One sheet at a time over the dealer display. */
export class Dialogs {
  #dialog;
  #style;
  #owner = null;
  #typed = () => false;

  constructor(dialog, style) {
    this.#dialog = dialog;
    this.#style = style;
    dialog.addEventListener("cancel", (event) => {
      // Escape: what was typed is gone with the sheet, not a moment later.
      event.preventDefault();
      this.close();
    });
    dialog.addEventListener("close", () => {
      // Another sheet may have been opened before this is told.
      if (!dialog.open) this.#forget();
    });
    dialog.addEventListener("keydown", (event) => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      if (this.#typed(event.key)) event.preventDefault();
    });
  }

  get open() {
    return this.#dialog.open;
  }

  close() {
    if (!this.open) return;
    this.#dialog.close();
    this.#forget();
  }

  /** Nothing that was asked or typed outlives its sheet. */
  #forget() {
    this.#owner = null;
    this.#typed = () => false;
    this.#dialog.replaceChildren();
  }

  /** Closes the sheet if what it was opened for is no longer offered. */
  keepIf(offered) {
    if (this.open && !offered(this.#owner)) this.close();
  }

  #show(title, owner, content, typed) {
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
        el("span", {}, "Close"),
      ),
    );
    this.#dialog.setAttribute("aria-labelledby", "dialog-title");
    this.#dialog.replaceChildren(head, content);
    if (!this.open) this.#dialog.showModal();
    this.#dialog.focus();
  }

  /**
   * Asks for a card: rank and suit, and then, elsewhere on the sheet, whether it is the one.
   * `onNamed` tells the table which, and answers "" if it can be, `onCard` that it is.
   */
  askCard(title, owner, { onNamed, onCard }, chosen = "") {
    let rank = chosen === "Jo" ? "Jo" : chosen.charAt(0);
    let suit = chosen === "Jo" ? "" : chosen.charAt(1);
    const ranks = el("div", { class: "picker-ranks", role: "group", "aria-label": "Rank" });
    const suits = el("div", { class: "picker-suits", role: "group", "aria-label": "Suit" });
    const asked = el("div", { class: "picker-asked", "aria-live": "polite" });
    const code = () => (rank === "Jo" ? "Jo" : rank && suit ? rank + suit : "");

    let naming = false;
    const enter = async () => {
      if (naming) return;
      naming = true;
      const named = code();
      const said = await onNamed(named);
      naming = false;
      // The sheet may have been closed meanwhile, or another card be chosen.
      if (!asked.isConnected) return;
      if (said) this.close();
      else if (code() === named) this.#askAgain(title, owner, named, { onNamed, onCard });
    };
    const take = (nextRank, nextSuit) => {
      [rank, suit] = [nextRank, nextRank === "Jo" ? "" : nextSuit];
      paint();
      // Enter is for the card now, not for the button that was pressed last.
      if (code()) this.#dialog.focus();
    };
    const again = () => take("", "");
    const rankButtons = [...RANKS, "Jo"].map((each) =>
      this.#rankButton(each, () => take(each, suit))
    );
    const suitButtons = SUITS.map((each) => suitButton(each, () => take(rank, each)));
    const paint = () => {
      for (const node of rankButtons) choose(node, node.dataset.rank === rank);
      for (const node of suitButtons) {
        choose(node, node.dataset.suit === suit);
        node.disabled = rank === "Jo";
      }
      asked.replaceChildren(...this.#confirmation(code(), enter, again));
    };
    ranks.append(...rankButtons);
    suits.append(...suitButtons);
    paint();
    this.#show(title, owner, el("div", { class: "picker" }, ranks, suits, asked), (key) => {
      const letter = key.toUpperCase();
      const named = RANK_KEYS[letter] ?? letter;
      if (key === "Enter" && code() && !this.#onButton()) enter();
      else if (named === "Jo" || RANKS.includes(named)) take(named, suit);
      else if (rank && SUITS.includes(key.toLowerCase())) take(rank, key.toLowerCase());
      else return false;
      return true;
    });
  }

  /** The second question, with its Yes far from the key that chose, and another on the keyboard. */
  #askAgain(title, owner, code, told) {
    const yes = () => {
      this.close();
      told.onCard(code);
    };
    const no = () => this.askCard(title, owner, told, code);
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
      el("p", { class: "again-question" }, `Enter ${cardText(code, this.#style)}?`),
      card(code, { style: this.#style }),
      el(
        "div",
        { class: "again-keys" },
        key("key confirm", ["Y"], "Yes, enter it", yes),
        key("key", ["N", "Esc"], "No, go back", no),
      ),
    );
    this.#show(title, owner, question, (pressed) => {
      const letter = pressed.toLowerCase();
      if (letter === "y") yes();
      else if (letter === "n" || letter === "escape") no();
      // Enter chose the card: it does not confirm it too.
      else return letter === "enter" && !this.#onButton();
      return true;
    });
  }

  /** Whether Enter belongs to a button that has the focus. */
  #onButton() {
    return document.activeElement instanceof HTMLButtonElement;
  }

  #rankButton(rank, go) {
    const joker = rank === "Jo";
    const word = joker ? "" : cardName(`${rank}s`).split(" ")[0];
    return el(
      "button",
      { class: "pick", type: "button", "data-rank": rank, onclick: go },
      el("b", {}, joker ? "Joker" : index(`${rank}s`, this.#style)),
      el("span", {}, word),
    );
  }

  #confirmation(code, enter, again) {
    if (!code) return [el("p", { class: "picker-hint" }, "Choose the rank, then the suit.")];
    const label = cardText(code, this.#style);
    return [
      card(code, { style: this.#style }),
      el(
        "button",
        { class: "key confirm", type: "button", onclick: enter },
        el("kbd", {}, "Enter"),
        el("span", {}, `It is ${label}`),
      ),
      el(
        "button",
        { class: "key", type: "button", onclick: again },
        el("span", {}, "Another card"),
      ),
    ];
  }

  /**
   * Asks who stands for a command, and why; see `Authorization`. `onGo` answers "" if it was taken, and
   * otherwise why not, which the sheet tells: nothing that was typed is lost, but for the PINs.
   */
  askPeople(title, owner, { who, about, verb, why }, onGo) {
    const go = async (stood) => {
      const said = await onGo(stood);
      if (!said && form.node.isConnected) this.close();
      return said;
    };
    const form = new Authorization({ who, about, verb, why, touch: true }, go);
    this.#show(title, owner, form.node, () => false);
    form.begin();
  }

  /** Asks which of a few things is meant; each has a digit on the keyboard, the first nine. */
  askWay(title, owner, hint, ways) {
    const take = (way) => {
      this.close();
      way.go();
    };
    const digit = (at) => (at < 9 ? el("kbd", {}, String(at + 1)) : null);
    const keys = ways.map((way, at) =>
      el(
        "button",
        { class: "key", type: "button", onclick: () => take(way) },
        digit(at),
        el("span", {}, way.label),
      )
    );
    const content = el(
      "div",
      { class: "ways", "data-many": ways.length > FEW_WAYS },
      el("p", { class: "picker-hint" }, hint),
      ...keys,
    );
    this.#show(title, owner, content, (pressed) => {
      const way = ways[Number(pressed) - 1];
      if (way) take(way);
      return Boolean(way);
    });
  }

  /** Asks for an amount; what may be asked is told in `AmountPad`. */
  askAmount(title, owner, wanted, onAmount) {
    const go = (minor) => {
      this.close();
      onAmount(minor);
    };
    const close = (then) => {
      this.close();
      then();
    };
    const pad = new AmountPad(wanted, go, close);
    this.#showPad(title, owner, pad, () => go(pad.minor));
  }

  /** Asks for a number of cards; see `CountPad`. */
  askCount(title, owner, wanted, onCount) {
    const go = (number) => {
      this.close();
      onCount(number);
    };
    const pad = new CountPad(wanted, go);
    this.#showPad(title, owner, pad, () => go(pad.entered));
  }

  #showPad(title, owner, pad, enter) {
    this.#show(title, owner, pad.node, (key) => {
      if (key !== "Enter") return pad.typed(key);
      if (pad.problem || this.#onButton()) return false;
      enter();
      return true;
    });
  }
}

/** A card as people say it: "7♥". */
export function cardText(code, style) {
  return code === "Jo" ? "Joker" : index(code, style) + SYMBOLS[code[1]];
}

function suitButton(suit, go) {
  return el(
    "button",
    { class: "pick suit", type: "button", "data-suit": suit, onclick: go },
    suitMark(suit),
    el("span", {}, cardName(`A${suit}`).split(" ")[2]),
  );
}

function choose(button, chosen) {
  button.setAttribute("aria-pressed", String(chosen));
}
