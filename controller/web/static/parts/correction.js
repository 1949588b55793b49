// The record is put right: which steps were otherwise, why, and who stands for it.

import { el } from "../drawing/dom.js";
import { StepEditor } from "./step_editor.js";
import { word } from "../drawing/hands.js";
import { written } from "./amount_pad.js";
import { Authorization } from "./authorization.js";
import { cardText } from "./dialogs.js";
import { said, RoundSteps } from "./round_steps.js";

/** How a step is told that is no longer of the round. */
const OUT = { remove: "taken out", burn: "put aside" };

async function read(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`error ${answer.status}`);
  return await answer.json();
}

/**
 * The panel, over the whole page. `send` takes a command and answers "" or why it was not taken;
 * `touch`: with keys on the screen; `onDone` gets the number of a round that was corrected.
 */
export class Correction {
  #dialog = el("dialog", { class: "correct", "aria-labelledby": "correct-title" });
  #style;
  #touch;
  #send;
  #onDone;
  #words = {};
  #roles = false;
  #steps = null;
  #chosen = null;
  #mode = "";
  #refused = null;
  #told = "";
  #live = true;
  #likely = new Map();

  constructor({ style, touch, send, onDone }) {
    [this.#style, this.#touch, this.#send, this.#onDone] = [style, touch, send, onDone];
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("keydown", (event) => this.#typed(event));
    this.#dialog.addEventListener("close", () => this.#dialog.replaceChildren());
  }

  get open() {
    return this.#dialog.open;
  }

  /** Whether the page is live: what is not seen is not corrected. */
  live(now) {
    this.#live = now;
    this.#dialog.toggleAttribute("data-old", !now);
  }

  /**
   * Opens the panel for that round, at what is likeliest to be wrong where `about` says what
   * happened; changes that were not sent are still there. `roles`: people are known by name and
   * PIN, and the floor stands for it.
   */
  async show(number, words, roles, about = "") {
    this.#words = words;
    this.#roles = roles;
    this.#told = "";
    await this.#readAgain(number);
    if (!this.#chosen) this.#chosen = this.#steps.likeliest(about);
    if (!this.open) this.#dialog.showModal();
    this.#choose();
  }

  /** Reads the round; changes to a record that is another by now are dropped, and that is said. */
  async #readAgain(number) {
    let told;
    try {
      told = await read(`/api/v1/rounds/${number}`);
    } catch (error) {
      this.#told = `Round ${number} could not be read (${error.message}). Try again.`;
      if (this.#steps?.number !== number) this.#steps = new RoundSteps({ number, steps: [] });
      return false;
    }
    if (this.#steps?.takesIn(told)) return true;
    const dropped = this.#steps?.number === number && this.#steps.changed.length;
    if (dropped) this.#told = "The record has changed meanwhile: look again.";
    this.#steps = new RoundSteps(told);
    [this.#chosen, this.#refused, this.#mode] = [null, null, ""];
    this.#likely.clear();
    return !dropped;
  }

  // Drawing

  #frame(...content) {
    const { number } = this.#steps;
    const close = { class: "correct-key", type: "button", onclick: () => this.#dialog.close() };
    this.#dialog.replaceChildren(
      el(
        "header",
        { class: "correct-head" },
        el("h2", { id: "correct-title" }, `Correct round ${number}`),
        el("p", { class: "correct-old", role: "status" }, "Not live: wait"),
        el("button", close, "Close"),
      ),
      ...content,
    );
  }

  /** First: what was otherwise. */
  #choose() {
    const list = el(
      "ol",
      { class: "correct-steps", "data-may-cut": true, tabindex: "-1", "aria-label": "Steps" },
      ...this.#steps.wagers.map((each) => this.#drawWager(each)),
      ...this.#steps.rows.map((row) => this.#drawRow(row)),
    );
    const change = new StepEditor({
      style: this.#style,
      touch: this.#touch,
      steps: this.#steps,
      titleOf: (each) => this.#titleOf(each),
      likely: (row) => this.#askLikely(row),
      onChange: (each) => this.#changed(each),
      onMode: (each, mode) => this.#select(each, mode),
    });
    change.draw(this.#chosen, this.#mode);
    this.#frame(this.#changes(), el("div", { class: "correct-body" }, list, change.node));
    change.begin();
    const now = list.querySelector("[data-now]");
    list.scrollTo({ top: now ? now.offsetTop - list.clientHeight / 2 : 0 });
  }

  /** What is to be changed so far, each of it to be taken back. */
  #changes() {
    const { changed } = this.#steps;
    const back = (each) => {
      this.#steps.restore(each);
      if (!this.#steps.rows.includes(this.#chosen)) this.#chosen = null;
      this.#refused = null;
      this.#choose();
    };
    const takeBack = (each) => {
      const label = `Take back: ${this.#changeText(each)}`;
      return el("button", { type: "button", "aria-label": label, onclick: () => back(each) }, "✕");
    };
    const listed = changed.map((each) =>
      el(
        "li",
        {},
        el("span", {}, this.#changeText(each)),
        takeBack(each),
      )
    );
    const none = el("li", { class: "correct-none" }, "Choose the step or bet that was otherwise.");
    return el(
      "div",
      { class: "correct-sum" },
      el(
        "ul",
        { class: "correct-list", "data-may-cut": true, "aria-label": "Changes" },
        ...(listed.length ? listed : [none]),
      ),
      el("p", { class: "correct-told", role: "alert" }, this.#told && `✕ ${this.#told}`),
      el(
        "button",
        {
          class: "correct-go",
          type: "button",
          disabled: !changed.length,
          onclick: () => this.#stand(),
        },
        "Go on: say why",
      ),
    );
  }

  #changeText(each) {
    const { change } = each;
    if (change.do === "dead") return `${this.#seat(each)}: no card, goes back`;
    if (each.seat !== undefined) return `${this.#seat(each)}: ${amountText(change.amount)}`;
    if (change.do === "insert") return `put in ${cardText(change.card, this.#style)}`;
    const place = `step ${each.from + 1}`;
    if (OUT[change.do]) return `${place} ${OUT[change.do]}`;
    return `${place} was ${this.#wasText(change)}`;
  }

  /** The same beside its own step. */
  #rowText(each) {
    const { change } = each;
    if (change.do === "dead") return "got no card: goes back";
    if (each.seat !== undefined) return `was ${amountText(change.amount)}`;
    if (change.do === "replace") return `was ${this.#wasText(change)}`;
    return OUT[change.do] ?? this.#changeText(each);
  }

  #wasText({ card: code, action, amount }) {
    if (code) return cardText(code, this.#style);
    return amount ? `${said(action)} ${written(amount)}` : said(action);
  }

  #seat({ seat }) {
    return `Bet of ${word(this.#words, "seat").toLowerCase()} ${seat}`;
  }

  #titleOf(each) {
    if (each.seat !== undefined) return `${this.#seat(each)}: ${each.wager}`;
    return each.kind === "put" ? `Put in: ${cardText(each.code, this.#style)}` : each.text;
  }

  #drawWager(each) {
    return this.#row(each, "", this.#titleOf(each));
  }

  #drawRow(row) {
    const text = row.kind === "put" ? "" : row.text;
    return this.#row(row, row.from === undefined ? "+" : String(row.from + 1), text);
  }

