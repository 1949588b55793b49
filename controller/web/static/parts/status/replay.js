// A round told step by step: what happened, why, and the felt as it was after it.

import { badges } from "../badges.js";
import { errorText } from "../commands.js";
import { el } from "../../drawing/dom.js";
import { amount } from "../../drawing/hands.js";
import { handTable } from "../../drawing/hand_table.js";
import { span } from "../../drawing/elapsed.js";
import { decimal, locale, spoken, t } from "../../drawing/words.js";

const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
const exact = new Intl.DateTimeFormat(locale, {
  dateStyle: "medium",
  timeStyle: "medium",
});
/** What the pit may say went wrong in a round. */
/** @type {[what: Table.Reason, text: string][]} */
const CALLS = [["payout", t("Wrong payout")], ["misdeal", t("Misdeal: void it")]];
/** @type {Record<string, (at: number) => number>} */
const KEYS = {
  ArrowLeft: (at) => at - 1,
  ArrowUp: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at + 1,
  Home: () => 0,
  End: () => Infinity,
};

const PATIENCE_MS = 10_000;

/**
 * The camera's picture of the card of a step, if there is one.
 *
 * @param {string} picture
 */
function cameraPicture(picture) {
  if (!picture) return [];
  const src = `/api/v1/pictures/${picture}`;
  const image = el("img", { class: "evidence", src, alt: t("The card as the camera saw it") });
  const words = el("figcaption", { class: "quiet" }, t("What the camera saw of this card"));
  image.addEventListener("error", () => {
    image.remove();
    words.textContent = t("What the camera saw of this card is not kept any more.");
  });
  return [el("figure", { class: "card-picture" }, words, image)];
}

/**
 * How long a step took: `+0.4 s`, `+2 min 5 s`.
 *
 * @param {number} ms
 */
function took(ms) {
  return `+${ms < 10_000 ? `${decimal(ms / 1000, 1)} s` : span(ms)}`;
}

/**
 * What happened beside the steps: who, why, how long, in the table's words; its picture if one may
 * be shown.
 *
 * @param {Table.LogLine} line
 */
function logged(line) {
  const marks = line.marks.map((mark) => ({ mark, count: 1 }));
  return el(
    "li",
    { class: "logged", "data-record": line.seq },
    el("time", { title: exact.format(line.at_ms) }, clock.format(line.at_ms)),
    el("p", {}, line.text),
    badges(marks),
    ...cameraPicture(line.picture),
  );
}

/** @typedef {(round: number, words: Table.GameWords) => Promise<void>} OnCorrect */
/** @typedef {(round: number, what: Table.Reason) => Promise<string>} OnCall */

/** The panel in which one round at a time is replayed. */
export class Replay {
  #panel;
  /** The round that was asked for last. */
  #asked = 0;
  #correct;
  #call;

  /**
   * `correct` opens the correction of a round, `call` says what went wrong in it and answers, later,
   * "" or why not; null where the page may only be looked at.
   *
   * @param {HTMLElement} panel
   * @param {OnCorrect | null} correct
   * @param {OnCall} call
   */
  constructor(panel, correct, call) {
    this.#call = call;
    this.#panel = panel;
    this.#correct = correct;
  }

