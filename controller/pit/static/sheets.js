// What the dealer display asks before it sends: which card, and how much.

import { card, cardName, index, RANKS, suitMark, SUITS, SYMBOLS } from "./cards.js";
import { el } from "./dom.js";

const CHIPS = [5, 10, 25, 50, 100, 500];
const PAD = ["7", "8", "9", "4", "5", "6", "1", "2", "3", ".", "0", "⌫"];
const MOST_DIGITS = 7;
/** Rank keys beside the ranks' own letters: 1 and 0 of a keypad, O for the Joker. */
const RANK_KEYS = { 1: "A", 0: "T", O: "Jo" };

/** "25", "25.5" or "25.50" as minor units; null where it is no amount. */
export function minorUnits(text) {
  const [, whole, cents = ""] = /^(\d+)(?:\.(\d{0,2}))?$/.exec(text) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(cents.padEnd(2, "0"));
}

/** Minor units as the table writes them: 1,250.50. */
export function written(minor) {
  const cents = String(minor % 100).padStart(2, "0");
  return `${Math.floor(minor / 100).toLocaleString("en-US")}.${cents}`;
}

/** One sheet at a time over the dealer display. */
export class Sheets {
  #dialog;
  #style;
  #owner = null;
  #typed = () => false;

  constructor(dialog, style) {
    this.#dialog = dialog;
    this.#style = style;
    dialog.addEventListener("close", () => (this.#owner = null));
    dialog.addEventListener("keydown", (event) => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      if (this.#typed(event.key)) event.preventDefault();
    });
  }

  get open() {
    return this.#dialog.open;
  }

  close() {
    if (this.open) this.#dialog.close();
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
      { class: "sheet-head" },
      el("h2", { id: "sheet-title" }, title),
      el(
        "button",
        { class: "key", type: "button", onclick: () => this.close() },
        el("kbd", {}, "Esc"),
        el("span", {}, "Close"),
      ),
    );
    this.#dialog.setAttribute("aria-labelledby", "sheet-title");
    this.#dialog.replaceChildren(head, content);
    if (!this.open) this.#dialog.showModal();
    this.#dialog.focus();
  }

  /** Asks for a card: rank, suit, and then a second time whether it is the one. */
  askCard(title, owner, onCard) {
    let rank = "";
    let suit = "";
    const ranks = el("div", { class: "picker-ranks", role: "group", "aria-label": "Rank" });
    const suits = el("div", { class: "picker-suits", role: "group", "aria-label": "Suit" });
    const asked = el("div", { class: "picker-asked", "aria-live": "polite" });
    const code = () => (rank === "Jo" ? "Jo" : rank && suit ? rank + suit : "");

    const enter = () => {
      this.close();
      onCard(code());
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
    const label = code === "Jo" ? "Joker" : index(code, this.#style) + SYMBOLS[code[1]];
    return [
      card(code, { style: this.#style }),
      el(
        "button",
        { class: "key confirm", type: "button", onclick: enter },
        el("kbd", {}, "Enter"),
        el("span", {}, `It is ${label}: enter`),
      ),
      el(
        "button",
        { class: "key", type: "button", onclick: again },
        el("span", {}, "Another card"),
      ),
    ];
  }

  /** Asks for an amount by chips or digits; `ways` are other things that may be done instead. */
  askAmount(title, limits, owner, onAmount, ways = []) {
    let text = "";
    const sum = el("output", { class: "pad-sum" });
    const place = el("span", {});
    const go = el(
      "button",
      { class: "key confirm", type: "button", onclick: () => enter() },
      el("kbd", {}, "Enter"),
      place,
    );

    const enter = () => {
      this.close();
      onAmount(minorUnits(text));
    };
    const paint = () => {
      const minor = minorUnits(text) ?? 0;
      sum.textContent = /\.\d?$/.test(text) ? text : written(minor);
      place.textContent = minor ? `Place ${written(minor)}` : "Place";
      go.disabled = !minor;
    };
    const key = (each) => {
      if (each === "⌫" || each === "Backspace") text = text.slice(0, -1);
      else if (/^[.,]$/.test(each) && text && !text.includes(".")) text += ".";
      else if (/^\d$/.test(each) && !/\.\d\d$/.test(text) && text.length < MOST_DIGITS) {
        text = text === "0" ? each : text + each;
      } else return false;
      paint();
      return true;
    };
    const add = (chip) => {
      const minor = (minorUnits(text) ?? 0) + chip * 100;
      text = minor % 100
        ? `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, "0")}`
        : String(minor / 100);
      paint();
    };
    paint();
    const content = el(
      "div",
      { class: "pad" },
      el(
        "div",
        { class: "pad-left" },
        sum,
        el("p", { class: "pad-limits" }, limits),
        el(
          "div",
          { class: "pad-chips", role: "group", "aria-label": "Add a chip" },
          ...CHIPS.map((chip) =>
            el("button", {
              class: "chip",
              type: "button",
              "data-chip": chip,
              "aria-label": `Add ${chip}`,
              onclick: () => add(chip),
            }, String(chip))
          ),
        ),
      ),
      el(
        "div",
        { class: "pad-digits", role: "group", "aria-label": "Digits" },
        ...PAD.map((each) =>
          el("button", {
            class: "pick",
            type: "button",
            "aria-label": each === "⌫" ? "Delete the last digit" : each,
            onclick: () => key(each),
          }, el("b", {}, each))
        ),
      ),
      el(
        "div",
        { class: "pad-ways" },
        go,
        ...ways.map((way) =>
          el("button", {
            class: "key",
            type: "button",
            onclick: () => {
              this.close();
              way.go();
            },
          }, el("span", {}, way.label))
        ),
      ),
    );
    this.#show(title, owner, content, (pressed) => {
      if (pressed === "Enter" && !go.disabled && !this.#onButton()) enter();
      else return key(pressed);
      return true;
    });
  }
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
