// Rank and suit of a card, by touch or by letters, and whether it is the one.

import {
  card,
  index,
  indexStyle,
  RANK_NAMES,
  RANKS,
  SUIT_NAMES,
  suitMark,
  SUITS,
  SYMBOLS,
} from "../../drawing/cards.js";
import { el } from "../../drawing/dom.js";
import { t } from "../../drawing/words.js";

/** @typedef {import("../../drawing/cards.js").Suit} Suit */

/**
 * Rank keys beside the ranks' own letters: 1 and 0 of a keypad, O for the Joker.
 *
 * @type {Record<string, string>}
 */
const RANK_KEYS = { 1: "A", 0: "T", O: "Jo" };

export class CardPicker {
  #rank;
  #suit;
  #enter;
  #onCard;
  #known;
  #asked = el("div", { class: "picker-asked", "aria-live": "polite" });
  #ranks;
  #suits;

  /**
   * `enter` is called when the card that was chosen is the one, `onCard` whenever a card is chosen.
   *
   * @param {boolean} joker whether the pack has any
   * @param {string} chosen
   * @param {() => void} enter
   * @param {() => void} onCard
   */
  constructor(joker, chosen, enter, onCard) {
    this.#enter = enter;
    this.#onCard = onCard;
    this.#rank = chosen === "Jo" ? "Jo" : chosen.charAt(0);
    this.#suit = chosen === "Jo" ? "" : chosen.charAt(1);
    this.#known = joker ? [...RANKS, "Jo"] : RANKS;
    this.#ranks = this.#known.map((each) => this.#rankButton(each));
    this.#suits = SUITS.map((each) => suitButton(each, () => this.#take(this.#rank, each)));
    this.node = el(
      "div",
      { class: "picker" },
      el("div", { class: "picker-ranks", role: "group", "aria-label": t("Rank") }, ...this.#ranks),
      el("div", { class: "picker-suits", role: "group", "aria-label": t("Suit") }, ...this.#suits),
      this.#asked,
    );
    this.#paint();
  }

  /** The code of the card that is chosen; "" while it is not. */
  get code() {
    if (this.#rank === "Jo") return "Jo";
    return this.#rank && this.#suit ? this.#rank + this.#suit : "";
  }

  /**
   * Takes a key of the keyboard; whether it meant a rank or a suit.
   *
   * @param {string} key
   */
  typed(key) {
    const letter = key.toUpperCase();
    const rank = RANK_KEYS[letter] ?? letter;
    if (this.#known.includes(rank)) this.#take(rank, this.#suit);
    else if (this.#rank && isSuit(key.toLowerCase())) this.#take(this.#rank, key.toLowerCase());
    else return false;
    return true;
  }

  /**
   * @param {string} rank
   * @param {string} suit
   */
  #take(rank, suit) {
    [this.#rank, this.#suit] = [rank, rank === "Jo" ? "" : suit];
    this.#paint();
    if (this.code) this.#onCard();
  }

  #paint() {
    for (const node of this.#ranks) choose(node, node.dataset.rank === this.#rank);
    for (const node of this.#suits) {
      choose(node, node.dataset.suit === this.#suit);
      node.disabled = this.#rank === "Jo";
    }
    this.#asked.replaceChildren(...this.#confirmation());
  }

  #confirmation() {
    if (!this.code) return [el("p", { class: "picker-hint" }, t("Choose the rank, then the suit."))];
    return [
      card(this.code, { style: indexStyle() }),
      el(
        "button",
        { class: "key confirm", type: "button", onclick: () => this.#enter() },
        el("kbd", {}, "Enter"),
        el("span", {}, t("It is {code}", { code: cardText(this.code) })),
      ),
      el(
        "button",
        { class: "key", type: "button", onclick: () => this.#take("", "") },
        el("span", {}, t("Another card")),
      ),
    ];
  }

  /** @param {string} rank */
  #rankButton(rank) {
    const joker = rank === "Jo";
    return el(
      "button",
      {
        class: "pick",
        type: "button",
        "data-rank": rank,
        onclick: () => this.#take(rank, this.#suit),
      },
      el("b", {}, joker ? t("Joker") : index(`${rank}s`, indexStyle())),
      el("span", {}, joker ? "" : RANK_NAMES[rank]),
    );
  }
}

/**
 * A card as people say it: "7♥".
 *
 * @param {string} code
 */
export function cardText(code) {
  return code === "Jo" ? t("Joker") : index(code, indexStyle()) + SYMBOLS[code[1]];
}

/**
 * @param {Suit} suit
 * @param {() => void} go
 */
function suitButton(suit, go) {
  return el(
    "button",
    { class: "pick suit", type: "button", "data-suit": suit, onclick: go },
    suitMark(suit),
    el("span", {}, SUIT_NAMES[suit]),
  );
}

/**
 * @param {HTMLButtonElement} button
 * @param {boolean} chosen
 */
function choose(button, chosen) {
  button.setAttribute("aria-pressed", String(chosen));
}

/** @param {string} letter */
function isSuit(letter) {
  return SUITS.some((each) => each === letter);
}
