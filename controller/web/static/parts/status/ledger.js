// How the shoes add up, and one press away every round and wager since they last did.

import { el } from "../../drawing/dom.js";
import { errorText } from "../commands.js";
import { amount, word } from "../../drawing/hands.js";

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" });
/** @type {Record<string, string>} */
const VERDICTS = { proven: "Proven", agrees: "Agrees", discrepant: "Does not add up" };
/** The ledger has more of them, and the record all. */
const FOREIGN_SHOWN = 3;
/** @type {Record<string, string>} */
const METHODS = {
  count: "What is left of a shoe is counted before the next pack.",
  scan: "What is left of a shoe is run through the reader before the next pack.",
  off: "This table does not add up its shoes.",
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
  const found = text ? `${VERDICTS[verdict]}, shoe ${shoe}. ${text}` : METHODS[method];
  const count = since === 1 ? "1 round" : `${since} rounds`;
  return [
    el("p", { "data-trouble": String(Boolean(text) && !clean) }, found),
    ...(cut ? [el("p", { class: "quiet" }, cutText(cut))] : []),
    ...foreign.slice(0, FOREIGN_SHOWN).map(drawForeign),
    ...warnings.map((each) => el("p", { class: "warned" }, el("b", {}, "Early warning. "), each)),
    el(
      "button",
      { class: "small", type: "button", onclick: open },
      text && clean ? `${count} since then` : `${count} not added up yet`,
    ),
  ];
}

/**
 * Where the cut card was put in, and when it came out.
 *
 * @param {Table.CutView} cut
 */
function cutText({ at, declared, out, round, at_ms, scanned }) {
  const put = `Cut card after ${at} cards${declared ? ", as declared" : ""}`;
  if (!out && !scanned) return `${put}; not out yet.`;
  const by = scanned ? "its code was read" : "by the number of cards";
  const when = `${clock.format(at_ms)}${round ? `, round ${round}` : ""}`;
  return `${put}; out after ${out} (${by}), ${when}.`;
}

/**
 * A foreign card, when it came and where.
 *
 * @param {Table.ForeignCardView} card
 */
function drawForeign({ at_ms, text, shoe, round }) {
  const where = round ? `shoe ${shoe}, round ${round}` : `shoe ${shoe}`;
  const when = `${text} ${clock.format(at_ms)}, ${where}.`;
  return el("p", { class: "warned" }, el("b", {}, "Foreign card. "), when);
}

/** The panel with the list; it is fetched when it is asked for. */
export class LedgerList {
  #panel;
  /** @type {Element | null} */
  #from = null;

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
    this.#from = document.activeElement;
    try {
      const headers = { Accept: "application/json" };
      const answer = await fetch("/api/v1/ledger", { headers });
      if (!answer.ok) throw new Error(`error ${answer.status}`);
      this.#fill(draw(await answer.json(), words));
    } catch (error) {
      this.#fill([el("p", {}, `The list could not be read (${errorText(error)}). Try again.`)]);
    }
  }

  close() {
    this.#panel.hidden = true;
    if (this.#from instanceof HTMLElement) this.#from.focus();
  }

  /** @param {HTMLElement[]} content */
  #fill(content) {
    this.#panel.replaceChildren(
      el("h3", {}, "Rounds since the shoes last added up"),
      el(
        "button",
        { class: "small replay-close", type: "button", onclick: () => this.close() },
        "Close",
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
  if (!rounds.length) return [el("p", { class: "quiet" }, "None: no round was played since.")];
  const more = `${earlier} earlier rounds are in the record: tablectl replay shows them.`;
  const head = ["Round", "Shoe", "Ended", "Wagers", "Players’ net"];
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
    el("td", { class: "number" }, round.void ? "void" : amount(round.net)),
  );
}

/**
 * @param {Table.ListedWager} wager
 * @param {Table.GameWords} words
 */
function staked({ seat, hand, wager }, words) {
  const which = hand === 0 ? ", side bet" : hand > 1 ? `, hand ${hand}` : "";
  return `${word(words, "seat")} ${seat}${which}: ${amount(wager)}`;
}
