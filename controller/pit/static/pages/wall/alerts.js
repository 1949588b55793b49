// The alerts of the pit, above the tables: what is wrong, since when, who must act, who has it in hand.

import { at, el, redrawInPlace } from "../../drawing/dom.js";
import { since } from "../../drawing/elapsed.js";

/** What an alert is about that is of no one table. @type {Record<string, string>} */
const OF_MANY = { "": "The pit", "*": "Several tables" };

/** How long it stands that an answer was not taken. */
const REFUSED_MS = 30_000;
let forgetting = 0;

/**
 * @param {Pit.AlertView[]} alerts
 * @param {(number: number) => void} onAnswer
 */
function drawAlerts(alerts, onAnswer) {
  return alerts.map((alert) => {
    const { answered_by: by } = alert;
    const about = OF_MANY[alert.table] ?? alert.table;
    const hand = by
      ? el("span", { class: "in-hand" }, `✓ ${by} has it`)
      : el(
        "button",
        {
          type: "button", class: "small", onclick: () => onAnswer(alert.number),
          "aria-label": `I have it in hand: ${about}, ${alert.text}`,
        },
        "I have it",
      );
    return el(
      "li",
      { class: "alert", "data-answered": Boolean(by), "data-number": alert.number, "data-kind": alert.kind },
      el("b", {}, `${by ? "" : "▲ "}${about}`),
      el("span", { class: "alert-text" }, alert.text),
      alert.count > 1 ? el("span", {}, `${alert.count} ×`) : null,
      since(alert.since_ms),
      el("span", { class: "alert-who" }, alert.who.replaceAll("_", " ")),
      hand,
    );
  });
}

/**
 * Says that you have an alert in hand. Returns why that was refused, empty where it was taken.
 *
 * @param {number} number
 */
async function answerAlert(number) {
  try {
    const answer = await fetch(`/api/v1/alerts/${number}/answer`, { method: "POST" });
    return answer.ok ? "" : String((await answer.json()).detail);
  } catch {
    return "The pit does not answer: try again.";
  }
}

/**
 * An alert as the sound takes it: it calls until somebody has it in hand, louder with each step.
 *
 * @param {Pit.AlertView} alert
 */
function heardAs({ number, since_ms: sinceMs, step, answered_by: by }) {
  return {
    trouble: "alert", about: String(number), since_ms: sinceMs, level: 1 + step, heard: Boolean(by),
  };
}

/** The alerts above the tables, which have the rest of the window. */
export class AlertStrip {
  /** @type {Pit.AlertView[]} */
  #open = [];

  /**
   * Shows the alerts that are open; null: they are as before.
   *
   * @param {Pit.AlertView[] | null} open
   */
  show(open) {
    if (open) this.#open = open;
    const alerts = this.#open;
    at("alerts").hidden = alerts.length === 0;
    // Why an answer was not taken was said of the alerts as they were.
    if (redrawInPlace(at("alerts"), alerts, () => drawAlerts(alerts, haveInHand))) sayRefused("");
  }

  /** What calls somebody, as the sound takes it. */
  get calling() {
    return this.#open.map(heardAs);
  }
}

/**
 * Takes an alert in hand; everybody's wall shows it with the next picture.
 *
 * @param {number} number
 */
async function haveInHand(number) {
  sayRefused(await answerAlert(number));
}

/**
 * Says why an answer was not taken, for a while: who comes later asks for something else.
 *
 * @param {string} refused empty: nothing was refused
 */
function sayRefused(refused) {
  clearTimeout(forgetting);
  at("unanswered").hidden = !refused;
  at("unanswered").textContent = refused;
  if (refused) forgetting = setTimeout(() => sayRefused(""), REFUSED_MS);
}
