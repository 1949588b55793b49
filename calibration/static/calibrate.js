// The calibration page: shows the newest question, sends the answer, lists what was measured.
import { at, el, redraw } from "./dom.js";
import { follow } from "./live.js";

const key = new URLSearchParams(location.search).get("key") ?? "";
const MANY = 6;
let asked = null;

async function answer(question, choice) {
  at("problem").textContent = "";
  const headers = { "Content-Type": "application/json", "X-Key": key };
  const body = JSON.stringify({ question, key: choice });
  try {
    const told = await fetch("/answer", { method: "POST", headers, body });
    if (!told.ok) at("problem").textContent = (await told.json()).detail;
  } catch {
    at("problem").textContent = "The calibration does not answer: is the command still running?";
  }
}

function keys({ number, choices }) {
  if (choices.length === 0) return el("p", { class: "waiting" }, "Waiting for it…");
  return choices.map((choice) =>
    el("button", { type: "button", onclick: () => answer(number, choice.key) },
      choice.text[0].toUpperCase() + choice.text.slice(1),
      choice.key && choices.length > 1 ? el("kbd", {}, choice.key) : null));
}

function limits({ at_least: low, at_most: high, unit }) {
  if (low !== null && low === high) return `must be ${low} ${unit}`;
  const parts = [low === null ? "" : `at least ${low}`, high === null ? "" : `at most ${high}`];
  const text = parts.filter(Boolean).join(", ");
  return text && `${text} ${unit}`;
}

function row(each) {
  const value = each.value === null ? each.verdict : `${+each.value.toPrecision(6)} ${each.unit}`;
  return el("li", {},
    el("span", { "data-verdict": each.verdict, role: "img", "aria-label": each.verdict }),
    el("span", {}, each.name), el("span", {}, value),
    el("span", { class: "limit" }, limits(each)),
    each.remedy ? el("span", { class: "remedy" }, each.remedy) : null);
}

function show(picture) {
  document.title = at("title").textContent = picture.title;
  const { question, ended } = picture;
  asked = question;
  document.body.dataset.end = ended ? (picture.good ? "good" : "bad") : "";
  at("text").textContent = ended || question?.text || "One moment…";
  redraw(at("choices"), question, () => (question ? keys(question) : []));
  at("choices").dataset.many = String((question?.choices.length ?? 0) > MANY);
  at("give-up").hidden = !question;
  redraw(at("measured"), picture.measurements, (all) =>
    all.length ? all.map(row) : el("li", { class: "empty" }, "Nothing yet."));
  if (redraw(at("said"), picture.said, (all) => all.map((line) => el("li", {}, line)))) {
    at("said").scrollTop = at("said").scrollHeight;
  }
  at("done").hidden = picture.said.length === 0;
  const live = at("live");
  if (picture.live && live.hidden) live.src = `/live?key=${encodeURIComponent(key)}`;
  live.hidden = !picture.live || Boolean(ended);
}

at("give-up").addEventListener("click", () => asked && answer(asked.number, "q"));
document.addEventListener("keydown", (event) => {
  if (!asked || event.ctrlKey || event.altKey || event.metaKey) return;
  const [first] = asked.choices;
  if (event.key === "Enter" && first && document.activeElement === document.body) {
    answer(asked.number, first.key);
  }
  const meant = asked.choices.find((choice) => choice.key === event.key.toLowerCase());
  if (meant && meant.key) answer(asked.number, meant.key);
});

follow(`/events?key=${encodeURIComponent(key)}`, "calibration", {
  onPicture: show,
  onLive: (live) => {
    at("line").dataset.live = String(live);
    at("line").textContent = live ? "Live" : document.body.dataset.end ? "Ended" : "Not live";
  },
});
