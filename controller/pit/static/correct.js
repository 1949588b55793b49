// The record is put right: which steps were otherwise, why, and who stands for it.

import { Board } from "./board.js";
import { card, cardName, RANKS, SUITS } from "./cards.js";
import { el } from "./dom.js";
import { word } from "./felt.js";
import { minorUnits, written } from "./pad.js";
import { Standing } from "./people.js";
import { cardText } from "./sheets.js";
import { BIDS, said, Steps } from "./steps.js";

const MOST_LIKELY = 5;

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

  /** Opens the panel for that round; changes that were not sent are still there. */
  async show(number, words) {
    this.#words = words;
    this.#told = "";
    await this.#readAgain(number);
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
      if (this.#steps?.number !== number) this.#steps = new Steps({ number, steps: [] });
      return false;
    }
    if (this.#steps?.takesIn(told)) return true;
    const dropped = this.#steps?.number === number && this.#steps.changed.length;
    if (dropped) this.#told = "The record has changed meanwhile: look again.";
    this.#steps = new Steps(told);
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
    const change = el("section", { class: "correct-change", "aria-label": "What it was" });
    change.append(...this.#editor());
    this.#frame(this.#changes(), el("div", { class: "correct-body" }, list, change));
    if (this.#touch) this.#board(change);
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
    const listed = changed.map((each) =>
      el(
        "li",
        {},
        el("span", {}, this.#changeText(each)),
        el(
          "button",
          { type: "button", "aria-label": `Take back: ${this.#changeText(each)}`, onclick: () => back(each) },
          "✕",
        ),
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
    if (each.seat !== undefined) return `${this.#seat(each)}: ${amountText(change.amount)}`;
    if (change.do === "insert") return `put in ${cardText(change.card, this.#style)}`;
    const place = `step ${each.from + 1}`;
    if (change.do === "remove") return `${place} taken out`;
    return `${place} was ${this.#wasText(change)}`;
  }

  /** The same beside its own step. */
  #rowText(each) {
    const { change } = each;
    if (each.seat !== undefined) return `was ${amountText(change.amount)}`;
    if (change.do === "replace") return `was ${this.#wasText(change)}`;
    return change.do === "remove" ? "taken out" : this.#changeText(each);
  }

  #wasText({ card: code, action, amount }) {
    if (code) return cardText(code, this.#style);
    return amount ? `${said(action)} ${written(amount)}` : said(action);
  }

  #seat({ seat }) {
    return `Bet of ${word(this.#words, "seat").toLowerCase()} ${seat}`;
  }

  #drawWager(each) {
    return this.#row(each, "", `${this.#seat(each)}: ${each.wager}`);
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

  /** What may be said of the chosen step or bet. */
  #editor() {
    const each = this.#chosen;
    if (!each) {
      const how = "The cards stay where they lie. Say here what the record should say: " +
        "the round is played again from it, and what no longer fits is named.";
      return [el("p", { class: "correct-how" }, how)];
    }
    if (each.seat !== undefined) return this.#wagerEditor(each);
    const before = each.kind === "put" ? `Put in: ${cardText(each.code, this.#style)}` : each.text;
    const head = el("h3", {}, before);
    if (this.#mode) {
      const told = `Which card was ${this.#mode} this step?`;
      const put = (code) => {
        const row = this.#steps.putIn(each, code, this.#mode === "after");
        this.#changed(row);
      };
      return [head, el("p", { class: "correct-how" }, told), this.#cardSheet(put)];
    }
    return [head, this.#ways(each), ...this.#instead(each)];
  }

  #ways(row) {
    const key = (label, go) =>
      el("button", { class: "correct-key", type: "button", onclick: go }, label);
    const put = row.kind === "put";
    const can = !put && row.kind !== "paid" && !row.change;
    return el(
      "div",
      { class: "correct-ways" },
      row.change ? key("As it was recorded", () => this.#back(row)) : null,
      can ? key("Take it out", () => this.#set(row, { do: "remove" })) : null,
      key("Put a card in before", () => this.#select(row, "before")),
      key("Put a card in after", () => this.#select(row, "after")),
    );
  }

  #instead(row) {
    const replace = (was) => this.#set(row, { do: "replace", ...was });
    if (row.kind === "card") {
      const take = (code) => replace({ card: code });
      return [
        el("p", { class: "correct-how" }, "Which card was it? The likeliest first."),
        this.#likeliest(row, take),
        this.#cardSheet(take, row.code),
      ];
    }
    if (row.kind === "hidden") {
      return [el("p", { class: "correct-how" }, "It lay face down: its card is put right where it was turned.")];
    }
    if (row.kind === "paid") {
      return [el("p", { class: "correct-how" }, "What is paid follows from the cards: put those right.")];
    }
    return row.kind === "put" ? [] : [this.#decisions(row, replace)];
  }

  #decisions(row, replace) {
    const choices = this.#steps.choices(row);
    const field = choices.some((each) => BIDS.has(each)) ? amountField("Amount of a bet or raise", this.#touch) : null;
    const take = (action) => {
      if (!BIDS.has(action)) return replace({ action });
      const amount = minorUnits(field.input.value);
      return amount ? replace({ action, amount }) : field.input.focus();
    };
    const keys = choices.map((action) =>
      el("button", { class: "correct-key", type: "button", onclick: () => take(action) }, capital(said(action)))
    );
    const told = choices.length
      ? "What was said instead?"
      : "It follows from what was said before: put that right, or take it out.";
    return el(
      "div",
      { class: "correct-decisions" },
      el("p", { class: "correct-how" }, told),
      field?.node,
      el("div", { class: "correct-ways" }, ...keys),
    );
  }

  #wagerEditor(each) {
    const field = amountField("What lay there", this.#touch);
    const take = (amount) => this.#set(each, { do: "wager", amount });
    const enter = () => {
      const amount = minorUnits(field.input.value);
      if (amount) take(amount);
      else field.input.focus();
    };
    field.input.addEventListener("keydown", (event) => event.key === "Enter" && enter());
    const key = (label, go) =>
      el("button", { class: "correct-key", type: "button", onclick: go }, label);
    return [
      el("h3", {}, `${this.#seat(each)}: ${each.wager}`),
      field.node,
      el(
        "div",
        { class: "correct-ways" },
        key("Change the bet", enter),
        key("Amount not tracked", () => take(null)),
        each.change ? key("As it was recorded", () => this.#back(each)) : null,
      ),
    ];
  }

  /** Keys on the screen where the chosen thing takes an amount. */
  #board(section) {
    const field = section.querySelector("input");
    if (!field) return;
    const board = new Board();
    board.serve(section);
    section.append(board.node);
    field.focus();
  }

  #likeliest(row, take) {
    const node = el("div", { class: "correct-likely", role: "group", "aria-label": "Likeliest" });
    this.#askLikely(row).then((codes) => {
      node.replaceChildren(
        ...codes.slice(0, MOST_LIKELY).map((code) =>
          el(
            "button",
            { type: "button", onclick: () => take(code) },
            card(code, { style: this.#style, face: "plain" }),
          )
        ),
      );
      for (const each of node.parentElement?.querySelectorAll(".correct-sheet button") ?? []) {
        each.toggleAttribute("data-unlikely", codes.length > 0 && !codes.includes(each.dataset.code));
      }
    });
    return node;
  }

  /** The cards that it could have been, likeliest first; none where that is not known. */
  async #askLikely(row) {
    if (!this.#likely.has(row.from)) {
      const address = `/api/v1/rounds/${this.#steps.number}/steps/${row.from}/likely`;
      this.#likely.set(row.from, await read(address).catch(() => []));
    }
    return this.#likely.get(row.from);
  }

  #cardSheet(take, now = "") {
    const key = (code) =>
      el(
        "button",
        {
          type: "button",
          "data-code": code,
          "data-suit": code[1],
          "aria-label": cardName(code),
          disabled: code === now,
          onclick: () => take(code),
        },
        cardText(code, this.#style),
      );
    const rows = SUITS.map((suit) => RANKS.map((rank) => key(rank + suit)));
    return el(
      "div",
      { class: "correct-sheet", role: "group", "aria-label": "All cards" },
      ...rows.flat(),
      key("Jo"),
    );
  }

  // Changing

  #set(each, change) {
    each.change = change;
    this.#changed(each);
  }

  #back(each) {
    this.#steps.restore(each);
    this.#changed(each.kind === "put" ? null : each);
  }

  #changed(chosen) {
    [this.#refused, this.#told] = [null, ""];
    this.#select(chosen);
    this.#dialog.querySelector("[data-now]")?.focus({ preventScroll: true });
  }

  // Sending

  /** Then: why, and who stands for it. */
  #stand() {
    const asked = { who: "maybe", about: "correct", verb: "Correct the record", touch: this.#touch };
    const form = new Standing(asked, (stood) => this.#correct(stood));
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
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || target instanceof HTMLInputElement) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    const list = this.#dialog.querySelector(".correct-steps");
    if (!by || !list) return;
    const all = [...this.#steps.wagers, ...this.#steps.rows];
    const at = this.#chosen ? all.indexOf(this.#chosen) + by : 0;
    if (all[at]) this.#select(all[at]);
    event.preventDefault();
  }
}

function amountField(label, touch) {
  const input = el("input", {
    type: "text",
    maxlength: 12,
    autocomplete: "off",
    inputmode: touch ? "none" : "decimal",
    "data-keys": "digits",
  });
  return { input, node: el("label", { class: "stand-field" }, el("span", {}, label), input) };
}

function amountText(minor) {
  return minor === null ? "not tracked" : written(minor);
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