  /**
   * Shows that round; `words` are the game's own for its dealer and its seats.
   *
   * @param {number} number
   * @param {Table.GameWords} words
   */
  async open(number, words) {
    this.#asked = number;
    /** @type {Table.Replay} */
    let round;
    try {
      const answer = await fetch(spoken(`/api/v1/rounds/${number}`), {
        headers: { Accept: "application/json" },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (!answer.ok) throw new Error(`error ${answer.status}`);
      round = await answer.json();
    } catch (error) {
      if (this.#asked !== number) return;
      this.#fill(
        el(
          "p",
          {},
          t("Round {number} could not be read ({error}). Only the last ten rounds can be replayed; try again.", {
            number,
            error: errorText(error),
          }),
        ),
      );
      return;
    }
    // Whoever asked for another one meanwhile is not shown this one after it.
    if (this.#asked !== number) return;
    if (round.steps.length) this.#walk(round, words);
    else {
      this.#fill(
        el("p", {}, t("No card was dealt in round {number}.", { number })),
        el("ol", { class: "replay-steps" }, ...round.log.map(logged)),
      );
    }
  }

  /** Back to the key that opened it, which the list may have drawn anew meanwhile. */
  #close() {
    this.#panel.hidden = true;
    this.#panel.onkeydown = null;
    /** @type {HTMLElement | null} */
    const key = document.querySelector(`[data-round="${this.#asked}"] button`);
    key?.focus();
  }

  /** @param {(HTMLElement | null)[]} content */
  #fill(...content) {
    const close = el(
      "button",
      { class: "small", type: "button", onclick: () => this.#close() },
      t("Close"),
    );
    const shown = content.filter((each) => each !== null);
    this.#panel.replaceChildren(el("div", { class: "replay-close" }, close), ...shown);
    this.#panel.hidden = false;
    this.#panel.focus();
    this.#panel.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {Table.Replay} round
   * @param {Table.GameWords} words
   */
  #correction(round, words) {
    const correct = this.#correct;
    if (!correct) {
      const hint = t("View only: to correct a round, open this page with its token.");
      return el("p", { class: "quiet" }, hint);
    }
    const go = { class: "small", type: "button", onclick: () => correct(round.number, words) };
    const answer = el("p", { class: "quiet", role: "status" });
    /** @param {Table.Reason} what */
    const say = async (what) => {
      const refused = await this.#call(round.number, what);
      answer.textContent = refused || t("The table is held: it goes on at the dealer display.");
    };
    // A void round is over: nothing is put right in it, and it is not voided again.
    if (round.void) return null;
    const keys = CALLS.map(([what, text]) =>
      el("button", { class: "small", type: "button", onclick: () => say(what) }, text)
    );
    return el("div", { class: "replay-keys" }, el("button", go, t("Correct the record")), ...keys, answer);
  }

  /**
   * @param {Table.Replay} round
   * @param {Table.GameWords} words
   */
  #walk(round, words) {
    const marks = `${round.dummy ? `, ${t("No bets: dummy round")}` : ""}${round.void ? `, ${t("void")}` : ""}`;
    const count = round.steps.length;
    const dealt = round.steps.some((step) => step.dealer.cards.length);
    const place = el("p", { class: "quiet", role: "status" });
    const felt = el("div", { class: "replay-felt" });
    /**
     * @param {string} label
     * @param {(at: number) => number} to
     */
    const button = (label, to) =>
      el("button", { class: "small", type: "button", onclick: () => show(to(now)) }, label);
    const back = button(t("‹ Back"), (at) => at - 1);
    const on = button(t("On ›"), (at) => at + 1);
    const steps = round.steps.map((step, at) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", onclick: () => show(at) },
          el("time", { title: exact.format(step.at_ms) }, clock.format(step.at_ms)),
          el("b", {}, amount(step.text), " ", el("small", {}, took(step.took_ms))),
          el("span", {}, step.why),
        ),
      )
    );
    const lines = [...round.log];
    /** @type {HTMLElement[]} */
    const items = [];
    round.steps.forEach((step, at) => {
      while (lines.length && lines[0].at_ms <= step.at_ms) items.push(logged(lines.splice(0, 1)[0]));
      items.push(steps[at]);
    });
    items.push(...lines.map(logged));
    let now = 0;
    /** @param {number} wanted */
    const show = (wanted) => {
      now = Math.min(Math.max(wanted, 0), count - 1);
      const step = round.steps[now];
      place.textContent = t("Step {step} of {count}", { step: now + 1, count });
      back.disabled = now === 0;
      on.disabled = now === count - 1;
      steps.forEach((each, at) => each.toggleAttribute("data-now", at === now));
      const list = steps[now].parentElement;
      list?.scrollTo({ top: steps[now].offsetTop - list.clientHeight / 2 });
      felt.replaceChildren(
        el("h4", {}, amount(step.text)),
        el("p", { class: "quiet" }, step.why || t("By the order of the deal.")),
        handTable({ hands: step.hands, dealer: dealt ? step.dealer : null, words }),
        ...cameraPicture(step.picture),
      );
    };
    this.#fill(
      el("h3", {}, t("Round {number}, {game}{marks}", { number: round.number, game: round.game, marks })),
      el("div", { class: "replay-walk" }, back, on, place, this.#correction(round, words)),
      round.badges.length ? badges(round.badges) : null,
      el(
        "div",
        { class: "replay-body" },
        el("ol", { class: "replay-steps", "data-may-cut": true }, ...items),
        felt,
      ),
    );
    this.#panel.onkeydown = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Escape") this.#close();
      else if (KEYS[event.key]) show(KEYS[event.key](now));
      else return;
      event.preventDefault();
    };
    show(0);
  }
}
