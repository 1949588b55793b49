// The calibration page: shows the newest question, sends the answer, lists what was measured.
import { at, atKind, el, redraw } from "./drawing/dom.js";
import { follow } from "./drawing/live.js";

const key = new URLSearchParams(location.search).get("key") ?? "";
const MANY = 6;
/** @type {Calibration.ShownQuestion | null} */
let asked = null;

/**
 * @param {number} question
 * @param {string} choice
 */
async function answer(question, choice) {
  at("problem").textContent = "";
  const headers = { "Content-Type": "application/json", "X-Key": key };
  const body = JSON.stringify({ question, key: choice });
  try {
    const reply = await fetch("/answer", { method: "POST", headers, body });
    if (!reply.ok) at("problem").textContent = (await reply.json()).detail;
  } catch {
    at("problem").textContent = "The calibration does not answer: is the command still running?";
  }
}

/**
 * @param {Calibration.ShownQuestion} question
 * @param {string} hint
 */
function keys({ number, choices, waits }, hint) {
  const buttons = choices.map((choice) =>
    el("button", { type: "button", onclick: () => answer(number, choice.key) },
      choice.text[0].toUpperCase() + choice.text.slice(1),
      choice.key && choices.length > 1 ? el("kbd", {}, choice.key) : null));
  if (!waits) return buttons;
  return [
    el("p", { class: "waiting", "data-hint": String(Boolean(hint)) }, hint || "Waiting for it…"),
    ...buttons,
  ];
}

/** What each state of a card is called, for those who do not see the picture of it. */
const STATES = {
  missing: "missing", captured: "captured", last: "captured last", wanted: "wanted now",
  verified: "read once more",
};

/**
 * @param {Calibration.ShownCard} card
 * @param {Calibration.ShownQuestion | null} question
 */
function cell(card, question) {
  const meant = question?.choices.find((choice) => choice.key === card.key);
  return el("button", {
    type: "button", disabled: !meant, "data-key": card.key, "data-state": card.state, "data-red": String(card.red),
    "aria-label": `${card.name}: ${meant ? meant.text : STATES[card.state]}`,
    title: meant ? meant.text : `${card.name}: ${STATES[card.state]}`,
    onclick: () => question && answer(question.number, card.key),
  }, card.label);
}

/** @param {Calibration.ShownMeasurement} measurement */
function limits({ at_least: low, at_most: high, unit }) {
  if (low !== null && low === high) return `must be ${low} ${unit}`;
  const parts = [low === null ? "" : `at least ${low}`, high === null ? "" : `at most ${high}`];
  const text = parts.filter(Boolean).join(", ");
  return text && `${text} ${unit}`;
}

/** @param {Calibration.ShownMeasurement} each */
function row(each) {
  const value = each.value === null ? each.verdict : `${Number(each.value.toPrecision(6))} ${each.unit}`;
  return el("li", {},
    el("span", { "data-verdict": each.verdict, role: "img", "aria-label": each.verdict }),
    el("span", {}, each.name), el("span", { class: "value" }, value),
    el("span", { class: "limit" }, limits(each)),
    each.remedy ? el("span", { class: "remedy" }, each.remedy) : null);
}

/** @param {Calibration.ShownStep | null} step */
function progress(step) {
  at("step").hidden = !step;
  if (!step) return;
  at("step-text").textContent = `Step ${step.nth} of ${step.of}: ${step.name}`;
  const done = atKind("step-done", HTMLProgressElement);
  done.max = step.total || 1;
  done.value = step.done;
}

/** @param {Calibration.Shown} view */
function show(view) {
  document.title = at("title").textContent = view.title;
  const { question, ended } = view;
  asked = question;
  document.body.dataset.deck = String(view.deck.length > 0 && !ended);
  document.body.dataset.end = ended ? (view.good ? "good" : "bad") : "";
  // Between two questions the last one stays: a page that blinks is hard to follow.
  if (ended || question) {
    at("text").textContent = ended || question?.text || "";
    at("how").textContent = ended ? view.ended_details : question?.details ?? "";
  }
  // A card of the deck is answered where it stands in the overview, and has no key beside it.
  const inDeck = new Set(view.deck.map((card) => card.key));
  const apart = question && {
    ...question, choices: question.choices.filter((choice) => !inDeck.has(choice.key)),
  };
  redraw(at("choices"), { apart, hint: view.hint, ended }, () => {
    if (ended) return [];
    return apart ? keys(apart, view.hint) : el("p", { class: "waiting" }, "One moment…");
  });
  redraw(at("deck"), { deck: view.deck, question }, () => view.deck.map((card) => cell(card, question)));
  at("deck").hidden = view.deck.length === 0 || Boolean(ended);
  progress(ended ? null : view.step);
  at("last").textContent = view.live && !ended ? (view.said.at(-1) ?? "") : "";
  at("choices").dataset.many = String((apart?.choices.length ?? 0) > MANY);
  at("give-up").hidden = !question;
  redraw(at("measured"), view.measurements, (all) =>
    all.length ? all.map(row) : el("li", { class: "empty" }, "Nothing yet."));
  if (redraw(at("said"), view.said, (all) => all.map((line) => el("li", {}, line)))) {
    at("said").scrollTop = at("said").scrollHeight;
  }
  // Beside a picture the last line is enough, and all that was measured stays in sight.
  at("done").hidden = view.said.length === 0 || (view.live && !ended);
  const live = atKind("live", HTMLImageElement);
  if (view.live && live.hidden) live.src = `/live?key=${encodeURIComponent(key)}`;
  live.hidden = !view.live || Boolean(ended);
}

at("give-up").addEventListener("click", () => asked && answer(asked.number, "q"));
document.addEventListener("keydown", (event) => {
  if (!asked || event.ctrlKey || event.altKey || event.metaKey) return;
  const [first] = asked.choices;
  // Of what is waited for a choice is the way out, never the likely one.
  if (event.key === "Enter" && first && !asked.waits && document.activeElement === document.body) {
    answer(asked.number, first.key);
  }
  const meant = asked.choices.find((choice) => choice.key === event.key.toLowerCase());
  if (meant && meant.key) answer(asked.number, meant.key);
});

follow(`/events?key=${encodeURIComponent(key)}`, "calibration", {
  onView: show,
  onLive: (live) => {
    at("line").dataset.live = String(live);
    at("line").textContent = live ? "Live" : document.body.dataset.end ? "Ended" : "Not live";
  },
});
