// The newest view from the table, and whether it can be trusted to be the newest.

import { noteEdition } from "./edition.js";
import { noteTableTime } from "./table_time.js";
import { spoken, t } from "./words.js";

/**
 * Without an event or a heartbeat for so long, what the page shows is not live; nor is it when what
 * comes is so much later than the quickest of its line. Views that are on their way cannot be called
 * back: the line is given up, and a new one begins with the newest.
 */
export const SILENCE_MS = 6000;
const RETRY_MS = 1000;
/** How often it is looked at whether the line is silent: timers stand still while a device sleeps. */
const LOOK_MS = 1000;
/** What is told of a page that is there again. */
const AWAKE = ["pageshow", "resume", "visibilitychange"];
/** How soon a page that has no place asks for one again. */
const NO_PLACE_MS = 5000;
/** What a page says that has no place: the line is well, and nobody need look for a cable. */
export const NO_PLACE = t("As many displays look on as may. Close one: this one goes on by itself.");

/** The server does not answer, or no longer. */
class LineLost extends Error {}
/** The server answers that it has no place for one more. */
class NoPlace extends LineLost {}

/**
 * Follows the events of `url`, which may differ from one line to the next. `onView` gets every view
 * of that event name, and its id; `onLive` is called when the line is lost (`noPlace`: the server has none
 * for one more), and when a new view has come through it again; `onSignedOut` when the server asks who is
 * there; `onReset` when a feed cannot go on from where it was asked to. Reconnects for as long as the page
 * is open. With the table's `token` the page has a place of its own, however many look.
 *
 * @template T
 * @param {string | (() => string)} url
 * @param {string} name
 * @param {{
 *   onView: (view: T, id: string) => void, onLive: (live: boolean, noPlace: boolean) => void,
 *   token?: string, silenceMs?: number, onSignedOut?: () => void, onReset?: () => void,
 * }} options
 * @returns {{ reopen: () => void }} `reopen`: ask anew, at another address; the page stays live
 */
export function follow(url, name, options) {
  const { onView, onLive, token = "", silenceMs = SILENCE_MS, onSignedOut, onReset } = options;
  /** @type {AbortController | null} */
  let line = null;
  let silence = 0;
  let heardAt = 0;
  /** @type {boolean | null} */
  let live = null;
  let hasPlace = true;

  /**
   * @param {boolean} now
   * @param {boolean} [place]
   */
  const say = (now, place = true) => {
    if (live === now && hasPlace === place) return;
    live = now;
    hasPlace = place;
    onLive(now, !place);
  };
  const heard = () => {
    heardAt = Date.now();
    clearTimeout(silence);
    silence = setTimeout(() => lose(), silenceMs);
  };
  /** @param {boolean} [place] */
  function lose(place = true) {
    if (!line) return;
    clearTimeout(silence);
    line.abort();
    line = null;
    say(false, place);
    setTimeout(open, place ? RETRY_MS : NO_PLACE_MS);
  }
  async function open() {
    const mine = new AbortController();
    line = mine;
    let least = Infinity;
    let place = true;
    heard();
    try {
      const address = typeof url === "string" ? url : url();
      for await (const event of events(address, token, mine.signal, onSignedOut)) {
        if (line !== mine) return;
        heard();
        if (event.name === "beat") {
          const { now_ms: nowMs = null, edition } = JSON.parse(event.data);
          if (edition) noteEdition(edition);
          noteTableTime(nowMs, least === Infinity);
          // Either clock may be set meanwhile: then the line is opened once again, no more.
          const behind = nowMs === null ? 0 : Date.now() - nowMs;
          least = Math.min(least, behind);
          if (behind - least > silenceMs) return;
        }
        // A feed of facts begins with its clock; the next fact may be long in coming.
        if (event.name === "clock") say(true);
        if (event.name === "reset") onReset?.();
        if (event.name === name) {
          onView(JSON.parse(event.data), event.id);
          say(true);
        }
      }
    } catch (error) {
      if (!(error instanceof LineLost)) throw error;
      place = !(error instanceof NoPlace);
    } finally {
      // What stands on the page is an older view, or half of a newer one: never call it live.
      if (line === mine) lose(place);
    }
  }
  open();
  // Whoever opens a tablet's cover sees an old picture: by the clock it is older than by any timer.
  const look = () => {
    if (Date.now() - heardAt > silenceMs) lose();
  };
  setInterval(look, LOOK_MS);
  for (const sign of AWAKE) addEventListener(sign, look, { capture: true });
  return {
    reopen() {
      const before = line;
      if (!before) return;
      open();
      before.abort();
    },
  };
}

/**
 * The server-sent events of `url`, until the line ends or is lost (then it throws `LineLost`). Not
 * by `EventSource`, which cannot send the token.
 *
 * @param {string} url
 * @param {string} token
 * @param {AbortSignal} signal
 * @param {(() => void) | undefined} onSignedOut
 */
async function* events(url, token, signal, onSignedOut) {
  /** @type {Record<string, string>} */
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  /** @param {unknown} cause */
  const lost = (cause) => {
    throw new LineLost("the line to the table is lost", { cause });
  };
  const answer = await fetch(spoken(url), { headers, signal, cache: "no-store" }).catch(lost);
  if (answer.status === 401) onSignedOut?.();
  // A proxy says 503 too, of a server that is away: in HTML.
  const isItsOwn = answer.headers.get("Content-Type")?.includes("json");
  if (answer.status === 503 && isItsOwn) throw new NoPlace("the server has no place for one more");
  if (!answer.ok || !answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    // eslint-disable-next-line no-await-in-loop -- each part comes after the one before
    const { done, value } = await reader.read().catch(lost);
    if (done) return;
    const whole = (rest + value).split("\n\n");
    rest = whole.pop() ?? "";
    for (const text of whole) yield parsed(text);
  }
}

/** @param {string} text */
function parsed(text) {
  const event = { name: "message", id: "", data: "" };
  for (const line of text.split("\n")) {
    if (line.startsWith("event: ")) event.name = line.slice(7);
    if (line.startsWith("id: ")) event.id = line.slice(4);
    if (line.startsWith("data: ")) event.data += line.slice(6);
  }
  return event;
}
