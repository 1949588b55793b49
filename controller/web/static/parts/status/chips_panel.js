// The chips on the status page, for whoever has the table's token: whether the rack is open, and
// what the newest shift that is closed came to.

import { at } from "../../drawing/dom.js";
import { money } from "../results.js";
import { spoken, t } from "../../drawing/words.js";

const AGAIN_MS = 15_000;
const PATIENCE_MS = 10_000;

export class ChipsPanel {
  #token;

  /** @param {string} token */
  constructor(token) {
    this.#token = token;
    if (token) this.#follow();
  }

  async #follow() {
    at("chips-panel").hidden = !(await this.#asked());
    setTimeout(() => this.#follow(), AGAIN_MS);
  }

  /** Draws what is on record; false where there is nothing to see, or nobody knows. */
  async #asked() {
    try {
      const headers = { Accept: "application/json", Authorization: `Bearer ${this.#token}` };
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const answer = await fetch(spoken("/api/v1/chips"), { headers, signal });
      if (!answer.ok) return false;
      return draw(await answer.json());
    } catch {
      // The page says "Not live"; older figures must not stand beside it as if they were today's.
      return false;
    }
  }
}

/** @param {Table.ChipsView} view */
function draw(view) {
  if (!view.denominations.length) return false;
  const closed = view.shifts.find((each) => !each.open);
  const uncounted = view.shifts.flatMap((each) => each.slips).filter((each) => each.to_count).length;
  const off = closed?.win.difference ?? null;
  at("rack").textContent = view.open ? t("The rack is open.") : t("The rack is closed: its opener is missing.");
  at("rack-boxes").hidden = uncounted === 0;
  at("rack-boxes").textContent = t("{boxes:drop box is to be counted.|drop boxes are to be counted.}", { boxes: uncounted });
  at("rack-win").hidden = !closed;
  at("rack-off").hidden = !off;
  if (closed) {
    const { chips, rounds } = closed.win;
    const won = chips === null ? t("not known yet") : money(chips);
    at("rack-win").textContent = t("Shift {number} won {won} by its chips, {rounds} by its rounds.", { number: closed.number, won, rounds: money(rounds) });
    at("rack-off").textContent = `▲ ${t("{off} between them.", { off: `${off && off > 0 ? "+" : ""}${money(off ?? 0)}` })}`;
  }
  return true;
}
