// An archived round walked through: the felt as it lay after each of its records. Which records
// there are stands on the page; without this the list is all there is.

import { at, atKind, el } from "../../drawing/dom.js";
import { showFelt } from "./felt.js";
import { Pictures } from "./pictures.js";

const PATIENCE_MS = 10_000;
/** @type {Record<string, (at: number) => number>} */
const KEYS = {
  ArrowLeft: (now) => now - 1,
  ArrowRight: (now) => now + 1,
  Home: () => 0,
  End: () => Infinity,
};
/** What these keys do elsewhere on the page is the browser's: they scroll the long list. */
const IN_PANEL = new Set(["Home", "End"]);

const panel = at("replay");
const { table = "", number = "" } = panel.dataset;
/** Whoever may see no pictures of cards has no place for them. */
const place = document.getElementById("pictures");
const seen = place && new Pictures(place, table, number);

/**
 * The rows of a record: several where it says several things.
 *
 * @param {number} seq
 * @returns {NodeListOf<HTMLElement>}
 */
function rowsOf(seq) {
  return document.querySelectorAll(`tr[data-seq="${seq}"]`);
}

/** @param {Pit.ArchivedRound} round */
function walk({ felt, seats, pictures }) {
  if (!felt?.felts.length) return;
  const { felts, words, button } = felt;
  const back = atKind("back", HTMLButtonElement);
  const on = atKind("on", HTMLButtonElement);
  let now = 0;
  /** @param {number} wanted */
  const show = (wanted) => {
    now = Math.min(Math.max(wanted, 0), felts.length - 1);
    const step = felts[now];
    const rows = rowsOf(step.seq);
    document.querySelectorAll("tr[data-now]").forEach((each) => each.removeAttribute("data-now"));
    rows.forEach((each) => each.setAttribute("data-now", ""));
    at("place").textContent = `Record ${step.seq}, ${now + 1} of ${felts.length}`;
    // What is no step of the game says what it is in the list.
    const said = step.text || [...rows].map((row) => row.dataset.said).join("; ");
    at("said").replaceChildren(el("b", {}, said), el("span", {}, step.why));
    back.disabled = now === 0;
    on.disabled = now === felts.length - 1;
    seen?.show(now ? felts[now - 1].seq : -1, step.seq);
    showFelt(at("felt"), { hands: step.hands, dealer: step.dealer, pot: step.pot, button, seats, words });
  };
  back.addEventListener("click", () => show(now - 1));
  on.addEventListener("click", () => show(now + 1));
  // Arrows walk wherever the focus is: whoever opens the page has it nowhere.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !KEYS[event.key]) return;
    const within = event.target instanceof Node && panel.contains(event.target);
    if (!within && IN_PANEL.has(event.key)) return;
    event.preventDefault();
    show(KEYS[event.key](now));
  });
  felts.forEach(({ seq }, nth) => {
    const go = () => {
      show(nth);
      panel.scrollIntoView({ block: "nearest" });
    };
    for (const row of rowsOf(seq)) {
      row.addEventListener("click", go);
      const head = row.querySelector("th");
      const label = `Show the felt after record ${seq}: ${row.dataset.said ?? ""}`;
      head?.replaceChildren(el("button", { type: "button", class: "to-step", "aria-label": label }, String(seq)));
    }
  });
  panel.hidden = false;
  show(0);
  seen?.ask(pictures);
}

async function read() {
  const answer = await fetch(`/api/v1/rounds/${encodeURIComponent(table)}/${number}`, {
    headers: { Accept: "application/json" },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!answer.ok) throw new Error(`error ${answer.status}`);
  walk(await answer.json());
}

try {
  await read();
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  at("no-felt").textContent = `The felt could not be read (${why}). Load the page anew.`;
}
