// The page of the simulated table: shows the world, and does what the visitor asks for.

import { at, el, redraw } from "./drawing/dom.js";
import { Felt } from "./felt.js";
import { follow } from "./drawing/live.js";

const KEPT = "tablectl.index";
/** Keys that say and do one of two things, by whether they are on. */
const ACTS = {
  seat: [["Take the dealer’s seat", "take_seat"], ["Give the dealer’s seat back", "leave_seat"]],
  plug: [["Plug the scanner in", "plug"], ["Pull the scanner’s plug", "unplug"]],
  pause: [["❚❚ Pause", "pause"], ["▶ Go on", "resume"]],
};
const felt = new Felt(at("felt"));
let world = null;
let style = localStorage.getItem(KEPT) === "anglo" ? "anglo" : "finnish";

function draw(picture) {
  world = picture;
  felt.style = style;
  felt.show(world);
  const visitor = world.dealer === "visitor";
  document.title = `${world.title} · the table`;
  document.body.dataset.dealer = world.dealer;
  at("title").textContent = world.title;
  const round = world.round ? ` · round ${world.round}` : "";
  at("about").textContent = `Simulated table · seed ${world.seed}${round}`;
  label("seat", ...ACTS.seat[Number(visitor)]);
  label("plug", ...ACTS.plug[Number(world.scanner.plugged)]);
  label("pause", ...ACTS.pause[Number(world.paused)]);
  at("plug").setAttribute("aria-pressed", String(!world.scanner.plugged));
  at("index").textContent = style === "finnish" ? "Index 13 12 11 1" : "Index K Q J A";
  for (const node of document.querySelectorAll(".deal")) node.disabled = !visitor;
  for (const node of document.querySelectorAll("[data-speed]")) {
    node.setAttribute("aria-pressed", String(Number(node.dataset.speed) === world.speed));
  }
  redraw(at("log"), world.log, (lines) => lines.toReversed().map((line) => el("li", {}, line)));
  redraw(at("display"), [world.service_url, style, world.display_token ?? ""], showDisplay);
}

function label(id, text, act) {
  at(id).textContent = text;
  at(id).dataset.do = act;
}

/** The dealer display of the service; with a token, a visitor can press its keys. */
function showDisplay([service, index, token]) {
  const url = new URL("/dealer", service);
  url.searchParams.set("index", index);
  url.searchParams.set("keys", token ? "on" : "off");
  url.hash = `token=${token}`;
  at("display").src = url.href;
  return [];
}

async function act(body) {
  let said = "";
  try {
    const options = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    };
    const answer = await fetch("/act", options);
    if (!answer.ok) {
      said = (await answer.json().catch(() => ({}))).why ?? `Not done (error ${answer.status}).`;
    }
  } catch {
    said = "Not done: the simulated table does not answer.";
  }
  at("answer").textContent = said;
}

function pressed(event) {
  const node = event.target.closest("button");
  if (!node || !world) return;
  if (node.id === "index") {
    style = style === "finnish" ? "anglo" : "finnish";
    localStorage.setItem(KEPT, style);
    draw(world);
  } else if (node.dataset.speed) {
    act({ do: "speed", speed: Number(node.dataset.speed) });
  } else if (node.dataset.button) {
    act({ do: node.dataset.do, button: node.dataset.button });
  } else {
    act({ do: node.dataset.do });
  }
}

document.addEventListener("click", pressed);
follow("/events", "world", { onPicture: draw, onLive: (live) => (at("lost").hidden = live) });
