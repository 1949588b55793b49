// A round told step by step: what happened, why, and the felt as it was after it.

import { el } from "../drawing/dom.js";
import { amount } from "../drawing/hands.js";
import { handTable } from "../drawing/hand_table.js";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
/** What the pit may say went wrong in a round. */
const CALLS = [["payout", "Wrong payout"], ["misdeal", "Misdeal: void it"]];
const KEYS = {
  ArrowLeft: (at) => at - 1,
  ArrowUp: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at + 1,
  Home: () => 0,
  End: () => Infinity,
};

/** What the camera saw of the card of a step, if there is a picture of it. */
function seenBy(picture) {
  if (!picture) return [];
  const src = `/api/v1/pictures/${picture}`;
  const image = el("img", { class: "evidence", src, alt: "The card as the camera saw it" });
  const words = el("figcaption", { class: "quiet" }, "What the camera saw of this card");
  image.addEventListener("error", () => {
    image.remove();
    words.textContent = "What the camera saw of this card is not kept any more.";
  });
  return [el("figure", { class: "card-picture" }, words, image)];
}

/** The panel in which one round at a time is replayed. */
export class Replay {
  #panel;
  #style;
  #from = null;
  #correct;
  #call;

  /**
   * `correct` opens the correction of a round, `call` says what went wrong in it and answers, later,
   * "" or why not; null where the page may only be looked at.
   */
  constructor(panel, style, correct, call) {
    this.#call = call;
    this.#panel = panel;
    this.#style = style;
    this.#correct = correct;
  }

  /** Shows that round; `words` are the game's own for its dealer and its seats. */
  async open(number, words) {
    this.#from = document.activeElement;
    let told;
    try {
      const answer = await fetch(`/api/v1/rounds/${number}`, {
        headers: { Accept: "application/json" },
      });
      if (!answer.ok) throw new Error(`error ${answer.status}`);
      told = await answer.json();
    } catch (error) {
      this.#fill(
        el(
          "p",
          {},
          `Round ${number} could not be read (${error.message}). ` +
            "Only the last ten rounds can be replayed; try again.",
        ),
      );
      return;
    }
    if (told.steps.length) this.#walk(told, words);
    else this.#fill(el("p", {}, `Nothing has happened in round ${number} yet.`));
  }

  #close() {
    this.#panel.hidden = true;
    this.#panel.onkeydown = null;
    this.#from?.focus();
  }

  #fill(...content) {
    const close = el(
      "button",
      { class: "small", type: "button", onclick: () => this.#close() },
      "Close",
    );
    this.#panel.replaceChildren(el("div", { class: "replay-close" }, close), ...content);
    this.#panel.hidden = false;
    this.#panel.focus();
    this.#panel.scrollIntoView({ block: "nearest" });
  }

  #correction(told, words) {
    if (!this.#correct) {
      const told = "View only: to correct a round, open this page with its token.";
      return el("p", { class: "quiet" }, told);
    }
    const go = { class: "small", type: "button", onclick: () => this.#correct(told.number, words) };
    const answer = el("p", { class: "quiet", role: "status" });
    const say = async (what) => {
      const refused = await this.#call(told.number, what);
      answer.textContent = refused || "The table is held: it goes on at the dealer display.";
    };
    const keys = CALLS.map(([what, text]) =>
      el("button", { class: "small", type: "button", onclick: () => say(what) }, text)
    );
    return el("div", { class: "replay-keys" }, el("button", go, "Correct the record"), ...keys, answer);
  }

  #walk(told, words) {
    const marks = `${told.dummy ? ", without bets" : ""}${told.void ? ", void" : ""}`;
    const count = told.steps.length;
    const dealt = told.steps.some((step) => step.dealer.cards.length);
    const place = el("p", { class: "quiet", role: "status" });
    const felt = el("div", { class: "replay-felt" });
    const button = (label, to) =>
      el("button", { class: "small", type: "button", onclick: () => show(to(now)) }, label);
    const back = button("‹ Back", (at) => at - 1);
    const on = button("On ›", (at) => at + 1);
    const steps = told.steps.map((step, at) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", onclick: () => show(at) },
          el("time", {}, clock.format(step.at_ms)),
          el("b", {}, amount(step.text)),
          el("span", {}, step.why),
        ),
      )
    );
    const notes = told.notes.map((each) =>
      el("p", { class: "quiet" }, `${clock.format(each.at_ms)} The table was held: ${each.text}`)
    );
    let now = 0;
    const show = (wanted) => {
      now = Math.min(Math.max(wanted, 0), count - 1);
      const step = told.steps[now];
      place.textContent = `Step ${now + 1} of ${count}`;
      back.disabled = now === 0;
      on.disabled = now === count - 1;
      steps.forEach((each, at) => each.toggleAttribute("data-now", at === now));
      const list = steps[now].parentElement;
      list?.scrollTo({ top: steps[now].offsetTop - list.clientHeight / 2 });
      felt.replaceChildren(
        el("h4", {}, amount(step.text)),
        el("p", { class: "quiet" }, step.why || "By the order of the deal."),
        handTable(
          { hands: step.hands, dealer: dealt ? step.dealer : null, words },
          this.#style,
        ),
        ...seenBy(step.picture),
      );
    };
    this.#fill(
      el("h3", {}, `Round ${told.number}, ${told.game}${marks}`),
      el("div", { class: "replay-walk" }, back, on, place, this.#correction(told, words)),
      ...notes,
      el("div", { class: "replay-body" }, el("ol", { class: "replay-steps" }, ...steps), felt),
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
