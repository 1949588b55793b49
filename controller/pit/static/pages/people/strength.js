// Says how good a password is while it is typed, as the pit will judge it. Without a script it says
// so once it is sent.

import { at, atKind } from "../../drawing/dom.js";

/** Whoever types on is not asked about. */
const STILL_MS = 300;

const password = atKind("password", HTMLInputElement);
const meter = atKind("score", HTMLMeterElement);
const words = at("strength");

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
/** How often something was typed: an answer about what stood there before is nobody's. */
let typed = 0;

/** @param {{ score: number, said: string } | null} found null: nothing is known */
function show(found) {
  meter.hidden = found === null;
  meter.value = found?.score ?? 0;
  words.textContent = found?.said ?? "";
}

/** What the pit says; null where it says nothing at this moment: it judges what is sent anyway. */
async function ask() {
  const answer = await fetch(`${location.pathname}/strength`, {
    method: "POST",
    body: new URLSearchParams({ password: password.value }),
  });
  return answer.ok ? await answer.json() : null;
}

password.addEventListener("input", () => {
  clearTimeout(waiting);
  typed += 1;
  const about = typed;
  if (!password.value) {
    show(null);
    return;
  }
  waiting = setTimeout(async () => {
    const found = await ask().catch(() => null);
    if (about === typed) show(found);
  }, STILL_MS);
});
