// A correction of the record: which steps were otherwise, why, and who authorizes it.

import { el } from "../../drawing/dom.js";
import { errorText } from "../commands.js";
import { StepEditor } from "./step_editor.js";
import { Authorization } from "../questions/authorization.js";
import { drawChanges, drawSteps } from "./change_list.js";
import { CorrectionText, hasChange } from "./correction_text.js";
import { RoundSteps } from "./round_steps.js";
import { phone } from "../entry/screen.js";
import { spoken, t } from "../../drawing/words.js";

/** @typedef {import("./round_steps.js").Row} Row */
/** @typedef {import("./round_steps.js").Wager} Wager */
/** @typedef {import("./correction_text.js").Changed} Changed */
/** @typedef {import("./step_editor.js").Mode} Mode */

/** @type {Record<string, number>} */
const ARROWS = { ArrowDown: 1, ArrowUp: -1 };
/** No round has this number: nothing was read yet. */
const NO_ROUND = { number: 0, steps: [] };

/** @param {string} address */
async function read(address) {
  const answer = await fetch(spoken(address), { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`error ${answer.status}`);
  return await answer.json();
}

/**
 * The panel, over the whole page. `send` sends a command and answers whether, and at which step, it
 * was refused; `touch`: with an on-screen keyboard; `onDone` gets the number of a round that was
 * corrected.
 *
 * @typedef {{
 *   touch: boolean,
 *   send: (command: import("../commands.js").AnyCommand) => Promise<import("../commands.js").Answer>,
 *   onDone: (round: number) => void,
 * }} Options
 */

export class Correction {
  #dialog = el("dialog", { class: "correct", "aria-labelledby": "correct-title" });
  #touch;
  #send;
  #onDone;
  #text;
  #joker = false;
  #roles = false;
  #steps = new RoundSteps(NO_ROUND);
  /** @type {Row | Wager | null} */
  #chosen = null;
  /** @type {Mode} */
  #mode = "";
  /** @type {{ row: Row, text: string } | null} */
  #refused = null;
  #problem = "";
  #live = true;
  /** @type {Map<number, string[]>} */
  #likely = new Map();

  /** @param {Options} options */
  constructor({ touch, send, onDone }) {
    this.#text = new CorrectionText({ dealer: "dealer", seat: "seat", joker: false, index: "finnish" });
    this.#touch = touch;
    this.#send = send;
    this.#onDone = onDone;
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("keydown", (event) => this.#typed(event));
    this.#dialog.addEventListener("close", () => this.#dialog.replaceChildren());
  }

  /** Whether it is typed on the screen: a phone has keys of its own. */
  get #onScreenKeys() {
    return this.#touch && !phone.matches;
  }

  get open() {
    return this.#dialog.open;
  }

  /**
   * Whether the page is live: a view that may be old is not corrected.
   *
   * @param {boolean} now
   */
  live(now) {
    this.#live = now;
    this.#dialog.toggleAttribute("data-old", !now);
  }

  /**
   * Opens the panel for that round, at what is likeliest to be wrong where `about` says what
   * happened; changes that were not sent are still there. `roles`: people are known by name and
   * PIN, and the floor authorizes it.
   *
   * @param {number} number
   * @param {Table.GameWords} words
   * @param {boolean} roles
   * @param {string} [about]
   */
  async show(number, words, roles, about = "") {
    this.#text = new CorrectionText(words);
    this.#joker = words.joker;
    this.#roles = roles;
    this.#problem = "";
    await this.#readAgain(number);
    if (!this.#chosen) this.#chosen = this.#steps.likeliest(about);
    if (!this.open) this.#dialog.showModal();
    this.#choose();
  }

  /**
   * Reads the round; changes to a record that is another by now are dropped, and that is said.
   *
   * @param {number} number
   */
  async #readAgain(number) {
    /** @type {Table.Replay} */
    let round;
    try {
      round = await read(`/api/v1/rounds/${number}`);
    } catch (error) {
      this.#problem = t("Round {number} could not be read ({error}). Try again.", { number, error: errorText(error) });
      if (this.#steps.number !== number) this.#steps = new RoundSteps({ number, steps: [] });
      return false;
    }
    if (this.#steps.takesIn(round)) return true;
    const dropped = this.#steps.number === number && this.#changed().length > 0;
    if (dropped) this.#problem = t("The record has changed meanwhile: look again.");
    this.#steps = new RoundSteps(round);
    [this.#chosen, this.#refused, this.#mode] = [null, null, ""];
    this.#likely.clear();
    return !dropped;
  }

  // Drawing

  /** @param {HTMLElement[]} content */
  #frame(...content) {
    const { number } = this.#steps;
    const close = { class: "correct-key", type: "button", onclick: () => this.#dialog.close() };
    this.#dialog.replaceChildren(
      el(
        "header",
        { class: "correct-head" },
        el("h2", { id: "correct-title" }, t("Correct round {number}", { number })),
        el("p", { class: "correct-old", role: "status" }, t("Not live: wait")),
        el("button", close, t("Close")),
      ),
      ...content,
    );
  }

  /** First: what was otherwise. */
  #choose() {
    const list = drawSteps(
      this.#steps,
      this.#text,
      this.#chosen,
      this.#refused,
      (each) => this.#select(each),
    );
    const changes = drawChanges(
      this.#changed(),
      this.#text,
      this.#problem,
      (each) => this.#takeBack(each),
      () => this.#authorize(),
    );
    const change = new StepEditor({
      touch: this.#onScreenKeys,
      steps: this.#steps,
      titleOf: (each) => this.#text.titleOf(each),
      joker: this.#joker,
      likely: (row) => this.#askLikely(row),
      onChange: (each) => this.#onChange(each),
      onMode: (each, mode) => this.#select(each, mode),
    });
    change.draw(this.#chosen, this.#mode);
    this.#frame(changes, el("div", { class: "correct-body" }, list, change.node));
    change.begin();
    /** @type {HTMLElement | null} */
    const now = list.querySelector("[data-now]");
    list.scrollTo({ top: now ? now.offsetTop - list.clientHeight / 2 : 0 });
  }

  /** Every row or bet with a change. */
  #changed() {
    return this.#steps.changed.filter(hasChange);
  }

  /**
   * @param {Row | Wager | null} each
   * @param {Mode} [mode]
   */
  #select(each, mode = "") {
    [this.#chosen, this.#mode] = [each, mode];
    this.#choose();
  }

  // Changing

  /** @param {Changed} each */
  #takeBack(each) {
    this.#steps.restore(each);
    if (!this.#all().some((other) => other === this.#chosen)) this.#chosen = null;
    this.#refused = null;
    this.#choose();
  }

  /**
   * A change was made, or taken back: `chosen` is looked at now.
   *
   * @param {Row | Wager | null} chosen
   */
  #onChange(chosen) {
    [this.#refused, this.#problem] = [null, ""];
    this.#select(chosen);
    /** @type {HTMLElement | null} */
    const now = this.#dialog.querySelector("[data-now]");
    now?.focus({ preventScroll: true });
  }

  /**
   * The cards that it could have been, likeliest first; none where that is not known.
   *
   * @param {Row} row
   * @returns {Promise<string[]>}
   */
  async #askLikely({ from = -1 }) {
    const known = this.#likely.get(from);
    if (known) return known;
    const address = `/api/v1/rounds/${this.#steps.number}/steps/${from}/likely`;
    /** @type {string[]} */
    const codes = await read(address).catch(() => []);
    this.#likely.set(from, codes);
    return codes;
  }

  // Sending

  /** Then: why, and who authorizes it. */
  #authorize() {
    /** @type {import("../questions/authorization.js").Asked} */
    const asked = {
      who: this.#roles ? "floor" : "none",
      about: "correct",
      verb: t("Correct the record"),
      touch: this.#onScreenKeys,
    };
    const form = new Authorization(asked, (entered) => this.#correct(entered));
    const back = { class: "correct-key", type: "button", onclick: () => this.#choose() };
    const listed = this.#changed().map((each) => el("li", {}, this.#text.ofChange(each)));
    this.#frame(
      el(
        "div",
        { class: "correct-sum" },
        el("ul", { class: "correct-list", "data-may-cut": true, "aria-label": t("Changes") }, ...listed),
        el("button", back, t("‹ Change more")),
      ),
      form.node,
    );
    form.begin();
  }

  /**
   * @param {import("../questions/authorization.js").Entered} entered
   * @returns {Promise<import("../commands.js").Answer>}
   */
  async #correct({ people, reason = "" }) {
    if (!this.#live) return { refused: t("Not live: wait until it is, then send it again.") };
    const { number } = this.#steps;
    if (!await this.#readAgain(number)) {
      this.#choose();
      return { refused: this.#problem };
    }
    /** @type {Table.Command} */
    const command = { do: "correct", round: number, edits: this.#steps.edits, reason };
    const answer = await this.#send(people.length ? { ...command, people } : command);
    const { refused, step } = answer;
    if (!refused) {
      this.#steps = new RoundSteps(NO_ROUND);
      this.#chosen = null;
      this.#dialog.close();
      this.#onDone(number);
      return answer;
    }
    const row = this.#steps.after[(step ?? 0) - 1];
    if (row) {
      this.#refused = { row, text: refused };
      this.#select(row);
    }
    return answer;
  }

  /** @returns {(Row | Wager)[]} */
  #all() {
    return [...this.#steps.wagers, ...this.#steps.rows];
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const by = ARROWS[event.key];
    const list = this.#dialog.querySelector(".correct-steps");
    if (!by || !list) return;
    const all = this.#all();
    const at = this.#chosen ? all.indexOf(this.#chosen) + by : 0;
    if (all[at]) this.#select(all[at]);
    event.preventDefault();
  }
}
