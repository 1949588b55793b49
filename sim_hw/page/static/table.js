// The page of the simulated table: shows the world, and does what the visitor asks for.

import { at, atKind, el, redraw } from "./drawing/dom.js";
import { Felt } from "./felt.js";
import { follow } from "./drawing/live.js";

/** @typedef {[text: string, act: string]} Act  What a key says, and what it does. */

/** Keys that say and do one of two things, by whether they are on. */
/** @type {Record<"seat" | "pause", [off: Act, on: Act]>} */
const ACTS = {
  seat: [["Take the dealer’s seat", "take_seat"], ["Give the dealer’s seat back", "leave_seat"]],
  pause: [["❚❚ Pause", "pause"], ["▶ Go on", "resume"]],
};
const felt = new Felt(at("felt"));
/** @type {World.PageView} */
let world;
/** Whether a view of the world has come. */
let drawn = false;

/** @param {World.PageView} newest */
function draw(newest) {
  world = newest;
  drawn = true;
  felt.style = world.index;
  felt.show(world);
  const visitor = world.dealer === "visitor";
  document.title = `${world.title} · the table`;
  document.body.dataset.dealer = world.dealer;
  at("title").textContent = world.title;
  const round = world.round ? ` · round ${world.round}` : "";
  at("about").textContent = `Simulated table · seed ${world.seed}${round}`;
  label("seat", ...ACTS.seat[Number(visitor)]);
  const { name, plugged } = world.scanner;
  label("plug", plugged ? `Pull the ${name}’s plug` : `Plug the ${name} in`, plugged ? "unplug" : "plug");
  redraw(at("troubles"), world.troubles, (keys) =>
    keys.map(({ do: does, text }) =>
      el("button", { class: "act trouble", type: "button", "data-do": does }, text)
    ));
  showTraining(world.training);
  label("pause", ...ACTS.pause[Number(world.paused)]);
  at("plug").setAttribute("aria-pressed", String(!world.scanner.plugged));
  /** @type {NodeListOf<HTMLButtonElement>} */
  const dealKeys = document.querySelectorAll(".deal");
  for (const node of dealKeys) node.disabled = !visitor;
  /** @type {NodeListOf<HTMLElement>} */
  const speedKeys = document.querySelectorAll("[data-speed]");
  for (const node of speedKeys) {
    node.setAttribute("aria-pressed", String(Number(node.dataset.speed) === world.speed));
  }
  redraw(at("log"), world.log, (lines) => lines.toReversed().map((line) => el("li", {}, line)));
  const display = { service: world.service_url, token: world.display_token ?? "" };
  redraw(at("display"), display, showDisplay);
}

/** @param {World.TrainingView | null} training */
function showTraining(training) {
  at("training").hidden = !training;
  atKind("seat", HTMLButtonElement).hidden = Boolean(training);
  if (!training) return;
  const { round, rounds, trouble, less, over } = training;
  const noun = rounds === 1 ? "round" : "rounds";
  const count = rounds ? `${round} of ${rounds} ${noun}` : `rounds: ${round}`;
  at("trained").textContent = over
    ? `The training is over, ${count}.`
    : `You are in training, ${count}, trouble: ${trouble}.`;
  atKind("less", HTMLButtonElement).disabled = over || !less;
}

/**
 * @param {string} id
 * @param {string} text
 * @param {string} name
 */
function label(id, text, name) {
  at(id).textContent = text;
  at(id).dataset.do = name;
}

/**
 * The dealer display of the service; with a token, a visitor can press its keys.
 *
 * @param {{ service: string, token: string }} display
 */
function showDisplay({ service, token }) {
  const url = new URL("/dealer", service);
  url.searchParams.set("keys", token ? "on" : "off");
  url.hash = `token=${token}`;
  atKind("display", HTMLIFrameElement).src = url.href;
  return [];
}

/** The display is laid out at 1280 by 720 (`table.css`), and drawn as wide as there is room. */
function scaleDisplay() {
  const shown = at("display");
  const room = shown.parentElement?.clientWidth ?? 0;
  shown.style.setProperty("--display-scale", String(room / shown.offsetWidth));
}

/** @param {Record<string, string | number | undefined>} body */
async function act(body) {
  let problem = "";
  try {
    const options = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    };
    const answer = await fetch("/act", options);
    if (!answer.ok) {
      problem = (await answer.json().catch(() => ({}))).why ?? `Not done (error ${answer.status}).`;
    }
  } catch {
    problem = "Not done: the simulated table does not answer.";
  }
  at("answer").textContent = problem;
}

/** @param {MouseEvent} event */
function pressed(event) {
  const node = event.target instanceof Element ? event.target.closest("button") : null;
  if (!node || !drawn) return;
  if (node.dataset.speed) {
    act({ do: "speed", speed: Number(node.dataset.speed) });
  } else if (node.dataset.button) {
    act({ do: node.dataset.do, button: node.dataset.button });
  } else {
    act({ do: node.dataset.do });
  }
}

document.addEventListener("click", pressed);
follow("/events", "world", { onView: draw, onLive: (live) => (at("lost").hidden = live) });

new ResizeObserver(scaleDisplay).observe(/** @type {Element} */ (at("display").parentElement));
