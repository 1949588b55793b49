// The last rounds, as the status page lists them: a table, and on a phone a card for each.

import { badges, filterKeys } from "../badges.js";
import { el } from "../../drawing/dom.js";
import { span } from "../../drawing/elapsed.js";
import { amount, word } from "../../drawing/hands.js";
import { locale, t } from "../../drawing/words.js";

const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
const full = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" });
/** @type {Record<string, string>} */
const OUTCOMES = {
  win: t("won"), lose: t("lost"), push: t("push"), surrender: t("surrendered"), void: t("void"),
};

/** @typedef {Pick<Table.Status, "rounds" | "seats" | "words" | "pot"> & { on: string[] }} Played */

export class RoundList {
  /**
   * The marks that a round has to have to be listed; empty: all are.
   *
   * @type {Set<string>}
   */
  #wanted = new Set();
  #onChange;
  #onOpen;

  /**
   * @param {() => void} onChange other marks are asked for
   * @param {(round: number) => void} onOpen a round is to be replayed
   */
  constructor(onChange, onOpen) {
    this.#onChange = onChange;
    this.#onOpen = onOpen;
  }

  get wanted() {
    return [...this.#wanted];
  }

  /** @param {Played} played */
  draw({ rounds, seats, words, pot, on }) {
    if (!rounds.length) {
      const text = t("No round has been played yet. The last ten will be listed here, to be replayed.");
      return el("p", { class: "quiet" }, text);
    }
    const there = rounds.flatMap((round) => round.badges.map((each) => each.mark));
    const listed = rounds.filter((round) =>
      on.every((mark) => round.badges.some((each) => each.mark === mark))
    );
    const keys = filterKeys(new Set([...there, ...on]), this.#wanted, this.#onChange);
    if (!listed.length) return [keys, el("p", { class: "quiet" }, t("No such round among the last ten."))];
    const names = Array.from({ length: seats }, (_, at) => `${word(words, "seat")} ${at + 1}`);
    // In a pot, what one player wins the others lose.
    const head = [t("Round"), t("Began"), t("Took"), ...names, ...(pot ? [] : [t("Players’ net")]), ""];
    return [
      keys,
      el(
        "table",
        { class: "list" },
        el("thead", {}, el("tr", {}, ...head.map((each) => el("th", { scope: "col" }, each)))),
        el("tbody", {}, ...listed.flatMap((round) => this.#round(round, names, pot))),
      ),
    ];
  }

  /**
   * @param {Table.RoundSummary} round
   * @param {string[]} names
   * @param {string} pot
   */
  #round(round, names, pot) {
    const open = () => this.#onOpen(round.number);
    const label = t("Replay round {number}", { number: round.number });
    const net = el("td", { class: "number" }, round.void ? t("void") : amount(round.net));
    const noticed = el("td", { colspan: names.length + 5 }, badges(round.badges));
    const took = round.ended_ms ? span(round.ended_ms - round.started_ms) : t("in play");
    const row = el(
      "tr",
      { "data-round": round.number, onclick: open },
      el("th", { scope: "row", "data-label": t("Round") }, String(round.number)),
      el("td", { title: full.format(round.started_ms) }, clock.format(round.started_ms)),
      el("td", { class: "took" }, took),
      ...names.map((name, at) => outcomes(name, round.seats.filter((each) => each.seat === at + 1))),
      pot ? null : net,
      el(
        "td",
        { class: "open" },
        el("button", { class: "small", type: "button", "aria-label": label }, t("Replay")),
      ),
    );
    return round.badges.length ? [row, el("tr", { class: "noticed", onclick: open }, noticed)] : [row];
  }
}

/**
 * How each wager of a seat did, in a word, and what moved; pointing at it shows the wager.
 *
 * @param {string} name
 * @param {Table.SeatResult[]} results
 */
function outcomes(name, results) {
  const known = results.filter((each) => each.outcome);
  return el("td", { class: "outcomes", "data-label": name }, ...known.map(drawOutcome));
}

/** @param {Table.SeatResult} result */
function drawOutcome({ wager, outcome, net }) {
  const name = OUTCOMES[outcome];
  return el(
    "p",
    { title: t("wager {wager}", { wager }), "data-outcome": name },
    `${name} `,
    el("small", {}, amount(net)),
  );
}
