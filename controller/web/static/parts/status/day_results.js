// The newest gaming day held against the odds, for whoever has the table's token: what the house
// won, what rounds like these bring it, and by which dealer.

import { at, el } from "../../drawing/dom.js";
import { leakTest, money, notHeld, warnings } from "../results.js";
import { spoken, t } from "../../drawing/words.js";

/** Nothing new within it: asked again, since a correction changes figures, too. */
const AGAIN_MS = 60_000;
const PATIENCE_MS = 10_000;

export class DayResults {
  #token;
  #played = -1;
  #asking = false;

  /** @param {string} token */
  constructor(token) {
    this.#token = token;
    if (token) setInterval(() => this.#ask(), AGAIN_MS);
  }

  /**
   * Ask anew where rounds have been played since.
   *
   * @param {number} played rounds on record
   */
  update(played) {
    if (!this.#token || played === this.#played) return;
    this.#played = played;
    this.#ask();
  }

  async #ask() {
    if (this.#asking) return;
    this.#asking = true;
    const played = this.#played;
    try {
      const headers = { Accept: "application/json", Authorization: `Bearer ${this.#token}` };
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const answer = await fetch(spoken("/api/v1/record/expected"), { headers, signal });
      if (answer.ok) draw(await answer.json());
      else at("results-panel").hidden = true; // not this token's to see
    } catch {
      // The page says "Not live"; older figures must not stand beside it as if they were today's.
      at("results-panel").hidden = true;
    } finally {
      this.#asking = false;
    }
    if (played !== this.#played) this.#ask();
  }
}

/** @param {Table.ExpectedAnswer} answer */
function draw(answer) {
  const newest = answer.lines[0]?.day;
  const lines = answer.lines.filter((each) => each.day === newest);
  at("results-panel").hidden = lines.length === 0;
  at("results-day").textContent = newest ?? "";
  const warned = warnings(answer.warnings.filter((each) => each.day === newest));
  at("results-warned").hidden = warned.length === 0;
  at("results-warned").textContent = warned[0] ?? "";
  const held = lines.filter((each) => each.rounds);
  const rows = held.map((each) => row(named(each, held), each));
  if (held.length > 1) rows.unshift(row(t("All"), total(held)));
  const names = [t("Rounds"), t("House won"), t("Expected"), t("More or less")];
  const head = el("thead", {}, el("tr", {}, ...names.map((each) => el("th", { scope: "col" }, each))));
  at("results").replaceChildren(...(rows.length ? [head, ...rows] : []));
  const said = [answer.read ? "" : t("The record is being read."), notHeld(lines), `${leakTest(answer)}.`];
  at("results-said").textContent = [...said, t("Amounts in {currency}.", { currency: answer.currency })].filter(Boolean).join(" ");
}

/**
 * Whose line it is: the dealer, with the game and its options where they changed in the day.
 *
 * @param {Table.ExpectedLine} line
 * @param {Table.ExpectedLine[]} all
 */
function named(line, all) {
  const about = [line.dealer || t("Nobody named")];
  if (all.some((each) => each.game !== line.game)) about.push(line.game);
  if (all.some((each) => each.options !== line.options)) about.push(line.options || t("usual options"));
  return about.join(", ");
}

/** @param {Table.ExpectedLine[]} lines */
function total(lines) {
  const sum = { rounds: 0, house_won: 0, expected: 0 };
  for (const each of lines) {
    sum.rounds += each.rounds;
    sum.house_won += each.house_won;
    sum.expected += each.expected;
  }
  return sum;
}

/**
 * One line of the table: a name, and its figures.
 *
 * @param {string} name
 * @param {{ rounds: number, house_won: number, expected: number }} line
 */
function row(name, line) {
  const more = line.house_won - line.expected;
  const figures = [String(line.rounds), money(line.house_won), money(line.expected), `${more > 0 ? "+" : ""}${money(more)}`];
  // A name is as long as it is: it has a line of its own in the narrow column.
  return el(
    "tbody", {},
    el("tr", {}, el("th", { scope: "rowgroup", colspan: String(figures.length) }, name)),
    el("tr", {}, ...figures.map((each) => el("td", { class: "amount" }, each))),
  );
}