  #row(each, number, text) {
    const { change } = each;
    const refused = this.#refused?.row === each ? this.#refused.text : "";
    return el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          "data-now": each === this.#chosen,
          "data-changed": Boolean(change),
          onclick: () => this.#select(each),
        },
        el("i", {}, number),
        el(
          "span",
          {},
          change && text ? el("s", {}, text) : text,
          change ? el("b", {}, this.#rowText(each)) : null,
        ),
      ),
      refused ? el("p", { class: "correct-misfit", role: "alert" }, `✕ ${refused}`) : null,
    );
  }

  #select(each, mode = "") {
    [this.#chosen, this.#mode] = [each, mode];
    this.#choose();
  }

  // Changing

  /** A change was made, or taken back: `chosen` is looked at now. */
  #changed(chosen) {
    [this.#refused, this.#told] = [null, ""];
    this.#select(chosen);
    this.#dialog.querySelector("[data-now]")?.focus({ preventScroll: true });
  }

  /** The cards that it could have been, likeliest first; none where that is not known. */
  async #askLikely(row) {
    if (!this.#likely.has(row.from)) {
      const address = `/api/v1/rounds/${this.#steps.number}/steps/${row.from}/likely`;
      this.#likely.set(row.from, await read(address).catch(() => []));
    }
    return this.#likely.get(row.from);
  }

  // Sending

  /** Then: why, and who stands for it. */
  #stand() {
    const who = this.#roles ? "floor" : "none";
    const asked = { who, about: "correct", verb: "Correct the record", touch: this.#touch };
    const form = new Authorization(asked, (stood) => this.#correct(stood));
    const back = { class: "correct-key", type: "button", onclick: () => this.#choose() };
    const listed = this.#steps.changed.map((each) => el("li", {}, this.#changeText(each)));
    this.#frame(
      el(
        "div",
        { class: "correct-sum" },
        el("ul", { class: "correct-list", "data-may-cut": true, "aria-label": "Changes" }, ...listed),
        el("button", back, "‹ Change more"),
      ),
      form.node,
    );
    form.begin();
  }

  async #correct({ people, reason }) {
    if (!this.#live) return "Not live: wait until it is, then send it again.";
    const { number } = this.#steps;
    if (!await this.#readAgain(number)) {
      this.#choose();
      return this.#told;
    }
    const command = { do: "correct", round: number, edits: this.#steps.edits, reason };
    const refused = await this.#send(people.length ? { ...command, people } : command);
    if (!refused) {
      this.#steps = this.#chosen = null;
      this.#dialog.close();
      this.#onDone(number);
      return "";
    }
    const [, step] = /\b[Ss]tep (\d+)\b/.exec(refused) ?? [];
    const row = this.#steps.after[Number(step) - 1];
    if (row) {
      this.#refused = { row, text: refused };
      this.#select(row);
    }
    return refused;
  }

  #typed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const list = this.#dialog.querySelector(".correct-steps");
    if (!by || !list) return;
    const all = [...this.#steps.wagers, ...this.#steps.rows];
    const at = this.#chosen ? all.indexOf(this.#chosen) + by : 0;
    if (all[at]) this.#select(all[at]);
    event.preventDefault();
  }
}

function amountText(minor) {
  return minor === null ? "not tracked" : written(minor);
}
