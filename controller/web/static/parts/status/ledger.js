// How the shoes add up, and one press away every round and wager since they last did.

import { el } from "../../drawing/dom.js";
import { errorText } from "../commands.js";
import { amount, word } from "../../drawing/hands.js";
import { locale, spoken, t } from "../../drawing/words.js";

const clock = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "medium" });
/** @type {Record<string, string>} */
const VERDICTS = { proven: t("Proven"), agrees: t("Agrees"), discrepant: t("Does not add up") };
const PATIENCE_MS = 10_000;
/** The key that opens the list, by its class. */
const OPENS = "since-key";
/** The ledger has more of them, and the record all. */
const FOREIGN_SHOWN = 3;
/** @type {Record<string, string>} */
const METHODS = {
  count: t("What is left of a shoe is counted before the next pack."),
  scan: t("What is left of a shoe is run through the reader before the next pack."),
  off: t("This table does not add up its shoes."),
};

/**
 * What the last reconciliation found, what the early warning says, and the key to the list.
 *
 * @param {Table.LedgerView} ledger
 * @param {() => void} open
 */
export function drawLedger(ledger, open) {
  const { text, verdict, shoe, since, clean, warnings, method, cut } = ledger;
  const foreign = ledger.foreign_cards;
  const found = text ? t("{verdict}, shoe {shoe}. {text}", { verdict: VERDICTS[verdict], shoe, text }) : METHODS[method];
  const count = t("{since:round|rounds}", { since });
  return [
    el("p", { "data-trouble": String(Boolean(text) && !clean) }, found),
    ...(cut ? [el("p", { class: "quiet" }, cutText(cut))] : []),
    ...foreign.slice(0, FOREIGN_SHOWN).map(drawForeign),
    ...warnings.map((each) => el("p", { class: "warned" }, el("b", {}, t("Early warning."), " "), each)),
    el(
      "button",
      { class: `small ${OPENS}`, type: "button", "data-name": OPENS, onclick: open },
      // Where none ever adds up, nothing is still to come.
      !text && method === "off" ? count : text && clean ? t("{count} since then", { count }) : t("{count} not added up yet", { count }),
    ),
  ];
}

/**
 * Where the cut card was put in, and when it came out.
 *
 * @param {Table.CutView} cut
 */
function cutText({ at, declared, out, round, at_ms, scanned }) {
  const put = declared ? t("Cut card after {cards:card|cards}, as declared", { cards: at }) : t("Cut card after {cards:card|cards}", { cards: at });
  if (!out && !scanned) return t("{put}; not out yet.", { put });
  const by = scanned ? t("its code was read") : t("by the number of cards");
  const when = round ? t("{time}, round {round}", { time: clock.format(at_ms), round }) : clock.format(at_ms);
  return t("{put}; out after {out} ({by}), {when}.", { put, out, by, when });
}

/**
 * A foreign card, when it came and where.
 *
 * @param {Table.ForeignCardView} card
 */
function drawForeign({ at_ms, text, shoe, round }) {
  const where = round ? t("shoe {shoe}, round {round}", { shoe, round }) : t("shoe {shoe}", { shoe });
  const when = `${text} ${clock.format(at_ms)}, ${where}.`;
  return el("p", { class: "warned" }, el("b", {}, t("Foreign card."), " "), when);
}

/** The panel with the list; it is fetched when it is asked for. */
export class LedgerList {
  #panel;

  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.#panel = panel;
    panel.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  /**
   * Shows the list; `words` are the game's own.
   *
   * @param {Table.GameWords} words
   */
  async open(words) {
    try {
      const headers = { Accept: "application/json" };
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const answer = await fetch(spoken("/api/v1/ledger"), { headers, signal });
      if (!answer.ok) throw new Error(`error ${answer.status}`);
      this.#fill(draw(await answer.json(), words));
    } catch (error) {
      this.#fill([el("p", {}, t("The list could not be read ({error}). Try again.", { error: errorText(error) }))]);
    }
  }

  close() {
    this.#panel.hidden = true;
    /** @type {HTMLElement | null} */
    const key = document.querySelector(`.${OPENS}`);
    key?.focus();
  }

  /** @param {HTMLElement[]} content */
  #fill(content) {
    this.#panel.replaceChildren(
      el("h3", {}, t("Rounds since the shoes last added up")),
      el(
        "button",
        { class: "small replay-close", type: "button", onclick: () => this.close() },
        t("Close"),
      ),
      ...content,
    );
    this.#panel.hidden = false;
    this.#panel.focus();
    this.#panel.scrollIntoView({ block: "nearest" });
  }
}

/**
 * @param {Table.LedgerList} list
 * @param {Table.GameWords} words
 */
function draw({ rounds, earlier }, words) {
  if (!rounds.length) return [el("p", { class: "quiet" }, t("None: no round was played since."))];
  const more = t("{earlier} earlier rounds are in the record: tablectl replay shows them.", { earlier });
  const head = [t("Round"), t("Shoe"), t("Ended"), t("Wagers"), t("Players’ net")];
  const table = el(
    "table",
    { class: "list" },
    el("thead", {}, el("tr", {}, ...head.map((each) => el("th", { scope: "col" }, each)))),
    el("tbody", {}, ...rounds.map((each) => row(each, words))),
  );
  return earlier ? [table, el("p", { class: "quiet" }, more)] : [table];
}

/**
 * @param {Table.ListedRound} round
 * @param {Table.GameWords} words
 */
function row(round, words) {
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, String(round.number)),
    el("td", {}, String(round.shoe)),
    el("td", {}, clock.format(round.ended_ms)),
    el("td", { class: "staked" }, round.wagers.map((each) => staked(each, words)).join("; ")),
    el("td", { class: "number" }, round.void ? t("void") : amount(round.net)),
  );
}

/**
 * @param {Table.ListedWager} wager
 * @param {Table.GameWords} words
 */
function staked({ seat, hand, wager }, words) {
  const which = hand === 0 ? t(", side bet") : hand > 1 ? t(", hand {hand}", { hand }) : "";
  return `${word(words, "seat")} ${seat}${which}: ${amount(wager)}`;
}
